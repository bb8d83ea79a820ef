//! Plays a transcript with a session: by line, by byte, or with all client lines between two
//! directives in one write. Before the client sends more, or another event, every reply must have
//! been matched.

use crate::support::transcripts::{Said, Transcript, transcripts_in};
use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};

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

/// The chunking of the client's input.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Way {
    Lines,
    Bytes,
    /// All lines up to the next directive in one write.
    Together,
}

/// Plays every transcript of a folder, even after a failure.
pub fn play_all<P: Played>(folder: &str, way: Way) {
    let transcripts = transcripts_in(folder);
    let failed = transcripts.iter().filter(|transcript| catch_unwind(|| play::<P>(transcript, way)).is_err());
    assert_eq!(failed.count(), 0, "transcripts failed");
}

fn play<P: Played>(transcript: &Transcript, way: Way) {
    let mut player = P::begin();
    let mut is_sent = false;
    for (index, (number, said)) in transcript.lines.iter().enumerate() {
        let step = AssertUnwindSafe(|| match said {
            Said::Server(pattern) => {
                let said = player.said();
                let line = said.pop_front().expect("a reply");
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
                    text.extend(client_lines(&transcript.lines[index + 1..]));
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
            panic!("{}:{number}: {way:?}: {said:?}", transcript.path.display());
        }
    }
    assert!(
        player.said().is_empty(),
        "{}: at the end, not expected: {:?}",
        transcript.path.display(),
        player.said()
    );
    player.end();
}

/// A session that speaks first has done so before the first line of a transcript.
fn all_was_expected(player: &mut impl Played, index: usize) {
    assert!(index == 0 || player.said().is_empty(), "not expected: {:?}", player.said());
}

/// The client's lines before the next directive.
fn client_lines(rest: &[(usize, Said)]) -> impl Iterator<Item = String> {
    let block = rest.iter().take_while(|(_, said)| !matches!(said, Said::Directive(_)));
    block.filter_map(|(_, said)| match said {
        Said::Client(text) => Some(format!("{text}\n")),
        _ => None,
    })
}
