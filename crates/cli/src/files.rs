//! The files that a run writes: drawings, precisions, witnesses.

use std::fs::File;
use std::path::{Path, PathBuf};

use lapidary_cegar::validate::{Rejection, validate_proof};
use lapidary_frontend::c::harness;
use lapidary_frontend::{Input, Task};
use lapidary_model::cfa_to_dot;
use lapidary_solver::Backend;
use lapidary_solver::limits::{Limits, attempt};
use lapidary_solver::z3::Z3;

use crate::args::Args;
use crate::failure::Failure;
use crate::outcome::Finding;
use crate::output::{create, fill, open, refill};
use crate::witness::witness;

/// The files to write, made before the work starts.
pub(crate) struct Files {
    graph: Option<(PathBuf, File)>,
    precision: Option<(PathBuf, File)>,
    automaton: Option<(PathBuf, File)>,
    witness: Option<(PathBuf, File)>,
    harness: Option<(PathBuf, File)>,
}

impl Files {
    pub(crate) fn new(args: &Args) -> Result<Files, Failure> {
        type Open = fn(&Path, &Path) -> Result<File, Failure>;
        let made = |path: &Option<PathBuf>, open: Open| match path {
            Some(path) => Ok(Some((path.clone(), open(path, &args.source.file)?))),
            None => Ok(None),
        };
        let make = |path: &Option<PathBuf>| made(path, create);
        Ok(Files {
            graph: make(&args.arg)?,
            precision: made(&args.save_precision, open)?,
            automaton: make(&args.cfa)?,
            witness: make(&args.witness)?,
            harness: make(&args.harness)?,
        })
    }

    pub(crate) fn draw(&self, task: &Task) -> Result<(), Failure> {
        match &self.automaton {
            Some((path, file)) => fill(file, path, &cfa_to_dot(&task.cfa)),
            None => Ok(()),
        }
    }

    /// Writes the graph and the precision at the end of a run about one property.
    pub(crate) fn write_learned(
        &self,
        graph: Option<&str>,
        precision: Option<&str>,
    ) -> Result<(), Failure> {
        if let (Some((path, file)), Some(text)) = (&self.graph, graph) {
            fill(file, path, text)?;
        }
        if let (Some((path, file)), Some(text)) = (&self.precision, precision) {
            refill(file, path, text)?;
        }
        Ok(())
    }

    /// Writes the values of an execution of a C program as a C file.
    pub(crate) fn write_harness(&self, finding: &Finding) -> Result<(), Failure> {
        let Some((path, file)) = &self.harness else { return Ok(()) };
        let Finding::Unsafe { task, execution, .. } = finding else { return Ok(()) };
        match harness(task, execution) {
            Some(text) => fill(file, path, &text),
            None => Err(Failure::Output("no harness: the execution has no C values".into())),
        }
    }

    /// Writes the evidence about a C program in the competition's format.
    pub(crate) fn write_c_witness(
        &self,
        finding: &Finding,
        configuration: &str,
    ) -> Result<(), Failure> {
        let Some((path, file)) = &self.witness else { return Ok(()) };
        match witness(finding, configuration)? {
            Some(text) => fill(file, path, &text),
            None => Ok(()),
        }
    }

    /// Writes the evidence in the format of the input. A witness has been simulated; a certificate is read again and
    /// its invariant is validated.
    pub(crate) fn write_witness(
        &self,
        input: &Input,
        property: usize,
        finding: &Finding,
        limits: &Limits,
    ) -> Result<(), Failure> {
        let Some((path, file)) = &self.witness else { return Ok(()) };
        match finding {
            Finding::Unknown(_) => Ok(()),
            Finding::Unsafe { task, execution, .. } => {
                let witness = input.witness(property, &task.cfa, execution);
                let text =
                    witness.map_err(|problem| Failure::Output(format!("no witness: {problem}")))?;
                fill(file, path, &text)
            }
            Finding::Safe { task, proof } => {
                let certificate = input.certificate(property, &task.cfa, proof);
                if let Some((cfa, proof)) = &certificate.check {
                    let checked = attempt(limits, |watch| {
                        Ok(validate_proof(cfa, proof, &mut *Z3::new(watch)?.solver()))
                    });
                    match checked {
                        Ok(Ok(_)) => {}
                        Ok(Err(Rejection::Evidence(problem))) => {
                            return Err(Failure::Internal(format!(
                                "the certificate is not valid: {problem}"
                            )));
                        }
                        Ok(Err(Rejection::Stop(stop))) | Err(stop) => {
                            return Err(Failure::Output(format!(
                                "the certificate was not checked: {stop}"
                            )));
                        }
                    }
                }
                fill(file, path, &certificate.text)
            }
        }
    }
}
