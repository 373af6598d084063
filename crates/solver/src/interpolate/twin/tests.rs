//! The twin says what the path says, and so does what is written back: by cases, and by evaluation of random ones.

mod random;

use std::collections::BTreeMap;

use lapidary_expr::text::parse;
use lapidary_expr::{IBig, Op, Sort, Term, Valuation, Value, Var};

use super::Twin;
use super::range::Reading;
use random::Random;

fn scope() -> BTreeMap<String, Var> {
    let mut vars: Vec<Var> = ["x", "y", "z"].map(|name| Var::new(name, Sort::Bv(8))).into();
    vars.push(Var::new("w", Sort::Bv(32)));
    vars.push(Var::new("n", Sort::Int));
    vars.push(Var::new("p", Sort::Bool));
    vars.push(Var::new("a", Sort::array(Sort::Bv(8), Sort::Bv(8))));
    vars.extend(
        ["x!int", "y!int", "z!int", "w!int", "bvmul!1", "select!1"]
            .map(|name| Var::new(name, Sort::Int)),
    );
    vars.into_iter().map(|var| (var.name().to_string(), var)).collect()
}

fn read(text: &str) -> Term {
    parse(text, &scope()).unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// The twin of one formula, without the intervals of the variables.
fn twin(text: &str) -> Term {
    let twin = Twin::of(&[read(text)]).expect("bit-vectors occur");
    let intervals = 2 * twin.originals.len();
    let conjuncts = twin.parts()[0].conjuncts();
    Term::and(conjuncts[..conjuncts.len() - intervals].iter().copied())
}

/// What an integer formula is over bit-vectors, by a twin that knows `x`, `y`, `z` and `w`.
fn back(reading: Reading, text: &str) -> String {
    let compare = if reading == Reading::Signed { "bvsle" } else { "bvule" };
    let known = format!(
        "(and ({compare} x y) ({compare} y z) ({compare} w #x00000010) (= #x05 (bvmul x y)))"
    );
    let twin = Twin::of(&[read(&known)]).expect("bit-vectors occur");
    assert_eq!(twin.reading, reading);
    twin.back(read(text)).map_or_else(|| "none".to_string(), |term| term.to_string())
}

#[test]
fn linear_operators_become_integers() {
    for (bits, integers) in [
        ("(bvule x y)", "(<= x!int y!int)"),
        ("(bvult x #x0a)", "(<= x!int 9)"),
        ("(= x (bvadd y #x01))", "(= x!int (ite (<= y!int 254) (+ y!int 1) (+ y!int (- 255))))"),
        ("(= x (bvadd y #xff))", "(= x!int (ite (<= 1 y!int) (+ y!int (- 1)) (+ y!int 255)))"),
        ("(= x (bvnot y))", "(= (+ x!int y!int) 255)"),
        ("(= x (bvadd y (bvneg y)))", "(= x!int 0)"),
        ("(= x (bvmul y #x03))", "(= x!int (mod (* 3 y!int) 256))"),
        ("(= x (bvudiv y #x03))", "(= x!int (div y!int 3))"),
        ("(= x (bvurem y #x03))", "(= x!int (mod y!int 3))"),
        ("(= x (bvlshr y #x02))", "(= x!int (div y!int 4))"),
        ("(= x (bvand y #x03))", "(= x!int (mod y!int 4))"),
        ("(= x (bvand y #xfc))", "(= x!int (* 4 (div y!int 4)))"),
        ("(= x (bvand y #x0c))", "(= x!int (* 4 (mod (div y!int 4) 4)))"),
        ("(= ((_ extract 0 0) x) #b1)", "(= (mod x!int 2) 1)"),
        ("(= w (concat #x0000 x y))", "(= w!int (+ (* 256 x!int) y!int))"),
        (
            "(= ((_ zero_extend 1) x) (bvadd ((_ zero_extend 1) y) #b000000001))",
            "(= x!int (+ y!int 1))",
        ),
        ("(= n (ubv_to_int x))", "(= n x!int)"),
        ("(= x ((_ int_to_bv 8) n))", "(= x!int (mod n 256))"),
        ("(= x (ite p y #x07))", "(= x!int (ite p y!int 7))"),
        (
            "(and (bvule x y) (bvslt x #x00))",
            "(and (<= x!int y!int) (< (ite (<= x!int 127) x!int (- x!int 256)) 0))",
        ),
    ] {
        assert_eq!(twin(bits), read(integers), "{bits}");
    }
}

#[test]
fn signed_paths_are_read_signed() {
    for (bits, integers) in [
        ("(bvsle x y)", "(<= x!int y!int)"),
        ("(bvslt x #xff)", "(<= x!int (- 2))"),
        (
            "(and (bvsle x y) (= x (bvashr y #x01)))",
            "(and (<= x!int y!int) (= x!int (div y!int 2)))",
        ),
        (
            "(bvslt (bvadd x #x01) y)",
            "(< (ite (<= x!int 126) (+ x!int 1) (+ x!int (- 255))) y!int)",
        ),
    ] {
        assert_eq!(twin(bits), read(integers), "{bits}");
    }
}

#[test]
fn what_is_not_linear_is_opaque() {
    for (bits, integers) in [
        ("(bvule #x07 (bvmul x y))", "(<= 7 bvmul!1)"),
        ("(= x (bvmul x #xff y))", "(= x!int (ite (<= bvmul!1 0) (- bvmul!1) (- 256 bvmul!1)))"),
        ("(= x (select a y))", "(= x!int select!1)"),
        // Array equalities stay as they are.
        ("(and (= a (store a x y)) (bvule x y))", "(and (= a (store a x y)) (<= x!int y!int))"),
    ] {
        assert_eq!(twin(bits), read(integers), "{bits}");
    }
}

#[test]
fn intervals_stand_where_a_variable_is_first() {
    let twin = Twin::of(&[read("(bvule x y)"), read("(bvule y z)")]).expect("bit-vectors occur");
    let [first, second] = twin.parts() else { panic!("two parts") };
    assert_eq!(first.conjuncts().len(), 5);
    let said: Vec<String> = second.conjuncts().iter().map(ToString::to_string).collect();
    assert_eq!(said, ["(<= y!int z!int)", "(<= 0 z!int)", "(<= z!int 255)"]);
}

#[test]
fn names_do_not_clash() {
    let [narrow, wide] = [8, 16].map(|width| Var::new("v", Sort::Bv(width)).at(3));
    let taken = Var::new("v!int", Sort::Int);
    let compare =
        |x: Var| Term::app(Op::BvUle, vec![x.into(), Term::var(x.at(4))]).expect("well-sorted");
    let parts = [Term::var(taken).at_most(Term::int(3)), compare(narrow), compare(wide)];
    let twin = Twin::of(&parts).expect("bit-vectors occur");
    let names: Vec<String> = twin.originals.keys().map(ToString::to_string).collect();
    assert_eq!(names, ["v!int!@3", "v!int!@4", "v!int!!@3", "v!int!!@4"]);
}

#[test]
fn paths_without_bits_have_no_twin() {
    assert!(Twin::of(&[read("(<= n 5)"), read("p")]).is_none());
    assert!(Twin::of(&[]).is_none());
}

#[test]
fn integers_go_back_to_bits() {
    for (integers, bits) in [
        ("(<= x!int 9)", "(bvule x #x09)"),
        ("(<= 9 x!int)", "(bvult #x08 x)"),
        ("(<= x!int 255)", "true"),
        ("(<= x!int (- 1))", "false"),
        ("(<= 0 x!int)", "true"),
        ("(= x!int 7)", "(= x #x07)"),
        ("(= x!int 256)", "false"),
        ("(<= x!int y!int)", "(bvule x y)"),
        ("(< x!int y!int)", "(bvult x y)"),
        ("(not (= x!int y!int))", "(not (= x y))"),
        ("(or p (<= 3 bvmul!1))", "(or p (bvult #x02 (bvmul x y)))"),
        (
            "(<= (+ x!int 2) y!int)",
            "(bvule (bvadd ((_ zero_extend 1) x) #b000000010) ((_ zero_extend 1) y))",
        ),
        (
            "(<= (* 2 x!int) y!int)",
            "(bvule (bvmul ((_ zero_extend 1) x) #b000000010) ((_ zero_extend 1) y))",
        ),
        ("(<= x!int w!int)", "(bvule ((_ zero_extend 24) x) w)"),
        ("(= (mod x!int 2) 1)", "(= ((_ extract 0 0) x) #b1)"),
        ("(= (mod (+ x!int 3) 4) 1)", "(= ((_ extract 1 0) x) #b10)"),
        ("(= (mod (- x!int y!int) 4) 1)", "(= ((_ extract 1 0) (bvsub x y)) #b01)"),
        ("(= (mod (+ x!int (* 3 y!int)) 256) 7)", "(= (bvadd x (bvmul y #x03)) #x07)"),
        ("(= (mod x!int 3) 1)", "(= (bvurem x #x03) #x01)"),
        ("(<= n x!int)", "(<= n (ubv_to_int x))"),
        ("(<= n 3)", "(<= n 3)"),
        ("(= (* x!int y!int) 3)", "none"),
        ("(<= (* 123456789012345678901234567890 x!int) y!int)", "none"),
    ] {
        assert_eq!(back(Reading::Unsigned, integers), bits, "{integers}");
    }
}

#[test]
fn signed_integers_go_back_to_bits() {
    for (integers, bits) in [
        ("(<= x!int (- 9))", "(bvsle x #xf7)"),
        ("(<= x!int 127)", "true"),
        ("(<= (- 128) x!int)", "true"),
        ("(< x!int y!int)", "(bvslt x y)"),
        ("(= x!int 255)", "false"),
        (
            "(<= (+ x!int y!int) 7)",
            "(bvsle (bvadd ((_ sign_extend 1) x) ((_ sign_extend 1) y)) #b000000111)",
        ),
        ("(= (mod x!int 2) 1)", "(= ((_ extract 0 0) x) #b1)"),
        (
            "(= (mod x!int 3) 1)",
            "(= (bvurem (bvadd ((_ sign_extend 1) x) #b010000001) #b000000011) #b000000001)",
        ),
        ("(<= n x!int)", "(<= n (sbv_to_int x))"),
    ] {
        assert_eq!(back(Reading::Signed, integers), bits, "{integers}");
    }
}

/// The integers that a valuation of the bit-vectors gives to the twin's variables, beside the valuation itself.
fn translated(twin: &Twin, valuation: &Valuation) -> Valuation {
    let mut both = valuation.clone();
    for (var, original) in &twin.originals {
        let Some(Value::Bv(bits)) = original.eval(valuation) else {
            panic!("{original} has a value")
        };
        both.set(*var, Value::Int(twin.reading.of(&bits)));
    }
    both
}

#[test]
fn twins_hold_when_their_parts_do() {
    let mut random = Random::new(1);
    let (mut signed, mut opaque) = (0, 0);
    for round in 0..3000 {
        let parts: Vec<Term> = (0..=round % 3).map(|_| random.formula(3)).collect();
        let Some(twin) = Twin::of(&parts) else { continue };
        signed += usize::from(twin.reading == Reading::Signed);
        opaque += twin.originals.values().filter(|original| original.as_var().is_none()).count();
        for _ in 0..8 {
            let valuation = random.valuation(&parts);
            let both = translated(&twin, &valuation);
            for (part, integers) in parts.iter().zip(twin.parts()) {
                let (expected, found) = (part.holds(&valuation), integers.holds(&both));
                assert!(expected.is_some(), "{part} has a value");
                assert_eq!(expected, found, "{part}\nbecomes\n{integers}\nunder {both:?}");
            }
        }
    }
    assert!(signed > 300 && opaque > 300, "{signed} signed, {opaque} opaque");
}

#[test]
fn translated_parts_go_back() {
    let mut random = Random::new(2);
    let (mut written, mut all) = (0, 0);
    for _ in 0..1500 {
        let parts = [random.formula(2)];
        let Some(twin) = Twin::of(&parts) else { continue };
        all += 1;
        let Some(again) = twin.back(twin.parts()[0]) else { continue };
        written += 1;
        for _ in 0..8 {
            let valuation = random.valuation(&parts);
            assert_eq!(
                parts[0].holds(&valuation),
                again.holds(&valuation),
                "{}\n{again}",
                parts[0]
            );
        }
    }
    assert!(written * 4 > all * 3, "{written} of {all}");
}

#[test]
fn atoms_about_twins_go_back() {
    let mut random = Random::new(3);
    let (mut written, mut all) = (0, 0);
    for _ in 0..1500 {
        let parts = [random.formula(2), random.formula(2)];
        let Some(twin) = Twin::of(&parts) else { continue };
        if twin.originals.is_empty() {
            continue;
        }
        let vars: Vec<Var> = twin.originals.keys().copied().collect();
        for _ in 0..6 {
            let formula = random.integers(&vars);
            all += 1;
            let Some(bits) = twin.back(formula) else { continue };
            written += 1;
            assert!(bits.vars().iter().all(|var| !vars.contains(var)), "{bits}");
            for _ in 0..6 {
                let valuation = random.valuation(&[parts[0], parts[1], bits]);
                let both = translated(&twin, &valuation);
                assert_eq!(
                    formula.holds(&both),
                    bits.holds(&valuation),
                    "{formula}\nbecomes\n{bits}\nunder {both:?}"
                );
            }
        }
    }
    assert!(written * 10 > all * 9, "{written} of {all}");
}

#[test]
fn deep_and_shared_terms_are_no_problem() {
    let [x, y] = ["x", "y"].map(|name| Term::var(Var::new(name, Sort::Bv(32))));
    let app = |op, args| Term::app(op, args).expect("well-sorted");
    let mut deep = x;
    for _ in 0..20_000 {
        let third = app(Op::BvUdiv, vec![deep, Term::bv(32, 3)]);
        let sum = app(Op::BvAdd, vec![deep, third]);
        deep = Term::var(Var::new("p", Sort::Bool)).ite(sum, x);
    }
    let twin = Twin::of(&[app(Op::BvUle, vec![deep, y])]).expect("bit-vectors occur");
    let mut formula: Term = twin.parts()[0];
    for round in 0..20_000 {
        let bound =
            Term::var(*twin.originals.keys().next().expect("a twin")).at_most(Term::int(round));
        formula =
            if round % 2 == 0 { Term::or([formula, bound]) } else { Term::and([formula, bound]) };
    }
    // The deep sum makes the first atom large; what is built around it does not.
    assert!(twin.back(formula).is_none());
    let mut sum = x;
    for _ in 0..2000 {
        sum = app(Op::BvAdd, vec![app(Op::BvMul, vec![sum, Term::bv(32, 31)]), y]);
    }
    let twin = Twin::of(&[app(Op::BvUle, vec![sum, y])]).expect("bit-vectors occur");
    let value = |n: i64| Value::Bv(lapidary_expr::Bv::wrap(32, &IBig::from(n)));
    let valuation: Valuation =
        [(Var::new("x", Sort::Bv(32)), value(7)), (Var::new("y", Sort::Bv(32)), value(-9))]
            .into_iter()
            .collect();
    let both = translated(&twin, &valuation);
    assert_eq!(app(Op::BvUle, vec![sum, y]).holds(&valuation), twin.parts()[0].holds(&both));
}
