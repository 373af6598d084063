//! Quantile plots: how many tasks each configuration solves within which time (fifth paper, Figures 5.3 and 5.4).

use plotters::prelude::*;

use super::{COLORS, GRID, INK, Plot, legend, style, svg, time_range};
use crate::Error;
use crate::experiment::any_matches;
use crate::report::format::tick;
use crate::report::measurement::Results;

const SIZE: (u32, u32) = (760, 520);

/// More lines than colours cannot be told apart.
const MOST: usize = COLORS.len();

struct Curve {
    name: String,
    /// The CPU times of what is solved, sorted.
    times: Vec<f64>,
}

/// Draws the times of all configurations, or of the best if there are many.
pub(super) fn plot(results: &Results<'_>) -> Result<Plot, Error> {
    let (curves, left_out) = curves(results)?;
    let most = curves.iter().map(|curve| curve.times.len()).max().unwrap_or(0).max(1);
    let all = curves.iter().flat_map(|curve| curve.times.iter().copied());
    let (low, high) = time_range(all, results.plan.limits.cpu);
    let names: Vec<String> =
        curves.iter().map(|curve| format!("{} ({})", curve.name, curve.times.len())).collect();
    let text = svg(SIZE, |root| {
        let height = legend(root, 4, &names, |area, i, (x, y)| {
            area.draw(&PathElement::new(vec![(x - 9, y), (x + 9, y)], COLORS[i].stroke_width(3)))?;
            Ok(())
        })?;
        let mut chart = ChartBuilder::on(root)
            .margin(14)
            .margin_top(height + 14)
            .x_label_area_size(44)
            .y_label_area_size(66)
            .build_cartesian_2d(0f64..(most as u32).into(), (low..high).log_scale())?;
        chart
            .configure_mesh()
            .light_line_style(GRID.mix(0.0))
            .bold_line_style(GRID)
            .axis_style(INK)
            .label_style(style(16, INK, plotters::style::text_anchor::HPos::Center))
            .x_desc("tasks solved, the fastest first")
            .y_desc("CPU time (s)")
            .x_label_formatter(&|count| format!("{count:.0}"))
            .y_label_formatter(&|time| tick(*time))
            .draw()?;
        for (curve, color) in curves.iter().zip(COLORS) {
            let points = curve.times.iter().enumerate();
            let points = points.map(|(i, time)| (f64::from(i as u32 + 1), time.max(low)));
            chart.draw_series(LineSeries::new(points.clone(), color.stroke_width(2)))?;
            if curve.times.len() <= 200 {
                chart.draw_series(points.map(|point| Circle::new(point, 3, color.filled())))?;
            }
        }
        Ok(())
    })?;
    let note = match left_out {
        0 => String::new(),
        n => format!(" The {MOST} that solve the most are shown, {n} are left out."),
    };
    Ok(Plot {
        name: "quantile".into(),
        title: "Quantile plot".into(),
        note: format!(
            "The n-th fastest task that a configuration solves, and the CPU time that it takes. Farther right is more \
             solved, lower is faster. In parentheses: the number of tasks solved.{note}"
        ),
        svg: text,
    })
}

/// The curves, and how many configurations have none.
fn curves(results: &Results<'_>) -> Result<(Vec<Curve>, usize), Error> {
    let names = results.names();
    let mut chosen = Vec::new();
    for configuration in results.by_success() {
        let patterns = &results.plan.report.quantile;
        if patterns.is_empty() || any_matches(patterns, names[configuration])? {
            chosen.push(configuration);
        }
    }
    let left_out = chosen.len().saturating_sub(MOST);
    chosen.truncate(MOST);
    chosen.sort_unstable();
    let curve = |configuration: usize| {
        let all =
            (0..results.plan.tasks.len()).filter_map(|task| results.success(configuration, task));
        let mut times: Vec<f64> = all.map(|measurement| measurement.cpu).collect();
        times.sort_by(f64::total_cmp);
        Curve { name: names[configuration].into(), times }
    };
    Ok((chosen.into_iter().map(curve).collect(), left_out))
}
