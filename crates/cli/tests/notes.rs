//! What a verdict about a C program rests on is said before it.

mod common;

use common::{Folder, Ran};

/// Verifies a program with these options.
fn verify(name: &str, text: &str, options: &[&str]) -> Ran {
    let folder = Folder::new(name);
    folder.write("p.c", text);
    folder.run(&[&["verify", "p.c", "--time", "30"], options].concat())
}

#[test]
fn a_program_without_a_property_has_no_verdict() {
    let text = "#include <assert.h>\nint main(void) { int x = 1; return x; }\n";
    let ran = verify("property", text, &[]);
    assert_eq!((ran.last_line(), ran.status), ("safe", 0), "{ran:?}");
    let ran = verify("property", text, &["--check", "assertion"]);
    assert_eq!((&ran.stdout[..], ran.status), ("", 65), "{ran:?}");
    assert!(ran.stderr.contains("error: nothing in `p.c` says what its error is"), "{ran:?}");
    assert!(ran.stderr.contains("--property FILE.prp"), "{ran:?}");
    // What it is can be told all the same.
    let folder = Folder::new("property_inspected");
    folder.write("p.c", text);
    assert_eq!(folder.run(&["inspect", "p.c"]).status, 0);
    // A property says what the error is.
    folder.write("p.prp", "CHECK( init(main()), LTL(G ! call(fail())) )\n");
    let ran = folder.run(&["verify", "p.c", "--property", "p.prp"]);
    assert_eq!((ran.last_line(), ran.status), ("safe", 0), "{ran:?}");
}

#[test]
fn a_label_is_the_error_where_nothing_else_is() {
    let text = "int main(void) {\n  int x = 0;\n  if (x) { ERROR: x = 1; }\n  return 0;\n}\n";
    let ran = verify("label", text, &[]);
    assert_eq!((ran.last_line(), ran.status), ("safe", 0), "{ran:?}");
    assert_eq!(ran.stderr, "note: the label `ERROR` at 3:12 is taken for the error\n");
    let text = text.replace("return 0;", "__assert_fail(\"\", \"\", 4, \"\"); return 0;");
    let ran = verify("label_aside", &text, &[]);
    assert_eq!((ran.last_line(), ran.status), ("unsafe", 1), "{ran:?}");
    let note =
        "note: the label `ERROR` at 3:12 is not taken for the error, since there are assertions\n";
    assert_eq!(ran.stderr, note);
    assert_eq!(verify("label_quiet", &text, &["-q"]).stderr, "");
}

#[test]
fn assertions_beside_an_error_function_only_end_the_program() {
    let text = "#include <assert.h>
void reach_error(void) { assert(0); }
extern int input(void);
int main(void) {
  int x = input();
  assert(x == 0);
  if (x == 5) reach_error();
  return 0;
}
";
    let ran = verify("no_error", text, &[]);
    assert_eq!((ran.last_line(), ran.status), ("safe", 0), "{ran:?}");
    let note = "note: the error is a call of `reach_error`; \
                a failed assertion, at 6:3 for example, only ends the program\n";
    assert_eq!(ran.stderr, note);
    // The one in the error function is no surprise.
    let ran = verify("no_error_inside", &text.replace("  assert(x == 0);\n", ""), &[]);
    assert_eq!((ran.last_line(), &ran.stderr[..]), ("unsafe", ""), "{ran:?}");
}

/// An interrupt would set the flag.
const VOLATILE: &str = "extern void reach_error(void);
struct device { int *volatile next; volatile int status; };
volatile int flag;
struct device device;
int main(void) {
  flag = 0;
  while (flag) reach_error();
  return 0;
}
";

