//! Whole conversations whose server dies at each of their bytes.

use crate::hearing::{Heard, Thoughts};
use crate::relay::Served;
use crate::server::Server;
use farboard::shim::journal::SessionJournal;
use farboard::shim::journal::uci::Journal;
use std::time::{Duration, Instant};

/// Conversations by name. `*` on a line of its own: all searches that end by themselves have ended.
const CONVERSATIONS: [(&str, &str); 7] = [
    (
        "a game with clocks",
        "uci\nsetoption name Hash value 16\nisready\nucinewgame\nisready\nposition startpos\ngo wtime 60000 btime 60000\n*\n\
         position startpos moves e2e4 e7e5\nisready\ngo wtime 59000 btime 60000\n*\n\
         position startpos moves e2e4 e7e5 g1f3 b8c6\nisready\ngo wtime 58000 btime 60000 winc 100 binc 100\n*\n",
    ),
    (
        "an analysis",
        "uci\nsetoption name UCI_AnalyseMode value true\nisready\nposition startpos\ngo infinite\n*\nstop\nstop\n\
         position startpos moves d2d4\ngo infinite\nisready\nstop\n",
    ),
    (
        "pondering, with a hit and a miss",
        "uci\nsetoption name Ponder value true\nposition startpos moves e2e4\ngo ponder wtime 9000 btime 9000\n*\nponderhit\n*\n\
         position startpos moves e2e4 e7e5 g1f3 b8c6\ngo ponder wtime 8000 btime 9000\nstop\n\
         position startpos moves e2e4 e7e5 g1f3 d7d6\ngo wtime 8000 btime 8500\n*\n",
    ),
    (
        "options",
        "uci\nsetoption name MultiPV value 4\nsetoption name MultiPV value nonsense\nisready\nposition startpos\ngo depth 4\n*\n\
         setoption name multipv value 1\nsetoption name UCI_Variant value atomic\nposition startpos moves e2e4\n\
         setoption name UCI_AnalyseMode value true\ngo depth 4\n*\nsetoption name Clear Hash\nuci\nisready\n",
    ),
    (
        "a burst",
        "uci\nposition startpos\ngo infinite\nstop\nposition startpos moves e2e4\ngo infinite\nstop\nposition startpos moves d2d4\n\
         go movetime 1000\ngo depth 3\nstop\nisready\n",
    ),
    (
        "first moves",
        "uci\nposition startpos\ngo depth 3 searchmoves a2a3 h2h4\n*\ngo searchmoves e2e5\ngo infinite searchmoves b1c3\nstop\n\
         position fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1\ngo infinite\nstop\nposition what\ngo depth 3\n",
    ),
    ("leaves", "uci\nposition startpos\ngo perft 2\n*\nd\neval\ngo perft 3\nstop\ngo depth 2\n*\nisready\n"),
];

/// What a client hears whose server dies at these bytes of the client, before it has read them or, if `is_silent`, with its
/// answer to them unsaid. Also what the last server has on the board.
fn heard(conversation: &str, kills: &[usize], is_silent: bool) -> (Heard, String) {
    let mut now = Instant::now();
    let mut journal = Journal::new();
    let mut server = Server::new(1);
    let mut heard = String::new();
    let mut at = 0;
    for line in conversation.split_inclusive('\n') {
        if line == "*\n" {
            now += Duration::from_millis(50);
            server.finish(now);
            deliver(&mut journal, &mut server, &mut heard, now);
            continue;
        }
        for piece in line.as_bytes().chunks(1) {
            let dies = kills.contains(&at);
            at += 1;
            if dies && !is_silent {
                replace(&mut journal, &mut server, &mut heard, now);
            }
            let up = journal.client(piece, now);
            server.hear(&up, now);
            if dies && is_silent {
                replace(&mut journal, &mut server, &mut heard, now);
            }
            deliver(&mut journal, &mut server, &mut heard, now);
        }
    }
    assert!(!journal.owes() && !journal.is_catching_up(), "{journal:?}");
    let mut thoughts = Thoughts::default();
    heard.lines().for_each(|line| thoughts.hear(line));
    (Heard::of(&heard), server.board())
}

