//! Expressions of the CFA language, text in and SMT-LIB out.

use std::sync::Once;

use lapidary_expr::{Sort, Term, Var};
use lapidary_frontend::{ParseError, SourceFile, cfa};
use lapidary_model::Stmt;

const DECLARATIONS: &str = "
    var a : bool  var b : bool  var c : bool
    var x : int  var y : int  var z : int  var u : int  var s : int  var N : int
    var r : rat  var q : rat
    var v : bv[8]  var w : bv[8]  var t : bv[8]  var n : bv[4]
    var m : [int] -> int  var f : [rat] -> rat  var g : [int] -> [int] -> bool";

/// The term of an expression of the given type over variables of every type.
fn term(sort: &str, expression: &str) -> Result<Term, ParseError> {
    // Sums are ordered by the age of their variables.
    static NUMBERS: Once = Once::new();
    NUMBERS.call_once(|| {
        for (names, sort) in [("xyzusN", Sort::Int), ("rq", Sort::Rat)] {
            for name in names.chars() {
                let _ = Term::var(Var::new(&name.to_string(), sort));
            }
        }
    });
    let text = format!(
        "{DECLARATIONS} main process p {{ var o : {sort} init loc L L -> L {{ o := {expression} }} }}"
    );
    let task = cfa::parse(&SourceFile::new("test", text))?;
    let stmt = task.cfa().edges().next().map(|(_, edge)| edge.stmt.clone());
    let Some(Stmt::Assign(assignments)) = stmt else { panic!("no assignment: {stmt:?}") };
    Ok(assignments[0].1)
}

#[track_caller]
fn check(sort: &str, expression: &str, expected: &str) {
    match term(sort, expression) {
        Ok(term) => assert_eq!(term.to_string(), expected, "{expression}"),
        Err(error) => panic!("{expression}\n{error}"),
    }
}

/// Both expressions are the same term.
#[track_caller]
fn same(sort: &str, left: &str, right: &str) {
    let read = |text| term(sort, text).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(read(left), read(right), "{left}   versus   {right}");
}

#[track_caller]
fn refused(sort: &str, expression: &str, message: &str) {
    let result = term(sort, expression);
    assert_eq!(result.err().map(|error| error.message).as_deref(), Some(message), "{expression}");
}

#[test]
fn connectives() {
    check("bool", "true", "true");
    check("bool", "false or a", "a");
    check("bool", "a and b and c", "(and a b c)");
    check("bool", "a or b or c", "(or a b c)");
    check("bool", "a xor b", "(not (= a b))");
    check("bool", "a imply b", "(or (not a) b)");
    check("bool", "a iff b", "(= a b)");
    check("bool", "not a", "(not a)");
    check("bool", "a = b", "(= a b)");
    check("bool", "a /= b", "(not (= a b))");
    check("bool", "if a then b else c", "(ite a b c)");
    check("int", "if a then x else if b then y else z", "(ite a x (ite b y z))");
}

#[test]
fn precedence_of_connectives() {
    same("bool", "a iff b imply c", "a iff (b imply c)");
    same("bool", "a imply b iff c", "(a imply b) iff c");
    same("bool", "a iff b iff c", "a iff (b iff c)");
    same("bool", "a imply b imply c", "a imply (b imply c)");
    same("bool", "a or b imply c", "(a or b) imply c");
    same("bool", "a xor b or c", "(a xor b) or c");
    same("bool", "a xor b xor c", "a xor (b xor c)");
    same("bool", "a and b xor c", "(a and b) xor c");
    same("bool", "a and b or c and a", "(a and b) or (c and a)");
    same("bool", "not a and b", "(not a) and b");
    same("bool", "not a = b", "not (a = b)");
    same("bool", "not not a", "a");
    same("bool", "not not not x < y and b", "(not (x < y)) and b");
    refused("bool", "x = y = true", "`=` cannot follow another comparison");
    refused("bool", "x < y < z", "`<` cannot follow another comparison");
}

