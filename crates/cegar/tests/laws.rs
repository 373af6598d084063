//! Laws of abstract domains, on random cases, against all values of a few small variables.
//!
//! A law is a function that is generic in the domain; a domain joins by a test that lists the laws it obeys.
//! States come from the domain itself, as successors of its top, and precisions from what it learns, so that
//! nothing here knows what they are made of. A case that breaks a law is shrunk before it is reported.
//!
//! `LAWS_CASES` and `LAWS_SEED` make a longer run or another one.

#[path = "laws/index.rs"]
mod index;
#[path = "laws/learn.rs"]
mod learn;
#[path = "laws/order.rs"]
mod order;
#[path = "laws/post.rs"]
mod post;
#[path = "laws/world.rs"]
mod world;

use lapidary_cegar::domain::explicit::MaxEnum;
use lapidary_cegar::domain::predicate::PredSplit;
use lapidary_cegar::domain::{Boolean, Cartesian, Combined, Explicit, Product, Split, States};
use lapidary_cegar::{Domain, Result};
use lapidary_oracle::case::{ALL, FINITE};
use lapidary_oracle::shrink::shrink_case;
use lapidary_oracle::{Case, Kind, Random};
use lapidary_solver::limits::Watch;
use lapidary_solver::z3::Z3;
use world::World;

/// What is wrong with a domain in a case; nothing if the law holds.
type Broken = Option<String>;

