//! The session, its client, its search, and the invariants of every step.

use super::client;
use super::model::{Answer, Mode, Model};
use crate::support::dice::Dice;
use farboard::book::Books;
use farboard::chess::{AnyPosition, Move, Variant};
use farboard::pool::{Class, SearchBudget, SearchEvent, SearchId, SearchOrder, Task};
use farboard::protocol::DrainCause;
use farboard::protocol::xboard::Reply;
use farboard::search::{Bound, Done, Info, Progress, Report, Score};
use farboard::session::xboard::Session;
use farboard::session::{Effect, Input, Profile, SessionState, Setup, StateKey, Takeover};
use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::{Duration, Instant};

#[derive(Clone)]
struct Running {
    id: SearchId,
    root: AnyPosition,
    terms: SearchBudget,
    held: Option<Instant>,
}

pub struct World {
    seed: u64,
    session: Session,
    model: Model,
    start: Instant,
    now: Instant,
    timer: Option<Instant>,
    search: Option<Running>,
    old: Vec<Running>,
    ids: BTreeSet<SearchId>,
    has_input: bool,
    /// When the client disconnected.
    left: Option<Instant>,
    closed: bool,
    trace: Vec<String>,
    loud: bool,
    /// Whether the latest search has ended by itself.
    analysed: bool,
    /// Added to the final scores of searches.
    bias: i32,
    /// Whether each input goes to a fresh session with the state of this one.
    replaces: bool,
    /// Whether servers are lost at times, and another one resumes.
    loses_servers: bool,
}

/// The consequences of one input.
#[derive(Default)]
struct Outcome {
    replies: Vec<String>,
    moved: bool,
}

/// A task as text, without kriegspiel's beliefs, which only save time, and without earlier
/// positions in bughouse, where repetitions do not count.
fn shown(task: &Task) -> String {
    let mut task = task.clone();
    if let Task::Kriegspiel { question, .. } = &mut task {
        question.belief = None;
    }
    if let Some(request) = task.search_mut()
        && request.position.chess().is_some_and(|position| position.variant() == Variant::BUGHOUSE)
    {
        request.past.history.clear();
    }
    format!("{task:?}")
}

fn session(seed: u64) -> Session {
    Session::new(Setup { seed, identity: 1, profile: Arc::new(Profile::new("Farboard", Books::default())) })
}

impl World {
    pub fn new(seed: u64, loud: bool) -> World {
        let start = Instant::now() + Duration::from_secs(3600);
        World {
            seed,
            session: session(seed),
            model: Model::new(),
            start,
            now: start,
            timer: None,
            search: None,
            old: Vec::new(),
            ids: BTreeSet::new(),
            has_input: false,
            left: None,
            closed: false,
            trace: Vec::new(),
            loud,
            analysed: false,
            bias: 0,
            replaces: false,
            loses_servers: false,
        }
    }

    pub fn closed(&self) -> bool {
        self.closed
    }

    pub fn into_trace(self) -> Vec<String> {
        self.trace
    }

    /// From now on, replaces the session before each input by another made from its state.
    pub fn replace_before_each_input(&mut self) {
        self.replaces = true;
    }

    /// From now on, loses servers at times.
    pub fn lose_servers(&mut self) {
        self.loses_servers = true;
    }

    /// Loses the server with the search; another one resumes.
    fn lose_server(&mut self, dice: &mut Dice) {
        let away = Duration::from_millis(*dice.pick(&[0, 10, 700, 90_000]));
        self.say(format!("@ another server after {away:?}"));
        let (lost, timer) = (self.search.take(), self.timer.take());
        let is_over = self.model.agreed || self.sits();
        let (agreed, analysed) = (self.model.agreed, self.analysed);
        self.replace();
        self.now += away;
        // Checked when everything is restored.
        let mut effects = Vec::new();
        if let Some(lost) = &lost {
            self.ids.remove(&lost.id);
        }
        self.session.handle(Input::Resumed(Takeover { away, ..Takeover::default() }), self.now, &mut effects);
        let mut outcome = Outcome::default();
        effects.into_iter().for_each(|effect| self.execute(effect, &mut outcome));
        assert!(
            !outcome.moved && self.model.agreed == agreed && self.timer == timer,
            "the session only continues"
        );
        match (&mut self.search, lost) {
            (Some(search), Some(lost)) => {
                assert!(search.id == lost.id && search.root.fen() == lost.root.fen(), "another search");
                assert_eq!(search.held.is_some(), lost.held.is_some());
                (search.held, search.terms) = (lost.held, lost.terms);
            }
            (None, None) => {}
            (None, Some(lost)) => {
                assert!(is_over || self.model.agreed, "a search is lost");
                self.old.push(lost);
            }
            (Some(_), None) => panic!("a search that did not run"),
        }
        self.analysed = analysed;
        self.check();
    }

