//! Measurements: the repetitions of a run as one, the way the first paper merges them (§4.2).
//!
//! A measurement is successful if one of its repetitions is. Its time is the mean of the successful ones, its memory
//! their maximum. If none is, the first reason counts, and time and memory are those of all of them.

use indexmap::IndexMap;

use crate::Error;
use crate::experiment::any_matches;
use crate::plan::Plan;
use crate::report::format::float;
use crate::row::{Row, Termination, Verdict};
use crate::tasks::Task;

/// The repetitions of a run.
#[derive(Clone, Debug)]
pub(crate) struct Measurement<'a> {
    /// Why it ended.
    pub(crate) termination: Termination,
    /// What it said.
    pub(crate) result: Verdict,
    /// CPU time in seconds.
    pub(crate) cpu: f64,
    /// Memory in bytes.
    pub(crate) memory: u64,
    /// The first of the rows that it is made of.
    pub(crate) row: &'a Row,
}

impl Measurement<'_> {
    pub(crate) fn is_success(&self) -> bool {
        self.termination == Termination::Success
    }
}

/// Merges the repetitions of a run. A wrong answer in any of them is not made good by the others.
pub(crate) fn merge<'a>(rows: &[&'a Row]) -> Option<Measurement<'a>> {
    let with = |termination: Termination| {
        rows.iter().filter(|row| row.termination == termination).copied().collect::<Vec<_>>()
    };
    let counted = [Termination::Wrong, Termination::Success]
        .into_iter()
        .map(with)
        .find(|counted| !counted.is_empty())
        .unwrap_or_else(|| rows.to_vec());
    let row = counted.first()?;
    Some(Measurement {
        termination: row.termination,
        result: row.result,
        cpu: counted.iter().map(|row| row.cpu_seconds).sum::<f64>() / float(counted.len() as u64),
        memory: counted.iter().map(|row| row.memory_bytes).max().unwrap_or(0),
        row,
    })
}

/// The measurements of an experiment: `of[configuration][task]`.
pub(crate) struct Results<'a> {
    pub(crate) plan: &'a Plan,
    pub(crate) rows: &'a [Row],
    /// The categories, with the tasks of each.
    pub(crate) categories: IndexMap<&'a str, Vec<usize>>,
    of: Vec<Vec<Option<Measurement<'a>>>>,
    applies: Vec<Vec<bool>>,
}

impl<'a> Results<'a> {
    pub(crate) fn new(plan: &'a Plan, rows: &'a [Row]) -> Result<Results<'a>, Error> {
        let mut by_run: IndexMap<(&str, &str), Vec<&Row>> = IndexMap::new();
        for row in rows {
            by_run.entry((&row.key.configuration, &row.key.task)).or_default().push(row);
        }
        let mut categories: IndexMap<&str, Vec<usize>> = IndexMap::new();
        for (i, task) in plan.tasks.iter().enumerate() {
            categories.entry(&task.category).or_default().push(i);
        }
        let (mut of, mut applies) = (Vec::new(), Vec::new());
        for configuration in &plan.configurations {
            let find =
                |task: &'a Task| by_run.get(&(configuration.name.as_str(), task.name.as_str()));
            let rows = plan.tasks.iter().map(|task| find(task).and_then(|rows| merge(rows)));
            of.push(rows.collect());
            let is_without =
                |task: &Task| any_matches(&plan.sets[task.set].without, &configuration.name);
            let row = plan.tasks.iter().map(|task| is_without(task).map(|without| !without));
            applies.push(row.collect::<Result<Vec<_>, _>>()?);
        }
        Ok(Results { plan, rows, categories, of, applies })
    }

    /// The names of the configurations.
    pub(crate) fn names(&self) -> Vec<&'a str> {
        self.plan.configurations.iter().map(|one| one.name.as_str()).collect()
    }

    /// A measurement, if there is a row for it.
    pub(crate) fn get(&self, configuration: usize, task: usize) -> Option<&Measurement<'a>> {
        self.of[configuration][task].as_ref()
    }

    /// A measurement that is a success.
    pub(crate) fn success(&self, configuration: usize, task: usize) -> Option<&Measurement<'a>> {
        self.get(configuration, task).filter(|measurement| measurement.is_success())
    }

    /// Whether a configuration is meant for a task.
    pub(crate) fn applies(&self, configuration: usize, task: usize) -> bool {
        self.applies[configuration][task]
    }

    /// The best of all configurations on a task: the fastest success.
    pub(crate) fn best(&self, task: usize) -> Option<&Measurement<'a>> {
        let all = (0..self.of.len()).filter_map(|configuration| self.success(configuration, task));
        all.min_by(|a, b| a.cpu.total_cmp(&b.cpu))
    }

    /// The configurations, the one with the most successes first, and the faster one of equals.
    pub(crate) fn by_success(&self) -> Vec<usize> {
        let score = |configuration: &usize| {
            let all =
                (0..self.plan.tasks.len()).filter_map(|task| self.success(*configuration, task));
            let (count, cpu) = all.fold((0usize, 0.0), |(n, cpu), it| (n + 1, cpu + it.cpu));
            (std::cmp::Reverse(count), cpu)
        };
        let mut order: Vec<usize> = (0..self.of.len()).collect();
        order.sort_by(|a, b| {
            let ((m, s), (n, t)) = (score(a), score(b));
            m.cmp(&n).then(s.total_cmp(&t))
        });
        order
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::row::{Key, Statistics};

    /// A row with little in it.
    pub(crate) fn row(termination: Termination, cpu_seconds: f64, memory_bytes: u64) -> Row {
        Row {
            key: Key { task: "t".into(), configuration: "c".into(), repetition: 1 },
            category: "k".into(),
            expected: Verdict::Safe,
            axes: IndexMap::new(),
            termination,
            result: match termination {
                Termination::Success => Verdict::Safe,
                Termination::Wrong => Verdict::Unsafe,
                _ => Verdict::Unknown,
            },
            cpu_seconds,
            wall_seconds: cpu_seconds,
            memory_bytes,
            statistics: Statistics::default(),
            exit: "exit 0".into(),
            reason: String::new(),
            metered: String::new(),
        }
    }

    /// §4.2: any success; the mean time of the successes; the first reason if there is none.
    #[test]
    fn repetitions_are_merged_as_in_the_paper() {
        use Termination::{Exception, Memory, Success, Time, Wrong};
        let check = |rows: &[(Termination, f64, u64)], expected: (Termination, f64, u64)| {
            let rows: Vec<Row> =
                rows.iter().map(|(t, cpu, memory)| row(*t, *cpu, *memory)).collect();
            let merged = merge(&rows.iter().collect::<Vec<_>>()).unwrap();
            assert_eq!((merged.termination, merged.cpu, merged.memory), expected);
        };
        check(&[(Success, 2.0, 10), (Success, 4.0, 30)], (Success, 3.0, 30));
        check(&[(Time, 60.0, 99), (Success, 4.0, 30)], (Success, 4.0, 30));
        check(&[(Time, 60.0, 5), (Memory, 10.0, 9)], (Time, 35.0, 9));
        check(&[(Memory, 10.0, 9), (Time, 60.0, 5)], (Memory, 35.0, 9));
        check(&[(Exception, 1.0, 1), (Wrong, 2.0, 2), (Success, 3.0, 3)], (Wrong, 2.0, 2));
        assert!(merge(&[]).is_none());
    }
}
