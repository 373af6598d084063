//! Orders of operands that show everything that may happen in any order.

use super::hazards::Hazards;

/// More operands that interfere with each other have too many orders: each order is a copy of all operands.
const MOST: usize = 3;

/// Orders of operands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Orders {
    /// The given order is enough.
    Given,
    These(Vec<Vec<usize>>),
    TooMany,
}

/// Orders of operands in which each that may fail comes once before all others that may end the program, if these do not
/// interfere in any other way.
///
/// What fails and does not end anything comes first, and what only ends the program comes last. Of those that may do
/// both, each is the first of them in one order.
pub(super) fn revealing(operands: &[Hazards]) -> Orders {
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
            return Orders::Given;
        }
    }
    let before: Vec<usize> = with(false, false).chain(with(true, false)).collect();
    let order = |first: Option<usize>| {
        let others = both.iter().copied().filter(|other| Some(*other) != first);
        let order = before.iter().copied().chain(first).chain(others).chain(last.iter().copied());
        order.collect::<Vec<usize>>()
    };
    match both.len() {
        0 => Orders::These(vec![order(None)]),
        1..=MOST => Orders::These(both.iter().map(|first| order(Some(*first))).collect()),
        _ => Orders::TooMany,
    }
}

/// All orders of the operands that interfere with each other, and of those that may both fail and end the program. What may
/// only fail comes before them, and what may only end the program after them.
pub(super) fn all(operands: &[Hazards], involved: &[usize]) -> Orders {
    let both = Hazards { fails: true, ends: true };
    let is_moved = |i: &usize| involved.contains(i) || operands[*i] == both;
    let (moved, fixed): (Vec<usize>, Vec<usize>) = (0..operands.len()).partition(is_moved);
    if moved.len() > MOST {
        return Orders::TooMany;
    }
    let (last, first): (Vec<usize>, Vec<usize>) = fixed.iter().partition(|i| operands[**i].ends);
    let around = |order: Vec<usize>| [&first[..], &order[..], &last[..]].concat();
    Orders::These(sequences(&moved).into_iter().map(around).collect())
}

fn sequences(numbers: &[usize]) -> Vec<Vec<usize>> {
    if numbers.is_empty() {
        return vec![Vec::new()];
    }
    let mut all = Vec::new();
    for (i, first) in numbers.iter().enumerate() {
        let rest = [&numbers[..i], &numbers[i + 1..]].concat();
        for mut order in sequences(&rest) {
            order.insert(0, *first);
            all.push(order);
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::{Hazards, Orders, all, revealing};

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
            match revealing(&operands) {
                Orders::Given => assert!(is_enough(&operands, &given), "{word}"),
                Orders::TooMany => assert_eq!(word, "bbbb"),
                Orders::These(orders) => {
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

    #[test]
    fn all_orders_are_there_once() {
        let these =
            |orders: &[&[usize]]| Orders::These(orders.iter().map(|o| o.to_vec()).collect());
        assert_eq!(all(&hazards("-e-"), &[0, 2]), these(&[&[0, 2, 1], &[2, 0, 1]]));
        assert_eq!(all(&hazards("--bf"), &[0]), these(&[&[1, 3, 0, 2], &[1, 3, 2, 0]]));
        assert_eq!(all(&hazards("-bbb"), &[0]), Orders::TooMany);
        let Orders::These(mut three) = all(&hazards("--f-"), &[0, 1, 3]) else { panic!() };
        three.sort();
        three.dedup();
        assert_eq!(three.len(), 6);
        assert!(three.iter().all(|order| order[0] == 2));
    }
}