#[test]
fn precedence_of_comparisons_and_arithmetic() {
    same("bool", "x < y = a", "(x < y) = a");
    same("bool", "x + y < z * x", "(x + y) < (z * x)");
    same("bool", "v bvor w = t", "(v bvor w) = t");
    same("bool", "v bvor w bvult t", "(v bvor w) bvult t");
    same("int", "x - y - z", "(x - y) - z");
    same("int", "x - y + z", "(x - y) + z");
    same("int", "x / y / z", "(x / y) / z");
    same("int", "x / y * z", "(x / y) * z");
    same("int", "x * y mod z", "(x * y) mod z");
    same("int", "x + y * z", "x + (y * z)");
    same("int", "-x + y", "(-x) + y");
    same("int", "-x * y", "(-x) * y");
    same("int", "- - + x", "x");
    same("int", "-m[x]", "-(m[x])");
    same("int", "if a then x else y + z", "if a then x else (y + z)");
}

#[test]
fn precedence_of_bit_operators() {
    same("bv[8]", "v bvor w bvxor t", "v bvor (w bvxor t)");
    same("bv[8]", "v bvxor w bvand t", "v bvxor (w bvand t)");
    same("bv[8]", "v bvand w bvshl t", "v bvand (w bvshl t)");
    same("bv[8]", "v bvshl w bvadd t", "v bvshl (w bvadd t)");
    same("bv[8]", "v bvadd w bvmul t", "v bvadd (w bvmul t)");
    same("bv[8]", "v bvmul n ++ n", "v bvmul (n ++ n)");
    same("bv[12]", "n ++ n bv_zero_extend bv[8]", "n ++ (n bv_zero_extend bv[8])");
    same("bv[8]", "bvneg n bv_sign_extend bv[8]", "(bvneg n) bv_sign_extend bv[8]");
    same("bv[4]", "bvnot v[4:0]", "bvnot (v[4:0])");
    same("bv[8]", "bvneg bvnot v", "bvneg (bvnot v)");
    same("bv[8]", "bvnot bvneg v", "bvnot (bvneg v)");
}

#[test]
fn chains_of_bit_operators_associate_to_the_left() {
    check("bv[8]", "v bvor w bvor t", "(bvor v w t)");
    check("bv[8]", "v bvxor w bvxor t", "(bvxor v w t)");
    check("bv[8]", "v bvand w bvand t", "(bvand v w t)");
    check("bv[8]", "v bvshl w bvlshr t", "(bvlshr (bvshl v w) t)");
    check("bv[8]", "v bvsub w bvsub t", "(bvsub (bvsub v w) t)");
    check("bv[8]", "v bvsub w bvadd t", "(bvadd (bvsub v w) t)");
    check(
        "bv[12]",
        "n bv_zero_extend bv[8] bv_sign_extend bv[12]",
        "((_ sign_extend 4) ((_ zero_extend 4) n))",
    );
}

#[test]
fn arithmetic() {
    check("int", "x + y", "(+ x y)");
    check("int", "x - y", "(+ x (* (- 1) y))");
    check("int", "+x", "x");
    check("int", "-x", "(* (- 1) x)");
    check("int", "x * y", "(* x y)");
    check("int", "x / y", "(div x y)");
    check("int", "x mod y", "(mod x y)");
    check("bool", "x < y", "(<= x (+ y (- 1)))");
    check("bool", "x <= y", "(<= x y)");
    check("bool", "x > y", "(<= y (+ x (- 1)))");
    check("bool", "x >= y", "(<= y x)");
    check("bool", "x = y", "(= x y)");
    check("bool", "x /= y", "(not (= x y))");
    check("int", "123456789012345678901234567890", "123456789012345678901234567890");
}

#[test]
fn names_that_theta_cannot_read() {
    check("int", "u + s", "(+ u s)");
    check("int", "m[N]", "(select m N)");
}

