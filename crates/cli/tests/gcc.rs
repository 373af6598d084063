//! The meaning of C against gcc: what random programs compute there is what they compute here.
//!
//! `LAPIDARY_GCC_PROGRAMS=2000` is the longer run.

mod common;
#[path = "gcc/compiler.rs"]
mod compiler;

use std::fmt::Write;
use std::io::{self, Write as _};
use std::path::Path;
use std::process::Command;

use common::Folder;
use compiler::{computed, gcc, has_gcc, n_programs, start};
use lapidary_oracle::random::Random;

/// The types, with the ends of the names of their `__VERIFIER_nondet_` functions.
const TYPES: [(&str, &str); 11] = [
    ("char", "char"),
    ("unsigned char", "uchar"),
    ("short", "short"),
    ("unsigned short", "ushort"),
    ("int", "int"),
    ("unsigned", "uint"),
    ("long", "long"),
    ("unsigned long", "ulong"),
    ("long long", "longlong"),
    ("unsigned long long", "ulonglong"),
    ("_Bool", "bool"),
];

const CONSTANTS: [&str; 14] = [
    "0",
    "1",
    "2",
    "7",
    "-1",
    "100u",
    "127",
    "128",
    "255",
    "32768",
    "65535L",
    "2147483647",
    "4294967295u",
    "5000000000LL",
];

/// A program that computes one number.
struct Program {
    /// The types and first values of its variables.
    vars: Vec<(usize, u64)>,
    helper: String,
    body: String,
}

struct Generator<'r> {
    random: &'r mut Random,
    names: Vec<String>,
    has_helper: bool,
}

impl Generator<'_> {
    fn ty(&mut self) -> &'static str {
        self.random.pick(&TYPES).0
    }

    fn leaf(&mut self) -> String {
        match self.random.chance(70) {
            true => self.random.pick(&self.names).clone(),
            false => (*self.random.pick(&CONSTANTS)).to_string(),
        }
    }

    /// An expression that has a meaning whatever the values are.
    fn expr(&mut self, depth: u32) -> String {
        if depth == 0 || self.random.chance(10) {
            return self.leaf();
        }
        let a = self.expr(depth - 1);
        match self.random.below(12) {
            0 => format!("({}{a})", self.random.pick(&["- ", "~", "!", "+"])),
            1 | 2 => format!("(({}) {a})", self.ty()),
            3 => {
                let b = self.expr(depth - 1);
                let op = *self.random.pick(&["/", "%"]);
                match self.random.chance(50) {
                    true => format!("({a} {op} (({b} & 15) + 1))"),
                    false => format!("({a} {op} (-(int) ({b} & 15) - 2))"),
                }
            }
            4 => {
                let b = self.expr(depth - 1);
                format!("({a} {} ({b} & 31))", self.random.pick(&["<<", ">>"]))
            }
            5 => format!(
                "((long long) {a} {} {})",
                self.random.pick(&["<<", ">>"]),
                self.random.below(64)
            ),
            6 => {
                let (b, c) = (self.expr(depth - 1), self.expr(depth - 1));
                format!("({a} ? {b} : {c})")
            }
            7 if self.has_helper => format!("helper({a}, {})", self.expr(depth - 1)),
            8 => {
                let op = *self.random.pick(&["<", "<=", ">", ">=", "==", "!=", "&&", "||"]);
                format!("({a} {op} {})", self.expr(depth - 1))
            }
            _ => {
                let op = *self.random.pick(&["+", "-", "*", "&", "|", "^", "+", "-"]);
                format!("({a} {op} {})", self.expr(depth - 1))
            }
        }
    }

    fn statement(&mut self) -> String {
        let var = self.random.pick(&self.names).clone();
        match self.random.below(6) {
            0 => format!("{var} = {};", self.expr(3)),
            // Loops are widened where ranges are computed.
            5 => {
                let ty = *self.random.pick(&["int", "unsigned char", "unsigned"]);
                format!(
                    "for ({ty} i = 0; i < {}; i++) {{ {var} {}= {}; }}",
                    1 + self.random.below(4),
                    self.random.pick(&["+", "-", "*", "^"]),
                    self.expr(1)
                )
            }
            1 => format!(
                "{var} {}= {};",
                self.random.pick(&["+", "-", "*", "&", "|", "^"]),
                self.expr(2)
            ),
            2 => format!("{var}{};", self.random.pick(&["++", "--"])),
            3 => format!("{var} {}= {};", self.random.pick(&["<<", ">>"]), self.random.below(31)),
            _ => format!("if ({}) {var} = {};", self.expr(2), self.expr(2)),
        }
    }
}

