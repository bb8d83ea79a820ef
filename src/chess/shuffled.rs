//! Start positions of Chess960.

/// Returns a start position of Chess960: bishops on squares of both colours, the king between the
/// rooks. `dice` returns a random number below its argument.
pub fn shuffled(dice: &mut impl FnMut(usize) -> usize) -> String {
    let mut rank = [' '; 8];
    rank[2 * dice(4)] = 'b';
    rank[2 * dice(4) + 1] = 'b';
    let mut place = |piece: char, nth: usize| {
        let free = (0..8).filter(|&file| rank[file] == ' ').nth(nth).expect("a file is free for each piece");
        rank[free] = piece;
    };
    place('q', dice(6));
    place('n', dice(5));
    place('n', dice(4));
    ['r', 'k', 'r'].into_iter().for_each(|piece| place(piece, 0));
    let black: String = rank.iter().collect();
    format!("{black}/pppppppp/8/8/8/8/PPPPPPPP/{} w KQkq - 0 1", black.to_uppercase())
}
