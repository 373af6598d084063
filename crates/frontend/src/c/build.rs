//! The program of the graphs, its automaton, and what connects that to the source.

mod ends;

use std::collections::BTreeMap;

use lapidary_expr::{Sort, Term, Var, VarSet};
use lapidary_model::program::{
    Action, Call, ProcedureId, ProgramBuilder, ProgramEdge, ProgramEdgeId, Room, inline,
};
use lapidary_model::{EdgeId, Inlined, Loc, Stmt};
use rustc_hash::{FxHashMap, FxHashSet};

use self::ends::ends;
use crate::c::evidence::loops::loops;
use crate::c::evidence::names::names;
use crate::c::evidence::source_map::{Assumption, Nondet, SourceMap};
use crate::c::flat::{Failure, Flat, Node, ObjectId};
use crate::c::ir::{Function, Program};
use crate::c::lower::LoweredEdge;
use crate::c::lower::layout::{Layout, Leaf};
use crate::c::lower::reduce::reduce;
use crate::c::types::Type;
use crate::source::SourceFile;

/// With more edges, the automaton has no room for more calls.
const MOST_EDGES: usize = 400_000;

/// A procedure is active within itself so often at most; more often if that is the first call of the kind in its body, so that
/// calls do not multiply; and so many times in all within an outermost activation.
const DEEPEST_RECURSION: u32 = 8;
const DEEPEST_CHAIN: u32 = 30;
const MOST_RECURSIONS: u32 = 1000;

/// What is kept of an edge of the program for the map and the ends.
pub(in crate::c) struct Told {
    function: u32,
    pub(in crate::c) start: usize,
    pub(in crate::c) failure: Option<Failure>,
    pub(in crate::c) approximations: Vec<String>,
    nondets: Vec<(u32, Option<Var>, usize)>,
    unset: Vec<Var>,
}

/// Builds the program and its automaton.
pub(in crate::c) fn build(
    source: &SourceFile,
    program: &Program,
    flat: &Flat,
    mut edges: Vec<LoweredEdge>,
    layouts: &[Layout],
) -> Result<(Inlined, SourceMap), String> {
    let joined = reduce(&mut edges, flat);
    let mut map = SourceMap::default();
    let defined = functions(program, &mut map);
    let declared = variables(program, flat, layouts, &edges, &mut map);
    let mut builder = ProgramBuilder::new("main");
    builder.written_checks(true);
    builder.vars(&declared);
    for leaf in layouts.iter().flat_map(|layout| &layout.leaves) {
        if let Some(range) = leaf.range {
            builder.range(leaf.var, range);
        }
    }
    let (locs, ids) = (FxHashMap::default(), BTreeMap::new());
    let mut graphs = Graphs { flat, layouts, joined: &joined, builder, locs, ids };
    let told = graphs.add(source, program, edges)?;
    let Graphs { mut builder, locs, ids, .. } = graphs;
    let functions: FxHashSet<u32> =
        ids.keys().map(|number| flat.procedures[*number as usize].function).collect();
    map.n_told_apart = ids.len() - functions.len();
    interfaces(flat, layouts, &ids, &mut builder)?;
    let procedures = builder.build().map_err(|error| error.to_string())?;
    let room = Room {
        edges: MOST_EDGES,
        recursion: DEEPEST_RECURSION,
        chain: DEEPEST_CHAIN,
        nested: MOST_RECURSIONS,
    };
    let mut inlined = inline(procedures, room).map_err(|error| error.to_string())?;
    describe(program, &inlined, &told, &defined, &mut map);
    rename(&inlined, &mut map);
    let ends = ends(source, &inlined, &told, &|start| map.function_at(start).to_owned());
    inlined.set_ends(ends);
    let places = |node: Node| {
        let loc = locs.get(&joined[node.0 as usize]);
        loc.map_or(&[][..], |loc| inlined.places(*loc)).to_vec()
    };
    map.assumptions = assumptions(source, flat, &places);
    map.end = places(flat.end).first().copied();
    let is_recursive: FxHashSet<ProcedureId> = inlined.program().recursive().into_iter().collect();
    let recursive = ids.iter().filter(|(_, id)| is_recursive.contains(id));
    let recursive = recursive.map(|(number, _)| flat.procedures[*number as usize].function);
    map.loops = loops(flat, &program.types, layouts, &defined, &recursive.collect(), places);
    map.undefined = undefined(source, program);
    map.names = names(program, flat, layouts, &inlined);
    Ok((inlined, map))
}