    fn replace(&mut self) {
        let key = StateKey::new([1; 32]);
        let text = self.session.state(self.now).text(&key, [2; 12]);
        let state = SessionState::parse(&text, &key).expect("a state");
        let restored = session(self.seed).restored(&state, self.now);
        self.session = restored.unwrap_or_else(|error| panic!("{error}: {}", state.plain_text()));
    }

    /// From now on the engine's position is bad and it must resign.
    pub fn lose(&mut self) {
        self.bias = -500;
        self.line(b"option Resign=1");
        self.line(b"option ScoreToResign=200");
    }

    /// Makes the client one of ChessBase's programs.
    pub fn speak_as_fritz(&mut self) {
        self.line(b"fritz");
    }

    pub fn step(&mut self, dice: &mut Dice) {
        if self.loses_servers && dice.once_in(8) {
            return self.lose_server(dice);
        }
        self.now += Duration::from_millis(*dice.pick(&[0, 0, 0, 1, 7, 90, 800]));
        if self.timer.is_some_and(|at| at <= self.now) && !dice.once_in(3) {
            return self.fire_timer();
        }
        match dice.roll(20) {
            0..9 => {
                let line = client::line(dice, &self.model);
                self.line(&line);
            }
            9..12 => self.info(dice),
            12..14 => self.progress(),
            14..17 => self.done(dice),
            17 => self.stale(dice),
            18 => {
                let input = if dice.once_in(2) { Input::Interrupt } else { Input::LineTooLong(1000) };
                self.has_input |= matches!(input, Input::LineTooLong(_));
                self.model.has_input |= self.has_input;
                self.say(format!("@ {input:?}"));
                self.input(input);
            }
            _ => self.fire_timer(),
        }
    }

    /// Ends the session: the client quits, goes silent, or the server shuts down.
    pub fn finish(&mut self, dice: &mut Dice) {
        if self.closed {
            return;
        }
        let owed = self.model.due && !self.model.paused;
        match dice.roll(3) {
            0 => {
                self.say("> quit".to_owned());
                self.model.due = false;
                let outcome = self.input(Input::Line(b"quit"));
                assert!(self.closed && outcome.replies.is_empty());
            }
            1 => {
                self.say("@ eof".to_owned());
                self.left = Some(self.now);
                if owed && (self.model.waits() || self.sits()) {
                    let waits = self.model.waits();
                    self.model.due &= !waits;
                    let outcome = self.input(Input::Eof);
                    assert!(self.closed && outcome.moved != waits, "wrong answer at the end of input");
                    return;
                }
                let outcome = self.input(Input::Eof);
                assert!(outcome.replies.is_empty() && (!owed || !self.closed), "the move is still owed");
                if !self.closed {
                    self.now += Duration::from_secs(100_000);
                    let outcome =
                        if self.timer.is_some() { self.timer_now() } else { self.finish_search(dice) };
                    assert_eq!(outcome.moved, owed);
                }
                assert!(self.closed);
            }
            _ => {
                self.say("@ drain".to_owned());
                self.input(Input::Drain(DrainCause::Shutdown));
                let outcome = if self.closed { Outcome::default() } else { self.line(b"new") };
                assert!(self.closed && !outcome.moved);
            }
        }
        assert!(self.search.is_none(), "a search has outlived the session");
    }

    fn say(&mut self, text: String) {
        if self.loud {
            println!("{text}");
        }
        self.trace.push(text);
    }

