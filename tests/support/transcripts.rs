//! Transcripts: readable conversations, in `tests/transcripts/*.txt` and its folders.
//!
//! A line of a transcript is one of
//!
//! * `> TEXT`: the client sends this line.
//! * `< TEXT`: the server answers with this line, next in order. `%d` matches a whole number, `%*`
//!   anything.
//! * `<+ TEXT`: it answers with one or more such lines.
//! * `@ DIRECTIVE`: an event, or a condition that must hold.
//! * `# …` and empty lines: comments.

use std::path::{Path, PathBuf};

/// A line with a meaning.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Said {
    Client(String),
    Server(Pattern),
    Directive(String),
}

/// An expected line of the server.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Pattern {
    text: String,
    /// Whether more lines like this may follow.
    pub many: bool,
}

impl Pattern {
    pub fn text(&self) -> &str {
        &self.text
    }

    pub fn matches(&self, line: &str) -> bool {
        matches(&self.text, line)
    }
}

/// A transcript.
pub struct Transcript {
    pub path: PathBuf,
    /// Lines with their numbers.
    pub lines: Vec<(usize, Said)>,
}

impl Transcript {
    /// Reads a transcript's text.
    pub fn parse(path: PathBuf, text: &str) -> Transcript {
        let said = |line: &str| {
            let (sign, rest) = line.split_once(' ').unwrap_or((line, ""));
            let rest = rest.to_owned();
            Some(match sign {
                ">" => Said::Client(rest),
                "<" => Said::Server(Pattern { text: rest, many: false }),
                "<+" => Said::Server(Pattern { text: rest, many: true }),
                "@" => Said::Directive(rest),
                "" | "#" => return None,
                _ => panic!("{}: not a line of a transcript: {line}", path.display()),
            })
        };
        let lines = text.lines().enumerate();
        let lines = lines.filter_map(|(index, line)| Some((index + 1, said(line)?))).collect();
        Transcript { path, lines }
    }

    /// Returns true if it needs more than a client and a server.
    pub fn has_directives(&self) -> bool {
        self.lines.iter().any(|(_, said)| matches!(said, Said::Directive(_)))
    }
}

/// All transcripts of xboard's protocol, by name.
pub fn all_transcripts() -> Vec<Transcript> {
    transcripts_in("")
}

/// The transcripts in a folder of `tests/transcripts`, by name.
pub fn transcripts_in(folder: &str) -> Vec<Transcript> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/transcripts").join(folder);
    let files = std::fs::read_dir(folder).expect("the folder of transcripts");
    let mut paths: Vec<PathBuf> = files.map(|file| file.expect("a file").path()).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "txt"));
    paths.sort();
    assert!(!paths.is_empty());
    let read = |path: PathBuf| {
        let text = std::fs::read_to_string(&path).expect("a transcript");
        Transcript::parse(path, &text)
    };
    paths.into_iter().map(read).collect()
}

/// Matches a text: `%d` is a whole number, `%*` anything, everything else itself.
pub fn matches(pattern: &str, text: &str) -> bool {
    let Some(at) = pattern.find("%d").into_iter().chain(pattern.find("%*")).min() else {
        return pattern == text;
    };
    let Some(text) = text.strip_prefix(&pattern[..at]) else { return false };
    let rest = &pattern[at + 2..];
    if pattern[at..].starts_with("%d") {
        let digits = text.find(|c: char| !(c.is_ascii_digit() || c == '-')).unwrap_or(text.len());
        digits > 0 && matches(rest, &text[digits..])
    } else {
        (0..=text.len()).any(|end| matches(rest, &text[end..]))
    }
}
