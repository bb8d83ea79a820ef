use super::*;
use crate::auth::Visibility;
use crate::book::Books;
use crate::chess::Move;
use crate::pool::{SearchEvent, SearchId, SearchOrder};
use crate::protocol::web::Request;
use crate::search::{Bound, Done, Info, Report, Score, move_word};
use crate::session::state::SessionState;
use crate::session::{FileRequest, FinishedGame, Profile, Takeover};
use std::sync::Arc;
use std::time::Duration;

mod sharing;
mod show;

/// A session with virtual time and searches by hand.
struct Table {
    session: Session,
    now: Instant,
    /// The running search.
    running: Option<SearchId>,
    timer: Option<Instant>,
    archived: Vec<FinishedGame>,
    closed: bool,
}

fn profile() -> Arc<Profile> {
    Arc::new(Profile { archives: true, ..Profile::new("Farboard", Books::default()) })
}

fn setup() -> Setup {
    Setup { seed: 1, identity: 1, profile: profile() }
}

impl Table {
    fn new() -> Table {
        Table {
            session: Session::new(setup()),
            now: Instant::now(),
            running: None,
            timer: None,
            archived: Vec::new(),
            closed: false,
        }
    }

    fn input(&mut self, input: Input<'_>) -> Vec<Message> {
        let mut effects = Vec::new();
        self.session.handle(input, self.now, &mut effects);
        let mut sent = Vec::new();
        for effect in effects {
            match effect {
                Effect::Send(Reply::Message(message)) => sent.push(message),
                Effect::Send(Reply::Http(_)) | Effect::SolveEndgames(_) => {}
                Effect::Search(id, SearchOrder::Start(..)) => self.running = Some(id),
                Effect::Search(id, SearchOrder::Stop) if self.running == Some(id) => self.running = None,
                Effect::Search(..) => {}
                Effect::Timer(at) => self.timer = at,
                Effect::FileRequest(FileRequest::Archive(game)) => self.archived.push(*game),
                Effect::FileRequest(_) => {}
                Effect::Close => self.closed = true,
            }
        }
        sent
    }

    /// Sends a line; the type of the first member is all that a test often needs.
    fn say(&mut self, line: &str) -> Vec<Message> {
        self.input(Input::Line(line.as_bytes()))
    }

    fn event(&mut self, event: SearchEvent) -> Vec<Message> {
        let id = self.running.expect("a search runs");
        if matches!(event, SearchEvent::Done(_)) {
            self.running = None;
        }
        self.input(Input::Search(id, event))
    }

    /// The search has found this line.
    fn finds(&mut self, score: i32, moves: &[&str]) -> Vec<Message> {
        let mut root = self.session.game.after(self.ply()).root();
        let mut pv = Vec::new();
        for text in moves {
            let mv = match root {
                crate::search::RootPosition::Chess(position) => position.parse_move(text).expect("legal"),
                crate::search::RootPosition::Draughts(position) => {
                    move_word(position.parse_move(text).expect("legal"))
                }
            };
            root.play(mv);
            pv.push(mv);
        }
        self.event(SearchEvent::Report(Report::Info(info(score, pv))))
    }

    fn ply(&self) -> usize {
        match self.session.task {
            Task::Review(review) => review.ply,
            Task::None | Task::Analysis => self.session.game.plies(),
        }
    }

    /// The search ends with what it has found.
    fn done(&mut self) -> Vec<Message> {
        let best = self.session.player.search().and_then(|search| search.variation().next());
        let score = self.session.player.search().and_then(|search| search.score()).unwrap_or(Score::DRAW);
        let done =
            Done { best, ponder: None, score, depth: 5, nodes: 1000, elapsed: Duration::from_millis(10) };
        self.event(SearchEvent::Done(done))
    }

    /// The engine plays a move with this score.
    fn engine_plays(&mut self, mv: &str, score: i32) -> Vec<Message> {
        let mut sent = self.finds(score, &[mv]);
        sent.extend(self.done());
        sent
    }

    /// Time passes until the timer, which fires.
    fn until_timer(&mut self) -> Vec<Message> {
        self.now = self.timer.take().expect("a timer").max(self.now);
        self.input(Input::Timer)
    }

