//! What the client has said, as far as another server must hear it.

use super::answer::Answer;
use crate::protocol::checkers::{
    Command, GAME_OVER, Go, MUCH_WAITS, NO_MOVE_FOUND, NO_PARAMETER, STILL_THINKING,
};
use crate::session::checkers::PARAMETERS;
use std::collections::HashSet;

/// Bytes of lines that are kept. A client that sends more keeps its session for as long as its server lives.
const MAX_BYTES: usize = 1 << 20;
/// Above this, the games before the last are forgotten.
const MANY_BYTES: usize = 1 << 18;

/// The line that ends what is said again: every server answers it at once.
const MARK: &str = "GETNAME\n";

/// What is known of a line that servers may refuse.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Standing {
    /// Nothing yet.
    Open,
    /// An alert came that may have been for it.
    Doubtful,
    /// What follows it was answered, and there was no alert.
    Accepted,
}

#[derive(Clone, PartialEq, Debug)]
enum Entry {
    /// `INIT`, `NEWGAME`.
    Game(String, Standing),
    Move(String),
    /// `SETPARAMETER`, and the name.
    Setting(String, String, Standing),
    /// A `GO` without an answer.
    Go(String, Go),
}

impl Entry {
    fn text(&self) -> &str {
        match self {
            Entry::Game(text, _) | Entry::Move(text) | Entry::Setting(text, ..) | Entry::Go(text, _) => text,
        }
    }

    fn standing(&mut self) -> Option<&mut Standing> {
        match self {
            Entry::Game(_, standing) | Entry::Setting(_, _, standing) => Some(standing),
            Entry::Move(_) | Entry::Go(..) => None,
        }
    }
}

/// A line that brings an answer, whatever is on the board.
#[derive(Debug)]
struct Question {
    line: String,
    /// The client waits for the answer. Nobody waits for the alert to a `SETPARAMETER` of a name that there is not.
    is_awaited: bool,
}

/// The client's lines.
#[derive(Default, Debug)]
pub(super) struct Told {
    entries: Vec<Entry>,
    /// Bytes of the entries.
    bytes: usize,
    /// Bytes of the questions.
    question_bytes: usize,
    /// More was said than is kept, so nothing is.
    is_too_much: bool,
    /// Questions without an answer, in order, and what came while there was no server.
    questions: Vec<Question>,
    /// `STOP` was said since the oldest `GO` without an answer.
    stopped: bool,
    quit: bool,
}

impl Told {
    /// The client says a line; `lost`: there is no server.
    pub(super) fn say(&mut self, line: &str, lost: bool) {
        if self.quit {
            // Servers read no further.
            return;
        }
        match Command::parse(line.as_bytes()) {
            Ok(Command::Go(go)) => self.keep(Entry::Go(line.to_owned(), go)),
            Ok(Command::Newgame { position: None, moves }) if moves.is_empty() => {
                self.keep(Entry::Game(line.to_owned(), Standing::Accepted));
                self.forget_games();
            }
            Ok(Command::Init | Command::Newgame { .. }) => {
                self.keep(Entry::Game(line.to_owned(), Standing::Open));
            }
            Ok(Command::Move(_)) => self.keep(Entry::Move(line.to_owned())),
            Ok(Command::Setparameter(name, _)) => {
                if is_strange(&name) {
                    self.ask(line, false);
                }
                self.keep(Entry::Setting(line.to_owned(), name, Standing::Open));
            }
            Ok(Command::Getparameters | Command::Getparameter(_) | Command::Getname) => {
                self.ask(line, true);
            }
            Ok(Command::Stop) => self.stopped |= self.owes_move(),
            Ok(Command::Quit) => self.quit = true,
            Ok(Command::Help) | Err(_) if lost => self.ask(line, true),
            Ok(Command::Help | Command::Empty) | Err(_) => {}
        }
    }

    fn ask(&mut self, line: &str, is_awaited: bool) {
        self.question_bytes += line.len();
        self.questions.push(Question { line: line.to_owned(), is_awaited });
        self.keep_bounds();
    }

    fn keep(&mut self, entry: Entry) {
        self.bytes += entry.text().len();
        self.entries.push(entry);
        self.keep_bounds();
    }

