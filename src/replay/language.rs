//! What a replay has to know of a protocol's lines besides the [answers](super::answer) that it compares.

use super::record::{Record, RecordEvent};
use super::script;
use crate::protocol::{checkers, uci, xboard};
use crate::shim::client_protocol::ClientProtocol;

/// The protocol of a record. The client's first line tells it, or a server that speaks first, as in the Checkers Protocol.
pub fn spoken(record: &Record) -> ClientProtocol {
    for entry in &record.entries {
        match &entry.event {
            RecordEvent::Client(line) | RecordEvent::ForClient(line) if checkers::is_spoken(line) => {
                return ClientProtocol::Checkers;
            }
            RecordEvent::Client(line) | RecordEvent::ForClient(line) if uci::is_spoken(line) => {
                return ClientProtocol::Uci;
            }
            RecordEvent::Client(_) => return ClientProtocol::Xboard,
            RecordEvent::Server(line) if line == b"READY" => return ClientProtocol::Checkers,
            RecordEvent::ForClient(_) | RecordEvent::Server(_) | RecordEvent::Note(_) => {}
        }
    }
    ClientProtocol::Xboard
}

/// Whether the session ends with this line of the client.
pub fn is_quit(spoken: ClientProtocol, line: &[u8]) -> bool {
    match spoken {
        ClientProtocol::Xboard => script::command(line) == Some(xboard::Command::Quit),
        ClientProtocol::Uci => first_word(line) == b"quit",
        ClientProtocol::Checkers => first_word(line) == b"QUIT",
    }
}

/// Whether this line of the client ends a search, which otherwise would go on, or gives it a clock. How long the search was to
/// last is part of the question.
pub fn ends_search(spoken: ClientProtocol, line: &[u8]) -> bool {
    match spoken {
        ClientProtocol::Xboard => false,
        ClientProtocol::Uci => matches!(first_word(line), b"stop" | b"ponderhit"),
        ClientProtocol::Checkers => first_word(line) == b"STOP",
    }
}

/// A line that a server answers at once, after what it has to say to the lines before; but in UCI and the Checkers
/// Protocol not after the move of a search that goes on. `number`: of a `ping`.
pub fn probe(spoken: ClientProtocol, number: i64) -> String {
    match spoken {
        ClientProtocol::Xboard => format!("ping {number}\n"),
        ClientProtocol::Uci => "isready\n".to_owned(),
        ClientProtocol::Checkers => "GETNAME\n".to_owned(),
    }
}

/// Whether this line of the client is one like the [`probe`]s without a number.
pub fn is_like_probe(spoken: ClientProtocol, line: &[u8]) -> bool {
    spoken != ClientProtocol::Xboard && first_word(line) == probe(spoken, 0).trim_ascii_end().as_bytes()
}

/// Whether this line of a server answers a [`probe`] without a number, or a line of the client like it.
pub fn answers_probe(spoken: ClientProtocol, line: &[u8]) -> bool {
    match spoken {
        ClientProtocol::Xboard => false,
        ClientProtocol::Uci => first_word(line) == b"readyok",
        ClientProtocol::Checkers => first_word(line) == b"NAME",
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
            ("> xboard", ClientProtocol::Xboard),
            ("> uci", ClientProtocol::Uci),
            ("# connected\n+ uci\n> isready", ClientProtocol::Uci),
            ("< READY\n> INIT", ClientProtocol::Checkers),
            ("> INIT", ClientProtocol::Checkers),
            ("> QUIT", ClientProtocol::Checkers),
            ("> new", ClientProtocol::Xboard),
            ("< READY", ClientProtocol::Checkers),
        ] {
            let lines: String = lines.lines().map(|line| format!("0.000 {line}\n")).collect();
            let record = Record::read(format!("{HEADER}\n{lines}").as_bytes()).expect("a record");
            assert_eq!(spoken(&record), expected, "{lines}");
        }
    }

    #[test]
    fn blanks_do_not_matter() {
        assert!(is_quit(ClientProtocol::Uci, b"  quit now"));
        assert!(ends_search(ClientProtocol::Checkers, b"\tSTOP"));
        assert!(
            answers_probe(ClientProtocol::Uci, b"readyok ")
                && !answers_probe(ClientProtocol::Xboard, b"readyok")
        );
        assert!(
            is_like_probe(ClientProtocol::Checkers, b"GETNAME")
                && !is_like_probe(ClientProtocol::Xboard, b"ping 1")
        );
    }
}