/// Theta's table: `div` and `mod` are Euclidean, `rem` is `mod` with the sign of the divisor.
#[test]
fn division_and_remainders_round_as_in_theta() {
    for (dividend, divisor, quotient, modulo, remainder) in
        [(5, 3, 1, 2, 2), (5, -3, -1, 2, -2), (-5, 3, -2, 1, 1), (-5, -3, 2, 1, -1)]
    {
        same("int", &format!("{dividend} / {divisor}"), &quotient.to_string());
        same("int", &format!("{dividend} mod {divisor}"), &modulo.to_string());
        same("int", &format!("{dividend} rem {divisor}"), &remainder.to_string());
    }
    check("int", "x rem 3", "(mod x 3)");
    check("int", "x rem -3", "(* (- 1) (mod x (- 3)))");
    check("int", "x rem y", "(ite (<= y (- 1)) (* (- 1) (mod x y)) (mod x y))");
    same("int", "x / 0", "0");
    same("int", "x mod 0", "x");
    same("int", "x rem 0", "x");
}

#[test]
fn rationals_and_the_conversion_to_them() {
    check("rat", "1 % 2", "(/ 1 2)");
    check("rat", "4%2", "2.0");
    check("rat", "-1%3", "(- (/ 1 3))");
    check("rat", "7", "7.0");
    check("rat", "x", "(to_real x)");
    check("rat", "r + x", "(+ r (to_real x))");
    check("rat", "x + r", "(+ r (to_real x))");
    check("rat", "r - x", "(+ r (* (- 1.0) (to_real x)))");
    check("rat", "2 * r", "(* 2.0 r)");
    check("rat", "r / q", "(/ r q)");
    check("rat", "r / 2", "(* (/ 1 2) r)");
    check("rat", "1 / r", "(/ 1.0 r)");
    check("bool", "x < r", "(< (to_real x) r)");
    check("bool", "r >= x", "(<= (to_real x) r)");
    check("bool", "r = 1", "(= r 1.0)");
    check("bool", "1 /= r", "(not (= r 1.0))");
    check("rat", "if a then x else r", "(ite a (to_real x) r)");
    check("rat", "if a then x else y", "(to_real (ite a x y))");
    check("rat", "f[x]", "(select f (to_real x))");
    check("[rat] -> rat", "f[1 <- 2]", "(store f 1.0 2.0)");
}

#[test]
fn bit_vector_operators() {
    for op in ["bvadd", "bvmul", "bvand", "bvor", "bvxor", "bvsub", "bvudiv", "bvsdiv", "bvsmod"]
        .into_iter()
        .chain(["bvurem", "bvsrem", "bvshl", "bvashr", "bvlshr"])
    {
        check("bv[8]", &format!("v {op} w"), &format!("({op} v w)"));
    }
    for op in ["bvult", "bvule", "bvslt", "bvsle"] {
        check("bool", &format!("v {op} w"), &format!("({op} v w)"));
    }
    for (op, swapped) in
        [("bvugt", "bvult"), ("bvuge", "bvule"), ("bvsgt", "bvslt"), ("bvsge", "bvsle")]
    {
        check("bool", &format!("v {op} w"), &format!("({swapped} w v)"));
    }
    check("bv[8]", "bvnot v", "(bvnot v)");
    check("bv[8]", "bvneg v", "(bvneg v)");
    check("bv[8]", "bvpos v", "v");
    check("bv[8]", "-v", "(bvneg v)");
    check("bv[8]", "+v", "v");
    check("bv[8]", "v + w", "(bvadd v w)");
    check("bv[8]", "v - w", "(bvadd v (bvneg w))");
    check("bv[8]", "v * w", "(bvmul v w)");
    check("bool", "v = w", "(= v w)");
    check("bool", "v /= w", "(not (= v w))");
    check("bv[12]", "v ++ n", "(concat v n)");
    check("bv[8]", "n bv_zero_extend bv[8]", "((_ zero_extend 4) n)");
    check("bv[8]", "n bv_sign_extend bv[8]", "((_ sign_extend 4) n)");
    check("bv[4]", "n bv_sign_extend bv[4]", "n");
    check("bv[4]", "v[4:0]", "((_ extract 3 0) v)");
    check("bv[1]", "v[8:7]", "((_ extract 7 7) v)");
    check("bv[8]", "v[8:0]", "v");
}

