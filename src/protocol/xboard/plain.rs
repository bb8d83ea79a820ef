//! Text that a GUI cannot misread.

/// No line is longer than this, counting its end (WinBoard reads 4096 bytes at most).
pub(super) const MAX_LINE: usize = 4000;

/// Words on which xboard acts wherever they stand in an `Error` line (`HandleMachineMove`). There they
/// can only be an echo of what the client sent.
const ERROR_TRIGGERS: [&str; 7] =
    ["llegal", "draw", "time", "otim", "analyze", "protover", "(no matching move)"];

/// One line of printable ASCII of at most `limit` bytes, without blanks around.
pub(super) fn plain(text: &str, limit: usize) -> String {
    let text: String = text
        .chars()
        .map(|c| match c {
            ' '..='~' => c,
            c if c.is_control() || c.is_whitespace() => ' ',
            _ => '?',
        })
        .take(limit)
        .collect();
    text.trim().to_owned()
}

/// The echo of a client's line in an error: short, and with the words with_words_broken that xboard acts upon.
pub(super) fn echo(text: &str) -> String {
    with_words_broken(plain(text, 120), &ERROR_TRIGGERS)
}

/// Words that make xboard overlook an error altogether (`HandleMachineMove`): a move called illegal would stay on its
/// board. So would a question mark.
const HIDES_ERRORS: [&str; 11] =
    ["name", "rating", "result", "board", "bk", "computer", "variant", "hint", "random", "depth", "accepted"];

/// What a client has sent as a move and is none: the GUI is to take it back whatever it is.
pub(crate) fn move_echo(text: &str) -> String {
    let echo = with_words_broken(with_words_broken(echo(text), &HIDES_ERRORS), &TRIGGERS);
    echo.replace('?', "_")
}

/// Strings on which xboard acts wherever they stand in a line that it has not recognised by its beginning: it unplugs
/// the engine, ends the game, or takes it for a draw offer (`HandleMachineMove`).
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

/// Text that a GUI may look into, with what it would act upon with_words_broken.
pub(super) fn without_triggers(text: &str) -> String {
    with_words_broken(plain(text, MAX_LINE - 100), &TRIGGERS)
}

/// The text with these words with_words_broken in two.
fn with_words_broken(text: String, words: &[&str]) -> String {
    words.iter().fold(text, |text, word| {
        let (head, tail) = word.split_at(word.len() / 2);
        text.replace(word, &format!("{head}_{tail}"))
    })
}

/// The first word of a text.
pub(super) fn word(text: &str) -> String {
    plain(text.split_whitespace().next().unwrap_or("-"), 40)
}

/// Text for a dialog. Two backslashes in front would switch escapes on.
pub(super) fn message(text: &str) -> String {
    plain(text.trim_start_matches(['\\', ' ']), MAX_LINE - 100)
}

/// Text between double quotes, which cannot be escaped there.
pub(super) fn quoted_text(text: &str, limit: usize) -> String {
    plain(&text.replace('"', "'"), limit)
}
