//! Rules by which a game ends before the rules of the game end it: by the engines' scores, by
//! endings whose result is known, and by length.

use super::match_game::MatchGame;
use crate::chess::{Color, Outcome};
use crate::search::Score;
use std::str::FromStr;

/// The reason for which a game was ended early.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Reason {
    /// Both engines' scores were near 0 for long.
    EvenScores,
    /// The scores have shown a lost game for some moves.
    DecisiveScores,
    /// The result with best play is known.
    KnownEnding,
    /// The game was too long.
    Length,
}

/// Condition on which a game is drawn by the scores of both engines.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DrawRule {
    /// Moves of each side before it applies.
    after: u32,
    /// Moves of each side, one after another, with such scores.
    moves: u32,
    /// The greatest score of either sign, in centipawns.
    score: i32,
}

/// Condition on which a game is lost by the scores.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ResignRule {
    /// Moves of a side, one after another, with such scores.
    moves: u32,
    /// The least deficit, in centipawns.
    score: i32,
    /// Whether the loser's scores suffice.
    one_sided: bool,
}

/// The greatest number of moves in a rule.
const MOST_MOVES: u32 = 10_000;

fn number<T: FromStr + PartialOrd + From<u16>>(text: &str, most: T) -> Option<T> {
    text.trim().parse().ok().filter(|number| (T::from(0)..=most).contains(number))
}

impl FromStr for DrawRule {
    type Err = String;

    fn from_str(text: &str) -> Result<DrawRule, String> {
        let read = || {
            let mut words = text.split(',');
            let after = number(words.next()?, MOST_MOVES)?;
            let moves = number(words.next()?, MOST_MOVES).filter(|&moves| moves > 0)?;
            let score = number(words.next()?, Score::MATE_BOUND.0 - 1)?;
            words.next().is_none().then_some(DrawRule { after, moves, score })
        };
        read().ok_or_else(|| format!("{text:?} is not AFTER,MOVES,CENTIPAWNS such as 40,8,10"))
    }
}

impl FromStr for ResignRule {
    type Err = String;

    fn from_str(text: &str) -> Result<ResignRule, String> {
        let read = || {
            let mut words = text.split(',');
            let moves = number(words.next()?, MOST_MOVES).filter(|&moves| moves > 0)?;
            let score = number(words.next()?, Score::MATE_BOUND.0 - 1).filter(|&score| score > 0)?;
            let one_sided = match words.next().map(str::trim) {
                None => false,
                Some("one-sided") => true,
                Some(_) => return None,
            };
            words.next().is_none().then_some(ResignRule { moves, score, one_sided })
        };
        read().ok_or_else(|| format!("{text:?} is not MOVES,CENTIPAWNS[,one-sided] such as 4,600"))
    }
}

/// The rules of a match.
#[derive(Clone, Copy, Debug)]
pub(super) struct Adjudication {
    pub(super) draw: Option<DrawRule>,
    pub(super) resign: Option<ResignRule>,
    /// Whether endings whose result is known end a game.
    pub(super) known_endings: bool,
    /// Plies of the longest game.
    pub(super) max_plies: usize,
}

/// The rules, and the latest scores of a game.
#[derive(Debug)]
pub(super) struct Adjudicator {
    rules: Adjudication,
    /// Plies up to now with a score near 0.
    even: u32,
    /// Moves up to now with the score of a lost game, of White and of Black.
    losing: [u32; 2],
    /// The same for won games.
    winning: [u32; 2],
}

impl Adjudicator {
    pub(super) fn new(rules: Adjudication) -> Adjudicator {
        Adjudicator { rules, even: 0, losing: [0; 2], winning: [0; 2] }
    }

    /// Takes the score of a move from the view of the side that made it; `None` if the engine
    /// reports none, which no rule counts.
    pub(super) fn note(&mut self, side: Color, score: Option<Score>) {
        let count = |counter: &mut u32, counts: bool| *counter = if counts { *counter + 1 } else { 0 };
        let score = score.map(|score| score.0);
        let is_even = |rule: DrawRule| score.is_some_and(|score| score.abs() <= rule.score);
        count(&mut self.even, self.rules.draw.is_some_and(is_even));
        let worth = |sign: i32| {
            self.rules.resign.is_some_and(|rule| score.is_some_and(|score| sign * score >= rule.score))
        };
        let (wins, loses) = (worth(1), worth(-1));
        count(&mut self.winning[side.index()], wins);
        count(&mut self.losing[side.index()], loses);
    }

