//! Terms as Z3 expressions, and back.

use std::collections::BTreeMap;
use std::rc::Rc;

use lapidary_expr::text::{self, SExpr, Scope};
use lapidary_expr::{Func, Op, Sort, Term, Value, Var};
use rustc_hash::FxHashMap;
use z3::ast::{Array, Ast, BV, Bool, Dynamic, Int, Real};

use crate::{Result, Stop};

/// Terms already translated, and the names that variables have in Z3.
#[derive(Debug, Default)]
pub(super) struct Translator {
    terms: FxHashMap<Term, Dynamic>,
    names: BTreeMap<String, Name>,
    funcs: BTreeMap<Func, Rc<z3::FuncDecl>>,
}

#[derive(Debug)]
enum Name {
    Var(Var),
    Func(Func),
}

impl Scope for Translator {
    fn var(&self, name: &str) -> Option<Var> {
        match self.names.get(name) {
            Some(Name::Var(var)) => Some(*var),
            _ => None,
        }
    }

    fn func(&self, name: &str) -> Option<Func> {
        match self.names.get(name) {
            Some(Name::Func(func)) => Some(*func),
            _ => None,
        }
    }
}

impl Translator {
    /// A formula in Z3.
    pub(super) fn bool(&mut self, term: Term) -> Bool {
        as_bool(&self.term(term))
    }

    /// A term in Z3; its parts first, without recursion.
    pub(super) fn term(&mut self, root: Term) -> Dynamic {
        if let Some(done) = self.terms.get(&root) {
            return done.clone();
        }
        let mut open = vec![root];
        while let Some(term) = open.last().copied() {
            if self.terms.contains_key(&term) {
                open.pop();
                continue;
            }
            let ready = open.len();
            open.extend(term.args().iter().filter(|arg| !self.terms.contains_key(arg)));
            if open.len() == ready {
                let args: Vec<Dynamic> =
                    term.args().iter().map(|arg| self.terms[arg].clone()).collect();
                let ast = self.node(term, &args);
                self.terms.insert(term, ast);
                open.pop();
            }
        }
        self.terms[&root].clone()
    }

    /// The term that a Z3 expression stands for, by way of its text.
    pub(super) fn back(&self, ast: &impl std::fmt::Display) -> Result<Term> {
        self.parse(&ast.to_string())
    }

    /// The term that a text in Z3's names stands for.
    pub(super) fn parse(&self, text: &str) -> Result<Term> {
        let expr =
            text::read_all(text).map(|mut exprs| exprs.pop().unwrap_or(SExpr::List(Vec::new())));
        let term = expr.and_then(|mut expr| {
            if text.contains("bit2bool") {
                write_out_bits(&mut expr);
            }
            text::term_of(&expr, self)
        });
        term.map_err(|error| Stop::Solver(format!("{error} in the solver's `{text}`")))
    }

    /// The functions that occurred so far.
    pub(super) fn functions(&self) -> impl Iterator<Item = (Func, &Rc<z3::FuncDecl>)> {
        self.funcs.iter().map(|(func, decl)| (*func, decl))
    }

    /// A name that no other symbol has: Z3 would take equal names of equal sort for one symbol. Only plain
    /// characters stay, so that the name looks the same in Z3's text; without `!`, which marks the names that
    /// are made here and in Z3.
    fn name(&mut self, wanted: &str, what: Name) -> String {
        let plain = |c: char| if c.is_ascii_alphanumeric() || "@.$".contains(c) { c } else { '_' };
        let mut name: String = wanted.chars().map(plain).collect();
        while self.names.contains_key(&name) {
            name.push('_');
        }
        self.names.insert(name.clone(), what);
        name
    }

    fn node(&mut self, term: Term, args: &[Dynamic]) -> Dynamic {
        match term.op() {
            Op::Lit(value) => literal(value),
            Op::Var(var) => {
                let name = self.name(&format!("{}@{}", var.name(), var.version()), Name::Var(*var));
                Dynamic::new_const(name, &sort(var.sort()))
            }
            Op::Apply(func) => {
                let decl = self.function(*func);
                let args: Vec<&dyn Ast> = args.iter().map(|arg| arg as &dyn Ast).collect();
                decl.apply(&args)
            }
            Op::Not | Op::And | Op::Or | Op::Eq | Op::Ite => logical(term.op(), args),
            Op::Select | Op::Store | Op::ConstArray(_) => array(term.op(), args),
            op if args.iter().any(|arg| arg.as_bv().is_some()) => bits(op, args),
            op if term.args().iter().any(|arg| arg.sort() == Sort::Rat) => rational(op, args),
            op => integer(op, args),
        }
    }

