//! Our own C programs: the first line of each says what the verdict is, in bit-vectors and in integers.

mod common;

use std::fs;
use std::io::{self, Write};
use std::path::Path;

use common::Folder;

#[test]
fn programs_get_the_verdict_of_their_first_line() {
    let folder = Folder::new("c");
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/c");
    let mut names: Vec<_> =
        fs::read_dir(corpus).unwrap().map(|entry| entry.unwrap().path()).collect();
    names.sort();
    assert!(names.len() > 25);
    for path in names {
        let text = fs::read_to_string(&path).unwrap();
        let first = text.lines().next().unwrap_or_default();
        let expected = first
            .strip_prefix("// expect: ")
            .unwrap_or_else(|| panic!("{}: {first}", path.display()));
        // These programs are about meaning, not about hard proofs: for most of them values suffice.
        let second = text.lines().nth(1).unwrap_or_default();
        let domain = second.strip_prefix("// domain: ").unwrap_or("product");
        let bits = second.strip_prefix("// bits: ").unwrap_or("32");
        for arith in ["bv", "int"] {
            let file = path.to_string_lossy();
            let mut options = vec![
                "verify",
                &file,
                "--check",
                "assertion",
                "--arith",
                arith,
                "--bits",
                bits,
                "--time",
                "30",
            ];
            if domain != "default" {
                options.extend(["--domain", domain]);
            }
            let ran = folder.run(&options);
            let verdict = ran.last_line();
            let is_right = if expected.starts_with("unknown") {
                verdict.starts_with(expected)
            } else {
                verdict == expected
            };
            assert!(is_right, "{file} in {arith}: expected `{expected}`: {ran:?}");
        }
    }
}

/// Without ranges, what a program asks about a value that may be any is not taken for one.
#[test]
fn approximations_are_told_without_wrap_around() {
    let folder = Folder::new("unbounded");
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/c/read_elsewhere_compared.c");
    let ran = folder.run(&[
        "verify",
        &file.to_string_lossy(),
        "--arith",
        "unbounded",
        "--check",
        "assertion",
    ]);
    assert!(ran.last_line().starts_with("unknown: unsupported: a pointer"), "{ran:?}");
}

#[test]
fn the_arithmetic_is_said() {
    let folder = Folder::new("arith");
    let text = "extern void reach_error(void);\n\
                int main(void) { int x = 1; x = x + 1; if (x > 2) reach_error(); return x; }";
    folder.write("p.c", text);
    let ran = folder.run(&["verify", "p.c", "--arith", "unbounded", "--stats"]);
    assert_eq!(ran.stderr, "warning: numbers without wrap-around are not those of C\n");
    assert!(ran.stdout.contains("arithmetic      unbounded\n"), "{ran:?}");
    let ran = folder.run(&["verify", "p.c", "--json"]);
    assert!(ran.stderr.is_empty() && ran.stdout.contains("\"arith\": \"int\""), "{ran:?}");
    let ran = folder.run(&["verify", "safe.cfa", "--harness", "test.c"]);
    assert_eq!(ran.status, 64, "{ran:?}");
}

/// Two assertions that hold, and one that does not.
const ASSERTIONS: &str = "extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
void __VERIFIER_assert(int c) { if (!c) reach_error(); }
int main(void) {
  int x = __VERIFIER_nondet_int(), y = 1;
  if (x > 10) y = 2;
  __VERIFIER_assert(y > 0);
  __VERIFIER_assert(y == 1);
  if (y > 2) reach_error();
  return 0;
}
";

#[test]
fn every_assertion_by_itself() {
    let folder = Folder::new("assertions");
    folder.write("p.c", ASSERTIONS);
    let ran = folder.run(&["verify", "p.c", "--each-assertion", "-q"]);
    let expected = "Assertions:\n\n  7:3   safe up to the violation at 8:3\n  8:3   unsafe\n  \
        9:14  safe up to the violation at 8:3\n\nunsafe\n";
    assert_eq!((&ran.stdout[..], ran.status), (expected, 1), "{ran:?}");
    let ran = folder.run(&["verify", "p.c", "--each-assertion", "--property", "7:3"]);
    assert_eq!((ran.last_line(), ran.status), ("safe", 0), "{ran:?}");
    let ran = folder.run(&["verify", "p.c", "--each-assertion", "--json"]);
    assert!(ran.stdout.contains("\"name\": \"8:3\",\n      \"verdict\": \"unsafe\""), "{ran:?}");
    // What is not supported counts for each of them.
    folder.write("q.c", ASSERTIONS.replace("y = 2;", "{ y = 2; asm(\"nop\"); }"));
    let ran = folder.run(&["verify", "q.c", "--each-assertion", "-q"]);
    assert_eq!(ran.status, 2, "{ran:?}");
    assert_eq!(ran.stdout.matches("  unknown: unsupported: inline assembly").count(), 3, "{ran:?}");
}

