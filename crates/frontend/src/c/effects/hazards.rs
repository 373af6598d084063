//! What may keep an evaluation from going on: it ends the program, violates the property, or leaves the model.
//!
//! The order of operands decides which of these comes first. An operand that ends the program must not hide that another
//! one violates the property or leaves the model. What leaves the model is only known when memory has been laid out, so
//! here everything counts that is not plainly arithmetic on variables.

use crate::c::ir::{Binary, Expr, Kind};
use crate::c::types::{Type, TypeId, Types};

use super::access::is_union;

/// What an evaluation may do besides yielding a value.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Hazards {
    /// It violates the property, or leaves the model.
    pub(super) fails: bool,
    /// It ends the program. So does a violation, for all other properties.
    pub(super) ends: bool,
}

impl Hazards {
    /// Adds others; whether that is new.
    pub(super) fn join(&mut self, other: Hazards) -> bool {
        let before = *self;
        self.fails |= other.fails;
        self.ends |= other.ends;
        *self != before
    }

    /// Those of an operator on its operands alone.
    pub(super) fn of_operator(op: Binary, left: TypeId, right: &Expr, types: &Types) -> Hazards {
        let is_number = types.as_int(left).is_some();
        let ends = is_number
            && matches!(op, Binary::Div | Binary::Rem)
            && right.as_int().is_none_or(|divisor| divisor == 0);
        let fails = match op {
            Binary::Shl | Binary::Shr => right.as_int().is_some(),
            _ => types.pointee(left).is_some(),
        };
        Hazards { fails, ends }
    }

    /// Those of a conversion: only from numbers to wider ones nothing can happen.
    pub(super) fn of_conversion(from: TypeId, to: TypeId, types: &Types) -> Hazards {
        let are_numbers = types.as_int(from).is_some() && types.as_int(to).is_some();
        Hazards { fails: !are_numbers, ends: false }
    }

    /// Those of reading or writing a place.
    pub(super) fn of_access(place: &Expr, types: &Types) -> Hazards {
        let mut inner = place;
        let is_plain = loop {
            match &inner.kind {
                Kind::Var(_) => break true,
                Kind::Member(record, _) if !is_union(types, record.ty) => inner = record,
                _ => break false,
            }
        };
        let is_number =
            matches!(types.get(place.ty), Type::Int(_) | Type::Float(_) | Type::Pointer(_));
        Hazards { fails: !(is_plain && is_number), ends: false }
    }

    /// Leaving the model.
    pub(super) const LEAVES: Hazards = Hazards { fails: true, ends: false };
}

/// Orders of operands in which each that may fail comes once before all others that may end the program, if these do not
/// interfere in any other way. None if every order is one.
///
/// What fails and does not end anything comes first, and what only ends the program comes last. Of those that may do
/// both, each is the first of them in one order.
pub(super) fn orders(operands: &[Hazards]) -> Option<Vec<Vec<usize>>> {
    let with = |fails: bool, ends: bool| {
        let is_wanted = move |i: &usize| operands[*i] == Hazards { fails, ends };
        (0..operands.len()).filter(is_wanted)
    };
    let both: Vec<usize> = with(true, true).collect();
    let last: Vec<usize> = with(false, true).collect();
    if both.len() < 2 {
        let ending = both.iter().chain(&last);
        let first_end = ending.min().copied().unwrap_or(operands.len());
        let later = (first_end + 1..operands.len()).any(|i| operands[i].fails);
        if !later {
            return None;
        }
    }
    let before: Vec<usize> = with(false, false).chain(with(true, false)).collect();
    let order = |first: Option<usize>| {
        let others = both.iter().copied().filter(|other| Some(*other) != first);
        let order = before.iter().copied().chain(first).chain(others).chain(last.iter().copied());
        order.collect::<Vec<usize>>()
    };
    Some(match both.len() {
        0 => vec![order(None)],
        _ => both.iter().map(|first| order(Some(*first))).collect(),
    })
}

#[cfg(test)]
mod tests {
    use super::{Hazards, orders};

    fn hazards(letters: &str) -> Vec<Hazards> {
        let of = |letter| Hazards {
            fails: matches!(letter, 'f' | 'b'),
            ends: matches!(letter, 'e' | 'b'),
        };
        letters.chars().map(of).collect()
    }

    /// Whether each operand that may fail comes in one of the orders before all others that may end the program.
    fn is_enough(operands: &[Hazards], orders: &[Vec<usize>]) -> bool {
        (0..operands.len()).filter(|i| operands[*i].fails).all(|i| {
            orders.iter().any(|order| {
                let before = order.iter().take_while(|j| **j != i);
                before.into_iter().all(|j| !operands[*j].ends)
            })
        })
    }

    #[test]
    fn what_may_fail_is_not_hidden() {
        let letters = ['-', 'f', 'e', 'b'];
        for number in 0..4usize.pow(4) {
            let word: String = (0..4).map(|i| letters[number / 4usize.pow(i) % 4]).collect();
            let operands = hazards(&word);
            let given = vec![vec![0, 1, 2, 3]];
            match orders(&operands) {
                None => assert!(is_enough(&operands, &given), "{word}"),
                Some(orders) => {
                    assert!(is_enough(&operands, &orders), "{word}: {orders:?}");
                    assert!(!is_enough(&operands, &given), "{word}: the given order is enough");
                    for order in orders {
                        let mut sorted = order.clone();
                        sorted.sort_unstable();
                        assert_eq!(sorted, given[0], "{word}: {order:?}");
                    }
                }
            }
        }
    }
}