    fn line(&mut self, line: &[u8]) -> Outcome {
        self.say(format!("> {}", String::from_utf8_lossy(line)));
        self.has_input = true;
        let answer = self.model.hear(line);
        let outcome = self.input(Input::Line(line));
        let refused = outcome
            .replies
            .iter()
            .any(|reply| reply.starts_with("Illegal move") || reply.starts_with("Error"));
        let result = outcome.replies.iter().any(|reply| reply.contains('{'));
        match answer {
            Answer::Any => {}
            Answer::Refusal => assert!(refused, "an illegal move was accepted"),
            Answer::NoRefusal => assert!(!refused, "a legal move was refused"),
            Answer::Result => {
                assert!(result && self.search.is_none(), "the end of the game was not announced")
            }
        }
        outcome
    }

    fn input(&mut self, input: Input<'_>) -> Outcome {
        assert!(!self.closed);
        let mut effects = Vec::new();
        if self.replaces {
            self.replace();
        }
        self.session.handle(input, self.now, &mut effects);
        let mut outcome = Outcome::default();
        for effect in effects {
            assert!(!self.closed, "an effect after Close");
            self.execute(effect, &mut outcome);
        }
        let accepts = outcome.replies.iter().any(|reply| reply == "offer draw") && !outcome.moved;
        self.model.agreed |= accepts && self.model.thinking();
        self.check();
        outcome
    }

    fn execute(&mut self, effect: Effect<Reply>, outcome: &mut Outcome) {
        match effect {
            Effect::Send(reply) => {
                let line = reply.line().trim_end_matches('\n').to_owned();
                assert!(self.has_input, "output before the client's first line");
                self.say(format!("< {line}"));
                if let Some(mv) = move_of(&line) {
                    assert!(!outcome.moved, "two moves in one step");
                    outcome.moved = true;
                    self.model.engine_moved(mv);
                } else if line == "resign" {
                    outcome.moved = true;
                    self.model.resigned();
                } else if let Some(number) = line.strip_prefix("pong ") {
                    self.model.ponged(number.parse().expect("a number"));
                }
                outcome.replies.push(line);
            }
            Effect::Search(id, SearchOrder::Start(task, terms)) => self.started(id, *task, terms),
            Effect::Search(id, SearchOrder::Retime(terms)) => {
                self.say("* retime".to_owned());
                let search = self.search.as_mut().expect("a search to retime");
                assert_eq!(search.id, id);
                search.terms = terms;
            }
            Effect::Search(id, SearchOrder::Hold) => {
                self.say("* hold".to_owned());
                let search = self.search.as_mut().expect("a search to hold");
                assert_eq!(search.id, id);
                assert!(search.held.replace(self.now).is_none(), "held twice");
            }
            Effect::Search(id, SearchOrder::Resume(terms)) => {
                self.say("* resume".to_owned());
                let search = self.search.as_mut().expect("a search to resume");
                assert_eq!(search.id, id);
                assert!(search.held.take().is_some(), "resumed but not held");
                search.terms = terms;
            }
            Effect::Search(id, SearchOrder::Stop) => {
                self.say("* stop".to_owned());
                let search = self.search.take().expect("a search to stop");
                assert_eq!(search.id, id);
                self.old.push(search);
            }
            Effect::FileRequest(request) => panic!("a remote session requests {request:?}"),
            Effect::SolveEndgames(_) => panic!("this is chess"),
            Effect::Timer(at) => {
                self.say(format!("* timer {:?}", at.map(|at| at - self.start)));
                self.timer = at;
            }
            Effect::Close => self.closed = true,
        }
    }

    fn started(&mut self, id: SearchId, task: Task, terms: SearchBudget) {
        self.analysed = false;
        self.say(format!("* start {:?} {:?} {}", id, terms.class, shown(&task)));
        assert!(self.search.is_none(), "a second search");
        assert!(self.ids.insert(id), "a search number was reused");
        let root = match &task {
            // The task has no position.
            Task::Kriegspiel { .. } => *self.model.game.position(),
            Task::Perft { position, .. } => *position,
            Task::Search(request) | Task::External(_, request) => {
                assert!(request.first_moves.lines >= 1);
                let moves = request.position.legal_moves();
                assert!(
                    moves.iter().any(|mv| !request.first_moves.excluded.contains(mv)),
                    "nothing to search"
                );
                request.position.chess().expect("chess")
            }
        };
        self.search = Some(Running { id, root, terms, held: None });
    }

