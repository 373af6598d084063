//! Words as bits: the vectors and small arrays of a system become truth values, one for each bit.
//!
//! What is propositional, a SAT solver decides, and interpolants speak of single bits. Circuits are about these; in
//! programs, what a number means is worth more, so automata with control flow stay as they are, and so does whatever
//! has numbers, large arrays or too many gates in it.

use std::cell::RefCell;

use lapidary_expr::bits::{Blaster, bit_of, n_bits, value_of};
use lapidary_expr::{Sort, Term, Valuation, Value, Var};
use rustc_hash::{FxHashMap, FxHashSet};

use super::{BackTranslate, Pass, Unchanged};
use crate::cfa::{Cfa, CfaBuilder};
use crate::execution::{Execution, Step};
use crate::proof::Proof;
use crate::stmt::{Decision, Stmt};

/// A system with about this many gates is not worth the memory.
const MOST_GATES: usize = 2_000_000;

/// More variables than this are not worth their names.
const MOST_BITS: usize = 200_000;

/// Makes truth values of the words of a system.
#[derive(Clone, Copy, Debug)]
pub struct Bits;

impl Pass for Bits {
    fn name(&self) -> &'static str {
        "bits"
    }

    fn run(&self, cfa: &Cfa) -> (Cfa, Box<dyn BackTranslate>) {
        let has_words = cfa.vars().iter().any(|var| var.sort() != Sort::Bool);
        let made = if has_words && cfa.is_system() { of_bits(cfa) } else { None };
        made.unwrap_or_else(|| (cfa.clone(), Box::new(Unchanged)))
    }
}

/// The automaton with bits for words; none if it is not made of them.
fn of_bits(cfa: &Cfa) -> Option<(Cfa, Box<dyn BackTranslate>)> {
    let words = Words::new(cfa)?;
    let variable = |var: Var| words.bits[&var].iter().copied().map(Term::var).collect();
    let translation =
        Translation { words: &words, blaster: RefCell::new(Blaster::new(&variable, MOST_GATES)) };
    let mut builder = CfaBuilder::new(cfa.name(), cfa.loc_name(cfa.entry()));
    builder.vars(&words.all(cfa.vars()));
    for loc in cfa.locs().filter(|loc| *loc != cfa.entry()) {
        let same = builder.loc(cfa.loc_name(loc));
        debug_assert_eq!(same, loc, "the entry is the first location");
    }
    for (_, edge) in cfa.edges() {
        builder.edge(edge.source, translation.stmt(&edge.stmt)?, edge.target, edge.position);
    }
    cfa.error().into_iter().for_each(|error| builder.error(error));
    let stmts = cfa.edges().map(|(_, edge)| edge.stmt.clone()).collect();
    let of_bits = builder.build().expect("bits of declared variables are declared");
    drop(translation);
    Some((of_bits, Box::new(Back { words, vars: cfa.vars().to_vec(), stmts })))
}

/// The bit that is called so, of a word that `word` knows by its name. Whether the pass is run is another question.
pub fn bit_called(name: &str, word: impl Fn(&str) -> Option<Var>) -> Option<Var> {
    let (of, i) = name.trim_end_matches('\'').strip_suffix(']')?.rsplit_once('[')?;
    let (sort, i): (Sort, usize) = (word(of)?.sort(), i.parse().ok()?);
    (sort != Sort::Bool && i < n_bits(sort)?).then(|| Var::new(name, Sort::Bool))
}

/// The bits of variables.
struct Words {
    bits: FxHashMap<Var, Vec<Var>>,
    /// Which bit of which variable one is.
    words: FxHashMap<Var, (Var, usize)>,
}

impl Words {
    /// None if a variable is not made of bits, or all of them of too many.
    fn new(cfa: &Cfa) -> Option<Words> {
        let total = cfa.vars().iter().try_fold(0_usize, |total, var| {
            total.checked_add(n_bits(var.sort())?).filter(|total| *total <= MOST_BITS)
        });
        total?;
        let mut names: FxHashSet<String> =
            cfa.vars().iter().map(|var| var.name().to_string()).collect();
        let mut new = Words { bits: FxHashMap::default(), words: FxHashMap::default() };
        for var in cfa.vars() {
            let n = n_bits(var.sort())?;
            let mut bit = |i: usize| {
                let mut name = format!("{}[{i}]", var.name());
                while !names.insert(name.clone()) {
                    name.push('\'');
                }
                Var::new(&name, Sort::Bool)
            };
            let bits: Vec<Var> = match var.sort() {
                Sort::Bool => vec![*var],
                _ => (0..n).map(&mut bit).collect(),
            };
            new.words.extend(bits.iter().enumerate().map(|(i, bit)| (*bit, (*var, i))));
            new.bits.insert(*var, bits);
        }
        Some(new)
    }

