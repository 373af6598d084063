//! Precisions with locations, `Π_L` of the first paper: one for all locations, or one for each.

use lapidary_model::{Cfa, Loc};

use crate::Precision;
use crate::axis::axis;

axis! {
    /// Whether a precision is shared by all locations.
    pub enum Granularity {
        /// One precision for the whole automaton.
        #[default]
        Global = "global",
        /// One per location.
        Local = "local",
    }
}

/// The current precision `π_L`.
#[derive(Clone, Debug)]
pub struct PrecisionMap<P> {
    granularity: Granularity,
    /// One entry if global, one per location if local.
    entries: Vec<P>,
}

impl<P: Precision> PrecisionMap<P> {
    /// The empty precision.
    pub fn new(cfa: &Cfa, granularity: Granularity) -> Self {
        let n = match granularity {
            Granularity::Global => 1,
            Granularity::Local => cfa.n_locs(),
        };
        PrecisionMap { granularity, entries: vec![P::default(); n] }
    }

    fn slot(&self, loc: Loc) -> usize {
        match self.granularity {
            Granularity::Global => 0,
            Granularity::Local => loc.0 as usize,
        }
    }

    /// `π_L(l)`.
    pub fn at(&self, loc: Loc) -> &P {
        &self.entries[self.slot(loc)]
    }

    /// Adds `prec` at `loc`, that is everywhere if the precision is global; whether that was new.
    pub fn refine(&mut self, loc: Loc, prec: &P) -> bool {
        let slot = self.slot(loc);
        self.entries[slot].join(prec)
    }

    /// The number of things tracked, over all locations.
    pub fn size(&self) -> usize {
        self.entries.iter().map(Precision::size).sum()
    }
}
