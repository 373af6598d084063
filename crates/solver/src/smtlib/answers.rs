//! What solvers say.

use lapidary_expr::text::{SExpr, read_all};
use rustc_hash::FxHashMap;

/// So much of an unexpected answer is shown.
const SHOWN: usize = 300;

/// An answer to `check-sat`.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Answer {
    Sat,
    Unsat,
    Unknown,
    /// None of these, shortened.
    Other(String),
}

/// Reads the answer to `check-sat`; exactly one word is one.
pub(super) fn verdict(said: &str) -> Answer {
    match said.trim() {
        "sat" => Answer::Sat,
        "unsat" => Answer::Unsat,
        "unknown" => Answer::Unknown,
        other => Answer::Other(shortened(other)),
    }
}

/// The reason in an answer to `(get-info :reason-unknown)`, to be put after `unknown`.
pub(super) fn reason(said: &str) -> String {
    let Ok(exprs) = read_all(said) else { return String::new() };
    match &exprs[..] {
        [SExpr::List(pair)] => match &pair[..] {
            [SExpr::Atom(key), SExpr::Atom(reason) | SExpr::Text(reason)]
                if key == ":reason-unknown" && !reason.is_empty() && reason != "unknown" =>
            {
                format!(" ({reason})")
            }
            _ => String::new(),
        },
        _ => String::new(),
    }
}

/// The sorted positions of a list of names, if it is one.
pub(super) fn core(said: &str, positions: &FxHashMap<String, usize>) -> Option<Vec<usize>> {
    let exprs = read_all(said).ok()?;
    let [SExpr::List(names)] = &exprs[..] else { return None };
    let position = |name: &SExpr| match name {
        SExpr::Atom(name) => positions.get(name).copied(),
        SExpr::Text(_) | SExpr::List(_) => None,
    };
    let mut core: Vec<usize> = names.iter().map(position).collect::<Option<_>>()?;
    core.sort_unstable();
    core.dedup();
    Some(core)
}

/// The beginning of a text, on one line.
pub(super) fn shortened(said: &str) -> String {
    let mut line = said.split_whitespace().take(SHOWN).collect::<Vec<_>>().join(" ");
    if let Some((end, _)) = line.char_indices().nth(SHOWN) {
        line.truncate(end);
        line.push('…');
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn verdicts() {
        assert_eq!(verdict("sat\n"), Answer::Sat);
        assert_eq!(verdict(" unsat"), Answer::Unsat);
        assert_eq!(verdict("unknown\n"), Answer::Unknown);
        for other in ["", "unsupported", "sat unsat", "not sat", "(error \"sat\")", "SAT", "|sat|"]
        {
            assert_eq!(verdict(other), Answer::Other(other.into()));
        }
    }

    #[test]
    fn reasons() {
        assert_eq!(reason("(:reason-unknown incomplete)"), " (incomplete)");
        assert_eq!(reason("(:reason-unknown \"smt tactic failed\")"), " (smt tactic failed)");
        for none in ["", "(", "unsupported", "(:reason-unknown)", "(:reason-unknown unknown)"] {
            assert_eq!(reason(none), "");
        }
    }

    #[test]
    fn cores() {
        let positions = [("a".to_string(), 0), ("b".to_string(), 2), ("c".to_string(), 4)]
            .into_iter()
            .collect();
        assert_eq!(core("(c a c)", &positions), Some(vec![0, 4]));
        assert_eq!(core("()", &positions), Some(vec![]));
        for none in ["", "(d)", "(a", "a", "((a))", "(a) (b)", "(error \"a\")"] {
            assert_eq!(core(none, &positions), None, "{none}");
        }
    }
}
