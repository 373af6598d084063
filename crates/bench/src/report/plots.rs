//! Plots, drawn by `plotters` as SVG. Colours are few and exact: the page replaces ink, grid and paper in the dark.

mod heat_map;
mod quantile;
mod scatter;

use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use super::Plot;
use super::measurement::Results;
use crate::Error;

pub(super) use heat_map::heat_map;

/// Letters, axes.
pub(super) const INK: RGBColor = RGBColor(34, 34, 34);
/// Letters on colours that are the same in the dark.
pub(super) const BLACK_INK: RGBColor = RGBColor(17, 17, 17);
/// Lines behind the data.
pub(super) const GRID: RGBColor = RGBColor(221, 221, 221);
/// The background.
pub(super) const PAPER: RGBColor = RGBColor(255, 255, 255);

/// Colours of lines and points, told apart by everyone (after Okabe and Ito), on white and on black.
const COLORS: [RGBColor; 8] = [
    RGBColor(0, 114, 178),
    RGBColor(213, 94, 0),
    RGBColor(0, 158, 115),
    RGBColor(204, 121, 167),
    RGBColor(230, 159, 0),
    RGBColor(86, 180, 233),
    RGBColor(140, 140, 140),
    RGBColor(148, 103, 60),
];

type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;

/// The quantile plot, and a scatter plot for each pair.
pub(super) fn plots(results: &Results<'_>, pairs: &[[usize; 2]]) -> Result<Vec<Plot>, Error> {
    let mut plots = vec![quantile::plot(results)?];
    for pair in pairs {
        plots.push(scatter::plot(results, *pair)?);
    }
    Ok(plots)
}

/// Draws into an SVG image of a size.
fn svg(size: (u32, u32), draw: impl FnOnce(&Area<'_>) -> Drawn) -> Result<String, Error> {
    let mut text = String::new();
    let root = SVGBackend::with_string(&mut text, size).into_drawing_area();
    let drawn = root
        .fill(&PAPER)
        .map_err(Into::into)
        .and_then(|()| draw(&root))
        .and_then(|()| root.present().map_err(Into::into));
    drop(root);
    drawn.map_err(|error| Error::System(format!("cannot draw: {error}")))?;
    Ok(text)
}

/// What drawing ends with.
type Drawn = Result<(), Box<dyn std::error::Error>>;

fn style(size: i32, color: RGBColor, horizontal: HPos) -> TextStyle<'static> {
    let style = TextStyle::from(("sans-serif", size).into_font());
    TextStyle { color: color.to_backend_color(), pos: Pos::new(horizontal, VPos::Center), ..style }
}

/// About how wide a text is. Wide letters are rare in names, so this is rather too much.
fn width(text: &str, size: i32) -> i32 {
    i32::try_from(text.chars().count()).unwrap_or(i32::MAX / 100) * size * 52 / 100
}

/// A text that fits into a width, cut in the middle if it has to be.
fn fitting(text: &str, size: i32, most: i32) -> String {
    if width(text, size) <= most {
        return text.into();
    }
    let letters: Vec<char> = text.chars().collect();
    let keep = usize::try_from(most * 100 / (size * 52) - 1).unwrap_or(2).max(2);
    let (front, back) = (keep.div_ceil(2), keep / 2);
    letters[..front].iter().chain(&['…']).chain(&letters[letters.len() - back..]).collect()
}

/// A legend of marks and names, in lines from the left; returns its height.
fn legend<'a>(
    area: &Area<'a>,
    top: i32,
    names: &[String],
    mark: impl Fn(&Area<'a>, usize, (i32, i32)) -> Drawn,
) -> Result<i32, Box<dyn std::error::Error>> {
    const SIZE: i32 = 16;
    let most = i32::try_from(area.dim_in_pixel().0).unwrap_or(i32::MAX) - 16;
    let (mut x, mut y) = (16, top + 12);
    for (i, name) in names.iter().enumerate() {
        let step = 44 + width(name, SIZE);
        if x + step > most && x > 16 {
            (x, y) = (16, y + 22);
        }
        mark(area, i, (x + 8, y))?;
        area.draw(&Text::new(name.clone(), (x + 24, y), style(SIZE, INK, HPos::Left)))?;
        x += step;
    }
    Ok(y + 12 - top)
}

/// A range for CPU times: from the decade of the smallest to a bit beyond the limit.
fn time_range(times: impl Iterator<Item = f64>, limit: f64) -> (f64, f64) {
    let least = times.fold(limit, f64::min).max(0.001);
    (10f64.powf(least.log10().floor()), limit * 1.25)
}
