//! Compares two runs of an experiment: tasks gained and lost, wrong answers, CPU times.

use std::fmt;
use std::path::Path;

use crate::Error;
use crate::plan::Plan;
use crate::report::format::{seconds, significant};
use crate::report::measurement::Results;
use crate::row::Row;
use crate::store;

/// A change of times that is worth a look.
const NOTABLE: f64 = 0.1;

/// What differs.
#[derive(Clone, Debug, Default)]
pub struct Diff {
    /// What is solved now and was not before, with how it ended before.
    pub gained: Vec<String>,
    /// What was solved before and is not now, with how it ends now.
    pub lost: Vec<String>,
    /// What is wrong now.
    pub wrong: Vec<String>,
    /// Each configuration: its name, how many tasks both solve, CPU times on these before and after.
    pub times: Vec<(String, usize, f64, f64)>,
    /// How many runs are in one of the folders only.
    pub unmatched: usize,
}

/// Compares two folders.
pub fn diff(old: &Path, new: &Path) -> Result<Diff, Error> {
    let read = |folder: &Path| {
        let plan = store::read_plan(folder)?;
        let rows = store::read_rows(folder, &plan)?;
        Ok::<_, Error>((plan, rows))
    };
    let (old, new) = (read(old)?, read(new)?);
    compare(&old, &new)
}

fn compare(old: &(Plan, Vec<Row>), new: &(Plan, Vec<Row>)) -> Result<Diff, Error> {
    let (before, after) = (Results::new(&old.0, &old.1)?, Results::new(&new.0, &new.1)?);
    let mut diff = Diff::default();
    let mut matched = 0;
    for (c, configuration) in after.names().into_iter().enumerate() {
        let mut times = (configuration.to_string(), 0, 0.0, 0.0);
        let other = before.names().iter().position(|name| *name == configuration);
        for (t, task) in after.plan.tasks.iter().enumerate() {
            let now = after.get(c, t);
            let it = format!("{}  {configuration}", task.name);
            if let Some(wrong) = now.filter(|now| now.row.is_wrong()) {
                diff.wrong.push(format!("{it}  says {}", wrong.result.name()));
            }
            let place = before.plan.tasks.iter().position(|other| other.name == task.name);
            let was = other.zip(place).and_then(|(c, t)| before.get(c, t));
            let (Some(was), Some(now)) = (was, now) else { continue };
            matched += 1;
            match (was.is_success(), now.is_success()) {
                (false, true) => diff.gained.push(format!("{it}  was {}", was.termination.name())),
                (true, false) => diff.lost.push(format!("{it}  is {}", now.termination.name())),
                (true, true) => {
                    times = (times.0, times.1 + 1, times.2 + was.cpu, times.3 + now.cpu);
                }
                (false, false) => {}
            }
        }
        diff.times.push(times);
    }
    diff.unmatched = measured(&before) + measured(&after) - 2 * matched;
    Ok(diff)
}

fn measured(results: &Results<'_>) -> usize {
    let tasks = results.plan.tasks.len();
    let all = (0..results.names().len()).flat_map(|c| (0..tasks).map(move |t| (c, t)));
    all.filter(|(c, t)| results.get(*c, *t).is_some()).count()
}

impl Diff {
    /// Whether there is a wrong answer now.
    pub fn has_wrong(&self) -> bool {
        !self.wrong.is_empty()
    }
}

/// As Markdown.
impl fmt::Display for Diff {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (name, list) in [("wrong", &self.wrong), ("lost", &self.lost), ("gained", &self.gained)]
        {
            writeln!(f, "{name}: {}", list.len())?;
            list.iter().try_for_each(|line| writeln!(f, "  {line}"))?;
        }
        if self.unmatched > 0 {
            writeln!(f, "{} measurements are in one of them only", self.unmatched)?;
        }
        writeln!(
            f,
            "\n| configuration | solved by both | old CPU s | new CPU s | ratio |\n|---|--:|--:|--:|--:|"
        )?;
        let all = self.times.iter().fold((0, 0.0, 0.0), |(n, x, y), t| (n + t.1, x + t.2, y + t.3));
        let sum = ("all".to_string(), all.0, all.1, all.2);
        for (name, both, old, new) in self.times.iter().chain([&sum]) {
            let ratio = if *old > 0.0 { new / old } else { 1.0 };
            let ratio = match (ratio - 1.0).abs() > NOTABLE {
                true => format!("**{}**", significant(ratio)),
                false => significant(ratio),
            };
            writeln!(f, "| {name} | {both} | {} | {} | {ratio} |", seconds(*old), seconds(*new))?;
        }
        Ok(())
    }
}