    /// The bits of these variables, one after the other.
    fn all(&self, vars: &[Var]) -> Vec<Var> {
        vars.iter().flat_map(|var| self.bits[var].iter().copied()).collect()
    }
}

struct Translation<'a> {
    words: &'a Words,
    blaster: RefCell<Blaster<'a>>,
}

impl Translation<'_> {
    /// The statement on bits, in the same shape; none if it is not made of bits.
    fn stmt(&self, stmt: &Stmt) -> Option<Stmt> {
        let all = |parts: &[Stmt]| parts.iter().map(|part| self.stmt(part)).collect::<Option<_>>();
        Some(match stmt {
            Stmt::Assume(condition) => Stmt::Assume(self.blaster.borrow_mut().truth(*condition)?),
            Stmt::Assign(assignments) => {
                let mut new = Vec::new();
                for (var, term) in assignments {
                    let values = self.blaster.borrow_mut().bits(*term)?;
                    new.extend(self.words.bits[var].iter().copied().zip(values.iter().copied()));
                }
                Stmt::Assign(new)
            }
            Stmt::Havoc(vars) => Stmt::Havoc(self.words.all(vars)),
            Stmt::Seq(parts) => Stmt::Seq(all(parts)?),
            Stmt::Choice(parts) => Stmt::Choice(all(parts)?),
            // The order of its decisions is that of variables, which bits have another one of.
            Stmt::Relation { .. } => return None,
        })
    }
}

struct Back {
    words: Words,
    vars: Vec<Var>,
    /// The original statements, by edge.
    stmts: Vec<Stmt>,
}

impl BackTranslate for Back {
    fn execution(&self, execution: Execution) -> Execution {
        let value = |var: &Var| {
            let bit = |bit: &Var| execution.start.get(*bit) == Some(&Value::Bool(true));
            let bits: Vec<bool> = self.words.bits[var].iter().map(bit).collect();
            (*var, value_of(var.sort(), &bits))
        };
        let mut start: Valuation = self.vars.iter().map(value).collect();
        execution.start.funcs().for_each(|(func, value)| start.set_func(func, value.clone()));
        let step = |step: Step| {
            let mut tape = Vec::new();
            let mut bits = step.tape.into_iter();
            words_on_tape(&self.stmts[step.edge.0 as usize], &mut bits, &mut tape);
            Step { tape, ..step }
        };
        Execution { start, steps: execution.steps.into_iter().map(step).collect() }
    }

    fn proof(&self, mut proof: Proof) -> Proof {
        let word = |bit: Var| {
            let (var, i) = self.words.words.get(&bit)?;
            Some(bit_of(Term::var(*var), i.to_owned()))
        };
        let formulas: Vec<Term> = proof.states.iter().map(|state| state.formula).collect();
        let formulas = Term::map_vars_all(&formulas, &word);
        proof.states.iter_mut().zip(formulas).for_each(|(state, formula)| state.formula = formula);
        proof
    }
}

/// Reads the decisions that a statement left open as bits, and writes those of its original.
fn words_on_tape(stmt: &Stmt, bits: &mut dyn Iterator<Item = Decision>, tape: &mut Vec<Decision>) {
    match stmt {
        Stmt::Havoc(vars) => {
            for var in vars {
                let n = n_bits(var.sort()).expect("all variables are made of bits");
                let is_set = |bit| matches!(bit, Some(Decision::Value(Value::Bool(true))));
                let values: Vec<bool> = (0..n).map(|_| is_set(bits.next())).collect();
                tape.push(Decision::Value(value_of(var.sort(), &values)));
            }
        }
        Stmt::Seq(parts) => parts.iter().for_each(|part| words_on_tape(part, bits, tape)),
        Stmt::Choice(parts) => {
            if let Some(Decision::Branch(branch)) = bits.next()
                && let Some(part) = parts.get(branch)
            {
                tape.push(Decision::Branch(branch));
                words_on_tape(part, bits, tape);
            }
        }
        Stmt::Assume(_) | Stmt::Assign(_) | Stmt::Relation { .. } => {}
    }
}
