//! What SMT-LIB can say beyond the operator table, in terms of the table.

use super::{Parsed, app, connective, fail, number, sort_of};
use crate::op::Op;
use crate::sort::Sort;
use crate::term::Term;
use crate::text::lexer::{SExpr, SyntaxError};

/// More repetitions than this are refused: they are written out.
const LONGEST: u32 = 1 << 16;

/// Integers among rationals are rationals, as solvers print them.
pub(super) fn mixed(args: Vec<Term>) -> Vec<Term> {
    if !args.iter().any(|arg| arg.sort() == Sort::Rat) {
        return args;
    }
    let lift = |arg: Term| match arg.sort() {
        Sort::Int => Term::app(Op::ToRat, vec![arg]).unwrap_or(arg),
        _ => arg,
    };
    args.into_iter().map(lift).collect()
}

/// SMT-LIB's operators that are not in the table, in terms of those that are.
pub(super) fn sugar(head: &str, args: &[Term]) -> Option<Parsed> {
    let two = |op: Op, left: usize, right: usize| app(op, mixed(vec![args[left], args[right]]));
    let negation = |inner: Parsed| inner.and_then(|term| app(Op::Not, vec![term]));
    let numeric = args.iter().all(|arg| arg.sort().is_arithmetic());
    Some(match (head, args.len()) {
        ("-", _) if !numeric => fail("`-` takes numbers"),
        ("-", 1) => Ok(args[0].negated()),
        ("-", _) => {
            let args = mixed(args.to_vec());
            let parts =
                args.iter().enumerate().map(|(i, arg)| if i == 0 { *arg } else { arg.negated() });
            app(Op::Add, parts.collect())
        }
        ("+" | "*", 1) if numeric => Ok(args[0]),
        ("/", 2) if numeric => {
            let rational = |arg: Term| {
                if arg.sort() == Sort::Int { app(Op::ToRat, vec![arg]) } else { Ok(arg) }
            };
            return Some(
                rational(args[0]).and_then(|left| app(Op::RatDiv, vec![left, rational(args[1])?])),
            );
        }
        ("abs", 1) if args[0].sort() == Sort::Int => {
            Ok(Term::int(0).at_most(args[0]).ite(args[0], args[0].negated()))
        }
        (">=", 2) => two(Op::Le, 1, 0),
        (">", 2) => two(Op::Lt, 1, 0),
        ("bvuge", 2) => two(Op::BvUle, 1, 0),
        ("bvugt", 2) => two(Op::BvUlt, 1, 0),
        ("bvsge", 2) => two(Op::BvSle, 1, 0),
        ("bvsgt", 2) => two(Op::BvSlt, 1, 0),
        ("xor", _) if args.iter().any(|arg| arg.sort() != Sort::Bool) => {
            fail("`xor` takes formulas")
        }
        ("xor", n) if n >= 2 => {
            Ok(args[1..].iter().fold(args[0], |left, right| left.equals(*right).not()))
        }
        ("bvcomp", 2) if !matches!(args[0].sort(), Sort::Bv(_)) => fail("`bvcomp` takes bits"),
        ("bvnand", 2) => two(Op::BvAnd, 0, 1).and_then(|term| app(Op::BvNot, vec![term])),
        ("bvnor", 2) => two(Op::BvOr, 0, 1).and_then(|term| app(Op::BvNot, vec![term])),
        ("bvxnor", 2) => two(Op::BvXor, 0, 1).and_then(|term| app(Op::BvNot, vec![term])),
        ("bvcomp", 2) => two(Op::Eq, 0, 1).map(|equal| equal.ite(Term::bv(1, 1), Term::bv(1, 0))),
        // Z3's division operators for divisors known to be non-zero.
        ("bvudiv_i", 2) => two(Op::BvUdiv, 0, 1),
        ("bvurem_i", 2) => two(Op::BvUrem, 0, 1),
        ("bvsdiv_i", 2) => two(Op::BvSdiv, 0, 1),
        ("bvsrem_i", 2) => two(Op::BvSrem, 0, 1),
        ("bvsmod_i", 2) => two(Op::BvSmod, 0, 1),
        ("bv2int" | "bv2nat", 1) => app(Op::BvToInt, args.to_vec()),
        ("=>", n) if n >= 2 => {
            let premises = args[..n - 1].iter().map(|arg| app(Op::Not, vec![*arg]));
            let parts =
                premises.chain(std::iter::once(Ok(args[n - 1]))).collect::<Result<Vec<_>, _>>();
            parts.and_then(|parts| app(Op::Or, parts))
        }
        ("distinct", _) => {
            let pairs = args
                .iter()
                .enumerate()
                .flat_map(|(i, a)| args[i + 1..].iter().map(move |b| (*a, *b)));
            let parts = pairs
                .map(|(a, b)| negation(app(Op::Eq, mixed(vec![a, b]))))
                .collect::<Result<Vec<_>, _>>();
            parts.and_then(|parts| connective(parts, &Op::And))
        }
        _ => return None,
    })
}

/// Applications of `(_ name index…)` and `(as const sort)`.
pub(super) fn apply_indexed(head: &[SExpr], args: Vec<Term>) -> Parsed {
    let words: Vec<&str> =
        head.iter().map(|item| if let SExpr::Atom(word) = item { word } else { "" }).collect();
    let single = |args: &[Term]| match args {
        [only] => Ok(*only),
        _ => fail("one argument was expected"),
    };
    match words[..] {
        ["_", "extract", high, low] => app(Op::Extract(number(high)?, number(low)?), args),
        ["_", "zero_extend", n] => app(Op::ZeroExtend(number(n)?), args),
        ["_", "sign_extend", n] => app(Op::SignExtend(number(n)?), args),
        ["_", "int_to_bv" | "int2bv", n] => app(Op::IntToBv(number(n)?), args),
        ["_", "repeat", n] => match number(n)? {
            1 => single(&args),
            n if n > LONGEST => fail(format!("`repeat` {n} times is too often")),
            n => app(Op::Concat, vec![single(&args)?; n as usize]),
        },
        ["_", name @ ("rotate_left" | "rotate_right"), n] => {
            let bits = single(&args)?;
            let Sort::Bv(width) = bits.sort() else {
                return fail(format!("`{name}` takes a bit-vector"));
            };
            let by = Term::bv(width, number(n)? % width);
            let rotated =
                if name == "rotate_left" { bits.rotate_left(by) } else { bits.rotate_right(by) };
            rotated.map_err(|error| SyntaxError::new(error.to_string()))
        }
        ["_", "divisible", n] => {
            let remainder = app(Op::Mod, vec![single(&args)?, Term::int(number(n)?)])?;
            Ok(remainder.equals(Term::int(0)))
        }
        ["as", "const", _] => match sort_of(&head[2])? {
            Sort::Array(array) => app(Op::ConstArray(array), args),
            other => fail(format!("`{other}` is no array sort")),
        },
        _ => fail(format!("`({} …)` is no operator", words.join(" "))),
    }
}
