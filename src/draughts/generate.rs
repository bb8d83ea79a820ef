//! Legal moves, generated into a sink.

use super::paths::{self, path};
use super::{Bitboard, Direction, Move, Position};
use crate::chess::Color;
use arrayvec::ArrayVec;

/// An upper bound of the moves of a position: twelve kings on the squares with the most ways to
/// jump. (Twelve pieces have at most 48 steps.)
pub(crate) const MAX_MOVES: usize = 184;

/// The moves of a position, on the stack.
pub type MoveList = ArrayVec<Move, MAX_MOVES>;

/// A receiver of generated moves.
pub trait Sink {
    /// Takes a move.
    fn push(&mut self, mv: Move);

    /// Takes the targets of steps, each from the square before it: to the left, and to the right.
    #[inline]
    fn steps(&mut self, [left, right]: [Direction; 2], targets: [Bitboard; 2]) {
        for (direction, targets) in [left, right].into_iter().zip(targets) {
            for from in targets.step(direction.opposite()) {
                self.push(Move::step(from, direction));
            }
        }
    }

    /// Takes the targets of final jumps, each from the square two before it.
    #[inline]
    fn jumps(&mut self, direction: Direction, targets: Bitboard) {
        let back = direction.opposite();
        for from in targets.step(back).step(back) {
            self.push(Move::of_path(jump(paths::root(from), direction)));
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
    fn steps(&mut self, directions: [Direction; 2], [left, right]: [Bitboard; 2]) {
        // No piece steps onto the row behind: 31 bits are left of each set, and both are counted at
        // once.
        let skipped = if directions[0].is_down() { 4 } else { 0 };
        let both = left.0 >> skipped | right.0 >> skipped << 32;
        self.0 += u64::from(both.count_ones());
    }

    #[inline]
    fn jumps(&mut self, _: Direction, targets: Bitboard) {
        self.0 += u64::from(targets.count());
    }
}

/// Returns the path that extends another by a jump.
#[inline]
fn jump(number: u16, direction: Direction) -> u16 {
    path(number).next[direction as usize]
}

/// A jumping piece: what it may capture, where it may land, and its directions.
struct Jumper {
    opponents: Bitboard,
    free: Bitboard,
    directions: &'static [Direction],
}

impl Jumper {
    /// Generates all continuations of a path. Captured pieces are removed at once, and the jump
    /// continues while possible; a man on the far row has no way forward, so that its crowning ends
    /// the move.
    fn extend<S: Sink>(&self, number: u16, sink: &mut S) {
        let path = path(number);
        let here = Bitboard::of(path.to);
        let opponents = self.opponents & !path.jumped;
        let mut has_ended = true;
        for &direction in self.directions {
            let over = here.step(direction) & opponents;
            if (over.step(direction) & self.free).any() {
                has_ended = false;
                self.extend(jump(number, direction), sink);
            }
        }
        if has_ended {
            sink.push(Move::of_path(number));
        }
    }
}

/// A position as the side on move sees it. Its men move down the board if `DOWN`: the code is
/// compiled for each side.
#[derive(Clone, Copy)]
struct View<const DOWN: bool> {
    own: Bitboard,
    kings: Bitboard,
    opponents: Bitboard,
    empty: Bitboard,
}

impl<const DOWN: bool> View<DOWN> {
    const FORWARD: [Direction; 2] = Direction::rows_on(DOWN);
    const BACK: [Direction; 2] = Direction::rows_on(!DOWN);

    #[inline]
    fn of(position: &Position) -> View<DOWN> {
        let own = position.side(position.turn);
        View {
            own,
            kings: own & position.kings,
            opponents: position.side(!position.turn),
            empty: position.empty(),
        }
    }

    /// Returns the squares from which a jump in one of these directions captures.
    #[inline]
    fn before_jumps(&self, directions: [Direction; 2]) -> Bitboard {
        let [left, right] = directions.map(|direction| {
            let back = direction.opposite();
            (self.empty.step(back) & self.opponents).step(back)
        });
        left | right
    }

    /// Returns the targets of steps by these pieces.
    #[inline]
    fn targets(&self, pieces: Bitboard, directions: [Direction; 2]) -> [Bitboard; 2] {
        directions.map(|direction| pieces.step(direction) & self.empty)
    }

    #[inline]
    fn steps<S: Sink>(&self, pieces: Bitboard, directions: [Direction; 2], sink: &mut S) {
        sink.steps(directions, self.targets(pieces, directions));
    }

    #[inline]
    fn generate<S: Sink>(&self, sink: &mut S) {
        let ahead = self.before_jumps(Self::FORWARD);
        if self.kings.is_empty() {
            if (self.own & ahead).any() {
                self.jumps_of_men(self.own, ahead, sink);
            } else {
                self.steps(self.own, Self::FORWARD, sink);
            }
            return;
        }
        let jumping_kings = self.kings & (ahead | self.before_jumps(Self::BACK));
        if (self.own & ahead | jumping_kings).any() {
            self.jumps_of_men(self.own & !self.kings, ahead, sink);
            self.jumps_of_kings(jumping_kings, sink);
        } else {
            self.steps(self.own, Self::FORWARD, sink);
            self.steps(self.kings, Self::BACK, sink);
        }
    }

    /// `ahead` has the origins of forward jumps: most men that jump come to another square.
    #[inline]
    fn jumps_of_men<S: Sink>(&self, men: Bitboard, ahead: Bitboard, sink: &mut S) {
        for direction in Self::FORWARD {
            let landed = (men.step(direction) & self.opponents).step(direction) & self.empty;
            sink.jumps(direction, landed & !ahead);
            let back = direction.opposite();
            for from in (landed & ahead).step(back).step(back) {
                let jumper =
                    Jumper { opponents: self.opponents, free: self.empty, directions: &Self::FORWARD };
                jumper.extend(jump(paths::root(from), direction), sink);
            }
        }
    }

    #[inline]
    fn jumps_of_kings<S: Sink>(&self, kings: Bitboard, sink: &mut S) {
        for from in kings {
            // The king has left its square and may come back to it.
            let free = self.empty | Bitboard::of(from);
            let jumper = Jumper { opponents: self.opponents, free, directions: &Direction::ALL };
            jumper.extend(paths::root(from), sink);
        }
    }

    fn must_jump(&self) -> bool {
        let ahead = self.before_jumps(Self::FORWARD);
        (self.own & ahead | self.kings & self.before_jumps(Self::BACK)).any()
    }

    fn can_step(&self) -> bool {
        let [left, right] = self.targets(self.own, Self::FORWARD);
        let [back_left, back_right] = self.targets(self.kings, Self::BACK);
        (left | right | back_left | back_right).any()
    }

    fn is_legal(&self, mv: Move) -> bool {
        if mv.is_jump() != self.must_jump() {
            return false;
        }
        let piece = Bitboard::of(mv.from());
        let mut moves = MoveList::new();
        View::<DOWN> { own: self.own & piece, kings: self.kings & piece, ..*self }.generate(&mut moves);
        moves.contains(&mv)
    }
}

/// Evaluates an expression for the view of the side on move.
macro_rules! with_view {
    ($position:expr, $view:ident => $body:expr) => {
        match $position.turn {
            Color::White => {
                let $view = View::<false>::of($position);
                $body
            }
            Color::Black => {
                let $view = View::<true>::of($position);
                $body
            }
        }
    };
}

impl Position {
    /// Generates the legal moves.
    #[inline]
    pub fn generate<S: Sink>(&self, sink: &mut S) {
        with_view!(self, view => view.generate(sink));
    }

    /// Returns all legal moves.
    pub fn legal_moves(&self) -> MoveList {
        let mut moves = MoveList::new();
        self.generate(&mut moves);
        moves
    }

    /// Returns true if a capture is compulsory.
    pub fn must_jump(&self) -> bool {
        with_view!(self, view => view.must_jump())
    }

    /// Returns true if there is a legal move.
    pub fn has_legal_move(&self) -> bool {
        with_view!(self, view => view.can_step() || view.must_jump())
    }

    /// Returns true if a move, from any source, is legal.
    pub fn is_legal(&self, mv: Move) -> bool {
        with_view!(self, view => view.is_legal(mv))
    }
}
