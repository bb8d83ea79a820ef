//! Outcomes by rules that standard chess does not have.

use crate::chess::generate::Stage;
use crate::chess::{Bitboard, Color, Goal, Move, NoMoves, Outcome, Position, Role, Royal, Ruleset, attacks};
use std::cmp::Ordering;

/// d4, e4, d5 and e5.
const CENTER: Bitboard = Bitboard(0x0000_0018_1800_0000);

impl Goal {
    /// Returns the squares on which a king wins.
    #[inline]
    fn squares(self) -> Bitboard {
        match self {
            Goal::None => Bitboard::EMPTY,
            Goal::Center => CENTER,
            Goal::LastRank => Bitboard::rank(7),
        }
    }
}

impl<R: Ruleset> Position<R> {
    /// Returns the outcome by rules of the variant, although there may be legal moves.
    #[inline]
    pub(crate) fn fairy_outcome(&self) -> Option<Outcome> {
        let fairy = self.fairy()?;
        let rules = fairy.rules();
        if rules.checks_to_win > 0 {
            let has_won = |&color: &Color| fairy.checks(color) >= rules.checks_to_win;
            return Color::ALL.into_iter().find(has_won).map(Outcome::Win);
        }
        if rules.explodes {
            let has_lost = |&color: &Color| self.pieces(color, Role::King).is_empty();
            return Color::ALL.into_iter().find(has_lost).map(|loser| Outcome::Win(!loser));
        }
        if rules.bare_king_wins {
            // Only a capture bares a king, so if both kings are bare, the side on move was first.
            let is_bare = |&color: &Color| !self.color(color).many();
            return [self.turn(), !self.turn()].into_iter().find(is_bare).map(Outcome::Win);
        }
        if rules.royal == Royal::Nothing && rules.must_capture {
            // In a game the side on move has lost its last piece; in a set-up position it may be
            // the other one.
            let has_nothing = |&color: &Color| self.color(color).is_empty();
            if let Some(side) = [self.turn(), !self.turn()].into_iter().find(has_nothing) {
                return Some(self.outcome_of_blocked(side));
            }
        }
        if rules.white_horde && self.color(Color::White).is_empty() {
            return Some(Outcome::Win(Color::Black));
        }
        match rules.goal {
            Goal::None => None,
            Goal::Center => {
                let has_won = |&color: &Color| (self.pieces(color, Role::King) & CENTER).any();
                Color::ALL.into_iter().find(has_won).map(Outcome::Win)
            }
            Goal::LastRank => self.race_outcome(),
        }
    }

    /// Returns true if a move brings a king to or next to its goal.
    #[inline]
    pub(crate) fn approaches_goal(&self, mv: Move) -> bool {
        let Some(goal) = self.fairy().map(|fairy| fairy.rules().goal).filter(|&goal| goal != Goal::None)
        else {
            return false;
        };
        let near = attacks::king(mv.to()) | Bitboard::of(mv.to());
        (near & goal.squares()).any() && self.role_at(mv.from()) == Some(Role::King)
    }

    /// Returns true if the other side had a [winning move](Position::winning_move) if the side on
    /// move, which is not in check, could pass.
    pub(crate) fn loses_by_passing(&self) -> bool {
        let Some(fairy) = self.fairy() else { return false };
        let (rules, them) = (fairy.rules(), !self.turn());
        let last_check = rules.checks_to_win > 0 && fairy.checks(them) + 1 >= rules.checks_to_win;
        let near_goal = || {
            let king = self.king(them).filter(|_| rules.goal != Goal::None);
            king.is_some_and(|king| (attacks::king(king) & rules.goal.squares()).any())
        };
        if !last_check && !near_goal() {
            return false;
        }
        let mut passed = *self;
        passed.pass();
        passed.winning_move().is_some()
    }

