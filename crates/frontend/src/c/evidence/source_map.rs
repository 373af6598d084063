//! What connects the automaton of a C program to its text.

use lapidary_expr::Var;
use lapidary_model::{EdgeId, Loc};
use rustc_hash::FxHashSet;

use crate::c::checks::Check;
use crate::c::evidence::loops::Loop;
use crate::c::evidence::names::Names;
use crate::c::lower::arith::Arith;
use crate::c::types::DataModel;

/// What connects the automaton of a C program to its text.
#[derive(Clone, Debug, Default)]
pub struct SourceMap {
    /// For each edge the function whose text it is, as a number in `functions`, and where that text starts, in bytes.
    pub edges: Vec<(u32, usize)>,
    /// The calls of `__VERIFIER_nondet_…`, by edge and in the order of the calls on it.
    pub nondets: Vec<Nondet>,
    /// The variables that come to life without a value, by edge.
    pub unset: Vec<(EdgeId, Var)>,
    /// The functions that are defined.
    pub functions: Vec<String>,
    /// Where the definitions of functions start, in bytes and in this order, with their numbers in `functions`.
    pub definitions: Vec<(usize, u32)>,
    /// The functions that are only declared, with the types of their results; only those that are numbers or nothing.
    pub undefined: Vec<(String, String)>,
    /// The function that is called first.
    pub entry: String,
    /// The functions whose call is the error.
    pub errors: Vec<String>,
    /// Whether a failed assertion is the error.
    pub asserts: bool,
    /// What is checked.
    pub checks: Vec<Check>,
    /// How numbers are written.
    pub arith: Arith,
    /// The sizes of the types.
    pub model: DataModel,
    /// The variables of the automaton with the C types of their values.
    pub variables: Vec<(Var, String)>,
    /// The names of variables and addresses.
    pub names: Names,
    /// The loops, in the order of the text.
    pub loops: Vec<Loop>,
    /// What the verdict rests on, for people.
    pub notes: Vec<String>,
    /// Whether there is anything that can be the error.
    pub has_property: bool,
    /// What the program assumes, in the order of the text.
    pub assumptions: Vec<Assumption>,
    /// How many procedures are further copies of a function, for calls that are told apart.
    pub n_told_apart: usize,
    /// Where `main` ends, if that can be reached.
    pub end: Option<Loc>,
}

/// A place in the text where something is assumed.
#[derive(Clone, Debug)]
pub struct Assumption {
    /// Where it is, as text.
    pub name: String,
    /// The locations behind it, one for each copy; those that no path leads to are left out.
    pub after: Vec<Loc>,
    /// The locations of executions that do not pass it, which end there.
    pub stopped: Vec<Loc>,
}

/// A call of a function that returns any value.
#[derive(Clone, Debug)]
pub struct Nondet {
    /// The edge with the call.
    pub edge: EdgeId,
    /// The name of the function.
    pub callee: String,
    /// The C type of the value.
    pub ty: String,
    /// The variable that holds the value after its `havoc` on the edge; none if nothing depends on it.
    pub var: Option<Var>,
    /// Where the closing parenthesis of the call is, in bytes.
    pub close: usize,
}

impl SourceMap {
    /// The variables whose bits are floating numbers, by themselves or as the elements of an array.
    pub fn floats(&self) -> FxHashSet<Var> {
        let is_float = |ty: &str| matches!(ty.split('[').next(), Some("float" | "double"));
        let floats = self.variables.iter().filter(|(_, ty)| is_float(ty));
        floats.map(|(var, _)| *var).collect()
    }

    /// The function whose text has this offset. The edge with a call may belong to another function: arguments are
    /// computed on an edge of the function that is called.
    pub fn function_at(&self, offset: usize) -> &str {
        let next = self.definitions.partition_point(|(start, _)| *start <= offset);
        let definition = next.checked_sub(1).map(|last| self.definitions[last].1);
        definition.map_or("", |number| &self.functions[number as usize])
    }
}
