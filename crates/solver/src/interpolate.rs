//! Interpolation: sequence interpolants for contradictions, from unsatisfiable cores and elimination.
//!
//! Z3 dropped interpolation, so the engines here make their own: `wp` goes backward by weakest
//! preconditions, `sp` forward by strongest postconditions, both over the conjuncts of an unsatisfiable
//! core; a back end's own interpolator is one more. [`Cascade`] asks engines in turn until one succeeds, and
//! hands on no sequence that it has not validated.

mod cascade;
mod cases;
mod clauses;
mod congruence;
mod core;
mod definitions;
mod farkas;
mod instances;
mod path;
mod range;
mod score;
mod sp;
mod steps;
mod twin;
mod values;
mod wp;

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

use cases::Cases;
use lapidary_expr::{Sort, Term, Var, VarSet};

pub use cascade::{Attempt, AttemptResult, Cascade};

use crate::eliminate::{Elimination, Methods};
use crate::{Backend, Result};

/// Which interpolation engine to use.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Engine {
    /// The others in turn, and the best of what they say.
    #[default]
    Auto,
    /// Sums of inequalities, by Farkas' lemma.
    Farkas,
    /// Equations, over the rationals and modulo numbers, then sums of inequalities.
    Congruence,
    /// Clauses where everything is propositional, equations elsewhere.
    Clauses,
    /// Weakest preconditions, backward.
    Wp,
    /// Strongest postconditions, forward.
    Sp,
    /// Z3's Horn clause engine.
    Spacer,
}

impl Engine {
    /// The names of all engines.
    pub const NAMES: &[&str] = &["auto", "farkas", "congruence", "clauses", "wp", "sp", "spacer"];

    /// All engines, in the order of their names.
    pub const ALL: [Engine; 7] = [
        Engine::Auto,
        Engine::Farkas,
        Engine::Congruence,
        Engine::Clauses,
        Engine::Wp,
        Engine::Sp,
        Engine::Spacer,
    ];

    /// The name of the engine, the same everywhere.
    pub fn name(self) -> &'static str {
        Engine::NAMES[self as usize]
    }
}

impl fmt::Display for Engine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Engine {
    type Err = String;

    fn from_str(name: &str) -> std::result::Result<Self, String> {
        Engine::ALL.into_iter().find(|engine| engine.name() == name).ok_or_else(|| name.to_string())
    }
}

/// An interpolator that uses `engine` over `backend`.
pub fn interpolator(engine: Engine, backend: &dyn Backend) -> Cascade {
    interpolator_with(engine, Methods::ALL, backend)
}

/// An interpolator whose engines eliminate quantifiers by these methods only.
pub fn interpolator_with(engine: Engine, methods: Methods, backend: &dyn Backend) -> Cascade {
    let elimination = || Elimination::new(backend, methods);
    let farkas = || -> Box<dyn Sequence> { Box::new(Cases::farkas(backend.solver())) };
    let congruence = || -> Box<dyn Sequence> { Box::new(Cases::congruence(backend.solver())) };
    let clauses = || -> Box<dyn Sequence> {
        let [before, after, step] = [(); 3].map(|()| backend.solver());
        Box::new(clauses::Clauses { before, after, step })
    };
    let wp = || -> Box<dyn Sequence> { Box::new(wp::Wp { elimination: elimination() }) };
    let sp = || -> Box<dyn Sequence> {
        Box::new(sp::Sp { solver: backend.solver(), elimination: elimination() })
    };
    let own = || backend.interpolator().map(|inner| -> Box<dyn Sequence> { Box::new(Own(inner)) });
    let engines: Vec<Box<dyn Sequence>> = match engine {
        Engine::Auto => {
            [clauses(), congruence(), farkas(), wp(), sp()].into_iter().chain(own()).collect()
        }
        Engine::Farkas => vec![farkas()],
        Engine::Congruence => vec![congruence()],
        Engine::Clauses => vec![clauses(), congruence()],
        Engine::Wp => vec![wp()],
        Engine::Sp => vec![sp()],
        Engine::Spacer => own().into_iter().collect(),
    };
    Cascade::new(backend.solver(), engines)
}

/// An engine: interpolants between the parts of a contradiction, or none if it finds none. The result is a
/// proposal, to be validated by the caller.
trait Sequence {
    fn name(&self) -> &'static str;
    fn sequence(&mut self, parts: &[Term]) -> Result<Option<Vec<Term>>>;

    /// Whether the engine finds by itself which of the conjuncts are needed.
    fn selects(&self) -> bool {
        false
    }

    /// Whether the engine may take much longer than the others.
    fn is_dear(&self) -> bool {
        false
    }

    /// Whether the engine is good at such parts. Elimination turns every write to an array into a case
    /// distinction, so the engines that are made of it are not good at arrays.
    fn suits(&self, parts: &[Term]) -> bool {
        !parts.iter().flat_map(|part| part.vars()).any(|var| matches!(var.sort(), Sort::Array(_)))
    }
}

/// A back end's own interpolator as an engine.
struct Own(Box<dyn crate::Interpolator>);

impl Sequence for Own {
    fn name(&self) -> &'static str {
        "own"
    }

    fn is_dear(&self) -> bool {
        true
    }

    fn suits(&self, _: &[Term]) -> bool {
        true
    }

    fn sequence(&mut self, parts: &[Term]) -> Result<Option<Vec<Term>>> {
        match self.0.interpolate(parts)? {
            crate::Interpolants::Unsat(itps) => Ok(Some(itps)),
            crate::Interpolants::Sat(_) => Ok(None),
        }
    }
}

/// Whether there is nothing but truth values.
fn is_propositional(parts: &[Term]) -> bool {
    parts.iter().flat_map(|part| part.vars()).all(|var| var.sort() == Sort::Bool)
}

/// For each cut between parts, the variables that occur on both sides.
pub(crate) fn shared_variables(parts: &[Term]) -> Vec<VarSet> {
    let mut last: BTreeMap<Var, usize> = BTreeMap::new();
    for (i, part) in parts.iter().enumerate() {
        last.extend(part.vars().iter().map(|var| (*var, i)));
    }
    let mut shared = Vec::new();
    let mut live = VarSet::new();
    for (i, part) in parts.iter().enumerate().take(parts.len().saturating_sub(1)) {
        live.extend(part.vars());
        live.retain(|var| last[var] > i);
        shared.push(live.clone());
    }
    shared
}

/// Whether `itps` is a sequence interpolant of `parts`, by an entailment for each step.
pub(crate) fn is_sequence(
    parts: &[Term],
    itps: &[Term],
    mut entails: impl FnMut(Term, Term) -> Result<bool>,
) -> Result<bool> {
    let shared = shared_variables(parts);
    let speaks = |(itp, known): (&Term, &VarSet)| itp.vars().iter().all(|var| known.contains(var));
    if itps.len() + 1 != parts.len() || !itps.iter().zip(&shared).all(speaks) {
        return Ok(false);
    }
    let mut before: Term = true.into();
    for (part, after) in parts.iter().zip(itps.iter().copied().chain([false.into()])) {
        let premise = Term::and([before, *part]);
        if !entails(premise, after)? {
            return Ok(false);
        }
        before = after;
    }
    Ok(true)
}
