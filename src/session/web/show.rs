//! Messages about the server and the game on the board.

use super::{Session, Step, send};
use crate::auth::Visibility;
use crate::protocol::web::{self, Elo, Message, ProfileInfo, games};
use crate::search::Strength;
use std::time::Instant;

impl Session {
    /// `hello`
    pub(super) fn show_server(&self, step: &mut Step<'_>) {
        let engine = &self.player.engine;
        let profiles = engine
            .named_profiles()
            .map(|(name, profile)| ProfileInfo { name: name.to_owned(), engine: profile.name.clone() });
        send(
            Message::Hello {
                server: concat!("Farboard ", env!("CARGO_PKG_VERSION")).to_owned(),
                variants: games().collect(),
                profiles: profiles.collect(),
                elo: Elo { min: Strength::WEAKEST, max: Strength::STRONGEST },
                levels: Strength::LEVELS,
                banner: engine.profile().banner.clone(),
            },
            step,
        );
        self.show_game(step);
        self.show_last_lines(step);
    }

    /// Sends everything about the game on the board.
    pub(super) fn show_game(&self, step: &mut Step<'_>) {
        self.send_game(false, step);
    }

    /// The same after moves of a guest.
    pub(super) fn show_guest_moves(&self, step: &mut Step<'_>) {
        self.send_game(true, step);
    }

    fn send_game(&self, by_guest: bool, step: &mut Step<'_>) {
        let [white, black] = self.players_shown();
        let may_be_watched = self.player.engine.profile().watch != Visibility::Nobody;
        send(
            Message::Game {
                id: may_be_watched.then(|| self.player.watch_number()),
                mode: self.mode,
                variant: self.game.name().to_owned(),
                start: self.game.start_fen(),
                color: self.person_shown(),
                white,
                black,
                moves: self.game.shown_moves(),
                position: self.position_shown(),
                clocks: self.clocks_shown(step.now),
                by_guest,
            },
            step,
        );
    }

    /// The clocks for the client.
    pub(super) fn clocks_shown(&self, now: Instant) -> Option<web::Clocks> {
        self.clocks.as_ref().map(|clocks| clocks.shown(now))
    }
}
