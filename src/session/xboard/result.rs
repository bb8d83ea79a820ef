//! The end of a game: by rule, or by the client's `result`.

use super::{Mode, Session, Step};
use crate::chess::{AnyPosition, Color, Ending, NoMoves, Outcome};
use crate::protocol::xboard::{Reply, is_known_to_xboard};

impl Session {
    /// Sends the result if the game on the board has ended by rule, or an offer in its place.
    /// Returns true if the game has ended.
    pub(super) fn claim_result(&mut self, step: &mut Step<'_>) -> bool {
        let Some((outcome, ending)) = self.board.game.ending() else { return false };
        if ending == Ending::Repetition && self.context.plays_on(&self.board) {
            return false;
        }
        let engine_moved = self.board.is_opponents_turn();
        if !self.context.doubts(&self.board.game, self.board.mode, (outcome, ending)) {
            step.reply(Reply::Result(outcome, ending));
        } else if outcome == Outcome::Draw && !engine_moved && !self.context.is_on_server() {
            // The engine offered a draw by its own move before it.
            step.reply(Reply::OfferDraw);
        }
        self.board.over = true;
        // The players may go on after a claim.
        if !matches!(ending, Ending::Repetition | Ending::FiftyMoves) {
            step.archive(self.finished(Some(outcome), "", step.now));
        }
        true
    }

    /// `result`: the game is over. GUIs also send it for games that the engine has ended.
    pub(super) fn receive_result(&mut self, result: Option<Outcome>, comment: String, step: &mut Step<'_>) {
        if self.board.mode != Mode::Analyze {
            self.stop(step);
        }
        // xboard sends another one when it exits.
        let is_first = self.context.result.is_none() || !self.board.over;
        if is_first {
            self.save_game(result, step);
        }
        step.archive(self.finished(result, &comment, step.now));
        self.recorder.settle();
        self.context.result = Some((result, comment));
        self.board.over = true;
        self.pondering.allowed = false;
        self.offers.drop_offer();
    }
}

/// Returns true if a GUI that verifies results believes a claim of this end by `side`. A wrong
/// claim loses the game, except that of one's own loss. In atomic chess xboard knows neither mate
/// nor stalemate, as ICC's rules allow a king to be left in check. In losers it does not know that
/// the mated side has won. Of the variants it knows by `setup` alone, it knows the rules that they
/// share with chess.
pub(crate) fn is_believed(position: &AnyPosition, (outcome, ending): (Outcome, Ending), side: Color) -> bool {
    let rules = position.variant().rules();
    let mated = position.in_check() && !position.has_legal_move();
    // In racing kings xboard takes moves that give check for legal.
    let is_strange = ending == Ending::VariantRule || ending == Ending::Stalemate && !rules.may_check;
    let unknown = rules.explodes && matches!(ending, Ending::Checkmate | Ending::Stalemate)
        || rules.no_moves == NoMoves::Wins && mated
        || is_strange && !is_known_to_xboard(position.variant());
    !unknown || outcome == Outcome::Win(!side)
}
