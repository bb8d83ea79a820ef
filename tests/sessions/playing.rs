//! Transcripts are played by a session with its client: line by line, byte by byte, and with everything that the client says
//! between two directives in one write. Before the client says more, or something else happens, every answer must have been named.

use crate::support::transcripts::{Said, Script, scripts_in};
use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// A session with its client, of whichever protocol.
pub trait Played {
    fn begin() -> Self;

    /// The client sends bytes.
    fn bytes(&mut self, bytes: &[u8]);

    /// Lines that were said and not looked at, without their ends.
    fn said(&mut self) -> &mut VecDeque<String>;

    /// Something else happens or must be so.
    fn follow(&mut self, directive: &str);

    /// What must be so at the end.
    fn end(&self) {}
}

/// How a client's lines come in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Way {
    Lines,
    Bytes,
    /// All up to the next directive.
    Together,
}

/// Plays every transcript of a folder, also when an earlier one has failed: the failures together say more.
pub fn play_all<P: Played>(folder: &str, way: Way) {
    let scripts = scripts_in(folder);
    let failed = scripts.iter().filter(|script| catch_unwind(|| play::<P>(script, way)).is_err());
    assert_eq!(failed.count(), 0, "transcripts failed");
}

fn play<P: Played>(script: &Script, way: Way) {
    let mut player = P::begin();
    let mut is_sent = false;
    for (index, (number, said)) in script.lines.iter().enumerate() {
        let step = AssertUnwindSafe(|| match said {
            Said::Server(pattern) => {
                let said = player.said();
                let line = said.pop_front().expect("nothing was answered");
                assert!(pattern.matches(&line), "answered: {line}");
                while pattern.many && said.front().is_some_and(|line| pattern.matches(line)) {
                    said.pop_front();
                }
            }
            Said::Client(_) if is_sent => {}
            Said::Client(text) => {
                all_was_expected(&mut player, index);
                let mut text = format!("{text}\n");
                if way == Way::Together {
                    is_sent = true;
                    text.extend(client_lines(&script.lines[index + 1..]));
                }
                let size = if way == Way::Bytes { 1 } else { text.len() };
                text.as_bytes().chunks(size).for_each(|chunk| player.bytes(chunk));
            }
            Said::Directive(text) => {
                all_was_expected(&mut player, index);
                is_sent = false;
                player.follow(text);
            }
        });
        if catch_unwind(step).is_err() {
            panic!("{}:{number}: {way:?}: {said:?}", script.path.display());
        }
    }
    assert!(
        player.said().is_empty(),
        "{}: at the end, not expected: {:?}",
        script.path.display(),
        player.said()
    );
    player.end();
}

/// A session that speaks first has done so before the first line of a transcript.
fn all_was_expected(player: &mut impl Played, index: usize) {
    assert!(index == 0 || player.said().is_empty(), "not expected: {:?}", player.said());
}

/// What the client says before the next directive.
fn client_lines(rest: &[(usize, Said)]) -> impl Iterator<Item = String> {
    let block = rest.iter().take_while(|(_, said)| !matches!(said, Said::Directive(_)));
    block.filter_map(|(_, said)| match said {
        Said::Client(text) => Some(format!("{text}\n")),
        _ => None,
    })
}
