//! Bounded search: all paths of a length at once, and then those of the next.
//!
//! After `d` edges a run is at one of the locations that the graph allows there. For each of them there is a truth
//! value `at l, d`, and it implies that some edge led there:
//!
//! ```text
//! at l', d+1  ⇒  ⋁ (at l, d  ∧  tran(op))      over the edges l → l'
//! ```
//!
//! where the branches are brought to common versions of the variables as in a choice. A model of these in which the
//! error is reached is a run. Locations at the same depth share versions: a run is at one of them only, and nothing is
//! demanded of the others.
//!
//! This finds errors, and it finds those that are deep in few steps of its own if an edge is a large block. That there
//! are none it cannot show by itself, but together with induction (`induction.rs`) it can.

use std::collections::BTreeMap;

use lapidary_cegar::Config;
use lapidary_expr::{Sort, Term, Valuation, Var, VarSet, Versions};
use lapidary_model::{Cfa, EdgeId, Execution, Loc, Path, Proof, encode};
use lapidary_solver::{Backend, UnsatCore};

use crate::induction::{self, Induction};
use crate::{Budget, Claim, Engine, Event, Evidence, Input, Observer, Problem, Result, Unknown};

/// Longer and longer paths, of which the configuration says what an edge is.
#[derive(Debug)]
pub struct BoundedSearch;

impl Engine for BoundedSearch {
    fn name(&self) -> &'static str {
        "bounded"
    }

    fn title(&self, _config: &Config) -> String {
        "bounded search".into()
    }

    fn takes(&self) -> Input {
        Input::Programs
    }

    fn finds(&self) -> Evidence {
        Evidence::Errors
    }

    fn run(
        &self,
        problem: &Problem<'_>,
        budget: &Budget<'_>,
        observer: &mut dyn Observer,
    ) -> Result<Claim> {
        bounded(problem.cfa, false, budget.backend()?, observer)
    }
}

/// The same, and the question whether an error can follow so many steps without one.
#[derive(Debug)]
pub struct KInduction;

impl Engine for KInduction {
    fn name(&self) -> &'static str {
        "induction"
    }

    fn title(&self, _config: &Config) -> String {
        "bounded search with induction".into()
    }

    fn takes(&self) -> Input {
        Input::Programs
    }

    fn finds(&self) -> Evidence {
        Evidence::Both
    }

    fn run(
        &self,
        problem: &Problem<'_>,
        budget: &Budget<'_>,
        observer: &mut dyn Observer,
    ) -> Result<Claim> {
        let is_inductive = induction::applies(problem.original);
        bounded(problem.cfa, is_inductive, budget.backend()?, observer)
    }
}

/// Looks for a run to the error, one edge deeper each time, and for a proof by induction if asked to.
fn bounded(
    cfa: &Cfa,
    is_inductive: bool,
    backend: &dyn Backend,
    observer: &mut dyn Observer,
) -> Result<Claim> {
    let mut search = Search::new(cfa, backend);
    let mut induction = if is_inductive { Induction::new(cfa, backend) } else { None };
    loop {
        let depth = search.layers.len();
        if search.layers.last().is_none_or(BTreeMap::is_empty) {
            return Ok(match depth {
                // No path leads to the error, and a proof need not say more.
                1 => Claim::Proof(Proof::default()),
                _ => Claim::Nothing(Unknown::Exhausted { depth: depth - 1 }),
            });
        }
        backend.check()?;
        observer.event(&Event::Unrolled { depth });
        search.deepen();
        if let Some(execution) = search.error()? {
            return Ok(Claim::Execution(execution));
        }
        if let Some(induction) = &mut induction
            && let Some(proof) = induction.proof(cfa)?
        {
            return Ok(Claim::Proof(proof));
        }
        search.leave_unreachable()?;
    }
}

/// A location at some depth.
struct Place {
    /// Whether the run is there.
    at: Term,
    versions: Versions,
    /// How it may have come there: an edge, and what that demands.
    ways: Vec<(EdgeId, Term)>,
}

struct Search<'a> {
    cfa: &'a Cfa,
    solver: Box<dyn UnsatCore>,
    backend: &'a dyn Backend,
    /// The places at each depth.
    layers: Vec<BTreeMap<Loc, Place>>,
    /// Whether a location can still lead to the error.
    leads: Vec<bool>,
}

impl<'a> Search<'a> {
    fn new(cfa: &'a Cfa, backend: &'a dyn Backend) -> Self {
        let entry = Place { at: true.into(), versions: Versions::new(), ways: Vec::new() };
        let leads = cfa.distances_to_error().iter().map(Option::is_some).collect::<Vec<_>>();
        let first = match leads.get(cfa.entry().0 as usize) {
            Some(true) => BTreeMap::from([(cfa.entry(), entry)]),
            _ => BTreeMap::new(),
        };
        Search { cfa, solver: backend.solver(), backend, layers: vec![first], leads }
    }

