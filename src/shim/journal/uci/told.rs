//! What the client has said, as far as another server must hear it.

use super::changes::Changes;
use super::search::{Search, turn};
use crate::protocol::uci::{Command, CommandError, Reply};
use std::collections::VecDeque;
use std::time::Instant;

/// Memory for what is kept, in bytes. A client that says more keeps its session for as long as its server lives.
const MAX_WEIGHT: usize = 2 << 20;
/// Different settings that are kept; engines have some dozens.
const MAX_SETTINGS: usize = 4096;
/// Memory of a search besides its line, approximately.
const SEARCH_COST: usize = 512;

/// A search without an answer, and what came after it.
#[derive(Clone, Default, Debug)]
struct Chapter {
    /// `None` in the first chapter of an outage: what precedes it is told first, and the answers to that are not shown.
    search: Option<Search>,
    after: Changes,
}

/// The key of the option that has nothing to do with another server.
const CLEAR_TABLE: &str = "option clearhash";

/// The client's lines.
#[derive(Clone, Default, Debug)]
pub(super) struct Told {
    /// What came before all chapters.
    settled: Changes,
    chapters: VecDeque<Chapter>,
    /// The number of lines so far.
    lines: u64,
    /// More was said than is kept, so nothing is.
    is_too_much: bool,
}

impl Told {
    /// The client says a line without an ending, which is this command; `is_lost`: there is no server that hears it now.
    pub(super) fn say(
        &mut self,
        command: Result<Command, CommandError>,
        line: Vec<u8>,
        now: Instant,
        is_lost: bool,
    ) {
        self.lines += 1;
        match command {
            Ok(Command::Setoption { name, .. }) => {
                let key = option_key(&name);
                // The table of another server is empty.
                if key != CLEAR_TABLE {
                    let number = self.lines;
                    self.last().set(key, line, number);
                }
            }
            Ok(Command::Ucinewgame) => self.last().set_surely("ucinewgame".to_owned(), line),
            Ok(Command::Debug(_)) => self.last().set_surely("debug".to_owned(), line),
            Ok(Command::Register(_)) => self.last().set_surely("register".to_owned(), line),
            Ok(Command::Position { .. }) => self.last().place(line),
            Err(error) if error.is_of_position() => self.last().place(line),
            Ok(Command::Go(go)) => self.go(Search::new(line, Some(go), now)),
            Err(error) if error.is_of_go() => self.go(Search::new(line, None, now)),
            Ok(Command::Stop) => self.last_search().into_iter().for_each(Search::stop),
            Ok(Command::Ponderhit) => self.last_search().into_iter().for_each(|search| search.hit(now)),
            Ok(Command::D | Command::Eval | Command::Help) | Err(_) if is_lost => self.last().remark(line),
            Ok(
                Command::D | Command::Eval | Command::Help | Command::Empty | Command::Uci | Command::Isready,
            )
            | Ok(Command::Quit)
            | Err(_) => {}
        }
        // Without a server the relay reads no more than there is room for.
        if !is_lost {
            self.keep_bounds();
        }
    }

    fn last(&mut self) -> &mut Changes {
        self.chapters.back_mut().map_or(&mut self.settled, |chapter| &mut chapter.after)
    }

    fn last_search(&mut self) -> Option<&mut Search> {
        self.chapters.back_mut()?.search.as_mut()
    }

    /// A `go` ends the search before it.
    fn go(&mut self, search: Search) {
        self.last_search().into_iter().for_each(Search::stop);
        self.chapters.push_back(Chapter { search: Some(search), after: Changes::default() });
    }

    fn keep_bounds(&mut self) {
        let settings = |changes: &Changes| changes.len() > MAX_SETTINGS;
        let many = settings(&self.settled) || self.chapters.back().is_some_and(|last| settings(&last.after));
        if self.is_too_much || many || self.weight() > MAX_WEIGHT {
            self.forget_all();
        }
    }

    /// From now on nothing is kept.
    pub(super) fn forget_all(&mut self) {
        *self = Told { is_too_much: true, ..Told::default() };
    }

    /// The number that the next line will have.
    pub(super) fn next_line(&self) -> u64 {
        self.lines + 1
    }

    /// The server has obeyed the lines before this number.
    pub(super) fn confirm(&mut self, before: u64) {
        self.settled.confirm(before);
        self.chapters.iter_mut().for_each(|chapter| chapter.after.confirm(before));
    }

    /// The server has refused to set the option of this name.
    pub(super) fn refused(&mut self, name: &str) {
        let key = option_key(name);
        let mut all = std::iter::once(&mut self.settled)
            .chain(self.chapters.iter_mut().map(|chapter| &mut chapter.after));
        let _ = all.any(|changes| changes.refuse(&key));
    }

