//! Executions of C programs for people: what is violated and where, and the lines of the source that lead there.

use lapidary_frontend::Task;
use lapidary_model::{ASSERTION, Execution, Property};

use crate::number;
use crate::steps::{Line, lines};
use lapidary::trace::Trace;

/// Calls that are deeper are not moved further to the right.
const DEEPEST: usize = 8;
/// Of rounds that run the same lines, so many are shown before the others, and as many after.
const ROUNDS: usize = 2;
/// Rounds of more lines are not looked for.
const LONGEST_ROUND: usize = 60;

/// The violation, and the lines that lead to it.
pub(super) fn reaching_error(
    task: &Task,
    execution: &Execution,
    trace: &Trace,
    width: usize,
) -> String {
    let property = task.model.ends().and_then(|ends| Some(ends.get(ends.violated(execution)?)));
    let (start, what) = match property {
        Some(property) => (property.start, violation(property)),
        None => (last(task, execution), "the error is reached".into()),
    };
    report(task, start, &what, &lines(task, execution, trace), width)
}

/// What is violated, with the kind where it is no assertion.
fn violation(property: &Property) -> String {
    let mut text = property.text.clone();
    if !property.expression.is_empty() {
        text.extend([": `", &property.expression, "`"]);
    }
    if property.kind != ASSERTION {
        text.extend([" [", property.kind, ", ", property.competition, "]"]);
    }
    text
}

/// Where the model is left, and the lines that lead there.
pub(super) fn leaving_model(
    task: &Task,
    execution: &Execution,
    trace: &Trace,
    what: &str,
    width: usize,
) -> String {
    let doubt = task.model.ends().and_then(|ends| ends.doubt(execution));
    let (start, what) =
        doubt.map_or((last(task, execution), what), |doubt| (doubt.start, doubt.reason.as_str()));
    let what = format!("not supported: {what}");
    report(task, start, &what, &lines(task, execution, trace), width)
}

/// Where the last step is.
fn last(task: &Task, execution: &Execution) -> usize {
    let map = task.map.as_deref();
    let edge = execution.steps.last().map(|step| step.edge.0 as usize);
    map.zip(edge).map_or(0, |(map, edge)| map.edges[edge].1)
}

fn report(task: &Task, start: usize, what: &str, lines: &[Line], width: usize) -> String {
    let source = &task.source;
    let starts = lines.iter().filter_map(|line| line.start).chain([start]);
    let gutter = starts.map(|start| place(task, start).chars().count()).max();
    let page = Page { task, width, gutter: gutter.unwrap_or(1) + 1 };
    let header = format!("{}:{}: {what}", source.file(start), source.position(start));
    let mut text = page.broken(&header, 0);
    let at = Line { start: Some(start), depth: 0, notes: Vec::new() };
    text += &page.line(&at, 0);
    text.push('\n');
    let column = page.column(lines);
    let mut i = 0;
    while i < lines.len() {
        match rounds(task, &lines[i..]) {
            Some((period, n_rounds)) => {
                let shown = i + ROUNDS * period;
                lines[i..shown].iter().for_each(|line| text += &page.line(line, column));
                let n_more = n_rounds - 2 * ROUNDS;
                let depth = lines[i].depth;
                text += &page.omitted(&format!("… {}", number(n_more, "more iteration")), depth);
                i = shown + n_more * period;
                let end = i + ROUNDS * period;
                lines[i..end].iter().for_each(|line| text += &page.line(line, column));
                i = end;
            }
            None => {
                text += &page.line(&lines[i], column);
                i += 1;
            }
        }
    }
    text
}

/// The number of a line, with the name of the file where that is not the input.
fn place(task: &Task, start: usize) -> String {
    let (file, line) = (task.source.file(start), task.source.position(start).line);
    match file == task.source.name() {
        true => line.to_string(),
        false => format!("{file}:{line}"),
    }
}

