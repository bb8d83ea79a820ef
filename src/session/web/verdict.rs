//! The end of a game.

use super::{Session, Step, send};
use crate::chess::{Color, Outcome};
use crate::protocol::web::{self, Message, Mode};
use crate::session::KeptGame;

/// The end of a game that the rules have not ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Verdict {
    /// This side has resigned.
    Resigned(Color),
    /// This side's time is over.
    OutOfTime(Color),
    /// A draw was agreed.
    Agreed,
}

impl Verdict {
    /// The outcome of the game. Against an opponent who cannot win any more, time alone is no loss
    /// (FIDE's laws, 6.9).
    pub(super) fn outcome(self, game: &KeptGame) -> Outcome {
        match self {
            Verdict::OutOfTime(loser) if !game.may_win(!loser) => Outcome::Draw,
            Verdict::Resigned(loser) | Verdict::OutOfTime(loser) => Outcome::Win(!loser),
            Verdict::Agreed => Outcome::Draw,
        }
    }

    /// The reason in English words.
    pub(super) fn reason(self, game: &KeptGame) -> &'static str {
        match self {
            Verdict::Resigned(_) => "resignation",
            Verdict::OutOfTime(loser) if !game.may_win(!loser) => "time against a bare king",
            Verdict::OutOfTime(_) => "time",
            Verdict::Agreed => "agreement",
        }
    }
}

impl Session {
    /// Returns true if the game on the board is over.
    pub(super) fn is_over(&self) -> bool {
        self.outcome().is_some()
    }

    /// Returns true if a game against the engine goes on.
    pub(super) fn is_playing(&self) -> bool {
        self.mode == Mode::Play && !self.is_over()
    }

    /// The outcome of the game on the board.
    pub(super) fn outcome(&self) -> Option<Outcome> {
        self.verdict.map(|verdict| verdict.outcome(&self.game)).or_else(|| self.game.outcome(self.claims()))
    }

    /// The position on the board, with the result of a game that is over.
    pub(super) fn position_shown(&self) -> web::Position {
        let result = self
            .verdict
            .map(|verdict| web::Result::new(verdict.outcome(&self.game), verdict.reason(&self.game)));
        let book = if self.mode == Mode::Analysis { self.book_shown() } else { Vec::new() };
        web::Position { book, ..self.game.shown(result, self.claims()) }
    }

    /// Whether draws by claim end the game: an analysis goes on.
    pub(super) fn claims(&self) -> bool {
        self.mode == Mode::Play
    }

    /// Ends the game.
    pub(super) fn end_game(&mut self, verdict: Verdict, step: &mut Step<'_>) {
        self.player.stop(step);
        self.verdict = Some(verdict);
        if let Some(clocks) = &mut self.clocks {
            clocks.stop(step.now);
            send(Message::Clocks { clocks: clocks.shown(step.now) }, step);
        }
        self.announce_result(step);
    }

    /// Sends the result of a game that is over, and archives it.
    pub(super) fn announce_result(&mut self, step: &mut Step<'_>) {
        self.offers.drop_offer();
        if let Some(result) = self.position_shown().result {
            send(Message::Over { result }, step);
        }
        self.archive_game(step);
    }

    /// Ends the game if the time of the side on move is over at `step.now`.
    pub(super) fn call_flag(&mut self, step: &mut Step<'_>) -> bool {
        let flag = self.clocks.as_ref().and_then(super::Clocks::flag);
        let fallen = flag.filter(|&(_, at)| at <= step.now && self.is_playing());
        if let Some((side, _)) = fallen {
            self.end_game(Verdict::OutOfTime(side), step);
        }
        fallen.is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bare_king_wins_on_time_only_where_it_could_win() {
        for (name, outcome) in [
            ("normal", Outcome::Draw),
            ("3check", Outcome::Draw),
            ("kingofthehill", Outcome::Win(Color::Black)),
            ("crazyhouse", Outcome::Win(Color::Black)),
        ] {
            let game = KeptGame::start(name, Some("6k1/8/8/8/8/8/4Q3/6K1 w - - 0 1"), None).unwrap();
            assert_eq!(Verdict::OutOfTime(Color::White).outcome(&game), outcome, "{name}");
            assert_eq!(Verdict::OutOfTime(Color::Black).outcome(&game), Outcome::Win(Color::White));
        }
    }
}
