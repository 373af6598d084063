//! From an engine's claim to a verdict: the evidence comes back to the automaton that was read, and is validated there.

use lapidary_cegar::Config;
use lapidary_model::{Cfa, Execution, Proof};
use lapidary_solver::Backend;
use lapidary_solver::limits::Watch;
use lapidary_validate::{Rejection, validate_execution, validate_proof};

use crate::cegar::Cegar;
use crate::reduced::{Prepared, Reduced};
use crate::{Budget, Claim, Engine, Event, Observer, Problem, Unknown, Verdict};

/// Decides whether the error location of `cfa` can be reached, by abstraction and refinement.
pub fn verify(
    cfa: &Cfa,
    config: &Config,
    backend: &dyn Backend,
    observer: &mut dyn Observer,
) -> Verdict {
    verify_reduced(cfa, &Reduced::unchanged(cfa, &[]), config, backend, backend, observer)
}

/// Decides about `cfa` by way of a smaller automaton: a verdict is valid only if it is one about `cfa`. Proofs are
/// validated with the solver `judge`.
pub fn verify_reduced(
    cfa: &Cfa,
    reduced: &Reduced<'_>,
    config: &Config,
    backend: &dyn Backend,
    judge: &dyn Backend,
    observer: &mut dyn Observer,
) -> Verdict {
    if let Some(conflict) = config.conflict() {
        return Verdict::Unknown(Unknown::Unsupported(conflict.to_string()));
    }
    let prepared = Prepared::new(*reduced, config);
    let budget = Budget { watch: &Watch::default(), solver: Some(backend) };
    Judged { cfa, engine: &Cegar, budget, judge }.decide(&prepared, config, observer)
}

/// An engine whose claims are validated.
pub(crate) struct Judged<'a> {
    /// What verdicts are about.
    pub(crate) cfa: &'a Cfa,
    pub(crate) engine: &'a dyn Engine,
    pub(crate) budget: Budget<'a>,
    /// The solver of the validator.
    pub(crate) judge: &'a dyn Backend,
}

impl Judged<'_> {
    /// Runs the engine, and validates what it claims.
    pub(crate) fn decide(
        &self,
        prepared: &Prepared<'_>,
        config: &Config,
        observer: &mut dyn Observer,
    ) -> Verdict {
        let start = prepared.reduced.start;
        let problem = Problem { cfa: prepared.cfa(), original: self.cfa, config, start };
        let claim = match self.engine.run(&problem, &self.budget, observer) {
            Ok(claim) => claim,
            Err(stop) => return Verdict::Unknown(stop.into()),
        };
        if !matches!(claim, Claim::Nothing(_)) {
            observer.event(&Event::Validating);
        }
        match claim {
            Claim::Nothing(unknown) => Verdict::Unknown(unknown),
            Claim::Proof(proof) => safe(self.cfa, prepared.proof(proof), self.judge),
            Claim::Execution(execution) => {
                let verdict = unsafe_(self.cfa, prepared.execution(execution));
                match (&verdict, self.without_slice(config)) {
                    (Verdict::Unknown(Unknown::Internal(_)), Some(config)) => {
                        observer.event(&Event::Repeated);
                        self.decide(&prepared.again(&config), &config, observer)
                    }
                    _ => verdict,
                }
            }
        }
    }

    /// Slicing trusts that what it takes away lets every run pass; if it does not, the error may be none, and this is what
    /// to try instead.
    fn without_slice(&self, config: &Config) -> Option<Config> {
        let passes = config.passes.without_slice().filter(|_| !self.engine.runs_the_input())?;
        Some(Config { passes, ..*config })
    }
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
