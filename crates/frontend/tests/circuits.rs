//! AIGER and BTOR2: what is read, what is refused and where, witnesses, certificates.

use std::fmt::Write;

use lapidary_expr::fuzzing::Mutator;
use lapidary_expr::{Bv, IBig, Valuation, Value};
use lapidary_frontend::btor2::{Operator, Sort};
use lapidary_frontend::{SourceFile, aiger, btor2, fuzzing, read};
use lapidary_model::sts::{Frame, Trace};

/// A latch that toggles unless held, one that starts with 1, one that starts with anything; gates out of order.
const TOGGLE: &str = "aag 8 1 3 1 3 2 1\n2\n4 10\n6 6 1\n8 8 8\n4\n12\n14\n3\n\
    12 4 6\n10 5 14\n14 3 6\ni0 hold\nl0 state\nb0 on\nc\nmade by hand\n";

const WORDS: &str = "1 sort bitvec 8
2 sort bitvec 1
3 input 2 go ; a comment
4 zero 1
5 state 1 count
6 init 1 5 4
7 inc 1 5
8 ite 1 -3 5 7
9 next 1 5 8
10 constd 1 3
11 eq 2 5 10
12 bad 11 three
13 sort array 2 1
14 state 13 memory
15 write 13 14 3 5
16 next 13 14 15
17 read 1 14 -3
18 ulte 2 17 10
19 constraint 18
";

fn words(text: &str) -> btor2::Model {
    btor2::parse(&SourceFile::new("test.btor2", text)).unwrap_or_else(|error| panic!("{error}"))
}

fn refused(text: &str, expected: &str) {
    let error = read("test", text.as_bytes()).expect_err(text).to_string();
    assert!(error.contains(expected), "{text}\n{error}");
}

#[test]
fn aiger_in_both_variants() {
    let ascii = aiger::parse("test", TOGGLE.as_bytes()).unwrap();
    assert_eq!(ascii.latches.iter().map(|latch| latch.reset).collect::<Vec<_>>(), {
        use aiger::Reset::*;
        [Zero, One, Any]
    });
    let again = aiger::parse("test", ascii.to_ascii().as_bytes()).unwrap();
    assert_eq!(ascii, again);
    let binary = aiger::parse("test", &ascii.to_binary()).unwrap();
    assert_eq!(binary, aiger::parse("test", &binary.to_binary()).unwrap());
    let system = binary.system();
    let names: Vec<&str> = system.vars.iter().chain(&system.inputs).map(|var| var.name()).collect();
    assert_eq!(names, ["state", "l1", "l2", "hold"]);
    assert_eq!(
        system.properties.iter().map(|property| &property.name[..]).collect::<Vec<_>>(),
        ["on", "b1"]
    );
    assert_eq!(system.init.len(), 2);
}

#[test]
fn aiger_errors_have_places() {
    refused("aag 1 1 0 0 0\n3\n", "test:2:1");
    refused("aag 1 1 0 1 0\n2\n9\n", "the literal 9 is beyond the largest variable");
    refused("aag 2 1 0 1 0\n2\n4\n", "the literal 4 has no input, latch or gate");
    refused("aag 2 1 1 0 0\n2\n2 2\n", "defined twice");
    refused("aag 2 0 0 1 2\n2\n2 4 4\n4 2 2\n", "depends on itself");
    refused("aag 1 0 1 0 0 0 0 1\n2 2\n1\n2\n", "justice properties are not supported");
    refused("aag 1 0 1 1 0\n2 2 7\n2\n", "beyond the largest variable");
    refused("aag 2 1 1 1 0\n2\n4 4 2\n2\n", "a latch starts with 0, 1 or itself (4), not with 2");
    refused("aag 1 1 0 1 0\n2\n2\ni7 far\n", "there is no `i7` to name");
    refused("aag 1 1 0 0 0\n2\n", "has no property");
    refused("aig 3 2 0 1 1\n6\n\u{2}", "the file ends within the gates (at byte 17)");
    refused("aig 4000000000 4000000000 0 0 0\n", "too large (at byte 4)");
    refused("aig 4294967 4294967 0 1 0\n2\n", "more than 4194304 inputs");
    refused("aig 3 2 0 1 1\n6\n\u{9}\u{1}", "are not smaller than it");
}

