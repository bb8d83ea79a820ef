//! The player's search as watchers see it.

use super::{Player, Search};
use crate::search::Info;
use crate::session::Status;
use crate::session::finished_game::by_color;
use crate::session::picture::{Extent, GameEnd, Occasion, Picture, PicturedLine, Scene};

impl Player {
    /// Returns the picture of a session whose status is `status`.
    pub(in crate::session) fn picture(&self, scene: Scene<'_>, status: &Status, extent: Extent) -> Picture {
        let Scene {
            game,
            engine,
            answered,
            notes,
            opponent,
            clocks,
            clocks_run,
            claims,
            verdict,
            admits_guests,
        } = scene;
        let mut position = game.position();
        answered.into_iter().for_each(|mv| position.play(mv));
        let search = self.search().filter(|search| is_of_board(search, position.key()));
        let players = |side| by_color(side, self.engine.shown_name(), opponent.to_owned());
        let verdict = verdict.map(|(outcome, reason)| GameEnd::Verdict(outcome, reason));
        let end = verdict.or_else(|| game.end(answered, claims));
        let kept = match extent {
            Extent::Position => None,
            Extent::Game => Some(game.kept(answered)),
        };
        Picture {
            occasion: if engine.is_some() { Occasion::Game } else { Occasion::Analysis },
            position,
            last: answered.or_else(|| game.last()),
            plies: game.plies() + usize::from(answered.is_some()),
            notes: kept.as_ref().map(|kept| kept.noted(notes)).unwrap_or_default(),
            game: kept,
            players: engine.map_or_else(Default::default, players),
            clocks,
            running: engine.filter(|_| clocks_run && end.is_none()).map(|_| position.turn()),
            activity: status.activity,
            lines: search.map(pictured_lines).unwrap_or_default(),
            depth: status.depth,
            nodes: search.map_or(0, Search::nodes),
            speed: status.speed,
            end,
            admits_guests,
        }
    }
}

/// Returns true if the search is of the position with this key, or of one after a move that is
/// expected there.
fn is_of_board(search: &Search, key: u64) -> bool {
    search.root.key() == key || search.expected().is_some()
}

/// Returns the variations of a search from the position on the board.
fn pictured_lines(search: &Search) -> Vec<PicturedLine> {
    let line = |info: &Info| PicturedLine {
        score: info.score,
        side: search.root.turn(),
        depth: info.depth,
        moves: search.expected().into_iter().chain(info.pv.iter().copied()).collect(),
    };
    let variations = &search.findings.variations;
    if variations.are_several() {
        variations.last_set().iter().map(line).collect()
    } else {
        search.findings.best.iter().map(line).collect()
    }
}
