//! Two games with one opening and swapped colours.

use super::Plan;
use super::engine::Engine;
use super::error::{EngineError, MatchError};
use super::game::{Finished, Termination, play};
use super::match_game::MatchGame;
use super::plan::Player;
use crate::chess::{Color, Outcome};
use crate::random::mix;

/// Two games with one opening: the first engine has White in the first.
pub(super) struct PlayedPair {
    pub(super) number: u32,
    pub(super) games: [Finished; 2],
}

impl PlayedPair {
    /// The result of one of the games for the first engine, in half points.
    pub(super) fn half_points(&self, game: usize) -> usize {
        let color = if game == 0 { Color::White } else { Color::Black };
        match self.games[game].outcome {
            Outcome::Draw => 1,
            Outcome::Win(winner) => 2 * usize::from(winner == color),
        }
    }
}

/// Two engines that play pairs of games against each other.
pub(super) struct Pairing<'a, G: MatchGame> {
    plan: &'a Plan,
    openings: &'a [G::Opening],
    /// The running engines.
    engines: [Option<Box<dyn Engine<G>>>; 2],
}

impl<'a, G: MatchGame> Pairing<'a, G> {
    pub(super) fn new(plan: &'a Plan, openings: &'a [G::Opening]) -> Pairing<'a, G> {
        Pairing { plan, openings, engines: [None, None] }
    }

    /// Plays the pair of this number.
    ///
    /// # Errors
    /// An engine cannot be started, or does not play the game.
    pub(super) fn play(&mut self, number: u32) -> Result<PlayedPair, MatchError> {
        let first = mix(self.plan.seed) as usize % self.openings.len();
        let opening = self.openings[(first + number as usize) % self.openings.len()];
        let games = [self.play_game(opening, Color::White)?, self.play_game(opening, Color::Black)?];
        Ok(PlayedPair { number, games })
    }

    /// Plays a game in which the first engine has this colour.
    fn play_game(&mut self, opening: G::Opening, color: Color) -> Result<Finished, MatchError> {
        let (plan, players) = (self.plan, self.plan.players());
        let [first, second] = &mut self.engines;
        let (first, second) = (running(first, players[0], plan)?, running(second, players[1], plan)?);
        let sides: [&mut dyn Engine<G>; 2] = match color {
            Color::White => [&mut **first, &mut **second],
            Color::Black => [&mut **second, &mut **first],
        };
        let mut finished = play(opening, sides, plan.timing(), plan.max_plies);
        let result = super::report::result(finished.outcome);
        first.game_over(result);
        second.game_over(result);
        if let (Termination::Failure(error), Outcome::Win(winner)) =
            (&mut finished.termination, finished.outcome)
        {
            let loser = usize::from(winner == color);
            // It is restarted for the next game.
            self.engines[loser] = None;
            if error.ends_match() {
                return Err(players[loser].failed(std::mem::replace(error, EngineError::Exited)));
            }
        }
        Ok(finished)
    }
}

/// The engine that runs, or a new one.
fn running<'e, G: MatchGame>(
    engine: &'e mut Option<Box<dyn Engine<G>>>,
    player: Player<'_>,
    plan: &Plan,
) -> Result<&'e mut Box<dyn Engine<G>>, MatchError> {
    match engine {
        Some(running) => Ok(running),
        None => Ok(engine.insert(G::start_engine(player, plan).map_err(|reason| player.failed(reason))?)),
    }
}
