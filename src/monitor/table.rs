//! Cells in columns.

use std::fmt::Write as _;

/// A column.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Column {
    /// Its heading.
    pub heading: &'static str,
    /// Whether its cells are aligned right, as numbers should be.
    pub right: bool,
}

/// Columns between two cells.
pub const GAP: usize = 2;

/// Formats rows as columns below their headings, each as wide as its widest cell. Lines have no
/// trailing blanks.
pub fn lines(columns: &[Column], rows: &[Vec<String>]) -> Vec<String> {
    let widths = widths(columns, rows);
    let line = |cells: &mut dyn Iterator<Item = &str>| {
        let mut line = String::new();
        for ((cell, width), column) in cells.zip(&widths).zip(columns) {
            let _ = match column.right {
                true => write!(line, "{cell:>width$}  "),
                false => write!(line, "{cell:width$}  "),
            };
        }
        line.trim_end().to_owned()
    };
    let headings = line(&mut columns.iter().map(|column| column.heading));
    let rows = rows.iter().map(|row| line(&mut row.iter().map(String::as_str)));
    std::iter::once(headings).chain(rows).collect()
}

/// The width of each column: its widest cell's.
pub fn widths(columns: &[Column], rows: &[Vec<String>]) -> Vec<usize> {
    let length = |text: &str| text.chars().count();
    let widest = |(index, column): (usize, &Column)| {
        rows.iter().map(|row| length(&row[index])).max().unwrap_or(0).max(length(column.heading))
    };
    columns.iter().enumerate().map(widest).collect()
}

/// Seconds as hours, minutes and seconds.
pub fn duration(seconds: u64) -> String {
    format!("{}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60)
}
