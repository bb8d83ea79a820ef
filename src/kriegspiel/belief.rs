//! A particle filter over the boards that agree with the umpire's announcements.
//!
//! A move of the other side replaces a board by the results of those legal moves that would have
//! been announced alike; equal boards are merged. While they are few the belief is complete and
//! contains the true board. Otherwise a sample is kept, and boards are made up
//! ([`super::conjecture`]) when an announcement contradicts nearly all of it. A belief depends only
//! on the view and the seed.

use super::conjecture::Conjecture;
use super::dice;
use crate::chess::kriegspiel::{Announcement, Attempt, Captured, Men, Ply, Start, View};
use crate::chess::{Move, Position, START_FEN, Standard};
use crate::random::SplitMix64;
use crate::search::NodeCounter;
use std::hash::{DefaultHasher, Hash, Hasher};

/// Maximum number of boards in a belief: at 160 bytes each, about 30 KiB.
pub(super) const MAX_BOARDS: usize = 192;
/// Number of boards below which an incomplete belief is replenished.
const FEW_BOARDS: usize = 24;
/// Maximum number of successors considered before a sample is taken.
const MAX_SUCCESSORS: usize = 3000;

/// A possible board.
#[derive(Clone, Copy, Debug)]
pub(super) struct Board {
    pub(super) position: Position<Standard>,
    /// Relative probability.
    pub(super) weight: f32,
}

/// The boards that a player considers possible after a number of plies.
#[derive(Clone, Debug)]
pub struct Belief {
    pub(super) boards: Vec<Board>,
    /// Whether the true board is certain to be among `boards`.
    pub(super) complete: bool,
    /// The player's own men.
    pub(super) men: Men,
    /// Number of men of the other side.
    pub(super) enemies: u8,
    /// The last announcement.
    pub(super) heard: Announcement,
    /// Number of plies taken into account.
    plies: usize,
    /// Hash of the seed, the start and these plies.
    origin: u64,
}

impl Belief {
    /// Returns the belief before the first move.
    pub(super) fn new(view: &View, seed: u64, counter: &mut NodeCounter<'_>) -> Belief {
        let (men, heard, origin) = (view.men.clone(), view.heard, origin_of(view, seed));
        let complete = view.start == Start::Array;
        let (boards, enemies) = match view.start {
            Start::Array => (start_board(), 16),
            Start::Hidden { enemies } => (Vec::new(), enemies),
        };
        let mut belief = Belief { boards, complete, men, enemies, heard, plies: 0, origin };
        belief.replenish(&[], None, seed, counter);
        belief
    }

    /// Returns true if the belief follows from the first plies of this view.
    pub(super) fn belongs_to(&self, view: &View, seed: u64) -> bool {
        let extend = |ply: &Ply, origin| hashed((ply, origin));
        self.plies <= view.plies.len()
            && view.plies[..self.plies].iter().fold(origin_of(view, seed), |origin, ply| extend(ply, origin))
                == self.origin
    }

    /// Takes new plies into account. Stops early, after a whole ply, if time is up.
    pub(super) fn advance(&mut self, view: &View, seed: u64, counter: &mut NodeCounter<'_>) {
        while self.plies < view.plies.len() && !counter.is_over() {
            self.learn(&view.plies[self.plies], seed, counter);
        }
    }

    /// Returns true if every ply of the view is taken into account.
    pub(super) fn is_up_to_date(&self, view: &View) -> bool {
        self.plies == view.plies.len()
    }

    fn learn(&mut self, ply: &Ply, seed: u64, counter: &mut NodeCounter<'_>) {
        let before = std::mem::take(&mut self.boards);
        let mut dice = dice(seed ^ self.origin);
        self.heard = ply.heard();
        ply.apply(&mut self.men);
        self.boards = match ply {
            Ply::Own { refused, made, heard } => {
                if heard.captured.is_some() {
                    self.enemies = self.enemies.saturating_sub(1);
                }
                before.iter().filter_map(|board| after_own(board, refused, *made, *heard)).collect()
            }
            Ply::Other { heard } => after_other(&before, *heard, &mut dice, counter),
        };
        merge(&mut self.boards);
        if self.boards.len() > MAX_BOARDS {
            self.boards = sample(&self.boards, MAX_BOARDS, &mut dice);
            self.complete = false;
        }
        self.plies += 1;
        self.origin = hashed((ply, self.origin));
        self.replenish(&before, ply.heard().captured, seed, counter);
        // A session keeps the belief, and the vector had capacity for thousands.
        self.boards.shrink_to_fit();
    }

