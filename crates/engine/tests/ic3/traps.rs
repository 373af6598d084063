//! Circuits that have misled other tools, each with its verdict.

use super::is_safe;

fn check(text: &str, expected: bool) {
    assert_eq!(is_safe(text), Ok(expected), "{text}");
}

/// The latch is bad where it violates the constraint.
#[test]
fn constraints_hold_in_bad_frames() {
    check("aag 1 0 1 0 0 1 1\n2 1 0\n2\n3\n", true);
    check("aag 1 0 1 0 0 1 0\n2 1 0\n2\n", false);
}

/// `s` is 1 and then 0, the constraint is `s`, and the input is bad: so it is in the first frame.
#[test]
fn bad_frames_depend_on_inputs() {
    check("aag 2 1 1 0 0 1 1\n2\n4 0 1\n2\n4\n", false);
}

/// The latch starts as another one that starts with anything.
#[test]
fn initial_values_may_be_open() {
    let text =
        "1 sort bitvec 1\n2 state 1 o\n3 state 1 l\n4 init 1 3 2\n5 next 1 3 3\n6 next 1 2 2\n";
    check(&format!("{text}7 bad 3\n"), false);
    check(&format!("{text}7 xor 1 2 3\n8 bad 7\n"), true);
}

#[test]
fn undefined_resets_are_anything() {
    for bad in [2, 3] {
        check(&format!("aag 1 0 1 0 0 1 0\n2 2 2\n{bad}\n"), false);
    }
}

#[test]
fn resets_may_be_one() {
    check("aag 1 0 1 0 0 1 0\n2 2 1\n3\n", true);
    check("aag 1 0 1 0 0 1 0\n2 2 1\n2\n", false);
}

/// A frame without a next one may be bad.
#[test]
fn bad_frames_need_no_successor() {
    // The latch rises; the constraint excludes inputs in the frame after the first one, where the latch is bad.
    check("aag 3 1 1 0 1 1 1\n2\n4 1 0\n4\n7\n6 4 2\n", false);
    // A dead end before the bad frame.
    check("aag 3 0 3 0 0 1 1\n2 1 0\n4 2 0\n6 4 0\n6\n5\n", true);
}

/// No state is initial.
#[test]
fn without_initial_states_all_is_safe() {
    check("aag 1 0 1 0 0 1 1\n2 1 0\n3\n2\n", true);
}

/// A state without a next value.
#[test]
fn states_may_be_free() {
    let text = "1 sort bitvec 2\n2 sort bitvec 1\n3 zero 1\n4 state 1 s\n5 init 1 4 3\n6 redand 2 4\n7 bad 6\n";
    check(text, false);
}
