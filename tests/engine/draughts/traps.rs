//! Rules that programs often get wrong, one test each.

use super::{moves, position};
use farboard::chess::{Color, Outcome};
use farboard::draughts::{MoveError, Position};

#[test]
fn black_moves_first_and_towards_higher_numbers() {
    let start = Position::start();
    assert_eq!(start.turn(), Color::Black);
    assert_eq!(moves(&start.fen()), ["10x14", "10x15", "11x15", "11x16", "12x16", "9x13", "9x14"]);
}

#[test]
fn a_jump_is_compulsory() {
    let fen = "B:W14,32:B9,1";
    assert_eq!(moves(fen), ["9x18"]);
    assert_eq!(position(fen).parse_move("1-5"), Err(MoveError::MustJump));
}

#[test]
fn any_jump_may_be_chosen_also_one_that_takes_fewer() {
    assert_eq!(moves("B:W14,22,16:B9,11,12"), ["11x20", "12x19", "9x18x25"]);
}

#[test]
fn a_started_jump_is_carried_to_its_end() {
    let fen = "B:W14,22,31:B9";
    assert_eq!(moves(fen), ["9x18x25"]);
    assert_eq!(position(fen).parse_move("9x18"), Err(MoveError::Unfinished));
}

#[test]
fn men_jump_forward_only() {
    assert_eq!(moves("B:W9,18:B14"), ["14x23"]);
    assert_eq!(moves("W:W14:B9,18"), ["14x5"]);
    // After 9x18 the piece on 15 is behind it.
    assert_eq!(moves("B:W14,15:B9"), ["9x18"]);
}

#[test]
fn kings_do_not_fly() {
    assert_eq!(moves("W:WK18:B1"), ["18x14", "18x15", "18x22", "18x23"]);
    assert_eq!(moves("W:WK29:B18"), ["29x25"], "18 is three squares away");
}

#[test]
fn a_man_that_is_crowned_stops_even_if_a_king_could_jump_on() {
    let fen = "B:W26,27:B1,22";
    assert_eq!(moves(fen), ["22x31"]);
    let after = position(fen).after(position(fen).legal_moves()[0]);
    assert_eq!(after.fen(), "W:W27:B1,K31");
}

#[test]
fn a_jumped_piece_leaves_at_once() {
    // A king circles and could jump 14 again if it were still there.
    let fen = "W:WK17:B14,15,22,23";
    assert_eq!(moves(fen), ["17x10x19x26x17", "17x26x19x10x17"]);
    let round = position(fen).after(position(fen).legal_moves()[0]);
    assert_eq!(round.fen(), "B:WK17:B");
    assert_eq!(round.outcome(), Some(Outcome::Win(Color::White)));
}

#[test]
fn a_king_may_come_back_to_its_start_square_and_go_on() {
    let fen = "W:WK22:B17,9,10,18,26";
    assert_eq!(moves(fen), ["22x13x6x15x22x31", "22x15x6x13x22x31", "22x31"]);
    let mv = position(fen).parse_move("22x13x6x15x22x31").expect("a continuing jump");
    assert_eq!(position(fen).after(mv).fen(), "B:WK31:B");
}

#[test]
fn a_king_may_land_on_a_square_twice() {
    assert_eq!(moves("W:WK17:B7,8,14,15,16"), ["17x10x19x12x3x10", "17x10x3x12x19x10"]);
}

#[test]
fn a_king_that_ends_where_it_started_is_still_there() {
    let round = position("W:WK17:B14,15,22,23");
    let after = round.after(round.legal_moves()[0]);
    assert_eq!(after.fen(), "B:WK17:B");
    assert_eq!(after.key(), after.compute_key());
}

#[test]
fn twin_paths_with_the_same_result_are_different_moves() {
    let found = moves("W:WK17:B14,15,22,23");
    let position = position("W:WK17:B14,15,22,23");
    let [one, other] = position.legal_moves()[..] else { panic!("{found:?}") };
    assert_ne!(one, other);
    assert_eq!(position.after(one), position.after(other));
    // Both moves have the same first and last square, and lead to the same position.
    assert!(position.parse_move("17x17").is_ok_and(|mv| mv == one || mv == other));
}

#[test]
fn a_full_path_wins_over_a_short_reading() {
    let loops = position("B:W10,11,18,19,26,27:B5,K14,K15");
    let mv = loops.parse_move("15x6").expect("a single jump");
    assert_eq!(mv.jumped().count(), 1);
}

#[test]
fn ends_of_jumps_with_different_results_are_ambiguous() {
    let fen = "W:WK19:B6,14,15,22,23";
    assert_eq!(moves(fen), ["19x10x1", "19x10x17x26x19", "19x26x17x10x1", "19x26x17x10x19"]);
    assert_eq!(position(fen).parse_move("19x1"), Err(MoveError::Ambiguous));
    assert!(position(fen).parse_move("19x19").is_ok(), "the order does not matter");
    let printed: Vec<String> = position(fen).legal_moves().iter().map(|&mv| position(fen).pdn(mv)).collect();
    assert!(printed.iter().all(|text| text.len() > "19x19".len()), "{printed:?}");
}

#[test]
fn nine_jumps_are_one_move() {
    let fen = "B:W6,7,8,14,15,16,22,23,24:BK4";
    let found = moves(fen);
    assert_eq!(found.len(), 9);
    assert!(found.contains(&"4x11x2x9x18x11x20x27x18x25".to_owned()), "{found:?}");
    let mv = position(fen).parse_move("4x11x2x9x18x11x20x27x18x25").expect("nine jumps");
    assert_eq!(position(fen).after(mv).fen(), "W:W:BK25");
}

#[test]
fn a_side_that_is_blocked_or_has_no_pieces_has_lost() {
    assert_eq!(moves("W:W13:B6,9"), [""; 0]);
    assert_eq!(position("W:W13:B6,9").outcome(), Some(Outcome::Win(Color::Black)));
    assert_eq!(position("B:W13:B").outcome(), Some(Outcome::Win(Color::White)));
    assert_eq!(position("W:W13:B").outcome(), None, "the game is not over before White's turn");
}
