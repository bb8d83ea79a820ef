//! The terms of a game against the engine, which a rematch has again.

use super::clocks::Terms;
use crate::chess::Color;
use crate::protocol::web::Opponent;
use crate::search::Strength;
use crate::session::player::Engine;

/// The longest name of a person, in characters.
const MAX_NAME: usize = 40;
/// The name of a person who gives none.
const UNNAMED: &str = "Guest";

/// The terms of a game against the engine.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct MatchTerms {
    /// The person's side.
    pub(super) person: Color,
    /// The person's name.
    pub(super) name: String,
    /// The name of the game.
    pub(super) variant: String,
    /// The start position, if the person has set one.
    pub(super) fen: Option<String>,
    /// The terms of the clocks, if any.
    pub(super) clock: Option<Terms>,
    /// The engine's strength.
    pub(super) opponent: Opponent,
    /// The profile that plays.
    pub(super) profile: String,
}

/// A strength that the engine does not have.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub(super) enum OpponentError {
    /// An Elo rating out of range.
    #[error("elo must be from {} to {}", Strength::WEAKEST, Strength::STRONGEST)]
    Elo,
    /// A skill level out of range.
    #[error("level must be from 0 to {}", Strength::LEVELS)]
    Level,
    /// Neither full strength nor a limit.
    #[error("an opponent has \"elo\", \"level\" or \"full\":true")]
    NotFull,
}

/// Checks a strength.
pub(super) fn checked(opponent: Opponent) -> Result<Opponent, OpponentError> {
    match opponent {
        Opponent::Elo(Strength::WEAKEST..=Strength::STRONGEST)
        | Opponent::Level(0..=Strength::LEVELS)
        | Opponent::Full(true) => Ok(opponent),
        Opponent::Elo(_) => Err(OpponentError::Elo),
        Opponent::Level(_) => Err(OpponentError::Level),
        Opponent::Full(false) => Err(OpponentError::NotFull),
    }
}

/// Limits the engine's strength.
pub(super) fn set_strength(opponent: Opponent, engine: &mut Engine) {
    let options = engine.options_mut();
    options.limit_strength = matches!(opponent, Opponent::Elo(_));
    options.skill_level = Strength::LEVELS;
    match opponent {
        Opponent::Elo(elo) => options.elo = elo,
        Opponent::Level(level) => options.skill_level = level,
        Opponent::Full(_) => {}
    }
}

/// A person's name without what would spoil a line, and of bounded length.
pub(super) fn person_name(name: Option<&str>) -> String {
    let plain = name.unwrap_or_default().chars().filter(|letter| !letter.is_control()).take(MAX_NAME);
    let plain = plain.collect::<String>().trim().to_owned();
    if plain.is_empty() { UNNAMED.to_owned() } else { plain }
}
