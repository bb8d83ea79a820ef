use super::super::record::Record;
use super::*;
use crate::shim::record::HEADER;
use proptest::prelude::*;

/// Number of actions that counts as an endless loop.
const MAX_ACTIONS: usize = 10_000;

fn record(text: &str) -> Record {
    let lines = text.lines().enumerate().map(|(at, line)| format!("{at}.000 {line}\n"));
    Record::read(format!("{HEADER}\n{}", lines.collect::<String>()).as_bytes()).expect("a record")
}

struct Replayed {
    verdict: Verdict,
    report: Vec<String>,
    took: Duration,
}

impl Replayed {
    /// Returns the lines with this mark.
    fn marked(&self, mark: char) -> Vec<&str> {
        self.report.iter().filter_map(|line| line.strip_prefix(mark)?.strip_prefix(' ')).collect()
    }

    fn counts(&self) -> (usize, usize) {
        (self.verdict.agree.all(), self.verdict.differ.all())
    }
}

/// Replays with a server that takes no time and answers each line by `server`, which closes the
/// connection by `None`. Pings are answered, too.
fn replay(record: &Record, pace: Pace, mut server: impl FnMut(&str) -> Option<String>) -> Replayed {
    let (start, mut report, mut open) = (Instant::now(), Vec::new(), true);
    let mut dialogue = Dialogue::new(Script::new(record), pace, start);
    let mut now = start;
    let mut output = String::new();
    for _ in 0..MAX_ACTIONS {
        match dialogue.next(now) {
            Action::Send(bytes) => {
                for line in String::from_utf8_lossy(&bytes).lines() {
                    match if open { server(line) } else { None } {
                        None => open = false,
                        Some(answer) if answer.is_empty() && line.starts_with("ping ") => {
                            output += &line.replace("ping", "pong");
                            output.push('\n');
                        }
                        Some(answer) => output += &answer,
                    }
                }
            }
            Action::Wait(_) if !output.is_empty() => dialogue.receive(std::mem::take(&mut output).as_bytes()),
            Action::Wait(_) if !open && !matches!(dialogue.closing, Closing::Closed { .. }) => {
                dialogue.receive_end("gone")
            }
            Action::Wait(until) => now = until,
            Action::Directive(_) => {}
            Action::Finish => {
                report.extend(dialogue.take_report());
                return Replayed { verdict: dialogue.verdict().clone(), report, took: now - start };
            }
        }
        report.extend(dialogue.take_report());
    }
    panic!("no end: {report:?}");
}

/// A server with these answers to these lines.
fn with(answers: &[(&str, &str)]) -> impl FnMut(&str) -> Option<String> {
    move |line| {
        let found = answers.iter().find(|(question, _)| *question == line);
        let answer = found.map_or(String::new(), |(_, answer)| format!("{answer}\n"));
        (line != "quit").then_some(answer)
    }
}

const GAME: &str = "> xboard\n> new\n> ping 1\n< pong 1\n> time 100\n> e2e4\n< 9 1 2 3 e5\n< move e7e5\n\
                    > e4e6\n< Illegal move: e4e6\n> d2d4\n< move e5d4\n< 0-1 {Black mates}\n> result 0-1\n> quit";
const ANSWERS: [(&str, &str); 3] = [
    ("e2e4", "1 2 3 4 e5\nmove e7e5"),
    ("e4e6", "Illegal move: e4e6"),
    ("d2d4", "move e5d4\n0-1 {Black mates}"),
];

#[test]
fn the_same_answers_agree_whatever_the_thinking_was() {
    for pace in [Pace::Fast, Pace::Recorded] {
        let replayed = replay(&record(GAME), pace, with(&ANSWERS));
        assert!(replayed.verdict.agrees(), "{:?}", replayed.report);
        assert_eq!(replayed.counts(), (5, 0));
        assert_eq!(replayed.verdict.to_string().lines().count(), 1);
        assert!(replayed.report.contains(&"< 1 2 3 4 e5".to_owned()));
        assert_eq!(replayed.took.as_secs(), if pace == Pace::Fast { 0 } else { 14 });
        let sent: Vec<&str> = GAME.lines().filter_map(|line| line.strip_prefix("> ")).collect();
        assert_eq!(replayed.marked('>'), sent);
    }
}