/// The number of lines and of rounds, if the lines begin with many rounds of the same.
fn rounds(task: &Task, lines: &[Line]) -> Option<(usize, usize)> {
    let at = |line: &Line| line.start.map(|start| task.source.position(start).line);
    let key = |i: usize| lines.get(i).map(|line| (at(line), line.depth));
    let first = key(0)?;
    for period in 1..=LONGEST_ROUND.min(lines.len() / (2 * ROUNDS)) {
        if key(period) != Some(first) {
            continue;
        }
        let n_same = (period..lines.len()).take_while(|i| key(*i) == key(i - period)).count();
        let n_rounds = n_same / period + 1;
        if n_rounds > 2 * ROUNDS + 1 && lines[..period].iter().all(|line| line.start.is_some()) {
            return Some((period, n_rounds));
        }
    }
    None
}

/// Where lines are written.
struct Page<'a> {
    task: &'a Task,
    width: usize,
    gutter: usize,
}

impl Page<'_> {
    /// The column at which it says what lines do.
    fn column(&self, lines: &[Line]) -> usize {
        let widths = lines.iter().map(|line| self.code(line).chars().count());
        let most = self.width / 2;
        widths.filter(|width| *width <= most).max().unwrap_or(self.width / 3) + 2
    }

    /// The place of a line and its text.
    fn code(&self, line: &Line) -> String {
        let Some(start) = line.start else { return String::new() };
        let place = place(self.task, start);
        let indent = 2 * line.depth.min(DEEPEST);
        let text = self.task.source.line_at(start);
        format!("{place:>gutter$} | {:indent$}{}", "", text.trim(), gutter = self.gutter)
    }

    /// A line with what it does, from a column on.
    fn line(&self, line: &Line, column: usize) -> String {
        if line.start.is_none() {
            let [what] = &line.notes[..] else { return String::new() };
            return self.omitted(&format!("… {what}"), 0);
        }
        let code = cut(&self.code(line), self.width);
        if line.notes.is_empty() {
            return code + "\n";
        }
        let notes = wrapped(&line.notes, self.width - column);
        let mut text = code.clone();
        let mut notes = notes.iter();
        if code.chars().count() + 2 <= column {
            let first = notes.next().map_or("", String::as_str);
            text = format!("{code:<column$}{first}");
        }
        text.push('\n');
        for note in notes {
            text += &" ".repeat(self.gutter);
            text += " | ";
            text += &" ".repeat(column.saturating_sub(self.gutter + 3));
            text += note;
            text.push('\n');
        }
        text
    }

    /// A remark in place of lines.
    fn omitted(&self, what: &str, depth: usize) -> String {
        let indent = 2 * depth.min(DEEPEST);
        format!("{:>gutter$} | {:indent$}{what}\n", "", "", gutter = self.gutter)
    }

    /// A text that is broken at blanks.
    fn broken(&self, text: &str, indent: usize) -> String {
        let mut lines = vec![String::new()];
        for word in text.split(' ') {
            let line = lines.last_mut().expect("there is a line");
            if line.is_empty() {
                line.push_str(word);
            } else if line.chars().count() + 1 + word.chars().count() <= self.width {
                line.extend([" ", word]);
            } else {
                lines.push(format!("{:indent$}{word}", ""));
            }
        }
        lines.join("\n") + "\n"
    }
}

/// Notes in lines of a width.
fn wrapped(notes: &[String], width: usize) -> Vec<String> {
    let text = notes.join(", ");
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_inclusive(", ") {
        let word = cut(word.trim_end(), width);
        let length = word.chars().count();
        match lines.last_mut() {
            Some(line) if line.chars().count() + 1 + length <= width => {
                line.extend([" ", &word]);
            }
            _ => lines.push(word),
        }
    }
    lines
}

/// A text that is not wider than this.
fn cut(text: &str, width: usize) -> String {
    match text.chars().count() > width {
        true => text.chars().take(width.saturating_sub(1)).chain(['…']).collect(),
        false => text.into(),
    }
}