    /// Makes up boards if few are left, unless they are complete.
    fn replenish(
        &mut self,
        before: &[Board],
        captured: Option<Captured>,
        seed: u64,
        counter: &mut NodeCounter<'_>,
    ) {
        let alone = self.enemies == 1;
        if self.complete && !self.boards.is_empty() || !alone && self.boards.len() >= FEW_BOARDS {
            return;
        }
        let survivors = self.boards.len();
        let conjecture = Conjecture { men: &self.men, enemies: self.enemies, heard: self.heard, captured };
        let mut made = if alone {
            conjecture.lone_kings()
        } else {
            let sources = if survivors > 0 { &self.boards } else { before };
            conjecture.boards(sources, MAX_BOARDS / 2, &mut dice(seed ^ self.origin ^ 1), counter)
        };
        // All squares of a lone king are covered, whatever the belief was.
        self.complete = alone;
        let likely = if survivors > 0 { 0.2 / made.len().max(1) as f32 } else { 1.0 };
        made.iter_mut().for_each(|board| board.weight = likely);
        normalize(&mut self.boards);
        self.boards.append(&mut made);
        merge(&mut self.boards);
    }

    /// Returns true if the other side has only its king.
    pub(super) fn is_of_lone_king(&self) -> bool {
        self.enemies == 1
    }

    /// Returns the boards on which each of these attempts would have been refused.
    pub(super) fn refusing(&self, refused: &[Attempt]) -> Vec<Board> {
        let refuses =
            |board: &&Board| refused.iter().all(|attempt| attempt.resolve(&board.position).is_none());
        self.boards.iter().filter(refuses).copied().collect()
    }
}

fn start_board() -> Vec<Board> {
    let position = Position::from_fen(Standard::KRIEGSPIEL, START_FEN);
    position.map(|position| Board { position, weight: 1.0 }).into_iter().collect()
}

fn hashed(what: impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    what.hash(&mut hasher);
    hasher.finish()
}

fn origin_of(view: &View, seed: u64) -> u64 {
    hashed((seed, view.start, &view.men, view.heard))
}

/// Returns the board after the player's own move; `None` if the board contradicts the refused
/// attempts, the legal one, or the announcement.
fn after_own(board: &Board, refused: &[Attempt], made: Attempt, heard: Announcement) -> Option<Board> {
    let position = &board.position;
    let mv = made.resolve(position)?;
    if refused.iter().any(|attempt| attempt.resolve(position).is_some()) {
        return None;
    }
    let after = played(position, mv);
    (Announcement::after(position, mv, &after) == heard)
        .then_some(Board { position: after, weight: board.weight })
}

/// Returns the boards after each move of the other side that would have been announced like this. A
/// board loses weight in proportion to the moves that would not.
fn after_other(
    before: &[Board],
    heard: Announcement,
    dice: &mut SplitMix64,
    counter: &mut NodeCounter<'_>,
) -> Vec<Board> {
    let most = (MAX_SUCCESSORS / before.len().max(1)).max(4);
    let mut boards = Vec::new();
    for Board { position, weight } in before {
        let moves = position.legal_moves();
        counter.count(moves.len() as u64);
        let matching = |&mv: &Move| {
            if Captured::by(position, mv) != heard.captured {
                return None;
            }
            let after = played(position, mv);
            (Announcement::after(position, mv, &after) == heard).then_some(after)
        };
        let mut after: Vec<Position<Standard>> = moves.iter().filter_map(matching).collect();
        let weight = weight * after.len() as f32 / moves.len().max(1) as f32;
        while after.len() > most {
            after.swap_remove(dice.below(after.len()));
        }
        let weight = weight / after.len().max(1) as f32;
        boards.extend(after.into_iter().map(|position| Board { position, weight }));
    }
    boards
}

pub(super) fn played(position: &Position<Standard>, mv: Move) -> Position<Standard> {
    let mut after = *position;
    after.play(mv);
    after
}

/// Merges equal boards and sorts them by key, for reproducible results.
fn merge(boards: &mut Vec<Board>) {
    boards.sort_by_key(|board| board.position.key());
    boards.dedup_by(|later, first| {
        let same = later.position.key() == first.position.key();
        if same {
            first.weight += later.weight;
        }
        same
    });
    normalize(boards);
}

/// Scales the weights to a sum of 1.
fn normalize(boards: &mut [Board]) {
    let total: f32 = boards.iter().map(|board| board.weight).sum();
    if total > 0.0 {
        boards.iter_mut().for_each(|board| board.weight /= total);
    }
}

/// Draws `count` boards in proportion to their weights. Boards drawn several times are returned
/// once, with a multiple of the weight.
fn sample(boards: &[Board], count: usize, dice: &mut SplitMix64) -> Vec<Board> {
    let step = 1.0 / count as f32;
    let mut next = dice.fraction() * step;
    let mut sum = 0.0;
    let mut taken = Vec::with_capacity(count);
    for board in boards {
        sum += board.weight;
        let mut times = 0;
        while next < sum && taken.len() < count {
            times += 1;
            next += step;
        }
        if times > 0 {
            taken.push(Board { weight: times as f32, ..*board });
        }
    }
    normalize(&mut taken);
    taken
}
