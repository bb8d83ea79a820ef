//! Bughouse: what a piece from the partner would change.

use crate::chess::{
    Bitboard, Color, Drops, Ending, Fairy, Move, NoMoves, Outcome, Position, Role, Roles, Ruleset, Square,
    attacks,
};

impl<R: Ruleset> Position<R> {
    /// Whether pieces come from another board.
    #[inline]
    pub fn has_partner(&self) -> bool {
        self.fairy().is_some_and(|fairy| fairy.rules().drops == Drops::FromPartner)
    }

    /// Whether the side on move has no legal move, and yet is not mated: a piece from the partner could help.
    pub fn waits(&self) -> bool {
        self.fairy().is_some_and(|fairy| fairy.rules().no_moves == NoMoves::MateOrWait)
            && !self.has_legal_move()
            && self.may_wait()
    }
}

impl Position<Fairy> {
    /// The roles that would mate at once if the side on move dropped one. Of those in hand nothing is said, nor of checks
    /// from afar, which a piece from the other board may stop. Some tens of drops are tried.
    pub(in crate::chess) fn mating_drops(&self) -> Roles {
        let us = self.turn();
        let Some(king) = self.king(!us).filter(|_| self.ruleset.has_drops()) else { return Roles::NONE };
        let missing = Roles::DROPPED.iter().filter(|&role| self.ruleset.in_hand(us, role) == 0);
        let mates = |role: Role| {
            let squares = contact_checks(us, role, king) & self.drop_targets(role);
            squares.into_iter().find(|&square| self.drop_mates(us, role, square)).is_some()
        };
        missing.filter(|&role| mates(role)).collect()
    }

    fn drop_mates(&self, us: Color, role: Role, square: Square) -> bool {
        let mut after = *self;
        // The hand does not matter any more.
        after.play(Move::drop(role, square));
        after.outcome() == Some((Outcome::Win(us), Ending::Checkmate))
    }

    /// The same position with one more piece of each of these roles in the hand of the side on move.
    pub fn with_more_in_hand(&self, roles: Roles) -> Position<Fairy> {
        let mut hands = self.ruleset.hands();
        for role in roles.iter() {
            let count = &mut hands[self.turn().index()][role.index()];
            *count = count.saturating_add(1);
        }
        self.with_hands(&hands).unwrap_or(*self)
    }
}

/// The squares from which a piece checks a king without a square between.
fn contact_checks(us: Color, role: Role, king: Square) -> Bitboard {
    match role {
        Role::Pawn => attacks::pawn(!us, king),
        Role::Knight => attacks::knight(king),
        _ => attacks::king(king) & attacks::piece(role, king, Bitboard::EMPTY),
    }
}

#[cfg(test)]
mod tests {
    use crate::chess::{AnyPosition, Variant};

    fn bughouse(fen: &str) -> AnyPosition {
        AnyPosition::from_fen(Variant::BUGHOUSE, fen).unwrap()
    }

    #[test]
    fn the_piece_that_mates_is_found() {
        for (fen, mating) in [
            ("6rk/6pp/8/8/8/8/8/4K3[] w - - 0 1", "n"),
            ("6rk/6pp/8/8/8/8/8/4K3[N] w - - 0 1", ""),
            ("6rk/6pp/8/8/8/8/6n1/4K3[] w - - 0 1", ""),
            ("7k/8/6K1/8/8/8/8/8[] w - - 0 1", "q"),
            ("6k1/5ppp/8/8/8/8/8/4K3[] w - - 0 1", ""),
            ("4k3/8/8/8/8/8/PP6/KR6[] b - - 0 1", "n"),
            ("4k3/8/8/8/8/8/PPP5/KR6[] b - - 0 1", ""),
        ] {
            assert_eq!(bughouse(fen).mating_drops().to_string(), mating, "{fen}");
        }
        let crazyhouse = Variant::from_name("crazyhouse").unwrap();
        let position = AnyPosition::from_fen(crazyhouse, "6rk/6pp/8/8/8/8/8/4K3[] w - - 0 1").unwrap();
        assert!(position.mating_drops().is_empty(), "nothing comes from anywhere");
    }

    #[test]
    fn who_may_be_helped_waits() {
        for (fen, waits) in [
            ("R5k1/5ppp/8/8/8/8/8/4K3[] b - - 0 1", true),
            ("R5k1/5ppp/8/8/8/8/8/4K3[n] b - - 0 1", false),
            ("R5k1/5ppp/8/8/8/8/8/4K3[p] b - - 0 1", true),
            ("6k1/5ppp/8/8/8/8/8/4K3[] b - - 0 1", false),
            ("6rk/5Npp/8/8/8/8/8/4K3[] b - - 0 1", false),
            ("7k/5Q2/6K1/8/8/8/8/8[] b - - 0 1", true),
        ] {
            assert_eq!(bughouse(fen).waits(), waits, "{fen}");
        }
        let mate = AnyPosition::from_fen(Variant::NORMAL, "R5k1/5ppp/8/8/8/8/8/4K3 b - - 0 1").unwrap();
        assert!(!mate.waits());
    }

    #[test]
    fn what_would_help_is_known() {
        assert_eq!(bughouse("R5k1/5ppp/8/8/8/8/8/4K3[] b - - 0 1").awaited().to_string(), "nbrq");
        assert_eq!(bughouse("8/8/8/k1K5/8/p7/8/R7[] b - - 0 1").awaited().to_string(), "");
    }

    #[test]
    fn an_opponents_drop_may_be_news() {
        let position = bughouse("4k3/8/8/8/8/8/8/4K3[] b - - 0 1");
        assert!(position.parse_move("N@f3").is_err());
        let drop = position.parse_opponents_move("N@f3").unwrap();
        let mut after = position;
        after.play(drop);
        assert_eq!(after.fen(), "4k3/8/8/8/8/5n2/8/4K3[] w - - 0 2");
        assert!(position.parse_opponents_move("K@f3").is_err());
        assert!(position.parse_opponents_move("P@f8").is_err());
    }
}
