//! What every back end must do. A new one joins with one line at the end of this file.

#[path = "../common/mod.rs"]
mod common;
mod cores;
mod models;
mod names;
mod operators;
mod scopes;

use lapidary_expr::text::{Scope, parse};
use lapidary_expr::{Sort, Term, Var};
use lapidary_solver::limits::Watch;
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

macro_rules! conformance {
    ($name:ident, $backend:expr) => {
        mod $name {
            use super::*;

            conformance!(@ $backend; scopes: nesting entailment;
                cores: subsets repeated within_scopes renewed;
                models: every_sort big_numbers functions arrays witnessed;
                names: odd_names two_sorts in_eliminated_formulas in_interpolants;
                operators: agree_with_evaluation rotations random_terms);
        }
    };
    (@ $backend:expr; $($module:ident: $($check:ident)*);*) => {
        $($(#[test] fn $check() { $module::$check(&$backend); })*)*
    };
}

conformance!(z3, Z3::new(&Watch::default()).expect("Z3 is there"));
