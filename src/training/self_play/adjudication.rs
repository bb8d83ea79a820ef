//! Ends games whose result is clear, so that no nodes are spent on positions that teach nothing.

use crate::chess::{Color, Outcome};

/// Score in centipawns from which a game counts as won if both sides agree.
const WON: i32 = 1000;
const LOST: i32 = -WON;
/// Number of plies for which they must agree.
const WON_PLIES: u32 = 6;
/// Maximum absolute score of a drawn game in centipawns.
const LEVEL: i32 = 10;
/// Number of plies for which the score must be that small.
const LEVEL_PLIES: u32 = 10;
/// Number of plies before which no draw is declared.
const NO_DRAW_BEFORE: usize = 80;

/// The scores of the last plies of a game.
#[derive(Default)]
pub(super) struct Adjudicator {
    /// The side that has been winning, and for how many plies.
    winning: Option<(Color, u32)>,
    /// Number of plies for which the game has been level.
    level: u32,
}

impl Adjudicator {
    /// Takes the score of a search after `plies` plies, from the view of the side on move. Returns
    /// the outcome once it is clear.
    pub(super) fn note(&mut self, plies: usize, turn: Color, score: i32) -> Option<Outcome> {
        self.level = if score.abs() <= LEVEL { self.level + 1 } else { 0 };
        let leader = match score {
            WON.. => Some(turn),
            ..=LOST => Some(!turn),
            _ => None,
        };
        let before = self.winning.filter(|&(side, _)| Some(side) == leader).map_or(0, |(_, plies)| plies);
        self.winning = leader.map(|side| (side, before + 1));
        match self.winning {
            Some((side, WON_PLIES..)) => Some(Outcome::Win(side)),
            _ if self.level >= LEVEL_PLIES && plies >= NO_DRAW_BEFORE => Some(Outcome::Draw),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Color::{Black, White};

    /// The outcome of a game with these scores from White's view, and the number of plies to it.
    fn judged(scores: impl IntoIterator<Item = i32>) -> Option<(Outcome, usize)> {
        let mut adjudicator = Adjudicator::default();
        scores.into_iter().enumerate().find_map(|(plies, score)| {
            let (turn, score) = if plies % 2 == 0 { (White, score) } else { (Black, -score) };
            Some((adjudicator.note(plies, turn, score)?, plies))
        })
    }

    #[test]
    fn both_sides_must_agree_on_a_win() {
        assert_eq!(judged([0, 0].into_iter().chain([1200; 9])), Some((Outcome::Win(White), 7)));
        assert_eq!(judged([-31_000; 9]), Some((Outcome::Win(Black), 5)));
        // Each side thinks that it is winning, or only one does.
        assert_eq!(judged([1200, -1200].repeat(20)), None);
        assert_eq!(judged([1200, 900].repeat(20)), None);
        assert_eq!(judged([1200, 1200, 1200, 1200, 1200, 999].repeat(20)), None);
    }

    #[test]
    fn draws_are_declared_late() {
        assert_eq!(judged([5; 200]), Some((Outcome::Draw, NO_DRAW_BEFORE)));
        assert_eq!(judged([-10, 10].repeat(100)), Some((Outcome::Draw, NO_DRAW_BEFORE)));
        assert_eq!(judged([5, 5, 5, 11].repeat(50)), None);
    }
}
