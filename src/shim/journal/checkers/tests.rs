//! Sessions that lose their server, at every place, beside one that does not.

use super::*;
use crate::book::Books;
use crate::pool::SearchOrder;
use crate::session::checkers::{Manners, Session};
use crate::session::{Effect, Input, Profile, Setup};
use std::sync::Arc;

/// A server, whose searches wait for the time to pass and then play the same move in the same position.
struct Server {
    session: Session,
    now: Instant,
    timer: Option<Instant>,
    unfinished: Vec<u8>,
    out: String,
}

impl Server {
    fn new(now: Instant) -> Server {
        let profile = Arc::new(Profile::new("Farboard", Books::default()));
        let session = Session::new(Setup { seed: 1, identity: 1, profile }, Manners::default());
        let mut server = Server { session, now, timer: None, unfinished: Vec::new(), out: String::new() };
        let mut effects = Vec::new();
        server.session.open(&mut effects);
        server.obey(effects);
        server
    }

    fn obey(&mut self, effects: Vec<Effect<crate::protocol::checkers::Reply>>) {
        for effect in effects {
            match effect {
                Effect::Send(reply) => self.out.push_str(&reply.line()),
                Effect::Timer(at) => self.timer = at,
                Effect::Search(_, SearchOrder::Start(..) | SearchOrder::Stop)
                | Effect::SolveEndgames(_)
                | Effect::Close => {}
                Effect::Search(..) | Effect::FileRequest(_) => panic!("not here"),
            }
        }
    }

    fn bytes(&mut self, bytes: &[u8]) {
        self.unfinished.extend_from_slice(bytes);
        while let Some(end) = self.unfinished.iter().position(|&byte| byte == b'\n') {
            let line: Vec<u8> = self.unfinished.drain(..=end).collect();
            self.input(Input::Line(&line[..end]));
        }
    }

    fn input(&mut self, input: Input<'_>) {
        let mut effects = Vec::new();
        self.session.handle(input, self.now, &mut effects);
        self.obey(effects);
    }

    /// Time is up for every move.
    fn finish(&mut self) {
        while let Some(at) = self.timer.take() {
            self.now = self.now.max(at);
            self.input(Input::Timer);
        }
    }
}

const SESSION: &str = "NEWGAME\nINIT\nGETPARAMETERS\nGETPARAMETER depth\nSETPARAMETER depth 5\nSETPARAMETER nothing 1\n\
    MOVE 22x18\nGO\nGO\nMOVE 22x22\nGETPARAMETER depth\nSTOP\nGO dontplaymove\nMOVE nonsense\nNEWGAME W:W18,22,K30:B1,K5\n\
    GO\nINIT\nNEWGAME 9x14 9x14\nGO\nMOVE 1x1\nGETNAME\nGO\nNEWGAME B:W10:B\nGO\nNEWGAME 9x14\nSTOP\nGETPARAMETER depth\n";

/// What a client hears whose server dies at these bytes, before it has read them or, if `is_silent`, with its answer to them unsaid.
/// Also what is on the board of the last server.
fn heard(kills: &[usize], is_silent: bool) -> (Vec<String>, String) {
    let now = Instant::now();
    let mut journal = Journal::new();
    let mut server = Server::new(now);
    let mut heard = String::new();
    let deliver = |journal: &mut Journal, server: &mut Server, heard: &mut String| {
        let passed = journal.server(std::mem::take(&mut server.out).as_bytes(), now);
        assert!(passed.up.is_empty() && !passed.endless);
        heard.push_str(std::str::from_utf8(&passed.down).expect("text"));
    };
    deliver(&mut journal, &mut server, &mut heard);
    for (index, piece) in SESSION.as_bytes().chunks(1).enumerate() {
        let dies = kills.contains(&index);
        if dies && !is_silent {
            replace(&mut journal, &mut server);
            deliver(&mut journal, &mut server, &mut heard);
        }
        let up = journal.client(piece, now);
        server.bytes(&up);
        if dies && is_silent {
            replace(&mut journal, &mut server);
        }
        deliver(&mut journal, &mut server, &mut heard);
    }
    server.finish();
    deliver(&mut journal, &mut server, &mut heard);
    assert!(!journal.owes() && !journal.is_catching_up(), "{journal:?}");
    (heard.lines().map(str::to_owned).collect(), server.session.game().position().fen())
}

