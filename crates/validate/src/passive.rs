//! Edges without assignments: the passive form of Flanagan & Saxe (POPL 2001) and Barnett & Leino (PASTE 2005).
//!
//! Along a run every variable has a value, which is a term over the variables as they were at the last cut point and over
//! fresh ones. An assignment gives a variable another value, and an assumption becomes a premise about the values. Where
//! edges meet at a location between cut points, a variable whose values differ gets a fresh variable there, and each of
//! these edges the premise that this is equal to the value that it brings. So a formula that must hold at a location is the same
//! whatever edge leads there: nothing is substituted in it, and there are equations for nothing but what differs.
//!
//! Fresh variables are versions of the automaton's variables with numbers that were not used before. A proof
//! speaks of version 0 and a relation of version 1, so they cannot clash. A large value gets a fresh variable, too.

use std::rc::Rc;

use lapidary_expr::{Term, Valuation, Value, Var};
use lapidary_model::{EdgeId, Loc, Stmt};
use rustc_hash::FxHashMap;

use crate::graph::{Graph, Kind};
use crate::needed::Needed;

/// Values that have more nodes than this get a variable.
const LARGE: u32 = 30;

/// The first number of fresh variables: 0 and 1 are those of states and relations.
const FIRST_FRESH: u32 = 2;

/// The values of variables; one that is missing has the value that it had at the last cut point.
pub(crate) type Values = FxHashMap<Var, Term>;

/// An edge in passive form.
#[derive(Default)]
pub(crate) struct Step {
    /// What holds when the edge is taken.
    pub(crate) premises: Vec<Term>,
    /// At a cut point: the values of the variables that its states mention.
    pub(crate) values: Values,
}

/// The edges that leave cut points and locations between them.
pub(crate) struct Passive {
    steps: FxHashMap<EdgeId, Step>,
    next_fresh: u32,
}

impl Passive {
    pub(crate) fn new(graph: &Graph<'_>) -> Self {
        let passive = Passive { steps: FxHashMap::default(), next_fresh: FIRST_FRESH };
        let mut forward =
            Forward { graph, needed: Needed::new(graph), passive, ends: FxHashMap::default() };
        let cuts = graph.cfa.locs().filter(|loc| graph.kind(*loc) == Kind::Cut);
        for loc in cuts.chain(graph.between().rev()) {
            forward.leave(loc);
        }
        forward.passive
    }

    pub(crate) fn step(&self, edge: EdgeId) -> &Step {
        &self.steps[&edge]
    }

    /// From here on no number is used.
    pub(crate) fn end(&self) -> u32 {
        self.next_fresh
    }

    fn fresh(&mut self, var: Var) -> Var {
        self.next_fresh += 1;
        var.at(self.next_fresh - 1)
    }

    /// Executes a statement on values.
    fn execute(&mut self, stmt: &Stmt, values: &mut Rc<Values>, premises: &mut Vec<Term>) {
        match stmt {
            Stmt::Assume(condition) => premises.push(valued(*condition, values)),
            Stmt::Assign(assignments) => {
                let mut new: Vec<(Var, Term)> = Vec::with_capacity(assignments.len());
                for (var, term) in assignments {
                    let term = valued(*term, values);
                    new.push((*var, self.kept(*var, term, premises)));
                }
                Rc::make_mut(values).extend(new);
            }
            Stmt::Havoc(vars) => {
                let values = Rc::make_mut(values);
                values.extend(vars.iter().map(|var| (*var, self.fresh(*var).into())));
            }
            Stmt::Seq(parts) => {
                parts.iter().for_each(|part| self.execute(part, values, premises));
            }
            Stmt::Choice(parts) => premises.push(self.choice(parts, values)),
            Stmt::Relation { formula, written } => {
                let new: Values =
                    written.iter().map(|var| (*var, self.fresh(*var).into())).collect();
                premises.push(formula.map_vars(&|var| match var.version() {
                    1 => new.get(&var.at(0)).copied(),
                    _ => values.get(&var).copied(),
                }));
                Rc::make_mut(values).extend(new);
            }
        }
    }

