//! Draw offers, their acceptance, and resignation, by the scores of the engine's moves.

use super::{Closing, Mode, Session, Step};
use crate::chess::{AnyPosition, Color, Ending, Move, Outcome, Square};
use crate::protocol::xboard::Reply;
use crate::search::Score;
use crate::session::player::{Held, Options, Purpose, Search};
use crate::session::state::{Fields, StateError, describe};
use std::time::Duration;

/// The engine accepts no draw up to this move while there are more pieces than
/// [`MAX_PIECES_AFTER_OPENING`]. Both count, since GUIs number the moves of set-up positions from
/// 1.
const LAST_OPENING_MOVE: u32 = 15;
const MAX_PIECES_AFTER_OPENING: usize = 24;
/// The engine offers no draw up to this move while there are more pieces than
/// [`MAX_ENDGAME_PIECES`].
const LAST_MOVE_WITHOUT_OFFER: u32 = 35;
const MAX_ENDGAME_PIECES: usize = 10;
/// Moves from one draw offer of the engine to the next.
const MIN_MOVES_BETWEEN_OFFERS: u32 = 35;
/// The number of the engine's moves in a row that must be level before it offers a draw, or lost
/// before it resigns.
const MIN_LEVEL_MOVES: u32 = 8;
const MIN_LOST_MOVES: u32 = 3;
/// A score this close to a draw is level. Centipawns.
const MAX_LEVEL_SCORE: i32 = 8;
/// Plies without capture or pawn move before the engine offers a draw: the game is unlikely to open
/// up again.
const MIN_QUIET_PLIES: u32 = 16;
/// The greatest count of moves in a state.
const MAX_COUNT: u32 = 1_000_000_000;
/// Delay of the engine's move after it has accepted a draw: long enough for a distant chess server
/// to end the game. If the opponent has withdrawn the offer, the game goes on and the engine's
/// clock runs; hence at most a tenth of the clock.
const MAX_MOVE_DELAY: Duration = Duration::from_secs(5);
const MOVE_DELAY_CLOCK_DIVISOR: u32 = 10;

/// The engine's scores, and the offers in the game.
#[derive(Clone, Default, Debug)]
pub(super) struct Offers {
    /// The score of the engine's last move from its point of view, and its side then.
    /// Forgotten after a move made while the engine played neither side; the counts stay, since
    /// python-chess sends every move of the opponent in force mode.
    pub(super) score: Option<(Score, Color)>,
    /// Whether a draw offer of the opponent waits for the engine's move.
    draw_offered: bool,
    /// Whether the offer came in force mode: then `go` follows whatever the answer, as with
    /// python-chess.
    offered_before_go: bool,
    /// The side whose level and lost moves are counted.
    counted: Option<Color>,
    level_moves: u32,
    lost_moves: u32,
    /// The number of the move with the engine's last draw offer.
    offered_on: Option<u32>,
    pub(super) resigned: bool,
    /// Whether the opponent was greeted.
    pub(super) greeted: bool,
}

impl Offers {
    /// Resigns the game.
    pub(super) fn resign(&mut self) {
        self.resigned = true;
        self.draw_offered = false;
    }

    /// Drops a draw offer of the opponent.
    pub(super) fn drop_offer(&mut self) {
        self.draw_offered = false;
    }

    /// Forgets score, counts and a waiting offer, after a change of the board other than a move.
    pub(super) fn board_changed(&mut self) {
        self.draw_offered = false;
        self.score = None;
        self.level_moves = 0;
        self.lost_moves = 0;
    }

    /// Records the score of a move that the engine makes as `side`, and counts level and lost
    /// moves.
    pub(super) fn record(&mut self, score: Option<Score>, side: Color, options: &Options) {
        if self.counted.replace(side).is_some_and(|before| before != side) {
            self.level_moves = 0;
            self.lost_moves = 0;
        }
        self.score = score.map(|score| (score, side));
        let Some(Score(score)) = score else { return };
        let count = |on: bool, count: u32| if on { count + 1 } else { 0 };
        let level = (score + i32::from(options.contempt)).abs() <= MAX_LEVEL_SCORE;
        self.level_moves = count(level, self.level_moves);
        self.lost_moves = count(score <= -options.resign_score, self.lost_moves);
    }

    /// Returns true if the game is lost and the engine has not resigned before.
    fn is_lost(&self) -> bool {
        self.lost_moves >= MIN_LOST_MOVES && !self.resigned
    }

    /// Returns true if the game is dead, and the engine has not offered a draw lately.
    fn is_dead_draw(&self, position: &AnyPosition) -> bool {
        let now = position.fullmove();
        !position.variant().has_partner()
            && self.level_moves >= MIN_LEVEL_MOVES
            && (now > LAST_MOVE_WITHOUT_OFFER || piece_count(position) <= MAX_ENDGAME_PIECES)
            && position.halfmove_clock() >= MIN_QUIET_PLIES
            && self.offered_on.is_none_or(|then| now.saturating_sub(then) >= MIN_MOVES_BETWEEN_OFFERS)
    }

    /// Writes or reads the state.
    pub(super) fn state(&mut self, fields: &mut Fields<'_>) -> Result<(), StateError> {
        describe!(fields, self => Offers {
            score: "score",
            draw_offered: "draw-offered",
            offered_before_go: "before-go",
            counted: "counted",
            level_moves: "level-moves" in 0..=MAX_COUNT,
            lost_moves: "lost-moves" in 0..=MAX_COUNT,
            offered_on: "offered-on",
            resigned: "resigned",
            greeted: "greeted",
        })
    }
}

fn piece_count(position: &AnyPosition) -> usize {
    Square::all().filter(|&square| position.piece_at(square).is_some()).count()
}

