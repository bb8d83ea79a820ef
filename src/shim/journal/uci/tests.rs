//! The journal between a client and a server, line by line. Whole sessions that lose their server at every byte are in
//! `tests/uci_failover`.

use super::*;
use crate::protocol::DrainCause;
use crate::protocol::INTERNAL_ERROR;
use crate::protocol::uci::MAX_LINE;

const OPTIONS: &[u8] = b"id name x\noption name Hash type spin default 1 min 1 max 9\nuciok\n";

/// A journal whose client has said `uci` and these lines, to a server that is there.
fn after(lines: &str, now: Instant) -> Journal {
    let mut journal = Journal::new();
    journal.client(b"uci\n", now);
    journal.server(OPTIONS, now);
    journal.client(lines.as_bytes(), now);
    journal
}

fn server(journal: &mut Journal, lines: &str, now: Instant) -> String {
    let passed = journal.server(lines.as_bytes(), now);
    assert!(passed.up.is_empty() || lines.contains("readyok"), "{passed:?}");
    String::from_utf8(passed.down).expect("ASCII")
}

fn own(journal: &mut Journal, now: Instant) -> String {
    String::from_utf8(journal.tick(now).down).expect("ASCII")
}

/// What another server is told up to the journal's question, and after it.
fn told(journal: &mut Journal, lost: Instant, now: Instant) -> (String, String) {
    journal.lose(lost, 0);
    let first = journal.resume(now).up;
    let rest = journal.server(b"id name y\nuciok\nreadyok\n", now).up;
    (String::from_utf8(first).expect("ASCII"), String::from_utf8(rest).expect("ASCII"))
}

#[test]
fn another_server_is_told_settings_position_and_the_search() {
    let now = Instant::now();
    let mut journal = after(
        "debug on\nsetoption name Hash value 4\nsetoption name MultiPV value 3\nsetoption name Clear Hash\n\
         setoption name hash value 8\nucinewgame\nposition startpos\nposition startpos moves e2e4\n\
         go wtime 9000 btime 8000\nposition startpos moves d2d4\nsetoption name MultiPV value 1\nisready\nisre",
        now,
    );
    assert_eq!(server(&mut journal, &"readyok\n".repeat(5), now), "", "those that the journal has asked for");
    assert_eq!(server(&mut journal, "readyok\n", now), "readyok\n");
    let (first, rest) = told(&mut journal, now, now + Duration::from_millis(2500));
    assert_eq!(
        first,
        "uci\ndebug on\nsetoption name MultiPV value 3\nsetoption name hash value 8\nucinewgame\n\
         position startpos moves e2e4\nisready\n"
    );
    let expected =
        "go wtime 9000 btime 5500\nposition startpos moves d2d4\nsetoption name MultiPV value 1\nisre";
    assert_eq!(rest, expected);
}

#[test]
fn a_value_that_was_refused_does_not_replace_the_one_before() {
    let now = Instant::now();
    let mut journal = after("setoption name Hash value 4\nsetoption name Hash value x\n", now);
    server(&mut journal, "readyok\ninfo string option Hash: the value must be a number\nreadyok\n", now);
    assert_eq!(told(&mut journal, now, now).0, "uci\nsetoption name Hash value 4\nisready\n");
}

#[test]
fn the_answer_to_uci_comes_whole_and_once() {
    let now = Instant::now();
    for end in 0..=OPTIONS.len() {
        let mut journal = Journal::new();
        journal.client(b"uci\nisready\n", now);
        let mut down = journal.server(&OPTIONS[..end], now).down;
        if end < OPTIONS.len() {
            assert!(journal.start_timeout().is_some() && journal.unanswered_since() == Some(now));
        }
        journal.lose(now, 0);
        assert_eq!(journal.unanswered_since(), None);
        down.extend(journal.tick(now).down);
        assert_eq!(journal.resume(now).up, b"uci\nisready\n");
        let passed = journal.server(&[OPTIONS, b"readyok\n"].concat(), now);
        assert!(passed.up.is_empty());
        down.extend(passed.down);
        let down = String::from_utf8(down).expect("ASCII");
        let lines: Vec<&str> = down.lines().filter(|line| !line.starts_with("info string")).collect();
        assert_eq!(lines.len(), 4, "{end}: {lines:?}");
        assert_eq!(lines[2..], ["uciok", "readyok"], "{end}");
    }
}