    /// Adds the next layer, and says what it implies.
    fn deepen(&mut self) {
        let (depth, last) = (self.layers.len(), &self.layers[self.layers.len() - 1]);
        let mut coming: BTreeMap<Loc, Vec<(EdgeId, Term, Versions)>> = BTreeMap::new();
        for (loc, place) in last {
            for edge in self.cfa.outgoing(*loc) {
                let (target, stmt) = (self.cfa.edge(*edge).target, &self.cfa.edge(*edge).stmt);
                if self.leads[target.0 as usize] {
                    let mut after = place.versions.clone();
                    let formula = Term::and([place.at, encode(stmt, &mut after)]);
                    coming.entry(target).or_default().push((*edge, formula, after));
                }
            }
        }
        let mut layer = BTreeMap::new();
        for (loc, ways) in coming {
            let place = self.place(loc, u32::try_from(depth).unwrap_or(u32::MAX), ways);
            let some = Term::or(place.ways.iter().map(|(_, formula)| *formula));
            self.solver.assert(place.at.implies(some));
            layer.insert(loc, place);
        }
        self.layers.push(layer);
    }

    /// The place where these ways meet.
    fn place(&self, loc: Loc, depth: u32, ways: Vec<(EdgeId, Term, Versions)>) -> Place {
        let mut versions = Versions::new();
        let mut raised = Vec::new();
        for var in self.cfa.vars() {
            let own = || ways.iter().map(|(_, _, after)| after.current(*var).version());
            let most = own().max().unwrap_or(0);
            versions.raise(*var, most);
            if own().any(|version| version < most) {
                raised.push(*var);
            }
        }
        let joined = |(edge, formula, after): (EdgeId, Term, Versions)| {
            let equal =
                |var: &Var| Term::var(versions.current(*var)).equals(after.current(*var).into());
            (edge, Term::and(raised.iter().map(equal).chain([formula])))
        };
        let ways = ways.into_iter().map(joined).collect();
        // No name of a program has a space in it.
        let at = Var::new(&format!("at {}", loc.0), Sort::Bool).at(depth);
        Place { at: at.into(), versions, ways }
    }

    /// A run that ends in the error at the last depth.
    fn error(&mut self) -> Result<Option<Execution>> {
        let Some(error) = self.cfa.error() else { return Ok(None) };
        let last = self.layers.len() - 1;
        let Some(place) = self.layers[last].remove(&error) else { return Ok(None) };
        self.solver.push();
        self.solver.assert(place.at);
        let model = match self.solver.is_sat() {
            Ok(true) => self.solver.model(&self.vars(&place)),
            Ok(false) => Ok(None),
            Err(stop) => Err(stop),
        };
        self.solver.pop();
        model?.map(|model| self.execution(&place, &model)).transpose()
    }

    /// The variables of everything that was said.
    fn vars(&self, error: &Place) -> VarSet {
        let places = self.layers.iter().flat_map(BTreeMap::values).chain([error]);
        places
            .flat_map(|place| place.ways.iter().map(|(_, formula)| formula).chain([&place.at]))
            .flat_map(|term| term.vars())
            .copied()
            .collect()
    }

    /// The run that the model takes, backward from the error.
    fn execution(&self, error: &Place, model: &Valuation) -> Result<Execution> {
        let mut path = Vec::new();
        let mut ways = &error.ways;
        for layer in self.layers[..self.layers.len() - 1].iter().rev() {
            let holds = |(_, formula): &&(EdgeId, Term)| formula.holds(model) == Some(true);
            let Some((edge, _)) = ways.iter().find(holds) else { break };
            path.push(*edge);
            let Some(before) = layer.get(&self.cfa.edge(*edge).source) else { break };
            ways = &before.ways;
        }
        path.reverse();
        // The values of one path are those of its own formulas.
        let formulas = Path::new(path.iter().map(|edge| &self.cfa.edge(*edge).stmt)).formulas;
        let vars: VarSet = formulas.iter().flat_map(|formula| formula.vars()).copied().collect();
        let mut solver = self.backend.solver();
        formulas.iter().for_each(|formula| solver.assert(*formula));
        let values = solver.model(&vars)?.unwrap_or_default();
        Ok(Execution::from_model(self.cfa, &path, &values))
    }

    /// Takes places away where no run can be. If there is only one, a question would cost more than it saves.
    fn leave_unreachable(&mut self) -> Result<()> {
        let last = self.layers.len() - 1;
        if self.layers[last].len() < 2 {
            return Ok(());
        }
        let places: Vec<(Loc, Term)> =
            self.layers[last].iter().map(|(loc, place)| (*loc, place.at)).collect();
        for (loc, at) in places {
            self.backend.check()?;
            self.solver.push();
            self.solver.assert(at);
            let is_reachable = self.solver.is_sat();
            self.solver.pop();
            if !is_reachable? {
                self.layers[last].remove(&loc);
                self.solver.assert(at.not());
            }
        }
        Ok(())
    }
}
