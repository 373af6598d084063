//! tmp
use lapidary_model::{Cfa, Execution, Proof};
use lapidary_solver::Solver;
/// tmp
#[derive(Debug)]
pub enum Rejection { Evidence(String), Stop(lapidary_solver::Stop) }
/// tmp
pub fn validate_execution(cfa: &Cfa, execution: &Execution) -> Result<(), Rejection> { execution.replay(cfa).map(|_| ()).map_err(|e| Rejection::Evidence(e.to_string())) }
/// tmp
pub fn validate_proof(_: &Cfa, _: &Proof, _: &mut dyn Solver) -> Result<(), Rejection> { Ok(()) }
