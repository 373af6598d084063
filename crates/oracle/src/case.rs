//! Cases for laws of abstract domains: one step, and formulas about the states around it.

use crate::generate;
use crate::program::{Expr, Kind, Stmt};
use crate::random::Random;

/// A step with what is known before it and what is worth knowing after it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Case {
    /// The kinds of the variables.
    pub vars: Vec<Kind>,
    /// How states before the step come about: from any values, by this.
    pub before: Stmt,
    /// The step.
    pub step: Stmt,
    /// What else is known about the step, over values before and after it.
    pub given: Expr,
    /// What a coarse precision knows.
    pub coarse: Vec<Expr>,
    /// What a finer precision knows as well.
    pub extra: Vec<Expr>,
}

/// Kinds with so few values that trying all of them leaves nothing out.
pub const FINITE: [Kind; 4] = [Kind::Bool, Kind::Bv(1), Kind::Bv(2), Kind::Bv(3)];

/// All kinds; integers get values in a small range only.
pub const ALL: [Kind; 5] = [Kind::Bool, Kind::Bv(1), Kind::Bv(3), Kind::Int, Kind::Int];

/// More combinations of values than this make a case too slow to try.
const MOST_VALUES: usize = 128;

impl Case {
    /// A random case over a few variables of some of these kinds.
    pub fn random(random: &mut Random, kinds: &[Kind]) -> Case {
        let mut vars = vec![*random.pick(kinds)];
        for _ in 0..random.below(3) {
            vars.push(*random.pick(kinds));
        }
        let n_values =
            |vars: &[Kind]| -> usize { vars.iter().map(|kind| kind.values().len()).product() };
        while n_values(&vars) > MOST_VALUES {
            vars.pop();
        }
        let before = before(random, &vars);
        let mut formulas = |most: usize| -> Vec<Expr> {
            (0..=random.below(most)).map(|_| generate::formula(random, &vars)).collect()
        };
        let (coarse, extra) = (formulas(3), formulas(2));
        let step = generate::stmt(random, &vars);
        let given = generate::step_formula(random, &vars);
        Case { vars, before, step, given, coarse, extra }
    }
}

/// Often some variables get values, as otherwise little is known.
fn before(random: &mut Random, vars: &[Kind]) -> Stmt {
    let mut parts = Vec::new();
    for (var, kind) in vars.iter().enumerate() {
        if random.chance(40) {
            let value = *random.pick(&kind.values());
            parts.push(Stmt::Assign(vec![(var, Expr::Lit(*kind, value))]));
        }
    }
    if random.chance(60) {
        parts.push(generate::stmt(random, vars));
    }
    Stmt::Seq(parts)
}