#[test]
fn without_a_server_the_journal_is_ready() {
    let now = Instant::now();
    let mut journal = after("position startpos\nisready\n", now);
    assert!(journal.owes() && journal.is_awaited());
    journal.lose(now, 0);
    let lost = "info string the server was lost: farboard-connect looks for another one\n";
    assert_eq!(own(&mut journal, now), format!("{lost}readyok\n"));
    assert!(journal.client(b"go infinite\nisready\n", now).is_empty());
    assert_eq!(own(&mut journal, now), "readyok\n");
    journal.resume(now);
    journal.client(b"isready\n", now);
    assert_eq!(own(&mut journal, now), "readyok\n", "while it catches up, too");
    journal.lose(now, 0);
    assert_eq!(own(&mut journal, now), "", "one remark for an outage");
    let later = now + Duration::from_millis(1260);
    journal.resume(later);
    let passed = journal.server(b"id name y\noption name A type button\nuciok\nreadyok\n", later);
    assert_eq!(passed.down, b"info string another server goes on, 1.3 seconds later\n");
    assert_eq!(passed.up, b"go infinite\n");
}

#[test]
fn a_search_that_was_stopped_is_answered_with_what_was_shown() {
    let now = Instant::now();
    let shown =
        "info depth 9 score cp 2 multipv 1 pv e2e4 e7e5\ninfo depth 9 score cp 1 multipv 2 pv d2d4\nbestmo";
    for is_stopped_before in [true, false] {
        let mut journal = after("position startpos\ngo infinite\n", now);
        if is_stopped_before {
            journal.client(b"stop\n", now);
        }
        server(&mut journal, shown, now);
        journal.lose(now, 0);
        if !is_stopped_before {
            journal.client(b"stop\n", now);
        }
        assert!(own(&mut journal, now).ends_with("bestmove e2e4 ponder e7e5\n"));
        assert!(!journal.owes());
        assert_eq!(journal.resume(now).up, b"uci\nposition startpos\nisready\n");
        assert_eq!(journal.server(b"uciok\nreadyok\n", now).up, b"");
        assert!(journal.has_progressed());
    }
}

#[test]
fn a_search_that_was_stopped_before_anything_was_shown_is_asked_again() {
    let now = Instant::now();
    let mut journal = after(
        "position startpos\ngo infinite\nstop\nposition startpos moves e2e4\ngo ponder movetime 90\n",
        now,
    );
    let (first, rest) = told(&mut journal, now, now);
    assert_eq!(first, "uci\nposition startpos\nisready\n");
    assert_eq!(rest, "go infinite\nstop\nposition startpos moves e2e4\ngo ponder movetime 90\n");
    assert!(journal.owes() && !journal.has_progressed());
    journal.client(b"ponderhit\n", now);
    server(&mut journal, "bestmove (none)\n", now);
    assert!(journal.owes() && journal.has_progressed());
    let later = now + Duration::from_millis(40);
    let (first, rest) = told(&mut journal, now, later);
    assert_eq!(
        (first.as_str(), rest.as_str()),
        ("uci\nposition startpos moves e2e4\nisready\n", "go movetime 50\n")
    );
}

#[test]
fn only_the_last_of_many_positions_is_kept() {
    let now = Instant::now();
    let mut journal = after("", now);
    let mut moves = String::new();
    for ply in 0..2000 {
        moves.push_str([" g1f3", " g8f6", " f3g1", " f6g8"][ply % 4]);
        let lines = format!("position startpos moves{moves}\ngo movetime 100\n");
        journal.client(lines.as_bytes(), now);
        server(&mut journal, "bestmove g1f3\n", now);
    }
    assert!(journal.told.weight() < 11_000, "{}", journal.told.weight());
    assert_eq!(told(&mut journal, now, now).0, format!("uci\nposition startpos moves{moves}\nisready\n"));
}

