//! The limits of a `go`, and the start of its search.

use super::thinking::{Release, Thinking, Work};
use super::{Session, Step, remark};
use crate::chess::{Color, Ending, Move, Outcome};
use crate::pool::{Class, SearchBudget};
use crate::protocol::uci::{Go, Reply, Score, move_text};
use crate::search::{GameRecord, Limits, Past};
use crate::session::player::{NewSearch, Purpose, untimed_budget};
use std::time::{Duration, Instant};

/// The highest depth limit, in plies; higher ones are cut to it.
const MAX_DEPTH: u32 = 100;

/// The limits of a search, and thus its purpose.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Terms {
    /// A move while the engine's clock runs, or in an exact time.
    Clock,
    /// A move with limits other than time.
    Limited,
    /// No limit.
    Endless,
}

impl Session {
    /// `go`. Ends a pending one first.
    pub(super) fn go(&mut self, go: &Go, step: &mut Step<'_>) {
        self.answer(step);
        self.answered = None;
        let release = Release::of(go);
        if let Some(error) = self.board.error() {
            remark(format!("nothing is searched: {error}"), step);
            // A perft is never answered with a move.
            if go.perft.is_none() {
                self.have_nothing(release, step);
            }
            return;
        }
        if let Some(depth) = go.perft {
            return self.begin_perft(depth, step);
        }
        if let Some(score) = self.final_score() {
            step.reply(Reply::GameOver(score));
            return self.have_nothing(release, step);
        }
        let Some(excluded) = self.excluded(go, step) else {
            remark("nothing is searched: none of the searchmoves is legal", step);
            return self.have_nothing(release, step);
        };
        let terms = self.take_terms(go);
        let has_limit = terms != Terms::Endless;
        self.in_game = has_limit && !self.settings.analyse_mode;
        let is_move = self.in_game && release == Release::AtOnce && excluded.is_empty();
        if is_move && self.uses_book() && self.play_from_book(step) {
            return;
        }
        let mut thinking = Thinking::new(Work::Search(terms), release, &self.board);
        thinking.excluded = excluded;
        thinking.lines.shows_wdl = self.settings.show_wdl;
        self.thinking = Some(thinking);
        self.begin_search(step);
        if self.debug {
            self.tell_terms(terms, step);
        }
    }

    /// Handles a `go` with nothing to search: `bestmove (none)` is due, at once or when the client
    /// wants it.
    pub(super) fn have_nothing(&mut self, release: Release, step: &mut Step<'_>) {
        self.thinking = Some(Thinking::new(Work::Nothing, release, &self.board));
        if release == Release::AtOnce {
            self.answer(step);
        }
    }

    /// The score of a position in which the game is over. Draws by insufficient material are
    /// searched: the client decides on them.
    fn final_score(&self) -> Option<Score> {
        let position = self.game().position();
        match position.outcome()? {
            (_, Ending::InsufficientMaterial) => None,
            (Outcome::Draw, _) => Some(Score::Centipawns(0)),
            (Outcome::Win(winner), _) => Some(Score::Mate(i32::from(winner == position.turn()))),
        }
    }

    /// Returns the first moves to leave out; `None` if that is all of them.
    fn excluded(&self, go: &Go, step: &mut Step<'_>) -> Option<Vec<Move>> {
        if go.searchmoves.is_empty() {
            return Some(Vec::new());
        }
        let position = self.game().position();
        let (mut wanted, mut wrong) = (Vec::new(), Vec::new());
        for word in go.searchmoves.iter() {
            match position.parse_move(word) {
                Ok(mv) => wanted.push(mv),
                Err(_) => wrong.push(word),
            }
        }
        if !wrong.is_empty() {
            remark(format!("searchmoves that are not legal are not searched: {}", wrong.join(" ")), step);
        }
        let excluded = position.legal_moves().into_iter().filter(|mv| !wanted.contains(mv)).collect();
        (!wanted.is_empty()).then_some(excluded)
    }

    /// Sets the player's limits and clock. A limit of 0 is no limit, as usual in UCI.
    fn take_terms(&mut self, go: &Go) -> Terms {
        let game = self.board.game();
        let ply = game.moves().len();
        let limits = &mut self.player.limits;
        limits.depth = go.depth.filter(|&depth| depth > 0).map(|depth| depth.min(MAX_DEPTH) as u8);
        limits.nodes = go.nodes.filter(|&nodes| nodes > 0);
        limits.mate = go.mate.filter(|&moves| moves > 0).map(|moves| moves.min(u8::MAX.into()) as u8);
        let (own, increment) = if game.position().turn() == Color::White {
            (go.wtime.or(go.btime), go.winc)
        } else {
            (go.btime.or(go.wtime), go.binc)
        };
        let move_time = go.movetime.filter(|&time| time > 0 && !go.infinite);
        let own = own.filter(|_| !go.infinite);
        if self.clocked_ply.take().is_none_or(|before| ply != before + 2) {
            limits.clocks.forget_move();
        }
        let terms = match (move_time, own) {
            (None, None) if limits.without_clock() == Limits::default() => Terms::Endless,
            (None, None) => Terms::Limited,
            (Some(time), clock) => {
                let clock = clock.map_or(u64::MAX, |clock| u64::try_from(clock).unwrap_or(0).max(1));
                limits.clocks.set_per_move(Duration::from_millis(time.min(clock)));
                Terms::Clock
            }
            (None, Some(clock)) => {
                let increment = Duration::from_millis(increment.unwrap_or(0));
                let moves_to_go = go.movestogo.filter(|&moves| moves > 0);
                limits.clocks.announce(clock, increment, moves_to_go, ply);
                self.clocked_ply = Some(ply);
                Terms::Clock
            }
        };
        if terms != Terms::Clock {
            limits.clocks.remove();
        }
        if go.infinite { Terms::Endless } else { terms }
    }

