//! Inlining against an interpreter with a stack of calls: random programs with (mutual) recursion, all states of both.

mod common;

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use common::Rng;
use lapidary_expr::{Sort, Term, Valuation, Value, Var};
use lapidary_model::program::{
    Action, Call, Inlined, ProcedureId, Program, ProgramBuilder, ProgramEdge, Room, inline,
};
use lapidary_model::{Decision, EdgeId, Execution, Loc, Step, Stmt};

/// A procedure may be active so often within itself.
const DEEPEST: u32 = 2;
/// Programs with more states than this are left out.
const MOST_STATES: usize = 20_000;

/// What an edge does, in words of its own. Variables are numbers: two global ones, then a parameter and a local one.
#[derive(Clone, Copy, Debug)]
enum Act {
    Assume(usize, bool),
    Copy(usize, usize, bool),
    And(usize, usize, usize),
    Havoc(usize),
    /// The callee, and the variable whose value it gets.
    Call(usize, Option<usize>),
}

#[derive(Clone, Copy, Debug)]
struct Edge {
    source: u32,
    act: Act,
    target: u32,
}

/// In each procedure 0 is the entry, 1 the exit; `ERROR` is shared.
struct Sketch {
    procedures: Vec<Vec<Edge>>,
}

const ERROR: u32 = 99;
const N_LOCS: u32 = 4;

