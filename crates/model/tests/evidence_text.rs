//! Evidence survives being written and read; text that is none is refused with a position.

use std::collections::BTreeMap;

use lapidary_expr::fuzzing::Mutator;
use lapidary_expr::text::value;
use lapidary_expr::{Func, FuncValue, Op, Sort, Term, Valuation, Value, Var, VarSet};
use lapidary_model::text::{Evidence, Reader, TextError, write_execution, write_proof};
use lapidary_model::{
    Cfa, CfaBuilder, Decision, EdgeId, Execution, Loc, Proof, ProofState, StateId, Step, Stmt,
};

const SORTS: [(&str, &str); 8] = [
    ("x", "Int"),
    ("true", "Bool"),
    ("odd name", "(_ BitVec 8)"),
    ("5", "(_ BitVec 3)"),
    ("r", "Real"),
    ("a", "(Array Int Int)"),
    ("x", "(Array (_ BitVec 2) (Array Int Bool))"),
    ("p|q\\", "Int"),
];

const VALUES: [&str; 8] = [
    "(- 340282366920938463463374607431768211456340282366920938463463374607431768211456)",
    "false",
    "#xf0",
    "#b101",
    "(- (/ 1 3))",
    "(store (store ((as const (Array Int Int)) 7) (- 1) 2) 3 (- 4))",
    "(store ((as const (Array (_ BitVec 2) (Array Int Bool))) ((as const (Array Int Bool)) true)) #b10 (store \
     ((as const (Array Int Bool)) true) 5 false))",
    "12",
];

fn sort(text: &str) -> Sort {
    lapidary_expr::text::sort_of(&lapidary_expr::text::read_all(text).unwrap()[0]).unwrap()
}

fn vars() -> Vec<Var> {
    SORTS.iter().map(|(name, text)| Var::new(name, sort(text))).collect()
}

fn func() -> Func {
    Func::new("f", &[Sort::Int, Sort::Bool], Sort::Int)
}

/// Names that occur twice, or that no symbol may have; edges beside each other; all statements.
fn cfa() -> Cfa {
    let vars = vars();
    let mut builder = CfaBuilder::new("main", "a loc");
    builder.vars(&vars);
    let entry = builder.entry();
    let [twice, again] = ["L", "L"].map(|name| builder.loc(name));
    let error = builder.loc("bad|\n");
    let relation = || {
        let written: VarSet = [vars[4], vars[0]].into_iter().collect();
        let formula = Term::var(vars[0]).at_most(Term::var(vars[0].primed()));
        Stmt::Relation { formula, written }
    };
    builder.edge(entry, Stmt::Havoc(vec![vars[2], vars[0], vars[2]]), twice, None);
    builder.edge(entry, Stmt::skip(), twice, None);
    builder.edge(entry, Stmt::skip(), again, None);
    let choice = Stmt::Choice(vec![Stmt::skip(), relation(), Stmt::Havoc(vec![vars[5]])]);
    builder.edge(twice, Stmt::seq([choice, Stmt::Havoc(vec![vars[1]])]), again, None);
    let call = Term::app(Op::Apply(func()), vec![Term::var(vars[0]), Term::var(vars[1])]).unwrap();
    builder.edge(again, Stmt::Assume(call.equals(Term::int(7))), error, None);
    builder.error(error);
    builder.build().unwrap()
}

fn values() -> Vec<Value> {
    let value = |(var, text): (Var, &&str)| value(text, var.sort()).expect(text);
    vars().into_iter().zip(&VALUES).map(value).collect()
}

fn execution() -> Execution {
    let values = values();
    let mut start: Valuation = vars().into_iter().zip(values.iter().cloned()).collect();
    let entries = BTreeMap::from([(vec![Value::int(-1), Value::Bool(true)], Value::int(7))]);
    start.set_func(func(), FuncValue { entries, default: Value::int(-2) });
    let decided = |i: usize| Decision::Value(values[i].clone());
    let other = Decision::Value(value("#x01", Sort::Bv(8)).unwrap());
    let written = VarSet::from_iter([vars()[4], vars()[0]]);
    let relation = written.iter().map(|var| decided(usize::from(*var == vars()[4]) * 4));
    let relation: Vec<Decision> =
        [Decision::Branch(1)].into_iter().chain(relation).chain([decided(1)]).collect();
    let steps = [
        (0, vec![decided(2), decided(0), other]),
        (3, relation),
        (3, vec![Decision::Branch(2), decided(5), decided(1)]),
        (3, vec![Decision::Branch(0), decided(1)]),
        (1, vec![]),
        (2, vec![]),
        (4, vec![]),
    ];
    let step = |(edge, tape)| Step { edge: EdgeId(edge), tape };
    Execution { start, steps: steps.into_iter().map(step).collect() }
}