#[test]
fn a_client_that_says_too_much_keeps_its_server_and_no_more() {
    let now = Instant::now();
    let floods: [fn(usize) -> String; 4] = [
        |_| "go infinite\n".to_owned(),
        |number| format!("setoption name x{number} value 1\n"),
        |_| "isready\n".to_owned(),
        |number| format!("go depth 1 {}{number}\n", "x".repeat(50_000)),
    ];
    for flood in floods {
        let mut journal = after("", now);
        for number in 0..70_000 {
            journal.client(flood(number).as_bytes(), now);
            if !journal.can_be_resumed() {
                break;
            }
        }
        assert!(!journal.can_be_resumed() && !journal.knows_what_is_due() && !journal.owes());
        assert!(journal.told.weight() == 0 && journal.questions.is_empty());
        let lines = "id name z\nreadyok\nbestmove a2a3\n";
        assert_eq!(server(&mut journal, lines, now), lines, "all is passed on");
    }
}

/// A search of the position before it would be one of a wrong position.
#[test]
fn a_line_that_is_too_long_is_forgotten_and_so_is_the_position() {
    let now = Instant::now();
    let mut journal = after("position startpos\n", now);
    let long = format!("position startpos moves{}", " e2e4".repeat(20_000));
    for piece in long.as_bytes().chunks(1024) {
        journal.client(piece, now);
        assert!(journal.waiting() <= MAX_LINE + 1);
    }
    journal.lose(now, 0);
    journal.resume(now);
    let up = journal.server(b"uciok\nreadyok\n", now).up;
    assert!(up.len() > MAX_LINE && up.iter().all(|&byte| byte == b'x'), "its end is no line");
    journal.client(b"\ngo depth 3\n", now);
    assert_eq!(
        told(&mut journal, now, now),
        ("uci\nposition\nisready\n".to_owned(), "go depth 3\n".to_owned())
    );
}

#[test]
fn the_farewell_of_a_server_is_not_for_the_client() {
    let now = Instant::now();
    let mut journal = after("position startpos\ngo infinite\n", now);
    assert_eq!(server(&mut journal, &format!("info string {}\n", DrainCause::Command.remark()), now), "");
    assert!(journal.can_be_resumed() && !journal.is_refused());
}

#[test]
fn a_server_that_refuses_is_not_heard() {
    let now = Instant::now();
    for refusal in ["tellusererror The server is full.\n", "info string The server is full.\n"] {
        let mut journal = Journal::new();
        journal.client(b"uci\n", now);
        assert_eq!(server(&mut journal, refusal, now), "");
        assert!(journal.is_refused() && !journal.can_be_resumed());
        assert_eq!(journal.lose(now, 0).as_deref(), Some("The server is full."));
        assert_eq!(journal.resume(now).up, b"uci\nisready\n");
        let passed = journal.server(&[OPTIONS, b"readyok\n"].concat(), now);
        assert_eq!(passed.down, OPTIONS);
    }
}

#[test]
fn a_remark_that_comes_first_is_held_back_for_a_moment() {
    let now = Instant::now();
    let mut journal = Journal::new();
    journal.client(b"setoption name x\n", now);
    assert_eq!(server(&mut journal, "info string option x: no\n", now), "");
    assert_eq!(own(&mut journal, now), "");
    let until = journal.deadline().expect("an end");
    assert_eq!(own(&mut journal, until), "info string option x: no\n");
    assert!(!journal.is_refused() && journal.deadline().is_none());
}

/// A defect ends a session, and would end the next one.
#[test]
fn what_two_servers_have_failed_at_is_not_asked_of_a_third() {
    let now = Instant::now();
    let defect = format!("info string {INTERNAL_ERROR}\n");
    let mut journal = after("position startpos\ngo depth 3\n", now);
    for _ in 0..2 {
        assert!(journal.owes());
        server(&mut journal, &defect, now);
        told(&mut journal, now, now);
    }
    assert!(!journal.owes());
    let mut journal = after("position startpos\n", now);
    for _ in 0..2 {
        server(&mut journal, &defect, now);
        journal.lose(now, 0);
        journal.resume(now);
    }
    let mut journal_after = journal.clone();
    assert_eq!(told(&mut journal_after, now, now).0, "uci\nisready\n");
}

