//! The opening book: book moves and `bk`.

use super::{Session, Step};
use crate::chess::Move;
use crate::protocol::xboard::{BookEntry, BookLine, Reply};
use std::time::Instant;

impl Session {
    /// Returns the book move in the position on the board, if any. None for ChessBase's programs,
    /// which have books of their own and want searched moves, none with excluded moves, and none in
    /// kriegspiel.
    pub(super) fn book_move(&self) -> Option<Move> {
        if self.gui.is_fritz() || self.board.is_hidden() || !self.board.excluded.is_empty() {
            return None;
        }
        let seed = self.player.seed_at(self.board.plies());
        self.player.engine.book()?.choose(self.board.position(), seed)
    }

    /// Plays the book move for the position on the board; returns false if there is none.
    pub(super) fn play_from_book(&mut self, since: Instant, step: &mut Step<'_>) -> bool {
        let position = *self.board.position();
        let Some(mv) = self.book_move() else { return false };
        let Some(book) = self.player.engine.book().cloned() else { return false };
        if self.gui.shows_thinking() {
            let moves = book.frequencies(&position);
            let moves = moves.into_iter().map(|(mv, percent)| (position.san(mv), percent)).collect();
            step.reply(Reply::BookLine(BookLine { moves }));
        }
        let used = step.now.saturating_duration_since(since) + self.player.limits.lateness.after_handling;
        self.player.limits.clocks.moved(used, self.board.plies());
        self.offers.drop_offer();
        let mut after = position;
        after.play(mv);
        let reply = book.moves(&after).first().map(|reply| reply.mv);
        self.commit(mv, reply, None, step);
        true
    }

    /// `bk`: lists the book's moves with their frequencies, down to the rarest.
    pub(super) fn show_book(&mut self, step: &mut Step<'_>) {
        if !self.settle_turn(step) {
            return;
        }
        let position = self.board.position();
        let moves = self
            .player
            .engine
            .book()
            .filter(|_| !self.board.is_hidden())
            .map(|book| book.frequencies(position));
        match moves {
            None => step.reply(Reply::Book(BookEntry::NoBook)),
            Some(moves) if moves.is_empty() => step.reply(Reply::Book(BookEntry::Unknown)),
            Some(moves) => moves.into_iter().for_each(|(mv, percent)| {
                step.reply(Reply::Book(BookEntry::Move(position.san(mv), percent)));
            }),
        }
        step.reply(Reply::BookEnd);
    }
}
