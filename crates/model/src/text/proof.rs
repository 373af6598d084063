//! Proofs as text.

use std::fmt::{self, Write};

use lapidary_expr::Sort;

use super::Reader;
use super::lines::{Line, Lines, Symbol, TextError, Word};
use super::names::Names;
use super::program;
use crate::proof::{Proof, ProofState, StateId};

pub(super) fn write(out: &mut dyn Write, names: &Names<'_>, proof: &Proof) -> fmt::Result {
    if let Some(proof) = &proof.program {
        return program::write(out, names, proof);
    }
    match proof.induction {
        0 => writeln!(out, "proof")?,
        length => writeln!(out, "proof induction {length}")?,
    }
    for (i, state) in proof.states.iter().enumerate() {
        write!(out, "  state {} at {}", i + 1, Symbol(names.loc_name(state.loc)))?;
        if !state.successors.is_empty() {
            out.write_str(" then")?;
            state.successors.iter().try_for_each(|id| write!(out, " {}", u64::from(id.0) + 1))?;
        }
        writeln!(out, " holds {}", names.written(state.formula))?;
    }
    Ok(())
}

/// Reads a proof, of whose first line the keyword has been read.
pub(super) fn read(
    mut first: Line<'_>,
    lines: &mut Lines<'_>,
    names: &Names<'_>,
) -> Result<Proof, TextError> {
    let mut proof = Proof::default();
    if let Some(proof) = program::read(&mut first, lines, names)? {
        return Ok(Proof::of_program(proof));
    }
    if !first.rest().is_empty() {
        first.keyword("induction")?;
        proof.induction = first.word("a number of steps")?.number()?;
        first.end()?;
    }
    // The hint with the largest number. There must be such a state in the end.
    let mut last: Option<(usize, Word<'_>)> = None;
    while let Some(mut line) = lines.peek().filter(|line| !Reader::is_next(line)) {
        lines.next();
        line.keyword("state")?;
        let number = line.word("the number of the state")?;
        if number.index()? != proof.states.len() {
            return Err(number.error(format!("state {} is expected here", proof.states.len() + 1)));
        }
        line.keyword("at")?;
        let loc = names.loc_at(&line.word("a location")?)?;
        let mut successors = Vec::new();
        if line.starts_with("then") {
            line.keyword("then")?;
            while !line.starts_with("holds") {
                let word = line.word("`holds`")?;
                let index = word.index()?;
                let id = u32::try_from(index).map_err(|_| word.error("there is no such state"))?;
                successors.push(StateId(id));
                if last.as_ref().is_none_or(|(largest, _)| *largest < index) {
                    last = Some((index, word));
                }
            }
        }
        line.keyword("holds")?;
        let word = line.word("a formula")?;
        let formula = word.term(names)?;
        if formula.sort() != Sort::Bool {
            return Err(word.error(format!(
                "a formula is expected, and this is of the sort `{}`",
                formula.sort()
            )));
        }
        line.end()?;
        proof.states.push(ProofState { loc, formula, successors });
    }
    match last.filter(|(largest, _)| *largest >= proof.states.len()) {
        Some((_, word)) => Err(word.error("there is no such state")),
        None => Ok(proof),
    }
}
