//! Numbers in as many bytes as they need: seven bits in each, the lowest first, and a bit that says
//! whether more follow (LEB128).

/// Appends a number.
pub(super) fn write(mut number: u32, bytes: &mut Vec<u8>) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

/// Takes a number off the front; `None` if there is none that fits into 32 bits.
pub(super) fn read(bytes: &mut &[u8]) -> Option<u32> {
    let mut number = 0u64;
    for shift in (0..35).step_by(7) {
        let (&byte, rest) = bytes.split_first()?;
        *bytes = rest;
        number |= u64::from(byte & 0x7f) << shift;
        if byte < 0x80 {
            return u32::try_from(number).ok();
        }
    }
    None
}

/// Maps numbers near 0, of either sign, to small ones.
pub(super) fn fold(number: i32) -> u32 {
    (number << 1 ^ number >> 31) as u32
}

/// The reverse of [`fold`].
pub(super) fn unfold(number: u32) -> i32 {
    (number >> 1) as i32 ^ -((number & 1) as i32)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn numbers_are_read_back(number: i32) {
            prop_assert_eq!(unfold(fold(number)), number);
            let mut bytes = Vec::new();
            write(number as u32, &mut bytes);
            let mut left = &bytes[..];
            prop_assert_eq!(read(&mut left), Some(number as u32));
            prop_assert!(left.is_empty());
        }
    }

    #[test]
    fn small_numbers_take_a_byte() {
        for number in [0, 1, -1, 63, -64] {
            let mut bytes = Vec::new();
            write(fold(number), &mut bytes);
            assert_eq!(bytes.len(), 1, "{number}");
        }
    }

    #[test]
    fn unfinished_and_long_numbers_are_refused() {
        for mut bytes in [&[][..], &[0x80], &[0xff, 0xff, 0xff, 0xff, 0x10], &[0x80; 9]] {
            assert_eq!(read(&mut bytes), None);
        }
    }
}
