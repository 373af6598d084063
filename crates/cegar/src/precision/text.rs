//! The text form of precisions, so that one run can start from what another one learned.
//!
//! ```text
//! lapidary-precision 1
//! everywhere
//!   variable x
//!   flagged y
//!   predicate (<= y 10)
//! location L1
//!   predicate (= x 0)
//! ```
//!
//! Lines, names and formulas are those of [evidence](lapidary_model::text). The first line may be missing, and may be
//! repeated: texts about several properties follow each other in one file.

use std::fmt::{self, Write};

use lapidary_expr::text::Scope;
use lapidary_expr::{Sort, Var};
use lapidary_model::pass::bit_called;
use lapidary_model::text::{Line, Lines, Names, Symbol, TextError};
use rustc_hash::FxHashSet;

use super::{Fact, Tracked};

/// The first word of a text, and the version of the format.
const FORMAT: &str = "lapidary-precision";
const VERSION: &str = "1";

/// Writes a precision.
pub fn write(out: &mut dyn Write, names: &Names<'_>, tracked: &[Tracked]) -> fmt::Result {
    writeln!(out, "{FORMAT} {VERSION}")?;
    let mut place: Option<&Option<String>> = None;
    for Tracked { at, fact } in tracked {
        if place != Some(at) {
            match at {
                Some(name) => writeln!(out, "location {}", Symbol(name))?,
                None => writeln!(out, "everywhere")?,
            }
            place = Some(at);
        }
        match fact {
            Fact::Variable(var) => writeln!(out, "  variable {}", names.written_var(*var))?,
            Fact::Flagged(var) => writeln!(out, "  flagged {}", names.written_var(*var))?,
            Fact::Predicate(term) => writeln!(out, "  predicate {}", names.written(*term))?,
        }
    }
    Ok(())
}

/// Reads a precision for an automaton. Locations that it does not have may have been reduced away.
pub fn read(text: &str, names: &Names<'_>) -> Result<Vec<Tracked>, TextError> {
    let names = WithBits(names);
    let mut at: Option<Option<String>> = None;
    let mut tracked = Vec::new();
    // What several properties start from, each of them saves.
    let mut seen = FxHashSet::default();
    for mut line in Lines::new(text) {
        let place = line;
        let keyword = line.word("`everywhere`")?;
        match keyword.text() {
            FORMAT => {
                let version = line.word("the version of the format")?;
                if version.text() != VERSION {
                    let problem =
                        format!("version {VERSION} is supported, and this is another one");
                    return Err(version.error(problem));
                }
            }
            "everywhere" => at = Some(None),
            "location" => {
                let word = line.word("a location")?;
                let name = word.name().ok_or_else(|| word.error("a location is expected"))?;
                at = Some(Some(name.to_owned()));
            }
            "variable" | "flagged" | "predicate" => {
                let at = at
                    .clone()
                    .ok_or_else(|| keyword.error("`everywhere` or `location` comes first"))?;
                let is_new = seen.insert((at.clone(), place.rest()));
                let fact = fact(keyword.text(), &mut line, &names)?;
                if is_new {
                    tracked.push(Tracked { at, fact });
                }
            }
            _ => {
                return Err(keyword.error(
                    "`everywhere`, `location`, `variable`, `flagged` or `predicate` is expected",
                ));
            }
        }
        line.end()?;
    }
    Ok(tracked)
}

/// Variables by their names, and the bits of those that are words.
struct WithBits<'a>(&'a Names<'a>);

impl Scope for WithBits<'_> {
    fn var(&self, name: &str) -> Option<Var> {
        let var = |name: &str| self.0.var(name);
        var(name).or_else(|| bit_called(name, var))
    }
}

