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
    /// Memory that is allocated and not freed at the end.
    Cleanup,
}

impl Check {
    /// All checks.
    pub const ALL: [Check; 9] = [
        Check::Assertion,
        Check::Overflow,
        Check::Division,
        Check::Shift,
        Check::Bounds,
        Check::Pointer,
        Check::Free,
        Check::Leak,
        Check::Cleanup,
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
            Check::Cleanup => "cleanup",
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
            Check::Cleanup => "allocated memory is not freed at the end",
        }
    }

    /// The property of SV-COMP that a violation is one of.
    pub fn competition(self) -> &'static str {
        match self {
            Check::Assertion => "unreach-call",
            Check::Overflow => "no-overflow",
            Check::Bounds | Check::Pointer => "valid-deref",
            Check::Free => "valid-free",
            Check::Leak => "valid-memtrack",
            Check::Cleanup => "valid-memcleanup",
            Check::Division | Check::Shift => UNDEFINED_BEHAVIOUR,
        }
    }
}

/// What SV-COMP has no property for.
pub const UNDEFINED_BEHAVIOUR: &str = "undefined behaviour";

/// The checks that are asked for, and what a violation of another one means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Checks {
    asked: u16,
    /// Whether undefined operations behave as on common machines if nobody asks for them.
    is_machine: bool,
}

/// What happens where a check is violated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::c) enum Meaning {
    /// The property is violated.
    Violated,
    /// The model ends.
    Outside,
    /// The program goes on, or ends, as on common machines.
    Machine,
}

impl Checks {
    /// What SV-COMP calls reachability: signed overflow wraps, a division by zero ends the program, and distances of shifts
    /// count modulo the width.
    pub const REACHABILITY: Checks = Checks { asked: 1, is_machine: true };

    /// What is checked unless something else is asked for.
    pub const DEFAULT: [Check; 6] = [
        Check::Assertion,
        Check::Bounds,
        Check::Pointer,
        Check::Division,
        Check::Shift,
        Check::Free,
    ];

    /// What `--check all` asks for.
    pub const GROUP: [Check; 8] = [
        Check::Assertion,
        Check::Overflow,
        Check::Division,
        Check::Shift,
        Check::Bounds,
        Check::Pointer,
        Check::Free,
        Check::Leak,
    ];

    /// These checks; each undefined operation that none of them is about is a place outside the model, but signed overflow
    /// wraps. Assertions alone are [reachability](Checks::REACHABILITY).
    pub fn of(checks: impl IntoIterator<Item = Check>) -> Checks {
        let asked = checks.into_iter().fold(0, |asked, check| asked | 1 << check as u16);
        Checks { asked, is_machine: asked == Checks::REACHABILITY.asked }
    }

    /// These checks, by the rules of SV-COMP.
    pub fn of_competition(checks: impl IntoIterator<Item = Check>) -> Checks {
        Checks { is_machine: true, ..Checks::of(checks) }
    }

    /// Whether a check is asked for.
    pub fn ask(self, check: Check) -> bool {
        self.asked & 1 << check as u16 != 0
    }

    /// Whether anything is asked about memory.
    pub(in crate::c) fn ask_memory(self) -> bool {
        [Check::Bounds, Check::Pointer, Check::Free, Check::Leak, Check::Cleanup]
            .into_iter()
            .any(|check| self.ask(check))
    }

    /// The checks that are asked for, in the order of reports.
    pub fn iter(self) -> impl Iterator<Item = Check> {
        Check::ALL.into_iter().filter(move |check| self.ask(*check))
    }

    /// What happens where a check is violated.
    pub(in crate::c) fn meaning(self, check: Check) -> Meaning {
        match check {
            _ if self.ask(check) => Meaning::Violated,
            Check::Overflow => Meaning::Machine,
            // Of a distance that is too large, the result of a shift would not tell whether it fits.
            Check::Shift if self.is_machine && !self.ask(Check::Overflow) => Meaning::Machine,
            Check::Division if self.is_machine => Meaning::Machine,
            _ => Meaning::Outside,
        }
    }
}

impl fmt::Display for Check {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
