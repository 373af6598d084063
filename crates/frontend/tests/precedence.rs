//! How operators bind: each pair of binary operators without parentheses, against the table of the C standard.

use std::fmt::Write;

use lapidary_frontend::SourceFile;
use lapidary_frontend::c::{self, Options};

/// The operators from those that bind least to those that bind most (C17, 6.5.5 to 6.5.14).
const LEVELS: [&[&str]; 10] = [
    &["||"],
    &["&&"],
    &["|"],
    &["^"],
    &["&"],
    &["==", "!="],
    &["<", ">", "<=", ">="],
    &["<<", ">>"],
    &["+", "-"],
    &["*", "/", "%"],
];

/// A value, unless C leaves it undefined.
fn value(a: i64, op: &str, b: i64) -> Option<i64> {
    let is_shift = (0..31).contains(&b) && a >= 0;
    Some(match op {
        "||" => i64::from(a != 0 || b != 0),
        "&&" => i64::from(a != 0 && b != 0),
        "|" => a | b,
        "^" => a ^ b,
        "&" => a & b,
        "==" => i64::from(a == b),
        "!=" => i64::from(a != b),
        "<" => i64::from(a < b),
        ">" => i64::from(a > b),
        "<=" => i64::from(a <= b),
        ">=" => i64::from(a >= b),
        "<<" => is_shift.then(|| a << b).filter(|value| *value < 1 << 31)?,
        ">>" => is_shift.then(|| a >> b)?,
        "+" => a + b,
        "-" => a - b,
        "*" => a * b,
        "/" => a.checked_div(b)?,
        _ => a.checked_rem(b)?,
    })
}

/// Operands for which the two ways to read `a first b second c` have different values, with the value of the right one.
fn example(first: &str, second: &str, is_left_first: bool) -> Option<([i64; 3], i64)> {
    for n in 0..7 * 7 * 7 {
        let [a, b, c] = [n / 49, n / 7 % 7, n % 7];
        let left = value(a, first, b).and_then(|left| value(left, second, c));
        let right = value(b, second, c).and_then(|right| value(a, first, right));
        if let (Some(left), Some(right)) = (left, right)
            && left != right
        {
            return Some(([a, b, c], if is_left_first { left } else { right }));
        }
    }
    None
}

#[test]
fn operators_bind_as_the_standard_says() {
    let all =
        || LEVELS.iter().enumerate().flat_map(|(level, ops)| ops.iter().map(move |op| (level, op)));
    let mut text = String::new();
    let mut n_pairs = 0;
    for (first, one) in all() {
        for (second, other) in all() {
            // Operators of the same level go from left to right.
            if let Some(([a, b, c], value)) = example(one, other, first >= second) {
                // Writing to a string cannot fail.
                let _ =
                    writeln!(text, "_Static_assert(({a} {one} {b} {other} {c}) == {value}, \"\");");
                n_pairs += 1;
            }
        }
    }
    assert!(n_pairs > 300, "{n_pairs}");
    text += "int main(void) { return 0; }\n";
    let read = c::parse(&SourceFile::new("t.c", text), &Options::default());
    assert!(read.is_ok(), "{}", read.unwrap_err());
}