#[test]
fn aiger_witnesses_are_simulated() {
    let circuit = aiger::parse("test", TOGGLE.as_bytes()).unwrap();
    let check = |witness: &str, expected: Result<(), &str>| {
        let found = aiger::check_witness(&circuit, witness);
        match (&found, expected) {
            (Ok(()), Ok(())) => {}
            (Err(problem), Err(part)) if problem.contains(part) => {}
            _ => panic!("{witness}: {found:?}"),
        }
    };
    check("1\nb0\n010\n0\n0\n.\n", Ok(()));
    check("1\nb0\n011\nx\n0\n.\n", Ok(()));
    check("1\nb0\n010\n0\n.\n", Err("not violated in the last frame"));
    check("1\nb0\n110\n0\n0\n.\n", Err("cannot start like this"));
    check("1\nb0\n010\n1\n0\n.\n", Err("the constraint 3 does not hold"));
    check("1\nb9\n010\n0\n0\n.\n", Err("no property of the circuit"));
    check("1\nb0\n01\n0\n.\n", Err("2 bits, where the circuit has 3"));
    check("0\nb0\n.\n", Err("not `1`"));
    check("1\nb0\n010\n0\n0\n", Err("ends before the final"));
}

#[test]
fn traces_become_witnesses() {
    let circuit = aiger::parse("test", TOGGLE.as_bytes()).unwrap();
    let system = circuit.system();
    let frame = |state: [bool; 3]| Frame {
        state: system.vars.iter().copied().zip(state.map(Value::Bool)).collect(),
        inputs: Valuation::new(),
    };
    let trace = Trace { frames: vec![frame([false, true, true]), frame([true, true, true])] };
    assert_eq!(circuit.witness(0, &trace), "1\nb0\n011\n0\n0\n.\n");
}

#[test]
fn invariants_become_certificates() {
    let circuit = aiger::parse("test", TOGGLE.as_bytes()).unwrap();
    let system = circuit.system();
    let term = |i: usize| lapidary_expr::Term::var(system.vars[i]);
    let invariant = term(0).equals(term(1)).ite(term(2), term(2).not());
    let certificate = circuit.certificate(0, invariant).unwrap();
    let again = aiger::parse("test", certificate.to_ascii().as_bytes()).unwrap();
    assert_eq!((again.latches.len(), again.bads.len(), again.outputs.len()), (3, 1, 1));
    assert_eq!(again.symbols.latches[1].as_deref(), Some("= 6"));
    // The output computes the invariant, whatever the latches are.
    let outputs = aiger::Circuit { bads: Vec::new(), ..again }.system();
    for bits in 0..8u8 {
        let values = |vars: &[lapidary_expr::Var]| -> Valuation {
            vars.iter()
                .enumerate()
                .map(|(i, var)| (*var, Value::Bool(bits >> i & 1 == 1)))
                .collect()
        };
        let (computed, meant) = (
            outputs.properties[0].bad.eval(&values(&outputs.vars)),
            invariant.eval(&values(&system.vars)),
        );
        assert_eq!(computed, meant, "{bits}");
    }
    let number = lapidary_expr::Term::int(1)
        .equals(lapidary_expr::Var::new("n", lapidary_expr::Sort::Int).into());
    assert!(circuit.certificate(0, number).is_err());
}

#[test]
fn btor2_is_printed_and_read_again() {
    let model = words(WORDS);
    let again = words(&model.to_string());
    assert_eq!((&model.nodes, model.bads.len(), model.constraints.len()), (&again.nodes, 1, 1));
    assert_eq!(model.to_string(), again.to_string());
    let system = model.system();
    assert_eq!(system.check(), Ok(()));
    assert_eq!(
        system.vars.iter().map(|var| format!("{var}: {}", var.sort())).collect::<Vec<_>>(),
        ["count: (_ BitVec 8)", "memory: (Array (_ BitVec 1) (_ BitVec 8))"]
    );
}

