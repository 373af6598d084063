//! An execution of a C program in lines of its source: what is run, how deep in calls, and what it does.

use std::collections::BTreeSet;

use lapidary_expr::{Valuation, Var};
use lapidary_frontend::Task;
use lapidary_frontend::c::SourceMap;
use lapidary_model::program::Action;
use lapidary_model::{EdgeId, Execution, Inlined, Step};

use crate::readable::c::{assigned, returned};
use lapidary::trace::Trace;

/// So many steps are searched for one that reads a variable without a value.
const FARTHEST: usize = 10_000;

/// A line that is run.
pub(super) struct Line {
    /// Where it is, in bytes; none where steps are left out.
    pub(super) start: Option<usize>,
    /// How many calls are around it.
    pub(super) depth: usize,
    /// What it does.
    pub(super) notes: Vec<String>,
}

/// The line that is being put together.
struct Open {
    activation: u32,
    /// The edges so far; a second time they belong to another round of a loop.
    edges: BTreeSet<EdgeId>,
    /// Whether something is decided there.
    is_branch: bool,
    line: Line,
}

/// The lines of an execution that do something.
pub(super) fn lines(task: &Task, execution: &Execution, trace: &Trace) -> Vec<Line> {
    let (Some(map), Some(inlined)) = (task.map.as_deref(), task.model.program()) else {
        return Vec::new();
    };
    let mut steps = Steps { task, map, inlined, execution, lines: Vec::new(), open: None };
    let mut next = 0;
    for (i, step, before, after) in trace.steps(execution) {
        if i != next {
            steps.close();
            let notes = vec![format!("{} more edges", trace.omitted())];
            steps.lines.push(Line { start: None, depth: 0, notes });
        }
        steps.add(i, step, before, after);
        next = i + 1;
    }
    steps.close();
    steps.lines
}

struct Steps<'a> {
    task: &'a Task,
    map: &'a SourceMap,
    inlined: &'a Inlined,
    execution: &'a Execution,
    lines: Vec<Line>,
    open: Option<Open>,
}

