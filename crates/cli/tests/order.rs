//! Operands with side effects in every order that C allows, against an interpreter that tries all orders.
//!
//! Each operand is a call of a function, or a division, that may write, end the program, violate the property or leave the
//! model. `LAPIDARY_ORDERS=2000` is the longer run.

mod common;

use common::Folder;
use lapidary_oracle::random::Random;

const SEED: u64 = 5;

/// What an operand does to one of the global variables.
#[derive(Clone, Copy, Debug)]
enum Deed {
    Set,
    Double,
    Increment,
    Read,
    Exit,
    Assume,
    Violate,
    Divide,
    /// A division in the expression itself.
    DivideHere,
    /// An index that may be outside of its array.
    Index,
}

const DEEDS: [Deed; 10] = [
    Deed::Set,
    Deed::Double,
    Deed::Increment,
    Deed::Read,
    Deed::Exit,
    Deed::Assume,
    Deed::Violate,
    Deed::Divide,
    Deed::DivideHere,
    Deed::Index,
];

/// An operand: what it does, to which variable, with which number.
#[derive(Clone, Copy, Debug)]
struct Operand {
    deed: Deed,
    var: usize,
    number: i64,
}

/// How an execution ends before its expression is evaluated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum End {
    Program,
    Violation,
    Model,
}

impl Operand {
    fn new(random: &mut Random) -> Operand {
        let number = *random.pick(&[0, 1, 2, 3]);
        Operand { deed: *random.pick(&DEEDS), var: random.below(2), number }
    }

    fn definition(self, i: usize) -> String {
        let (var, number) = (["g", "q"][self.var], self.number);
        let body = match self.deed {
            Deed::Set => format!("{var} = {number}; return {number};"),
            Deed::Double => format!("{var} = {var} * 2 + {number}; return {var};"),
            Deed::Increment => format!("return {var}++;"),
            Deed::Read => format!("return {var};"),
            Deed::Exit => format!("if ({var} == {number}) exit(0); return 1;"),
            Deed::Assume => format!("__VERIFIER_assume({var} != {number}); return 2;"),
            Deed::Violate => format!("if ({var} == {number}) reach_error(); return 3;"),
            Deed::Divide => format!("return 6 / ({var} - {number});"),
            Deed::Index => format!("a[{var} - {number}] = 4; return 4;"),
            Deed::DivideHere => return String::new(),
        };
        format!("int f{i}(void) {{ {body} }}\n")
    }

    fn text(self, i: usize) -> String {
        match self.deed {
            Deed::DivideHere => format!("6 / ({} - {})", ["g", "q"][self.var], self.number),
            _ => format!("f{i}()"),
        }
    }

    /// The definition of an operand: its value, or how the execution ends.
    fn evaluate(self, state: &mut [i64; 2]) -> Result<i64, End> {
        let (var, number) = (&mut state[self.var], self.number);
        let is_number = *var == number;
        match self.deed {
            Deed::Set => *var = number,
            Deed::Double => *var = *var * 2 + number,
            Deed::Increment => *var += 1,
            Deed::Exit | Deed::Assume | Deed::Divide | Deed::DivideHere if is_number => {
                return Err(End::Program);
            }
            Deed::Violate if is_number => return Err(End::Violation),
            Deed::Index if !(0..2).contains(&(*var - number)) => return Err(End::Model),
            _ => {}
        }
        Ok(match self.deed {
            Deed::Set => number,
            Deed::Increment => *var - 1,
            Deed::Double | Deed::Read => *var,
            Deed::Exit => 1,
            Deed::Assume => 2,
            Deed::Violate => 3,
            Deed::Divide | Deed::DivideHere => 6 / (*var - number),
            Deed::Index => 4,
        })
    }
}

/// All orders of so many operands, at most three.
fn orders(n: usize) -> Vec<Vec<usize>> {
    let three = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]];
    let is_of_n = |order: &&[usize; 3]| order[n..].iter().all(|i| *i >= n);
    three.iter().filter(is_of_n).map(|order| order[..n].to_vec()).collect()
}

/// An expression: what stands before and after each operand, and the result of their values.
struct Context {
    text: fn(&[String]) -> String,
    result: fn(&[i64]) -> i64,
    n: usize,
}

fn weighted(values: &[i64]) -> i64 {
    values.iter().zip([1, 10, 100]).map(|(value, weight)| value * weight).sum()
}

