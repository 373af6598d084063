//! What a variable depends on, so that a query can be kept to its cone.

use crate::lit::Var;

/// The variables that each variable is a function of. A clause about gates must mention a gate and variables that the
/// gate is a function of; gates that a query does not depend on can then have the values that their functions give.
#[derive(Clone, Debug, Default)]
pub struct Cones {
    starts: Vec<u32>,
    fanins: Vec<Var>,
}

impl Cones {
    /// Nothing depends on anything.
    pub fn new() -> Self {
        Cones { starts: vec![0], fanins: Vec::new() }
    }

    /// Adds the variable with the next number, a function of these.
    pub fn add(&mut self, fanins: impl IntoIterator<Item = Var>) {
        self.fanins.extend(fanins);
        self.starts.push(self.fanins.len() as u32);
    }

    /// The variables that `var` is a function of.
    #[inline]
    pub fn fanins(&self, var: Var) -> &[Var] {
        match self.starts.get(var as usize..=var as usize + 1) {
            Some(bounds) => &self.fanins[bounds[0] as usize..bounds[1] as usize],
            None => &[],
        }
    }
}
