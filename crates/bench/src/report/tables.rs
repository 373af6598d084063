//! The other tables of the papers: verdicts by kind, oracles, and every task by itself.

use super::format::{ratio, seconds};
use super::measurement::{Measurement, Results};
use super::table::{Cell, Table};
use crate::row::{Termination, Verdict};

/// Correct and incorrect verdicts, and why there is none (fifth paper, Table 5.1).
pub(super) fn verdicts(results: &Results<'_>) -> Table {
    type Kind = fn(&Measurement<'_>) -> bool;
    fn is(measurement: &Measurement<'_>, termination: Termination, result: Verdict) -> bool {
        measurement.termination == termination && measurement.result == result
    }
    let kinds: [(&str, Kind); 8] = [
        ("correct safe", |m| {
            m.row.expected.is_decided() && is(m, Termination::Success, Verdict::Safe)
        }),
        ("correct unsafe", |m| {
            m.row.expected.is_decided() && is(m, Termination::Success, Verdict::Unsafe)
        }),
        ("wrong safe", |m| is(m, Termination::Wrong, Verdict::Safe)),
        ("wrong unsafe", |m| is(m, Termination::Wrong, Verdict::Unsafe)),
        ("decided, nothing known", |m| {
            !m.row.expected.is_decided() && m.termination == Termination::Success
        }),
        ("time", |m| m.termination == Termination::Time),
        ("memory", |m| m.termination == Termination::Memory),
        ("other", |m| m.termination == Termination::Exception),
    ];
    let rows = results.names().into_iter().enumerate().map(|(configuration, name)| {
        let all = (0..results.plan.tasks.len()).filter_map(|task| results.get(configuration, task));
        let all: Vec<_> = all.collect();
        let counts = kinds.iter().enumerate().map(|(i, (_, is_kind))| {
            let count = all.iter().filter(|measurement| is_kind(measurement)).count();
            Cell::number(count).bold_if(count > 0 && (i == 2 || i == 3))
        });
        std::iter::once(Cell::text(name)).chain(counts).collect()
    });
    Table {
        name: "verdicts".into(),
        title: "Verdicts".into(),
        note: "How many tasks ended in which way. “Other” is an unknown verdict, an input that is not supported, a crash."
            .into(),
        columns: std::iter::once("configuration").chain(kinds.iter().map(|(name, _)| *name)).map(Into::into).collect(),
        rows: rows.collect(),
    }
}

/// What the best and the worst choice of a configuration for each task solves (fourth paper, Table 1, with rows and
/// columns exchanged).
pub(super) fn oracle(results: &Results<'_>) -> Table {
    let n = results.plan.configurations.len();
    let everything: Vec<usize> = (0..results.plan.tasks.len()).collect();
    let all = [("all", &everything)];
    let groups = results.categories.iter().map(|(name, tasks)| (*name, tasks)).chain(all);
    let solved = |configuration: usize, tasks: &[usize]| {
        tasks.iter().filter(|task| results.success(configuration, **task).is_some()).count()
    };
    let by_all =
        |task: usize| (0..n).all(|configuration| results.success(configuration, task).is_some());
    let rows = groups.map(|(name, tasks)| {
        let counts: Vec<usize> = (0..n).map(|configuration| solved(configuration, tasks)).collect();
        let most = counts.iter().max().copied().unwrap_or(0);
        let best = tasks.iter().filter(|task| results.best(**task).is_some()).count();
        let worst = tasks.iter().filter(|task| by_all(**task)).count();
        let mut row = vec![Cell::text(name), Cell::number(tasks.len())];
        row.extend(
            counts.iter().map(|count| Cell::number(count).bold_if(*count == most && most > 0)),
        );
        row.extend([best, worst, best - worst].map(Cell::number));
        row
    });
    let mut rows: Vec<_> = rows.collect();
    let common: Vec<usize> = everything.iter().copied().filter(|task| by_all(*task)).collect();
    let times = (0..n).map(|configuration| {
        let times = common.iter().filter_map(|task| results.success(configuration, *task));
        Cell::number(seconds(times.map(|measurement| measurement.cpu).sum()))
    });
    let mut last = vec![Cell::text("CPU s where all solve it"), Cell::number(common.len())];
    last.extend(times);
    last.extend((0..3).map(|_| Cell::number("")));
    rows.push(last);
    let mut columns = vec!["configuration".to_string(), "tasks".into()];
    columns.extend(results.names().iter().map(ToString::to_string));
    columns.extend(["oracle best", "oracle worst", "difference"].map(String::from));
    let table = Table {
        name: "oracle".into(),
        title: "Best and worst choice".into(),
        note: "Tasks solved by each configuration, by at least one of them (oracle best), and by all of them (oracle worst)."
            .into(),
        columns,
        rows,
    };
    // Some experiments have more configurations than a screen is wide.
    table.transposed()
}

/// Every task with time, refinements and explored states of each configuration (second paper, Tables 1 to 3).
pub(super) fn tasks(results: &Results<'_>) -> Table {
    let names = results.names();
    let mark = |verdict: Verdict| match verdict {
        Verdict::Safe => "✓",
        Verdict::Unsafe => "✗",
        Verdict::Unknown => "?",
    };
    let rows = results.plan.tasks.iter().enumerate().map(|(i, task)| {
        let fastest = results.best(i).map_or(f64::NAN, |best| best.cpu);
        let cell = |configuration: usize| match results.get(configuration, i) {
            _ if !results.applies(configuration, i) => Cell::number(""),
            None => Cell::number("…"),
            Some(measurement) if measurement.is_success() => {
                let count =
                    |count: Option<u64>| count.map_or("–".into(), |count| count.to_string());
                let statistics = &measurement.row.statistics;
                let text = format!(
                    "{} / {} / {}",
                    seconds(measurement.cpu),
                    count(statistics.refinements),
                    count(statistics.explored)
                );
                Cell::number(text).bold_if((measurement.cpu - fastest).abs() < f64::EPSILON)
            }
            Some(measurement) => Cell::number(measurement.termination.name()),
        };
        let mut row = vec![Cell::text(mark(task.expected)), Cell::text(&task.name)];
        row.extend((0..names.len()).map(cell));
        row
    });
    let mut columns = vec![String::new(), "task".into()];
    columns.extend(names.iter().map(ToString::to_string));
    Table {
        name: "tasks".into(),
        title: "Tasks".into(),
        note: "✓ is safe and ✗ unsafe as it is known. CPU seconds / refinements / explored abstract states; the fastest is \
               bold."
            .into(),
        columns,
        rows: rows.collect(),
    }
}

/// How many percent, for people.
pub(super) fn percent(part: usize, whole: usize) -> String {
    format!("{:.0} %", ratio(part, whole) * 100.0)
}
