//! The meaning of whole C programs against gcc and clang: no claim about their results gets a wrong verdict.
//!
//! `LAPIDARY_COMPILERS_PROGRAMS=2000` is a longer run; the example `compilers` of the oracle goes on where it ended.

mod common;

use std::io::{self, Write as _};

use common::Folder;
use lapidary_oracle::c::{
    Answer, Bits, Claim, Compilers, Origin, Program, Session, Verifier, agree, claims, is_wrong,
    told,
};

const SEED: u64 = 1;
/// How many programs are compiled at once.
const BATCH: usize = 50;

fn n_programs() -> u64 {
    let wanted = std::env::var("LAPIDARY_COMPILERS_PROGRAMS").ok().and_then(|n| n.parse().ok());
    wanted.unwrap_or(300)
}

/// What came out.
#[derive(Default)]
struct Outcome {
    asked: usize,
    decided: usize,
    wrong: Vec<(Origin, Claim, Answer)>,
}

#[test]
fn claims_about_programs_get_no_wrong_verdict_with_32_bits() {
    compare(Bits::Ilp32);
}

#[test]
fn claims_about_programs_get_no_wrong_verdict_with_64_bits() {
    compare(Bits::Lp64);
}

/// Half of the programs have this data model.
fn compare(bits: Bits) {
    let folder = Folder::new(&format!("compilers-{}", bits.word()));
    let compilers = Compilers::installed(folder.path());
    for name in ["gcc", "clang"] {
        if !compilers.has(name) {
            let _ = writeln!(io::stderr(), "SKIPPED: there is no {name} to compare with");
        }
    }
    if !compilers.has("gcc") {
        return;
    }
    let words = [
        env!("CARGO_BIN_EXE_lapidary"),
        "verify",
        "--check",
        "assertion",
        "--bits",
        "{bits}",
        "--time",
        "0.3",
        "{file}",
    ];
    let words = words.map(String::from).to_vec();
    let verifier = Verifier { words, folder: folder.path().to_path_buf() };
    let session = Session { compilers, verifier };
    let origins = (0..n_programs()).map(|number| Origin { seed: SEED, number });
    let origins: Vec<Origin> = origins.filter(|origin| origin.bits() == bits).collect();
    let mut outcome = Outcome::default();
    for origins in origins.chunks(BATCH) {
        check(&session, origins, bits, &mut outcome);
    }
    let Outcome { asked, decided, wrong } = outcome;
    if let Some((origin, claim, answer)) = wrong.first() {
        let all: Vec<u64> = wrong.iter().map(|(origin, ..)| origin.number).collect();
        panic!("wrong: {all:?}\n{}", session.report(*origin, claim, answer));
    }
    let _ = writeln!(io::stderr(), "{decided} of {asked} claims decided");
    // How many depends on the machine; that it is many shows that the claims are asked at all.
    assert!(decided * 5 >= asked, "{decided} of {asked} claims decided");
}

fn check(session: &Session, origins: &[Origin], bits: Bits, outcome: &mut Outcome) {
    let programs: Vec<Program> = origins.iter().map(|origin| origin.program()).collect();
    let all = session.compilers.compute(&programs, bits).expect("compilers take all programs");
    for ((origin, program), computed) in origins.iter().zip(&programs).zip(&all) {
        let told = told(computed);
        assert!(
            agree(computed) || program.is_open(),
            "compilers differ: {origin:?}\n{told}{}",
            program.claiming(&[])
        );
        // Each is asked by half of the programs; the example asks all.
        let mut claims = claims(program, computed);
        let claim = claims.swap_remove((origin.number / 2) as usize % claims.len());
        let answer = session.ask(program, &claim, bits).expect("the verifier starts");
        outcome.asked += 1;
        outcome.decided += usize::from(answer.verdict.is_some());
        if is_wrong(&claim, &answer) {
            outcome.wrong.push((*origin, claim, answer));
        }
    }
}
