//! Random programs in words of their own, and an interpreter of them with a stack of calls.

use std::collections::BTreeSet;

use lapidary_expr::{Sort, Term, Var};
use lapidary_model::program::{Action, Call, ProcedureId, Program, ProgramBuilder, ProgramEdge};
use lapidary_model::{Loc, Stmt};

/// A small deterministic source of choices (xorshift).
pub(crate) struct Rng(pub(crate) u64);

impl Rng {
    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % n
    }
}

/// A procedure may be active so often within itself.
pub(crate) const DEEPEST: u32 = 2;
/// Programs with more states than this are left out.
pub(crate) const MOST_STATES: usize = 20_000;

/// What an edge does, in words of its own. Variables are numbers: two global ones, then a parameter and a local one.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Act {
    Assume(usize, bool),
    Copy(usize, usize, bool),
    And(usize, usize, usize),
    Havoc(usize),
    /// The callee, and the variable whose value it gets.
    Call(usize, Option<usize>),
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Edge {
    pub(crate) source: u32,
    pub(crate) act: Act,
    pub(crate) target: u32,
}

/// In each procedure 0 is the entry, 1 the exit; `ERROR` is shared.
pub(crate) struct Sketch {
    pub(crate) procedures: Vec<Vec<Edge>>,
}

pub(crate) const ERROR: u32 = 99;
const N_LOCS: u32 = 4;

pub(crate) fn sketch(random: &mut Rng) -> Sketch {
    let n = 1 + random.below(4);
    let var = |random: &mut Rng| random.below(4);
    let procedure = |random: &mut Rng| {
        let n_edges = 3 + random.below(4);
        let edge = |random: &mut Rng, i: usize| {
            // A chain from the entry to the exit, and other edges.
            let (source, target) = match i {
                0 => (0, 2),
                1 => (2, [1, 3][random.below(2)]),
                _ => {
                    let source = [0, 2, 3][random.below(3)];
                    let target = [0, 1, 1, 2, 3, ERROR][random.below(6)];
                    (source, target)
                }
            };
            let act = match random.below(9) {
                0 | 1 => Act::Assume(var(random), random.below(2) == 0),
                2 => Act::Copy(var(random), var(random), random.below(2) == 0),
                3 => Act::And(var(random), var(random), var(random)),
                4 => Act::Havoc(var(random)),
                _ if target == ERROR => Act::Assume(var(random), random.below(2) == 0),
                _ => {
                    let value = (random.below(5) < 3).then(|| var(random));
                    Act::Call(random.below(n), value)
                }
            };
            Edge { source, act, target }
        };
        (0..n_edges).map(|i| edge(random, i)).collect()
    };
    Sketch { procedures: (0..n).map(|_| procedure(random)).collect() }
}

/// The variable with this number in a procedure.
pub(crate) fn var(procedure: usize, number: usize) -> Var {
    let name = match number {
        0 | 1 => format!("g{number}"),
        2 => format!("f{procedure}::param"),
        _ => format!("f{procedure}::local"),
    };
    Var::new(&name, Sort::Bool)
}

pub(crate) fn program(sketch: &Sketch) -> Program {
    let n = sketch.procedures.len();
    let mut builder = ProgramBuilder::new("random");
    builder.vars(&[var(0, 0), var(0, 1)]);
    let error = builder.loc();
    builder.error(error);
    let locs: Vec<Vec<Loc>> =
        (0..n).map(|_| (0..N_LOCS).map(|_| builder.loc()).collect()).collect();
    for (i, locs) in locs.iter().enumerate() {
        builder.vars(&[var(i, 2), var(i, 3)]);
        let id = builder.procedure(&format!("f{i}"), locs[0], locs[1]);
        let procedure = builder.procedure_mut(id);
        procedure.params = vec![var(i, 2)];
        procedure.locals = vec![var(i, 2), var(i, 3)];
    }
    for (i, edges) in sketch.procedures.iter().enumerate() {
        let term = |number: usize| Term::var(var(i, number));
        let loc = |number: u32| if number == ERROR { error } else { locs[i][number as usize] };
        for edge in edges {
            let action = match edge.act {
                Act::Assume(x, true) => Action::Stmt(Stmt::Assume(term(x))),
                Act::Assume(x, false) => Action::Stmt(Stmt::Assume(term(x).not())),
                Act::Copy(x, y, true) => Action::Stmt(Stmt::assign(var(i, x), term(y))),
                Act::Copy(x, y, false) => Action::Stmt(Stmt::assign(var(i, x), term(y).not())),
                Act::And(x, y, z) => {
                    Action::Stmt(Stmt::assign(var(i, x), Term::and([term(y), term(z)])))
                }
                Act::Havoc(x) => Action::Stmt(Stmt::Havoc(vec![var(i, x)])),
                Act::Call(callee, value) => {
                    // Without a value, the caller decides about a global variable first.
                    let before = match value {
                        Some(_) => Stmt::skip(),
                        None => Stmt::assign(var(i, 0), term(1)),
                    };
                    let args = value.map(|value| (var(callee, 2), term(value)));
                    let args = args.into_iter().collect();
                    Action::Call(Call { before, args, callee: ProcedureId(callee as u32) })
                }
            };
            let (source, target) = (loc(edge.source), loc(edge.target));
            let edge = ProgramEdge { source, action, target, position: None };
            builder.edge(ProcedureId(i as u32), edge);
        }
    }
    builder.build().expect("the sketch is a program")
}

