//! Terms over vectors as terms over truth values, one for each bit.
//!
//! The bits of a term come with the lowest first: one of a truth value, as many as its width of a vector, and those
//! of all elements one after the other of an array with few elements. `bits/circuits.rs` has the operators.

mod circuits;

use std::collections::BTreeMap;
use std::rc::Rc;

use dashu_int::UBig;
use dashu_int::ops::BitTest;
use rustc_hash::FxHashMap;

use crate::op::Op;
use crate::sort::{ArraySort, Sort};
use crate::term::Term;
use crate::value::{Bv, Value};
use crate::var::Var;
use crate::walk::Walk;

/// Arrays with indices of more bits stay as they are.
const WIDEST_INDEX: u32 = 8;

/// The number of bits of a sort; none if its values are no bits.
pub fn n_bits(sort: Sort) -> Option<usize> {
    match sort {
        Sort::Bool => Some(1),
        Sort::Bv(width) => Some(width as usize),
        Sort::Array(array) => n_elements(array)?.checked_mul(n_bits(array.element())?),
        Sort::Int | Sort::Rat => None,
    }
}

fn n_elements(array: ArraySort) -> Option<usize> {
    match array.index() {
        Sort::Bv(width) if width <= WIDEST_INDEX => Some(1 << width),
        _ => None,
    }
}

/// The bits of a value that has some.
pub fn bits_of(value: &Value) -> Vec<bool> {
    match value {
        Value::Bool(truth) => vec![*truth],
        Value::Bv(bv) => (0..bv.width() as usize).map(|i| bv.unsigned().bit(i)).collect(),
        Value::Array(array) => {
            let n = n_elements(array.sort()).expect("an array of bits");
            let indices = (0..n).map(|i| index_value(array.sort(), i));
            indices.flat_map(|index| bits_of(array.get(&index))).collect()
        }
        Value::Int(_) | Value::Rat(_) => unreachable!("numbers have no bits"),
    }
}

/// The value of `sort` with these bits.
pub fn value_of(sort: Sort, bits: &[bool]) -> Value {
    match sort {
        Sort::Bool => Value::Bool(bits[0]),
        Sort::Bv(width) => {
            let mut number = UBig::ZERO;
            let set = bits.iter().enumerate().filter(|(_, bit)| **bit);
            set.for_each(|(i, _)| number.set_bit(i));
            Value::Bv(Bv::new(width, number))
        }
        Sort::Array(array) => {
            let element = array.element();
            let size = n_bits(element).expect("an array of bits");
            let elements = bits.chunks(size).map(|bits| value_of(element, bits));
            let entries: BTreeMap<Value, Value> =
                elements.enumerate().map(|(i, value)| (index_value(array, i), value)).collect();
            Value::array(array, Value::default_of(element), entries)
        }
        Sort::Int | Sort::Rat => unreachable!("numbers have no bits"),
    }
}

/// A bit of a term that has some, as a term over the same variables.
pub fn bit_of(term: Term, i: usize) -> Term {
    match term.sort() {
        Sort::Bool => term,
        Sort::Bv(_) => {
            let bit = Op::Extract(i as u32, i as u32);
            let bit = Term::app(bit, vec![term]).expect("a bit of the vector");
            bit.equals(Term::bv(1, 1))
        }
        Sort::Array(array) => {
            let size = n_bits(array.element()).expect("an array of bits");
            bit_of(term.select(Term::lit(index_value(array, i / size))), i % size)
        }
        Sort::Int | Sort::Rat => unreachable!("numbers have no bits"),
    }
}

fn index_value(array: ArraySort, i: usize) -> Value {
    match array.index() {
        Sort::Bv(width) => Value::Bv(Bv::new(width, UBig::from(i))),
        _ => unreachable!("indices are vectors"),
    }
}

/// Makes bits of terms, of each subterm once.
pub struct Blaster<'a> {
    /// The bits of a variable.
    variable: &'a dyn Fn(Var) -> Vec<Term>,
    known: FxHashMap<Term, Option<Rc<[Term]>>>,
    /// How many gates there may be, about, from now on.
    gates_left: usize,
}

impl<'a> Blaster<'a> {
    /// With `variable` for the bits of variables, up to about `most` gates.
    pub fn new(variable: &'a dyn Fn(Var) -> Vec<Term>, most: usize) -> Self {
        Blaster { variable, known: FxHashMap::default(), gates_left: most }
    }

    /// The bits of a term; none if it is not made of bits, or of too many.
    pub fn bits(&mut self, term: Term) -> Option<Rc<[Term]>> {
        self.walk(term);
        self.known[&term].clone()
    }

    /// The truth value of a formula; none if it is not made of bits, or of too many.
    pub fn truth(&mut self, formula: Term) -> Option<Term> {
        self.bits(formula).map(|bits| bits[0])
    }

    /// The bits of a term whose arguments have been visited.
    fn node(&mut self, term: Term) -> Option<Vec<Term>> {
        let width = n_bits(term.sort())?;
        let args: Vec<&[Term]> =
            term.args().iter().map(|arg| self.known[arg].as_deref()).collect::<Option<_>>()?;
        let gates = circuits::n_gates(term.op(), &args, width)?;
        self.gates_left = self.gates_left.checked_sub(gates)?;
        Some(match term.op() {
            Op::Var(var) => (self.variable)(*var),
            Op::Lit(value) => bits_of(value).into_iter().map(Term::from).collect(),
            op => circuits::apply(op, &args, width),
        })
    }
}

impl Walk for Blaster<'_> {
    fn enter(&mut self, term: Term) -> bool {
        !self.known.contains_key(&term)
    }

    fn leave(&mut self, term: Term) {
        let bits = self.node(term).map(Rc::from);
        self.known.insert(term, bits);
    }
}

#[cfg(test)]
mod tests;
