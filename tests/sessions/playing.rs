//! Plays a transcript with a session: by line, by byte, or with all client lines between two
//! directives in one write.

use crate::support::transcripts::{Transcript, transcripts_in};
use farboard::replay::dialogue::{Action, Dialogue, Pace};
use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Instant;

/// A session of any protocol with its client.
pub trait Played {
    fn begin() -> Self;

    /// The client sends bytes.
    fn bytes(&mut self, bytes: &[u8]);

    /// Replies that were not matched yet, without line ends.
    fn said(&mut self) -> &mut VecDeque<String>;

    /// Executes a directive.
    fn follow(&mut self, directive: &str);

    /// Checks the conditions at the end.
    fn end(&self) {}
}

/// The chunks of the client's input.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Way {
    Lines,
    Bytes,
    /// All lines up to the next directive in one write.
    Together,
}

/// Plays every transcript of a folder, even after a failure.
pub fn play_all<P: Played>(folder: &str, way: Way) {
    let mut failed = 0;
    for transcript in transcripts_in(folder) {
        let mut report = Vec::new();
        let play = AssertUnwindSafe(|| play::<P>(&transcript, way, &mut report));
        if catch_unwind(play).is_err() {
            failed += 1;
            eprintln!("{}: {way:?}:\n{}", transcript.path.display(), report.join("\n"));
        }
    }
    assert_eq!(failed, 0, "transcripts failed");
}

fn play<P: Played>(transcript: &Transcript, way: Way, report: &mut Vec<String>) {
    let mut player = P::begin();
    let mut dialogue = Dialogue::new(transcript.script(way == Way::Together), Pace::Fast, Instant::now());
    loop {
        let action = dialogue.next(Instant::now());
        report.extend(dialogue.take_report());
        match action {
            Action::Send(bytes) => {
                let size = if way == Way::Bytes { 1 } else { bytes.len() };
                bytes.chunks(size).for_each(|chunk| player.bytes(chunk));
            }
            Action::Directive(text) => player.follow(&text),
            // A session that speaks first has done so before the first line.
            Action::Wait(_) if player.said().is_empty() => dialogue.receive_end("nothing more is due"),
            Action::Wait(_) => {}
            Action::Finish => break,
        }
        player.said().drain(..).for_each(|line| dialogue.receive(format!("{line}\n").as_bytes()));
    }
    assert!(dialogue.verdict().agrees(), "{}", dialogue.verdict());
    player.end();
}
