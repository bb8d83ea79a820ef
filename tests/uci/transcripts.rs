//! Transcripts, each run line by line, byte by byte, and with all that the client says between two directives in one write.

use crate::directives;
use crate::script::{Said, Script, scripts_in};
use crate::world::World;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Way {
    Lines,
    Bytes,
    Together,
}

fn play(script: &Script, way: Way) {
    let mut world = World::new();
    let mut is_sent = false;
    for (index, (number, said)) in script.lines.iter().enumerate() {
        let place = format!("{}, line {number}, {way:?}", script.path.display());
        if index > 0 && !matches!(said, Said::Server(_)) && !(way == Way::Together && is_sent) {
            assert!(world.said.is_empty(), "{place}: not expected: {:?}", world.said);
        }
        match said {
            Said::Client(_) if is_sent => {}
            Said::Client(text) => {
                let mut text = format!("{text}\n");
                if way == Way::Together {
                    is_sent = true;
                    text.extend(client_lines(&script.lines[index + 1..]));
                }
                let size = if way == Way::Bytes { 1 } else { text.len() };
                text.as_bytes().chunks(size).for_each(|chunk| world.bytes(chunk));
            }
            Said::Server(pattern) => {
                let line = world.said.pop_front().unwrap_or_else(|| panic!("{place}: nothing was answered"));
                assert!(pattern.matches(&line), "{place}: answered: {line}");
                while pattern.many && world.said.front().is_some_and(|line| pattern.matches(line)) {
                    world.said.pop_front();
                }
            }
            Said::Directive(text) => {
                is_sent = false;
                assert!(index == 0 || world.said.is_empty(), "{place}: not expected: {:?}", world.said);
                directives::follow(&mut world, text);
            }
        }
    }
    assert!(world.said.is_empty(), "{}: not expected: {:?}", script.path.display(), world.said);
}

/// What the client says before the next directive.
fn client_lines(rest: &[(usize, Said)]) -> impl Iterator<Item = String> {
    let block = rest.iter().take_while(|(_, said)| !matches!(said, Said::Directive(_)));
    block.filter_map(|(_, said)| match said {
        Said::Client(text) => Some(format!("{text}\n")),
        _ => None,
    })
}

#[test]
fn every_transcript_is_as_it_is_written() {
    // All are played, also when an earlier one has failed: the failures together say more.
    let failed = |(script, way): (&Script, Way)| std::panic::catch_unwind(|| play(script, way)).is_err();
    let scripts = scripts_in("uci");
    let ways = [Way::Lines, Way::Bytes, Way::Together];
    let failures =
        scripts.iter().flat_map(|script| ways.map(|way| (script, way))).filter(|&each| failed(each));
    assert_eq!(failures.count(), 0, "transcripts failed");
}
