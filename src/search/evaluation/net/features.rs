//! The inputs of a net that are on in a position, for each side.
//!
//! An input is a man of either side on a square, as a side sees the board: its own men first and
//! its own home at the bottom. Chess is mirrored so that the side's own king is on files a to d.
//! Variants add pieces in hand and checks given, of which the input for "at least n" is on.

use super::domain::Domain;
use crate::chess::{self, Color, Goal, Role, Royal, Ruleset};
use crate::draughts;
use arrayvec::ArrayVec;

/// Number of roles that can be in hand.
const HAND_ROLES: usize = 5;
/// Pieces of a role in hand that a net counts, at most.
const HAND: usize = 8;
/// Checks given that a net counts, at most.
const CHECKS: usize = 2;
/// Inputs of a side's counters.
pub(super) const SIDE_COUNTERS: usize = HAND_ROLES * HAND + CHECKS;
/// Number of inputs of counters.
pub(super) const COUNTER_INPUTS: usize = 2 * SIDE_COUNTERS;
/// Number of inputs that can be on at once: a man on every square, and all counters.
pub(super) const MOST: usize = 64 + COUNTER_INPUTS;

/// Inputs that are on. Each has a number for the side on move and one for its opponent, who sees
/// the same things.
pub type Inputs = ArrayVec<[u16; 2], MOST>;

/// A man as the side on move sees it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Man {
    /// True if the side on move owns it.
    pub is_own: bool,
    /// Kind: the index of its role in chess; 0 for a man and 1 for a king of draughts.
    pub kind: u8,
    /// Index of its square.
    pub square: u8,
}

/// Counters of a variant, for the side on move first.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Counters {
    /// Pieces in hand, from pawn to queen.
    pub hands: [[u8; HAND_ROLES]; 2],
    /// Checks given.
    pub checks: [u8; 2],
}

/// A position as nets see it.
pub trait Seen {
    /// Returns the game of nets for this position.
    fn domain(&self) -> Domain;
    /// Returns what to combine the index of a square with (exclusive or) to get the square that the
    /// side on move sees, and the one that its opponent sees.
    fn flips(&self) -> [u8; 2];
    /// Returns all men on the board.
    fn men(&self) -> impl Iterator<Item = Man>;
    /// Returns the counters.
    fn counters(&self) -> Counters;
    /// Returns the number of men on the board.
    fn count(&self) -> usize;
}

/// Returns the inputs that are on, for a net of this game.
#[inline]
pub fn inputs(domain: Domain, position: &impl Seen) -> Inputs {
    let (squares, half) = (domain.squares() as u16, domain.board_inputs() as u16 / 2);
    let flips = position.flips().map(u16::from);
    let of_man = |man: Man| {
        let (kind, square) = (u16::from(man.kind) * squares, u16::from(man.square));
        let (own, other) = if man.is_own { (0, half) } else { (half, 0) };
        [own + kind + (square ^ flips[0]), other + kind + (square ^ flips[1])]
    };
    // Collected at once: single pushes would each wait for the length in memory.
    let mut inputs: Inputs = position.men().map(of_man).collect();
    if matches!(domain, Domain::Variant(_)) {
        add_counters(&position.counters(), 2 * half, &mut inputs);
    }
    inputs
}

/// Adds the inputs of counters, the first of which has this number.
fn add_counters(counters: &Counters, first: u16, inputs: &mut Inputs) {
    counters.for_each(|side, place| {
        let number = |side| first + (side * SIDE_COUNTERS + place) as u16;
        inputs.push([number(side), number(1 - side)]);
    });
}

impl Counters {
    /// Nothing in hand, no check given.
    pub(super) const NONE: Counters = Counters { hands: [[0; HAND_ROLES]; 2], checks: [0; 2] };

    /// Calls a function with the side and the place, below [`SIDE_COUNTERS`], of each input that is
    /// on.
    pub(super) fn for_each(&self, mut act: impl FnMut(usize, usize)) {
        for side in [0, 1] {
            for (role, &held) in self.hands[side].iter().enumerate() {
                (0..usize::from(held).min(HAND)).for_each(|count| act(side, role * HAND + count));
            }
            let checks = usize::from(self.checks[side]).min(CHECKS);
            (0..checks).for_each(|count| act(side, HAND_ROLES * HAND + count));
        }
    }
}

impl<R: Ruleset> Seen for chess::Position<R> {
    #[inline]
    fn domain(&self) -> Domain {
        if self.fairy().is_none() { Domain::Chess } else { Domain::Variant(self.variant()) }
    }

    #[inline]
    fn flips(&self) -> [u8; 2] {
        [self.turn(), !self.turn()].map(|side| flip(self, side))
    }

    #[inline]
    fn men(&self) -> impl Iterator<Item = Man> {
        let us = self.turn();
        self.occupied().filter_map(move |square| {
            let piece = self.piece_at(square)?;
            let (kind, square) = (piece.role.index() as u8, square.index() as u8);
            Some(Man { is_own: piece.color == us, kind, square })
        })
    }

    fn counters(&self) -> Counters {
        counters(self, [self.turn(), !self.turn()])
    }

    #[inline]
    fn count(&self) -> usize {
        self.occupied().count() as usize
    }
}

/// Returns what to combine the index of a square with (exclusive or) to get the square that a side
/// sees. Where both sides run to the same rank, both see the board from the same end. Where kings
/// are men like others, the board is not mirrored.
#[inline]
pub(super) fn flip<R: Ruleset>(position: &chess::Position<R>, side: Color) -> u8 {
    let rules = position.fairy().map(|fairy| fairy.rules());
    let is_race = rules.is_some_and(|rules| rules.goal == Goal::LastRank);
    let has_king = rules.is_none_or(|rules| rules.royal != Royal::Nothing || rules.explodes);
    let king = position.pieces(side, Role::King).first().filter(|_| has_king);
    let mirrored = if king.is_some_and(|king| king.file() > 3) { 7 } else { 0 };
    if side == Color::Black && !is_race { mirrored | 56 } else { mirrored }
}