#[test]
fn rotations_take_the_amount_modulo_the_width() {
    for amount in ["1", "9", "17"] {
        same("bv[8]", &format!("8'b10010000 bvrol 8'd{amount}"), "8'b00100001");
        same("bv[8]", &format!("8'b10010001 bvror 8'd{amount}"), "8'b11001000");
    }
    same("bv[8]", "8'b10010000 bvrol 8'd8", "8'b10010000");
    same("bv[4]", "4'b0001 bvror 4'd1 bvror 4'd1", "4'b0100");
}

#[test]
fn bit_vector_literals() {
    check("bv[4]", "4'b0010", "#x2");
    check("bv[4]", "4'd5", "#x5");
    check("bv[4]", "4'd15", "#xf");
    check("bv[4]", "4'd+5", "#x5");
    check("bv[4]", "4'd-5", "#xb");
    check("bv[4]", "4'd-8", "#x8");
    check("bv[8]", "8'xAf", "#xaf");
    check("bv[8]", "8'x0", "#x00");
    check("bv[4]", "4'b000001", "#x1");
    same("bv[1]", "1'd-1", "1'b1");
    same("bv[8]", "8'd255[8:0]", "8'xff");
    refused("bv[4]", "4'd16", "the value does not fit into 4 bits");
    refused("bv[4]", "4'd-9", "the value does not fit into 4 bits");
    refused("bv[4]", "4'b10000", "the value does not fit into 4 bits");
    refused("bv[4]", "4'x10", "the value does not fit into 4 bits");
    refused("bv[4]", "4'b0120", "`2` is no digit of a number in base 2");
    refused("bv[4]", "4'd1f", "`f` is no digit of a number in base 10");
    refused("bv[4]", "8'xfg", "`g` is no digit of a number in base 16");
    refused("bv[4]", "8'x1_0", "`_` is no digit of a number in base 16");
    refused("bv[4]", "4'b", "digits are missing after the base");
    refused("bv[4]", "4'd-", "digits are missing after the base");
    refused("bv[4]", "0'b0", "a bit-vector has at least one bit");
    refused("bv[4]", "999999999'd0", "bit-vectors of more than 1048576 bits are not supported");
    refused("bv[4]", "99999999999'd0", "bit-vectors of more than 1048576 bits are not supported");
}

#[test]
fn widths_are_bounded() {
    let too_wide = "bit-vectors of more than 1048576 bits are not supported";
    refused("bv[4]", "v bv_zero_extend bv[1048577]", too_wide);
    refused("bv[4]", "(v bv_zero_extend bv[1048576]) ++ v", too_wide);
    refused("bv[1048577]", "v", too_wide);
    refused("bv[0]", "v", "a bit-vector has at least one bit");
    refused("bv[8]", "v bv_zero_extend bv[4]", "bv[8] cannot be extended to bv[4]");
    refused("bv[8]", "v[0:0]", "bv[8] has no bits [0:0]");
    refused("bv[8]", "v[9:0]", "bv[8] has no bits [9:0]");
    refused("bv[8]", "v[2:5]", "bv[8] has no bits [2:5]");
    refused("bv[8]", "v[99999999999:0]", "bv[8] has no bits [99999999999:0]");
}

