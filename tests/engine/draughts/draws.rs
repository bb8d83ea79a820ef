//! Draws by repetition and by the 40-move rule, and the positions just before them.

use super::position;
use farboard::chess::{Color, Outcome};
use farboard::draughts::{DRAWN_PLIES, Ending, Game};

fn play(game: &mut Game, moves: &str) {
    for text in moves.split_whitespace() {
        let mv = game.position().parse_move(text).unwrap_or_else(|error| panic!("{text}: {error}"));
        game.play(mv);
    }
}

/// Two kings circle, each on its own side, in twelve and in ten moves: no position occurs a third
/// time within 80 plies.
const ROUNDS: [&[u8]; 2] =
    [&[25, 22, 26, 31, 27, 24, 28, 32, 27, 23, 26, 30], &[1, 5, 9, 14, 10, 15, 11, 7, 2, 6]];

/// The game after this many plies of circling.
fn walk(plies: usize) -> Game {
    let mut game = Game::from_position(position("W:WK25:BK1"));
    for ply in 0..plies {
        let round = ROUNDS[ply % 2];
        let (from, to) = (round[ply / 2 % round.len()], round[(ply / 2 + 1) % round.len()]);
        play(&mut game, &format!("{from}-{to}"));
    }
    game
}

#[test]
fn the_third_occurrence_is_a_draw_and_the_start_position_counts() {
    let mut game = Game::from_position(position("W:WK32:BK1"));
    play(&mut game, "32-28 1-5 28-32 5-1 32-28 1-5 28-32");
    assert_eq!(game.ending(), None);
    play(&mut game, "5-1");
    assert_eq!(game.ending(), Some((Outcome::Draw, Ending::Repetition)));
    assert_eq!(game.history().len(), 8);
    play(&mut game, "32-28 1-6");
    assert_eq!(game.ending(), None, "the game goes on past a draw");
}

#[test]
fn the_side_on_move_makes_positions_different() {
    let white = position("W:WK32:BK1");
    let mut passed = white;
    passed.pass();
    assert_ne!(passed.key(), white.key());
    assert_eq!(passed.key(), position("B:WK32:BK1").key());
}

#[test]
fn a_man_and_a_king_on_a_square_are_different_positions() {
    assert_ne!(position("W:W18:B1").key(), position("W:WK18:B1").key());
    assert_ne!(position("W:WK18:BK1").key(), position("W:WK1:BK18").key());
}

#[test]
fn forty_moves_of_each_side_without_a_man_or_a_capture_are_a_draw() {
    assert_eq!(DRAWN_PLIES, 80);
    let game = walk(79);
    assert_eq!((game.position().reversible_plies(), game.ending()), (79, None));
    let mut game = walk(80);
    assert_eq!(game.ending(), Some((Outcome::Draw, Ending::FortyMoves)));
    let next = game.position().legal_moves()[0];
    game.play(next);
    assert_eq!(game.position().reversible_plies(), 81, "the game goes on past a draw");
}

#[test]
fn a_man_s_move_a_capture_and_a_crowning_start_the_count_again() {
    for (fen, four, reset) in [
        ("W:WK29,24:BK1", "29-25 1-5 25-29 5-1", "24-20"),
        ("W:WK29,8:BK1", "29-25 1-5 25-29 5-1", "8-3"),
        ("W:WK29,K18:BK1,K6", "29-25 6-10 25-29 10-14", "18x9"),
    ] {
        let mut game = Game::from_position(position(fen));
        play(&mut game, four);
        assert_eq!((game.position().reversible_plies(), game.history().len()), (4, 4));
        play(&mut game, reset);
        assert_eq!((game.position().reversible_plies(), game.history().len()), (0, 0), "{fen} {reset}");
    }
}

#[test]
fn a_loss_comes_before_a_draw_by_the_same_move() {
    let mut game = Game::from_position(position("W:WK29:BK1,K17,K18,K21,K30"));
    for _ in 0..19 {
        play(&mut game, "29-25 1-5 25-29 5-1");
    }
    assert_eq!(game.ending(), Some((Outcome::Draw, Ending::Repetition)));
    // The eightieth ply shuts the king in.
    play(&mut game, "29-25 17-22 25-29 30-25");
    assert_eq!(game.position().reversible_plies(), DRAWN_PLIES);
    assert_eq!(game.ending(), Some((Outcome::Win(Color::Black), Ending::NoMoves)));
}