    /// What holds if one of the statements is executed.
    fn choice(&mut self, parts: &[Stmt], values: &mut Rc<Values>) -> Term {
        let mut ends = Vec::with_capacity(parts.len());
        for part in parts {
            let (mut after, mut premises) = (values.clone(), Vec::new());
            self.execute(part, &mut after, &mut premises);
            ends.push((premises, after));
        }
        let all: Vec<Rc<Values>> = ends.iter().map(|(_, after)| after.clone()).collect();
        let joined = self.join(&all, |_| true);
        for (var, term) in &joined.equated {
            for (premises, after) in &mut ends {
                premises.push(Term::from(*term).equals(value(after, *var)));
            }
        }
        *values = joined.values;
        Term::or(ends.into_iter().map(|(premises, _)| Term::and(premises)))
    }

    /// A value that is cheap to write down often.
    fn kept(&mut self, var: Var, term: Term, premises: &mut Vec<Term>) -> Term {
        if term.size() <= LARGE {
            return term;
        }
        let fresh = Term::var(self.fresh(var));
        premises.push(fresh.equals(term));
        fresh
    }

    /// The values where runs with several values meet. What is not needed is not equated to anything.
    fn join(&mut self, ends: &[Rc<Values>], is_needed: impl Fn(Var) -> bool) -> Joined {
        let Some((first, others)) = ends.split_first() else { return Joined::default() };
        let others: Vec<&Rc<Values>> =
            others.iter().filter(|other| !Rc::ptr_eq(other, first)).collect();
        let mut joined = Joined { values: first.clone(), equated: Vec::new() };
        if others.is_empty() {
            return joined;
        }
        let mut vars: Vec<Var> = first.keys().copied().collect();
        vars.extend(others.iter().flat_map(|other| other.keys()));
        vars.sort_unstable();
        vars.dedup();
        for var in vars {
            let of_first = value(first, var);
            if others.iter().any(|other| value(other, var) != of_first) {
                let fresh = self.fresh(var);
                Rc::make_mut(&mut joined.values).insert(var, fresh.into());
                if is_needed(var) {
                    joined.equated.push((var, fresh));
                }
            }
        }
        joined
    }
}

/// What becomes of values where runs meet.
#[derive(Default)]
struct Joined {
    values: Rc<Values>,
    /// The variables that have a fresh variable from here on, and which.
    equated: Vec<(Var, Var)>,
}

/// The value of a variable.
fn value(values: &Values, var: Var) -> Term {
    values.get(&var).copied().unwrap_or(var.into())
}

/// A term over the values of its variables.
pub(crate) fn valued(term: Term, values: &Values) -> Term {
    match values.is_empty() {
        true => term,
        false => term.map_vars(&|var| values.get(&var).copied()),
    }
}

/// Goes forward from all cut points at once.
struct Forward<'a> {
    graph: &'a Graph<'a>,
    needed: Needed,
    passive: Passive,
    /// By location, the edges that lead there from locations that were left, with the values that they bring.
    ends: FxHashMap<Loc, Vec<(EdgeId, Rc<Values>)>>,
}

