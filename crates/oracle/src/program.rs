//! Small programs and what they mean, on machine integers.

/// The type of a variable or expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// 0 or 1.
    Bool,
    /// An unsigned number of so many bits.
    Bv(u32),
    /// An integer; variables are kept between -4 and 4.
    Int,
}

/// The range of integer variables.
pub const RANGE: std::ops::RangeInclusive<Value> = -4..=4;

/// A value of any kind.
pub type Value = i64;

impl Kind {
    /// All values of a variable of this kind.
    pub fn values(self) -> Vec<Value> {
        match self {
            Kind::Bool => vec![0, 1],
            Kind::Bv(width) => (0..1 << width).collect(),
            Kind::Int => RANGE.collect(),
        }
    }
}

/// A binary operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names are the operators")]
pub enum Binary {
    And,
    Or,
    Eq,
    Le,
    Lt,
    SignedLe,
    SignedLt,
    Add,
    Sub,
    Mul,
    Div,
    Mod,
    SignedDiv,
    SignedRem,
    BitAnd,
    BitOr,
    BitXor,
    Shl,
    Lshr,
    Ashr,
}

/// An expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Expr {
    /// A value.
    Lit(Kind, Value),
    /// A variable, by number.
    Var(usize),
    /// The variable after a relation.
    Next(usize),
    /// Logical or bitwise negation.
    Not(Box<Expr>),
    /// A binary operator.
    Binary(Binary, Box<(Expr, Expr)>),
    /// If-then-else.
    Ite(Box<(Expr, Expr, Expr)>),
}

/// A statement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stmt {
    /// Goes on only if the expression is true.
    Assume(Expr),
    /// Assigns at once.
    Assign(Vec<(usize, Expr)>),
    /// Any value of the variable's kind.
    Havoc(usize),
    /// One after the other.
    Seq(Vec<Stmt>),
    /// Any one of these.
    Choice(Vec<Stmt>),
    /// Any values of these variables for which the expression over old and new values is true.
    Relation(Vec<usize>, Expr),
}

/// An edge.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edge {
    /// Where it starts.
    pub source: usize,
    /// What it does.
    pub stmt: Stmt,
    /// Where it leads.
    pub target: usize,
}

/// A program: location 0 is the entry, 1 the error. Every combination of values is initial.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program {
    /// The kinds of the variables.
    pub vars: Vec<Kind>,
    /// The number of locations, at least two.
    pub n_locs: usize,
    /// The edges.
    pub edges: Vec<Edge>,
}

impl Expr {
    /// The kind of the expression.
    pub fn kind(&self, vars: &[Kind]) -> Kind {
        match self {
            Expr::Lit(kind, _) => *kind,
            Expr::Var(var) | Expr::Next(var) => vars[*var],
            Expr::Not(inner) => inner.kind(vars),
            Expr::Ite(parts) => parts.1.kind(vars),
            Expr::Binary(op, args) => match op {
                Binary::Eq | Binary::Le | Binary::Lt | Binary::SignedLe | Binary::SignedLt => {
                    Kind::Bool
                }
                _ => args.0.kind(vars),
            },
        }
    }

    /// The value of the expression; `next` are the values after a relation.
    pub fn eval(&self, vars: &[Kind], now: &[Value], next: &[Value]) -> Value {
        match self {
            Expr::Lit(_, value) => *value,
            Expr::Var(var) => now[*var],
            Expr::Next(var) => next[*var],
            Expr::Not(inner) => match inner.kind(vars) {
                Kind::Bv(width) => mask(width, !inner.eval(vars, now, next)),
                _ => 1 - inner.eval(vars, now, next),
            },
            Expr::Ite(parts) => {
                let branch = if parts.0.eval(vars, now, next) == 1 { &parts.1 } else { &parts.2 };
                branch.eval(vars, now, next)
            }
            Expr::Binary(op, args) => {
                let kind = args.0.kind(vars);
                apply(*op, kind, args.0.eval(vars, now, next), args.1.eval(vars, now, next))
            }
        }
    }
}

fn mask(width: u32, value: Value) -> Value {
    value & ((1 << width) - 1)
}

fn signed(width: u32, value: Value) -> Value {
    if value >> (width - 1) & 1 == 1 { value - (1 << width) } else { value }
}

fn apply(op: Binary, kind: Kind, x: Value, y: Value) -> Value {
    match kind {
        Kind::Bool => match op {
            Binary::And => x & y,
            Binary::Or => x | y,
            Binary::Eq => Value::from(x == y),
            _ => unreachable!("{op:?} on truth values"),
        },
        Kind::Int => apply_int(op, x, y),
        Kind::Bv(width) => apply_bits(op, width, x, y),
    }
}

fn apply_int(op: Binary, x: Value, y: Value) -> Value {
    match op {
        Binary::Eq => Value::from(x == y),
        Binary::Le => Value::from(x <= y),
        Binary::Lt => Value::from(x < y),
        Binary::Add => x + y,
        Binary::Sub => x - y,
        Binary::Mul => x * y,
        Binary::Div => {
            if y == 0 {
                0
            } else {
                x.div_euclid(y)
            }
        }
        Binary::Mod => {
            if y == 0 {
                x
            } else {
                x.rem_euclid(y)
            }
        }
        _ => unreachable!("{op:?} on integers"),
    }
}

fn apply_bits(op: Binary, width: u32, x: Value, y: Value) -> Value {
    let (a, b) = (signed(width, x), signed(width, y));
    let shift =
        |result: Value, beyond: Value| if y >= Value::from(width) { beyond } else { result };
    let distance = u32::try_from(y).unwrap_or(0).min(31);
    let result = match op {
        Binary::Eq => return Value::from(x == y),
        Binary::Le => return Value::from(x <= y),
        Binary::Lt => return Value::from(x < y),
        Binary::SignedLe => return Value::from(a <= b),
        Binary::SignedLt => return Value::from(a < b),
        Binary::Add => x + y,
        Binary::Sub => x - y,
        Binary::Mul => x * y,
        Binary::Div => {
            if y == 0 {
                -1
            } else {
                x / y
            }
        }
        Binary::Mod => {
            if y == 0 {
                x
            } else {
                x % y
            }
        }
        Binary::SignedDiv => match (b, a < 0) {
            (0, true) => 1,
            (0, false) => -1,
            _ => a / b,
        },
        Binary::SignedRem => {
            if b == 0 {
                a
            } else {
                a % b
            }
        }
        Binary::BitAnd => x & y,
        Binary::BitOr => x | y,
        Binary::BitXor => x ^ y,
        Binary::Shl => shift(x << distance, 0),
        Binary::Lshr => shift(x >> distance, 0),
        Binary::Ashr => shift(a >> distance, if a < 0 { -1 } else { 0 }),
        Binary::And | Binary::Or => unreachable!("{op:?} on bits"),
    };
    mask(width, result)
}
