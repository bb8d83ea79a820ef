//! Legal moves, into anything that wants them.

use super::paths::{self, path};
use super::{Bitboard, Direction, Move, Position};
use arrayvec::ArrayVec;

/// At least the moves of any position: twelve kings, on the squares with the most ways to jump. (Twelve pieces have no more
/// than 48 steps.)
pub const MAX_MOVES: usize = 184;

/// The moves of a position, on the stack.
pub type MoveList = ArrayVec<Move, MAX_MOVES>;

/// Takes generated moves.
pub trait Sink {
    /// A move.
    fn push(&mut self, mv: Move);

    /// Pieces can step to these squares, each from the square before it in that direction.
    #[inline]
    fn steps(&mut self, targets: Bitboard, direction: Direction) {
        for from in targets.step(direction.opposite()) {
            self.push(Move::step(from, direction));
        }
    }
}

impl<const N: usize> Sink for ArrayVec<Move, N> {
    #[inline]
    fn push(&mut self, mv: Move) {
        ArrayVec::push(self, mv);
    }
}

/// Counts moves.
#[derive(Default)]
pub struct Count(pub u64);

impl Sink for Count {
    #[inline]
    fn push(&mut self, _: Move) {
        self.0 += 1;
    }

    #[inline]
    fn steps(&mut self, targets: Bitboard, _: Direction) {
        self.0 += u64::from(targets.count());
    }
}

/// A piece on its way: what it may take, where it may land, and which ways it goes.
struct Jumper {
    opponents: Bitboard,
    free: Bitboard,
    directions: &'static [Direction],
}

impl Jumper {
    /// All ways on from a path. What it has jumped is gone, and it goes on while it can; a man on the far row has no way
    /// forward, so that its crowning ends the move.
    fn go_on<S: Sink>(&self, number: u16, sink: &mut S) {
        let path = path(number);
        let here = Bitboard::of(path.to);
        let opponents = self.opponents & !path.jumped;
        let mut has_ended = true;
        for &direction in self.directions {
            let over = here.step(direction) & opponents;
            if (over.step(direction) & self.free).any() {
                has_ended = false;
                self.go_on(path.next[direction as usize], sink);
            }
        }
        if has_ended {
            sink.push(Move::of_path(number));
        }
    }
}

impl Position {
    /// Appends the legal moves.
    #[inline]
    pub fn generate<S: Sink>(&self, sink: &mut S) {
        let jumpers = self.jumpers();
        if jumpers.any() {
            self.generate_jumps(jumpers, sink);
        } else {
            let empty = self.empty();
            for direction in Direction::ALL {
                sink.steps(self.movers(direction).step(direction) & empty, direction);
            }
        }
    }

    /// All legal moves.
    pub fn legal_moves(&self) -> MoveList {
        let mut moves = MoveList::new();
        self.generate(&mut moves);
        moves
    }

    /// Whether something must be taken.
    #[inline]
    pub fn must_jump(&self) -> bool {
        self.jumpers().any()
    }

    /// Whether there is a legal move.
    pub fn has_legal_move(&self) -> bool {
        let empty = self.empty();
        let steps = |direction| (self.movers(direction).step(direction) & empty).any();
        Direction::ALL.into_iter().any(steps) || self.must_jump()
    }

    /// Whether a move, whatever its source, is legal.
    pub fn is_legal(&self, mv: Move) -> bool {
        let jumpers = self.jumpers();
        if jumpers.any() {
            let mut jumps = MoveList::new();
            let from = jumpers & Bitboard::of(mv.from());
            self.generate_jumps(from, &mut jumps);
            return jumps.contains(&mv);
        }
        let (from, to) = (Bitboard::of(mv.from()), Bitboard::of(mv.to()));
        let goes = |direction| {
            mv == Move::step(mv.from(), direction) && (self.movers(direction) & from).step(direction) == to
        };
        (self.empty() & to).any() && Direction::ALL.into_iter().any(goes)
    }

    /// The pieces that can take something.
    #[inline]
    fn jumpers(&self) -> Bitboard {
        let (opponents, empty) = (self.side(!self.turn), self.empty());
        Direction::ALL.into_iter().fold(Bitboard::EMPTY, |jumpers, direction| {
            let back = direction.opposite();
            jumpers | self.movers(direction) & (empty.step(back) & opponents).step(back)
        })
    }

    #[inline]
    fn generate_jumps<S: Sink>(&self, jumpers: Bitboard, sink: &mut S) {
        for from in jumpers {
            let is_king = self.kings.has(from);
            let jumper = Jumper {
                opponents: self.side(!self.turn),
                // The piece has left its square, and may come back to it.
                free: self.empty() | Bitboard::of(from),
                directions: if is_king { &Direction::ALL } else { Direction::forward(self.turn) },
            };
            jumper.go_on(paths::root(from), sink);
        }
    }
}
