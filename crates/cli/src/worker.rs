//! What the engine's thread does: read, verify, write files. Z3 belongs to the thread that uses it first.

use lapidary::options::SavedPrecision;
use lapidary::outcome::{Finding, Found};
use lapidary::source::hashed;
use lapidary::{Progress, read, verify_input};
use lapidary_frontend::Input;
use lapidary_solver::limits::Limits;

use crate::args::Args;
use crate::failure::Failure;
use crate::files::Files;
use crate::observe::Steps;
use crate::witness;
use lapidary::clock::Stopwatch;

/// What came of a run, and why a file could not be written, if one could not. The verdict holds all the same.
pub(crate) struct Worked {
    pub(crate) found: Found,
    pub(crate) unwritten: Option<Failure>,
}

/// Reads and verifies the input.
pub(crate) fn work(
    args: &Args,
    clock: Stopwatch,
    limits: &Limits,
    progress: &Progress,
) -> Result<Worked, Failure> {
    let wants_hash = args.witness.is_some();
    let (input, hash) = hashed(&args.source, |bytes| wants_hash.then(|| witness::hash(bytes)))?;
    check(args, &input)?;
    // Before any file is made: what is loaded may be what is saved.
    let start = args.load_precision.as_deref().map(|path| {
        let name = path.display().to_string();
        Ok(SavedPrecision { name, text: read::text(path)? })
    });
    let options = args.options(limits, start.transpose()?);
    let files = Files::new(args)?;
    let mut steps = Steps::new(args, &files, progress, clock);
    let found = verify_input(&input, &options, progress, &mut steps)?;
    let mut unwritten = steps.unwritten;
    let written = write_witness(args, &files, &input, hash.as_deref(), &found, limits);
    unwritten = unwritten.or(written.and(files.write_harness(&found.finding)).err());
    Ok(Worked { found, unwritten })
}

/// Whether the input can have the files that are asked for.
fn check(args: &Args, input: &Input) -> Result<(), Failure> {
    if args.witness.is_some() && input.properties().is_empty() && !input.is_c() {
        let problem = "`--witness` is for C programs, transition systems and circuits";
        return Err(Failure::Usage(problem.into()));
    }
    if args.harness.is_some() && !input.is_c() {
        return Err(Failure::Usage("`--harness` is for C programs".into()));
    }
    match input.entry().filter(|entry| args.harness.is_some() && *entry != "main") {
        Some(entry) => Err(Failure::Usage(format!(
            "`--harness` starts programs at `main`, and the property at `{entry}`"
        ))),
        None => Ok(()),
    }
}

fn write_witness(
    args: &Args,
    files: &Files,
    input: &Input,
    hash: Option<&str>,
    found: &Found,
    limits: &Limits,
) -> Result<(), Failure> {
    let Found { finding, property, stage, .. } = found;
    match hash {
        Some(hash) if input.is_c() => {
            let line = stage.map_or_else(|| args.config.to_string(), |stage| stage.line());
            files.write_c_witness(finding, hash, &line)
        }
        _ => files.write_witness(input, *property, finding, limits),
    }
}

/// How the process ends after this finding.
pub(crate) fn exit_status(finding: &Finding) -> i32 {
    use crate::failure::{INTERNAL, SAFE, UNKNOWN, UNSAFE};
    match finding {
        Finding::Safe { .. } => SAFE,
        Finding::Unsafe { .. } => UNSAFE,
        Finding::Unknown(lapidary_engine::Unknown::Internal(_)) => INTERNAL,
        Finding::Unknown(_) | Finding::Outside { .. } => UNKNOWN,
    }
}
