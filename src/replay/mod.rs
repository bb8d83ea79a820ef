//! `farboard replay`: sends a client's lines in a record or a transcript, and compares the answers.
//!
//! [`record`] is read into a [`script`] of lines to send and answers to expect. [`dialogue`] sends,
//! compares, and returns to the record if the engine plays another move; it is a value without
//! clock and sockets, which the tests use, too. [`peer`] is the other side.

pub mod compared_line;
pub mod dialogue;
pub mod draughts_game;
pub mod language;
pub mod peer;
pub mod record;
pub mod script;
pub mod verdict;

use dialogue::{Action, Dialogue, Pace};
use peer::{Peer, PeerOutput};
use record::Record;
use script::Script;
use std::io::{self, Write};
use std::time::Instant;
use verdict::Verdict;

/// Replays a record, and writes the dialogue with its differences.
///
/// # Errors
/// The output cannot be written.
pub fn run(record: &Record, pace: Pace, mut peer: Peer, output: &mut impl Write) -> io::Result<Verdict> {
    let mut dialogue = Dialogue::new(Script::new(record), pace, Instant::now());
    loop {
        let action = dialogue.next(Instant::now());
        for line in dialogue.take_report() {
            writeln!(output, "{line}")?;
        }
        match action {
            Action::Send(bytes) => peer.send(bytes),
            Action::Wait(until) => match peer.receive(until) {
                PeerOutput::Bytes(bytes) => dialogue.receive(&bytes),
                PeerOutput::End(reason) => dialogue.receive_end(&reason),
                PeerOutput::Nothing => {}
            },
            Action::Directive(text) => dialogue.stop(format!("The directive is for tests only: {text}")),
            Action::Finish => break,
        }
        output.flush()?;
    }
    if let Some(flaw) = record.flaw {
        writeln!(output, "# {flaw}")?;
    }
    writeln!(output, "{}", dialogue.verdict())?;
    output.flush()?;
    Ok(dialogue.verdict().clone())
}