/// Adds the functions to the map; returns their numbers there.
fn functions(program: &Program, map: &mut SourceMap) -> Vec<u32> {
    let mut defined = Vec::with_capacity(program.functions.len());
    for function in &program.functions {
        defined.push(map.functions.len() as u32);
        if function.body.is_some() {
            map.definitions.push((function.start, map.functions.len() as u32));
            map.functions.push(function.name.clone());
        }
    }
    map.definitions.sort_unstable();
    defined
}

/// The variables that the edges use, in the order of the objects, which is that of the text.
fn variables(
    program: &Program,
    flat: &Flat,
    layouts: &[Layout],
    edges: &[LoweredEdge],
    map: &mut SourceMap,
) -> Vec<Var> {
    let mut used: FxHashSet<Var> = FxHashSet::default();
    for stmt in edges.iter().flat_map(|edge| &edge.stmts) {
        used.extend(stmt.written());
        stmt.for_each_term(&mut |term| used.extend(term.vars()));
    }
    let mut declared = Vec::new();
    for leaf in layouts.iter().zip(&flat.objects).flat_map(|(layout, _)| &layout.leaves) {
        if used.contains(&leaf.var) {
            declared.push(leaf.var);
            let many = match leaf.var.sort() {
                Sort::Array(_) => format!("[{}]", leaf.count),
                _ => String::new(),
            };
            map.variables.push((leaf.var, format!("{}{many}", program.types.name(leaf.ty))));
        }
    }
    let ghosts = layouts.iter().flat_map(|layout| {
        let initial = |leaf: &Leaf| leaf.mark.and_then(|mark| mark.initial);
        layout.leaves.iter().filter_map(initial).chain(layout.ghosts.vars())
    });
    declared.extend(ghosts.filter(|ghost| used.contains(ghost)));
    declared
}

/// The procedures as they are added.
struct Graphs<'a> {
    flat: &'a Flat,
    layouts: &'a [Layout],
    /// For each node the one that stands for it.
    joined: &'a [u32],
    builder: ProgramBuilder,
    locs: FxHashMap<u32, Loc>,
    /// The procedures that are called, by their numbers in the graphs.
    ids: BTreeMap<u32, ProcedureId>,
}

