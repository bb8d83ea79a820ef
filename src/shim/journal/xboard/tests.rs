//! Conversations after which another server must be told the right thing.

use super::{Journal, Passed, SessionJournal};
use crate::protocol::xboard::looks_like_a_move;
use std::time::{Duration, Instant};

/// A journal between a client and a server played by a test.
struct Talk {
    journal: Journal,
    now: Instant,
    /// Numbers of unanswered pings of the journal.
    asked: Vec<String>,
}

impl Talk {
    fn new() -> Talk {
        let mut talk = Talk { journal: Journal::new(), now: Instant::now(), asked: Vec::new() };
        talk.client("xboard\nprotover 2\n");
        talk.server("feature ping=1 usermove=1 done=1\n");
        talk
    }

    /// Sends lines of the client. Returns what the server gets.
    fn client(&mut self, text: &str) -> String {
        let up = self.journal.client(text.as_bytes(), self.now);
        self.up(&up)
    }

    /// Sends lines of the server. Returns what the client gets.
    fn server(&mut self, text: &str) -> String {
        let Passed { down, up, .. } = self.journal.server(text.as_bytes(), self.now);
        self.up(&up);
        String::from_utf8(down).expect("ASCII")
    }

    fn up(&mut self, bytes: &[u8]) -> String {
        let text = String::from_utf8(bytes.to_vec()).expect("ASCII");
        self.asked.extend(text.lines().filter_map(|line| line.strip_prefix("ping 19")).map(str::to_owned));
        text
    }

    /// The server answers the oldest ping of the journal.
    fn pong(&mut self) {
        let number = self.asked.remove(0);
        assert_eq!(self.server(&format!("pong 19{number}\n")), "");
    }

    /// The server dies, but not of its last line. Returns what the next one gets.
    fn fail_over(&mut self) -> Vec<String> {
        self.journal.lose(self.now + Duration::from_secs(2), 0);
        let mut told = String::from_utf8(self.journal.resume(self.now).up).expect("ASCII");
        let ping = told.lines().last().expect("a ping").replace("ping", "pong");
        let Passed { up, .. } = self.journal.server(format!("{ping}\n").as_bytes(), self.now);
        told.push_str(str::from_utf8(&up).expect("ASCII"));
        told.lines().filter(|line| !line.starts_with("ping 19")).map(str::to_owned).collect()
    }
}

#[test]
fn user_is_told_once_of_an_outage_and_once_of_its_end() {
    let mut talk = Talk::new();
    talk.client("post\nnew\nusermove e2e4\n");
    let since = talk.now;
    talk.journal.lose(since, 0);
    assert!(talk.journal.deadline().is_some_and(|at| at <= since), "without delay");
    let told = talk.journal.tick(since).down;
    assert_eq!(told, b"0 0 0 0 (The server is away: farboard-connect is looking for another one)\n");
    assert_eq!(talk.journal.tick(since), Passed::default());

    // Another server is lost before it has the session.
    talk.journal.resume(since);
    talk.journal.lose(since, 1);
    assert_eq!(talk.journal.tick(since), Passed::default());

    let until = since + Duration::from_millis(1300);
    let up = String::from_utf8(talk.journal.resume(until).up).expect("ASCII");
    let ping = up.lines().last().expect("a ping").replace("ping", "pong");
    let down = talk.journal.server(format!("{ping}\nmove e7e5\n").as_bytes(), until).down;
    assert_eq!(down, b"0 0 0 0 (The session goes on after 1.3 seconds)\nmove e7e5\n");
}

#[test]
fn outages_are_not_mentioned_before_the_features_nor_in_the_book_nor_where_no_thinking_is_shown() {
    let now = Instant::now();
    let mut journal = Journal::new();
    journal.client(b"xboard\nprotover 2\npost\n", now);
    journal.server(b"feature ping=1\n", now);
    journal.lose(now, 0);
    assert_eq!(journal.tick(now).down, b"");

    let mut talk = Talk::new();
    talk.client("post\nbk\n");
    talk.server(" e4 50%\n");
    talk.journal.lose(now, 0);
    assert_eq!(talk.journal.tick(now).down, b"");

    let mut talk = Talk::new();
    talk.client("post\n");
    talk.journal.leave(now);
    assert_eq!(talk.journal.tick(now).down, b"");

    let mut talk = Talk::new();
    talk.client("post\nnopost\n");
    talk.journal.lose(now, 0);
    assert_eq!(talk.journal.tick(now).down, b"");
}

