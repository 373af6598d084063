//! Evidence with one thing changed, for the test `mutated_evidence`.

use lapidary_expr::{Term, Value};
use lapidary_model::{Decision, EdgeId, Execution, Loc, Proof, StateId, Step};
use lapidary_oracle::lower::Lowering;
use lapidary_oracle::{Program, Random, generate};

/// A proof like `proof`, and what was changed.
pub(crate) fn proof(
    random: &mut Random,
    program: &Program,
    proof: &Proof,
) -> (&'static str, Proof) {
    let mut changed = proof.clone();
    if proof.states.is_empty() {
        return ("nothing", changed);
    }
    let chosen = random.below(proof.states.len());
    let state = &mut changed.states[chosen];
    let kind = match random.below(9) {
        0 => {
            changed.states.remove(chosen);
            "dropped state"
        }
        1 => {
            state.loc = Loc(random.below(program.n_locs + 1) as u32);
            "moved state"
        }
        2 => {
            let n_states = proof.states.len() + 1;
            state.successors = vec![StateId(random.below(n_states) as u32)];
            "other hints"
        }
        _ => {
            let (kind, formula) = formula(random, program, proof, state.formula);
            state.formula = formula;
            kind
        }
    };
    (kind, changed)
}

/// Another formula for a state of the proof.
fn formula(
    random: &mut Random,
    program: &Program,
    proof: &Proof,
    formula: Term,
) -> (&'static str, Term) {
    let other = random.pick(&proof.states).formula;
    match random.below(6) {
        0 | 1 => {
            let mut conjuncts = formula.conjuncts();
            if !conjuncts.is_empty() {
                conjuncts.remove(random.below(conjuncts.len()));
            }
            ("dropped conjunct", Term::and(conjuncts))
        }
        2 => {
            let mut conjuncts = other.conjuncts();
            conjuncts.push(true.into());
            ("added conjunct", Term::and([formula, *random.pick(&conjuncts)]))
        }
        3 => {
            let literal = generate::formula(random, &program.vars);
            let literal = Lowering::new(&program.vars).expr(&literal);
            ("added literal", Term::and([formula, literal]))
        }
        4 => ("formula of another state", other),
        _ => ("negated formula", formula.not()),
    }
}

/// An execution like `run`, and what was changed; none if it has no place for the change.
pub(crate) fn execution(
    random: &mut Random,
    program: &Program,
    run: &Execution,
) -> Option<(&'static str, Execution)> {
    let mut changed = run.clone();
    let (n_steps, number) = (run.steps.len(), random.below(program.vars.len()));
    let (i, j) = (random.below(n_steps), random.below(n_steps));
    let (steps, value) = (&mut changed.steps, value(random, program, number));
    let kind = match random.below(8) {
        0 => {
            changed.start.set(Lowering::new(&program.vars).vars()[number], value);
            "initial value"
        }
        1 => {
            decision(random, value, &mut steps[i])?;
            "decision"
        }
        2 => {
            steps.remove(i);
            "dropped step"
        }
        3 => {
            steps.insert(i, run.steps[i].clone());
            "doubled step"
        }
        4 => {
            steps.swap(i, j);
            "swapped steps"
        }
        5 => {
            steps[i].edge = EdgeId(random.below(program.edges.len() + 2) as u32);
            "other edge"
        }
        6 => {
            steps[i].tape.push(Decision::Value(value));
            "one decision more"
        }
        _ => {
            steps[i].tape.pop()?;
            "one decision less"
        }
    };
    Some((kind, changed))
}

/// Another decision in place of one.
fn decision(random: &mut Random, value: Value, step: &mut Step) -> Option<()> {
    let n_decisions = step.tape.len();
    let decision = step.tape.get_mut(random.below(n_decisions))?;
    *decision = match decision {
        Decision::Branch(branch) if random.chance(80) => Decision::Branch(*branch + 1),
        _ => Decision::Value(value),
    };
    Some(())
}

/// A value of a variable.
fn value(random: &mut Random, program: &Program, var: usize) -> Value {
    let mut values: Vec<i64> = program.vars.iter().map(|_| 0).collect();
    values[var] = *random.pick(&program.vars[var].values());
    let lowering = Lowering::new(&program.vars);
    lowering.valuation(&values).get(lowering.vars()[var]).expect("it has one").clone()
}
