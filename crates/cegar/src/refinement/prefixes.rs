//! Infeasible sliced prefixes: Algorithm 3 of the fourth paper.
//!
//! ```text
//! Σ ← {};  σ_f ← ⟨⟩
//! for each (op, l) ∈ σ
//!     if SP of σ_f ∧ (op, l) is ⊥    Σ ← Σ ∪ {σ_f ∧ (op, l)};  σ_f ← σ_f ∧ ([true], l)
//!     else                           σ_f ← σ_f ∧ (op, l)
//! return Σ
//! ```
//!
//! `SP` is that of the refiner that will explain the prefix: a prefix that it cannot refute teaches nothing. For `value`
//! these are the posts of values; for all others the formulas of the path.
//!
//! Differences: the paper asks after each operation. With formulas, an unsatisfiable core of the rest says where the next
//! contradiction is at the latest, so that there are a few questions for each prefix, however long the path is.
//! An edge may carry more than one operation: of one that contradicts, the assumptions are left out and the
//! assignments stay. A path has so many contradictions at most as [`MOST`] says; later ones are not looked for.

use std::collections::BTreeMap;

use lapidary_expr::Valuation;
use lapidary_model::{Path, Stmt, encode};
use lapidary_solver::{Result, UnsatCore};

use crate::Trace;
use crate::checker::ValuePost;

/// More prefixes than this do not make the choice better.
pub const MOST: usize = 64;

/// The infeasible sliced prefixes of a path.
#[derive(Clone, Debug, Default)]
pub struct SlicedPrefixes {
    /// The position of the contradicting statement that ends each prefix.
    ends: Vec<usize>,
    /// What the contradicting statements were replaced by, in prefixes that go on after them.
    sliced: BTreeMap<usize, Stmt>,
}

impl SlicedPrefixes {
    /// `ExtractSlicedPrefixes(σ)` by the formulas of the path; there is none if the path is feasible.
    pub fn of(solver: &mut dyn UnsatCore, stmts: &[&Stmt]) -> Result<SlicedPrefixes> {
        solver.push();
        let prefixes = extract(solver, stmts);
        solver.pop();
        prefixes
    }

    /// `ExtractSlicedPrefixes(σ)` by values; there is none if values do not contradict the path.
    pub fn by_values(post: &mut ValuePost, stmts: &[&Stmt]) -> Result<SlicedPrefixes> {
        let (mut prefixes, mut values) = (SlicedPrefixes::default(), Valuation::new());
        for (i, stmt) in stmts.iter().enumerate() {
            let before = values.clone();
            if post.exec(stmt, &mut values)? {
                continue;
            }
            let sliced = without_assumptions(stmt);
            values = before;
            post.exec(&sliced, &mut values)?;
            prefixes.add(i, sliced);
            if prefixes.len() == MOST {
                break;
            }
        }
        Ok(prefixes)
    }

    /// The statement at `end` contradicts what is before it, and is replaced in longer prefixes.
    fn add(&mut self, end: usize, sliced: Stmt) {
        self.ends.push(end);
        self.sliced.insert(end, sliced);
    }

    /// The number of prefixes.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The number of statements of a prefix.
    pub fn length(&self, number: usize) -> usize {
        self.ends[number] + 1
    }

    /// A prefix of the path `stmts` that these are the prefixes of. Nothing is known about its states: their
    /// labels would bring back what was sliced away.
    pub fn trace<'a>(&'a self, number: usize, stmts: &[&'a Stmt]) -> Trace<'a> {
        let end = self.ends[number];
        let sliced = |i: usize| self.sliced.get(&i).filter(|_| i < end).unwrap_or(stmts[i]);
        Trace::unlabelled((0..=end).map(sliced).collect())
    }
}

/// With a scope of its own in the solver, which holds `σ_f`.
fn extract(solver: &mut dyn UnsatCore, stmts: &[&Stmt]) -> Result<SlicedPrefixes> {
    let path = Path::new(stmts.iter().copied());
    let mut prefixes = SlicedPrefixes::default();
    let mut start = 0;
    while prefixes.len() < MOST {
        let Some(end) = next_contradiction(solver, &path, start)? else { break };
        let sliced = without_assumptions(stmts[end]);
        path.formulas[start..end].iter().for_each(|formula| solver.assert(*formula));
        // It writes the same variables, so that the formulas of what follows stay as they are.
        solver.assert(encode(&sliced, &mut path.versions[end].clone()));
        prefixes.add(end, sliced);
        start = end + 1;
    }
    Ok(prefixes)
}

/// The first statement from `start` on that contradicts those before it.
fn next_contradiction(
    solver: &mut dyn UnsatCore,
    path: &Path,
    start: usize,
) -> Result<Option<usize>> {
    let mut found = None;
    let mut end = path.formulas.len();
    while let Some(core) = solver.core(&path.formulas[start..end])? {
        let Some(last) = core.into_iter().max() else { break };
        found = Some(start + last);
        end = start + last;
    }
    Ok(found)
}

/// The statement with `[true]` for its assumptions. A relation keeps what it writes only.
fn without_assumptions(stmt: &Stmt) -> Stmt {
    match stmt {
        Stmt::Assume(_) => Stmt::skip(),
        Stmt::Assign(_) | Stmt::Havoc(_) => stmt.clone(),
        Stmt::Seq(parts) => Stmt::Seq(parts.iter().map(without_assumptions).collect()),
        Stmt::Choice(parts) if parts.is_empty() => Stmt::skip(),
        Stmt::Choice(parts) => Stmt::Choice(parts.iter().map(without_assumptions).collect()),
        Stmt::Relation { written, .. } => Stmt::Havoc(written.iter().copied().collect()),
    }
}
