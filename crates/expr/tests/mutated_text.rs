//! No text makes the reader of terms panic or hang, and what it reads survives being written.

use lapidary_expr::fuzzing::{Mutator, term};

/// Terms with every construct of the syntax; the fuzz target knows their variables.
const SAMPLES: [&str; 8] = [
    "(and (<= x (+ y 3)) (or p (not q)) (= (* 2 x) (- y)) (distinct x y 7))",
    "(let ((z (+ x 1)) (|a b| (f x))) (let ((x z)) (ite (> x |a b|) (div x 3) (mod (- y 5) z))))",
    "(=> p (xor q (< r 1.5) (>= (/ r 3.0) (to_real x))) (= p q (not p)))",
    "(bvult (bvadd u #b0101 (bvmul v (bvnot u))) (bvor (bvshl u v) (bvlshr #xa (bvneg v))))",
    "(= ((_ extract 2 1) (concat u w)) (bvand ((_ extract 1 0) v) (_ bv3 2)))",
    "(= ((_ zero_extend 4) u) ((_ sign_extend 4) v) ((_ repeat 2) ((_ rotate_left 1) u)))",
    "(and (= (select (store a x 1) y) (select a (abs x))) (select b u) (= a ((as const (Array Int Int)) 0)))",
    "(! (and (bvsle u v) (= (bvcomp u v) w) (= (f (f 2)) x) ((_ divisible 3) y)) :named \"n\") ; end",
];

const ODD: [&str; 16] = [
    "(",
    ")",
    "|",
    "\"",
    ";",
    "\u{fc}",
    "\0",
    "99999999999",
    "#b",
    "let",
    "_",
    "(_ bv5 3)",
    "0",
    "-",
    "true",
    "!",
];

#[test]
fn tens_of_thousands_of_mutations_are_read_or_refused() {
    let mut mutator = Mutator::default();
    for sample in SAMPLES {
        term(sample.as_bytes());
        for _ in 0..8_000 {
            term(mutator.mutate(sample, &ODD).as_bytes());
        }
    }
}

#[test]
fn prefixes_and_suffixes_are_read_or_refused() {
    for sample in SAMPLES {
        for i in 0..sample.len() {
            term(&sample.as_bytes()[..i]);
            term(&sample.as_bytes()[i..]);
        }
    }
}

#[test]
fn bytes_that_are_no_text_are_refused() {
    for bytes in [&[0xff_u8, 0x28][..], &[0x28, 0xc3, 0x28], &[0xf0, 0x9f], &[0; 100]] {
        term(bytes);
    }
}
