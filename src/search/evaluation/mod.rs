//! Static evaluation: material, placement, pawns, mobility, king safety, threats; tapered from middlegame
//! to endgame by what is left on the board.

pub mod draughts;
mod endgame;
mod pawns;
pub mod variant;
pub mod variant_weights;
mod weights;

use crate::chess::{Bitboard, Color, Position, Role, Ruleset, attacks};
use weights::*;

/// The worth of a position in centipawns from the view of the side on move. Never near a mate score.
pub fn evaluate<R: Ruleset>(position: &Position<R>) -> i32 {
    if let Some(fairy) = position.fairy() {
        return variant::evaluate(position, fairy);
    }
    let score = endgame::adjust(position, taper(position, chess(position)));
    from_view(position.turn(), score) + TEMPO
}

/// What counts in chess, for White less for Black.
fn chess<R: Ruleset>(position: &Position<R>) -> Pair {
    let (white, black) = (Side::new(position, Color::White), Side::new(position, Color::Black));
    let total = white.sum(&black) - black.sum(&white);
    total + pawns::structure(position, Color::White) - pawns::structure(position, Color::Black)
}

/// Between the values of middlegame and endgame, by what is on the board.
fn taper<R: Ruleset>(position: &Position<R>, total: Pair) -> i32 {
    let phase = phase(position);
    (total.middle * phase + total.end * (FULL_PHASE - phase)) / FULL_PHASE
}

/// White's score as a side sees it, kept away from mate scores.
fn from_view(side: Color, score: i32) -> i32 {
    let score = score.clamp(-20_000, 20_000);
    if side == Color::White { score } else { -score }
}

/// [`FULL_PHASE`] with all pieces on the board, 0 with none.
fn phase<R: Ruleset>(position: &Position<R>) -> i32 {
    let pieces: i32 =
        Role::ALL.into_iter().map(|role| PHASE[role.index()] * position.role(role).count() as i32).sum();
    pieces.min(FULL_PHASE)
}

/// What one side attacks, and what that alone is worth.
struct Side<'a, R: Ruleset> {
    position: &'a Position<R>,
    color: Color,
    /// Squares attacked by role.
    attacks: [Bitboard; 6],
    /// Squares attacked by anything.
    attacked: Bitboard,
    /// Attackers of squares around the enemy king, weighed, and how many they are.
    king_attack: (i32, i32),
    score: Pair,
}

