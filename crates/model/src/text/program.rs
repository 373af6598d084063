//! Proofs about programs with their calls, as text.

use std::fmt::{self, Write};

use lapidary_expr::text::Scope;
use lapidary_expr::{Func, Sort, Term, Var};

use super::Reader;
use super::lines::{Line, Lines, TextError};
use super::names::Names;
use crate::cfa::Loc;
use crate::program::ProcedureId;
use crate::proof::{Contract, ProgramProof, ProofState};

/// What the name of a variable ends with that stands for the value at the entry.
const ENTERED: &str = "!entered";

pub(super) fn write(out: &mut dyn Write, names: &Names<'_>, proof: &ProgramProof) -> fmt::Result {
    let contracts = match proof {
        ProgramProof::Run { steps } => return writeln!(out, "proof run {steps}"),
        ProgramProof::Contracts(contracts) => contracts,
    };
    writeln!(out, "proof contracts")?;
    for contract in contracts {
        writeln!(out, "  procedure {}", u64::from(contract.procedure.0) + 1)?;
        writeln!(out, "    enters {}", written(names, contract.pre))?;
        writeln!(out, "    returns {}", written(names, contract.post))?;
        write!(out, "    writes")?;
        contract.writes.iter().try_for_each(|var| write!(out, " {}", names.written_var(*var)))?;
        writeln!(out)?;
        for state in &contract.states {
            let number = u64::from(state.loc.0) + 1;
            writeln!(out, "    at {number} holds {}", written(names, state.formula))?;
        }
    }
    Ok(())
}

fn written(names: &Names<'_>, formula: Term) -> Term {
    formula.map_vars(&|var| {
        let name = names.written_var(var.base());
        let entered = || Var::new(&format!("{}{ENTERED}", name.name()), name.sort());
        Some(if var.version() == 0 { name } else { entered() }.into())
    })
}

/// The names of variables, now and at the entry.
struct Entered<'a, 'n>(&'a Names<'n>);

impl Scope for Entered<'_, '_> {
    fn var(&self, name: &str) -> Option<Var> {
        let entered = || Some(Contract::entered(self.0.var(name.strip_suffix(ENTERED)?)?));
        self.0.var(name).or_else(entered)
    }

    fn func(&self, name: &str) -> Option<Func> {
        self.0.func(name)
    }
}

/// Reads what follows `proof run` or `proof contracts`, if the line goes on so.
pub(super) fn read(
    first: &mut Line<'_>,
    lines: &mut Lines<'_>,
    names: &Names<'_>,
) -> Result<Option<ProgramProof>, TextError> {
    if first.starts_with("run") {
        first.keyword("run")?;
        let steps = first.word("a number of steps")?.number()?;
        first.end()?;
        return Ok(Some(ProgramProof::Run { steps: steps as u64 }));
    }
    if !first.starts_with("contracts") {
        return Ok(None);
    }
    first.keyword("contracts")?;
    first.end()?;
    let mut contracts = Vec::new();
    while lines.peek().is_some_and(|line| !Reader::is_next(&line)) {
        contracts.push(contract(lines, names)?);
    }
    Ok(Some(ProgramProof::Contracts(contracts)))
}

fn contract(lines: &mut Lines<'_>, names: &Names<'_>) -> Result<Contract, TextError> {
    let number = |line: &mut Line<'_>, what: &str| {
        let word = line.word(what)?;
        u32::try_from(word.index()?).map_err(|_| word.error(format!("{what} is expected")))
    };
    let mut line = lines.expect_line("`procedure`")?;
    line.keyword("procedure")?;
    let procedure = ProcedureId(number(&mut line, "the number of a procedure")?);
    line.end()?;
    let mut formula = |keyword: &str| {
        let mut line = lines.expect_line(keyword)?;
        line.keyword(keyword)?;
        let formula = self::formula(&mut line, names)?;
        line.end()?;
        Ok(formula)
    };
    let (pre, post) = (formula("enters")?, formula("returns")?);
    let mut line = lines.expect_line("`writes`")?;
    line.keyword("writes")?;
    let mut writes = Vec::new();
    while let Some(word) = line.next_word()? {
        writes.push(names.var_at(&word)?);
    }
    let mut states = Vec::new();
    while let Some(mut line) = lines.peek().filter(|line| line.starts_with("at")) {
        lines.next();
        line.keyword("at")?;
        let loc = Loc(number(&mut line, "the number of a location")?);
        line.keyword("holds")?;
        let formula = formula_of_state(&mut line, names)?;
        states.push(ProofState { loc, formula, successors: Vec::new() });
    }
    Ok(Contract { procedure, pre, post, writes, states })
}

fn formula_of_state(line: &mut Line<'_>, names: &Names<'_>) -> Result<Term, TextError> {
    let formula = formula(line, names)?;
    line.end()?;
    Ok(formula)
}

fn formula(line: &mut Line<'_>, names: &Names<'_>) -> Result<Term, TextError> {
    let word = line.word("a formula")?;
    let term = word.term(&Entered(names))?;
    match term.sort() {
        Sort::Bool => Ok(term),
        _ => Err(word.error("this is no formula")),
    }
}
