//! The report as one page that needs nothing else: no network, no script, light or dark, wide or narrow.

use maud::{DOCTYPE, Markup, PreEscaped, html};

use super::heat_map::color;
use super::measurement::Results;
use super::table::Table;
use super::{Plot, Report};
use crate::report::tables::percent;

/// The page.
pub(super) fn html(report: &Report<'_>) -> String {
    let plan = report.results.plan;
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                title { (plan.title) }
                style { (PreEscaped(include_str!("page.css"))) }
            }
            body {
                header {
                    h1 { (plan.title) }
                    @for fact in facts(report.results) { p { (fact) } }
                }
                main {
                    @for table in &report.problems.tables { (problem(table)) }
                    (section(Some("map"), &report.heat_map.table, &legend()))
                    @for table in &report.tables { (section(None, table, &html! {})) }
                    @for one in &report.plots { (plot(one)) }
                    (tasks(&report.tasks))
                }
            }
        }
    };
    page.into_string()
}

/// What was run, and how.
pub(super) fn facts(results: &Results<'_>) -> Vec<String> {
    let plan = results.plan;
    let rows = results.rows;
    let all = plan.runs().map_or(0, |runs| runs.len());
    let solved = rows.iter().filter(|row| row.is_success()).count();
    let mut facts = Vec::new();
    if !plan.reproduces.is_empty() {
        facts.push(format!("Reproduces: {}", plan.reproduces));
    }
    if !plan.differs.is_empty() {
        facts.push(format!(
            "What may differ: {}",
            plan.differs.split_whitespace().collect::<Vec<_>>().join(" ")
        ));
    }
    let missing = match all - rows.len() {
        0 => String::new(),
        missing => format!(" {missing} runs are still missing."),
    };
    facts.push(format!(
        "{} runs: {} configurations, {} tasks, {}. {solved} ({}) are successful.{missing}",
        rows.len(),
        plan.configurations.len(),
        plan.tasks.len(),
        if plan.repetitions == 1 {
            "once each".into()
        } else {
            format!("{} repetitions", plan.repetitions)
        },
        percent(solved, rows.len())
    ));
    let memory =
        plan.limits.memory.map_or("no limit of memory".into(), |memory| format!("{memory} MB"));
    let mut meters: Vec<&str> = rows.iter().map(|row| row.metered.as_str()).collect();
    meters.sort_unstable();
    meters.dedup();
    facts.push(format!(
        "Limits of a run: {} s of CPU time, {} s by the clock, {memory}. Measured by: {}. Children are counted.",
        plan.limits.cpu,
        plan.limits.wall(),
        meters.join("; ")
    ));
    facts
}

/// Problems come first, and are hard to overlook.
fn problem(table: &Table) -> Markup {
    let class = if table.rows.is_empty() { "fine" } else { "bad" };
    html! {
        section class=(class) {
            h2 { (table.title) }
            @if !table.rows.is_empty() { (table.html()) }
        }
    }
}

fn section(class: Option<&str>, table: &Table, legend: &Markup) -> Markup {
    html! {
        section class=[class] {
            h2 { (table.title) }
            p { (table.note) }
            (table.html())
            (legend)
        }
    }
}

/// The legend of the colours of the heat map.
fn legend() -> Markup {
    let part = |percent: u32| {
        let (r, g, b) = color(f64::from(percent) / 100.0);
        format!("background:#{r:02x}{g:02x}{b:02x};color:#111")
    };
    html! {
        p.legend {
            "success rate "
            @for percent in [0, 25, 50, 75, 100] { span style=(part(percent)) { (percent) " %" } }
        }
    }
}

fn plot(plot: &Plot) -> Markup {
    html! {
        section {
            h2 { (plot.title) }
            figure {
                div.plot { (PreEscaped(&plot.svg)) }
                figcaption { (plot.note) }
            }
        }
    }
}

/// All tasks are many: they are there for those who look for one.
fn tasks(table: &Table) -> Markup {
    html! {
        section {
            details {
                summary { (table.title) ": " (table.rows.len()) }
                p { (table.note) }
                (table.html())
            }
        }
    }
}