#[test]
fn of_two_moves_alike_the_one_that_was_obeyed_is_kept() {
    let mut talk = Talk::new();
    talk.client("force\ne1g1\n");
    let up = talk.client("usermove h7h5\ne1g1\n");
    assert!(up.starts_with("usermove h7h5\nping "), "{up}");
    talk.pong();
    talk.server("Illegal move: e1g1\n");
    assert_eq!(talk.fail_over()[2..], ["force", "e1g1", "usermove h7h5"]);

    talk.client("e2e4\ne2e4\n");
    talk.server("Illegal move: e2e4\n");
    talk.pong();
    assert_eq!(talk.fail_over()[2..], ["force", "e1g1", "usermove h7h5", "e2e4"], "the second");
}

#[test]
fn a_result_that_a_server_has_heard_is_told_to_the_next_one_before_who_plays() {
    let mut talk = Talk::new();
    talk.client("new\ne2e4\n");
    talk.server("move e7e5\n");
    let up = talk.client("result 1-0 {Black resigns}\n");
    assert!(up.starts_with("result 1-0 {Black resigns}\nping 19"), "{up}");
    talk.pong();
    let told = talk.fail_over();
    assert_eq!(told[told.len() - 2..], ["result 1-0 {Black resigns}", "playother"]);
}

#[test]
fn another_server_knows_the_partner_and_what_it_wants() {
    let mut talk = Talk::new();
    talk.client("new\nvariant bughouse\npartner mann\nptell need n\npartner mann\nptell he has 0:40\nptell he has 0:30\n");
    talk.client("ptell sit\nusermove e2e4\n");
    talk.client("holding [] [N] BN\n");
    talk.server("move N@e3\n");
    talk.client("ping 7\n");
    talk.server("pong 7\n");
    let told = talk.fail_over();
    let settings = ["variant bughouse", "partner mann", "ptell need n", "ptell he has 0:30", "force"];
    let game = ["usermove e2e4", "holding [] [N] BN", "usermove N@e3"];
    assert_eq!(told[3..8], settings, "it has sat, and moved");
    assert_eq!(told[8..11], game, "the piece came before it was dropped");

    talk.client("ptell i have 0:50\nptell my clock 0:40, opponent 0:20\nptell time 3000\nping 10\n");
    talk.server("pong 10\n");
    let told = talk.fail_over().into_iter().filter(|line| line.starts_with("ptell")).collect::<Vec<_>>();
    assert_eq!(told, ["ptell need n", "ptell my clock 0:40, opponent 0:20", "ptell time 3000"], "in order");

    talk.client("ptell sit\nptell fast\nping 9\n");
    talk.server("pong 9\n");
    assert!(talk.fail_over().iter().any(|line| line == "ptell sit"), "it has not moved since");

    talk.client("partner other\nping 8\n");
    talk.server("pong 8\n");
    assert!(!talk.fail_over().iter().any(|line| line.starts_with("ptell")), "that was somebody else");
}

#[test]
fn move_that_was_obeyed_is_not_the_one_that_came_out_of_turn() {
    let mut talk = Talk::new();
    talk.client("force\na8c7\nb4a3\nc7a8\na3a4\n");
    assert!(talk.client("go\n").starts_with("ping "));
    talk.client("a8c7\n");
    talk.pong();
    talk.server("Illegal move (wrong turn): a8c7\nmove a8c7\n");
    let told = talk.fail_over();
    assert_eq!(told[2..8], ["force", "a8c7", "b4a3", "c7a8", "a3a4", "usermove a8c7"]);
}

