//! From the typed form to graphs: side effects are put in order.
//!
//! A function becomes a procedure at its first call, and later calls use the same one: no two activations of a function that
//! does not call itself overlap, so its variables exist once. A function that calls itself is one procedure, too, if no pointer
//! can tell its activations apart (`effects/recursion.rs`). Other calls of functions that are active already are told apart:
//! each is a procedure of its own, to a fixed depth, and each depth has variables of its own.

mod allocation;
mod assignments;
mod calls;
mod conditions;
pub(in crate::c) mod conventions;
pub(in crate::c) mod effects;
mod expressions;
mod failures;
mod initial;
mod leaks;
pub(in crate::c) mod libc;
mod library;
pub(in crate::c) mod math_names;
mod order;
mod procedures;
mod scopes;
mod statements;
mod undefined;
mod unions;

use std::collections::{BTreeMap, BTreeSet};

use rustc_hash::{FxHashMap, FxHashSet};

use crate::c::flat::{
    Edge, Flat, Loop, Node, Object, ObjectId, Op, Place, Root, Scope, Value, ValueKind,
};
use crate::c::flatten::conventions::Conventions;
use crate::c::flatten::effects::Effects;
use crate::c::ir::{Binary, Extent, Program, VarRef};
use crate::c::types::TypeId;

/// Programs that grow beyond this many edges are cut off, with an edge to the error that says so.
const MOST_EDGES: usize = 400_000;

/// What a made-up variable is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Role {
    /// The result of a function.
    Result,
    /// A value that is needed after something else was computed, with its number among those at the same place.
    Kept(u32),
    /// The value of a condition or call.
    Outcome,
    /// What a nondeterministic choice yields.
    Choice,
    /// Which order operands are evaluated in.
    Order,
}

/// Identifies the variables of a function at a depth of recursion.
type VarKey = (u32, u32, u32);
/// Identifies a made-up variable: function, depth, place in the text, type and role.
type RoleKey = (u32, u32, usize, TypeId, Role);

/// A function that is being translated.
struct Frame {
    function: u32,
    depth: u32,
    /// The procedure that edges belong to.
    procedure: u32,
    /// Where `return` goes.
    exit: Node,
    labels: FxHashMap<String, Node>,
    breaks: Vec<Node>,
    continues: Vec<Node>,
    switches: Vec<statements::Switch>,
    scopes: scopes::Scopes,
    /// How many functions were called from here that were already being translated.
    n_recursions: u32,
    /// Whether the translation depends on the functions that are active.
    is_told_apart: bool,
    /// The labels so far, with the number of allocations before each.
    passed: FxHashMap<String, usize>,
    /// The functions that it and its callees call.
    calls: BTreeSet<u32>,
}

/// The state of the translation.
pub(super) struct Flattener<'p> {
    program: &'p Program,
    conventions: Conventions,
    effects: Effects<'p>,
    flat: Flat,
    frames: Vec<Frame>,
    /// Whether initial values of static variables are being computed.
    is_static: bool,
    /// Where we are; none after a jump.
    here: Option<Node>,
    /// Where the statement starts that is being translated.
    statement: usize,
    /// What is still to be done on the next edge from here.
    ops: Vec<Op>,
    globals: Vec<Option<ObjectId>>,
    locals: FxHashMap<VarKey, ObjectId>,
    roles: FxHashMap<RoleKey, ObjectId>,
    /// How many values that start at a place, of a type, the statement keeps so far; none may take another's variable.
    n_kept: FxHashMap<(usize, TypeId), u32>,
    /// The variables of kept values.
    kept: FxHashSet<ObjectId>,
    names: FxHashMap<String, u32>,
    /// How many times a function was translated within itself.
    n_recursions: u32,
    /// How many loops are around what is translated, those of callers included.
    n_loops: u32,
    /// The variables that count the rounds of the loops around, where that matters.
    rounds: Vec<Option<Place>>,
    /// The procedures that all calls of a function can use, with the functions that they call.
    known: FxHashMap<u32, (u32, BTreeSet<u32>)>,
    /// For each function whether it calls itself and is one procedure all the same.
    is_shared: Vec<bool>,
}