    fn keep_bounds(&mut self) {
        if self.is_too_much || self.bytes() > MAX_BYTES {
            self.forget_all();
        }
    }

    fn forget_all(&mut self) {
        *self = Told { is_too_much: true, quit: self.quit, ..Told::default() };
    }

    /// Forgets the games before the last that was accepted, and what was set before it and set again, if there is much.
    fn forget_games(&mut self) {
        if self.bytes <= MANY_BYTES {
            return;
        }
        let settled = self.first_go().unwrap_or(self.entries.len());
        let is_game = |entry: &Entry| matches!(entry, Entry::Game(_, Standing::Accepted));
        let Some(game) = self.entries[..settled].iter().rposition(is_game) else { return };
        let behind = self.entries.split_off(game);
        let mut set_again = HashSet::new();
        let mut before: Vec<Entry> = self
            .entries
            .drain(..)
            .rev()
            .filter(|entry| match entry {
                Entry::Game(text, _) => text == "INIT",
                Entry::Setting(_, name, Standing::Accepted) => set_again.insert(name.clone()),
                Entry::Setting(_, name, _) => !set_again.contains(name),
                Entry::Move(_) | Entry::Go(..) => false,
            })
            .collect();
        before.reverse();
        before.extend(behind);
        self.bytes = before.iter().map(|entry| entry.text().len()).sum();
        self.entries = before;
    }

    /// An alert may be for all of which nothing is known, or was lost with its server.
    pub(super) fn doubt(&mut self) {
        for standing in self.entries.iter_mut().filter_map(Entry::standing) {
            if *standing == Standing::Open {
                *standing = Standing::Doubtful;
            }
        }
    }

    /// A server has answered.
    pub(super) fn answered(&mut self, answer: &Answer<'_>) {
        if matches!(answer, Answer::Alert(_)) {
            self.doubt();
        }
        match answer {
            Answer::Bestmove(mv) => {
                self.settle(self.first_go(), Some(mv));
                self.stopped = false;
            }
            Answer::Alert(GAME_OVER | NO_MOVE_FOUND) => self.settle(self.first_go(), None),
            Answer::Alert(STILL_THINKING) => self.settle(self.refused_go(), None),
            Answer::Parameters => self.asked(|question| *question == Command::Getparameters),
            Answer::Parameter(name) => {
                self.asked(|question| *question == Command::Getparameter((*name).to_owned()));
            }
            Answer::Name => self.asked(|question| *question == Command::Getname),
            // Another server might have room for more, and that would be another game.
            Answer::Alert(MUCH_WAITS) => self.forget_all(),
            Answer::Alert(NO_PARAMETER) => self.not_known(),
            Answer::Alert(_) | Answer::Ready | Answer::Info | Answer::Other => {}
        }
    }

    /// There is no parameter of a name: the first that is asked for or set, and is not known here either.
    fn not_known(&mut self) {
        let found = |question: &Question| names_a_stranger(&question.line);
        if let Some(place) = self.questions.iter().position(found) {
            self.questions.remove(place);
            self.count_questions();
        }
    }

    fn count_questions(&mut self) {
        self.question_bytes = self.questions.iter().map(|question| question.line.len()).sum();
    }

    /// An answer to a question like this: those before it are answered, too, since servers obey in order.
    fn asked(&mut self, is_it: impl Fn(&Command) -> bool) {
        let found = |question: &Question| {
            Command::parse(question.line.as_bytes()).is_ok_and(|command| is_it(&command))
        };
        if let Some(place) = self.questions.iter().position(found) {
            self.questions.drain(..=place);
            self.count_questions();
        }
    }

    /// A `GO` has got this move, or nothing. If it was played, it is a move like others from now on.
    fn settle(&mut self, place: Option<usize>, mv: Option<&str>) {
        let Some(place) = place else { return };
        let Entry::Go(_, go) = &self.entries[place] else { return };
        let played = mv.filter(|&mv| mv != "none" && !go.dont_play_move);
        let played = played.map(|mv| Entry::Move(format!("MOVE {mv}")));
        self.bytes -= self.entries[place].text().len();
        self.bytes += played.as_ref().map_or(0, |entry| entry.text().len());
        self.entries.splice(place..=place, played);
        if mv.is_some() {
            for standing in self.entries[..place].iter_mut().filter_map(Entry::standing) {
                if *standing == Standing::Open {
                    *standing = Standing::Accepted;
                }
            }
        }
        self.forget_games();
        self.stopped &= self.owes_move();
    }

