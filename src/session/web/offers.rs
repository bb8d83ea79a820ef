//! Draw offers of the person, and resignation of either side.

use super::verdict::Verdict;
use super::{Session, Step, send};
use crate::protocol::web::Message;
use crate::search::Score;
use crate::session::KeptGame;
use crate::session::draws::{MIN_LOST_MOVES, is_draw_acceptable};
use crate::session::player::{Options, Purpose};
use crate::session::state::{Fields, StateError, describe};

/// In checkers the engine accepts no draw while there are more pieces than this.
const MAX_PIECES_OF_ENDGAME: u32 = 12;

/// The engine's scores, and the person's offer.
#[derive(Clone, Default, Debug)]
pub(super) struct Offers {
    /// The score of the engine's last move from its point of view.
    score: Option<Score>,
    /// The number of its last moves in a row that were lost.
    lost_moves: u32,
    /// Whether an offer waits for the engine's move.
    is_waiting: bool,
}

impl Offers {
    /// Records the score of a move of the engine.
    pub(super) fn record(&mut self, score: Option<Score>, options: &Options) {
        self.score = score;
        let Some(Score(score)) = score else { return };
        self.lost_moves = if score <= -options.resign_score { self.lost_moves.saturating_add(1) } else { 0 };
    }

    /// Returns true if the engine resigns instead of moving: the option `Resign` is on and the game
    /// is lost.
    pub(super) fn resigns(&self, options: &Options) -> bool {
        options.resign && self.lost_moves >= MIN_LOST_MOVES
    }

    /// Drops an offer.
    pub(super) fn drop_offer(&mut self) {
        self.is_waiting = false;
    }

    /// Forgets score, counts and offer, after moves were taken back.
    pub(super) fn forget(&mut self) {
        *self = Offers::default();
    }

    /// Writes or reads the state.
    pub(super) fn state(&mut self, fields: &mut Fields<'_>) -> Result<(), StateError> {
        describe!(fields, self => Offers {
            score: "score",
            lost_moves: "lost-moves",
            is_waiting: "draw-offered",
        })
    }
}

impl Session {
    /// `offer_draw`: answered by the last score, or with the engine's move if it is thinking.
    pub(super) fn offer_draw(&mut self, step: &mut Step<'_>) {
        if !self.is_playing() {
            return send(Message::error(Some("offer_draw"), "there is no game going on"), step);
        }
        self.offers.is_waiting = true;
        if self.player.purpose() != Some(Purpose::Move) {
            self.answer_offer(step);
        }
    }

    /// Answers a waiting offer. Returns true if the game is drawn.
    pub(super) fn answer_offer(&mut self, step: &mut Step<'_>) -> bool {
        if !std::mem::take(&mut self.offers.is_waiting) {
            return false;
        }
        let accepted = self.offers.score.is_some_and(|score| self.is_acceptable(score));
        send(Message::Draw { accepted }, step);
        if accepted {
            self.end_game(Verdict::Agreed, step);
        }
        accepted
    }

    /// Returns true if a draw is acceptable for the engine at this score.
    fn is_acceptable(&self, score: Score) -> bool {
        let options = &self.player.engine.options;
        match &self.game {
            KeptGame::Chess(game) => is_draw_acceptable(score, game.position(), options),
            KeptGame::Draughts(game) => {
                let pieces = 32 - game.position().empty().count();
                score <= Score(-i32::from(options.contempt)) && pieces <= MAX_PIECES_OF_ENDGAME
            }
        }
    }

    /// `resign`
    pub(super) fn resign(&mut self, step: &mut Step<'_>) {
        match self.person().filter(|_| self.is_playing()) {
            Some(person) => self.end_game(Verdict::Resigned(person), step),
            None => send(Message::error(Some("resign"), "there is no game going on"), step),
        }
    }
}