#[test]
fn complaint_that_says_nothing_of_turns_is_about_no_move_out_of_turn() {
    let mut talk = Talk::new();
    talk.client("force\nsetboard 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1\ngo\n");
    talk.pong();
    talk.server("1/2-1/2 {Stalemate}\n");
    talk.client("e7e8q\nusermove h8h7\nremove\nusermove e7e8q\n");
    talk.server("Illegal move: e7e8q\nIllegal move: h8h7\n");
    let told = talk.fail_over();
    assert_eq!(told[told.len() - 2..], ["remove", "usermove e7e8q"]);
}

#[test]
fn move_belongs_to_whom_the_engine_played_last() {
    let mut talk = Talk::new();
    talk.client("force\ne2e4\nplayother\n");
    talk.asked.clear();
    talk.client("setboard 8/8/8/8/8/8/8/8 w - - 0 1\n");
    talk.client("g7g5\nplayother\nusermove c3d5\n");
    talk.server("tellusererror Illegal position: no kings\n");
    while !talk.asked.is_empty() {
        talk.pong();
    }
    talk.server("move a7a6\n");
    let told = talk.fail_over();
    assert_eq!(told[2..8], ["force", "e2e4", "g7g5", "usermove c3d5", "usermove a7a6", "playother"]);
}

#[test]
fn an_option_is_one_setting_however_it_is_written() {
    let mut talk = Talk::new();
    talk.client("option Skill Level=3\noption MultiPV=2\noption SkillLevel=5\nping 1\n");
    talk.server("pong 1\n");
    assert_eq!(talk.fail_over(), ["xboard", "protover 2", "option MultiPV=2", "option SkillLevel=5"]);
}

#[test]
fn button_without_an_answer_is_not_the_one_that_is_answered_with_features() {
    let mut talk = Talk::new();
    talk.client("option ClearHash\noption Defaults\n");
    talk.server("feature option=\"MultiPV -spin 1 1 32\"\nfeature done=1\n");
    assert_eq!(talk.fail_over(), ["xboard", "protover 2"]);
}

#[test]
fn result_that_is_said_late_is_still_that_of_the_engines_move() {
    let mut talk = Talk::new();
    talk.client("force\nsetboard 7k/8/6K1/5Q2/8/8/8/8 w - - 0 1\n");
    talk.pong();
    talk.client("go\n");
    talk.server("move f5f8\n1-0 {White ma");
    talk.client("usermove h8h7\n");
    talk.server("tes}\n");
    let told = talk.fail_over();
    assert_eq!(told.last().map(String::as_str), Some("usermove h8h7"), "it has no answer: {told:?}");
}

#[test]
fn whether_a_move_is_due_is_asked_while_a_position_may_be_refused() {
    let mut talk = Talk::new();
    talk.client("force\ne2e4\nplayother\n");
    talk.client("setboard 8/8/8/8/8/8/8/8 w - - 0 1\nsd 5\n");
    assert!(talk.client("undo\n").contains("\nping "));
}

#[test]
fn hint_that_was_not_given_before_the_next_move_is_not_wanted_any_more() {
    let mut talk = Talk::new();
    talk.client("new\nhint\nping 7\nusermove e2e4\nd2d4\n");
    talk.server("Illegal move (wrong turn): d2d4\nmove e7e5\n");
    let told = talk.fail_over();
    assert!(!told.contains(&"hint".to_owned()), "{told:?}");
    assert_eq!(told.last().map(String::as_str), Some("ping 7"), "which waited for the move");
}

#[test]
fn hint_that_was_not_given_has_settled_who_is_on_move() {
    let mut talk = Talk::new();
    talk.client("force\ne2e4\ne7e5\nping 7\n");
    talk.server("pong 7\n");
    // Since the game is turned twice, its moves cannot be taken back any more.
    talk.client("black\nhint\nwhite\nusermove hello\n");
    talk.server("Illegal move: hello\n");
    let told = talk.fail_over();
    let turns = told.iter().skip_while(|line| *line != "e7e5").filter(|line| *line == "include all");
    assert_eq!(turns.count(), 2, "{told:?}");
}

