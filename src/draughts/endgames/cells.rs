//! State of each position of a slice while it is solved: a byte that many threads may write.

use super::value::{DRAW, MAX_PLIES};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// Bytes in a word.
pub(super) const IN_WORD: usize = 8;

/// A byte for each position:
///
/// * at most [`MAX_PLIES`]: plies to the end, odd for a win, even for a loss. Those of a win may
///   still decrease.
/// * `MAX_PLIES + 1 + n`: `n` steps within the slices are not yet known to lose, and all other
///   moves lose.
/// * [`DRAW`]: not lost, and not known to be won.
///
/// Bytes are packed into words, which can be searched at once. All writes between two barriers
/// commute, so the result does not depend on their order.
pub(super) struct Cells {
    words: Vec<AtomicU64>,
}

/// The byte when no step is left.
const NO_STEPS: u8 = MAX_PLIES + 1;
const ONES: u64 = 0x0101_0101_0101_0101;

/// Returns the byte while `steps` steps are not known to lose.
pub(super) const fn waiting(steps: u8) -> u8 {
    NO_STEPS + steps
}

impl Cells {
    /// Cells for `len` positions, all of them [`DRAW`].
    pub(super) fn new(len: usize) -> Cells {
        Cells { words: (0..len.div_ceil(IN_WORD)).map(|_| AtomicU64::new(u64::MAX)).collect() }
    }

    /// Writes a word of cells, the first of which is `number`.
    pub(super) fn write_word(&self, number: usize, cells: [u8; IN_WORD]) {
        self.words[number / IN_WORD].store(u64::from_le_bytes(cells), Relaxed);
    }

    const fn shift(number: usize) -> u32 {
        (number % IN_WORD * 8) as u32
    }

    /// Marks the position as won in this number of plies, unless a faster win is known.
    #[inline]
    pub(super) fn win(&self, number: usize, plies: u8) {
        let (word, shift) = (&self.words[number / IN_WORD], Cells::shift(number));
        let mut seen = word.load(Relaxed);
        loop {
            let cell = (seen >> shift) as u8;
            if cell <= plies {
                return;
            }
            let new = seen ^ u64::from(cell ^ plies) << shift;
            match word.compare_exchange_weak(seen, new, Relaxed, Relaxed) {
                Ok(_) => return,
                Err(now) => seen = now,
            }
        }
    }

    /// Counts one more losing step. Returns true if it was the last.
    #[inline]
    pub(super) fn count_down(&self, number: usize) -> bool {
        let (word, shift) = (&self.words[number / IN_WORD], Cells::shift(number));
        let cell = (word.load(Relaxed) >> shift) as u8;
        if cell <= NO_STEPS || cell == DRAW {
            return false;
        }
        // All threads only count down, and each step is counted once: the byte never borrows.
        let before = (word.fetch_sub(1 << shift, Relaxed) >> shift) as u8;
        before == waiting(1)
    }

    /// Marks the position, which has no step left, as lost in this number of plies.
    #[inline]
    pub(super) fn lose(&self, number: usize, plies: u8) {
        self.words[number / IN_WORD].fetch_xor(u64::from(NO_STEPS ^ plies) << Cells::shift(number), Relaxed);
    }

    /// Calls `found` for the cells with this byte among `len` from `first` (the first of its word).
    #[inline]
    pub(super) fn find(&self, first: usize, len: usize, byte: u8, mut found: impl FnMut(usize)) {
        let pattern = ONES * u64::from(byte);
        let words = &self.words[first / IN_WORD..(first + len).div_ceil(IN_WORD)];
        for (position, word) in words.iter().enumerate() {
            let differences = word.load(Relaxed) ^ pattern;
            // Marks the lowest zero byte, and perhaps some nonzero ones above it.
            let mut marks = differences.wrapping_sub(ONES) & !differences & ONES << 7;
            while marks != 0 {
                let shift = marks.trailing_zeros() & !7;
                if (differences >> shift) as u8 == 0 {
                    found(first + position * IN_WORD + shift as usize / 8);
                }
                marks &= marks - 1;
            }
        }
    }

    /// Returns the results of the first `len` cells: plies, or [`DRAW`].
    pub(super) fn results(&self, len: usize) -> impl Iterator<Item = u8> {
        let cells = self.words.iter().flat_map(|word| word.load(Relaxed).to_le_bytes());
        cells.take(len).map(|cell| if cell > MAX_PLIES { DRAW } else { cell })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_position_is_lost_with_its_last_step_and_won_with_its_first() {
        let cells = Cells::new(11);
        cells.write_word(8, [waiting(2), waiting(2), 7, DRAW, DRAW, DRAW, DRAW, DRAW]);
        assert!(!cells.count_down(8));
        assert!(cells.count_down(8));
        cells.lose(8, 12);
        cells.win(9, 5);
        assert!(!cells.count_down(9));
        cells.win(10, 9);
        assert!(!cells.count_down(10));
        cells.win(3, 1);
        assert!(!cells.count_down(0));
        let expected = [255, 255, 255, 1, 255, 255, 255, 255, 12, 5, 7];
        assert!(cells.results(11).eq(expected));
    }

    #[test]
    fn all_cells_with_a_byte_are_found() {
        let cells = Cells::new(24);
        cells.write_word(0, [0, 1, 0, 2, 1, 1, 0, 3]);
        cells.write_word(16, [1, 0, 0x80, 0x81, 1, 2, 1, 0]);
        let find = |byte, first, len| {
            let mut found = Vec::new();
            cells.find(first, len, byte, |number| found.push(number));
            found
        };
        assert_eq!(find(0, 0, 24), [0, 2, 6, 17, 23]);
        assert_eq!(find(1, 0, 24), [1, 4, 5, 16, 20, 22]);
        assert_eq!(find(1, 16, 8), [16, 20, 22]);
        assert_eq!(find(0x80, 0, 24), [18]);
    }
}
