//! The endgame database against values computed by another program, and against itself one ply
//! deeper.

use super::position;
use crate::support::dice::Dice;
use farboard::chess::Color;
use farboard::draughts::endgames::{BuildError, Endgames, Value};
use farboard::draughts::{Move, Position, Setup, Square};
use std::ops::ControlFlow;
use std::sync::{Arc, OnceLock};

/// Size of a random sample.
const SAMPLE: usize = 100_000;

fn build(pieces: u32) -> Endgames {
    Endgames::build(pieces, 2, &mut |_, _| ControlFlow::Continue(())).expect("building is not stopped")
}

/// All positions of up to four pieces.
pub fn four() -> &'static Arc<Endgames> {
    static FOUR: OnceLock<Arc<Endgames>> = OnceLock::new();
    FOUR.get_or_init(|| Arc::new(build(4)))
}

/// The value of a position after a move, for the side that moved.
pub fn after(endgames: &Endgames, position: &Position, mv: Move) -> Value {
    let after = position.after(mv);
    if after.side(after.turn()).is_empty() {
        return Value::Win(Some(1));
    }
    match endgames.probe(&after).expect("positions with fewer pieces are known") {
        Value::Win(plies) => Value::Loss(plies.map(|plies| plies + 1)),
        Value::Draw => Value::Draw,
        Value::Loss(plies) => Value::Win(plies.map(|plies| plies + 1)),
    }
}

/// Greater is better for the side to move.
pub fn goodness(value: Value) -> i32 {
    match value {
        Value::Win(plies) => 1000 - i32::from(plies.expect("known")),
        Value::Draw => 0,
        Value::Loss(plies) => i32::from(plies.expect("known")) - 1000,
    }
}

/// Checks that the value equals the best move's value.
fn check(endgames: &Endgames, position: &Position) {
    let values = position.legal_moves().into_iter().map(|mv| after(endgames, position, mv));
    let best = values.max_by_key(|&value| goodness(value)).unwrap_or(Value::Loss(Some(0)));
    assert_eq!(endgames.probe(position), Some(best), "{}", position.fen());
}

/// Compares the positions of the file with up to this many pieces; returns their number.
fn compare_with_file(endgames: &Endgames, pieces: u32) -> usize {
    let mut compared = 0;
    for line in include_str!("../../data/checkers-endgame-truth.epd").lines() {
        let fields: Vec<&str> = line.split(';').collect();
        let [_, fen, value, plies, keep, of] = fields[..] else { panic!("{line}: six fields") };
        let position = position(fen);
        if 32 - position.empty().count() > pieces {
            continue;
        }
        let plies = plies.trim_start_matches("plies ").parse().ok();
        let value = match value {
            "value win" => Value::Win(plies),
            "value draw" => Value::Draw,
            "value loss" => Value::Loss(plies),
            _ => panic!("{line}: no value"),
        };
        assert_eq!(endgames.probe(&position), Some(value), "{line}");
        let mut moves = position.legal_moves();
        assert_eq!(format!("of {}", moves.len()), of, "{line}");
        let same_result = |found: Value| goodness(found).signum() == goodness(value).signum();
        moves.retain(|&mut mv| same_result(after(endgames, &position, mv)));
        let mut kept: Vec<String> = moves.iter().map(ToString::to_string).collect();
        let mut keep: Vec<&str> = keep.trim_start_matches("keep ").split(',').collect();
        kept.sort();
        keep.sort();
        assert_eq!(kept, keep, "{line}");
        compared += 1;
    }
    compared
}

/// A legal position with this many pieces, some of each side.
pub fn random_position(dice: &mut Dice, pieces: usize) -> Position {
    loop {
        let mut setup = Setup::empty(Color::ALL[dice.roll(2)]);
        let own = 1 + dice.roll(pieces - 1);
        for piece in 0..pieces {
            let color = Color::ALL[usize::from(piece < own)];
            let is_king = dice.roll(2) == 0;
            let square = Square::new(dice.roll(32) as u8 + 1).expect("1 to 32");
            setup.put(color, is_king, square);
        }
        let is_full = setup.side(Color::White).count() + setup.side(Color::Black).count() == pieces as u32;
        match Position::set_up(&setup) {
            Ok(position) if is_full => return position,
            _ => {}
        }
    }
}

