//! Programs for the engine.

use lapidary_expr::{Op, Sort, Term, Valuation, Value as Lowered, Var};
use lapidary_model::{Cfa, CfaBuilder, EdgeId, Loc, Stmt as Statement};

use crate::program::{Binary, Expr, Kind, Program, RANGE, Stmt, Value};

/// The automaton of a program. Integers are kept in their range by an assumption at the entry and after
/// every write.
pub fn lower(program: &Program) -> Cfa {
    let lowering = Lowering::new(&program.vars);
    let mut builder = CfaBuilder::new("random", "entry");
    builder.vars(&lowering.vars);
    let error = builder.loc("error");
    builder.error(error);
    let mut locs = vec![builder.loc("start"), error];
    locs.extend((2..program.n_locs).map(|i| builder.loc(&format!("l{i}"))));
    let entry = builder.entry();
    builder.edge(entry, lowering.in_range(0..program.vars.len()), locs[0], None);
    for edge in &program.edges {
        builder.edge(locs[edge.source], lowering.stmt(&edge.stmt), locs[edge.target], None);
    }
    builder.build().expect("generated programs are well-formed")
}

/// The location of a lowered program that is this one of the program; none is the entry, before location 0.
pub fn program_loc(loc: Loc) -> Option<usize> {
    match loc.0 {
        0 => None,
        1 => Some(1),
        2 => Some(0),
        n => Some(n as usize - 1),
    }
}

/// The edge of the program that this one of its automaton is; none is the one from the entry.
pub fn program_edge(edge: EdgeId) -> Option<usize> {
    (edge.0 as usize).checked_sub(1)
}

fn sort(kind: Kind) -> Sort {
    match kind {
        Kind::Bool => Sort::Bool,
        Kind::Bv(width) => Sort::Bv(width),
        Kind::Int => Sort::Int,
    }
}

fn app(op: Op, args: Vec<Term>) -> Term {
    Term::app(op, args).expect("generated expressions are well-sorted")
}

/// Lowers what is over variables of some kinds.
#[derive(Clone, Debug)]
pub struct Lowering {
    kinds: Vec<Kind>,
    vars: Vec<Var>,
}

impl Lowering {
    /// For variables of these kinds.
    pub fn new(kinds: &[Kind]) -> Self {
        let var = |(i, kind): (usize, &Kind)| Var::new(&format!("v{i}"), sort(*kind));
        Lowering { kinds: kinds.to_vec(), vars: kinds.iter().enumerate().map(var).collect() }
    }

    /// The variables, by number.
    pub fn vars(&self) -> &[Var] {
        &self.vars
    }

    /// The values of the variables.
    pub fn valuation(&self, values: &[Value]) -> Valuation {
        let lowered = |(i, value): (usize, &Value)| {
            let literal = self.expr(&Expr::Lit(self.kinds[i], *value));
            (self.vars[i], literal.as_lit().expect("a literal").clone())
        };
        values.iter().enumerate().map(lowered).collect()
    }

    /// What a value of a variable is for the oracle; none if the variable cannot have it.
    pub fn value(&self, var: usize, value: &Lowered) -> Option<Value> {
        match (self.kinds[var], value) {
            (Kind::Bool, Lowered::Bool(value)) => Some(Value::from(*value)),
            (Kind::Bv(width), Lowered::Bv(bits)) if bits.width() == width => {
                Value::try_from(bits.unsigned()).ok()
            }
            (Kind::Int, Lowered::Int(value)) => {
                Value::try_from(value).ok().filter(|value| RANGE.contains(value))
            }
            _ => None,
        }
    }

    fn in_range(&self, vars: impl IntoIterator<Item = usize>) -> Statement {
        let bound = |var: usize| {
            let term: Term = self.vars[var].into();
            Term::and([
                Term::int(*RANGE.start()).at_most(term),
                term.at_most(Term::int(*RANGE.end())),
            ])
        };
        let integers = vars.into_iter().filter(|var| self.kinds[*var] == Kind::Int);
        Statement::Assume(Term::and(integers.map(bound)))
    }

