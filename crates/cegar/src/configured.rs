//! The loop with the domain, the checker and the precision that a configuration asks for.

use lapidary_expr::VarSet;
use lapidary_model::Cfa;
use lapidary_solver::Backend;
use lapidary_solver::interpolate::{self, Engine};

use crate::cegar::{Outcome, cegar};
use crate::checker::Checker;
use crate::config::{Config, DomainKind};
use crate::domain::predicate::{Abstraction, Predicates};
use crate::domain::{Boolean, Cartesian, Combined, Explicit, Limited, Product, Split, States};
use crate::precision::{Fact, Granularity, PrecisionMap, Tracked};
use crate::refinement::{Prune, Refiner};
use crate::{Domain, Observer, Precision, Result, TraceChecker};

/// The trace checker of a configuration, with the selection around it.
pub fn trace_checker(cfa: &Cfa, config: &Config, backend: &dyn Backend) -> Box<dyn TraceChecker> {
    let build = |checker: Checker| {
        let interpolator = interpolate::interpolator(config.interpolation, backend);
        let interpolator = match (config.domain, config.interpolation) {
            (DomainKind::Explicit | DomainKind::Product, Engine::Auto) => {
                interpolator.preferring_values()
            }
            _ => interpolator,
        };
        checker.with(interpolator, backend, &config.newton)
    };
    config.select.around(cfa, config.checker, backend, &build)
}

/// What the loop runs on.
#[derive(Clone, Copy)]
pub struct Configured<'a> {
    /// The automaton.
    pub cfa: &'a Cfa,
    /// Which loop it is.
    pub config: &'a Config,
    /// A precision to start from, beside the one that the configuration asks for.
    pub start: &'a [Tracked],
    /// The solver.
    pub backend: &'a dyn Backend,
}

impl Configured<'_> {
    /// Runs the loop.
    pub fn run(&self, observer: &mut dyn Observer) -> Result<Outcome> {
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
        let Configured { cfa, config, start, backend } = *self;
        let checker = trace_checker(cfa, config, backend);
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
