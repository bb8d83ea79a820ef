//! Playing: force, go, moves of both sides, and how a game ends by rule.

use super::thinking::{Purpose, Search};
use super::{Mode, Session, Step};
use crate::chess::{Color, Ending, Move, MoveError, Outcome};
use crate::protocol::xboard::{ErrorReason, GameResult, IllegalReason, Reply, looks_like_a_move};
use crate::search::glance;

/// Plies of the longest game. The record of a game takes memory, and taking a move back takes time, in
/// proportion to its length; a client may not make that grow without end.
const LONGEST_GAME: usize = 10_000;

impl Session {
    /// `force`, and `exit` from analysis.
    pub(super) fn force(&mut self, step: &mut Step<'_>) {
        self.stop(step);
        self.draw_offered = false;
        self.mode = Mode::Force;
    }

    /// `go`: the engine plays the side on move. Draws that can be claimed do not keep it from moving, since
    /// it was told to.
    pub(super) fn go(&mut self, step: &mut Step<'_>) {
        if !self.settle_turn(step) || self.move_is_due() {
            return;
        }
        self.stop(step);
        self.mode = Mode::Play(self.game.position().turn());
        if self.game.position().has_legal_move() {
            self.think(step.now, step);
        } else {
            self.claim_result(step);
        }
    }

    /// `playother`: the engine plays the side not on move.
    pub(super) fn play_other(&mut self, step: &mut Step<'_>) {
        if !self.settle_turn(step) {
            return;
        }
        self.stop(step);
        self.mode = Mode::Play(!self.game.position().turn());
        self.may_ponder = true;
        self.begin_pondering(step);
    }

    /// `white`, `black`: this side is on move, the engine plays the other. Clocks stop.
    pub(super) fn put_on_move(&mut self, turn: Color, step: &mut Step<'_>) {
        self.stop(step);
        self.turn_wanted = Some(turn);
        self.mode = Mode::Play(!turn);
    }

    /// Puts the side on move that `white` or `black` named, if it is not. False, and the client has been told,
    /// if that cannot be.
    pub(super) fn settle_turn(&mut self, step: &mut Step<'_>) -> bool {
        let Some(turn) = self.turn_wanted.take() else { return true };
        if turn == self.game.position().turn() {
            return true;
        }
        let done = self.game.set_turn(turn);
        if done {
            self.board_changed();
        } else {
            let text = "Illegal position: the side that would not be on move is in check";
            step.reply(Reply::Tellusererror(text.to_owned()));
        }
        done
    }

    /// A move of the client, for whichever side is on move.
    pub(super) fn client_move(&mut self, text: &str, step: &mut Step<'_>) {
        if !self.settle_turn(step) {
            return;
        }
        match self.game.position().parse_move(text) {
            _ if self.move_is_due() => {
                step.reply(Reply::IllegalMove(Some(IllegalReason::WrongTurn), text.to_owned()));
            }
            Ok(_) if self.game.moves().len() >= LONGEST_GAME => {
                step.reply(Reply::Tellusererror("This game is too long: please start a new one.".to_owned()));
                step.reply(Reply::IllegalMove(None, text.to_owned()));
            }
            Ok(mv) => self.accept_move(mv, step),
            Err(error) => step.reply(refusal(error, text)),
        }
    }

    fn accept_move(&mut self, mv: Move, step: &mut Step<'_>) {
        let hit = self.purpose() == Some(Purpose::Ponder(mv));
        let ours = self.mode == Mode::Play(!self.game.position().turn());
        if !hit {
            self.stop(step);
        }
        self.game.play(mv);
        self.over = false;
        self.expected = None;
        if self.mode == Mode::Analyze {
            self.analyse(step);
        } else if ours && self.claim_result(step) {
            self.stop(step);
        } else if hit {
            self.ponder_hit(step);
        } else if ours {
            self.think(step.now, step);
        }
    }

    /// Whether our move is awaited.
    pub(super) fn move_is_due(&self) -> bool {
        self.purpose() == Some(Purpose::Move)
            || self.paused.as_ref().is_some_and(|paused| paused.used.is_some())
    }

    /// `?`
    pub(super) fn move_now(&mut self, step: &mut Step<'_>) {
        if self.purpose() == Some(Purpose::Move) {
            self.make_move(step);
        }
    }

