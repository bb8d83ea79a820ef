//! Text of one line that a client cannot misread.

/// One line of printable ASCII of at most `limit` characters, without blanks around.
pub(super) fn printable(text: &str, limit: usize) -> String {
    let shown = text.chars().map(|c| match c {
        ' '..='~' => c,
        c if c.is_control() || c.is_whitespace() => ' ',
        _ => '?',
    });
    shown.take(limit).collect::<String>().trim().to_owned()
}

/// Echoes the client's words, shortened to `limit` characters.
pub(super) fn echo(text: &str, limit: usize) -> String {
    let shown = printable(text, limit);
    if text.trim().len() > shown.len() { format!("{shown}...") } else { shown }
}
