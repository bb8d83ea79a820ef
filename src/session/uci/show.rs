//! `d` and `eval`, in the words of Stockfish, which programs read.

use super::{Session, Step, remark};
use crate::chess::Color;
use crate::protocol::DRAWN_LINES;
use crate::protocol::uci::Reply;
use crate::search::static_evaluation;
use crate::session::board_squares::squares_of;
use crate::with_position;

impl Session {
    /// `d`: the position of the next `go`.
    pub(super) fn show_board(&self, step: &mut Step<'_>) {
        if let Some(error) = self.board.error() {
            return remark(error, step);
        }
        let position = self.game().position();
        let squares = squares_of(position, None);
        (0..DRAWN_LINES).for_each(|line| step.reply(Reply::Drawing(line, squares)));
        step.reply(Reply::Fen(position.fen()));
        step.reply(Reply::Key(position.key()));
        let checkers = with_position!(position, position => position.checkers());
        let checkers: Vec<String> = checkers.into_iter().map(|square| square.to_string()).collect();
        step.reply(Reply::Checkers(checkers.join(" ")));
    }

    /// `eval`: the static evaluation of the position of the next `go`.
    pub(super) fn show_evaluation(&self, step: &mut Step<'_>) {
        if let Some(error) = self.board.error() {
            return remark(error, step);
        }
        let position = self.game().position();
        let evaluation = (!position.in_check()).then(|| static_evaluation(position));
        let of_white = |score: i32| if position.turn() == Color::White { score } else { -score };
        step.reply(Reply::Evaluation(evaluation.map(of_white)));
    }
}