fn replace(journal: &mut Journal, server: &mut Server) {
    assert!(journal.can_be_resumed());
    assert_eq!(journal.lose(server.now, 0), None);
    *server = Server::new(server.now);
    let up = journal.resume(server.now).up;
    server.bytes(&up);
}

/// What matters: alerts are remarks, and those to what was said again are known.
fn answers(lines: &[String]) -> Vec<&String> {
    lines.iter().filter(|line| !line.starts_with("ALERT ")).collect()
}

#[test]
fn a_session_outlives_its_server_at_every_byte() {
    let (undisturbed, board) = heard(&[], false);
    assert_eq!(undisturbed.iter().filter(|line| line.starts_with("BESTMOVE ")).count(), 4, "{undisturbed:?}");
    for is_silent in [false, true] {
        for kill in 0..SESSION.len() {
            let (lines, after) = heard(&[kill], is_silent);
            assert_eq!(answers(&lines), answers(&undisturbed), "killed at {kill}");
            assert_eq!(after, board, "killed at {kill}");
        }
        let all: Vec<usize> = (0..SESSION.len()).collect();
        let (lines, after) = heard(&all, is_silent);
        assert_eq!((answers(&lines), &after), (answers(&undisturbed), &board), "killed all the time");
    }
}

#[test]
fn what_is_said_again_has_moves_in_place_of_their_searches() {
    let now = Instant::now();
    let mut journal = Journal::new();
    journal.server(b"READY\n", now);
    journal.client(b"INIT\nGO\nMOVE 22x17\nGO dontplaymove\n", now);
    journal.server(b"INFO nodes 1 eval 0 time 0.1\nBESTMOVE 11x15\nBESTMOVE 9x13\n", now);
    journal.client(b"GO\nST", now);
    journal.lose(now, 0);
    assert!(journal.client(b"OP\nGETPARAMETER depth\n", now).is_empty());
    let up = String::from_utf8(journal.resume(now).up).unwrap();
    assert_eq!(up, "INIT\nMOVE 11x15\nMOVE 22x17\nGETNAME\nGO\nSTOP\nGETPARAMETER depth\n");
    let down = journal.server(b"READY\nALERT again\nNAME x\nBESTMOVE 8x11\nNAME y\n", now).down;
    assert_eq!(down, b"BESTMOVE 8x11\nNAME y\n");
}

/// One that was refused stands between them, and one that was not has had its answer before it.
#[test]
fn a_search_that_is_refused_behind_a_new_game_is_the_right_one() {
    let now = Instant::now();
    let mut journal = Journal::new();
    journal.server(b"READY\n", now);
    journal.client(b"INIT\nGO\nGO dontplaymove\nNEWGAME\nGO\n", now);
    journal.server(b"ALERT it still thinks about its move\nBESTMOVE 9x13\n", now);
    journal.lose(now, 0);
    assert_eq!(journal.resume(now).up, b"INIT\nMOVE 9x13\nNEWGAME\nGETNAME\nGO\n");
}

#[test]
fn totals_of_a_search_do_not_run_backwards() {
    let now = Instant::now();
    let mut journal = Journal::new();
    journal.server(b"READY\n", now);
    journal.client(b"INIT\nGO\n", now);
    journal.server(b"INFO nodes 100 eval 0 time 0.500\n", now);
    journal.lose(now, 0);
    journal.resume(now);
    let down = journal.server(
        b"READY\nNAME x\nINFO nodes 90 eval 0 time 0.3\nINFO nodes 200 eval 0 time 0.6\nBESTMOVE 9x13\n",
        now,
    );
    assert_eq!(down.down, b"INFO nodes 200 eval 0 time 0.6\nBESTMOVE 9x13\n");
}

#[test]
fn a_server_that_refuses_is_not_heard() {
    let now = Instant::now();
    let mut journal = Journal::new();
    assert!(journal.server(b"ALERT the server is full\n", now).down.is_empty());
    assert!(journal.is_refused() && !journal.can_be_resumed());
    assert_eq!(journal.lose(now, 0).as_deref(), Some("the server is full"));
    assert_eq!(journal.complaint("the server is full"), "ALERT the server is full\n");
    assert_eq!(journal.resume(now).up, b"");
    assert_eq!(journal.server(b"READY\n", now).down, b"READY\n");
}

#[test]
fn the_farewell_of_a_server_is_not_for_the_client() {
    let now = Instant::now();
    let mut journal = Journal::new();
    journal.server(b"READY\n", now);
    assert!(journal.server(b"ALERT the server is shutting down\n", now).down.is_empty());
    assert!(journal.can_be_resumed() && !journal.is_refused());
    journal.client(b"QUIT\n", now);
    assert!(journal.said_quit());
}

