//! A move without a search, for when there is no time to begin one.

use super::evaluation::evaluate;
use super::searchable::Searchable;
use super::see::{SEE_VALUES, worth_at};
use super::{RootPosition, draughts_board};
use crate::chess::{AnyPosition, Fairy, Move, MoveKind, Outcome, Position, Ruleset};
use crate::draughts::endgames::Endgames;
use crate::with_position;

/// Number of moves above which replies are not examined in variants, as that would take
/// milliseconds with full hands.
const MAX_MOVES: usize = 100;

/// Returns the best-looking move one ply deep that is not excluded. A move after which the opponent
/// wins at once is chosen only if there is no other. In draughts `endgames` decides where it knows
/// the position after a move. `None` if all moves are excluded. Takes some ten microseconds.
pub fn static_best_move(
    position: &RootPosition,
    excluded: &[Move],
    endgames: Option<&Endgames>,
) -> Option<Move> {
    match position {
        RootPosition::Chess(position) => best_of_chess(position, excluded),
        RootPosition::Draughts(position) => draughts_board::static_best_move(*position, excluded, endgames),
    }
}

fn best_of_chess(position: &AnyPosition, excluded: &[Move]) -> Option<Move> {
    with_position!(position, position => {
        let moves = position.legal_moves();
        let looks_ahead = position.fairy().is_none() || moves.len() <= MAX_MOVES;
        let moves = moves.into_iter().filter(|mv| !excluded.contains(mv));
        moves.max_by_key(|&mv| promise(position, mv, looks_ahead))
    })
}

/// Returns true if the opponent can win at once after this legal move, by mate in standard chess.
pub fn allows_mate(position: &RootPosition, mv: Move) -> bool {
    let RootPosition::Chess(position) = position else { return false };
    with_position!(position, position => {
        let mut after = *position;
        after.play(mv);
        can_win(&after)
    })
}

/// Returns true if the side on move has a winning move.
fn can_win<R: Ruleset>(position: &Position<R>) -> bool {
    let checks = position.checks();
    let by_check = position.fairy().is_none_or(Fairy::is_won_by_check_alone);
    let may_win = |&mv: &Move| !by_check || position.gives_check(mv, &checks);
    position.legal_moves().into_iter().filter(may_win).any(|mv| won(position, &position.after(mv)))
}

/// Returns true if the game is over and won for the side on move in `before`.
fn won<R: Ruleset>(before: &Position<R>, after: &Position<R>) -> bool {
    ending(after) == Some(Outcome::Win(before.turn()))
}

/// Returns the outcome if the game is over on the board.
fn ending<R: Ruleset>(position: &Position<R>) -> Option<Outcome> {
    let decided = position.fairy_outcome();
    decided.or_else(|| (!position.has_legal_move()).then(|| position.outcome_without_moves()))
}

/// Offset for moves after which the opponent wins: below all others.
const LOST: i32 = -1_000_000;

/// Returns how good a move looks in centipawns, optionally examining winning replies.
fn promise<R: Ruleset>(position: &Position<R>, mv: Move, looks_ahead: bool) -> i32 {
    let after = position.after(mv);
    match ending(&after) {
        Some(Outcome::Draw) if !after.waits() => return 0,
        Some(Outcome::Win(winner)) => return if winner == position.turn() { i32::MAX } else { i32::MIN },
        Some(Outcome::Draw) | None => {}
    }
    let moved = match mv.kind() {
        MoveKind::Drop(role) if position.fairy().is_some() => SEE_VALUES[role.index()],
        _ => worth_at(position, mv.from()),
    };
    let lost = if Searchable::see_ge(position, mv, 0) { 0 } else { moved };
    -evaluate(&after) - lost + if looks_ahead && can_win(&after) { LOST } else { 0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::Variant;

    #[test]
    fn obvious_moves_are_found() {
        for (fen, best) in [
            ("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1", "Rd8#"),
            ("4k3/8/8/3q4/4P3/8/8/4K3 w - - 0 1", "exd5"),
            ("4k3/8/8/3r4/8/8/8/3QK3 w - - 0 1", "Qxd5"),
        ] {
            let position = AnyPosition::from_fen(Variant::NORMAL, fen).unwrap();
            let best = position.parse_move(best).ok();
            assert_eq!(static_best_move(&position.into(), &[], None), best, "{fen}");
            let other = static_best_move(&position.into(), best.as_slice(), None);
            assert!(other.is_some() && other != best, "{fen}");
        }
        let guarded = AnyPosition::from_fen(Variant::NORMAL, "4k3/4p3/3r4/8/8/8/8/3QK3 w - - 0 1").unwrap();
        assert_ne!(
            static_best_move(&guarded.into(), &[], None),
            guarded.parse_move("Qxd6").ok(),
            "a queen for a rook"
        );
        for (fen, tempting) in [
            ("4r1k1/5ppp/8/3b4/8/8/5PPP/3R2K1 w - - 0 1", "Rxd5"),
            ("rnbqkbnr/pppp1ppp/8/4p3/6P1/8/PPPPPP1P/RNBQKBNR w KQkq - 0 2", "f4"),
        ] {
            let position = AnyPosition::from_fen(Variant::NORMAL, fen).unwrap();
            assert!(allows_mate(&position.into(), position.parse_move(tempting).unwrap()), "{fen}");
            let found = static_best_move(&position.into(), &[], None).unwrap();
            assert!(!allows_mate(&position.into(), found), "{fen}: {}", position.san(found));
        }
        let lost = AnyPosition::from_fen(Variant::NORMAL, "7k/8/8/8/8/1r6/r7/6K1 w - - 0 1").unwrap();
        assert!(lost.legal_moves().iter().all(|&mv| allows_mate(&lost.into(), mv)));
        assert!(static_best_move(&lost.into(), &[], None).is_some(), "every move loses");
        let mated = AnyPosition::from_fen(Variant::NORMAL, "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1").unwrap();
        assert_eq!(static_best_move(&mated.into(), &[], None), None);
    }
}
