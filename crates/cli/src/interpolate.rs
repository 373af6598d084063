//! `lapidary interpolate`: interpolants between the assertions of an SMT-LIB 2 script, or a model.

mod print;

use std::io::{ErrorKind, Read};
use std::path::Path;
use std::time::Duration;

use lapidary_expr::{Term, VarSet};
use lapidary_frontend::SourceFile;
use lapidary_frontend::smt2::{self, Partition};
use lapidary_solver::interpolate::{Attempt, interpolator_with};
use lapidary_solver::limits::{Limits, Watch, attempt, cpu_time};
use lapidary_solver::z3::Z3;
use lapidary_solver::{Backend, Interpolants, Interpolator, Limit, Stop};

use crate::args::interpolate::Args;
use crate::failure::{Failure, UNKNOWN};
use crate::output::reason;
use crate::{engine, output};
use lapidary::clock::Stopwatch;

/// What came of it.
struct Answer {
    result: Result<Interpolants, Stop>,
    attempts: Vec<Attempt>,
    cpu: Duration,
}

/// Reads, interpolates, prints; the result is the exit status.
pub(crate) fn run(args: &Args) -> Result<i32, Failure> {
    let clock = Stopwatch::start();
    let limits = engine::limits(args.time, args.wall, args.memory, clock)?;
    let (words, within) = (args.clone(), limits.clone());
    let (partition, answer) = match engine::run(&limits, move || work(&words, &within), || ())? {
        Ok(found) => found,
        Err(limit) => return stopped(limit),
    };
    if args.stats {
        print::attempts(&answer.attempts, answer.cpu);
    }
    tell(Some(&partition), &answer.result)
}

/// Prints the answer of a run that ended at a limit.
pub(crate) fn stopped(limit: Limit) -> Result<i32, Failure> {
    tell(None, &Err(Stop::Limit(limit)))
}

fn work(args: &Args, limits: &Limits) -> Result<(Partition, Answer), Failure> {
    let (name, text) = script(&args.file)?;
    let partition = smt2::parse(&SourceFile::new(name, text))
        .map_err(|error| Failure::Input(error.to_string()))?;
    let start = cpu_time();
    let mut attempts = Vec::new();
    let result = attempt(limits, |watch| {
        let backend = lapidary::make_solver(args.solver.as_deref(), watch)?;
        let mut interpolator = interpolator_with(args.engine, args.eliminate, &backend);
        let result = interpolator.interpolate(&partition.parts);
        attempts = interpolator.attempts().to_vec();
        let result = match result {
            Err(stop) => watch.check().and(Err(stop)),
            result => result,
        }?;
        let mistake = if args.check { mistake(&partition.parts, &result, watch)? } else { None };
        Ok((result, mistake))
    });
    let result = match result {
        Ok((_, Some(mistake))) => {
            return Err(Failure::Internal(format!("the answer is wrong: {mistake}")));
        }
        Ok((result, None)) => Ok(result),
        Err(stop) => Err(stop),
    };
    let cpu = cpu_time().saturating_sub(start);
    Ok((partition, Answer { result, attempts, cpu }))
}

/// The name and the text of the script.
fn script(path: &Path) -> Result<(String, String), Failure> {
    if path != Path::new("-") {
        return Ok((path.display().to_string(), lapidary::read::text(path)?));
    }
    let problem =
        |problem: &str| Failure::Input(format!("error: cannot read standard input: {problem}"));
    let mut bytes = Vec::new();
    let mut input = std::io::stdin().lock().take(lapidary::read::LARGEST + 1);
    input.read_to_end(&mut bytes).map_err(|error| match error.kind() {
        ErrorKind::OutOfMemory => Failure::OutOfMemory,
        _ => problem(&reason(&error)),
    })?;
    if bytes.len() as u64 > lapidary::read::LARGEST {
        return Err(problem("it is larger than 1 GiB"));
    }
    Ok(("<stdin>".into(), lapidary::read::as_text(bytes).map_err(problem)?))
}

/// What is wrong with the answer, if anything: the definition, word by word, with a solver of its own.
fn mistake(parts: &[Term], answer: &Interpolants, watch: &Watch) -> Result<Option<String>, Stop> {
    let itps = match answer {
        Interpolants::Sat(model) => {
            let wrong = parts.iter().position(|part| part.holds(model) != Some(true));
            return Ok(wrong.map(|i| format!("assertion {} is not true in the model", i + 1)));
        }
        Interpolants::Unsat(itps) => itps,
    };
    if itps.len() + 1 != parts.len() {
        return Ok(Some(format!("{} interpolants for {} parts", itps.len(), parts.len())));
    }
    let vars =
        |parts: &[Term]| -> VarSet { parts.iter().flat_map(|part| part.vars()).copied().collect() };
    for (i, itp) in itps.iter().enumerate() {
        let (before, after) = (vars(&parts[..=i]), vars(&parts[i + 1..]));
        let strange = itp.vars().iter().find(|var| !before.contains(var) || !after.contains(var));
        if let Some(var) = strange {
            return Ok(Some(format!("interpolant {} speaks of {var}", i + 1)));
        }
    }
    let mut solver = Z3::new(watch)?.solver();
    for (i, part) in parts.iter().enumerate() {
        let before = if i == 0 { true.into() } else { itps[i - 1] };
        let after = itps.get(i).copied().unwrap_or_else(|| false.into());
        if !solver.entails(Term::and([before, *part]), after)? {
            return Ok(Some(format!("interpolant {} does not follow", i + 1)));
        }
    }
    Ok(None)
}

/// Prints the answer; the result is the exit status.
fn tell(
    partition: Option<&Partition>,
    result: &Result<Interpolants, Stop>,
) -> Result<i32, Failure> {
    let (text, status) = match (result, partition) {
        (Ok(Interpolants::Unsat(itps)), Some(partition)) => {
            let itps: Vec<String> =
                itps.iter().map(|itp| format!(" {}", partition.text(*itp))).collect();
            (format!("unsat\n(interpolants{})\n", itps.concat()), 0)
        }
        (Ok(Interpolants::Sat(model)), Some(partition)) => {
            (format!("sat\n{}", print::model(partition, model)), 0)
        }
        (Err(stop @ Stop::Interpolation(_)), _) => {
            (format!("unsat\n(error {})\n", print::quoted(&stop.to_string())), UNKNOWN)
        }
        (Err(stop), _) => {
            let reason = print::quoted(&stop.to_string());
            (format!("unknown\n(:reason-unknown {reason})\n"), UNKNOWN)
        }
        (Ok(_), None) => return Err(Failure::Internal("an answer to nothing".into())),
    };
    output::print(&text).map(|()| status)
}
