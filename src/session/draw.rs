//! The opponent offers a draw.

use super::thinking::Purpose;
use super::{Mode, Session, Step};
use crate::protocol::xboard::Reply;
use crate::search::Score;

/// Moves of each side in which no draw is agreed.
const OPENING: u32 = 15;

impl Session {
    /// `draw`. Accepted when we are not better by our last score. While we think, or when nothing has been
    /// searched yet, the answer comes with our move: python-chess offers before it says `go`, and takes
    /// an answer before the move for an answer instead of the move.
    pub(super) fn offered_draw(&mut self, step: &mut Step<'_>) {
        let playing = matches!(self.mode, Mode::Play(_)) && self.purpose() != Some(Purpose::Move);
        match self.score.filter(|_| playing) {
            Some(score) if !self.over => {
                if self.acceptable(score) {
                    step.reply(Reply::OfferDraw);
                }
            }
            Some(_) => {}
            None => self.draw_offered = self.mode != Mode::Analyze,
        }
    }

    /// Our move is about to be sent: answer the offer that waits.
    pub(super) fn answer_draw(&mut self, step: &mut Step<'_>) {
        let offered = std::mem::take(&mut self.draw_offered);
        if offered && self.score.is_some_and(|score| self.acceptable(score)) {
            step.reply(Reply::OfferDraw);
        }
    }

    /// Not in the opening, where a score of little less than nothing says nothing.
    fn acceptable(&self, score: Score) -> bool {
        score <= Score::DRAW && self.game.position().fullmove() > OPENING
    }
}
