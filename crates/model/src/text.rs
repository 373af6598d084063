//! The text form of evidence: what crosses a process or a file.
//!
//! A text has one part for each property. Blank lines and lines that begin with `#` mean nothing.
//!
//! ```text
//! part      = "lapidary-evidence 1"
//!             [ "property" NAME ]                                  the rest of the line
//!             "automaton" "locations" N "edges" N "variables" N
//!             ( proof | execution )
//! proof     = "proof" [ "induction" N ]  state…  |  "proof" "run" N  |  "proof" "contracts"  contract…
//! state     = "state" N "at" LOCATION [ "then" N… ] "holds" FORMULA
//! contract  = "procedure" N  "enters" FORMULA  "returns" FORMULA  "writes" VARIABLE…  ( "at" N "holds" FORMULA )…
//! execution = "execution"  start…  step…
//! start     = "start" VARIABLE VALUE
//!           | "function" FUNCTION "(" SORT… ")" SORT "default" VALUE [ "((" VALUE… ")" VALUE ")" ]…
//! step      = "step" LOCATION "->" LOCATION [ "#" N ] decision…
//! decision  = "(=" VARIABLE VALUE ")" | "(branch" N ")"
//! ```
//!
//! A line has one `state`, `start`, `function` or `step`, or one part of a contract. What is about a program with its calls has its
//! procedures and locations by their numbers, and `x!entered` for the value of `x` at the entry. Formulas, values and sorts are those of SMT-LIB 2. Locations and
//! variables have the names of the automaton ([`Names`]), an edge is told from those beside it by its number among them,
//! and everything is counted from one. The decisions of a step are those that its statement leaves open, in the order of
//! the statement.
//!
//! Reading checks the form, so that what is read can be handed to the validator. It does not check that it is evidence.

mod execution;
mod lines;
mod names;
mod program;
mod proof;

use std::fmt::{self, Write};

pub use lines::{Line, Lines, Symbol, TextError, Word};
pub use names::Names;

use crate::cfa::Cfa;
use crate::execution::Execution;
use crate::proof::Proof;

/// The first word of every part, and the version of the format.
const FORMAT: &str = "lapidary-evidence";
const VERSION: &str = "1";

/// Evidence of a verdict about an automaton.
#[derive(Clone, Debug)]
pub enum Evidence {
    /// The error location cannot be reached.
    Proof(Proof),
    /// It can.
    Execution(Execution),
}

/// Writes a part with a proof.
pub fn write_proof(
    out: &mut dyn Write,
    property: Option<&str>,
    cfa: &Cfa,
    proof: &Proof,
) -> fmt::Result {
    write_head(out, property, cfa)?;
    proof::write(out, &Names::of(cfa), proof)
}

/// Writes a part with an execution.
pub fn write_execution(
    out: &mut dyn Write,
    property: Option<&str>,
    cfa: &Cfa,
    execution: &Execution,
) -> fmt::Result {
    write_head(out, property, cfa)?;
    execution::write(out, &Names::of(cfa), execution)
}

fn write_head(out: &mut dyn Write, property: Option<&str>, cfa: &Cfa) -> fmt::Result {
    writeln!(out, "{FORMAT} {VERSION}")?;
    if let Some(property) = property {
        writeln!(out, "property {}", property_name(property))?;
    }
    let [locations, edges, variables] = size(cfa);
    writeln!(out, "automaton locations {locations} edges {edges} variables {variables}")
}

fn size(cfa: &Cfa) -> [usize; 3] {
    [cfa.n_locs(), cfa.n_edges(), cfa.vars().len()]
}

/// The name of a property as it is written: on one line, without space around it.
pub fn property_name(name: &str) -> String {
    name.trim().replace(char::is_control, "_")
}

/// Reads evidence, part by part: who reads must find the automaton of each part.
#[derive(Clone, Debug)]
pub struct Reader<'t> {
    lines: Lines<'t>,
}

/// The beginning of a part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Head {
    /// The name of the property, if the input has several.
    pub property: Option<String>,
}

impl<'t> Reader<'t> {
    /// A reader at the first part.
    pub fn new(text: &'t str) -> Self {
        Reader { lines: Lines::new(text) }
    }

    /// Reads the beginning of the next part, if there is one. [`evidence`](Reader::evidence) reads what follows.
    pub fn head(&mut self) -> Result<Option<Head>, TextError> {
        let Some(mut line) = self.lines.next() else { return Ok(None) };
        line.keyword(FORMAT)?;
        let version = line.word("the version of the format")?;
        if version.text() != VERSION {
            let found = version.text();
            return Err(
                version.error(format!("version {VERSION} is supported, and this is {found}"))
            );
        }
        line.end()?;
        let property = match self.lines.peek() {
            Some(mut line) if line.starts_with("property") => {
                self.lines.next();
                line.keyword("property")?;
                match line.rest() {
                    "" => return Err(line.error("a name is expected")),
                    name => Some(name.to_owned()),
                }
            }
            _ => None,
        };
        Ok(Some(Head { property }))
    }

    /// Reads the evidence of a part about this automaton.
    pub fn evidence(&mut self, cfa: &Cfa) -> Result<Evidence, TextError> {
        self.size(cfa)?;
        let mut line = self.lines.expect_line("`proof` or `execution`")?;
        let kind = line.word("`proof` or `execution`")?;
        let names = Names::of(cfa);
        match kind.text() {
            "proof" => proof::read(line, &mut self.lines, &names).map(Evidence::Proof),
            "execution" => {
                line.end()?;
                execution::read(&mut self.lines, &names).map(Evidence::Execution)
            }
            other => {
                Err(kind.error(format!("`proof` or `execution` is expected, found `{other}`")))
            }
        }
    }

    /// Checks that the part is about an automaton of this size.
    fn size(&mut self, cfa: &Cfa) -> Result<(), TextError> {
        let mut line = self.lines.expect_line("`automaton`")?;
        line.keyword("automaton")?;
        for (what, is) in ["locations", "edges", "variables"].into_iter().zip(size(cfa)) {
            line.keyword(what)?;
            let number = line.word("a number")?;
            if number.number()? != is {
                let problem = format!(
                    "this is about an automaton with {} {what}, and that of the input has {is}: it may have been read with \
                     other options",
                    number.text()
                );
                return Err(number.error(problem));
            }
        }
        line.end()
    }

    /// Whether the next line begins another part.
    fn is_next(line: &Line<'_>) -> bool {
        line.starts_with(FORMAT)
    }
}
