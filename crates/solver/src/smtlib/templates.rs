//! How applications are written where SMT-LIB's or a solver's meaning is not ours.

use lapidary_expr::{Op, Sort, Term, UBig, Value};

use super::Dialect;

/// How an application is written.
pub(super) enum Form {
    /// `(head a b c)`.
    Plain(String),
    /// `(head (head a b) c)`.
    Left(String),
    /// A text in which `$0` and `$1` are the arguments.
    Template(String),
}

/// Whether an argument of `term` is written more than once.
pub(super) fn repeats(term: Term, arg: usize, dialect: &Dialect) -> bool {
    use Op::{BvSdiv, BvSmod, BvSrem, BvToSigned, BvUdiv, BvUrem, Div, Mod, RatDiv, Rem};
    match term.op() {
        Div | Mod | Rem | RatDiv | BvToSigned | BvUdiv | BvUrem | BvSdiv | BvSrem | BvSmod => {
            matches!(form(term, dialect), Form::Template(template)
                if template.matches(&format!("${arg}")).count() > 1)
        }
        _ => false,
    }
}

/// How `term`, an application of an operator, is written.
pub(super) fn form(term: Term, dialect: &Dialect) -> Form {
    let args = term.args();
    let template = |text: &str| Form::Template(text.to_string());
    match term.op() {
        // SMT-LIB leaves division by zero open; the operator table does not.
        Op::Div if by_zero(args) => template("(ite (= $1 0) 0 (div $0 $1))"),
        Op::Mod if by_zero(args) => template("(ite (= $1 0) $0 (mod $0 $1))"),
        Op::Rem if by_zero(args) => {
            template("(ite (= $1 0) $0 (ite (< $0 0) (- (mod (- $0) $1)) (mod $0 $1)))")
        }
        Op::Rem => template("(ite (< $0 0) (- (mod (- $0) $1)) (mod $0 $1))"),
        Op::RatDiv if by_zero(args) => template("(ite (= $1 0.0) 0.0 (/ $0 $1))"),
        Op::BvToInt => Form::Plain(dialect.names.bv_to_int.into()),
        Op::IntToBv(width) => Form::Plain(format!("(_ {} {width})", dialect.names.int_to_bv)),
        Op::BvToSigned => signed(args[0], dialect),
        op @ (Op::BvUdiv | Op::BvUrem | Op::BvSdiv | Op::BvSrem | Op::BvSmod)
            if !dialect.total_bv_division && by_zero(args) =>
        {
            guarded(op, width(args[0]))
        }
        // SMT-LIB has most of these for two arguments only.
        op @ (Op::BvAnd | Op::BvOr | Op::BvXor | Op::BvAdd | Op::BvMul | Op::Concat) => {
            Form::Left(op.to_string())
        }
        op => Form::Plain(op.to_string()),
    }
}

/// Whether the divisor may be zero.
fn by_zero(args: &[Term]) -> bool {
    args[1].as_lit().is_none_or(|value| *value == Value::default_of(args[1].sort()))
}

fn width(bits: Term) -> u32 {
    match bits.sort() {
        Sort::Bv(width) => width,
        other => unreachable!("{other} has no width"),
    }
}

/// The bits as a signed number: what the sign says is taken off.
fn signed(arg: Term, dialect: &Dialect) -> Form {
    if let Some(name) = dialect.names.bv_to_signed {
        return Form::Plain(name.into());
    }
    let width = width(arg);
    let (unsigned, zero) = (dialect.names.bv_to_int, Term::bv(width, 0));
    let modulus = UBig::ONE << width as usize;
    Form::Template(format!("(- ({unsigned} $0) (ite (bvslt $0 {zero}) {modulus} 0))"))
}

/// Bit-vector division for solvers with their own idea of division by zero.
fn guarded(op: &Op, width: u32) -> Form {
    let [zero, one, ones] = [0, 1, -1].map(|n| Term::bv(width, n));
    let by_zero = match op {
        Op::BvUdiv => format!("{ones}"),
        Op::BvSdiv => format!("(ite (bvslt $0 {zero}) {one} {ones})"),
        _ => "$0".to_string(),
    };
    Form::Template(format!("(ite (= $1 {zero}) {by_zero} ({op} $0 $1))"))
}
