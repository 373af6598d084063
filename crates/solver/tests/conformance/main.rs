//! What every back end must do. A new one joins with one line at the end of this file.

#[path = "../common/mod.rs"]
mod common;
mod cores;
mod models;
mod names;
mod operators;
mod scopes;

use std::collections::BTreeSet;
use std::io::Write;
use std::sync::Mutex;

use lapidary_expr::text::{Scope, parse};
use lapidary_expr::{Sort, Term, Var};
use lapidary_solver::Stop;
use lapidary_solver::limits::Watch;
use lapidary_solver::smtlib::{self, SmtLib};
use lapidary_solver::wrap::{Checked, Propositional};
use lapidary_solver::z3::Z3;

/// Reads formulas over `a`, `b`, … (Bool), `i`, `j`, `k`, `n`, `x`, `y` (Int) and `p`, `q`, `r` (Real).
struct Letters;

impl Scope for Letters {
    fn var(&self, name: &str) -> Option<Var> {
        let sort = match name {
            "a" | "b" | "c" | "d" => Sort::Bool,
            "i" | "j" | "k" | "n" | "x" | "y" => Sort::Int,
            "p" | "q" | "r" => Sort::Rat,
            "u" | "v" => Sort::Bv(8),
            _ => return None,
        };
        Some(Var::new(name, sort))
    }
}

fn term(text: &str) -> Term {
    parse(text, &Letters).unwrap_or_else(|error| panic!("{error} in {text}"))
}

/// Whether there is no answer because the solver has no such thing: a process may know less than the operator
/// table, but that has to be said. Z3 in process knows everything and says no such thing.
fn is_refusal(stop: &Stop) -> bool {
    let says = |message: &str| {
        message.contains("does not know") || message.contains("which cannot be read")
    };
    matches!(stop, Stop::Solver(message) if says(message))
}

macro_rules! conformance {
    ($name:ident, $backend:expr) => {
        mod $name {
            use super::*;

            conformance!(@ $backend; scopes: nesting entailment;
                cores: subsets repeated within_scopes renewed;
                models: every_sort big_numbers functions arrays witnessed;
                names: odd_names two_sorts in_eliminated_formulas in_interpolants;
                operators: agree_with_evaluation rotations random_terms shared);
        }
    };
    (@ $backend:expr; $($module:ident: $($check:ident)*);*) => {
        $($(#[test] fn $check() {
            if let Some(backend) = $backend {
                $module::$check(&backend);
            }
        })*)*
    };
}

/// The solvers that are not there.
static SKIPPED: Mutex<BTreeSet<String>> = Mutex::new(BTreeSet::new());

/// The solver that `command` starts, or none, loudly, where it is not installed.
fn external(command: &str) -> Option<Checked<SmtLib>> {
    match smtlib::checked(command, &Watch::default()) {
        Ok(backend) => Some(backend),
        Err(Stop::Solver(message)) if message.contains("cannot start") => {
            if SKIPPED.lock().expect("no panic").insert(command.into()) {
                // Not by a macro, whose output is shown for failing tests only.
                let _ = writeln!(std::io::stderr(), "SKIPPED: {message}");
            }
            None
        }
        Err(stop) => panic!("`{command}` is there, but: {stop}"),
    }
}

fn z3() -> Option<Z3> {
    Z3::new(&Watch::default()).ok()
}

/// The program of the Python package whose library is linked.
const Z3_PROGRAM: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../third_party/z3/bin/z3");

conformance!(z3, z3());
conformance!(propositional, z3().map(|z3| Propositional::new(z3, &Watch::default())));
conformance!(z3_process, external(Z3_PROGRAM));
conformance!(cvc5, external("cvc5"));
conformance!(yices, external("yices-smt2"));
conformance!(mathsat, external("mathsat"));
conformance!(opensmt, external("opensmt"));
conformance!(bitwuzla, external("bitwuzla"));
conformance!(smtinterpol, external("smtinterpol"));