fn proof() -> Proof {
    let vars = vars();
    let equal = |(var, value): (Var, Value)| Term::var(var).equals(Term::lit(value));
    let all: Vec<Term> = vars.iter().copied().zip(values()).map(equal).collect();
    let call = Term::app(Op::Apply(func()), vec![Term::int(1), Term::var(vars[1])]).unwrap();
    let some = call.at_most(Term::var(vars[0])).or_else(all[7]);
    let state = |loc, formula, next: &[u32]| ProofState {
        loc: Loc(loc),
        formula,
        successors: next.iter().copied().map(StateId).collect(),
    };
    let states = vec![
        state(0, true.into(), &[1, 2]),
        state(1, Term::and(all), &[]),
        state(2, some, &[2]),
        state(2, false.into(), &[0, 0]),
    ];
    Proof { induction: 3, ..Proof::of(states) }
}

trait OrElse {
    fn or_else(self, other: Term) -> Term;
}

impl OrElse for Term {
    fn or_else(self, other: Term) -> Term {
        Term::or([self, other])
    }
}

fn texts() -> [String; 2] {
    let (mut proved, mut executed) = (String::new(), String::new());
    write_proof(&mut proved, Some("p 1\n"), &cfa(), &proof()).unwrap();
    write_execution(&mut executed, None, &cfa(), &execution()).unwrap();
    [proved, executed]
}

fn read(text: &str) -> Result<Vec<(Option<String>, Evidence)>, TextError> {
    let (mut reader, mut parts) = (Reader::new(text), Vec::new());
    while let Some(head) = reader.head()? {
        parts.push((head.property, reader.evidence(&cfa())?));
    }
    Ok(parts)
}

