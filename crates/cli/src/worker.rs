//! What the engine's thread does: read, verify, draw. Z3 belongs to the thread that uses it first.

use std::fs::File;
use std::io::{self, Read};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use lapidary_cegar::domain::combined::ExplicitVars;
use lapidary_cegar::{Tracked, Unknown, Verdict, verify_from};
use lapidary_frontend::{Task, load};
use lapidary_model::cfa_to_dot;
use lapidary_solver::limits::{Limits, Watch, attempt};
use lapidary_solver::wrap::{Assisted, Counted, Counts, Recorded};
use lapidary_solver::z3::Z3;
use lapidary_solver::{Backend, Stop, smtlib};

use crate::args::Args;
use crate::clock::Stopwatch;
use crate::failure::{Failure, take_panic};
use crate::observe::{Steps, Watcher};
use crate::outcome::{Finding, Size, Snapshot};
use crate::output::{create, fill, reason};
use crate::precision;

/// Larger inputs are taken for a mistake.
pub(crate) const LARGEST: u64 = 1 << 30;

/// Reads and verifies the input.
pub(crate) fn work(
    args: &Args,
    clock: Stopwatch,
    limits: &Limits,
    snapshot: &Mutex<Snapshot>,
) -> Result<Finding, Failure> {
    let text = read(&args.file)?;
    let task = load(&args.file.to_string_lossy(), &text)
        .map_err(|error| Failure::Input(error.to_string()))?;
    drop(text);
    let graph_file = draw(args, &task)?;
    let start = start(args, &task)?;
    let precision_file =
        args.save_precision.as_deref().map(|path| create(path, &args.file)).transpose()?;
    let size = Size::of(&task.cfa);
    snapshot.lock().unwrap_or_else(PoisonError::into_inner).size = Some(size);

    let counts = Counts::default();
    let steps = Steps::new(args.verbosity, clock);
    steps.tell(&format!("{}: {size}", args.file.display()));
    steps.tell(&format!("configuration: {}", args.config));
    let mut watcher = Watcher::new(snapshot, &counts, steps).with_graph(args.arg.is_some());
    watcher = watcher.with_precision(args.save_precision.is_some());
    let verdict =
        guarded(limits, |watch| decide(args, &task, &start, watch, &counts, &mut watcher));
    watcher.count();
    let [graph, precision] = watcher.into_texts();
    if let (Some(path), Some(file), Some(graph)) = (&args.arg, &graph_file, graph) {
        fill(file, path, &graph)?;
    }
    if let (Some(path), Some(file), Some(text)) = (&args.save_precision, &precision_file, precision)
    {
        fill(file, path, &text)?;
    }
    finding(task, verdict)
}

/// The precision to start from, and whether the variables that are to be explicit exist.
fn start(args: &Args, task: &Task) -> Result<Vec<Tracked>, Failure> {
    if let ExplicitVars::Named(names) = args.config.explicit_vars {
        let is_missing = |name: &&&str| task.cfa.vars().iter().all(|var| var.name() != **name);
        if let Some(name) = names.iter().find(is_missing) {
            return Err(Failure::Usage(format!("there is no variable `{name}` to make explicit")));
        }
    }
    let Some(path) = &args.load_precision else { return Ok(Vec::new()) };
    precision::read(&read(path)?, &task.cfa)
        .map_err(|problem| Failure::Input(format!("error: `{}`, {problem}", path.display())))
}

pub(crate) fn read(path: &Path) -> Result<String, Failure> {
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

pub(crate) fn text(bytes: Vec<u8>) -> Result<String, &'static str> {
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
    start: &[Tracked],
    watch: &Watch,
    counts: &Counts,
    watcher: &mut Watcher<'_>,
) -> Verdict {
    // The judge has translations of its own, so that not even these are shared with the search.
    match backend(args, watch).and_then(|backend| Ok((backend, Z3::new(watch)?))) {
        Ok((backend, judge)) => {
            let (search, judge) = (Counted::new(backend, counts), Counted::new(judge, counts));
            let verdict = verify_from(&task.cfa, &args.config, start, &search, &judge, watcher);
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
    let backend = solver(args.solver.as_deref(), watch)?;
    let Some(folder) = &args.record else { return Ok(backend) };
    match Recorded::new(backend, folder) {
        Ok(recorded) => Ok(Box::new(recorded)),
        Err(error) => {
            let problem = format!("cannot record in `{}`: {}", folder.display(), reason(&error));
            Err(Stop::Solver(problem))
        }
    }
}

/// Z3 in process, or another solver with its help.
pub(crate) fn solver(command: Option<&str>, watch: &Watch) -> Result<Box<dyn Backend>, Stop> {
    let z3 = Z3::new(watch)?;
    Ok(match command {
        None => Box::new(z3),
        Some(command) => Box::new(Assisted::new(smtlib::checked(command, watch)?, z3)),
    })
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
