//! A slow and simple move generator, written from the rules and independent of the library's: a
//! board of letters, every move tried. `legal_moves` takes FEN and returns moves in coordinates.

use std::collections::BTreeSet;

/// Letters by rank and file, `.` for an empty square.
type Board = [[char; 8]; 8];
/// Rank and file.
type Square = (usize, usize);

/// A parsed FEN.
struct Position<'a> {
    variant: &'a str,
    board: Board,
    white: bool,
    castling: &'a str,
    castles_anywhere: bool,
    en_passant: Option<Square>,
    hand: &'a str,
    /// Checks that White and Black still have to give.
    checks: Option<(u32, u32)>,
}

/// A pseudo-legal move.
struct Candidate {
    text: String,
    after: Board,
    captures: bool,
    /// Squares on the king's path that must not be attacked, with the king itself removed.
    crosses: Vec<Square>,
}

const KNIGHT: [(i32, i32); 8] = [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)];
const STRAIGHT: [(i32, i32); 4] = [(1, 0), (-1, 0), (0, 1), (0, -1)];
const DIAGONAL: [(i32, i32); 4] = [(1, 1), (1, -1), (-1, 1), (-1, -1)];
const CENTER: [Square; 4] = [(3, 3), (3, 4), (4, 3), (4, 4)];

/// The legal moves of a position in coordinates; where kings and rooks may start anywhere, castling
/// is king takes rook.
pub fn legal_moves(variant: &str, fen: &str) -> BTreeSet<String> {
    let mut position = Position::read(variant.trim_end_matches("960"), fen);
    position.castles_anywhere = variant.ends_with("960") || variant == "fischerandom";
    if position.is_over() { BTreeSet::new() } else { position.legal() }
}

