//! The end of a game: by rule, or by the client's `result`.

use super::{Mode, Session, Step};
use crate::chess::{Color, Ending, Outcome};
use crate::protocol::xboard::{EndReason, GameResult, Reply, is_known_to_xboard};

impl Session {
    /// Sends the result if the game on the board has ended by rule.
    pub(super) fn claim_result(&mut self, step: &mut Step<'_>) -> bool {
        let Some((outcome, ending)) = self.game.ending() else { return false };
        if self.may_claim(outcome) {
            let (result, reason) = claim(outcome, ending);
            step.reply(Reply::Result(result, reason));
        }
        self.over = true;
        true
    }

    /// Whether the GUI believes this result. A loss of ours it always does; another claim loses the game where xboard finds it
    /// wrong, and there are variants in which it ends no game, or others than we do: then it finds out itself, or a
    /// chess server does.
    fn may_claim(&self, outcome: Outcome) -> bool {
        let ours = match self.mode {
            Mode::Play(side) => side,
            Mode::Force | Mode::Analyze => return true,
        };
        let variant = self.game.position().variant();
        let verified = is_known_to_xboard(variant) && !variant.rules().explodes;
        verified || outcome == Outcome::Win(!ours)
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