impl<'a, R: Ruleset> Side<'a, R> {
    fn new(position: &'a Position<R>, color: Color) -> Side<'a, R> {
        let mut side = Side {
            position,
            color,
            attacks: [Bitboard::EMPTY; 6],
            attacked: Bitboard::EMPTY,
            king_attack: (0, 0),
            score: Pair::default(),
        };
        side.place_pieces();
        side
    }

    /// Placement of every piece, worth of those in hand, and mobility of the pieces.
    fn place_pieces(&mut self) {
        let (position, us) = (self.position, self.color);
        for role in Role::ALL {
            for square in position.pieces(us, role) {
                let seen = if us == Color::White { square } else { square.flip() };
                self.score += SQUARES[role.index()][seen.index()];
            }
        }
        if let Some(fairy) = position.fairy() {
            for role in Role::ALL {
                self.score += MATERIAL[role.index()] * i32::from(fairy.in_hand(us, role));
            }
        }
        let own_pawns = position.pieces(us, Role::Pawn);
        let enemy_pawn_attacks = attacks::pawns(position.pieces(!us, Role::Pawn), !us);
        self.attacks[Role::Pawn.index()] = attacks::pawns(own_pawns, us);
        self.attacks[Role::King.index()] = position.king(us).map_or(Bitboard::EMPTY, attacks::king);
        let useful = !(enemy_pawn_attacks | own_pawns | position.pieces(us, Role::King));
        let around = |king| attacks::king(king) | Bitboard::of(king);
        let king_zone = position.king(!us).map_or(Bitboard::EMPTY, around);

        for role in [Role::Knight, Role::Bishop, Role::Rook, Role::Queen] {
            let (worth, usual) = MOBILITY[role.index() - 1];
            // Pieces of a kind that support each other on a line look through one another.
            let transparent = match role {
                Role::Bishop => position.pieces(us, Role::Queen),
                Role::Rook => position.straight_sliders() & position.color(us),
                _ => Bitboard::EMPTY,
            };
            let occupied = position.occupied() ^ transparent;
            for square in position.pieces(us, role) {
                let reach = attacks::piece(role, square, occupied);
                self.attacks[role.index()] |= reach;
                self.score += worth * ((reach & useful).count() as i32 - usual);
                let hits = (reach & king_zone).count() as i32;
                if hits > 0 {
                    self.king_attack.0 += KING_ATTACK[role.index()] + 4 * hits;
                    self.king_attack.1 += 1;
                }
            }
        }
        self.attacked = self.attacks.into_iter().fold(Bitboard::EMPTY, |all, some| all | some);
        self.placed_pieces(own_pawns, enemy_pawn_attacks);
    }

    /// Bishop pair, rooks on open files, knights on outposts.
    fn placed_pieces(&mut self, own_pawns: Bitboard, enemy_pawn_attacks: Bitboard) {
        let (position, us) = (self.position, self.color);
        if position.pieces(us, Role::Bishop).many() {
            self.score += BISHOP_PAIR;
        }
        let pawns = position.role(Role::Pawn);
        for rook in position.pieces(us, Role::Rook) {
            let file = Bitboard::file(rook.file());
            if (file & pawns).is_empty() {
                self.score += ROOK_OPEN_FILE;
            } else if (file & own_pawns).is_empty() {
                self.score += ROOK_HALF_OPEN_FILE;
            }
        }
        let front = match us {
            Color::White => Bitboard(0x0000_ffff_ff00_0000),
            Color::Black => Bitboard(0x0000_00ff_ffff_0000),
        };
        let guarded = self.attacks[Role::Pawn.index()] & front & !enemy_pawn_attacks;
        for knight in position.pieces(us, Role::Knight) & guarded {
            let future = pawns::ahead_beside(knight, us) & position.pieces(!us, Role::Pawn);
            if future.is_empty() {
                self.score += OUTPOST;
            }
        }
    }

    /// All that this side's pieces are worth, given what the other side's attack.
    fn sum(&self, other: &Side<'_, R>) -> Pair {
        self.score + self.threats(other) + self.king_safety(other)
    }

    /// Enemy pieces that are attacked in a way that hurts.
    fn threats(&self, other: &Side<'_, R>) -> Pair {
        let (position, them) = (self.position, !self.color);
        let pawn_attacks = self.attacks[Role::Pawn.index()];
        let minor_attacks = self.attacks[Role::Knight.index()] | self.attacks[Role::Bishop.index()];
        let major = (position.role(Role::Rook) | position.role(Role::Queen)) & position.color(them);
        let pieces = position.color(them) & !position.role(Role::Pawn) & !position.role(Role::King);
        let hanging = position.color(them) & !position.role(Role::King) & self.attacked & !other.attacked;
        THREAT_BY_PAWN * (pieces & pawn_attacks).count() as i32
            + THREAT_BY_MINOR * (major & minor_attacks & !pawn_attacks).count() as i32
            + THREAT_HANGING * hanging.count() as i32
    }

    /// The shelter of our king, less the attack on him.
    fn king_safety(&self, other: &Side<'_, R>) -> Pair {
        let (position, us) = (self.position, self.color);
        let Some(king) = position.king(us) else { return Pair::default() };
        let own_pawns = position.pieces(us, Role::Pawn);
        let mut shelter = 0;
        let next_rank = |step: i8| {
            let rank = king.rank() as i8 + if us == Color::White { step } else { -step };
            if (0..8).contains(&rank) { Bitboard::rank(rank as u8) } else { Bitboard::EMPTY }
        };
        let (near, far) = (next_rank(1), next_rank(2));
        for file in king.file().saturating_sub(1)..=(king.file() + 1).min(7) {
            let pawns = own_pawns & Bitboard::file(file);
            shelter += if (pawns & near).any() {
                SHIELD[0]
            } else if (pawns & far).any() {
                SHIELD[1]
            } else if pawns.is_empty() {
                SHIELD_OPEN_FILE
            } else {
                0
            };
        }
        let (weight, attackers) = other.king_attack;
        let queen = position.pieces(!us, Role::Queen).any();
        // One attacker alone does not mate; several count by the square of their weight, more with a queen.
        let danger = if attackers >= 2 { weight * weight / if queen { 160 } else { 400 } } else { 0 };
        pair(shelter - danger.min(400), -danger.min(400) / 8)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::Standard;

    fn value(fen: &str) -> i32 {
        evaluate(&Position::from_fen(Standard::NORMAL, fen).unwrap())
    }

    /// The same position with colours changed.
    fn mirrored(fen: &str) -> String {
        let mut fields = fen.split(' ');
        let swap = |text: &str| -> String {
            text.chars()
                .map(|c| if c.is_ascii_uppercase() { c.to_ascii_lowercase() } else { c.to_ascii_uppercase() })
                .collect()
        };
        let board: Vec<String> = fields.next().unwrap().split('/').rev().map(swap).collect();
        let turn = if fields.next() == Some("w") { "b" } else { "w" };
        format!("{} {turn} {} -", board.join("/"), swap(fields.next().unwrap()))
    }

    #[test]
    fn colours_do_not_matter() {
        for line in include_str!("../../../tests/data/perft-variants.epd").lines() {
            let mut fields = line.split(';');
            if fields.next() == Some("normal") {
                let fen = fields.next().unwrap();
                assert_eq!(value(fen), value(&mirrored(fen)), "{fen}");
            }
        }
    }

    #[test]
    fn the_start_is_level_and_a_queen_counts() {
        assert_eq!(value(crate::chess::START_FEN), TEMPO);
        let without = "rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        assert!((800..1300).contains(&value(without)), "{}", value(without));
    }

    #[test]
    fn what_cannot_be_won_is_near_a_draw() {
        for fen in [
            "8/8/4k3/8/8/3KN3/8/8 w - - 0 1",
            "8/8/4k3/8/8/3KNN2/8/8 w - - 0 1",
            "8/5r2/4k3/8/8/3K3R/3B4/8 w - - 0 1",
        ] {
            assert!(value(fen).abs() < 100, "{fen} {}", value(fen));
        }
        assert!(value("8/8/4k3/8/8/3K3R/8/8 w - - 0 1") > 400);
    }
}