#[test]
fn a_move_that_is_pondered_on_is_on_the_board() {
    let mut talk = Talk::new();
    talk.client("new\nforce\ne2e4\ne7e5\nponder g1f3\nexclude b8c6\n");
    talk.pong();
    let told = talk.fail_over();
    assert_eq!(told[told.len() - 2..], ["ponder g1f3", "exclude b8c6"], "{told:?}");
    assert!(!told.contains(&"g1f3".to_owned()), "{told:?}");
}

#[test]
fn a_move_that_was_pondered_on_is_made_once() {
    // The opponent has made the move, or another one, or the client plays on from it.
    for (line, answer, moves) in [
        ("usermove g1f3", "move b8c6", &["e2e4", "e7e5", "usermove g1f3", "usermove b8c6"][..]),
        ("usermove f1c4", "move b8c6", &["e2e4", "e7e5", "usermove f1c4", "usermove b8c6"]),
        ("force\nb8c6\nping 7", "pong 7", &["e2e4", "e7e5", "g1f3", "b8c6"]),
        ("undo\nping 7", "pong 7", &["e2e4", "e7e5"]),
    ] {
        let mut talk = Talk::new();
        talk.client(&format!("new\nforce\ne2e4\ne7e5\nponder g1f3\n{line}\n"));
        talk.server(&format!("{answer}\n"));
        let told = talk.fail_over();
        let made = told.iter().filter(|line| looks_like_a_move(line.trim_start_matches("usermove ")));
        assert_eq!(made.collect::<Vec<_>>(), moves, "{line}: {told:?}");
    }
}

#[test]
fn a_variant_that_was_refused_leaves_the_game_as_it_is() {
    let mut talk = Talk::new();
    talk.client("new\nvariant crazyhouse\nforce\ne2e4\nvariant shogi\n");
    talk.server("Error (unsupported variant): variant shogi\n");
    let told = talk.fail_over();
    let variants: Vec<_> = told.iter().filter(|line| line.starts_with("variant")).collect();
    assert!(variants == ["variant crazyhouse"] && told.contains(&"e2e4".to_owned()), "{told:?}");
}

#[test]
fn pieces_in_hand_are_told_where_they_were() {
    let mut talk = Talk::new();
    talk.client("new\nvariant crazyhouse\nforce\nholding [QN] []\nQ@e3\nholding [N] []\nd7d5\n");
    let told = talk.fail_over();
    let lines = ["variant crazyhouse", "force", "holding [QN] []", "Q@e3", "holding [N] []", "d7d5"];
    assert!(told.ends_with(&lines.map(str::to_owned)), "{told:?}");
}

#[test]
fn a_move_that_is_none_is_not_made_again() {
    let mut talk = Talk::new();
    talk.client("new\nforce\nusermove a name? of 30 bytes or even more\nusermove e2e4\n");
    talk.server("Illegal move: a na_me_ of 30 bytes or even more\n");
    let told = talk.fail_over();
    assert!(told.iter().all(|line| !line.contains("name?")), "{told:?}");
    assert!(told.contains(&"usermove e2e4".to_owned()), "{told:?}");
}

/// A journal after a server that died of these lines.
fn after_one_death(lines: &str) -> Talk {
    let mut talk = Talk::new();
    talk.client("new\nforce\nping 1\n");
    talk.server("pong 1\n");
    talk.client(lines);
    talk.journal.lose(talk.now, 0);
    talk
}

impl Talk {
    /// Another server has come and has got the state. Returns what the client gets, and what the server gets
    /// then.
    fn take_over(&mut self) -> (String, String) {
        self.asked.clear();
        let passed = self.journal.resume(self.now);
        let told = String::from_utf8(passed.up).expect("ASCII");
        let pong = told.lines().last().expect("a ping").replace("ping", "pong");
        let Passed { up, .. } = self.journal.server(format!("{pong}\n").as_bytes(), self.now);
        (String::from_utf8(passed.down).expect("ASCII"), told + &self.up(&up))
    }

    /// The same, with what the server gets when it has answered everything.
    fn take_over_and_answer(&mut self) -> (String, String) {
        let (down, mut told) = self.take_over();
        while !self.asked.is_empty() {
            let Passed { up, .. } =
                self.journal.server(format!("pong 19{}\n", self.asked.remove(0)).as_bytes(), self.now);
            told += &self.up(&up);
        }
        (down, told)
    }
}

