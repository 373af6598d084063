//! From an automaton and a configuration to a verdict whose evidence has been validated.

use lapidary_model::pass::{BackTranslate, Constants, Pass, Pipeline, Unreachable};
use lapidary_model::{Cfa, Execution, Proof};
use lapidary_solver::Backend;

use crate::cegar::{Outcome, cegar};
use crate::config::DomainKind;
use crate::domain::{Cartesian, Explicit, Limited};
use crate::precision::PrecisionMap;
use crate::refinement::Refiner;
use crate::validate::{Rejection, validate_execution, validate_proof};
use crate::{Config, Domain, Event, Observer, Result, Unknown, Verdict};

/// The passes that every run starts with.
const PASSES: [&dyn Pass; 3] = [&Unreachable, &Constants, &Unreachable];

/// Decides whether the error location of `cfa` can be reached.
pub fn verify(
    cfa: &Cfa,
    config: &Config,
    backend: &dyn Backend,
    observer: &mut dyn Observer,
) -> Verdict {
    verify_with_judge(cfa, config, backend, backend, observer)
}

/// Decides with a solver that is not trusted: evidence is validated with that of `judge`.
pub fn verify_with_judge(
    cfa: &Cfa,
    config: &Config,
    backend: &dyn Backend,
    judge: &dyn Backend,
    observer: &mut dyn Observer,
) -> Verdict {
    verify_reduced(cfa, cfa, &Unchanged, config, backend, judge, observer)
}

/// Decides about `cfa` by way of the automaton `smaller`, whose evidence `outer` brings back: a verdict is valid only
/// if it is one about `cfa`.
pub fn verify_reduced(
    cfa: &Cfa,
    smaller: &Cfa,
    outer: &dyn BackTranslate,
    config: &Config,
    backend: &dyn Backend,
    judge: &dyn Backend,
    observer: &mut dyn Observer,
) -> Verdict {
    let (reduced, back) = Pipeline::run(smaller, &PASSES);
    let outcome = match config.domain {
        DomainKind::Explicit => {
            run(&reduced, config, backend, Explicit::new(backend, config.max_enum), observer)
        }
        DomainKind::Predicate => {
            run(&reduced, config, backend, Cartesian::new(backend, config.pred_split), observer)
        }
    };
    if matches!(outcome, Ok(Outcome::Safe(_) | Outcome::Unsafe(_))) {
        observer.event(&Event::Validating);
    }
    match outcome {
        Ok(Outcome::Safe(proof)) => safe(cfa, outer.proof(back.proof(proof)), judge),
        Ok(Outcome::Unsafe(execution)) => unsafe_(cfa, outer.execution(back.execution(execution))),
        Ok(Outcome::NoProgress(length)) => Verdict::Unknown(Unknown::NoProgress { length }),
        Err(stop) => Verdict::Unknown(stop.into()),
    }
}

/// No reduction.
struct Unchanged;

impl BackTranslate for Unchanged {
    fn execution(&self, execution: Execution) -> Execution {
        execution
    }

    fn proof(&self, proof: Proof) -> Proof {
        proof
    }
}

fn run<D: Domain>(
    cfa: &Cfa,
    config: &Config,
    backend: &dyn Backend,
    domain: D,
    observer: &mut dyn Observer,
) -> Result<Outcome> {
    let checker = config.checker.build(backend, config.interpolation);
    let mut refiner = Refiner::new(cfa, checker, config.prune);
    let mut prec = PrecisionMap::new(cfa, config.precision);
    let mut domain = Limited::new(domain, backend);
    cegar(cfa, &mut domain, config.search, &mut refiner, &mut prec, observer)
}

fn safe(cfa: &Cfa, proof: Proof, judge: &dyn Backend) -> Verdict {
    match validate_proof(cfa, &proof, &mut *judge.solver()) {
        Ok(_) => Verdict::Safe(proof),
        Err(rejection) => Verdict::Unknown(rejected("proof", rejection)),
    }
}

fn unsafe_(cfa: &Cfa, execution: Execution) -> Verdict {
    match validate_execution(cfa, &execution) {
        Ok(()) => Verdict::Unsafe(execution),
        Err(rejection) => Verdict::Unknown(rejected("execution", rejection)),
    }
}

fn rejected(what: &str, rejection: Rejection) -> Unknown {
    match rejection {
        Rejection::Stop(stop) => Unknown::Stop(stop),
        Rejection::Evidence(problem) => {
            Unknown::Internal(format!("the {what} is not valid: {problem}"))
        }
    }
}
