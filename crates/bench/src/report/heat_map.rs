//! The heat map of configurations and categories (first paper, Figures 9 to 15).

use super::format::{megabytes, ratio, seconds};
use super::measurement::{Measurement, Results};
use super::table::{Cell, Table};

/// A heat map: as numbers, and as a table.
pub(super) struct HeatMap {
    /// The categories, with their sizes; then all of them.
    pub(super) columns: Vec<(String, usize)>,
    /// The configurations; then the virtual best.
    pub(super) rows: Vec<HeatRow>,
    pub(super) table: Table,
}

/// A row of a heat map.
pub(super) struct HeatRow {
    pub(super) name: String,
    pub(super) cells: Vec<HeatCell>,
}

/// A cell: how many tasks of a category are solved, and at what cost.
#[derive(Clone, Copy, Default)]
pub(super) struct HeatCell {
    /// The tasks that the configuration is meant for.
    pub(super) tasks: usize,
    /// Those of them that there is a row for.
    pub(super) measured: usize,
    pub(super) solved: usize,
    /// The CPU time of the solved ones.
    pub(super) cpu: f64,
    /// The most memory of a solved one.
    pub(super) memory: u64,
}

impl HeatCell {
    fn add(&mut self, place: &Place<'_>) {
        self.tasks += usize::from(!matches!(place, Place::None));
        self.measured += usize::from(matches!(place, Place::Is(_)));
        if let Place::Is(measurement) = place
            && measurement.is_success()
        {
            self.solved += 1;
            self.cpu += measurement.cpu;
            self.memory = self.memory.max(measurement.memory);
        }
    }

    /// The colour of its success rate, if there is anything to it.
    pub(super) fn color(&self) -> Option<(u8, u8, u8)> {
        (self.measured > 0).then(|| color(ratio(self.solved, self.tasks)))
    }

    /// Solved, time, memory: what stands in the cell.
    pub(super) fn lines(&self) -> Vec<String> {
        match (self.tasks, self.measured, self.solved) {
            (0, ..) => vec!["–".into()],
            (_, 0, _) => vec!["…".into()],
            (.., 0) => vec!["0".into()],
            _ => vec![
                self.solved.to_string(),
                format!("{} s", seconds(self.cpu)),
                format!("{} MB", megabytes(self.memory)),
            ],
        }
    }
}

/// The colour of a success rate: brown, white, teal, which are told apart by everyone, also under dark letters.
pub(super) fn color(rate: f64) -> (u8, u8, u8) {
    const ENDS: [(f64, f64, f64); 3] = [(216., 179., 101.), (246., 246., 242.), (90., 180., 172.)];
    let (from, to, part) = match rate < 0.5 {
        true => (ENDS[0], ENDS[1], rate * 2.0),
        false => (ENDS[1], ENDS[2], rate * 2.0 - 1.0),
    };
    let mix = |a: f64, b: f64| {
        let value = (a + (b - a) * part).round().clamp(0.0, 255.0);
        // Between 0 and 255 by the line above.
        #[expect(clippy::cast_sign_loss)]
        let value = value as u8;
        value
    };
    (mix(from.0, to.0), mix(from.1, to.1), mix(from.2, to.2))
}

/// The name of the last row.
pub(super) const VIRTUAL_BEST: &str = "virtual best";

impl HeatMap {
    pub(super) fn new(results: &Results<'_>) -> HeatMap {
        let mut columns: Vec<(String, usize)> = results
            .categories
            .iter()
            .map(|(name, tasks)| ((*name).to_string(), tasks.len()))
            .collect();
        columns.push(("all".into(), results.plan.tasks.len()));
        let names = results.names();
        let mut rows: Vec<HeatRow> = (0..names.len())
            .map(|configuration| HeatRow {
                name: names[configuration].into(),
                cells: cells(results, |task| match results.applies(configuration, task) {
                    false => Place::None,
                    true => results.get(configuration, task).into(),
                }),
            })
            .collect();
        rows.push(HeatRow {
            name: VIRTUAL_BEST.into(),
            cells: cells(results, |task| {
                let any =
                    (0..names.len()).find_map(|configuration| results.get(configuration, task));
                results.best(task).or(any).into()
            }),
        });
        let table = table(&columns, &rows);
        HeatMap { columns, rows, table }
    }
}

/// What there is about a task.
enum Place<'r> {
    /// The configuration is not meant for it.
    None,
    /// No row yet.
    Missing,
    /// A measurement.
    Is(&'r Measurement<'r>),
}

impl<'r> From<Option<&'r Measurement<'r>>> for Place<'r> {
    fn from(measurement: Option<&'r Measurement<'r>>) -> Place<'r> {
        measurement.map_or(Place::Missing, Place::Is)
    }
}

/// A cell for each category, and one for all tasks.
fn cells<'r>(results: &'r Results<'_>, place: impl Fn(usize) -> Place<'r>) -> Vec<HeatCell> {
    let mut all = HeatCell::default();
    let mut cells = Vec::new();
    for tasks in results.categories.values() {
        let mut cell = HeatCell::default();
        for task in tasks {
            let place = place(*task);
            cell.add(&place);
            all.add(&place);
        }
        cells.push(cell);
    }
    cells.push(all);
    cells
}

fn table(columns: &[(String, usize)], rows: &[HeatRow]) -> Table {
    let headings = columns.iter().map(|(name, size)| format!("{name} ({size})"));
    Table {
        name: "heat-map".into(),
        title: "Configurations and categories".into(),
        note: "Each cell: tasks solved, CPU time of these, peak memory of these. The colour is the success rate. The last \
               row takes the best configuration for each task."
            .into(),
        columns: std::iter::once("configuration".to_string()).chain(headings).collect(),
        rows: rows
            .iter()
            .map(|row| {
                let cells = row.cells.iter().map(|cell| match cell.color() {
                    None => Cell::lines(cell.lines()),
                    Some(color) => Cell::lines(cell.lines()).colored(color),
                });
                std::iter::once(Cell::text(&row.name)).chain(cells).collect()
            })
            .collect(),
    }
}
