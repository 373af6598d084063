//! What the engine's thread does: read, verify, draw. Z3 belongs to the thread that uses it first.

use std::fs::File;
use std::io::{self, Read};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use lapidary_cegar::validate::{Rejection, validate_proof};
use lapidary_cegar::{Unknown, Verdict, verify_reduced, verify_with_judge};
use lapidary_frontend::{Input, Task};
use lapidary_model::cfa_to_dot;
use lapidary_model::sts::Reduction;
use lapidary_solver::limits::{Limits, Watch, attempt};
use lapidary_solver::wrap::{Assisted, Counted, Counts, Recorded};
use lapidary_solver::z3::Z3;
use lapidary_solver::{Backend, Stop, smtlib};

use crate::args::Args;
use crate::clock::Stopwatch;
use crate::failure::{Failure, take_panic};
use crate::observe::{Steps, Watcher};
use crate::outcome::{Finding, Property, Size, Snapshot};
use crate::output::{create, fill, reason};

/// Larger inputs are taken for a mistake.
const LARGEST: u64 = 1 << 30;

/// Reads and verifies the input: what decides the verdict, and what was found about each property.
pub(crate) fn work(
    args: &Args,
    clock: Stopwatch,
    limits: &Limits,
    snapshot: &Mutex<Snapshot>,
) -> Result<(Finding, Vec<Property>), Failure> {
    let bytes = read(&args.file)?;
    let input = lapidary_frontend::read(&args.file.to_string_lossy(), &bytes)
        .map_err(|error| Failure::Input(error.to_string()))?;
    drop(bytes);
    let names: Vec<String> = input.properties().into_iter().map(str::to_owned).collect();
    if args.witness.is_some() && names.is_empty() {
        return Err(Failure::Usage("`--witness` is for transition systems and circuits".into()));
    }
    let files = Files::new(args)?;
    let mut decisive: Option<(usize, Finding)> = None;
    let mut properties = Vec::new();
    for property in chosen(args, &names)? {
        let run = Run { args, clock, limits, snapshot, input: &input, property };
        let finding = run.verify(&files)?;
        if let Some(name) = names.get(property) {
            let (name, verdict, reason) = (name.clone(), finding.verdict(), finding.reason());
            properties.push(Property { name, verdict, reason });
        }
        let is_decisive =
            decisive.as_ref().is_none_or(|(_, known)| weight(&finding) > weight(known));
        if is_decisive {
            decisive = Some((property, finding));
        }
    }
    let Some((property, finding)) = decisive else {
        return Err(Failure::Input("error: there is no property to verify".into()));
    };
    files.write_witness(&input, property, &finding, limits)?;
    Ok((finding, properties))
}

/// A counterexample to any property decides, and otherwise what is not known.
fn weight(finding: &Finding) -> u8 {
    match finding {
        Finding::Unsafe { .. } => 2,
        Finding::Unknown(_) => 1,
        Finding::Safe { .. } => 0,
    }
}

/// The numbers of the properties to verify.
fn chosen(args: &Args, names: &[String]) -> Result<Vec<usize>, Failure> {
    let Some(wanted) = &args.property else { return Ok((0..names.len().max(1)).collect()) };
    let by_name = names.iter().position(|name| name == wanted);
    let by_number = wanted.parse().ok().filter(|number: &usize| *number < names.len());
    match by_name.or(by_number) {
        Some(property) => Ok(vec![property]),
        None if names.is_empty() => {
            Err(Failure::Usage("an automaton has no properties to choose from".into()))
        }
        None => Err(Failure::Usage(format!(
            "there is no property `{wanted}`; there are {}, from 0 (`{}`)",
            names.len(),
            names[0]
        ))),
    }
}

/// The verification of one property.
struct Run<'a> {
    args: &'a Args,
    clock: Stopwatch,
    limits: &'a Limits,
    snapshot: &'a Mutex<Snapshot>,
    input: &'a Input,
    property: usize,
}