#[test]
fn nothing_follows_quit() {
    let now = Instant::now();
    let mut journal = after("quit\ngo depth 3\nisready\n", now);
    assert!(journal.said_quit() && !journal.owes());
    assert!(told(&mut journal, now, now).1.ends_with("quit\n"));
}

#[test]
fn a_session_that_no_server_can_end_is_hopeless() {
    let now = Instant::now();
    let mut journal = after("position startpos\ngo infinite\n", now);
    for _ in 0..MAX_VAIN {
        assert!(!journal.is_hopeless());
        told(&mut journal, now, now);
    }
    assert!(journal.is_hopeless());
    server(&mut journal, "bestmove e2e4\n", now);
    assert!(!journal.is_hopeless());
}

#[test]
fn a_line_without_an_end_is_not_taken() {
    let now = Instant::now();
    let mut journal = after("", now);
    assert!(!journal.server(&[b'x'; MAX_SERVER_LINE], now).endless);
    assert!(journal.server(b"x", now).endless);
}

#[test]
fn a_session_of_which_nothing_was_said_needs_nothing() {
    let now = Instant::now();
    let mut journal = Journal::new();
    assert!(journal.can_be_resumed());
    journal.lose(now, 0);
    assert_eq!(journal.resume(now), Passed::default());
    assert!(journal.is_passed_up());
    assert_eq!(journal.client(b"uci\n", now), b"uci\n");
}

const ROOM: &str = "info string farboard: another server has more room\n";

#[test]
fn the_session_moves_between_searches_and_the_client_hears_nothing_of_it() {
    let now = Instant::now();
    let mut journal = after("position startpos\n", now);
    assert_eq!(journal.moves_from(), None, "nobody has asked");
    assert_eq!(server(&mut journal, ROOM, now), "");
    assert_eq!(journal.moves_from(), Some(now));
    journal.client(b"go movetime 100\n", now);
    assert_eq!(journal.moves_from(), None, "a move is due");
    assert_eq!(server(&mut journal, "bestmove e2e4\n", now), "bestmove e2e4\n");
    journal.client(b"isready\n", now);
    assert_eq!(journal.moves_from(), None, "an answer is due");
    assert_eq!(server(&mut journal, "readyok\n", now), "readyok\n");
    assert_eq!(journal.moves_from(), Some(now));
    journal.leave(now);
    assert_eq!(own(&mut journal, now), "");
    assert_eq!(journal.resume(now).up, b"uci\nposition startpos\nisready\n");
    assert_eq!(server(&mut journal, "id name y\nuciok\nreadyok\n", now), "");
    assert_eq!((journal.moves_from(), journal.is_passed_up()), (None, true));
    // Where nobody could take over, nobody goes.
    let mut fresh = Journal::new();
    server(&mut fresh, ROOM, now);
    assert_eq!(fresh.moves_from(), None);
}

#[test]
fn an_analysis_is_left_alone_for_a_minute() {
    let now = Instant::now();
    let minute = Some(now + Duration::from_secs(60));
    for go in ["go infinite\n", "go ponder wtime 1000 btime 1000\n"] {
        let mut journal = after("position startpos\n", now);
        journal.client(go.as_bytes(), now);
        server(&mut journal, ROOM, now + Duration::from_secs(5));
        assert_eq!(journal.moves_from(), minute, "{go}");
        journal.stay();
        assert_eq!(journal.moves_from(), None, "{go}");
        server(&mut journal, ROOM, now + Duration::from_secs(5));
        journal.client(if go.contains("ponder") { b"ponderhit\n" } else { b"stop\n" }, now);
        assert_eq!(journal.moves_from(), None, "{go}");
    }
    let mut journal = after("position startpos\ngo perft 6\n", now);
    server(&mut journal, ROOM, now);
    assert_eq!(journal.moves_from(), None, "leaves are counted once");
}
