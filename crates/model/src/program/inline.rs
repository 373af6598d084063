//! Inlining: the automaton of a program, with the body of a procedure for each call of it.
//!
//! The callee's entry becomes the place of the call and its exit the place behind it, so that calls and returns are no
//! steps. Edges are in the order in which a reader of the program comes across them. A procedure that is active already
//! gets new names for its locals. Locals that are read before they are written have any values: those of an earlier
//! activation are no concern of a later one. Where there is no room, a call leads to the error location.
//!
//! This pass is trusted: proofs are validated on its output. Its test runs programs with a stack and compares.

use std::sync::Arc;

use lapidary_expr::{Term, Var};
use rustc_hash::FxHashMap;

use super::inlined::{Activation, Cut, Inlined, Origin};
use super::{Action, Call, ProcedureId, Program, ProgramEdgeId};
use crate::cfa::{CfaBuilder, EdgeId, InvalidCfa, Loc, Position};
use crate::live::Live;
use crate::stmt::Stmt;

/// How large an automaton may become.
#[derive(Clone, Copy, Debug)]
pub struct Room {
    /// With more edges, no more calls are inlined.
    pub edges: usize,
    /// How often a procedure may be active within itself.
    pub recursion: u32,
    /// How often if it is called within itself in one place only of each activation, so that calls do not multiply.
    pub chain: u32,
    /// How many activations of procedures that are active already there may be within an outermost one.
    pub nested: u32,
}

impl Room {
    /// Procedures may be active within themselves so often, however they call each other.
    pub fn of(edges: usize, recursion: u32) -> Room {
        Room { edges, recursion, chain: recursion, nested: u32::MAX }
    }
}

/// The automaton of a program.
pub fn inline(program: Program, room: Room) -> Result<Inlined, InvalidCfa> {
    let mut inliner = Inliner::new(&program, room);
    inliner.run();
    let Inliner { builder, locs, joined, origins, activations, cuts, shapes, renamed, .. } =
        inliner;
    let mut places: FxHashMap<Loc, Vec<Loc>> = FxHashMap::default();
    let aliases = joined.iter().filter_map(|((_, of), place)| Some((*of, *locs.get(place)?)));
    for (of, loc) in locs.iter().map(|((_, of), loc)| (*of, *loc)).chain(aliases) {
        places.entry(of).or_default().push(loc);
    }
    places.values_mut().for_each(|locs| {
        locs.sort_unstable();
        locs.dedup();
    });
    let cfa = builder.build()?;
    let fresh = shapes.into_iter().map(|shape| shape.fresh).collect();
    let ends = Arc::default();
    Ok(Inlined { program, cfa, origins, activations, cuts, places, fresh, renamed, ends })
}

/// A location of an activation.
type Place = (u32, Loc);

/// The activation that the error location is said to belong to.
const NO_ACTIVATION: u32 = u32::MAX;

struct Inliner<'p> {
    program: &'p Program,
    room: Room,
    builder: CfaBuilder,
    locs: FxHashMap<Place, Loc>,
    /// Entries and exits of activations, with the places of the callers that they are.
    joined: FxHashMap<Place, Place>,
    origins: Vec<Origin>,
    activations: Vec<Activation>,
    cuts: Vec<(EdgeId, Cut)>,
    renamed: FxHashMap<(u32, Var), Var>,
    /// How often each procedure is active.
    n_active: Vec<u32>,
    /// How many of the frames are of procedures that are active below them, and how many there have been since there was none.
    n_deep: u32,
    n_nested: u32,
    shapes: Vec<Shape>,
    /// How many edges start at each location of the program.
    n_outgoing: Vec<u32>,
    /// For each activation whether only its own edges start at its entry.
    owns_entry: Vec<bool>,
    n_locs: usize,
}

/// What calls of a procedure depend on.
struct Shape {
    /// Whether an edge leads back to the entry.
    is_entry_target: bool,
    /// The locals that have any values when it begins, unless a call gives them one.
    fresh: Vec<Var>,
}

/// A procedure whose edges are being added.
struct Frame {
    activation: u32,
    procedure: ProcedureId,
    next: usize,
    /// How many procedures were called from here that were active already.
    n_recursions: u32,
}

impl<'p> Inliner<'p> {
    fn new(program: &'p Program, room: Room) -> Self {
        let mut builder = CfaBuilder::new(program.name(), "L0");
        builder.written_checks(program.has_written_checks);
        builder.vars(program.vars());
        Inliner {
            program,
            room,
            builder,
            locs: FxHashMap::default(),
            joined: FxHashMap::default(),
            origins: Vec::new(),
            activations: Vec::new(),
            cuts: Vec::new(),
            renamed: FxHashMap::default(),
            n_active: vec![0; program.procedures().len()],
            n_deep: 0,
            n_nested: 0,
            shapes: program
                .procedures()
                .iter()
                .map(|procedure| Shape::of(program, procedure))
                .collect(),
            n_outgoing: n_outgoing(program),
            owns_entry: vec![true],
            n_locs: 1,
        }
    }

