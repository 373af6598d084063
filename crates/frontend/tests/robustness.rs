//! No input makes the parser panic, overflow the stack or take long; every error has a place in the text.

use lapidary_expr::fuzzing::Mutator;
use lapidary_frontend::{ParseError, SourceFile, Task, cfa, fuzzing};

fn parse(text: &str) -> Result<Task, ParseError> {
    cfa::parse(&SourceFile::new("test.cfa", text))
}

/// The text is read, printed and read again, or its error is at a position of the text.
fn check(text: &str) {
    fuzzing::cfa(text.as_bytes());
}

const SAMPLES: [&str; 3] = [
    include_str!("../../../examples/figure1.cfa"),
    include_str!("../../../examples/motor_control.cfa"),
    "var g : [int] -> rat /* globals */
     process q(k : int, l : bool) { init loc A }
     main process p {
         var x : int var u : bv[8] var b : bool var a : [bv[4]] -> bv[8]
         init loc A  loc B  final loc C  error loc E
         A -> B { x := (x + 2) * -3 / x mod 7 rem x  havoc u  g := [0 <- 1%2, <int> default <- g[x]] }
         B -> C { u := bvnot u[4:0] ++ 4'b1010 bvor 8'd-5 bvshl 8'xff bvrol u  assume b imply not b }
         C -> E { assume if b then x < 1 else a[4'd3 <- u] = a and u bv_zero_extend bv[9] bvult 9'd7 }
         C->A{a := [4'd1 <- 8'd2, default <- 8'd3] assume g[1] /= g[2] xor x >= 3 iff b = true}
     } // end",
];

const ODD: [&str; 12] =
    ["'", "\u{fc}", "\0", "(", "]", "{", "}", "<-", "99999999999", "not", "/*", "\t"];

#[test]
fn ten_thousand_mutations_are_read_or_refused() {
    let mut mutator = Mutator::default();
    for sample in SAMPLES {
        check(sample);
        for _ in 0..10_000_usize.div_ceil(SAMPLES.len()) {
            check(&mutator.mutate(sample, &ODD));
        }
    }
}

#[test]
fn bytes_that_are_no_text_are_refused() {
    for bytes in [&[0xff_u8, 0x7b][..], &[0x7b, 0xc3, 0x28], &[0xf0, 0x9f], &[0; 100]] {
        fuzzing::cfa(bytes);
    }
}

#[test]
fn prefixes_and_suffixes_never_panic() {
    let sample = SAMPLES[2];
    for (i, _) in sample.char_indices() {
        check(&sample[..i]);
        check(&sample[i..]);
    }
}

/// The body of an edge of a process with variables of some types.
fn in_process(body: &str) -> String {
    format!(
        "main process p {{ var x : int var b : bool var v : bv[8] var a : [int] -> int
         init loc L L -> L {{ {body} }} }}"
    )
}

/// With depth `n`, a text that nests; too deep ones are refused, others are read, printed and read again.
#[track_caller]
fn nests(expression: impl Fn(usize) -> String) {
    for n in [10, 100, 140] {
        let text = in_process(&expression(n));
        assert_eq!(parse(&text).map_err(|error| error.to_string()).err(), None);
        check(&text);
    }
    for n in [2_000, 20_000] {
        let message = parse(&in_process(&expression(n))).err().map(|error| error.message);
        assert!(
            message.as_ref().is_some_and(|text| text.contains("nested too deeply")),
            "{message:?}"
        );
    }
}

#[test]
fn deep_nesting_is_refused() {
    nests(|n| format!("x := {}x{}", "(".repeat(n), ")".repeat(n)));
    nests(|n| format!("x := {}x", "- ".repeat(n)));
    nests(|n| format!("v := {}v", "bvnot ".repeat(n)));
    nests(|n| format!("assume {}b", "not ".repeat(n)));
    nests(|n| format!("assume {}b", "b imply ".repeat(n)));
    nests(|n| format!("assume {}b", "b iff ".repeat(n)));
    nests(|n| format!("assume {}b", "b xor ".repeat(n)));
    nests(|n| format!("x := {}x{}", "a[".repeat(n), "]".repeat(n)));
    nests(|n| format!("a := a{}", "[x <- 1][a[x] <- x]".repeat(n)));
    nests(|n| format!("x := x{}", " / x".repeat(n)));
    nests(|n| format!("v := v{}", " bvshl v".repeat(n)));
    nests(|n| format!("x := {}x{}", "if b then ".repeat(n), " else a[x]".repeat(n)));
    nests(|n| format!("assume {}b{}", "if ".repeat(n), " then b else x < 1".repeat(n)));
    nests(|n| format!("a := {}a{}", "[x <- 1, <int> default <- ".repeat(n), "[x]]".repeat(n)));
    nests(|n| {
        format!(
            "v := {}v{}",
            "(v bvor v bvxor v bvand v bvshl v bvadd v bvmul (".repeat(n / 10),
            "))".repeat(n / 10)
        )
    });
    nests(|n| {
        let arms: Vec<String> =
            (0..n).map(|i| format!("if x = {i} then {} else ", i + 7)).collect();
        format!("x := {}x", arms.concat())
    });
}

#[test]
fn deep_types_are_refused() {
    for n in [10, 290] {
        let text = format!("main process p {{ var x : {}int init loc A }}", "[int] -> ".repeat(n));
        assert!(parse(&text).is_ok());
        check(&text);
    }
    for n in [5_000, 100_000] {
        for types in ["[".repeat(n), "[int] -> ".repeat(n)] {
            let error = parse(&format!("var x : {types}int")).err();
            assert_eq!(
                error.map(|error| error.message).as_deref(),
                Some("this is nested too deeply")
            );
        }
    }
}

#[test]
fn long_flat_texts_are_read_in_linear_time() {
    let n = 20_000;
    let list = |item: fn(usize) -> String, separator| {
        (0..n).map(item).collect::<Vec<String>>().join(separator)
    };
    let vars = list(|i| format!("var x{i} : int"), "\n");
    let sum = list(|i| format!("x{i}"), " - ");
    let all = list(|i| format!("x{i} > {i}"), " and ");
    let edges = list(|i| format!("L -> L {{ x{i} := x{i} + 1 }}"), "\n");
    let stmts = "x0 := 1\n".repeat(n);
    let text = format!(
        "{vars} main process p {{ init loc L {edges}
         L -> L {{ {stmts} }}
         L -> L {{ assume {all} and {sum} = 0 }} }}"
    );
    let task = parse(&text).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!((task.cfa().vars().len(), task.cfa().n_edges()), (n, n + 2));
}

#[test]
fn wide_bit_vectors_stay_small() {
    check(&in_process("v := ((1048576'd1 ++ 8'd1)[8:0])"));
    check(
        "main process p { var v : bv[1048576] init loc A A -> A { v := bvnot v bvrol 1048576'd-1 } }",
    );
}
