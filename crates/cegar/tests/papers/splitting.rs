//! Examples 1 to 8 of the second paper: abstract states and transitions, failure states, dead-end and bad states, and
//! what refinement makes of them. The paper's interpolants are injected: any others would do as well.

use std::collections::BTreeSet;

use lapidary_cegar::abstraction::ArgOf;
use lapidary_cegar::arg::Arg;
use lapidary_cegar::checker::{Checker, NewtonOptions};
use lapidary_cegar::domain::explicit::MaxEnum;
use lapidary_cegar::domain::states::{Leaf, Splits};
use lapidary_cegar::domain::{Explicit, States};
use lapidary_cegar::precision::{Granularity, PrecisionMap};
use lapidary_cegar::refinement::{Prune, Refinement, Refiner};
use lapidary_cegar::{
    Config, Domain, Fact, Feasibility, Precision, Reason, Refutation, Result, Trace, TraceChecker,
    Tracked,
};
use lapidary_engine::{Event, Observer, Verdict, verify};
use lapidary_expr::{Term, Valuation, Value, Var, VarSet};
use lapidary_model::{Cfa, EdgeId, Loc, Stmt};
use lapidary_solver::interpolate::Engine;

use super::{int, z3};

const RUN: Loc = Loc(1);
const INIT: EdgeId = EdgeId(0);
const STEP: EdgeId = EdgeId(1);
const BAD: EdgeId = EdgeId(2);

/// Example 1. The transition has the invariant, as the paper's definition of `R` does.
const EXAMPLE_1: &str = "specification Example {
    system example = {
        var x : int  var y : int
        invariant 0 <= x and x <= 3 and 0 <= y and y <= 1
        initial x = 0 and y = 0
        transition 0 <= x and x <= 3 and 0 <= y and y <= 1 and (
            (x + y = 0 and x' - y' = 2) or (x + y = 1 and x' = 1 and y' = 1)
            or (x + y = 3 and x' = 3 and y' = 0))
    }
    property phi : example models G(x /= 3 or y /= 0)
}";