    /// Starts the search of the current `go`, in place of a running one.
    pub(super) fn begin_search(&mut self, step: &mut Step<'_>) {
        let Some(thinking) = &self.thinking else { return };
        let Work::Search(terms) = thinking.work else { return };
        let (limits, budget) = self.limits_and_budget(terms, thinking.ply, step.now);
        let (purpose, budget) = match (thinking.release, terms) {
            (Release::OnHit, _) => (Purpose::PonderOnBoard, untimed_budget(Class::Ponder, step.now)),
            (Release::AtOnce | Release::OnStop, Terms::Endless) => (Purpose::Analysis, budget),
            // Without a clock, the mode tells an analysis from a game.
            (Release::AtOnce | Release::OnStop, Terms::Limited) if self.settings.analyse_mode => {
                (Purpose::Analysis, budget)
            }
            (Release::AtOnce | Release::OnStop, Terms::Limited | Terms::Clock) => (Purpose::Move, budget),
        };
        let ask = self.search_of(thinking, purpose, limits, budget);
        self.player.start(ask, step);
    }

    /// Describes a search for this purpose of the position of a `go`.
    pub(super) fn search_of(
        &self,
        thinking: &Thinking,
        purpose: Purpose,
        limits: Limits,
        budget: SearchBudget,
    ) -> NewSearch {
        // The client may have sent another position in the meantime.
        let is_current = self.game().position().key() == thinking.root.key();
        let past = if is_current { self.game().past() } else { Past::default() };
        let (excluded, random) = (thinking.excluded.clone(), self.player.engine.options.randomness > 0);
        let search = NewSearch::of(purpose, thinking.root.into(), limits, budget);
        NewSearch { past, excluded, random, ..search }
    }

    /// Limits and budget of a search for a move that is due now.
    pub(super) fn limits_and_budget(&self, terms: Terms, ply: usize, now: Instant) -> (Limits, SearchBudget) {
        let limits = &self.player.limits;
        match terms {
            Terms::Clock => limits.for_move(now, ply, self.player.engine.options.move_overhead),
            Terms::Limited => (limits.without_clock(), untimed_budget(Class::Reply, now)),
            Terms::Endless => (Limits::default(), untimed_budget(Class::Analysis, now)),
        }
    }

    /// `go perft`: counts in a search of its own, without a `bestmove`.
    fn begin_perft(&mut self, depth: u32, step: &mut Step<'_>) {
        let thinking = Thinking::new(Work::Perft, Release::AtOnce, &self.board);
        let purpose = Purpose::Perft(depth.min(u8::MAX.into()) as u8);
        let budget = untimed_budget(Class::Analysis, step.now);
        let ask = self.search_of(&thinking, purpose, Limits::default(), budget);
        self.thinking = Some(thinking);
        self.player.start(ask, step);
    }

    /// Returns true if a game's move may come from the book: with `OwnBook`, and at limited
    /// strength without it, since few clients set it and weak players know openings, too. Then a
    /// client that asks for several lines or a mate wants a search.
    fn uses_book(&self) -> bool {
        let options = &self.player.engine.options;
        let wants_search = options.lines > 1 || self.player.limits.mate.is_some();
        self.settings.own_book || options.strength().is_some() && !wants_search
    }

    /// Answers with a book move; returns false if there is none. The clock goes on as after a
    /// search.
    fn play_from_book(&mut self, step: &mut Step<'_>) -> bool {
        let position = *self.game().position();
        let ply = self.game().moves().len();
        let Some(book) = self.player.engine.book().cloned() else { return false };
        let Some(mv) = book.choose(&position, self.player.seed_at(ply)) else { return false };
        let text = |position: &_, mv| move_text(position, mv, self.board.king_takes_rook());
        let mut after = position;
        after.play(mv);
        let reply = book.moves(&after).first().map(|reply| reply.mv);
        let best = Some(text(&position, mv));
        let ponder = reply.filter(|&reply| after.is_legal(reply)).map(|reply| text(&after, reply));
        self.player.limits.clocks.moved(Duration::ZERO, ply);
        let before = self.game().clone();
        self.note_move_after(before, mv, None, Duration::ZERO, step);
        self.player.moved(None, step);
        remark("book move", step);
        step.reply(Reply::Bestmove { best, ponder });
        true
    }

    fn tell_terms(&self, terms: Terms, step: &mut Step<'_>) {
        let Some(search) = self.player.search() else { return };
        let time = search.budget.allotment.map_or("no limit of time".to_owned(), |time| {
            format!("{} ms, at most {} ms", time.optimum.as_millis(), time.maximum.as_millis())
        });
        let class = search.budget.class.word();
        remark(format!("searching: {terms:?}, class {class}, {time}").to_lowercase(), step);
    }
}
