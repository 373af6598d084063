//! An execution as a C file: the functions that the program leaves open, with the values that lead to the error.

use std::fmt::Write;

use lapidary_expr::{Bv, IBig, Value, Var};
use lapidary_model::{Decision, Execution, Step, Stmt};
use rustc_hash::FxHashMap;

use crate::c::evidence::source_map::{Nondet, SourceMap};
use crate::task::Task;

/// What the C library has: the program gets it from there, as the harness does.
const LIBRARY: [&str; 20] = [
    "abort", "exit", "_exit", "puts", "printf", "fprintf", "putchar", "malloc", "calloc",
    "realloc", "free", "alloca", "memcpy", "memset", "memmove", "strlen", "strcmp", "strcpy",
    "abs", "perror",
];

/// The C file of an execution of a C program.
pub fn harness(task: &Task, execution: &Execution) -> Option<String> {
    let map = task.map.as_deref()?;
    let values = values(task, map, execution);
    let is_defined = |name: &String| map.functions.contains(name);
    let mut text = format!(
        "/* Leads {} to its error, where it prints a line and exits with status 107:\n",
        task.source.name().replace("*/", "")
    );
    text +=
        "   gcc -w -O0 -fwrapv -finstrument-functions PROGRAM THIS_FILE -o test && ./test */\n\n";
    text += "int puts(const char *text);\nvoid exit(int status);\n\n";
    text +=
        "static void reached(void) {\n    puts(\"the error is reached\");\n    exit(107);\n}\n\n";
    for error in map.errors.iter().filter(|error| !is_defined(error)) {
        let _ = writeln!(text, "void {error}() {{ reached(); }}");
    }
    enter(&mut text, map.errors.iter().filter(|error| is_defined(error)));
    let failed = if map.asserts { "reached()" } else { "exit(1)" };
    let is_undefined = |name: &str| map.undefined.iter().any(|(other, _)| other == name);
    // What gcc makes of `assert`, where the program has it from the header.
    if is_undefined("assert") && !is_undefined("__assert_fail") {
        let _ = writeln!(text, "void __assert_fail() {{ {failed}; }}");
    }
    for (name, ty) in &map.undefined {
        if LIBRARY.contains(&name.as_str()) || map.errors.contains(name) {
            continue;
        }
        let _ = match name.as_str() {
            "__VERIFIER_assume" => writeln!(text, "void {name}(int c) {{ if (!c) exit(0); }}"),
            "__VERIFIER_assert" | "assert" => {
                writeln!(text, "void {name}(int c) {{ if (!c) {failed}; }}")
            }
            "__assert_fail" | "__assert_rtn" | "__assert" | "__assert_perror_fail" => {
                writeln!(text, "void {name}() {{ {failed}; }}")
            }
            _ => {
                function(&mut text, name, ty, values.get(name.as_str()).map_or(&[], Vec::as_slice))
            }
        };
    }
    text += &unset(task, map, execution);
    Some(text)
}

/// Variables without a value of their own, with those of the execution: a C file cannot set them from outside.
fn unset(task: &Task, map: &SourceMap, execution: &Execution) -> String {
    let mut lines: Vec<String> = Vec::new();
    let floats = map.floats();
    for step in &execution.steps {
        let first = map.unset.partition_point(|(edge, _)| *edge < step.edge);
        let here = map.unset[first..].iter().take_while(|(edge, _)| *edge == step.edge);
        for (edge, var) in here {
            let chosen = havocs(&task.cfa().edge(*edge).stmt, step);
            let name = var.name().rsplit("::").next().unwrap_or_default();
            if let (Some(value), Some(place)) = (chosen.get(var), task.place(*edge)) {
                let bits = if floats.contains(var) { " as bits" } else { "" };
                lines.push(format!("   {place} {name} = {}ULL{bits}\n", number(value)));
            }
        }
    }
    lines.sort();
    lines.dedup();
    match lines.is_empty() {
        true => String::new(),
        false => format!(
            "\n/* Variables that have no value at first, and those that they need:\n{}*/\n",
            lines.concat()
        ),
    }
}