/// A law with its name.
type Law<D> = (&'static str, fn(&mut D, &Case) -> Result<Broken>);

/// The laws of every domain.
fn of_all<D: Domain>() -> Vec<Law<D>> {
    vec![
        ("⊑ is reflexive", order::reflexive),
        ("⊑ is transitive", order::transitive),
        ("s ⊑ t implies expr(s) ⇒ expr(t)", order::monotone),
        ("everything ⊑ top", order::top_is_greatest),
        ("post leaves nothing out", post::leaves_nothing_out),
        ("post with something given leaves nothing out", post::leaves_nothing_given_out),
        ("the index finds whatever covers", index::is_complete),
    ]
}

/// The laws of domains whose successors are as good as the precision allows.
fn of_exact_ones<D: Domain>() -> Vec<Law<D>> {
    let mut laws = of_all();
    laws.push(("a finer precision has no larger post", post::finer_is_smaller));
    laws
}

fn number(name: &str, default: usize) -> usize {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}

/// Tries the laws on random cases over variables of these kinds. One domain for all cases: what it remembers must
/// not mislead it.
fn check<D: Domain>(kinds: &[Kind], laws: &[Law<D>], domain: impl Fn(&Z3) -> D) {
    try_laws(kinds, laws, domain, false);
}

/// The same with a domain for each case: flags, once set, would leave nothing to try in later cases.
fn check_each<D: Domain>(kinds: &[Kind], laws: &[Law<D>], domain: impl Fn(&Z3) -> D) {
    try_laws(kinds, laws, domain, true);
}

fn try_laws<D: Domain>(
    kinds: &[Kind],
    laws: &[Law<D>],
    domain: impl Fn(&Z3) -> D,
    is_forgetful: bool,
) {
    let z3 = Z3::new(&Watch::default()).expect("Z3");
    let (n_cases, seed) = (number("LAWS_CASES", 300), number("LAWS_SEED", 1));
    let mut random = Random::new(seed as u64);
    let mut subject = domain(&z3);
    for i in 0..n_cases {
        let case = Case::random(&mut random, kinds);
        if is_forgetful {
            subject = domain(&z3);
        }
        for (name, law) in laws {
            let Some(problem) = law(&mut subject, &case).expect("an answer") else { continue };
            let mut fails = |case: &Case| matches!(law(&mut domain(&z3), case), Ok(Some(_)));
            let small = shrink_case(&case, &mut fails);
            let problem = law(&mut domain(&z3), &small).ok().flatten().unwrap_or(problem);
            let small = World::new(&small).describe();
            panic!("case {i} of seed {seed} breaks \"{name}\": {problem}\n{small}");
        }
    }
}

#[test]
fn explicit_by_evaluation_alone() {
    check(&ALL, &of_exact_ones(), |z3| Explicit::new(z3, MaxEnum::Evaluate));
}

/// With a limit, a finer precision may have a larger post; see [`post::finer_may_be_larger_with_a_limit`].
#[test]
fn explicit_with_a_limit() {
    for limit in [1, 4] {
        check(&ALL, &of_all(), |z3| Explicit::new(z3, MaxEnum::Limit(limit)));
    }
}

/// On finite sorts only: it enumerates all values of a variable.
#[test]
fn explicit_without_a_limit() {
    let mut laws = of_exact_ones();
    laws.push(("what was learned to hold is kept", learn::holds_is_kept));
    laws.push(("what was learned to track is known", learn::tracks_is_kept));
    check(&FINITE, &laws, |z3| Explicit::new(z3, MaxEnum::Unlimited));
}

#[test]
fn cartesian() {
    for split in PredSplit::ALL {
        check(&ALL, &of_exact_ones(), |z3| Cartesian::new(z3, split));
    }
}

/// On finite sorts, where trying all values tells exactly what holds. It is no law for atoms; see [`learn`].
#[test]
fn cartesian_keeps_what_it_learns() {
    for split in [PredSplit::Whole, PredSplit::Conjuncts] {
        let law: Law<Cartesian> = ("what was learned is kept", learn::holds_is_kept);
        check(&FINITE, &[law], |z3| Cartesian::new(z3, split));
    }
}

#[test]
fn boolean() {
    for split in PredSplit::ALL {
        check(&ALL, &of_exact_ones(), |z3| Boolean::new(z3, split));
    }
}

#[test]
fn one_state_per_cube() {
    for split in PredSplit::ALL {
        check(&ALL, &of_exact_ones(), |z3| Split::new(z3, split));
    }
}

/// Unlike Cartesian abstraction, combinations rebuild every formula from its atoms.
#[test]
fn combinations_keep_what_they_learn() {
    for split in PredSplit::ALL {
        let law: Law<Boolean> = ("what was learned is kept", learn::holds_is_kept);
        check(&FINITE, &[law], |z3| Boolean::new(z3, split));
        let law: Law<Split> = ("what was learned is kept", learn::holds_is_kept);
        check(&FINITE, &[law], |z3| Split::new(z3, split));
    }
}

/// Not that a finer precision is smaller: one more variable may exceed the limit, and be flagged.
#[test]
fn product() {
    for max_enum in ["1*", "1", "4", "auto"] {
        let max_enum: MaxEnum = max_enum.parse().unwrap();
        let split = PredSplit::Atoms;
        check_each(&ALL, &of_all(), |z3| Product::new(z3, max_enum, Cartesian::new(z3, split)));
        check_each(&ALL, &of_all(), |z3| Product::new(z3, max_enum, Boolean::new(z3, split)));
        check_each(&ALL, &of_all(), |z3| Product::new(z3, max_enum, Split::new(z3, split)));
    }
}

/// Every variable of the cases is explicit, or only the first.
#[test]
fn combined() {
    for n in [1, 3] {
        let split = PredSplit::Conjuncts;
        let explicit =
            |case: &Case| World::new(case).lowering.vars().iter().copied().take(n).collect();
        let mut random = Random::new(number("LAWS_SEED", 1) as u64);
        let vars: lapidary_expr::VarSet = explicit(&Case::random(&mut random, &ALL));
        let limit = MaxEnum::Limit(4);
        check(&ALL, &of_exact_ones(), |z3| {
            Combined::new(z3, limit, vars.clone(), Cartesian::new(z3, split))
        });
        check(&ALL, &of_exact_ones(), |z3| {
            Combined::new(z3, limit, vars.clone(), Split::new(z3, split))
        });
    }
}

/// No law about precisions that were learned somewhere else: what splits a state says nothing about another one.
#[test]
fn states_that_are_split_one_by_one() {
    let mut random = Random::new(number("LAWS_SEED", 1) as u64);
    let case = Case::random(&mut random, &ALL);
    let vars = |n| World::new(&case).lowering.vars().iter().copied().take(n).collect();
    for n in [0, 1, 3] {
        check(&ALL, &of_all(), |z3| States::new(z3, MaxEnum::Limit(4), vars(n)));
    }
}

#[test]
fn explicit_with_a_limit_by_types() {
    check(&ALL, &of_all(), |z3| Explicit::new(z3, MaxEnum::Auto));
}
