//! Lapidary as a library: from a file, a text or an automaton to a validated verdict.
//!
//! All that decides whether a verdict is right is below this crate or in it: the input is read, engines search, evidence is brought
//! back to the automaton that was read and validated there, and an execution that leaves the model is no error of the
//! program. What prints, and what reads arguments, is not here.
//!
//! # Verify a file
//!
//! ```no_run
//! use lapidary::Finding;
//!
//! let outcome = lapidary::verify("lock.cfa", &lapidary::Options::default())?;
//! match &outcome.finding {
//!     Finding::Safe { proof, .. } => println!("safe: {} states", proof.states.len()),
//!     Finding::Unsafe { execution, .. } => println!("unsafe after {} steps", execution.steps.len()),
//!     other => println!("unknown: {}", other.reason().unwrap_or_default()),
//! }
//! # Ok::<(), lapidary::Error>(())
//! ```
//!
//! # Build an automaton and verify it
//!
//! ```
//! use lapidary::Verifier;
//! use lapidary::expr::{Sort, Term, Var};
//! use lapidary::model::{CfaBuilder, Stmt};
//!
//! // x := 0; while true { x := x + 2 }: x is never 7.
//! let x = Var::new("x", Sort::Int);
//! let mut builder = CfaBuilder::new("even", "start");
//! builder.vars(&[x]);
//! let (start, run, error) = (builder.entry(), builder.loc("run"), builder.loc("error"));
//! builder.edge(start, Stmt::assign(x, Term::int(0)), run, None);
//! builder.edge(run, Stmt::assign(x, Term::var(x).plus(Term::int(2))), run, None);
//! builder.edge(run, Stmt::Assume(Term::var(x).equals(Term::int(7))), error, None);
//! builder.error(error);
//! let outcome = Verifier::default().automaton(builder.build().expect("well-formed"))?;
//! assert_eq!(outcome.finding.verdict(), "safe");
//! # Ok::<(), lapidary::Error>(())
//! ```
//!
//! # Add a domain
//!
//! A domain implements [`cegar::Domain`]; `crates/cegar/tests/clients` has small ones, and the loop that runs them.

pub mod clock;
pub mod error;
mod inside;
pub mod listener;
pub mod options;
pub mod outcome;
mod preprocess;
pub mod progress;
pub mod read;
mod search;
pub mod source;
pub mod trace;
mod units;
mod vacuous;
mod verification;
mod verifier;
mod watcher;

pub use lapidary_cegar as cegar;
pub use lapidary_engine as engine;
pub use lapidary_expr as expr;
pub use lapidary_frontend as frontend;
pub use lapidary_model as model;
pub use lapidary_solver as solver;

pub use error::Error;
pub use listener::{Learned, Listener};
pub use options::{Calls, Options, Strategy};
pub use outcome::{Finding, Outcome};
pub use progress::Progress;
pub use search::solver as make_solver;
pub use source::Source;
pub use verification::verify_input;
pub use verifier::{Verifier, verify};
