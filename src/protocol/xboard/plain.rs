//! Text that a GUI cannot misread.

/// No line is longer than this, counting its end (WinBoard reads 4096 bytes at most).
pub(super) const LONGEST_LINE: usize = 4000;

/// Words on which xboard acts wherever they stand in an `Error` line (`HandleMachineMove`). There they
/// can only be an echo of what the client sent.
const ACTED_UPON: [&str; 7] = ["llegal", "draw", "time", "otim", "analyze", "protover", "(no matching move)"];

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

/// The echo of a client's line in an error: short, and with the words broken that xboard acts upon.
pub(super) fn echo(text: &str) -> String {
    let mut text = plain(text, 120);
    for word in ACTED_UPON {
        let (head, tail) = word.split_at(word.len() / 2);
        text = text.replace(word, &format!("{head}_{tail}"));
    }
    text
}

/// Text for a dialog. Two backslashes in front would switch escapes on.
pub(super) fn message(text: &str) -> String {
    plain(text.trim_start_matches(['\\', ' ']), LONGEST_LINE - 100)
}

/// Text between double quotes, which cannot be escaped there.
pub(super) fn quotable(text: &str, limit: usize) -> String {
    plain(&text.replace('"', "'"), limit)
}
