//! C as the software verification competition has it: GNU C after the preprocessor.
//!
//! ```text
//! text ─ lexer ─▶ tokens ─ parser ─▶ typed form (ir) ─ flatten ─▶ one graph (flat) ─ lower ─▶ automaton
//! ```
//!
//! The parser resolves names and types and writes every conversion out. `flatten` inlines the calls and puts
//! the side effects in order; `points_to` finds what pointers may point to, `ranges` how large numbers are;
//! `lower` writes numbers and memory as terms, `reduce` drops what no condition depends on. What has no meaning
//! in the model becomes an edge to the error location that says so: if an execution ends there, the verdict is
//! `unknown`, and if it cannot be reached, it does no harm.

mod arith;
pub(crate) mod assertions;
mod build;
mod constants;
mod conventions;
mod elsewhere;
mod flat;
mod flatten;
mod floats;
mod fold;
mod harness;
mod headers;
mod ir;
mod layout;
mod lexer;
mod library;
mod loops;
mod lower;
mod parser;
mod points_to;
mod purity;
mod reduce;
mod task_file;
mod types;
mod unset;
mod witness;

pub use arith::Arith;
pub use build::{Assertion, Nondet, SourceMap};
pub use harness::harness;
pub use headers::{HEADERS, needs_preprocessor};
pub use loops::{Loop, Name};
pub use task_file::{TaskFile, error_function, task_file};
pub use types::DataModel;
pub use witness::{invariants, violation};

use std::sync::Arc;

use crate::source::{ParseError, SourceFile};
use crate::task::Task;

/// How a program is read.
#[derive(Clone, Debug)]
pub struct Options {
    /// The sizes of the types.
    pub model: DataModel,
    /// How numbers are written.
    pub arith: Arith,
    /// The function that must not be called, if the property names one.
    pub error_function: Option<String>,
    /// Whether every assertion is a property of its own.
    pub each_assertion: bool,
    /// Whether the text comes from a preprocessor, so that its line markers tell positions.
    pub is_preprocessed: bool,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            model: DataModel::Ilp32,
            arith: Arith::Auto,
            error_function: None,
            each_assertion: false,
            is_preprocessed: false,
        }
    }
}

/// Programs nest deeper than the stack of a usual thread.
const STACK: usize = 1 << 30;

/// Reads a program.
pub fn parse(source: &SourceFile, options: &Options) -> Result<Task, ParseError> {
    let work = || read(source, options).map_err(|error| *error);
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new()
            .name("c".into())
            .stack_size(STACK)
            .spawn_scoped(scope, work);
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

fn read(source: &SourceFile, options: &Options) -> parser::Parsed<Task> {
    let tokens = lexer::tokens(source)?;
    let has_headers = headers::check(source, &tokens)?;
    let program = parser::program(source, tokens.tokens, options.model, has_headers)?;
    let main = program
        .functions
        .iter()
        .position(|function| function.name == "main" && function.body.is_some());
    let Some(main) = main else {
        let error = ParseError::about_file(source.name(), "there is no function `main`");
        return Err(Box::new(error.with_help("verification starts at `int main(void)`")));
    };
    let conventions = conventions::Conventions::of(&program, options.error_function.as_deref());
    let (errors, asserts) = (conventions.error_functions(), conventions.asserts());
    let mut flat = flatten::flatten(&program, conventions, main as u32);
    elsewhere::read_elsewhere(&mut flat, &program.types);
    if !layout::has_room(&flat, &program.types, program.functions.len()) {
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
    let (edges, layouts) = lower::lower(&flat, &program.types, arith);
    let (cfa, mut map) = build::build(source, &program, &flat, edges, &layouts)
        .map_err(|problem| Box::new(ParseError::about_file(source.name(), problem)))?;
    (map.errors, map.asserts) = (errors, asserts);
    (map.arith, map.model) = (arith, options.model);
    Ok(Task { cfa, source: source.clone(), map: Some(Arc::new(map)) })
}
