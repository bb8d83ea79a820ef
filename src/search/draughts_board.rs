//! English draughts as a [`Searchable`].

use super::evaluation::draughts::evaluate;
use super::searchable::{BestPlay, Searchable};
use crate::chess::{Color, Move, Outcome, Stage};
use crate::draughts::endgames::{Endgames, Value};
use crate::draughts::{self, DRAWN_PLIES, MoveList, Position};

/// Value of a captured man and king in centipawns.
const TAKEN: [i32; 2] = [100, 140];

/// Bonus for a win of unknown length in the endgame database, in centipawns.
const WON: i32 = 3000;

/// A position of draughts with the endgame database, if any.
#[derive(Clone, Copy)]
pub(super) struct DraughtsBoard<'a> {
    position: Position,
    endgames: Option<&'a Endgames>,
}

/// Returns a move of draughts as a word of the search.
pub fn move_word(mv: draughts::Move) -> Move {
    Move::from_bits(mv.bits()).expect("the bits of a move are not 0")
}

/// Returns the move of draughts of a word of the search.
pub fn draughts_move(word: Move) -> draughts::Move {
    draughts::Move::from_bits(word.bits()).expect("the bits of a move are not 0")
}

impl<'a> DraughtsBoard<'a> {
    pub(super) fn of(position: Position, endgames: Option<&'a Endgames>) -> DraughtsBoard<'a> {
        DraughtsBoard { position, endgames }
    }

    /// Probes the endgame database.
    #[inline]
    fn probe(&self) -> Option<Value> {
        self.endgames.and_then(|endgames| endgames.probe(&self.position))
    }

    fn is_king(&self, mv: draughts::Move) -> bool {
        self.position.kings().has(mv.from())
    }

    fn crowns(&self, mv: draughts::Move) -> bool {
        let crown_row = if self.position.turn() == Color::Black { 7 } else { 0 };
        mv.to().row() == crown_row && !self.is_king(mv)
    }
}

impl Searchable for DraughtsBoard<'_> {
    type Checks = ();
    const BUTTERFLY: usize = 2 * 32 * 32;
    const DRAWN_PLIES: u32 = DRAWN_PLIES;

    #[inline]
    fn turn(&self) -> Color {
        self.position.turn()
    }

    #[inline]
    fn key(&self) -> u64 {
        self.position.key()
    }

    #[inline]
    fn reversible_plies(&self) -> u32 {
        self.position.reversible_plies()
    }

    #[inline]
    fn in_check(&self) -> bool {
        false
    }

    #[inline]
    fn decided(&self) -> Option<Outcome> {
        None
    }

    #[inline]
    fn with_best_play(&self) -> Option<BestPlay> {
        let outcome = |winner, plies: Option<u8>| {
            plies.map(|plies| BestPlay { outcome: Outcome::Win(winner), plies: plies.into() })
        };
        match self.probe()? {
            Value::Win(plies) => outcome(self.turn(), plies),
            Value::Draw => Some(BestPlay { outcome: Outcome::Draw, plies: 0 }),
            Value::Loss(plies) => outcome(!self.turn(), plies),
        }
    }

    #[inline]
    fn survives_the_count(&self) -> bool {
        self.position.has_legal_move()
    }

    #[inline]
    fn outcome_without_moves(&self) -> Outcome {
        Outcome::Win(!self.position.turn())
    }

    #[inline]
    fn generate(&self, stage: Stage, moves: &mut Vec<Move>) {
        // Either all moves are jumps or none is.
        let must_jump = self.position.must_jump();
        let legal = match stage {
            Stage::Quiet if must_jump => return,
            _ => self.position.legal_moves(),
        };
        let wanted = |mv: &draughts::Move| match stage {
            Stage::All => true,
            Stage::Noisy => must_jump || self.crowns(*mv),
            Stage::Quiet => !self.crowns(*mv),
            Stage::Captures => must_jump,
        };
        moves.extend(legal.into_iter().filter(wanted).map(move_word));
    }

    fn has_legal_move(&self) -> bool {
        self.position.has_legal_move()
    }

    #[inline]
    fn is_legal(&self, mv: Move) -> bool {
        self.position.is_legal(draughts_move(mv))
    }

    #[inline]
    fn play(&mut self, mv: Move) {
        self.position = self.position.after(draughts_move(mv));
    }

    #[inline]
    fn pass(&mut self) {
        self.position.pass();
    }

    /// Never: zugzwang decides most endings.
    #[inline]
    fn can_pass(&self) -> bool {
        false
    }

    #[inline]
    fn may_stand_pat(&self) -> bool {
        !self.position.must_jump() && self.position.has_legal_move()
    }

