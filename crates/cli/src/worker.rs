//! What the engine's thread does: read, verify, draw. Z3 belongs to the thread that uses it first.

use std::fs::File;
use std::io::{self, Read};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use lapidary_cegar::{Unknown, Verdict, verify_with_judge};
use lapidary_frontend::c::{Options, error_function, task_file};
use lapidary_frontend::{Task, load_with};
use lapidary_model::cfa_to_dot;
use lapidary_solver::limits::{Limits, Watch, attempt};
use lapidary_solver::wrap::{Assisted, Counted, Counts, Recorded};
use lapidary_solver::z3::Z3;
use lapidary_solver::{Backend, Stop, smtlib};

use crate::args::Args;
use crate::clock::Stopwatch;
use crate::failure::{Failure, take_panic};
use crate::inspect;
use crate::observe::{Steps, Watcher};
use crate::outcome::{Finding, Size, Snapshot};
use crate::output::{create, fill, reason};

/// Larger inputs are taken for a mistake.
const LARGEST: u64 = 1 << 30;

/// Reads and verifies the input.
pub(crate) fn work(
    args: &Args,
    clock: Stopwatch,
    limits: &Limits,
    snapshot: &Mutex<Snapshot>,
) -> Result<Finding, Failure> {
    let task = task(args)?;
    let graph_file = draw(args, &task)?;
    let size = Size::of(&task.cfa);
    snapshot.lock().unwrap_or_else(PoisonError::into_inner).size = Some(size);

    let counts = Counts::default();
    let steps = Steps::new(args.verbosity, clock);
    steps.tell(&format!("{}: {size}", args.file.display()));
    steps.tell(&format!("configuration: {}", args.config));
    let mut watcher = Watcher::new(snapshot, &counts, steps).with_graph(args.arg.is_some());
    let verdict = guarded(limits, |watch| decide(args, &task, watch, &counts, &mut watcher));
    watcher.count();
    if let (Some(path), Some(file), Some(graph)) = (&args.arg, &graph_file, watcher.into_graph()) {
        fill(file, path, &graph)?;
    }
    finding(task, verdict)
}

/// Reads the input.
fn task(args: &Args) -> Result<Task, Failure> {
    let mut options = args.c.clone();
    let text = read(&args.file)?;
    let (file, text) = match definition(&args.file, &text, &mut options)? {
        Some(file) => (file.clone(), read(&file)?),
        None => (args.file.clone(), text),
    };
    if let Some(property) = &args.property {
        options.error_function = Some(property_of(property)?);
    }
    load_with(&file.to_string_lossy(), &text, &options)
        .map_err(|error| Failure::Input(error.to_string()))
}

/// The program that a task definition names, if the text is one; sets what it says about it.
fn definition(path: &Path, text: &str, options: &mut Options) -> Result<Option<PathBuf>, Failure> {
    let is_definition =
        path.extension().is_some_and(|extension| extension == "yml" || extension == "yaml");
    if !is_definition {
        return Ok(None);
    }
    let problem = |what: &str| Failure::Input(format!("error: `{}` {what}", path.display()));
    let task = task_file(text).ok_or_else(|| problem("is no task definition"))?;
    let [file] = &task.input_files[..] else {
        return Err(problem("names several programs, which is not supported"));
    };
    options.model = task.model.unwrap_or(options.model);
    let beside = |name: &str| path.parent().unwrap_or(Path::new("")).join(name);
    let mut functions =
        task.property_files.iter().filter_map(|name| property_of(&beside(name)).ok());
    options.error_function = functions.next();
    Ok(Some(beside(file)))
}

/// The function that must not be called, as a property file says it.
fn property_of(path: &Path) -> Result<String, Failure> {
    error_function(&read(path)?).map_err(|other| {
        Failure::Input(format!(
            "error: the property of `{}` is not supported: {other}",
            path.display()
        ))
    })
}

/// Reads the input and tells what it is.
pub(crate) fn inspect(args: &Args) -> Result<String, Failure> {
    task(args).map(|task| inspect::summary(&task))
}

fn read(path: &Path) -> Result<String, Failure> {
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
    text(bytes).map_err(problem)
}

fn text(bytes: Vec<u8>) -> Result<String, &'static str> {
    match String::from_utf8(bytes) {
        Ok(text) if text.trim_ascii().is_empty() => Err("it is empty"),
        Ok(text) if text.contains('\0') => Err("it is a binary file"),
        Ok(text) => Ok(text),
        Err(error) if error.as_bytes().contains(&0) => Err("it is a binary file"),
        Err(_) => Err("it is not UTF-8 text"),
    }
}

/// Draws the automaton, and makes the file for the graph.
fn draw(args: &Args, task: &Task) -> Result<Option<File>, Failure> {
    let make = |path| create(path, &args.file);
    if let Some(path) = &args.cfa {
        fill(&make(path)?, path, &cfa_to_dot(&task.cfa))?;
    }
    args.arg.as_deref().map(make).transpose()
}

fn decide(
    args: &Args,
    task: &Task,
    watch: &Watch,
    counts: &Counts,
    watcher: &mut Watcher<'_>,
) -> Verdict {
    // The judge has translations of its own, so that not even these are shared with the search.
    match backend(args, watch).and_then(|backend| Ok((backend, Z3::new(watch)?))) {
        Ok((backend, judge)) => {
            let (search, judge) = (Counted::new(backend, counts), Counted::new(judge, counts));
            let verdict = verify_with_judge(&task.cfa, &args.config, &search, &judge, watcher);
            blamed(args, verdict)
        }
        Err(stop) => Verdict::Unknown(stop.into()),
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
            if let Some((position, what)) =
                task.map.as_ref().and_then(|map| map.doubt(&execution, &task.cfa))
            {
                let position = position.map_or_else(String::new, |at| format!(" at {at}"));
                return Ok(Finding::Unknown(Unknown::Unsupported(format!("{what}{position}"))));
            }
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