/// What the server says gets to the client, and what the journal says to that to the server.
fn deliver(journal: &mut Journal, server: &mut Server, heard: &mut String, now: Instant) {
    loop {
        let said = std::mem::take(&mut server.said);
        let mut down = Vec::new();
        let mut up = Vec::new();
        for passed in [journal.server(&said, now), journal.tick(now)] {
            down.extend(passed.down);
            up.extend(passed.up);
        }
        heard.push_str(std::str::from_utf8(&down).expect("ASCII"));
        if up.is_empty() {
            return;
        }
        server.hear(&up, now);
    }
}

fn replace(journal: &mut Journal, server: &mut Server, heard: &mut String, now: Instant) {
    assert!(journal.can_be_resumed());
    assert_eq!(journal.lose(now, 0), None);
    let own = journal.tick(now);
    heard.push_str(std::str::from_utf8(&own.down).expect("ASCII"));
    *server = Server::new(1);
    let passed = journal.resume(now);
    heard.push_str(std::str::from_utf8(&passed.down).expect("ASCII"));
    server.hear(&passed.up, now);
}

#[test]
fn conversations_outlive_their_server_at_every_byte() {
    for (name, conversation) in CONVERSATIONS {
        let undisturbed = heard(conversation, &[], false);
        let searches = conversation.lines().filter(|line| line.starts_with("go")).count();
        let stopped = usize::from(name == "leaves");
        let answers = undisturbed.0.moves.iter().filter(|line| !line.contains(": 20")).count();
        assert_eq!(answers, searches - stopped, "{name}: {:?}", undisturbed.0.moves);
        let bytes = conversation.len() - 2 * conversation.matches("*\n").count();
        for is_silent in [false, true] {
            for kill in 0..bytes {
                assert_eq!(heard(conversation, &[kill], is_silent), undisturbed, "{name}: killed at {kill}");
            }
            let all: Vec<usize> = (0..bytes).collect();
            assert_eq!(heard(conversation, &all, is_silent), undisturbed, "{name}: killed all the time");
        }
    }
}

/// The client must get whole lines, each once, wherever the server's output breaks off.
#[test]
fn conversations_outlive_their_server_at_every_byte_of_its_own() {
    for (name, conversation) in CONVERSATIONS {
        let undisturbed = heard(conversation, &[], false).0;
        let mut end = 0;
        while let Some(disturbed) = broken_off(conversation, end) {
            assert_eq!(disturbed, undisturbed, "{name}: broken off after {end} bytes");
            end += 1;
        }
        assert!(end > 300, "{name}: {end}");
    }
}

/// What a client hears whose server dies after so many bytes of output; `None` if it does not say that many.
fn broken_off(conversation: &str, end: usize) -> Option<Heard> {
    let mut now = Instant::now();
    let mut journal = Journal::new();
    let mut server = Server::new(1);
    let mut heard = String::new();
    let mut left = Some(end);
    for line in conversation.split_inclusive('\n') {
        if line == "*\n" {
            now += Duration::from_millis(50);
            server.finish(now);
        } else {
            let up = journal.client(line.as_bytes(), now);
            server.hear(&up, now);
        }
        let finishes = line == "*\n";
        loop {
            if let Some(rest) = left {
                if server.said.len() > rest {
                    server.said.truncate(rest);
                    let passed = journal.server(&server.said, now);
                    heard.push_str(std::str::from_utf8(&passed.down).expect("ASCII"));
                    replace(&mut journal, &mut server, &mut heard, now);
                    left = None;
                } else {
                    left = Some(rest - server.said.len());
                }
            }
            deliver(&mut journal, &mut server, &mut heard, now);
            // The server that has taken over ends its search, too.
            if !(finishes && left.is_none() && server.finish(now)) {
                break;
            }
        }
    }
    assert!(!journal.owes(), "{journal:?}");
    left.is_none().then(|| Heard::of(&heard))
}