impl Run<'_> {
    fn verify(&self, files: &Files) -> Result<Finding, Failure> {
        let Run { args, clock, limits, snapshot, input, property } = *self;
        let task = input.task(property).map_err(|error| Failure::Input(error.to_string()))?;
        files.draw(&task)?;
        let size = Size::of(&task.cfa);
        snapshot.lock().unwrap_or_else(PoisonError::into_inner).size = Some(size);

        let counts = Counts::default();
        let steps = Steps::new(args.verbosity, clock);
        steps.tell(&format!("{}: {size}", args.file.display()));
        let reduction = input.reduced(property, &task.cfa);
        if let Some(reduction) = &reduction {
            steps.tell(&format!("reduced: {}", Size::of(&reduction.cfa)));
        }
        steps.tell(&format!("configuration: {}", args.config));
        let mut watcher = Watcher::new(snapshot, &counts, steps).with_graph(args.arg.is_some());
        let question = Question { args, task: &task, reduction: reduction.as_ref() };
        let verdict = guarded(limits, |watch| question.decide(watch, &counts, &mut watcher));
        watcher.count();
        if let (Some((path, file)), Some(graph)) = (&files.graph, watcher.into_graph()) {
            fill(file, path, &graph)?;
        }
        finding(task, verdict)
    }
}

/// The files to write, made before the work starts.
struct Files {
    graph: Option<(PathBuf, File)>,
    automaton: Option<(PathBuf, File)>,
    witness: Option<(PathBuf, File)>,
}

impl Files {
    fn new(args: &Args) -> Result<Files, Failure> {
        let make = |path: &Option<PathBuf>| match path {
            Some(path) => Ok(Some((path.clone(), create(path, &args.file)?))),
            None => Ok(None),
        };
        Ok(Files {
            graph: make(&args.arg)?,
            automaton: make(&args.cfa)?,
            witness: make(&args.witness)?,
        })
    }

    fn draw(&self, task: &Task) -> Result<(), Failure> {
        match &self.automaton {
            Some((path, file)) => fill(file, path, &cfa_to_dot(&task.cfa)),
            None => Ok(()),
        }
    }

    /// Writes the evidence in the format of the input. A witness has been simulated; a certificate is read again and
    /// its invariant is validated.
    fn write_witness(
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

fn read(path: &Path) -> Result<Vec<u8>, Failure> {
    let problem = |problem: &str| {
        Failure::Input(format!("error: cannot read `{}`: {problem}", path.display()))
    };
    let failed = |error: io::Error| problem(&reason(&error));
    let mut file = File::open(path).map_err(failed)?;
    let metadata = file.metadata().map_err(failed)?;
    if metadata.is_dir() {
        return Err(problem("it is a directory"));
    }
    // Devices do not tell how much they have.
    let mut bytes = Vec::new();
    if metadata.len() <= LARGEST {
        (&mut file).take(LARGEST + 1).read_to_end(&mut bytes).map_err(failed)?;
    }
    if metadata.len().max(bytes.len() as u64) > LARGEST {
        return Err(problem("it is larger than 1 GiB"));
    }
    readable(bytes).map_err(problem)
}

/// The bytes, if they are text or a circuit.
fn readable(bytes: Vec<u8>) -> Result<Vec<u8>, &'static str> {
    match bytes {
        bytes if bytes.trim_ascii().is_empty() => Err("it is empty"),
        bytes if bytes.starts_with(b"aig ") => Ok(bytes),
        bytes if bytes.contains(&0) => Err("it is a binary file"),
        bytes if std::str::from_utf8(&bytes).is_err() => Err("it is not UTF-8 text"),
        bytes => Ok(bytes),
    }
}

/// What the engine is asked.
struct Question<'a> {
    args: &'a Args,
    task: &'a Task,
    reduction: Option<&'a Reduction>,
}

