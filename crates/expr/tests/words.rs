//! Evaluation in words agrees with the reference on wide vectors and large numbers, at the edges above all.

use lapidary_expr::{Beyond, Op, Sort, Term, Valuation, Value};

const SORTS: [Sort; 9] = [
    Sort::Bool,
    Sort::Int,
    Sort::Bv(1),
    Sort::Bv(8),
    Sort::Bv(31),
    Sort::Bv(32),
    Sort::Bv(33),
    Sort::Bv(63),
    Sort::Bv(64),
];

/// Random numbers (xorshift).
struct Rng(u64);

impl Rng {
    fn bits(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn below(&mut self, n: u32) -> u32 {
        (self.bits() >> 20) as u32 % n
    }
}

/// Near zero, near a power of two, or anything.
fn number(rng: &mut Rng) -> i64 {
    let near = i64::from(rng.below(7)) - 3;
    match rng.below(4) {
        0 => near,
        1 => (1i64 << rng.below(64)).wrapping_add(near),
        2 => (-1i64 << rng.below(64)).wrapping_add(near),
        _ => rng.bits().cast_signed(),
    }
}

fn literal(rng: &mut Rng, sort: Sort) -> Term {
    let word = match sort {
        Sort::Bool => i64::from(rng.below(2)),
        Sort::Bv(64) | Sort::Int => number(rng),
        Sort::Bv(width) => number(rng) & ((1u64 << width) - 1).cast_signed(),
        _ => unreachable!("not a sort of words"),
    };
    Term::lit(Value::unpack(sort, word))
}

#[test]
fn operators_agree_with_the_table() {
    let mut rng = Rng(7);
    let mut ops = Op::PLAIN.to_vec();
    ops.extend([0, 1, 31, 32, 63].into_iter().flat_map(|n| {
        [Op::ZeroExtend(n), Op::SignExtend(n), Op::IntToBv(n + 1), Op::Extract(n, n / 2)]
    }));
    let (mut compared, mut beyond) = (0, 0);
    for op in ops {
        for sort in SORTS {
            for _ in 0..400 {
                let n = 1 + rng.below(3);
                let args: Vec<Term> = (0..n).map(|_| literal(&mut rng, sort)).collect();
                let Ok(term) = Term::verbatim(op.clone(), args) else { continue };
                let known = Valuation::new();
                match term.as_word(&known) {
                    Ok(word) => {
                        let value = word.map(|word| Value::unpack(term.sort(), word));
                        assert_eq!(value, term.eval(&known), "{term}");
                        compared += 1;
                    }
                    Err(Beyond) => beyond += 1,
                }
            }
        }
    }
    assert!(compared > 5 * beyond, "{compared} compared, {beyond} beyond words");
}

#[test]
fn words_are_read_back() {
    let mut rng = Rng(8);
    for sort in SORTS {
        for _ in 0..100 {
            let term = literal(&mut rng, sort);
            let value = term.as_lit().expect("a literal");
            assert_eq!(value.pack().map(|word| Value::unpack(sort, word)).as_ref(), Some(value));
        }
    }
}
