//! The encodings of integers, by their names.

use std::fmt;
use std::str::FromStr;

/// How numbers are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Arith {
    /// Integers for programs without bit operations, bit-vectors for the others.
    #[default]
    Auto,
    /// Bit-vectors.
    Bv,
    /// Integers, with wrap-around.
    Int,
    /// Integers without wrap-around, which is not C.
    Unbounded,
}

impl Arith {
    /// The names of all values.
    pub const NAMES: &[&str] = &["auto", "bv", "int", "unbounded"];
    const ALL: [Arith; 4] = [Arith::Auto, Arith::Bv, Arith::Int, Arith::Unbounded];

    /// The name of the value.
    pub fn name(self) -> &'static str {
        match self {
            Arith::Auto => "auto",
            Arith::Bv => "bv",
            Arith::Int => "int",
            Arith::Unbounded => "unbounded",
        }
    }
}

impl fmt::Display for Arith {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Arith {
    type Err = String;

    fn from_str(name: &str) -> Result<Arith, String> {
        Arith::ALL.into_iter().find(|arith| arith.name() == name).ok_or_else(|| name.into())
    }
}