    fn pass(&mut self, seconds: u64) {
        self.now += Duration::from_secs(seconds);
        assert!(self.timer.is_none_or(|timer| timer > self.now), "the timer fires earlier");
    }

    /// Another server takes over.
    fn taken_over(mut self) -> Table {
        let state = self.session.state(self.now);
        let session = Session::new(setup()).restored(&state, self.now);
        let session = session.unwrap_or_else(|error| panic!("{error}: {}", state.plain_text()));
        Table { session, timer: None, ..self }
    }
}

fn info(score: i32, pv: Vec<Move>) -> Info {
    Info {
        depth: 5,
        selective_depth: 7,
        score: Score(score),
        bound: Bound::Exact,
        elapsed: Duration::from_millis(10),
        nodes: 1000,
        line: 1,
        pv,
        again: false,
        table_usage: None,
    }
}

const GAME: &str =
    r#"{"type":"new_game","color":"white","clock":{"initial_ms":60000,"increment_ms":1000},"name":"Anna"}"#;

fn mv(text: &str, ply: usize) -> String {
    Request::Move { mv: text.to_owned(), ply }.line()
}

/// The names of the messages.
fn names(messages: &[Message]) -> Vec<String> {
    let name = |message: &Message| {
        let value: serde_json::Value = serde_json::from_str(&message.line()).expect("JSON");
        value["type"].as_str().expect("a type").to_owned()
    };
    messages.iter().map(name).collect()
}

