//! `lapidary check`: evidence that a run has written is read again and validated, without a search.

use std::collections::BTreeMap;

use lapidary_frontend::Task;
use lapidary_model::text::{Evidence, Head, Reader, TextError, property_name};
use lapidary_solver::limits::{Limits, attempt};
use lapidary_solver::z3::Z3;
use lapidary_solver::{Backend, Limit};
use lapidary_validate::{Rejection, validate_execution, validate_program_proof, validate_proof};

use crate::args::check::Args;
use crate::failure::{Failure, SAFE, UNKNOWN, UNSAFE};
use crate::{engine, output};
use lapidary::clock::Stopwatch;
use lapidary::source::{chosen, without_property};

/// What the check of a part came to.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Answer {
    Safe,
    Unsafe,
    /// Why the evidence does not count.
    Not(String),
}

/// The answers by property, each with its name if the input names it.
type Answers = Vec<(Option<String>, Answer)>;

/// Checks, and prints what came of it; the result is the exit status.
pub(crate) fn run(args: &Args) -> Result<i32, Failure> {
    let clock = Stopwatch::start();
    let limits = engine::limits(args.time, args.wall, args.memory, clock)?;
    let (words, within) = (args.clone(), limits.clone());
    match engine::run(&limits, move || work(&words, &within), || ())? {
        Ok(answers) => print(&answers),
        Err(limit) => stopped(limit),
    }
}

/// Prints the answer of a check that ended at a limit.
pub(crate) fn stopped(limit: Limit) -> Result<i32, Failure> {
    print(&[(None, Answer::Not(limit.to_string()))])
}

fn print(answers: &[(Option<String>, Answer)]) -> Result<i32, Failure> {
    let mut text = String::new();
    if answers.len() > 1 {
        for (name, answer) in answers {
            text.extend([name.as_deref().unwrap_or_default(), ": ", &line(answer), "\n"]);
        }
    }
    let all = overall(answers);
    output::print(&(text + &line(&all) + "\n"))?;
    Ok(match all {
        Answer::Safe => SAFE,
        Answer::Unsafe => UNSAFE,
        Answer::Not(_) => UNKNOWN,
    })
}

fn line(answer: &Answer) -> String {
    match answer {
        Answer::Safe => "confirmed: safe".into(),
        Answer::Unsafe => "confirmed: unsafe".into(),
        Answer::Not(why) => format!("not confirmed: {why}"),
    }
}

/// One execution is enough for `unsafe`; `safe` needs every proof.
fn overall(answers: &[(Option<String>, Answer)]) -> Answer {
    if answers.iter().any(|(_, answer)| *answer == Answer::Unsafe) {
        return Answer::Unsafe;
    }
    let failed = answers.iter().find_map(|(name, answer)| match (name, answer) {
        (Some(name), Answer::Not(why)) if answers.len() > 1 => Some(format!("{name}: {why}")),
        (_, Answer::Not(why)) => Some(why.clone()),
        _ => None,
    });
    failed.map_or(Answer::Safe, Answer::Not)
}

fn work(args: &Args, limits: &Limits) -> Result<Answers, Failure> {
    let text = lapidary::read::text(&args.evidence)?;
    let path = args.evidence.display();
    let unreadable = |error: TextError| Failure::Input(format!("error: `{path}`, {error}"));
    let mut reader = Reader::new(&text);
    let mut head = reader.head().map_err(unreadable)?;
    let mut source = args.source.clone();
    // Of C programs, only the assertions are properties with names.
    source.c.each_assertion |= head.as_ref().is_some_and(|head| head.property.is_some());
    let input = source.read()?;
    let names: Vec<String> = input.properties().into_iter().map(str::to_owned).collect();
    let wanted = chosen(source.property.as_deref(), &names)?;
    let mut answers: BTreeMap<usize, Answer> = BTreeMap::new();
    while let Some(part) = head {
        let property = property(&part, &names)
            .map_err(|problem| Failure::Input(format!("error: `{path}`: {problem}")))?;
        let task = input.task(property).map_err(|error| Failure::Input(error.to_string()))?;
        if task.map.as_ref().is_some_and(|map| !map.has_property) {
            return Err(without_property(&task));
        }
        let evidence = reader.evidence(task.cfa()).map_err(unreadable)?;
        if wanted.contains(&property) {
            let answer = validate(&task, &evidence, limits);
            // Of several parts about a property, one that counts is enough.
            let old = answers.entry(property).or_insert_with(|| answer.clone());
            if matches!(old, Answer::Not(_)) {
                *old = answer;
            }
        }
        head = reader.head().map_err(unreadable)?;
    }
    let answer = |property: usize| {
        let missing = || Answer::Not("there is no evidence".into());
        (names.get(property).cloned(), answers.remove(&property).unwrap_or_else(missing))
    };
    Ok(wanted.into_iter().map(answer).collect())
}

/// The number of the property that a part is about.
fn property(part: &Head, names: &[String]) -> Result<usize, String> {
    match &part.property {
        None if names.is_empty() => Ok(0),
        None => Err("a part of the evidence names no property, and the input has some".into()),
        Some(wanted) => {
            let found = names.iter().position(|name| property_name(name) == *wanted);
            found.ok_or_else(|| format!("the input has no property `{wanted}`"))
        }
    }
}

fn validate(task: &Task, evidence: &Evidence, limits: &Limits) -> Answer {
    match evidence {
        Evidence::Proof(proof) => {
            let about_calls = proof.program.as_ref().zip(task.model.program());
            let checked = attempt(limits, |watch| {
                let z3 = Z3::new(watch)?;
                Ok(match about_calls {
                    Some((proof, inlined)) => {
                        validate_program_proof(inlined.program(), proof, &mut *z3.solver())
                    }
                    None => validate_proof(task.cfa(), proof, &mut *z3.solver()),
                })
            });
            match checked {
                Ok(Ok(_)) => Answer::Safe,
                Ok(Err(Rejection::Evidence(problem))) => {
                    Answer::Not(format!("the proof is not valid: {problem}"))
                }
                Ok(Err(Rejection::Stop(stop))) | Err(stop) => Answer::Not(stop.to_string()),
            }
        }
        Evidence::Execution(execution) => {
            if let Err(problem) = validate_execution(task.cfa(), execution) {
                return Answer::Not(format!("the execution is not valid: {problem}"));
            }
            match task.model.ends().and_then(|ends| ends.doubt(execution)) {
                Some(outside) => {
                    let (what, place) = (&outside.reason, task.source.place(outside.start));
                    Answer::Not(format!("the execution leaves the model: {what} at {place}"))
                }
                None => Answer::Unsafe,
            }
        }
    }
}
