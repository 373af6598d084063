//! The heat map as a picture.

use plotters::prelude::*;
use plotters::style::text_anchor::HPos;

use super::{BLACK_INK, Drawn, INK, fitting, style, svg, width};
use crate::Error;
use crate::report::heat_map::{HeatMap, color};

const SIZE: i32 = 17;
const SMALL: i32 = 14;
const CELL: (i32, i32) = (92, 62);
const TOP: i32 = 56;
const LEGEND: i32 = 54;

/// Draws the heat map with its legend.
pub(in crate::report) fn heat_map(map: &HeatMap) -> Result<String, Error> {
    let longest = map.rows.iter().map(|row| width(&row.name, SIZE)).max().unwrap_or(0);
    let left = longest.clamp(100, 330) + 20;
    let count = |count: usize| i32::try_from(count).unwrap_or(10_000);
    let size = (
        left + CELL.0 * count(map.columns.len()) + 12,
        TOP + CELL.1 * count(map.rows.len()) + LEGEND,
    );
    let pixels = |n: i32| u32::try_from(n).unwrap_or(100);
    svg((pixels(size.0), pixels(size.1)), |root| {
        let middle = |column: usize| left + CELL.0 * count(column) + CELL.0 / 2;
        for (i, (name, tasks)) in map.columns.iter().enumerate() {
            let name = fitting(name, SMALL + 1, CELL.0 - 4);
            root.draw(&Text::new(
                name,
                (middle(i), TOP - 32),
                style(SMALL + 1, INK, HPos::Center),
            ))?;
            let tasks = format!("({tasks})");
            root.draw(&Text::new(tasks, (middle(i), TOP - 13), style(SMALL, INK, HPos::Center)))?;
        }
        for (i, row) in map.rows.iter().enumerate() {
            // The virtual best stands apart.
            let gap = if i + 1 == map.rows.len() { 6 } else { 0 };
            let top = TOP + CELL.1 * count(i) + gap;
            let name = fitting(&row.name, SIZE, left - 16);
            root.draw(&Text::new(
                name,
                (left - 10, top + CELL.1 / 2),
                style(SIZE, INK, HPos::Right),
            ))?;
            for (j, cell) in row.cells.iter().enumerate() {
                let x = left + CELL.0 * count(j);
                if let Some((r, g, b)) = cell.color() {
                    let corners = [(x + 1, top + 1), (x + CELL.0 - 1, top + CELL.1 - 1)];
                    root.draw(&Rectangle::new(corners, RGBColor(r, g, b).filled()))?;
                }
                let lines = cell.lines();
                let first = top + CELL.1 / 2 + 1 - 9 * (count(lines.len()) - 1);
                for (k, line) in lines.into_iter().enumerate() {
                    let size = if k == 0 { SIZE } else { SMALL };
                    let ink = if cell.measured > 0 { BLACK_INK } else { INK };
                    let place = (middle(j), first + 18 * count(k));
                    root.draw(&Text::new(line, place, style(size, ink, HPos::Center)))?;
                }
            }
        }
        scale(root, size.1 - LEGEND + 20, size.0)
    })
}

/// The legend of the colours.
fn scale(root: &super::Area<'_>, top: i32, width: i32) -> Drawn {
    const STEPS: i32 = 50;
    let length = (width - 150).min(300);
    let left = 110;
    let place = |step: i32| left + length * step / STEPS;
    let middle = top + 8;
    root.draw(&Text::new("success rate", (8, middle), style(SMALL, INK, HPos::Left)))?;
    for step in 0..STEPS {
        let (r, g, b) = color((f64::from(step) + 0.5) / f64::from(STEPS));
        let corners = [(place(step), top), (place(step + 1), top + 16)];
        root.draw(&Rectangle::new(corners, RGBColor(r, g, b).filled()))?;
    }
    for percent in [0, 50, 100] {
        let text = format!("{percent} %");
        let x = left + length * percent / 100;
        root.draw(&Text::new(text, (x, top + 25), style(SMALL - 1, INK, HPos::Center)))?;
    }
    Ok(())
}
