//! The end of a game: by rule, or by the client's `result`.

use super::{Mode, Session, Step};
use crate::chess::{Color, Ending, Outcome, Variant};
use crate::protocol::xboard::{EndReason, GameResult, Reply};

impl Session {
    /// Sends the result if the game on the board has ended by rule.
    pub(super) fn claim_result(&mut self, step: &mut Step<'_>) -> bool {
        let Some((outcome, ending)) = self.game.ending() else { return false };
        let unsaid = matches!(self.mode, Mode::Play(ours) if !is_believed(self.game.position().variant(), (outcome, ending), ours));
        if !unsaid {
            let (result, reason) = claim(outcome, ending);
            step.reply(Reply::Result(result, reason));
        }
        self.over = true;
        true
    }

    /// `result`: the game is over. GUIs also send it for games that we have ended.
    pub(super) fn receive_result(&mut self, result: GameResult, comment: String, step: &mut Step<'_>) {
        if self.mode != Mode::Analyze {
            self.stop(step);
        }
        self.save_game(result, step);
        self.client.result = Some((result, comment));
        self.over = true;
        self.pondering.allowed = false;
        self.offers.draw_offered = false;
    }
}

/// Whether a GUI believes a side that claims this result. In atomic chess xboard knows neither mate nor stalemate, as a king may
/// be left in check by ICC's rules; a claim that it finds wrong loses the game, but for a loss of one's own.
pub(crate) fn is_believed(variant: Variant, (outcome, ending): (Outcome, Ending), ours: Color) -> bool {
    let drawn = matches!(ending, Ending::Repetition | Ending::FiftyMoves);
    !variant.rules().explodes || outcome == Outcome::Win(!ours) || drawn
}

fn claim(outcome: Outcome, ending: Ending) -> (GameResult, EndReason) {
    let result = match outcome {
        Outcome::Win(Color::White) => GameResult::WhiteWins,
        Outcome::Win(Color::Black) => GameResult::BlackWins,
        Outcome::Draw => GameResult::Draw,
    };
    let reason = match ending {
        Ending::Checkmate => EndReason::Mate,
        Ending::Stalemate => EndReason::Stalemate,
        Ending::Repetition => EndReason::Repetition,
        Ending::FiftyMoves => EndReason::FiftyMoves,
        Ending::InsufficientMaterial => EndReason::InsufficientMaterial,
        Ending::VariantRule => EndReason::VariantRule,
    };
    (result, reason)
}
