//! Inlining against an interpreter with a stack of calls: random programs with (mutual) recursion, all states of both.

mod sketch;
mod states;

use lapidary_expr::{Term, Valuation};
use lapidary_model::program::{
    Action, Call, Cut, Inlined, ProcedureId, ProgramBuilder, ProgramEdge, Room, inline,
};
use lapidary_model::{EdgeId, Loc, Stmt};

use sketch::{Act, DEEPEST, ERROR, Edge, Rng, Sketch, interpret, program, sketch, var};
use states::explore;

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
    let room = Room::of(400, DEEPEST);
    let (mut compared, mut with_error, mut with_cut, mut with_calls) = (0, 0, 0, 0);
    for seed in 0..wanted {
        let sketch = sketch(&mut Rng(0x9e37_79b9_7f4a_7c15 ^ (seed as u64 + 1) << 20));
        let inlined = inline(program(&sketch), room).expect("it is well-formed");
        if inlined.cuts().iter().any(|(_, cut)| *cut != Cut::Recursion) {
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
    inline(program(&sketch), Room::of(100, 1)).expect("it is well-formed")
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
        &|builder, locs| {
            builder.edge(first, edge(locs[1], Stmt::skip(), locs[0]));
        },
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
    check(
        &|builder, locs| {
            builder.edge(first, call(locs, Vec::new()));
        },
        "",
    );
}
