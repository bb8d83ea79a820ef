//! What differs between variants, as values: a literal for each in this file. Code asks [`super::Ruleset`], which answers
//! at compile time for standard chess.

use super::{Role, START_FEN};
use std::fmt;
use std::str::FromStr;

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
    /// Whether White has no king but a horde, which may advance by two squares from the first rank, too, and loses when it
    /// has no pieces left.
    pub white_horde: bool,
    /// What a pawn may become.
    pub promotions: &'static [Role],
    /// Where the pieces come from that may be dropped instead of a move.
    pub drops: Drops,
    /// Whether a capture must be made if one is legal.
    pub must_capture: bool,
    /// Whether a capture removes the capturing piece, too, and everything but pawns next to it. Kings cannot capture.
    pub explodes: bool,
    /// Whether a move may give check.
    pub may_check: bool,
    /// How many checks win the game; 0 if checks are not counted.
    pub checks_to_win: u8,
    /// Whether a side with nothing but its king has won.
    pub bare_king_wins: bool,
    /// Where a king wins the game.
    pub goal: Goal,
    /// What it means to have no legal move.
    pub no_moves: NoMoves,
    /// Whether each side sees its own men only ([`super::kriegspiel`]).
    pub hidden: bool,
}

/// How castling is set up.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum CastlingStyle {
    /// There is no castling.
    None,
    /// King on e, rooks on a and h.
    Orthodox,
    /// King on e, or on d with everything mirrored: it goes two squares towards either rook (ICS wild 0 and 1).
    Wild,
    /// King and rooks anywhere, the king between the rooks; they end where orthodox castling puts them.
    Chess960,
}

/// What must not be lost.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Royal {
    /// The one king: it may not be left in check.
    King,
    /// Among several kings the one on the file nearest to a, and there the one on the lowest rank: that may not be left in
    /// check, whichever it was before.
    FirstKing,
    /// Nothing: there is no check, and kings are pieces like others.
    Nothing,
}

/// Where pieces come from that are dropped.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Drops {
    /// Nothing is dropped.
    None,
    /// What a side captures goes to its hand.
    Captured,
    /// What is captured leaves the board; hands are filled from another board.
    FromPartner,
}

/// Where a king wins the game.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Goal {
    /// Nowhere.
    None,
    /// On d4, d5, e4 or e5.
    Center,
    /// On the last rank, seen from White, for both sides; where White arrives first, Black has one move to draw level.
    LastRank,
}

/// What it means for the side on move to have no legal move.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum NoMoves {
    /// Mate if it is in check, else stalemate, a draw.
    MateOrDraw,
    /// Mate if it is in check and no piece that may still come could be put between; else it waits for one.
    MateOrWait,
    /// It has won.
    Wins,
    /// It has lost.
    Loses,
    /// The side with fewer pieces has won; as many are a draw.
    FewerPiecesWin,
}

const USUAL_PROMOTIONS: &[Role] = &[Role::Queen, Role::Knight, Role::Rook, Role::Bishop];
const ALSO_TO_KING: &[Role] = &[Role::Queen, Role::Knight, Role::Rook, Role::Bishop, Role::King];

/// Orthodox chess.
pub const NORMAL: Rules = Rules {
    name: "normal",
    id: 0,
    start: START_FEN,
    castling: CastlingStyle::Orthodox,
    royal: Royal::King,
    white_horde: false,
    promotions: USUAL_PROMOTIONS,
    drops: Drops::None,
    must_capture: false,
    explodes: false,
    may_check: true,
    checks_to_win: 0,
    bare_king_wins: false,
    goal: Goal::None,
    no_moves: NoMoves::MateOrDraw,
    hidden: false,
};

/// Chess960. The start position is the orthodox one until a client sets up another.
pub const FISCHERANDOM: Rules =
    Rules { name: "fischerandom", id: 1, castling: CastlingStyle::Chess960, ..NORMAL };

