//! Endings whose result with best play is known: of chess by material, of draughts by the endgame
//! database.

use crate::chess::{AnyPosition, Bitboard, Color, Outcome, Position, Role, Standard};
use crate::draughts::endgames::{Value, solved};
use crate::draughts::{self, DRAWN_PLIES};

/// Plies in which a rook mates a bare king at most, and a few more.
const ROOK_MATES_IN: u32 = 40;
/// Plies without a capture or pawn move that make a draw.
const FIFTY_MOVES: u32 = 100;
/// The squares at the edge of the board.
const EDGE: Bitboard = Bitboard(0xff81_8181_8181_81ff);

/// The outcome of chess with best play where the material decides, by orthodox rules and for a
/// player who sees the board.
pub(super) fn of_chess(position: &AnyPosition) -> Option<Outcome> {
    let hidden = position.variant().rules().hidden;
    match position {
        AnyPosition::Standard(position) if !hidden => {
            let winner = position.turn();
            if mates_with_a_rook(position, winner) {
                return Some(Outcome::Win(winner));
            }
            is_dead_draw(position).then_some(Outcome::Draw)
        }
        AnyPosition::Standard(_) | AnyPosition::Fairy(_) => None,
    }
}

/// Returns true if the side on move has a rook or queen, which it does not have to save from
/// anything but a bare king, and time to mate.
fn mates_with_a_rook(position: &Position<Standard>, side: Color) -> bool {
    let has_rook = (position.straight_sliders() & position.color(side)).any();
    let is_bare = position.color(!side).count() == 1;
    has_rook && is_bare && position.halfmove_clock() + ROOK_MATES_IN <= FIFTY_MOVES
}

/// Returns true if neither side can force mate: each has at most a bishop or knight, or one has two
/// knights against a bare king. A king at the edge may be in trouble at once.
fn is_dead_draw(position: &Position<Standard>) -> bool {
    let minors = position.role(Role::Bishop) | position.role(Role::Knight);
    let kings = position.role(Role::King);
    if position.occupied() != minors | kings || (kings & EDGE).any() {
        return false;
    }
    let [white, black] = [Color::White, Color::Black].map(|side| (minors & position.color(side)).count());
    let knights_only = position.role(Role::Bishop).is_empty();
    white.max(black) <= 1 || white.max(black) == 2 && white.min(black) == 0 && knights_only
}

/// The outcome of draughts with best play; `None` also if a win could take longer than the game may
/// go on without a capture or a man's move. The first call solves the endgames, which takes about a
/// second.
pub(super) fn of_draughts(position: &draughts::Position) -> Option<Outcome> {
    let in_time = |plies: Option<u8>| {
        plies.is_some_and(|plies| position.reversible_plies() + u32::from(plies) <= DRAWN_PLIES)
    };
    match solved().probe(position)? {
        Value::Draw => Some(Outcome::Draw),
        Value::Win(plies) => in_time(plies).then(|| Outcome::Win(position.turn())),
        Value::Loss(plies) => in_time(plies).then(|| Outcome::Win(!position.turn())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::Variant;

    fn chess(variant: Variant, fen: &str) -> Option<Outcome> {
        of_chess(&AnyPosition::from_fen(variant, fen).unwrap())
    }

    #[test]
    fn a_rook_or_queen_beats_a_bare_king() {
        let white = Some(Outcome::Win(Color::White));
        for (fen, outcome) in [
            ("8/8/8/3k4/8/8/8/R3K3 w - - 0 1", white),
            ("8/8/8/3k4/8/8/8/Q3K3 w - - 60 90", white),
            ("8/8/8/3k4/8/8/P7/RN2K3 w - - 0 1", white),
            ("8/8/8/3K4/8/8/8/r3k3 b - - 0 1", Some(Outcome::Win(Color::Black))),
            // The bare king may take the rook, or be stalemated.
            ("8/8/8/8/8/8/2k5/1R2K3 b - - 0 1", None),
            ("7k/5Q2/8/8/8/8/8/4K3 b - - 0 1", None),
            ("8/8/8/3k4/8/8/8/R3K3 w - - 61 90", None),
            ("8/8/8/3k4/3n4/8/8/R3K3 w - - 0 1", None),
            ("8/8/8/3k4/8/8/8/B3KB2 w - - 0 1", None),
            ("8/8/8/3k4/8/8/P7/4K3 w - - 0 1", None),
        ] {
            assert_eq!(chess(Variant::NORMAL, fen), outcome, "{fen}");
        }
    }

    #[test]
    fn minor_pieces_draw_far_from_the_edge() {
        for (fen, outcome) in [
            ("8/8/3k4/3b4/8/3K4/3N4/8 w - - 0 1", Some(Outcome::Draw)),
            ("8/8/3k4/3n4/8/3K4/3N4/8 b - - 0 1", Some(Outcome::Draw)),
            ("8/8/3k4/8/8/3K4/3NN3/8 w - - 0 1", Some(Outcome::Draw)),
            // Mate in the corner: Nb6 would be one.
            ("kb6/8/1K6/3N4/8/8/8/8 w - - 0 1", None),
            ("8/8/3k4/8/8/3K4/3BN3/8 w - - 0 1", None),
            ("8/8/3k4/3b4/8/3K4/3NN3/8 w - - 0 1", None),
            ("8/3p4/3k4/8/8/3K4/3NN3/8 w - - 0 1", None),
        ] {
            assert_eq!(chess(Variant::NORMAL, fen), outcome, "{fen}");
        }
    }

    #[test]
    fn other_rules_have_other_endings() {
        let rook = "8/8/8/3k4/8/8/8/R3K3 w - - 0 1";
        for name in ["suicide", "atomic", "kingofthehill", "3check", "kriegspiel"] {
            assert_eq!(chess(name.parse().unwrap(), rook), None, "{name}");
        }
        assert!(chess(Variant::FISCHERANDOM, rook).is_some());
    }

    #[test]
    fn draughts_of_four_pieces_are_known_unless_the_win_takes_too_long() {
        let outcome = |fen: &str| of_draughts(&draughts::Position::from_fen(fen).unwrap());
        assert_eq!(outcome("W:WK32:BK1"), Some(Outcome::Draw));
        assert_eq!(outcome("B:W5,10:B1"), Some(Outcome::Win(Color::White)));
        assert_eq!(outcome("W:W21,22,23:B1,2"), None, "five pieces");
        // The same win, but the forty-move rule draws before it.
        let mut position = draughts::Position::from_fen("W:WK14,K15:BK1").unwrap();
        let won = of_draughts(&position);
        assert_eq!(won, Some(Outcome::Win(Color::White)));
        for text in ["14-18", "1-5", "18-14", "5-1"].repeat(20) {
            position.play(position.parse_move(text).unwrap());
        }
        assert_eq!(of_draughts(&position), None, "{}", position.reversible_plies());
    }
}
