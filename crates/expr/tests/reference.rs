//! Operators on all small values against definitions in machine integers, after SMT-LIB.

use std::collections::BTreeMap;

use lapidary_expr::Term;
use lapidary_expr::text::parse;

fn check(text: &str, expected: &str) {
    let value = parse(text, &BTreeMap::new()).map(|term| term.to_string());
    assert_eq!(value.as_deref(), Ok(expected), "{text}");
}

fn bits(width: u32, value: i64) -> String {
    Term::bv(width, value).to_string()
}

/// The two's complement number that the low `width` bits of `x` say.
fn signed(width: u32, x: i64) -> i64 {
    if x >> (width - 1) & 1 == 1 { x - (1 << width) } else { x }
}

fn check_all(
    widths: std::ops::RangeInclusive<u32>,
    name: &str,
    reference: fn(u32, i64, i64) -> i64,
) {
    for width in widths {
        for (x, y) in pairs(0..1 << width) {
            let text = format!("({name} {} {})", bits(width, x), bits(width, y));
            check(&text, &bits(width, reference(width, x, y)));
        }
    }
}

fn pairs(range: std::ops::Range<i64>) -> impl Iterator<Item = (i64, i64)> {
    range.clone().flat_map(move |x| range.clone().map(move |y| (x, y)))
}

#[test]
fn bits_and_sums() {
    check_all(1..=3, "bvand", |_, x, y| x & y);
    check_all(1..=3, "bvor", |_, x, y| x | y);
    check_all(1..=3, "bvxor", |_, x, y| x ^ y);
    check_all(1..=3, "bvnand", |_, x, y| !(x & y));
    check_all(1..=3, "bvnor", |_, x, y| !(x | y));
    check_all(1..=3, "bvxnor", |_, x, y| !(x ^ y));
    check_all(1..=3, "bvadd", |_, x, y| x + y);
    check_all(1..=3, "bvsub", |_, x, y| x - y);
    check_all(1..=3, "bvmul", |_, x, y| x * y);
}

#[test]
fn unsigned_division() {
    check_all(1..=3, "bvudiv", |_, x, y| x.checked_div(y).unwrap_or(-1));
    check_all(1..=3, "bvurem", |_, x, y| x.checked_rem(y).unwrap_or(x));
}

/// SMT-LIB defines the signed operators by the unsigned ones on absolute values.
#[test]
fn signed_division() {
    fn unsigned(x: i64, y: i64) -> (i64, i64) {
        (x.checked_div(y).unwrap_or(-1), x.checked_rem(y).unwrap_or(x))
    }
    fn parts(width: u32, x: i64, y: i64) -> (bool, bool, i64, i64) {
        let (x, y) = (signed(width, x), signed(width, y));
        let (quotient, remainder) = unsigned(x.abs(), y.abs());
        (x < 0, y < 0, quotient, remainder)
    }
    check_all(1..=4, "bvsdiv", |width, x, y| match parts(width, x, y) {
        (negative, other, quotient, _) if negative == other => quotient,
        (_, _, quotient, _) => -quotient,
    });
    check_all(1..=4, "bvsrem", |width, x, y| match parts(width, x, y) {
        (true, _, _, remainder) => -remainder,
        (false, _, _, remainder) => remainder,
    });
    check_all(1..=4, "bvsmod", |width, x, y| match parts(width, x, y) {
        (_, _, _, 0) => 0,
        (false, false, _, remainder) => remainder,
        (true, false, _, remainder) => -remainder + signed(width, y),
        (false, true, _, remainder) => remainder + signed(width, y),
        (true, true, _, remainder) => -remainder,
    });
    check("(bvsdiv #x80 #xff)", "#x80");
    check("(bvsrem #x80 #xff)", "#x00");
    check("(bvsmod #xf9 #x03)", "#x02");
}

#[test]
fn shifts() {
    check_all(1..=4, "bvshl", |width, x, by| if by < width.into() { x << by } else { 0 });
    check_all(1..=4, "bvlshr", |width, x, by| if by < width.into() { x >> by } else { 0 });
    check_all(1..=4, "bvashr", |width, x, by| signed(width, x) >> by.min(63));
    check("(bvashr #x8000000000000000 #xffffffffffffffff)", "#xffffffffffffffff");
    check("(bvshl #x0000000000000001 #x8000000000000000)", "#x0000000000000000");
}