/// An execution ends where it violates an assertion, whichever is asked for.
#[test]
fn an_assertion_behind_another_violation() {
    let folder = Folder::new("behind");
    folder.write(
        "p.c",
        "void reach_error(void) {}
int main(void) { int x = 0;
  if (x == 0) { reach_error(); x = 1; }
  if (x == 1) reach_error(); return 0; }
",
    );
    let ran = folder.run(&["verify", "p.c", "--each-assertion", "-q"]);
    let expected =
        "Assertions:\n\n  3:17  unsafe\n  4:15  safe up to the violation at 3:17\n\nunsafe\n";
    assert_eq!((&ran.stdout[..], ran.status), (expected, 1), "{ran:?}");
}

/// Macros, headers of the program and of the system.
#[test]
fn directives_are_for_the_preprocessor() {
    let folder = Folder::new("preprocessed");
    folder.write("limit.h", "#define LIMIT 10\nstatic int twice(int a) {\n  return a + a;\n}\n");
    let text = "#include <assert.h>
#include <stdint.h>
#include \"limit.h\"
extern int __VERIFIER_nondet_int(void);
#if UINTPTR_MAX == 0xffffffff
#define BAD 12
#else
#define BAD 13
#endif
int main(void) {
  int64_t x = __VERIFIER_nondet_int();
  if (0 <= x && x < LIMIT)
    assert(twice(x) != BAD);
}
";
    folder.write("p.c", text);
    let ran = folder.run(&["verify", "p.c"]);
    if ran.stderr.contains("cannot be started") {
        let _ = writeln!(io::stderr(), "SKIPPED: there is no C compiler to preprocess with");
        return;
    }
    assert_eq!((ran.last_line(), ran.status), ("unsafe", 1), "{ran:?}");
    assert!(ran.stdout.contains("limit.h:3 |   return a + a;"), "{ran:?}");
    let ran = folder.run(&["verify", "p.c", "--bits", "64"]);
    assert_eq!((ran.last_line(), ran.status), ("safe", 0), "{ran:?}");
    let ran = folder.run(&["verify", "p.c", "--each-assertion", "-q"]);
    assert!(ran.stdout.contains("  13:5  unsafe\n"), "{ran:?}");
    folder.write("q.c", text.replace("x < LIMIT", "y < LIMIT"));
    let ran = folder.run(&["verify", "q.c"]);
    assert!(ran.status == 65 && ran.stderr.contains("--> q.c:12:"), "{ran:?}");
    folder.write("limit.h", "#define LIMIT 10\nint twice(int a) { return b; }\n");
    let ran = folder.run(&["verify", "p.c"]);
    assert!(ran.status == 65 && ran.stderr.contains("--> limit.h:2:27"), "{ran:?}");
    // No directive asks for it, but a name does.
    let text = "#include <assert.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
struct S { char c; int x; };
int main(void) {
  uint_fast8_t n = 1;
  div_t both = { 3, n };
  assert(offsetof(struct S, x) == 4 && UINT64_MAX > RAND_MAX && both.rem == 1);
}
";
    folder.write("names.c", text);
    let ran = folder.run(&["verify", "names.c"]);
    assert_eq!((ran.last_line(), ran.status), ("safe", 0), "{ran:?}");
    folder.write("p.c", "#include <no/such.h>\nint main(void) {}\n");
    let ran = folder.run(&["verify", "p.c"]);
    assert!(ran.status == 65 && ran.stderr.contains("p.c:1:10"), "{ran:?}");
}

/// What `math.h` and `float.h` define, with our headers.
#[test]
fn headers_of_floating_point() {
    let folder = Folder::new("math");
    folder.write(
        "p.c",
        "#include <math.h>
#include <float.h>
#include <assert.h>
int main(void) {
  double d = DBL_MAX;
  float f = sqrtf(2.0f);
  assert(d * 2 == INFINITY && isinf(d * 2) && !isnan(d) && isnan(NAN));
  assert(f * f > 1.99f && fabsf(-f) == f && fmaxf(1, f) == f && M_PI > 3.14);
  assert(FLT_EPSILON + 1.0f > 1.0f && FLT_EPSILON / 2 + 1.0f == 1.0f && FLT_MIN > 0);
  assert(fpclassify(FLT_MIN / 2) == FP_SUBNORMAL && isnormal(DBL_MIN) && DBL_TRUE_MIN > 0);
  assert(signbit(-0.0) && copysign(1, -0.0) == -1 && isless(1, 2.5) && !isless(NAN, 2.5));
  return 0;
}
",
    );
    for bits in ["32", "64"] {
        let ran = folder.run(&["verify", "p.c", "--bits", bits, "--domain", "product"]);
        if ran.stderr.contains("cannot be started") {
            let _ = writeln!(io::stderr(), "SKIPPED: there is no C compiler to preprocess with");
            return;
        }
        assert_eq!((ran.last_line(), ran.status), ("safe", 0), "{ran:?}");
    }
}
