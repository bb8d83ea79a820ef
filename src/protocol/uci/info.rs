//! `info`: what a search has found so far.

use super::MoveWords;
use std::fmt;
use std::time::Duration;

/// One variation of a search. GUIs take a line for a variation only if it has all of these.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Info {
    /// Plies of the iteration.
    pub depth: u32,
    /// Plies of the longest variation searched.
    pub selective_depth: u32,
    /// Its place among several variations, from 1.
    pub line: u32,
    /// From the view of the side on move.
    pub score: Score,
    /// Set if the score is only a bound.
    pub bound: Option<Bound>,
    /// How the game may end, if the client wants to know.
    pub wdl: Option<Wdl>,
    /// Nodes searched.
    pub nodes: u64,
    /// Nodes per second.
    pub speed: u64,
    /// How much of the table is in use, in permille, if it is known.
    pub table_usage: Option<u32>,
    /// Since the search began.
    pub time: Duration,
    /// The principal variation; at least its first move.
    pub variation: MoveWords,
}

/// The value of a variation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Score {
    /// In hundredths of a pawn.
    Centipawns(i32),
    /// Moves, not plies, until the mate; negative if the side on move is mated, 0 if it is.
    Mate(i32),
}

/// On which side of a score the truth is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Bound {
    /// The truth is at least the score.
    Lower,
    /// The truth is at most the score.
    Upper,
}

/// How likely a win, a draw and a loss of the side on move are, in permille. Together 1000.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Wdl {
    /// Win.
    pub win: u32,
    /// Draw.
    pub draw: u32,
    /// Loss.
    pub loss: u32,
}

/// `info … currmove`: the first move that is being searched.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CurrentMove {
    /// Plies of the iteration.
    pub depth: u32,
    /// The move.
    pub mv: String,
    /// Its place among the first moves, from 1.
    pub number: u32,
}

impl fmt::Display for Info {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Info { depth, selective_depth, line, score, .. } = self;
        write!(f, "info depth {depth} seldepth {selective_depth} multipv {line} score {score}")?;
        match self.bound {
            None => {}
            Some(Bound::Lower) => f.write_str(" lowerbound")?,
            Some(Bound::Upper) => f.write_str(" upperbound")?,
        }
        self.wdl.iter().try_for_each(|wdl| write!(f, " wdl {} {} {}", wdl.win, wdl.draw, wdl.loss))?;
        write!(f, " nodes {} nps {}", self.nodes, self.speed)?;
        self.table_usage.iter().try_for_each(|permille| write!(f, " hashfull {permille}"))?;
        write!(f, " time {}", self.time.as_millis())?;
        if self.variation.is_empty() { Ok(()) } else { write!(f, " pv {}", self.variation) }
    }
}

impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Score::Centipawns(score) => write!(f, "cp {score}"),
            Score::Mate(moves) => write!(f, "mate {moves}"),
        }
    }
}
