//! `info`: what a search has found so far.

use super::MoveWords;
use std::fmt;
use std::time::Duration;

/// One variation of a search. GUIs recognise a variation only if all of these fields are there.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Info {
    /// Plies of the iteration.
    pub depth: u32,
    /// Plies of the longest variation searched.
    pub selective_depth: u32,
    /// The rank among several variations, from 1.
    pub line: u32,
    /// The score from the point of view of the side to move.
    pub score: Score,
    /// Set if the score is a bound only.
    pub bound: Option<Bound>,
    /// The odds of win, draw and loss, if the client wants them.
    pub wdl: Option<Wdl>,
    /// Nodes searched.
    pub nodes: u64,
    /// Nodes per second.
    pub speed: u64,
    /// The part of the table that is in use, in permille, if known.
    pub table_usage: Option<u32>,
    /// Time since the search began.
    pub time: Duration,
    /// The principal variation; at least its first move.
    pub variation: MoveWords,
}

/// The value of a variation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Score {
    /// In hundredths of a pawn.
    Centipawns(i32),
    /// Moves, not plies, until the mate; negative if the side to move is mated, 0 if it is
    /// checkmated already.
    Mate(i32),
}

/// The direction of a bound.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Bound {
    /// The true score is at least this.
    Lower,
    /// The true score is at most this.
    Upper,
}

/// The odds of win, draw and loss for the side to move, in permille; 1000 in total.
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
    /// Its number among the first moves, from 1.
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
