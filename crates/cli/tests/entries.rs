//! Libraries without `main`, verified from a function of theirs, and programs with interrupt handlers.

mod common;

use common::Folder;

const LIBRARY: &str = "#include <assert.h>
struct list { int value; const struct list *next; };
static int calls = 0;
static int largest(const int *a, int n) {
    int m = a[0];
    for (int i = 1; i < n; i++) if (a[i] > m) m = a[i];
    return m;
}
int first(const int *a, int n) {
    if (a == 0 || n != 1) return 0;
    calls++;
    assert(largest(a, n) == a[0]);
    return 1;
}
int second(const struct list *l) {
    if (l == 0 || l->next == 0) return 0;
    assert(l->value != 3 || l->next->value != 4);
    return 1;
}
int third(const struct list *l) { return l->value; }
int fourth(void) { calls++; assert(calls == 1); return 0; }
int fifth(char *text) { assert(text != 0); return 0; }
";

fn check(folder: &Folder, words: &[&str], expected: &str) {
    let ran = folder.run(&[&["verify", "lib.c"], words].concat());
    assert!(ran.last_line().starts_with(expected), "{words:?}: expected `{expected}`: {ran:?}");
}

#[test]
fn entries_are_given_any_arguments() {
    let folder = Folder::new("entries");
    folder.write("lib.c", LIBRARY);
    check(&folder, &["--entry", "first"], "safe");
    check(&folder, &["--entry", "second"], "unsafe");
    check(&folder, &["--entry", "second", "--entry-depth", "0"], "unknown: unsupported: ");
    check(&folder, &["--entry", "third"], "unsafe");
    check(&folder, &["--entry", "third", "--entry-non-null"], "safe");
    check(&folder, &["--entry", "fourth"], "safe");
    check(&folder, &["--entry", "fourth", "--nondet-static"], "unsafe");
    check(&folder, &["--entry", "fifth"], "unsafe");
    check(&folder, &["--entry", "fifth", "--entry-non-null"], "safe");
    let ran = folder.run(&["verify", "lib.c", "--entry", "first", "--entry-length", "2"]);
    assert!(ran.stderr.contains("note: pointers that `first` is given are null, or"), "{ran:?}");
    assert!(ran.stderr.contains("arrays of 1 to 2 elements"), "{ran:?}");
}

#[test]
fn a_library_says_where_to_start() {
    let folder = Folder::new("library");
    folder.write("lib.c", LIBRARY);
    let ran = folder.run(&["verify", "lib.c"]);
    assert_eq!(ran.status, 65, "{ran:?}");
    assert!(
        ran.stderr.contains("or at another function with `--entry`: `largest`, `first`, `second`"),
        "{ran:?}"
    );
    let ran = folder.run(&["verify", "lib.c", "--entry", "sixth"]);
    assert!(ran.stderr.contains("there is no function `sixth`"), "{ran:?}");
}

const TIMER: &str = "#include <assert.h>
static volatile int ticks, copy;
static int locked;
static void timer(void) { if (!locked) { ticks = ticks < 100 ? ticks + 1 : 0; } }
int main(void) {
    LOCK
    copy = ticks;
    assert(copy == ticks);
    return 0;
}
";

/// Between the two statements the handler may run, unless it is locked out.
#[test]
fn interrupt_handlers_run_between_statements() {
    let folder = Folder::new("interrupts");
    folder.write("lib.c", TIMER.replace("LOCK", ""));
    check(&folder, &[], "safe");
    check(&folder, &["--interrupt", "timer"], "unsafe");
    folder.write("lib.c", TIMER.replace("LOCK", "locked = 1;"));
    check(&folder, &["--interrupt", "timer"], "safe");
    folder.write("lib.c", TIMER.replace("LOCK", ""));
    check(&folder, &["--interrupt", "timer", "--nondet-static"], "unsafe");
    let ran = folder.run(&["verify", "lib.c", "--interrupt", "other"]);
    assert!(ran.stderr.contains("there is no function `other`"), "{ran:?}");
}
