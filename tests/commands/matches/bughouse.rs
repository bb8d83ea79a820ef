//! Bughouse on two boards: dropped pieces were captured on the other board, and only a side that
//! waits for a piece loses on time.

use super::{file, play, value};
use farboard::chess::{AnyPosition, Color, MoveKind, Role, Variant};
use std::fs;

#[test]
fn bughouse_is_played_by_four_sessions() {
    let pgn = file("bughouse.pgn");
    let report = play(&[
        "farboard",
        "farboard",
        "--variant",
        "bughouse",
        "--games",
        "2",
        "--clock",
        "2+0.02",
        "--margin",
        "60000",
        "--max-plies",
        "120",
        "--pgn",
        pgn.to_str().expect("a path"),
    ]);
    assert_eq!(value(&report, "games"), "2");
    let text = fs::read_to_string(&pgn).expect("games");
    let boards: Vec<Board> = text.split("[Event ").skip(1).map(Board::replay).collect();
    assert_eq!(boards.len(), 4, "two boards each");
    for game in boards.chunks(2) {
        let [first, second] = game else { panic!("two boards") };
        first.check_drops(second);
        second.check_drops(first);
        assert_eq!(first.termination, second.termination);
        match first.termination.as_str() {
            // A flag falls only where both boards wait for a piece.
            "loss on time" => assert!(first.position.waits() && second.position.waits(), "{text}"),
            "mate" | "resignation" => {}
            "adjudication: too long" => assert_eq!(first.plies + second.plies, 120, "{text}"),
            other => panic!("{other}: {text}"),
        }
    }
    fs::remove_file(pgn).expect("a file");
}

/// A board at the end of its game.
struct Board {
    position: AnyPosition,
    plies: u32,
    /// Captures and drops of each side, by role.
    taken: [[u32; 6]; 2],
    dropped: [[u32; 6]; 2],
    termination: String,
}

impl Board {
    /// Replays a PGN game, which does not record hands.
    fn replay(text: &str) -> Board {
        assert!(text.contains("[Variant \"bughouse\"]"), "{text}");
        let (tags, moves) = text.split_once("\n\n").expect("tags and moves");
        let termination = tags.split("[Termination \"").nth(1).and_then(|rest| rest.split('"').next());
        let mut board = Board {
            position: AnyPosition::start(Variant::BUGHOUSE),
            plies: 0,
            taken: [[0; 6]; 2],
            dropped: [[0; 6]; 2],
            termination: termination.expect("a tag").to_owned(),
        };
        let without_comments = moves.split('{').map(|part| part.rsplit('}').next().unwrap_or(part));
        let words = without_comments.flat_map(str::split_whitespace);
        let is_move = |word: &&str| word.starts_with(|letter: char| letter.is_ascii_alphabetic());
        words.filter(is_move).for_each(|word| board.play(word));
        board
    }

    fn play(&mut self, text: &str) {
        let side = self.position.turn().index();
        let mv = self.position.parse_opponents_move(text);
        let mv = mv.unwrap_or_else(|error| panic!("{text}: {error} in {}", self.position.fen()));
        if let MoveKind::Drop(role) = mv.kind() {
            self.dropped[side][role.index()] += 1;
        } else if let Some(role) = self.position.captured_for_hand(mv) {
            self.taken[side][role.index()] += 1;
        }
        self.position.play(mv);
        self.plies += 1;
    }

    /// Checks that each side dropped only pieces that its partner captured.
    fn check_drops(&self, other: &Board) {
        for color in Color::ALL {
            for role in Role::ALL {
                let dropped = self.dropped[color.index()][role.index()];
                let given = other.taken[(!color).index()][role.index()];
                assert!(dropped <= given, "{color:?} has dropped {dropped} of {given} {role:?}");
            }
        }
    }
}