    /// The server is lost: what comes from now on was told to nobody.
    pub(super) fn lose(&mut self) {
        for search in self.searches_mut() {
            search.shown.lose();
        }
        if !self.is_outage() {
            self.chapters.push_front(Chapter::default());
        }
    }

    fn is_outage(&self) -> bool {
        self.chapters.front().is_some_and(|chapter| chapter.search.is_none())
    }

    /// Lines whose answers the client does not see.
    pub(super) fn tell_settled(&self, bytes: &mut Vec<u8>, asked: &mut VecDeque<u64>) {
        self.settled.tell(bytes, asked);
    }

    /// All that follows, for a server that has heard what is settled. From now on there is a server.
    pub(super) fn tell_rest(&mut self, now: Instant, bytes: &mut Vec<u8>, asked: &mut VecDeque<u64>) {
        let mut position = self.settled.position();
        for chapter in &self.chapters {
            if let Some(search) = &chapter.search {
                search.tell_again(turn(position), now, bytes);
            }
            chapter.after.tell(bytes, asked);
            position = chapter.after.position().or(position);
        }
        self.settled.confirm(u64::MAX);
        if self.is_outage() {
            self.close(0);
        }
        self.settled.forget_remarks();
        self.chapters.iter_mut().for_each(|chapter| chapter.after.forget_remarks());
    }

    /// Removes a chapter, whose changes are kept. Returns its search.
    fn close(&mut self, place: usize) -> Option<Search> {
        let chapter = self.chapters.remove(place)?;
        let before = match place.checked_sub(1) {
            Some(before) => &mut self.chapters.get_mut(before)?.after,
            None => &mut self.settled,
        };
        before.append(chapter.after);
        chapter.search
    }

    /// The oldest search has its answer.
    pub(super) fn answered(&mut self) -> Option<Search> {
        let place = self.chapters.iter().position(|chapter| chapter.search.is_some())?;
        self.close(place)
    }

    /// The answer to the oldest search, if it was to end and a move was shown: nobody else needs to be asked.
    pub(super) fn answer_alone(&mut self) -> Option<String> {
        let answer = self.running()?.answer()?;
        self.answered();
        Some(answer)
    }

    /// Servers have defects at what they are told: says it to no other one. Returns what the client is told instead.
    pub(super) fn give_in(&mut self) -> Option<String> {
        let why = "the engine has failed twice, and is not asked again";
        if let Some(search) = self.answered() {
            let nothing = || Reply::Bestmove { best: None, ponder: None }.line();
            let answer = search.best_move_shown().unwrap_or_else(nothing);
            return Some(Reply::Remark(format!("ERROR: {why} for a move")).line() + &answer);
        }
        let is_dropped = self.settled.forget_position();
        is_dropped.then(|| Reply::Remark(format!("ERROR: {why} about this position")).line())
    }

    /// The oldest search.
    pub(super) fn running(&mut self) -> Option<&mut Search> {
        self.searches_mut().next()
    }

    fn searches_mut(&mut self) -> impl Iterator<Item = &mut Search> {
        self.chapters.iter_mut().filter_map(|chapter| chapter.search.as_mut())
    }

    fn searches(&self) -> impl Iterator<Item = &Search> {
        self.chapters.iter().filter_map(|chapter| chapter.search.as_ref())
    }

    /// Whether a best move will come.
    pub(super) fn owes(&self) -> bool {
        self.searches().next().is_some()
    }

    /// Whether the client waits for a best move.
    pub(super) fn is_awaited(&self) -> bool {
        self.searches().any(Search::is_awaited)
    }

    /// Since when all that is searched are analyses without an end, if something is. `None` if the client waits for a best move,
    /// or for the leaves of a tree.
    pub(super) fn calm_since(&self) -> Option<Option<Instant>> {
        let is_calm = self.searches().all(|search| !search.is_awaited() && !search.is_perft());
        is_calm.then(|| self.searches().map(Search::since).max())
    }

    /// Whether nothing was said that another server must hear.
    pub(super) fn is_empty(&self) -> bool {
        let said = |chapter: &Chapter| chapter.search.is_some() || !chapter.after.is_empty();
        self.settled.is_empty() && !self.chapters.iter().any(said)
    }

    /// Whether more was said than is kept.
    pub(super) fn is_too_much(&self) -> bool {
        self.is_too_much
    }

    /// Memory in bytes, approximately.
    pub(super) fn weight(&self) -> usize {
        let searches: usize = self.searches().map(|search| search.bytes() + SEARCH_COST).sum();
        self.settled.weight()
            + self.chapters.iter().map(|chapter| chapter.after.weight()).sum::<usize>()
            + searches
    }
}

/// The key of an option: names differ by case, blanks and underscores only if nothing else does.
fn option_key(name: &str) -> String {
    format!("option {}", name.replace([' ', '_'], "").to_ascii_lowercase())
}