/// Returns the counters of these sides.
#[inline]
pub(super) fn counters<R: Ruleset>(position: &chess::Position<R>, sides: [Color; 2]) -> Counters {
    let Some(fairy) = position.fairy() else { return Counters::default() };
    let hand = |side| std::array::from_fn(|role| fairy.in_hand(side, Role::ALL[role]));
    Counters { hands: sides.map(hand), checks: sides.map(|side| fairy.checks(side)) }
}

impl Seen for draughts::Position {
    fn domain(&self) -> Domain {
        Domain::Draughts
    }

    /// Own men move down the board.
    #[inline]
    fn flips(&self) -> [u8; 2] {
        if self.turn() == Color::Black { [0, 31] } else { [31, 0] }
    }

    #[inline]
    fn men(&self) -> impl Iterator<Item = Man> {
        [self.turn(), !self.turn()].into_iter().flat_map(move |side| {
            self.side(side).map(move |square| {
                let kind = u8::from(self.kings().has(square));
                Man { is_own: side == self.turn(), kind, square: square.index() as u8 }
            })
        })
    }

    fn counters(&self) -> Counters {
        Counters::default()
    }

    #[inline]
    fn count(&self) -> usize {
        (self.side(Color::White) | self.side(Color::Black)).count() as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::{AnyPosition, Variant};
    use crate::with_position;

    /// Returns the sorted inputs of both sides.
    fn sorted(position: &impl Seen) -> [Vec<u16>; 2] {
        let inputs = inputs(position.domain(), position);
        [0, 1].map(|side| {
            let mut numbers: Vec<u16> = inputs.iter().map(|input| input[side]).collect();
            numbers.sort_unstable();
            numbers
        })
    }

    fn of_variant(name: &str, fen: &str) -> [Vec<u16>; 2] {
        let position = AnyPosition::from_fen(Variant::from_name(name).unwrap(), fen).unwrap();
        with_position!(&position, position => sorted(position))
    }

    #[test]
    fn exchanged_colours_and_mirrored_boards_look_the_same() {
        let seen = of_variant("normal", "r3k3/1pp5/8/3N4/8/8/P6P/6KQ w - -");
        for same in ["6kq/p6p/8/8/3n4/8/1PP5/R3K3 b - -", "3k3r/5pp1/8/4N3/8/8/P6P/QK6 w - -"] {
            assert_eq!(of_variant("normal", same), seen, "{same}");
        }
        let [own, other] = seen;
        assert_ne!(of_variant("normal", "r3k3/1pp5/8/3N4/8/8/P6P/6KQ b - -"), [own.clone(), other.clone()]);
        assert_eq!(of_variant("normal", "r3k3/1pp5/8/3N4/8/8/P6P/6KQ b - -"), [other, own]);
    }

    #[test]
    fn a_mirrored_king_is_on_the_left_half() {
        for fen in ["4k3/8/8/8/8/8/8/K7 w - -", "4k3/8/8/8/8/8/8/7K w - -"] {
            // The own king on a1, the enemy's on e8 or d8.
            let enemy = if fen.contains("/K7") { 384 + 5 * 64 + 60 } else { 384 + 5 * 64 + 59 };
            assert_eq!(of_variant("normal", fen)[0], [5 * 64, enemy], "{fen}");
        }
    }

    #[test]
    fn counters_belong_to_their_sides() {
        let [own, other] = of_variant("crazyhouse", "4k3/8/8/8/8/8/8/4K3[PPn] w - -");
        let [hand, enemy] = [768, 768 + SIDE_COUNTERS as u16];
        let counters =
            |inputs: Vec<u16>| inputs.into_iter().filter(|&input| input >= 768).collect::<Vec<_>>();
        assert_eq!(counters(own), [hand, hand + 1, enemy + HAND as u16]);
        assert_eq!(counters(other), [hand + HAND as u16, enemy, enemy + 1]);
    }

    #[test]
    fn more_than_a_net_counts_is_the_most_it_counts() {
        let full = |hand: &str| of_variant("bughouse", &format!("4k3/8/8/8/8/8/8/4K3[{hand}] w - -"));
        assert_eq!(full(&"P".repeat(8)), full(&"P".repeat(12)));
        assert_ne!(full(&"P".repeat(8)), full(&"P".repeat(7)));
    }

    #[test]
    fn both_sides_of_a_race_run_the_same_way() {
        let [own, other] = of_variant("racingkings", "8/8/8/8/8/8/krbnNBRK/qrbnNBRQ w - -");
        assert!(own.contains(&(5 * 64 + 8)), "the own king on a2, mirrored");
        assert!(other.contains(&(5 * 64 + 8)), "and the enemy's on a2");
    }

    #[test]
    fn both_sides_of_draughts_see_the_same_board() {
        for (black, white) in [
            ("B:W18,24,27,28,K10,K15:B12,16,20,K22,K25,K29", "W:W21,17,13,K11,K8,K4:B15,9,6,5,K23,K18"),
            ("B:WK1:BK32,5", "W:WK1,28:BK32"),
        ] {
            let [black, white] = [black, white].map(|fen| draughts::Position::from_fen(fen).unwrap());
            assert_eq!(sorted(&black), sorted(&white));
        }
        let position = draughts::Position::from_fen("B:WK1,32:BK29,4").unwrap();
        assert_eq!(sorted(&position), [vec![3, 32 + 28, 64 + 31, 96], vec![0, 63, 64 + 28, 96 + 3]]);
    }
}
