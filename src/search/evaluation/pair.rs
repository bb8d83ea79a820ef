//! A middlegame and an endgame value in one word.

use std::ops::{Add, AddAssign, Mul, Sub};

/// A value with all pieces on the board (middlegame), and one with only kings and pawns (endgame),
/// in one word so that both are added and multiplied at once. The lower half borrows from the upper
/// when it is negative.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Pair(i64);

/// Returns a middlegame and an endgame value.
pub(super) const fn pair(middle: i32, end: i32) -> Pair {
    Pair(((end as i64) << 32) + middle as i64)
}

impl Pair {
    /// Returns the middlegame value.
    #[inline]
    pub const fn middle(self) -> i32 {
        self.0 as i32
    }

    /// Returns the endgame value.
    #[inline]
    pub const fn end(self) -> i32 {
        ((self.0 + 0x8000_0000) >> 32) as i32
    }
}

impl Add for Pair {
    type Output = Pair;
    #[inline]
    fn add(self, other: Pair) -> Pair {
        Pair(self.0 + other.0)
    }
}

impl Sub for Pair {
    type Output = Pair;
    #[inline]
    fn sub(self, other: Pair) -> Pair {
        Pair(self.0 - other.0)
    }
}

impl Mul<i32> for Pair {
    type Output = Pair;
    #[inline]
    fn mul(self, by: i32) -> Pair {
        Pair(self.0 * i64::from(by))
    }
}

impl AddAssign for Pair {
    #[inline]
    fn add_assign(&mut self, other: Pair) {
        *self = *self + other;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_are_independent() {
        for (middle, end) in [(0, 0), (-1, 5), (5, -1), (-7, -9), (20_000, -20_000), (-20_000, 20_000)] {
            let value = pair(middle, end);
            assert_eq!((value.middle(), value.end()), (middle, end));
            let sum = value * 3 + pair(1, -2) - pair(-4, 4);
            assert_eq!((sum.middle(), sum.end()), (3 * middle + 5, 3 * end - 6));
            assert_eq!((pair(0, 0) - value).middle(), -middle);
        }
    }
}
