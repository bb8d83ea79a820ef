//! Moves of both sides.

use super::verdict::Verdict;
use super::{Session, Step, Task, send};
use crate::chess::Move;
use crate::pool::{Class, SearchBudget};
use crate::protocol::web::{Message, Mode, Mover, PlayedMove};
use crate::search::{Allotment, Limits};
use crate::session::player::{BestMove, Purpose, Search, untimed_budget};
use crate::session::web::clocks::Terms;
use crate::session::web::record::words;
use std::time::{Duration, Instant};

/// The time for a move of the engine without a clock: to aim for, and at most.
const UNTIMED_OPTIMUM: Duration = Duration::from_millis(1_000);
const UNTIMED_MAXIMUM: Duration = Duration::from_millis(3_000);

impl Session {
    /// `move`: plays a move of the person, or of either side in an analysis.
    pub(super) fn person_moves(&mut self, text: &str, ply: usize, step: &mut Step<'_>) {
        let now = self.game.plies();
        let reason = if self.mode == Mode::Idle {
            "there is no game".to_owned()
        } else if ply != now {
            format!("the move is for ply {ply}, and the game is at ply {now}")
        } else if self.is_over() {
            "the game is over".to_owned()
        } else if self.is_engines_turn() {
            "it is the engine's turn".to_owned()
        } else {
            return match self.game.parse_move(text) {
                Ok(mv) => self.accept_move(mv, step),
                Err(error) => send(Message::error(Some("move"), error), step),
            };
        };
        send(Message::error(Some("move"), reason), step);
    }

    fn accept_move(&mut self, mv: Move, step: &mut Step<'_>) {
        // The clocks have changed sides when the move was sent.
        let sent = self.player.limits.sent(step.now);
        if self.mode == Mode::Play && self.call_flag(&mut Step { now: sent, effects: step.effects }) {
            return;
        }
        self.player.stop(step);
        if let (Mode::Play, Some(clocks)) = (self.mode, &mut self.clocks) {
            clocks.switch_to(!self.game.turn(), sent);
        }
        self.play_on_board(mv, Mover::You, step);
        if self.is_engines_turn() {
            self.think(sent, step);
        } else if self.mode == Mode::Analysis {
            self.board_changed(step);
        }
    }

    /// Plays a move of either side, shows it, and announces the end of the game.
    fn play_on_board(&mut self, mv: Move, by: Mover, step: &mut Step<'_>) {
        let words = words(&self.game.root(), mv);
        self.game.play(mv);
        let ended = self.is_over();
        if let Some(clocks) = self.clocks.as_mut().filter(|_| ended) {
            clocks.stop(step.now);
        }
        let position = self.position_shown();
        let mv = PlayedMove { uci: words.uci, san: words.san, fen: position.fen.clone() };
        send(Message::Moved { mv, by, position, clocks: self.clocks_shown(step.now) }, step);
        if ended && self.mode == Mode::Play {
            self.announce_result(step);
        }
    }

    /// Makes the engine's move, due since `since`: from the book, or by a search.
    pub(super) fn think(&mut self, since: Instant, step: &mut Step<'_>) {
        if let Some(mv) = self.book_move() {
            return self.commit(mv, None, step);
        }
        let (limits, budget) = self.limits_and_budget(since);
        let ask = self.search_of(Purpose::Move, limits, budget);
        self.player.start(ask, step);
    }

    /// The limits and budget of the engine's move, due since `since`.
    fn limits_and_budget(&mut self, since: Instant) -> (Limits, SearchBudget) {
        let (ply, side) = (self.game.plies(), self.game.turn());
        let limits = &mut self.player.limits;
        match self.clocks.as_ref().map(|clocks| (clocks.terms, clocks.left(side, since))) {
            Some((Terms::Game { increment, .. }, left)) => {
                let left = i64::try_from(left.as_millis()).unwrap_or(i64::MAX);
                limits.clocks.announce(left, increment, None, ply);
            }
            Some((Terms::PerMove(time), _)) => limits.clocks.set_per_move(time),
            None => {
                limits.clocks.remove();
                let budget = untimed_budget(Class::Reply, since);
                let allotment = self.player.engine.profile().move_time.map_or(
                    Allotment {
                        optimum: UNTIMED_OPTIMUM,
                        calm: UNTIMED_OPTIMUM,
                        maximum: UNTIMED_MAXIMUM,
                        exact: false,
                    },
                    Allotment::exact,
                );
                let limits = self.player.limits.without_clock();
                return (limits, SearchBudget { allotment: Some(allotment), ..budget });
            }
        }
        let overhead = self.player.engine.options.move_overhead;
        self.player.limits.for_move(since, ply, overhead)
    }

