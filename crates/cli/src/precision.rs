//! Precisions as text, so that one run can start from what another one learned.
//!
//! ```text
//! everywhere
//!   variable x
//!   flagged y
//!   predicate (<= y 10)
//! location L1
//!   predicate (= x 0)
//! ```

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use lapidary_cegar::{Fact, Tracked};
use lapidary_expr::{Sort, Term, Var, text};
use lapidary_model::Cfa;
use lapidary_model::pass::bit_called;

/// Writes a precision.
pub(crate) fn write(tracked: &[Tracked]) -> String {
    let mut text = String::from("# a precision of lapidary\n");
    let mut place: Option<&Option<String>> = None;
    for Tracked { at, fact } in tracked {
        if place != Some(at) {
            let line = at.as_ref().map_or("everywhere".into(), |name| format!("location {name}"));
            text.push_str(&(line + "\n"));
            place = Some(at);
        }
        // Writing to a string does not fail.
        let _ = match fact {
            Fact::Variable(var) => writeln!(text, "  variable {var}"),
            Fact::Flagged(var) => writeln!(text, "  flagged {var}"),
            Fact::Predicate(term) => writeln!(text, "  predicate {term}"),
        };
    }
    text
}

/// Reads a precision for `cfa`; the error names the line.
pub(crate) fn read(text: &str, cfa: &Cfa) -> Result<Vec<Tracked>, String> {
    let names = Names(cfa.vars().iter().map(|var| (var.name().to_string(), *var)).collect());
    let mut at: Option<Option<String>> = None;
    let mut tracked = Vec::new();
    // What several properties start from, each of them saves.
    let mut seen = BTreeSet::new();
    for (number, line) in text.lines().enumerate() {
        let problem = |problem: &str| format!("line {}: {problem}", number + 1);
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        match word {
            "everywhere" if rest.is_empty() => at = Some(None),
            "location" if !rest.is_empty() => at = Some(Some(rest.to_string())),
            "variable" | "flagged" | "predicate" => {
                let at =
                    at.clone().ok_or_else(|| problem("`everywhere` or `location` comes first"))?;
                if !seen.insert((at.clone(), line)) {
                    continue;
                }
                let term =
                    text::parse(rest, &names).map_err(|error| problem(&error.to_string()))?;
                tracked.push(Tracked { at, fact: fact(word, term).map_err(problem)? });
            }
            _ => {
                return Err(problem(
                    "`everywhere`, `location`, `variable`, `flagged` or `predicate` is expected",
                ));
            }
        }
    }
    Ok(tracked)
}

/// Variables by their names, and the bits of those that are words.
struct Names(BTreeMap<String, Var>);

impl text::Scope for Names {
    fn var(&self, name: &str) -> Option<Var> {
        let var = |name: &str| self.0.get(name).copied();
        var(name).or_else(|| bit_called(name, var))
    }
}

fn fact(word: &str, term: Term) -> Result<Fact, &'static str> {
    match (word, term.as_var()) {
        ("predicate", _) if term.sort() == Sort::Bool => Ok(Fact::Predicate(term)),
        ("predicate", _) => Err("a predicate is true or false"),
        ("flagged", Some(var)) => Ok(Fact::Flagged(var)),
        (_, Some(var)) => Ok(Fact::Variable(var)),
        _ => Err("a variable is expected"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const AUTOMATON: &str = "main process p { var x : int  var y : bool
        init loc A  error loc E
        A -> E { assume x > 3 and y } }";

    fn cfa() -> Cfa {
        lapidary_frontend::load("test.cfa", AUTOMATON).unwrap().model.into_cfa()
    }

    #[test]
    fn what_is_written_is_read_back() {
        let [x, y] = [Var::new("x", Sort::Int), Var::new("y", Sort::Bool)];
        let predicate = Term::and([Term::var(x).at_most(Term::int(-3)), y.into()]);
        let everywhere = [Fact::Variable(x), Fact::Flagged(y), Fact::Predicate(predicate)];
        let mut tracked: Vec<Tracked> =
            everywhere.into_iter().map(|fact| Tracked { at: None, fact }).collect();
        tracked.push(Tracked { at: Some("A".into()), fact: Fact::Variable(y) });
        assert_eq!(read(&write(&tracked), &cfa()), Ok(tracked.clone()));
        // Two properties may have saved the same.
        assert_eq!(read(&write(&tracked).repeat(2), &cfa()), Ok(tracked));
    }

    #[test]
    fn bits_of_words_are_known() {
        let word =
            "main process p { var v : bv[2] init loc A error loc E A -> E { assume v = v } }";
        let cfa = lapidary_frontend::load("test.cfa", word).unwrap().model.into_cfa();
        let fact = Fact::Variable(Var::new("v[1]", Sort::Bool));
        let tracked = vec![Tracked { at: None, fact }];
        assert_eq!(read(&write(&tracked), &cfa), Ok(tracked));
        for other in ["v[2]", "v[]", "v[-1]", "w[0]", "v[0][0]"] {
            assert!(read(&format!("everywhere\nvariable {other}"), &cfa).is_err(), "{other}");
        }
    }

    #[test]
    fn mistakes_are_told_with_their_lines() {
        let check = |text: &str, expected: &str| {
            let problem = read(text, &cfa()).unwrap_err();
            assert!(problem.contains(expected), "{text:?}: {problem}");
        };
        check("variable x", "line 1: `everywhere` or `location` comes first");
        check("everywhere\nvariable z", "line 2: ");
        check("everywhere\n\nvariable (+ x 1)", "line 3: a variable is expected");
        check("everywhere\npredicate x", "line 2: a predicate is true or false");
        check("everywhere\npredicate (<= x", "line 2: ");
        check("somewhere", "line 1: `everywhere`, `location`");
    }
}
