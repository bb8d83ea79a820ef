//! A game in bytes: its start, its result, and for each ply the move and the score of the search
//! that chose it.
//!
//! A move is its rank among the legal moves, ordered by their bits: one byte, or two if there are
//! more than 256. A score is the difference from the last one, mostly one byte. Quiet positions
//! take about five bytes.

use super::quiet::is_quiet;
use super::{GameRules, varint};
use crate::chess::{AnyPosition, Color, Move, Outcome};
use crate::search::RootPosition;

/// Maximum number of plies.
pub(in crate::training) const MAX_PLIES: usize = 400;
/// Maximum number of bytes: at most two for a move and three for a score.
pub(super) const MAX_LEN: usize = 32 + MAX_PLIES * 5;
/// Number of legal moves that can be ranked in a byte.
const SHORT_LIST: usize = 256;

/// Reason for the end of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ended {
    /// By rule, or by the endgame database.
    ByRule,
    /// Both sides agreed that it was won, or drawn.
    Adjudicated,
    /// It was too long, and counts as drawn.
    TooLong,
}

const OUTCOMES: [Outcome; 3] = [Outcome::Draw, Outcome::Win(Color::White), Outcome::Win(Color::Black)];
const ENDS: [Ended; 3] = [Ended::ByRule, Ended::Adjudicated, Ended::TooLong];

/// The bytes are not a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Malformed;

/// Writes a game move by move.
pub(in crate::training) struct Recorder {
    start: u16,
    plies: u32,
    /// Plies before the first score.
    opening: u32,
    quiet: u32,
    /// White's last score.
    score: i32,
    body: Vec<u8>,
}

impl Recorder {
    /// A game from the start position with this number.
    pub(in crate::training) fn new(start: u16) -> Recorder {
        Recorder { start, plies: 0, opening: 0, quiet: 0, score: 0, body: Vec::new() }
    }

    /// Appends a move of the opening.
    pub(in crate::training) fn opening_move(&mut self, position: &RootPosition, mv: Move) {
        self.opening += 1;
        self.add_move(position, mv);
    }

    /// Appends a move chosen by a search, with its score from the view of the side on move.
    pub(in crate::training) fn searched_move(&mut self, position: &RootPosition, mv: Move, score: i16) {
        self.quiet += u32::from(is_quiet(position, mv, score));
        self.add_move(position, mv);
        let score = swap_view(position.turn(), score.into());
        varint::write(varint::fold(score - self.score), &mut self.body);
        self.score = score;
    }

    fn add_move(&mut self, position: &RootPosition, mv: Move) {
        let moves = position.legal_moves();
        let rank = moves.iter().filter(|other| other.bits() < mv.bits()).count();
        let bytes = (rank as u16).to_le_bytes();
        self.body.extend(&bytes[..if moves.len() > SHORT_LIST { 2 } else { 1 }]);
        self.plies += 1;
    }

    /// Returns the bytes of a game with this end.
    pub(in crate::training) fn finish(self, outcome: Outcome, ended: Ended) -> Recorded {
        let place = |known: Option<usize>| known.expect("all are listed") as u32;
        let outcome = place(OUTCOMES.iter().position(|&known| known == outcome));
        let ended = place(ENDS.iter().position(|&known| known == ended));
        let mut bytes = Vec::with_capacity(self.body.len() + 8);
        for number in [self.start.into(), ended << 2 | outcome, self.quiet, self.plies, self.opening] {
            varint::write(number, &mut bytes);
        }
        bytes.extend(self.body);
        Recorded { bytes, quiet: self.quiet }
    }
}

/// A recorded game.
pub(in crate::training) struct Recorded {
    pub(super) bytes: Vec<u8>,
    /// Number of quiet positions.
    pub(super) quiet: u32,
}

/// The part of a game that is known without replaying it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Summary {
    pub start: u16,
    pub outcome: Outcome,
    pub ended: Ended,
    /// Number of quiet positions.
    pub quiet: u32,
    pub plies: u32,
    /// Number of leading plies without a search.
    pub opening: u32,
}

