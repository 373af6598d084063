//! One run: the engine at work, the progress that is drawn meanwhile, and the outcome.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;

use lapidary_cegar::Stop;
use lapidary_engine::Unknown;
use lapidary_solver::Limit;
use lapidary_solver::limits::{cpu_time, peak_memory};

use lapidary::outcome::{Costs, Outcome};

use crate::args::Args;
use crate::failure::{Failure, take_panic};
use crate::progress::Progress;
use crate::worker::Worked;
use crate::{engine, log, worker};
use lapidary::clock::Stopwatch;

/// How often the progress is drawn.
const FRAME: Duration = Duration::from_millis(100);

/// Verifies. With the outcome comes what kept a file from being written, if something did.
pub(crate) fn run(args: &Args) -> Result<(Outcome, Option<Failure>), Failure> {
    let clock = Stopwatch::start();
    let limits = engine::limits(args.time, args.wall, args.memory, clock)?;
    let shared = lapidary::Progress::default();
    let work = {
        let (args, limits, shared) = (args.clone(), limits.clone(), shared.clone());
        move || {
            let work = AssertUnwindSafe(|| worker::work(&args, clock, &limits, &shared));
            catch_unwind(work)
                .unwrap_or_else(|panic| Ok(without_files(Unknown::Internal(take_panic(&*panic)))))
        }
    };
    let mut progress = Progress::new(!args.quiet && args.verbosity == 0);
    let mut drawn = Stopwatch::start();
    let draw = || {
        if drawn.elapsed() >= FRAME {
            drawn = Stopwatch::start();
            progress.draw(&shared.snapshot(), clock.elapsed());
        }
    };
    let found = engine::run(&limits, work, draw);
    progress.clear();
    let Worked { found, unwritten } = match found? {
        Ok(worked) => worked,
        Err(limit) => {
            tell_what_is_missing(args);
            let outside = shared.snapshot().outside;
            without_files(outside.map_or_else(|| stopped(limit), Unknown::Unsupported))
        }
    };
    let costs = Costs {
        counts: shared.snapshot(),
        cpu: cpu_time(),
        wall: clock.elapsed(),
        peak_memory: peak_memory(),
    };
    Ok((found.with(costs), unwritten))
}

fn without_files(unknown: Unknown) -> Worked {
    Worked { found: unknown.into(), unwritten: None }
}

/// What a run came to that ended at a limit.
pub(crate) fn stopped(limit: Limit) -> Unknown {
    Unknown::Stop(Stop::Limit(limit))
}

fn tell_what_is_missing(args: &Args) {
    if let Some(path) = &args.arg {
        log::line(format_args!(
            "warning: the engine did not stop in time to draw `{}`",
            path.display()
        ));
    }
}
