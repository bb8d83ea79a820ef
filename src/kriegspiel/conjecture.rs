//! Boards made up for a belief that has been contradicted.
//!
//! A made-up board has the player's own men, the right number of enemies, and agrees with the last
//! announcement. It need not explain earlier ones, but mostly does, as it derives from a board that
//! did.

use super::belief::{Board, MAX_BOARDS};
use crate::chess::kriegspiel::{Announcement, Captured, Direction, Men};
use crate::chess::{Bitboard, Color, Piece, Position, Role, Setup, Square, Standard, attacks};
use crate::random::SplitMix64;
use crate::search::NodeCounter;

/// Number of tries for each wanted board.
const TRIES: usize = 40;

/// The facts that a made-up board must agree with.
pub(super) struct Conjecture<'a> {
    pub(super) men: &'a Men,
    /// Number of men of the other side.
    pub(super) enemies: u8,
    pub(super) heard: Announcement,
    /// The capture of the last move.
    pub(super) captured: Option<Captured>,
}

/// The other side's men on a board being made up.
type Enemies = Vec<(Square, Role)>;

impl Conjecture<'_> {
    /// Returns a board for each possible square of a lone enemy king.
    pub(super) fn lone_kings(&self) -> Vec<Board> {
        let free = !self.men.squares();
        free.into_iter().filter_map(|square| self.board(&vec![(square, Role::King)])).collect()
    }

    /// Returns at most `wanted` boards, derived from `sources` if there are any.
    pub(super) fn boards(
        &self,
        sources: &[Board],
        wanted: usize,
        dice: &mut SplitMix64,
        counter: &mut NodeCounter<'_>,
    ) -> Vec<Board> {
        let mut boards = Vec::new();
        for attempt in 0..wanted * TRIES {
            if boards.len() >= wanted.min(MAX_BOARDS) || counter.is_over() {
                break;
            }
            counter.count(1);
            // Fewest changes first.
            let changes = attempt * 5 / (wanted * TRIES);
            let enemies = match (!sources.is_empty()).then(|| sources[dice.below(sources.len())]) {
                Some(source) if attempt * 8 < wanted * TRIES * 7 => self.enemies_of(&source.position),
                _ => self.any_enemies(dice),
            };
            boards.extend(self.changed(enemies, changes, dice).and_then(|enemies| self.board(&enemies)));
        }
        boards
    }

    fn color(&self) -> Color {
        !self.men.color()
    }

    fn enemies_of(&self, position: &Position<Standard>) -> Enemies {
        let squares = position.color(self.color());
        squares.into_iter().filter_map(|square| Some((square, position.role_at(square)?))).collect()
    }

    /// Returns a king and other men of the initial set on random squares.
    fn any_enemies(&self, dice: &mut SplitMix64) -> Enemies {
        use Role::{Bishop, Knight, Pawn, Queen, Rook};
        let mut rest = vec![Queen, Rook, Rook, Bishop, Bishop, Knight, Knight];
        rest.extend([Pawn; 8]);
        let mut roles = vec![Role::King];
        for _ in 1..self.enemies {
            // Any further man is a promoted one.
            roles.push(if rest.is_empty() { Queen } else { rest.swap_remove(dice.below(rest.len())) });
        }
        let mut enemies: Enemies = Vec::new();
        for role in roles {
            let taken: Bitboard = squares(&enemies);
            let free: Vec<Square> = self.free_squares(role, taken).collect();
            enemies.extend(dice.pick(&free).map(|square| (square, role)));
        }
        enemies
    }

    /// Returns the free squares for a man of this role.
    fn free_squares(&self, role: Role, taken: Bitboard) -> Bitboard {
        let ends = Bitboard::rank(0) | Bitboard::rank(7);
        let free = !(self.men.squares() | taken);
        if role == Role::Pawn { free & !ends } else { free }
    }

    /// Returns these men after a number of random changes, made to agree with the known facts.
    fn changed(&self, mut enemies: Enemies, changes: usize, dice: &mut SplitMix64) -> Option<Enemies> {
        if enemies.is_empty() {
            return None;
        }
        let own = self.men.squares();
        // An enemy on the square of an own man stands elsewhere, or was captured.
        if enemies.len() <= usize::from(self.enemies) {
            self.make_way(&mut enemies, dice)?;
        }
        while enemies.len() > usize::from(self.enemies) {
            let wanted = |&(square, role): &(Square, Role)| {
                let kind = self.captured.is_none_or(|captured| captured.pawn == (role == Role::Pawn));
                role != Role::King && kind && (own.has(square) || (own & squares(&enemies)).is_empty())
            };
            let index = pick(&enemies, wanted, dice).or_else(|| pick(&enemies, is_no_king, dice))?;
            enemies.swap_remove(index);
        }
        self.make_way(&mut enemies, dice)?;
        for _ in 0..changes {
            let index = dice.below(enemies.len());
            self.relocate(&mut enemies, index, dice)?;
        }
        self.put_captor(&mut enemies, dice);
        self.put_checkers(&mut enemies, dice);
        Some(enemies)
    }

    /// Moves men from the squares of own men; `None` if there is no free square.
    fn make_way(&self, enemies: &mut Enemies, dice: &mut SplitMix64) -> Option<()> {
        for index in 0..enemies.len() {
            if self.men.squares().has(enemies[index].0) {
                self.relocate(enemies, index, dice)?;
            }
        }
        Some(())
    }

    /// Moves a man to a random free square; `None` if there is none.
    fn relocate(&self, enemies: &mut Enemies, index: usize, dice: &mut SplitMix64) -> Option<()> {
        let (from, role) = enemies[index];
        let places = self.free_squares(role, squares(enemies));
        // Pawns mostly stay on their file.
        let on_file = places & Bitboard::file(from.file());
        let places = if role == Role::Pawn && on_file.any() && dice.below(4) > 0 { on_file } else { places };
        let places: Vec<Square> = places.collect();
        enemies[index].0 = dice.pick(&places)?;
        Some(())
    }

    /// Puts a man on the square where the last capture was made.
    fn put_captor(&self, enemies: &mut Enemies, dice: &mut SplitMix64) {
        let Some(captured) = self.captured.filter(|_| self.heard.turn != self.color()) else { return };
        if !squares(enemies).has(captured.square) {
            let index = dice.below(enemies.len());
            let on_end = matches!(captured.square.rank(), 0 | 7);
            if on_end && enemies[index].1 == Role::Pawn {
                enemies[index].1 = Role::Queen;
            }
            enemies[index].0 = captured.square;
        }
    }

    /// Puts men on squares from which they give the announced checks.
    fn put_checkers(&self, enemies: &mut Enemies, dice: &mut SplitMix64) {
        if self.heard.turn == self.color() {
            return;
        }
        let king =
            self.men.squares().into_iter().find(|&square| self.men.role_at(square) == Some(Role::King));
        let Some(king) = king else { return };
        for direction in self.heard.checks.iter() {
            let (from, able): (Bitboard, &[Role]) = match direction {
                Direction::Knight => (attacks::knight(king), &[Role::Knight]),
                Direction::Rank | Direction::File => {
                    (attacks::rook(king, self.men.squares()), &[Role::Rook, Role::Queen])
                }
                Direction::LongDiagonal | Direction::ShortDiagonal => {
                    (attacks::bishop(king, self.men.squares()), &[Role::Bishop, Role::Queen, Role::Pawn])
                }
            };
            let there = |&square: &Square| {
                Direction::between(king, square) == direction && !self.men.squares().has(square)
            };
            let from: Vec<Square> = from.into_iter().filter(there).collect();
            let Some(square) = dice.pick(&from) else { continue };
            if let Some(index) = pick(enemies, |(_, role)| able.contains(role), dice) {
                enemies[index].0 = square;
            } else if let Some(index) = pick(enemies, is_no_king, dice) {
                enemies[index] = (square, able[able.len().min(2) - 1]);
            }
        }
    }

    /// Returns the board with these men, if it is legal and agrees with the announcement.
    fn board(&self, enemies: &Enemies) -> Option<Board> {
        let mut setup = Setup {
            board: [None; 64],
            promoted: Bitboard::EMPTY,
            turn: self.heard.turn,
            castling: self.men.castling(),
            en_passant: None,
        };
        for square in self.men.squares() {
            let role = self.men.role_at(square);
            setup.board[square.index()] = role.map(|role| Piece { color: self.men.color(), role });
        }
        for &(square, role) in enemies {
            if setup.board[square.index()].replace(Piece { color: self.color(), role }).is_some() {
                return None;
            }
        }
        let position = Position::set_up(Standard::KRIEGSPIEL, &setup).ok()?;
        let sounds = Announcement { captured: self.heard.captured, ..Announcement::of(&position) };
        (sounds == self.heard).then_some(Board { position, weight: 1.0 })
    }
}

fn squares(enemies: &Enemies) -> Bitboard {
    enemies.iter().fold(Bitboard::EMPTY, |all, &(square, _)| all | Bitboard::of(square))
}

fn is_no_king(&(_, role): &(Square, Role)) -> bool {
    role != Role::King
}

/// Returns the index of a random man with a property.
fn pick(
    enemies: &Enemies,
    property: impl Fn(&(Square, Role)) -> bool,
    dice: &mut SplitMix64,
) -> Option<usize> {
    let indices: Vec<usize> = (0..enemies.len()).filter(|&index| property(&enemies[index])).collect();
    dice.pick(&indices)
}
