//! One run: the engine at work, the progress that is drawn meanwhile, and the outcome.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use lapidary_cegar::Stop;
use lapidary_engine::Unknown;
use lapidary_solver::Limit;
use lapidary_solver::limits::{cpu_time, peak_memory};

use crate::args::Args;
use crate::clock::Stopwatch;
use crate::failure::{Failure, take_panic};
use crate::outcome::{Costs, Found, Outcome, Snapshot};
use crate::progress::Progress;
use crate::{engine, log, worker};

/// How often the progress is drawn.
const FRAME: Duration = Duration::from_millis(100);

/// Verifies. With the outcome comes what kept a file from being written, if something did.
pub(crate) fn run(args: &Args) -> Result<(Outcome, Option<Failure>), Failure> {
    let clock = Stopwatch::start();
    let limits = engine::limits(args.time, args.wall, args.memory, clock)?;
    let snapshot = Arc::new(Mutex::new(Snapshot::default()));
    let work = {
        let (args, limits, snapshot) = (args.clone(), limits.clone(), Arc::clone(&snapshot));
        move || {
            let work = AssertUnwindSafe(|| worker::work(&args, clock, &limits, &snapshot));
            catch_unwind(work).unwrap_or_else(|_| Ok(Unknown::Internal(take_panic()).into()))
        }
    };
    let mut progress = Progress::new(!args.quiet && args.verbosity == 0);
    let mut drawn = Stopwatch::start();
    let draw = || {
        if drawn.elapsed() >= FRAME {
            drawn = Stopwatch::start();
            progress.draw(&counts(&snapshot), clock.elapsed());
        }
    };
    let found = engine::run(&limits, work, draw);
    progress.clear();
    let Found { finding, properties, notes, unwritten } = match found? {
        Ok(found) => found,
        Err(limit) => {
            tell_what_is_missing(args);
            let outside = counts(&snapshot).outside;
            outside.map_or_else(|| stopped(limit), |what| Unknown::Unsupported(what).into())
        }
    };
    let costs = Costs {
        counts: counts(&snapshot),
        cpu: cpu_time(),
        wall: clock.elapsed(),
        peak_memory: peak_memory(),
    };
    Ok((Outcome { finding, properties, notes, costs }, unwritten))
}

/// What a run came to that ended at a limit.
pub(crate) fn stopped(limit: Limit) -> Found {
    Unknown::Stop(Stop::Limit(limit)).into()
}

fn counts(snapshot: &Mutex<Snapshot>) -> Snapshot {
    snapshot.lock().unwrap_or_else(PoisonError::into_inner).clone()
}

fn tell_what_is_missing(args: &Args) {
    if let Some(path) = &args.arg {
        log::line(format_args!(
            "warning: the engine did not stop in time to draw `{}`",
            path.display()
        ));
    }
}