/// Any back rank, and no castling (ICS wild 2, 3 and 4).
pub const NOCASTLE: Rules = Rules {
    name: "nocastle",
    id: 2,
    start: "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1",
    castling: CastlingStyle::None,
    ..NORMAL
};

/// Kings on d or e castle (ICS wild 0 and 1). The start position is that of wild 0.
pub const WILDCASTLE: Rules = Rules {
    name: "wildcastle",
    id: 3,
    start: "rnbkqbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    castling: CastlingStyle::Wild,
    ..NORMAL
};

/// What is captured changes sides, and may be dropped.
pub const CRAZYHOUSE: Rules = Rules {
    name: "crazyhouse",
    id: 4,
    start: "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR[] w KQkq - 0 1",
    drops: Drops::Captured,
    ..NORMAL
};

/// One of the two boards of bughouse: what the partner captures may be dropped.
pub const BUGHOUSE: Rules =
    Rules { name: "bughouse", id: 5, drops: Drops::FromPartner, no_moves: NoMoves::MateOrWait, ..CRAZYHOUSE };

/// Lose all pieces but the king, or be mated (ICC wild 17).
pub const LOSERS: Rules = Rules {
    name: "losers",
    id: 6,
    must_capture: true,
    bare_king_wins: true,
    no_moves: NoMoves::Wins,
    ..NORMAL
};

/// Lose all pieces, by FICS's rules: no castling, and without a move the side with fewer pieces wins.
pub const SUICIDE: Rules = Rules {
    name: "suicide",
    id: 7,
    start: "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1",
    castling: CastlingStyle::None,
    royal: Royal::Nothing,
    promotions: ALSO_TO_KING,
    must_capture: true,
    no_moves: NoMoves::FewerPiecesWin,
    ..NORMAL
};

/// Lose all pieces, by ICC's rules (wild 26): there is castling, and a side without a move wins.
pub const GIVEAWAY: Rules = Rules {
    name: "giveaway",
    id: 8,
    start: START_FEN,
    castling: CastlingStyle::Orthodox,
    no_moves: NoMoves::Wins,
    ..SUICIDE
};

/// Two kings on each side, of which one is royal (ICC wild 9).
pub const TWOKINGS: Rules = Rules {
    name: "twokings",
    id: 9,
    start: "rnbqkknr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKKNR w KQkq - 0 1",
    royal: Royal::FirstKing,
    ..NORMAL
};

/// Captures explode, by FICS's rules: there is check, unless the kings touch.
pub const ATOMIC: Rules = Rules { name: "atomic", id: 10, explodes: true, ..NORMAL };

/// Captures explode, by ICC's rules: there is no check, and only an explosion ends the game.
pub const ATOMIC_ICC: Rules = Rules { name: "atomic-icc", id: 11, royal: Royal::Nothing, ..ATOMIC };

/// The third check wins.
pub const THREE_CHECK: Rules = Rules { name: "3check", id: 12, checks_to_win: 3, ..NORMAL };

/// A king in the center wins.
pub const KING_OF_THE_HILL: Rules = Rules { name: "kingofthehill", id: 13, goal: Goal::Center, ..NORMAL };

/// The first king on the last rank wins, and nobody may give check.
pub const RACING_KINGS: Rules = Rules {
    name: "racingkings",
    id: 14,
    start: "8/8/8/8/8/8/krbnNBRK/qrbnNBRQ w - - 0 1",
    castling: CastlingStyle::None,
    may_check: false,
    goal: Goal::LastRank,
    ..NORMAL
};

/// Many pawns against an army.
pub const HORDE: Rules = Rules {
    name: "horde",
    id: 15,
    start: "rnbqkbnr/pppppppp/8/1PP2PP1/PPPPPPPP/PPPPPPPP/PPPPPPPP/PPPPPPPP w kq - 0 1",
    white_horde: true,
    ..NORMAL
};

