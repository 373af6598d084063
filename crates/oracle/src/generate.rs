//! Random programs, and parts of them.

use crate::explore::{all_values, reachable};
use crate::program::{Binary, Edge, Expr, Kind, Program, Stmt, Value};
use crate::random::Random;

/// A random program: up to three variables, up to six locations, statements of every kind. Loops and errors
/// that need several steps are likely.
pub fn program(random: &mut Random) -> Program {
    let n_vars = 1 + random.below(3);
    let vars: Vec<Kind> = (0..n_vars).map(|_| kind(random)).collect();
    let n_locs = 3 + random.below(4);
    let mut generator = Generator { random, vars, may_prime: false };
    // A path through all locations, so that most of them matter; then edges at random.
    let inner: Vec<usize> = (2..n_locs).collect();
    let mut path = vec![0];
    path.extend(&inner);
    path.push(1);
    let mut edges: Vec<Edge> =
        path.windows(2).map(|pair| generator.edge(pair[0], pair[1])).collect();
    for _ in 0..=generator.random.below(5) {
        let source = *generator.random.pick(&path[..path.len() - 1]);
        let target = *generator.random.pick(&path[1..]);
        edges.push(generator.edge(source, target));
    }
    Program { vars: generator.vars, n_locs, edges }
}

/// A random program that is safe, but not at first sight: what leads to the error location is true of some values,
/// and false of all that get there. Among those of [`program`] such programs are rare.
pub fn safe_program(random: &mut Random) -> Program {
    const MOST_TRIES: usize = 10;
    let mut program = guarded(random);
    for _ in 1..MOST_TRIES {
        if program.edges.iter().any(|edge| edge.target == 1) {
            break;
        }
        program = guarded(random);
    }
    program
}

/// A program with edges to the error location under guards that are never true there, if some were found.
fn guarded(random: &mut Random) -> Program {
    let mut program = program(random);
    for edge in program.edges.iter_mut().filter(|edge| edge.target == 1) {
        edge.target = if random.chance(50) { 0 } else { 2 };
    }
    let (all, reached) = (all_values(&program.vars), reachable(&program));
    for _ in 0..20 {
        let source = random.below(program.n_locs);
        let guard = formula(random, &program.vars);
        let holds = |values: &Vec<Value>| guard.eval(&program.vars, values, &[]) == 1;
        let is_telling = source != 1 && all.iter().any(holds) && !reached[source].is_empty();
        if is_telling && !reached[source].iter().any(holds) {
            program.edges.push(Edge { source, stmt: Stmt::Assume(guard), target: 1 });
        }
    }
    program
}

fn kind(random: &mut Random) -> Kind {
    match random.below(5) {
        0 => Kind::Bool,
        1 => Kind::Bv(1 + random.below(2) as u32),
        2 => Kind::Bv(3),
        _ => Kind::Int,
    }
}

/// A statement over variables of these kinds.
pub fn stmt(random: &mut Random, vars: &[Kind]) -> Stmt {
    Generator { random, vars: vars.to_vec(), may_prime: false }.stmt(2)
}

/// A formula over variables of these kinds.
pub fn formula(random: &mut Random, vars: &[Kind]) -> Expr {
    Generator { random, vars: vars.to_vec(), may_prime: false }.expr(Kind::Bool, 2)
}

/// A formula over variables of these kinds before and after a step.
pub fn step_formula(random: &mut Random, vars: &[Kind]) -> Expr {
    Generator { random, vars: vars.to_vec(), may_prime: true }.expr(Kind::Bool, 2)
}

struct Generator<'a> {
    random: &'a mut Random,
    vars: Vec<Kind>,
    /// Whether expressions may speak of values after the step.
    may_prime: bool,
}

