//! A verifier beside the compilers: what it gets wrong, as small as it can be shown.

use std::fmt::Write;

use super::claim::{Claim, claims};
use super::compilers::{Bits, Compilers, Computed};
use super::program::Program;
use super::shrink::shrink;
use super::verifier::{Answer, Verifier};

/// How many programs the shrinker tries.
const TRIES: usize = 1500;

/// Those who are asked.
#[derive(Clone, Debug)]
pub struct Session {
    /// What the results are.
    pub compilers: Compilers,
    /// Who is tested.
    pub verifier: Verifier,
}

/// A program by its seed and number.
#[derive(Clone, Copy, Debug)]
pub struct Origin {
    /// The seed of all programs.
    pub seed: u64,
    /// The number of this one.
    pub number: u64,
}

impl Origin {
    /// The data model for it: even numbers have 32 bits.
    pub fn bits(self) -> Bits {
        if self.number.is_multiple_of(2) { Bits::Ilp32 } else { Bits::Lp64 }
    }

    /// The program.
    pub fn program(self) -> Program {
        Program::new(self.seed, self.number)
    }
}

/// Whether an answer is wrong for certain. Who does not end in an orderly way is wrong, too.
pub fn is_wrong(claim: &Claim, answer: &Answer) -> bool {
    answer.verdict == Some(claim.wrong) || !answer.is_orderly
}

/// What the compilers computed, one line for each.
pub fn told(computed: &[Computed]) -> String {
    let mut text = String::new();
    for computed in computed {
        let _ = writeln!(text, "// {}: {:?}", computed.by, computed.results);
    }
    text
}

impl Session {
    /// What the verifier says about a claim.
    pub fn ask(&self, program: &Program, claim: &Claim, bits: Bits) -> Result<Answer, String> {
        let answer = self.verifier.ask(&program.claiming(&claim.results), bits);
        answer.map_err(|error| error.to_string())
    }

    /// A report about a wrong answer, with the smallest program that is answered wrongly in the same way.
    pub fn report(&self, origin: Origin, claim: &Claim, answer: &Answer) -> String {
        let (bits, program) = (origin.bits(), origin.program());
        let small =
            shrink(&program, TRIES, &mut |program| self.fails(program, claim, bits).is_some());
        let mut text = format!(
            "// WRONG: seed {}, number {}, {} bits, claim {}: {}\n",
            origin.seed,
            origin.number,
            bits.word(),
            claim.name,
            answer.line
        );
        match self.fails(&small, claim, bits) {
            Some((computed, claim)) => {
                text += &told(&computed);
                text += &small.claiming(&claim.results);
            }
            None => text += &program.claiming(&claim.results),
        }
        text
    }

    /// The results and the claim by which a program fails as another one did.
    fn fails(&self, program: &Program, like: &Claim, bits: Bits) -> Option<(Vec<Computed>, Claim)> {
        let computed = self.compilers.compute(std::slice::from_ref(program), bits).ok()?.pop()?;
        let found = claims(program, &computed).into_iter().find(|claim| {
            claim.wrong == like.wrong
                && self.ask(program, claim, bits).is_ok_and(|answer| is_wrong(claim, &answer))
        });
        found.map(|claim| (computed, claim))
    }
}