impl Session {
    /// Resigns instead of moving, if the option `Resign` is on and the game is lost. Once in a
    /// game: a client that plays on gets a move. Never in bughouse, where the board is not the
    /// engine's alone.
    pub(super) fn resigns(&mut self, step: &mut Step<'_>) -> bool {
        let resigns = self.player.engine.options.resign
            && self.offers.is_lost()
            && !self.game.position().variant().has_partner();
        if resigns {
            self.offers.resign();
            self.over = true;
            step.reply(Reply::Resign);
        }
        resigns
    }

    /// `draw`: accepted if the engine is not better by its last score. While it thinks, or before
    /// its first search, the answer comes with its move: python-chess offers before `go`, and takes
    /// an answer before the move for one instead of it.
    pub(super) fn draw_offer(&mut self, step: &mut Step<'_>) {
        let playing = matches!(self.mode, Mode::Play(_)) && self.player.purpose() != Some(Purpose::Move);
        match self.score().filter(|_| playing) {
            Some(score) if !self.over => {
                if self.acceptable(score) {
                    step.reply(Reply::OfferDraw);
                }
            }
            Some(_) => {}
            None if self.player.search().is_some_and(Search::is_draw_agreed) => step.reply(Reply::OfferDraw),
            None => {
                self.offers.draw_offered = self.mode != Mode::Analyze;
                self.offers.offered_before_go = self.mode == Mode::Force;
            }
        }
    }

    /// Accepts a waiting draw offer when the engine's move is due with this score; then holds the
    /// move back for a while, since no move follows an agreed draw. "Don't assume the game is over
    /// because you accept a draw offer" (protocol 1, section 8): a game that goes on gets the move
    /// in the end. Returns true if the move is held back.
    pub(super) fn agrees_to_draw(&mut self, score: Option<Score>, step: &mut Step<'_>) -> bool {
        let Some(search) = self.player.search() else { return false };
        if search.is_draw_agreed() {
            let deadline = search.deadline;
            self.player.await_deadline(step);
            return deadline.is_some_and(|deadline| step.now < deadline);
        }
        let offered = std::mem::take(&mut self.offers.draw_offered);
        if !offered || !score.is_some_and(|score| self.acceptable(score)) {
            return false;
        }
        step.reply(Reply::OfferDraw);
        if self.offers.offered_before_go {
            return false;
        }
        let Some(search) = self.player.search() else { return false };
        // A time per move does not run down a clock.
        let used = if self.player.limits.clocks.is_per_move() {
            Duration::ZERO
        } else {
            self.player.limits.used(search, step.now)
        };
        let share = self.player.limits.clocks.shown_after(used).map_or(MAX_MOVE_DELAY, |left| {
            Duration::from_millis(u64::try_from(left).unwrap_or(0)) / MOVE_DELAY_CLOCK_DIVISOR
        });
        // After the end of its input a client cannot end the game.
        let time = if self.closing == Closing::Owing { Duration::ZERO } else { share.min(MAX_MOVE_DELAY) };
        self.keep_back(time, step);
        !time.is_zero()
    }

    /// Plays the move that was held back for an agreed draw: the game goes on.
    pub(super) fn play_held_move(&mut self, step: &mut Step<'_>) {
        if !self.player.is_paused() && self.player.search().is_some_and(Search::is_draw_agreed) {
            self.keep_back(Duration::ZERO, step);
            self.make_move(step);
        }
    }

    fn keep_back(&mut self, time: Duration, step: &mut Step<'_>) {
        let Some(search) = self.player.search_mut() else { return };
        search.hold(Held::DrawAgreed, step.now.checked_add(time));
        self.player.await_deadline(step);
    }

    /// Sends `offer draw` before this move of the engine, to claim a draw that the move brings
    /// about ("by sending it before making the move", current text, section 9), or because the game
    /// is dead. Not in kriegspiel, where the engine sees neither.
    pub(super) fn offer_draw(&mut self, mv: Move, step: &mut Step<'_>) {
        if self.is_hidden() {
            return;
        }
        if self.can_claim(mv) {
            step.reply(Reply::OfferDraw);
        } else if self.offers.is_dead_draw(self.game.position()) {
            self.offers.offered_on = Some(self.game.position().fullmove());
            step.reply(Reply::OfferDraw);
        }
    }

    /// The score of the engine's last move, unless it has changed sides since.
    fn score(&self) -> Option<Score> {
        let Mode::Play(side) = self.mode else { return None };
        self.offers.score.filter(|&(_, then)| then == side).map(|(score, _)| score)
    }

    /// Returns true if a draw is acceptable at this score. Never in the opening, where a score
    /// slightly below zero means little, nor in bughouse, where the partner's board counts as much.
    fn acceptable(&self, score: Score) -> bool {
        let draw = Score(-i32::from(self.player.engine.options.contempt));
        // In kriegspiel the engine does not know the number of pieces.
        let opening = self.game.position().fullmove() <= LAST_OPENING_MOVE
            && (self.is_hidden() || piece_count(self.game.position()) > MAX_PIECES_AFTER_OPENING);
        score <= draw && !opening && !self.game.position().variant().has_partner()
    }

    fn can_claim(&self, mv: Move) -> bool {
        let mut game = self.game.clone();
        game.play(mv);
        match game.ending() {
            Some((Outcome::Draw, Ending::Repetition | Ending::FiftyMoves)) => true,
            // xboard passes an offer on with the next move; a final move has no next one.
            Some(end @ (Outcome::Draw, _)) => !self.gui.is_on_server() && self.is_doubted(&game, end),
            Some((Outcome::Win(_), _)) | None => false,
        }
    }
}
