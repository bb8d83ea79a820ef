//! Text that a GUI cannot misread.

use crate::protocol::plain::printable;

/// The most characters of a remark or a name.
const MAX_CHARS: usize = 400;

/// One line of printable ASCII without blanks around; never empty.
pub(super) fn text(text: &str) -> String {
    let text = printable(text, MAX_CHARS);
    if text.is_empty() { "-".to_owned() } else { text }
}

/// A move as one word; anything else becomes a word that no GUI takes for a move.
pub(super) fn word(text: &str) -> &str {
    let word = text.split_ascii_whitespace().next().unwrap_or("");
    let is_move = (2..=8).contains(&word.len()) && word.bytes().all(|byte| byte.is_ascii_graphic());
    if is_move { word } else { "(none)" }
}
