//! Text of one line that a client cannot misread.

/// The most characters of an echo of the client's own words.
const MAX_ECHO: usize = 60;

/// One line of printable ASCII of at most `limit` characters, without blanks around.
pub(super) fn printable(text: &str, limit: usize) -> String {
    let shown = text.chars().map(|c| match c {
        ' '..='~' => c,
        c if c.is_control() || c.is_whitespace() => ' ',
        _ => '?',
    });
    shown.take(limit).collect::<String>().trim().to_owned()
}

/// Echoes the client's words, shortened.
pub(super) fn echo(text: &str) -> String {
    let shown = printable(text, MAX_ECHO);
    if text.trim().len() > shown.len() { format!("{shown}...") } else { shown }
}
