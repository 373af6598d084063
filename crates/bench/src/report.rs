//! Reports: tables and plots of the rows that there are, as HTML, Markdown, CSV and SVG.

pub(crate) mod format;
mod heat_map;
pub(crate) mod measurement;
mod page;
mod plots;
mod problems;
mod rows;
mod table;
mod tables;

use std::fs;
use std::path::Path;

use crate::Error;
use crate::plan::Plan;
use crate::row::Row;
use crate::store;
use format::escaped;
use heat_map::HeatMap;
use measurement::Results;
use problems::Problems;
use table::Table;

/// What a report says in a few lines.
#[derive(Clone, Debug)]
pub struct Summary {
    /// The lines.
    pub text: String,
    /// How many answers are wrong or contradict another.
    pub wrong: usize,
}

/// Everything in a report, in its order.
struct Report<'a> {
    results: &'a Results<'a>,
    problems: Problems,
    heat_map: HeatMap,
    tables: Vec<Table>,
    tasks: Table,
    plots: Vec<Plot>,
}

/// A plot.
struct Plot {
    /// The name of its file.
    name: String,
    title: String,
    note: String,
    svg: String,
}

/// Writes a report into a folder.
pub fn write(plan: &Plan, rows: &[Row], out: &Path, scatter: &[String]) -> Result<Summary, Error> {
    let results = Results::new(plan, rows)?;
    let report = Report {
        results: &results,
        problems: Problems::new(&results),
        heat_map: HeatMap::new(&results),
        tables: vec![tables::verdicts(&results), tables::oracle(&results)],
        tasks: tables::tasks(&results),
        plots: plots::plots(&results, &pairs(&results, scatter)?)?,
    };
    fs::create_dir_all(out).map_err(|error| Error::file("make", out, &error))?;
    let write = |name: &str, text: &str| {
        let path = out.join(name);
        store::replace(&path, text)
    };
    write("index.html", &page::html(&report))?;
    write("report.md", &markdown(&report))?;
    write("rows.csv", &rows::csv(rows)?)?;
    write("heat-map.svg", &plots::heat_map(&report.heat_map)?)?;
    let all = report.problems.tables.iter().chain([&report.heat_map.table, &report.tasks]);
    for table in all.chain(&report.tables) {
        write(&format!("{}.csv", table.name), &table.csv()?)?;
    }
    for plot in &report.plots {
        write(&format!("{}.svg", plot.name), &plot.svg)?;
    }
    Ok(Summary { text: summary(&report, out), wrong: report.problems.count() })
}

/// The pairs of configurations to plot: those asked for, else those of the experiment, else the best two.
fn pairs(results: &Results<'_>, asked: &[String]) -> Result<Vec<[usize; 2]>, Error> {
    let names = results.names();
    let find = |name: &str| {
        names.iter().position(|other| *other == name).ok_or_else(|| {
            Error::Experiment(format!(
                "there is no configuration `{name}`, but {}",
                names.join(", ")
            ))
        })
    };
    if asked.iter().any(|pair| pair == "all") {
        let all = 0..names.len();
        return Ok(all
            .clone()
            .flat_map(|a| all.clone().skip(a + 1).map(move |b| [a, b]))
            .collect());
    }
    if !asked.is_empty() {
        let pair = |text: &String| match text.split_once(',') {
            Some((a, b)) => Ok([find(a.trim())?, find(b.trim())?]),
            None => Err(Error::Experiment(format!("`{text}` is not of the form `A,B`"))),
        };
        return asked.iter().map(pair).collect();
    }
    // A smaller version of the experiment may lack some of its configurations.
    let named = results.plan.report.scatter.iter();
    let named: Vec<_> = named.filter_map(|[a, b]| Some([find(a).ok()?, find(b).ok()?])).collect();
    let best = results.by_success();
    Ok(match (&named[..], &best[..]) {
        ([], [a, b, ..]) => vec![[*a.min(b), *a.max(b)]],
        _ => named,
    })
}

fn markdown(report: &Report<'_>) -> String {
    let plan = report.results.plan;
    let mut parts = vec![format!("# {}", escaped(&plan.title))];
    parts.extend(page::facts(report.results).iter().map(|fact| escaped(fact)));
    let tables = report.problems.tables.iter().chain([&report.heat_map.table]);
    parts.extend(tables.chain(&report.tables).map(Table::markdown));
    let image = |plot: &Plot| {
        let (title, note) = (escaped(&plot.title), escaped(&plot.note));
        format!("![{title}]({}.svg)\n\n{note}", plot.name)
    };
    parts.extend(report.plots.iter().map(image));
    parts.join("\n\n") + "\n"
}

/// The lines that the command line prints at the end.
fn summary(report: &Report<'_>, out: &Path) -> String {
    use std::fmt::Write;
    let results = report.results;
    let mut text = String::new();
    for table in report.problems.tables.iter().filter(|table| !table.rows.is_empty()) {
        let _ = writeln!(text, "{}", table.plain());
    }
    let names = results.names();
    let width = names.iter().map(|name| name.chars().count()).max().unwrap_or(0).clamp(12, 60);
    for row in &report.heat_map.rows {
        let Some(all) = row.cells.last() else { continue };
        let _ = writeln!(
            text,
            "{:width$}  {:>5} of {:<5} {:>9} s {:>9} MB",
            row.name,
            all.solved,
            all.tasks,
            format::seconds(all.cpu),
            format::megabytes(all.memory)
        );
    }
    let _ = writeln!(text, "{}", out.join("index.html").display());
    text
}