/// An activation of the interpreter.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Frame {
    procedure: usize,
    loc: u32,
    locals: [bool; 2],
}

/// What can be reached: the values of the global variables at the error, and whether a call was too deep.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Reached {
    pub(crate) at_error: BTreeSet<[bool; 2]>,
    pub(crate) too_deep: BTreeSet<[bool; 2]>,
}

/// All states of the program with its stack; none if there are too many.
pub(crate) fn interpret(sketch: &Sketch) -> Option<Reached> {
    let mut reached = Reached::default();
    let mut seen: BTreeSet<([bool; 2], Vec<Frame>)> = BTreeSet::new();
    let mut open = Vec::new();
    for bits in 0..16u8 {
        let bit = |i: u8| bits >> i & 1 == 1;
        let frame = Frame { procedure: 0, loc: 0, locals: [bit(0), bit(1)] };
        open.push(([bit(2), bit(3)], vec![frame]));
    }
    while let Some(state) = open.pop() {
        if !seen.insert(state.clone()) {
            continue;
        }
        if seen.len() > MOST_STATES {
            return None;
        }
        let (globals, stack) = state;
        let Some(top) = stack.last() else { continue };
        if top.loc == 1 {
            let mut stack = stack.clone();
            stack.pop();
            open.push((globals, stack));
            continue;
        }
        for edge in sketch.procedures[top.procedure].iter().filter(|edge| edge.source == top.loc) {
            let read = |x: usize| if x < 2 { globals[x] } else { top.locals[x - 2] };
            let mut go = |changes: &[(usize, bool)]| {
                let (mut globals, mut stack) = (globals, stack.clone());
                let top = stack.last_mut().expect("it runs");
                for (x, value) in changes {
                    if *x < 2 { globals[*x] = *value } else { top.locals[*x - 2] = *value }
                }
                top.loc = edge.target;
                match edge.target == ERROR {
                    true => {
                        reached.at_error.insert(globals);
                    }
                    false => open.push((globals, stack)),
                }
            };
            match edge.act {
                Act::Assume(x, wanted) if read(x) == wanted => go(&[]),
                Act::Assume(..) => {}
                Act::Copy(x, y, as_it_is) => go(&[(x, read(y) == as_it_is)]),
                Act::And(x, y, z) => go(&[(x, read(y) && read(z))]),
                Act::Havoc(x) => [false, true].into_iter().for_each(|value| go(&[(x, value)])),
                Act::Call(callee, value) => {
                    let (mut globals, mut stack) = (globals, stack.clone());
                    let given = value.map(read);
                    if given.is_none() {
                        globals[0] = globals[1];
                    }
                    let active = stack.iter().filter(|frame| frame.procedure == callee).count();
                    if active > DEEPEST as usize {
                        reached.too_deep.insert(globals);
                        continue;
                    }
                    stack.last_mut().expect("it runs").loc = edge.target;
                    let params = given.map_or(vec![false, true], |given| vec![given]);
                    for (param, local) in params.iter().flat_map(|p| [(*p, false), (*p, true)]) {
                        let mut stack = stack.clone();
                        stack.push(Frame { procedure: callee, loc: 0, locals: [param, local] });
                        open.push((globals, stack));
                    }
                }
            }
        }
    }
    Some(reached)
}
