//! The result of a scenario: figures and problems.

use super::statistics::Samples;
use serde::Serialize;
use std::fmt::Write as _;

/// A measured figure.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Figure {
    /// Its name, unique in the report.
    pub name: String,
    /// `None` if this server does not support the measurement, or there was nothing to measure.
    pub value: Option<f64>,
    /// Unit; empty for counts and ratios.
    pub unit: &'static str,
}

/// The result of a scenario.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Report {
    /// Name of the scenario.
    pub scenario: &'static str,
    /// Figures in a sensible order.
    pub figures: Vec<Figure>,
    /// Problems, whatever the speed of the machine: something lost, starved, leaked or
    /// illegal.
    pub problems: Vec<String>,
}

/// Maximum number of problems that the table lists.
const MAX_LISTED_PROBLEMS: usize = 20;

impl Report {
    /// An empty report.
    pub fn new(scenario: &'static str) -> Report {
        Report { scenario, figures: Vec::new(), problems: Vec::new() }
    }

    /// Adds a figure.
    pub fn add(&mut self, name: impl Into<String>, value: impl Into<Option<f64>>, unit: &'static str) {
        let value = value.into().filter(|value| value.is_finite());
        self.figures.push(Figure { name: name.into(), value, unit });
    }

    /// Adds a count.
    pub fn count(&mut self, name: impl Into<String>, count: usize) {
        self.add(name, count as f64, "");
    }

    /// Adds the median, the 99th percentile and the maximum of durations; `when` ends their names.
    pub fn add_times(&mut self, what: &str, when: &str, times: &Samples) {
        let figures =
            [("p50", times.percentile(50.0)), ("p99", times.percentile(99.0)), ("worst", times.worst())];
        for (name, value) in figures {
            self.add(format!("{what} {name}{when}"), value, "ms");
        }
    }

    /// Adds a count that must be zero, and a problem if it is not.
    pub fn must_be_none(&mut self, name: &str, count: usize) {
        self.count(name, count);
        if count > 0 {
            self.problems.push(format!("{name}: {count}"));
        }
    }

    /// Adds a problem.
    pub fn problem(&mut self, text: impl Into<String>) {
        self.problems.push(text.into());
    }

    /// Value of a figure; `None` also if there is no such figure.
    pub fn value(&self, name: &str) -> Option<f64> {
        self.figures.iter().find(|figure| figure.name == name)?.value
    }

    /// The report as a table.
    pub fn table(&self) -> String {
        let cells: Vec<[String; 3]> = self.figures.iter().map(cells).collect();
        let width = |column: usize| cells.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
        let (names, values) = (width(0), width(1));
        let mut text = format!("{}\n", self.scenario);
        for [name, value, unit] in &cells {
            let line = format!("  {name:names$}  {value:>values$} {unit}");
            let _ = writeln!(text, "{}", line.trim_end());
        }
        for problem in self.problems.iter().take(MAX_LISTED_PROBLEMS) {
            let _ = writeln!(text, "  WRONG: {problem}");
        }
        if let Some(more @ 1..) = self.problems.len().checked_sub(MAX_LISTED_PROBLEMS) {
            let _ = writeln!(text, "  WRONG: {more} more");
        }
        text
    }

    /// The report as one line of JSON.
    ///
    /// # Errors
    /// None in practice: everything in a report can be written as JSON.
    pub fn json(&self) -> serde_json::Result<String> {
        serde_json::to_string(self)
    }
}

fn cells(figure: &Figure) -> [String; 3] {
    let value = figure.value.map_or("n/a".to_owned(), readable);
    [figure.name.clone(), value, figure.unit.to_owned()]
}

/// Formats a number with three significant digits or more and groups of thousands.
fn readable(value: f64) -> String {
    let magnitude = value.abs();
    let decimals = match magnitude {
        _ if value == value.trunc() => 0,
        _ if magnitude >= 100.0 => 0,
        _ if magnitude >= 10.0 => 1,
        _ if magnitude >= 1.0 => 2,
        _ => 3,
    };
    let text = format!("{magnitude:.decimals$}");
    let (whole, fraction) = text.split_once('.').map_or((text.as_str(), ""), |(whole, rest)| (whole, rest));
    let mut grouped = String::new();
    for (index, digit) in whole.chars().enumerate() {
        if index > 0 && (whole.len() - index).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    let sign = if value < 0.0 { "-" } else { "" };
    let point = if fraction.is_empty() { "" } else { "." };
    format!("{sign}{grouped}{point}{fraction}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_report_as_a_table() {
        let mut report = Report::new("idle");
        report.add("opened", 12345.6, "sessions/s");
        report.add("ping p99", None, "ms");
        report.must_be_none("lost", 0);
        assert!(report.problems.is_empty());
        report.must_be_none("leaked", 2);
        let table = "idle\n  opened    12,346 sessions/s\n  ping p99     n/a ms\n  lost           0\n  \
                     leaked         2\n  WRONG: leaked: 2\n";
        assert_eq!(report.table(), table);
        assert_eq!(report.value("opened"), Some(12345.6));
        assert_eq!(report.value("ping p99"), None);
    }

    #[test]
    fn a_report_as_a_line_of_json() {
        let mut report = Report::new("ping");
        report.add("ratio", 0.5, "");
        report.add("nothing by nothing", f64::NAN, "");
        let json = r#"{"scenario":"ping","figures":[{"name":"ratio","value":0.5,"unit":""},{"name":"nothing by nothing","value":null,"unit":""}],"problems":[]}"#;
        assert_eq!(report.json().unwrap(), json);
    }

    #[test]
    fn many_problems_are_cut_short() {
        let mut report = Report::new("churn");
        (0..25).for_each(|number| report.problem(number.to_string()));
        assert!(report.table().ends_with("WRONG: 19\n  WRONG: 5 more\n"));
    }

    #[test]
    fn numbers_are_readable() {
        let texts = [0.0, 0.1234, 1.5, 12.345, 999.9, 1_234_567.0, -1234.5].map(readable);
        assert_eq!(texts, ["0", "0.123", "1.50", "12.3", "1,000", "1,234,567", "-1,234"]);
    }
}
