//! Systems of words and of their bits do the same.

#[allow(dead_code, reason = "other tests use the rest")]
mod common;

use common::{Rng, states, valuation, vars};
use lapidary_expr::{Op, Sort, Term, Valuation, Value, Var};
use lapidary_model::pass::{Bits, Pass};
use lapidary_model::{
    Cfa, CfaBuilder, Decision, EdgeId, Execution, Loc, Proof, ProofState, Step, Stmt,
};

/// `entry –init→ run –step→ run –bad→ error`, with these statements.
fn system([init, step, bad]: [Stmt; 3], more: &[Var]) -> Cfa {
    let mut builder = CfaBuilder::new("system", "start");
    builder.vars(&vars());
    builder.vars(more);
    let (run, error) = (builder.loc("run"), builder.loc("error"));
    builder.error(error);
    builder.edge(builder.entry(), init, run, None);
    builder.edge(run, step, run, None);
    builder.edge(run, bad, error, None);
    builder.build().expect("statements over the variables")
}

fn has_relation(stmt: &Stmt) -> bool {
    match stmt {
        Stmt::Relation { .. } => true,
        Stmt::Seq(parts) | Stmt::Choice(parts) => parts.iter().any(has_relation),
        _ => false,
    }
}

/// Any decisions that a statement on truth values leaves open.
fn decide(rng: &mut Rng, stmt: &Stmt, tape: &mut Vec<Decision>) {
    match stmt {
        Stmt::Havoc(vars) => {
            let value = |_| Decision::Value(Value::Bool(rng.below(2) == 0));
            tape.extend(vars.iter().map(value));
        }
        Stmt::Seq(parts) => parts.iter().for_each(|part| decide(rng, part, tape)),
        Stmt::Choice(parts) if !parts.is_empty() => {
            let branch = rng.below(parts.len());
            tape.push(Decision::Branch(branch));
            decide(rng, &parts[branch], tape);
        }
        _ => {}
    }
}

/// A run along these edges, or what would be one if all assumptions held.
fn attempt(rng: &mut Rng, cfa: &Cfa, path: &[u32]) -> Execution {
    let start = cfa.vars().iter().map(|var| (*var, Value::Bool(rng.below(2) == 0))).collect();
    let step = |edge: &u32| {
        let (edge, mut tape) = (EdgeId(*edge), Vec::new());
        decide(rng, &cfa.edge(edge).stmt, &mut tape);
        Step { edge, tape }
    };
    Execution { start, steps: path.iter().map(step).collect() }
}

#[test]
fn executions_of_bits_are_those_of_words() {
    let mut rng = Rng(0x5eed_b175);
    let (mut reached, mut blocked) = (0, 0);
    for _ in 0..300 {
        let stmts = [rng.stmt(2), rng.stmt(2), rng.stmt(2)];
        let has_relation = stmts.iter().any(has_relation);
        let words = system(stmts, &[]);
        let (bits, back) = Bits.run(&words);
        assert_eq!(bits.vars() == words.vars(), has_relation, "relations stay as they are");
        for path in [&[0, 2][..], &[0, 1, 2], &[0, 1, 1, 2]].iter().filter(|_| !has_relation) {
            for _ in 0..20 {
                let of_bits = attempt(&mut rng, &bits, path);
                let of_words = back.execution(of_bits.clone());
                let (one, other) = (of_bits.replay(&bits), of_words.replay(&words));
                assert_eq!(one.is_ok(), other.is_ok(), "{one:?} and {other:?}");
                if one.is_ok() { reached += 1 } else { blocked += 1 }
            }
        }
    }
    assert!(reached > 1_000 && blocked > 1_000, "{reached} reached, {blocked} blocked");
}

#[test]
fn proofs_about_bits_are_about_words() {
    let skip = || Stmt::skip();
    let words = system([skip(), skip(), skip()], &[]);
    let (bits, back) = Bits.run(&words);
    let mut rng = Rng(0x0f0f);
    for _ in 0..50 {
        let literal = |rng: &mut Rng| {
            let bit = Term::var(rng.pick(bits.vars()));
            if rng.below(2) == 0 { bit } else { bit.not() }
        };
        let clause = |rng: &mut Rng| Term::or([literal(rng), literal(rng), literal(rng)]);
        let of_bits = Term::and([clause(&mut rng), clause(&mut rng)]);
        let state = ProofState { loc: Loc(1), formula: of_bits, successors: Vec::new() };
        let proof = back.proof(Proof::of(vec![state]));
        for state in states() {
            // A state of the bits is one of the words if they are the start of the same execution.
            let of_words = valuation(&state);
            let start = bits_of(&words, &bits, &of_words);
            let execution = Execution { start: start.clone(), steps: Vec::new() };
            assert_eq!(back.execution(execution).start, of_words);
            assert_eq!(proof.states[0].formula.holds(&of_words), of_bits.holds(&start));
        }
    }
}

/// The bits of the words, in the order of declaration, as the numbers tell them.
fn bits_of(words: &Cfa, bits: &Cfa, values: &Valuation) -> Valuation {
    let number = |var: &Var| match values.get(*var) {
        Some(Value::Bool(truth)) => (i64::from(*truth), 1),
        Some(value) => (value.pack().expect("two bits"), 2),
        None => unreachable!("all variables have values"),
    };
    let all = words.vars().iter().map(number);
    let all = all.flat_map(|(number, n)| (0..n).map(move |i| Value::Bool(number >> i & 1 == 1)));
    bits.vars().iter().copied().zip(all).collect()
}

#[test]
fn names_that_are_taken_are_not_given_to_bits() {
    let taken = [Var::new("u[0]", Sort::Bool), Var::new("u[1]'", Sort::Bv(1))];
    let words = system([Stmt::skip(), Stmt::skip(), Stmt::skip()], &taken);
    let (bits, _) = Bits.run(&words);
    let mut names: Vec<&str> = bits.vars().iter().map(|var| var.name()).collect();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), 7, "{names:?}");
}

#[test]
fn programs_numbers_and_huge_circuits_stay_as_they_are() {
    let number = Var::new("n", Sort::Int);
    let havoc = Stmt::Havoc(vec![number]);
    let with_number = system([havoc, Stmt::skip(), Stmt::skip()], &[number]);
    let wide = Var::new("w", Sort::Bv(2_000));
    let squares = Term::app(Op::BvMul, vec![wide.into(), wide.into()]).expect("vectors");
    let huge = system([Stmt::skip(), Stmt::assign(wide, squares), Stmt::skip()], &[wide]);
    for system in [with_number, huge] {
        assert_eq!(Bits.run(&system).0.vars(), system.vars());
    }
    let mut builder = CfaBuilder::new("program", "start");
    builder.vars(&vars());
    let (a, b) = (builder.loc("a"), builder.loc("b"));
    builder.edge(a, Stmt::skip(), b, None);
    let program = builder.build().expect("an automaton");
    assert_eq!(Bits.run(&program).0.vars(), program.vars());
}
