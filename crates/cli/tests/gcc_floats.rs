//! Floating point against gcc and the machine: what random programs compute there is what they compute here.
//!
//! `LAPIDARY_GCC_PROGRAMS=2000` is the longer run.

mod common;
#[path = "gcc/compiler.rs"]
mod compiler;

use std::fmt::Write;

use common::Folder;
use compiler::{computed, has_gcc, n_programs};
use lapidary_oracle::random::Random;

const CONSTANTS: [&str; 18] = [
    "0.0",
    "-0.0f",
    "0.1",
    "0.1f",
    "1.0f",
    "-2.5",
    "3.0f",
    "1e10f",
    "1e-10",
    "16777217.0",
    "0x1.fffffep127f",
    "0x1p-149f",
    "0x1.8p-1022",
    "1.7976931348623157e308",
    "4.9e-324",
    "(1.0 / zero)",
    "(zero / zero)",
    "7",
];

/// The types that floating numbers are made of and to; numbers of 64 bits without a sign would need a library.
const TYPES: [&str; 9] =
    ["float", "double", "int", "unsigned", "short", "signed char", "long long", "float", "double"];

struct Generator<'r>(&'r mut Random);

impl Generator<'_> {
    fn pick(&mut self, words: &[&'static str]) -> &'static str {
        words[self.0.below(words.len())]
    }

    fn leaf(&mut self) -> String {
        match self.0.chance(65) {
            true => self.pick(&["f", "d", "e", "i", "a[i & 1]", "s.x", "u.f"]).into(),
            false => self.pick(&CONSTANTS).into(),
        }
    }

    /// A number of any type, floating ones more often than not.
    fn expr(&mut self, depth: u32) -> String {
        if depth == 0 || self.0.chance(10) {
            return self.leaf();
        }
        let a = self.expr(depth - 1);
        match self.0.below(11) {
            0 => format!("(- {a})"),
            1 => format!("(({}) {a})", self.pick(&["float", "double"])),
            // What is too large for an integer has no meaning.
            2 => {
                let ty = self.pick(&["int", "short", "signed char", "long long"]);
                format!("({a} > -100 && {a} < 100.5 ? ({ty}) ({a}) : ({ty}) 5)")
            }
            3 => {
                let op = self.pick(&["<", "<=", ">", ">=", "==", "!=", "&&", "||"]);
                format!("({a} {op} {})", self.expr(depth - 1))
            }
            4 => {
                let (b, c) = (self.expr(depth - 1), self.expr(depth - 1));
                format!("({a} ? {b} : {c})")
            }
            5 => format!("!{a}"),
            6 => format!("half({a})"),
            _ => {
                let op = self.pick(&["+", "-", "*", "/", "+", "-"]);
                // Integers that overflow, and their division by zero, are none of this.
                format!("((double) {a} {op} {})", self.expr(depth - 1))
            }
        }
    }

    fn statement(&mut self) -> String {
        let place = self.pick(&["f", "d", "e", "a[i & 1]", "s.x", "(*p)", "u.f"]);
        let value = self.expr(3);
        match self.0.below(5) {
            0 => format!("{place} {}= {value};", self.pick(&["+", "-", "*", "/"])),
            1 => format!("{place}{};", self.pick(&["++", "--"])),
            2 => format!("if ({value}) {place} = {};", self.expr(2)),
            _ => format!("{place} = {value};"),
        }
    }
}

/// The body of a function that yields the bits of a number, with one NaN.
fn body(random: &mut Random) -> String {
    let mut text = String::from("    double zero = 0;\n    float f = ");
    let mut generator = Generator(random);
    let _ = writeln!(text, "{};", generator.pick(&CONSTANTS));
    let _ = writeln!(
        text,
        "    double d = {}, e = 0.7, a[2] = {{ 1.5, -3 }};",
        generator.pick(&CONSTANTS)
    );
    let _ =
        writeln!(text, "    int i = {};", generator.pick(&["3", "-16777219", "2147483647", "0"]));
    text += "    struct { char c; float x; } s = { 1, 0.3f };\n    union { unsigned n; float f; } u = { 0x40490fdb };\n";
    text += "    double *p = &e;\n";
    for _ in 0..=generator.0.below(3) {
        let _ = writeln!(text, "    {}", generator.statement());
    }
    let ty = generator.pick(&TYPES);
    let value = match ty {
        "float" | "double" => generator.expr(3),
        _ => format!(
            "({}) < 100 && {0} > -1 ? ({ty}) {0} : 0",
            generator.pick(&["f", "d", "e", "s.x"])
        ),
    };
    let _ = writeln!(
        text,
        "    union {{ double d; unsigned long long n; }} bits = {{ (double) ({ty}) ({value}) }};"
    );
    text + "    return bits.d != bits.d ? 0x7ff8000000000000ull : bits.n ^ u.n;\n}\n"
}

/// What does not depend on the number of the function.
const HELPER: &str = "static float half(float x) { return x / 2; }\n";

#[test]
fn floating_numbers_are_those_of_the_machine_with_32_bits() {
    compare("32", 11);
}

#[test]
fn floating_numbers_are_those_of_the_machine_with_64_bits() {
    compare("64", 12);
}

fn compare(bits: &str, seed: u64) {
    if !has_gcc() {
        return;
    }
    let wanted = n_programs(60).div_ceil(2);
    let folder = Folder::new(&format!("gcc-floats-{bits}"));
    let mut n_open = 0;
    let mut random = Random::new(seed);
    let bodies: Vec<String> = (0..wanted).map(|_| body(&mut random)).collect();
    let compiled = bodies.iter().enumerate();
    let compiled = compiled.map(|(i, body)| {
        let helper = if i == 0 { HELPER } else { "" };
        format!("{helper}unsigned long long test{i}(void) {{\n{body}")
    });
    let results = computed(&folder, &compiled.collect::<Vec<_>>(), bits);
    assert_eq!(results.len(), bodies.len());
    for (body, result) in bodies.iter().zip(results) {
        let holds = random.chance(50);
        let (op, expected) = if holds { ("!=", "safe") } else { ("==", "unsafe") };
        let text = format!(
            "extern void reach_error(void);\n{HELPER}unsigned long long test(void) {{\n{body}\
             int main(void) {{ if (test() {op} {result}ull) reach_error(); return 0; }}\n"
        );
        folder.write("one.c", &text);
        for arith in ["bv", "int"] {
            let options = ["--bits", bits, "--arith", arith, "--domain", "product", "--time", "2"];
            let ran =
                folder.run(&[&["verify", "one.c", "--check", "assertion"], &options[..]].concat());
            match ran.last_line() {
                "unknown: time limit reached" => n_open += 1,
                // The machine's NaNs have signs.
                verdict if verdict.contains("the bits of a NaN that was computed") => {}
                verdict => assert_eq!(verdict, expected, "{bits} {arith} {ran:?}\n{text}"),
            }
        }
    }
    // How many are decided in time depends on the machine. With half of them, the comparison still says something.
    assert!(n_open <= wanted, "{n_open} of {} not decided in time", 2 * wanted);
}