#[test]
fn line_after_which_two_servers_died_is_not_said_to_a_third() {
    for (line, answer) in [
        ("usermove e2e4", "Illegal move: e2e4\n"),
        ("d2d4", "Illegal move: d2d4\n"),
        ("go", ""),
        ("setboard 8/8/8/8/8/8/8/8 w - - 0 1", ""),
        ("option Nonsense=1", ""),
        ("ping 77", "pong 77\n"),
    ] {
        let mut talk = after_one_death(&format!("post\n{line}\nhint\n"));
        let (down, told) = talk.take_over();
        assert_eq!(down, "");
        assert!(told.contains("post\n") && !told.contains(line), "first only what may be fatal: {told}");
        let more = talk.journal.server(format!("pong 19{}\n", talk.asked.remove(0)).as_bytes(), talk.now).up;
        assert!(talk.up(&more).starts_with(&format!("{line}\n")), "then the next");
        talk.journal.lose(talk.now, 1);

        let (down, told) = talk.take_over_and_answer();
        assert!(!told.contains(line) && told.contains("hint\n"), "{line}: {told}");
        assert!(down.contains("tellusererror ") && down.contains("Two servers were lost"), "{down}");
        assert!(down.contains(line) && down.ends_with(answer), "{down}");
        assert_eq!(down.starts_with("resign\n"), line == "go", "{down}");
        assert_eq!(down.contains("Illegal position"), line.starts_with("setboard"), "{down}");
        assert!(talk.journal.can_be_resumed());
        talk.client("ping 99\n");
        assert_eq!(talk.server("pong 99\n"), "pong 99\n", "the session goes on");
    }
}

#[test]
fn position_of_which_two_servers_died_is_not_set_up_at_all() {
    let mut talk = after_one_death("edit\n#\nKe1\nQe8\n.\nping 5\n");
    let (_, told) = talk.take_over();
    assert!(told.contains("\nedit\n#\nKe1\nQe8\n.\n"), "without questions in between: {told}");
    talk.journal.lose(talk.now, 1);
    let (down, told) = talk.take_over_and_answer();
    assert!(down.starts_with("tellusererror Illegal position: Two servers were lost"), "{down}");
    assert!(!["edit", "Ke1", "Qe8"].iter().any(|line| told.contains(line)), "{told}");
    assert!(told.contains("ping 5\n"), "{told}");
}

#[test]
fn what_comes_while_a_move_is_due_is_said_at_once() {
    let mut talk = after_one_death("go\n?\n");
    assert!(talk.take_over().1.contains("go\n?\n"));
    talk.journal.lose(talk.now, 1);
    let (down, told) = talk.take_over_and_answer();
    assert!(down.starts_with("resign\ntellusererror Two servers") && !told.contains("go\n"), "{down}");
    assert!(told.contains("?\n"), "{told}");
}

#[test]
fn connections_to_one_server_may_break_unless_it_has_died_for_certain() {
    type Die = fn(&mut Talk);
    let dies: [(&str, Die); 3] = [
        ("the connection breaks", |talk| drop(talk.journal.lose(talk.now, 0))),
        ("it cannot be reached", |talk| {
            talk.journal.lose(talk.now, 0);
            talk.journal.confirm_death();
        }),
        ("it says so", |talk| {
            talk.server("tellusererror a defect of this server has ended the session; its log says where\n");
            talk.journal.lose(talk.now, 0);
        }),
    ];
    for (what, die) in dies {
        let mut talk = after_one_death("usermove e2e4\n");
        let mut times = 0;
        while times < 5 && talk.take_over().1.contains("usermove e2e4") {
            die(&mut talk);
            times += 1;
        }
        assert_eq!(times, if what == "the connection breaks" { 5 } else { 2 }, "{what}");
    }
}

