//! Repetitions as xboard counts them. It verifies the claims of engines that play each other, and a
//! false one loses the game (backend.c of xboard 4.9.1, `Adjudicate` and `GameEnds`).
//!
//! It compares castling rights in suicide, too, where there is no castling, and takes a position
//! after a double step for another one whenever an enemy pawn is beside the pawn, pinned or not.

use crate::chess::{AnyPosition, CastlingStyle, Color, Game, Move, Piece, Role, Royal, Square};

/// The castling rights of both sides, as xboard tracks them in suicide: of the king, and of the
/// rooks of both wings.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Rights([(bool, [bool; 2]); 2]);

impl Rights {
    /// The rights at the start of a game: FENs of suicide do not say.
    fn at_start(position: &AnyPosition) -> Rights {
        Rights(Color::ALL.map(|color| {
            let is_home =
                |role, file| position.piece_at(Square::at(file, color.home())) == Some(Piece { color, role });
            (is_home(Role::King, 4), [0, 7].map(|file| is_home(Role::Rook, file)))
        }))
    }

    fn played(mut self, mv: Move) -> Rights {
        for (color, (king, rooks)) in Color::ALL.into_iter().zip(&mut self.0) {
            let touches = |file| [mv.from(), mv.to()].contains(&Square::at(file, color.home()));
            *king &= !touches(4);
            rooks[0] &= !touches(0);
            rooks[1] &= !touches(7);
        }
        self
    }

    /// Returns true if the rights are equal in the effect: a rook without a king has none.
    fn equal(self, other: Rights) -> bool {
        let effect = |Rights(sides): Rights| sides.map(|(king, rooks)| rooks.map(|rook| king && rook));
        effect(self) == effect(other)
    }
}

/// Returns true if xboard, too, has seen the position on the board twice before.
pub(super) fn is_counted_by_xboard(game: &Game) -> bool {
    let mut position = *game.start();
    let rules = position.variant().rules();
    let is_suicide = rules.castling == CastlingStyle::None && rules.royal == Royal::Nothing;
    let key = game.position().key();
    let mut rights = Rights::at_start(&position);
    let mut occurrences = Vec::new();
    // A FEN may have had a square for en passant, which makes it another position to xboard.
    if position.key() == key && position.fen() == AnyPosition::start(position.variant()).fen() {
        occurrences.push(rights);
    }
    for &mv in game.moves() {
        position.play(mv);
        rights = rights.played(mv);
        if position.key() == key && !is_double_step_beside_enemy(&position, mv) {
            occurrences.push(rights);
        }
    }
    occurrences.iter().filter(|earlier| !is_suicide || earlier.equal(rights)).count() >= 3
}

/// Returns true if the move that has led here was a double step of a pawn next to an enemy pawn.
fn is_double_step_beside_enemy(position: &AnyPosition, mv: Move) -> bool {
    let is_pawn =
        |square: Square, color: Color| position.piece_at(square) == Some(Piece { color, role: Role::Pawn });
    let (to, enemy) = (mv.to(), position.turn());
    let beside = [to.file().wrapping_sub(1), to.file() + 1].into_iter().filter(|&file| file < 8);
    is_pawn(to, !enemy)
        && mv.from().rank().abs_diff(to.rank()) == 2
        && beside.into_iter().any(|file| is_pawn(Square::at(file, to.rank()), enemy))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::{Ending, Outcome, Variant};

    /// Plays moves that repeat a position by the rules; returns whether xboard counts it.
    fn counts(variant: &str, fen: &str, moves: &str) -> bool {
        let variant = Variant::from_name(variant).unwrap();
        let mut game =
            if fen.is_empty() { Game::new(variant) } else { Game::from_fen(variant, fen).unwrap() };
        for text in moves.split_whitespace() {
            game.play(game.position().parse_move(text).expect(text));
        }
        assert_eq!(game.ending(), Some((Outcome::Draw, Ending::Repetition)), "{moves}");
        is_counted_by_xboard(&game)
    }

    /// Each of these was claimed in a match of xboard 4.9.1.
    #[test]
    fn repetitions_are_counted_as_by_xboard() {
        let kings = "e1e2 e8e7 e2e1 e7e8 ";
        assert!(counts("normal", "", "g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8"));
        assert!(!counts("suicide", "", &format!("e2e3 e7e6 {}", kings.repeat(2))));
        assert!(counts("suicide", "", &format!("e2e3 e7e6 {}", kings.repeat(3))));
        let pawn_is_pinned = "8/8/8/8/k2p3R/8/4P3/4K3 w - - 0 1";
        assert!(!counts("normal", pawn_is_pinned, "e2e4 a4a5 e1e2 a5a4 e2e1 a4a5 e1e2 a5a4 e2e1"));
        let en_passant = "4k3/p7/8/8/4P3/8/8/4K2R b - e3 0 1";
        assert!(!counts("normal", en_passant, "e8e7 h1h2 e7e8 h2h1 e8e7 h1h2 e7e8 h2h1"));
    }

    #[test]
    fn a_double_step_far_from_enemies_and_a_king_that_stays_are_no_difference() {
        assert!(counts("normal", "", "e2e4 e7e5 g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8"));
        assert!(counts("suicide", "", "g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8"));
    }
}
