//! Bughouse: the effect of a piece from the partner.

use crate::chess::{
    Bitboard, Color, Drops, Ending, Fairy, Move, NoMoves, Outcome, Position, Role, Roles, Ruleset, Square,
    attacks,
};

impl<R: Ruleset> Position<R> {
    /// Returns true if pieces come from another board.
    #[inline]
    pub fn has_partner(&self) -> bool {
        self.fairy().is_some_and(|fairy| fairy.rules().drops == Drops::FromPartner)
    }

    /// Returns true if the side on move has no legal move but is not mated: a piece from the
    /// partner could help.
    pub fn waits(&self) -> bool {
        self.fairy().is_some_and(|fairy| fairy.rules().no_moves == NoMoves::MateOrWait)
            && !self.has_legal_move()
            && self.may_wait()
    }
}

impl Position<Fairy> {
    /// Returns the roles not in hand that would mate at once if the side on move dropped one.
    /// Leaves out checks from afar, which a piece from the other board may block. Tries some ten
    /// drops.
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
        // The hand no longer matters.
        after.play(Move::drop(role, square));
        after.outcome() == Some((Outcome::Win(us), Ending::Checkmate))
    }

    /// Returns the position with one more piece of each of these roles in the hand of the side on
    /// move.
    pub(crate) fn with_more_in_hand(&self, roles: Roles) -> Position<Fairy> {
        let mut hands = self.ruleset.hands();
        for role in roles.iter() {
            let count = &mut hands[self.turn().index()][role.index()];
            *count = count.saturating_add(1);
        }
        self.with_hands(&hands).unwrap_or(*self)
    }
}

/// Returns the squares from which a piece checks a king at contact.
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
    fn mating_drops_are_found() {
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
    fn a_side_that_a_piece_could_help_waits() {
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
    fn awaited_roles_are_known() {
        assert_eq!(bughouse("R5k1/5ppp/8/8/8/8/8/4K3[] b - - 0 1").awaited().to_string(), "nbrq");
        assert_eq!(bughouse("8/8/8/k1K5/8/p7/8/R7[] b - - 0 1").awaited().to_string(), "");
    }

    #[test]
    fn an_opponents_drop_may_be_unannounced() {
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
