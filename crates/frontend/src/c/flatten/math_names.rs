//! Functions of `math.h`, by their names and those that the macros of system headers use.

use crate::c::flat::Function;

/// A function of floating numbers that is modelled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::c) enum Library {
    /// A function of one number.
    Of(Function),
    Minimum,
    Maximum,
    CopySign,
    /// To the nearest integer, away from zero in the middle.
    Round,
    Nan,
    Infinity,
    IsNan,
    IsInfinite,
    /// One for infinity, minus one for the negative one.
    InfiniteSign,
    IsFinite,
    IsNormal,
    SignBit,
    /// With the numbers of the classes as the first arguments.
    Classify,
    /// With those of the GNU C library.
    ClassifyGlibc,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
    LessOrGreater,
    Unordered,
}

impl Library {
    /// Whether the result is no floating number, but says something about one.
    pub(in crate::c) fn is_test(self) -> bool {
        !matches!(
            self,
            Library::Of(_)
                | Library::Minimum
                | Library::Maximum
                | Library::CopySign
                | Library::Round
                | Library::Nan
                | Library::Infinity
        )
    }
}

/// Names that end with nothing or with `f` or `l`, for the type.
const TYPED: [(&str, Library); 19] = [
    ("fabs", Library::Of(Function::Absolute)),
    ("sqrt", Library::Of(Function::Root)),
    ("floor", Library::Of(Function::Floor)),
    ("ceil", Library::Of(Function::Ceiling)),
    ("trunc", Library::Of(Function::Truncated)),
    ("round", Library::Round),
    ("fmin", Library::Minimum),
    ("fmax", Library::Maximum),
    ("copysign", Library::CopySign),
    ("nan", Library::Nan),
    ("isnan", Library::IsNan),
    ("__isnan", Library::IsNan),
    ("isinf", Library::InfiniteSign),
    ("__isinf", Library::InfiniteSign),
    ("finite", Library::IsFinite),
    ("__finite", Library::IsFinite),
    ("signbit", Library::SignBit),
    ("__signbit", Library::SignBit),
    ("__fpclassify", Library::ClassifyGlibc),
];

/// Names of gcc's own functions, after their prefix.
const BUILTIN: [(&str, Library); 14] = [
    ("isinf", Library::IsInfinite),
    ("isinf_sign", Library::InfiniteSign),
    ("isfinite", Library::IsFinite),
    ("isnormal", Library::IsNormal),
    ("fpclassify", Library::Classify),
    ("isless", Library::Less),
    ("islessequal", Library::LessOrEqual),
    ("isgreater", Library::Greater),
    ("isgreaterequal", Library::GreaterOrEqual),
    ("islessgreater", Library::LessOrGreater),
    ("isunordered", Library::Unordered),
    ("inf", Library::Infinity),
    ("huge_val", Library::Infinity),
    ("nans", Library::Nan),
];

/// Functions whose results we do not compute, also with a suffix for the type.
const UNMODELLED: [&str; 56] = [
    "sin",
    "cos",
    "tan",
    "asin",
    "acos",
    "atan",
    "atan2",
    "sinh",
    "cosh",
    "tanh",
    "asinh",
    "acosh",
    "atanh",
    "exp",
    "exp2",
    "exp10",
    "expm1",
    "log",
    "log2",
    "log10",
    "log1p",
    "logb",
    "ilogb",
    "pow",
    "powi",
    "cbrt",
    "hypot",
    "erf",
    "erfc",
    "lgamma",
    "tgamma",
    "gamma",
    "fmod",
    "remainder",
    "drem",
    "fma",
    "fdim",
    "rint",
    "nearbyint",
    "lrint",
    "llrint",
    "lround",
    "llround",
    "scalb",
    "scalbn",
    "scalbln",
    "ldexp",
    "nextafter",
    "nexttoward",
    "significand",
    "j0",
    "j1",
    "jn",
    "y0",
    "y1",
    "yn",
];

/// The name without its suffix, or with it.
fn is_named(name: &str, known: &str) -> bool {
    name.strip_prefix(known).is_some_and(|suffix| matches!(suffix, "" | "f" | "l"))
}

/// Whether a name is that of a function whose result we do not compute.
pub(in crate::c) fn is_unmodelled(name: &str) -> bool {
    UNMODELLED.iter().any(|known| is_named(name, known))
}

/// The function with a name, which is without its prefix if it is one of gcc's own.
pub(in crate::c) fn named(name: &str, is_builtin: bool) -> Option<Library> {
    let builtin = BUILTIN.iter().filter(|(known, library)| match library {
        Library::Infinity | Library::Nan => is_builtin && is_named(name, known),
        Library::IsInfinite => is_builtin && *known == name,
        _ => *known == name,
    });
    let typed = TYPED.iter().filter(|(known, _)| is_named(name, known));
    builtin.chain(typed).next().map(|(_, library)| *library)
}
