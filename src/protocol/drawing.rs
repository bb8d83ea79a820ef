//! A board drawn in characters, as Stockfish draws it; programs read it, too.

use std::fmt;

/// Lines of a drawing.
pub const DRAWN_LINES: u8 = 18;

/// The squares of a board from its last rank to its first, a character each; what is not a letter
/// is drawn as empty.
pub type Squares = [char; 64];

/// Writes one line of a drawing, from 0 to [`DRAWN_LINES`]: the squares between rules, followed by
/// the rank numbers, with the file letters below. It begins with a blank.
pub(super) fn draw(line: u8, squares: &Squares, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    if line >= DRAWN_LINES - 1 {
        return f.write_str("   a   b   c   d   e   f   g   h");
    }
    if line.is_multiple_of(2) {
        return f.write_str(" +---+---+---+---+---+---+---+---+");
    }
    let rank = usize::from(line / 2);
    for square in &squares[8 * rank..8 * rank + 8] {
        let shown = if square.is_ascii_alphabetic() { *square } else { ' ' };
        write!(f, " | {shown}")?;
    }
    write!(f, " | {}", 8 - rank)
}
