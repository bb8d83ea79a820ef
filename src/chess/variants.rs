//! The variants as values, one literal each. Code queries [`super::Ruleset`], which answers at
//! compile time for standard chess.

use super::{Role, START_FEN};
use std::str::FromStr;

/// The rules of a variant.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Rules {
    /// The name in files: PGN's tag `Variant`, tables of positions. Protocols have their own names.
    pub name: &'static str,
    /// A unique number, which separates the entries of variants in the transposition table.
    pub id: u8,
    /// The start position, in FEN.
    pub start: &'static str,
    /// Castling.
    pub castling: CastlingStyle,
    /// The piece that must not be lost.
    pub royal: Royal,
    /// Whether White has a horde instead of a king, which may advance by two squares from the first
    /// rank, too, and loses when it has no pieces left.
    pub white_horde: bool,
    /// Roles of a promoted pawn.
    pub promotions: &'static [Role],
    /// The source of pieces that may be dropped.
    pub drops: Drops,
    /// Whether captures are compulsory.
    pub must_capture: bool,
    /// Whether a capture also removes the capturing piece and everything adjacent except pawns.
    /// Kings cannot capture.
    pub explodes: bool,
    /// Whether a move may give check.
    pub may_check: bool,
    /// Number of checks that win the game; 0 if checks are not counted.
    pub checks_to_win: u8,
    /// Whether a side with a bare king has won.
    pub bare_king_wins: bool,
    /// The squares on which a king wins.
    pub goal: Goal,
    /// The outcome for a side without a legal move.
    pub no_moves: NoMoves,
    /// Whether each side sees only its own men ([`super::kriegspiel`]).
    pub hidden: bool,
}

/// A castling style.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum CastlingStyle {
    /// No castling.
    None,
    /// King on e, rooks on a and h.
    Orthodox,
    /// King on e, or on d with everything mirrored: it moves two squares towards either rook (ICS
    /// wild 0 and 1).
    Wild,
    /// King and rooks anywhere, the king between the rooks; the final squares are as in orthodox
    /// castling.
    Chess960,
}

/// The piece that must not be lost.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Royal {
    /// The king, which may not be left in check.
    King,
    /// Of several kings the one on the file nearest to a, and there on the lowest rank: it may not
    /// be left in check.
    FirstKing,
    /// None: there is no check, and kings are ordinary pieces.
    Nothing,
}

/// The source of pieces to drop.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Drops {
    /// No drops.
    None,
    /// A side's own captures.
    Captured,
    /// The partner's captures on another board.
    FromPartner,
}

/// The squares on which a king wins.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Goal {
    /// Nowhere.
    None,
    /// On d4, d5, e4 or e5.
    Center,
    /// The last rank as White sees it, for both sides; after White arrives first, Black has one
    /// move to draw level.
    LastRank,
}

/// The outcome for the side on move if it has no legal move.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum NoMoves {
    /// Mate if in check, else stalemate, a draw.
    MateOrDraw,
    /// Mate if in check and no piece to come could be interposed; otherwise the side waits for one.
    MateOrWait,
    /// The side wins.
    Wins,
    /// The side loses.
    Loses,
    /// The side with fewer pieces wins; a draw if both have as many.
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
pub(super) const FISCHERANDOM: Rules =
    Rules { name: "fischerandom", id: 1, castling: CastlingStyle::Chess960, ..NORMAL };

/// Any back rank, no castling (ICS wild 2, 3 and 4).
pub(super) const NOCASTLE: Rules = Rules {
    name: "nocastle",
    id: 2,
    start: "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1",
    castling: CastlingStyle::None,
    ..NORMAL
};

/// Kings on d or e castle (ICS wild 0 and 1). The start position is wild 0's.
pub(super) const WILDCASTLE: Rules = Rules {
    name: "wildcastle",
    id: 3,
    start: "rnbkqbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    castling: CastlingStyle::Wild,
    ..NORMAL
};

/// Captured pieces change sides and may be dropped.
pub(super) const CRAZYHOUSE: Rules = Rules {
    name: "crazyhouse",
    id: 4,
    start: "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR[] w KQkq - 0 1",
    drops: Drops::Captured,
    ..NORMAL
};

/// One of the two boards of bughouse: the partner's captures may be dropped.
pub(super) const BUGHOUSE: Rules =
    Rules { name: "bughouse", id: 5, drops: Drops::FromPartner, no_moves: NoMoves::MateOrWait, ..CRAZYHOUSE };