    /// Plays the best move known: of the search if it has ended, else of its newest variation, else
    /// the one that looks best at a glance.
    pub(super) fn make_move(&mut self, step: &mut Step<'_>) {
        let Some(search) = self.halt(step) else { return };
        let position = *self.game.position();
        let Some((mv, reply)) = choose(&search) else { return };
        self.clocks.moved(step.now.saturating_duration_since(search.since), self.game.moves().len());
        self.score = search.done.map(|done| done.score).or(search.best.as_ref().map(|info| info.score));
        self.answer_draw(step);
        step.reply(Reply::Move(position.coordinates(mv)));
        self.game.play(mv);
        self.over = false;
        self.expected = reply.filter(|&reply| self.game.position().is_legal(reply));
        self.may_ponder = true;
        if !self.claim_result(step) {
            self.begin_pondering(step);
        }
    }

    /// Says the result if the game on the board has ended by rule.
    pub(super) fn claim_result(&mut self, step: &mut Step<'_>) -> bool {
        let Some((outcome, ending)) = self.game.ending() else { return false };
        let (result, reason) = claim(outcome, ending);
        step.reply(Reply::Result(result, reason));
        self.over = true;
        true
    }

    /// `result`: the client says that the game is over. It says so of games that we ended, too.
    pub(super) fn told_result(&mut self, step: &mut Step<'_>) {
        if self.mode != Mode::Analyze {
            self.stop(step);
        }
        self.over = true;
        self.may_ponder = false;
        self.draw_offered = false;
    }
}

/// The move to play, and the reply to expect.
fn choose(search: &Search) -> Option<(Move, Option<Move>)> {
    let legal = |mv: &Move| search.root.is_legal(*mv);
    let mut variation = search.variation();
    if let Some(done) = search.done
        && let Some(best) = done.best.filter(legal)
    {
        let reply = variation.next().filter(|&first| first == best).and_then(|_| variation.next());
        return Some((best, done.ponder.or(reply)));
    }
    match variation.next() {
        Some(best) => Some((best, variation.next())),
        None => glance(&search.root).map(|best| (best, None)),
    }
}

fn claim(outcome: Outcome, ending: Ending) -> (GameResult, &'static str) {
    match (outcome, ending) {
        (Outcome::Win(Color::White), _) => (GameResult::WhiteWins, "White mates"),
        (Outcome::Win(Color::Black), _) => (GameResult::BlackWins, "Black mates"),
        (Outcome::Draw, Ending::Repetition) => (GameResult::Draw, "Draw by repetition"),
        (Outcome::Draw, Ending::FiftyMoves) => (GameResult::Draw, "Draw by fifty move rule"),
        (Outcome::Draw, Ending::InsufficientMaterial) => (GameResult::Draw, "Draw by insufficient material"),
        (Outcome::Draw, _) => (GameResult::Draw, "Stalemate"),
    }
}

fn refusal(error: MoveError, text: &str) -> Reply {
    let reason = match error {
        _ if !looks_like_a_move(text) => {
            return Reply::Error(ErrorReason::Argument("not a move".to_owned()), text.to_owned());
        }
        MoveError::InCheck => Some(IllegalReason::InCheck),
        MoveError::IntoCheck => Some(IllegalReason::IntoCheck),
        MoveError::WrongTurn => Some(IllegalReason::WrongTurn),
        MoveError::Ambiguous => Some(IllegalReason::Ambiguous),
        MoveError::Syntax | MoveError::Illegal => None,
    };
    Reply::IllegalMove(reason, text.to_owned())
}

#[cfg(test)]
mod tests {
    use super::super::{Effect, Input, Session, Setup};
    use super::*;
    use std::time::Instant;

    #[test]
    fn a_game_does_not_grow_without_end() {
        let mut session = Session::new(Setup { seed: 0, name: String::new() });
        let now = Instant::now();
        let mut effects = Vec::new();
        session.handle(Input::Line(b"force"), now, &mut effects);
        let shuffle = ["g1f3", "g8f6", "f3g1", "f6g8"];
        for mv in shuffle.iter().cycle().take(LONGEST_GAME) {
            session.handle(Input::Line(mv.as_bytes()), now, &mut effects);
        }
        assert!(effects.is_empty());
        session.handle(Input::Line(b"g1f3"), now, &mut effects);
        let refused = |effect: &Effect| matches!(effect, Effect::Reply(Reply::IllegalMove(None, _)));
        assert!(effects.iter().any(refused));
        assert_eq!(session.game().moves().len(), LONGEST_GAME);
    }
}