#[test]
fn arrays() {
    check("int", "m[x]", "(select m x)");
    check("[int] -> int", "m[x <- y]", "(store m x y)");
    check("int", "m[x <- y][z]", "(select (store m x y) z)");
    check("bool", "g[x][y]", "(select (select g x) y)");
    check("bool", "m = m[x <- 1]", "(= m (store m x 1))");
    let array = "(Array Int Int)";
    check("[int] -> int", "[<int> default <- 3]", &format!("((as const {array}) 3)"));
    check("[int] -> int", "[<int> default <- x]", &format!("((as const {array}) x)"));
    check(
        "[int] -> int",
        "[0 <- 1, 1 <- 2, default <- 0]",
        &format!("(store (store ((as const {array}) 0) 0 1) 1 2)"),
    );
    check(
        "[int] -> int",
        "[x <- 1, <int> default <- y]",
        &format!("(store ((as const {array}) y) x 1)"),
    );
    same("[int] -> int", "[0 <- 1, 0 <- 2, default <- 0]", "[0 <- 2, default <- 0]");
    same("int", "[0 <- 1, 0 <- x, default <- 0][0]", "x");
    same("[rat] -> rat", "[1 <- 2, <rat> default <- 0%1]", "[1%1 <- 2%1, default <- 0%1]");
    same("bool", "[[<int> default <- 1] <- true, default <- false][[<int> default <- 1]]", "true");
}

#[test]
fn types_are_checked() {
    refused("bool", "x", "expected bool, found int");
    refused("int", "r", "expected int, found rat");
    refused("bool", "a and x", "expected bool, found int");
    refused("bool", "x or a", "expected bool, found int");
    refused("bool", "not x", "expected bool, found int");
    refused("bool", "a iff x", "expected bool, found int");
    refused("bool", "x imply a", "expected bool, found int");
    refused("bool", "a xor x", "expected bool, found int");
    refused("bool", "x = a", "expected int, found bool");
    refused("bool", "v = n", "expected bv[8], found bv[4]");
    refused("bool", "m = f", "expected [int] -> int, found [rat] -> rat");
    refused("bool", "a < x", "expected a number, found bool");
    refused("bool", "x < a", "expected int, found bool");
    refused("bool", "v < w", "expected a number, found bv[8]");
    refused("bool", "x < v", "expected int, found bv[8]");
    refused("int", "a + x", "expected a number or a bit-vector, found bool");
    refused("int", "x + a", "expected int, found bool");
    refused("int", "x + r + a", "expected int, found bool");
    refused("int", "x * v", "expected int, found bv[8]");
    refused("int", "a * x", "expected a number or a bit-vector, found bool");
    refused("int", "v / w", "expected a number, found bv[8]");
    refused("int", "x mod r", "expected int, found rat");
    refused("int", "r mod x", "expected int, found rat");
    refused("int", "v rem w", "expected a number, found bv[8]");
    refused("int", "-a", "expected a number or a bit-vector, found bool");
    refused("bv[8]", "v bvadd n", "expected bv[8], found bv[4]");
    refused("bv[8]", "x bvadd v", "expected a bit-vector, found int");
    refused("bv[8]", "v bvrol n", "expected bv[8], found bv[4]");
    refused("bv[8]", "v bvugt x", "expected bv[8], found int");
    refused("bv[8]", "bvnot x", "expected a bit-vector, found int");
    refused("bv[8]", "bvpos x", "expected a bit-vector, found int");
    refused("bv[8]", "x ++ v", "expected a bit-vector, found int");
    refused("bv[8]", "x bv_zero_extend bv[8]", "expected a bit-vector, found int");
    refused("bv[8]", "x[4:0]", "expected a bit-vector, found int");
    refused("int", "x[0]", "expected an array, found int");
    refused("int", "m[a]", "expected int, found bool");
    refused("[int] -> int", "m[0 <- a]", "expected int, found bool");
    refused("[int] -> int", "[a <- 1, <int> default <- 0]", "expected int, found bool");
    refused("[int] -> int", "[0 <- a, default <- 0]", "expected int, found bool");
    refused("int", "if x then y else z", "expected bool, found int");
    refused("int", "if a then y else b", "expected int, found bool");
}