impl Generator<'_> {
    fn edge(&mut self, source: usize, target: usize) -> Edge {
        let n = self.random.below(3);
        let parts: Vec<Stmt> = (0..=n).map(|_| self.stmt(2)).collect();
        Edge { source, stmt: Stmt::Seq(parts), target }
    }

    fn var(&mut self) -> usize {
        self.random.below(self.vars.len())
    }

    fn stmt(&mut self, depth: usize) -> Stmt {
        match self.random.below(if depth == 0 { 7 } else { 10 }) {
            0..=2 => Stmt::Assume(self.expr(Kind::Bool, 2)),
            3..=5 => self.assign(),
            6 => Stmt::Havoc(self.var()),
            7 => Stmt::Seq((0..self.random.below(3)).map(|_| self.stmt(depth - 1)).collect()),
            8 => Stmt::Choice((0..=self.random.below(3)).map(|_| self.stmt(depth - 1)).collect()),
            _ => {
                let var = self.var();
                Stmt::Relation(vec![var], self.expr_next(var))
            }
        }
    }

    fn assign(&mut self) -> Stmt {
        let first = self.var();
        let mut targets = vec![first];
        let second = self.var();
        if second != first && self.random.chance(25) {
            targets.push(second);
        }
        Stmt::Assign(targets.into_iter().map(|var| (var, self.expr(self.vars[var], 2))).collect())
    }

    /// A relation between the new value of `var` and the old values.
    fn expr_next(&mut self, var: usize) -> Expr {
        let kind = self.vars[var];
        let other = self.expr(kind, 1);
        let op = match kind {
            Kind::Bool => Binary::Eq,
            _ => *self.random.pick(&[Binary::Eq, Binary::Le, Binary::Lt]),
        };
        Expr::Binary(op, Box::new((Expr::Next(var), other)))
    }

    fn expr(&mut self, kind: Kind, depth: usize) -> Expr {
        if depth == 0 || self.random.chance(25) {
            return self.leaf(kind);
        }
        let pair = |generator: &mut Self, kind| {
            Box::new((generator.expr(kind, depth - 1), generator.expr(kind, depth - 1)))
        };
        match (kind, self.random.below(8)) {
            (Kind::Bool, 0) | (Kind::Bv(_), 1) => Expr::Not(Box::new(self.expr(kind, depth - 1))),
            (Kind::Bool, 1 | 2) => {
                let op = *self.random.pick(&[Binary::And, Binary::Or, Binary::Eq]);
                Expr::Binary(op, pair(self, Kind::Bool))
            }
            (Kind::Bool, _) => self.comparison(depth),
            (_, 0) => Expr::Ite(Box::new((
                self.expr(Kind::Bool, depth - 1),
                self.expr(kind, depth - 1),
                self.expr(kind, depth - 1),
            ))),
            (Kind::Bv(_), _) => {
                let op = *self.random.pick(&BIT_OPERATORS);
                Expr::Binary(op, pair(self, kind))
            }
            (Kind::Int, 1) => {
                let op = *self.random.pick(&[Binary::Div, Binary::Mod, Binary::Mul]);
                let right = Expr::Lit(Kind::Int, *self.random.pick(&[-3, -2, -1, 0, 1, 2, 3]));
                Expr::Binary(op, Box::new((self.expr(kind, depth - 1), right)))
            }
            (Kind::Int, _) => {
                let op = *self.random.pick(&[Binary::Add, Binary::Sub]);
                Expr::Binary(op, pair(self, kind))
            }
        }
    }

    fn comparison(&mut self, depth: usize) -> Expr {
        let kind = self.vars[self.random.below(self.vars.len())];
        let op = match kind {
            Kind::Bool => Binary::Eq,
            Kind::Int => *self.random.pick(&[Binary::Eq, Binary::Le, Binary::Lt]),
            Kind::Bv(_) => *self.random.pick(&[
                Binary::Eq,
                Binary::Le,
                Binary::Lt,
                Binary::SignedLe,
                Binary::SignedLt,
            ]),
        };
        Expr::Binary(op, Box::new((self.expr(kind, depth - 1), self.expr(kind, depth - 1))))
    }

    fn leaf(&mut self, kind: Kind) -> Expr {
        let same: Vec<usize> = (0..self.vars.len()).filter(|var| self.vars[*var] == kind).collect();
        if !same.is_empty() && self.random.chance(70) {
            let var = *self.random.pick(&same);
            let is_next = self.may_prime && self.random.chance(50);
            return if is_next { Expr::Next(var) } else { Expr::Var(var) };
        }
        let values = kind.values();
        Expr::Lit(kind, *self.random.pick(&values))
    }
}

const BIT_OPERATORS: [Binary; 13] = [
    Binary::Add,
    Binary::Sub,
    Binary::Mul,
    Binary::Div,
    Binary::Mod,
    Binary::SignedDiv,
    Binary::SignedRem,
    Binary::BitAnd,
    Binary::BitOr,
    Binary::BitXor,
    Binary::Shl,
    Binary::Lshr,
    Binary::Ashr,
];
