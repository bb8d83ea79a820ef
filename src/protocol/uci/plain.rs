//! Text that a GUI cannot misread.

/// Characters of a remark or a name at most.
const MAX_CHARS: usize = 400;

/// Characters of the client's own words that are shown to it.
const MAX_ECHO: usize = 60;

/// One line of printable ASCII without blanks around. Never empty.
pub(super) fn text(text: &str) -> String {
    let text = printable(text, MAX_CHARS);
    if text.is_empty() { "-".to_owned() } else { text }
}

/// What the client has said, cut short.
pub(super) fn echo(text: &str) -> String {
    let shown = printable(text, MAX_ECHO);
    if text.trim().len() > shown.len() { format!("{shown}...") } else { shown }
}

/// One word: a move. What is none becomes a word that no GUI takes for one.
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
