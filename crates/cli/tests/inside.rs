//! Programs that leave the model on some of their paths: a violation that avoids these paths is found, and no other one is
//! reported.

mod common;

use common::Folder;

const HEAD: &str = "extern void reach_error(void);\nextern int __VERIFIER_nondet_int(void);\n\
    extern int printf(const char *, ...);\nextern void ext(int *);\n\
    #define ANY __VERIFIER_nondet_int()\n";

/// The verdict, what the program is, definitions, and the body of `main`.
const PROGRAMS: &[(&str, &str, &str, &str)] = &[
    (
        "unsafe",
        "beside an index",
        "int a[3];",
        "int i = ANY; if (i == 5) a[i] = 1; if (i == 7) reach_error();",
    ),
    ("unsafe", "before an index", "int a[3];", "int i = ANY; if (i == 7) reach_error(); a[i] = 1;"),
    ("unknown", "after an index", "int a[3];", "int i = ANY; a[i] = 1; if (i == 7) reach_error();"),
    (
        "unsafe",
        "after an index that is right",
        "int a[3];",
        "int i = ANY; a[i] = 1; if (i == 2) reach_error();",
    ),
    (
        "unsafe",
        "in the other branch",
        "int a[3];",
        "int i = ANY; if (i > 5) a[i] = 1; else if (i == 3) reach_error();",
    ),
    (
        "unknown",
        "in the same branch",
        "int a[3];",
        "int i = ANY; if (i > 5) { a[i] = 1; if (i == 8) reach_error(); }",
    ),
    (
        "unknown",
        "no violation",
        "int a[3];",
        "int i = ANY; if (i == 5) a[i] = 1; if (i > 7 && i < 7) reach_error();",
    ),
    (
        "safe",
        "places that are not reached",
        "int a[3];",
        "int i = ANY; if (i >= 0 && i < 3) a[i] = 1; if (a[0] > 1) reach_error();",
    ),
    (
        "unsafe",
        "earlier in a loop",
        "int a[8];",
        "for (int k = 0; k < 10; k++) { if (k == 7 && ANY) reach_error(); a[k] = 1; }",
    ),
    (
        "unknown",
        "later in a loop",
        "int a[3];",
        "for (int k = 0; k < 10; k++) { a[k] = 1; if (k == 5) reach_error(); }",
    ),
    (
        "unsafe",
        "after the iterations that are right",
        "int a[3];",
        "int i = 0; while (ANY) a[i++] = 1; if (i == 3) reach_error();",
    ),
    (
        "unknown",
        "after one iteration more",
        "int a[3];",
        "int i = 0; while (ANY) a[i++] = 1; if (i == 4) reach_error();",
    ),
    (
        "unsafe",
        "a loop that is left in time",
        "int a[3], b;",
        "for (int i = 0; i < 4; i++) { a[i] = i; if (ANY) break; b += a[i]; } if (b == 1) reach_error();",
    ),
    (
        "unsafe",
        "beside a null pointer",
        "int *p;",
        "int i = ANY; if (i == 3) *p = 1; if (i == 4) reach_error();",
    ),
    (
        "unknown",
        "after a null pointer",
        "int *p;",
        "int i = ANY; if (i == 3) { *p = 1; reach_error(); }",
    ),
    (
        "unsafe",
        "beside a comparison of addresses",
        "int a[4], b[4];",
        "int i = ANY; if (i == 1 && a + 4 == b) reach_error(); if (i == 2) reach_error();",
    ),
    (
        "unknown",
        "by a comparison of addresses",
        "int a[4], b[4];",
        "int i = ANY; if (i == 1 && a + 4 == b) reach_error(); if (i == 2 && i == 3) reach_error();",
    ),
    (
        "unsafe",
        "beside an undefined function",
        "int x;",
        "int i = ANY; if (i == 1) ext(&x); if (i == 2 && x == 0) reach_error();",
    ),
    (
        "unknown",
        "after an undefined function",
        "int x;",
        "int i = ANY; if (i == 1) ext(&x); if (i == 1 && x == 4) reach_error();",
    ),
    (
        "unsafe",
        "beside assembly",
        "",
        "int i = ANY; if (i == 1) __asm__(\"mov %0, %0\" : \"=r\"(i)); else if (i == 2) reach_error();",
    ),
    (
        "unsafe",
        "beside a recursive call",
        "int f(int n) { return n > 0 ? 1 + f(n - 1) : 0; }",
        "int i = ANY; if (i > 5) i = f(i); else if (i == 2) reach_error();",
    ),
    (
        "unsafe",
        "in a function, before",
        "int a[3]; void f(int i) { if (i == 9) reach_error(); a[i] = 1; }",
        "f(ANY); f(2);",
    ),
    (
        "unsafe",
        "in the second call",
        "int a[3], n; void f(int i) { a[i] = 1; n += i; }",
        "f(ANY); f(ANY); if (n == 4) reach_error();",
    ),
    (
        "unknown",
        "more than two calls can",
        "int a[3], n; void f(int i) { a[i] = 1; n += i; }",
        "f(ANY); f(ANY); if (n == 5) reach_error();",
    ),
    ("unknown", "by an approximation", "", "if (printf(\"x\") > 100) reach_error();"),
    (
        "unsafe",
        "beside an approximation",
        "",
        "if (ANY) { if (printf(\"x\") > 100) reach_error(); } else reach_error();",
    ),
    (
        "unknown",
        "after an approximation",
        "",
        "int n = printf(\"x\"); if (n > 100 || n < -100) reach_error();",
    ),
    (
        "safe",
        "an approximation that does not matter",
        "",
        "int n = printf(\"x\"); if (n - n != 0) reach_error();",
    ),
];

