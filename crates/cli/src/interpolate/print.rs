//! Models as SMT-LIB solvers print them, and what interpolation cost.

use std::fmt::Write;
use std::time::Duration;

use lapidary_expr::{Func, FuncValue, Term, Valuation, Value, Var};
use lapidary_frontend::smt2::Partition;
use lapidary_solver::interpolate::{Attempt, AttemptResult};

use crate::log;

/// One definition for each declared symbol.
pub(super) fn model(partition: &Partition, model: &Valuation) -> String {
    let mut text = String::from("(\n");
    for (_, var) in &partition.constants {
        let value = model.get(*var).cloned().unwrap_or_else(|| Value::default_of(var.sort()));
        let symbol = partition.text(Term::var(*var));
        let _ = writeln!(text, "  (define-fun {symbol} () {} {})", var.sort(), Term::lit(value));
    }
    for func in &partition.functions {
        let _ = writeln!(text, "  {}", function(*func, model.func(*func)));
    }
    text.push_str(")\n");
    text
}

fn function(func: Func, value: Option<&FuncValue>) -> String {
    let params: Vec<Var> = func
        .params()
        .iter()
        .enumerate()
        .map(|(i, sort)| Var::new(&format!("x!{i}"), *sort))
        .collect();
    let mut body = Term::lit(Value::default_of(func.result()));
    if let Some(value) = value {
        body = Term::lit(value.default.clone());
        for (args, result) in &value.entries {
            let equal = params.iter().zip(args);
            let equal = equal.map(|(param, arg)| Term::var(*param).equals(Term::lit(arg.clone())));
            body = Term::and(equal).ite(Term::lit(result.clone()), body);
        }
    }
    let symbol = Var::new(func.name(), func.result());
    let params: Vec<String> =
        params.iter().map(|param| format!("({param} {})", param.sort())).collect();
    format!("(define-fun {symbol} ({}) {} {body})", params.join(" "), func.result())
}

/// A string literal of SMT-LIB, on one line.
pub(super) fn quoted(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    format!("\"{}\"", line.replace('"', "\"\""))
}

/// Tells which engines were asked, what became of it, and what it cost.
pub(super) fn attempts(attempts: &[Attempt], cpu: Duration) {
    for Attempt { engine, time, result } in attempts {
        let result = match result {
            AttemptResult::Chosen => "answers",
            AttemptResult::Passed => "finds a sequence that is not preferred",
            AttemptResult::Failed(reason) => reason,
        };
        log::line(format_args!("{engine}: {result} ({:.3} s)", time.as_secs_f64()));
    }
    if attempts.is_empty() {
        log::line("no engine was needed");
    }
    log::line(format_args!("CPU time: {:.3} s", cpu.as_secs_f64()));
}
