//! The program as graphs, one for each procedure: side effects in order, expressions pure.
//!
//! Between the typed form and the automaton. Places and values still have C's types and meaning; how numbers
//! and memory are written as terms is decided by what comes after. All procedures share one set of nodes and one of objects.

pub(in crate::c) mod elsewhere;
pub(in crate::c) mod escapes;
pub(in crate::c) mod points_to;
pub(in crate::c) mod sites;
pub(in crate::c) mod substitute;
pub(in crate::c) mod unset;
pub(in crate::c) mod visit;
pub(in crate::c) mod written;

use std::collections::BTreeMap;

use crate::c::checks::Check;
use crate::c::ir::{Binary, Unary};
use crate::c::types::TypeId;

/// Something in memory: a variable, or a piece of it that has a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct ObjectId(pub(super) u32);

impl ObjectId {
    /// The object as a number.
    pub(super) fn index(self) -> usize {
        self.0 as usize
    }
}

/// An object with its type.
#[derive(Clone, Debug)]
pub(super) struct Object {
    pub(super) name: String,
    /// What the program calls it, if it is a variable of the program.
    pub(super) label: Option<String>,
    pub(super) ty: TypeId,
    /// The object that has the number of elements, of an array whose type only tells the most that there may be.
    pub(super) length: Option<ObjectId>,
    /// The function of whose activations it belongs to one.
    pub(super) owner: Option<u32>,
    /// Whether it is `const`: it gets a value only where it is declared.
    pub(super) is_const: bool,
    /// The number of the region, of an object that stands for all that is allocated there.
    pub(super) region: Option<u32>,
    /// Whether it is allocated, and not declared.
    pub(super) is_allocated: bool,
    /// Whether it may be freed.
    pub(super) is_freed: bool,
}

impl Object {
    /// A variable of the program.
    pub(super) fn new(name: String, ty: TypeId) -> Object {
        Object {
            name,
            label: None,
            ty,
            length: None,
            owner: None,
            is_const: false,
            region: None,
            is_allocated: false,
            is_freed: false,
        }
    }

    /// Whether its addresses are among those of allocated memory whose size is not known.
    pub(super) fn has_slot(&self) -> bool {
        self.is_allocated && (self.region.is_some() || self.length.is_some())
    }
}

/// What is said where something `const` is changed, by a pointer or a cast.
pub(super) const CHANGED: &str = "a `const` object is changed";

/// A part of an object, or of what a pointer points to.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Place {
    pub(super) root: Root,
    pub(super) path: Vec<Step>,
    pub(super) ty: TypeId,
}

/// What a place is a part of.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Root {
    Object(ObjectId),
    Pointer(Box<Value>),
}

/// A step from the whole to a part.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Step {
    Member(usize),
    /// The index has the width of a pointer.
    Index(Value),
}

/// An expression without side effects.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Value {
    pub(super) kind: ValueKind,
    pub(super) ty: TypeId,
    pub(super) start: usize,
}

/// What a value is.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum ValueKind {
    /// A constant; of a floating type, its bits.
    Int(i128),
    Load(Place),
    Address(Place),
    Function(u32),
    Unary(Unary, Box<Value>),
    Binary(Binary, Box<Value>, Box<Value>),
    Move(Box<Value>, Box<Value>),
    Distance(Box<Value>, Box<Value>),
    And(Box<Value>, Box<Value>),
    Or(Box<Value>, Box<Value>),
    Conditional(Box<Value>, Box<Value>, Box<Value>),
    Convert(Box<Value>),
    /// Whether a value is not zero.
    Truth(Box<Value>),
    /// Whether a floating number has the sign of negative ones.
    IsNegative(Box<Value>),
    /// A function of a floating number.
    Apply(Function, Box<Value>),
}

/// Why the error location is reached.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Failure {
    /// A check fails.
    Violation(Violation),
    /// Something that has no meaning in the model.
    Unsupported(String),
}

/// A check that fails.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Violation {
    pub(super) start: usize,
    pub(super) check: Check,
    /// The expression, as it is written in C.
    pub(super) expression: String,
}