#[test]
fn btor2_errors_have_places() {
    refused("1 sort bitvec 0\n", "test:1:15");
    refused("1 sort bitvec 8\n1 input 1\n", "the number 1 is used twice");
    refused("1 sort bitvec 8\n2 input 3\n", "3 is no sort");
    refused("1 sort bitvec 8\n2 input 1\n3 add 1 2 9\n", "test:3:11");
    refused("1 sort bitvec 8\n2 input 1\n3 bad 2\n", "no vector of one bit");
    refused(
        "1 sort bitvec 8\n2 input 1\n3 slice 1 2 9 1\n",
        "`slice` cannot be applied to bitvec 8",
    );
    refused("1 sort bitvec 8\n2 constd 1 256\n", "does not fit into 8 bits");
    refused("1 sort bitvec 8\n2 const 1 012\n", "no number in base 2");
    refused("1 sort bitvec 1\n2 input 1\n3 justice 1 2\n", "liveness is not supported");
    refused("1 sort bitvec 1\n2 frob 1\n", "`frob` is no part of the format");
    refused("1 sort bitvec 1\n2 state 1\n3 next 1 2 2\n4 next 1 2 2\n", "has an `next` already");
    refused("1 sort bitvec 1\n2 input 1\n", "no property");
    refused("1 sort bitvec 99999999\n", "more than 65536 bits");
}

#[test]
fn btor2_witnesses_are_simulated() {
    let model = words(WORDS);
    let check = |witness: &str, expected: Result<(), &str>| {
        let found = btor2::check_witness(&model, witness);
        match (&found, expected) {
            (Ok(()), Ok(())) => {}
            (Err(problem), Err(part)) if problem.contains(part) => {}
            _ => panic!("{witness}: {found:?}"),
        }
    };
    let frames = "@0\n0 1 go@0\n@1\n0 1\n@2\n0 1\n@3\n0 x\n.\n";
    check(&format!("sat\nb0\n#0\n0 00000000 count#0\n{frames}"), Ok(()));
    check(&format!("sat\nb0\n#0\n1 [0] 00000011\n{frames}"), Ok(()));
    check(
        &format!("sat\nb0\n#0\n1 [0] 00000111\n{frames}"),
        Err("constraint on line 19 does not hold"),
    );
    check(&format!("sat\nb0\n#0\n0 00000001\n{frames}"), Err("cannot start like this"));
    check("sat\nb0\n#0\n@0\n0 1\n.\n", Err("not violated in the last frame"));
    check("sat\nb7\n#0\n@0\n.\n", Err("no such property"));
    check("sat\nb0\n#0\n0 000\n.\n", Err("no vector of 8 bits"));
    check("sat\nb0\n#0\n", Err("ends before"));
}

/// A memory that starts with ones everywhere.
fn memory(width: u32) -> String {
    format!(
        "1 sort bitvec 1\n2 sort bitvec {width}\n3 sort array 2 1\n4 one 1\n5 state 3 memory\n\
         6 init 3 5 4\n7 next 3 5 5\n8 zero 2\n9 read 1 5 8\n10 bad 9\n"
    )
}

#[test]
fn arrays_are_the_same_if_their_elements_are() {
    let check = |witness: &str, is_one: bool| {
        let found = btor2::check_witness(&words(&memory(1)), witness);
        assert_eq!(found.is_ok(), is_one, "{witness}: {found:?}");
    };
    check("sat\nb0\n#0\n@0\n.\n", true);
    check("sat\nb0\n#0\n0 [0] 1\n0 [1] 1\n@0\n.\n", true);
    check("sat\nb0\n#0\n0 [0] 1\n0 [1] 0\n@0\n.\n", false);
    check("sat\nb0\n#0\n0 [0] 1\n@0\n.\n", false);
}

