//! What differs between variants, as values: a literal for each in this file. Code asks [`super::Ruleset`], which answers
//! at compile time for standard chess.

use super::{Role, START_FEN};

/// The rules of a variant: where they differ from those of chess.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Rules {
    /// The variant's name in files: PGN's tag `Variant`, tables of positions. Protocols have names of their own.
    pub name: &'static str,
    /// Keeps the variant's entries in the transposition table apart from those of other variants. No two have the same.
    pub id: u8,
    /// The start position, in FEN.
    pub start: &'static str,
    /// How castling is set up.
    pub castling: CastlingStyle,
    /// What must not be lost.
    pub royal: Royal,
    /// What a pawn may become.
    pub promotions: &'static [Role],
    /// Whether captured pieces go to the captor's hand, and may be dropped instead of a move.
    pub drops: bool,
    /// Whether a capture must be made if one is legal.
    pub must_capture: bool,
    /// How many checks win the game; 0 if checks are not counted.
    pub checks_to_win: u8,
    /// What it means to have no legal move.
    pub no_moves: NoMoves,
}

/// How castling is set up.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum CastlingStyle {
    /// King on e, rooks on a and h.
    Orthodox,
    /// King and rooks anywhere, the king between the rooks; they end where orthodox castling puts them.
    Chess960,
}

/// What must not be lost.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Royal {
    /// The one king: it may not be left in check.
    King,
    /// Nothing: there is no check, and kings are pieces like others.
    Nothing,
}

/// What it means for the side on move to have no legal move.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum NoMoves {
    /// Mate if it is in check, else stalemate, a draw.
    MateOrDraw,
    /// It has won.
    Wins,
    /// It has lost.
    Loses,
    /// The side with fewer pieces has won; as many are a draw.
    FewerPiecesWin,
}

/// Orthodox chess.
pub const NORMAL: Rules = Rules {
    name: "normal",
    id: 0,
    start: START_FEN,
    castling: CastlingStyle::Orthodox,
    royal: Royal::King,
    promotions: &[Role::Queen, Role::Knight, Role::Rook, Role::Bishop],
    drops: false,
    must_capture: false,
    checks_to_win: 0,
    no_moves: NoMoves::MateOrDraw,
};

/// Chess960. The start position is the orthodox one until a client sets up another.
pub const FISCHERANDOM: Rules =
    Rules { name: "fischerandom", id: 1, castling: CastlingStyle::Chess960, ..NORMAL };

/// Which rules a game is played by.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Variant(&'static Rules);

impl Variant {
    /// Orthodox chess.
    pub const NORMAL: Variant = Variant(&NORMAL);
    /// Chess960.
    pub const FISCHERANDOM: Variant = Variant(&FISCHERANDOM);
    /// All variants that can be played.
    pub const ALL: [Variant; 2] = [Variant::NORMAL, Variant::FISCHERANDOM];

    /// The variant of these rules, whether or not it is one of [`Variant::ALL`].
    pub const fn of(rules: &'static Rules) -> Variant {
        Variant(rules)
    }

    /// Its rules.
    #[inline]
    pub const fn rules(self) -> &'static Rules {
        self.0
    }

    /// Its name in files ([`Rules::name`]).
    pub const fn name(self) -> &'static str {
        self.0.name
    }

    /// The playable variant of that name.
    pub fn from_name(name: &str) -> Option<Variant> {
        Variant::ALL.into_iter().find(|variant| variant.name() == name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_variant_has_a_name_and_a_number_of_its_own() {
        for (index, variant) in Variant::ALL.into_iter().enumerate() {
            assert_eq!(Variant::from_name(variant.name()), Some(variant));
            for other in &Variant::ALL[..index] {
                assert_ne!(variant.rules().id, other.rules().id);
            }
        }
        assert_eq!(Variant::from_name("Normal"), None);
    }
}
