//! Statements: the operations `op` of the papers, and what they compose to.

use std::fmt;

use lapidary_expr::{Term, Value, Var, VarSet};

/// An operation on the variables of an automaton.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Stmt {
    /// `[ψ]`: goes on only where the condition holds.
    Assume(Term),
    /// `v := φ`, for several variables at once: all right sides speak of the values before. No variable
    /// occurs twice on the left.
    Assign(Vec<(Var, Term)>),
    /// Gives the variables any values of their sorts.
    Havoc(Vec<Var>),
    /// One after the other; empty = skip.
    Seq(Vec<Stmt>),
    /// Any one of these; empty = no way through.
    Choice(Vec<Stmt>),
    /// Changes the `written` variables so that the formula over `x` and `x'` holds; `x'` of a variable that
    /// is not written does not occur.
    Relation {
        /// The formula over variables and primed variables.
        formula: Term,
        /// The variables that may change.
        written: VarSet,
    },
}

impl Stmt {
    /// Does nothing.
    pub fn skip() -> Stmt {
        Stmt::Seq(Vec::new())
    }

    /// Whether this is a statement without effect, in its simplest form.
    pub fn is_skip(&self) -> bool {
        matches!(self, Stmt::Seq(parts) if parts.is_empty())
    }

    /// Assigns to one variable.
    pub fn assign(var: Var, term: Term) -> Stmt {
        Stmt::Assign(vec![(var, term)])
    }

    /// The statements one after the other, nested sequences flattened.
    pub fn seq(parts: impl IntoIterator<Item = Stmt>) -> Stmt {
        let mut flat = Vec::new();
        for part in parts {
            match part {
                Stmt::Seq(inner) => flat.extend(inner),
                other => flat.push(other),
            }
        }
        match flat.len() {
            1 => flat.swap_remove(0),
            _ => Stmt::Seq(flat),
        }
    }

    /// The variables that may be written.
    pub fn written(&self) -> VarSet {
        let mut vars = VarSet::new();
        self.collect_written(&mut vars);
        vars
    }

    fn collect_written(&self, vars: &mut VarSet) {
        match self {
            Stmt::Assume(_) => {}
            Stmt::Assign(assignments) => vars.extend(assignments.iter().map(|(var, _)| *var)),
            Stmt::Havoc(havocked) => vars.extend(havocked),
            Stmt::Relation { written, .. } => vars.extend(written),
            Stmt::Seq(parts) | Stmt::Choice(parts) => {
                parts.iter().for_each(|part| part.collect_written(vars));
            }
        }
    }

    /// The variables whose value before the statement may matter to it.
    pub fn read(&self) -> VarSet {
        let mut vars = VarSet::new();
        self.for_each_term(&mut |term| {
            vars.extend(term.vars().iter().filter(|var| var.version() == 0));
        });
        vars
    }

    /// The statement with other variables, those for which `rename` has one.
    #[must_use]
    pub fn map_vars(&self, rename: &dyn Fn(Var) -> Option<Var>) -> Stmt {
        let var = |var: &Var| rename(*var).unwrap_or(*var);
        let in_term = |term: &Term| {
            term.map_vars(&|var| {
                let renamed = rename(var.base())?;
                Some(if var.version() == 0 { renamed } else { renamed.primed() }.into())
            })
        };
        let parts = |parts: &[Stmt]| parts.iter().map(|part| part.map_vars(rename)).collect();
        match self {
            Stmt::Assume(term) => Stmt::Assume(in_term(term)),
            Stmt::Assign(assignments) => Stmt::Assign(
                assignments.iter().map(|(to, term)| (var(to), in_term(term))).collect(),
            ),
            Stmt::Havoc(vars) => Stmt::Havoc(vars.iter().map(var).collect()),
            Stmt::Seq(all) => Stmt::Seq(parts(all)),
            Stmt::Choice(all) => Stmt::Choice(parts(all)),
            Stmt::Relation { formula, written } => Stmt::Relation {
                formula: in_term(formula),
                written: written.iter().map(var).collect(),
            },
        }
    }

    /// Visits every term in the statement.
    pub fn for_each_term(&self, visit: &mut dyn FnMut(Term)) {
        match self {
            Stmt::Assume(term) | Stmt::Relation { formula: term, .. } => visit(*term),
            Stmt::Assign(assignments) => assignments.iter().for_each(|(_, term)| visit(*term)),
            Stmt::Havoc(_) => {}
            Stmt::Seq(parts) | Stmt::Choice(parts) => {
                parts.iter().for_each(|part| part.for_each_term(visit));
            }
        }
    }
}

impl fmt::Display for Stmt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Stmt::Assume(term) => write!(f, "[{term}]"),
            Stmt::Assign(assignments) => {
                write_list(f, assignments, ", ", |f, (var, term)| write!(f, "{var} := {term}"))
            }
            Stmt::Havoc(vars) => {
                f.write_str("havoc ")?;
                write_list(f, vars, ", ", |f, var| write!(f, "{var}"))
            }
            Stmt::Seq(parts) if parts.is_empty() => f.write_str("skip"),
            Stmt::Seq(parts) => write_list(f, parts, "; ", |f, part| write!(f, "{part}")),
            Stmt::Choice(parts) => {
                f.write_str("(")?;
                write_list(f, parts, " | ", |f, part| write!(f, "{part}"))?;
                f.write_str(")")
            }
            Stmt::Relation { formula, .. } => write!(f, "{{{formula}}}"),
        }
    }
}

fn write_list<T>(
    f: &mut fmt::Formatter<'_>,
    items: &[T],
    separator: &str,
    mut write: impl FnMut(&mut fmt::Formatter<'_>, &T) -> fmt::Result,
) -> fmt::Result {
    for (i, item) in items.iter().enumerate() {
        if i > 0 {
            f.write_str(separator)?;
        }
        write(f, item)?;
    }
    Ok(())
}

/// A decision that a statement leaves open.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Decision {
    /// The value that a `havoc` or a relation gives to its next variable.
    Value(Value),
    /// Which branch of a choice is taken.
    Branch(usize),
}
