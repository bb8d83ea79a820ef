//! Control characters of a server, made visible where a terminal would interpret them.

/// Filter for output to a terminal. Characters and line breaks may be split between writes.
#[derive(Debug, Default)]
pub(super) struct Visible {
    /// The beginning of a character, or a carriage return whose successor is not known: at most 3
    /// bytes.
    rest: Vec<u8>,
}

impl Visible {
    /// Returns the bytes with control characters as `^[`, those beyond ASCII and bytes outside
    /// UTF-8 as `\x9b`. Line breaks and tabs stay; undecided bytes are returned with the next ones.
    pub(super) fn show(&mut self, bytes: &[u8]) -> Vec<u8> {
        let mut all = std::mem::take(&mut self.rest);
        all.extend_from_slice(bytes);
        self.rest = all.split_off(all.len() - undecided(&all));
        let mut shown = String::with_capacity(all.len());
        let hexadecimal = |byte: u8| format!("\\x{byte:02x}");
        for chunk in all.utf8_chunks() {
            let mut characters = chunk.valid().chars().peekable();
            while let Some(character) = characters.next() {
                let is_line_break = character == '\r' && characters.peek() == Some(&'\n');
                match character {
                    '\n' | '\t' => shown.push(character),
                    '\r' if is_line_break => shown.push(character),
                    '\0'..' ' | '\x7f' => shown.extend(['^', char::from(character as u8 ^ 0x40)]),
                    '\u{80}'..'\u{a0}' => shown += &hexadecimal(character as u8),
                    _ => shown.push(character),
                }
            }
            shown.extend(chunk.invalid().iter().map(|&byte| hexadecimal(byte)));
        }
        shown.into_bytes()
    }
}

/// Returns the number of bytes at the end whose meaning depends on the next ones.
fn undecided(bytes: &[u8]) -> usize {
    if bytes.ends_with(b"\r") {
        return 1;
    }
    let begins_a_character = |length: &usize| {
        let end = std::str::from_utf8(&bytes[bytes.len() - length..]);
        end.is_err_and(|error| error.valid_up_to() == 0 && error.error_len().is_none())
    };
    (1..=bytes.len().min(3)).find(begins_a_character).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(pieces: &[&[u8]]) -> String {
        let mut visible = Visible::default();
        let shown = pieces.iter().flat_map(|piece| visible.show(piece)).collect();
        String::from_utf8(shown).expect("text")
    }

    #[test]
    fn text_and_its_line_breaks_stay() {
        assert_eq!(shown(&["# Čigorin\tplays\r\nmove e2e4\n".as_bytes()]), "# Čigorin\tplays\r\nmove e2e4\n");
        assert_eq!(shown(&[b"pong 1\r", b"\npong 2\n"]), "pong 1\r\npong 2\n");
    }

    #[test]
    fn control_characters_are_shown() {
        assert_eq!(shown(&[b"\x1b]0;title\x07\x1b[2J\x00\x7f\x08\n"]), "^[]0;title^G^[[2J^@^?^H\n");
        assert_eq!(shown(&["\u{9b}2J\u{85}".as_bytes(), b"\x9b2J\xff\n"]), "\\x9b2J\\x85\\x9b2J\\xff\n");
        assert_eq!(shown(&[b"move e2e4\rmove e7e5\n", b"x\r", b"y\n"]), "move e2e4^Mmove e7e5\nx^My\n");
    }

    #[test]
    fn characters_may_come_in_pieces() {
        let text = "a♚\u{9b}é𝄞\x1b\r\nz\n".as_bytes();
        let whole = shown(&[text]);
        for length in 1..5 {
            assert_eq!(shown(&text.chunks(length).collect::<Vec<_>>()), whole, "pieces of {length}");
        }
        assert_eq!(shown(&[b"\xe2\x99", b"x\n"]), "\\xe2\\x99x\n");
    }
}
