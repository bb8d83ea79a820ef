//! Encodings of values: one byte each, or five to a byte.

use super::value::{DRAW, Value};

/// Version of the format of files.
pub(super) const VERSION: u32 = 1;

/// The encoding of a slice's values. The discriminants are those in files.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub(super) enum Encoding {
    /// A byte for each position: plies to the end, or 255 for a draw.
    Plies = 1,
    /// Five positions to a byte, the first with the lowest power of three: 0 for a draw, 1 for a
    /// win, 2 for a loss.
    Results = 2,
}

const IN_BYTE: usize = 5;
const POWERS: [u8; IN_BYTE] = [1, 3, 9, 27, 81];

impl Encoding {
    /// The encoding for this number of pieces: distances take too much space for six.
    pub(super) const fn for_pieces(pieces: u32) -> Encoding {
        if pieces <= 5 { Encoding::Plies } else { Encoding::Results }
    }

    /// Returns the number of bytes for this number of values.
    pub(super) const fn size(self, len: usize) -> usize {
        match self {
            Encoding::Plies => len,
            Encoding::Results => len.div_ceil(IN_BYTE),
        }
    }
}

/// Packs values, each given as the byte of [`Value::plies`].
pub(super) fn pack(encoding: Encoding, len: usize, values: impl Iterator<Item = u8>) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(encoding.size(len));
    match encoding {
        Encoding::Plies => bytes.extend(values),
        Encoding::Results => {
            for (number, plies) in values.enumerate() {
                if number.is_multiple_of(IN_BYTE) {
                    bytes.push(0);
                }
                let digit = match plies {
                    DRAW => 0,
                    plies => 2 - plies % 2,
                };
                let last = bytes.len() - 1;
                bytes[last] += digit * POWERS[number % IN_BYTE];
            }
        }
    }
    bytes
}

/// Returns the value with this number. Bytes that [`pack`] does not write also give a value.
#[inline]
pub(super) fn value(encoding: Encoding, bytes: &[u8], number: usize) -> Value {
    match encoding {
        Encoding::Plies => Value::of_plies(bytes[number]),
        Encoding::Results => match bytes[number / IN_BYTE] / POWERS[number % IN_BYTE] % 3 {
            0 => Value::Draw,
            1 => Value::Win(None),
            _ => Value::Loss(None),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn values_survive_a_round_trip(values: Vec<u8>) {
            for encoding in [Encoding::Plies, Encoding::Results] {
                let bytes = pack(encoding, values.len(), values.iter().copied());
                prop_assert_eq!(bytes.len(), encoding.size(values.len()));
                for (number, &plies) in values.iter().enumerate() {
                    let expected = Value::of_plies(plies);
                    let read = value(encoding, &bytes, number);
                    match encoding {
                        Encoding::Plies => prop_assert_eq!((read, read.plies()), (expected, plies)),
                        Encoding::Results => prop_assert_eq!(read, expected.without_plies()),
                    }
                }
            }
        }
    }
}