#[test]
fn violations_inside_the_model_are_found() {
    let folder = Folder::new("inside");
    let mut wrong = Vec::new();
    for (verdict, name, before, body) in PROGRAMS {
        folder.write("t.c", format!("{HEAD}{before}\nint main(void) {{\n{body}\nreturn 0;\n}}\n"));
        let ran = folder.run(&["verify", "t.c", "--check", "assertion", "--bits", "64"]);
        let last = ran.last_line();
        let is_so = match *verdict {
            "unknown" => {
                last.starts_with("unknown: unsupported: ") && ran.stdout.contains("not supported: ")
            }
            verdict => last == verdict,
        };
        if !is_so {
            wrong.push(format!("{name}: {verdict} expected: {ran:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn each_assertion_has_its_own_search() {
    let folder = Folder::new("inside_each");
    let text = "#include <assert.h>\nextern int __VERIFIER_nondet_int(void);\nint a[3];\nint main(void) {\n\
        int i = __VERIFIER_nondet_int();\nif (i == 5) { a[i] = 1;\nassert(i == 6); }\nassert(i != 7);\nassert(i != 5 || i != 6);\n}\n";
    folder.write("t.c", text);
    let ran =
        folder.run(&["verify", "t.c", "--check", "assertion", "--bits", "64", "--each-assertion"]);
    let lines: Vec<&str> = ran
        .stdout
        .lines()
        .filter(|line| line.contains("  t.c:") || line.starts_with("  "))
        .collect();
    assert_eq!(ran.last_line(), "unsafe", "{ran:?}");
    let of =
        |place: &str| lines.iter().find(|line| line.contains(place)).copied().unwrap_or_default();
    assert!(of("7:1").contains("unknown: unsupported"), "{ran:?}");
    assert!(of("8:1").contains("unsafe"), "{ran:?}");
    assert!(of("9:1").contains("unknown: unsupported"), "{ran:?}");
}

#[test]
fn a_limit_does_not_hide_the_place() {
    let folder = Folder::new("inside_limit");
    // Beside the index, all that is left is a loop that no domain summarises in time.
    let text = format!(
        "{HEAD}int a[3];\nint main(void) {{\nunsigned x = ANY, y = ANY, n = 0;\nint i = ANY; if (i == 5) a[i] = 1;\n\
         while (ANY) {{ x = x * y + 7; y = y * x ^ 3; n++; }}\nif (n > 40 && (x ^ y * n) == 77) reach_error();\n}}\n"
    );
    folder.write("t.c", text);
    let ran = folder.run(&["verify", "t.c", "--check", "assertion", "--bits", "64", "--time", "2"]);
    let expected = "unknown: unsupported: an index outside of its array at 9:";
    assert!(ran.last_line().starts_with(expected), "{ran:?}");
    assert_eq!(ran.status, 2, "{ran:?}");
}
