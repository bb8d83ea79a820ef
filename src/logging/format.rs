//! The two forms of a line of the log: always a single line, whatever a client has sent.

use env_logger::fmt::Formatter;
use log::Record;
use log::kv::{Error, Key, Value, VisitSource};
use serde::{Deserialize, Serialize};
use std::io::{self, Write};

/// Maximum length of a text in bytes; the rest is cut off.
const MAX_TEXT: usize = 2000;

/// The form of lines.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum LogFormat {
    /// For people, as `env_logger` writes it: time, level, module, message.
    #[default]
    Text,
    /// For collectors: a JSON object with time, level, target, message, and the fields of the line.
    Json,
}

impl LogFormat {
    /// A line that also stands for `more` suppressed ones.
    pub(super) fn with_others(self, mut line: String, more: u64, seconds: u64) -> String {
        match self {
            _ if more == 0 => {}
            LogFormat::Text => {
                line.push_str(&format!(" (and {more} more like this in the last {seconds} s)"))
            }
            LogFormat::Json => {
                line.pop();
                line.push_str(&format!(",\"more\":{more},\"more_seconds\":{seconds}}}"));
            }
        }
        line
    }

    /// A formatted entry as one line, without an ending.
    pub(super) fn in_one_line(self, entry: &str) -> String {
        match self {
            LogFormat::Text => in_one_line(entry),
            // It is one already.
            LogFormat::Json => entry.trim_end().to_owned(),
        }
    }
}

/// A line for collectors.
#[derive(Serialize)]
struct Entry<'a> {
    time: String,
    level: &'static str,
    target: &'a str,
    message: String,
    #[serde(flatten)]
    fields: serde_json::Map<String, serde_json::Value>,
}

/// The names of an entry's own fields, which the fields of a line may not repeat.
const OWN: [&str; 6] = ["time", "level", "target", "message", "more", "more_seconds"];

/// Writes a line for collectors.
pub(super) fn write_json(to: &mut Formatter, record: &Record<'_>) -> io::Result<()> {
    let mut fields = Fields(serde_json::Map::new());
    record.key_values().visit(&mut fields).map_err(io::Error::other)?;
    let entry = Entry {
        time: to.timestamp_millis().to_string(),
        level: record.level().as_str(),
        target: record.target(),
        message: in_one_line(&record.args().to_string()),
        fields: fields.0,
    };
    writeln!(to, "{}", serde_json::to_string(&entry)?)
}

struct Fields(serde_json::Map<String, serde_json::Value>);

impl<'kvs> VisitSource<'kvs> for Fields {
    fn visit_pair(&mut self, key: Key<'kvs>, value: Value<'kvs>) -> Result<(), Error> {
        let number = value.to_u64().map(serde_json::Value::from);
        let number = number.or_else(|| value.to_i64().map(serde_json::Value::from));
        let flag = || value.to_bool().map(serde_json::Value::from);
        let value = number.or_else(flag).unwrap_or_else(|| in_one_line(&value.to_string()).into());
        let is_empty = value.as_str().is_some_and(str::is_empty);
        if !is_empty && !OWN.contains(&key.as_str()) {
            self.0.insert(key.as_str().to_owned(), value);
        }
        Ok(())
    }
}

/// Joins several lines into one. Characters that could move the cursor, colour the terminal or
/// change the direction of writing are escaped as in a Rust string.
fn in_one_line(message: &str) -> String {
    let mut text = String::with_capacity(message.len());
    for (index, part) in message.trim_end().split('\n').enumerate() {
        if index > 0 {
            text.push(' ');
        }
        for letter in if index > 0 { part.trim_start() } else { part }.chars() {
            if text.len() >= MAX_TEXT {
                return text + " …";
            }
            if is_harmless(letter) { text.push(letter) } else { text.extend(letter.escape_unicode()) }
        }
    }
    text
}

fn is_harmless(letter: char) -> bool {
    let is_formatting =
        matches!(letter, '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    !letter.is_control() && !is_formatting
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn suppressed_lines_are_counted_in_either_form() {
        let text = |more| LogFormat::Text.with_others("[… WARN  x] why".to_owned(), more, 10);
        assert_eq!(text(0), "[… WARN  x] why");
        assert_eq!(text(311), "[… WARN  x] why (and 311 more like this in the last 10 s)");
        let json = |more| LogFormat::Json.with_others("{\"message\":\"why\"}".to_owned(), more, 10);
        assert_eq!(json(0), "{\"message\":\"why\"}");
        assert_eq!(json(311), "{\"message\":\"why\",\"more\":311,\"more_seconds\":10}");
    }

    #[test]
    fn nobody_can_write_a_line_of_its_own() {
        assert_eq!(in_one_line("a\n  because: b\n"), "a because: b");
        let forged = "x\n[2026-11-06T12:00:00Z WARN  farboard::x] refused";
        assert_eq!(in_one_line(forged), "x [2026-11-06T12:00:00Z WARN  farboard::x] refused");
        let hostile = "\r\u{1b}[2J\0\u{7f}\u{85}\u{9b}\u{2028}\u{202e}\u{2066}\t";
        let shown = in_one_line(hostile);
        assert!(shown.starts_with("\\u{d}\\u{1b}[2J\\u{0}\\u{7f}\\u{85}"), "{shown}");
        assert!(shown.is_ascii(), "{shown}");
        assert_eq!(in_one_line("Größe “Ж” ♔"), "Größe “Ж” ♔");
    }

    #[test]
    fn a_line_is_no_longer_than_it_may_be() {
        let text = in_one_line(&"ж\n".repeat(MAX_TEXT));
        assert!(text.len() < MAX_TEXT + 10 && text.ends_with(" …"), "{}", text.len());
        assert_eq!(in_one_line(""), "");
    }
}
