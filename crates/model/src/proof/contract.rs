//! Evidence that a program with calls is safe.

use lapidary_expr::{Term, Var};

use super::ProofState;
use crate::program::ProcedureId;

/// Why the error location of a program cannot be reached, whatever its calls do.
#[derive(Clone, Debug, PartialEq)]
pub enum ProgramProof {
    /// Every procedure keeps its contract.
    Contracts(Vec<Contract>),
    /// There is one run, but for values that decide nothing, and it ends within so many steps.
    Run {
        /// The number of edges that are taken at most.
        steps: u64,
    },
}

/// What a procedure may rely on and what it sees to. The value that a variable had when the procedure was entered is written
/// as its next version ([`entered`](Contract::entered)).
#[derive(Clone, Debug, PartialEq)]
pub struct Contract {
    /// The procedure.
    pub procedure: ProcedureId,
    /// What holds where it is entered, over parameters and variables that are no locals.
    pub pre: Term,
    /// What holds where it returns, over values at the entry, and at the exit of variables that are no locals.
    pub post: Term,
    /// The variables that may have changed where it returns, locals aside.
    pub writes: Vec<Var>,
    /// What holds inside, over values at the entry and now. The locations are those of the program.
    pub states: Vec<ProofState>,
}

impl Contract {
    /// The value of a variable at the entry.
    pub fn entered(var: Var) -> Var {
        var.primed()
    }
}