/// What an edge does, in order.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Op {
    Assume(Value, bool),
    Assign(Place, Value),
    /// Sets a whole place to zero.
    Zero(Place),
    /// Any value, of a variable that has none yet, or from outside the program.
    Havoc {
        place: Place,
        is_external: bool,
    },
    /// The value of a call of `__VERIFIER_nondet_…` goes to a place, or nowhere.
    Nondet {
        place: Option<Place>,
        function: u32,
        /// Where the closing parenthesis of the call is.
        close: usize,
    },
    /// Computes a value that nobody uses, or finds a place: what may be wrong with it is checked.
    Evaluate(Value),
    /// From here on the execution is only an approximation of one.
    Approximate(String),
    /// Regions begin empty.
    Begin,
    /// No static variable has the address of an allocated block.
    NothingHeld,
    /// Memory is allocated at a site: as many elements of a size, in bytes.
    Allocate {
        site: u32,
        count: Value,
        size: Value,
    },
    /// What a pointer points to is freed.
    Free {
        pointer: Value,
        start: usize,
    },
    /// A function that is defined elsewhere is called with these values.
    Outside {
        function: u32,
        given: Vec<Value>,
        start: usize,
    },
}

/// A node of the graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Node(pub(super) u32);

/// An edge of the graph.
#[derive(Clone, Debug)]
pub(super) struct Edge {
    pub(super) source: Node,
    pub(super) ops: Vec<Op>,
    pub(super) target: Node,
    pub(super) start: usize,
    /// The function whose text this is.
    pub(super) function: u32,
    /// Set on edges to the error node.
    pub(super) failure: Option<Failure>,
    /// The procedure that the edge belongs to.
    pub(super) procedure: u32,
    /// The procedure that is called after the operations, which end with the values of its parameters.
    pub(super) call: Option<u32>,
}

/// A function, or a copy of it for calls that are told apart.
#[derive(Clone, Debug)]
pub(super) struct Procedure {
    pub(super) function: u32,
    /// How many activations of the function are below it: such copies have variables of their own.
    pub(super) depth: u32,
    pub(super) entry: Node,
    /// Where it returns; no edge leaves it.
    pub(super) exit: Node,
    pub(super) params: Vec<ObjectId>,
    pub(super) result: Option<ObjectId>,
}

/// The program as graphs. Node 0 is the entry, node 1 the error.
#[derive(Clone, Debug)]
pub(super) struct Flat {
    pub(super) objects: Vec<Object>,
    /// The procedures; the first is where the program starts.
    pub(super) procedures: Vec<Procedure>,
    pub(super) n_nodes: u32,
    pub(super) edges: Vec<Edge>,
    /// Where memory is allocated.
    pub(super) sites: Vec<Site>,
    /// The regions; what an object has many instances of is in one.
    pub(super) regions: Vec<Region>,
    /// The number of live blocks, where it matters.
    pub(super) n_live: Option<ObjectId>,
    /// What counts how often the program jumps back.
    pub(super) counters: Vec<ObjectId>,
    /// The number of functions of the program.
    pub(super) n_functions: u32,
    /// Where the objects of functions are declared.
    pub(super) scopes: BTreeMap<ObjectId, Scope>,
    /// Places that hold the number of an address, with the address.
    pub(super) numbers: Vec<(Place, Value)>,
    /// The variables that are defined elsewhere.
    pub(super) external: Vec<ObjectId>,
    /// Where something is read first that is `volatile`, in the order of the translation.
    pub(super) volatile: Option<usize>,
    /// Where the first assertion is whose failure is not the error.
    pub(super) no_error: Option<usize>,
    /// The assumptions: where they are, the nodes behind them, and the nodes where executions end that do not pass.
    pub(super) assumptions: Vec<(usize, Node, Node)>,
    /// Where `main` ends.
    pub(super) end: Node,
    /// The loops of all procedures.
    pub(super) loops: Vec<Loop>,
    /// By where a loop is, the objects that have a name there, outside of recursion.
    pub(super) names: BTreeMap<usize, Vec<(ObjectId, String)>>,
}

/// A loop of the program.
#[derive(Clone, Copy, Debug)]
pub(super) struct Loop {
    /// Where every round starts.
    pub(super) head: Node,
    pub(super) function: u32,
    /// The depth of recursion.
    pub(super) depth: u32,
    /// Where its keyword is.
    pub(super) start: usize,
}

