//! No C text makes the front end panic, overflow the stack or take long; every error has a place in the text.

use std::fmt::Write;

use lapidary_expr::fuzzing::Mutator;
use lapidary_frontend::c::{Arith, DataModel, Options, parse};
use lapidary_frontend::{ParseError, SourceFile, Task};

const SAMPLES: [&str; 5] = [
    include_str!("../../cli/tests/c/memory.c"),
    include_str!("../../cli/tests/c/arithmetic.c"),
    include_str!("../../cli/tests/c/side_effects.c"),
    include_str!("../../cli/tests/c/control.c"),
    include_str!("../../cli/tests/c/allocated.c"),
];

const ODD: [&str; 16] = [
    "'",
    "\u{fc}",
    "(",
    "]",
    "{",
    "}",
    "99999999999",
    "*",
    "&",
    "struct",
    "[",
    "/*",
    "=",
    "0x",
    "->",
    "int",
];

fn read(text: &str, arith: Arith) -> Result<Task, ParseError> {
    let options = Options { model: DataModel::Lp64, arith, ..Options::default() };
    parse(&SourceFile::new("test.c", text), &options)
}

/// The text is read, or its error is at a position of the text.
fn check(text: &str, arith: Arith) {
    if let Err(error) = read(text, arith) {
        let lines = text.lines().count() as u32;
        assert!(
            error.position.line >= 1 && error.position.line <= lines.max(1) + 1,
            "{error}\n{text}"
        );
    }
}

/// How many mutated texts are tried; set `LAPIDARY_MUTATIONS` for a longer run.
fn mutations() -> usize {
    std::env::var("LAPIDARY_MUTATIONS").ok().and_then(|number| number.parse().ok()).unwrap_or(500)
}

#[test]
fn mutated_programs_are_read_or_refused() {
    let mut mutator = Mutator::default();
    for sample in SAMPLES {
        for i in 0..mutations().div_ceil(SAMPLES.len()) {
            let arith = if i % 2 == 0 { Arith::Bv } else { Arith::Int };
            check(&mutator.mutate(sample, &ODD), arith);
        }
    }
}

#[test]
fn prefixes_and_suffixes_never_panic() {
    for sample in SAMPLES {
        for (i, _) in sample.char_indices().step_by(7) {
            check(&sample[..i], Arith::Bv);
            check(&sample[i..], Arith::Int);
        }
    }
}

/// An error says this, or the text is read.
#[track_caller]
fn refused(text: &str, message: &str) {
    let error = read(text, Arith::Auto).err().map(|error| error.to_string()).unwrap_or_default();
    assert!(error.contains(message), "{text:.80}: {error:.400}");
}

#[test]
fn deep_nesting_is_read_or_refused() {
    for (open, close) in [("(", ")"), ("- ", ""), ("!(", ")"), ("(int)", "")] {
        let (open, close) = (open.repeat(1000), close.repeat(1000));
        let text = format!("int main(void) {{ return {open}1{close}; }}");
        read(&text, Arith::Bv).unwrap_or_else(|error| panic!("{error:.300}"));
    }
    refused(&format!("int main(void) {{ return {}1; }}", "(".repeat(100_000)), "nested deeper");
    refused(&format!("int main(void) {}", "{".repeat(100_000)), "nested deeper");
    let mut chain = String::from("int x; int main(void) { if (x) x = 1;");
    for i in 0..2000 {
        let _ = write!(chain, " else if (x == {i}) x = 2;");
    }
    read(&(chain + "}"), Arith::Bv).unwrap_or_else(|error| panic!("{error:.300}"));
}

#[test]
fn bad_input_is_explained() {
    refused("int f(void) { return 1; }", "there is no function `main`");
    refused("int main(void) { return x; }", "`x` is not declared");
    refused("int main(void) { return 1 }", "expected `;`, found `}`");
    refused("int main(void) { /* }", "the comment does not end");
    refused("#define A 1\nint main(void) { return A; }", "this needs a preprocessor");
    refused("int main(void) { 1 = 2; }", "cannot be assigned");
    refused("struct S { int a; } s; int main(void) { return s.b; }", "has no member `b`");
    let within = "this is defined again within itself";
    refused("struct S { struct S { int a; } b; } s; int main(void) {}", within);
    let incomplete = "the type of this member is not complete here";
    refused("struct S { int a; struct S b; } s; int main(void) {}", incomplete);
    refused("struct S { struct S b[2]; } s; int main(void) {}", incomplete);
    let variable = "a member of variable length is not supported";
    refused("int main(void) { int n = 3; struct { int a[n]; } s; }", variable);
    let effect = "side effects in the length of an array";
    for declaration in
        ["typedef int T[n++]", "int (*p)[n++]", "(int (*)[n++])0", "void f(int a[n++])"]
    {
        refused(&format!("int main(void) {{ int n = 3; {declaration}; }}"), effect);
    }
    refused("int n; void f(int a[n++]) {} int main(void) {}", effect);
    refused("int a[] = { [0 ... 99999999] = 1 }; int main(void) {}", "no range of indices");
}

#[test]
fn huge_objects_are_read_or_refused() {
    let mut text = String::from("struct s0 { int a, b; };");
    for i in 0..40 {
        let _ = write!(text, " struct s{} {{ struct s{i} a, b; }};", i + 1);
    }
    refused(&(text + " struct s40 s; int main(void) { return s.a.a.a.a; }"), "too many members");
    let text = "int a[60][60][60][60]; int main(void) { a[1][2][3][4] = 1; return a[1][2][3][4]; }";
    read(text, Arith::Int).unwrap_or_else(|error| panic!("{error:.300}"));
}

#[test]
fn huge_initialisers_are_read() {
    let numbers: Vec<String> = (0..20_000).map(|i| i.to_string()).collect();
    let text = format!(
        "int a[] = {{{}}}; int main(int n, char **v) {{ return a[n]; }}",
        numbers.join(",")
    );
    read(&text, Arith::Bv).unwrap_or_else(|error| panic!("{error:.300}"));
    read("int a[1000000000]; int main(void) { return a[5]; }", Arith::Int)
        .unwrap_or_else(|error| panic!("{error}"));
}
