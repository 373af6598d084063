//! Control flow automata (first paper, Definition 1).

use std::fmt;

use lapidary_expr::{Sort, Var, VarSet};
use rustc_hash::FxHashSet;

use crate::stmt::Stmt;

/// A location of an automaton.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Loc(pub u32);

/// An edge of an automaton.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EdgeId(pub u32);

/// A place in the source text, counted from one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Position {
    /// The line.
    pub line: u32,
    /// The column, in characters.
    pub column: u32,
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.line, self.column)
    }
}

/// A directed edge with its operation.
#[derive(Clone, Debug)]
pub struct Edge {
    /// Where it starts.
    pub source: Loc,
    /// What it does.
    pub stmt: Stmt,
    /// Where it leads.
    pub target: Loc,
    /// Where it stands in the source.
    pub position: Option<Position>,
}

#[derive(Clone, Debug)]
struct LocData {
    name: String,
    outgoing: Vec<EdgeId>,
    incoming: Vec<EdgeId>,
}

/// A control flow automaton with its error location: a verification task. Every valuation of the variables
/// is initial; the task is safe if no execution from the entry reaches the error location.
///
/// An automaton is well-formed by construction: statements mention declared variables only.
#[derive(Clone, Debug)]
pub struct Cfa {
    name: String,
    vars: Vec<Var>,
    locs: Vec<LocData>,
    edges: Vec<Edge>,
    entry: Loc,
    error: Option<Loc>,
    has_written_checks: bool,
}

impl Cfa {
    /// The name of the automaton.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The variables, in the order of their declaration.
    pub fn vars(&self) -> &[Var] {
        &self.vars
    }

    /// Whether a front end has written out wrap-around and checks, many of which are not needed. What people write
    /// is left as it is.
    pub fn has_written_checks(&self) -> bool {
        self.has_written_checks
    }

    /// Where executions start.
    pub fn entry(&self) -> Loc {
        self.entry
    }

    /// What must not be reached; without it every automaton is safe.
    pub fn error(&self) -> Option<Loc> {
        self.error
    }

    /// All locations.
    pub fn locs(&self) -> impl Iterator<Item = Loc> + use<> {
        (0..self.locs.len() as u32).map(Loc)
    }

    /// The number of locations.
    pub fn n_locs(&self) -> usize {
        self.locs.len()
    }

    /// Whether this is a transition system: no more than one location besides the entry and the error, so that every
    /// step begins and ends there and is an edge.
    pub fn is_system(&self) -> bool {
        let inner = self.locs().filter(|loc| *loc != self.entry && Some(*loc) != self.error);
        inner.count() <= 1
    }

    /// The name of a location.
    pub fn loc_name(&self, loc: Loc) -> &str {
        &self.locs[loc.0 as usize].name
    }

    /// All edges.
    pub fn edges(&self) -> impl Iterator<Item = (EdgeId, &Edge)> {
        self.edges.iter().enumerate().map(|(i, edge)| (EdgeId(i as u32), edge))
    }

    /// The number of edges.
    pub fn n_edges(&self) -> usize {
        self.edges.len()
    }

    /// An edge.
    pub fn edge(&self, edge: EdgeId) -> &Edge {
        &self.edges[edge.0 as usize]
    }

    /// The edges that start at `loc`.
    pub fn outgoing(&self, loc: Loc) -> &[EdgeId] {
        &self.locs[loc.0 as usize].outgoing
    }

    /// The edges that lead to `loc`.
    pub fn incoming(&self, loc: Loc) -> &[EdgeId] {
        &self.locs[loc.0 as usize].incoming
    }

    /// The automaton in which these edges lead to a location of its own where nothing goes on. All edges keep their numbers,
    /// so an execution of it that reaches the error is one of this automaton.
    #[must_use]
    pub fn ending_at(&self, edges: &FxHashSet<EdgeId>) -> Cfa {
        let mut builder = CfaBuilder { cfa: self.clone() };
        let end = builder.loc("END");
        let mut cfa = builder.cfa;
        for loc in &mut cfa.locs {
            loc.incoming.retain(|id| !edges.contains(id));
        }
        for (i, edge) in cfa.edges.iter_mut().enumerate() {
            let id = EdgeId(i as u32);
            if edges.contains(&id) {
                edge.target = end;
                cfa.locs[end.0 as usize].incoming.push(id);
            }
        }
        cfa
    }

    /// For each location the number of edges on the shortest way to the error location, if there is one.
    pub fn distances_to_error(&self) -> Vec<Option<u32>> {
        let mut distance = vec![None; self.n_locs()];
        let mut queue = std::collections::VecDeque::new();
        if let Some(error) = self.error {
            distance[error.0 as usize] = Some(0);
            queue.push_back((error, 0));
        }
        while let Some((loc, d)) = queue.pop_front() {
            for edge in self.incoming(loc) {
                let source = self.edge(*edge).source;
                if distance[source.0 as usize].is_none() {
                    distance[source.0 as usize] = Some(d + 1);
                    queue.push_back((source, d + 1));
                }
            }
        }
        distance
    }
}

