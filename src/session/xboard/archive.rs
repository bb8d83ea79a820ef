//! Games that have ended go to the server's archive, if there is one, and to a folder of a user on
//! the same machine.
//!
//! A game ends with the client's `result`, or when the rules leave no move. A draw claimed or a
//! game resigned by the engine ends with the next game or with the session, since a client may play
//! on. Games without a move of the engine are not archived; moves of the side it takes over count
//! as its own, as another server may have made them.

use super::{Effect, FileRequest, Mode, Session, Step};
use crate::chess::{Color, Move, Outcome};
use crate::session::player::Search;
use crate::session::{FinishedGame, MoveNote};
use std::path::PathBuf;
use std::time::Instant;

impl Session {
    /// Records the engine's move before it is played.
    pub(super) fn note_move(&mut self, mv: Move, search: Option<&Search>, step: &Step<'_>) {
        if self.player.engine.profile().takes_notes() {
            let score = search.and_then(Search::score);
            let time = search.map(|search| self.player.limits.used(search, step.now)).unwrap_or_default();
            let note = MoveNote { ply: self.board.plies(), mv, score, time };
            self.recorder.note(note, self.board.position().turn(), step.now);
        }
    }

    /// The engine takes a side, and joins the game. A client that comes from another server replays
    /// all earlier moves, and the game may end without a further move of the engine.
    pub(super) fn take_side(&mut self, side: Color, now: Instant) {
        self.board.mode = Mode::Play(side);
        let before_its_first = usize::from(self.board.game.start().turn() != side);
        if self.player.engine.profile().archives && self.board.plies() > before_its_first {
            self.recorder.join(side, self.board.game.ending().is_some(), now);
        }
    }

    /// Returns the finished game that is not archived yet, when another one begins or the session
    /// ends: the result is what the engine claimed or resigned.
    pub fn take_game(&mut self, now: Instant) -> Option<Box<FinishedGame>> {
        let side = self.recorder.unarchived_side().filter(|_| self.board.over)?;
        match self.board.game.ending() {
            Some((outcome, _)) => self.finished(Some(outcome), "", now),
            None if self.offers.resigned => self.finished(Some(Outcome::Win(!side)), "resigned", now),
            None => None,
        }
    }

    /// Returns the game for the archive, unless it is there already.
    pub(super) fn finished(
        &mut self,
        outcome: Option<Outcome>,
        comment: &str,
        now: Instant,
    ) -> Option<Box<FinishedGame>> {
        if !self.player.engine.profile().archives {
            return None;
        }
        let side = self.recorder.unarchived_side()?;
        let tags = self.context.tags(side, &self.player.engine.profile().name);
        let (identity, clock) = (self.player.next_game_identity(), self.player.limits.clocks.in_pgn());
        Some(self.recorder.archive((identity, tags), &self.board.game, (outcome, comment), clock, now))
    }