    /// The outcome of a game that the rules of the game have not ended, if one of these rules does.
    pub(super) fn verdict<G: MatchGame>(&self, game: &G) -> Option<(Outcome, Reason)> {
        if let Some(outcome) = self.rules.known_endings.then(|| game.known_outcome()).flatten() {
            return Some((outcome, Reason::KnownEnding));
        }
        if let Some(loser) = [Color::White, Color::Black].into_iter().find(|&side| self.has_lost(side)) {
            return Some((Outcome::Win(!loser), Reason::DecisiveScores));
        }
        let plies = game.plies();
        let is_even = |rule: DrawRule| self.even >= 2 * rule.moves && plies >= 2 * rule.after as usize;
        if self.rules.draw.is_some_and(is_even) {
            return Some((Outcome::Draw, Reason::EvenScores));
        }
        (plies >= self.rules.max_plies).then_some((Outcome::Draw, Reason::Length))
    }

    fn has_lost(&self, side: Color) -> bool {
        self.rules.resign.is_some_and(|rule| {
            let agreed = rule.one_sided || self.winning[(!side).index()] >= rule.moves;
            self.losing[side.index()] >= rule.moves && agreed
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::{Game, Variant};

    const NONE: Adjudication =
        Adjudication { draw: None, resign: None, known_endings: false, max_plies: 1000 };

    /// The verdict and the ply after which it falls, with these scores of White and Black by turns.
    fn verdict(rules: Adjudication, scores: &[Option<i32>]) -> Option<(Outcome, Reason, usize)> {
        let (mut game, mut adjudicator) = (Game::new(Variant::NORMAL), Adjudicator::new(rules));
        for (ply, score) in scores.iter().enumerate() {
            let side = game.position().turn();
            adjudicator.note(side, score.map(Score));
            let text = ["g1f3", "g8f6", "f3g1", "f6g8"][ply % 4];
            game.play(game.position().parse_move(text).unwrap());
            if let Some((outcome, reason)) = adjudicator.verdict(&game) {
                return Some((outcome, reason, ply + 1));
            }
        }
        None
    }

    fn same(score: i32) -> [Option<i32>; 20] {
        [Some(score); 20]
    }

    #[test]
    fn even_scores_of_both_engines_are_a_draw() {
        let rules = Adjudication { draw: Some("4,2,10".parse().unwrap()), ..NONE };
        assert_eq!(verdict(rules, &same(-10)), Some((Outcome::Draw, Reason::EvenScores, 8)));
        assert_eq!(verdict(rules, &same(11)), None);
        let one_sided = [Some(0), Some(50)].repeat(10);
        assert_eq!(verdict(rules, &one_sided), None);
        let silent = [Some(0), None].repeat(10);
        assert_eq!(verdict(rules, &silent), None);
        let late = [&[Some(0); 9][..2], &[Some(80)], &[Some(5); 9]].concat();
        assert_eq!(verdict(rules, &late), Some((Outcome::Draw, Reason::EvenScores, 8)));
        let later = [&[Some(0); 7][..], &[Some(80)], &[Some(5); 9]].concat();
        assert_eq!(verdict(rules, &later), Some((Outcome::Draw, Reason::EvenScores, 12)));
    }

    #[test]
    fn a_lost_game_needs_the_scores_of_both_engines_or_of_the_loser() {
        let both = Adjudication { resign: Some("3,600".parse().unwrap()), ..NONE };
        let one = Adjudication { resign: Some("3,600,one-sided".parse().unwrap()), ..NONE };
        let black_loses = [Some(700), Some(-650)].repeat(10);
        let lost = |winner, plies| Some((Outcome::Win(winner), Reason::DecisiveScores, plies));
        assert_eq!(verdict(both, &black_loses), lost(Color::White, 6));
        let mated = [Some(Score::mated_in(8).0), Some(Score::mate_in(7).0)].repeat(10);
        assert_eq!(verdict(both, &mated), lost(Color::Black, 6));
        let doubtful = [Some(300), Some(-650)].repeat(10);
        assert_eq!((verdict(both, &doubtful), verdict(one, &doubtful)), (None, lost(Color::White, 6)));
        let hopeful = [Some(-650), Some(-650), Some(-650), Some(-100)].repeat(5);
        assert_eq!(verdict(one, &hopeful), lost(Color::Black, 5));
        let silent = [Some(700), None].repeat(10);
        assert_eq!((verdict(both, &silent), verdict(one, &silent)), (None, None));
    }

    #[test]
    fn a_long_game_is_a_draw() {
        let rules = Adjudication { max_plies: 7, ..NONE };
        assert_eq!(verdict(rules, &same(900)), Some((Outcome::Draw, Reason::Length, 7)));
    }

    #[test]
    fn rules_are_numbers_in_order() {
        for wrong in ["", "40", "40,8", "40,8,10,1", "40,0,10", "a,8,10", "-1,8,10", "40,8,-1", "40,8,99999"]
        {
            assert!(wrong.parse::<DrawRule>().is_err(), "{wrong}");
        }
        for wrong in ["", "4", "0,600", "4,0", "4,600,two", "4,600,one-sided,1", "4,-600", "99999,600"] {
            assert!(wrong.parse::<ResignRule>().is_err(), "{wrong}");
        }
    }
}
