//! Laws of learning: what a domain was told to keep track of, it keeps.

use lapidary_cegar::domain::Cartesian;
use lapidary_cegar::domain::predicate::{Literals, PredSplit, Predicates};
use lapidary_cegar::{Domain, Reason, Result};
use lapidary_expr::{Sort, Term, Var};
use lapidary_model::Stmt;
use lapidary_oracle::Case;
use lapidary_solver::limits::Watch;
use lapidary_solver::z3::Z3;

use crate::Broken;
use crate::world::World;

/// After learning that `φ` holds, a step after which it always does leads to states that imply it.
pub(crate) fn holds_is_kept<D: Domain>(domain: &mut D, case: &Case) -> Result<Broken> {
    keeps(domain, case, Reason::Holds)
}

/// The same after learning to track the variables of `φ`.
pub(crate) fn tracks_is_kept<D: Domain>(domain: &mut D, case: &Case) -> Result<Broken> {
    let tracks = |formula: Term| Reason::Tracks(formula.vars().iter().copied().collect());
    keeps(domain, case, tracks)
}

fn keeps<D: Domain>(
    domain: &mut D,
    case: &Case,
    reason: impl Fn(Term) -> Reason,
) -> Result<Broken> {
    let world = World::new(case);
    let formulas: Vec<Term> =
        case.coarse.iter().chain(&case.extra).map(|formula| world.lowering.expr(formula)).collect();
    for s in world.states(domain)? {
        let after = world.after(&world.satisfying(domain.expr(&s)), None);
        let sides = formulas.iter().flat_map(|formula| [*formula, formula.not()]);
        for formula in sides {
            let whole = world.satisfying(formula);
            if world.missing(&after, &whole).is_some() {
                continue;
            }
            let prec = domain.learn(&s, &reason(formula), &D::Prec::default());
            let next = domain.post(&s, true.into(), &world.step(), &prec)?;
            if let Some(values) = world.missing(&world.meaning(domain, &next), &whole) {
                let step = world.step();
                return Ok(Some(format!(
                    "{formula} holds after {step} from {s:?}, but {next:?} for {prec:?} has {values}"
                )));
            }
        }
    }
    Ok(None)
}

/// What a statement neither writes nor can refute is kept where the state has it as a literal, and where the state
/// only implies it because it was never asked about.
#[test]
fn what_is_not_concerned_is_kept() {
    let z3 = Z3::new(&Watch::default()).expect("Z3");
    let mut domain = Cartesian::new(&z3, PredSplit::Whole);
    let [x, y] = ["x", "y"].map(|name| Var::new(name, Sort::Int));
    let at_most = |value: i32| Term::var(x).at_most(Term::int(value));
    let mut post = |state: Term, step: &Stmt| {
        let prec = Predicates::new([at_most(1)]);
        let next = domain.post(&Literals::new([state]), true.into(), step, &prec);
        next.expect("an answer").iter().map(|state| domain.expr(state)).collect::<Vec<Term>>()
    };
    let elsewhere = Stmt::assign(y, Term::int(0));
    assert_eq!(post(at_most(1), &elsewhere), [at_most(1)]);
    assert_eq!(post(at_most(0), &elsewhere), [at_most(1)]);
    let assumption = Stmt::Assume(Term::var(y).equals(Term::int(0)));
    assert_eq!(post(at_most(0), &assumption), [at_most(1)]);
}

/// No law: of `p ∨ q` the atoms are learned, and neither of them needs to hold.
#[test]
fn atoms_may_lose_a_disjunction() {
    let z3 = Z3::new(&Watch::default()).expect("Z3");
    let [p, q] = ["p", "q"].map(|name| Term::var(Var::new(name, Sort::Bool)));
    let formula = Term::or([p, q]);
    for (split, expected) in [(PredSplit::Whole, formula), (PredSplit::Atoms, true.into())] {
        let mut domain = Cartesian::new(&z3, split);
        let top = domain.top();
        let prec = domain.learn(&top, &Reason::Holds(formula), &Predicates::default());
        let step = Stmt::Assume(formula);
        let next = domain.post(&top, true.into(), &step, &prec).expect("an answer");
        let meanings: Vec<Term> = next.iter().map(|state| domain.expr(state)).collect();
        assert_eq!(meanings, [expected], "{split}");
    }
}