/// Error functions that the program defines are noticed when they are entered.
fn enter<'m>(text: &mut String, errors: impl Iterator<Item = &'m String>) {
    let (mut declared, mut tests) = (String::new(), String::new());
    for error in errors {
        let _ = writeln!(declared, "__attribute__((weak)) void {error}();");
        let _ = writeln!(tests, "    if (function == (void *) {error}) reached();");
    }
    *text += &declared;
    for (end, tests) in [("enter", &tests), ("exit", &String::new())] {
        let _ = writeln!(
            text,
            "__attribute__((no_instrument_function))\n\
             void __cyg_profile_func_{end}(void *function, void *call) {{\n{tests}}}"
        );
    }
}

/// A function that returns these values, one after the other.
fn function(text: &mut String, name: &str, ty: &str, values: &[u64]) -> std::fmt::Result {
    match ty {
        "void" => return writeln!(text, "void {name}() {{}}"),
        _ if values.is_empty() => return writeln!(text, "{} {name}() {{ return 0; }}", plain(ty)),
        _ => {}
    }
    let numbers: Vec<String> = values.iter().map(|value| format!("{value}ULL")).collect();
    let values = numbers.join(", ");
    let next = format!("next < {} ? values[next++] : 0", numbers.len());
    // The bits of floating numbers are what is known.
    let result = match ty {
        "float" => {
            format!("union {{ unsigned n; float x; }} bits = {{ {next} }};\n    return bits.x;")
        }
        "double" => format!(
            "union {{ unsigned long long n; double x; }} bits = {{ {next} }};\n    return bits.x;"
        ),
        _ => format!("return {next};"),
    };
    writeln!(
        text,
        "{} {name}() {{\n    static unsigned next;\n    static const unsigned long long values[] = {{ {values} }};\n    \
         {result}\n}}",
        plain(ty),
    )
}

/// The type as it is written in front of a name.
fn plain(ty: &str) -> &str {
    if ty.contains('*') || ty.starts_with("pointer") { "void *" } else { ty }
}

/// The values that each function returned, in the order of its calls.
fn values<'m>(
    task: &Task,
    map: &'m SourceMap,
    execution: &Execution,
) -> FxHashMap<&'m str, Vec<u64>> {
    let mut values: FxHashMap<&str, Vec<u64>> = FxHashMap::default();
    for (nondet, value) in calls(task, map, execution) {
        values.entry(&nondet.callee).or_default().push(value.as_ref().map_or(0, number));
    }
    values
}

/// The calls of functions that return any value, in their order, with the values unless nothing depends on them.
pub(in crate::c) fn calls<'m>(
    task: &Task,
    map: &'m SourceMap,
    execution: &Execution,
) -> Vec<(&'m Nondet, Option<Value>)> {
    let mut calls = Vec::new();
    for step in &execution.steps {
        // They are in the order of the edges.
        let first = map.nondets.partition_point(|nondet| nondet.edge < step.edge);
        let here = map.nondets[first..].iter().take_while(|nondet| nondet.edge == step.edge);
        let mut chosen = None;
        for nondet in here {
            let chosen =
                chosen.get_or_insert_with(|| havocs(&task.cfa().edge(step.edge).stmt, step));
            calls.push((nondet, nondet.var.and_then(|var| chosen.get(&var).cloned())));
        }
    }
    calls
}

/// The values that a step chose.
fn havocs(stmt: &Stmt, step: &Step) -> FxHashMap<Var, Value> {
    let stmts = match stmt {
        Stmt::Seq(stmts) => &stmts[..],
        other => std::slice::from_ref(other),
    };
    let vars = stmts.iter().filter_map(|stmt| match stmt {
        Stmt::Havoc(vars) => Some(vars),
        _ => None,
    });
    let chosen = step.tape.iter().filter_map(|decision| match decision {
        Decision::Value(value) => Some(value),
        Decision::Branch(_) => None,
    });
    vars.flatten().zip(chosen).map(|(var, value)| (*var, value.clone())).collect()
}

/// A number modulo 2^64.
fn number(value: &Value) -> u64 {
    let number = match value {
        Value::Int(number) => number.clone(),
        Value::Bv(bits) => bits.signed(),
        Value::Bool(truth) => IBig::from(u8::from(*truth)),
        Value::Rat(_) | Value::Array(_) => IBig::from(0),
    };
    u64::try_from(Bv::wrap(64, &number).unsigned()).unwrap_or(0)
}
