//! Cells in columns.

use std::fmt::Write as _;

/// Formats rows as columns below their headings, each as wide as its widest cell. Columns in `right` are
/// aligned right, as numbers should be. Lines have no trailing blanks.
pub fn lines<const N: usize>(headings: [&str; N], right: [bool; N], rows: &[[String; N]]) -> Vec<String> {
    let headings = headings.map(str::to_owned);
    let all: Vec<&[String; N]> = std::iter::once(&headings).chain(rows).collect();
    let widest = |column: usize| all.iter().map(|line| line[column].chars().count()).max().unwrap_or(0);
    let widths: [usize; N] = std::array::from_fn(widest);
    let line = |cells: &[String; N]| {
        let mut line = String::new();
        for ((cell, width), right) in cells.iter().zip(widths).zip(right) {
            let _ = if right { write!(line, "{cell:>width$}  ") } else { write!(line, "{cell:width$}  ") };
        }
        line.trim_end().to_owned()
    };
    all.into_iter().map(line).collect()
}

/// Seconds as hours, minutes and seconds.
pub fn duration(seconds: u64) -> String {
    format!("{}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60)
}
