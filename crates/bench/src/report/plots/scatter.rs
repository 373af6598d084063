//! Scatter plots: CPU times of two configurations (fourth paper, Figure 3; fifth, Figures 5.1 and 5.2).

use plotters::prelude::*;
use plotters::style::text_anchor::HPos;

use super::{COLORS, GRID, INK, Plot, legend, style, svg, time_range};
use crate::Error;
use crate::report::format::tick;
use crate::report::measurement::{Measurement, Results};
use crate::row::Verdict;

const SIZE: (u32, u32) = (600, 620);

/// The kinds of points: what the task is, according to whoever solved it.
const KINDS: [(Verdict, &str); 2] = [(Verdict::Safe, "safe"), (Verdict::Unsafe, "unsafe")];

/// Draws a point for each task that one of two configurations solves.
pub(super) fn plot(results: &Results<'_>, [a, b]: [usize; 2]) -> Result<Plot, Error> {
    let names = results.names();
    let limit = results.plan.limits.cpu;
    let tasks = 0..results.plan.tasks.len();
    let pairs = tasks.map(|task| (results.success(a, task), results.success(b, task)));
    let pairs: Vec<_> = pairs.filter(|(x, y)| x.is_some() || y.is_some()).collect();
    let times = pairs.iter().flat_map(|(x, y)| [x, y]).flatten().map(|measurement| measurement.cpu);
    let (low, high) = time_range(times, limit);
    let kinds = KINDS.map(|(_, name)| name.to_string());
    let text = svg(SIZE, |root| {
        let height = legend(root, 4, &kinds, |area, i, place| match i {
            0 => Ok(area.draw(&Circle::new(place, 5, COLORS[0].stroke_width(2)))?),
            _ => Ok(area.draw(&Cross::new(place, 5, COLORS[1].stroke_width(2)))?),
        })?;
        let mut chart = ChartBuilder::on(root)
            .margin(14)
            .margin_top(height + 14)
            .margin_right(24)
            .x_label_area_size(48)
            .y_label_area_size(66)
            .build_cartesian_2d((low..high).log_scale(), (low..high).log_scale())?;
        chart
            .configure_mesh()
            .light_line_style(GRID.mix(0.0))
            .bold_line_style(GRID)
            .axis_style(INK)
            .label_style(style(16, INK, HPos::Center))
            .x_desc(format!("{}: CPU time (s)", names[a]))
            .y_desc(format!("{}: CPU time (s)", names[b]))
            .x_label_formatter(&|time| tick(*time))
            .y_label_formatter(&|time| tick(*time))
            .draw()?;
        // The diagonals of equal times and of a factor of ten, and the borders for what is not solved.
        let line = |from: (f64, f64), to: (f64, f64), color: RGBColor| {
            PathElement::new(vec![from, to], color.stroke_width(1))
        };
        chart.draw_series([
            line((low, low), (limit, limit), INK),
            line((low * 10.0, low), (limit, limit / 10.0), GRID),
            line((low, low * 10.0), (limit / 10.0, limit), GRID),
            line((limit, low), (limit, high), INK),
            line((low, limit), (high, limit), INK),
        ])?;
        for (x, y) in &pairs {
            // What is not solved stands between the limit and the border.
            let time = |it: Option<&Measurement<'_>>| it.map_or(high / 1.12, |it| it.cpu.max(low));
            let verdict = x.or(*y).map_or(Verdict::Unknown, |measurement| measurement.result);
            let place = (time(*x), time(*y));
            match verdict {
                Verdict::Unsafe => {
                    chart.draw_series([Cross::new(place, 4, COLORS[1].stroke_width(2))])?
                }
                _ => chart.draw_series([Circle::new(place, 4, COLORS[0].stroke_width(2))])?,
            };
        }
        Ok(())
    })?;
    let only =
        |f: fn(&(Option<&_>, Option<&_>)) -> bool| pairs.iter().filter(|pair| f(pair)).count();
    Ok(Plot {
        name: file_name(names[a], names[b]),
        title: format!("{} and {}", names[a], names[b]),
        note: format!(
            "Each point is a task. Below the diagonal {b} is faster, above it {a}; the thin lines are a factor of ten. Beyond the \
             limit of {limit} s: not solved. {x} solved by {a} only, {y} by {b} only, {both} by both; {none} by none are left \
             out.",
            a = names[a],
            b = names[b],
            x = only(|(_, y)| y.is_none()),
            y = only(|(x, _)| x.is_none()),
            both = only(|(x, y)| x.is_some() && y.is_some()),
            none = results.plan.tasks.len() - pairs.len(),
        ),
        svg: text,
    })
}

/// A name for a file, with ordinary letters only.
fn file_name(a: &str, b: &str) -> String {
    let plain = |name: &str| {
        let letters = name.chars().map(|c| match c {
            '*' => "star".into(),
            c if c.is_ascii_alphanumeric() || "-_.".contains(c) => c.to_string(),
            _ => "-".into(),
        });
        letters.collect::<String>()
    };
    format!("scatter-{}-{}", plain(a), plain(b))
}
