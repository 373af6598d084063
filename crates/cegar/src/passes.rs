//! Which passes run before the automaton is explored, and in what order.

use std::fmt;
use std::str::FromStr;

use lapidary_model::pass::{Bits, Cone, Constants, Invariants, Pass, Slice, Unreachable};

use crate::domain::DomainKind;
use crate::encoding::Encoding;

/// The passes that can be switched off, with their names, in their order.
const PASSES: [&dyn Pass; 6] =
    [&Unreachable, &Bits, &Constants, &Slice, &Cone, &Invariants::Assumed];

/// Switches off the pass that runs before all others; for use after the names of passes.
const NO_WRAPS: &str = ",no-wraps";

/// A set of passes: `all`, `none`, or their names with commas between them. The pass `wraps` is in every set, unless
/// `no-wraps` follows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Passes {
    /// One bit for each of [`PASSES`].
    bits: u8,
    has_wraps: bool,
}

impl Passes {
    /// All passes.
    pub const ALL: Passes = Passes { bits: (1 << PASSES.len()) - 1, has_wraps: true };
    /// No pass but `wraps`.
    pub const NONE: Passes = Passes { bits: 0, has_wraps: true };
    /// The values to try.
    pub const NAMES: &[&str] = &["all", "none"];

    fn has(self, i: usize) -> bool {
        self.bits & (1 << i) != 0
    }

    /// Whether wrap-around that cannot happen is removed.
    pub fn has_wraps(self) -> bool {
        self.has_wraps
    }

    /// The set without slicing, if it is in there.
    pub fn without_slice(self) -> Option<Passes> {
        self.without(Slice.name())
    }

    /// The set without the pass of this name, if it is in there.
    pub fn without(self, name: &str) -> Option<Passes> {
        let i = PASSES.iter().position(|pass| pass.name() == name)?;
        self.has(i).then_some(Passes { bits: self.bits & !(1 << i), ..self })
    }

    /// The passes after `wraps` in order, that of the encoding last. Constants cut edges, which shows more to be
    /// unreachable. Explicit values do not profit from assumptions about other variables, and words are values
    /// as well as bits are.
    pub fn pipeline(self, domain: DomainKind, encoding: Encoding) -> Vec<&'static dyn Pass> {
        let mut passes: Vec<&'static dyn Pass> = Vec::new();
        let is_explicit = domain == DomainKind::Explicit;
        let wanted = PASSES.into_iter().enumerate().filter(|(i, _)| self.has(*i));
        for pass in wanted.map(|(_, pass)| pass) {
            if pass.name() == Bits.name() && domain != DomainKind::Predicate {
                continue;
            }
            passes.push(match pass.name() == Invariants::Assumed.name() && is_explicit {
                true => &Invariants::Decisive,
                false => pass,
            });
            if pass.name() == Constants.name() && self.has(0) {
                passes.push(&Unreachable);
            }
        }
        passes.extend(encoding.pass());
        passes
    }
}

impl Default for Passes {
    fn default() -> Self {
        Passes::ALL
    }
}

impl fmt::Display for Passes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<&str> = PASSES
            .iter()
            .enumerate()
            .filter(|(i, _)| self.has(*i))
            .map(|(_, pass)| pass.name())
            .collect();
        f.write_str(
            match self.bits {
                bits if bits == Passes::ALL.bits => "all".into(),
                0 => "none".into(),
                _ => names.join(","),
            }
            .as_str(),
        )?;
        f.write_str(if self.has_wraps { "" } else { NO_WRAPS })
    }
}

impl FromStr for Passes {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if let Some(rest) = text.strip_suffix(NO_WRAPS) {
            let set = rest.parse::<Passes>().ok().filter(|set| set.has_wraps);
            let set = set.ok_or_else(|| text.to_string())?;
            return Ok(Passes { has_wraps: false, ..set });
        }
        match text {
            "all" => Ok(Passes::ALL),
            "none" => Ok(Passes::NONE),
            _ => text.split(',').try_fold(Passes::NONE, |set, name| {
                let i = PASSES.iter().position(|pass| pass.name() == name.trim());
                i.map(|i| Passes { bits: set.bits | (1 << i), ..set })
                    .ok_or_else(|| text.to_string())
            }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_have_one_spelling() {
        for (text, expected) in [
            ("all", "all"),
            ("none", "none"),
            ("cone, unreachable", "unreachable,cone"),
            ("unreachable,bits,constants,slice,cone,invariants", "all"),
            ("all,no-wraps", "all,no-wraps"),
            ("none,no-wraps", "none,no-wraps"),
            ("cone,unreachable,no-wraps", "unreachable,cone,no-wraps"),
        ] {
            assert_eq!(text.parse::<Passes>().map(|set| set.to_string()), Ok(expected.into()));
        }
        for wrong in ["", "cone,", "all,cone", "lbe", "wraps", "no-wraps", "all,no-wraps,no-wraps"]
        {
            assert!(wrong.parse::<Passes>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn passes_run_in_order() {
        let names = |set: Passes, encoding: Encoding| {
            set.pipeline(DomainKind::Predicate, encoding)
                .iter()
                .map(|pass| pass.name())
                .collect::<Vec<_>>()
                .join(" ")
        };
        let all = "unreachable bits constants unreachable slice cone invariants lbe";
        assert_eq!(names(Passes::ALL, Encoding::Lbe), all);
        assert_eq!(names(Passes::NONE, Encoding::Sbe), "");
        let rest = Passes::ALL.without_slice();
        assert_eq!(
            rest.map(|set| set.to_string()),
            Some("unreachable,bits,constants,cone,invariants".into())
        );
        assert_eq!(rest.and_then(Passes::without_slice), None);
    }
}
