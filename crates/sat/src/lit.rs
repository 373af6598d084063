//! Variables and literals.

use std::fmt;
use std::ops::Not;

/// A variable: a number from 0.
pub type Var = u32;

/// A variable or its negation.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Lit(u32);

impl Lit {
    /// The variable itself.
    #[inline]
    pub fn positive(var: Var) -> Lit {
        Lit(var << 1)
    }

    /// The literal of `var` that is true if the variable has this value.
    #[inline]
    pub fn new(var: Var, value: bool) -> Lit {
        Lit((var << 1) | u32::from(!value))
    }

    /// Its variable.
    #[inline]
    pub fn var(self) -> Var {
        self.0 >> 1
    }

    /// Whether it is a variable, not a negation.
    #[inline]
    pub fn is_positive(self) -> bool {
        self.0 & 1 == 0
    }

    /// The literal, negated if `condition` holds.
    #[inline]
    #[must_use]
    pub fn negated_if(self, condition: bool) -> Lit {
        Lit(self.0 ^ u32::from(condition))
    }

    /// A number that differs for each literal: `2 v` for a variable `v`, `2 v + 1` for its negation.
    #[inline]
    pub fn code(self) -> u32 {
        self.0
    }

    /// The literal with this [`code`](Lit::code).
    #[inline]
    pub fn from_code(code: u32) -> Lit {
        Lit(code)
    }

    #[inline]
    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }
}

impl Not for Lit {
    type Output = Lit;

    #[inline]
    fn not(self) -> Lit {
        Lit(self.0 ^ 1)
    }
}

impl fmt::Debug for Lit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", if self.is_positive() { "" } else { "-" }, self.var())
    }
}
