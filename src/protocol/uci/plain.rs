//! Text that a GUI cannot misread.

/// The most characters of a remark or a name.
const MAX_CHARS: usize = 400;

/// The most characters of an echo of the client's own words.
const MAX_ECHO: usize = 60;

/// One line of printable ASCII without blanks around; never empty.
pub(super) fn text(text: &str) -> String {
    let text = printable(text, MAX_CHARS);
    if text.is_empty() { "-".to_owned() } else { text }
}

/// Echoes the client's words, shortened.
pub(super) fn echo(text: &str) -> String {
    let shown = printable(text, MAX_ECHO);
    if text.trim().len() > shown.len() { format!("{shown}...") } else { shown }
}

/// A move as one word; anything else becomes a word that no GUI takes for a move.
pub(super) fn word(text: &str) -> &str {
    let word = text.split_ascii_whitespace().next().unwrap_or("");
    let is_move = (2..=8).contains(&word.len()) && word.bytes().all(|byte| byte.is_ascii_graphic());
    if is_move { word } else { "(none)" }
}

pub(super) fn printable(text: &str, limit: usize) -> String {
    let shown = text.chars().map(|c| match c {
        ' '..='~' => c,
        c if c.is_control() || c.is_whitespace() => ' ',
        _ => '?',
    });
    shown.take(limit).collect::<String>().trim().to_owned()
}
