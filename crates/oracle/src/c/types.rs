//! The scalar types of C, and the numbers that are worth trying.

use super::construct::Construct;
use crate::random::Random;

/// A scalar type: a place in the table of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Ty(pub usize);

/// Name, the end of its `__VERIFIER_nondet_` function, whether it has negative values, what it shows.
const TYPES: [(&str, &str, bool, Construct); 15] = [
    ("int", "int", true, Construct::Int),
    ("unsigned", "uint", false, Construct::Int),
    ("_Bool", "bool", false, Construct::Bool),
    ("char", "char", true, Construct::Char),
    ("signed char", "char", true, Construct::Char),
    ("unsigned char", "uchar", false, Construct::Char),
    ("short", "short", true, Construct::Short),
    ("unsigned short", "ushort", false, Construct::Short),
    ("long", "long", true, Construct::Long),
    ("unsigned long", "ulong", false, Construct::Long),
    ("long long", "longlong", true, Construct::LongLong),
    ("unsigned long long", "ulonglong", false, Construct::LongLong),
    ("enum @E", "int", true, Construct::Enum),
    ("float", "float", true, Construct::Float),
    ("double", "double", true, Construct::Double),
];

impl Ty {
    /// `int`.
    pub const INT: Ty = Ty(0);
    /// `unsigned long long`.
    pub const ULLONG: Ty = Ty(11);

    /// An integer type; `int` is the most frequent.
    pub fn any_int(random: &mut Random) -> Ty {
        if random.chance(25) { Ty::INT } else { Ty(random.below(13)) }
    }

    /// `float` or `double`.
    pub fn any_float(random: &mut Random) -> Ty {
        Ty(13 + random.below(2))
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        TYPES[self.0].0
    }

    /// The end of the name of the function that returns any value of it.
    pub fn nondet(self) -> &'static str {
        TYPES[self.0].1
    }

    /// Whether it has negative values.
    pub fn is_signed(self) -> bool {
        TYPES[self.0].2
    }

    /// What it shows of the language.
    pub fn construct(self) -> Construct {
        TYPES[self.0].3
    }

    /// Whether it is `float` or `double`.
    pub fn is_float(self) -> bool {
        self.0 >= 13
    }
}

/// An integer constant.
pub fn literal(random: &mut Random) -> String {
    const FAR: [&str; 20] = [
        "2147483648",
        "0x80000000",
        "0xffffffff",
        "'\\xff'",
        "'ab'",
        "0xffffL",
        "127",
        "128",
        "255",
        "256",
        "32767",
        "65535",
        "2147483647",
        "(-2147483647 - 1)",
        "2147483648u",
        "4294967295u",
        "4294967296LL",
        "5000000000LL",
        "9223372036854775807LL",
        "0x8000000000000000ULL",
    ];
    match random.below(10) {
        0 => (*random.pick(&FAR)).to_string(),
        1 => format!("{}u", random.below(20)),
        2 => format!("(-{})", 1 + random.below(20)),
        3 => random.below(300).to_string(),
        _ => random.below(10).to_string(),
    }
}

/// A small integer constant that every type holds.
pub fn small(random: &mut Random, ty: Ty) -> String {
    match ty.name() {
        "_Bool" => random.below(2).to_string(),
        "enum @E" => (*random.pick(&["@E0", "@E1", "@E2"])).to_string(),
        _ if ty.is_signed() && random.chance(30) => format!("-{}", 1 + random.below(9)),
        _ => random.below(12).to_string(),
    }
}

/// A floating constant.
pub fn floating(random: &mut Random) -> String {
    (*random.pick(&["0.0", "1.0f", "0.5", "-2.5", "3.0f", "0.1", "0.1f", "100.25", "16777217.0"]))
        .to_string()
}
