//! Text that a GUI cannot misread.

use super::command;

/// Words of the engine's side. Late GUIs look for them anywhere in a line.
const REPLIES: [&str; 7] = ["READY", "ALERT", "BESTMOVE", "PARAMETERS", "PARAMETER", "INFO", "NAME"];

/// Characters of a message at most, so that one line never fills the buffer of the seed's GUI, which breaks on 256 bytes.
const MAX_CHARS: usize = 160;

/// Characters of the client's own words that are shown to it.
const MAX_ECHO: usize = 40;

/// A message: one line of printable ASCII without blanks around, in which words of the protocol are in lower case. Never
/// empty.
pub(super) fn message(text: &str) -> String {
    let text = printable(text, MAX_CHARS);
    let known = command::WORDS.iter().chain(&REPLIES);
    let text = known.fold(text, |text, word| text.replace(word, &word.to_ascii_lowercase()));
    if text.is_empty() { "something went wrong".to_owned() } else { text }
}

/// What the client has said, cut short.
pub(super) fn echo(text: &str) -> String {
    let shown = printable(text, MAX_ECHO);
    if text.trim().len() > shown.len() { format!("{shown}...") } else { shown }
}

/// One word of printable ASCII.
pub(super) fn word(text: &str, limit: usize) -> String {
    printable(&text.replace(' ', "|"), limit)
}

fn printable(text: &str, limit: usize) -> String {
    let shown = text.chars().map(|c| match c {
        ' '..='~' => c,
        c if c.is_control() || c.is_whitespace() => ' ',
        _ => '?',
    });
    shown.take(limit).collect::<String>().trim().to_owned()
}