impl Graphs<'_> {
    /// Adds all procedures with their edges; returns what is told about the edges, in their order.
    fn add(
        &mut self,
        source: &SourceFile,
        program: &Program,
        edges: Vec<LoweredEdge>,
    ) -> Result<Vec<Told>, String> {
        let called: FxHashSet<u32> = edges.iter().filter_map(|edge| edge.call).chain([0]).collect();
        for (i, procedure) in self.flat.procedures.iter().enumerate() {
            let name = &program.functions[procedure.function as usize].name;
            if called.contains(&(i as u32)) {
                let name = match procedure.depth {
                    0 => name.clone(),
                    depth => format!("{name}@{depth}"),
                };
                let [entry, exit] = [procedure.entry, procedure.exit].map(|node| self.node(node));
                self.ids.insert(i as u32, self.builder.procedure(&name, entry, exit));
            }
        }
        if edges.iter().any(|edge| edge.target == Flat::ERROR.0) {
            let error = self.loc(Flat::ERROR.0);
            self.builder.error(error);
        }
        let mut told = Vec::with_capacity(edges.len());
        for edge in edges {
            let written: VarSet = edge.stmts.iter().flat_map(Stmt::written).collect();
            let action = match edge.call {
                Some(callee) if callee == edge.procedure => {
                    Action::Call(self.call_within(callee, edge.stmts)?)
                }
                Some(callee) => Action::Call(self.call(callee, edge.stmts)),
                None => Action::Stmt(Stmt::seq(edge.stmts)),
            };
            let is_written = |var: &Var| written.contains(var);
            let nondets = edge.nondets.into_iter();
            told.push(Told {
                function: edge.function,
                start: edge.start,
                failure: edge.failure,
                approximations: edge.approximations.into_iter().map(|(what, _)| what).collect(),
                nondets: nondets
                    .map(|(callee, var, close)| (callee, var.filter(is_written), close))
                    .collect(),
                unset: edge.unset.into_iter().filter(is_written).collect(),
            });
            let edge_of_program = ProgramEdge {
                source: self.loc(edge.source),
                action,
                target: self.loc(edge.target),
                position: Some(source.position(edge.start)),
            };
            self.builder.edge(self.ids[&edge.procedure], edge_of_program);
        }
        Ok(told)
    }

    /// A call of the procedure itself: it does nothing but pass arguments to parameters, which are those of another activation.
    fn call_within(&self, callee: u32, stmts: Vec<Stmt>) -> Result<Call, String> {
        let call = self.call(callee, stmts);
        let is_param = |var: &Var| call.args.iter().any(|(param, _)| param == var);
        let is_passed = |(_, value): &(Var, Term)| !value.vars().iter().any(is_param);
        match call.before.is_skip() && call.args.iter().all(is_passed) {
            true => Ok(call),
            false => Err("the arguments of a function that calls itself are not plain".into()),
        }
    }

    /// A call: the assignments to parameters at the end of the statements are its arguments.
    fn call(&self, callee: u32, mut stmts: Vec<Stmt>) -> Call {
        let params = vars_of(self.layouts, &self.flat.procedures[callee as usize].params);
        let is_argument = |stmt: &Stmt| match stmt {
            Stmt::Assign(changes) => changes.iter().all(|(var, _)| params.contains(var)),
            _ => false,
        };
        let n_before = stmts.iter().rposition(|stmt| !is_argument(stmt)).map_or(0, |last| last + 1);
        let args = stmts.split_off(n_before).into_iter();
        let args = args.flat_map(|stmt| match stmt {
            Stmt::Assign(changes) => changes,
            _ => Vec::new(),
        });
        let args = args.collect();
        Call { before: Stmt::seq(stmts), args, callee: self.ids[&callee] }
    }

    fn node(&mut self, node: Node) -> Loc {
        self.loc(self.joined[node.0 as usize])
    }

    fn loc(&mut self, node: u32) -> Loc {
        *self.locs.entry(node).or_insert_with(|| self.builder.loc())
    }
}

/// The variables of objects, in their order.
fn vars_of(layouts: &[Layout], objects: &[ObjectId]) -> Vec<Var> {
    let leaves = objects.iter().flat_map(|object| &layouts[object.index()].leaves);
    leaves.map(|leaf| leaf.var).collect()
}

/// Says which variables are parameters, results and locals of the procedures. What another procedure mentions, as it has
/// the address, is no local variable; nor is what copies of a function share.
fn interfaces(
    flat: &Flat,
    layouts: &[Layout],
    ids: &BTreeMap<u32, ProcedureId>,
    builder: &mut ProgramBuilder,
) -> Result<(), String> {
    let users = builder.users();
    for (number, id) in ids {
        let flat_procedure = &flat.procedures[*number as usize];
        let params = vars_of(layouts, &flat_procedure.params);
        let results = vars_of(layouts, flat_procedure.result.as_slice());
        let procedure = builder.procedure_mut(*id);
        (procedure.params, procedure.results) = (params, results);
    }
    // Results outlive the activation: where a function calls itself, another activation reads them.
    let results = ids.keys().filter_map(|number| flat.procedures[*number as usize].result);
    let results: FxHashSet<Var> =
        vars_of(layouts, &results.collect::<Vec<_>>()).into_iter().collect();
    let recursive = builder.recursive();
    let recursive = ids.iter().filter(|(_, id)| recursive.contains(id));
    let recursive: FxHashSet<u32> =
        recursive.map(|(number, _)| flat.procedures[*number as usize].function).collect();
    let mut of_recursive = FxHashSet::default();
    for (object, layout) in
        flat.objects.iter().zip(layouts).filter(|(object, _)| object.owner.is_some())
    {
        for leaf in layout.leaves.iter().filter(|leaf| !results.contains(&leaf.var)) {
            if object.owner.is_some_and(|owner| recursive.contains(&owner)) {
                of_recursive.insert(leaf.var);
            }
            if let Some(Some(user)) = users.get(&leaf.var) {
                builder.procedure_mut(*user).locals.push(leaf.var);
            }
        }
    }
    match of_recursive.iter().filter(|var| users.get(var) == Some(&None)).min() {
        None => Ok(()),
        Some(var) => Err(format!("`{var}` of a function that calls itself is used by another one")),
    }
}

