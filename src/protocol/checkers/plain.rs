//! Text that a GUI cannot misread.

use crate::protocol::plain::printable;

/// The words of both sides, none of which is part of a later one. Late GUIs look for the engine's
/// words anywhere in a line.
const WORDS: [&str; 17] = [
    "GETPARAMETERS",
    "GETPARAMETER",
    "SETPARAMETER",
    "PARAMETERS",
    "PARAMETER",
    "BESTMOVE",
    "NEWGAME",
    "GETNAME",
    "READY",
    "ALERT",
    "INIT",
    "MOVE",
    "STOP",
    "QUIT",
    "NAME",
    "INFO",
    "GO",
];

/// The most characters of a message: one line must not fill the buffer of the seed's GUI, which
/// breaks on 256 bytes.
const MAX_CHARS: usize = 160;

/// A message: one line of printable ASCII without blanks around, with words of the protocol in
/// lower case; never empty.
pub(super) fn message(text: &str) -> String {
    let text = printable(text, MAX_CHARS);
    let text = WORDS.iter().fold(text, |text, word| text.replace(word, &word.to_ascii_lowercase()));
    if text.is_empty() { "something went wrong".to_owned() } else { text }
}

/// One word of printable ASCII.
pub(super) fn word(text: &str, limit: usize) -> String {
    printable(&text.replace(' ', "|"), limit)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::checkers::command;

    #[test]
    fn no_word_hides_in_a_later_one() {
        for (index, word) in WORDS.iter().enumerate() {
            assert!(WORDS[index + 1..].iter().all(|later| !later.contains(word)), "{word}");
        }
        assert!(command::WORDS.iter().all(|word| WORDS.contains(word)));
    }
}