    fn function(&mut self, func: Func) -> Rc<z3::FuncDecl> {
        if let Some(decl) = self.funcs.get(&func) {
            return Rc::clone(decl);
        }
        // Marked, as variables are by their version: no function is called `and` or `select`.
        let name = self.name(&format!("{}@", func.name()), Name::Func(func));
        let params: Vec<z3::Sort> = func.params().iter().map(|param| sort(*param)).collect();
        let params: Vec<&z3::Sort> = params.iter().collect();
        let decl = Rc::new(z3::FuncDecl::new(name, &params, &sort(func.result())));
        self.funcs.insert(func, Rc::clone(&decl));
        decl
    }
}

/// Z3's own `((_ bit2bool n) x)`, written `(= ((_ extract n n) x) #b1)`.
fn write_out_bits(expr: &mut SExpr) {
    let SExpr::List(items) = expr else { return };
    items.iter_mut().for_each(write_out_bits);
    let [SExpr::List(head), _] = &mut items[..] else { return };
    match &mut head[..] {
        [SExpr::Atom(_), SExpr::Atom(name), SExpr::Atom(index)] if name == "bit2bool" => {
            *name = "extract".into();
            let index = SExpr::Atom(index.clone());
            head.push(index);
        }
        _ => return,
    }
    let bit = std::mem::replace(expr, SExpr::List(Vec::new()));
    *expr = SExpr::List(vec![SExpr::Atom("=".into()), bit, SExpr::Atom("#b1".into())]);
}

fn literal(value: &Value) -> Dynamic {
    match value {
        Value::Bool(b) => Bool::from_bool(*b).into(),
        Value::Int(i) => match i64::try_from(i) {
            Ok(small) => Int::from_i64(small).into(),
            Err(_) => i.to_string().parse::<Int>().expect("digits are an integer").into(),
        },
        Value::Rat(r) => {
            Real::from_rational_str(&r.numerator().to_string(), &r.denominator().to_string())
                .expect("digits are a rational")
                .into()
        }
        Value::Bv(bv) => match u64::try_from(bv.unsigned()) {
            Ok(small) => BV::from_u64(small, bv.width()).into(),
            Err(_) => BV::from_str(bv.width(), &bv.unsigned().to_string())
                .expect("digits are bits")
                .into(),
        },
        Value::Array(array) => {
            let default = literal(array.default());
            let mut ast = Array::const_array(&sort(array.sort().index()), &default);
            for (index, element) in array.entries() {
                let (index, element) = (literal(index), literal(element));
                ast = ast.store(&index, &element);
            }
            ast.into()
        }
    }
}

fn sort(sort: Sort) -> z3::Sort {
    match sort {
        Sort::Bool => z3::Sort::bool(),
        Sort::Int => z3::Sort::int(),
        Sort::Rat => z3::Sort::real(),
        Sort::Bv(width) => z3::Sort::bitvector(width),
        Sort::Array(array) => {
            z3::Sort::array(&self::sort(array.index()), &self::sort(array.element()))
        }
    }
}

fn as_bool(ast: &Dynamic) -> Bool {
    ast.as_bool().expect("a formula")
}

fn as_int(ast: &Dynamic) -> Int {
    ast.as_int().expect("an integer")
}

fn as_real(ast: &Dynamic) -> Real {
    ast.as_real().expect("a rational")
}

fn as_bv(ast: &Dynamic) -> BV {
    ast.as_bv().expect("a bit-vector")
}

fn as_array(ast: &Dynamic) -> Array {
    ast.as_array().expect("an array")
}

fn logical(op: &Op, args: &[Dynamic]) -> Dynamic {
    match op {
        Op::Not => as_bool(&args[0]).not().into(),
        Op::And => Bool::and(&args.iter().map(as_bool).collect::<Vec<_>>()).into(),
        Op::Or => Bool::or(&args.iter().map(as_bool).collect::<Vec<_>>()).into(),
        Op::Eq => args[0].eq(&args[1]).into(),
        Op::Ite => as_bool(&args[0]).ite(&args[1], &args[2]),
        other => unreachable!("`{other}` is no connective"),
    }
}

fn array(op: &Op, args: &[Dynamic]) -> Dynamic {
    match op {
        Op::Select => as_array(&args[0]).select(&args[1]),
        Op::Store => as_array(&args[0]).store(&args[1], &args[2]).into(),
        Op::ConstArray(array) => Array::const_array(&sort(array.index()), &args[0]).into(),
        other => unreachable!("`{other}` is about no array"),
    }
}

