//! C as SV-COMP has it: GNU C after the preprocessor.
//!
//! ```text
//! text ─ lexer ─▶ tokens ─ parser ─▶ typed form (ir) ─ flatten ─▶ graphs (flat) ─ lower, reduce ─▶ procedures ─ inline ─▶ automaton
//! ```
//!
//! The parser resolves names and types and writes every conversion out. `flatten` makes a graph of each function and puts
//! the side effects in order; `points_to` finds what pointers may point to; `lower` writes numbers and memory as terms;
//! `reduce` drops what no condition depends on; `build` makes the program and has its calls inlined. What has no meaning
//! in the model becomes an edge to the error location that says so: if an execution ends there, the verdict is
//! `unknown`, and if it cannot be reached, it does no harm.

mod build;
mod checks;
mod evidence;
mod flat;
mod flatten;
mod ir;
mod library;
mod lower;
mod notes;
mod parse;
mod record_layout;
mod start;
mod task_file;
mod types;

pub use checks::{Check, Checks, UNDEFINED_BEHAVIOUR};
pub use evidence::harness::harness;
pub use evidence::loops::{Loop, Name};
pub use evidence::names::{Kind, Names, Part, Target, Written};
pub use evidence::source_map::{Assumption, Nondet, SourceMap};
pub use evidence::witness::{invariants, violation};
pub use library::FILES as LIBRARY;
pub use lower::arith::Arith;
pub use parse::headers::{HEADERS, needs_preprocessor};
pub use record_layout::{MemberLayout, RecordLayout, record_layouts};
pub use start::Given;
pub use task_file::{Property, SUPPORTED_PROPERTY, TaskFile, property, task_file};
pub use types::DataModel;

use std::collections::BTreeSet;
use std::sync::Arc;

use self::flat::{elsewhere, escapes, sites};
use self::flatten::conventions;
use self::lower::layout;
use self::parse::{headers, lexer};
use self::types::qualifiers::{Qualifier, named};
use crate::source::{ParseError, SourceFile};
use crate::task::Task;

/// How a program is read.
#[derive(Clone, Debug)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is an option, and independent of the others"
)]
pub struct Options {
    /// The sizes of the types.
    pub model: DataModel,
    /// How numbers are written.
    pub arith: Arith,
    /// The function that is called first.
    pub entry: String,
    /// The arguments of the entry function, if it was asked for by name.
    pub given: Option<Given>,
    /// Functions that may run between any two statements.
    pub interrupts: Vec<String>,
    /// Whether variables that last have any value at first.
    pub nondet_static: bool,
    /// The function that must not be called, if the property names one.
    pub error_function: Option<String>,
    /// What is checked.
    pub checks: Checks,
    /// Whether every assertion is a property of its own.
    pub each_assertion: bool,
    /// Whether the sizes of the types are those of a default, and not asked for.
    pub is_model_assumed: bool,
    /// What a read of something `volatile` yields.
    pub volatile: Volatile,
    /// Whether the text comes from a preprocessor, so that its line markers tell positions.
    pub is_preprocessed: bool,
    /// The stack of the reader in bytes: programs nest deeper than the stack of a usual thread.
    pub stack: usize,
}

/// What a read of something `volatile` yields.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Volatile {
    /// What was written last, as with any memory.
    Ordinary,
    /// Any value.
    Havoc,
}

impl Volatile {
    /// The spellings.
    pub const NAMES: [&str; 2] = ["ordinary", "havoc"];
}

impl Default for Options {
    fn default() -> Options {
        Options {
            model: DataModel::Ilp32,
            arith: Arith::Auto,
            entry: "main".into(),
            given: None,
            interrupts: Vec::new(),
            nondet_static: false,
            error_function: None,
            checks: Checks::REACHABILITY,
            each_assertion: false,
            is_model_assumed: false,
            volatile: Volatile::Ordinary,
            is_preprocessed: false,
            stack: STACK,
        }
    }
}

/// The stack of the reader where the address space has room for it.
pub const STACK: usize = 1 << 30;

/// A smaller stack is of no use.
const SMALLEST_STACK: usize = 1 << 20;

/// Reads a program.
pub fn parse(source: &SourceFile, options: &Options) -> Result<Task, ParseError> {
    let work = || read(source, options).map_err(|error| *error);
    std::thread::scope(|scope| {
        let start = |stack: usize| {
            std::thread::Builder::new().name("c".into()).stack_size(stack).spawn_scoped(scope, work)
        };
        // Where address space is limited, it may have no room for a large stack.
        let mut thread = start(options.stack);
        let mut stack = options.stack / 2;
        while thread.is_err() && stack >= SMALLEST_STACK {
            thread = start(stack);
            stack /= 2;
        }
        match thread.map(std::thread::ScopedJoinHandle::join) {
            Ok(Ok(task)) => task,
            Ok(Err(panic)) => std::panic::resume_unwind(panic),
            Err(error) => Err(ParseError::about_file(
                source.name(),
                format!("cannot start a thread: {error}"),
            )),
        }
    })
}