/// Small ones where a solver has to find the values.
fn program(random: &mut Random, is_assumed: bool) -> Program {
    let depth = if is_assumed { 2 } else { 3 };
    let vars: Vec<(usize, u64)> = (0..2 + random.below(3))
        .map(|_| {
            let bits = random.bits();
            let value = match random.below(3) {
                0 => bits % 20,
                1 => bits % 300,
                _ => bits,
            };
            (random.below(TYPES.len()), value)
        })
        .collect();
    let names = vec!["a".to_string(), "b".to_string()];
    let mut inside = Generator { random, names, has_helper: false };
    let helper = format!(
        "static {} helper({} a, {} b) {{ return {}; }}",
        inside.ty(),
        inside.ty(),
        inside.ty(),
        inside.expr(2)
    );
    let mut names: Vec<String> = (0..vars.len()).map(|i| format!("v{i}")).collect();
    names.extend(["s.a".to_string(), "s.b".to_string()]);
    let mut generator = Generator { random, names, has_helper: true };
    let mut body = String::from("    struct { int a : 5; unsigned b : 9; } s = { -3, 300 };\n");
    for _ in 0..=generator.random.below(depth) {
        let _ = writeln!(body, "    {}", generator.statement());
    }
    let _ = writeln!(body, "    return (unsigned long long) ({});", generator.expr(depth as u32));
    Program { vars, helper, body }
}

impl Program {
    /// For gcc, where the values are known.
    fn compiled(&self, number: usize) -> String {
        let helper = self.helper.replace("helper", &format!("helper{number}"));
        let mut text = format!("{helper}\nunsigned long long test{number}(void) {{\n");
        for (i, (ty, value)) in self.vars.iter().enumerate() {
            let _ = writeln!(text, "    {0} v{i} = ({0}) {value}ULL;", TYPES[*ty].0);
        }
        text + &self.body.replace("helper", &format!("helper{number}")) + "}\n"
    }

    /// For us: an assertion that holds or not, over values that assumptions determine, if so wanted.
    fn asserted(&self, result: u64, holds: bool, is_assumed: bool) -> String {
        let mut text =
            String::from("extern void reach_error(void);\nextern void __VERIFIER_assume(int);\n");
        for (ty, end) in TYPES {
            let _ = writeln!(text, "extern {ty} __VERIFIER_nondet_{end}(void);");
        }
        let _ = writeln!(text, "{}\nunsigned long long test(void) {{", self.helper);
        for (i, (ty, value)) in self.vars.iter().enumerate() {
            let (name, end) = TYPES[*ty];
            let value = format!("({name}) {value}ULL");
            let _ = match (is_assumed, i % 3) {
                (false, _) => writeln!(text, "    {name} v{i} = {value};"),
                (true, 0) => writeln!(
                    text,
                    "    {name} v{i} = __VERIFIER_nondet_{end}(); __VERIFIER_assume(v{i} <= {value} && v{i} >= {value});"
                ),
                (true, 1) => writeln!(
                    text,
                    "    {name} v{i} = __VERIFIER_nondet_{end}(); __VERIFIER_assume(v{i} == {value});"
                ),
                (true, _) => writeln!(
                    text,
                    "    {name} v{i} = __VERIFIER_nondet_{end}(); __VERIFIER_assume(v{i} - 5 == {value} - 5);"
                ),
            };
        }
        let op = if holds { "!=" } else { "==" };
        text + &self.body
            + &format!(
                "}}\nint main(void) {{ if (test() {op} {result}ULL) reach_error(); return 0; }}\n"
            )
    }
}

