//! Evidence as the content of witnesses in the competition's format 2.0.
//!
//! A violation is told by the values that functions return and the place of the error, a proof by what holds at
//! the heads of loops. What cannot be said in C is left out.

mod expression;

use std::fmt::Write;

use expression::{Names, literal, small};
use lapidary_expr::{IBig, Value};
use lapidary_model::{Execution, Proof};

use crate::c::evidence::harness::calls;
use crate::c::evidence::loops::Loop;
use crate::c::evidence::source_map::SourceMap;
use crate::task::Task;

/// Longer invariants are left out.
const LONGEST: usize = 10_000;

/// The content of a `violation_sequence`: a segment for each value that a function returned, and the target.
pub fn violation(task: &Task, execution: &Execution) -> Option<String> {
    let map = task.map.as_deref()?;
    let mut text = String::new();
    for (nondet, value) in calls(task, map, execution) {
        let value = value.and_then(|value| small(&of_type(&value, &nondet.ty)));
        let is_told = is_number(&nondet.ty) && nondet.close < task.source.end();
        let Some(value) = value.and_then(literal).filter(|_| is_told) else { continue };
        text += "    - segment:\n";
        waypoint(&mut text, "function_return", task, map, nondet.close);
        let _ = writeln!(text, "            constraint:");
        let _ = writeln!(text, "              value: {}", quoted(&format!("\\result == {value}")));
        let _ = writeln!(text, "              format: \"acsl_expression\"");
    }
    let (_, start) = map.edges[execution.steps.last()?.edge.0 as usize];
    text += "    - segment:\n";
    waypoint(&mut text, "target", task, map, start);
    Some(text)
}

/// The content of an `invariant_set`: what a proof says about the heads of loops.
pub fn invariants(task: &Task, proof: &Proof) -> Option<String> {
    let map = task.map.as_deref()?;
    let distances = task.cfa().distances_to_error();
    let mut text = String::new();
    for entry in &map.loops {
        // Where the error is out of reach in the graph, a proof need not be right.
        let is_own = entry.start < task.source.end();
        let is_told = is_own
            && entry.heads.iter().all(|head| {
                distances[head.0 as usize].is_some()
                    && proof.states.iter().any(|state| state.loc == *head)
            });
        let value = invariant(entry, proof).filter(|value| is_told && value.len() <= LONGEST);
        let Some(value) = value else { continue };
        text += "    - invariant:\n        type: \"loop_invariant\"\n        location:\n";
        location(&mut text, "          ", task, map, entry.start);
        let _ = writeln!(text, "        value: {}", quoted(&value));
        let _ = writeln!(text, "        format: \"c_expression\"");
    }
    Some(text)
}

/// What holds at the head of a loop in all its copies, as far as it can be said.
fn invariant(entry: &Loop, proof: &Proof) -> Option<String> {
    let names = Names::new(&entry.names);
    let mut cases: Vec<String> = Vec::new();
    for state in proof.states.iter().filter(|state| entry.heads.contains(&state.loc)) {
        let case = names.weakened(state.formula)?;
        if !cases.contains(&case) {
            cases.push(case);
        }
    }
    match &cases[..] {
        [] => None,
        [only] => Some(only.clone()),
        _ => Some(cases.iter().map(|case| format!("({case})")).collect::<Vec<_>>().join(" || ")),
    }
}

/// A waypoint that is followed, up to its constraint.
fn waypoint(text: &mut String, kind: &str, task: &Task, map: &SourceMap, start: usize) {
    let _ = writeln!(text, "        - waypoint:\n            type: \"{kind}\"");
    text.push_str("            action: \"follow\"\n            location:\n");
    location(text, "              ", task, map, start);
}

fn location(text: &mut String, indent: &str, task: &Task, map: &SourceMap, start: usize) {
    let position = task.source.position(start);
    let _ = writeln!(text, "{indent}file_name: {}", quoted(task.source.file(start)));
    let _ = writeln!(text, "{indent}line: {}\n{indent}column: {}", position.line, position.column);
    let _ = writeln!(text, "{indent}function: {}", quoted(map.function_at(start)));
}

/// A text in double quotes; those of YAML are those of JSON.
fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for letter in text.chars() {
        match letter {
            '"' | '\\' => quoted.extend(['\\', letter]),
            letter if letter.is_control() => {
                let _ = write!(quoted, "\\u{:04x}", u32::from(letter));
            }
            letter => quoted.push(letter),
        }
    }
    quoted + "\""
}

fn is_number(ty: &str) -> bool {
    !ty.contains('*') && !ty.starts_with("pointer") && !matches!(ty, "float" | "double")
}

/// The number that a value of a type is.
fn of_type(value: &Value, ty: &str) -> IBig {
    match value {
        Value::Int(number) => number.clone(),
        Value::Bv(bits) if ty.starts_with("unsigned") || ty == "_Bool" => {
            bits.unsigned().clone().into()
        }
        Value::Bv(bits) => bits.signed(),
        Value::Bool(truth) => IBig::from(u8::from(*truth)),
        Value::Rat(_) | Value::Array(_) => IBig::from(0),
    }
}
