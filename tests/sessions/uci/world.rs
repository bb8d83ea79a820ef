//! A session, its client's bytes, and a scripted search.

use super::directives;
use crate::playing::Played;
use crate::session_driver::{Client, Driver, Running, text_of};
use farboard::book::{Book, Books};
use farboard::chess::{AnyPosition, Move};
use farboard::pool::SearchEvent;
use farboard::protocol::uci::{MAX_LINE, Reply};
use farboard::search::{Bound, Done, Info, Report, Score};
use farboard::session::uci::Session;
use farboard::session::{Effect, Profile, Setup};
use std::collections::VecDeque;
use std::sync::Arc;

/// A search in chess.
pub trait ChessSearch {
    /// The position searched.
    fn root(&self) -> AnyPosition;

    /// The root moves to consider.
    fn first_moves(&self) -> Vec<Move>;
}

impl ChessSearch for Running {
    fn root(&self) -> AnyPosition {
        self.position().chess().expect("a position of chess")
    }

    fn first_moves(&self) -> Vec<Move> {
        let excluded = self.task.search().map_or(&[][..], |request| &request.first_moves.excluded);
        self.root().legal_moves().into_iter().filter(|mv| !excluded.contains(mv)).collect()
    }
}

#[derive(Default)]
pub struct Gui {
    /// Replies not yet matched, without line ends.
    said: VecDeque<String>,
    book: String,
}

pub type World = Driver<Gui>;

impl Client for Gui {
    type Session = Session;

    /// Checks the form of a line.
    fn see(&mut self, effect: &Effect<Reply>) {
        let Effect::Send(reply) = effect else { return };
        let line = reply.line();
        let text = text_of(&line);
        if text.contains(" pv ") {
            for word in ["depth", "score", "nodes", "nps", "time"] {
                assert!(text.split(' ').any(|other| other == word), "{text} without {word}");
            }
        }
        self.said.push_back(text.to_owned());
    }
}

impl World {
    pub fn new() -> World {
        World::of(Profile::new("Farboard", Books::default()))
    }

    pub fn of(profile: Profile) -> World {
        let session = Session::new(Setup { seed: 1, identity: 1, profile: Arc::new(profile) });
        World::around(session, Gui::default(), MAX_LINE)
    }

    /// Restarts with one more line in the book.
    pub fn add_to_book(&mut self, line: &str) {
        let text = format!("{}{line}\n", self.client.book);
        let mut books = Books::default();
        books.add("lines", Arc::new(Book::parse_lines(&text).expect("lines of play")));
        *self = World::of(Profile::new("Farboard", books));
        self.client.book = text;
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
            Session::new(Setup { seed: 1, identity: 1, profile: Arc::clone(&profile) })
        }));
    }

    /// Returns all replies so far.
    pub fn take(&mut self) -> Vec<String> {
        self.client.said.drain(..).collect()
    }

    /// Reports a variation of the search.
    pub fn report(&mut self, line: u8, bound: Bound, depth: u8, score: i32, nodes: u64, pv: Vec<Move>) {
        let elapsed = self.search.as_ref().expect("a search").elapsed(self.now);
        let selective_depth = depth + 2;
        let (score, again) = (Score(score), false);
        let info =
            Info { depth, selective_depth, score, bound, elapsed, nodes, line, pv, again, table_usage: None };
        self.event(SearchEvent::Report(Report::Info(info)));
    }

    /// Ends a search with this result.
    pub fn done(
        &mut self,
        search: &Running,
        best: Option<Move>,
        ponder: Option<Move>,
        score: i32,
        nodes: u64,
    ) {
        let elapsed = search.elapsed(self.now);
        let done = Done { best, ponder, score: Score(score), depth: 5, nodes, elapsed };
        self.event_of(search.id, SearchEvent::Done(done));
    }
}

impl Played for World {
    fn begin() -> World {
        World::new()
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