#[test]
fn programs_mean_what_they_mean_to_gcc() {
    if !has_gcc() {
        return;
    }
    let wanted = n_programs(100);
    let folder = Folder::new("gcc");
    // By arithmetic: those whose values are known, and those where a solver has to find them.
    let mut open = [[0; 2]; 2];
    for bits in ["32", "64"] {
        let mut random = Random::new(u64::from(bits == "64") + 1);
        let programs: Vec<Program> =
            (0..wanted.div_ceil(2)).map(|i| program(&mut random, i % 2 == 1)).collect();
        let texts = programs.iter().enumerate().map(|(i, program)| program.compiled(i));
        let results = computed(&folder, &texts.collect::<Vec<_>>(), bits);
        assert_eq!(results.len(), programs.len());
        for (i, (program, result)) in programs.iter().zip(results).enumerate() {
            let (holds, is_assumed) = (random.chance(50), i % 2 == 1);
            let expected = if holds { "safe" } else { "unsafe" };
            let text = program.asserted(result, holds, is_assumed);
            folder.write("one.c", &text);
            for (i, arith) in ["bv", "int"].into_iter().enumerate() {
                let options =
                    ["--bits", bits, "--arith", arith, "--domain", "product", "--time", "2"];
                let ran = folder
                    .run(&[&["verify", "one.c", "--check", "assertion"], &options[..]].concat());
                match ran.last_line() {
                    "unknown: time limit reached" => {
                        open[i][usize::from(is_assumed)] += 1;
                        if std::env::var_os("LAPIDARY_GCC_KEEP").is_some() {
                            let [known, found] = open[i];
                            folder.write(&format!("{arith}-{bits}-{known}-{found}.c"), &text);
                        }
                    }
                    verdict => assert_eq!(verdict, expected, "{bits} {arith} {ran:?}\n{text}"),
                }
            }
        }
    }
    let all: usize = open.iter().flatten().sum();
    let [bv, int] = open;
    let summary = format!(
        "{all} of {} not decided in time: bv {bv:?}, int {int:?} (values known, values to be found)",
        2 * wanted
    );
    let _ = writeln!(io::stderr(), "{summary}");
    // How many are decided in time depends on the machine. With half of them, the comparison still says something.
    assert!(all <= wanted, "{summary}");
}

/// The values of an execution lead the compiled program to its error.
#[test]
fn harnesses_reach_the_error() {
    if !has_gcc() {
        return;
    }
    let folder = Folder::new("harness");
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/gcc");
    for name in ["undefined", "defined", "assertion", "header", "floats"] {
        let program = tests.join("programs").join(format!("{name}.c"));
        for (bits, arith) in [("32", "bv"), ("64", "int")] {
            // The headers of the system are for its own data model; those for 32 bits are a package of their own.
            if name == "header" && bits == "32" {
                continue;
            }
            let file = program.to_string_lossy();
            let options = ["--bits", bits, "--arith", arith, "--harness", "test.c", "--time", "30"];
            let ran =
                folder.run(&[&["verify", &file, "--check", "assertion"], &options[..]].concat());
            assert_eq!(ran.last_line(), "unsafe", "{name} {bits} {ran:?}");
            let output = folder.path().join(format!("{name}{bits}"));
            let harness = folder.path().join("test.c");
            let mut command = gcc(bits);
            command.arg("-finstrument-functions").arg("-o").arg(&output).arg(&program).arg(harness);
            let object = start(&folder, bits);
            let done = command.arg(object).output().expect("gcc starts");
            assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
            #[expect(clippy::disallowed_methods, reason = "this is what gcc made")]
            let ran = Command::new(output).output().expect("it starts");
            let said = String::from_utf8_lossy(&ran.stdout);
            let harness = folder.read("test.c");
            assert_eq!(
                (ran.status.code(), &*said),
                (Some(107), "the error is reached\n"),
                "{harness}"
            );
        }
    }
}