#[test]
fn what_large_arrays_start_with_is_not_listed() {
    let model = words(&memory(32));
    let system = model.system();
    let value = |var: &lapidary_expr::Var| (*var, system.init[0].args()[1].as_lit().cloned());
    let state = system.vars.iter().map(value).filter_map(|(var, value)| Some((var, value?)));
    let frame = Frame { state: state.collect(), inputs: Valuation::new() };
    assert_eq!(frame.state.iter().count(), 1);
    let witness = model.witness(0, &Trace { frames: vec![frame] }).expect("a witness");
    assert_eq!(witness, "sat\nb0\n#0\n@0\n.\n");
    assert_eq!(btor2::check_witness(&model, &witness), Ok(()));
}

/// Numbers for tests: the same in every run.
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> u64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        self.0 >> 33
    }
}

/// The simulator and the terms agree about every operator: two definitions that share no code.
#[test]
fn operators_mean_the_same_in_simulator_and_terms() {
    let mut numbers = Numbers(1);
    let mut operators = Operator::PLAIN.to_vec();
    operators.extend([
        Operator::Sext(0),
        Operator::Sext(3),
        Operator::Uext(2),
        Operator::Slice(0, 0),
    ]);
    for operator in operators {
        for width in [1u32, 2, 5] {
            for _ in 0..24 {
                let values: Vec<u64> = (0..3).map(|_| numbers.next() % (1 << width)).collect();
                agree(operator, width, &values);
            }
        }
    }
}

fn agree(operator: Operator, width: u32, values: &[u64]) {
    let (array, bits, bit) = (Sort::Array(width, width), Sort::Bits(width), Sort::Bits(1));
    let sorts: Vec<Sort> = match operator {
        Operator::Read => vec![array, bits],
        Operator::Write => vec![array, bits, bits],
        Operator::Ite => vec![bit, bits, bits],
        Operator::Iff | Operator::Implies => vec![bit, bit],
        _ => vec![bits; operator.arity()],
    };
    let mut nodes: Vec<btor2::Node> = Vec::new();
    let mut add = |sort: Sort, kind: btor2::Kind| {
        nodes.push(btor2::Node { sort, kind, symbol: None });
        btor2::Ref { node: nodes.len() - 1, is_negated: false }
    };
    let args: Vec<_> = sorts.iter().map(|sort| add(*sort, btor2::Kind::Input)).collect();
    let mut sort = operator.result(&sorts).unwrap_or_else(|| panic!("{operator:?} {sorts:?}"));
    let mut result = add(sort, btor2::Kind::Apply(operator, args.clone()));
    if sort == array {
        sort = bits;
        result = add(sort, btor2::Kind::Apply(Operator::Read, vec![result, args[1]]));
    }
    let Sort::Bits(result_width) = sort else { panic!("{sort:?}") };
    let slices: Vec<_> = (0..result_width)
        .map(|i| add(bit, btor2::Kind::Apply(Operator::Slice(i, i), vec![result])))
        .collect();
    let mark = |value| btor2::Mark {
        value,
        symbol: None,
        position: lapidary_model::Position { line: 1, column: 1 },
    };
    let model = btor2::Model {
        name: "test".into(),
        nodes,
        bads: slices.into_iter().map(mark).collect(),
        constraints: Vec::new(),
        outputs: Vec::new(),
    };
    let system = model.system();
    let value = |(var, value): (&lapidary_expr::Var, &u64)| {
        let bv = |width: u32, value: u64| Value::Bv(Bv::wrap(width, &IBig::from(value)));
        let value = match var.sort() {
            lapidary_expr::Sort::Bool => Value::Bool(value & 1 == 1),
            lapidary_expr::Sort::Bv(width) => bv(width, *value),
            lapidary_expr::Sort::Array(sort) => {
                let entry = (bv(width, values[1]), bv(width, *value));
                Value::array(sort, bv(width, 0), [entry].into_iter().collect())
            }
            other => panic!("{other}"),
        };
        (*var, value)
    };
    let inputs: Valuation = system.inputs.iter().zip(values).map(value).collect();
    for (i, property) in system.properties.iter().enumerate() {
        let meant = property.bad.eval(&inputs) == Some(Value::Bool(true));
        let trace =
            Trace { frames: vec![Frame { state: Valuation::new(), inputs: inputs.clone() }] };
        let witness = model.witness(i, &trace).unwrap();
        let simulated = btor2::check_witness(&model, &witness).is_ok();
        assert_eq!(simulated, meant, "bit {i} of {operator:?} with {width} bits on {values:?}");
    }
}

