//! The typed form of a program: names resolved, every conversion written out, constants folded.

pub(in crate::c) mod constants;
pub(in crate::c) mod fold;
pub(in crate::c) mod purity;

use std::collections::{BTreeMap, BTreeSet};

use crate::c::ir::constants::Constant;
use crate::c::types::{TypeId, Types};

/// What the names of strings start with; no identifier does.
pub(super) const STRING: &str = "string@";

/// What compound literals are called that may share memory; no identifier has a `-`.
pub(super) const CONSTANT_LITERAL: &str = "constant-literal";

/// A variable: a global one, or one of the function that mentions it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum VarRef {
    Global(u32),
    Local(u32),
}

/// An expression with its type and the place where it starts in the text.
#[derive(Clone, Debug)]
pub(super) struct Expr {
    pub(super) kind: Kind,
    pub(super) ty: TypeId,
    pub(super) start: usize,
}

/// Operators on two numbers of one type (of shifts, the left one has the type of the result).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Binary {
    Add,
    Sub,
    Mul,
    Div,
    Rem,
    And,
    Or,
    Xor,
    Shl,
    Shr,
    Lt,
    Le,
    Eq,
    Ne,
}

impl Binary {
    pub(super) fn is_comparison(self) -> bool {
        matches!(self, Binary::Lt | Binary::Le | Binary::Eq | Binary::Ne)
    }
}

/// Operators on one number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Unary {
    Neg,
    /// The negation of a distance by which a pointer is moved back: no operation of the program, so it cannot overflow.
    Back,
    Not,
    /// `!`, with an `int` result.
    Zero,
}

/// What an expression is.
#[derive(Clone, Debug)]
pub(super) enum Kind {
    /// A constant; for a pointer type, an address.
    Int(i128),
    /// A floating constant.
    Float(Constant),
    Var(VarRef),
    Function(u32),
    Deref(Box<Expr>),
    Member(Box<Expr>, usize),
    /// An element of an array that is no pointer.
    Index(Box<Expr>, Box<Expr>),
    Address(Box<Expr>),
    /// The address of an array's first element.
    Decay(Box<Expr>),
    Unary(Unary, Box<Expr>),
    Binary(Binary, Box<Expr>, Box<Expr>),
    /// A pointer moved by a number of elements.
    Move(Box<Expr>, Box<Expr>),
    /// The number of elements between two pointers.
    Distance(Box<Expr>, Box<Expr>),
    And(Box<Expr>, Box<Expr>),
    Or(Box<Expr>, Box<Expr>),
    Conditional(Box<Expr>, Box<Expr>, Box<Expr>),
    /// `a ?: b`: what is tested is computed once.
    Elvis(Box<Expr>, Box<Expr>),
    Convert(Box<Expr>),
    Assign(Box<Expr>, Box<Expr>),
    /// `place = (type) (convert(place) op right)`; the conversion goes to the type of `old`.
    Update {
        place: Box<Expr>,
        old: TypeId,
        op: Operation,
        right: Box<Expr>,
        is_postfix: bool,
    },
    /// A call, and where its closing parenthesis is.
    Call(Box<Expr>, Vec<Expr>, usize),
    Comma(Box<Expr>, Box<Expr>),
    /// `({ … })`; its value is that of the last expression.
    Block(Vec<Stmt>),
    /// A compound literal: a variable that is initialised here.
    Literal(VarRef, Vec<Init>),
    /// A constant that wrapped around, with the operation. Only where overflow is checked.
    Wrapped(i128, Box<Expr>),
    Unsupported(String),
}

/// What `op=`, `++` and `--` do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Operation {
    Number(Binary),
    /// Moves a pointer, back if `true`.
    Move(bool),
}

/// A part of a variable with its initial value. What is not mentioned is zero.
#[derive(Clone, Debug)]
pub(super) struct Init {
    /// Members and elements that lead to the part.
    pub(super) path: Vec<u64>,
    pub(super) value: Expr,
}

/// A statement and where it starts in the text.
#[derive(Clone, Debug)]
pub(super) struct Stmt {
    pub(super) kind: StmtKind,
    pub(super) start: usize,
}