impl Steps<'_> {
    fn add(&mut self, i: usize, step: &Step, before: &Valuation, after: &Valuation) {
        let start = self.map.edges[step.edge.0 as usize].1;
        let notes = self.notes(i, step, before, after);
        let edge = self.task.cfa().edge(step.edge);
        let is_last = i + 1 == self.execution.steps.len();
        if start >= self.task.source.end() {
            // A function of the library belongs to the line that calls it.
            if let Some(open) = &mut self.open {
                open.line.notes.extend(notes);
            }
            return;
        }
        let activation = self.inlined.origins()[step.edge.0 as usize].activation;
        let is_branch = self.task.cfa().outgoing(edge.source).len() > 1 || is_last;
        let is_same = self.open.as_ref().is_some_and(|open| {
            let is_here = open.line.start.is_some_and(|other| self.is_same_line(other, start));
            open.activation == activation && is_here && !open.edges.contains(&step.edge)
        });
        if !is_same {
            self.close();
            let depth = self.inlined.calls(step.edge).count();
            let line = Line { start: Some(start), depth, notes: Vec::new() };
            let edges = BTreeSet::new();
            self.open = Some(Open { activation, edges, is_branch: false, line });
        }
        if let Some(open) = &mut self.open {
            open.edges.insert(step.edge);
            open.is_branch |= is_branch;
            open.line.notes.extend(notes);
        }
    }

    fn is_same_line(&self, a: usize, b: usize) -> bool {
        let source = &self.task.source;
        source.position(a).line == source.position(b).line && source.file(a) == source.file(b)
    }

    /// The line that was put together is complete. What only says again where the execution is, is left out.
    fn close(&mut self) {
        let Some(open) = self.open.take() else { return };
        let is_told = |last: &Line| {
            let same = last.start.zip(open.line.start);
            last.depth == open.line.depth && same.is_some_and(|(a, b)| self.is_same_line(a, b))
        };
        let previous = self.lines.iter().rev().find(|line| line.depth <= open.line.depth);
        let is_again = open.line.depth + 1 == self.lines.last().map_or(0, |line| line.depth)
            && previous.is_some_and(is_told);
        if !open.line.notes.is_empty() || open.is_branch && !is_again {
            self.lines.push(open.line);
        }
    }

    /// What a step does, for people.
    fn notes(&self, i: usize, step: &Step, before: &Valuation, after: &Valuation) -> Vec<String> {
        let params = self.params(i, step);
        let of_program = |var: Var| {
            let (old, new) = (before.get(var)?, after.get(var)?);
            let is_unset = self.map.unset.binary_search(&(step.edge, var)).is_ok();
            match is_unset && !self.is_read(i, var) {
                true => None,
                false => {
                    let mut texts = assigned(self.map, var, old, new);
                    if is_unset {
                        texts.iter_mut().for_each(|text| *text += " (no initial value)");
                    }
                    Some(texts)
                }
            }
        };
        // Where `main` begins, global variables get their initial values.
        let is_beginning = self.task.cfa().edge(step.edge).source == self.task.cfa().entry();
        let is_local = |var: &Var| var.name().contains("::");
        let written: Vec<Var> =
            self.task.cfa().edge(step.edge).stmt.written().iter().copied().collect();
        let mut notes: Vec<String> = written
            .iter()
            .filter(|var| !params.contains(var) && (!is_beginning || is_local(var)))
            .flat_map(|var| of_program(*var).unwrap_or_default())
            .collect();
        let inputs = self.inputs(step, after, &notes);
        notes.splice(0..0, inputs);
        let results = written.iter().filter_map(|var| {
            let function = self.map.names.results.get(var)?;
            returned(self.map, function, *var, after.get(*var)?)
        });
        notes.extend(results);
        notes.extend(self.call(i, step, &params, after));
        notes
    }

    /// What functions from outside return, unless that is what a variable gets.
    fn inputs(&self, step: &Step, after: &Valuation, notes: &[String]) -> Vec<String> {
        let first = self.map.nondets.partition_point(|nondet| nondet.edge < step.edge);
        let here = self.map.nondets[first..].iter().take_while(|nondet| nondet.edge == step.edge);
        here.filter_map(|nondet| {
            let text = returned(self.map, &nondet.callee, nondet.var?, after.get(nondet.var?)?)?;
            let value = text.rsplit_once(" returned ").map_or("", |(_, value)| value);
            let is_told = notes
                .iter()
                .any(|note| note.split_once(" = ").is_some_and(|(_, assigned)| assigned == value));
            (!is_told).then_some(text)
        })
        .collect()
    }

    /// The parameters of the function that a step calls.
    fn params(&self, i: usize, step: &Step) -> Vec<Var> {
        let origin = self.inlined.origins()[step.edge.0 as usize];
        let Action::Call(call) = &self.inlined.program().edge(origin.edge).action else {
            return Vec::new();
        };
        let params = &self.inlined.program().procedure(call.callee).params;
        let next = self.execution.steps.get(i + 1);
        let next = next.map(|next| self.inlined.origins()[next.edge.0 as usize].activation);
        params
            .iter()
            .map(|param| next.map_or(*param, |activation| self.inlined.var(activation, *param)))
            .collect()
    }

    /// The call of a function of the program, with the values of its parameters.
    fn call(&self, i: usize, step: &Step, params: &[Var], after: &Valuation) -> Option<String> {
        let origin = self.inlined.origins()[step.edge.0 as usize];
        let program = self.inlined.program();
        let Action::Call(call) = &program.edge(origin.edge).action else { return None };
        let next = self.execution.steps.get(i + 1)?;
        if self.map.edges[next.edge.0 as usize].1 >= self.task.source.end() {
            return None;
        }
        let name = &program.procedure(call.callee).name;
        let name = name.split('@').next().unwrap_or(name);
        let values = params.iter().filter_map(|param| Some((*param, after.get(*param)?)));
        let values: Vec<String> =
            values.flat_map(|(param, value)| assigned(self.map, param, value, value)).collect();
        Some(format!("{name}({})", values.join(", ")))
    }

    /// Whether a variable is read before it is written, after a step.
    fn is_read(&self, i: usize, var: Var) -> bool {
        for step in self.execution.steps[i + 1..].iter().take(FARTHEST) {
            let stmt = &self.task.cfa().edge(step.edge).stmt;
            let mut is_read = false;
            stmt.for_each_term(&mut |term| is_read |= term.vars().contains(&var));
            if is_read || stmt.written().contains(&var) {
                return is_read;
            }
        }
        false
    }
}
