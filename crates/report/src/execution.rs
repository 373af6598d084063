//! Executions for people: a row for each step, with the values that change.

use lapidary_expr::{Valuation, Value, Var};
use lapidary_frontend::Task;
use lapidary_model::{Execution, Step};

use crate::number;
use crate::readable;
use lapidary::trace::Trace;

/// Statements are broken into lines of this width.
const STATEMENT: usize = 48;
/// Values are broken into lines of this width.
const VALUES: usize = 60;

/// An execution that reaches the error.
pub(crate) fn reaching_error(task: &Task, execution: &Execution, trace: &Trace) -> String {
    let cfa = task.cfa();
    let error = cfa.error().map_or("", |error| cfa.loc_name(error));
    let header = format!("Execution of {} that reaches `{error}`", task.source.name());
    steps(&header, task, execution, trace)
}

/// An execution that leaves what the model covers.
pub(crate) fn leaving_model(task: &Task, execution: &Execution, trace: &Trace) -> String {
    let header = format!("Execution of {} that leaves the model", task.source.name());
    steps(&header, task, execution, trace)
}

/// The first line, and a table of the steps.
fn steps(header: &str, task: &Task, execution: &Execution, trace: &Trace) -> String {
    let header = format!("{header} in {}:\n\n", number(execution.steps.len(), "step"));
    let floats = task.map.as_ref().map(|map| map.floats()).unwrap_or_default();
    let value = |var: Var| match floats.contains(&var) {
        true => readable::floating,
        false => readable::value,
    };
    let mut rows = vec![Row::start(&initial(task, execution, value))];
    let mut next = 0;
    for (i, step, before, after) in trace.steps(execution) {
        if i != next {
            rows.push(Row::omitted(trace.omitted()));
        }
        rows.push(Row::of(i + 1, task, step, &changes(task, before, after, value)));
        next = i + 1;
    }
    header + &table(&rows)
}

/// How a value is written.
type Written = fn(&Value) -> String;

fn initial(task: &Task, execution: &Execution, written: impl Fn(Var) -> Written) -> Vec<String> {
    let vars = task.cfa().vars().iter();
    let known = vars.filter_map(|var| Some((*var, execution.start.get(*var)?)));
    known.map(|(var, value)| format!("{} = {}", readable::var(var), written(var)(value))).collect()
}

fn changes(
    task: &Task,
    before: &Valuation,
    after: &Valuation,
    written: impl Fn(Var) -> Written,
) -> Vec<String> {
    let vars = task.cfa().vars().iter();
    let known = vars.filter_map(|var| Some((*var, before.get(*var)?, after.get(*var)?)));
    known
        .flat_map(|(var, before, after)| readable::changes(var, before, after, written(var)))
        .collect()
}

/// A row: the lines of each of its cells.
struct Row([Vec<String>; 5]);

impl Row {
    fn start(values: &[String]) -> Row {
        let empty = Vec::new;
        Row([empty(), vec!["start".into()], empty(), empty(), wrap(values, ", ", VALUES)])
    }

    fn omitted(n_steps: usize) -> Row {
        let empty = Vec::new;
        Row([vec!["…".into()], vec![number(n_steps, "step")], empty(), empty(), empty()])
    }

    fn of(number: usize, task: &Task, step: &Step, values: &[String]) -> Row {
        let edge = task.cfa().edge(step.edge);
        let name = |loc| task.cfa().loc_name(loc);
        let statement = readable::taken(&edge.stmt, &step.tape);
        Row([
            vec![number.to_string()],
            vec![format!("{} -> {}", name(edge.source), name(edge.target))],
            task.place(step.edge).into_iter().collect(),
            wrap(&pieces(&statement), " ", STATEMENT),
            wrap(values, ", ", VALUES),
        ])
    }

    fn height(&self) -> usize {
        self.0.iter().map(Vec::len).max().unwrap_or(0)
    }
}

/// The pieces of a statement between which a line may end: after a semicolon, and before a connective.
fn pieces(statement: &str) -> Vec<String> {
    let mut pieces: Vec<String> = Vec::new();
    for word in statement.split(' ') {
        let may_break = matches!(word, "and" | "or");
        match pieces.last_mut() {
            Some(piece) if !may_break && !piece.ends_with(';') => piece.extend([" ", word]),
            _ => pieces.push(word.into()),
        }
    }
    pieces
}

/// The items in lines that are not wider than `width`, as far as the items allow.
fn wrap(items: &[String], separator: &str, width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for (i, item) in items.iter().enumerate() {
        let comma = if i + 1 < items.len() { separator } else { "" };
        match lines.last_mut() {
            Some(line) if length(line) + length(item) <= width => line.extend([item, comma]),
            _ => lines.push(format!("{item}{comma}")),
        }
    }
    lines
}

fn length(text: &str) -> usize {
    text.chars().count()
}

/// The rows with aligned columns.
fn table(rows: &[Row]) -> String {
    let width = |column: usize| {
        let lines = rows.iter().flat_map(|row| &row.0[column]);
        lines.map(|line| length(line.trim_end())).max().unwrap_or(0)
    };
    let [number, edge, position, statement] = [0, 1, 2, 3].map(width);
    let mut text = String::new();
    for row in rows {
        for i in 0..row.height() {
            let cells = row.0.each_ref().map(|cell| cell.get(i).map_or("", |line| line.trim_end()));
            let [n, from_to, at, stmt, values] = cells;
            let line = format!(
                "{n:>number$}  {from_to:<edge$}  {at:<position$}  {stmt:<statement$}  {values}"
            );
            text += line.trim_end();
            text.push('\n');
        }
    }
    text
}
