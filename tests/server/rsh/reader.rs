//! WinBoard's reader for remote shells (`SocketInputThread`, `InputEvent`) with its bug: received
//! data always overwrites the start of the buffer, but is counted as if appended to the incomplete
//! line.

/// Maximum number of bytes received at once.
pub const BUFFER: usize = 4096;

/// The buffer of one connection.
pub struct FaultyReader {
    /// Twice the size: the counted length may exceed the received one.
    buffer: Vec<u8>,
    next: usize,
}

impl FaultyReader {
    pub fn new() -> FaultyReader {
        FaultyReader { buffer: vec![0; 2 * BUFFER], next: 0 }
    }

    /// Receives bytes; returns the complete lines as seen by WinBoard.
    pub fn received(&mut self, bytes: &[u8]) -> Vec<String> {
        assert!(bytes.len() <= BUFFER);
        self.buffer[..bytes.len()].copy_from_slice(bytes);
        self.next = (self.next + bytes.len()).min(self.buffer.len());
        let mut lines = Vec::new();
        let mut start = 0;
        for index in 0..self.next {
            if self.buffer[index] == b'\n' {
                lines.push(as_c_string(&self.buffer[start..=index]));
                start = index + 1;
            }
        }
        self.buffer.copy_within(start..self.next, 0);
        self.next -= start;
        lines
    }
}

/// The lines as seen by a correct reader.
pub fn lines(bytes: &[u8]) -> Vec<String> {
    let complete = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
    bytes[..complete].split_inclusive(|&byte| byte == b'\n').map(as_c_string).collect()
}

/// A line ends at its first NUL or line end.
fn as_c_string(line: &[u8]) -> String {
    let end = line.iter().position(|byte| matches!(byte, 0 | b'\r' | b'\n')).unwrap_or(line.len());
    String::from_utf8_lossy(&line[..end]).into_owned()
}

fn read(pieces: &[&str]) -> Vec<String> {
    let mut reader = FaultyReader::new();
    pieces.iter().flat_map(|piece| reader.received(piece.as_bytes())).collect()
}

#[test]
fn whole_lines_are_read_as_they_are() {
    assert_eq!(
        read(&["pong 1\n", "8 10 20 300\te4\nmove e2e4\n"]),
        ["pong 1", "8 10 20 300\te4", "move e2e4"]
    );
}

/// Otherwise the games in these tests would prove nothing.
#[test]
fn a_line_in_two_pieces_loses_its_beginning_and_repeats_what_was_there_before() {
    assert_ne!(read(&["pong 1\nmove e", "2e4\n"]), ["pong 1", "move e2e4"]);
    assert_eq!(read(&["move e2e4\npo", "ng 1\n", "pong 2\n"]), ["move e2e4", "ng 1", "pong 2"]);
    let shown = read(&["move g1f3\nmove b", "1c3\n\n", "pong 1\n"]);
    assert!(shown.contains(&"1c3".to_owned()), "{shown:?}");
    let long = "8 10 20 300\te4\n".repeat(300);
    let pieces: Vec<&str> = [&long[..BUFFER], &long[BUFFER..]].to_vec();
    assert_ne!(read(&pieces), lines(long.as_bytes()), "more waits than it reads at once");
}

#[test]
fn a_nul_hides_the_line_behind_it() {
    assert_eq!(read(&["\0feature done=1\n"]), [""]);
    assert_eq!(read(&["\0", "feature done=1\n"])[0], "feature done=1");
}
