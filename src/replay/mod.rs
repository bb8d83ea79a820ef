//! `farboard replay`: what a client said in a record, said again, and the answers compared with those in the record.
//!
//! * [`script`]: a record as what to say and what to wait for.
//! * [`answer`]: which of a server's words have to be the same again.
//! * [`conversation`]: says the one, compares the other, and stays with the record where the engine plays something
//!   else. A pure value.
//! * [`verdict`]: what came of it.
//! * [`peer`]: who answers: a session in this process, or a server.

pub mod answer;
pub mod conversation;
pub mod peer;
pub mod script;
pub mod verdict;

use crate::connect::record::Record;
use conversation::{Action, Conversation, Pace};
use peer::{Peer, Told};
use std::io::{self, Write};
use std::time::Instant;
use verdict::Verdict;

/// Holds the conversation of a record again, and writes it with what differs.
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
                Told::Bytes(bytes) => conversation.hear(&bytes),
                Told::End(reason) => conversation.hear_end(&reason),
                Told::Nothing => {}
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
