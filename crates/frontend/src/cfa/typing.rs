//! Types of operands: their names, what fits where, and the one implicit conversion, from `int` to `rat`.

use std::fmt;
use std::ops::Range;

use lapidary_expr::{Op, Sort, Term};
use rustc_hash::FxHashMap;

use super::Parsed;
use crate::source::{ParseError, SourceFile};

/// How deep a term may be, so that whoever walks it recursively does not run out of stack. Chains of
/// operators grow deep terms without any nesting in the text.
const MAX_DEPTH: u32 = 800;

/// Bit-vectors are at most this wide, so that no short text asks for gigabytes.
pub(crate) const MAX_WIDTH: u32 = 1 << 20;

pub(crate) fn too_wide(source: &SourceFile, span: Range<usize>) -> ParseError {
    let message = format!("bit-vectors of more than {MAX_WIDTH} bits are not supported");
    source.error(span, message)
}

/// A type as the CFA language writes it.
pub(crate) struct TypeName(pub(crate) Sort);

impl fmt::Display for TypeName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Sort::Bool => f.write_str("bool"),
            Sort::Int => f.write_str("int"),
            Sort::Rat => f.write_str("rat"),
            Sort::Bv(width) => write!(f, "bv[{width}]"),
            Sort::Array(array) => {
                write!(f, "[{}] -> {}", TypeName(array.index()), TypeName(array.element()))
            }
        }
    }
}

/// A part of an expression: its term and where it stands.
#[derive(Clone, Copy)]
pub(crate) struct Operand {
    pub(crate) term: Term,
    pub(crate) start: usize,
    pub(crate) end: usize,
}

impl Operand {
    pub(crate) fn span(&self) -> Range<usize> {
        self.start..self.end
    }

    pub(crate) fn sort(&self) -> Sort {
        self.term.sort()
    }
}

/// Builds terms, checked for their types and their depth.
pub(crate) struct Terms<'s> {
    pub(crate) source: &'s SourceFile,
    depths: FxHashMap<Term, u32>,
}

impl<'s> Terms<'s> {
    pub(crate) fn new(source: &'s SourceFile) -> Terms<'s> {
        Terms { source, depths: FxHashMap::default() }
    }

    /// `op` applied to `args`, for the part of the text at `span`.
    pub(crate) fn apply(&mut self, op: Op, args: Vec<Term>, span: Range<usize>) -> Parsed<Term> {
        let term = Term::app(op, args)
            .map_err(|error| Box::new(self.source.error(span.clone(), error.to_string())))?;
        self.checked(term, span)
    }

    /// The term, unless it is too deep.
    pub(crate) fn checked(&mut self, term: Term, span: Range<usize>) -> Parsed<Term> {
        if self.depth(term) <= MAX_DEPTH {
            return Ok(term);
        }
        let error = self.source.error(span, "this expression is nested too deeply");
        let help = format!("more than {MAX_DEPTH} operators contain each other");
        Err(error.with_help(help).into())
    }

    /// Recursive only through parts that the last application made.
    fn depth(&mut self, term: Term) -> u32 {
        if term.args().is_empty() {
            return 1;
        }
        if let Some(depth) = self.depths.get(&term) {
            return *depth;
        }
        let depth = 1 + term.args().iter().map(|arg| self.depth(*arg)).max().unwrap_or(0);
        self.depths.insert(term, depth);
        depth
    }

    /// The operand as a value of `sort`.
    pub(crate) fn expect(&mut self, operand: Operand, sort: Sort) -> Parsed<Term> {
        match (operand.sort(), sort) {
            (found, expected) if found == expected => Ok(operand.term),
            (Sort::Int, Sort::Rat) => self.apply(Op::ToRat, vec![operand.term], operand.span()),
            _ => Err(self.mismatch(operand, &TypeName(sort)).into()),
        }
    }

    /// The operands as values of one sort, which is `rat` if they are numbers of both sorts.
    pub(crate) fn unify(&mut self, operands: &[Operand]) -> Parsed<Vec<Term>> {
        let mut sorts = operands.iter().map(Operand::sort);
        let first = sorts.next().unwrap_or(Sort::Bool);
        let common =
            if first == Sort::Int && sorts.any(|s| s == Sort::Rat) { Sort::Rat } else { first };
        // An operand that fits nothing is told about the sort of the first one.
        let target =
            |operand: &Operand| if operand.sort().is_arithmetic() { common } else { first };
        operands.iter().map(|operand| self.expect(*operand, target(operand))).collect()
    }

    /// The width of an operand that must be a bit-vector.
    pub(crate) fn width(&self, operand: Operand) -> Parsed<u32> {
        match operand.sort() {
            Sort::Bv(width) => Ok(width),
            _ => Err(self.mismatch(operand, &"a bit-vector").into()),
        }
    }

    pub(crate) fn mismatch(&self, operand: Operand, expected: &dyn fmt::Display) -> ParseError {
        let found = TypeName(operand.sort());
        self.source.error(operand.span(), format!("expected {expected}, found {found}"))
    }
}
