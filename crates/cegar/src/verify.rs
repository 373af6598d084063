//! From an automaton and a configuration to a verdict whose evidence has been validated.

use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use lapidary_expr::VarSet;
use lapidary_model::pass::{BackTranslate, Pass, Pipeline, Unchanged, Wraps};
use lapidary_model::{Cfa, Execution, Proof};
use lapidary_solver::Backend;
use lapidary_solver::limits::Watch;

use crate::bounded::{Bounded, bounded};
use crate::cegar::{Outcome, cegar};
use crate::concrete::{Concrete, concrete};
use crate::config::DomainKind;
use crate::domain::predicate::{Abstraction, Predicates};
use crate::domain::{Boolean, Cartesian, Combined, Explicit, Limited, Product, Split, States};
use crate::encoding::Encoding;
use crate::horn::{Solved, horn};
use crate::ic3::{Answer, ic3};
use crate::induction;
use crate::passes::Passes;
use crate::precision::{Fact, Granularity, PrecisionMap};
use crate::refinement::{Prune, Refiner, Select};
use crate::{Config, Domain, Event, Observer, Precision, Result, Tracked, Unknown, Verdict};
use lapidary_validate::{Rejection, validate_execution, validate_proof};

/// Decides whether the error location of `cfa` can be reached.
pub fn verify(
    cfa: &Cfa,
    config: &Config,
    backend: &dyn Backend,
    observer: &mut dyn Observer,
) -> Verdict {
    verify_from(cfa, config, &[], backend, backend, observer)
}

/// Decides with a solver that is not trusted: evidence is validated with that of `judge`.
pub fn verify_with_judge(
    cfa: &Cfa,
    config: &Config,
    backend: &dyn Backend,
    judge: &dyn Backend,
    observer: &mut dyn Observer,
) -> Verdict {
    verify_from(cfa, config, &[], backend, judge, observer)
}

/// Decides with a judge, from a precision that another run has found.
pub fn verify_from(
    cfa: &Cfa,
    config: &Config,
    start: &[Tracked],
    backend: &dyn Backend,
    judge: &dyn Backend,
    observer: &mut dyn Observer,
) -> Verdict {
    verify_reduced(cfa, &Reduced::unchanged(cfa, start), config, backend, judge, observer)
}

/// What is searched instead of an automaton.
#[derive(Clone, Copy)]
pub struct Reduced<'a> {
    /// An automaton that has an error if the other has one.
    pub smaller: &'a Cfa,
    /// How evidence about the one becomes evidence about the other.
    pub back: &'a dyn BackTranslate,
    /// A precision that another run has found.
    pub start: &'a [Tracked],
}

impl<'a> Reduced<'a> {
    /// The automaton itself.
    pub fn unchanged(cfa: &'a Cfa, start: &'a [Tracked]) -> Self {
        Reduced { smaller: cfa, back: &Unchanged, start }
    }
}

/// Decides about `cfa` by way of a smaller automaton: a verdict is valid only if it is one about `cfa`.
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
    by_method(cfa, &prepared, Method::Cegar, config, backend, judge, observer)
}

/// An automaton after passes, and the way back.
type Made = Arc<(Cfa, Pipeline)>;

/// What is searched in the end, after the passes of a configuration.
pub(crate) struct Prepared<'a> {
    reduced: Reduced<'a>,
    /// What the pass `wraps` made of it, if that is not switched off.
    unwrapped: Option<Made>,
    smallest: Made,
}

impl<'a> Prepared<'a> {
    pub(crate) fn new(reduced: Reduced<'a>, config: &Config) -> Self {
        let unwrapped = config.passes.has_wraps().then(|| unwrapped(reduced.smaller));
        Prepared::after(reduced, unwrapped, config)
    }

    /// Runs the other passes.
    fn after(reduced: Reduced<'a>, unwrapped: Option<Made>, config: &Config) -> Self {
        let passes = config.passes.pipeline(config.domain, config.encoding);
        let cfa = unwrapped.as_deref().map_or(reduced.smaller, |(cfa, _)| cfa);
        let smallest = Arc::new(Pipeline::run(cfa, &passes));
        Prepared { reduced, unwrapped, smallest }
    }

    /// An execution of the automaton that is searched, as one of the automaton that was read.
    fn execution(&self, execution: Execution) -> Execution {
        let execution = self.smallest.1.execution(execution);
        let execution = match &self.unwrapped {
            Some(made) => made.1.execution(execution),
            None => execution,
        };
        self.reduced.back.execution(execution)
    }

    /// A proof about the automaton that is searched, as one about the automaton that was read.
    fn proof(&self, proof: Proof) -> Proof {
        let proof = self.smallest.1.proof(proof);
        let proof = match &self.unwrapped {
            Some(made) => made.1.proof(proof),
            None => proof,
        };
        self.reduced.back.proof(proof)
    }
}