    /// Plays the best move known for the engine, or ends the game.
    pub(super) fn make_move(&mut self, step: &mut Step<'_>) {
        let Some(search) = self.player.halt(step) else { return };
        let is_careful = self.player.engine.options.strength().is_none();
        let endgames = self.player.engine.profile().endgames.get();
        let Some(BestMove { mv, .. }) = search.choose(&[], is_careful, endgames.as_deref()) else { return };
        self.answer_with(mv, &search, step);
    }

    /// Plays a move that a search has found, unless the engine agrees to a draw or resigns.
    pub(super) fn answer_with(&mut self, mv: Move, search: &Search, step: &mut Step<'_>) {
        let side = self.game.turn();
        self.offers.record(search.score(), &self.player.engine.options);
        if self.answer_offer(step) {
            return;
        }
        if self.offers.resigns(&self.player.engine.options) {
            return self.end_game(Verdict::Resigned(side), step);
        }
        self.commit(mv, Some(search), step);
    }

    /// Sends the engine's move and plays it on the board.
    fn commit(&mut self, mv: Move, search: Option<&Search>, step: &mut Step<'_>) {
        let side = self.game.turn();
        if self.is_flagged(step.now) {
            return self.end_game(Verdict::OutOfTime(side), step);
        }
        self.note_move(mv, search, step);
        if let Some(clocks) = self.clocks.as_mut().filter(|clocks| clocks.running.is_some()) {
            let used =
                clocks.running.map_or(Duration::ZERO, |(_, since)| step.now.saturating_duration_since(since));
            self.player.limits.clocks.moved(used, self.game.plies());
            clocks.switch_to(!side, step.now);
        }
        self.player.moved(search, step);
        self.play_on_board(mv, Mover::Engine, step);
    }

    /// Returns true if the engine has overstepped the time of the game. A time per move ends with
    /// the move, whenever that comes: a busy server must not lose a game by some milliseconds.
    fn is_flagged(&self, now: Instant) -> bool {
        let Some(clocks) = &self.clocks else { return false };
        matches!(clocks.terms, Terms::Game { .. }) && clocks.flag().is_some_and(|(_, at)| at <= now)
    }

    /// `move_now`
    pub(super) fn move_now(&mut self, step: &mut Step<'_>) {
        if self.player.purpose() == Some(Purpose::Move) {
            self.make_move(step);
        } else {
            send(Message::error(Some("move_now"), "the engine is not thinking about a move"), step);
        }
    }

    /// `take_back`: back to the person's last turn; in an analysis, by one ply.
    pub(super) fn take_back(&mut self, step: &mut Step<'_>) {
        let plies = self.game.plies();
        let left = match self.person() {
            None => plies.checked_sub(1).filter(|_| self.mode == Mode::Analysis),
            Some(_) if matches!(self.verdict, Some(Verdict::OutOfTime(_))) => None,
            // The person's last move is the last ply, or the one before it.
            Some(person) if person == self.game.turn() => plies.checked_sub(2),
            Some(_) => plies.checked_sub(1),
        };
        let Some(left) = left else {
            return send(Message::error(Some("take_back"), "there is no move to take back"), step);
        };
        self.player.stop(step);
        self.game.rewind(left);
        self.verdict = None;
        if self.mode == Mode::Play {
            self.task = Task::None;
        }
        self.offers.forget();
        self.player.limits.clocks.rewound(left);
        let has_begun = self.has_person_moved();
        if let Some(clocks) = &mut self.clocks {
            clocks.stop(step.now);
            if has_begun {
                clocks.switch_to(self.game.turn(), step.now);
            }
        }
        let (position, clocks) = (self.position_shown(), self.clocks_shown(step.now));
        send(Message::TakenBack { position, clocks }, step);
        if self.mode == Mode::Analysis {
            self.board_changed(step);
        }
    }

    /// Returns true if the person has moved in this game: then its clocks run.
    fn has_person_moved(&self) -> bool {
        let is_first = self.person() == Some(self.game.first_side());
        self.game.plies() > usize::from(!is_first)
    }

    /// Starts again what depends on the position, after a change of the board in an analysis.
    fn board_changed(&mut self, step: &mut Step<'_>) {
        match self.task {
            Task::None => {}
            Task::Analysis => self.analyse_board(step),
            Task::Review(_) => self.task = Task::None,
        }
    }
}
