//! Operations common to the squares of chess and draughts and to sets of them.

/// Implements the operations of a set of squares with one bit for each. `$bit` returns the bit
/// number of a square, `$of_bit` the square of a bit number.
macro_rules! square_set {
    ($set:ident, $square:ident, $bit:ident, $of_bit:ident) => {
        impl $set {
            /// No square.
            pub const EMPTY: $set = $set(0);

            /// Returns the set of this square.
            #[inline]
            pub const fn of(square: $square) -> $set {
                $set(1 << square.$bit())
            }

            /// Returns true if the set has no square.
            #[inline]
            pub const fn is_empty(self) -> bool {
                self.0 == 0
            }

            /// Returns true if the set has a square.
            #[inline]
            pub const fn any(self) -> bool {
                self.0 != 0
            }

            /// Returns the number of squares.
            #[inline]
            pub const fn count(self) -> u32 {
                self.0.count_ones()
            }

            /// Returns true if the set has this square.
            #[inline]
            pub const fn has(self, square: $square) -> bool {
                self.0 >> square.$bit() & 1 != 0
            }

            /// Returns the lowest square, if any.
            #[inline]
            pub const fn first(self) -> Option<$square> {
                if self.0 == 0 { None } else { Some($square::$of_bit(self.0.trailing_zeros() as u8)) }
            }
        }

        impl Iterator for $set {
            type Item = $square;

            #[inline]
            fn next(&mut self) -> Option<$square> {
                let square = self.first()?;
                self.0 &= self.0 - 1;
                Some(square)
            }

            fn size_hint(&self) -> (usize, Option<usize>) {
                (self.count() as usize, Some(self.count() as usize))
            }
        }

        impl From<$square> for $set {
            #[inline]
            fn from(square: $square) -> $set {
                $set::of(square)
            }
        }

        impl FromIterator<$square> for $set {
            fn from_iter<I: IntoIterator<Item = $square>>(squares: I) -> $set {
                squares.into_iter().fold($set::EMPTY, |set, square| set | $set::of(square))
            }
        }

        impl std::fmt::Debug for $square {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                std::fmt::Display::fmt(self, f)
            }
        }

        impl std::ops::Not for $set {
            type Output = $set;

            #[inline]
            fn not(self) -> $set {
                $set(!self.0)
            }
        }

        $crate::chess::square_set::operator!($set BitAnd bitand BitAndAssign bitand_assign &);
        $crate::chess::square_set::operator!($set BitOr bitor BitOrAssign bitor_assign |);
        $crate::chess::square_set::operator!($set BitXor bitxor BitXorAssign bitxor_assign ^);
    };
}
pub(crate) use square_set;

/// Implements a binary operator and its assignment.
macro_rules! operator {
    ($set:ident $trait:ident $method:ident $assign_trait:ident $assign:ident $op:tt) => {
        impl std::ops::$trait for $set {
            type Output = $set;

            #[inline]
            fn $method(self, other: $set) -> $set {
                $set(self.0 $op other.0)
            }
        }

        impl std::ops::$assign_trait for $set {
            #[inline]
            fn $assign(&mut self, other: $set) {
                *self = *self $op other;
            }
        }
    };
}
pub(crate) use operator;
