//! Executions as text. Each line is read and forgotten, as there may be millions.

use std::collections::BTreeMap;
use std::fmt::{self, Write};

use lapidary_expr::text::{SExpr, sort_of, value_of};
use lapidary_expr::{Func, FuncValue, Sort, Valuation, Value, Var};

use super::Reader;
use super::lines::{Line, Lines, Symbol, TextError, Word};
use super::names::Names;
use crate::execution::{Execution, Step};
use crate::stmt::{Decision, Stmt};

pub(super) fn write(out: &mut dyn Write, names: &Names<'_>, execution: &Execution) -> fmt::Result {
    writeln!(out, "execution")?;
    for var in names.cfa().vars() {
        if let Some(value) = execution.start.get(*var) {
            writeln!(out, "  start {} {value}", names.written_var(*var))?;
        }
    }
    // In the order of their names: that of functions depends on what was read before.
    let funcs: BTreeMap<&str, _> =
        execution.start.funcs().map(|(func, value)| (func.name(), (func, value))).collect();
    for (func, value) in funcs.into_values() {
        write_func(out, func, value)?;
    }
    for step in &execution.steps {
        let edge = names.cfa().edge(step.edge);
        let [source, target] = [edge.source, edge.target].map(|loc| names.loc_name(loc));
        write!(out, "  step {} -> {}", Symbol(source), Symbol(target))?;
        if let Some(number) = names.number(step.edge) {
            write!(out, " #{number}")?;
        }
        let mut tape = Tape { rest: step.tape.iter(), names };
        tape.write(out, &edge.stmt)?;
        out.write_str("\n")?;
    }
    Ok(())
}

fn write_func(out: &mut dyn Write, func: Func, value: &FuncValue) -> fmt::Result {
    let list = |items: &mut dyn Iterator<Item = String>| items.collect::<Vec<_>>().join(" ");
    let params = list(&mut func.params().iter().map(ToString::to_string));
    write!(out, "  function {func} ({params}) {} default {}", func.result(), value.default)?;
    for (args, result) in &value.entries {
        write!(out, " (({}) {result})", list(&mut args.iter().map(ToString::to_string)))?;
    }
    writeln!(out)
}

/// The decisions of a step that have not been written yet.
struct Tape<'a> {
    rest: std::slice::Iter<'a, Decision>,
    names: &'a Names<'a>,
}

impl Tape<'_> {
    /// Writes the decisions of the statement. Decisions that do not fit are left out.
    fn write(&mut self, out: &mut dyn Write, stmt: &Stmt) -> fmt::Result {
        match stmt {
            Stmt::Assume(_) | Stmt::Assign(_) => Ok(()),
            Stmt::Havoc(vars) => vars.iter().try_for_each(|var| self.write_value(out, *var)),
            Stmt::Relation { written, .. } => {
                written.iter().try_for_each(|var| self.write_value(out, *var))
            }
            Stmt::Seq(parts) => parts.iter().try_for_each(|part| self.write(out, part)),
            Stmt::Choice(parts) => match self.rest.next() {
                Some(Decision::Branch(n)) => {
                    write!(out, " (branch {})", n + 1)?;
                    parts.get(*n).map_or(Ok(()), |part| self.write(out, part))
                }
                _ => Ok(()),
            },
        }
    }

    fn write_value(&mut self, out: &mut dyn Write, var: Var) -> fmt::Result {
        match self.rest.next() {
            Some(Decision::Value(value)) => {
                write!(out, " (= {} {value})", self.names.written_var(var))
            }
            _ => Ok(()),
        }
    }
}

pub(super) fn read(lines: &mut Lines<'_>, names: &Names<'_>) -> Result<Execution, TextError> {
    let mut execution = Execution { start: Valuation::new(), steps: Vec::new() };
    while let Some(mut line) = lines.peek().filter(|line| !Reader::is_next(line)) {
        lines.next();
        let keyword = line.word("`start`")?;
        match keyword.text() {
            "start" => {
                let word = line.word("a variable")?;
                let var = names.var_at(&word)?;
                let value = line.word("a value")?.value(var.sort())?;
                if execution.start.get(var).is_some() {
                    return Err(word.error("this variable has a value already"));
                }
                execution.start.set(var, value);
            }
            "function" => {
                let (func, value) = read_func(&mut line)?;
                execution.start.set_func(func, value);
            }
            "step" => execution.steps.push(read_step(&mut line, names)?),
            _ => {
                let found = keyword.shown();
                let expected = "`start`, `function` or `step` is expected";
                return Err(keyword.error(format!("{expected}, found `{found}`")));
            }
        }
        line.end()?;
    }
    Ok(execution)
}

