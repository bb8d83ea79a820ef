//! The end of a game: by rule, or by the client's `result`.

use super::{Mode, Session, Step};
use crate::chess::{AnyPosition, Color, Ending, Game, NoMoves, Outcome};
use crate::protocol::xboard::{EndReason, GameResult, Reply, is_known_to_xboard};

impl Session {
    /// Sends the result if the game on the board has ended by rule, or what takes its place.
    pub(super) fn claim_result(&mut self, step: &mut Step<'_>) -> bool {
        let Some((outcome, ending)) = self.game.ending() else { return false };
        let we_moved = self.mode == Mode::Play(!self.game.position().turn());
        if !self.is_doubted(&self.game, (outcome, ending)) {
            let (result, reason) = claim(outcome, ending);
            step.reply(Reply::Result(result, reason));
        } else if outcome == Outcome::Draw && !we_moved && !self.is_on_server() {
            // A draw by our own move was offered before it.
            step.reply(Reply::OfferDraw);
        }
        self.over = true;
        self.archive_final(outcome, ending, step);
        true
    }

    /// Whether this end of the game might not be believed if we claimed it. GUIs verify what engines claim that play each other:
    /// a win the opponent has to admit then, and a draw can be agreed. A chess server plays atomic chess by rules of its own, and
    /// gets a claimed draw as an offer: by ICC's rules there may be a move.
    pub(super) fn is_doubted(&self, game: &Game, end: (Outcome, Ending)) -> bool {
        let Mode::Play(ours) = self.mode else { return false };
        let may_go_on = game.position().variant().rules().explodes && end.1 == Ending::Stalemate;
        self.client.computer && !is_believed(game.position(), end, ours) || may_go_on && self.is_on_server()
    }

    /// Whether the GUI plays on a chess server.
    pub(super) fn is_on_server(&self) -> bool {
        self.client.ics.is_some()
    }

    /// `result`: the game is over. GUIs also send it for games that we have ended.
    pub(super) fn receive_result(&mut self, result: GameResult, comment: String, step: &mut Step<'_>) {
        if self.mode != Mode::Analyze {
            self.stop(step);
        }
        self.save_game(result, step);
        self.archive_result(result, &comment, step);
        self.client.result = Some((result, comment));
        self.over = true;
        self.pondering.allowed = false;
        self.offers.draw_offered = false;
    }
}

/// Whether a GUI that verifies results believes a side that claims this one; a claim that it finds wrong loses the game, but
/// for a loss of one's own. In atomic chess xboard knows neither mate nor stalemate, as a king may be left in check by ICC's
/// rules. In losers it does not know that who is mated has won. Of the variants that it knows by `setup` alone it knows the
/// rules that they share with chess.
pub(crate) fn is_believed(position: &AnyPosition, (outcome, ending): (Outcome, Ending), ours: Color) -> bool {
    let rules = position.variant().rules();
    let mated = position.in_check() && !position.has_legal_move();
    // In racing kings, moves that would give check are legal for all it knows.
    let is_strange = ending == Ending::VariantRule || ending == Ending::Stalemate && !rules.may_check;
    let unknown = rules.explodes && matches!(ending, Ending::Checkmate | Ending::Stalemate)
        || rules.no_moves == NoMoves::Wins && mated
        || is_strange && !is_known_to_xboard(position.variant());
    !unknown || outcome == Outcome::Win(!ours)
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