/// Flattens a program from the start of its entry function, which is usually `main`.
pub(super) fn flatten(program: &Program, conventions: Conventions, main: u32) -> Flat {
    let flat = Flat {
        objects: Vec::new(),
        procedures: Vec::new(),
        n_nodes: 2,
        edges: Vec::new(),
        sites: Vec::new(),
        regions: Vec::new(),
        n_live: None,
        counters: Vec::new(),
        n_functions: program.functions.len() as u32,
        scopes: BTreeMap::new(),
        numbers: Vec::new(),
        external: Vec::new(),
        volatile: None,
        no_error: None,
        assumptions: Vec::new(),
        end: Flat::ENTRY,
        loops: Vec::new(),
        names: BTreeMap::new(),
    };
    let effects = Effects::new(program, conventions.clone());
    let mut flattener = Flattener {
        program,
        is_shared: effects.shared(main),
        effects,
        conventions,
        flat,
        frames: Vec::new(),
        is_static: false,
        here: Some(Flat::ENTRY),
        statement: 0,
        ops: Vec::new(),
        globals: vec![None; program.globals.len()],
        locals: FxHashMap::default(),
        roles: FxHashMap::default(),
        n_kept: FxHashMap::default(),
        kept: FxHashSet::default(),
        names: FxHashMap::default(),
        n_recursions: 0,
        n_loops: 0,
        rounds: Vec::new(),
        known: FxHashMap::default(),
    };
    flattener.run(main);
    flattener.flat
}

