//! The command that starts a solver.

use std::fmt;
use std::path::Path;

use crate::{Result, Stop};

/// A program and its arguments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Command {
    /// The program: a path, or a name to be looked up.
    pub program: String,
    /// Its arguments.
    pub args: Vec<String>,
}

impl Command {
    /// Reads a command like `cvc5 --lang smt2`. Quotes and backslashes keep blanks, as in a shell; nothing
    /// else of a shell is known.
    pub fn parse(text: &str) -> Result<Command> {
        let mut words = words(text)?.into_iter();
        match words.next() {
            Some(program) if !program.is_empty() => Ok(Command { program, args: words.collect() }),
            _ => Err(Stop::Solver("the command of the solver is empty".into())),
        }
    }

    /// The program's name, without folder and extension, in lower case.
    pub fn name(&self) -> String {
        let stem = Path::new(&self.program).file_stem();
        stem.map(|stem| stem.to_string_lossy().to_lowercase()).unwrap_or_default()
    }
}

fn words(text: &str) -> Result<Vec<String>> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        match (c, quote) {
            (c, Some(open)) if c == open => quote = None,
            ('\'' | '"', None) => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            ('\\', None | Some('"')) => word.get_or_insert_default().extend(chars.next()),
            (c, None) if c.is_whitespace() => words.extend(word.take()),
            (c, _) => word.get_or_insert_default().push(c),
        }
    }
    if quote.is_some() {
        return Err(Stop::Solver(format!("a quote is never closed in `{text}`")));
    }
    words.extend(word);
    Ok(words)
}

impl fmt::Display for Command {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.program)?;
        self.args.iter().try_for_each(|arg| write!(f, " {arg}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &[&str]) {
        let command = Command::parse(text).expect("a command");
        let mut words = vec![command.program];
        words.extend(command.args);
        assert_eq!(words, expected, "{text}");
    }

    #[test]
    fn words_are_as_in_a_shell() {
        check("z3", &["z3"]);
        check("  cvc5 --lang\tsmt2 ", &["cvc5", "--lang", "smt2"]);
        check("'/my solvers/z3' -in", &["/my solvers/z3", "-in"]);
        check(r#"a "b 'c' \"d" '' e\ f"#, &["a", "b 'c' \"d", "", "e f"]);
        check("java -jar x.jar", &["java", "-jar", "x.jar"]);
    }

    #[test]
    fn what_is_no_command() {
        for text in ["", "  ", "''", "'z3"] {
            assert!(Command::parse(text).is_err(), "{text}");
        }
    }

    #[test]
    fn names() {
        let name = |text| Command::parse(text).map(|command| command.name());
        assert_eq!(name("/usr/bin/CVC5.exe -q"), Ok("cvc5".into()));
        assert_eq!(name("yices-smt2"), Ok("yices-smt2".into()));
    }
}
