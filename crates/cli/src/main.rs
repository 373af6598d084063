//! `lapidary`: the command line of the model checker.
//!
//! Arguments become [`Args`](args::Args) (checked, nothing left to decide), [`run`] does the work in a thread of
//! its own and yields an [`Outcome`](outcome::Outcome), [`report`] prints it. Whatever keeps a run from a
//! verdict is a [`Failure`] with its exit status.

mod args;
mod bench;
mod clock;
mod failure;
mod files;
mod input;
mod inspect;
mod interpolate;
mod log;
mod observe;
mod outcome;
mod output;
mod precision;
mod preprocess;
mod progress;
mod read;
mod readable;
mod report;
mod run;
mod trace;
mod vacuous;
mod witness;
mod worker;

use std::panic::{AssertUnwindSafe, catch_unwind};

use args::Request;
use failure::{Failure, remember_panics, take_panic};

fn main() {
    remember_panics();
    let status = catch_unwind(AssertUnwindSafe(lapidary))
        .unwrap_or_else(|_| Err(Failure::Internal(take_panic())));
    let status = status.unwrap_or_else(|failure| failure.print());
    // An engine that was left behind may have solvers at work.
    lapidary_solver::end_solver_processes();
    // At once: freeing what the solver holds would only take time.
    std::process::exit(status);
}

fn lapidary() -> Result<i32, Failure> {
    let args = match args::parse(std::env::args_os()) {
        Ok(Request::Verify(args)) => args,
        Ok(Request::Inspect(source)) => {
            return output::print(&inspect::inspect(&source)?).map(|()| 0);
        }
        Ok(Request::Interpolate(args)) => return interpolate::run(&args),
        Ok(Request::Bench(request)) => return bench::run(&request),
        Err(answer) => return answer.print(),
    };
    let (outcome, unwritten) = run::run(&args)?;
    report::print(&args, &outcome)?;
    Ok(unwritten.map_or_else(|| outcome.exit_status(), |failure| failure.print()))
}
