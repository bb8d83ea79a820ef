//! Two games with one opening and swapped colours.

use super::Plan;
use super::clock::Timing;
use super::engine::Engine;
use super::error::{EngineError, MatchError};
use super::game::{Finished, Termination, play};
use super::match_game::MatchGame;
use super::note::Spent;
use super::player::{Encounter, Player};
use crate::chess::{Color, Outcome};
use crate::random::mix;
use std::time::Duration;

/// Two games with one opening: the first engine has White in the first.
pub(super) struct PlayedPair {
    /// The number of the first engine's opponent, from 0.
    pub(super) opponent: usize,
    pub(super) number: u32,
    /// The names of both engines.
    pub(super) names: [String; 2],
    pub(super) games: [Finished; 2],
}

impl PlayedPair {
    /// The time used by both engines.
    pub(super) fn spent(&self) -> [Spent; 2] {
        let [mut first, mut second] = self.games[0].spent;
        let [swapped_second, swapped_first] = self.games[1].spent;
        first.add(swapped_first);
        second.add(swapped_second);
        [first, second]
    }

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
    encounter: Encounter<'a>,
    openings: &'a [G::Opening],
    /// The running engines.
    engines: [Option<Box<dyn Engine<G>>>; 2],
    /// The names of the engines, once they have run.
    names: [Option<String>; 2],
}

impl<'a, G: MatchGame> Pairing<'a, G> {
    pub(super) fn new(encounter: Encounter<'a>, openings: &'a [G::Opening]) -> Pairing<'a, G> {
        Pairing { encounter, openings, engines: [None, None], names: [None, None] }
    }

    /// Plays the pair of this number.
    ///
    /// # Errors
    /// An engine cannot be started, or does not play the game.
    pub(super) fn play(&mut self, number: u32) -> Result<PlayedPair, MatchError> {
        let Encounter { plan, opponent, players } = self.encounter;
        let first = mix(plan.seed) as usize % self.openings.len();
        let opening = self.openings[(first + number as usize) % self.openings.len()];
        let games = [self.play_game(opening, Color::White)?, self.play_game(opening, Color::Black)?];
        let name =
            |index: usize| self.names[index].clone().unwrap_or_else(|| players[index].spec.to_string());
        Ok(PlayedPair { opponent, number, names: [name(0), name(1)], games })
    }

    /// Plays a game in which the first engine has this colour.
    fn play_game(&mut self, opening: G::Opening, color: Color) -> Result<Finished, MatchError> {
        let Encounter { plan, players, .. } = self.encounter;
        let [first, second] = &mut self.engines;
        let (first, second) = (running(first, players[0], plan)?, running(second, players[1], plan)?);
        self.names = [first.name(), second.name()].map(|name| name.map(str::to_owned));
        let timing = timing(plan, if color == Color::White { players } else { [players[1], players[0]] });
        let sides: [&mut dyn Engine<G>; 2] = match color {
            Color::White => [&mut **first, &mut **second],
            Color::Black => [&mut **second, &mut **first],
        };
        let mut finished = play(opening, sides, timing, plan.adjudication());
        let result = super::game_text::result(finished.outcome);
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

/// The timing of a game between White and Black.
fn timing(plan: &Plan, players: [&Player; 2]) -> Timing {
    let controls = players.map(|player| player.control(plan));
    Timing { controls, cpu_time: plan.cpu_time, margin: Duration::from_millis(plan.margin) }
}

/// The engine that runs, or a new one.
fn running<'e, G: MatchGame>(
    engine: &'e mut Option<Box<dyn Engine<G>>>,
    player: &Player,
    plan: &Plan,
) -> Result<&'e mut Box<dyn Engine<G>>, MatchError> {
    match engine {
        Some(running) => Ok(running),
        None => Ok(engine.insert(G::start_engine(player, plan).map_err(|reason| player.failed(reason))?)),
    }
}
