//! Precisions with locations, `Π_L` of the first paper: one for all locations, or one for each.

use std::fmt;
use std::str::FromStr;

use lapidary_model::{Cfa, Loc};

use crate::Precision;

/// Whether a precision is shared by all locations.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Granularity {
    /// One precision for the whole automaton.
    #[default]
    Global,
    /// One per location.
    Local,
}

impl Granularity {
    /// All granularities.
    pub const ALL: [Granularity; 2] = [Granularity::Global, Granularity::Local];

    /// The name, the same everywhere.
    pub fn name(self) -> &'static str {
        match self {
            Granularity::Global => "global",
            Granularity::Local => "local",
        }
    }
}

impl fmt::Display for Granularity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Granularity {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        Granularity::ALL
            .into_iter()
            .find(|value| value.name() == name)
            .ok_or_else(|| name.to_string())
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
