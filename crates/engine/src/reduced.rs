//! What is searched instead of an automaton, and how evidence comes back from there.

use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use lapidary_cegar::config::DomainKind;
use lapidary_cegar::encoding::Encoding;
use lapidary_cegar::passes::Passes;
use lapidary_cegar::{Config, Tracked};
use lapidary_model::pass::{BackTranslate, Pass, Pipeline, Unchanged, Wraps};
use lapidary_model::{Cfa, Execution, Proof};

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

/// An automaton after passes, and the way back.
type Made = Arc<(Cfa, Pipeline)>;

/// What is searched in the end, and the way back.
pub(crate) struct Prepared<'a> {
    pub(crate) reduced: Reduced<'a>,
    /// What the pass `wraps` made of it, if that is not switched off.
    unwrapped: Option<Made>,
    /// What the other passes made of that, if there are any.
    smallest: Option<Made>,
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
        let smallest = Some(Arc::new(Pipeline::run(cfa, &passes)));
        Prepared { reduced, unwrapped, smallest }
    }

    /// The same with other passes after `wraps`.
    pub(crate) fn again(&self, config: &Config) -> Self {
        Prepared::after(self.reduced, self.unwrapped.clone(), config)
    }

    /// The automaton to search.
    pub(crate) fn cfa(&self) -> &Cfa {
        let made = self.smallest.as_deref().or(self.unwrapped.as_deref());
        made.map_or(self.reduced.smaller, |(cfa, _)| cfa)
    }

    fn pipelines(&self) -> impl Iterator<Item = &Pipeline> {
        [&self.smallest, &self.unwrapped].into_iter().flatten().map(|made| &made.1)
    }

    /// An execution of the automaton that is searched, as one of the automaton that was read.
    pub(crate) fn execution(&self, execution: Execution) -> Execution {
        let execution = self.pipelines().fold(execution, |found, way| way.execution(found));
        self.reduced.back.execution(execution)
    }

    /// A proof about the automaton that is searched, as one about the automaton that was read.
    pub(crate) fn proof(&self, proof: Proof) -> Proof {
        let proof = self.pipelines().fold(proof, |found, way| way.proof(found));
        self.reduced.back.proof(proof)
    }
}

fn unwrapped(cfa: &Cfa) -> Made {
    let wraps: &[&dyn Pass] = if cfa.has_written_checks() { &[&Wraps] } else { &[] };
    Arc::new(Pipeline::run(cfa, wraps))
}

/// An automaton after passes. Configurations with the same passes share it.
#[derive(Default)]
pub(crate) struct Preparations {
    unwrapped: OnceLock<Made>,
    made: Mutex<Vec<(MadeBy, Arc<Slot>)>>,
}

/// What a pipeline depends on.
type MadeBy = (Passes, DomainKind, Encoding);
/// Whoever comes while it is being filled waits.
type Slot = OnceLock<Made>;

impl Preparations {
    /// What is searched with `config`. `reduced` must be about the same automaton each time.
    pub(crate) fn prepared<'a>(&self, reduced: Reduced<'a>, config: &Config) -> Prepared<'a> {
        let unwrapped = config.passes.has_wraps().then(|| self.unwrapped(reduced));
        let slot = self.slot((config.passes, config.domain, config.encoding));
        let smallest = slot.get_or_init(|| {
            let after = Prepared::after(reduced, unwrapped.clone(), config);
            after.smallest.expect("passes have run")
        });
        Prepared { reduced, unwrapped, smallest: Some(Arc::clone(smallest)) }
    }

    /// What is executed: a system as it was read, a program without the wrap-around that cannot happen.
    pub(crate) fn executed<'a>(&self, cfa: &'a Cfa, reduced: Reduced<'a>) -> Prepared<'a> {
        let start = reduced.start;
        match cfa.is_system() {
            true => Prepared {
                reduced: Reduced::unchanged(cfa, start),
                unwrapped: None,
                smallest: None,
            },
            false => Prepared { unwrapped: Some(self.unwrapped(reduced)), smallest: None, reduced },
        }
    }

    /// What the pass `wraps` makes of the automaton.
    fn unwrapped(&self, reduced: Reduced<'_>) -> Made {
        Arc::clone(self.unwrapped.get_or_init(|| unwrapped(reduced.smaller)))
    }

    fn slot(&self, made_by: MadeBy) -> Arc<Slot> {
        let mut slots = self.made.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, slot)) = slots.iter().find(|(other, _)| *other == made_by) {
            return Arc::clone(slot);
        }
        let slot = Arc::new(Slot::new());
        slots.push((made_by, Arc::clone(&slot)));
        slot
    }
}
