//! The automaton, and what connects it to the source.

use std::collections::BTreeMap;

use lapidary_expr::{Sort, Var};
use lapidary_model::{Cfa, CfaBuilder, EdgeId, Execution, Loc, Stmt};
use rustc_hash::{FxHashMap, FxHashSet};

use super::arith::Arith;
use super::flat::{Flat, Node};
use super::ir::Program;
use super::layout::Layout;
use super::loops::{Loop, loops};
use super::lower::LoweredEdge;
use super::reduce::reduce;
use super::types::{DataModel, Type};
use crate::source::SourceFile;

/// What connects the automaton of a C program to its text.
#[derive(Clone, Debug, Default)]
pub struct SourceMap {
    /// For each edge the function whose text it is, as a number in `functions`, and where that text starts, in bytes.
    pub edges: Vec<(u32, usize)>,
    /// The edges to the error location that stand for something unsupported, and what.
    pub unsupported: Vec<(EdgeId, String)>,
    /// The edges that do less or more than the program does, and why: an execution over one of them
    /// proves nothing.
    pub approximations: Vec<(EdgeId, String)>,
    /// The calls of `__VERIFIER_nondet_…`, by edge and in the order of the calls on it.
    pub nondets: Vec<Nondet>,
    /// The variables that come to life without a value, by edge.
    pub unset: Vec<(EdgeId, Var)>,
    /// The functions that are defined.
    pub functions: Vec<String>,
    /// Where the definitions of functions start, in bytes and in this order, with their numbers in `functions`.
    pub definitions: Vec<(usize, u32)>,
    /// The functions that are only declared, with the types of their results; only those that are numbers or nothing.
    pub undefined: Vec<(String, String)>,
    /// The function that is called first.
    pub entry: String,
    /// The functions whose call is the error.
    pub errors: Vec<String>,
    /// Whether a failed assertion is the error.
    pub asserts: bool,
    /// How numbers are written.
    pub arith: Arith,
    /// The sizes of the types.
    pub model: DataModel,
    /// The variables of the automaton with the C types of their values.
    pub variables: Vec<(Var, String)>,
    /// What is asserted, in the order of the text.
    pub assertions: Vec<Assertion>,
    /// The loops, in the order of the text.
    pub loops: Vec<Loop>,
    /// What the verdict rests on, for people.
    pub notes: Vec<String>,
    /// Whether there is anything that can be the error.
    pub has_property: bool,
    /// What the program assumes, in the order of the text.
    pub assumptions: Vec<Assumption>,
    /// Where `main` ends, if that can be reached.
    pub end: Option<Loc>,
}

/// A place in the text where something is assumed.
#[derive(Clone, Debug)]
pub struct Assumption {
    /// Where it is, as text.
    pub name: String,
    /// The locations behind it, one for each copy; those that no path leads to are left out.
    pub after: Vec<Loc>,
    /// The locations of executions that do not pass it, which end there.
    pub stopped: Vec<Loc>,
}

/// A place in the text where the error may be reached.
#[derive(Clone, Debug)]
pub struct Assertion {
    /// Where it is, as text.
    pub name: String,
    /// The edges to the error location that violate it.
    pub edges: Vec<EdgeId>,
}

/// A call of a function that returns any value.
#[derive(Clone, Debug)]
pub struct Nondet {
    /// The edge with the call.
    pub edge: EdgeId,
    /// The name of the function.
    pub callee: String,
    /// The C type of the value.
    pub ty: String,
    /// The variable that holds the value after its `havoc` on the edge; none if nothing depends on it.
    pub var: Option<Var>,
    /// Where the closing parenthesis of the call is, in bytes.
    pub close: usize,
}

impl SourceMap {
    /// The variables whose bits are floating numbers, by themselves or as the elements of an array.
    pub fn floats(&self) -> FxHashSet<Var> {
        let is_float = |ty: &str| matches!(ty.split('[').next(), Some("float" | "double"));
        let floats = self.variables.iter().filter(|(_, ty)| is_float(ty));
        floats.map(|(var, _)| *var).collect()
    }

    /// The function whose text has this offset. The edge with a call may belong to another function: arguments are
    /// computed on an edge of the function that is called.
    pub fn function_at(&self, offset: usize) -> &str {
        let next = self.definitions.partition_point(|(start, _)| *start <= offset);
        let definition = next.checked_sub(1).map(|last| self.definitions[last].1);
        definition.map_or("", |number| &self.functions[number as usize])
    }

    /// Why an execution of the automaton proves nothing about the program, and where that is in the text, if so.
    pub fn doubt(&self, execution: &Execution) -> Option<(usize, String)> {
        let doubtful: FxHashMap<EdgeId, &String> = self.doubtful().collect();
        execution.steps.iter().find_map(|step| {
            let what = doubtful.get(&step.edge)?;
            Some((self.edges[step.edge.0 as usize].1, (*what).clone()))
        })
    }

    /// The edges that an execution of the program must not take: where the model is left, and where it approximates.
    pub fn doubtful(&self) -> impl Iterator<Item = (EdgeId, &String)> {
        let all = self.unsupported.iter().chain(&self.approximations);
        all.map(|(edge, what)| (*edge, what))
    }
}