    /// Checks the invariants after a step.
    fn check(&self) {
        if self.closed {
            return;
        }
        let game = self.session.game();
        assert_eq!(game.moves(), self.model.game.moves());
        if self.model.turn_wanted.is_none() {
            assert_eq!(game.position().fen(), self.model.game.position().fen());
        }
        let searching = self.search.as_ref();
        let analyses = self.model.mode == Mode::Analyze && !self.model.paused && self.model.editor.is_none();
        let passing = self.timer.filter(|_| analyses && searching.is_none());
        assert!(
            passing.is_none_or(|at| at <= self.now + Duration::from_millis(15)),
            "an unchanged position is not searched"
        );
        let hinting = self.model.hint && self.search.is_some();
        assert!(self.model.thinking() || hinting || self.model.pings.is_empty(), "a ping was not answered");
        if analyses {
            assert!(
                self.analysed || self.search.is_some() || passing.is_some() || self.model.excludes_all(),
                "nothing is analysed"
            );
        }
        if self.model.thinking() && self.model.waits() {
            let left = self.left.is_some();
            assert!(
                searching.is_none() && (left || self.timer.is_none()),
                "a search or timer while the engine waits for a piece"
            );
            return;
        }
        if self.sits() {
            let patience = self.now + Duration::from_secs(600);
            assert!(self.timer.is_some_and(|at| at <= patience), "a move withheld forever");
            return;
        }
        let waits = self.model.agreed && self.model.thinking();
        if waits {
            let patience = self.now + Duration::from_secs(5);
            assert!(self.timer.is_some_and(|at| at <= patience), "a move withheld forever");
        }
        if self.model.thinking() && !(waits && searching.is_none()) {
            let search = searching.expect("a move is due and no search runs");
            assert_eq!(search.root.fen(), game.position().fen(), "another position is searched");
        }
        let running = searching.filter(|search| search.held.is_none());
        let on_the_clock = running.is_some_and(|search| search.terms.class == Class::Clock);
        assert!(!on_the_clock || self.model.due, "the clock runs although no move is due");
        let maximum = running.and_then(|search| search.terms.deadline());
        assert_eq!(on_the_clock, maximum.is_some());
        let held = searching.and_then(|search| search.held).map(|since| since + Duration::from_secs(60));
        let patience = self.left.filter(|_| self.model.thinking()).map(|left| left + Duration::from_secs(30));
        let expected = [maximum, patience, held, passing].into_iter().flatten().min();
        assert!(
            waits || self.timer == expected,
            "a timer without a clock, a disconnected client, a suspended search or a passed position"
        );
        if self.model.mode == Mode::Force && !self.model.hint {
            assert!(searching.is_none(), "searching in force mode");
        }
        if self.model.paused {
            assert!(running.is_none(), "searching in a pause");
        }
        if matches!(self.model.mode, Mode::Play(_))
            && !self.model.due
            && !self.model.ponder
            && !self.model.ponder_move_sent
            && !self.model.hint
        {
            assert!(searching.is_none(), "pondering although it is off");
        }
    }

    /// Returns true if the partner wants the engine to wait.
    fn may_sit(&self) -> bool {
        let partner = self.session.context().partner.as_deref().filter(|partner| partner.name.is_some());
        let bughouse = self.model.game.position().variant() == Variant::BUGHOUSE;
        bughouse && partner.is_some_and(|partner| partner.requests.sit && !partner.requests.dead)
    }

    /// Returns true if a move is withheld because the partner wants the engine to wait.
    fn sits(&self) -> bool {
        let timed = |search: &Running| self.timer == search.terms.deadline();
        self.model.thinking() && self.may_sit() && !self.search.as_ref().is_some_and(timed)
    }

