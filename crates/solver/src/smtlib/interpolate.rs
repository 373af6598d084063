//! Interpolation by the solver itself, in the command of its dialect.
//!
//! The solver is started anew for every sequence: interpolation is an option that makes everything else slower, and
//! what interpolants cost is far more than a start. Nothing here is believed: see [`Checked`](super::Checked).

use std::collections::BTreeMap;
use std::fmt::Write;

use lapidary_expr::text::{SExpr, Scope, read_all, term_of};
use lapidary_expr::{Func, Sort, Term, Valuation, Var, VarSet};

use super::answers::{self, Answer, shortened};
use super::process::Process;
use super::session::Session;
use super::text::{Symbol, Text};
use super::{Interpolation, SmtLib};
use crate::{Interpolants, Interpolator, Result, Solver, Stop};

/// The interpolator of a solver that has one.
#[derive(Debug)]
pub(super) struct External {
    smt: SmtLib,
    options: &'static [&'static str],
}

impl External {
    pub(super) fn new(smt: &SmtLib) -> Option<External> {
        let options = match smt.dialect().interpolation {
            Interpolation::None => return None,
            Interpolation::Sequence { options }
            | Interpolation::Groups { options }
            | Interpolation::Goal { options } => options,
        };
        Some(External { smt: smt.clone(), options })
    }

    fn model(&self, parts: &[Term]) -> Result<Interpolants> {
        let vars: VarSet = parts.iter().flat_map(|part| part.vars()).copied().collect();
        let mut session = Session::new(&self.smt);
        parts.iter().for_each(|part| session.assert(*part));
        let model = session.model(&vars)?;
        model.map(Interpolants::Sat).ok_or_else(|| {
            let name = self.smt.dialect().name;
            Stop::Solver(format!("{name} finds the same formulas satisfiable and unsatisfiable"))
        })
    }
}

impl Interpolator for External {
    fn interpolate(&mut self, parts: &[Term]) -> Result<Interpolants> {
        if parts.is_empty() {
            return Ok(Interpolants::Sat(Valuation::new()));
        }
        let dialect = self.smt.dialect();
        let process = self.smt.process_with(self.options)?;
        let mut talk = Talk { process, text: Text::new(dialect) };
        let itps = match dialect.interpolation {
            Interpolation::Sequence { .. } => talk.sequence(parts)?,
            Interpolation::Groups { .. } => talk.groups(parts)?,
            Interpolation::Goal { .. } => talk.goals(parts)?,
            Interpolation::None => None,
        };
        itps.map_or_else(|| self.model(parts), |itps| Ok(Interpolants::Unsat(itps)))
    }
}

/// A conversation with one process.
struct Talk {
    process: Process,
    text: Text,
}

impl Talk {
    /// `(get-interpolants part!0 part!1 …)`; none if the parts are satisfiable.
    fn sequence(&mut self, parts: &[Term]) -> Result<Option<Vec<Term>>> {
        let names = self.assert_all(parts, "part!", ":named")?;
        if self.is_sat()? {
            return Ok(None);
        }
        if parts.len() == 1 {
            return Ok(Some(Vec::new()));
        }
        let said = self.process.ask(&format!("(get-interpolants {})\n", names.join(" ")))?;
        match &read_all(&said).unwrap_or_default()[..] {
            [SExpr::List(itps)] if itps.len() + 1 == parts.len() => {
                itps.iter().map(|itp| self.term(itp, &said)).collect::<Result<_>>().map(Some)
            }
            _ => Err(self.strange(&said)),
        }
    }

    /// `(get-interpolant (group!0 … group!i))` for each cut, all from one proof.
    fn groups(&mut self, parts: &[Term]) -> Result<Option<Vec<Term>>> {
        let names = self.assert_all(parts, "group!", ":interpolation-group")?;
        if self.is_sat()? {
            return Ok(None);
        }
        let mut itps = Vec::new();
        for cut in 1..parts.len() {
            let question = format!("(get-interpolant ({}))\n", names[..cut].join(" "));
            let said = self.process.ask(&question)?;
            match &read_all(&said).unwrap_or_default()[..] {
                [itp] => itps.push(self.term(itp, &said)?),
                _ => return Err(self.strange(&said)),
            }
        }
        Ok(Some(itps))
    }

