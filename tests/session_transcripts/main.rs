//! Golden transcripts (see `script`), run against a session with a search that does as told by the directives
//! ([`Run::directive`]).
//!
//! Each is run line by line, byte by byte, and with everything that the client says between two directives in one write.
//! Before the client says more, or something else happens, every answer must have been named.

mod directives;
mod run;
#[path = "../script/mod.rs"]
mod script;

use run::Run;
use script::{Said, Script, matches, scripts};

/// How a client's lines come in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Way {
    Lines,
    Bytes,
    /// All up to the next directive.
    Together,
}

impl Run {
    fn follow(&mut self, said: &Said, rest: &[(usize, Said)], way: Way) {
        match said {
            Said::Server(pattern) => self.expect(pattern),
            Said::Client(_) if way == Way::Together && self.in_block => {}
            Said::Client(text) => {
                self.all_was_expected();
                let mut text = format!("{text}\n");
                if way == Way::Together {
                    self.in_block = true;
                    text.extend(client_lines(rest));
                }
                let size = if way == Way::Bytes { 1 } else { text.len() };
                text.as_bytes().chunks(size).for_each(|chunk| self.bytes(chunk));
            }
            Said::Directive(directive) => {
                self.all_was_expected();
                self.in_block = false;
                self.directive(directive);
            }
        }
    }
}

/// What the client says before the next directive.
fn client_lines(rest: &[(usize, Said)]) -> impl Iterator<Item = String> {
    let block = rest.iter().take_while(|(_, said)| !matches!(said, Said::Directive(_)));
    block.filter_map(|(_, said)| match said {
        Said::Client(text) => Some(format!("{text}\n")),
        _ => None,
    })
}

fn play(script: &Script, way: Way) {
    let mut run = Run::new();
    for (index, (number, said)) in script.lines.iter().enumerate() {
        let rest = &script.lines[index + 1..];
        let step = std::panic::AssertUnwindSafe(|| run.follow(said, rest, way));
        if std::panic::catch_unwind(step).is_err() {
            panic!("{}:{number}: {way:?}: {said:?}", script.path.display());
        }
    }
    let left = run.unexpected();
    assert!(left.is_empty(), "{}: at the end, not expected: {left:?}", script.path.display());
    assert!(run.errands.is_empty(), "{}: not named: {:?}", script.path.display(), run.errands);
}

/// Plays every transcript, also when an earlier one has failed: the failures together say more.
fn play_all(way: Way) {
    let played = scripts().into_iter().map(|script| std::panic::catch_unwind(|| play(&script, way)).is_ok());
    assert_eq!(played.filter(|passed| !passed).count(), 0, "transcripts failed");
}

#[test]
fn line_by_line() {
    play_all(Way::Lines);
}

#[test]
fn byte_by_byte() {
    play_all(Way::Bytes);
}

#[test]
fn in_one_write() {
    play_all(Way::Together);
}

#[test]
fn patterns() {
    assert!(matches("pong %d", "pong -12"));
    assert!(!matches("pong %d", "pong x"));
    assert!(matches("a %* c", "a b b c"));
    assert!(!matches("a", "a b"));
}