    fn fire_timer(&mut self) {
        if let Some(at) = self.timer {
            self.now = self.now.max(at);
            if self.model.thinking() && self.may_sit() {
                let moved = self.timer_now().moved;
                assert!(moved || self.sits(), "the time is up");
                return;
            }
            let paused = self.model.paused;
            let agreed = self.model.agreed;
            let passing = self.search.is_none() && !(agreed && self.model.thinking());
            let moved = self.timer_now().moved;
            self.model.agreed &= !paused;
            if self.model.agreed && !agreed {
                return;
            }
            assert_eq!(moved, !paused && !passing, "the timer fires for a move or a suspended search");
            assert!(!passing || self.search.is_some(), "the position has stayed");
            assert!(!paused || self.search.is_none(), "the search is suspended for too long");
        }
    }

    fn timer_now(&mut self) -> Outcome {
        self.say("@ timer".to_owned());
        self.input(Input::Timer)
    }

    fn event(&mut self, id: SearchId, event: SearchEvent) -> Outcome {
        self.input(Input::Search(id, event))
    }

    fn info(&mut self, dice: &mut Dice) {
        let Some(search) = self.search.clone() else { return };
        let info = Info {
            depth: 1 + dice.roll(20) as u8,
            selective_depth: 30,
            score: Score(dice.roll(400) as i32 - 200),
            bound: *dice.pick(&[Bound::Exact, Bound::Exact, Bound::Lower, Bound::Upper]),
            elapsed: self.now.saturating_duration_since(search.terms.since),
            nodes: 1000,
            line: 1 + dice.roll(2) as u8,
            pv: variation(dice, search.root),
            again: dice.roll(4) == 0,
            table_usage: None,
        };
        self.say("@ info".to_owned());
        assert!(!self.event(search.id, SearchEvent::Report(Report::Info(info))).moved);
    }

    fn progress(&mut self) {
        let Some(search) = self.search.clone() else { return };
        let progress = Progress {
            depth: 3,
            nodes: 5000,
            elapsed: Duration::ZERO,
            moves_left: 3,
            moves_total: 20,
            current: None,
        };
        self.say("@ progress".to_owned());
        assert!(!self.event(search.id, SearchEvent::Report(Report::Progress(progress))).moved);
    }

    fn done(&mut self, dice: &mut Dice) {
        if self.search.is_some() {
            let due = self.model.thinking();
            let moved = self.finish_search(dice).moved;
            let held = self.model.agreed && due || self.sits();
            assert_eq!(moved || held, due, "a search for a move ends with it");
        }
    }

    fn finish_search(&mut self, dice: &mut Dice) -> Outcome {
        let search = self.search.take().expect("a search");
        self.analysed = true;
        let done = self.verdict(dice, &search);
        // A pondering search that has ended still belongs to the session, but not to the pool.
        self.old.push(search.clone());
        self.say("@ done".to_owned());
        self.event_of_ended(search, done)
    }

    fn event_of_ended(&mut self, search: Running, done: Done) -> Outcome {
        self.event(search.id, SearchEvent::Done(done))
    }

    fn verdict(&self, dice: &mut Dice, search: &Running) -> Done {
        let pv = variation(dice, search.root);
        // A search may end without a move; the session must find one nevertheless.
        let best = if dice.once_in(10) { None } else { pv.first().copied() };
        Done {
            best,
            ponder: pv.get(1).copied(),
            score: Score(dice.roll(600) as i32 - 300 + self.bias),
            depth: 9,
            nodes: 9,
            elapsed: Duration::ZERO,
        }
    }

    fn stale(&mut self, dice: &mut Dice) {
        if self.old.is_empty() {
            return;
        }
        let search = dice.pick(&self.old).clone();
        let done = self.verdict(dice, &search);
        self.say("@ stale".to_owned());
        let outcome = self.event_of_ended(search, done);
        assert!(outcome.replies.is_empty(), "an event of an old search was used");
    }
}

/// The move of a line, in the new form or the old one.
fn move_of(line: &str) -> Option<&str> {
    line.strip_prefix("move ").or_else(|| line.split_once(". ... ").map(|(_, mv)| mv))
}

fn variation(dice: &mut Dice, mut position: AnyPosition) -> Vec<Move> {
    let mut pv = Vec::new();
    for _ in 0..1 + dice.roll(4) {
        let moves = position.legal_moves();
        if moves.is_empty() {
            break;
        }
        let mv = *dice.pick(&moves);
        position.play(mv);
        pv.push(mv);
    }
    pv
}