fn unwrapped(cfa: &Cfa) -> Made {
    let wraps: &[&dyn Pass] = if cfa.has_written_checks() { &[&Wraps] } else { &[] };
    Arc::new(Pipeline::run(cfa, wraps))
}

/// What an automaton is after the passes of configurations, made once for all that have the same passes.
#[derive(Default)]
pub(crate) struct Preparations {
    unwrapped: OnceLock<Made>,
    made: Mutex<Vec<(MadeBy, Arc<Place>)>>,
}

/// What a pipeline depends on.
type MadeBy = (Passes, DomainKind, Encoding);
/// Whoever comes while it is being filled waits.
type Place = OnceLock<Made>;

impl Preparations {
    /// What `config` searches. `reduced` must be about the same automaton each time.
    pub(crate) fn prepared<'a>(&self, reduced: Reduced<'a>, config: &Config) -> Prepared<'a> {
        let unwrapped = config.passes.has_wraps().then(|| self.unwrapped(reduced));
        let place = self.place((config.passes, config.domain, config.encoding));
        let smallest =
            place.get_or_init(|| Prepared::after(reduced, unwrapped.clone(), config).smallest);
        Prepared { reduced, unwrapped, smallest: Arc::clone(smallest) }
    }

    /// What the pass `wraps` makes of the automaton.
    pub(crate) fn unwrapped(&self, reduced: Reduced<'_>) -> Made {
        Arc::clone(self.unwrapped.get_or_init(|| unwrapped(reduced.smaller)))
    }

    fn place(&self, made_by: MadeBy) -> Arc<Place> {
        let mut places = self.made.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, place)) = places.iter().find(|(other, _)| *other == made_by) {
            return Arc::clone(place);
        }
        let place = Arc::new(Place::new());
        places.push((made_by, Arc::clone(&place)));
        place
    }
}

/// How to look for a verdict.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// Abstraction and refinement.
    Cegar,
    /// Longer and longer paths, of which the configuration says what an edge is.
    Bounded,
    /// The same, and the question whether an error can follow so many steps without one.
    Induction,
    /// The whole automaton as Horn clauses.
    Horn,
    /// IC3 over a system of truth values.
    Ic3,
}

/// Decides by running the automaton, and validates what it found. A system is run as it was read, an automaton without
/// the wrap-around that cannot happen.
pub(crate) fn by_running(
    cfa: &Cfa,
    reduced: Reduced<'_>,
    preparations: &Preparations,
    watch: &Watch,
    observer: &mut dyn Observer,
) -> Verdict {
    let unwrapped = (!cfa.is_system()).then(|| preparations.unwrapped(reduced));
    let (run, back): (&Cfa, &dyn BackTranslate) = match unwrapped.as_deref() {
        Some((run, back)) => (run, back),
        None => (cfa, &Unchanged),
    };
    match concrete(run, watch, observer) {
        Ok(Concrete::Unsafe(execution)) => {
            observer.event(&Event::Validating);
            unsafe_(cfa, back.execution(execution))
        }
        Ok(Concrete::Exhausted(runs)) => Verdict::Unknown(Unknown::NoErrorMet { runs }),
        Err(stop) => Verdict::Unknown(stop.into()),
    }
}

