//! The user's files; only for sessions on the user's own machine.

use super::result::outcome_of;
use super::{Effect, FileRequest, Gui, Mode, Session, Step};
use crate::book::Book;
use crate::chess::{Color, Tags};
use crate::protocol::xboard::{GameResult, Rating, Reply};
use crate::session::finished_game::by_color;
use std::path::PathBuf;
use std::sync::Arc;

impl Session {
    /// Opens the book of the option `UserBook`, or closes it if the option is empty.
    pub(super) fn open_book(&mut self, step: &mut Step<'_>) {
        self.player.engine.own_book = None;
        if !self.player.engine.options.book_file.is_empty() {
            let path = PathBuf::from(&self.player.engine.options.book_file);
            step.effect(Effect::FileRequest(FileRequest::OpenBook(path)));
        }
    }

    /// Takes the user's book, or the reason why it cannot be read.
    pub(super) fn book_opened(&mut self, found: Result<Arc<Book>, String>, step: &mut Step<'_>) {
        match found {
            Ok(book) => self.player.engine.own_book = Some(book),
            Err(why) => step.reply(Reply::Tellusererror(format!("The book cannot be used: {why}"))),
        }
    }

    /// Saves the engine's game with this result in the folder of the option `GameFolder`.
    pub(super) fn save_game(&self, result: GameResult, step: &mut Step<'_>) {
        let Mode::Play(ours) = self.mode else { return };
        if self.player.engine.options.game_folder.is_empty() || self.game.moves().is_empty() {
            return;
        }
        step.effect(Effect::FileRequest(FileRequest::SaveGame {
            folder: PathBuf::from(&self.player.engine.options.game_folder),
            game: Box::new(self.game.clone()),
            tags: Box::new(self.tags(ours)),
            outcome: outcome_of(result),
        }));
    }

    /// The tags of a saved game: the players and the site.
    pub(super) fn tags(&self, ours: Color) -> Tags {
        let Gui { opponent, ics, .. } = &self.gui;
        let name = self.player.engine.profile().name.clone();
        let [white, black] = by_color(ours, name, opponent.name.clone());
        let rating = opponent.rating.unwrap_or(Rating { own: 0, opponent: 0 });
        let elo = by_color(ours, rating.own, rating.opponent).map(|elo| (elo > 0).then_some(elo));
        let program = by_color(ours, true, opponent.is_computer);
        Tags { site: ics.clone().unwrap_or_default(), white, black, elo, program, ..Tags::default() }
    }
}
