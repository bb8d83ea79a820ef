//! Lines of each protocol that a replay must recognize, besides the
//! [compared ones](super::compared_line).

use super::record::{Record, RecordEvent};
use super::script;
use crate::protocol::{checkers, uci, xboard};
use crate::shim::client_protocol::ClientProtocol;

/// Returns the protocol of a record, by the client's first line, or by a server that speaks first,
/// as in the Checkers Protocol.
pub fn protocol_of(record: &Record) -> ClientProtocol {
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
            RecordEvent::ForClient(_)
            | RecordEvent::Server(_)
            | RecordEvent::ServerRepeats(_)
            | RecordEvent::Directive(_)
            | RecordEvent::Note(_) => {}
        }
    }
    ClientProtocol::Xboard
}

/// Returns true if this line of the client ends the session.
pub fn is_quit(protocol: ClientProtocol, line: &[u8]) -> bool {
    match protocol {
        ClientProtocol::Xboard => script::command(line) == Some(xboard::Command::Quit),
        ClientProtocol::Uci | ClientProtocol::Checkers => {
            first_word(line) == protocol.quit_command().as_bytes()
        }
    }
}

/// Returns true if this line of the client ends a search that otherwise would go on, or gives it a
/// clock. The time until then belongs to the record.
pub fn ends_search(protocol: ClientProtocol, line: &[u8]) -> bool {
    match protocol {
        ClientProtocol::Xboard => false,
        ClientProtocol::Uci => matches!(first_word(line), b"stop" | b"ponderhit"),
        ClientProtocol::Checkers => first_word(line) == b"STOP",
    }
}

/// Returns a line that a server answers after its answers to earlier lines; but in UCI and the
/// Checkers Protocol not after the move of a running search. `number` is for a `ping`.
pub fn probe(protocol: ClientProtocol, number: i64) -> String {
    match protocol {
        ClientProtocol::Xboard => format!("ping {number}\n"),
        ClientProtocol::Uci => "isready\n".to_owned(),
        ClientProtocol::Checkers => "GETNAME\n".to_owned(),
    }
}

/// Returns true if this line of the client looks like a [`probe`] without a number.
pub fn is_like_probe(protocol: ClientProtocol, line: &[u8]) -> bool {
    protocol != ClientProtocol::Xboard && first_word(line) == probe(protocol, 0).trim_ascii_end().as_bytes()
}

/// Returns true if this line of a server answers a [`probe`] without a number, or a line like it.
pub fn answers_probe(protocol: ClientProtocol, line: &[u8]) -> bool {
    match protocol {
        ClientProtocol::Xboard => false,
        ClientProtocol::Uci => first_word(line) == b"readyok",
        ClientProtocol::Checkers => first_word(line) == b"NAME",
    }
}

/// Returns the first word of a line.
pub fn first_word(line: &[u8]) -> &[u8] {
    line.trim_ascii_start().split(u8::is_ascii_whitespace).next().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shim::record::HEADER;

    #[test]
    fn the_first_lines_of_a_record_show_its_protocol() {
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
            assert_eq!(protocol_of(&record), expected, "{lines}");
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
