//! The files that a run writes: drawings, precisions, evidence, witnesses.

use std::path::PathBuf;

use lapidary_frontend::c::harness;
use lapidary_frontend::{Input, Task};
use lapidary_model::cfa_to_dot;
use lapidary_model::text::{write_execution, write_proof};
use lapidary_solver::Backend;
use lapidary_solver::limits::{Limits, attempt};
use lapidary_solver::z3::Z3;
use lapidary_validate::{Rejection, validate_proof};

use crate::args::Args;
use crate::failure::Failure;
use crate::target::{Target, check_folder};
use crate::witness::witness;
use lapidary::outcome::Finding;

/// The files to write. That they can be written is checked before the work starts.
pub(crate) struct Files {
    graph: Option<Target>,
    precision: Option<Target>,
    automaton: Option<Target>,
    witness: Option<Target>,
    evidence: Option<Target>,
    harness: Option<Target>,
}

impl Files {
    pub(crate) fn new(args: &Args) -> Result<Files, Failure> {
        let target = |path: &Option<PathBuf>| {
            path.as_ref().map(|path| Target::new(path, &args.source.file)).transpose()
        };
        if let Some(folder) = &args.record {
            check_folder(folder)?;
        }
        Ok(Files {
            graph: target(&args.arg)?,
            precision: target(&args.save_precision)?,
            automaton: target(&args.cfa)?,
            witness: target(&args.witness)?,
            evidence: target(&args.evidence)?,
            harness: target(&args.harness)?,
        })
    }

    pub(crate) fn draw(&self, task: &Task) -> Result<(), Failure> {
        match &self.automaton {
            Some(target) => target.write(&cfa_to_dot(task.cfa())),
            None => Ok(()),
        }
    }

    /// Writes the graph and the precision at the end of a run about one property.
    pub(crate) fn write_learned(
        &self,
        graph: Option<&str>,
        precision: Option<&str>,
    ) -> Result<(), Failure> {
        let texts = [(&self.graph, graph), (&self.precision, precision)];
        let write = |(target, text): (&Option<Target>, Option<&str>)| match (target, text) {
            (Some(target), Some(text)) => target.write(text),
            _ => Ok(()),
        };
        // A file that cannot be written keeps none of the others from being written.
        texts.map(write).into_iter().collect()
    }

    /// Writes the evidence about one property as text.
    pub(crate) fn write_evidence(
        &self,
        property: Option<&str>,
        finding: &Finding,
    ) -> Result<(), Failure> {
        let Some(target) = &self.evidence else { return Ok(()) };
        let mut text = String::new();
        // Writing to a string does not fail.
        let _ = match finding {
            Finding::Unknown(_) | Finding::Outside { .. } => return Ok(()),
            Finding::Safe { task, proof } => write_proof(&mut text, property, task.cfa(), proof),
            Finding::Unsafe { task, execution, .. } => {
                write_execution(&mut text, property, task.cfa(), execution)
            }
        };
        target.write(&text)
    }

    /// Writes the values of an execution of a C program as a C file.
    pub(crate) fn write_harness(&self, finding: &Finding) -> Result<(), Failure> {
        let Some(target) = &self.harness else { return Ok(()) };
        let Finding::Unsafe { task, execution, .. } = finding else { return Ok(()) };
        match harness(task, execution) {
            Some(text) => target.write(&text),
            None => Err(Failure::Output("no harness: the execution has no C values".into())),
        }
    }

    /// Writes the evidence about a C program in the competition's format.
    pub(crate) fn write_c_witness(
        &self,
        finding: &Finding,
        hash: &str,
        configuration: &str,
    ) -> Result<(), Failure> {
        let Some(target) = &self.witness else { return Ok(()) };
        match witness(finding, hash, configuration) {
            Some(text) => target.write(&text),
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
        let Some(target) = &self.witness else { return Ok(()) };
        match finding {
            Finding::Unknown(_) | Finding::Outside { .. } => Ok(()),
            Finding::Unsafe { task, execution, .. } => {
                let witness = input.witness(property, &task.model, execution);
                let text =
                    witness.map_err(|problem| Failure::Output(format!("no witness: {problem}")))?;
                target.write(&text)
            }
            Finding::Safe { task, proof } => {
                let certificate = input.certificate(property, &task.model, proof);
                if let Some((system, proof)) = &certificate.check {
                    let checked = attempt(limits, |watch| {
                        Ok(validate_proof(system.cfa(), proof, &mut *Z3::new(watch)?.solver()))
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
                target.write(&certificate.text)
            }
        }
    }
}