    fn run(&mut self) {
        let Some(first) = self.program.procedures().first() else { return };
        self.locs.insert((0, first.entry), self.builder.entry());
        let mut stack = vec![self.enter(ProcedureId(0), None)];
        while let Some(frame) = stack.last_mut() {
            let procedure = self.program.procedure(frame.procedure);
            let Some(id) = procedure.edges().get(frame.next).copied() else {
                self.leave(frame.procedure);
                stack.pop();
                continue;
            };
            frame.next += 1;
            let (activation, edge) = (frame.activation, self.program.edge(id));
            let (source, target) = ((activation, edge.source), (activation, edge.target));
            let origin = Origin { edge: id, activation };
            match &edge.action {
                Action::Stmt(stmt) => {
                    let stmt = self.in_activation(activation, stmt);
                    self.edge(source, stmt, target, edge.position, origin);
                }
                Action::Call(call) => {
                    let is_deep = self.is_too_deep(call.callee, &mut stack);
                    let frame = self.call((source, target), call, edge.position, origin, is_deep);
                    stack.extend(frame);
                }
            }
        }
    }

    fn enter(&mut self, procedure: ProcedureId, caller: Option<(u32, ProgramEdgeId)>) -> Frame {
        let activation = self.activations.len() as u32;
        self.activations.push(Activation { procedure, caller });
        self.owns_entry.resize(self.activations.len(), true);
        let depth = self.n_active[procedure.0 as usize];
        self.n_active[procedure.0 as usize] += 1;
        if depth > 0 {
            for local in &self.program.procedure(procedure).locals {
                let name = Var::new(&format!("{}@{depth}", local.name()), local.sort());
                self.builder.var(name);
                self.renamed.insert((activation, *local), name);
            }
        }
        if depth > 0 {
            (self.n_deep, self.n_nested) = (self.n_deep + 1, self.n_nested + 1);
        }
        Frame { activation, procedure, next: 0, n_recursions: 0 }
    }

    fn leave(&mut self, procedure: ProcedureId) {
        let n_active = &mut self.n_active[procedure.0 as usize];
        *n_active -= 1;
        self.n_deep -= u32::from(*n_active > 0);
        if self.n_deep == 0 {
            self.n_nested = 0;
        }
    }

    /// Whether a procedure is active too often to be inlined where the last frame is.
    fn is_too_deep(&self, callee: ProcedureId, stack: &mut [Frame]) -> bool {
        let depth = self.n_active[callee.0 as usize];
        if depth == 0 {
            return false;
        }
        let first = stack.iter().position(|frame| frame.procedure == callee);
        let inside = &stack[first.unwrap_or(stack.len())..];
        let is_second = inside.last().is_some_and(|frame| frame.n_recursions > 0);
        let has_recursed = is_second || inside.iter().any(|frame| frame.n_recursions > 1);
        let most = if has_recursed { self.room.recursion } else { self.room.chain };
        if let Some(frame) = stack.last_mut() {
            frame.n_recursions += 1;
        }
        depth > most || self.n_nested > self.room.nested
    }

    /// Adds the edge of a call, if there is anything on it; returns the callee, if that is to be inlined.
    fn call(
        &mut self,
        (source, target): (Place, Place),
        call: &Call,
        position: Option<Position>,
        origin: Origin,
        is_deep: bool,
    ) -> Option<Frame> {
        let before = self.in_activation(source.0, &call.before);
        if is_deep || self.origins.len() > self.room.edges {
            let error = self.error();
            let id = self.edge(source, before, error, position, origin);
            self.cuts.push((id, if is_deep { Cut::Recursion } else { Cut::Size }));
            return None;
        }
        let args: Vec<(Var, Term)> =
            call.args.iter().map(|(param, value)| (*param, self.term(source.0, *value))).collect();
        let callee = self.program.procedure(call.callee);
        let frame = self.enter(call.callee, Some((source.0, origin.edge)));
        let inside = frame.activation;
        let of_callee = |var: &Var| self.renamed.get(&(inside, *var)).copied().unwrap_or(*var);
        let fresh = call.without_value(&self.shapes[call.callee.0 as usize].fresh);
        let fresh: Vec<Var> = fresh.iter().map(of_callee).collect();
        let args: Vec<(Var, Term)> =
            args.into_iter().map(|(param, value)| (of_callee(&param), value)).collect();
        let mut parts = vec![before];
        // The callee's parameters are no variables of the caller, so one after the other is all at once.
        parts.extend(args.into_iter().map(|(param, value)| Stmt::assign(param, value)));
        parts.extend((!fresh.is_empty()).then_some(Stmt::Havoc(fresh)));
        let stmt = Stmt::seq(parts);
        let exit = self.resolved(target);
        let is_alone = self.is_alone(source);
        let is_entry_target = self.shapes[call.callee.0 as usize].is_entry_target;
        if callee.entry == callee.exit {
            self.edge(source, stmt, target, position, origin);
        } else if stmt.is_skip() && (is_alone || !is_entry_target) {
            let entry = self.resolved(source);
            self.joined.insert((inside, callee.entry), entry);
            self.owns_entry[inside as usize] = is_alone;
        } else {
            self.edge(source, stmt, (inside, callee.entry), position, origin);
        }
        self.joined.insert((inside, callee.exit), exit);
        Some(frame)
    }