const CONTEXTS: [Context; 6] = [
    Context {
        text: |e| format!("int r = h({}, {}, {});", e[0], e[1], e[2]),
        result: weighted,
        n: 3,
    },
    Context {
        text: |e| format!("int r = {} + 10 * ({}) + 100 * ({});", e[0], e[1], e[2]),
        result: weighted,
        n: 3,
    },
    Context {
        text: |e| {
            format!(
                "int v[3] = {{{}, {}, {}}}; int r = v[0] + 10 * v[1] + 100 * v[2];",
                e[0], e[1], e[2]
            )
        },
        result: weighted,
        n: 3,
    },
    Context {
        text: |e| {
            format!("int v[2] = {{0, 0}}; v[{} & 1] = {}; int r = v[0] + 10 * v[1];", e[0], e[1])
        },
        result: |values| if values[0] & 1 == 0 { values[1] } else { 10 * values[1] },
        n: 2,
    },
    Context {
        text: |e| {
            format!("int v[2] = {{5, 6}}; v[{} & 1] += {}; int r = v[0] + 10 * v[1];", e[0], e[1])
        },
        result: |values| 65 + if values[0] & 1 == 0 { values[1] } else { 10 * values[1] },
        n: 2,
    },
    Context {
        text: |e| format!("int r = ({}) < ({});", e[0], e[1]),
        result: |values| i64::from(values[0] < values[1]),
        n: 2,
    },
];

const HEAD: &str = "extern void exit(int);\nextern void reach_error(void);\nextern void __VERIFIER_assume(int);\n\
    int g = 1, q = 2, a[2];\nint h(int x, int y, int z) { return x + 10 * y + 100 * z; }\n";

/// A program, whether some order violates the property, and whether some order leaves the model.
fn program(random: &mut Random) -> (String, bool, bool) {
    let context = random.pick(&CONTEXTS);
    let operands: Vec<Operand> = (0..context.n).map(|_| Operand::new(random)).collect();
    let mut ends = Vec::new();
    let mut results = Vec::new();
    for order in orders(context.n) {
        let (mut state, mut values) = ([1, 2], vec![0; context.n]);
        let evaluated = order.iter().try_for_each(|i| {
            values[*i] = operands[*i].evaluate(&mut state)?;
            Ok(())
        });
        match evaluated {
            Ok(()) => results.push(((context.result)(&values), state[0])),
            Err(end) => ends.push(end),
        }
    }
    // One of the results, or a result that none of the orders has.
    let mut wrong = results.first().copied().unwrap_or_default();
    if random.chance(40) || results.is_empty() {
        wrong.0 += 1;
    } else {
        wrong = *random.pick(&results);
    }
    let texts: Vec<String> = operands.iter().enumerate().map(|(i, o)| o.text(i)).collect();
    let definitions: String =
        operands.iter().enumerate().map(|(i, operand)| operand.definition(i)).collect();
    let text = format!(
        "{HEAD}{definitions}int main(void) {{\n{}\nif (r == {} && g == {}) reach_error();\n}}\n",
        (context.text)(&texts),
        wrong.0,
        wrong.1
    );
    let is_violated = ends.contains(&End::Violation) || results.contains(&wrong);
    (text, is_violated, ends.contains(&End::Model))
}

#[test]
fn all_orders_count() {
    let n = std::env::var("LAPIDARY_ORDERS").ok().and_then(|n| n.parse().ok()).unwrap_or(150);
    let folder = Folder::new("order");
    let mut random = Random::new(SEED);
    let mut n_decided = 0;
    for number in 0..n {
        let (text, is_violated, leaves) = program(&mut random);
        folder.write("t.c", &text);
        let ran =
            folder.run(&["verify", "t.c", "--check", "assertion", "--bits", "64", "--time", "20"]);
        let is_right = match ran.last_line() {
            "safe" => !is_violated && !leaves,
            "unsafe" => is_violated,
            verdict => verdict.starts_with("unknown: unsupported: "),
        };
        assert!(is_right, "{number}: violated {is_violated}, leaves {leaves}: {ran:?}\n{text}");
        n_decided += usize::from(ran.status < 2);
    }
    // The others leave the model, or are evaluated in pieces.
    assert!(n_decided * 2 > n, "{n_decided} of {n} are decided");
}