/// A side wins by losing all pieces but its king, or by being mated (ICC wild 17).
pub(super) const LOSERS: Rules = Rules {
    name: "losers",
    id: 6,
    must_capture: true,
    bare_king_wins: true,
    no_moves: NoMoves::Wins,
    ..NORMAL
};

/// A side wins by losing all pieces, by FICS's rules: no castling, and without a move the side with
/// fewer pieces wins.
pub(super) const SUICIDE: Rules = Rules {
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

/// A side wins by losing all pieces, by ICC's rules (wild 26): with castling, and a side without a
/// move wins.
pub(super) const GIVEAWAY: Rules = Rules {
    name: "giveaway",
    id: 8,
    start: START_FEN,
    castling: CastlingStyle::Orthodox,
    no_moves: NoMoves::Wins,
    ..SUICIDE
};

/// Two kings on each side, one of them royal (ICC wild 9).
pub(super) const TWOKINGS: Rules = Rules {
    name: "twokings",
    id: 9,
    start: "rnbqkknr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKKNR w KQkq - 0 1",
    royal: Royal::FirstKing,
    ..NORMAL
};

/// Captures explode, by FICS's rules: there is check, unless the kings touch.
pub(super) const ATOMIC: Rules = Rules { name: "atomic", id: 10, explodes: true, ..NORMAL };

/// Captures explode, by ICC's rules: there is no check, and only an explosion ends the game.
pub(super) const ATOMIC_ICC: Rules = Rules { name: "atomic-icc", id: 11, royal: Royal::Nothing, ..ATOMIC };

/// The third check wins.
pub(super) const THREE_CHECK: Rules = Rules { name: "3check", id: 12, checks_to_win: 3, ..NORMAL };

/// A king in the center wins.
pub(super) const KING_OF_THE_HILL: Rules =
    Rules { name: "kingofthehill", id: 13, goal: Goal::Center, ..NORMAL };

/// The first king on the last rank wins; checks are forbidden.
pub(super) const RACING_KINGS: Rules = Rules {
    name: "racingkings",
    id: 14,
    start: "8/8/8/8/8/8/krbnNBRK/qrbnNBRQ w - - 0 1",
    castling: CastlingStyle::None,
    may_check: false,
    goal: Goal::LastRank,
    ..NORMAL
};

/// Many pawns against an army.
pub(super) const HORDE: Rules = Rules {
    name: "horde",
    id: 15,
    start: "rnbqkbnr/pppppppp/8/1PP2PP1/PPPPPPPP/PPPPPPPP/PPPPPPPP/PPPPPPPP w kq - 0 1",
    white_horde: true,
    ..NORMAL
};

/// Orthodox chess in which each side sees only its own men (ICC wild 16).
pub(super) const KRIEGSPIEL: Rules = Rules { name: "kriegspiel", id: 16, hidden: true, ..NORMAL };

/// Pairs of variants that differ in castling alone: the first castles as in orthodox chess, the
/// second as in Chess960. The first pair is chess itself.
const CHESS960: [(Variant, Variant); 7] = {
    const fn shuffled(id: u8, name: &'static str, rules: Rules) -> Rules {
        Rules { id, name, castling: CastlingStyle::Chess960, ..rules }
    }
    const CRAZYHOUSE960: Rules = shuffled(17, "crazyhouse960", CRAZYHOUSE);
    const LOSERS960: Rules = shuffled(18, "losers960", LOSERS);
    const ATOMIC960: Rules = shuffled(19, "atomic960", ATOMIC);
    const THREE_CHECK960: Rules = shuffled(20, "3check960", THREE_CHECK);
    const KING_OF_THE_HILL960: Rules = shuffled(21, "kingofthehill960", KING_OF_THE_HILL);
    const HORDE960: Rules = shuffled(22, "horde960", HORDE);
    [
        (Variant(&NORMAL), Variant(&FISCHERANDOM)),
        (Variant(&CRAZYHOUSE), Variant(&CRAZYHOUSE960)),
        (Variant(&LOSERS), Variant(&LOSERS960)),
        (Variant(&ATOMIC), Variant(&ATOMIC960)),
        (Variant(&THREE_CHECK), Variant(&THREE_CHECK960)),
        (Variant(&KING_OF_THE_HILL), Variant(&KING_OF_THE_HILL960)),
        (Variant(&HORDE), Variant(&HORDE960)),
    ]
};

/// A variant.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Variant(&'static Rules);

impl Variant {
    /// Orthodox chess.
    pub const NORMAL: Variant = Variant(&NORMAL);
    /// Chess960.
    pub const FISCHERANDOM: Variant = Variant(&FISCHERANDOM);
    /// One of the two boards of bughouse.
    pub const BUGHOUSE: Variant = Variant(&BUGHOUSE);
    /// Captured pieces can be dropped.
    pub const CRAZYHOUSE: Variant = Variant(&CRAZYHOUSE);
    /// Captures explode.
    pub const ATOMIC: Variant = Variant(&ATOMIC);
    /// Atomic chess as ICC plays it.
    pub const ATOMIC_ICC: Variant = Variant(&ATOMIC_ICC);
    /// Orthodox chess in which each side sees only its own men.
    pub const KRIEGSPIEL: Variant = Variant(&KRIEGSPIEL);
    /// All variants that clients can play: the protocol's table in its order, then the
    /// other ones.
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

    /// All known variants: [`Variant::ALL`], `atomic-icc`, which only judges opponents' moves, and
    /// variants [with the castling of Chess960](Variant::with_chess960).
    pub fn known() -> impl Iterator<Item = Variant> {
        let chess960 = CHESS960.into_iter().skip(1).map(|(_, chess960)| chess960);
        Variant::ALL.into_iter().chain([Variant::ATOMIC_ICC]).chain(chess960)
    }

    /// The variant with these rules, whether or not in [`Variant::ALL`].
    pub const fn of(rules: &'static Rules) -> Variant {
        Variant(rules)
    }

    /// Returns the variant with the castling of Chess960 in place of orthodox castling. `None` if
    /// it has no orthodox castling, if a side may have several kings, and for bughouse and
    /// kriegspiel.
    pub fn with_chess960(self) -> Option<Variant> {
        CHESS960.into_iter().find(|(orthodox, _)| *orthodox == self).map(|(_, chess960)| chess960)
    }

    /// Returns the variant with orthodox castling in place of that of Chess960; `None` if it does
    /// not castle as in Chess960.
    pub fn without_chess960(self) -> Option<Variant> {
        CHESS960.into_iter().find(|(_, chess960)| *chess960 == self).map(|(orthodox, _)| orthodox)
    }

    /// Returns true if pieces come from another board, so that a position is not the whole game.
    #[inline]
    pub fn has_partner(self) -> bool {
        self.0.drops == Drops::FromPartner
    }

    /// Returns its rules.
    #[inline]
    pub const fn rules(self) -> &'static Rules {
        self.0
    }

    /// Returns its name in files ([`Rules::name`]).
    pub const fn name(self) -> &'static str {
        self.0.name
    }

    /// The variant with this name in files.
    pub fn from_name(name: &str) -> Option<Variant> {
        Variant::known().find(|variant| variant.name() == name)
    }
}

