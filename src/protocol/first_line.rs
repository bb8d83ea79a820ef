//! The first line of a session, which shows the client's protocol.

/// Returns true if a first line is of UCI: `uci`, or another command with which a user or a script
/// may begin. A session of no other protocol begins with any of these; xboard's `go` has no
/// argument.
pub(crate) fn is_uci(line: &[u8]) -> bool {
    let mut words = line.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty());
    match words.next() {
        Some(
            b"uci" | b"debug" | b"isready" | b"register" | b"ucinewgame" | b"setoption" | b"position"
            | b"stop" | b"d" | b"eval",
        ) => true,
        Some(b"go") => words.next().is_some(),
        _ => false,
    }
}