    fn first_go(&self) -> Option<usize> {
        self.entries.iter().position(|entry| matches!(entry, Entry::Go(..)))
    }

    /// The `GO` that came too early: the first that follows another. Moves alone stand between two searches: where a new game
    /// does, it was refused, or else the answer to the search before it would have come by now.
    fn refused_go(&self) -> Option<usize> {
        let mut follows = false;
        for (place, entry) in self.entries.iter().enumerate() {
            match entry {
                Entry::Go(..) if follows => return Some(place),
                Entry::Go(..) => follows = true,
                Entry::Move(_) => follows = false,
                Entry::Game(..) | Entry::Setting(..) => {}
            }
        }
        None
    }

    /// All has been said again; `marked`: with a mark, and the answers to what stands before it are ignored. What cannot be
    /// understood is not said a third time.
    pub(super) fn was_said_again(&mut self, marked: bool) {
        let heard = if marked { self.first_go().unwrap_or(self.entries.len()) } else { 0 };
        let strangers = self.entries[heard..].iter().map(Entry::text).filter(|line| names_a_stranger(line));
        let mut questions: Vec<Question> =
            strangers.map(|line| Question { line: line.to_owned(), is_awaited: false }).collect();
        let understood =
            |question: &Question| question.is_awaited && Command::parse(question.line.as_bytes()).is_ok();
        questions.extend(std::mem::take(&mut self.questions).into_iter().filter(understood));
        self.questions = questions;
        self.count_questions();
    }

    /// All of it for another server, with a mark behind what was answered already.
    pub(super) fn again(&self) -> String {
        let settled = self.first_go().unwrap_or(self.entries.len());
        let (before, behind) = self.entries.split_at(settled);
        [lines(before).as_str(), MARK, &lines(behind), &self.rest()].concat()
    }

    /// All of it for the first server that is ready.
    pub(super) fn again_without_mark(&self) -> String {
        lines(&self.entries) + &self.rest()
    }

    fn rest(&self) -> String {
        let stop = if self.stopped { "STOP\n" } else { "" };
        let awaited = self.questions.iter().filter(|question| question.is_awaited);
        let questions: String = awaited.map(|question| format!("{}\n", question.line)).collect();
        let quit = if self.quit { "QUIT\n" } else { "" };
        [stop, &questions, quit].concat()
    }

    fn owes_move(&self) -> bool {
        self.first_go().is_some()
    }

    /// Whether an answer is due.
    pub(super) fn owes(&self) -> bool {
        self.owes_move() || self.questions.iter().any(|question| question.is_awaited)
    }

    /// Bytes that are kept.
    pub(super) fn bytes(&self) -> usize {
        self.bytes + self.question_bytes
    }

    /// What is due, in order, for comparisons.
    pub(super) fn due(&self) -> Vec<String> {
        let moves = self.entries.iter().filter(|entry| matches!(entry, Entry::Go(..))).map(Entry::text);
        let questions = self.questions.iter().filter(|question| question.is_awaited);
        moves.chain(questions.map(|question| question.line.as_str())).map(str::to_owned).collect()
    }

    /// Whether more was said than is kept.
    pub(super) fn is_too_much(&self) -> bool {
        self.is_too_much
    }

    /// Whether `QUIT` was said.
    pub(super) fn said_quit(&self) -> bool {
        self.quit
    }
}

/// Whether servers like this program have no parameter of this name.
fn is_strange(name: &str) -> bool {
    PARAMETERS.iter().all(|parameter| parameter.name != name)
}

/// Whether the answer to a line is that there is no such parameter.
fn names_a_stranger(line: &str) -> bool {
    match Command::parse(line.as_bytes()) {
        Ok(Command::Getparameter(name) | Command::Setparameter(name, _)) => is_strange(&name),
        _ => false,
    }
}

fn lines(entries: &[Entry]) -> String {
    entries.iter().map(|entry| format!("{}\n", entry.text())).collect()
}
