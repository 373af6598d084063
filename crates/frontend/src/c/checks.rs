//! What is checked in a program, and what becomes of a violation that was not asked for.

use std::fmt;

/// A kind of property. The order is that of reports.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Check {
    /// What the program states: an assertion, or that its error function is not called.
    Assertion,
    /// A signed operation whose result does not fit into its type.
    Overflow,
    /// A division by zero.
    Division,
    /// A shift by a negative distance, or by at least the width.
    Shift,
    /// An access outside of an object.
    Bounds,
    /// A pointer that points to no object: null, without a value, or to an object that has ended.
    Pointer,
    /// `free` of something that was not allocated, or not any more.
    Free,
    /// Memory that is allocated and that nothing points to.
    Leak,
}

impl Check {
    /// All checks.
    pub const ALL: [Check; 8] = [
        Check::Assertion,
        Check::Overflow,
        Check::Division,
        Check::Shift,
        Check::Bounds,
        Check::Pointer,
        Check::Free,
        Check::Leak,
    ];

    /// The spelling.
    pub fn name(self) -> &'static str {
        match self {
            Check::Assertion => lapidary_model::ASSERTION,
            Check::Overflow => "overflow",
            Check::Division => "division",
            Check::Shift => "shift",
            Check::Bounds => "bounds",
            Check::Pointer => "pointer",
            Check::Free => "free",
            Check::Leak => "leak",
        }
    }

    /// What a violation is, for people.
    pub fn violation(self) -> &'static str {
        match self {
            Check::Assertion => "the assertion fails",
            Check::Overflow => "signed overflow",
            Check::Division => "division by zero",
            Check::Shift => "a shift by a negative distance or by at least the width",
            Check::Bounds => "an access outside of its object",
            Check::Pointer => "a pointer that points to no object is used",
            Check::Free => "memory is freed that is not allocated",
            Check::Leak => "allocated memory is lost",
        }
    }
}

impl fmt::Display for Check {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