impl Forward<'_> {
    /// Executes the edges that leave a location; all that lead there from elsewhere have been.
    fn leave(&mut self, loc: Loc) {
        let Some(values) = self.enter(loc) else { return };
        for id in self.graph.outgoing(loc) {
            let edge = self.graph.cfa.edge(*id);
            let (mut after, mut premises) = (values.clone(), Vec::new());
            let first = self.passive.next_fresh;
            self.passive.execute(&edge.stmt, &mut after, &mut premises);
            self.drop_openings(edge.target, first, &edge.stmt, &after, &mut premises);
            let mut step = Step { premises, values: Values::default() };
            match self.graph.kind(edge.target) {
                Kind::Cut => {
                    // A single state may mention more: all of them together do not depend on that.
                    let vars = self.graph.cover(edge.target).vars().iter();
                    let values = vars.filter_map(|var| Some((*var, *after.get(var)?)));
                    step.values = values.collect();
                }
                Kind::Between if !self.graph.is_retreating(*id) => {
                    self.ends.entry(edge.target).or_default().push((*id, after));
                }
                Kind::Between | Kind::Error | Kind::Harmless => {}
            }
            self.passive.steps.insert(*id, step);
        }
    }

    /// The values at a location, if a run gets there.
    fn enter(&mut self, loc: Loc) -> Option<Rc<Values>> {
        if self.graph.kind(loc) == Kind::Cut {
            return Some(Rc::default());
        }
        let ends = self.ends.remove(&loc)?;
        let all: Vec<Rc<Values>> = ends.iter().map(|(_, values)| values.clone()).collect();
        let joined = self.passive.join(&all, |var| self.needed.contains(loc, var));
        for (edge, values) in &ends {
            let equations = joined.equated.iter().map(|(var, fresh)| {
                let fresh = Term::var(*fresh);
                fresh.equals(value(values, *var))
            });
            if let Some(step) = self.passive.steps.get_mut(edge) {
                step.premises.extend(equations);
            }
        }
        Some(joined.values)
    }

    /// Drops premises that are about nothing but values that are open and not needed any more, and that hold for some
    /// of these: they are left by assumptions such as the range of a variable that is never used, and would hide that
    /// branches make no difference. Values that this edge has opened have numbers from `first` on; nothing else knows of them.
    fn drop_openings(
        &self,
        to: Loc,
        first: u32,
        stmt: &Stmt,
        after: &Values,
        premises: &mut Vec<Term>,
    ) {
        if premises.is_empty() {
            return;
        }
        let written = stmt.written();
        let mut mentions: FxHashMap<Var, usize> = FxHashMap::default();
        let kept = written.iter().filter(|var| self.needed.contains(to, **var));
        let kept: Vec<Term> = kept.map(|var| value(after, *var)).collect();
        for var in premises.iter().chain(&kept).flat_map(|term| term.vars()) {
            *mentions.entry(*var).or_default() += 1;
        }
        let is_open = |var: &Var| {
            var.version() >= first
                && mentions.get(var) == Some(&1)
                && after.get(&var.at(0)) == Some(&Term::var(*var))
                && written.contains(&var.at(0))
        };
        premises.retain(|premise| {
            let values = premise.vars().iter().map(|var| (*var, Value::default_of(var.sort())));
            let is_opening = !premise.vars().is_empty()
                && premise.vars().iter().all(is_open)
                && premise.holds(&values.collect::<Valuation>()) == Some(true);
            !is_opening
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lapidary_expr::Sort;
    use lapidary_model::{CfaBuilder, Proof, ProofState};

    /// Each of many branches writes one of many variables, all of which matter at the end.
    #[test]
    fn where_edges_meet_there_are_equations_for_what_differs() {
        let (n_branches, n_vars) = (2000, 50);
        let vars: Vec<Var> = (0..n_vars).map(|i| Var::new(&format!("x{i}"), Sort::Int)).collect();
        let mut builder = CfaBuilder::new("row", "l0");
        builder.vars(&vars);
        let mut here = builder.entry();
        for i in 0..n_branches {
            let (var, next) = (vars[i % n_vars], builder.loc(&format!("l{}", i + 1)));
            let low = Term::var(var).less(Term::int(9));
            let up = Stmt::assign(var, Term::var(var).plus(Term::int(1)));
            builder.edge(here, Stmt::seq([Stmt::Assume(low), up]), next, None);
            builder.edge(here, Stmt::Assume(low.not()), next, None);
            here = next;
        }
        let error = builder.loc("error");
        let high = vars.iter().map(|var| Term::int(9).less(Term::var(*var)));
        builder.edge(here, Stmt::Assume(Term::or(high)), error, None);
        builder.error(error);
        let cfa = builder.build().expect("an automaton");
        let state = ProofState { loc: cfa.entry(), formula: true.into(), successors: Vec::new() };
        let proof = Proof::of(vec![state]);
        let graph = Graph::new(&cfa, &proof);
        let passive = Passive::new(&graph);
        let n_premises: usize = passive.steps.values().map(|step| step.premises.len()).sum();
        // A condition and an equation on each edge.
        assert_eq!(n_premises, 4 * n_branches + 1);
    }
}