    #[inline]
    fn has_only_capture(&self) -> bool {
        self.position.must_jump() && self.position.legal_moves().len() == 1
    }

    /// Half of that in chess: a move that wins no man changes the evaluation little.
    #[inline]
    fn margin(&self, in_chess: i32) -> i32 {
        in_chess / 2
    }

    #[inline]
    fn checks(&self) {}

    #[inline]
    fn gives_check(&self, _: Move, (): &()) -> bool {
        false
    }

    #[inline]
    fn is_capture(&self, mv: Move) -> bool {
        draughts_move(mv).is_jump()
    }

    #[inline]
    fn is_promotion(&self, mv: Move) -> bool {
        self.crowns(draughts_move(mv))
    }

    #[inline]
    fn is_underpromotion(&self, _: Move) -> bool {
        false
    }

    #[inline]
    fn gain(&self, mv: Move) -> i32 {
        let mv = draughts_move(mv);
        let taken = mv.jumped();
        let kings = (taken & self.position.kings()).count() as i32;
        let men = taken.count() as i32 - kings;
        let crown = if self.crowns(mv) { TAKEN[1] - TAKEN[0] } else { 0 };
        men * TAKEN[0] + kings * TAKEN[1] + crown
    }

    /// Always true: most wins begin with a sacrifice.
    #[inline]
    fn see_ge(&self, _: Move, _: i32) -> bool {
        true
    }

    #[inline]
    fn butterfly(&self, mv: Move) -> usize {
        let mv = draughts_move(mv);
        (self.turn().index() * 32 + mv.from().index()) * 32 + mv.to().index()
    }

    #[inline]
    fn piece_to(&self, mv: Move) -> usize {
        let mv = draughts_move(mv);
        let piece = 2 * self.turn().index() + usize::from(self.is_king(mv));
        piece * 64 + mv.to().index()
    }

    #[inline]
    fn victim(&self, mv: Move) -> usize {
        (draughts_move(mv).jumped().count() as usize).min(super::history::VICTIMS - 1)
    }

    #[inline]
    fn evaluate(&self) -> i32 {
        let looks = evaluate(&self.position);
        match self.probe() {
            None => looks,
            Some(Value::Win(_)) => WON + looks.clamp(-WON / 2, WON / 2),
            Some(Value::Draw) => 0,
            Some(Value::Loss(_)) => looks.clamp(-WON / 2, WON / 2) - WON,
        }
    }
}

/// Returns the best-looking move one ply deep that is not excluded: the one after which the
/// opponent, once it has captured what it must, has least. `None` if all moves are excluded.
pub(super) fn static_best_move(
    position: Position,
    excluded: &[Move],
    endgames: Option<&Endgames>,
) -> Option<Move> {
    let board = DraughtsBoard::of(position, endgames);
    let moves: MoveList = position.legal_moves();
    let allowed = moves.into_iter().map(move_word).filter(|mv| !excluded.contains(mv));
    allowed.max_by_key(|&mv| -board.after(mv).settle(3))
}

