//! The end of a game: by rule, or by the client's `result`.

use super::{Mode, Session, Step};
use crate::chess::{AnyPosition, Color, Ending, Game, NoMoves, Outcome};
use crate::protocol::xboard::{Reply, is_known_to_xboard};

impl Session {
    /// Sends the result if the game on the board has ended by rule, or an offer in its place.
    /// Returns true if the game has ended.
    pub(super) fn claim_result(&mut self, step: &mut Step<'_>) -> bool {
        let Some((outcome, ending)) = self.game.ending() else { return false };
        let we_moved = self.mode == Mode::Play(!self.game.position().turn());
        if !self.is_doubted(&self.game, (outcome, ending)) {
            step.reply(Reply::Result(outcome, ending));
        } else if outcome == Outcome::Draw && !we_moved && !self.gui.is_on_server() {
            // The engine offered a draw by its own move before it.
            step.reply(Reply::OfferDraw);
        }
        self.over = true;
        // The players may go on after a claim.
        if !matches!(ending, Ending::Repetition | Ending::FiftyMoves) {
            self.archive(Some(outcome), "", step);
        }
        true
    }

    /// Returns true if this end of the game might not be believed if the engine claimed it. GUIs
    /// verify the claims of engines that play each other: there the opponent must admit a win, and
    /// a draw can be agreed. A chess server plays atomic chess by rules of its own, and gets a
    /// claimed draw as an offer: by ICC's rules there may be a move.
    pub(super) fn is_doubted(&self, game: &Game, end: (Outcome, Ending)) -> bool {
        let Mode::Play(ours) = self.mode else { return false };
        let may_go_on = game.position().variant().rules().explodes && end.1 == Ending::Stalemate;
        self.gui.opponent.is_computer && !is_believed(game.position(), end, ours)
            || may_go_on && self.gui.is_on_server()
    }

    /// `result`: the game is over. GUIs also send it for games that the engine has ended.
    pub(super) fn receive_result(&mut self, result: Option<Outcome>, comment: String, step: &mut Step<'_>) {
        if self.mode != Mode::Analyze {
            self.stop(step);
        }
        self.save_game(result, step);
        self.archive(result, &comment, step);
        self.recorder.settle();
        self.gui.result = Some((result, comment));
        self.over = true;
        self.pondering.allowed = false;
        self.offers.drop_offer();
    }
}

/// Returns true if a GUI that verifies results believes a side that claims this one. A wrong claim
/// loses the game, except that of one's own loss. In atomic chess xboard knows neither mate nor
/// stalemate, as ICC's rules allow a king to be left in check. In losers it does not know that the
/// mated side has won. Of the variants it knows by `setup` alone, it knows the rules that they
/// share with chess.
pub(crate) fn is_believed(position: &AnyPosition, (outcome, ending): (Outcome, Ending), ours: Color) -> bool {
    let rules = position.variant().rules();
    let mated = position.in_check() && !position.has_legal_move();
    // In racing kings xboard takes moves that give check for legal.
    let is_strange = ending == Ending::VariantRule || ending == Ending::Stalemate && !rules.may_check;
    let unknown = rules.explodes && matches!(ending, Ending::Checkmate | Ending::Stalemate)
        || rules.no_moves == NoMoves::Wins && mated
        || is_strange && !is_known_to_xboard(position.variant());
    !unknown || outcome == Outcome::Win(!ours)
}
