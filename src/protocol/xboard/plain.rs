//! Text that a GUI cannot misread.

use crate::protocol::plain::printable;

/// The longest line with its end, in bytes (WinBoard reads 4096 bytes at most).
pub(super) const MAX_LINE: usize = 4000;

/// Words that trigger an action of xboard anywhere in an `Error` line (`HandleMachineMove`), where
/// they can only come from the echo of the client's line.
const ERROR_TRIGGERS: [&str; 7] =
    ["llegal", "draw", "time", "otim", "analyze", "protover", "(no matching move)"];

/// The echo of a client's line in an error: short, and with its trigger words broken.
pub(super) fn echo(text: &str) -> String {
    break_words(printable(text, 120), &ERROR_TRIGGERS)
}

/// Words that make xboard ignore an error (`HandleMachineMove`): an illegal move would stay on its
/// board. So does a question mark.
const HIDES_ERRORS: [&str; 11] =
    ["name", "rating", "result", "board", "bk", "computer", "variant", "hint", "random", "depth", "accepted"];

/// The echo of an illegal move, which the GUI must take back whatever it is.
pub(crate) fn move_echo(text: &str) -> String {
    let echo = break_words(break_words(echo(text), &HIDES_ERRORS), &TRIGGERS);
    echo.replace('?', "_")
}

/// Strings that trigger an action of xboard anywhere in a line not recognised by its beginning: it
/// unplugs the engine, ends the game, or takes the line for a draw offer (`HandleMachineMove`).
const TRIGGERS: [&str; 9] = [
    "unknown host",
    "No remote directory",
    "not found",
    "No such file",
    "can't alloc",
    "Permission denied",
    "Draw",
    "game is a draw",
    "offer",
];

/// Text that a GUI may examine, with its trigger words broken.
pub(super) fn without_triggers(text: &str) -> String {
    break_words(printable(text, MAX_LINE - 100), &TRIGGERS)
}

/// Breaks these words in two.
fn break_words(text: String, words: &[&str]) -> String {
    words.iter().fold(text, |text, word| {
        let (head, tail) = word.split_at(word.len() / 2);
        text.replace(word, &format!("{head}_{tail}"))
    })
}

/// The first word of a text.
pub(super) fn word(text: &str) -> String {
    printable(text.split_whitespace().next().unwrap_or("-"), 40)
}

/// Text for a dialog. Two leading backslashes would enable escapes.
pub(super) fn message(text: &str) -> String {
    printable(text.trim_start_matches(['\\', ' ']), MAX_LINE - 100)
}

/// Text between double quotes, for which there is no escape.
pub(super) fn quoted_text(text: &str, limit: usize) -> String {
    printable(&text.replace('"', "'"), limit)
}