/// Describes the edges of the automaton.
fn describe(
    program: &Program,
    inlined: &Inlined,
    told: &[Told],
    defined: &[u32],
    map: &mut SourceMap,
) {
    let told = |id: ProgramEdgeId| &told[id.0 as usize];
    for (i, origin) in inlined.origins().iter().enumerate() {
        let (id, edge) = (EdgeId(i as u32), told(origin.edge));
        for (callee, var, close) in &edge.nondets {
            let callee = &program.functions[*callee as usize];
            map.nondets.push(Nondet {
                edge: id,
                callee: callee.name.clone(),
                ty: result_name(program, callee.ty),
                var: var.map(|var| inlined.var(origin.activation, var)),
                close: *close,
            });
        }
        let unset = edge.unset.iter().map(|var| inlined.var(origin.activation, *var));
        map.unset.extend(unset.map(|var| (id, var)));
        map.edges.push((defined[edge.function as usize], edge.start));
    }
}

/// Adds the variables of activations within others.
fn rename(inlined: &Inlined, map: &mut SourceMap) {
    let renamed = inlined.renamed();
    if renamed.is_empty() {
        return;
    }
    let types: FxHashMap<Var, String> = map.variables.iter().cloned().collect();
    let types =
        renamed.into_iter().filter_map(|(var, name)| Some((name, types.get(&var)?.clone())));
    map.variables.extend(types);
}

/// What is assumed, by place.
fn assumptions(
    source: &SourceFile,
    flat: &Flat,
    places: &dyn Fn(Node) -> Vec<Loc>,
) -> Vec<Assumption> {
    let mut by_start: BTreeMap<usize, (Vec<Loc>, Vec<Loc>)> = BTreeMap::new();
    for (start, after, stop) in &flat.assumptions {
        let (passed, stopped) = by_start.entry(*start).or_default();
        passed.extend(places(*after));
        stopped.extend(places(*stop));
    }
    let named =
        |(start, (after, stopped))| Assumption { name: source.place(start), after, stopped };
    by_start.into_iter().map(named).collect()
}

/// The functions without a body, but for those that the library has.
fn undefined(source: &SourceFile, program: &Program) -> Vec<(String, String)> {
    let is_of_library =
        |function: &Function| source.pieces().iter().any(|piece| piece.name == function.name);
    let is_open = |function: &&Function| function.body.is_none() && !is_of_library(function);
    let functions = program.functions.iter().filter(is_open);
    let is_simple = |ty| match program.types.get(ty) {
        Type::Function(signature) => {
            let result = signature.result;
            program.types.as_int(result).is_some()
                || matches!(program.types.get(result), Type::Void | Type::Float(_))
                || program.types.pointee(result).is_some()
        }
        _ => false,
    };
    functions
        .filter(|function| is_simple(function.ty))
        .map(|function| (function.name.clone(), result_name(program, function.ty)))
        .collect()
}

fn result_name(program: &Program, ty: crate::c::types::TypeId) -> String {
    match program.types.get(ty) {
        Type::Function(signature) => program.types.name(signature.result),
        _ => program.types.name(ty),
    }
}
