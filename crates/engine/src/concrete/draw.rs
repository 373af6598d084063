//! Values for what an automaton leaves open: any, but rather those that matter.
//!
//! Programs ask whether an input is zero, is one of their constants, or lies between two of them, so these are drawn
//! more often than chance would.

use lapidary_expr::Sort;
use rustc_hash::FxHashMap;

/// So many good values of a variable are remembered.
const MOST_GOOD: usize = 32;

/// A source of values; the same seed gives the same ones.
#[derive(Clone, Debug)]
pub(super) struct Draw {
    state: u64,
    /// Constants of the automaton, sorted by their sorts' names.
    constants: Vec<(Sort, i64)>,
    /// Only zeros, for the first run.
    is_plain: bool,
    /// Values of variables that runs went on with, and those drawn since the last of these.
    good: FxHashMap<u32, Vec<i64>>,
    fresh: Vec<(u32, i64)>,
    /// How much was drawn: without it, another run is the same again.
    pub(super) drawn: u64,
}

impl Draw {
    pub(super) fn new(constants: &[(Sort, i64)]) -> Self {
        Draw {
            state: 1,
            constants: constants.to_vec(),
            is_plain: true,
            good: FxHashMap::default(),
            fresh: Vec::new(),
            drawn: 0,
        }
    }

    /// Starts anew; seed 0 draws zeros.
    pub(super) fn seed(&mut self, seed: u64) {
        self.state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
        self.is_plain = seed == 0;
        self.drawn = 0;
        self.fresh.clear();
    }

    /// A value for a variable: every other time one that was good for it.
    pub(super) fn value_for(&mut self, variable: u32, sort: Sort) -> i64 {
        let n_good = self.good.get(&variable).map_or(0, Vec::len);
        let value = match n_good > 0 && self.below(2) == 1 {
            true => {
                let chosen = self.below(n_good);
                self.good[&variable][chosen]
            }
            false => self.value(sort),
        };
        self.fresh.push((variable, value));
        value
    }

    /// The run goes on with what was drawn.
    pub(super) fn keep_good(&mut self) {
        for (variable, value) in self.fresh.drain(..) {
            let good = self.good.entry(variable).or_default();
            if good.len() < MOST_GOOD && !good.contains(&value) {
                good.push(value);
            }
        }
    }

    /// What was drawn since then is drawn anew.
    pub(super) fn forget_fresh(&mut self) {
        self.fresh.clear();
    }

    /// A number below `n` (xorshift64*).
    pub(super) fn below(&mut self, n: usize) -> usize {
        self.drawn += 1;
        if self.is_plain {
            return 0;
        }
        (self.bits() >> 16) as usize % n.max(1)
    }

    fn number(&mut self, below: u32) -> i64 {
        i64::from(self.below(below as usize) as u32)
    }

    fn bits(&mut self) -> u64 {
        self.state ^= self.state >> 12;
        self.state ^= self.state << 25;
        self.state ^= self.state >> 27;
        self.state.wrapping_mul(0x2545_F491_4F6C_DD1D)
    }

    /// A value of a sort.
    pub(super) fn value(&mut self, sort: Sort) -> i64 {
        let small = self.number(17) - 8;
        if self.is_plain {
            return 0;
        }
        let word = match self.below(8) {
            0..3 => small,
            3..6 => self.constant(sort).wrapping_add(small.signum() * i64::from(small.abs() > 4)),
            6 => self.number(128),
            // Most numbers of C have 32 bits.
            _ => i64::from((self.bits() as u32).cast_signed()),
        };
        match sort {
            Sort::Bool => word & 1,
            Sort::Bv(width) if width < 64 => word & (1_i64 << width).wrapping_sub(1),
            _ => word,
        }
    }

    fn constant(&mut self, sort: Sort) -> i64 {
        let first = self.constants.iter().position(|(other, _)| *other == sort);
        let Some(first) = first else { return 0 };
        let n = self.constants[first..].iter().take_while(|(other, _)| *other == sort).count();
        let chosen = first + self.below(n);
        self.constants[chosen].1
    }
}