/// Example 8, whose figure is not in the text: a system that has the properties it tells of.
const EXAMPLE_8: &str = "specification Example {
    system example = {
        var x : int  var y : int  var z : int
        initial x = 0 and y = 0 and z = 0
        transition (x = 0 and y = 0 and z = 0 and x' = 1 and y' = 1 and z' = 1)
            or (((x = 1 and y = 1 and z = 0) or (x = 1 and y = 0 and z = 1)
                or (x = 0 and y = 1 and z = 1)) and x' = 3 and y' = 1 and z' = 1)
            or (x = 2 and y = 1 and z = 1 and x' = 4 and y' = 1 and z' = 1)
            or (x = 4 and y = 1 and z = 1 and x' = 5 and y' = 0 and z' = 0)
    }
    property phi : example models G(x /= 5)
}";

fn system(text: &str) -> Cfa {
    let input = lapidary_frontend::read("example.system", text.as_bytes());
    let task = input.and_then(|input| input.task(0));
    task.unwrap_or_else(|error| panic!("{error}")).model.into_cfa()
}

fn var(name: &str) -> Term {
    int(name).into()
}

fn less(name: &str, number: i32) -> Term {
    var(name).less(Term::int(number))
}

fn is(name: &str, number: i32) -> Term {
    var(name).equals(Term::int(number))
}

/// A system under predicates that all states are divided by from the start.
struct World {
    cfa: Cfa,
    domain: States,
    prec: PrecisionMap<Splits>,
}

impl World {
    fn new(text: &str, predicates: &[Term], explicit: &[Var]) -> Self {
        let cfa = system(text);
        let explicit: VarSet = explicit.iter().copied().collect();
        let domain = States::new(&z3(), MaxEnum::Unlimited, explicit);
        let mut prec = PrecisionMap::new(&cfa, Granularity::State);
        let tracked = |term: &Term| Tracked { at: None, fact: Fact::Predicate(*term) };
        prec.adopt(&cfa, &predicates.iter().map(tracked).collect::<Vec<_>>());
        World { cfa, domain, prec }
    }

    fn stmt(&self, edge: EdgeId) -> Stmt {
        self.cfa.edge(edge).stmt.clone()
    }

    /// All abstract states with a concrete state where `invariant` holds.
    fn states(&mut self, invariant: Term) -> Vec<Leaf> {
        let top = self.domain.top();
        let anything = Stmt::Assume(true.into());
        self.domain.post(&top, invariant, &anything, self.prec.at(RUN)).unwrap()
    }

    /// The abstract state with this label.
    fn state(&mut self, label: &[Term]) -> Leaf {
        let label = Term::and(label.iter().copied());
        let states = self.states(label);
        states.into_iter().find(|state| self.domain.expr(state) == label).expect("a state")
    }

    fn successors(&mut self, of: &Leaf) -> BTreeSet<Term> {
        let step = self.stmt(STEP);
        let states = self.domain.post(of, true.into(), &step, self.prec.at(RUN)).unwrap();
        states.iter().map(|state| self.domain.expr(state)).collect()
    }

    fn initial(&mut self) -> Vec<Leaf> {
        let (top, init) = (self.domain.top(), self.stmt(INIT));
        self.domain.post(&top, true.into(), &init, self.prec.at(RUN)).unwrap()
    }

    /// What a checker says about the counterexample through these states.
    fn refute(&self, states: &[&Leaf], checker: &mut dyn TraceChecker) -> Refutation {
        let [init, step, bad] = [INIT, STEP, BAD].map(|edge| self.stmt(edge));
        let inner = states.iter().map(|state| self.domain.expr(state));
        let states: Vec<Term> =
            [true.into()].into_iter().chain(inner).chain([true.into()]).collect();
        let steps = vec![&step; states.len() - 3];
        let stmts: Vec<&Stmt> = [&init].into_iter().chain(steps).chain([&bad]).collect();
        match checker.check(&Trace { states, stmts }).unwrap() {
            Feasibility::Infeasible(refutation) => refutation,
            Feasibility::Feasible(_) => panic!("spurious"),
        }
    }

    /// Refines with the given interpolants at the states of a counterexample; the size of the graph that is left.
    fn refine(&mut self, states: &[&Leaf], interpolants: &[Term]) -> usize {
        let mut arg: ArgOf<States> = Arg::new(&self.cfa, self.domain.top());
        let mut node = arg.root();
        for (i, state) in states.iter().enumerate() {
            arg.take_pending(node);
            node = arg.add(&self.cfa, node, if i == 0 { INIT } else { STEP }, Leaf::clone(state));
        }
        arg.take_pending(node);
        let error = arg.add(&self.cfa, node, BAD, self.domain.top());
        let checkers: Vec<Box<dyn TraceChecker>> = vec![Box::new(Injected(interpolants.to_vec()))];
        let mut refiner = Refiner::new(&self.cfa, &z3(), checkers, Prune::Lazy);
        let refinement =
            refiner.refine(&mut self.domain, &[error], &mut self.prec, &mut arg).unwrap();
        assert!(matches!(refinement, Refinement::Spurious(_)), "{refinement:?}");
        arg.check_invariants().unwrap();
        arg.len()
    }
}

struct Injected(Vec<Term>);

impl TraceChecker for Injected {
    fn check(&mut self, trace: &Trace<'_>) -> Result<Feasibility> {
        let inner = self.0.iter().copied();
        let terms = [Term::from(true)].into_iter().chain(inner).chain([false.into()]);
        let reasons: Vec<Reason> = terms.map(Reason::Holds).collect();
        assert_eq!(reasons.len(), trace.states.len());
        Ok(Feasibility::Infeasible(Refutation::new("injected", reasons)))
    }
}

fn checker(checker: Checker) -> Box<dyn TraceChecker> {
    checker.build(&z3(), Engine::Auto, &NewtonOptions::default())
}

fn invariant_1() -> Term {
    let between = |name: &str, most: i32| {
        Term::and([Term::int(0).at_most(var(name)), var(name).at_most(Term::int(most))])
    };
    Term::and([between("x", 3), between("y", 1)])
}

/// The abstract states of Example 1: ŝ₀ … ŝ₃.
fn example_1() -> (World, [Leaf; 4]) {
    let (p, q) = (less("x", 2), is("y", 1));
    let mut world = World::new(EXAMPLE_1, &[p, q], &[]);
    let labels = [[p, q.not()], [p, q], [p.not(), q.not()], [p.not(), q]];
    let states = labels.map(|label| world.state(&label));
    (world, states)
}

fn labels(world: &World, states: &[&Leaf]) -> BTreeSet<Term> {
    states.iter().map(|state| world.domain.expr(state)).collect()
}

fn holds(term: Term, values: &[(&str, i64)]) -> bool {
    let values: Valuation =
        values.iter().map(|(name, value)| (int(name), Value::int(*value))).collect();
    term.holds(&values).expect("a truth value")
}

#[test]
fn example_1_predicate_abstraction() {
    let (mut world, [s0, s1, s2, s3]) = example_1();
    assert_eq!(world.states(invariant_1()).len(), 4);
    let initial = world.initial();
    assert_eq!(labels(&world, &initial.iter().collect::<Vec<_>>()), labels(&world, &[&s0]));
    assert_eq!(world.successors(&s0), labels(&world, &[&s1, &s2, &s3]));
    assert_eq!(world.successors(&s1), labels(&world, &[&s1]));
    assert_eq!(world.successors(&s2), labels(&world, &[&s2]));
    assert_eq!(world.successors(&s3), labels(&world, &[&s2]));
}

#[test]
fn example_2_explicit_values() {
    let (cfa, mut domain) = (system(EXAMPLE_1), Explicit::new(&z3(), MaxEnum::Unlimited));
    let visible: VarSet = [int("y")].into();
    let (init, step) = (&cfa.edge(INIT).stmt, &cfa.edge(STEP).stmt);
    let initial = domain.post(&domain.top(), true.into(), init, &visible).unwrap();
    let [zero] = &initial[..] else { panic!("{initial:?}") };
    assert_eq!(domain.expr(zero), is("y", 0));
    let mut known = vec![zero.clone()];
    for i in 0..2 {
        let next = domain.post(&known[i], true.into(), step, &visible).unwrap();
        let next_labels: BTreeSet<Term> = next.iter().map(|state| domain.expr(state)).collect();
        assert_eq!(next_labels, [is("y", 0), is("y", 1)].into(), "both states lead to both");
        known.extend(next.into_iter().filter(|state| domain.expr(state) == is("y", 1)));
    }
}

/// Of the four abstract states one has no concrete state: nothing less than `y` is 1.
#[test]
fn example_3_predicates_with_explicit_values() {
    let p = var("x").less(var("y"));
    let mut world = World::new(EXAMPLE_1, &[p], &[int("x")]);
    let anything: Term = "xy".chars().fold(true.into(), |all, name| {
        let name = name.to_string();
        Term::and([all, Term::or([is(&name, 0), is(&name, 1)])])
    });
    let (top, havoc) = (world.domain.top(), Stmt::Havoc(vec![int("x"), int("y")]));
    let stmt = Stmt::seq([havoc, Stmt::Assume(anything)]);
    let states = world.domain.post(&top, true.into(), &stmt, world.prec.at(RUN)).unwrap();
    let found = labels(&world, &states.iter().collect::<Vec<_>>());
    let label = |x: i32, p: Term| Term::and([is("x", x), p]);
    assert_eq!(found, [label(0, p), label(0, p.not()), label(1, p.not())].into());
}

/// Examples 4 to 6: ŝ₂ violates the property; (ŝ₀, ŝ₃, ŝ₂) fails at ŝ₃ and (ŝ₀, ŝ₂) at ŝ₂, and what separates dead-end
/// states from bad ones says so.
#[test]
fn examples_4_to_6_counterexamples_and_failure_states() {
    let (mut world, [s0, s1, s2, s3]) = example_1();
    let bad = world.stmt(BAD);
    let mut violates = |state: &Leaf| {
        !world.domain.post(state, true.into(), &bad, &Splits::default()).unwrap().is_empty()
    };
    assert_eq!([&s0, &s1, &s2, &s3].map(&mut violates), [false, false, true, false]);
    for (states, failure, dead_end, bad) in
        [(vec![&s0, &s3, &s2], 1, (3, 1), (2, 1)), (vec![&s0, &s2], 1, (2, 0), (3, 0))]
    {
        let refutation = world.refute(&states, &mut *checker(Checker::Forward));
        assert_eq!(refutation.prune_index(), Some(failure + 1), "the start comes before ŝ₀");
        assert_eq!(refutation.width(), 1, "one interpolant");
        let Reason::Holds(itp) = refutation.reasons[failure + 1] else { panic!("a formula") };
        assert!(holds(itp, &[("x", dead_end.0), ("y", dead_end.1)]), "{itp}");
        assert!(!holds(itp, &[("x", bad.0), ("y", bad.1)]), "{itp}");
    }
}

#[test]
fn example_7_craig_interpolation() {
    let (mut world, [s0, s1, s2, s3]) = example_1();
    let (truth, falsehood) = (Term::from(true), Term::from(false));
    let kept = world.refine(&[&s0, &s3, &s2], &[truth, is("x", 3), falsehood]);
    assert_eq!(kept, 2, "the start and ŝ₀");
    assert_eq!(world.prec.at(RUN).size(), 3, "one split, beside the two predicates");
    let split = |world: &World, state: &Leaf| world.domain.is_split(state, world.prec.at(RUN));
    assert_eq!([&s0, &s1, &s2, &s3].map(|s| split(&world, s)), [false, false, false, true]);
    let (p, q, itp) = (less("x", 2), is("y", 1), is("x", 3));
    let s31 = world.state(&[p.not(), q, itp]);
    let s32 = world.state(&[p.not(), q, itp.not()]);
    assert_eq!(world.states(invariant_1()).len(), 5);
    assert_eq!(world.successors(&s0), labels(&world, &[&s1, &s2, &s31]));
    assert!(world.successors(&s31).is_empty(), "π₁ is gone");
    assert_eq!(world.successors(&s32), labels(&world, &[&s2]));
    // π₂ is still there, and needs another refinement.
    world.refine(&[&s0, &s2], &[truth, is("x", 2)]);
    let bad = world.stmt(BAD);
    let s21 = world.state(&[p.not(), q.not(), is("x", 2)]);
    assert_eq!(world.successors(&s0), labels(&world, &[&s1, &s21, &s31]));
    assert!(world.domain.post(&s21, truth, &bad, &Splits::default()).unwrap().is_empty());
}

#[test]
fn example_8_sequence_interpolation() {
    let sum = var("x").plus(var("y")).plus(var("z"));
    let p = [sum.at_most(Term::int(1)), var("x").at_most(Term::int(2)), less("x", 5)];
    let mut world = World::new(EXAMPLE_8, &p, &[]);
    let label = |signs: [bool; 3]| [0, 1, 2].map(|i| if signs[i] { p[i] } else { p[i].not() });
    let signs =
        [[true, true, true], [false, true, true], [false, false, true], [false, false, false]];
    let states = signs.map(|signs| world.state(&label(signs)));
    let path: Vec<&Leaf> = states.iter().collect();
    for pair in path.windows(2) {
        assert!(world.successors(pair[0]).is_superset(&labels(&world, &pair[1..])), "a path");
    }
    // One formula has to tell (1, 1, 1) from states that differ from it in one variable each.
    let refutation = world.refute(&path, &mut *checker(Checker::Forward));
    assert_eq!(refutation.prune_index(), Some(2), "ŝ₂ is the failure state");
    assert_eq!(refutation.vars(), [int("x"), int("y"), int("z")].into());
    let Reason::Holds(itp) = refutation.reasons[2] else { panic!("a formula") };
    let others = [[1, 1, 0], [1, 0, 1], [0, 1, 1], [2, 1, 1]];
    let at = |[x, y, z]: [i64; 3]| holds(itp, &[("x", x), ("y", y), ("z", z)]);
    assert!(at([1, 1, 1]) && !others.into_iter().any(at), "{itp}");

    let (truth, falsehood) = (Term::from(true), Term::from(false));
    let itps = [truth, less("x", 2), less("x", 4), falsehood];
    assert_eq!(world.refine(&path, &itps), 2, "the start and ŝ₁");
    let is_split = path.iter().map(|state| world.domain.is_split(state, world.prec.at(RUN)));
    assert_eq!(is_split.collect::<Vec<_>>(), [false, true, true, false]);
    let mut part = |i: usize, itp: Term| {
        let literals: Vec<Term> = label(signs[i]).into_iter().chain([itp]).collect();
        world.state(&literals)
    };
    let (s21, s22) = (part(1, itps[1]), part(1, itps[1].not()));
    let (s31, s32) = (part(2, itps[2]), part(2, itps[2].not()));
    assert_eq!(world.successors(path[0]), labels(&world, &[&s21]));
    assert_eq!(world.successors(&s21), labels(&world, &[&s31]));
    assert!(world.successors(&s31).is_empty(), "the counterexample is gone");
    assert_eq!(world.successors(&s22), labels(&world, &[&s32]), "both splits are needed");
    assert_eq!(world.successors(&s32), labels(&world, &[path[3]]));
}

/// What is tracked after each run.
#[derive(Default)]
struct Facts(Vec<Tracked>);

impl Observer for Facts {
    fn event(&mut self, _event: &Event) {}

    fn precision(&mut self, tracked: &dyn Fn() -> Vec<Tracked>) {
        self.0 = tracked();
    }
}

/// The whole framework on both systems; explicit variables become visible everywhere.
#[test]
fn all_configurations_of_the_framework() {
    for text in [EXAMPLE_1, EXAMPLE_8] {
        for domain in ["predicate", "combined explicit-vars=x", "explicit max-enum=0"] {
            for checker in ["forward", "sequence"] {
                let line = format!(
                    "precision=state search=dfs passes=none checker={checker} domain={domain}"
                );
                let (mut config, mut facts) = (Config::default(), Facts::default());
                config.set_line(&line).unwrap();
                let verdict = verify(&system(text), &config, &z3(), &mut facts);
                assert!(matches!(verdict, Verdict::Safe(_)), "{line}: {verdict:?}");
                let everywhere = facts.0.iter().all(|tracked| tracked.at.is_none());
                assert_eq!(everywhere, domain.starts_with("explicit"), "{line}");
            }
        }
    }
}