/// Makes automata.
#[derive(Clone, Debug)]
pub struct CfaBuilder {
    cfa: Cfa,
}

/// Why something is no automaton.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum InvalidCfa {
    /// A statement mentions a variable that was not declared.
    #[error("the statement `{stmt}` mentions the undeclared variable `{var}`")]
    Undeclared {
        /// The statement.
        stmt: String,
        /// The variable.
        var: Var,
    },
    /// A statement does not follow the rules of its kind.
    #[error("the statement `{stmt}` {problem}")]
    IllFormed {
        /// The statement.
        stmt: String,
        /// What is wrong with it.
        problem: &'static str,
    },
}

impl CfaBuilder {
    /// An automaton with nothing but an entry location.
    pub fn new(name: &str, entry: &str) -> Self {
        let cfa = Cfa {
            name: name.into(),
            vars: Vec::new(),
            locs: Vec::new(),
            edges: Vec::new(),
            entry: Loc(0),
            error: None,
            has_written_checks: false,
        };
        let mut builder = CfaBuilder { cfa };
        builder.loc(entry);
        builder
    }

    /// Says that wrap-around and checks are written out ([`Cfa::has_written_checks`]).
    pub fn written_checks(&mut self, are_there: bool) {
        self.cfa.has_written_checks = are_there;
    }

    /// Declares a variable, if it is not declared yet.
    pub fn var(&mut self, var: Var) {
        if !self.cfa.vars.contains(&var) {
            self.cfa.vars.push(var);
        }
    }

    /// Declares many variables that are known to be different.
    pub fn vars(&mut self, vars: &[Var]) {
        self.cfa.vars.extend(vars);
    }

    /// Adds a location.
    pub fn loc(&mut self, name: &str) -> Loc {
        let loc = Loc(self.cfa.locs.len() as u32);
        self.cfa.locs.push(LocData {
            name: name.into(),
            outgoing: Vec::new(),
            incoming: Vec::new(),
        });
        loc
    }

    /// The entry location.
    pub fn entry(&self) -> Loc {
        self.cfa.entry
    }

    /// Makes `loc` the error location.
    pub fn error(&mut self, loc: Loc) {
        self.cfa.error = Some(loc);
    }

    /// Adds an edge.
    pub fn edge(
        &mut self,
        source: Loc,
        stmt: Stmt,
        target: Loc,
        position: Option<Position>,
    ) -> EdgeId {
        let edge = EdgeId(self.cfa.edges.len() as u32);
        self.cfa.edges.push(Edge { source, stmt, target, position });
        self.cfa.locs[source.0 as usize].outgoing.push(edge);
        self.cfa.locs[target.0 as usize].incoming.push(edge);
        edge
    }

    /// The automaton, if it is well-formed.
    pub fn build(self) -> Result<Cfa, InvalidCfa> {
        let declared: FxHashSet<Var> = self.cfa.vars.iter().copied().collect();
        self.cfa.edges.iter().try_for_each(|edge| check(&edge.stmt, &declared))?;
        Ok(self.cfa)
    }
}

/// Whether a statement over these variables is well-formed.
pub(crate) fn check(stmt: &Stmt, declared: &FxHashSet<Var>) -> Result<(), InvalidCfa> {
    let ill_formed = |problem| Err(InvalidCfa::IllFormed { stmt: stmt.to_string(), problem });
    match stmt {
        Stmt::Assume(term) if term.sort() != Sort::Bool => {
            return ill_formed("assumes something that is no formula");
        }
        Stmt::Assign(assignments) => {
            if assignments.iter().any(|(var, term)| var.sort() != term.sort()) {
                return ill_formed("assigns a value of another sort");
            }
            let targets: VarSet = assignments.iter().map(|(var, _)| *var).collect();
            if targets.len() != assignments.len() {
                return ill_formed("assigns a variable twice at once");
            }
        }
        Stmt::Relation { formula, written } => {
            if formula.sort() != Sort::Bool {
                return ill_formed("relates by something that is no formula");
            }
            if formula.vars().iter().any(|var| var.version() == 1 && !written.contains(&var.base()))
            {
                return ill_formed("primes a variable that it does not write");
            }
        }
        Stmt::Seq(parts) | Stmt::Choice(parts) => {
            return parts.iter().try_for_each(|part| check(part, declared));
        }
        Stmt::Assume(_) | Stmt::Havoc(_) => {}
    }
    let last_version = u32::from(matches!(stmt, Stmt::Relation { .. }));
    let is_state = |var: &Var| declared.contains(var) && var.version() == 0;
    let mut unknown = stmt.written().into_iter().find(|var| !is_state(var));
    stmt.for_each_term(&mut |term| {
        let stray =
            term.vars().iter().find(|var| !is_state(&var.base()) || var.version() > last_version);
        unknown = unknown.or(stray.copied());
    });
    match unknown {
        Some(var) => Err(InvalidCfa::Undeclared { stmt: stmt.to_string(), var }),
        None => Ok(()),
    }
}
