//! Builds an automaton in code and verifies it: `cargo run -p lapidary --example build_automaton`.
#![allow(clippy::print_stdout, reason = "examples print")]

use lapidary::expr::{Sort, Term, Var};
use lapidary::model::{CfaBuilder, Stmt};
use lapidary::{Error, Verifier};

fn main() -> Result<(), Error> {
    let x = Var::new("x", Sort::Int);
    let mut builder = CfaBuilder::new("even", "start");
    builder.vars(&[x]);
    let (start, run, error) = (builder.entry(), builder.loc("run"), builder.loc("error"));
    builder.edge(start, Stmt::assign(x, Term::int(0)), run, None);
    builder.edge(run, Stmt::assign(x, Term::var(x).plus(Term::int(2))), run, None);
    builder.edge(run, Stmt::Assume(Term::var(x).equals(Term::int(7))), error, None);
    builder.error(error);
    let outcome = Verifier::default().automaton(builder.build().expect("it is well-formed"))?;
    println!("{}", outcome.finding.verdict());
    Ok(())
}
