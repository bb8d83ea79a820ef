//! What a replay has to know of a protocol's lines besides the [answers](super::answer) that it compares.

use super::script;
use crate::protocol::{checkers, uci, xboard};
use crate::shim::journal::Spoken;
use crate::shim::record::{Record, RecordEvent};

/// The protocol of a record. The client's first line tells it, or a server that speaks first, as in the Checkers Protocol.
pub fn spoken(record: &Record) -> Spoken {
    for entry in &record.entries {
        match &entry.event {
            RecordEvent::Client(line) | RecordEvent::ForClient(line) if checkers::is_spoken(line) => {
                return Spoken::Checkers;
            }
            RecordEvent::Client(line) | RecordEvent::ForClient(line) if uci::is_spoken(line) => {
                return Spoken::Uci;
            }
            RecordEvent::Client(_) => return Spoken::Xboard,
            RecordEvent::Server(line) if line == b"READY" => return Spoken::Checkers,
            RecordEvent::ForClient(_) | RecordEvent::Server(_) | RecordEvent::Note(_) => {}
        }
    }
    Spoken::Xboard
}

/// Whether the session ends with this line of the client.
pub fn is_quit(spoken: Spoken, line: &[u8]) -> bool {
    match spoken {
        Spoken::Xboard => script::command(line) == Some(xboard::Command::Quit),
        Spoken::Uci => first_word(line) == b"quit",
        Spoken::Checkers => first_word(line) == b"QUIT",
    }
}

/// Whether this line of the client ends a search, which otherwise would go on, or gives it a clock. How long the search was to
/// last is part of the question.
pub fn ends_search(spoken: Spoken, line: &[u8]) -> bool {
    match spoken {
        Spoken::Xboard => false,
        Spoken::Uci => matches!(first_word(line), b"stop" | b"ponderhit"),
        Spoken::Checkers => first_word(line) == b"STOP",
    }
}

/// A line that a server answers at once, after what it has to say to the lines before; but in UCI and the Checkers
/// Protocol not after the move of a search that goes on. `number`: of a `ping`.
pub fn probe(spoken: Spoken, number: i64) -> String {
    match spoken {
        Spoken::Xboard => format!("ping {number}\n"),
        Spoken::Uci => "isready\n".to_owned(),
        Spoken::Checkers => "GETNAME\n".to_owned(),
    }
}

/// Whether this line of the client is one like the [`probe`]s without a number.
pub fn is_like_probe(spoken: Spoken, line: &[u8]) -> bool {
    spoken != Spoken::Xboard && first_word(line) == probe(spoken, 0).trim_ascii_end().as_bytes()
}

/// Whether this line of a server answers a [`probe`] without a number, or a line of the client like it.
pub fn answers_probe(spoken: Spoken, line: &[u8]) -> bool {
    match spoken {
        Spoken::Xboard => false,
        Spoken::Uci => first_word(line) == b"readyok",
        Spoken::Checkers => first_word(line) == b"NAME",
    }
}

/// The first word of a line.
pub fn first_word(line: &[u8]) -> &[u8] {
    line.trim_ascii_start().split(u8::is_ascii_whitespace).next().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shim::record::HEADER;

    #[test]
    fn a_record_tells_its_protocol() {
        for (lines, expected) in [
            ("> xboard", Spoken::Xboard),
            ("> uci", Spoken::Uci),
            ("# connected\n+ uci\n> isready", Spoken::Uci),
            ("< READY\n> INIT", Spoken::Checkers),
            ("> INIT", Spoken::Checkers),
            ("> QUIT", Spoken::Checkers),
            ("> new", Spoken::Xboard),
            ("< READY", Spoken::Checkers),
        ] {
            let lines: String = lines.lines().map(|line| format!("0.000 {line}\n")).collect();
            let record = Record::read(format!("{HEADER}\n{lines}").as_bytes()).expect("a record");
            assert_eq!(spoken(&record), expected, "{lines}");
        }
    }

    #[test]
    fn blanks_do_not_matter() {
        assert!(is_quit(Spoken::Uci, b"  quit now"));
        assert!(ends_search(Spoken::Checkers, b"\tSTOP"));
        assert!(answers_probe(Spoken::Uci, b"readyok ") && !answers_probe(Spoken::Xboard, b"readyok"));
        assert!(is_like_probe(Spoken::Checkers, b"GETNAME") && !is_like_probe(Spoken::Xboard, b"ping 1"));
    }
}