/// A place in the program that allocates memory.
#[derive(Clone, Copy, Debug)]
pub(super) struct Site {
    /// What is allocated; of many instances, the region.
    pub(super) object: ObjectId,
    /// The pointer that holds the address of the latest instance.
    pub(super) latest: ObjectId,
    /// What the pointer points to that gets the address, if that is said.
    pub(super) hint: Option<TypeId>,
    /// Whether it may be passed more than once.
    pub(super) is_repeated: bool,
    pub(super) is_zeroed: bool,
    /// Whether it may be freed.
    pub(super) is_heap: bool,
}

/// Memory with many instances of a type, or with instances of a size that is computed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Region {
    pub(super) object: ObjectId,
    /// The type of an element.
    pub(super) element: TypeId,
    /// The size of all instances in bytes, if it is the same.
    pub(super) bytes: Option<u64>,
    /// Whether everything in it is zero at first.
    pub(super) is_zeroed: bool,
}

/// Where an object of a function is declared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Scope {
    pub(super) function: u32,
    /// The depth of recursion.
    pub(super) depth: u32,
    /// Where the blocks start that it is in; an object whose path starts with that of another ends before it.
    pub(super) path: Vec<usize>,
}

impl Flat {
    pub(super) const ENTRY: Node = Node(0);
    pub(super) const ERROR: Node = Node(1);

    /// The program as a whole is not supported: nothing of it can be executed.
    pub(super) fn refuse(&mut self, what: &str, main: u32, start: usize) {
        self.edges.clear();
        self.edges.push(Edge {
            source: Flat::ENTRY,
            ops: Vec::new(),
            target: Flat::ERROR,
            start,
            function: main,
            failure: Some(Failure::Unsupported(what.into())),
            procedure: 0,
            call: None,
        });
    }
}

impl Place {
    pub(super) fn object(object: ObjectId, ty: TypeId) -> Place {
        Place { root: Root::Object(object), path: Vec::new(), ty }
    }

    pub(super) fn step(mut self, step: Step, ty: TypeId) -> Place {
        self.path.push(step);
        self.ty = ty;
        self
    }
}

impl Value {
    pub(super) fn new(kind: ValueKind, ty: TypeId, start: usize) -> Value {
        Value { kind, ty, start }
    }

    pub(super) fn int(value: i128, ty: TypeId, start: usize) -> Value {
        Value::new(ValueKind::Int(value), ty, start)
    }

    pub(super) fn load(place: Place, start: usize) -> Value {
        let ty = place.ty;
        Value::new(ValueKind::Load(place), ty, start)
    }

    pub(super) fn as_int(&self) -> Option<i128> {
        match self.kind {
            ValueKind::Int(value) => Some(value),
            _ => None,
        }
    }

    /// Whether the value depends on memory.
    pub(super) fn has_loads(&self) -> bool {
        match &self.kind {
            ValueKind::Int(_) | ValueKind::Function(_) => false,
            ValueKind::Load(_) => true,
            ValueKind::Address(place) => {
                matches!(place.root, Root::Pointer(_))
                    || place
                        .path
                        .iter()
                        .any(|step| matches!(step, Step::Index(index) if index.has_loads()))
            }
            ValueKind::Unary(_, a)
            | ValueKind::Convert(a)
            | ValueKind::Truth(a)
            | ValueKind::IsNegative(a)
            | ValueKind::Apply(_, a) => a.has_loads(),
            ValueKind::Binary(_, a, b)
            | ValueKind::Move(a, b)
            | ValueKind::Distance(a, b)
            | ValueKind::And(a, b)
            | ValueKind::Or(a, b) => a.has_loads() || b.has_loads(),
            ValueKind::Conditional(a, b, c) => a.has_loads() || b.has_loads() || c.has_loads(),
        }
    }
}

/// What a library function computes of one floating number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(in crate::c) enum Function {
    Absolute,
    Root,
    Floor,
    Ceiling,
    Truncated,
}

/// Why a call is not translated, or not inlined.
pub(in crate::c) const TOO_LARGE: &str = "the program is too large when its calls are inlined";