#[test]
fn another_move_is_reported_and_the_recorded_one_played() {
    let mut answers = ANSWERS;
    answers[0].1 = "move c7c5\n1/2-1/2 {Stalemate}";
    let replayed = replay(&record(GAME), Pace::Fast, with(&answers));
    assert_eq!(replayed.counts(), (4, 1), "{:?}", replayed.report);
    assert_eq!(replayed.marked('!'), ["the record has: move e7e5"]);
    assert_eq!(replayed.marked('+'), ["force", "undo", "e7e5", "playother"]);
    assert!(!replayed.verdict.agrees() && replayed.verdict.stopped.is_none());

    // The result accompanies the move that was not played.
    let mut answers = ANSWERS;
    answers[2].1 = "resign";
    let replayed = replay(&record(GAME), Pace::Fast, with(&answers));
    assert_eq!(replayed.marked('!'), ["missing; the record has: move e5d4"]);
    assert_eq!(replayed.marked('+'), ["force", "e5d4", "playother"]);
    assert_eq!(replayed.counts(), (3, 1), "{:?}", replayed.report);
}

#[test]
fn moves_are_sent_in_the_form_that_the_client_uses() {
    let game = "> usermove e2e4\n< move e7e5\n> quit";
    let replayed = replay(&record(game), Pace::Fast, with(&[("usermove e2e4", "move c7c5")]));
    assert_eq!(replayed.marked('+'), ["force", "undo", "usermove e7e5", "playother"]);
}

#[test]
fn a_recorded_move_that_cannot_be_played_ends_the_replay() {
    let answers = [("e2e4", "move c7c5"), ("e7e5", "Illegal move: e7e5")];
    let replayed = replay(&record(GAME), Pace::Fast, with(&answers));
    let stopped = replayed.verdict.stopped.as_ref().expect("an end");
    assert!(stopped.ends_with("Illegal move: e7e5"), "{stopped}");
    assert!(!replayed.report.contains(&"> d2d4".to_owned()));
}

#[test]
fn missing_and_other_answers_are_reported() {
    for (answer, differs) in [
        ("", "missing; the record has: Illegal move: e4e6"),
        ("Error (unknown command): e4e6", "the record has: Illegal move: e4e6"),
        ("Error (x): y\nIllegal move: e4e6", "not in the record: Error (x): y"),
    ] {
        let mut answers = ANSWERS;
        answers[1].1 = answer;
        let replayed = replay(&record(GAME), Pace::Fast, with(&answers));
        assert_eq!(replayed.marked('!'), [differs], "{:?}", replayed.report);
    }
    // Reported when it comes, and not only at the end.
    let mut answers = ANSWERS;
    answers[1].1 = "Error (x): y\nIllegal move: e4e6";
    let replayed = replay(&record(GAME.trim_end_matches("\n> quit")), Pace::Fast, with(&answers));
    assert_eq!(replayed.marked('!'), ["not in the record: Error (x): y"]);
    let replayed = replay(&record("> foo\n> new\n> quit"), Pace::Fast, with(&[("foo", "Error (x): foo")]));
    assert_eq!(replayed.marked('!'), ["not in the record: Error (x): foo"]);
}

#[test]
fn a_move_that_the_client_did_not_wait_for_is_taken_back() {
    let game = "> e2e4\n> ping 1\n< pong 1\n> force\n> d7d5\n> ping 2\n< pong 2\n> quit";
    let replayed = replay(&record(game), Pace::Fast, with(&[("e2e4", "move e7e5")]));
    assert!(replayed.verdict.agrees(), "{:?}", replayed.report);
    assert_eq!(replayed.marked('+'), ["force", "undo"]);
    let replayed = replay(&record(game), Pace::Recorded, with(&[("e2e4", "move e7e5")]));
    assert_eq!(replayed.marked('!'), ["not in the record: move e7e5"]);
}

