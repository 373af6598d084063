//! What an input is: its functions, its size, its variables, and what of it is not supported.

use std::fmt::Write;

use lapidary_frontend::{Input, ParseError, Task};
use lapidary_model::{EdgeId, Outside, Property, VariableTypes};

use crate::args::Show;
use crate::failure::Failure;
use crate::report::number;
use lapidary::Source;
use lapidary::source::chosen;

/// What the input of a command is, one section for each property.
pub(crate) fn inspect(source: &Source, show: Show) -> Result<String, Failure> {
    let input = source.read()?;
    if show != Show::Summary {
        return properties(input, source, show);
    }
    let names: Vec<String> = input.properties().into_iter().map(str::to_owned).collect();
    let failed = |error: ParseError| Failure::Input(error.to_string());
    if names.is_empty() {
        chosen(source.property.as_deref(), &names)?;
        let task = input.into_task(0).map_err(failed)?;
        let text = summary(&task);
        // The process ends now; taking large automata apart would only take time.
        std::mem::forget(task);
        return Ok(text);
    }
    let mut text = String::new();
    for property in chosen(source.property.as_deref(), &names)? {
        let task = input.task(property).map_err(failed)?;
        let _ = writeln!(text, "property {}", names[property]);
        text += &summary(&task);
    }
    Ok(text)
}

/// What is checked in a C program, and where.
fn properties(input: Input, source: &Source, show: Show) -> Result<String, Failure> {
    if !input.is_c() {
        return Err(Failure::Usage("`--properties` lists the checks of C programs".into()));
    }
    let names: Vec<String> = input.properties().into_iter().map(str::to_owned).collect();
    let chosen = chosen(source.property.as_deref(), &names)?;
    let task = input.into_task(0).map_err(|error| Failure::Input(error.to_string()))?;
    let all = task.model.ends().map_or(&[][..], |ends| ends.properties());
    // Without names all are asked together.
    let is_chosen = |i: &usize| names.is_empty() || chosen.contains(i);
    let rows: Vec<Row<'_>> =
        (0..all.len()).filter(is_chosen).map(|i| Row::of(i, &all[i])).collect();
    if show == Show::PropertiesAsJson {
        let rows: Vec<serde_json::Value> = rows.iter().map(Row::json).collect();
        let text = serde_json::to_string_pretty(&rows);
        return Ok(text.map_err(|error| Failure::Internal(error.to_string()))? + "\n");
    }
    let width = |of: fn(&Row<'_>) -> usize| rows.iter().map(of).max().unwrap_or(0);
    let place = width(|row| row.place.len());
    let (kind, function) = (width(|row| row.kind.len()), width(|row| row.function.len()));
    let mut text = String::new();
    for row in &rows {
        let Row { number, kind: of, place: at, function: inside, expression, .. } = row;
        let line =
            format!("{number:>4}  {at:<place$}  {of:<kind$}  {inside:<function$}  {expression}");
        text.extend([line.trim_end(), "\n"]);
    }
    Ok(text)
}

/// A property as it is listed.
struct Row<'a> {
    number: usize,
    kind: &'a str,
    property: &'a str,
    place: &'a str,
    function: &'a str,
    expression: &'a str,
    text: &'a str,
}

impl Row<'_> {
    fn of(number: usize, property: &Property) -> Row<'_> {
        let Property { kind, competition, place, text, expression, function, .. } = property;
        Row { number, kind, property: competition, place, function, expression, text }
    }

    fn json(&self) -> serde_json::Value {
        let Row { number, kind, property, place, function, expression, text } = *self;
        serde_json::json!({
            "number": number, "kind": kind, "property": property, "place": place,
            "function": function, "expression": expression, "text": text,
        })
    }
}

/// A summary for people; the sizes are those of the first paper's Table 1.
fn summary(task: &Task) -> String {
    let cfa = task.cfa();
    let mut text = format!("{}\n", task.source.name());
    let mut line = |name: &str, value: String| {
        let _ = writeln!(text, "  {name:<24}{value}");
    };
    line("variables", cfa.vars().len().to_string());
    line("locations", cfa.n_locs().to_string());
    line("edges", cfa.n_edges().to_string());
    // Of a graph in one piece: edges - nodes + 2.
    line("cyclomatic complexity", (cfa.n_edges() + 2).saturating_sub(cfa.n_locs()).to_string());
    if let Some(map) = &task.map {
        line("functions", map.functions.join(", "));
        if let Some(inlined) = task.model.program() {
            let program = inlined.program();
            line("procedures", program.procedures().len().to_string());
            line("edges of procedures", program.n_edges().to_string());
            line("calls inlined", (inlined.activations().len() - 1).to_string());
            line("calls told apart", map.n_told_apart.to_string());
        }
        line("nondeterministic calls", map.nondets.len().to_string());
        let mut section = |title: &str, lines: Vec<String>| {
            if !lines.is_empty() {
                let _ = writeln!(text, "\n{title}:");
                lines.iter().for_each(|line| text.extend(["  ", line, "\n"]));
            }
        };
        let place = |(_, outside): (EdgeId, &Outside)| {
            format!("{:<10}{}", task.source.place(outside.start), outside.reason)
        };
        let distinct = |mut lines: Vec<String>| {
            lines.dedup();
            lines
        };
        let variable = |(var, ty): &(lapidary_expr::Var, String)| {
            format!("{} : {ty} as {}", var.name(), var.sort())
        };
        section("Variables", map.variables.iter().map(variable).collect());
        if let Some(ends) = task.model.ends() {
            let unsupported = distinct(ends.leaving().map(place).collect());
            let title = format!("Not supported, {}", number(unsupported.len(), "place"));
            section(&title, unsupported);
            section("Approximated", distinct(ends.approximating().map(place).collect()));
        }
    }
    let types = VariableTypes::of(cfa).to_string();
    if !types.trim().is_empty() {
        let _ = writeln!(text, "\nDomain types of variables:\n{}", types.trim_end());
    }
    text
}
