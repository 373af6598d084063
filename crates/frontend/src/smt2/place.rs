//! Where in the text an S-expression is, and which part of a term is to blame for an error.
//!
//! S-expressions do not carry places: they are found again when there is an error, by counting.

use std::ops::Range;

use lapidary_expr::text::{SExpr, Scope, term_of};

/// Blame does not go deeper than this.
const DEEPEST: usize = 200;

/// The span of an S-expression, given by positions: of the command in the text, in the command, and so on.
pub(super) fn span(text: &str, path: &[usize]) -> Range<usize> {
    let mut tokens = tokens(text);
    // How many expressions of the current list have begun, for each open list on the way.
    let (mut depth, mut matched, mut index) = (0, 0, 0);
    let mut start = None;
    for (range, token) in &mut tokens {
        match start {
            None if token == b')' => depth -= 1,
            None if depth == matched => {
                if index == path.get(depth).copied().unwrap_or(0) {
                    if depth + 1 >= path.len() {
                        if token != b'(' {
                            return range;
                        }
                        start = Some((range.start, depth));
                    } else {
                        matched += 1;
                        index = 0;
                    }
                } else {
                    index += 1;
                }
                if token == b'(' {
                    depth += 1;
                }
            }
            None => depth += usize::from(token == b'('),
            Some((from, level)) => match token {
                b'(' => depth += 1,
                b')' => {
                    depth -= 1;
                    if depth == level {
                        return from..range.end;
                    }
                }
                _ => {}
            },
        }
    }
    text.len()..text.len()
}

/// The tokens of a text that has been read without an error: each one's span and first byte.
fn tokens(text: &str) -> impl Iterator<Item = (Range<usize>, u8)> {
    let bytes = text.as_bytes();
    let mut at = 0;
    std::iter::from_fn(move || {
        loop {
            let first = *bytes.get(at)?;
            let start = at;
            let until = |from: usize, ends: &dyn Fn(u8) -> bool| {
                bytes[from..].iter().position(|byte| ends(*byte)).map_or(bytes.len(), |n| from + n)
            };
            at = match first {
                b';' => until(at, &|byte| byte == b'\n'),
                byte if byte.is_ascii_whitespace() => at + 1,
                b'(' | b')' => at + 1,
                b'|' => bytes.len().min(until(at + 1, &|byte| byte == b'|') + 1),
                // Two quotes within a string are read as two strings without a gap, which changes no place
                // before.
                b'"' => bytes.len().min(until(at + 1, &|byte| byte == b'"') + 1),
                _ => until(at, &|byte| byte.is_ascii_whitespace() || b"();|\"".contains(&byte)),
            };
            if first != b';' && !first.is_ascii_whitespace() {
                return Some((start..at, first));
            }
        }
    })
}

/// The smallest part of a term that is wrong by itself, given by positions below `expr`.
pub(super) fn blame(mut expr: &SExpr, scope: &dyn Scope) -> Vec<usize> {
    let mut path = Vec::new();
    let mut lets: Vec<&SExpr> = Vec::new();
    while path.len() < DEEPEST {
        let SExpr::List(items) = expr else { break };
        let fails = |part: &SExpr, lets: &[&SExpr]| term_of(&within(part, lets), scope).is_err();
        let head = match items.first() {
            Some(SExpr::Atom(head)) => head.as_str(),
            _ => "",
        };
        let wrong = match (head, &items[..]) {
            ("let", [_, SExpr::List(bindings), body]) => {
                let wrong = bindings.iter().enumerate().find_map(|(i, binding)| match binding {
                    SExpr::List(pair) if pair.len() == 2 && fails(&pair[1], &lets) => {
                        Some((vec![1, i, 1], &pair[1]))
                    }
                    _ => None,
                });
                wrong.or_else(|| {
                    lets.push(&items[1]);
                    fails(body, &lets).then_some((vec![2], body))
                })
            }
            ("!", [_, body, ..]) => Some((vec![1], body)),
            ("_" | "as", _) => None,
            _ => {
                let mut args = items.iter().enumerate().skip(1);
                args.find(|(_, arg)| fails(arg, &lets)).map(|(i, arg)| (vec![i], arg))
            }
        };
        let Some((steps, part)) = wrong else { break };
        path.extend(steps);
        expr = part;
    }
    path
}

/// The term below the bindings.
fn within(expr: &SExpr, lets: &[&SExpr]) -> SExpr {
    lets.iter().rev().fold(expr.clone(), |body, bindings| {
        SExpr::List(vec![SExpr::Atom("let".into()), (*bindings).clone(), body])
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places() {
        let text = "(a) ; (b)\n(f |x (| (g \"(\" y)  (z))";
        for (path, expected) in [
            (&[0][..], "(a)"),
            (&[0, 0], "a"),
            (&[1], "(f |x (| (g \"(\" y)  (z))"),
            (&[1, 0], "f"),
            (&[1, 1], "|x (|"),
            (&[1, 2, 2], "y"),
            (&[1, 3], "(z)"),
            (&[1, 3, 0], "z"),
            (&[7], ""),
        ] {
            assert_eq!(&text[span(text, path)], expected, "{path:?}");
        }
    }
}
