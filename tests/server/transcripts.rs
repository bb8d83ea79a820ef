//! The transcripts of `tests/transcripts/` over TCP, except those with directives: these control a
//! search or a clock, and here both are real.

use crate::support::transcripts::{Transcript, all_transcripts};
use crate::test_server::{Client, TestServer};
use farboard::replay::dialogue::{Action, Dialogue, Pace};
use std::time::Instant;

/// Plays every transcript: each line by itself or all together, in chunks of this size.
fn play_all(together: bool, size: usize) {
    let server = TestServer::start();
    let transcripts: Vec<Transcript> =
        all_transcripts().into_iter().filter(|transcript| !transcript.record.has_directives()).collect();
    assert!(!transcripts.is_empty(), "no transcript without directives");
    for transcript in transcripts {
        let mut dialogue = Dialogue::new(transcript.script(together), Pace::Fast, Instant::now());
        play(&mut dialogue, &mut server.client(), size);
        let (report, verdict) = (dialogue.take_report().join("\n"), dialogue.verdict());
        assert!(verdict.agrees(), "{}: {verdict}\n{report}", transcript.path.display());
    }
}

fn play(dialogue: &mut Dialogue, client: &mut Client, size: usize) {
    loop {
        match dialogue.next(Instant::now()) {
            Action::Send(bytes) => bytes.chunks(size).for_each(|chunk| client.send(chunk)),
            Action::Wait(_) => match client.line() {
                Some(line) => dialogue.receive(format!("{line}\n").as_bytes()),
                None => dialogue.receive_end("closed"),
            },
            Action::Directive(text) => unreachable!("{text}"),
            Action::Finish => break,
        }
    }
    // The rest must be all remaining output.
    client.half_close();
    client.rest().iter().for_each(|line| dialogue.receive(format!("{line}\n").as_bytes()));
    dialogue.receive_end("closed");
    while dialogue.next(Instant::now()) != Action::Finish {}
}

#[test]
fn line_by_line() {
    play_all(false, usize::MAX);
}

#[test]
fn byte_by_byte() {
    play_all(true, 1);
}

#[test]
fn in_one_write() {
    play_all(true, usize::MAX);
}
