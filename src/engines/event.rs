//! The meaning of an engine's lines, whatever its protocol.

use super::Account;
use crate::search::{Bound, Score};

/// The meaning of a line. Moves are not checked.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum EngineEvent<'a> {
    /// The engine has announced its name and options: `uciok`, or the last `feature`.
    Introduced,
    /// The engine has executed all commands up to the last ping.
    Ready,
    /// A principal variation.
    Thinking(Thinking<'a>),
    /// The first move that is being searched.
    CurrentMove {
        /// Plies of the iteration.
        depth: u8,
        /// The move.
        mv: &'a str,
        /// Its number, from 1.
        number: u16,
    },
    /// Nodes of the analysis so far, as requested by xboard's `.`.
    Nodes(u64),
    /// Statistics of a move, which Farboard sends before the move.
    Account(Account),
    /// The engine's move, or the end of an analysis.
    BestMove {
        /// The move, if there is one.
        best: Option<&'a str>,
        /// The expected reply.
        ponder: Option<&'a str>,
    },
    /// The engine resigns.
    Resigned,
    /// A claimed result.
    Result(&'a str),
    /// The engine reports an error, or refuses a command or move.
    Error(&'a str),
    /// `info string`: text for people.
    Remark(&'a str),
    /// Anything else.
    Other,
}

/// A principal variation as an engine reports it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Thinking<'a> {
    /// Plies.
    pub depth: u8,
    /// Plies of the longest line.
    pub selective_depth: u8,
    /// The number of the variation, from 1.
    pub line: u8,
    /// From the view of the side to move.
    pub score: Score,
    /// Whether the score is exact.
    pub bound: Bound,
    /// Nodes of this search so far.
    pub nodes: u64,
    /// The moves, separated by blanks. More text may follow in xboard's protocol.
    pub pv: &'a str,
}

/// The score for an evaluation in centipawns, kept below the scores of mates.
pub(super) fn centipawns(score: i64) -> Score {
    let most = i64::from(Score::MATE_BOUND.0 - 1);
    Score(score.clamp(-most, most) as i32)
}

/// The score of a mate in a number of moves; negative, or 0, if the side to move is mated.
pub(super) fn mate(moves: i64) -> Score {
    let plies = |moves: i64| (2 * moves.unsigned_abs() as usize).min(crate::search::MAX_PLY);
    if moves > 0 { Score::mate_in(plies(moves) - 1) } else { Score::mated_in(plies(moves)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mates_are_counted_in_moves() {
        for moves in [-30, -2, -1, 1, 2, 30] {
            assert_eq!(mate(moves).mate_distance(), Some(moves as i32));
        }
        assert_eq!(mate(0), Score::mated_in(0));
        assert!(mate(i64::MAX / 4).mate_distance().is_some() && mate(-1000).mate_distance().is_some());
        assert_eq!(centipawns(99_999).mate_distance(), None);
        assert_eq!(centipawns(-31), Score(-31));
    }
}