#[test]
fn hello_lists_games_and_shows_an_empty_board() {
    let mut table = Table::new();
    let sent = table.say(r#"{"type":"hello"}"#);
    assert_eq!(names(&sent), ["hello", "game"]);
    let Message::Hello { variants, elo, levels, .. } = &sent[0] else { panic!("no hello") };
    assert!(variants.iter().any(|game| game.name == "checkers") && elo.min < elo.max && *levels == 20);
    let Message::Game { mode: Mode::Idle, position, clocks: None, .. } = &sent[1] else { panic!("no game") };
    assert_eq!(position.legal.len(), 20);
}

#[test]
fn a_game_with_clocks_is_played_to_mate() {
    let mut table = Table::new();
    let sent = table.say(GAME);
    let [Message::Game { mode: Mode::Play, white, black, clocks: Some(clocks), .. }] = &sent[..] else {
        panic!("{sent:?}")
    };
    assert_eq!((white.as_str(), black.as_str(), clocks.running), ("Anna", "Farboard", None));
    assert!(table.timer.is_none() && table.running.is_none());
    table.pass(20);
    let sent = table.say(&mv("f3", 0));
    let [Message::Moved { by: crate::protocol::web::Mover::You, clocks: Some(clocks), .. }] = &sent[..]
    else {
        panic!("{sent:?}")
    };
    assert_eq!((clocks.white_ms, clocks.black_ms), (Some(60_000), Some(60_000)));
    assert_eq!(clocks.running, Some(crate::protocol::web::Side::Black));
    table.now += Duration::from_millis(500);
    let sent = table.engine_plays("e7e5", 30);
    let [Message::Lines { lines, ply: 1, .. }, Message::Moved { mv: played, clocks: Some(clocks), .. }] =
        &sent[..]
    else {
        panic!("{sent:?}")
    };
    assert_eq!(lines[0].score, crate::protocol::web::Score::Cp(-30), "Black's score from White's side");
    assert_eq!((lines[0].pv[0].as_str(), played.san.as_str()), ("e7e5", "e5"));
    assert_eq!(clocks.black_ms, Some(60_500), "half a second less, one more");
    table.pass(5);
    table.say(&mv("g2g4", 2));
    let sent = table.engine_plays("Qh4", 31_999);
    assert_eq!(names(&sent), ["lines", "moved", "over"]);
    let Some(Message::Over { result }) = sent.last() else { panic!("{sent:?}") };
    assert_eq!((result.score.as_str(), result.reason.as_str()), ("0-1", "checkmate"));
    let Message::Moved { clocks: Some(clocks), position, .. } = &sent[1] else { panic!("{sent:?}") };
    assert_eq!((clocks.running, clocks.white_ms), (None, Some(56_000)));
    assert!(position.legal.is_empty() && position.result.is_some());
    assert_eq!(table.archived.len(), 1);
    assert_eq!((table.timer, table.archived[0].time_control.as_str()), (None, "60+1"));
    assert_eq!(names(&table.say(&mv("a3", 4))), ["error"]);
}

#[test]
fn a_move_for_another_ply_or_out_of_turn_is_refused() {
    let mut table = Table::new();
    assert_eq!(names(&table.say(&mv("e4", 0))), ["error"], "no game");
    table.say(GAME);
    for wrong in [mv("e4", 1), mv("e5", 0), mv("", 0), mv("nonsense", 0)] {
        assert_eq!(names(&table.say(&wrong)), ["error"], "{wrong}");
    }
    table.say(&mv("e4", 0));
    assert_eq!(names(&table.say(&mv("d4", 1))), ["error"], "the engine thinks");
    assert_eq!(table.session.game.plies(), 1);
}

#[test]
fn the_persons_flag_falls_by_the_timer() {
    let mut table = Table::new();
    table.say(GAME);
    table.say(&mv("e4", 0));
    table.engine_plays("e5", 0);
    let sent = table.until_timer();
    assert_eq!(names(&sent), ["clocks", "over"]);
    let Some(Message::Over { result }) = sent.last() else { panic!("{sent:?}") };
    assert_eq!((result.score.as_str(), result.reason.as_str()), ("0-1", "time"));
    let Message::Clocks { clocks } = &sent[0] else { panic!("{sent:?}") };
    assert_eq!((clocks.white_ms, clocks.running), (Some(0), None));
    assert_eq!(names(&table.say(r#"{"type":"take_back"}"#)), ["error"]);
}

#[test]
fn the_engines_move_is_due_by_the_timer_and_its_clock_may_end() {
    let mut table = Table::new();
    table.say(GAME);
    table.say(&mv("e4", 0));
    table.finds(10, &["c5"]);
    let sent = table.until_timer();
    assert_eq!(names(&sent), ["moved"]);
    table.say(&mv("Nf3", 2));
    table.finds(10, &["d6"]);
    table.now += Duration::from_secs(100);
    let sent = table.input(Input::Timer);
    let Some(Message::Over { result }) = sent.last() else { panic!("{sent:?}") };
    assert_eq!((result.score.as_str(), result.reason.as_str()), ("1-0", "time"));
}

#[test]
fn the_engines_name_shows_its_rating() {
    let mut table = Table::new();
    let sent = table.say(r#"{"type":"new_game","color":"white","opponent":{"elo":1500}}"#);
    let Some(Message::Game { black, .. }) = sent.first() else { panic!("{sent:?}") };
    assert_eq!(black, "Farboard (1500)");
}

#[test]
fn an_analysis_names_the_profile_that_searches() {
    let stockfish = Arc::new(Profile::new("Stockfish", Books::default()));
    let mut table = Table::new();
    table.session.player.engine.set_profiles(Arc::new([("stockfish".to_owned(), stockfish)].into()));
    let mut engine_after = |text: &str| {
        let sent = names(&table.say(text));
        (sent, table.session.player.engine.profile().name.clone())
    };
    let engine = |name: &str| (vec!["game".to_owned()], name.to_owned());
    assert_eq!(engine_after(r#"{"type":"analyse","profile":"stockfish"}"#), engine("Stockfish"));
    let unknown = engine_after(r#"{"type":"analyse","profile":"other"}"#);
    assert_eq!(unknown, (vec!["error".to_owned()], "Stockfish".to_owned()), "nothing changes");
    assert_eq!(engine_after(r#"{"type":"analyse"}"#), engine("Farboard"));
}

#[test]
fn lines_of_an_analysis_come_from_whites_side() {
    let mut table = Table::new();
    let sent = table.say(r#"{"type":"analyse","moves":["e2e4"],"lines":2}"#);
    assert_eq!(names(&sent), ["game"]);
    for (line, mv, score) in [(1, "e5", 20), (2, "c5", 10)] {
        let pv = vec![table.session.game.parse_move(mv).expect("legal")];
        let sent = table.event(SearchEvent::Report(Report::Info(Info { line, ..info(score, pv) })));
        if line == 2 {
            let [Message::Lines { lines, ply: 1, depth: 5, nodes: 1000, .. }] = &sent[..] else {
                panic!("{sent:?}")
            };
            let scores: Vec<_> = lines.iter().map(|line| line.score).collect();
            assert_eq!(scores, [crate::protocol::web::Score::Cp(-20), crate::protocol::web::Score::Cp(-10)]);
        } else {
            assert!(sent.is_empty(), "the set is not complete");
        }
    }
    assert_eq!(names(&table.say(r#"{"type":"hint"}"#)), ["hint"]);
    let sent = table.say(&mv("e5", 1));
    assert_eq!(names(&sent), ["moved"]);
    assert!(table.running.is_some() || table.timer.is_some(), "the next position is analysed");
    table.say(r#"{"type":"stop"}"#);
    assert_eq!((table.running, table.timer), (None, None));
    assert_eq!(names(&table.say(r#"{"type":"stop"}"#)), ["error"]);
}

#[test]
fn draws_resignations_rematches_and_take_backs() {
    let mut table = Table::new();
    table.say(GAME);
    assert_eq!(names(&table.say(r#"{"type":"offer_draw"}"#)), ["draw"], "there is no score yet");
    assert_eq!(names(&table.say(r#"{"type":"rematch"}"#)), ["error"], "the game goes on");
    table.say(&mv("e4", 0));
    let sent = table.say(r#"{"type":"take_back"}"#);
    let [Message::TakenBack { position, clocks: Some(clocks) }] = &sent[..] else { panic!("{sent:?}") };
    assert_eq!((position.ply, clocks.running, table.running), (0, None, None));
    assert_eq!(names(&table.say(r#"{"type":"take_back"}"#)), ["error"]);
    table.say(&mv("e4", 0));
    table.engine_plays("e5", 0);
    table.say(&mv("Nf3", 2));
    table.engine_plays("Nc6", 0);
    let sent = table.say(r#"{"type":"take_back"}"#);
    let [Message::TakenBack { position, .. }] = &sent[..] else { panic!("{sent:?}") };
    assert_eq!(position.ply, 2);
    let sent = table.say(r#"{"type":"resign"}"#);
    assert_eq!(names(&sent), ["clocks", "over"]);
    let sent = table.say(r#"{"type":"rematch"}"#);
    let [Message::Game { color: Some(crate::protocol::web::Side::Black), white, .. }] = &sent[..] else {
        panic!("{sent:?}")
    };
    assert_eq!(white, "Farboard");
    assert!(table.running.is_some(), "the engine begins");
    assert_eq!(names(&table.say(r#"{"type":"move_now"}"#)), ["moved"]);
}

#[test]
fn the_engine_agrees_to_a_draw_in_an_even_endgame() {
    let mut table = Table::new();
    table.say(r#"{"type":"new_game","color":"white","fen":"4k3/4p3/8/8/8/8/4P3/4K3 w - - 0 1"}"#);
    table.say(&mv("e3", 0));
    assert_eq!(names(&table.say(r#"{"type":"offer_draw"}"#)), [""; 0], "the engine thinks");
    let sent = table.engine_plays("e6", 0);
    assert_eq!(names(&sent), ["lines", "draw", "over"]);
    let Some(Message::Over { result }) = sent.last() else { panic!("{sent:?}") };
    assert_eq!((result.score.as_str(), result.reason.as_str()), ("1/2-1/2", "agreement"));
    assert_eq!(table.session.game.plies(), 1, "no move follows");
}

#[test]
fn a_game_of_checkers_is_played() {
    let mut table = Table::new();
    table.say(r#"{"type":"new_game","variant":"checkers","color":"black"}"#);
    let sent = table.say(&mv("11-15", 0));
    assert_eq!(names(&sent), ["moved"]);
    let sent = table.engine_plays("22-18", 5);
    let [Message::Lines { lines, .. }, Message::Moved { mv: played, .. }] = &sent[..] else {
        panic!("{sent:?}")
    };
    assert_eq!((lines[0].pv[0].as_str(), played.uci.as_str()), ("22-18", "22-18"));
    let sent = table.say(&mv("15x22", 2));
    assert_eq!(names(&sent), ["moved"]);
    table.say(r#"{"type":"resign"}"#);
    let sent = table.say(r#"{"type":"pgn"}"#);
    let [Message::Pgn { text }] = &sent[..] else { panic!("{sent:?}") };
    assert!(text.contains("[GameType \"21\"]") && text.contains("1. 11-15 22-18 2. 15x22 1-0"), "{text}");
}

#[test]
fn a_review_covers_every_position() {
    let mut table = Table::new();
    table.say(r#"{"type":"load","text":"1. f3 e5 2. g4 Qh4#"}"#);
    table.say(r#"{"type":"review","nodes":1000}"#);
    for (ply, best) in ["e2e4", "e7e5", "b1c3", "d8h4"].into_iter().enumerate() {
        table.finds(10, &[best]);
        let sent = table.done();
        let Some(Message::Reviewed { ply: reviewed, best: Some(found), done: false, .. }) = sent.first()
        else {
            panic!("{sent:?}")
        };
        assert_eq!((*reviewed, found.uci.as_str()), (ply, best));
        assert_eq!(sent.len(), if ply == 3 { 2 } else { 1 });
        if ply == 3 {
            assert!(matches!(sent[1], Message::Reviewed { ply: 4, best: None, done: true, .. }));
        }
    }
    assert_eq!(table.running, None);
    assert_eq!(names(&table.say(r#"{"type":"review","nodes":0}"#)), ["error"]);
}

/// Situations in which a server may be lost.
fn situations() -> Vec<(&'static str, Table)> {
    let table = |lines: &[&str]| {
        let mut table = Table::new();
        for line in lines {
            table.say(line);
        }
        table
    };
    let mut thinking = table(&[GAME, &mv("e4", 0)]);
    thinking.finds(10, &["c5"]);
    let mut persons = table(&[GAME, &mv("e4", 0)]);
    persons.engine_plays("c5", 10);
    let mut reviewing =
        table(&[r#"{"type":"load","text":"1. e4 e5 2. Nf3"}"#, r#"{"type":"review","nodes":5}"#]);
    reviewing.finds(10, &["d4"]);
    reviewing.done();
    let mut resigned = table(&[GAME, &mv("e4", 0)]);
    resigned.engine_plays("c5", 10);
    resigned.say(r#"{"type":"resign"}"#);
    vec![
        ("silent", Table::new()),
        ("idle", table(&[r#"{"type":"hello"}"#])),
        ("thinking", thinking),
        ("person's turn", persons),
        ("reviewing", reviewing),
        ("resigned", resigned),
        ("hint", table(&[GAME, r#"{"type":"hint"}"#])),
        (
            "analysis",
            table(&[r#"{"type":"analyse","variant":"crazyhouse","moves":["e4","d5","exd5"],"lines":3}"#]),
        ),
        (
            "checkers",
            table(&[
                r#"{"type":"new_game","variant":"checkers","color":"black","opponent":{"elo":1000},"clock":{"move_ms":5000}}"#,
                &mv("11-15", 0),
            ]),
        ),
        ("loaded", table(&[r#"{"type":"load","text":"[White \"A\"]\n[Variant \"Atomic\"]\n1. e4 e5"}"#])),
    ]
}

#[test]
fn a_restored_session_has_the_same_state() {
    for (name, mut table) in situations() {
        let now = table.now;
        let before = table.session.state(now).plain_text();
        let mut restored = table.taken_over();
        assert_eq!(restored.session.state(now).plain_text(), before, "{name}");
        let heard = name != "silent";
        let sent = restored.input(Input::Resumed(Takeover::default()));
        assert_eq!(matches!(sent.first(), Some(Message::Game { .. })), heard, "{name}");
    }
}

#[test]
fn a_restored_session_goes_on() {
    for (name, table) in situations() {
        let was_running = table.running;
        let mut restored = table.taken_over();
        restored.running = None;
        restored.input(Input::Resumed(Takeover::default()));
        assert_eq!(restored.running, was_running, "{name}");
        if name == "thinking" {
            let sent = restored.engine_plays("e5", 0);
            assert_eq!(names(&sent), ["lines", "moved"]);
            assert!(restored.timer.is_some(), "the person's clock runs");
        }
        if name == "analysis" {
            assert_eq!(names(&restored.finds(0, &["Qxd5"])), [""; 0], "three lines are one message");
        }
    }
}

#[test]
fn no_flag_falls_before_a_late_move_can_come() {
    let (_, table) = situations().remove(3);
    let mut restored = table.taken_over();
    restored.now += Duration::from_secs(100);
    restored.input(Input::Resumed(Takeover::default()));
    let timer = restored.timer.expect("the person's clock runs");
    assert!(timer > restored.now);
    // The move was sent in time.
    let mut effects = Vec::new();
    let sent = restored.now - Duration::from_secs(80);
    restored.session.handle(Input::Line(mv("Nf3", 2).as_bytes()), sent, &mut effects);
    assert!(restored.session.is_playing() && restored.session.is_engines_turn());
}

#[test]
fn after_two_lost_servers_the_engine_moves_without_a_search() {
    let (_, table) = situations().remove(2);
    let mut restored = table.taken_over();
    restored.running = None;
    let sent = restored.input(Input::Resumed(Takeover { calm: true, ..Takeover::default() }));
    assert_eq!(names(&sent), ["game", "lines", "note", "moved"]);
    assert_eq!(restored.running, None);
    let sent = restored.input(Input::Refused(br#"{"type":"hint"}"#));
    assert!(matches!(&sent[..], [Message::Error { about: Some(about), .. }] if about == "hint"));
}

#[test]
fn a_busy_server_still_moves() {
    let mut table = Table::new();
    table.say(GAME);
    table.say(&mv("e4", 0));
    let sent = table.event(SearchEvent::Refused(crate::pool::Shortage::Threads));
    assert_eq!(names(&sent), ["note", "moved"]);
}

#[test]
fn the_end_of_input_waits_for_what_is_due() {
    let mut table = Table::new();
    table.say(GAME);
    table.say(&mv("e4", 0));
    table.input(Input::Eof);
    assert!(!table.closed);
    table.engine_plays("e5", 0);
    assert!(table.closed);
    assert_eq!(table.archived.len(), 1, "unfinished, but the engine has moved");
    assert_eq!(table.archived[0].outcome, None);
    let mut idle = Table::new();
    idle.input(Input::Eof);
    assert!(idle.closed);
}

#[test]
fn a_request_of_a_browser_is_refused() {
    let mut table = Table::new();
    table.say("POST / HTTP/1.1");
    assert!(table.closed);
}

#[test]
fn impossible_states_are_refused() {
    for lines in [
        "mode play",
        "task analysis",
        "task review 5 100",
        "task review 0 0",
        "verdict agreed",
        "mode play\nterms yes\nsearch yes\nsearch.purpose move",
        "game.start kriegspiel rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "closing closed",
        "nonsense 1",
    ] {
        let text = format!("farboard session 1\nprotocol web\n{lines}\n");
        let key = crate::session::StateKey::new([1; 32]);
        let state = SessionState::parse(&text, &key).expect("lines");
        assert!(Session::new(setup()).restored(&state, Instant::now()).is_err(), "{lines}");
    }
}

#[test]
fn taking_back_ends_a_review_and_the_game_goes_on() {
    let (_, mut table) = situations().remove(5);
    table.say(r#"{"type":"review","nodes":100}"#);
    assert!(table.running.is_some());
    let sent = table.say(r#"{"type":"take_back"}"#);
    let [Message::TakenBack { position, .. }] = &sent[..] else { panic!("{sent:?}") };
    assert_eq!((position.ply, table.running), (0, None));
    assert_eq!(names(&table.say(&mv("d4", 0))), ["moved"]);
    assert!(table.running.is_some(), "the engine thinks");
}

#[test]
fn a_review_goes_on_after_the_end_of_input_and_a_hint_is_given() {
    let mut table = Table::new();
    table.say(r#"{"type":"load","text":"1. e4"}"#);
    table.say(r#"{"type":"review","nodes":100}"#);
    table.input(Input::Eof);
    table.finds(10, &["d4"]);
    table.done();
    assert!(!table.closed && table.timer.is_some(), "the time of a search is limited now");
    let sent = table.until_timer();
    assert!(matches!(&sent[..], [Message::Reviewed { ply: 1, done: true, .. }]), "{sent:?}");
    assert!(table.closed);
    let mut table = Table::new();
    table.say(GAME);
    table.say(r#"{"type":"hint"}"#);
    table.input(Input::Eof);
    assert_eq!(names(&table.until_timer()), ["hint"]);
    assert!(table.closed);
}