#[test]
fn what_a_server_has_survived_it_has_not_died_of() {
    let mut talk = after_one_death("go\n");
    for _ in 0..5 {
        let (down, told) = talk.take_over();
        assert_eq!(down, "");
        assert!(told.contains("go\n"), "{told}");
        talk.now += Duration::from_secs(2);
        talk.journal.lose(talk.now, 1);
    }
    // A server that says why it goes has not died.
    let mut talk = after_one_death("go\n");
    for _ in 0..5 {
        assert!(talk.take_over().1.contains("go\n"));
        talk.server("tellusererror The server is shutting down.\n");
        talk.journal.lose(talk.now, 1);
    }
}

#[test]
fn lines_in_doubt_are_said_though_the_server_has_no_answer_yet() {
    let mut talk = after_one_death("post\nhard\n");
    let (_, told) = talk.take_over();
    assert!(told.contains("post\n") && !told.contains("hard\n"), "{told}");
    assert_eq!(talk.client("easy\n"), "", "in its turn");
    assert!(talk.journal.deadline().is_some_and(|at| at <= talk.now + Duration::from_secs(1)));
    talk.now += Duration::from_secs(1);
    let told = talk.journal.tick(talk.now).up;
    let told = talk.up(&told);
    assert!(told.starts_with("hard\n") && told.contains("easy\n"), "{told}");
    assert_eq!(talk.client("nopost\n"), "nopost\n", "at once, as ever");
}

const ROOM: &str = "# farboard: another server has more room\n";

#[test]
fn the_session_moves_when_no_move_is_due_and_the_client_does_not_see_why() {
    let mut talk = Talk::new();
    talk.client("new\nusermove e2e4\n");
    assert_eq!(talk.journal.moves_from(), None, "nobody has asked");
    assert_eq!(talk.server(ROOM), "");
    assert_eq!(talk.journal.moves_from(), None, "a move is due");
    assert_eq!(talk.server("move e7e5\n"), "move e7e5\n");
    assert_eq!(talk.journal.moves_from(), Some(talk.now));
    talk.client("ping 1\n");
    assert_eq!(talk.journal.moves_from(), None, "an answer is due");
    talk.server("pong 1\n");
    assert!(talk.journal.moves_from().is_some());
    talk.journal.leave(talk.now);
    assert_eq!(talk.journal.moves_from(), None, "it is on its way");
    let told = String::from_utf8(talk.journal.resume(talk.now).up).expect("ASCII");
    assert!(told.contains("usermove e2e4\nusermove e7e5\n"), "{told}");
    // Similar words are for the client.
    let mut talk = Talk::new();
    assert_eq!(talk.server("# another server has more room\n"), "# another server has more room\n");
    assert_eq!(talk.journal.moves_from(), None);
}

#[test]
fn an_analysis_is_left_alone_for_a_minute_and_questions_do_not_count() {
    let mut talk = Talk::new();
    talk.client("new\npost\nanalyze\n");
    let began = talk.now;
    talk.now += Duration::from_secs(5);
    talk.server(ROOM);
    let minute = Some(began + Duration::from_secs(60));
    assert_eq!(talk.journal.moves_from(), minute);
    talk.now += Duration::from_secs(20);
    talk.client(".\n");
    assert_eq!(talk.journal.moves_from(), minute);
    let stirred = talk.now;
    talk.client("usermove e2e4\n");
    assert_eq!(talk.journal.moves_from(), Some(stirred + Duration::from_secs(60)));
    talk.journal.stay();
    assert_eq!(talk.journal.moves_from(), None);
}

#[test]
fn no_line_is_blamed_for_a_move_to_another_server() {
    let mut talk = Talk::new();
    for _ in 0..3 {
        talk.client("usermove e2e4\nusermove e7e5\nforce\n");
        talk.server(ROOM);
        talk.journal.leave(talk.now);
        let Passed { down, up, .. } = talk.journal.resume(talk.now);
        assert_eq!(down, b"");
        let ping =
            String::from_utf8(up).expect("ASCII").lines().last().expect("a ping").replace("ping", "pong");
        let Passed { down, .. } = talk.journal.server(format!("{ping}\n").as_bytes(), talk.now);
        assert_eq!(down, b"");
    }
}
