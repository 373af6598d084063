//! Claims about a program's results, and the verdicts about them that are wrong for certain.

use std::collections::BTreeSet;

use super::compilers::Computed;
use super::program::Program;

/// What a verifier says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The claim holds.
    Safe,
    /// The claim does not hold.
    Unsafe,
}

impl Verdict {
    /// The word for it.
    pub fn word(self) -> &'static str {
        match self {
            Verdict::Safe => "safe",
            Verdict::Unsafe => "unsafe",
        }
    }

    /// The verdict that this word says, if it says one.
    pub fn from_word(word: &str) -> Option<Verdict> {
        [Verdict::Safe, Verdict::Unsafe].into_iter().find(|verdict| verdict.word() == word)
    }
}

/// A claim that the result is one of a set.
#[derive(Clone, Debug)]
pub struct Claim {
    /// What it is, in a word.
    pub name: &'static str,
    /// The results that it allows.
    pub results: Vec<u64>,
    /// The verdict about it that is wrong.
    pub wrong: Verdict,
}

/// Whether all compilers compute the same.
pub fn agree(computed: &[Computed]) -> bool {
    computed.windows(2).all(|pair| pair[0].results == pair[1].results)
}

/// The claims to ask. One that covers all results may not be `unsafe`, unless C leaves the result open; one that misses
/// a result of some compiler may not be `safe`.
pub fn claims(program: &Program, computed: &[Computed]) -> Vec<Claim> {
    let sets: Vec<BTreeSet<u64>> =
        computed.iter().map(|computed| computed.results.iter().copied().collect()).collect();
    let all: BTreeSet<u64> = sets.iter().flatten().copied().collect();
    let without = |left_out: Option<&u64>| -> Vec<u64> {
        all.iter().filter(|result| Some(*result) != left_out).copied().collect()
    };
    let missing = |name, left_out| Claim { name, results: without(left_out), wrong: Verdict::Safe };
    if agree(computed) && !program.is_open() {
        let whole = Claim { name: "all", results: without(None), wrong: Verdict::Unsafe };
        return vec![whole, missing("not-last", all.last())];
    }
    let mut claims: Vec<Claim> = Vec::new();
    for set in sets.iter().filter(|set| set.len() < all.len()) {
        let results: Vec<u64> = set.iter().copied().collect();
        if claims.iter().all(|claim| claim.results != results) {
            let name = ["one-compiler", "other-compiler"][claims.len().min(1)];
            claims.push(Claim { name, results, wrong: Verdict::Safe });
        }
    }
    claims.truncate(2);
    if claims.len() < 2 {
        claims.push(missing("not-last", all.last()));
    }
    if claims.len() < 2 && all.len() > 1 {
        claims.push(missing("not-first", all.first()));
    }
    claims
}
