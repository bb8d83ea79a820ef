//! The tables of `docs/protocol.md`.

const DOCUMENT: &str = include_str!("../../../docs/protocol.md");

#[derive(Clone, Debug)]
pub struct Row {
    titles: Vec<String>,
    cells: Vec<String>,
}

impl Row {
    /// The subject of the row, as written.
    pub fn name(&self) -> &str {
        &self.cells[0]
    }

    pub fn cell(&self, title: &str) -> &str {
        let column = self.titles.iter().position(|known| known == title);
        &self.cells[column.unwrap_or_else(|| panic!("{}: no column {title}", self.name()))]
    }

    /// The variants named in the row: `Level`, not `Command::Level`.
    pub fn types(&self) -> Vec<String> {
        let types = in_backticks(self.cell("type"));
        types.iter().map(|name| name.rsplit("::").next().expect("a name").to_owned()).collect()
    }

    /// The row's syntax, with words in capitals or angle brackets for arguments.
    pub fn forms(&self) -> Vec<String> {
        in_backticks(self.name())
    }

    /// The names of the transcripts that show the row; none for a dash.
    pub fn transcripts(&self) -> Vec<String> {
        let cell = self.cell("transcripts");
        let names = in_backticks(cell);
        assert_eq!(names.is_empty(), cell == "–", "{}: transcripts or a dash", self.name());
        names
    }

    /// Returns true if the row explains why there is no transcript.
    pub fn says_why_not(&self) -> bool {
        self.cell("here").starts_with("Never")
    }
}

/// The rows of the tables under this heading.
pub fn section(heading: &str) -> Vec<Row> {
    let start = format!("\n## {heading}\n");
    let (_, text) = DOCUMENT.split_once(&start).unwrap_or_else(|| panic!("no heading {heading}"));
    let text = text.split("\n## ").next().unwrap_or(text);
    let mut lines = text.lines().filter(|line| line.starts_with('|')).map(cells);
    let titles = lines.next().expect("a table");
    let rows: Vec<Row> = lines.skip(1).map(|cells| Row { titles: titles.clone(), cells }).collect();
    assert!(!rows.is_empty(), "{heading}");
    for row in &rows {
        assert_eq!(row.cells.len(), titles.len(), "{}", row.name());
    }
    rows
}

fn cells(line: &str) -> Vec<String> {
    let inner = line.trim_matches('|');
    inner.split('|').map(|cell| cell.trim().to_owned()).collect()
}

/// The texts between backticks.
pub fn in_backticks(text: &str) -> Vec<String> {
    text.split('`').skip(1).step_by(2).map(str::to_owned).collect()
}