fn read(source: &SourceFile, options: &Options) -> parse::Parsed<Task> {
    let tokens = lexer::tokens(source)?;
    let volatile = notes::first_volatile(&tokens.all);
    let uses_words = notes::depends_on_model(&tokens.all);
    let source = &library::with_library(source, &tokens.all);
    let tokens = lexer::tokens(source)?;
    let has_headers = headers::check(source, &tokens)?;
    let keep = (options.volatile == Volatile::Havoc).then_some(Qualifier::Volatile);
    let types = || {
        let mut types = types::Types::new(options.model, keep);
        types.keeps_overflow = options.checks.ask(Check::Overflow);
        types
    };
    let mut program = parse::program(source, tokens, types(), has_headers)?;
    let started = start::with_start(source, &program, options)?;
    let source = started.as_ref().unwrap_or(source);
    if started.is_some() {
        program = parse::program(source, lexer::tokens(source)?, types(), has_headers)?;
        start::interrupt(&mut program, source.end());
    }
    program.constants = constants(source, options)?;
    if options.nondet_static {
        start::forget_initial_values(&mut program, source.end());
    }
    let has_start = source.pieces().iter().any(|piece| piece.name == start::START);
    let main = entry(&program, if has_start { start::START } else { &options.entry });
    let (checks, property) = (options.checks, options.error_function.as_deref());
    let conventions = conventions::Conventions::of(&program, property, checks);
    let (errors, asserts) = (conventions.error_functions(), conventions.asserts());
    let (label, has_property) = (conventions.label(), conventions.has_property());
    let mut flat = flatten::flatten(&program, conventions, main as u32);
    sites::resolve(&mut flat, &mut program.types);
    escapes::mark(&mut flat, &program);
    if !checks.ask_memory() {
        elsewhere::read_elsewhere(&mut flat, &program.types);
    }
    if !layout::has_room(&flat, &program.types) {
        flat.refuse(
            "more memory than there are addresses",
            main as u32,
            program.functions[main].start,
        );
    }
    let arith = match options.arith {
        Arith::Auto => lower::choose(&flat, &program.types),
        chosen => chosen,
    };
    let (edges, layouts) = lower::lower(&flat, &program.types, arith, checks);
    let (inlined, mut map) = build::build(source, &program, &flat, edges, &layouts)
        .map_err(|problem| Box::new(ParseError::about_file(source.name(), problem)))?;
    (map.errors, map.asserts, map.entry) = (errors, asserts, options.entry.clone());
    (map.arith, map.model) = (arith, options.model);
    map.has_property = has_property;
    map.notes.extend(options.given.filter(|_| has_start).map(|given| notes::given(options, given)));
    map.checks = checks.iter().collect();
    let is_unexpected = property.is_none() && checks.ask(Check::Assertion);
    if let Some(start) = flat.no_error.filter(|_| is_unexpected) {
        map.notes.push(notes::no_error(source, start, &map.errors));
    }
    map.notes.extend(label.map(|(start, is_error)| notes::label(source, start, is_error)));
    if options.is_model_assumed && uses_words {
        map.notes.push(notes::MODEL.into());
    }
    if let Some(volatile) = volatile.filter(|_| options.volatile == Volatile::Ordinary) {
        map.notes.extend(notes::volatile(source, options, volatile));
    }
    Ok(Task {
        model: lapidary_model::Model::Program(Arc::new(inlined)),
        source: source.clone(),
        map: Some(Arc::new(map)),
    })
}

/// The variables that are `const`. Rejects assignments to them. Only types that keep `const` show these, so the program is read
/// once more.
fn constants(source: &SourceFile, options: &Options) -> parse::Parsed<BTreeSet<(usize, String)>> {
    let tokens = lexer::tokens(source)?;
    let has_headers = headers::check(source, &tokens)?;
    let is_const = |token: &lexer::Token<'_>| named(token.text) == Some(Qualifier::Const);
    if !tokens.all.iter().any(is_const) {
        return Ok(BTreeSet::new());
    }
    let types = types::Types::new(options.model, Some(Qualifier::Const));
    let mut constants = parse::constants(source, tokens, types, has_headers)?;
    // What is made for the entry has values that the entry must not change.
    constants.retain(|(start, _)| *start < source.end());
    Ok(constants)
}

/// The number of the function that is called first, which has a body.
fn entry(program: &ir::Program, name: &str) -> usize {
    let is_it = |function: &ir::Function| function.name == name && function.body.is_some();
    program.functions.iter().position(is_it).unwrap_or_default()
}
