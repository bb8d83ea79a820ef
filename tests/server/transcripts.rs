//! The transcripts of `tests/transcripts/` over TCP, except those with directives: these control a
//! search or a clock, and here both are real.

use crate::support::transcripts::{Said, Transcript, all_transcripts};
use crate::test_server::{Client, TestServer};

/// Plays every transcript: `say` sends it, and may read in between. The rest must be all remaining
/// output.
fn play_all(say: impl Fn(&mut Client, &Transcript) -> Vec<String>) {
    let server = TestServer::start();
    let transcripts: Vec<Transcript> =
        all_transcripts().into_iter().filter(|transcript| !transcript.has_directives()).collect();
    assert!(!transcripts.is_empty(), "no transcript without directives");
    for transcript in transcripts {
        let mut client = server.client();
        let mut answers = say(&mut client, &transcript);
        client.half_close();
        answers.extend(client.rest());
        compare(&transcript, &answers)
            .unwrap_or_else(|difference| panic!("{}: {difference}", transcript.path.display()));
    }
}

fn compare(transcript: &Transcript, answers: &[String]) -> Result<(), String> {
    let mut answers = answers.iter().peekable();
    for (_, said) in &transcript.lines {
        let Said::Server(pattern) = said else { continue };
        let answer = answers.next();
        if !answer.is_some_and(|answer| pattern.matches(answer)) {
            return Err(format!("{pattern:?} is {answer:?}"));
        }
        while pattern.many && answers.next_if(|answer| pattern.matches(answer)).is_some() {}
    }
    answers.next().map_or(Ok(()), |answer| Err(format!("at the end, not expected: {answer}")))
}

fn bytes(transcript: &Transcript) -> Vec<u8> {
    let texts = transcript.lines.iter().filter_map(|(_, said)| match said {
        Said::Client(text) => Some(format!("{text}\n")),
        _ => None,
    });
    texts.collect::<String>().into_bytes()
}

#[test]
fn line_by_line() {
    play_all(|client, transcript| {
        let mut answers = Vec::new();
        for (_, said) in &transcript.lines {
            match said {
                Said::Client(text) => client.send(format!("{text}\n")),
                Said::Server(_) => answers.extend(client.line()),
                Said::Directive(_) => {}
            }
        }
        answers
    });
}

#[test]
fn byte_by_byte() {
    play_all(|client, transcript| {
        bytes(transcript).into_iter().for_each(|byte| client.send([byte]));
        Vec::new()
    });
}

#[test]
fn in_one_write() {
    play_all(|client, transcript| {
        client.send(bytes(transcript));
        Vec::new()
    });
}

#[test]
fn a_difference_is_found() {
    let transcript = Transcript::parse("of a test".into(), "> ping 1\n< pong %d\n<+ feature %*\n");
    let compared = |answers: &[&str]| {
        compare(&transcript, &answers.iter().map(|&line| line.into()).collect::<Vec<_>>()).is_ok()
    };
    assert!(compared(&["pong 1", "feature a=1"]));
    assert!(compared(&["pong 1", "feature a=1", "feature b=1"]));
    assert!(!compared(&[]));
    assert!(!compared(&["pong 1"]));
    assert!(!compared(&["Error", "feature a=1"]));
    assert!(!compared(&["pong 1", "feature a=1", "more"]));
}
