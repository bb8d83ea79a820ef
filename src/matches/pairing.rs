//! Two games with one opening and swapped colours.

use super::engine::{Engine, EngineError};
use super::game::{Finished, Termination, play};
use super::match_game::MatchGame;
use super::runner::MatchError;
use super::{EngineSpec, Plan};
use crate::chess::{Color, Outcome};
use crate::random::mix;

/// Two games with one opening: the first engine has White in the first.
pub(super) struct PlayedPair {
    pub number: u32,
    pub games: [Finished; 2],
}

impl PlayedPair {
    /// The result of one of the games for the first engine, in half points.
    pub fn half_points(&self, game: usize) -> usize {
        let ours = if game == 0 { Color::White } else { Color::Black };
        match self.games[game].outcome {
            Outcome::Draw => 1,
            Outcome::Win(winner) => 2 * usize::from(winner == ours),
        }
    }
}

/// Two engines that play pairs of games against each other.
pub(super) struct Pairing<'a, G: MatchGame> {
    plan: &'a Plan,
    openings: &'a [G::Opening],
    /// The engines that run.
    engines: [Option<Box<dyn Engine<G>>>; 2],
}

impl<'a, G: MatchGame> Pairing<'a, G> {
    pub fn new(plan: &'a Plan, openings: &'a [G::Opening]) -> Pairing<'a, G> {
        Pairing { plan, openings, engines: [None, None] }
    }

    /// Plays the pair of this number.
    ///
    /// # Errors
    /// An engine cannot be started, or cannot play what is wanted.
    pub fn play(&mut self, number: u32) -> Result<PlayedPair, MatchError> {
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
        // An engine that has failed is started again for the next game.
        let loser = match (&finished.termination, finished.outcome) {
            (Termination::Failure(_), Outcome::Win(winner)) => Some(!winner),
            _ => None,
        };
        if let (Termination::Failure(error), Some(loser)) = (&mut finished.termination, loser)
            && error.ends_match()
        {
            let spec = if loser == color { &plan.first } else { &plan.second };
            return Err(MatchError::Engine(spec.clone(), std::mem::replace(error, EngineError::Gone)));
        }
        self.engines = [Some(one), Some(other)];
        if let Some(loser) = loser {
            self.engines[usize::from(loser != color)] = None;
        }
        Ok(finished)
    }

    /// Both engines, started if they do not run.
    fn take_engines(&mut self) -> Result<[Box<dyn Engine<G>>; 2], MatchError> {
        let Plan { first, second, first_option, second_option, .. } = self.plan;
        let [one, other] = &mut self.engines;
        let started =
            |engine: &mut Option<Box<dyn Engine<G>>>, spec: &EngineSpec, options| match engine.take() {
                Some(running) => Ok(running),
                None => G::start_engine(spec, options, self.plan)
                    .map_err(|error| MatchError::Engine(spec.clone(), error)),
            };
        Ok([started(one, first, first_option)?, started(other, second, second_option)?])
    }
}