#[test]
fn a_client_that_says_too_much_keeps_its_server_and_no_more() {
    let now = Instant::now();
    let mut journal = Journal::new();
    journal.server(b"READY\n", now);
    for _ in 0..200_000 {
        journal.client(b"MOVE 9x13\n", now);
    }
    assert!(!journal.can_be_resumed());
    let mut other = Journal::new();
    other.server(b"READY\n", now);
    for _ in 0..200_000 {
        other.client(b"NEWGAME\nMOVE 9x13\n", now);
    }
    assert!(other.can_be_resumed() && other.told.bytes() < 1 << 19);
}

/// A journal whose server is there, and what is owed after these lines and answers.
fn owed(lines: &[u8], answers: &[u8]) -> Vec<String> {
    let now = Instant::now();
    let mut journal = Journal::new();
    journal.server(b"READY\n", now);
    journal.client(lines, now);
    journal.server(answers, now);
    journal.told.due()
}

#[test]
fn what_was_refused_is_not_owed() {
    let nothing = Vec::<String>::new();
    assert_eq!(owed(b"GETPARAMETER\tnope\n", b"ALERT there is no such parameter\n"), nothing);
    assert_eq!(owed(b"GO\n", b"ALERT a defect of the engine: it has found no move\n"), nothing);
    let padded = |line: &str| [line.as_bytes(), &[b' '; 1 << 16], b"\r\n"].concat();
    assert_eq!(owed(&padded("GO"), b""), nothing);
    assert_eq!(owed(&padded("GETPARAMETER depth"), b""), nothing);
    assert_eq!(owed(&[b"GO".as_slice(), &[b' '; (1 << 16) - 2], b"\r\n"].concat(), b"").len(), 1);
}

#[test]
fn an_alert_to_a_parameter_that_is_set_answers_no_question() {
    let unknown = b"ALERT there is no such parameter\n";
    assert_eq!(owed(b"SETPARAMETER x 1\nGETPARAMETER depth\n", unknown), ["GETPARAMETER depth"]);
    let lines = b"GETPARAMETER a\nSETPARAMETER x 1\nGETPARAMETER b\nSETPARAMETER y 1\n";
    assert_eq!(owed(lines, b""), ["GETPARAMETER a", "GETPARAMETER b"]);
    assert_eq!(owed(lines, unknown), ["GETPARAMETER b"]);
    assert_eq!(owed(lines, &unknown.repeat(2)), ["GETPARAMETER b"]);
    assert!(owed(lines, &unknown.repeat(3)).is_empty());
}

#[test]
fn a_session_that_no_server_can_end_is_hopeless() {
    let now = Instant::now();
    let mut journal = Journal::new();
    journal.server(b"READY\n", now);
    journal.client(b"GO\n", now);
    for _ in 0..MAX_VAIN {
        assert!(!journal.is_hopeless());
        journal.lose(now, 0);
        journal.resume(now);
        journal.server(b"READY\nNAME x\n", now);
    }
    assert!(journal.is_hopeless());
    journal.client(b"GETNAME\n", now);
    assert!(!journal.is_hopeless(), "that may be answered");
}

#[test]
fn nothing_follows_quit() {
    for lines in ["QUIT\n\n", "QUIT\nSTOP\n", "QUIT\nGO\n"] {
        let now = Instant::now();
        let mut journal = Journal::new();
        journal.server(b"READY\n", now);
        journal.client(lines.as_bytes(), now);
        assert!(journal.said_quit() && !journal.owes(), "{lines:?}");
    }
}

#[test]
fn a_server_that_dies_of_what_is_owed_makes_no_progress() {
    let now = Instant::now();
    let mut journal = Journal::new();
    journal.server(b"READY\n", now);
    journal.client(b"GO\n", now);
    journal.lose(now, 0);
    journal.resume(now);
    journal.server(b"READY\nNAME x\nINFO nodes 1 eval 0 time 0.3\n", now);
    assert!(!journal.is_catching_up() && !journal.has_progressed());
    journal.server(b"BESTMOVE 9x13\n", now);
    assert!(journal.has_progressed());
    journal.lose(now, 0);
    journal.resume(now);
    journal.server(b"READY\nNAME x\n", now);
    assert!(journal.has_progressed(), "nothing was owed");
}