#[test]
fn a_server_that_hangs_or_closes_ends_the_replay() {
    let hangs = |line: &str| Some(if line.starts_with("ping") { "\n".to_owned() } else { String::new() });
    let replayed = replay(&record(GAME), Pace::Fast, hangs);
    assert!(replayed.verdict.stopped.as_ref().expect("an end").contains("does not answer"));
    let replayed = replay(&record(GAME), Pace::Fast, |line| (line != "e2e4").then(String::new));
    assert!(replayed.verdict.stopped.as_ref().expect("an end").contains("gone"));
    assert_eq!(replayed.marked('!'), ["missing; the record has: move e7e5"]);
    let stays = |_: &str| Some(String::new());
    let replayed = replay(&record("> new\n> quit"), Pace::Fast, stays);
    assert!(replayed.verdict.stopped.as_ref().expect("an end").contains("after quit"));
}

#[test]
fn a_truncated_record_expects_no_more_answers() {
    let lines: Vec<&str> = GAME.lines().collect();
    for end in 1..lines.len() {
        let replayed = replay(&record(&lines[..end].join("\n")), Pace::Fast, with(&ANSWERS));
        assert!(replayed.verdict.agrees(), "{end}: {:?}", replayed.report);
    }
}

#[test]
fn an_outage_in_a_record_is_one_session() {
    let game = "> e2e4\n# outage: The connection was lost\n# connected to x\n# the session goes on\n< move e7e5\n> quit";
    let replayed = replay(&record(game), Pace::Fast, with(&ANSWERS));
    assert_eq!((replayed.counts(), replayed.marked('#').len()), ((1, 0), 3));
}

#[test]
fn a_terminal_gets_no_control_characters() {
    let replayed = replay(&record("> \u{1b}[2J\u{7}\n> quit"), Pace::Fast, with(&[]));
    assert_eq!(replayed.marked('>')[0], "\\u{1b}[2J\\u{7}");
}

/// Meaningful lines, and others.
fn line() -> impl Strategy<Value = String> {
    prop_oneof![8 => prop::sample::select(&KNOWN[..]).prop_map(str::to_owned), 1 => "[^\n]{0,12}"]
}

const KNOWN: [&str; 22] = [
    "new",
    "force",
    "go",
    "e2e4",
    "usermove e7e5",
    "ping 1",
    "pong 1",
    "move e7e5",
    "move e7e6",
    "resign",
    "quit",
    "1-0 {White mates}",
    "Error (x): y",
    "Illegal move: e2e4",
    "undo",
    "?",
    "edit",
    "offer draw",
    "tellusererror x",
    "farboard-connect: server not found",
    "ping 1950000000",
    "pong 1950000000",
];

proptest! {
    #[test]
    fn every_replay_of_anything_ends(
        lines in prop::collection::vec((prop::sample::select(&[">", "<", "#", "+"][..]), line()), 1..30),
        answers in prop::collection::vec(prop::collection::vec(line(), 0..3), 1..20),
        pongs in any::<bool>(),
        recorded in any::<bool>(),
        closes in 0..60_usize,
    ) {
        let text: String = lines.iter().map(|(mark, line)| format!("{mark} {line}\n")).collect();
        let lines = text.lines().map(|line| format!("0.000 {line}\n")).collect::<String>();
        let Ok(record) = Record::read(format!("{HEADER}\n{lines}").as_bytes()) else { return Ok(()) };
        let mut turn = 0;
        let server = |line: &str| {
            turn += 1;
            let pong = line.strip_prefix("ping ").filter(|_| pongs).map(|number| format!("pong {number}"));
            let lines = answers[turn % answers.len()].iter().chain(&pong).map(|line| format!("{line}\n"));
            (turn != closes).then(|| lines.collect())
        };
        replay(&record, if recorded { Pace::Recorded } else { Pace::Fast }, server);
    }
}

/// A server of UCI or the Checkers Protocol with these answers, which also answers probes.
fn with_probes<'a>(answers: &'a [(&'a str, &'a str)]) -> impl FnMut(&str) -> Option<String> + 'a {
    move |line| {
        let found = answers.iter().find(|(question, _)| *question == line);
        match (line, found) {
            (_, Some((_, answer))) => Some(format!("{answer}\n")),
            ("isready", None) => Some("readyok\n".to_owned()),
            ("GETNAME", None) => Some("NAME x\n".to_owned()),
            ("quit" | "QUIT", None) => None,
            _ => Some(String::new()),
        }
    }
}