#[test]
fn one_argument() {
    for width in 1..=4 {
        for x in 0..1 << width {
            let word = bits(width, x);
            check(&format!("(bvnot {word})"), &bits(width, !x));
            check(&format!("(bvneg {word})"), &bits(width, -x));
            check(&format!("(ubv_to_int {word})"), &x.to_string());
            check(&format!("(sbv_to_int {word})"), &Term::int(signed(width, x)).to_string());
            for n in 0..3 {
                check(&format!("((_ zero_extend {n}) {word})"), &bits(width + n, x));
                let extended = bits(width + n, signed(width, x));
                check(&format!("((_ sign_extend {n}) {word})"), &extended);
            }
            for (high, low) in (0..width).flat_map(|h| (0..=h).map(move |l| (h, l))) {
                let expected = bits(high - low + 1, x >> low);
                check(&format!("((_ extract {high} {low}) {word})"), &expected);
            }
        }
    }
}

#[test]
fn comparisons() {
    for width in 1..=4 {
        for (x, y) in pairs(0..1 << width) {
            let (a, b) = (signed(width, x), signed(width, y));
            let check = |name: &str, expected: bool| {
                let text = format!("({name} {} {})", bits(width, x), bits(width, y));
                check(&text, &expected.to_string());
            };
            check("bvult", x < y);
            check("bvule", x <= y);
            check("bvugt", x > y);
            check("bvuge", x >= y);
            check("bvslt", a < b);
            check("bvsle", a <= b);
            check("bvsgt", a > b);
            check("bvsge", a >= b);
            check("=", x == y);
        }
    }
}

#[test]
fn concatenation() {
    for (x, y) in pairs(0..8) {
        check(&format!("(concat {} {})", bits(3, x), bits(3, y)), &bits(6, x << 3 | y));
        check(&format!("(concat {} #b1 {})", bits(3, x), bits(3, y)), &bits(7, x << 4 | 8 | y));
        check(&format!("((_ repeat 2) {})", bits(3, x)), &bits(6, x << 3 | x));
    }
}

/// Left by `n` in `width` bits, one bit at a time.
fn rotated(width: u32, x: i64, n: i64) -> i64 {
    (0..n).fold(x, |x, _| (x << 1 | x >> (width - 1)) & ((1 << width) - 1))
}

#[test]
fn rotations_by_constants() {
    for width in 1..=5 {
        for x in 0..1 << width {
            for n in 0..12 {
                let left = bits(width, rotated(width, x, n));
                check(&format!("((_ rotate_left {n}) {})", bits(width, x)), &left);
                check(&format!("((_ rotate_right {n}) {left})"), &bits(width, x));
            }
        }
    }
}

#[test]
fn rotations_by_terms() {
    for width in 1..=5 {
        for (x, by) in pairs(0..1 << width) {
            let left = Term::bv(width, x).rotate_left(Term::bv(width, by));
            let expected = Term::bv(width, rotated(width, x, by));
            assert_eq!(left, Ok(expected), "{x} left by {by} in {width} bits");
            assert_eq!(expected.rotate_right(Term::bv(width, by)), Ok(Term::bv(width, x)));
        }
    }
    assert!(Term::bv(3, 1).rotate_left(Term::bv(2, 1)).is_err());
}

#[test]
fn integer_division() {
    for (x, y) in pairs(-7..8) {
        let check = |name: &str, expected: i64| {
            check(
                &format!("({name} {} {})", Term::int(x), Term::int(y)),
                &Term::int(expected).to_string(),
            );
        };
        // The quotient is the one with 0 <= x - y * q < |y|.
        let quotient = (-7..8).find(|q| (0..y.abs()).contains(&(x - y * q)));
        check("div", quotient.unwrap_or(0));
        check("mod", quotient.map_or(x, |q| x - y * q));
        let magnitude = if y == 0 { x.abs() } else { x.abs() % y.abs() };
        check("rem", if x < 0 { -magnitude } else { magnitude });
    }
}

#[test]
fn integers_and_rationals() {
    for (n, d) in pairs(-7..8) {
        let fraction = format!("(/ {} {})", Term::int(n), Term::int(d));
        // The q with q <= n/d < q + 1, multiplied out.
        let is_floor = |q: &i64| match d {
            0 => false,
            d if d > 0 => q * d <= n && n < (q + 1) * d,
            d => q * d >= n && n > (q + 1) * d,
        };
        let floor = (-7..8).find(is_floor);
        check(&format!("(to_int {fraction})"), &Term::int(floor.unwrap_or(0)).to_string());
        let product = format!("(= (* {} {fraction}) {})", Term::int(d), Term::int(n));
        check(&product, if d != 0 || n == 0 { "true" } else { "false" });
    }
    check("(to_real 3)", "3.0");
}

#[test]
fn conversions_of_integers() {
    for width in 1..=4 {
        for x in -20..20i64 {
            let bits = bits(width, x);
            check(&format!("((_ int_to_bv {width}) {})", Term::int(x)), &bits);
            check(&format!("(ubv_to_int {bits})"), &x.rem_euclid(1 << width).to_string());
        }
    }
}
