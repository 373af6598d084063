//! `lapidary bench`: experiments.

use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use lapidary_bench::guard::{self, Guard};
use lapidary_bench::plan::{self, Plan};
use lapidary_bench::process::Groups;
use lapidary_bench::{Error, benchexec, diff, forget, local, report, slurm, store};
use signal_hook::consts::{SIGINT, SIGTERM};

use crate::args::bench::{Request, Run};
use crate::failure::{Failure, UNKNOWN};
use crate::{log, output};

/// Does what is asked for; the exit status. That of a run and of a comparison is 1 if an answer is wrong.
pub(crate) fn run(request: &Request) -> Result<i32, Failure> {
    let status = match request {
        Request::Run(run) => experiment(run),
        Request::Report { folder, out, scatter } => make_report(folder, out.as_deref(), scatter),
        Request::Diff { old, new } => diff::diff(old, new).map(|diff| {
            let text = diff.to_string();
            (text, i32::from(diff.has_wrong()))
        }),
        Request::Forget { folder, choice } => forget::forget(folder, choice).map(|rows| {
            (format!("{rows} rows forgotten; the same `lapidary bench run` does them again\n"), 0)
        }),
        Request::Benchexec { experiment, overrides, out } => plan::plan(experiment, overrides)
            .and_then(|plan| benchexec::write(&plan, out))
            .map(|text| (text, 0)),
        Request::Guard => {
            guard::watch(io::stdin().lock());
            Ok((String::new(), 0))
        }
        Request::Worker { folder, job, index } => {
            slurm::work(folder, job, *index, &interrupt()).map(|()| (String::new(), 0))
        }
    };
    match status {
        Ok((text, status)) => output::print(&text).map(|()| status),
        Err(Error::Interrupted) => {
            log::line(Error::Interrupted);
            Ok(UNKNOWN)
        }
        Err(Error::Experiment(what)) => Err(Failure::Usage(what)),
        Err(Error::System(what)) => Err(Failure::Output(what)),
    }
}

/// A flag that Ctrl-C and a polite end raise.
fn interrupt() -> Arc<AtomicBool> {
    let flag = Arc::new(AtomicBool::new(false));
    for signal in [SIGINT, SIGTERM] {
        // Without it, an interrupt ends this process at once; the next one ends what it has left.
        let _ = signal_hook::flag::register(signal, Arc::clone(&flag));
    }
    flag
}

fn experiment(run: &Run) -> Result<(String, i32), Error> {
    let plan = plan::plan(&run.experiment, &run.overrides)?;
    if run.dry {
        return Ok((described(&plan)?, 0));
    }
    let folder = run.out.clone().unwrap_or_else(|| PathBuf::from("results").join(&plan.name));
    let interrupt = interrupt();
    match &run.slurm {
        Some(sbatch) => slurm::run(&plan, &folder, sbatch, &interrupt, &mut io::stderr())?,
        None => {
            let options = local::Options {
                jobs: run.jobs.unwrap_or(plan.jobs as usize),
                interrupt: &interrupt,
                guard: guard(),
                groups: if run.cgroups { Groups::find() } else { Groups::none() },
                is_terminal: io::stderr().is_terminal(),
            };
            local::run(&plan, &folder, &options, &mut io::stderr())?;
        }
    }
    make_report(&folder, None, &[])
}

/// A process that ends what is running if this one is killed.
fn guard() -> Option<Guard> {
    let started = std::env::current_exe().and_then(|lapidary| Guard::start(&lapidary));
    let warn = |error| {
        log::line(format_args!(
            "warning: a kill may leave runs behind: {}",
            output::reason(&error)
        ));
    };
    started.map_err(warn).ok()
}

/// What would be run.
fn described(plan: &Plan) -> Result<String, Error> {
    use std::fmt::Write;
    let runs = plan.runs()?;
    let mut text = format!(
        "{}: {} runs: {} configurations, {} tasks, {} repetitions\n",
        plan.title,
        runs.len(),
        plan.configurations.len(),
        plan.tasks.len(),
        plan.repetitions
    );
    for run in &runs {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{}: {}", run.key.configuration, run.words.join(" "));
    }
    Ok(text)
}

fn make_report(
    folder: &Path,
    out: Option<&Path>,
    scatter: &[String],
) -> Result<(String, i32), Error> {
    let plan = store::read_plan(folder)?;
    let rows = store::read_rows(folder, &plan)?;
    let out = out.map_or_else(|| folder.join("report"), Path::to_path_buf);
    let summary = report::write(&plan, &rows, &out, scatter)?;
    Ok((summary.text, i32::from(summary.wrong > 0)))
}