fn read_func(line: &mut Line<'_>) -> Result<(Func, FuncValue), TextError> {
    let word = line.word("a function")?;
    let name = word.name().ok_or_else(|| word.error("the name of a function is expected"))?;
    let params = line.word("the sorts of the arguments")?;
    let sort_at = |word: &Word<'_>| sort_of(&word.expr()?).map_err(|error| word.wrong(error));
    let sorts: Vec<Sort> = match &params.expr()? {
        SExpr::List(sorts) => sorts.iter().map(sort_of).collect::<Result<_, _>>(),
        _ => return Err(params.error("a list of sorts is expected")),
    }
    .map_err(|error| params.wrong(error))?;
    let result = sort_at(&line.word("a sort")?)?;
    line.keyword("default")?;
    let default = line.word("a value")?.value(result)?;
    let mut entries = BTreeMap::new();
    while let Some(word) = line.next_word()? {
        let expr = word.expr()?;
        let malformed = || word.error("a list of arguments and a value are expected");
        let SExpr::List(entry) = &expr else { return Err(malformed()) };
        let [SExpr::List(args), value] = &entry[..] else { return Err(malformed()) };
        if args.len() != sorts.len() {
            return Err(malformed());
        }
        let args = args.iter().zip(&sorts).map(|(arg, sort)| value_of(arg, *sort));
        let args: Vec<Value> = args.collect::<Result<_, _>>().map_err(|error| word.wrong(error))?;
        entries.insert(args, value_of(value, result).map_err(|error| word.wrong(error))?);
    }
    Ok((Func::new(name, &sorts, result), FuncValue { entries, default }))
}

fn read_step(line: &mut Line<'_>, names: &Names<'_>) -> Result<Step, TextError> {
    let first = line.word("a location")?;
    let source = names.loc_at(&first)?;
    line.keyword("->")?;
    let target = names.loc_at(&line.word("a location")?)?;
    let mut number = None;
    if line.rest().starts_with('#') {
        let word = line.word("a number")?;
        let index = word.text()[1..].parse::<usize>().ok().and_then(|n| n.checked_sub(1));
        number = Some(index.ok_or_else(|| word.error("edges are counted from one: `#1`"))?);
    }
    let mut edges = names.edges(source, target);
    let Some((id, edge)) = edges.nth(number.unwrap_or(0)) else {
        return Err(first.error("there is no such edge"));
    };
    if number.is_none() && edges.next().is_some() {
        return Err(
            line.error("there are several edges: the number of one is expected, such as `#1`")
        );
    }
    let mut tape = Vec::new();
    read_tape(line, names, &edge.stmt, &mut tape)?;
    Ok(Step { edge: id, tape })
}

/// Reads the decisions of a statement.
fn read_tape(
    line: &mut Line<'_>,
    names: &Names<'_>,
    stmt: &Stmt,
    tape: &mut Vec<Decision>,
) -> Result<(), TextError> {
    match stmt {
        Stmt::Assume(_) | Stmt::Assign(_) => Ok(()),
        Stmt::Havoc(vars) => read_values(line, names, vars.iter().copied(), tape),
        Stmt::Relation { written, .. } => read_values(line, names, written.iter().copied(), tape),
        Stmt::Seq(parts) => parts.iter().try_for_each(|part| read_tape(line, names, part, tape)),
        Stmt::Choice(parts) => {
            let word = line.word("a decision such as `(branch 1)`")?;
            let malformed = || word.error("a decision such as `(branch 1)` is expected");
            let is_branch = |items: &Line<'_>| items.starts_with("branch");
            let mut items = word.items().filter(is_branch).ok_or_else(malformed)?;
            items.keyword("branch")?;
            let number = items.word("a number")?;
            let branch = number.index()?;
            items.end()?;
            let part = parts.get(branch).ok_or_else(|| {
                number.error(format!("there is no such branch, the last one is {}", parts.len()))
            })?;
            tape.push(Decision::Branch(branch));
            read_tape(line, names, part, tape)
        }
    }
}

/// Reads a value for each of the variables, which may come in any order: that of a set depends on what was read before.
fn read_values(
    line: &mut Line<'_>,
    names: &Names<'_>,
    vars: impl Iterator<Item = Var> + Clone,
    tape: &mut Vec<Decision>,
) -> Result<(), TextError> {
    let mut found = Vec::new();
    for var in vars.clone() {
        let expected = |line: &Line<'_>| {
            line.error(format!("a value `(= {} …)` is expected", names.written_var(var)))
        };
        let word = line.next_word()?.ok_or_else(|| expected(line))?;
        let mut items = word.items().ok_or_else(|| expected(word.line()))?;
        items.keyword("=")?;
        let name = items.word("a variable")?;
        let var = names.var_at(&name)?;
        let value = items.word("a value")?.value(var.sort())?;
        items.end()?;
        found.push((var, value));
    }
    let is_in_order = found.iter().zip(vars.clone()).all(|((var, _), expected)| *var == expected);
    if is_in_order {
        tape.extend(found.into_iter().map(|(_, value)| Decision::Value(value)));
        return Ok(());
    }
    let mut later: BTreeMap<Var, Vec<Value>> = BTreeMap::new();
    for (var, value) in found.into_iter().rev() {
        later.entry(var).or_default().push(value);
    }
    for var in vars {
        match later.get_mut(&var).and_then(Vec::pop) {
            Some(value) => tape.push(Decision::Value(value)),
            None => {
                let var = names.written_var(var);
                return Err(line.error(format!("`{var}` has no value in this step")));
            }
        }
    }
    Ok(())
}