#[test]
fn what_is_written_is_read_back() {
    let [proved, executed] = texts();
    let text = format!("# a comment\n\n{proved}\n# another\n{executed}");
    let parts = read(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    let [(Some(property), Evidence::Proof(read_proof)), (None, Evidence::Execution(run))] =
        &parts[..]
    else {
        panic!("{parts:?}");
    };
    assert_eq!(property, "p 1");
    assert_eq!(*run, execution(), "{text}");
    let proof = proof();
    assert_eq!(read_proof.induction, proof.induction);
    for (state, original) in read_proof.states.iter().zip(&proof.states) {
        assert_eq!(
            (state.loc, state.formula, &state.successors),
            (original.loc, original.formula, &original.successors)
        );
    }
    assert_eq!(read_proof.states.len(), proof.states.len());
}

#[test]
fn the_text_is_as_documented() {
    let [proved, executed] = texts();
    for line in [
        "lapidary-evidence 1\nproperty p 1\nautomaton locations 4 edges 5 variables 8\nproof induction 3\n",
        "  state 1 at |a loc| then 2 3 holds true\n",
        "  state 4 at |L#2| then 1 1 holds false\n",
    ] {
        assert!(proved.contains(line), "{proved}");
    }
    for line in [
        "execution\n  start x (- 3402",
        "  start _true false\n",
        "  start |odd name| #xf0\n",
        "  start |x#2| (store",
        "  start p_q_ 12\n",
        "  function f (Int Bool) Int default (- 2) (((- 1) true) 7)\n",
        "  step |a loc| -> L #1 (= |odd name| #xf0) (= x (- 3402",
        "  step |a loc| -> L #2\n",
        "  step |a loc| -> |L#2|\n",
        "(branch 1) (= _true false)\n",
        "  step |L#2| -> bad__\n",
    ] {
        assert!(executed.contains(line), "{line}\n{executed}");
    }
}

/// The order in which a relation's values are written depends on nothing that another process does not have.
#[test]
fn the_values_of_a_statement_may_come_in_any_order() {
    let [_, text] = texts();
    let third = "(= r (- (/ 1 3)))";
    let line = text.lines().find(|line| line.contains("(branch 2)")).unwrap();
    let start = line.find("(branch 2) ").unwrap() + 11;
    let words = line[start..].strip_suffix(" (= _true false)").unwrap();
    let first = words.replace(third, "");
    let first = first.trim();
    for order in [format!("{first} {third}"), format!("{third} {first}")] {
        let text = text.replace(words, &order);
        let parts = read(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
        let [(None, Evidence::Execution(run))] = &parts[..] else { panic!("{parts:?}") };
        assert_eq!(*run, execution());
    }
}

#[test]
fn mistakes_have_a_place() {
    let [proved, executed] = texts();
    let mut wrong = Vec::new();
    let mut check = |text: &str, old: &str, new: &str, expected: &str| {
        assert!(text.contains(old), "{old}\n{text}");
        let error = read(&text.replacen(old, new, 1)).map(|_| ()).unwrap_err().to_string();
        if error != expected {
            wrong.push(format!("{old} becomes {new}: {error}\nexpected {expected}"));
        }
    };
    check(
        &proved,
        "evidence 1",
        "evidence 2",
        "line 1, column 19: version 1 is supported, and this is 2",
    );
    check(
        &proved,
        "lapidary-evidence 1",
        "{",
        "line 1, column 1: `lapidary-evidence` is expected, found `{`",
    );
    check(&proved, "property p 1", "property", "line 2, column 9: a name is expected");
    check(
        &proved,
        "proof",
        "contract",
        "line 4, column 1: `proof` or `execution` is expected, found `contract`",
    );
    check(&proved, "state 1", "state 2", "line 5, column 9: state 1 is expected here");
    check(&proved, "at |a loc|", "at A", "line 5, column 14: there is no location `A`");
    check(&proved, "then 2 3", "then 2 5", "line 5, column 29: there is no such state");
    check(&proved, "then 2 3", "then 2 0", "line 5, column 29: these are counted from one");
    check(&proved, "holds true", "holds", "line 5, column 36: a formula is expected");
    check(
        &proved,
        "holds true",
        "holds x",
        "line 5, column 37: a formula is expected, and this is of the sort `Int`",
    );
    check(&proved, "holds true", "holds z", "line 5, column 37: `z` is not declared");
    check(&proved, "holds true", "holds (<= x", "line 5, column 37: `(` is never closed");
    check(
        &proved,
        "holds true",
        "holds true x",
        "line 5, column 42: the line is to end before `x`",
    );
    check(
        &executed,
        "start |odd name| #xf0",
        "start |odd name| #b0",
        "line 6, column 20: a value of the sort `(_ BitVec 8)` was expected",
    );
    check(&executed, "start _true", "start true", "line 5, column 9: there is no variable `true`");
    check(
        &executed,
        "start _true false",
        "start x 1",
        "line 5, column 9: this variable has a value already",
    );
    check(
        &executed,
        "start _true",
        "begin _true",
        "line 5, column 3: `start`, `function` or `step` is expected, found `begin`",
    );
    check(&executed, "-> L #1", "-> L #3", "line 13, column 8: there is no such edge");
    check(
        &executed,
        "-> L #1",
        "-> L",
        "line 13, column 20: there are several edges: the number of one is expected, such as `#1`",
    );
    check(
        &executed,
        "(branch 1)",
        "(branch 4)",
        "line 16, column 27: there is no such branch, the last one is 3",
    );
    check(
        &executed,
        "(branch 1) ",
        "",
        "line 16, column 19: a decision such as `(branch 1)` is expected",
    );
    check(
        &executed,
        "(branch 1) (= _true false)",
        "(branch 1)",
        "line 16, column 29: a value `(= _true …)` is expected",
    );
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn mutated_texts_are_read_or_refused() {
    const ODD: [&str; 18] = [
        "(",
        ")",
        "|",
        "#",
        "#2",
        "\n",
        "then",
        "step",
        "start",
        "-",
        "->",
        "0",
        "1",
        "99999999999999999999",
        "=",
        "state",
        "\u{fc}",
        "lapidary-evidence",
    ];
    let mut mutator = Mutator::default();
    let mut n_read = 0;
    for text in texts() {
        for _ in 0..6_000 {
            let text = mutator.mutate(&text, &ODD);
            match read(&text) {
                Ok(_) => n_read += 1,
                Err(error) => {
                    let place = error.position;
                    let line = text.lines().nth(place.line as usize - 1);
                    let length = line.map_or(0, |line| line.chars().count());
                    assert!(place.column as usize <= length + 1, "{error}\n{text}");
                }
            }
        }
    }
    assert!(n_read > 100, "{n_read}");
}

/// Time and memory are linear: a million steps take about a second.
#[test]
fn long_executions() {
    let mut long = execution();
    let step = long.steps[1].clone();
    long.steps.resize(50_000, step);
    let mut text = String::new();
    write_execution(&mut text, None, &cfa(), &long).unwrap();
    let parts = read(&text).unwrap();
    let [(None, Evidence::Execution(run))] = &parts[..] else { panic!("it is one execution") };
    assert!(*run == long);
}

/// Neither deep nor long values need a stack or quadratic time.
#[test]
fn large_values() {
    let array = sort("(Array Int Int)");
    let entries = (0..30_000).map(|i| (Value::int(i), Value::int(i + 1))).collect();
    let Sort::Array(of) = array else { unreachable!() };
    let large = Value::array(of, Value::int(0), entries);
    assert_eq!(value(&large.to_string(), array), Ok(large));
    let deep = format!("{}Int{}", "(Array Int ".repeat(100_000), ")".repeat(100_000));
    assert!(value(&format!("((as const {deep}) 1)"), array).is_err());
}