impl Question<'_> {
    fn decide(&self, watch: &Watch, counts: &Counts, watcher: &mut Watcher<'_>) -> Verdict {
        // The judge has translations of its own, so that not even these are shared with the search.
        let backends = backend(self.args, watch).and_then(|backend| Ok((backend, Z3::new(watch)?)));
        let (search, judge) = match backends {
            Ok((search, judge)) => (Counted::new(search, counts), Counted::new(judge, counts)),
            Err(stop) => return Verdict::Unknown(stop.into()),
        };
        let (cfa, config) = (&self.task.cfa, &self.args.config);
        let verdict = match self.reduction {
            Some(reduction) => {
                verify_reduced(cfa, &reduction.cfa, reduction, config, &search, &judge, watcher)
            }
            None => verify_with_judge(cfa, config, &search, &judge, watcher),
        };
        blamed(self.args, verdict)
    }
}

/// Evidence that is not valid is our bug, unless a solver searched that may have lied about what is
/// unsatisfiable.
fn blamed(args: &Args, verdict: Verdict) -> Verdict {
    match (&args.solver, verdict) {
        (Some(command), Verdict::Unknown(Unknown::Internal(why))) => {
            let problem = format!("the answers of `{command}` led to wrong evidence: {why}");
            Verdict::Unknown(Unknown::Stop(Stop::Solver(problem)))
        }
        (_, verdict) => verdict,
    }
}

/// The solver that was asked for, recorded if that was asked for.
fn backend(args: &Args, watch: &Watch) -> Result<Box<dyn Backend>, Stop> {
    let z3 = Z3::new(watch)?;
    let backend: Box<dyn Backend> = match &args.solver {
        None => Box::new(z3),
        Some(command) => Box::new(Assisted::new(smtlib::checked(command, watch)?, z3)),
    };
    let Some(folder) = &args.record else { return Ok(backend) };
    match Recorded::new(backend, folder) {
        Ok(recorded) => Ok(Box::new(recorded)),
        Err(error) => {
            let problem = format!("cannot record in `{}`: {}", folder.display(), reason(&error));
            Err(Stop::Solver(problem))
        }
    }
}

/// Does `work` within the limits. A panic is an internal error. What fails after a limit was reached fails
/// because of it: a solver that is interrupted, or has no memory left, complains in many ways.
fn guarded(limits: &Limits, work: impl FnOnce(&Watch) -> Verdict) -> Verdict {
    let work = |watch: &Watch| match work(watch) {
        Verdict::Unknown(Unknown::Stop(stop)) => watch.check().and(Err(stop)),
        verdict => Ok(verdict),
    };
    match catch_unwind(AssertUnwindSafe(|| attempt(limits, work))) {
        Ok(Ok(verdict)) => verdict,
        Ok(Err(stop)) => Verdict::Unknown(stop.into()),
        Err(_) => Verdict::Unknown(Unknown::Internal(take_panic())),
    }
}

fn finding(task: Task, verdict: Verdict) -> Result<Finding, Failure> {
    Ok(match verdict {
        Verdict::Safe(proof) => Finding::Safe { task, proof },
        Verdict::Unsafe(execution) => {
            let states = execution
                .replay(&task.cfa)
                .map_err(|error| Failure::Internal(error.to_string()))?;
            Finding::Unsafe { task, execution, states }
        }
        Verdict::Unknown(unknown) => Finding::Unknown(unknown),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_is_an_internal_error() {
        crate::failure::remember_panics();
        let verdict = guarded(&Limits::default(), |_| panic!("lost\nmy way"));
        let _ = std::panic::take_hook(); // other tests tell their panics
        let Verdict::Unknown(unknown) = verdict else { panic!("{verdict:?}") };
        let message = unknown.to_string();
        assert!(
            message.starts_with("internal error: lost my way (crates/cli/src/worker.rs:"),
            "{message}"
        );
    }
}