/// No variant has this name.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("no variant is named {0:?}; known are {known}", known = names_of_known())]
pub struct UnknownVariant(pub String);

fn names_of_known() -> String {
    Variant::known().map(Variant::name).collect::<Vec<_>>().join(", ")
}

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
    fn names_and_numbers_of_variants_are_unique() {
        for (index, variant) in Variant::known().enumerate() {
            assert_eq!(Variant::from_name(variant.name()), Some(variant));
            for other in Variant::known().take(index) {
                assert_ne!(variant.rules().id, other.rules().id);
            }
        }
        assert_eq!(Variant::from_name("Normal"), None);
    }

    #[test]
    fn variants_with_orthodox_castling_of_one_king_exist_with_that_of_chess960() {
        for variant in Variant::ALL {
            let rules = variant.rules();
            let castles = rules.castling == CastlingStyle::Orthodox && rules.royal == Royal::King;
            let sees_all = !variant.has_partner() && !rules.hidden;
            assert_eq!(variant.with_chess960().is_some(), castles && sees_all, "{variant:?}");
        }
        for (orthodox, chess960) in CHESS960 {
            assert_eq!(orthodox.with_chess960(), Some(chess960));
            assert_eq!(chess960.without_chess960(), Some(orthodox));
            assert_eq!(chess960.with_chess960(), None);
            let &Rules { name, id, castling, .. } = orthodox.rules();
            assert_eq!(Rules { name, id, castling, ..chess960.rules().clone() }, *orthodox.rules());
            assert_eq!(chess960.rules().castling, CastlingStyle::Chess960);
        }
    }
}