#[test]
fn content_tells_the_language() {
    let is = |text: &str| {
        read("file.without.meaning", text.as_bytes()).map(|input| input.properties().len())
    };
    assert_eq!(is(TOGGLE), Ok(2));
    assert_eq!(is(&format!("; generated\n\n{WORDS}")), Ok(1));
    let system = "// a comment\nspecification S { property p : { var x : int initial x = 0 transition x' = x } models G(x = 0) }";
    assert_eq!(is(system), Ok(1));
    assert_eq!(is("/* */ main process p { init loc L }"), Ok(0));
    assert!(is("int main() {}").is_err());
}

/// How many mutations of each sample are tried; `LAPIDARY_MUTATIONS` asks for more.
fn mutations() -> usize {
    std::env::var("LAPIDARY_MUTATIONS").ok().and_then(|n| n.parse().ok()).unwrap_or(500)
}

const ODD: [&str; 14] = [
    "0",
    "1",
    "-",
    "99999999999",
    "2147483647",
    "\n",
    " ",
    "x",
    "'",
    "(",
    "sort",
    "state",
    "\u{fc}",
    "aag",
];

#[test]
fn mutated_texts_are_read_or_refused_at_a_place() {
    let mut mutator = Mutator::default();
    let system =
        "specification S { system s(k : int) = { var x : int initial x = k transition x' = x + 1 }
                  property p : s(3) models G(x >= 0) }";
    for sample in [TOGGLE, WORDS, system] {
        fuzzing::input(sample.as_bytes());
        for _ in 0..mutations() {
            fuzzing::input(mutator.mutate(sample, &ODD).as_bytes());
        }
    }
}

#[test]
fn mutated_bytes_are_read_or_refused_at_a_place() {
    let binary = aiger::parse("test", TOGGLE.as_bytes()).unwrap().to_binary();
    let mut numbers = Numbers(7);
    for _ in 0..mutations() {
        let mut bytes = binary.clone();
        for _ in 0..=numbers.next() % 3 {
            let at = numbers.next() as usize % bytes.len();
            match numbers.next() % 4 {
                0 => bytes[at] = numbers.next() as u8,
                1 => bytes.insert(at, numbers.next() as u8),
                2 if bytes.len() > 8 => drop(bytes.remove(at)),
                _ => bytes.truncate(at.max(8)),
            }
        }
        fuzzing::input(&bytes);
    }
}

/// A chain of gates that each have the one before: twice the file, twice the terms.
#[test]
fn long_chains_are_read_in_linear_time_and_memory() {
    let gates = 60_000u32;
    let mut text =
        format!("aag {} 1 1 1 {gates}\n2\n4 {}\n{}\n", gates + 2, 2 * (gates + 2), 2 * (gates + 2));
    for gate in 0..gates {
        let output = 2 * (gate + 3);
        let other = if gate % 2 == 0 { 2 } else { 5 };
        writeln!(text, "{output} {} {other}", output - 2).unwrap();
    }
    let input = read("test.aag", text.as_bytes()).unwrap_or_else(|error| panic!("{error}"));
    let task = input.task(0).unwrap();
    assert_eq!(task.cfa().vars().len(), 2);
    // Doubling a sum again and again would double the term, if sums were flat at any width.
    let mut text = "1 sort bitvec 8\n2 sort bitvec 1\n3 input 1\n".to_owned();
    for i in 4..2000 {
        let name = ["add", "mul", "xor"][i % 3];
        writeln!(text, "{i} {name} 1 {0} {0}", i - 1).unwrap();
    }
    text += "2000 redor 2 1999\n2001 bad 2000\n";
    assert!(read("test.btor2", text.as_bytes()).is_ok());
}
