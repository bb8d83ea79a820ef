//! The first line of a session, which shows the client's protocol.

/// Whether a first line is of UCI: `uci`, or what a person may begin with who types or pipes commands. In no other protocol does
/// a session begin with any of these; xboard's `go` takes nothing.
pub fn is_uci(line: &[u8]) -> bool {
    let mut words = line.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty());
    match words.next() {
        Some(b"uci" | b"isready" | b"ucinewgame" | b"setoption" | b"position" | b"d" | b"eval") => true,
        Some(b"go") => words.next().is_some(),
        _ => false,
    }
}
