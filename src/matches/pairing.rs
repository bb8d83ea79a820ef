//! Two games with one opening and swapped colours.

use super::engine::Engine;
use super::error::{EngineError, MatchError};
use super::game::{Finished, Termination, play};
use super::match_game::MatchGame;
use super::{EngineSpec, Plan};
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
        let plan = self.plan;
        let [mut one, mut other] = self.take_engines()?;
        let players: [&mut dyn Engine<G>; 2] = match color {
            Color::White => [one.as_mut(), other.as_mut()],
            Color::Black => [other.as_mut(), one.as_mut()],
        };
        let mut finished = play(opening, players, plan.timing(), plan.max_plies);
        let result = super::report::result(finished.outcome);
        one.game_over(result);
        other.game_over(result);
        // An engine that has failed is restarted for the next game.
        let loser = match (&finished.termination, finished.outcome) {
            (Termination::Failure(_), Outcome::Win(winner)) => Some(!winner),
            _ => None,
        };
        if let (Termination::Failure(error), Some(loser)) = (&mut finished.termination, loser)
            && error.ends_match()
        {
            let spec = if loser == color { &plan.first } else { &plan.second };
            let reason = std::mem::replace(error, EngineError::Exited);
            return Err(MatchError::Engine { engine: spec.clone(), reason });
        }
        self.engines = [Some(one), Some(other)];
        if let Some(loser) = loser {
            self.engines[usize::from(loser != color)] = None;
        }
        Ok(finished)
    }

    /// Takes both engines, and starts those that do not run.
    fn take_engines(&mut self) -> Result<[Box<dyn Engine<G>>; 2], MatchError> {
        let Plan { first, second, first_option, second_option, .. } = self.plan;
        let [one, other] = &mut self.engines;
        let started =
            |engine: &mut Option<Box<dyn Engine<G>>>, spec: &EngineSpec, options| match engine.take() {
                Some(running) => Ok(running),
                None => G::start_engine(spec, options, self.plan)
                    .map_err(|reason| MatchError::Engine { engine: spec.clone(), reason }),
            };
        Ok([started(one, first, first_option)?, started(other, second, second_option)?])
    }
}
