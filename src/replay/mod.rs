//! `farboard replay`: repeats what a client said in a record, and compares the answers with those in the
//! record.
//!
//! * [`record`]: reads a record. [`script`]: a record as lines to say and answers to wait for.
//! * [`answer`]: which answers must be the same. `heard`: what a line of xboard's protocol is.
//! * [`language`]: what else it has to know of a protocol's lines. [`draughts_game`]: the game of a record of draughts.
//! * [`dialogue`]: says the lines, compares the answers, and returns to the record where the engine plays
//!   something else. A pure value.
//! * [`verdict`]: the result.
//! * [`peer`]: the other side: a session in this process, or a server.

pub mod answer;
pub mod dialogue;
pub mod draughts_game;
mod heard;
pub mod language;
pub mod peer;
pub mod record;
pub mod script;
pub mod verdict;

use dialogue::{Action, Conversation, Pace};
use peer::{Peer, PeerOutput};
use record::Record;
use std::io::{self, Write};
use std::time::Instant;
use verdict::Verdict;

/// Replays a record, and writes the conversation with its differences.
///
/// # Errors
/// The output cannot be written.
pub fn run(record: &Record, pace: Pace, mut peer: Peer, output: &mut impl Write) -> io::Result<Verdict> {
    let mut conversation = Conversation::new(record, pace);
    loop {
        let action = conversation.next(Instant::now());
        for line in conversation.take_report() {
            writeln!(output, "{line}")?;
        }
        match action {
            Action::Say(bytes) => peer.say(bytes),
            Action::Wait(until) => match peer.hear(until) {
                PeerOutput::Bytes(bytes) => conversation.hear(&bytes),
                PeerOutput::End(reason) => conversation.hear_end(&reason),
                PeerOutput::Nothing => {}
            },
            Action::Finish => break,
        }
        output.flush()?;
    }
    if let Some(flaw) = record.flaw {
        writeln!(output, "# {flaw}")?;
    }
    writeln!(output, "{}", conversation.verdict())?;
    output.flush()?;
    Ok(conversation.verdict().clone())
}
