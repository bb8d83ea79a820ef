//! Dispatch of messages.

use super::analysis::NewAnalysis;
use super::new_game::NewGame;
use super::{Session, Step, send};
use crate::protocol::web::{Message, ParseError, Request};

impl Session {
    /// Handles a line from the client. An invalid one is answered with an error and changes
    /// nothing.
    pub(super) fn line(&mut self, line: &[u8], step: &mut Step<'_>) {
        if line.trim_ascii().is_empty() {
            return;
        }
        match Request::parse(line) {
            Ok(request) => self.execute(request, step),
            Err(ParseError { about, text }) => send(Message::Error { about, text }, step),
        }
    }

    fn execute(&mut self, request: Request, step: &mut Step<'_>) {
        match request {
            Request::Hello {} => self.show_server(step),
            Request::NewGame { variant, fen, color, clock, opponent, profile, name } => {
                let wanted = NewGame { variant, fen, color, clock, opponent, profile, name };
                self.new_game(wanted, step);
            }
            Request::Move { mv, ply } => self.person_moves(&mv, ply, step),
            Request::TakeBack {} => self.take_back(step),
            Request::Resign {} => self.resign(step),
            Request::OfferDraw {} => self.offer_draw(step),
            Request::Rematch {} => self.rematch(step),
            Request::Hint {} => self.hint(step),
            Request::MoveNow {} => self.move_now(step),
            Request::Analyse { variant, fen, moves, lines, running, profile } => {
                self.analyse(NewAnalysis { variant, fen, moves, lines, running, profile }, step);
            }
            Request::Load { text, variant } => self.load(&text, variant.as_deref(), step),
            Request::Review { nodes } => self.review(nodes, step),
            Request::Stop {} => self.stop_task(step),
            Request::Share { key } => self.share(key, step),
            Request::GuestMoves { key, moves } => self.guest_moves(&key, &moves, step),
            Request::Pgn {} => self.show_pgn(step),
            Request::Quit {} => self.close(step),
        }
    }
}
