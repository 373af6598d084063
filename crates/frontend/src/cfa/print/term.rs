//! Terms as expressions of the CFA language, with the parentheses that precedence asks for.

use lapidary_expr::{IBig, Op, Sort, Term, Value};

use super::PrintError;
use super::names::Names;
use crate::cfa::operator::Level;
use crate::cfa::typing::TypeName;

/// Shared parts are written once for each use, which may be exponentially often; more nodes than this are
/// not written.
const MAX_SIZE: u32 = 1_000_000;

/// The term as text.
pub(crate) fn print(term: Term, names: &Names) -> Result<String, PrintError> {
    if term.size() > MAX_SIZE {
        return Err(PrintError::TooLarge);
    }
    let mut printer = Printer { names, text: String::new() };
    printer.expression(term)?;
    Ok(printer.text)
}

struct Printer<'n> {
    names: &'n Names,
    text: String,
}

type Printed = Result<(), PrintError>;

impl Printer<'_> {
    /// A term where anything may stand.
    fn expression(&mut self, term: Term) -> Printed {
        match (term.op(), term.args()) {
            (Op::Ite, [condition, then, otherwise]) => {
                self.text.push_str("if ");
                self.expression(*condition)?;
                self.text.push_str(" then ");
                self.expression(*then)?;
                self.text.push_str(" else ");
                self.expression(*otherwise)
            }
            // The language's own `rem` is another one.
            (Op::Rem, [dividend, divisor]) => self.expression(remainder(*dividend, *divisor)),
            _ => self.operand(term, Level::Iff),
        }
    }

    /// A term where an operator of the given level or a tighter one may stand.
    fn operand(&mut self, term: Term, level: Level) -> Printed {
        if level_of(term).is_some_and(|own| own >= level) {
            return self.application(term);
        }
        self.text.push('(');
        match level_of(term) {
            Some(_) => self.application(term)?,
            None => self.expression(term)?,
        }
        self.text.push(')');
        Ok(())
    }

    /// A term other than if-then-else, without parentheses around it.
    fn application(&mut self, term: Term) -> Printed {
        let args = term.args();
        match term.op() {
            Op::Lit(value) => self.value(value),
            Op::Var(var) if var.version() <= 1 => {
                self.text.push_str(self.names.var(var.base()));
                // In the language of transition systems, which shares this one's expressions.
                self.text.push_str(if var.version() == 1 { "'" } else { "" });
            }
            Op::Not => self.negation(args[0])?,
            Op::Eq if args[0].sort() == Sort::Bool => {
                self.operand(args[0], Level::Imply)?;
                self.text.push_str(" iff ");
                self.operand(args[1], Level::Iff)?;
            }
            Op::Eq => self.infix(" = ", Level::Equality, args)?,
            Op::Add => self.sum(args)?,
            Op::Mul if is_negation(term) => self.prefix("-", args[1])?,
            Op::BvNot => self.prefix("bvnot ", args[0])?,
            Op::BvNeg => self.prefix("bvneg ", args[0])?,
            Op::ToRat => {
                // Adding a rational zero is how the language turns an integer into a rational.
                self.operand(args[0], Level::Product)?;
                self.text.push_str(" + 0%1");
            }
            Op::ZeroExtend(_) | Op::SignExtend(_) => {
                self.operand(args[0], Level::Unary)?;
                let sign = if matches!(term.op(), Op::SignExtend(_)) { "sign" } else { "zero" };
                self.push(format_args!(" bv_{sign}_extend {}", TypeName(term.sort())));
            }
            Op::Extract(high, low) => {
                self.accessed(args[0])?;
                self.push(format_args!("[{}:{low}]", high + 1));
            }
            Op::Select | Op::Store => self.access(args)?,
            Op::ConstArray(sort) => {
                self.push(format_args!("[<{}> default <- ", TypeName(sort.index())));
                self.expression(args[0])?;
                self.text.push(']');
            }
            other => match symbol(other) {
                Some((symbol, level)) => self.infix(symbol, level, args)?,
                None => return Err(PrintError::Operator(other.to_string())),
            },
        }
        Ok(())
    }

    fn push(&mut self, what: std::fmt::Arguments<'_>) {
        super::append(&mut self.text, what);
    }

    fn prefix(&mut self, symbol: &str, arg: Term) -> Printed {
        self.text.push_str(symbol);
        self.operand(arg, Level::Unary)
    }

    /// Operands with a symbol of the given level between them. The first operand needs no parentheses for
    /// an operator of the same level where Theta reads chains of them.
    fn infix(&mut self, symbol: &str, level: Level, args: &[Term]) -> Printed {
        let is_chain = matches!(level, Level::Sum | Level::Product);
        self.operand(args[0], if is_chain { level } else { level.tighter() })?;
        for arg in &args[1..] {
            self.text.push_str(symbol);
            self.operand(*arg, level.tighter())?;
        }
        Ok(())
    }

    fn negation(&mut self, arg: Term) -> Printed {
        if is_equation(arg) {
            return self.infix(" /= ", Level::Equality, arg.args());
        }
        self.text.push_str("not ");
        self.operand(arg, Level::Equality)
    }

    /// `a - 2 * b + 3` rather than `a + -2 * b + 3`.
    fn sum(&mut self, args: &[Term]) -> Printed {
        self.operand(args[0], Level::Product)?;
        for arg in &args[1..] {
            let is_subtracted = match (arg.op(), arg.args()) {
                (Op::Lit(value), _) => is_negative(value),
                (Op::Mul, [factor, _]) => factor.as_lit().is_some_and(is_negative),
                _ => false,
            };
            self.text.push_str(if is_subtracted { " - " } else { " + " });
            self.operand(if is_subtracted { arg.negated() } else { *arg }, Level::Product)?;
        }
        Ok(())
    }

    /// `a[i]` or `a[i <- e]`.
    fn access(&mut self, args: &[Term]) -> Printed {
        self.accessed(args[0])?;
        self.text.push('[');
        self.expression(args[1])?;
        if let Some(element) = args.get(2) {
            self.text.push_str(" <- ");
            self.expression(*element)?;
        }
        self.text.push(']');
        Ok(())
    }

    /// What brackets follow.
    fn accessed(&mut self, term: Term) -> Printed {
        match term.op() {
            Op::Var(_) | Op::Select | Op::Store | Op::Extract(..) | Op::ConstArray(_) => {
                self.application(term)
            }
            Op::Lit(Value::Array(_) | Value::Bv(_)) => self.application(term),
            _ => {
                self.text.push('(');
                self.expression(term)?;
                self.text.push(')');
                Ok(())
            }
        }
    }

    fn value(&mut self, value: &Value) {
        match value {
            Value::Bool(b) => self.push(format_args!("{b}")),
            Value::Int(i) => self.push(format_args!("{i}")),
            Value::Rat(r) => self.push(format_args!("{}%{}", r.numerator(), r.denominator())),
            Value::Bv(bv) => self.push(format_args!("{}'d{}", bv.width(), bv.unsigned())),
            Value::Array(array) => {
                self.text.push('[');
                for (index, element) in array.entries() {
                    self.value(index);
                    self.text.push_str(" <- ");
                    self.value(element);
                    self.text.push_str(", ");
                }
                self.push(format_args!("<{}> default <- ", TypeName(array.sort().index())));
                self.value(array.default());
                self.text.push(']');
            }
        }
    }
}

