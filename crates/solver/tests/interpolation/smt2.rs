//! A reader for the declarations and assertions of SMT-LIB scripts.

use std::collections::BTreeMap;

use lapidary_expr::text::{SExpr, Scope, read_all, term_of};
use lapidary_expr::{Func, Sort, Term, Var};

#[derive(Default)]
struct Declared {
    vars: BTreeMap<String, Var>,
    funcs: BTreeMap<String, Func>,
}

impl Scope for Declared {
    fn var(&self, name: &str) -> Option<Var> {
        self.vars.get(name).copied()
    }

    fn func(&self, name: &str) -> Option<Func> {
        self.funcs.get(name).copied()
    }
}

/// The assertions of a script. A constant `x_3` is the variable `x` at version 3.
pub(crate) fn assertions(script: &str) -> Vec<Term> {
    let mut declared = Declared::default();
    let mut assertions = Vec::new();
    for command in read_all(script).expect("a script") {
        let SExpr::List(words) = &command else { continue };
        match &words[..] {
            [SExpr::Atom(head), SExpr::Atom(name), SExpr::List(params), result]
                if head == "declare-fun" =>
            {
                let params: Vec<Sort> = params.iter().map(sort).collect();
                if params.is_empty() {
                    declared.vars.insert(name.clone(), var(name, sort(result)));
                } else {
                    declared.funcs.insert(name.clone(), Func::new(name, &params, sort(result)));
                }
            }
            [SExpr::Atom(head), formula] if head == "assert" => {
                assertions.push(term_of(formula, &declared).expect("a formula"));
            }
            _ => {}
        }
    }
    assertions
}

fn var(name: &str, sort: Sort) -> Var {
    match name.rsplit_once('_').and_then(|(base, version)| Some((base, version.parse().ok()?))) {
        Some((base, version)) => Var::new(base, sort).at(version),
        None => Var::new(name, sort),
    }
}

fn sort(expr: &SExpr) -> Sort {
    match expr {
        SExpr::Atom(name) if name == "Bool" => Sort::Bool,
        SExpr::Atom(name) if name == "Int" => Sort::Int,
        SExpr::Atom(name) if name == "Real" => Sort::Rat,
        SExpr::List(words) => match &words[..] {
            [SExpr::Atom(head), _, SExpr::Atom(width)] if head == "_" => {
                Sort::Bv(width.parse().expect("a width"))
            }
            [SExpr::Atom(_), index, element] => Sort::array(sort(index), sort(element)),
            _ => panic!("{expr:?} is no sort"),
        },
        _ => panic!("{expr:?} is no sort"),
    }
}
