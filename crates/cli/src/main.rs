//! `lapidary`: the command line of the model checker.
//!
//! Arguments become [`Args`] (checked, nothing left to decide), [`run`] does the work in a thread of
//! its own and yields an [`Outcome`](lapidary::Outcome), [`report`] prints it. Whatever keeps a run from a
//! verdict is a [`Failure`] with its exit status. Where the system limits CPU time or address space, all of this happens
//! in another process, and this one is its [`supervisor`].

mod args;
mod bench;
mod check;
mod engine;
mod failure;
mod files;
mod inspect;
mod interpolate;
mod log;
mod observe;
mod output;
mod progress;
mod report;
mod run;
mod supervisor;
mod target;
mod witness;
mod worker;

use std::io::{self, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};

use lapidary::outcome::Found;

use args::{Args, Request};
use failure::{Exit, Failure, UNKNOWN, remember_panics, take_panic};
use supervisor::Supervised;

fn main() {
    remember_panics();
    output::report_full_files();
    lapidary_bench::process::end_with_parent();
    let status = catch_unwind(AssertUnwindSafe(lapidary))
        .unwrap_or_else(|panic| Err(Failure::Internal(take_panic(&*panic))));
    let status = status.unwrap_or_else(|failure| failure.print());
    leave(status)
}

/// Ends the process.
///
/// An engine that was left behind may still be at work in Z3, so the destructors of Z3's static objects must not run: the
/// work would meet what they free, and die of it. Standard output is flushed here; files have no buffers.
fn leave(status: i32) -> ! {
    lapidary_solver::end_solver_processes();
    let _ = io::stdout().flush();
    signal_hook::low_level::exit(status)
}

fn lapidary() -> Result<i32, Failure> {
    match args::parse(std::env::args_os()) {
        Ok(Request::Verify(args)) => verify(&args),
        Ok(Request::Inspect(source, show)) => match supervisor::supervise(None)? {
            Supervised::Here => output::print(&inspect::inspect(&source, show)?).map(|()| 0),
            Supervised::Ended { stdout, status } => output::print_bytes(&stdout).map(|()| status),
            Supervised::Stopped { limit, .. } => {
                log::line(format_args!("error: {limit}"));
                Ok(UNKNOWN)
            }
        },
        Ok(Request::Check(args)) => match supervisor::supervise(args.time)? {
            Supervised::Here => check::run(&args),
            Supervised::Ended { stdout, status } => output::print_bytes(&stdout).map(|()| status),
            Supervised::Stopped { limit, .. } => check::stopped(limit),
        },
        Ok(Request::Interpolate(args)) => match supervisor::supervise(args.time)? {
            Supervised::Here => interpolate::run(&args),
            Supervised::Ended { stdout, status } => output::print_bytes(&stdout).map(|()| status),
            Supervised::Stopped { limit, .. } => interpolate::stopped(limit),
        },
        Ok(Request::Bench(request)) => bench::run(&request),
        Err(answer) => answer.print(),
    }
}

fn verify(args: &Args) -> Result<i32, Failure> {
    let (outcome, unwritten) = match supervisor::supervise(args.time)? {
        Supervised::Here => run::run(args)?,
        Supervised::Ended { stdout, status } => {
            return output::print_bytes(&stdout).map(|()| status);
        }
        Supervised::Stopped { limit, costs } => {
            (Found::from(run::stopped(limit)).with(*costs), None)
        }
    };
    report::print(args, &outcome)?;
    Ok(unwritten.map_or_else(|| worker::exit_status(&outcome.finding), |failure| failure.print()))
}