impl Summary {
    /// Takes the summary off the front of a game's bytes.
    pub(super) fn read(rules: GameRules, bytes: &mut &[u8]) -> Result<Summary, Malformed> {
        let mut number = || varint::read(bytes).ok_or(Malformed);
        let start = u16::try_from(number()?).ok().filter(|&start| start < rules.starts());
        let end = number()? as usize;
        let (quiet, plies, opening) = (number()?, number()?, number()?);
        let summary = Summary {
            start: start.ok_or(Malformed)?,
            outcome: *OUTCOMES.get(end & 3).ok_or(Malformed)?,
            ended: *ENDS.get(end >> 2).ok_or(Malformed)?,
            quiet,
            plies,
            opening,
        };
        let fits = quiet <= plies && opening <= plies && plies as usize <= MAX_PLIES;
        if fits { Ok(summary) } else { Err(Malformed) }
    }
}

/// A ply of a game.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ply {
    /// The position before the move.
    pub position: RootPosition,
    pub mv: Move,
    /// Score of the search from the view of the side on move; `None` in the opening.
    pub score: Option<i16>,
}

impl Ply {
    /// Returns the score of a quiet position.
    pub(super) fn quiet_score(&self) -> Option<i16> {
        self.score.filter(|&score| is_quiet(&self.position, self.mv, score))
    }
}

/// The plies of a game.
pub(super) struct Replay<'a> {
    position: RootPosition,
    /// White's last score.
    score: i32,
    ply: u32,
    summary: Summary,
    bytes: &'a [u8],
}

impl<'a> Replay<'a> {
    /// Begins to replay a game.
    pub(super) fn new(rules: GameRules, mut bytes: &'a [u8]) -> Result<Replay<'a>, Malformed> {
        let summary = Summary::read(rules, &mut bytes)?;
        Ok(Replay { position: rules.start(summary.start), score: 0, ply: 0, summary, bytes })
    }

    /// Returns what was known before the first ply.
    pub(super) fn summary(&self) -> &Summary {
        &self.summary
    }

    fn read(&mut self) -> Option<Ply> {
        if is_over(&self.position) {
            return None;
        }
        let mut moves = self.position.legal_moves();
        let wide = moves.len() > SHORT_LIST;
        let (rank, rest) = self.bytes.split_at_checked(1 + usize::from(wide))?;
        let rank = rank.iter().rev().fold(0, |rank, &byte| rank << 8 | usize::from(byte));
        self.bytes = rest;
        if rank >= moves.len() {
            return None;
        }
        let (_, &mut mv, _) = moves.select_nth_unstable_by_key(rank, |mv| mv.bits());
        let score = if self.ply < self.summary.opening { None } else { Some(self.read_score()?) };
        let ply = Ply { position: self.position, mv, score };
        self.position.play(mv);
        self.ply += 1;
        Some(ply)
    }

    fn read_score(&mut self) -> Option<i16> {
        let difference = varint::unfold(varint::read(&mut self.bytes)?);
        self.score = self.score.checked_add(difference)?;
        i16::try_from(swap_view(self.position.turn(), self.score)).ok()
    }
}

impl Iterator for Replay<'_> {
    type Item = Result<Ply, Malformed>;

    /// Fails after the last ply if bytes are left.
    fn next(&mut self) -> Option<Result<Ply, Malformed>> {
        if self.ply == self.summary.plies && self.bytes.is_empty() {
            return None;
        }
        let ply = if self.ply < self.summary.plies { self.read() } else { None };
        if ply.is_none() {
            (self.ply, self.bytes) = (self.summary.plies, &[]);
        }
        Some(ply.ok_or(Malformed))
    }
}

/// Returns true if a game ended by rule although a side may still have moves, which would lead to
/// impossible positions.
pub(super) fn is_over(position: &RootPosition) -> bool {
    match position {
        RootPosition::Chess(position @ AnyPosition::Fairy(_)) => position.outcome().is_some(),
        RootPosition::Chess(AnyPosition::Standard(_)) | RootPosition::Draughts(_) => false,
    }
}

/// Converts a score between the views of White and of the side on move.
fn swap_view(turn: Color, score: i32) -> i32 {
    if turn == Color::White { score } else { -score }
}