const UCI: &str = "> uci\n< id name x\n< uciok\n> setoption name X value 1\n< info string no option X\n> isready\n\
                   < readyok\n> position startpos\n> go infinite\n< info depth 1 pv e2e4\n> stop\n\
                   < bestmove e2e4 ponder e7e5\n> quit";

#[test]
fn a_record_of_uci_is_compared() {
    let answers = [
        ("uci", "id name y\nuciok"),
        ("setoption name X value 1", "info string no option X"),
        ("stop", "bestmove e2e4"),
    ];
    let replayed = replay(&record(UCI), Pace::Fast, with_probes(&answers));
    assert!(replayed.verdict.agrees(), "{:?}", replayed.report);
    assert_eq!(replayed.counts(), (3, 0));
    // The line before `stop` came two seconds earlier.
    assert_eq!(replayed.took.as_secs(), 2);

    let answers = [("stop", "bestmove d2d4")];
    let replayed = replay(&record(UCI), Pace::Fast, with_probes(&answers));
    assert_eq!(
        replayed.marked('!'),
        ["missing; the record has: info string no option X", "the record has: bestmove e2e4"]
    );
    assert!(replayed.marked('+').is_empty() && replayed.verdict.stopped.is_none(), "{:?}", replayed.report);
}

#[test]
fn a_move_of_uci_that_never_comes_ends_the_replay() {
    let replayed = replay(&record("> uci\n> go depth 1\n< bestmove e2e4"), Pace::Fast, with_probes(&[]));
    assert!(replayed.verdict.stopped.expect("an end").contains("does not answer"));
}

#[test]
fn a_game_of_draughts_goes_on_as_in_the_record() {
    let game = "< READY\n> INIT\n> NEWGAME\n> MOVE 11-15\n> GO maxtime 1\n< INFO depth 3\n< BESTMOVE 23-19\n\
                > MOVE 1-32\n< ALERT it cannot move there\n> MOVE 8-11\n> GO\n< BESTMOVE 22-17\n> QUIT";
    let answers = [
        ("GO maxtime 1", "INFO depth 2\nBESTMOVE 24-19"),
        ("MOVE 1-32", "ALERT it cannot move there"),
        ("GO", "BESTMOVE 22-17"),
    ];
    let replayed = replay(&record(game), Pace::Fast, with_probes(&answers));
    assert_eq!(replayed.marked('!'), ["the record has: BESTMOVE 23-19"], "{:?}", replayed.report);
    assert_eq!(replayed.marked('+'), ["NEWGAME 11-15 23-19"]);
    assert_eq!(replayed.counts(), (2, 1));
}

#[test]
fn every_line_of_a_transcript_is_compared() {
    let transcript = "> ping 1\n< pong %d\n> protover 2\n<+ feature %*\n@ wait 1\n> new\n<+ x %d\n";
    let record = Record::read(transcript.as_bytes()).expect("a transcript");
    let compared = |pong: &str, features: &str, new: &str| {
        let answers = [("ping 1", pong), ("protover 2", features), ("new", new)];
        let replayed = replay(&record, Pace::Fast, with(&answers));
        replayed.marked('!').join(", ") + replayed.verdict.stopped.as_deref().unwrap_or_default()
    };
    assert_eq!(compared("pong 1", "feature a=1", "x 1"), "");
    assert_eq!(compared("pong 1", "feature a=1\nfeature b=1", "x 1\nx 2"), "");
    for (pong, features, new, expected) in [
        ("pong x", "feature a=1", "x 1", "the record has: pong %d"),
        ("pong 1", "feature a=1\nError", "x 1", "not in the record: Error"),
        ("pong 1", "Error\nfeature a=1", "x 1", "not in the record: Error"),
        ("pong 1", "feature a=1", "", "the record has: x %d"),
        ("pong 1", "feature a=1", "x 1\ny", "not in the record: y"),
        ("pong 1\nfeature a=1", "feature a=1", "x 1", "not in the record: feature a=1"),
    ] {
        let found = compared(pong, features, new);
        assert!(found.contains(expected), "{found}");
    }
}