fn integer(op: &Op, args: &[Dynamic]) -> Dynamic {
    let ints: Vec<Int> = args.iter().map(as_int).collect();
    let zero = Int::from_i64(0);
    // Z3 leaves division by zero open; the operator table does not.
    let guarded = |by_zero: &Int, result: Int| match ints[1].as_i64() {
        Some(divisor) if divisor != 0 => result,
        _ => ints[1].eq(&zero).ite(by_zero, &result),
    };
    match op {
        Op::Add => Int::add(&ints).into(),
        Op::Mul => Int::mul(&ints).into(),
        Op::Le => ints[0].le(&ints[1]).into(),
        Op::Lt => ints[0].lt(&ints[1]).into(),
        Op::Div => guarded(&zero, ints[0].div(&ints[1])).into(),
        Op::Mod => guarded(&ints[0], ints[0].modulo(&ints[1])).into(),
        Op::Rem => {
            let (negative, size) = (ints[0].lt(&zero), ints[0].unary_minus());
            let below = size.modulo(&ints[1]).unary_minus();
            guarded(&ints[0], negative.ite(&below, &ints[0].modulo(&ints[1]))).into()
        }
        Op::ToRat => ints[0].to_real().into(),
        Op::IntToBv(width) => BV::from_int(&ints[0], *width).into(),
        other => unreachable!("`{other}` takes no integers"),
    }
}

fn rational(op: &Op, args: &[Dynamic]) -> Dynamic {
    let reals: Vec<Real> = args.iter().map(as_real).collect();
    match op {
        Op::Add => Real::add(&reals).into(),
        Op::Mul => Real::mul(&reals).into(),
        Op::Le => reals[0].le(&reals[1]).into(),
        Op::Lt => reals[0].lt(&reals[1]).into(),
        Op::RatDiv => {
            let zero = Real::from_rational(0, 1);
            reals[1].eq(&zero).ite(&zero, &reals[0].div(&reals[1])).into()
        }
        Op::Floor => reals[0].to_int().into(),
        other => unreachable!("`{other}` takes no rationals"),
    }
}

fn bits(op: &Op, args: &[Dynamic]) -> Dynamic {
    let bits: Vec<BV> = args.iter().map(as_bv).collect();
    let fold = |combine: fn(&BV, &BV) -> BV| {
        bits[1..].iter().fold(bits[0].clone(), |left, right| combine(&left, right))
    };
    match op {
        Op::BvNot => bits[0].bvnot().into(),
        Op::BvNeg => bits[0].bvneg().into(),
        Op::BvAnd => fold(|a, b| a.bvand(b)).into(),
        Op::BvOr => fold(|a, b| a.bvor(b)).into(),
        Op::BvXor => fold(|a, b| a.bvxor(b)).into(),
        Op::BvAdd => fold(|a, b| a.bvadd(b)).into(),
        Op::BvMul => fold(|a, b| a.bvmul(b)).into(),
        Op::Concat => fold(|a, b| a.concat(b)).into(),
        Op::BvSub => bits[0].bvsub(&bits[1]).into(),
        Op::BvUdiv => bits[0].bvudiv(&bits[1]).into(),
        Op::BvUrem => bits[0].bvurem(&bits[1]).into(),
        Op::BvSdiv => bits[0].bvsdiv(&bits[1]).into(),
        Op::BvSrem => bits[0].bvsrem(&bits[1]).into(),
        Op::BvSmod => bits[0].bvsmod(&bits[1]).into(),
        Op::BvShl => bits[0].bvshl(&bits[1]).into(),
        Op::BvLshr => bits[0].bvlshr(&bits[1]).into(),
        Op::BvAshr => bits[0].bvashr(&bits[1]).into(),
        Op::BvUlt => bits[0].bvult(&bits[1]).into(),
        Op::BvUle => bits[0].bvule(&bits[1]).into(),
        Op::BvSlt => bits[0].bvslt(&bits[1]).into(),
        Op::BvSle => bits[0].bvsle(&bits[1]).into(),
        Op::BvToInt => bits[0].to_int(false).into(),
        Op::BvToSigned => bits[0].to_int(true).into(),
        Op::Extract(high, low) => bits[0].extract(*high, *low).into(),
        Op::ZeroExtend(n) => bits[0].zero_ext(*n).into(),
        Op::SignExtend(n) => bits[0].sign_ext(*n).into(),
        other => unreachable!("`{other}` takes no bit-vectors"),
    }
}
