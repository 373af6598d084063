//! Literals: integers, rationals, bit-vectors and arrays.

use std::collections::BTreeMap;

use lapidary_expr::{Bv, IBig, Op, RBig, Sort, Term, UBig, Value};

use super::Parsed;
use super::build::expr::Expressions;
use super::lexer::{Kind, Token};
use super::typing::{Operand, TypeName};
use crate::source::ParseError;

impl<'s> Expressions<'_, 's> {
    /// `12`, `1 % 2`, `4'b0010`, `4'd-5` or `8'xff`.
    pub(crate) fn number(&mut self) -> Parsed<Operand> {
        let token = self.cursor.peek();
        if token.kind == Kind::Bits {
            let value = self.bits(token)?;
            let operand = self.leaf(Term::lit(Value::Bv(value)));
            return match self.cursor.at(".") {
                true => self.cursor.unsupported(token, "floating point is"),
                false => Ok(operand),
            };
        }
        let numerator = self.digits(token, token.text, 10)?;
        let operand = self.leaf(Term::int(numerator.clone()));
        if self.cursor.eat("%").is_none() {
            return Ok(operand);
        }
        let token = self.cursor.peek();
        if token.kind != Kind::Int {
            return Err(self.cursor.unexpected("the denominator of a rational").into());
        }
        let denominator = self.digits(token, token.text, 10)?;
        if denominator.is_zero() {
            let message = "the denominator of a rational is not zero";
            return Err(self.cursor.error(token.span(), message).into());
        }
        let value = RBig::from_parts(IBig::from(numerator), denominator);
        Ok(Operand { start: operand.start, ..self.leaf(Term::lit(Value::Rat(value))) })
    }

    /// The value of a bit-vector literal.
    fn bits(&self, token: Token<'s>) -> Parsed<Bv> {
        let (size, value) = token.text.split_once('\'').unwrap_or((token.text, ""));
        let width = self.cursor.width(size, token.span())?;
        let (radix, value) = match value.split_at_checked(1) {
            Some(("b", digits)) => (2, digits),
            Some(("x", digits)) => (16, digits),
            _ => (10, value.strip_prefix('d').unwrap_or(value)),
        };
        let is_negative = value.starts_with('-');
        let magnitude = self.digits(token, value.trim_start_matches(['+', '-']), radix)?;
        // A negative number fits from -2^(width-1), any other one below 2^width.
        let bound = UBig::ONE << (width - u32::from(is_negative)) as usize;
        let fits = if is_negative { magnitude <= bound } else { magnitude < bound };
        if !fits {
            let message = format!("the value does not fit into {width} bits");
            return Err(self.cursor.error(token.span(), message).into());
        }
        let value = IBig::from(magnitude);
        Ok(Bv::wrap(width, &if is_negative { -value } else { value }))
    }

    /// The number that digits of a token say.
    fn digits(&self, token: Token<'s>, digits: &str, radix: u32) -> Parsed<UBig> {
        let wrong = digits.chars().find(|digit| !digit.is_digit(radix));
        let message = match wrong {
            Some(digit) => format!("`{digit}` is no digit of a number in base {radix}"),
            None => match UBig::from_str_radix(digits, radix) {
                Ok(number) => return Ok(number),
                Err(_) => "digits are missing after the base".into(),
            },
        };
        Err(self.cursor.error(token.span(), message).into())
    }

    /// `[0 <- a, 1 <- b, default <- c]`, the type of the indices optionally before `default`.
    pub(crate) fn array_literal(&mut self) -> Parsed<Operand> {
        let open = self.cursor.expect("[")?;
        let mut entries: Vec<(Operand, Operand)> = Vec::new();
        while !self.cursor.at("default") && !self.cursor.at("<") {
            let index = self.expression()?;
            self.cursor.expect("<-")?;
            entries.push((index, self.expression()?));
            self.cursor.expect(",")?;
        }
        let index = match (self.cursor.eat("<"), entries.first()) {
            (Some(_), _) => {
                let sort = self.cursor.sort()?;
                self.cursor.expect(">")?;
                sort
            }
            (None, Some((index, _))) => index.sort(),
            (None, None) => return Err(self.untyped_indices().into()),
        };
        self.cursor.expect("default")?;
        self.cursor.expect("<-")?;
        let default = self.expression()?;
        let end = self.cursor.expect("]")?.end();
        let term = self.array(index, &entries, default, open.start..end)?;
        Ok(Operand { term, start: open.start, end })
    }

    fn untyped_indices(&self) -> ParseError {
        let error = self.cursor.unexpected("the type of the indices");
        error.with_help(format!("write `[<{}> default <- ...]`", TypeName(Sort::Int)))
    }

    fn array(
        &mut self,
        index: Sort,
        entries: &[(Operand, Operand)],
        default: Operand,
        span: std::ops::Range<usize>,
    ) -> Parsed<Term> {
        let Sort::Array(sort) = Sort::array(index, default.sort()) else {
            unreachable!("an array sort was made")
        };
        let mut pairs = Vec::with_capacity(entries.len());
        for (index, element) in entries {
            let index = self.terms.expect(*index, sort.index())?;
            pairs.push((index, self.terms.expect(*element, sort.element())?));
        }
        // A later entry replaces an earlier one of the same index, here and in the chain of writes.
        let values: Option<BTreeMap<Value, Value>> = pairs
            .iter()
            .map(|(index, element)| Some((index.as_lit()?.clone(), element.as_lit()?.clone())))
            .collect();
        if let (Some(values), Some(default)) = (values, default.term.as_lit()) {
            return Ok(Term::lit(Value::array(sort, default.clone(), values)));
        }
        let mut array = self.terms.apply(Op::ConstArray(sort), vec![default.term], span.clone())?;
        for (index, element) in pairs {
            array = self.terms.apply(Op::Store, vec![array, index, element], span.clone())?;
        }
        Ok(array)
    }
}
