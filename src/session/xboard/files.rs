//! The user's files; only for sessions on the user's own machine.

use super::{Effect, FileRequest, Gui, Mode, Session, Step};
use crate::book::Book;
use crate::chess::{Color, Outcome, Tags};
use crate::protocol::xboard::Reply;
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
    pub(super) fn save_game(&self, outcome: Option<Outcome>, step: &mut Step<'_>) {
        let Mode::Play(ours) = self.mode else { return };
        if self.player.engine.options.game_folder.is_empty() || self.game.moves().is_empty() {
            return;
        }
        step.effect(Effect::FileRequest(FileRequest::SaveGame {
            folder: PathBuf::from(&self.player.engine.options.game_folder),
            game: Box::new(self.game.clone()),
            tags: Box::new(self.tags(ours)),
            outcome,
        }));
    }

    /// The tags of a saved game: the players and the site.
    pub(super) fn tags(&self, ours: Color) -> Tags {
        let Gui { opponent, ics, .. } = &self.gui;
        let mut names = [self.player.engine.profile().name.clone(), opponent.name.clone()];
        let rating = opponent.rating.map_or([0, 0], |rating| [rating.own, rating.opponent]);
        let mut elo = rating.map(|elo| (elo > 0).then_some(elo));
        let mut program = [true, opponent.is_computer];
        if ours == Color::Black {
            names.reverse();
            elo.reverse();
            program.reverse();
        }
        let [white, black] = names;
        Tags { site: ics.clone().unwrap_or_default(), white, black, elo, program, ..Tags::default() }
    }
}