impl Flattener<'_> {
    fn run(&mut self, main: u32) {
        let before = self.node();
        self.here = Some(before);
        let function = &self.program.functions[main as usize];
        let start = function.start;
        let (last, exit) = (self.node(), self.node());
        self.flat.end = exit;
        let procedure = self.procedure(main, 0, Flat::ENTRY, exit);
        self.enter(main, 0, procedure, last);
        self.count_blocks();
        if let Some((what, start)) = &self.program.unmodelled {
            self.unsupported(what.clone(), *start);
        }
        for param in 0..function.n_params {
            let place = self.local(param as u32);
            self.ops.push(Op::Havoc { place: place.clone(), is_external: true });
            let is_argc = param == 0 && function.name == "main";
            if is_argc && self.program.types.as_int(place.ty).is_some() {
                // There are no fewer than no arguments.
                let zero = Box::new(Value::int(0, place.ty, start));
                let number = Box::new(Value::load(place, start));
                let test = ValueKind::Binary(Binary::Le, zero, number);
                self.ops.push(Op::Assume(Value::new(test, self.int_type(), start), true));
            }
        }
        self.body(main);
        self.here = Some(last);
        self.check_end_of_main(start);
        self.goto(exit, start);
        // Now it is known which global variables are used.
        self.here = Some(Flat::ENTRY);
        self.is_static = true;
        self.initial_values(start);
        let zeros = self.flat.zero_counters(self.long_type());
        self.ops.extend(zeros);
        self.goto(before, start);
        self.frames.pop();
        self.name_objects();
    }

    /// Tells which objects have which names at the loops.
    fn name_objects(&mut self) {
        for copy in &self.flat.loops {
            let Some(local) = self.program.loops.get(&copy.start) else { continue };
            if copy.depth > 0 || self.flat.names.contains_key(&copy.start) {
                continue;
            }
            let of_local = |var: &VarRef| match var {
                VarRef::Local(local) => self.locals.get(&(copy.function, 0, *local)).copied(),
                VarRef::Global(global) => self.globals[*global as usize],
            };
            let locals = local
                .iter()
                .filter_map(|(name, var)| Some((var.as_ref().and_then(of_local)?, name.clone())));
            let globals = self.program.globals.iter().zip(&self.globals);
            let globals = globals.filter(|(global, _)| !local.contains_key(&global.name));
            let globals =
                globals.filter_map(|(global, object)| Some(((*object)?, global.name.clone())));
            let names = locals.chain(globals).collect();
            self.flat.names.insert(copy.start, names);
        }
    }

    fn node(&mut self) -> Node {
        self.flat.n_nodes += 1;
        Node(self.flat.n_nodes - 1)
    }

    fn function(&self) -> u32 {
        self.frames.last().map_or(0, |frame| frame.function)
    }

    fn depth(&self) -> u32 {
        self.frames.last().map_or(0, |frame| frame.depth)
    }

    fn enter(&mut self, function: u32, depth: u32, procedure: u32, exit: Node) {
        self.frames.push(Frame {
            function,
            depth,
            procedure,
            exit,
            labels: FxHashMap::default(),
            breaks: Vec::new(),
            continues: Vec::new(),
            switches: Vec::new(),
            scopes: scopes::Scopes::default(),
            n_recursions: 0,
            is_told_apart: false,
            passed: FxHashMap::default(),
            calls: BTreeSet::new(),
        });
    }

    fn add_edge(&mut self, source: Node, ops: Vec<Op>, target: Node, start: usize) {
        let (function, procedure) =
            self.frames.last().map_or((0, 0), |frame| (frame.function, frame.procedure));
        let (failure, call) = (None, None);
        let edge = Edge { source, ops, target, start, function, failure, procedure, call };
        self.flat.edges.push(edge);
    }

    /// The operations for the next edge, without room for more: there are many edges.
    fn take_ops(&mut self) -> Vec<Op> {
        self.ops.drain(..).collect()
    }

    /// Ends the edge that is being filled, if there is anything on it.
    fn flush(&mut self, start: usize) -> Option<Node> {
        let here = self.here?;
        if !self.ops.is_empty() {
            let ops = self.take_ops();
            let next = self.node();
            self.add_edge(here, ops, next, start);
            self.here = Some(next);
        }
        self.here
    }

    /// Goes to a node, and is nowhere then.
    fn goto(&mut self, target: Node, start: usize) {
        let ops = self.take_ops();
        if let Some(here) = self.here.take() {
            self.add_edge(here, ops, target, start);
        }
    }

    /// A loop starts here.
    fn loop_at(&mut self, head: Node, start: usize) {
        let (function, depth) = (self.function(), self.depth());
        self.flat.loops.push(Loop { head, function, depth, start });
        self.next_round(start);
    }

    /// Ends all executions that are here.
    fn end(&mut self) {
        self.here = None;
        self.ops.clear();
    }

    /// A variable that two others cannot have the name of.
    fn object(&mut self, name: String, ty: TypeId) -> ObjectId {
        let count = self.names.entry(name.clone()).or_insert(0);
        *count += 1;
        let name = if *count > 1 { format!("{name}#{count}") } else { name };
        self.flat.objects.push(Object::new(name, ty));
        ObjectId(self.flat.objects.len() as u32 - 1)
    }

    /// A variable of the function that is translated.
    fn local_object(&mut self, name: String, ty: TypeId) -> ObjectId {
        let object = self.object(name, ty);
        self.flat.objects[object.0 as usize].owner = Some(self.function());
        let (function, depth) = (self.function(), self.depth());
        let scope = Scope { function, depth, path: self.path() };
        self.flat.scopes.insert(object, scope);
        object
    }

    fn prefix(&self) -> String {
        let function = &self.program.functions[self.function() as usize].name;
        match self.depth() {
            0 => format!("{function}::"),
            depth => format!("{function}@{depth}::"),
        }
    }

    fn var(&mut self, var: VarRef) -> Place {
        match var {
            VarRef::Local(local) => self.local(local),
            VarRef::Global(global) => {
                let variable = &self.program.globals[global as usize];
                let object = match self.globals[global as usize] {
                    Some(object) => object,
                    None => {
                        let object = self.object(variable.name.clone(), variable.ty);
                        self.note_constant(object, variable);
                        self.flat.objects[object.index()].label = label(&variable.name);
                        self.globals[global as usize] = Some(object);
                        object
                    }
                };
                Place::object(object, variable.ty)
            }
        }
    }

    fn local(&mut self, local: u32) -> Place {
        let key = (self.function(), self.depth(), local);
        let variable = &self.program.functions[key.0 as usize].locals[local as usize];
        let ty = variable.extent.map_or(variable.ty, |extent| extent.longest);
        let object = match self.locals.get(&key) {
            Some(object) => *object,
            None => {
                let name = if variable.name.is_empty() { "unnamed" } else { &variable.name };
                let object = self.local_object(format!("{}{name}", self.prefix()), ty);
                self.locals.insert(key, object);
                self.note_constant(object, variable);
                self.flat.objects[object.index()].label = label(&variable.name);
                if let Some(Extent { length, .. }) = variable.extent
                    && let Root::Object(length) = self.local(length).root
                {
                    self.flat.objects[object.0 as usize].length = Some(length);
                }
                object
            }
        };
        Place::object(object, ty)
    }

    /// A made-up variable of the current function.
    fn role(&mut self, role: Role, ty: TypeId, start: usize) -> Place {
        self.role_of(self.function(), self.depth(), role, ty, start)
    }

    fn role_of(
        &mut self,
        function: u32,
        depth: u32,
        role: Role,
        ty: TypeId,
        start: usize,
    ) -> Place {
        let key = (function, depth, start, ty, role);
        if let Some(object) = self.roles.get(&key) {
            return Place::object(*object, ty);
        }
        let name = match role {
            Role::Result => "result",
            Role::Kept(_) => "kept",
            Role::Outcome => "outcome",
            Role::Choice => "choice",
            Role::Order => "order",
        };
        let function = &self.program.functions[function as usize].name;
        let at = if depth > 0 { format!("@{depth}") } else { String::new() };
        let object = self.local_object(format!("{function}{at}::{name}"), ty);
        self.roles.insert(key, object);
        Place::object(object, ty)
    }

    fn is_full(&self) -> bool {
        self.flat.edges.len() > MOST_EDGES
    }

    fn assign(&mut self, place: Place, value: Value) {
        if self.here.is_some() {
            self.ops.push(Op::Assign(place, value));
        }
    }
}

/// What the program calls a variable; static ones have the function in front of the name.
fn label(name: &str) -> Option<String> {
    let name = name.rsplit("::").next().unwrap_or_default();
    let is_word = |c: char| c.is_alphanumeric() || matches!(c, '_' | '$');
    let is_name = name.chars().all(is_word) && !name.starts_with(|c: char| c.is_ascii_digit());
    (is_name && !name.is_empty()).then(|| name.into())
}
