//! The commands and replies that a transcript shows.

use super::document::Row;
use crate::support::transcripts::Transcript;
use farboard::protocol::xboard::{Command, EditCommand};
use farboard::replay::compared_line::has_form;
use farboard::replay::record::RecordEvent;
use std::collections::BTreeSet;

/// Patterns of replies; a line may match several.
const REPLIES: [(&str, &str); 43] = [
    ("Feature", "feature %*=%*"),
    ("FeaturesDone", "feature done=%d"),
    ("Pong", "pong %d"),
    ("Setup", "setup (%*) 8x8+0_fairy %*"),
    ("Move", "move %*"),
    ("NumberedMove", "%d. ... %*"),
    ("Result", "1-0 {%*}"),
    ("Result", "0-1 {%*}"),
    ("Result", "1/2-1/2 {%*}"),
    ("OfferDraw", "offer draw"),
    ("Resign", "resign"),
    ("Hint", "Hint: %*"),
    ("IllegalMove", "Illegal move: %*"),
    ("IllegalMove", "Illegal move (in check): %*"),
    ("IllegalMove", "Illegal move (moving into check): %*"),
    ("IllegalMove", "Illegal move (wrong turn): %*"),
    ("IllegalMove", "Illegal move (a capture must be made): %*"),
    ("IllegalMove", "Illegal move (ambiguous move): %*"),
    ("OldError", "Illegal move (%*): %*"),
    ("Error", "Error (%*): %*"),
    ("Telluser", "telluser %*"),
    ("Tellusererror", "tellusererror %*"),
    ("Tellopponent", "tellopponent %*"),
    ("Tellothers", "tellothers %*"),
    ("Tellall", "tellall %*"),
    ("Tellics", "tellics %*"),
    ("Ptell", "tellics ptell %*"),
    ("Tellicsnoalias", "tellicsnoalias %*"),
    ("Askuser", "askuser %* %*"),
    ("Thinking", "%d %d %d %d %d %d %d\t%*"),
    ("Thinking", "%d %d %d %d %*"),
    ("BookLine", "0 0 0 0 (%*)"),
    ("Resumed", "0 0 0 0 (The session goes on after %* seconds)"),
    ("FailHigh", "++"),
    ("FailLow", "--"),
    ("Stat01", "stat01: %d %d %d %d %d%*"),
    ("Book", " %*"),
    ("BookEnd", ""),
    ("Comment", "# %*"),
    ("Help", " %*"),
    ("Drawing", " %*"),
    ("Fen", " Fen: %*"),
    ("Http", "HTTP/1.0 %*"),
];

/// A line of a transcript.
#[derive(Clone, PartialEq, Debug)]
pub enum Line {
    Command(String, Command),
    Edit(String, EditCommand),
    Reply(String),
}

impl Line {
    /// The variants to which the line may belong.
    pub fn types(&self) -> Vec<String> {
        match self {
            Line::Command(_, command) => vec![variant(command)],
            Line::Edit(_, command) => vec![variant(command)],
            Line::Reply(text) => {
                let known = REPLIES.iter().filter(|(_, pattern)| has_form(text, pattern));
                known.map(|(name, _)| (*name).to_owned()).collect()
            }
        }
    }

    /// Returns true if the line has this form. Replies have no form besides their type.
    pub fn has_form(&self, form: &str) -> bool {
        match self {
            Line::Command(text, _) | Line::Edit(text, _) => has_form(text, &pattern(form)),
            Line::Reply(_) => true,
        }
    }

    /// Returns true if the line is an example of the row.
    pub fn shows(&self, row: &Row) -> bool {
        let forms = row.forms();
        let same_kind = row.cell("type").contains(match self {
            Line::Command(..) => "`Command::",
            Line::Edit(..) => "`EditCommand::",
            Line::Reply(_) => "`Reply::",
        });
        same_kind
            && self.types().iter().any(|name| row.types().contains(name))
            && (forms.is_empty() || forms.iter().any(|form| self.has_form(form)))
    }
}

/// The variant's name, which `Debug` prints before the first field.
fn variant(value: &impl std::fmt::Debug) -> String {
    format!("{value:?}").chars().take_while(char::is_ascii_alphanumeric).collect()
}

/// A form as a pattern: words in capitals or angle brackets match anything.
fn pattern(form: &str) -> String {
    let mut pattern = String::new();
    let mut rest = form;
    while let Some(first) = rest.chars().next() {
        let bracket = rest.strip_prefix('<').and_then(|inner| inner.find('>')).map_or(0, |end| end + 2);
        let is_capital = |letter: char| letter.is_ascii_uppercase() || letter == '_';
        let capitals = rest.find(|letter| !is_capital(letter)).unwrap_or(rest.len());
        let alone = pattern.ends_with(' ') && capitals == rest.len();
        let variable = if capitals > 1 || alone { bracket.max(capitals) } else { bracket };
        if variable == 0 {
            pattern.push(first);
            rest = &rest[first.len_utf8()..];
        } else {
            pattern.push_str("%*");
            rest = &rest[variable..];
        }
    }
    pattern
}

/// The client's and the server's lines in a transcript.
pub fn lines_of(transcript: &Transcript) -> Vec<Line> {
    let mut lines = Vec::new();
    let mut editing = false;
    for entry in &transcript.record.entries {
        match &entry.event {
            RecordEvent::Client(line) => {
                lines.push(command(&String::from_utf8_lossy(line), &mut editing));
            }
            // Text that a wildcard stands for fits the patterns as well.
            RecordEvent::Server(form) | RecordEvent::ServerRepeats(form) => {
                let text = String::from_utf8_lossy(form).replace("%d", "0").replace("%*", "x=x");
                lines.push(Some(Line::Reply(text)));
            }
            RecordEvent::ForClient(_) | RecordEvent::Directive(_) | RecordEvent::Note(_) => {}
        }
    }
    lines.into_iter().flatten().collect()
}

/// Parses a line of the client; returns `None` for a command with wrong arguments.
fn command(text: &str, editing: &mut bool) -> Option<Line> {
    let parsed = Command::parse(text.as_bytes());
    if *editing {
        let edit = EditCommand::parse(text.as_bytes());
        let leaves =
            matches!(parsed, Ok(Command::New | Command::Quit | Command::Setboard(_) | Command::Xboard));
        *editing = !leaves && edit != EditCommand::Leave;
        if !leaves {
            return Some(Line::Edit(text.to_owned(), edit));
        }
    }
    let parsed = parsed.ok()?;
    *editing = parsed == Command::Edit;
    Some(Line::Command(text.to_owned(), parsed))
}

/// The options set in a transcript, as single words in lower case, and its name.
pub fn option_names(transcript: &Transcript) -> (String, BTreeSet<String>) {
    let names = lines_of(transcript).into_iter().filter_map(|line| match line {
        Line::Command(_, Command::Option(name, _)) => Some(name.replace([' ', '_'], "").to_lowercase()),
        _ => None,
    });
    (transcript.path.file_stem().unwrap_or_default().to_string_lossy().into_owned(), names.collect())
}

#[test]
fn forms_are_patterns() {
    assert_eq!(pattern("level 1 TIME"), "level 1 %*");
    assert_eq!(pattern("nps NODE_RATE"), "nps %*");
    assert_eq!(pattern("name X"), "name %*");
    assert_eq!(pattern("O-O-O"), "O-O-O");
    assert_eq!(pattern("Pa4"), "Pa4");
    assert_eq!(pattern("P<sqr>+"), "P%*+");
    assert_eq!(pattern("holding [<white>] [<black>]"), "holding [%*] [%*]");
}
