//! Weakest preconditions by substitution; the rules are in the [module above](super).
//!
//! Fresh variables are versions of the automaton's variables with numbers that were not used before. A proof
//! speaks of version 0 and a relation of version 1, so they cannot clash.
//!
//! Substitution copies a formula per branch, and after many branches in a row that is too much. A formula
//! that has become large is therefore named: `W` becomes `x = f ⇒ B` with fresh `f` and `B`, where `W[f/x] ⇒ B`. Both
//! say the same, since `f` and `B` are universally quantified; what is substituted from then on is the small
//! premise only.

use lapidary_expr::{Sort, Term, Valuation, Value, Var, VarSet};
use lapidary_model::{EdgeId, Loc, StateId, Stmt};
use rustc_hash::{FxHashMap, FxHashSet};

use super::graph::{Graph, Kind};

/// Formulas that have more nodes than this are named.
const LARGE: usize = 250;

/// The first number of fresh variables: 0 and 1 are those of states and relations.
const FIRST_FRESH: u32 = 2;

/// The preconditions along the edges of an automaton for some choice of covers.
pub(super) struct Preconditions<'a> {
    graph: &'a Graph<'a>,
    /// The states that make up the covers, where there are some at a location; all states elsewhere.
    hints: &'a [StateId],
    /// What must hold at the locations between cut points.
    locs: FxHashMap<Loc, Term>,
    /// What must hold before the edges.
    edges: FxHashMap<EdgeId, Term>,
    /// What the names of large formulas stand for.
    definitions: FxHashMap<Var, Term>,
    next_fresh: u32,
}

impl<'a> Preconditions<'a> {
    pub(super) fn new(graph: &'a Graph<'a>, hints: &'a [StateId]) -> Self {
        Preconditions {
            graph,
            hints,
            locs: FxHashMap::default(),
            edges: FxHashMap::default(),
            definitions: FxHashMap::default(),
            next_fresh: FIRST_FRESH,
        }
    }

    /// What must hold before an edge so that covers hold at the next cut points.
    pub(super) fn edge(&mut self, id: EdgeId) -> Term {
        if let Some(known) = self.edges.get(&id) {
            return *known;
        }
        let edge = self.graph.cfa.edge(id);
        let post = self.loc(edge.target);
        let pre = self.stmt(&edge.stmt, post);
        self.edges.insert(id, pre);
        pre
    }

    /// What is to be known of the names in `formula`, and of those that this speaks of: that they hold if what they stand
    /// for does. A formula asks for its names to hold, so that the other direction would add nothing; and solvers
    /// would replace names by what is equal to them.
    pub(super) fn definitions(&self, formula: Term) -> Vec<Term> {
        let mut found = VarSet::new();
        let mut definitions = Vec::new();
        let mut pending = vec![formula];
        while let Some(term) = pending.pop() {
            for name in term.vars() {
                if let Some(body) = self.definitions.get(name)
                    && found.insert(*name)
                {
                    definitions.push(body.implies(Term::var(*name)));
                    pending.push(*body);
                }
            }
        }
        definitions
    }

    /// What must hold at a location; without recursion, as there may be many between cut points.
    fn loc(&mut self, root: Loc) -> Term {
        let mut open = vec![root];
        while let Some(loc) = open.last().copied() {
            let missing = |edge: &EdgeId| {
                let target = self.graph.cfa.edge(*edge).target;
                let is_missing = self.is_missing(target) && !self.graph.is_retreating(*edge);
                is_missing.then_some(target)
            };
            if !self.is_missing(loc) {
                open.pop();
            } else if let Some(target) = self.graph.outgoing(loc).iter().find_map(missing) {
                open.push(target);
            } else {
                let pre = self.all_edges(loc);
                self.locs.insert(loc, pre);
            }
        }
        self.known(root)
    }

    fn is_missing(&self, loc: Loc) -> bool {
        self.graph.kind(loc) == Kind::Between && !self.locs.contains_key(&loc)
    }

    /// What must hold at a location where that is not missing.
    fn known(&self, loc: Loc) -> Term {
        match self.graph.kind(loc) {
            Kind::Harmless => true.into(),
            Kind::Error => false.into(),
            Kind::Cut => match self.graph.hinted(loc, self.hints).next() {
                Some(_) => Term::or(self.graph.hinted(loc, self.hints)),
                None => self.graph.cover(loc),
            },
            Kind::Between => self.locs[&loc],
        }
    }

    /// The preconditions of the edges of a location whose targets are known.
    fn all_edges(&mut self, loc: Loc) -> Term {
        let mut conjuncts = Vec::new();
        for id in self.graph.outgoing(loc) {
            let edge = self.graph.cfa.edge(*id);
            let post = match self.graph.is_retreating(*id) {
                true => false.into(),
                false => self.known(edge.target),
            };
            conjuncts.push(self.stmt(&edge.stmt, post));
        }
        self.named(merged(conjuncts))
    }