/// What a statement is.
#[derive(Clone, Debug)]
pub(super) enum StmtKind {
    Expr(Expr),
    /// A local variable comes to life.
    Declare(u32, Option<Vec<Init>>),
    Block(Vec<Stmt>),
    If(Expr, Box<Stmt>, Option<Box<Stmt>>),
    While(Expr, Box<Stmt>),
    DoWhile(Box<Stmt>, Expr),
    For(Box<Stmt>, Option<Expr>, Option<Expr>, Box<Stmt>),
    Switch(Expr, Box<Stmt>),
    Case(i128, i128),
    Default,
    Break,
    Continue,
    Return(Option<Expr>),
    Goto(String),
    Label(String),
    Unsupported(String),
}

/// A variable as it is declared.
#[derive(Clone, Debug)]
pub(super) struct Variable {
    pub(super) name: String,
    pub(super) ty: TypeId,
    pub(super) start: usize,
    /// Global variables: the value at the start; none is zero.
    pub(super) init: Vec<Init>,
    /// Whether it is only declared here and defined elsewhere.
    pub(super) is_extern: bool,
    /// Set for an array whose length is computed where it is declared.
    pub(super) extent: Option<Extent>,
}

/// The length of an array that is known when the program runs.
#[derive(Clone, Copy, Debug)]
pub(super) struct Extent {
    /// The local variable that has the number of elements.
    pub(super) length: u32,
    /// The type of the longest such array.
    pub(super) longest: TypeId,
}

/// The attribute of a function or variable that may not be there, or may be another one.
pub(super) const WEAK: &str = "weak";

/// What is said of an attribute that changes more than we know.
pub(super) fn unmodelled(attribute: &str) -> String {
    format!("the attribute `{attribute}`")
}

/// A function; without a body it is defined elsewhere.
#[derive(Clone, Debug)]
pub(super) struct Function {
    pub(super) name: String,
    pub(super) ty: TypeId,
    pub(super) start: usize,
    /// Parameters first.
    pub(super) locals: Vec<Variable>,
    pub(super) n_params: usize,
    pub(super) body: Option<Vec<Stmt>>,
    /// Whether it is called or used in another way.
    pub(super) is_used: bool,
    /// Whether it is used other than by calling it.
    pub(super) has_address: bool,
    /// Whether a call of it never comes back.
    pub(super) is_noreturn: bool,
    /// An attribute that says that another function may be meant by its name.
    pub(super) attribute: Option<&'static str>,
}

/// The names that functions and blocks define at some place, with the variables that they are, if they are that.
pub(super) type LocalNames = BTreeMap<String, Option<VarRef>>;

/// A program.
#[derive(Clone, Debug)]
pub(super) struct Program {
    pub(super) types: Types,
    pub(super) globals: Vec<Variable>,
    pub(super) functions: Vec<Function>,
    /// What nothing in the program can be trusted because of, and where that is.
    pub(super) unmodelled: Option<(String, usize)>,
    /// The loops, by where their keywords are.
    pub(super) loops: BTreeMap<usize, LocalNames>,
    /// The variables that are `const`: where they are declared, and their names.
    pub(super) constants: BTreeSet<(usize, String)>,
}

impl Expr {
    pub(super) fn new(kind: Kind, ty: TypeId, start: usize) -> Expr {
        Expr { kind, ty, start }
    }

    pub(super) fn as_int(&self) -> Option<i128> {
        match self.kind {
            Kind::Int(value) | Kind::Wrapped(value, _) => Some(value),
            _ => None,
        }
    }

    /// Whether it is a constant that wrapped around.
    pub(super) fn is_wrapped(&self) -> bool {
        matches!(self.kind, Kind::Wrapped(..))
    }
}

/// What the names of gcc's own functions start with.
pub(in crate::c) const BUILTIN: &str = "__builtin_";

/// Whether a value is constant, which depends on the compiler for most values.
pub(in crate::c) const CONSTANT_P: &str = "__builtin_constant_p";