    /// `(get-interpolant name goal)`: the part with the interpolant before it implies that not all of the
    /// parts after it hold.
    fn goals(&mut self, parts: &[Term]) -> Result<Option<Vec<Term>>> {
        self.push();
        parts.iter().try_for_each(|part| self.assert(*part, ""))?;
        if self.is_sat()? {
            return Ok(None);
        }
        self.pop();
        let mut itps: Vec<Term> = Vec::new();
        for cut in 1..parts.len() {
            self.push();
            itps.last().copied().map_or(Ok(()), |before| self.assert(before, ""))?;
            self.assert(parts[cut - 1], "")?;
            let goal = Term::and(parts[cut..].iter().copied()).not();
            let mut question = String::new();
            let goal = self.text.term(goal, &mut question)?;
            let _ = writeln!(question, "(get-interpolant itp!{cut} {goal})");
            let said = self.process.ask(&question)?;
            let itp = match &read_all(&said).unwrap_or_default()[..] {
                [SExpr::List(words)] => match &words[..] {
                    [_, _, SExpr::List(params), _, itp] if params.is_empty() => {
                        self.term(itp, &said)?
                    }
                    _ => return Err(self.strange(&said)),
                },
                _ => return Err(self.strange(&said)),
            };
            itps.push(itp);
            self.pop();
        }
        Ok(Some(itps))
    }

    fn push(&mut self) {
        let mut out = String::new();
        self.text.push(&mut out);
        self.process.tell(&out);
    }

    fn pop(&mut self) {
        let mut out = String::new();
        self.text.pop(&mut out);
        self.process.tell(&out);
    }

    /// Asserts a formula, with an attribute if that is not empty.
    fn assert(&mut self, formula: Term, attribute: &str) -> Result<()> {
        let mut out = String::new();
        let term = self.text.term(formula, &mut out)?;
        let _ = match attribute.is_empty() {
            true => writeln!(out, "(assert {term})"),
            false => writeln!(out, "(assert (! {term} {attribute}))"),
        };
        self.process.tell(&out);
        Ok(())
    }

    /// Asserts the parts, each with its name as the attribute.
    fn assert_all(&mut self, parts: &[Term], prefix: &str, attribute: &str) -> Result<Vec<String>> {
        let names: Vec<String> = (0..parts.len()).map(|i| format!("{prefix}{i}")).collect();
        for (part, name) in parts.iter().zip(&names) {
            self.assert(*part, &format!("{attribute} {name}"))?;
        }
        Ok(names)
    }

    fn is_sat(&mut self) -> Result<bool> {
        let said = self.process.ask("(check-sat)\n")?;
        match answers::verdict(&said) {
            Answer::Sat => Ok(true),
            Answer::Unsat => Ok(false),
            Answer::Unknown | Answer::Other(_) => Err(self.strange(&said)),
        }
    }

    /// The formula that the solver has written.
    fn term(&self, expr: &SExpr, said: &str) -> Result<Term> {
        let names = Known(self.text.symbols());
        match term_of(expr, &names) {
            Ok(term) if term.sort() == Sort::Bool => Ok(term),
            _ => Err(self.strange(said)),
        }
    }

    fn strange(&self, said: &str) -> Stop {
        self.process.failed(&format!("gives no interpolants: `{}`", shortened(said)))
    }
}

/// The symbols that the solver was told of.
struct Known(BTreeMap<String, Symbol>);

impl Scope for Known {
    fn var(&self, name: &str) -> Option<Var> {
        match self.0.get(name) {
            Some(Symbol::Var(var)) => Some(*var),
            _ => None,
        }
    }

    fn func(&self, name: &str) -> Option<Func> {
        match self.0.get(name) {
            Some(Symbol::Func(func)) => Some(*func),
            _ => None,
        }
    }
}