#[test]
fn four_pieces_are_as_another_program_has_them() {
    assert_eq!(compare_with_file(four(), 4), 46);
    assert_eq!((four().max_pieces(), four().len()), (4, 6_408_836));
}

#[test]
fn well_known_endings_have_their_values() {
    // The First Position, as given and in Lasker's form.
    for (fen, value) in [
        ("W:WK15,20:B12,K28", Value::Win(Some(81))),
        ("B:WK15,20:B12,K28", Value::Draw),
        ("W:WK19,K23:B12,K28", Value::Win(Some(61))),
        ("B:WK19,K23:B12,K28", Value::Draw),
    ] {
        assert_eq!(four().probe(&position(fen)), Some(value), "{fen}");
    }
}

#[test]
fn all_positions_of_three_pieces_are_worth_what_their_best_move_is() {
    let three = build(3);
    let mut checked = 0;
    let pieces = |square| {
        [(Color::White, false), (Color::White, true), (Color::Black, false), (Color::Black, true)]
            .map(|(color, is_king)| (color, is_king, square))
    };
    let all: Vec<_> = Square::all().flat_map(pieces).collect();
    let mut positions = |placed: &[(Color, bool, Square)]| {
        for turn in Color::ALL {
            let mut setup = Setup::empty(turn);
            let is_free = placed.iter().all(|&(color, is_king, square)| setup.put(color, is_king, square));
            let both = Color::ALL.iter().all(|&color| setup.side(color).any());
            match Position::set_up(&setup) {
                Ok(position) if is_free && both => check(&three, &position),
                _ => continue,
            }
            checked += 1;
        }
    };
    for (number, &first) in all.iter().enumerate() {
        for (second_number, &second) in all.iter().enumerate().skip(number + 1) {
            positions(&[first, second]);
            all[second_number + 1..].iter().for_each(|&third| positions(&[first, second, third]));
        }
    }
    assert_eq!(checked, 2 * three.len(), "either side may be on move");
}

#[test]
fn a_sample_of_four_pieces_is_worth_what_its_best_moves_are() {
    let mut dice = Dice::of_seed(1);
    for _ in 0..SAMPLE {
        check(four(), &random_position(&mut dice, 4));
    }
}

#[test]
fn positions_outside_the_database_have_no_value() {
    for fen in ["W:WK1,K2,K3:BK30,K31", "W:W21:B", "B:W21:B", "W:W:B1"] {
        assert_eq!(four().probe(&position(fen)), None, "{fen}");
    }
    assert_eq!(four().probe(&Position::start()), None);
    assert_eq!(Endgames::default().probe(&position("W:WK1:BK32")), None);
    assert_eq!((Endgames::default().max_pieces(), Endgames::default().is_empty()), (0, true));
}

#[test]
fn an_observer_can_stop_the_run() {
    let mut seen = Vec::new();
    let mut watch = |done, total| {
        seen.push((done, total));
        if done * 2 > total { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    assert_eq!(Endgames::build(3, 2, &mut watch).unwrap_err(), BuildError::Aborted);
    assert!(seen.is_sorted() && seen.len() > 10, "{seen:?}");
    let len = build(3).len();
    assert!(seen.iter().all(|&(_, total)| total == len));
}

/// Takes a minute or two.
#[test]
#[ignore = "takes minutes"]
fn five_pieces_are_as_another_program_has_them() {
    let five = build(5);
    assert_eq!(compare_with_file(&five, 5), 86);
    let mut dice = Dice::of_seed(2);
    for _ in 0..SAMPLE {
        check(&five, &random_position(&mut dice, 5));
    }
}
