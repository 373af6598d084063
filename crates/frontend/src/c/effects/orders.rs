//! Orders of operands that show everything that may happen in any order.

use super::hazards::Hazards;

/// Orders of operands in which each that may fail comes once before all others that may end the program, if these do not
/// interfere in any other way. None if every order is one.
///
/// What fails and does not end anything comes first, and what only ends the program comes last. Of those that may do
/// both, each is the first of them in one order.
pub(super) fn revealing(operands: &[Hazards]) -> Option<Vec<Vec<usize>>> {
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

/// All orders of so many operands in which only those that are involved change their places.
pub(super) fn permutations(involved: &[usize], n: usize) -> Vec<Vec<usize>> {
    let placed = |order: Vec<usize>| {
        let mut order = order.into_iter();
        let next = |i: usize| if involved.contains(&i) { order.next().unwrap_or(i) } else { i };
        (0..n).map(next).collect()
    };
    sequences(involved).into_iter().map(placed).collect()
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
    use super::{Hazards, permutations, revealing};

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

    #[test]
    fn all_orders_are_there_once() {
        assert_eq!(permutations(&[0, 2], 3), [[0, 1, 2], [2, 1, 0]]);
        let mut three = permutations(&[0, 1, 3], 4);
        three.sort();
        three.dedup();
        assert_eq!(three.len(), 6);
        assert!(three.iter().all(|order| order[2] == 2));
    }
}