    /// What must hold before a statement so that `post` holds after it.
    fn stmt(&mut self, stmt: &Stmt, post: Term) -> Term {
        match stmt {
            Stmt::Assume(condition) => Term::or([condition.not(), post]),
            Stmt::Assign(assignments) => {
                let values: FxHashMap<Var, Term> = assignments.iter().copied().collect();
                post.map_vars(&|var| values.get(&var).copied())
            }
            Stmt::Havoc(vars) => {
                let vars = vars.iter().copied().collect();
                self.renamed(without_openings(post, &vars), &vars).0
            }
            Stmt::Seq(parts) => parts.iter().rev().fold(post, |post, part| {
                let post = self.named(post);
                self.stmt(part, post)
            }),
            Stmt::Choice(parts) => {
                let post = self.named(post);
                merged(parts.iter().map(|part| self.stmt(part, post)).collect())
            }
            Stmt::Relation { formula, written } => {
                let (post, fresh) = self.renamed(post, written);
                let relation =
                    formula.map_vars(&|var| (var.version() == 1).then(|| var.at(fresh).into()));
                Term::or([relation.not(), post])
            }
        }
    }

    /// The formula with fresh variables for `vars`, and their number.
    fn renamed(&mut self, formula: Term, vars: &VarSet) -> (Term, u32) {
        let fresh = self.fresh();
        let renamed = formula.map_vars(&|var| vars.contains(&var).then(|| var.at(fresh).into()));
        (renamed, fresh)
    }

    /// A formula that says the same and is cheap to substitute in.
    fn named(&mut self, formula: Term) -> Term {
        if formula.size() as usize <= LARGE {
            return formula;
        }
        let vars: VarSet = formula.vars().iter().filter(|v| v.version() == 0).copied().collect();
        // Naming would hardly make this smaller.
        if (formula.size() as usize) < 8 * vars.len() {
            return formula;
        }
        let (body, fresh) = self.renamed(formula, &vars);
        let name = Var::new("wp", Sort::Bool).at(self.fresh());
        self.definitions.insert(name, body);
        let differs = |var: &Var| Term::var(*var).equals(var.at(fresh).into()).not();
        Term::or(vars.iter().map(differs).chain([name.into()]))
    }

    fn fresh(&mut self) -> u32 {
        self.next_fresh += 1;
        self.next_fresh - 1
    }
}

/// The formula without disjuncts that are about nothing but some of `vars`, which no other disjunct mentions, and false for
/// some values of these. If it holds for all values of `vars`, it does so without them. They are left by assumptions such
/// as the range of a variable that is never used, and would hide that branches make no difference.
fn without_openings(formula: Term, vars: &VarSet) -> Term {
    let disjuncts = formula.disjuncts();
    let mut mentions: FxHashMap<Var, usize> = FxHashMap::default();
    for var in disjuncts.iter().flat_map(|disjunct| disjunct.vars()).filter(|v| vars.contains(v)) {
        *mentions.entry(*var).or_default() += 1;
    }
    let is_opening = |disjunct: &Term| {
        let defaults = disjunct.vars().iter().map(|var| (*var, Value::default_of(var.sort())));
        disjunct.vars().iter().all(|var| mentions.get(var) == Some(&1))
            && disjunct.holds(&defaults.collect::<Valuation>()) == Some(false)
    };
    match mentions.is_empty() {
        true => formula,
        false => Term::or(disjuncts.into_iter().filter(|disjunct| !is_opening(disjunct))),
    }
}

/// The conjunction. Of two conjuncts `c ∨ Q` and `¬c ∨ Q`, `Q` is left: where a branch makes no difference, its condition
/// does not, either.
fn merged(conjuncts: Vec<Term>) -> Term {
    let [one, other] = conjuncts[..] else { return Term::and(conjuncts) };
    let [in_one, in_other] = [one, other].map(|term| FxHashSet::from_iter(term.disjuncts()));
    let only_one = Term::or(one.disjuncts().into_iter().filter(|term| !in_other.contains(term)));
    let only_other = Term::or(other.disjuncts().into_iter().filter(|term| !in_one.contains(term)));
    match only_one == only_other.not() {
        true => Term::or(one.disjuncts().into_iter().filter(|term| in_other.contains(term))),
        false => Term::and(conjuncts),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn int(name: &str) -> (Var, Term) {
        let var = Var::new(name, Sort::Int);
        (var, var.into())
    }

    #[test]
    fn a_branch_that_makes_no_difference_goes() {
        let ((_, x), (_, y)) = (int("x"), int("y"));
        let (condition, after) = (x.less(y), x.equals(Term::int(3)));
        let both = |one: Term, other: Term| {
            merged(vec![Term::or([condition.not(), one]), Term::or([condition, other])])
        };
        assert_eq!(both(after, after), after);
        assert_eq!(both(false.into(), false.into()), false.into());
        let different = both(after, y.equals(x));
        assert_eq!(different.conjuncts().len(), 2);
        // The same condition twice is no choice.
        assert_eq!(merged(vec![condition, condition]), condition);
        let compound = Term::and([condition, after]);
        let parts = [compound.not(), compound].map(|part| Term::or([part, y.equals(x)]));
        assert_eq!(merged(parts.to_vec()), y.equals(x));
    }

    #[test]
    fn what_any_value_decides_goes() {
        let ((f, free), (_, x)) = (int("f"), int("x"));
        let vars = VarSet::from([f]);
        let (in_range, after) = (Term::int(-5).at_most(free), x.equals(Term::int(3)));
        let opened = Term::or([in_range.not(), after]);
        assert_eq!(without_openings(opened, &vars), after);
        // It may be out of range always, it is not open, or something else depends on it.
        let never = Term::or([free.less(free.plus(Term::int(1))), after]);
        assert_eq!(without_openings(never, &vars), never);
        assert_eq!(without_openings(opened, &VarSet::new()), opened);
        let related = Term::or([in_range.not(), x.equals(free)]);
        assert_eq!(without_openings(related, &vars), related);
    }
}