fn fact(keyword: &str, line: &mut Line<'_>, names: &WithBits<'_>) -> Result<Fact, TextError> {
    let word = line.word(if keyword == "predicate" { "a predicate" } else { "a variable" })?;
    let term = word.term(names)?;
    match (keyword, term.as_var()) {
        ("predicate", _) if term.sort() == Sort::Bool => Ok(Fact::Predicate(term)),
        ("predicate", _) => Err(word.error("a predicate is true or false")),
        ("flagged", Some(var)) => Ok(Fact::Flagged(var)),
        (_, Some(var)) => Ok(Fact::Variable(var)),
        _ => Err(word.error("a variable is expected")),
    }
}

#[cfg(test)]
mod tests {
    use lapidary_expr::Term;
    use lapidary_model::Cfa;

    use super::*;

    const AUTOMATON: &str = "main process p { var x : int  var y : bool
        init loc A  error loc E
        A -> E { assume x > 3 and y } }";

    fn cfa() -> Cfa {
        lapidary_frontend::load("test.cfa", AUTOMATON).unwrap().model.into_cfa()
    }

    fn written(cfa: &Cfa, tracked: &[Tracked]) -> String {
        let mut text = String::new();
        write(&mut text, &Names::of(cfa), tracked).unwrap();
        text
    }

    fn parsed(cfa: &Cfa, text: &str) -> Result<Vec<Tracked>, TextError> {
        read(text, &Names::of(cfa))
    }

    #[test]
    fn what_is_written_is_read_back() {
        let cfa = cfa();
        let [x, y] = [Var::new("x", Sort::Int), Var::new("y", Sort::Bool)];
        let predicate = Term::and([Term::var(x).at_most(Term::int(-3)), y.into()]);
        let everywhere = [Fact::Variable(x), Fact::Flagged(y), Fact::Predicate(predicate)];
        let mut tracked: Vec<Tracked> =
            everywhere.into_iter().map(|fact| Tracked { at: None, fact }).collect();
        tracked.push(Tracked { at: Some("A".into()), fact: Fact::Variable(y) });
        tracked.push(Tracked { at: Some("not here".into()), fact: Fact::Variable(y) });
        let text = written(&cfa, &tracked);
        assert!(text.starts_with("lapidary-precision 1\neverywhere\n  variable x\n"), "{text}");
        assert_eq!(parsed(&cfa, &text), Ok(tracked.clone()));
        // Two properties may have saved the same.
        assert_eq!(parsed(&cfa, &text.repeat(2)), Ok(tracked));
    }

    #[test]
    fn bits_of_words_are_known() {
        let word =
            "main process p { var v : bv[2] init loc A error loc E A -> E { assume v = v } }";
        let cfa = lapidary_frontend::load("test.cfa", word).unwrap().model.into_cfa();
        let fact = Fact::Variable(Var::new("v[1]", Sort::Bool));
        let tracked = vec![Tracked { at: None, fact }];
        assert_eq!(parsed(&cfa, &written(&cfa, &tracked)), Ok(tracked));
        for other in ["v[2]", "v[]", "v[-1]", "w[0]", "v[0][0]"] {
            assert!(parsed(&cfa, &format!("everywhere\nvariable {other}")).is_err(), "{other}");
        }
    }

    #[test]
    fn mistakes_have_a_place() {
        let check = |text: &str, expected: &str| {
            let problem = parsed(&cfa(), text).unwrap_err().to_string();
            assert_eq!(problem, expected, "{text:?}");
        };
        check("variable x", "line 1, column 1: `everywhere` or `location` comes first");
        check("everywhere\nvariable z", "line 2, column 10: `z` is not declared");
        check("everywhere\n\nvariable (+ x 1)", "line 3, column 10: a variable is expected");
        check("everywhere\npredicate x", "line 2, column 11: a predicate is true or false");
        check("everywhere\npredicate (<= x", "line 2, column 11: `(` is never closed");
        check("everywhere\nvariable x y", "line 2, column 12: the line is to end before `y`");
        check(
            "somewhere",
            "line 1, column 1: `everywhere`, `location`, `variable`, `flagged` or `predicate` is expected",
        );
        check(
            "lapidary-precision 2",
            "line 1, column 20: version 1 is supported, and this is another one",
        );
    }
}