/// Orthodox chess of which each side sees its own men only (ICC wild 16).
pub const KRIEGSPIEL: Rules = Rules { name: "kriegspiel", id: 16, hidden: true, ..NORMAL };

/// Which rules a game is played by.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Variant(&'static Rules);

impl Variant {
    /// Orthodox chess.
    pub const NORMAL: Variant = Variant(&NORMAL);
    /// Chess960.
    pub const FISCHERANDOM: Variant = Variant(&FISCHERANDOM);
    /// One board of bughouse.
    pub const BUGHOUSE: Variant = Variant(&BUGHOUSE);
    /// Chess of which each side sees its own men only.
    pub const KRIEGSPIEL: Variant = Variant(&KRIEGSPIEL);
    /// All variants that clients can play: those of the protocol's table in its order, then ours.
    pub const ALL: [Variant; 16] = [
        Variant::NORMAL,
        Variant(&NOCASTLE),
        Variant(&WILDCASTLE),
        Variant::FISCHERANDOM,
        Variant::BUGHOUSE,
        Variant(&CRAZYHOUSE),
        Variant(&LOSERS),
        Variant(&SUICIDE),
        Variant(&GIVEAWAY),
        Variant(&TWOKINGS),
        Variant::KRIEGSPIEL,
        Variant(&ATOMIC),
        Variant(&THREE_CHECK),
        Variant(&KING_OF_THE_HILL),
        Variant(&RACING_KINGS),
        Variant(&HORDE),
    ];
    /// All variants whose rules are known: `atomic-icc` only judges opponents.
    pub const KNOWN: [Variant; 17] = [
        Variant::NORMAL,
        Variant::FISCHERANDOM,
        Variant(&NOCASTLE),
        Variant(&WILDCASTLE),
        Variant(&CRAZYHOUSE),
        Variant::BUGHOUSE,
        Variant(&LOSERS),
        Variant(&SUICIDE),
        Variant(&GIVEAWAY),
        Variant(&TWOKINGS),
        Variant(&ATOMIC),
        Variant(&ATOMIC_ICC),
        Variant(&THREE_CHECK),
        Variant(&KING_OF_THE_HILL),
        Variant(&RACING_KINGS),
        Variant(&HORDE),
        Variant::KRIEGSPIEL,
    ];

    /// The variant of these rules, whether or not it is one of [`Variant::ALL`].
    pub const fn of(rules: &'static Rules) -> Variant {
        Variant(rules)
    }

    /// Whether pieces come from another board: then a position is not all there is to a game.
    #[inline]
    pub fn has_partner(self) -> bool {
        self.0.drops == Drops::FromPartner
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

    /// The variant of that name in files.
    pub fn from_name(name: &str) -> Option<Variant> {
        Variant::KNOWN.into_iter().find(|variant| variant.name() == name)
    }
}

/// No variant has this name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnknownVariant(pub String);

impl fmt::Display for UnknownVariant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let known: Vec<&str> = Variant::KNOWN.iter().map(|variant| variant.name()).collect();
        write!(f, "no variant is named {:?}; known are {}", self.0, known.join(", "))
    }
}

impl std::error::Error for UnknownVariant {}

impl FromStr for Variant {
    type Err = UnknownVariant;

    fn from_str(name: &str) -> Result<Variant, UnknownVariant> {
        Variant::from_name(name).ok_or_else(|| UnknownVariant(name.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_variant_has_a_name_and_a_number_of_its_own() {
        for (index, variant) in Variant::KNOWN.into_iter().enumerate() {
            assert_eq!(Variant::from_name(variant.name()), Some(variant));
            for other in &Variant::KNOWN[..index] {
                assert_ne!(variant.rules().id, other.rules().id);
            }
        }
        assert!(Variant::ALL.into_iter().all(|variant| Variant::KNOWN.contains(&variant)));
        assert_eq!(Variant::from_name("Normal"), None);
    }
}
