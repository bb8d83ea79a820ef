//! The games that can be played.

use crate::chess::{Drops, Variant};
use serde::{Deserialize, Serialize};

/// The name of English draughts.
pub const CHECKERS: &str = "checkers";
/// Its name for people.
pub const CHECKERS_TITLE: &str = "Checkers";

/// A game that can be played.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GameInfo {
    /// Its name in messages.
    pub name: String,
    /// Its name for people.
    pub title: String,
    /// Its pieces.
    pub game: GameKind,
    /// Whether pieces are dropped.
    pub drops: bool,
}

/// The pieces of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum GameKind {
    /// Chess or a variant.
    Chess,
    /// English draughts.
    Checkers,
}

/// Returns the games in the order in which people look for them. Left out are kriegspiel, where
/// nothing may be shown, and bughouse, which takes a partner.
pub fn games() -> impl Iterator<Item = GameInfo> {
    let chess = Variant::ALL.into_iter().filter(|&variant| is_offered(variant)).map(|variant| GameInfo {
        name: variant.name().to_owned(),
        title: title(variant).to_owned(),
        game: GameKind::Chess,
        drops: variant.rules().drops != Drops::None,
    });
    let checkers = GameInfo {
        name: CHECKERS.to_owned(),
        title: CHECKERS_TITLE.to_owned(),
        game: GameKind::Checkers,
        drops: false,
    };
    chess.chain([checkers])
}

/// Returns true if a variant can be played.
fn is_offered(variant: Variant) -> bool {
    !variant.rules().hidden && !variant.has_partner()
}

/// The variant of chess with this name, if it can be played.
pub(crate) fn offered(name: &str) -> Option<Variant> {
    Variant::ALL.into_iter().find(|&variant| variant.name() == name && is_offered(variant))
}

/// The name of the game that other programs call by this name in the tag `Variant` of PGN.
pub(crate) fn named_in_pgn(name: &str) -> Option<&'static str> {
    let bare = |name: &str| name.replace([' ', '-', '_'], "").to_ascii_lowercase();
    let wanted = bare(name);
    match wanted.as_str() {
        "" | "chess" | "standard" | "fromposition" => Some(Variant::NORMAL.name()),
        "fischerrandom" | "960" => Some(Variant::FISCHERANDOM.name()),
        "antichess" => Some("giveaway"),
        "draughts" | "englishdraughts" | "checkers" => Some(CHECKERS),
        _ => {
            let is_meant = |variant: &Variant| {
                [variant.name(), title(*variant)].into_iter().any(|known| bare(known) == wanted)
            };
            Variant::ALL.into_iter().filter(|&variant| is_offered(variant)).find(is_meant).map(Variant::name)
        }
    }
}

/// The name of a variant for people; its name in files if it has no other.
pub fn title(variant: Variant) -> &'static str {
    match variant.name() {
        "normal" => "Chess",
        "nocastle" => "Chess without castling",
        "wildcastle" => "Wild castle",
        "fischerandom" => "Chess960",
        "bughouse" => "Bughouse",
        "crazyhouse" => "Crazyhouse",
        "losers" => "Losers",
        "suicide" => "Suicide",
        "giveaway" => "Giveaway",
        "twokings" => "Two kings",
        "kriegspiel" => "Kriegspiel",
        "atomic" => "Atomic",
        "3check" => "Three-check",
        "kingofthehill" => "King of the hill",
        "racingkings" => "Racing kings",
        "horde" => "Horde",
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_game_has_a_title_and_hidden_ones_are_left_out() {
        let games: Vec<GameInfo> = games().collect();
        assert_eq!(games.len(), Variant::ALL.len() - 2 + 1);
        assert!(games.iter().all(|game| game.title.starts_with(|first: char| first.is_uppercase())));
        assert_eq!(games.iter().filter(|game| game.drops).count(), 1);
        assert_eq!(offered("kriegspiel"), None);
        assert_eq!(offered("normal"), Some(Variant::NORMAL));
    }

    #[test]
    fn other_programs_have_other_names() {
        for (name, known) in [
            ("Standard", "normal"),
            ("From Position", "normal"),
            ("Chess960", "fischerandom"),
            ("Three-check", "3check"),
            ("King of the Hill", "kingofthehill"),
            ("Racing Kings", "racingkings"),
            ("Crazyhouse", "crazyhouse"),
            ("Antichess", "giveaway"),
        ] {
            assert_eq!(named_in_pgn(name), Some(known), "{name}");
        }
        for name in ["Kriegspiel", "Shogi", "bughouse"] {
            assert_eq!(named_in_pgn(name), None, "{name}");
        }
    }
}
