//! Every operation against all elements of all small sets.

use super::*;

/// All sets with bounds up to `most` in size and moduli up to `moduli`, and those without a bound on one side.
fn sets(most: i128, moduli: i128) -> Vec<Range> {
    let mut sets = vec![Range::ALL];
    let bounds = || -most..=most;
    for modulus in 1..=moduli {
        for rest in 0..modulus {
            let all = |lo, hi| Range::new(lo, hi, modulus, rest);
            sets.extend(bounds().flat_map(|lo| (lo..=most).filter_map(move |hi| all(lo, hi))));
            sets.extend(bounds().filter_map(|bound| all(LEAST, bound)));
            sets.extend(bounds().filter_map(|bound| all(bound, GREATEST)));
        }
    }
    sets
}

/// The elements in a window around the bounds.
fn elements(set: Range) -> Vec<i128> {
    (-12..=12).filter(|n| set.has(*n)).collect()
}

fn check_unary(name: &str, of: impl Fn(Range) -> Range, op: impl Fn(i128) -> i128) {
    for set in sets(8, 4) {
        let result = of(set);
        for n in elements(set) {
            assert!(result.has(op(n)), "{name} {n} of {set:?} is not in {result:?}");
        }
    }
}

fn check(name: &str, of: impl Fn(Range, Range) -> Range, op: impl Fn(i128, i128) -> i128) {
    let sets: Vec<(Range, Vec<i128>)> =
        sets(8, 1).into_iter().chain(sets(5, 3)).map(|set| (set, elements(set))).collect();
    for (a, left) in &sets {
        for (b, right) in &sets {
            let result = of(*a, *b);
            for x in left {
                for y in right {
                    assert!(
                        result.has(op(*x, *y)),
                        "{x} {name} {y} of {a:?} and {b:?} is not in {result:?}"
                    );
                }
            }
        }
    }
}

#[test]
fn sums_and_products_contain_those_of_all_elements() {
    check("+", Range::plus, |x, y| x + y);
    check("-", Range::minus, |x, y| x - y);
    check("*", Range::times, |x, y| x * y);
    check_unary("-", Range::negated, |x| -x);
}

#[test]
fn quotients_and_remainders_contain_those_of_all_elements() {
    let or = |y: i128, by_zero: i128, result: fn(i128, i128) -> i128, x: i128| match y {
        0 => by_zero,
        _ => result(x, y),
    };
    check("div", Range::div_euclid, |x, y| or(y, 0, i128::div_euclid, x));
    check("/", Range::div_trunc, |x, y| or(y, 0, |x, y| x / y, x));
    check("mod", Range::rem_euclid, |x, y| or(y, x, i128::rem_euclid, x));
    check("%", Range::rem_trunc, |x, y| or(y, x, |x, y| x % y, x));
}

#[test]
fn operations_with_numbers_contain_those_of_all_elements() {
    for n in 1..=9 {
        check_unary("floor", |set| set.floor_div(n), |x| x.div_euclid(n));
        check_unary("trunc", |set| set.trunc_div(n), |x| x / n);
        check_unary("mod", |set| set.modulo(n), |x| x.rem_euclid(n));
        check_unary("%", |set| set.remainder(n), |x| x % n);
    }
    for (width, least) in [(1, 0), (1, -1), (2, 0), (2, -2), (3, 0), (3, -4)] {
        let size = 1 << width;
        let wrap = |x: i128| (x - least).rem_euclid(size) + least;
        check_unary("wrapped", |set| set.wrapped(width, least), wrap);
    }
    for set in sets(8, 4) {
        for factor in -4..=4 {
            let rest = set.divided_exactly(factor);
            let is_kept = |x: &i128| rest.is_some_and(|rest| rest.has(*x));
            let mut all = (-3..=3).filter(|x| set.has(x * factor));
            assert!(all.all(|x| is_kept(&x)), "{set:?} / {factor}");
        }
        for value in -9..=9 {
            let rest = set.without(value);
            let kept = |x: &i128| rest.is_some_and(|rest| rest.has(*x));
            let mut all = elements(set).into_iter().filter(|x| *x != value);
            assert!(all.all(|x| kept(&x)), "{set:?} without {value}");
        }
    }
}

#[test]
fn joins_contain_both_sets_and_meets_what_is_common() {
    let sets = sets(6, 3);
    for a in &sets {
        for b in &sets {
            let (joined, met) = (a.join(*b), a.meet(*b));
            let wide = a.widen(*b, &[-7, -2, 0, 3]);
            for n in -12..=12 {
                let (left, right) = (a.has(n), b.has(n));
                assert!(!(left || right) || joined.has(n) && wide.has(n), "{a:?} {b:?} {n}");
                assert!(!(left && right) || met.is_some_and(|met| met.has(n)));
            }
            assert!(!a.is_subset(*b) || elements(*a).iter().all(|n| b.has(*n)));
        }
    }
}
