//! What a player believes: boards on which everything would have sounded as it did.
//!
//! A belief is a particle filter. Each board stands for what may be true, with a weight. A move of the other side replaces
//! a board by those that its legal moves lead to and that sound right; equal boards are one. While there are few enough of
//! them the belief is complete: one of its boards is the true one. Of more a sample is kept, and when what happens
//! contradicts nearly all of it, further boards are made up that agree with what is known now ([`super::conjecture`]).
//!
//! It is a fold over the log: a belief that was kept and one that is computed anew are the same.

use super::conjecture::Conjecture;
use super::dice::Dice;
use super::pace::Pace;
use crate::chess::kriegspiel::{Announcement, Attempt, Captured, Men, Ply, Start, View};
use crate::chess::{Move, Position, START_FEN, Standard};
use std::hash::{DefaultHasher, Hash, Hasher};

/// How many boards a belief holds at most: with 160 bytes each some 30 KiB.
pub(super) const MAX_BOARDS: usize = 192;
/// With fewer boards than that, a belief that is not complete gets further ones.
const FEW_BOARDS: usize = 24;
/// The most successors of a belief that are looked at before a sample is taken.
const MAX_SUCCESSORS: usize = 3000;

/// A board that may be the true one.
#[derive(Clone, Copy, Debug)]
pub(super) struct Board {
    pub(super) position: Position<Standard>,
    /// How likely it is, relative to the others.
    pub(super) weight: f32,
}

/// What a player believes after a number of plies.
#[derive(Clone, Debug)]
pub struct Belief {
    pub(super) boards: Vec<Board>,
    /// Whether the true board is surely among them.
    complete: bool,
    /// The player's own men.
    pub(super) men: Men,
    /// Men of the other side.
    pub(super) enemies: u8,
    /// What was heard last.
    pub(super) heard: Announcement,
    /// Plies that it takes account of.
    plies: usize,
    /// What it was made from: the seed, the start and those plies.
    origin: u64,
}

impl Belief {
    /// What is believed before the first move.
    pub(super) fn new(view: &View, seed: u64, pace: &mut Pace<'_>) -> Belief {
        let (men, heard, origin) = (view.men.clone(), view.heard, origin_of(view, seed));
        let complete = view.start == Start::Array;
        let (boards, enemies) = match view.start {
            Start::Array => (start_board(), 16),
            Start::Hidden { enemies } => (Vec::new(), enemies),
        };
        let mut belief = Belief { boards, complete, men, enemies, heard, plies: 0, origin };
        belief.replenish(&[], None, seed, pace);
        belief
    }

    /// Whether it is what the first plies of this view lead to.
    pub(super) fn belongs_to(&self, view: &View, seed: u64) -> bool {
        let told = |ply: &Ply, origin| hashed((ply, origin));
        self.plies <= view.plies.len()
            && view.plies[..self.plies].iter().fold(origin_of(view, seed), |origin, ply| told(ply, origin))
                == self.origin
    }

    /// Takes account of what has happened since. Stops early, at a ply's end, if time is up.
    pub(super) fn advance(&mut self, view: &View, seed: u64, pace: &mut Pace<'_>) {
        while self.plies < view.plies.len() && !pace.is_over() {
            self.learn(&view.plies[self.plies], seed, pace);
        }
    }

    /// Whether it takes account of everything in the view.
    pub(super) fn is_up_to_date(&self, view: &View) -> bool {
        self.plies == view.plies.len()
    }

    fn learn(&mut self, ply: &Ply, seed: u64, pace: &mut Pace<'_>) {
        let before = std::mem::take(&mut self.boards);
        let mut dice = Dice::new(seed ^ self.origin);
        self.heard = ply.heard();
        ply.apply(&mut self.men);
        self.boards = match ply {
            Ply::Own { refused, made, heard } => {
                if heard.captured.is_some() {
                    self.enemies = self.enemies.saturating_sub(1);
                }
                before.iter().filter_map(|board| after_own(board, refused, *made, *heard)).collect()
            }
            Ply::Other { heard } => after_other(&before, *heard, &mut dice, pace),
        };
        merge(&mut self.boards);
        if self.boards.len() > MAX_BOARDS {
            self.boards = sample(&self.boards, MAX_BOARDS, &mut dice);
            self.complete = false;
        }
        self.plies += 1;
        self.origin = hashed((ply, self.origin));
        self.replenish(&before, ply.heard().captured, seed, pace);
        // A session keeps it, and there was room for thousands.
        self.boards.shrink_to_fit();
    }