    /// Whether a single edge starts at a place. Then a callee that begins there may come back to it.
    fn is_alone(&self, (activation, loc): Place) -> bool {
        let procedure = self.activations[activation as usize].procedure;
        let is_entry = self.program.procedure(procedure).entry == loc;
        self.n_outgoing[loc.0 as usize] == 1 && (!is_entry || self.owns_entry[activation as usize])
    }

    fn edge(
        &mut self,
        source: Place,
        stmt: Stmt,
        target: Place,
        position: Option<Position>,
        origin: Origin,
    ) -> EdgeId {
        let (source, target) = (self.loc(source), self.loc(target));
        self.origins.push(origin);
        self.builder.edge(source, stmt, target, position)
    }

    fn error(&mut self) -> Place {
        (NO_ACTIVATION, self.program.error().unwrap_or(Loc(u32::MAX)))
    }

    fn resolved(&self, place: Place) -> Place {
        self.joined.get(&place).copied().unwrap_or(place)
    }

    /// The location of a place; a new one if it is mentioned for the first time.
    fn loc(&mut self, (activation, loc): Place) -> Loc {
        let is_error = activation == NO_ACTIVATION || Some(loc) == self.program.error();
        let place = match is_error {
            true => (NO_ACTIVATION, loc),
            false => self.resolved((activation, loc)),
        };
        if let Some(known) = self.locs.get(&place) {
            return *known;
        }
        let name = if is_error { "ERROR".into() } else { format!("L{}", self.n_locs) };
        let new = self.builder.loc(&name);
        if is_error {
            self.builder.error(new);
        }
        self.n_locs += 1;
        self.locs.insert(place, new);
        new
    }

    /// A statement as an activation runs it.
    fn in_activation(&self, activation: u32, stmt: &Stmt) -> Stmt {
        let procedure = self.activations[activation as usize].procedure;
        match self.renames(activation, procedure) {
            true => stmt.map_vars(&|var| self.renamed.get(&(activation, var)).copied()),
            false => stmt.clone(),
        }
    }

    fn term(&self, activation: u32, term: Term) -> Term {
        let procedure = self.activations[activation as usize].procedure;
        match self.renames(activation, procedure) {
            true => {
                term.map_vars(&|var| self.renamed.get(&(activation, var)).map(|var| (*var).into()))
            }
            false => term,
        }
    }

    fn renames(&self, activation: u32, procedure: ProcedureId) -> bool {
        let first = self.program.procedure(procedure).locals.first();
        first.is_some_and(|local| self.renamed.contains_key(&(activation, *local)))
    }
}

fn n_outgoing(program: &Program) -> Vec<u32> {
    let mut n_outgoing = vec![0; program.n_locs()];
    let edges = program.procedures().iter().flat_map(super::Procedure::edges);
    edges.for_each(|id| n_outgoing[program.edge(*id).source.0 as usize] += 1);
    n_outgoing
}

impl Shape {
    fn of(program: &Program, procedure: &super::Procedure) -> Shape {
        let edges = || procedure.edges().iter().map(|id| program.edge(*id));
        let is_entry_target = edges().any(|edge| edge.target == procedure.entry);
        let locals = &procedure.locals;
        if locals.is_empty() {
            return Shape { is_entry_target, fresh: Vec::new() };
        }
        let mut numbers: FxHashMap<Loc, Loc> = FxHashMap::default();
        let mut number = |loc: Loc| {
            let next = Loc(numbers.len() as u32);
            *numbers.entry(loc).or_insert(next)
        };
        let entry = number(procedure.entry);
        let stmts: Vec<(Loc, Stmt, Loc)> = edges()
            .map(|edge| {
                let stmt = match &edge.action {
                    Action::Stmt(stmt) => stmt.clone(),
                    Action::Call(call) => {
                        Stmt::seq([call.before.clone(), Stmt::Assign(call.args.clone())])
                    }
                };
                (number(edge.source), stmt, number(edge.target))
            })
            .collect();
        let steps: Vec<(Loc, &Stmt, Loc)> =
            stmts.iter().map(|(source, stmt, target)| (*source, stmt, *target)).collect();
        let live = Live::over(locals, numbers.len(), &steps);
        let fresh = locals.iter().filter(|local| live.is_live(entry, **local)).copied().collect();
        Shape { is_entry_target, fresh }
    }
}