impl DraughtsBoard<'_> {
    /// Returns the value for the side on move after at most `jumps` further jumps. The endgame
    /// database takes precedence; shorter wins of known length are worth more.
    fn settle(&self, jumps: u32) -> i32 {
        let lost = -super::Score::MATE_BOUND.0;
        let with_best_play = match self.probe() {
            Some(Value::Win(Some(plies))) => Some(-lost - i32::from(plies)),
            Some(Value::Draw) => Some(0),
            Some(Value::Loss(Some(plies))) => Some(lost + i32::from(plies)),
            Some(Value::Win(None) | Value::Loss(None)) => Some(self.evaluate()),
            None => None,
        };
        if let Some(value) = with_best_play {
            return value;
        }
        if !self.position.has_legal_move() {
            return lost;
        }
        if jumps == 0 || !self.position.must_jump() {
            return self.evaluate();
        }
        let replies = self.position.legal_moves().into_iter().map(move_word);
        replies.map(|mv| -self.after(mv).settle(jumps - 1)).max().unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::draughts::endgames::solved;
    use crate::search::bench::OpenGate;
    use crate::search::{Limits, Request, Score, Table, search};

    fn position(fen: &str) -> Position {
        Position::from_fen(fen).unwrap()
    }

    /// Returns the best move in short notation, and its score.
    fn best(fen: &str, depth: u8) -> (String, Score) {
        let limits = Limits { depth: Some(depth), ..Limits::default() };
        let request = Request { limits, ..Request::of(position(fen)) };
        let done = search(&request, &Table::private(1).unwrap(), &mut OpenGate::new(), &mut |_| {});
        (format!("{:?}", draughts_move(done.best.unwrap())), done.score)
    }

    #[test]
    fn a_move_survives_as_a_word() {
        for mv in Position::start().legal_moves() {
            assert_eq!(draughts_move(move_word(mv)), mv);
        }
    }

    #[test]
    fn stages_cover_all_moves() {
        for fen in ["B:W18,24,27,28,K10,K15:B12,16,20,K22,K25,K29", "W:W9,K32:B22,23", "B:W10:B6,27"] {
            let board = DraughtsBoard::of(position(fen), None);
            let mut staged = Vec::new();
            board.generate(Stage::Noisy, &mut staged);
            board.generate(Stage::Quiet, &mut staged);
            let mut all: Vec<Move> = Searchable::legal_moves(&board);
            staged.sort_by_key(|mv| mv.bits());
            all.sort_by_key(|mv| mv.bits());
            assert_eq!(staged, all, "{fen}");
        }
    }

    #[test]
    fn a_shot_is_found() {
        let (mv, score) = best("W:W21,24,28,K31:B12,13,20,K22", 9);
        assert!(score.0 > 0, "{mv} {score:?}");
    }

    /// Two men are given for a jump over three, to the last row.
    #[test]
    fn sacrifices_are_found() {
        let (mv, score) = best("W:W20,21,23,27,28,29,31:B2,4,8,9,11,16,22", 9);
        assert!(mv == "31x26" && score.0 > 300, "{mv} {score:?}");
    }

    #[test]
    fn a_side_without_a_move_has_lost() {
        let (mv, score) = best("W:W10,K1:B5", 6);
        assert!(score.mate_distance().is_some_and(|moves| moves > 0), "{mv} {score:?}");
    }

    #[test]
    fn eighty_plies_without_progress_are_a_draw_and_a_lost_side_has_lost() {
        let score = |fen: &str, plies| {
            let mut position = position(fen);
            let there_and_back = ["1-6", "32-27", "6-1", "27-32"];
            for text in there_and_back.iter().cycle().take(plies) {
                position.play(position.parse_move(text).unwrap());
            }
            let limits = Limits { depth: Some(1), ..Limits::default() };
            let request = Request { limits, ..Request::of(position) };
            search(&request, &Table::private(1).unwrap(), &mut OpenGate::new(), &mut |_| {}).score
        };
        let fen = "B:WK32,K31:BK1";
        assert!(score(fen, 76).0 < -50);
        assert_eq!(score(fen, 79), Score::DRAW);
    }

    #[test]
    fn the_static_move_does_not_give_men_away() {
        let fen = "W:W22,23,30:B9,14,K2";
        let mv = static_best_move(position(fen), &[], None).unwrap();
        let board = DraughtsBoard::of(position(fen), None);
        let all: Vec<Move> = position(fen).legal_moves().into_iter().map(move_word).collect();
        let worst = all.iter().map(|&mv| -board.after(mv).settle(3)).min();
        assert!(-board.after(mv).settle(3) >= worst.unwrap());
        assert_eq!(static_best_move(position(fen), &all, None), None);
    }

    #[test]
    fn the_static_move_gives_no_known_result_away() {
        let endgames = solved();
        let of = |value| match value {
            Value::Win(_) => 1,
            Value::Draw => 0,
            Value::Loss(_) => -1,
        };
        let value = |position: &Position| of(endgames.probe(position).expect("a known position"));
        for (fen, expected) in [("W:WK4,K22:BK6,K19", 0), ("W:WK22,K23:BK1", 1), ("B:WK22,K23:BK1", -1)] {
            let position = position(fen);
            let best = value(&position);
            assert_eq!(best, expected, "{fen}");
            let mv = static_best_move(position, &[], Some(&endgames)).unwrap();
            assert_eq!(-value(&position.after(draughts_move(mv))), best, "{fen} {:?}", draughts_move(mv));
        }
    }

    #[test]
    fn the_static_move_wins_in_the_fewest_plies_known() {
        let endgames = solved();
        let mut position = position("W:WK22,K23:BK1");
        let plies = |position: &Position| match endgames.probe(position) {
            Some(Value::Win(Some(plies)) | Value::Loss(Some(plies))) => plies,
            other => panic!("{other:?}"),
        };
        while position.has_legal_move() {
            let before = plies(&position);
            let mv = static_best_move(position, &[], Some(&endgames)).unwrap();
            position.play(draughts_move(mv));
            if position.has_legal_move() {
                assert_eq!(plies(&position), before - 1);
            }
        }
    }
}