#[test]
fn a_stop_at_the_end_of_a_game_stops_no_later_search() {
    let now = Instant::now();
    let mut journal = Journal::new();
    journal.server(b"READY\n", now);
    journal.client(b"NEWGAME B:W10:B\nGO\nSTOP\n", now);
    journal.server(b"ALERT the game is over: the side on move cannot move\n", now);
    journal.client(b"NEWGAME\nGO\n", now);
    journal.lose(now, 0);
    let up = String::from_utf8(journal.resume(now).up).unwrap();
    assert_eq!(up, "NEWGAME B:W10:B\nNEWGAME\nGETNAME\nGO\n");
}

#[test]
fn games_before_the_last_are_forgotten_when_there_is_much() {
    let now = Instant::now();
    let mut journal = Journal::new();
    journal.server(b"READY\n", now);
    journal.client(b"INIT\nSETPARAMETER level 5\n", now);
    let blanks = " ".repeat(10_000);
    for _ in 0..200 {
        let lines = format!("SETPARAMETER depth 4\nNEWGAME B:W21,22,K30:B1-4\nMOVE {blanks}1x5\nGO\n");
        journal.client(lines.as_bytes(), now);
        journal.server(b"BESTMOVE 21x17\n", now);
    }
    assert!(journal.can_be_resumed() && journal.told.bytes() < 1 << 19);
    journal.lose(now, 0);
    let up = String::from_utf8(journal.resume(now).up).unwrap();
    assert!(up.starts_with("INIT\nSETPARAMETER level 5\nSETPARAMETER depth 4\nNEWGAME B"), "{}", &up[..99]);
}

/// What would be forgotten if it had been played.
#[test]
fn a_game_that_was_refused_takes_the_place_of_none() {
    for is_heard in [true, false] {
        let now = Instant::now();
        let mut journal = Journal::new();
        journal.server(b"READY\n", now);
        journal.client(b"NEWGAME\nSETPARAMETER depth 4\nNEWGAME 9x14 9x14\nSETPARAMETER depth -1\n", now);
        let alerts = b"ALERT set-up move 2: wrong turn\nALERT the value must be a number from 0 to 100\n";
        if is_heard {
            journal.server(alerts, now);
        } else {
            journal.lose(now, 0);
            journal.resume(now);
            journal.server(&[b"READY\n", alerts.as_slice(), b"NAME x\n"].concat(), now);
        }
        for _ in 0..40 {
            let lines = format!("MOVE {}9x13\nGO\n", " ".repeat(10_000));
            journal.client(lines.as_bytes(), now);
            journal.server(b"BESTMOVE 21x17\n", now);
        }
        journal.lose(now, 0);
        let up = String::from_utf8(journal.resume(now).up).unwrap();
        assert!(up.starts_with("NEWGAME\nSETPARAMETER depth 4\nNEWGAME 9x14 9x14\nSET"), "{}", &up[..99]);
    }
}

#[test]
fn what_is_due_of_too_much_is_not_known() {
    let now = Instant::now();
    let mut journal = Journal::new();
    journal.server(b"READY\n", now);
    assert!(journal.knows_what_is_due());
    for _ in 0..100_000 {
        journal.client(b"GETPARAMETER depth\n", now);
    }
    assert!(!journal.knows_what_is_due() && !journal.can_be_resumed());
    assert_eq!(journal.waiting(), 0);
}

#[test]
fn a_line_without_an_end_takes_no_room() {
    let now = Instant::now();
    let mut journal = Journal::new();
    journal.server(b"READY\n", now);
    for _ in 0..200 {
        journal.client(&[b'x'; 1024], now);
        assert!(journal.waiting() <= MAX_LINE + 1);
    }
    journal.lose(now, 0);
    let up = journal.resume(now).up;
    assert!(up.starts_with(b"GETNAME\nxx") && up.len() > MAX_LINE + 8 && !up.ends_with(b"\n"));
    journal.client(b"\nGO\n", now);
    assert_eq!(journal.told.due(), ["GO"]);
}

#[test]
fn a_server_that_says_nothing_is_missed() {
    let now = Instant::now();
    let mut journal = Journal::since(now);
    assert_eq!(journal.unanswered_since(), Some(now));
    journal.lose(now, 0);
    assert_eq!(journal.unanswered_since(), None);
    let later = now + std::time::Duration::from_secs(1);
    journal.resume(later);
    assert_eq!(journal.unanswered_since(), Some(later));
    journal.server(b"READY\n", later);
    assert_eq!(journal.unanswered_since(), None);
}
