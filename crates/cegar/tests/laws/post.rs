//! Laws of the transfer function.

use lapidary_cegar::domain::Explicit;
use lapidary_cegar::domain::explicit::MaxEnum;
use lapidary_cegar::{Domain, Result};
use lapidary_expr::{Sort, Term, Var, VarSet};
use lapidary_model::Stmt;
use lapidary_oracle::{Case, Expr};
use lapidary_solver::limits::Watch;
use lapidary_solver::z3::Z3;

use crate::Broken;
use crate::world::World;

/// Whatever follows a step from a state is in one of the successors.
pub(crate) fn leaves_nothing_out<D: Domain>(domain: &mut D, case: &Case) -> Result<Broken> {
    covers(domain, case, None)
}

/// Whatever follows a step, and is as given, is in one of the successors.
pub(crate) fn leaves_nothing_given_out<D: Domain>(domain: &mut D, case: &Case) -> Result<Broken> {
    covers(domain, case, Some(&case.given))
}

fn covers<D: Domain>(domain: &mut D, case: &Case, given: Option<&Expr>) -> Result<Broken> {
    let world = World::new(case);
    let formula = given.map_or(true.into(), |given| world.lowering.expr(given));
    for s in world.states(domain)? {
        let after = world.after(&world.satisfying(domain.expr(&s)), given);
        for prec in world.precs(domain) {
            let next = domain.post(&s, formula, &world.step(), &prec)?;
            if let Some(values) = world.missing(&after, &world.meaning(domain, &next)) {
                let step = world.step();
                return Ok(Some(format!(
                    "{values} follows {s:?} by {step}, but is not in {next:?} for {prec:?}"
                )));
            }
        }
    }
    Ok(None)
}

/// `π ⊆ π'` implies that the successors for `π'` stand for no more than those for `π`.
pub(crate) fn finer_is_smaller<D: Domain>(domain: &mut D, case: &Case) -> Result<Broken> {
    let world = World::new(case);
    let [coarse, fine] = world.precs(domain);
    for s in world.states(domain)? {
        for given in [true.into(), world.lowering.expr(&case.given)] {
            let large = domain.post(&s, given, &world.step(), &coarse)?;
            let small = domain.post(&s, given, &world.step(), &fine)?;
            let [part, whole] = [&small, &large].map(|states| world.meaning(domain, states));
            if let Some(values) = world.missing(&part, &whole) {
                let step = world.step();
                return Ok(Some(format!(
                    "{step} leads from {s:?} to {small:?} for {fine:?}, with {values}, and to {large:?} for \
                     {coarse:?}, without"
                )));
            }
        }
    }
    Ok(None)
}

/// No law: one more variable may have more values than the limit, and then the others are given up as well.
#[test]
fn finer_may_be_larger_with_a_limit() {
    let z3 = Z3::new(&Watch::default()).expect("Z3");
    let mut domain = Explicit::new(&z3, MaxEnum::Limit(1));
    let [x, y] = ["x", "y"].map(|name| Var::new(name, Sort::Int));
    let [zero, one] = [0, 1].map(Term::int);
    // x = 0, which evaluation does not see, and y is 0 or 1.
    let both = Term::and([zero.at_most(x.into()), Term::var(x).at_most(zero)]);
    let either = Term::or([zero, one].map(|value| Term::var(y).equals(value)));
    let step = Stmt::Assume(Term::and([both, either]));
    let mut post = |prec: &[Var]| {
        let prec: VarSet = prec.iter().copied().collect();
        let top = domain.top();
        let next = domain.post(&top, true.into(), &step, &prec).expect("an answer");
        next.iter().map(|state| domain.expr(state)).collect::<Vec<Term>>()
    };
    assert_eq!(post(&[x]), [Term::var(x).equals(zero)]);
    assert_eq!(post(&[x, y]), [Term::from(true)]);
}