/// Decides by a method, and validates what it found.
pub(crate) fn by_method(
    cfa: &Cfa,
    prepared: &Prepared<'_>,
    method: Method,
    config: &Config,
    backend: &dyn Backend,
    judge: &dyn Backend,
    observer: &mut dyn Observer,
) -> Verdict {
    let start = prepared.reduced.start;
    let smallest = &prepared.smallest.0;
    let outcome = match method {
        Method::Cegar => Search { cfa: smallest, config, start, backend }.run(observer),
        Method::Bounded | Method::Induction => {
            let is_inductive = method == Method::Induction && induction::applies(cfa);
            match bounded(smallest, is_inductive, backend, observer) {
                Ok(Bounded::Unsafe(execution)) => Ok(Outcome::Unsafe(execution)),
                Ok(Bounded::Safe(proof)) => Ok(Outcome::Safe(proof)),
                Ok(Bounded::Exhausted(depth)) => {
                    return Verdict::Unknown(Unknown::Exhausted { depth });
                }
                Err(stop) => Err(stop),
            }
        }
        Method::Horn => match horn(smallest, backend) {
            Ok(Solved::Safe(proof)) => Ok(Outcome::Safe(proof)),
            Ok(Solved::Unsafe) => return Verdict::Unknown(Unknown::NoSolution),
            Err(stop) => Err(stop),
        },
        Method::Ic3 => match ic3(smallest, backend, observer) {
            Ok(Answer::Unsafe(execution)) => Ok(Outcome::Unsafe(execution)),
            Ok(Answer::Safe(proof)) => Ok(Outcome::Safe(proof)),
            Ok(Answer::Unsupported) => return Verdict::Unknown(Unknown::NoBits),
            Err(stop) => Err(stop),
        },
    };
    if matches!(outcome, Ok(Outcome::Safe(_) | Outcome::Unsafe(_))) {
        observer.event(&Event::Validating);
    }
    match outcome {
        Ok(Outcome::Safe(proof)) => safe(cfa, prepared.proof(proof), judge),
        Ok(Outcome::Unsafe(execution)) => {
            let verdict = unsafe_(cfa, prepared.execution(execution));
            // Slicing trusts that what it takes away lets every run pass; if it does not, the error may be
            // none.
            match (&verdict, config.passes.without_slice()) {
                (Verdict::Unknown(Unknown::Internal(_)), Some(passes)) => {
                    observer.event(&Event::Repeated);
                    let config = Config { passes, ..*config };
                    let unwrapped = prepared.unwrapped.clone();
                    let prepared = Prepared::after(prepared.reduced, unwrapped, &config);
                    by_method(cfa, &prepared, method, &config, backend, judge, observer)
                }
                _ => verdict,
            }
        }
        Ok(Outcome::NoProgress(length)) => Verdict::Unknown(Unknown::NoProgress { length }),
        Err(stop) => Verdict::Unknown(stop.into()),
    }
}

/// What a search is about.
struct Search<'a> {
    cfa: &'a Cfa,
    config: &'a Config,
    start: &'a [Tracked],
    backend: &'a dyn Backend,
}

impl Search<'_> {
    /// Runs the loop with the domain that the configuration asks for.
    fn run(&self, observer: &mut dyn Observer) -> Result<Outcome> {
        let (config, backend, split) = (self.config, self.backend, self.config.pred_split);
        if config.precision == Granularity::State && config.domain != DomainKind::Explicit {
            let explicit = match config.domain {
                DomainKind::Combined => config.explicit_vars.select(self.cfa),
                _ => VarSet::new(),
            };
            return self.with(States::new(backend, config.max_enum, explicit), observer);
        }
        match (config.domain, config.abstraction) {
            (DomainKind::Explicit, _) => {
                self.with(Explicit::new(backend, config.max_enum), observer)
            }
            (_, Abstraction::Cartesian) => {
                self.with_predicates(Cartesian::new(backend, split), observer)
            }
            (_, Abstraction::Boolean) => {
                self.with_predicates(Boolean::new(backend, split), observer)
            }
            (_, Abstraction::Split) => self.with_predicates(Split::new(backend, split), observer),
        }
    }

    /// Runs the loop with predicates, alone or beside values.
    fn with_predicates<P: Domain<Prec = Predicates>>(
        &self,
        predicates: P,
        observer: &mut dyn Observer,
    ) -> Result<Outcome> {
        let (backend, max_enum) = (self.backend, self.config.max_enum);
        match self.config.domain {
            DomainKind::Product => self.with(Product::new(backend, max_enum, predicates), observer),
            DomainKind::Combined => {
                let explicit = self.config.explicit_vars.select(self.cfa);
                self.with(Combined::new(backend, max_enum, explicit, predicates), observer)
            }
            DomainKind::Explicit | DomainKind::Predicate => self.with(predicates, observer),
        }
    }

    fn with<D: Domain>(&self, domain: D, observer: &mut dyn Observer) -> Result<Outcome> {
        let Search { cfa, config, start, backend } = *self;
        let checker = Select::build(cfa, config, backend);
        // Visible variables are those of all states, so that making one visible splits all of them.
        let (granularity, prune) = match (config.precision, config.domain) {
            (Granularity::State, DomainKind::Explicit) => (Granularity::Global, Prune::Full),
            (granularity, _) => (granularity, config.prune),
        };
        let mut refiner = Refiner::new(cfa, backend, vec![checker], prune);
        let mut prec = PrecisionMap::new(cfa, granularity);
        let mut domain = Limited::new(domain, backend);
        prec.adopt(cfa, start);
        for reason in config.initial_precision.reasons(cfa) {
            let learned = domain.learn(&domain.top(), &reason, &D::Prec::default());
            let everywhere = |fact: Fact| Tracked { at: None, fact };
            prec.adopt(cfa, &learned.facts().into_iter().map(everywhere).collect::<Vec<_>>());
        }
        let order = (config.search, config.refine.most());
        let outcome = cegar(cfa, &mut domain, order, &mut refiner, &mut prec, observer);
        observer.precision(&|| prec.facts(cfa));
        outcome
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
