//! Draw offers, their acceptance, and resignation, by the scores of the engine's moves.

use super::{Board, Closing, GameContext, Mode, Session, Step};
use crate::chess::{AnyPosition, Color, Ending, Move, Outcome};
use crate::protocol::xboard::Reply;
use crate::search::Score;
use crate::session::draws::{MIN_LOST_MOVES, is_draw_acceptable, piece_count};
use crate::session::player::{Held, Options, Player, Purpose, Search};
use crate::session::state::{Fields, StateError, describe};
use std::time::Duration;

/// The engine offers no draw up to this move while there are more pieces than
/// [`MAX_ENDGAME_PIECES`].
const LAST_MOVE_WITHOUT_OFFER: u32 = 35;
const MAX_ENDGAME_PIECES: usize = 10;
/// Moves from one draw offer of the engine to the next.
const MIN_MOVES_BETWEEN_OFFERS: u32 = 35;
/// The number of the engine's moves in a row that must be level before it offers a draw.
const MIN_LEVEL_MOVES: u32 = 8;
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
    score: Option<(Score, Color)>,
    opponents: DrawOffer,
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

/// A draw offer of the opponent.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
enum DrawOffer {
    /// None, or already answered.
    #[default]
    None,
    /// It waits for the engine's move.
    Waiting,
    /// It came in force mode, and waits for `go`, which follows whatever the answer, as with
    /// python-chess.
    BeforeGo,
}

impl Offers {
    /// Resigns the game.
    pub(super) fn resign(&mut self) {
        self.resigned = true;
        self.drop_offer();
    }

    /// Drops a draw offer of the opponent.
    pub(super) fn drop_offer(&mut self) {
        self.opponents = DrawOffer::None;
    }

    /// Forgets score, counts and a waiting offer, after a change of the board other than a move.
    pub(super) fn board_changed(&mut self) {
        self.drop_offer();
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

    /// Forgets the score of the engine's last move.
    pub(super) fn forget_score(&mut self) {
        self.score = None;
    }

    /// Returns true if the engine resigns instead of moving: the option `Resign` is on and the game
    /// is lost. Once in a game: a client that plays on gets a move. Never in bughouse, where the
    /// board is not the engine's alone.
    fn resigns(&self, board: &Board, options: &Options) -> bool {
        let is_lost = self.lost_moves >= MIN_LOST_MOVES && !self.resigned;
        options.resign && is_lost && !board.position().variant().has_partner()
    }

    /// Handles `draw`. Returns true if the engine accepts at once: it is not better by its last
    /// score. While it thinks, or before its first search, the answer comes with its move:
    /// python-chess offers before `go`, and takes an answer before the move for one instead of it.
    /// So does the answer to a program and to a client of a chess server: xboard passes their
    /// offers on before the moves that they come with, which may lose or win the game.
    pub(super) fn receive(
        &mut self,
        board: &Board,
        context: &GameContext,
        search: Option<&Search>,
        options: &Options,
    ) -> bool {
        let is_thinking = search.is_some_and(|search| search.purpose == Purpose::Move);
        let awaits_move = is_thinking || context.opponent.is_computer || context.is_on_server();
        // Unless the engine has changed sides since.
        let score = self.score.filter(|&(_, side)| !awaits_move && board.mode == Mode::Play(side));
        match score {
            Some((score, _)) => !board.over && is_draw_acceptable(score, board.position(), options),
            None if search.is_some_and(Search::is_draw_agreed) => true,
            None => {
                self.opponents = match board.mode {
                    Mode::Analyze => DrawOffer::None,
                    Mode::Force => DrawOffer::BeforeGo,
                    Mode::Play(_) => DrawOffer::Waiting,
                };
                false
            }
        }
    }

    /// Answers a waiting offer when the engine's move is due with this score. Returns it if the
    /// engine accepts.
    fn accept(&mut self, score: Option<Score>, board: &Board, options: &Options) -> DrawOffer {
        let offer = std::mem::take(&mut self.opponents);
        let accepts = score.is_some_and(|score| is_draw_acceptable(score, board.position(), options));
        if accepts { offer } else { DrawOffer::None }
    }

    /// Returns true if the engine offers a draw before this move: to claim one that the move brings
    /// about ("by sending it before making the move", current text, section 9), or because the game
    /// is dead. Not in kriegspiel, where the engine sees neither.
    fn offers_draw(&mut self, mv: Move, board: &Board, context: &GameContext) -> bool {
        if board.is_hidden() {
            return false;
        }
        if can_claim(mv, board, context) {
            return true;
        }
        let is_dead = self.is_dead_draw(board.position());
        if is_dead {
            self.offered_on = Some(board.position().fullmove());
        }
        is_dead
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
            opponents => fields.flags(["draw-offered", "before-go"], opponents, &[
                (DrawOffer::None, [false, false]),
                (DrawOffer::None, [false, true]),
                (DrawOffer::Waiting, [true, false]),
                (DrawOffer::BeforeGo, [true, true]),
            ])?,
            counted: "counted",
            level_moves: "level-moves" in 0..=MAX_COUNT,
            lost_moves: "lost-moves" in 0..=MAX_COUNT,
            offered_on: "offered-on",
            resigned: "resigned",
            greeted: "greeted",
        })
    }
}