impl<'a> Position<'a> {
    fn read(variant: &'a str, fen: &'a str) -> Position<'a> {
        let fields: Vec<&str> = fen.split(' ').collect();
        let (rows, hand) = fields[0].split_once('[').unwrap_or((fields[0], ""));
        let mut board = [['.'; 8]; 8];
        for (rank, row) in (0..8).rev().zip(rows.split('/')) {
            let mut file = 0;
            for letter in row.chars().filter(|&letter| letter != '~') {
                match letter.to_digit(10) {
                    Some(gap) => file += gap as usize,
                    None => {
                        board[rank][file] = letter;
                        file += 1;
                    }
                }
            }
        }
        let checks = fields.get(4).and_then(|text| text.split_once('+'));
        Position {
            variant,
            board,
            white: fields[1] == "w",
            castling: fields[2],
            castles_anywhere: false,
            en_passant: square(fields[3]),
            hand: hand.trim_end_matches(']'),
            checks: checks.map(|(white, black)| (white.parse().unwrap(), black.parse().unwrap())),
        }
    }

    fn is(&self, variants: &[&str]) -> bool {
        variants.contains(&self.variant)
    }

    /// Returns true if the game has ended although pieces could move.
    fn is_over(&self) -> bool {
        let kings = |letter| pieces(&self.board, |piece| piece == letter);
        let arrived = |letter| kings(letter).iter().any(|&(rank, _)| rank == 7);
        match self.variant {
            "3check" => self.checks.is_some_and(|(white, black)| white == 0 || black == 0),
            "kingofthehill" => {
                ['K', 'k'].iter().any(|&king| kings(king).iter().any(|at| CENTER.contains(at)))
            }
            "atomic" | "atomic-icc" => kings('K').is_empty() || kings('k').is_empty(),
            "losers" => {
                [true, false].iter().any(|&white| pieces(&self.board, |p| is_of(p, white)).len() == 1)
            }
            "horde" => pieces(&self.board, |piece| is_of(piece, true)).is_empty(),
            "racingkings" if arrived('k') => true,
            "racingkings" if arrived('K') => {
                let arrives = |text: &String| {
                    let (from, to) = (square(&text[..2]).unwrap(), square(&text[2..4]).unwrap());
                    self.board[from.0][from.1] == 'k' && to.0 == 7
                };
                self.white || !self.legal().iter().any(arrives)
            }
            _ => false,
        }
    }

    fn legal(&self) -> BTreeSet<String> {
        let mut legal = self.candidates();
        legal.retain(|candidate| self.is_safe(candidate));
        let must_capture = self.is(&["losers", "suicide", "giveaway"]);
        if must_capture && legal.iter().any(|candidate| candidate.captures) {
            legal.retain(|candidate| candidate.captures);
        }
        legal.into_iter().map(|candidate| candidate.text).collect()
    }

    fn is_safe(&self, candidate: &Candidate) -> bool {
        let after = &candidate.after;
        let has_king = |white: bool| pieces(after, |piece| piece == king(white)).len() == 1;
        let in_check = |board: &Board, white| self.in_check(board, white);
        let way_is_safe = candidate.crosses.iter().all(|&at| !self.is_dangerous(&self.board, at, self.white));
        match self.variant {
            "suicide" | "giveaway" => true,
            "atomic-icc" => has_king(self.white),
            "atomic" if !has_king(self.white) => false,
            "atomic" if !has_king(!self.white) => true,
            "racingkings" => !in_check(after, true) && !in_check(after, false),
            _ => way_is_safe && !in_check(after, self.white),
        }
    }

    /// The king that must not be attacked, if the side has one.
    fn royal(&self, board: &Board, white: bool) -> Option<Square> {
        if self.is(&["suicide", "giveaway", "atomic-icc"]) {
            return None;
        }
        pieces(board, |piece| piece == king(white)).into_iter().min_by_key(|&(rank, file)| (file, rank))
    }

    fn in_check(&self, board: &Board, white: bool) -> bool {
        self.royal(board, white).is_some_and(|at| self.is_dangerous(board, at, white))
    }

    /// Returns true if a king on this square would be in check.
    fn is_dangerous(&self, board: &Board, at: Square, white: bool) -> bool {
        let enemy_king = |near: Square| board[near.0][near.1] == king(!white);
        let touches = self.variant == "atomic" && neighbours(at).into_iter().any(enemy_king);
        !touches && is_attacked(board, at, !white)
    }

    fn candidates(&self) -> Vec<Candidate> {
        let mut found = Vec::new();
        for (rank, file) in pieces(&self.board, |piece| is_of(piece, self.white)) {
            match self.board[rank][file].to_ascii_lowercase() {
                'p' => self.pawn((rank, file), &mut found),
                'n' => self.piece((rank, file), &KNIGHT, 1, &mut found),
                'b' => self.piece((rank, file), &DIAGONAL, 7, &mut found),
                'r' => self.piece((rank, file), &STRAIGHT, 7, &mut found),
                'q' => self.piece((rank, file), &[STRAIGHT, DIAGONAL].concat(), 7, &mut found),
                _ => self.piece((rank, file), &[STRAIGHT, DIAGONAL].concat(), 1, &mut found),
            }
        }
        self.castlings(&mut found);
        self.drops(&mut found);
        found
    }

    fn piece(&self, from: Square, directions: &[(i32, i32)], reach: i32, found: &mut Vec<Candidate>) {
        let kings_cannot_capture =
            self.is(&["atomic", "atomic-icc"]) && self.board[from.0][from.1] == king(self.white);
        for direction in directions {
            for steps in 1..=reach {
                let Some(to) = step(from, direction.0 * steps, direction.1 * steps) else { break };
                let target = self.board[to.0][to.1];
                if target == '.' {
                    self.push(from, to, None, found);
                    continue;
                }
                if is_of(target, !self.white) && !kings_cannot_capture {
                    self.push(from, to, None, found);
                }
                break;
            }
        }
    }

    fn pawn(&self, from: Square, found: &mut Vec<Candidate>) {
        let forward = if self.white { 1 } else { -1 };
        let doubling: &[usize] = match (self.white, self.variant) {
            (true, "horde") => &[0, 1],
            (true, _) => &[1],
            (false, _) => &[6],
        };
        let is_empty = |at: Square| self.board[at.0][at.1] == '.';
        if let Some(to) = step(from, forward, 0).filter(|&to| is_empty(to)) {
            self.push(from, to, None, found);
            if let Some(to) = step(to, forward, 0).filter(|&to| is_empty(to) && doubling.contains(&from.0)) {
                self.push(from, to, None, found);
            }
        }
        for side in [-1, 1] {
            let Some(to) = step(from, forward, side) else { continue };
            if is_of(self.board[to.0][to.1], !self.white) {
                self.push(from, to, None, found);
            } else if self.en_passant == Some(to) {
                self.push(from, to, Some((from.0, to.1)), found);
            }
        }
    }

    /// Adds a piece's move with all its promotions; `passed` is the pawn captured en passant.
    fn push(&self, from: Square, to: Square, passed: Option<Square>, found: &mut Vec<Candidate>) {
        let piece = self.board[from.0][from.1];
        let captures = passed.is_some() || self.board[to.0][to.1] != '.';
        let last = if self.white { 7 } else { 0 };
        let choices = match piece.eq_ignore_ascii_case(&'p') && to.0 == last {
            false => "",
            true if self.is(&["suicide", "giveaway"]) => "qrbnk",
            true => "qrbn",
        };
        let mut add = |becomes: char, suffix: String| {
            let mut after = self.board;
            after[from.0][from.1] = '.';
            if let Some(passed) = passed {
                after[passed.0][passed.1] = '.';
            }
            after[to.0][to.1] = becomes;
            if captures && self.is(&["atomic", "atomic-icc"]) {
                after[to.0][to.1] = '.';
                for near in neighbours(to) {
                    if !after[near.0][near.1].eq_ignore_ascii_case(&'p') {
                        after[near.0][near.1] = '.';
                    }
                }
            }
            let text = format!("{}{}{suffix}", name(from), name(to));
            found.push(Candidate { text, after, captures, crosses: Vec::new() });
        };
        if choices.is_empty() {
            return add(piece, String::new());
        }
        for letter in choices.chars() {
            add(if self.white { letter.to_ascii_uppercase() } else { letter }, letter.to_string());
        }
    }

    fn castlings(&self, found: &mut Vec<Candidate>) {
        let home = if self.white { 0 } else { 7 };
        let several = self.is(&["twokings", "giveaway", "atomic-icc"]);
        for letter in self.castling.chars().filter(|&letter| is_of(letter, self.white)) {
            let king_file = if several {
                4
            } else {
                (0..8).find(|&file| self.board[home][file] == king(self.white)).expect("a king that castles")
            };
            let rook_file = match letter.to_ascii_lowercase() {
                'k' => 7,
                'q' => 0,
                file => file as usize - 'a' as usize,
            };
            let (king_to, rook_to) =
                match (rook_file > king_file, self.variant == "wildcastle" && king_file == 3) {
                    (true, false) => (6, 5),
                    (false, false) => (2, 3),
                    (true, true) => (5, 4),
                    (false, true) => (1, 2),
                };
            let mut others = self.board;
            (others[home][king_file], others[home][rook_file]) = ('.', '.');
            let used = [king_file, rook_file, king_to, rook_to];
            let (least, most) = (used.into_iter().min().unwrap(), used.into_iter().max().unwrap());
            let way = |from: usize, to: usize| from.min(to)..=from.max(to);
            let blocked = |file: usize| others[home][file] != '.';
            let needed = |file: &usize| {
                way(king_file, king_to).contains(file) || way(rook_file, rook_to).contains(file)
            };
            if (least..=most).filter(needed).any(blocked) {
                continue;
            }
            let mut after = others;
            after[home][king_to] = king(self.white);
            after[home][rook_to] = if self.white { 'R' } else { 'r' };
            let royal = self.royal(&self.board, self.white);
            let crosses = match royal {
                Some((rank, file)) if (rank, file) == (home, king_file) => way(king_file, king_to)
                    .filter(|&at| at == king_file || at != king_to)
                    .map(|at| (home, at))
                    .collect(),
                Some(other) => vec![other],
                None => Vec::new(),
            };
            let to = if self.castles_anywhere { rook_file } else { king_to };
            let text = format!("{}{}", name((home, king_file)), name((home, to)));
            found.push(Candidate { text, after, captures: false, crosses });
        }
    }

    fn drops(&self, found: &mut Vec<Candidate>) {
        let kinds: BTreeSet<char> = self.hand.chars().filter(|&piece| is_of(piece, self.white)).collect();
        for piece in kinds {
            for at in pieces(&self.board, |piece| piece == '.') {
                if piece.eq_ignore_ascii_case(&'p') && (at.0 == 0 || at.0 == 7) {
                    continue;
                }
                let mut after = self.board;
                after[at.0][at.1] = piece;
                let text = format!("{}@{}", piece.to_ascii_uppercase(), name(at));
                found.push(Candidate { text, after, captures: false, crosses: Vec::new() });
            }
        }
    }
}

