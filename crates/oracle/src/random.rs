//! A small generator of pseudo-random numbers: same seed, same numbers, everywhere.

/// SplitMix64 (Steele, Lea, Flood: *Fast Splittable Pseudorandom Number Generators*, OOPSLA 2014).
///
/// It may start with decisions that somebody else made, such as a fuzzer: one byte each.
#[derive(Clone, Debug)]
pub struct Random {
    state: u64,
    decided: std::vec::IntoIter<u8>,
}

impl Random {
    /// The sequence of a seed.
    pub fn new(seed: u64) -> Self {
        Random { state: seed, decided: Vec::new().into_iter() }
    }

    /// Decisions by these bytes first, so that a changed byte changes one of them; then a sequence.
    pub fn from_bytes(bytes: &[u8]) -> Self {
        Random { state: 0, decided: Vec::from(bytes).into_iter() }
    }

    /// The next 64 bits.
    pub fn bits(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `n`.
    pub fn below(&mut self, n: usize) -> usize {
        let number = self.decided.next().map_or_else(|| self.bits(), u64::from);
        (number % n.max(1) as u64) as usize
    }

    /// One of the items.
    pub fn pick<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        &items[self.below(items.len())]
    }

    /// True in `percent` of the cases.
    pub fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }
}