fn can_claim(mv: Move, board: &Board, context: &GameContext) -> bool {
    let mut game = board.game.clone();
    game.play(mv);
    match game.ending() {
        Some((Outcome::Draw, Ending::Repetition | Ending::FiftyMoves)) => true,
        // xboard passes an offer on with the next move; a final move has no next one.
        Some(end @ (Outcome::Draw, _)) => !context.is_on_server() && context.doubts(&game, board.mode, end),
        Some((Outcome::Win(_), _)) | None => false,
    }
}

/// The time for which the engine's move is held back after an agreed draw.
fn move_delay(search: &Search, player: &Player, step: &Step<'_>) -> Duration {
    let clocks = &player.limits.clocks;
    // A time per move does not run down a clock.
    let used = if clocks.is_per_move() { Duration::ZERO } else { player.limits.used(search, step.now) };
    let left = clocks.shown_after(used).map(|left| Duration::from_millis(u64::try_from(left).unwrap_or(0)));
    left.map_or(MAX_MOVE_DELAY, |left| MAX_MOVE_DELAY.min(left / MOVE_DELAY_CLOCK_DIVISOR))
}

/// Holds the engine's move back for this time.
pub(super) fn hold(player: &mut Player, reason: Held, time: Duration, step: &mut Step<'_>) {
    if let Some(search) = player.search_mut() {
        search.hold(reason, step.now.checked_add(time));
        if reason == Held::Sitting {
            search.sits_until = search.deadline;
        }
        player.await_deadline(step);
    }
}

impl Session {
    /// Resigns.
    pub(super) fn resign(&mut self, step: &mut Step<'_>) {
        self.offers.resign();
        self.board.over = true;
        step.reply(Reply::Resign);
    }

    /// Resigns instead of moving, or offers a draw before the move. Returns true if the engine has
    /// resigned.
    pub(super) fn resigns_or_offers(&mut self, mv: Move, search: &Search, step: &mut Step<'_>) -> bool {
        if self.offers.resigns(&self.board, &self.player.engine.options) {
            self.resign(step);
            return true;
        }
        if !search.is_draw_agreed() && self.offers.offers_draw(mv, &self.board, &self.context) {
            step.reply(Reply::OfferDraw);
        }
        false
    }

    /// Accepts a waiting draw offer when the engine's move is due; then holds the move back for a
    /// while, since no move follows an agreed draw. "Don't assume the game is over because you
    /// accept a draw offer" (protocol 1, section 8): a game that goes on gets the move in the end.
    /// Returns true if the move is held back.
    pub(super) fn agrees_to_draw(&mut self, step: &mut Step<'_>) -> bool {
        let Some(search) = self.player.search() else { return false };
        if search.is_draw_agreed() {
            let deadline = search.deadline;
            self.player.await_deadline(step);
            return deadline.is_some_and(|deadline| step.now < deadline);
        }
        let offer = self.offers.accept(search.score(), &self.board, &self.player.engine.options);
        if offer != DrawOffer::None {
            step.reply(Reply::OfferDraw);
        }
        if offer != DrawOffer::Waiting {
            return false;
        }
        // After the end of its input a client cannot end the game.
        let is_last = self.closing == Closing::Owing;
        let time = if is_last { Duration::ZERO } else { move_delay(search, &self.player, step) };
        hold(&mut self.player, Held::DrawAgreed, time, step);
        !time.is_zero()
    }

    /// Plays the move that was held back for an agreed draw: the game goes on.
    pub(super) fn play_held_move(&mut self, step: &mut Step<'_>) {
        if !self.player.is_paused() && self.player.search().is_some_and(Search::is_draw_agreed) {
            hold(&mut self.player, Held::DrawAgreed, Duration::ZERO, step);
            self.make_move(step);
        }
    }
}