fn sketch(random: &mut Rng) -> Sketch {
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
                0 | 1 => Act::Assume(var(random), (random.below(2) == 0)),
                2 => Act::Copy(var(random), var(random), (random.below(2) == 0)),
                3 => Act::And(var(random), var(random), var(random)),
                4 => Act::Havoc(var(random)),
                _ if target == ERROR => Act::Assume(var(random), (random.below(2) == 0)),
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
fn var(procedure: usize, number: usize) -> Var {
    let name = match number {
        0 | 1 => format!("g{number}"),
        2 => format!("f{procedure}::param"),
        _ => format!("f{procedure}::local"),
    };
    Var::new(&name, Sort::Bool)
}

fn program(sketch: &Sketch) -> Program {
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
struct Reached {
    at_error: BTreeSet<[bool; 2]>,
    too_deep: BTreeSet<[bool; 2]>,
}

/// All states of the program with its stack; none if there are too many.
fn interpret(sketch: &Sketch) -> Option<Reached> {
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

/// A state of the automaton.
type State = (Loc, Vec<bool>);

/// All states of the automaton, and an execution for each way to end; none if there are too many.
fn explore(inlined: &Inlined) -> Option<(Reached, Vec<Execution>)> {
    let cfa = inlined.cfa();
    let n = cfa.vars().len();
    let number: BTreeMap<Var, usize> =
        cfa.vars().iter().enumerate().map(|(i, v)| (*v, i)).collect();
    let mut reached = Reached::default();
    let (mut parents, mut open) =
        (BTreeMap::<State, Option<(State, Step)>>::new(), VecDeque::new());
    let mut executions = Vec::new();
    // Only the variables of the first activation and the global ones may matter at the start.
    for bits in 0..16u32 {
        let mut values = vec![false; n];
        (0..4.min(n)).for_each(|i| values[i] = bits >> i & 1 == 1);
        let state = (cfa.entry(), values);
        parents.insert(state.clone(), None);
        open.push_back(state);
    }
    while let Some(state) = open.pop_front() {
        if parents.len() > MOST_STATES {
            return None;
        }
        for edge in cfa.outgoing(state.0) {
            let outcomes = outcomes(&cfa.edge(*edge).stmt, &state.1, &number);
            for (values, tape) in outcomes {
                let next = (cfa.edge(*edge).target, values);
                let step = Step { edge: *edge, tape };
                if Some(next.0) == cfa.error() {
                    let is_cut = inlined.cuts().iter().any(|(cut, _)| cut == edge);
                    let globals = [next.1[0], next.1[1]];
                    let ends = if is_cut { &mut reached.too_deep } else { &mut reached.at_error };
                    if ends.insert(globals) {
                        executions.push(execution(cfa.vars(), &parents, &state, step));
                    }
                } else if !parents.contains_key(&next) {
                    parents.insert(next.clone(), Some((state.clone(), step)));
                    open.push_back(next);
                }
            }
        }
    }
    Some((reached, executions))
}

/// The values after a statement, with the decisions that lead there.
fn outcomes(
    stmt: &Stmt,
    values: &[bool],
    number: &BTreeMap<Var, usize>,
) -> Vec<(Vec<bool>, Vec<Decision>)> {
    match stmt {
        Stmt::Assume(term) if eval(*term, values, number) => vec![(values.to_vec(), Vec::new())],
        Stmt::Assume(_) => Vec::new(),
        Stmt::Assign(changes) => {
            let mut after = values.to_vec();
            for (var, term) in changes {
                after[number[var]] = eval(*term, values, number);
            }
            vec![(after, Vec::new())]
        }
        Stmt::Havoc(vars) => vars.iter().fold(vec![(values.to_vec(), Vec::new())], |all, var| {
            let both = all.into_iter().flat_map(|(values, tape)| {
                [false, true].map(|value| {
                    let (mut values, mut tape) = (values.clone(), tape.clone());
                    values[number[var]] = value;
                    tape.push(Decision::Value(Value::Bool(value)));
                    (values, tape)
                })
            });
            both.collect()
        }),
        Stmt::Seq(parts) => parts.iter().fold(vec![(values.to_vec(), Vec::new())], |all, part| {
            let after = all.into_iter().flat_map(|(values, tape)| {
                let outcomes = outcomes(part, &values, number).into_iter();
                outcomes.map(move |(values, more)| (values, [&tape[..], &more].concat()))
            });
            after.collect()
        }),
        Stmt::Choice(_) | Stmt::Relation { .. } => panic!("inlining makes no such statement"),
    }
}

fn eval(term: Term, values: &[bool], number: &BTreeMap<Var, usize>) -> bool {
    let valuation: Valuation =
        number.iter().map(|(var, i)| (*var, Value::Bool(values[*i]))).collect();
    term.eval(&valuation) == Some(Value::Bool(true))
}

fn execution(
    vars: &[Var],
    parents: &BTreeMap<State, Option<(State, Step)>>,
    last: &State,
    step: Step,
) -> Execution {
    let (mut steps, mut at) = (vec![step], last);
    while let Some((before, step)) = &parents[at] {
        steps.push(step.clone());
        at = before;
    }
    steps.reverse();
    let start = vars.iter().zip(&at.1).map(|(var, value)| (*var, Value::Bool(*value)));
    Execution { start: start.collect(), steps }
}

/// The call sites that an execution names are those of the program: each is an edge with a call of the next procedure.
fn check_calls(inlined: &Inlined, edge: EdgeId) {
    let program = inlined.program();
    let mut activation = inlined.origins()[edge.0 as usize].activation;
    let here = inlined.activations()[activation as usize].procedure;
    assert!(program.procedure(here).edges().contains(&inlined.origins()[edge.0 as usize].edge));
    for (caller, call) in inlined.calls(edge) {
        let callee = inlined.activations()[activation as usize].procedure;
        let Action::Call(call_of) = &program.edge(call).action else { panic!("no call") };
        assert_eq!(call_of.callee, callee);
        let of_caller = inlined.activations()[caller as usize].procedure;
        assert!(program.procedure(of_caller).edges().contains(&call));
        activation = caller;
    }
}

#[test]
fn inlined_programs_do_what_programs_with_a_stack_do() {
    let wanted = std::env::var("LAPIDARY_PROGRAMS").ok().and_then(|text| text.parse().ok());
    let wanted: usize = wanted.unwrap_or(600);
    let room = Room { edges: 400, recursion: DEEPEST };
    let (mut compared, mut with_error, mut with_cut, mut with_calls) = (0, 0, 0, 0);
    for seed in 0..wanted {
        let sketch = sketch(&mut Rng(0x9e37_79b9_7f4a_7c15 ^ (seed as u64 + 1) << 20));
        let inlined = inline(program(&sketch), room).expect("it is well-formed");
        if inlined.cuts().iter().any(|(_, cut)| *cut != lapidary_model::program::Cut::Recursion) {
            continue;
        }
        let (Some(expected), Some((reached, executions))) = (interpret(&sketch), explore(&inlined))
        else {
            continue;
        };
        assert_eq!(reached, expected, "seed {seed}: {:?}", sketch.procedures);
        for execution in &executions {
            let replayed = execution.replay(inlined.cfa()).expect("it is an execution");
            let mut n_steps = 0;
            let run = inlined.run(execution, &mut |step, state| {
                n_steps += 1;
                let globals = |state: &Valuation| [0, 1].map(|i| state.get(var(0, i)).cloned());
                assert_eq!(globals(state), globals(&replayed[step + 1]), "seed {seed}");
            });
            assert_eq!(run, Ok(()), "seed {seed}");
            assert_eq!(n_steps, execution.steps.len());
            execution.steps.iter().for_each(|step| check_calls(&inlined, step.edge));
            with_calls += usize::from(inlined.calls(execution.steps[n_steps - 1].edge).count() > 0);
        }
        compared += 1;
        with_error += usize::from(!expected.at_error.is_empty());
        with_cut += usize::from(!expected.too_deep.is_empty());
    }
    let shares = (compared, with_error, with_cut, with_calls);
    assert!(compared * 2 > wanted && with_error * 4 > compared, "{shares:?}");
    assert!(with_cut * 20 > compared && with_calls * 4 > compared, "{shares:?}");
}

/// A program in which `f0` calls `f1` in two places, which fails if its parameter is true.
fn two_calls() -> Inlined {
    let call = |value| Act::Call(1, Some(value));
    let main = vec![
        Edge { source: 0, act: call(0), target: 2 },
        Edge { source: 2, act: call(1), target: 1 },
    ];
    let check = vec![
        Edge { source: 0, act: Act::Assume(2, true), target: ERROR },
        Edge { source: 0, act: Act::Assume(2, false), target: 1 },
    ];
    let sketch = Sketch { procedures: vec![main, check] };
    inline(program(&sketch), Room { edges: 100, recursion: 1 }).expect("it is well-formed")
}

#[test]
fn executions_that_return_to_another_caller_are_none() {
    let inlined = two_calls();
    let (_, executions) = explore(&inlined).expect("it is small");
    let long = executions.iter().max_by_key(|execution| execution.steps.len()).expect("one");
    assert_eq!(inlined.run(long, &mut |_, _| {}), Ok(()));
    for i in 0..long.steps.len() {
        for other in 0..inlined.origins().len() as u32 {
            let mut changed = long.clone();
            changed.steps[i].edge = EdgeId(other);
            if changed != *long {
                assert!(inlined.run(&changed, &mut |_, _| {}).is_err(), "{i} {other}");
            }
        }
        let mut shorter = long.clone();
        shorter.steps.remove(i);
        assert!(inlined.run(&shorter, &mut |_, _| {}).is_err(), "{i}");
    }
}

#[test]
fn ill_formed_programs_are_rejected() {
    let check = |change: &dyn Fn(&mut ProgramBuilder, [Loc; 4]), expected: &str| {
        let mut builder = ProgramBuilder::new("wrong");
        builder.vars(&[var(0, 0), var(1, 2), var(1, 3)]);
        let locs = [0; 4].map(|_| builder.loc());
        builder.procedure("f0", locs[0], locs[1]);
        let f1 = builder.procedure("f1", locs[2], locs[3]);
        builder.procedure_mut(f1).params = vec![var(1, 2)];
        builder.procedure_mut(f1).locals = vec![var(1, 2), var(1, 3)];
        change(&mut builder, locs);
        let problem = builder.build().err().map(|error| error.to_string()).unwrap_or_default();
        assert_eq!(problem, expected);
    };
    let edge = |source, stmt, target| ProgramEdge {
        source,
        action: Action::Stmt(stmt),
        target,
        position: None,
    };
    let call = |locs: [Loc; 4], args| ProgramEdge {
        source: locs[0],
        action: Action::Call(Call { before: Stmt::skip(), args, callee: ProcedureId(1) }),
        target: locs[1],
        position: None,
    };
    let (first, second) = (ProcedureId(0), ProcedureId(1));
    check(
        &|builder, locs| {
            builder.edge(second, edge(locs[2], Stmt::skip(), locs[3]));
            builder.edge(first, edge(locs[0], Stmt::skip(), locs[2]));
        },
        "an edge of `f1` leads to a location of another procedure",
    );
    check(
        &|builder, locs| drop(builder.edge(first, edge(locs[1], Stmt::skip(), locs[0]))),
        "an edge leaves the exit of `f0`",
    );
    check(
        &|builder, locs| {
            builder.edge(first, call(locs, vec![(var(1, 3), Term::var(var(0, 0)))]));
        },
        "a call of `f1` gives a value to something that is no parameter, or a value of another sort",
    );
    check(
        &|builder, locs| {
            builder.edge(first, edge(locs[0], Stmt::assign(var(1, 3), true.into()), locs[1]));
        },
        "`|f1::local|` is a local variable, and another procedure uses it",
    );
    check(&|builder, locs| drop(builder.edge(first, call(locs, Vec::new()))), "");
}