/// The level of the operator that is written for a term; none for if-then-else, which binds weakest.
fn level_of(term: Term) -> Option<Level> {
    let args = term.args();
    Some(match term.op() {
        Op::Ite | Op::Rem => return None,
        Op::Eq if args[0].sort() == Sort::Bool => Level::Iff,
        Op::Eq => Level::Equality,
        Op::Not if is_equation(args[0]) => Level::Equality,
        Op::Not => Level::Not,
        Op::Add | Op::ToRat => Level::Sum,
        Op::Mul if is_negation(term) => Level::Unary,
        Op::ZeroExtend(_) | Op::SignExtend(_) => Level::Extend,
        op => symbol(op).map_or(Level::Unary, |(_, level)| level),
    })
}

/// How an operator is written between its arguments.
fn symbol(op: &Op) -> Option<(&'static str, Level)> {
    Some(match op {
        Op::And => (" and ", Level::And),
        Op::Or => (" or ", Level::Or),
        Op::Mul => (" * ", Level::Product),
        Op::Le => (" <= ", Level::Relation),
        Op::Lt => (" < ", Level::Relation),
        Op::Div | Op::RatDiv => (" / ", Level::Product),
        Op::Mod => (" mod ", Level::Product),
        Op::BvAnd => (" bvand ", Level::BitAnd),
        Op::BvOr => (" bvor ", Level::BitOr),
        Op::BvXor => (" bvxor ", Level::BitXor),
        Op::BvAdd => (" bvadd ", Level::Sum),
        Op::BvSub => (" bvsub ", Level::Sum),
        Op::BvMul => (" bvmul ", Level::Product),
        Op::BvUdiv => (" bvudiv ", Level::Product),
        Op::BvUrem => (" bvurem ", Level::Product),
        Op::BvSdiv => (" bvsdiv ", Level::Product),
        Op::BvSrem => (" bvsrem ", Level::Product),
        Op::BvSmod => (" bvsmod ", Level::Product),
        Op::BvShl => (" bvshl ", Level::Shift),
        Op::BvLshr => (" bvlshr ", Level::Shift),
        Op::BvAshr => (" bvashr ", Level::Shift),
        Op::BvUlt => (" bvult ", Level::Relation),
        Op::BvUle => (" bvule ", Level::Relation),
        Op::BvSlt => (" bvslt ", Level::Relation),
        Op::BvSle => (" bvsle ", Level::Relation),
        Op::Concat => (" ++ ", Level::Concat),
        _ => return None,
    })
}

/// The remainder with the sign of the dividend, by operators that the language has.
fn remainder(dividend: Term, divisor: Term) -> Term {
    let modulo = |dividend| {
        Term::app(Op::Mod, vec![dividend, divisor])
            .unwrap_or_else(|error| unreachable!("both are integers: {error}"))
    };
    dividend.less(Term::int(0)).ite(modulo(dividend.negated()).negated(), modulo(dividend))
}

fn is_negative(value: &Value) -> bool {
    match value {
        Value::Int(i) => *i < IBig::ZERO,
        Value::Rat(r) => *r.numerator() < IBig::ZERO,
        _ => false,
    }
}

/// Whether the term is `-1 * x`.
fn is_negation(term: Term) -> bool {
    match (term.args(), term.args().first().and_then(|factor| factor.as_lit())) {
        ([_, _], Some(Value::Int(i))) => *i == IBig::NEG_ONE,
        ([_, _], Some(Value::Rat(r))) => r.is_int() && *r.numerator() == IBig::NEG_ONE,
        _ => false,
    }
}

/// Whether the term is an equality that is written `=`.
fn is_equation(term: Term) -> bool {
    *term.op() == Op::Eq && term.args()[0].sort() != Sort::Bool
}