/// What is assumed, by place.
fn assumptions(
    source: &SourceFile,
    flat: &Flat,
    loc: &dyn Fn(Node) -> Option<Loc>,
) -> Vec<Assumption> {
    let mut places: BTreeMap<usize, (Vec<Loc>, Vec<Loc>)> = BTreeMap::new();
    for (start, after, stop) in &flat.assumptions {
        let (passed, stopped) = places.entry(*start).or_default();
        passed.extend(loc(*after));
        stopped.extend(loc(*stop));
    }
    let named =
        |(start, (after, stopped))| Assumption { name: source.place(start), after, stopped };
    places.into_iter().map(named).collect()
}

/// Builds the automaton.
pub(super) fn build(
    source: &SourceFile,
    program: &Program,
    flat: &Flat,
    mut edges: Vec<LoweredEdge>,
    layouts: &[Layout],
) -> Result<(Cfa, SourceMap), String> {
    let joined = reduce(&mut edges, flat.n_nodes);
    let entry = joined[Flat::ENTRY.0 as usize];
    let mut builder = CfaBuilder::new("main", "L0");
    builder.written_checks(true);
    let mut locs: FxHashMap<u32, Loc> = FxHashMap::from_iter([(entry, builder.entry())]);
    let mut map = SourceMap::default();
    let mut defined = Vec::with_capacity(program.functions.len());
    for function in &program.functions {
        defined.push(map.functions.len() as u32);
        if function.body.is_some() {
            map.definitions.push((function.start, map.functions.len() as u32));
            map.functions.push(function.name.clone());
        }
    }
    map.definitions.sort_unstable();
    let mut used: Vec<Var> = Vec::new();
    let mut is_used: FxHashSet<Var> = FxHashSet::default();
    let mut error = None;
    let mut assertions: BTreeMap<usize, Vec<EdgeId>> = BTreeMap::new();
    for edge in edges {
        let mut loc = |node: u32, builder: &mut CfaBuilder| {
            let number = locs.len();
            let name = if node == Flat::ERROR.0 { "ERROR".into() } else { format!("L{number}") };
            *locs.entry(node).or_insert_with(|| builder.loc(&name))
        };
        let source_loc = loc(edge.source, &mut builder);
        let target = loc(edge.target, &mut builder);
        if edge.target == Flat::ERROR.0 {
            error = Some(target);
        }
        let stmt = Stmt::seq(edge.stmts);
        let mut mention = |var: Var| {
            if is_used.insert(var) {
                used.push(var);
            }
        };
        let written = stmt.written();
        written.iter().copied().for_each(&mut mention);
        stmt.for_each_term(&mut |term| term.vars().iter().for_each(|var| mention(*var)));
        let position = source.position(edge.start);
        let id = builder.edge(source_loc, stmt, target, Some(position));
        for (callee, var, close) in edge.nondets {
            let callee = &program.functions[callee as usize];
            map.nondets.push(Nondet {
                edge: id,
                callee: callee.name.clone(),
                ty: result_name(program, callee.ty),
                var: var.filter(|var| written.contains(var)),
                close,
            });
        }
        map.unset.extend(
            edge.unset.into_iter().filter(|var| written.contains(var)).map(|var| (id, var)),
        );
        map.edges.push((defined[edge.function as usize], edge.start));
        map.approximations.extend(edge.approximations.into_iter().map(|(what, _)| (id, what)));
        map.unsupported.extend(edge.unsupported.map(|what| (id, what)));
        if let Some(start) = edge.assertion {
            assertions.entry(start).or_default().push(id);
        }
    }
    map.assertions = assertions
        .into_iter()
        .map(|(start, edges)| Assertion { name: source.place(start), edges })
        .collect();
    let head = |node: Node| locs.get(&joined[node.0 as usize]).copied();
    map.assumptions = assumptions(source, flat, &head);
    map.end = [flat.end].into_iter().find_map(head);
    map.loops = loops(flat, &program.types, layouts, &defined, head);
    if let Some(error) = error {
        builder.error(error);
    }
    // In the order of the objects, which is that of the text.
    let mut declared = Vec::new();
    for (leaf, _) in layouts
        .iter()
        .zip(&flat.objects)
        .flat_map(|(layout, object)| layout.leaves.iter().map(move |leaf| (leaf, object)))
    {
        if is_used.contains(&leaf.var) {
            declared.push(leaf.var);
            let many = if matches!(leaf.var.sort(), Sort::Array(_)) {
                format!("[{}]", leaf.count)
            } else {
                String::new()
            };
            map.variables.push((leaf.var, format!("{}{many}", program.types.name(leaf.ty))));
        }
    }
    builder.vars(&declared);
    map.undefined = undefined(program);
    let cfa = builder.build().map_err(|error| error.to_string())?;
    Ok((cfa, map))
}

fn undefined(program: &Program) -> Vec<(String, String)> {
    let functions = program.functions.iter().filter(|function| function.body.is_none());
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

fn result_name(program: &Program, ty: super::types::TypeId) -> String {
    match program.types.get(ty) {
        Type::Function(signature) => program.types.name(signature.result),
        _ => program.types.name(ty),
    }
}