    /// Saves the engine's game with this result in the folder of the option `GameFolder`.
    pub(super) fn save_game(&self, outcome: Option<Outcome>, step: &mut Step<'_>) {
        let Mode::Play(side) = self.board.mode else { return };
        let engine = &self.player.engine;
        if engine.options.game_folder.is_empty() || self.board.game.moves().is_empty() {
            return;
        }
        step.effect(Effect::FileRequest(FileRequest::SaveGame {
            folder: PathBuf::from(&engine.options.game_folder),
            game: Box::new(self.board.game.clone()),
            tags: Box::new(self.context.tags(side, &engine.profile().name)),
            outcome,
        }));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::auth::Visibility;
    use crate::book::Books;
    use crate::protocol::xboard::Reply;
    use crate::session::{Effect, FileRequest, Input, KeptGame, Profile, Setup};
    use std::sync::Arc;

    /// Lines with which the shim replays a game to another server, after two moves of each side.
    const REPLAYED: &str = "xboard\nprotover 2\nnew\nforce\ne2e4\ne7e5\ng1f3\nb8c6\nping 1900000001\n";

    /// Returns the games that a session archives after these lines.
    fn archived(said: &str) -> Vec<(String, Option<Outcome>)> {
        archived_by(Profile { archives: true, ..Profile::new("", Books::default()) }, said)
    }

    fn archived_by(profile: Profile, said: &str) -> Vec<(String, Option<Outcome>)> {
        let profile = Arc::new(profile);
        let mut session = Session::new(Setup { seed: 0, identity: 1, profile });
        let mut effects: Vec<Effect<Reply>> = Vec::new();
        for line in said.lines() {
            session.handle(Input::Line(line.as_bytes()), Instant::now(), &mut effects);
        }
        effects
            .into_iter()
            .filter_map(|effect| match effect {
                Effect::FileRequest(FileRequest::Archive(game)) => Some(game),
                _ => None,
            })
            .map(|finished| {
                let KeptGame::Chess(game) = finished.game else { panic!("a game of chess") };
                let side = if finished.tags.program[0] { "white" } else { "black" };
                (format!("{side} {}", game.moves().len()), finished.outcome)
            })
            .collect()
    }

    const WHITE_WINS: Option<Outcome> = Some(Outcome::Win(Color::White));

    #[test]
    fn a_game_of_another_server_is_archived_without_a_move_of_the_engine() {
        let game = archived(&format!("{REPLAYED}playother\nresult 1-0 {{Black resigns}}\nquit\n"));
        assert_eq!(game, [("black 4".to_owned(), WHITE_WINS)]);
        // GUIs send force before the result, after it, or send two results.
        let game =
            archived(&format!("{REPLAYED}playother\nf1b5\nforce\nresult 1-0 {{}}\nresult * {{exit}}\nnew\n"));
        assert_eq!(game, [("black 5".to_owned(), WHITE_WINS)]);
        let game = archived(&format!("{REPLAYED}go\nresult 1-0 {{Black forfeits on time}}\n"));
        assert_eq!(game, [("white 4".to_owned(), WHITE_WINS)]);
        // ChessBase's programs.
        let game = archived(&format!("{REPLAYED}ponder f1b5\nf1b5\nresult 1-0 {{}}\n"));
        assert_eq!(game, [("black 5".to_owned(), WHITE_WINS)]);
    }

    #[test]
    fn notes_for_watchers_do_not_archive_a_game() {
        let said = "xboard\nprotover 2\nnew\ne2e4\n?\nresult 1-0 {Black resigns}\nquit\n";
        let watched = |archives| {
            let watch = Visibility::Everybody;
            archived_by(Profile { archives, watch, ..Profile::new("", Books::default()) }, said)
        };
        assert_eq!(watched(true).len(), 1, "the engine has moved");
        assert_eq!(watched(false), []);
    }

    #[test]
    fn a_game_that_another_server_has_ended_is_in_its_archive() {
        for more in [
            // The result was sent there.
            "result 1-0 {Black resigns}\nplayother\nresult * {xboard exit}\nnew\nquit\n",
            // The engine resigned there, and the client has not sent the result yet.
            "black\nedit\nxboard\nresult 0-1 {White resigns}\nnew\nquit\n",
            // The rules ended it there.
            "setboard 7k/5Q2/6K1/8/8/8/8/8 w - - 0 1\nf7g7\nplayother\nresult 1-0 {White mates}\nnew\n",
            "f3g1\nc6b8\ng1f3\nb8c6\nf3g1\nc6b8\ng1f3\nb8c6\nplayother\nresult 1/2-1/2 {Repetition}\n",
        ] {
            assert_eq!(archived(&format!("{REPLAYED}{more}")), [], "{more}");
        }
    }

    #[test]
    fn a_side_that_has_not_moved_is_not_the_engines() {
        for said in
            ["playother\nresult 1-0 {}\n", "force\ne2e4\ngo\nresult 1-0 {}\n", "e2e4\nresult 1-0 {}\n"]
        {
            assert_eq!(archived(&format!("xboard\nprotover 2\nnew\n{said}quit\n")), [], "{said}");
        }
        assert_eq!(archived(&format!("{REPLAYED}result 1-0 {{}}\nnew\n")), []);
        assert_eq!(archived(&format!("{REPLAYED}analyze\nresult 1-0 {{}}\nnew\n")), []);
    }
}
