//! A table, and the forms that it is written in.

use maud::{Markup, html};

use super::format::{cell, escaped};
use crate::Error;

/// A table.
#[derive(Clone, Debug)]
pub(super) struct Table {
    /// The name of its file.
    pub(super) name: String,
    pub(super) title: String,
    /// What to know to read it.
    pub(super) note: String,
    pub(super) columns: Vec<String>,
    pub(super) rows: Vec<Vec<Cell>>,
}

/// A cell.
#[derive(Clone, Debug)]
pub(super) struct Cell {
    /// What it says, in lines.
    pub(super) lines: Vec<String>,
    is_number: bool,
    is_bold: bool,
    /// The colour behind it.
    pub(super) color: Option<(u8, u8, u8)>,
}

impl Cell {
    pub(super) fn text(text: &str) -> Cell {
        Cell::lines(vec![text.into()])
    }

    pub(super) fn number(number: impl std::fmt::Display) -> Cell {
        Cell { is_number: true, ..Cell::text(&format!("{number}")) }
    }

    pub(super) fn lines(lines: Vec<String>) -> Cell {
        Cell { lines, is_number: false, is_bold: false, color: None }
    }

    pub(super) fn bold(self) -> Cell {
        Cell { is_bold: true, ..self }
    }

    pub(super) fn bold_if(self, is_bold: bool) -> Cell {
        Cell { is_bold, ..self }
    }

    pub(super) fn colored(self, color: (u8, u8, u8)) -> Cell {
        Cell { color: Some(color), is_number: true, ..self }
    }

    fn html(&self) -> Markup {
        let style =
            self.color.map(|(r, g, b)| format!("background:#{r:02x}{g:02x}{b:02x};color:#111"));
        let class = if self.is_number { "n" } else { "" };
        html! {
            td class=(class) style=[style] {
                @for (i, line) in self.lines.iter().enumerate() {
                    @if i > 0 { br; }
                    @if self.is_bold || (self.color.is_some() && i == 0) { b { (line) } } @else { (line) }
                }
            }
        }
    }
}

impl Table {
    /// The same with a row for each column.
    pub(super) fn transposed(self) -> Table {
        let corner = self.columns.first().cloned().into_iter();
        let names = self.rows.iter().filter_map(|row| Some(row.first()?.lines.join(" ")));
        let columns = corner.chain(names).collect();
        let row = |(i, name): (usize, &String)| {
            let cells = self.rows.iter().filter_map(|row| row.get(i)).cloned();
            std::iter::once(Cell::text(name)).chain(cells).collect()
        };
        let rows = self.columns.iter().enumerate().skip(1).map(row).collect();
        Table { columns, rows, ..self }
    }

    pub(super) fn csv(&self) -> Result<String, Error> {
        let cannot =
            |error: &dyn std::fmt::Display| Error::System(format!("{}: {error}", self.name));
        let mut writer = csv::Writer::from_writer(Vec::new());
        writer
            .write_record(self.columns.iter().map(|name| cell(name)))
            .map_err(|error| cannot(&error))?;
        for row in &self.rows {
            let cells = row.iter().map(|one| cell(&one.lines.join(" | ")));
            writer.write_record(cells).map_err(|error| cannot(&error))?;
        }
        let bytes = writer.into_inner().map_err(|error| cannot(&error))?;
        String::from_utf8(bytes).map_err(|error| cannot(&error))
    }

    pub(super) fn markdown(&self) -> String {
        let line = |cells: Vec<String>| format!("| {} |", cells.join(" | "));
        let mut lines = vec![format!("## {}", escaped(&self.title)), String::new()];
        if !self.note.is_empty() {
            lines.extend([escaped(&self.note), String::new()]);
        }
        if !self.rows.is_empty() {
            let is_number = |column: usize| self.rows.iter().all(|row| row[column].is_number);
            let rule = |column: usize| if is_number(column) { "--:" } else { "---" }.to_string();
            lines.push(line(self.columns.iter().map(|column| escaped(column)).collect()));
            lines.push(line((0..self.columns.len()).map(rule).collect()));
        }
        for row in &self.rows {
            let cells = row.iter().map(|cell| {
                let text = escaped(&cell.lines.join(", "));
                if cell.is_bold && !text.is_empty() { format!("**{text}**") } else { text }
            });
            lines.push(line(cells.collect()));
        }
        lines.join("\n").trim_end().to_string()
    }

    /// The title and the rows, for a terminal.
    pub(super) fn plain(&self) -> String {
        let rows = self.rows.iter().map(|row| {
            let cells = row.iter().map(|cell| cell.lines.join(" "));
            format!("\n  {}", cells.collect::<Vec<_>>().join("  "))
        });
        format!("{}{}", self.title, rows.collect::<String>())
    }

    pub(super) fn html(&self) -> Markup {
        html! {
            div.wide {
                table {
                    thead { tr { @for column in &self.columns { th { (column) } } } }
                    tbody {
                        @for row in &self.rows { tr { @for cell in row { (cell.html()) } } }
                    }
                }
            }
        }
    }
}