    /// Makes up boards if there are few, unless those are sure.
    fn replenish(&mut self, before: &[Board], captured: Option<Captured>, seed: u64, pace: &mut Pace<'_>) {
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
            conjecture.boards(sources, MAX_BOARDS / 2, &mut Dice::new(seed ^ self.origin ^ 1), pace)
        };
        // A lone king stands on one of these squares, whatever was believed.
        self.complete = alone;
        let likely = if survivors > 0 { 0.2 / made.len().max(1) as f32 } else { 1.0 };
        made.iter_mut().for_each(|board| board.weight = likely);
        normalize(&mut self.boards);
        self.boards.append(&mut made);
        merge(&mut self.boards);
    }

    /// Whether the other side has nothing but its king.
    pub(super) fn is_of_lone_king(&self) -> bool {
        self.enemies == 1
    }

    /// The boards on which all of these would have been refused; all boards if there are none.
    pub(super) fn refusing(&self, refused: &[Attempt]) -> Vec<Board> {
        let refuses =
            |board: &&Board| refused.iter().all(|attempt| attempt.resolve(&board.position).is_none());
        self.boards.iter().filter(refuses).copied().collect()
    }

    /// Whether one of its boards is this one, but for counters.
    #[cfg(test)]
    pub(super) fn holds(&self, position: &Position<Standard>) -> bool {
        self.boards.iter().any(|board| board.position.key() == position.key())
    }

    /// Whether the true board is surely among its boards.
    #[cfg(test)]
    pub(super) fn is_complete(&self) -> bool {
        self.complete
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

/// The board after a move of the player's own; `None` if the attempts would not have been refused, the move would not have
/// been legal, or something else would have been heard.
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

/// The boards that moves of the other side lead to, if those would have been heard like this. A board is the less likely
/// the fewer of its moves sound right.
fn after_other(before: &[Board], heard: Announcement, dice: &mut Dice, pace: &mut Pace<'_>) -> Vec<Board> {
    let most = (MAX_SUCCESSORS / before.len().max(1)).max(4);
    let mut boards = Vec::new();
    for Board { position, weight } in before {
        let moves = position.legal_moves();
        pace.count(moves.len() as u64);
        let sounds_right = |&mv: &Move| {
            if Captured::by(position, mv) != heard.captured {
                return None;
            }
            let after = played(position, mv);
            (Announcement::after(position, mv, &after) == heard).then_some(after)
        };
        let mut right: Vec<Position<Standard>> = moves.iter().filter_map(sounds_right).collect();
        let weight = weight * right.len() as f32 / moves.len().max(1) as f32;
        while right.len() > most {
            right.swap_remove(dice.below(right.len()));
        }
        let weight = weight / right.len().max(1) as f32;
        boards.extend(right.into_iter().map(|position| Board { position, weight }));
    }
    boards
}

pub(super) fn played(position: &Position<Standard>, mv: Move) -> Position<Standard> {
    let mut after = *position;
    after.play(mv);
    after
}

/// Makes equal boards one, and puts all into an order that depends on nothing else.
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

/// Makes the weights add up to 1.
fn normalize(boards: &mut [Board]) {
    let total: f32 = boards.iter().map(|board| board.weight).sum();
    if total > 0.0 {
        boards.iter_mut().for_each(|board| board.weight /= total);
    }
}

/// `count` boards out of more, the likelier ones rather; a board that is taken several times is so much the likelier.
fn sample(boards: &[Board], count: usize, dice: &mut Dice) -> Vec<Board> {
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
