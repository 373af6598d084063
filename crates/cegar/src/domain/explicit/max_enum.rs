//! How many successors to enumerate: the axis `max-enum`.

use lapidary_expr::{Op, Sort, Term, Value, Var, VarSet};

/// How many successors to enumerate where evaluation does not know.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum MaxEnum {
    /// `1*`: evaluation alone, never the solver.
    Evaluate,
    /// Up to this many combinations of values, then ⊤.
    Limit(u32),
    /// All of them, however many.
    Unlimited,
    /// As many as the types of the variables and the operation suggest.
    Auto,
}

/// What [`MaxEnum::Auto`] allows at most: beyond this, relations are cheaper than values.
const MOST: u64 = 64;

impl MaxEnum {
    /// The limit for the values of `vars` in the models of `formula`; none = no limit.
    pub(super) fn limit(self, formula: Term, vars: &VarSet) -> Option<usize> {
        match self {
            MaxEnum::Evaluate => Some(1),
            MaxEnum::Limit(k) => Some(k as usize),
            MaxEnum::Unlimited => None,
            MaxEnum::Auto => {
                let conjuncts = formula.conjuncts();
                let sizes = vars.iter().map(|var| size(*var, &conjuncts));
                let combinations = sizes.fold(1u64, u64::saturating_mul);
                Some(combinations.clamp(1, MOST) as usize)
            }
        }
    }
}

/// How many values a variable can have, as far as its type, a modulus or two bounds tell; one if nothing does,
/// as unbounded numbers had better not be enumerated.
fn size(var: Var, conjuncts: &[Term]) -> u64 {
    match var.sort() {
        Sort::Bool => 2,
        Sort::Bv(width) => 1u64.checked_shl(width).unwrap_or(u64::MAX),
        Sort::Int => conjuncts
            .iter()
            .find_map(|conjunct| modulus(var, *conjunct))
            .or_else(|| range(var, conjuncts))
            .unwrap_or(1),
        Sort::Rat | Sort::Array(_) => 1,
    }
}

/// `var = t mod n`.
fn modulus(var: Var, conjunct: Term) -> Option<u64> {
    let (Op::Eq, [left, right]) = (conjunct.op(), conjunct.args()) else { return None };
    let other = match (left.as_var() == Some(var), right.as_var() == Some(var)) {
        (true, _) => right,
        (_, true) => left,
        _ => return None,
    };
    match (other.op(), other.args()) {
        (Op::Mod, [_, modulus]) => Some(modulus.as_lit().and_then(Value::pack)?.unsigned_abs()),
        _ => None,
    }
}

/// `low <= var` and `var <= high`.
fn range(var: Var, conjuncts: &[Term]) -> Option<u64> {
    let (mut low, mut high): (Option<i64>, Option<i64>) = (None, None);
    for conjunct in conjuncts {
        let (Op::Le, [left, right]) = (conjunct.op(), conjunct.args()) else { continue };
        let number = |term: &Term| term.as_lit().and_then(Value::pack);
        if left.as_var() == Some(var) {
            high = number(right).or(high);
        } else if right.as_var() == Some(var) {
            low = number(left).or(low);
        }
    }
    high?.checked_sub(low?)?.checked_add(1).and_then(|size| u64::try_from(size).ok())
}

impl Default for MaxEnum {
    fn default() -> Self {
        MaxEnum::Limit(1)
    }
}

impl std::fmt::Display for MaxEnum {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            MaxEnum::Evaluate => f.write_str("1*"),
            MaxEnum::Limit(k) => write!(f, "{k}"),
            MaxEnum::Unlimited => f.write_str("0"),
            MaxEnum::Auto => f.write_str("auto"),
        }
    }
}

impl std::str::FromStr for MaxEnum {
    type Err = String;

    fn from_str(text: &str) -> std::result::Result<Self, String> {
        match (text, text.parse::<u32>()) {
            ("1*", _) => Ok(MaxEnum::Evaluate),
            ("auto", _) => Ok(MaxEnum::Auto),
            (_, Ok(0)) => Ok(MaxEnum::Unlimited),
            (_, Ok(k)) => Ok(MaxEnum::Limit(k)),
            _ => Err(text.to_string()),
        }
    }
}