fn is_attacked(board: &Board, at: Square, by_white: bool) -> bool {
    let stands = |from: Option<Square>, letters: &str| {
        from.is_some_and(|from| {
            let piece = board[from.0][from.1];
            is_of(piece, by_white) && letters.contains(piece.to_ascii_lowercase())
        })
    };
    let sees = |directions: &[(i32, i32)], letters: &str| {
        directions.iter().any(|direction| {
            let line = (1..8).map_while(|steps| step(at, direction.0 * steps, direction.1 * steps));
            stands(line.into_iter().find(|next| board[next.0][next.1] != '.'), letters)
        })
    };
    let behind = if by_white { -1 } else { 1 };
    KNIGHT.iter().any(|jump| stands(step(at, jump.0, jump.1), "n"))
        || neighbours(at).into_iter().any(|near| stands(Some(near), "k"))
        || [-1, 1].iter().any(|&side| stands(step(at, behind, side), "p"))
        || sees(&STRAIGHT, "rq")
        || sees(&DIAGONAL, "bq")
}

fn neighbours(at: Square) -> Vec<Square> {
    STRAIGHT.iter().chain(&DIAGONAL).filter_map(|direction| step(at, direction.0, direction.1)).collect()
}

fn step(from: Square, ranks: i32, files: i32) -> Option<Square> {
    let (rank, file) = (from.0 as i32 + ranks, from.1 as i32 + files);
    ((0..8).contains(&rank) && (0..8).contains(&file)).then_some((rank as usize, file as usize))
}

fn pieces(board: &Board, wanted: impl Fn(char) -> bool) -> Vec<Square> {
    let squares = (0..8).flat_map(|rank| (0..8).map(move |file| (rank, file)));
    squares.filter(|&(rank, file)| wanted(board[rank][file])).collect()
}

fn is_of(piece: char, white: bool) -> bool {
    if white { piece.is_ascii_uppercase() } else { piece.is_ascii_lowercase() }
}

fn king(white: bool) -> char {
    if white { 'K' } else { 'k' }
}

fn name(at: Square) -> String {
    format!("{}{}", (b'a' + at.1 as u8) as char, at.0 + 1)
}

fn square(text: &str) -> Option<Square> {
    let &[file @ b'a'..=b'h', rank @ b'1'..=b'8'] = text.as_bytes() else { return None };
    Some(((rank - b'1') as usize, (file - b'a') as usize))
}
