//! Games that have ended go to the server's archive, if there is one.
//!
//! UCI has no notion of games: a client sends positions. A game is a series of positions, searched
//! with a clock or for a move, each of which continues the one before. It ends when the rules leave
//! no move after the engine's, with `ucinewgame`, with the session, or when the engine moves in a
//! position that does not continue the last one. Its result is known where the rules decide it.

use super::thinking::Thinking;
use super::{Session, Step};
use crate::chess::{Ending, Game, Move, Outcome, Tags};
use crate::session::finished_game::{GameRecorder, by_color};
use crate::session::player::Search;
use crate::session::{FinishedGame, MoveNote};
use std::time::{Duration, Instant};

/// The current game, up to the engine's last move.
#[derive(Debug)]
pub(super) struct PlayedGame {
    pub(super) game: Game,
    pub(super) recorder: GameRecorder,
}

impl PlayedGame {
    /// Bytes of memory besides the value itself.
    pub(super) fn heap_bytes(&self) -> usize {
        self.game.heap_bytes() + self.recorder.heap_bytes()
    }
}

impl Session {
    /// Records the answer to a `go` of a game.
    pub(super) fn note_move(
        &mut self,
        mv: Move,
        thinking: &Thinking,
        search: Option<&Search>,
        used: Duration,
        step: &mut Step<'_>,
    ) {
        let before = self.board.game();
        let is_on_board =
            before.position().key() == thinking.root.key() && before.moves().len() == thinking.ply;
        if !self.player.engine.profile().takes_notes() || !self.in_game || !is_on_board {
            return;
        }
        let before = before.clone();
        self.note_move_after(before, mv, search, used, step);
    }

    /// Records the engine's move in a game.
    pub(super) fn note_move_after(
        &mut self,
        before: Game,
        mv: Move,
        search: Option<&Search>,
        used: Duration,
        step: &mut Step<'_>,
    ) {
        if !self.player.engine.profile().takes_notes() {
            return;
        }
        if self.played.as_ref().is_some_and(|played| !goes_on(&played.game, &before)) {
            self.archive_played(None, step);
        }
        let side = before.position().turn();
        let note =
            MoveNote { ply: before.moves().len(), mv, score: search.and_then(Search::score), time: used };
        let mut game = before;
        game.play(mv);
        let ending = game.ending();
        let recorder = self.played.take().map(|played| played.recorder).unwrap_or_default();
        let mut played = Box::new(PlayedGame { game, recorder });
        played.recorder.note(note, side, step.now);
        self.played = Some(played);
        // Draws by claim or insufficient material are up to the client.
        if let Some((outcome, Ending::Checkmate | Ending::Stalemate | Ending::VariantRule)) = ending {
            self.archive_played(Some(outcome), step);
        }
    }

    /// Archives the game when it is over, another one begins, or the session ends.
    pub(super) fn archive_played(&mut self, outcome: Option<Outcome>, step: &mut Step<'_>) {
        step.archive(self.take_played(outcome, step.now));
    }

    /// Returns the game that is not archived yet, where the session does not end by itself:
    /// connection lost, client disconnected by the administrator, server shutting down.
    pub fn take_game(&mut self, now: Instant) -> Option<Box<FinishedGame>> {
        self.take_played(None, now)
    }

    fn take_played(&mut self, outcome: Option<Outcome>, now: Instant) -> Option<Box<FinishedGame>> {
        let PlayedGame { mut game, mut recorder } = *self.played.take()?;
        if !self.player.engine.profile().archives {
            return None;
        }
        let side = recorder.unarchived_side()?;
        // The client may have sent the opponent's last moves.
        let last = self.board.game();
        if self.board.error().is_none() && continues(&game, last) {
            game = last.clone();
        }
        let outcome = outcome.or_else(|| game.ending().map(|(outcome, _)| outcome));
        let name = self.player.engine.profile().name.clone();
        let [white, black] = by_color(side, name, self.settings.opponent.clone());
        let tags = Tags { white, black, program: by_color(side, true, false), ..Tags::default() };
        let clock = self.player.limits.clocks.in_pgn();
        let identity = self.player.next_game_identity();
        Some(recorder.archive((identity, tags), &game, (outcome, ""), clock, now))
    }
}

fn is_same_start(one: &Game, other: &Game) -> bool {
    one.start().fen() == other.start().fen() && one.start().variant() == other.start().variant()
}

/// Returns true if the later game begins with all moves of the earlier one.
fn continues(game: &Game, later: &Game) -> bool {
    is_same_start(game, later) && later.moves().starts_with(game.moves())
}

/// Returns true if the next position for the engine belongs to the game: it has all moves of the
/// game, or some were taken back.
fn goes_on(game: &Game, next: &Game) -> bool {
    let common = game.moves().iter().zip(next.moves()).take_while(|(one, other)| one == other).count();
    let is_taken_back = common >= 2 && common + 1 >= next.moves().len();
    is_same_start(game, next) && (common == game.moves().len() || is_taken_back)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::Variant;

    fn game(moves: &str) -> Game {
        let mut game = Game::new(Variant::NORMAL);
        for text in moves.split_whitespace() {
            game.play(game.position().parse_move(text).expect("legal"));
        }
        game
    }

    #[test]
    fn a_game_goes_on_with_more_moves_and_after_moves_were_taken_back() {
        let played = game("e2e4 e7e5 g1f3 b8c6 f1b5");
        for next in ["e2e4 e7e5 g1f3 b8c6 f1b5 a7a6", "e2e4 e7e5 g1f3 g8f6", "e2e4 e7e5 g1f3 b8c6"] {
            assert!(goes_on(&played, &game(next)), "{next}");
        }
        for next in ["", "e2e4", "e2e4 c7c5", "d2d4 d7d5 c2c4", "e2e4 e7e5 f2f4 e5f4"] {
            assert!(!goes_on(&played, &game(next)), "{next}");
        }
        let other = Game::from_fen(Variant::NORMAL, "4k3/8/8/8/8/8/8/4K2R w K - 0 1").expect("a position");
        assert!(!goes_on(&other, &game("e2e4")));
    }
}