    /// Returns a legal move that wins at once by the last check or a king's step to its goal. Other
    /// such wins, as by an explosion, are not searched for.
    pub(crate) fn winning_move(&self) -> Option<Move> {
        let fairy = self.fairy()?;
        let (rules, us) = (fairy.rules(), self.turn());
        if rules.checks_to_win > 0 {
            if fairy.checks(us) + 1 < rules.checks_to_win {
                return None;
            }
            let checks = self.checks();
            return self.legal_moves().iter().copied().find(|&mv| self.gives_check(mv, &checks));
        }
        if rules.goal == Goal::None {
            return None;
        }
        let king = self.king(us)?;
        let steps = attacks::king(king) & rules.goal.squares() & !self.color(us);
        let wins = |mv: &Move| {
            let mut after = *self;
            after.play(*mv);
            after.fairy_outcome() == Some(Outcome::Win(us))
        };
        steps.into_iter().map(|to| Move::normal(king, to)).find(|mv| self.is_legal(*mv) && wins(mv))
    }

    /// Returns the outcome of a king race. White moves first, so Black may draw level with its next
    /// move.
    fn race_outcome(&self) -> Option<Outcome> {
        let has_arrived = |color| (self.pieces(color, Role::King) & Bitboard::rank(7)).any();
        match (has_arrived(Color::White), has_arrived(Color::Black)) {
            (false, false) => None,
            (false, true) => Some(Outcome::Win(Color::Black)),
            (true, true) => Some(Outcome::Draw),
            (true, false) if self.turn() == Color::Black && self.can_arrive() => None,
            (true, false) => Some(Outcome::Win(Color::White)),
        }
    }

    /// Returns a draw if White has arrived first in a race and Black can draw level.
    pub(crate) fn level_race(&self) -> Option<Outcome> {
        let race = self.fairy().is_some_and(|fairy| fairy.rules().goal == Goal::LastRank);
        let arrived = || (self.pieces(Color::White, Role::King) & Bitboard::rank(7)).any();
        (race && arrived() && self.fairy_outcome().is_none()).then_some(Outcome::Draw)
    }

    /// Returns true if the king of the side on move has a legal move to the last rank.
    fn can_arrive(&self) -> bool {
        let Some((fairy, king)) = self.fairy().zip(self.king(self.turn())) else { return false };
        let mut targets = attacks::king(king) & Bitboard::rank(7) & self.targets(Stage::All);
        targets.find(|&to| self.is_safe(fairy, Move::normal(king, to))).is_some()
    }

    /// Returns what having no legal move means.
    #[inline]
    pub fn no_moves(&self) -> NoMoves {
        self.fairy().map_or(NoMoves::MateOrDraw, |fairy| fairy.rules().no_moves)
    }

    /// Returns the outcome when the side on move has no legal move.
    #[inline]
    pub(crate) fn outcome_without_moves(&self) -> Outcome {
        self.outcome_of_blocked(self.turn())
    }

    /// Returns the outcome when `us` has no legal move. Only for the side on move is it known
    /// whether it waits or is mated.
    #[inline]
    fn outcome_of_blocked(&self, us: Color) -> Outcome {
        let them = !us;
        match self.no_moves() {
            NoMoves::MateOrWait if self.may_wait() => Outcome::Draw,
            NoMoves::MateOrDraw | NoMoves::MateOrWait if self.in_check() => Outcome::Win(them),
            NoMoves::MateOrDraw | NoMoves::MateOrWait => Outcome::Draw,
            NoMoves::Wins => Outcome::Win(us),
            NoMoves::Loses => Outcome::Win(them),
            NoMoves::FewerPiecesWin => match self.color(us).count().cmp(&self.color(them).count()) {
                Ordering::Less => Outcome::Win(us),
                Ordering::Equal => Outcome::Draw,
                Ordering::Greater => Outcome::Win(them),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::chess::{AnyPosition, Color, Ending, Outcome, Variant};

    #[test]
    fn a_side_without_pieces_has_won() {
        for name in ["suicide", "giveaway"] {
            let variant = Variant::from_name(name).unwrap();
            for (board, winner) in [("8/8/8/8/8/8/8/n7", Color::White), ("N7/8/8/8/8/8/8/8", Color::Black)] {
                for turn in ["w", "b"] {
                    let fen = format!("{board} {turn} - - 0 1");
                    let position = AnyPosition::from_fen(variant, &fen).unwrap();
                    let decided = Some((Outcome::Win(winner), Ending::VariantRule));
                    assert_eq!(position.outcome(), decided, "{name}: {fen}");
                    assert!(!position.has_legal_move(), "{name}: {fen}");
                }
            }
        }
    }
}