    /// A statement, with assumptions that keep integers in their range.
    pub fn stmt(&self, stmt: &Stmt) -> Statement {
        match stmt {
            Stmt::Assume(condition) => Statement::Assume(self.expr(condition)),
            Stmt::Assign(assignments) => {
                let targets = assignments.iter().map(|(var, _)| *var);
                let assign = assignments
                    .iter()
                    .map(|(var, expr)| (self.vars[*var], self.expr(expr)))
                    .collect();
                Statement::Seq(vec![Statement::Assign(assign), self.in_range(targets)])
            }
            Stmt::Havoc(var) => {
                Statement::Seq(vec![Statement::Havoc(vec![self.vars[*var]]), self.in_range([*var])])
            }
            Stmt::Seq(parts) => Statement::Seq(parts.iter().map(|part| self.stmt(part)).collect()),
            Stmt::Choice(parts) => {
                Statement::Choice(parts.iter().map(|part| self.stmt(part)).collect())
            }
            Stmt::Relation(written, formula) => {
                let vars = written.iter().map(|var| self.vars[*var]).collect();
                let relation = Statement::Relation { formula: self.expr(formula), written: vars };
                Statement::Seq(vec![relation, self.in_range(written.iter().copied())])
            }
        }
    }

    /// An expression; values after a step are primed.
    pub fn expr(&self, expr: &Expr) -> Term {
        match expr {
            Expr::Lit(Kind::Bool, value) => (*value == 1).into(),
            Expr::Lit(Kind::Bv(width), value) => Term::bv(*width, *value),
            Expr::Lit(Kind::Int, value) => Term::int(*value),
            Expr::Var(var) => self.vars[*var].into(),
            Expr::Next(var) => self.vars[*var].primed().into(),
            Expr::Not(inner) => match inner.kind(&self.kinds) {
                Kind::Bv(_) => app(Op::BvNot, vec![self.expr(inner)]),
                _ => self.expr(inner).not(),
            },
            Expr::Ite(parts) => self.expr(&parts.0).ite(self.expr(&parts.1), self.expr(&parts.2)),
            Expr::Binary(op, args) => {
                let (left, right) = (self.expr(&args.0), self.expr(&args.1));
                match args.0.kind(&self.kinds) {
                    Kind::Bv(_) => app(bit_operator(*op), vec![left, right]),
                    Kind::Int if *op == Binary::Sub => left.minus(right),
                    _ => app(operator(*op), vec![left, right]),
                }
            }
        }
    }
}

fn operator(op: Binary) -> Op {
    match op {
        Binary::And => Op::And,
        Binary::Or => Op::Or,
        Binary::Eq => Op::Eq,
        Binary::Le => Op::Le,
        Binary::Lt => Op::Lt,
        Binary::Add => Op::Add,
        Binary::Mul => Op::Mul,
        Binary::Div => Op::Div,
        Binary::Mod => Op::Mod,
        other => unreachable!("{other:?} is about bits"),
    }
}

fn bit_operator(op: Binary) -> Op {
    match op {
        Binary::Eq => Op::Eq,
        Binary::Le => Op::BvUle,
        Binary::Lt => Op::BvUlt,
        Binary::SignedLe => Op::BvSle,
        Binary::SignedLt => Op::BvSlt,
        Binary::Add => Op::BvAdd,
        Binary::Sub => Op::BvSub,
        Binary::Mul => Op::BvMul,
        Binary::Div => Op::BvUdiv,
        Binary::Mod => Op::BvUrem,
        Binary::SignedDiv => Op::BvSdiv,
        Binary::SignedRem => Op::BvSrem,
        Binary::BitAnd => Op::BvAnd,
        Binary::BitOr => Op::BvOr,
        Binary::BitXor => Op::BvXor,
        Binary::Shl => Op::BvShl,
        Binary::Lshr => Op::BvLshr,
        Binary::Ashr => Op::BvAshr,
        Binary::And | Binary::Or => unreachable!("{op:?} is about truth values"),
    }
}
