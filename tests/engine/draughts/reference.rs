//! A slow and simple move generator, written from the rules and independent of the library's: a
//! board of letters by row and column, every jump tried. `legal_moves` takes FEN as the library
//! writes it and returns each move with the resulting position.

use std::collections::BTreeMap;

/// `w`, `W`, `b`, `B` (kings are capitals) and `.`, by row and column from the top left.
type Board = [[char; 8]; 8];
/// Row and column.
type Place = (i32, i32);

/// The legal moves of a position by their full text, with the resulting FENs.
pub fn legal_moves(fen: &str) -> BTreeMap<String, String> {
    let (white, board) = read(fen);
    let mut jumps = Vec::new();
    let mut steps = Vec::new();
    for from in places().filter(|&(row, column)| board[row as usize][column as usize] != '.') {
        let piece = at(&board, from).expect("on the board");
        if piece.to_ascii_lowercase() != if white { 'w' } else { 'b' } {
            continue;
        }
        jump_on(&board, &[from], piece, &mut jumps);
        for (down, right) in directions(piece) {
            let to = (from.0 + down, from.1 + right);
            if at(&board, to) == Some('.') {
                let mut after = board;
                set(&mut after, from, '.');
                set(&mut after, to, crowned(piece, to));
                steps.push((vec![from, to], after));
            }
        }
    }
    let moves = if jumps.is_empty() { steps } else { jumps };
    let named: BTreeMap<String, String> =
        moves.iter().map(|(way, after)| (text(way), write(!white, after))).collect();
    assert_eq!(named.len(), moves.len(), "a duplicate move in {fen}");
    named
}

/// Extends a jump from the end of `way`, on the board without the captured pieces; records it when
/// it cannot continue.
fn jump_on(board: &Board, way: &[Place], piece: char, jumps: &mut Vec<(Vec<Place>, Board)>) {
    let here = *way.last().expect("a way has a start");
    let mut goes_on = false;
    // A man that reaches the far row is crowned, which ends its turn.
    let is_crowned_now = crowned(piece, here) != piece;
    for (down, right) in directions(piece) {
        let over = (here.0 + down, here.1 + right);
        let to = (over.0 + down, over.1 + right);
        let takes = at(board, over).is_some_and(|other| is_opponent(piece, other));
        if takes && at(board, to) == Some('.') && !is_crowned_now {
            goes_on = true;
            let mut after = *board;
            set(&mut after, here, '.');
            set(&mut after, over, '.');
            set(&mut after, to, piece);
            jump_on(&after, &[way, &[to]].concat(), piece, jumps);
        }
    }
    if !goes_on && way.len() > 1 {
        let mut after = *board;
        set(&mut after, here, crowned(piece, here));
        jumps.push((way.to_vec(), after));
    }
}

fn is_opponent(piece: char, other: char) -> bool {
    other != '.' && !other.eq_ignore_ascii_case(&piece)
}

fn crowned(piece: char, (row, _): Place) -> char {
    match (piece, row) {
        ('w', 0) | ('b', 7) => piece.to_ascii_uppercase(),
        _ => piece,
    }
}

fn directions(piece: char) -> Vec<(i32, i32)> {
    match piece {
        'w' => vec![(-1, -1), (-1, 1)],
        'b' => vec![(1, -1), (1, 1)],
        _ => vec![(-1, -1), (-1, 1), (1, -1), (1, 1)],
    }
}

fn places() -> impl Iterator<Item = Place> {
    (0..8).flat_map(|row| (0..8).map(move |column| (row, column))).filter(|place| is_dark(*place))
}

fn is_dark((row, column): Place) -> bool {
    (row + column) % 2 == 1
}

fn at(board: &Board, (row, column): Place) -> Option<char> {
    board.get(usize::try_from(row).ok()?)?.get(usize::try_from(column).ok()?).copied()
}

fn set(board: &mut Board, (row, column): Place, piece: char) {
    board[row as usize][column as usize] = piece;
}

fn number(place: Place) -> usize {
    places().position(|other| other == place).expect("a dark square") + 1
}

fn text(way: &[Place]) -> String {
    let numbers: Vec<String> = way.iter().map(|&place| number(place).to_string()).collect();
    numbers.join("x")
}

fn read(fen: &str) -> (bool, Board) {
    let parts: Vec<&str> = fen.split(':').collect();
    let mut board = [['.'; 8]; 8];
    for part in &parts[1..] {
        let (color, pieces) = part.split_at(1);
        for item in pieces.split(',').filter(|item| !item.is_empty()) {
            let number: usize = item.trim_start_matches('K').parse().expect("a number");
            let place = places().nth(number - 1).expect("32 squares");
            let man = color.to_ascii_lowercase().chars().next().expect("a letter");
            set(&mut board, place, if item.starts_with('K') { man.to_ascii_uppercase() } else { man });
        }
    }
    (parts[0] == "W", board)
}

fn write(white: bool, board: &Board) -> String {
    let list = |man: char| {
        let pieces = places().filter_map(|place| match at(board, place) {
            Some(piece) if piece == man => Some(number(place).to_string()),
            Some(piece) if piece == man.to_ascii_uppercase() => Some(format!("K{}", number(place))),
            _ => None,
        });
        pieces.collect::<Vec<_>>().join(",")
    };
    format!("{}:W{}:B{}", if white { "W" } else { "B" }, list('w'), list('b'))
}