#[test]
fn volatile_is_ordinary_memory_unless_asked() {
    let ran = verify("volatile", VOLATILE, &[]);
    assert_eq!((ran.last_line(), ran.status), ("safe", 0), "{ran:?}");
    let note = "note: `volatile` is taken as ordinary memory, at 7:10 for example; ";
    assert!(ran.stderr.starts_with(note), "{ran:?}");
    let ran = verify("volatile_any", VOLATILE, &["--volatile", "havoc"]);
    assert_eq!((ran.last_line(), ran.status), ("unsafe", 1), "{ran:?}");
    assert_eq!(ran.stderr, "");
    // Members, what pointers point to, and updates.
    for read in ["device.status == 1", "*(volatile int *) &x == 1", "(flag += 1) == 5"] {
        let text =
            VOLATILE.replace("while (flag)", &format!("int x = 0; device.status = 0; if ({read})"));
        let ran = verify("volatile_parts", &text, &["--volatile", "havoc"]);
        assert_eq!(ran.last_line(), "unsafe", "{read}: {ran:?}");
        assert_eq!(verify("volatile_parts", &text, &[]).last_line(), "safe", "{read}");
    }
    // A bit-field has only the values of its bits.
    for (bound, verdict) in
        [("> 1", "safe"), ("> 0", "unsafe"), ("< -2", "safe"), ("< -1", "unsafe")]
    {
        let text = format!(
            "extern void reach_error(void);\nvolatile struct {{ int b : 2, c : 5; }} v;\n\
             int main(void) {{ if (v.b {bound}) reach_error(); }}\n"
        );
        let ran = verify("volatile_bits", &text, &["--volatile", "havoc"]);
        assert_eq!(ran.last_line(), verdict, "{bound}: {ran:?}");
    }
    // Where nothing of the kind is read, nothing is said, and all stays as it is.
    let text = VOLATILE.replace("while (flag)", "int x = 0; if (x)");
    assert_eq!(verify("volatile_unread", &text, &[]).stderr, "");
    assert_eq!(verify("volatile_unread", &text, &["--volatile", "havoc"]).last_line(), "safe");
}

#[test]
fn the_data_model_is_said_where_it_may_matter() {
    let text = "extern void reach_error(void);\nint main(void) { if (sizeof(long) == 8) reach_error(); }\n";
    let ran = verify("model", text, &[]);
    assert_eq!((ran.last_line(), ran.status), ("safe", 0), "{ran:?}");
    assert!(
        ran.stderr.starts_with("note: `long` and pointers are taken to have 32 bits"),
        "{ran:?}"
    );
    assert_eq!(verify("model", text, &["--bits", "32"]).stderr, "");
    let ran = verify("model", text, &["--bits", "64"]);
    assert_eq!((ran.last_line(), &ran.stderr[..]), ("unsafe", ""), "{ran:?}");
    let text = "extern void reach_error(void);\nint main(void) { long long x = 1; if (x == 8) reach_error(); }\n";
    assert_eq!(verify("model_of_no_matter", text, &[]).stderr, "");
}

#[test]
fn assumptions_that_exclude_everything_are_said() {
    let text = "extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
int main(void) {
  int x = __VERIFIER_nondet_int();
  __VERIFIER_assume(x > 3);
  __VERIFIER_assume(x < 3);
  if (x == 7) reach_error();
  return 0;
}
";
    let ran = verify("assumptions", text, &[]);
    assert_eq!((ran.last_line(), ran.status), ("safe", 0), "{ran:?}");
    assert_eq!(ran.stderr, "note: no execution passes the assumption at 7:3\n");
    let ran = verify("assumptions", text, &["--json"]);
    assert!(ran.stdout.contains("\"no execution passes the assumption at 7:3\"\n"), "{ran:?}");
    // Also where nothing but the assumptions decides about the error.
    for condition in ["x < 3", "x < 3 && x != 0"] {
        let text = text.replace("x < 3", condition).replace("if (x == 7) ", "");
        let ran = verify("assumptions_alone", &text, &[]);
        assert_eq!((ran.last_line(), ran.status), ("safe", 0), "{ran:?}");
        assert_eq!(ran.stderr, "note: no execution passes the assumption at 7:3\n");
    }
    // An execution passes these, and another one ends before them.
    let passed = text.replace("x < 3", "x < 6");
    assert_eq!(verify("assumptions_passed", &passed, &[]).stderr, "");
    let before = text.replace("int x =", "if (__VERIFIER_nondet_int()) return 0;\n  int x =");
    assert_eq!(verify("assumptions_before", &before, &[]).stderr, "");
}
