//! The checksum of headers, CRC32c (RFC 4960, appendix B).

/// The polynomial of Castagnoli, its bits reversed.
const POLYNOMIAL: u32 = 0x82f6_3b78;

/// The checksum of the concatenated parts. Bit by bit: there is one short header for each
/// connection.
pub(super) fn crc32c(parts: [&[u8]; 3]) -> u32 {
    let bytes = parts.into_iter().flatten();
    !bytes.fold(!0, |sum, &byte| {
        (0..u8::BITS)
            .fold(sum ^ u32::from(byte), |sum, _| (sum >> 1) ^ if sum & 1 == 1 { POLYNOMIAL } else { 0 })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_sums() {
        assert_eq!(crc32c([b"123456789", b"", b""]), 0xe306_9283);
        assert_eq!(crc32c([b"1234", b"", b"56789"]), 0xe306_9283);
        // RFC 3720, appendix B.4: 32 bytes of zeros, and of ones.
        assert_eq!(crc32c([&[0; 32], b"", b""]), 0x8a91_36aa);
        assert_eq!(crc32c([&[0xff; 32], b"", b""]), 0x62a8_ab43);
    }
}
