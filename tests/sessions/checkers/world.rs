//! A session, its client's bytes, and a scripted search.

use super::directives;
use crate::playing::Played;
use crate::session_driver::{Client, Driver, Running, text_of};
use farboard::book::Books;
use farboard::draughts;
use farboard::pool::{SearchEvent, SearchOrder};
use farboard::protocol::checkers::{Dialect, MAX_LINE, Reply};
use farboard::search::{Bound, Done, Info, Report, RootPosition, Score, move_word};
use farboard::session::checkers::{Manners, Session};
use farboard::session::{Effect, Profile, Setup};
use std::collections::VecDeque;
use std::sync::Arc;

/// A search in draughts.
pub trait DraughtsSearch {
    /// The position searched.
    fn root(&self) -> draughts::Position;
}

impl DraughtsSearch for Running {
    fn root(&self) -> draughts::Position {
        draughts_position(&self.request().position)
    }
}

fn draughts_position(position: &RootPosition) -> draughts::Position {
    match position {
        RootPosition::Draughts(position) => *position,
        RootPosition::Chess(_) => panic!("a search of chess"),
    }
}

#[derive(Default)]
pub struct Gui {
    /// Replies not yet checked, without line ends.
    pub said: VecDeque<String>,
    /// The root of the search that owes a best move.
    asked: Option<draughts::Position>,
}

pub type World = Driver<Gui>;

impl Client for Gui {
    type Session = Session;

    fn see(&mut self, effect: &Effect<Reply>) {
        match effect {
            Effect::Send(reply) => self.hear(reply),
            Effect::Search(_, SearchOrder::Start(task, _)) => {
                let request = task.search().expect("a search");
                self.asked = Some(draughts_position(&request.position));
            }
            _ => {}
        }
    }
}

impl Gui {
    /// Checks the form of a line.
    fn hear(&mut self, reply: &Reply) {
        let line = reply.line();
        let text = text_of(&line);
        assert!(!text.ends_with(' ') && !text.starts_with(' '), "{text:?}");
        if let Reply::Bestmove(mv) = reply
            && let Some(root) = self.asked.take()
        {
            let is_legal = root.find(mv).is_ok() || root.find(&mv.rotated()).is_ok();
            assert!(is_legal, "{text} in {}", root.fen());
        }
        self.said.push_back(text.to_owned());
    }
}

impl World {
    /// A session of a dialect, after its first words.
    pub fn new(manners: Manners) -> World {
        World::of(manners, Profile::new("Farboard", Books::default()))
    }

    pub fn of(manners: Manners, profile: Profile) -> World {
        let session = Session::new(Setup { seed: 1, identity: 1, profile: Arc::new(profile) }, manners);
        let mut world = World::around(session, Gui::default(), MAX_LINE);
        let mut effects = Vec::new();
        world.session.open(&mut effects);
        world.execute(effects);
        world
    }

    /// From now on, replaces the session before each input by another made from its state.
    pub fn replace_before_each_input(&mut self) {
        self.have_other_servers();
        self.replaces = true;
    }

    /// Allows the server to be lost.
    pub fn have_other_servers(&mut self) {
        let profile = Arc::new(Profile::new("Farboard", Books::default()));
        self.fresh = Some(Box::new(move || {
            Session::new(Setup { seed: 1, identity: 1, profile: Arc::clone(&profile) }, Manners::default())
        }));
    }

    /// A session of the default dialect that has sent `READY`.
    pub fn ready() -> World {
        World::ready_in(Dialect::Seed)
    }

    pub fn ready_in(dialect: Dialect) -> World {
        let mut world = World::new(Manners { dialect, ..Manners::default() });
        assert_eq!(world.take(), ["READY"]);
        world
    }

    /// Sends lines and returns the immediate replies.
    pub fn ask(&mut self, lines: &str) -> Vec<String> {
        self.bytes(format!("{lines}\n").as_bytes());
        self.take()
    }

    /// Returns all replies so far.
    pub fn take(&mut self) -> Vec<String> {
        self.client.said.drain(..).collect()
    }

    /// Reports a variation of the search.
    pub fn report(&mut self, depth: u8, score: i32, nodes: u64, variation: &[draughts::Move]) {
        let elapsed = self.search.as_ref().expect("a search").elapsed(self.now);
        let info = Info {
            depth,
            selective_depth: depth,
            score: Score(score),
            bound: Bound::Exact,
            elapsed,
            nodes,
            line: 1,
            pv: variation.iter().map(|&mv| move_word(mv)).collect(),
            again: false,
            table_usage: None,
        };
        self.event(SearchEvent::Report(Report::Info(info)));
    }

    /// Ends a search with this move.
    pub fn done(&mut self, search: &Running, best: Option<draughts::Move>, score: i32) {
        let done = Done {
            best: best.map(move_word),
            ponder: None,
            score: Score(score),
            depth: 5,
            nodes: 5000,
            elapsed: search.elapsed(self.now),
        };
        self.event_of(search.id, SearchEvent::Done(done));
    }
}

impl Played for World {
    fn begin() -> World {
        World::new(Manners::default())
    }

    fn bytes(&mut self, bytes: &[u8]) {
        self.bytes(bytes);
    }

    fn said(&mut self) -> &mut VecDeque<String> {
        &mut self.client.said
    }

    fn follow(&mut self, directive: &str) {
        directives::follow(self, directive);
    }
}
