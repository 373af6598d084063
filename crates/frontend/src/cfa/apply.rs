//! The terms that operators make of their operands.

use std::ops::Range;

use lapidary_expr::{IBig, Op, RBig, Sort, Term, Value};

use super::Parsed;
use super::operator::Infix;
use super::typing::{MAX_WIDTH, Operand, Terms, too_wide};

impl Terms<'_> {
    /// A chain of operands and operators that join, from the left.
    pub(crate) fn chain(&mut self, first: Operand, rest: &[(Infix, Operand)]) -> Parsed<Operand> {
        let operands: Vec<Operand> =
            std::iter::once(first).chain(rest.iter().map(|(_, operand)| *operand)).collect();
        let (Some((infix, _)), Some(last)) = (rest.first(), operands.last()) else {
            return Ok(first);
        };
        let span = first.start..last.end;
        let (op, args) = match infix {
            Infix::Plus | Infix::Minus => self.sum(&operands, rest)?,
            Infix::Times => (self.arithmetic(first, Op::Mul, Op::BvMul)?, self.unify(&operands)?),
            Infix::And => (Op::And, self.all(&operands, Sort::Bool)?),
            Infix::Or => (Op::Or, self.all(&operands, Sort::Bool)?),
            Infix::Concat => (Op::Concat, self.concatenated(&operands, span.clone())?),
            Infix::Bits(op) => (op.clone(), self.bits(&operands)?),
            _ => {
                let term = self.binary(infix, [operands[0], operands[1]], span.clone())?;
                let term = self.checked(term, span.clone())?;
                return Ok(Operand { term, start: span.start, end: span.end });
            }
        };
        let term = self.apply(op, args, span.clone())?;
        Ok(Operand { term, start: span.start, end: span.end })
    }

    /// An operator that takes exactly two operands.
    fn binary(
        &mut self,
        infix: &Infix,
        operands: [Operand; 2],
        span: Range<usize>,
    ) -> Parsed<Term> {
        match infix {
            Infix::Iff => self.logical(operands, Term::equals),
            Infix::Imply => self.logical(operands, Term::implies),
            Infix::Xor => self.logical(operands, |left, right| left.equals(right).not()),
            Infix::Equal => self.equality(operands, span),
            Infix::Different => self.equality(operands, span).map(Term::not),
            Infix::Less => self.comparison(Op::Lt, operands, |[left, right]| [left, right]),
            Infix::AtMost => self.comparison(Op::Le, operands, |[left, right]| [left, right]),
            Infix::Greater => self.comparison(Op::Lt, operands, |[left, right]| [right, left]),
            Infix::AtLeast => self.comparison(Op::Le, operands, |[left, right]| [right, left]),
            Infix::BitsSwapped(op) => {
                let mut args = self.bits(&operands)?;
                args.reverse();
                self.apply(op.clone(), args, span)
            }
            Infix::RotateLeft | Infix::RotateRight => {
                let args = self.bits(&operands)?;
                let is_left = *infix == Infix::RotateLeft;
                let rotate = if is_left { Term::rotate_left } else { Term::rotate_right };
                rotate(args[0], args[1])
                    .map_err(|error| Box::new(self.source.error(span, error.to_string())))
            }
            Infix::Divide => self.quotient(operands, span),
            Infix::Mod => {
                self.number(operands[0], "bvurem", "bvsmod")?;
                let args = self.all(&operands, Sort::Int)?;
                self.apply(Op::Mod, args, span)
            }
            Infix::Rem => self.remainder(operands, span),
            other => unreachable!("{other:?} is built as a chain"),
        }
    }

    fn all(&mut self, operands: &[Operand], sort: Sort) -> Parsed<Vec<Term>> {
        operands.iter().map(|operand| self.expect(*operand, sort)).collect()
    }

    /// The operands, which must be bit-vectors of one width.
    fn bits(&mut self, operands: &[Operand]) -> Parsed<Vec<Term>> {
        let width = self.width(operands[0])?;
        self.all(operands, Sort::Bv(width))
    }

    /// The operands, which must be bit-vectors that are not too wide together.
    fn concatenated(&self, operands: &[Operand], span: Range<usize>) -> Parsed<Vec<Term>> {
        let mut width = 0u32;
        for operand in operands {
            width = width.saturating_add(self.width(*operand)?);
        }
        if width > MAX_WIDTH {
            return Err(too_wide(self.source, span).into());
        }
        Ok(operands.iter().map(|operand| operand.term).collect())
    }

    fn logical(
        &mut self,
        operands: [Operand; 2],
        combine: impl Fn(Term, Term) -> Term,
    ) -> Parsed<Term> {
        let args = self.all(&operands, Sort::Bool)?;
        Ok(combine(args[0], args[1]))
    }

    fn equality(&mut self, operands: [Operand; 2], span: Range<usize>) -> Parsed<Term> {
        let args = self.unify(&operands)?;
        self.apply(Op::Eq, args, span)
    }

    fn comparison(
        &mut self,
        op: Op,
        operands: [Operand; 2],
        arrange: fn([Term; 2]) -> [Term; 2],
    ) -> Parsed<Term> {
        let [left, right] = operands;
        self.number(left, "bvult", "bvslt")?;
        let args = self.unify(&operands)?;
        self.apply(op, arrange([args[0], args[1]]).to_vec(), left.start..right.end)
    }

    fn quotient(&mut self, operands: [Operand; 2], span: Range<usize>) -> Parsed<Term> {
        self.number(operands[0], "bvudiv", "bvsdiv")?;
        let args = self.unify(&operands)?;
        let op = if args[0].sort() == Sort::Rat { Op::RatDiv } else { Op::Div };
        self.apply(op, args, span)
    }

    /// Theta's `rem`: the Euclidean remainder, with the sign of the divisor.
    fn remainder(&mut self, operands: [Operand; 2], span: Range<usize>) -> Parsed<Term> {
        self.number(operands[0], "bvurem", "bvsrem")?;
        let args = self.all(&operands, Sort::Int)?;
        let divisor = args[1];
        let modulo = self.apply(Op::Mod, args, span)?;
        Ok(divisor.less(Term::int(0)).ite(modulo.negated(), modulo))
    }

    /// An error unless the operand is a number; for bit-vectors it names the operators to use instead.
    fn number(&self, operand: Operand, unsigned: &str, signed: &str) -> Parsed<()> {
        if operand.sort().is_arithmetic() {
            return Ok(());
        }
        let error = self.mismatch(operand, &"a number");
        Err(Box::new(match operand.sort() {
            Sort::Bv(_) => error.with_help(format!(
                "bit-vectors have no sign of their own: use `{unsigned}` (unsigned) or `{signed}` (signed)"
            )),
            _ => error,
        }))
    }

    /// The operator for numbers or the one for bit-vectors, as the operand demands.
    fn arithmetic(&self, operand: Operand, numbers: Op, bits: Op) -> Parsed<Op> {
        match operand.sort() {
            Sort::Int | Sort::Rat => Ok(numbers),
            Sort::Bv(_) => Ok(bits),
            _ => Err(self.mismatch(operand, &"a number or a bit-vector").into()),
        }
    }

    /// Operands that are added, those after a minus sign negated.
    fn sum(&mut self, operands: &[Operand], rest: &[(Infix, Operand)]) -> Parsed<(Op, Vec<Term>)> {
        let op = self.arithmetic(operands[0], Op::Add, Op::BvAdd)?;
        let mut args = self.unify(operands)?;
        for (i, (infix, operand)) in rest.iter().enumerate() {
            if *infix == Infix::Minus {
                args[i + 1] = self.negated(args[i + 1], operand.span())?;
            }
        }
        Ok((op, args))
    }

    /// `-x` of a number or a bit-vector.
    fn negated(&mut self, term: Term, span: Range<usize>) -> Parsed<Term> {
        let minus_one = match term.sort() {
            Sort::Bv(_) => return self.apply(Op::BvNeg, vec![term], span),
            Sort::Rat => Value::Rat(RBig::from(IBig::NEG_ONE)),
            _ => Value::Int(IBig::NEG_ONE),
        };
        self.apply(Op::Mul, vec![Term::lit(minus_one), term], span)
    }

    /// A prefix operator on numbers and bit-vectors; `start` is where it stands.
    pub(crate) fn prefix(&mut self, text: &str, start: usize, operand: Operand) -> Parsed<Operand> {
        let span = start..operand.end;
        let term = match text {
            "+" => self.arithmetic(operand, Op::Add, Op::BvAdd).map(|_| operand.term)?,
            "-" => {
                self.arithmetic(operand, Op::Add, Op::BvAdd)?;
                self.negated(operand.term, span)?
            }
            "bvpos" => self.width(operand).map(|_| operand.term)?,
            "bvneg" | "bvnot" => {
                self.width(operand)?;
                let op = if text == "bvnot" { Op::BvNot } else { Op::BvNeg };
                self.apply(op, vec![operand.term], span)?
            }
            other => unreachable!("`{other}` is no prefix operator"),
        };
        Ok(Operand { term, start, end: operand.end })
    }

    /// `operand bv_zero_extend bv[width]` or its signed sibling, which ends at `end`.
    pub(crate) fn extend(
        &mut self,
        operand: Operand,
        by: fn(u32) -> Op,
        width: u32,
        end: usize,
    ) -> Parsed<Operand> {
        let span = operand.start..end;
        let old = self.width(operand)?;
        let Some(more) = width.checked_sub(old) else {
            let message = format!("bv[{old}] cannot be extended to bv[{width}]");
            return Err(self.source.error(span, message).into());
        };
        let term = self.apply(by(more), vec![operand.term], span)?;
        Ok(Operand { term, start: operand.start, end })
    }
}
