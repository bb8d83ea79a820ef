//! Tactics in variants: the search finds short wins of any kind, and allows none.

use super::run;
use farboard::chess::{AnyPosition, Color, Ending, Game, Outcome, Variant};
use farboard::random::mix;
use farboard::search::{Limits, Request, Score, TableUse};

/// Variants with other wins or castling than chess, the longest win to find in plies (if the line
/// is forced), and the random plies before it.
const VARIANTS: [(&str, u32, u64); 12] = [
    ("nocastle", 3, 40),
    ("wildcastle", 3, 40),
    ("twokings", 3, 40),
    ("crazyhouse", 3, 40),
    ("atomic", 3, 40),
    ("3check", 3, 40),
    ("kingofthehill", 3, 40),
    ("racingkings", 3, 200),
    ("horde", 3, 40),
    ("losers", 5, 200),
    ("suicide", 7, 150),
    ("giveaway", 7, 150),
];

/// Positions after a random walk of at least eight plies.
fn positions(variant: Variant, walk: u64, count: u64) -> impl Iterator<Item = AnyPosition> {
    (0..).filter_map(move |number| random_position(variant, walk, number)).take(count as usize)
}

fn random_position(variant: Variant, walk: u64, number: u64) -> Option<AnyPosition> {
    let mut seed = mix(number ^ 0x5eed);
    let mut dice = |sides: u64| {
        seed = mix(seed.wrapping_add(1));
        seed % sides
    };
    let mut game = Game::new(variant);
    for _ in 0..8 + dice(walk) {
        let moves = game.position().legal_moves();
        if game.ending().is_some() || moves.is_empty() {
            return None;
        }
        game.play(moves[dice(moves.len() as u64) as usize]);
    }
    game.ending().is_none().then(|| *game.position())
}

fn has_won(position: &AnyPosition, side: Color) -> bool {
    position.outcome().is_some_and(|(outcome, _)| outcome == Outcome::Win(side))
}

/// Returns true if the side to move can force a win within this many plies, by exhaustive search.
/// In some variants a side wins by its opponent's move, so plies may be even.
fn wins(position: &AnyPosition, plies: u32) -> bool {
    let us = position.turn();
    plies > 0
        && position.outcome().is_none()
        && position.legal_moves().iter().any(|&mv| {
            let mut after = *position;
            after.play(mv);
            has_won(&after, us) || (plies > 1 && !can_avoid(&after, us, plies - 1))
        })
}

/// Returns true if the side to move can keep its opponent from winning within this many plies.
fn can_avoid(position: &AnyPosition, winner: Color, plies: u32) -> bool {
    if position.outcome().is_some() {
        return !has_won(position, winner);
    }
    position.legal_moves().iter().any(|&mv| {
        let mut after = *position;
        after.play(mv);
        !has_won(&after, winner) && !wins(&after, plies - 1)
    })
}

#[test]
fn a_forced_win_is_found_whatever_wins() {
    for (name, longest, walk) in VARIANTS {
        let variant = Variant::from_name(name).unwrap();
        let mut found = 0;
        for position in positions(variant, walk, 2000) {
            // Long lines only where there are few choices.
            let longest = if position.legal_moves().len() < 5 { longest } else { longest.min(3) };
            let Some(plies) = (1..=longest).find(|&plies| wins(&position, plies)) else {
                continue;
            };
            let limits = Limits { nodes: Some(100_000), ..Limits::default() };
            let (done, _) = run(&Request { limits, table: TableUse::salted(1), ..Request::of(position) });
            let moves = i32::try_from(plies.div_ceil(2)).unwrap();
            assert_eq!(done.score.mate_distance(), Some(moves), "{name}: {}", position.fen());
            found += 1;
            if found == 12 {
                break;
            }
        }
        assert!(found >= 4, "{name}: only {found} positions are won");
    }
}

#[test]
fn a_side_without_moves_wins_even_after_fifty_moves() {
    for (name, fen) in [
        ("giveaway", "8/8/8/p7/P7/8/8/7B w - - 99 80"),
        ("suicide", "8/8/8/p7/P7/8/8/7B w - - 99 80"),
        ("losers", "6bk/5p1p/5P1P/8/8/8/8/K7 w - - 99 80"),
    ] {
        let variant = Variant::from_name(name).unwrap();
        let mut game = Game::from_fen(variant, fen).unwrap();
        for depth in 1..=3 {
            let limits = Limits { depth: Some(depth), ..Limits::default() };
            let (done, _) =
                run(&Request { limits, table: TableUse::salted(1), ..Request::of(*game.position()) });
            assert_eq!(done.score, Score::mated_in(1), "{name}, depth {depth}");
        }
        game.play(game.position().legal_moves()[0]);
        assert_eq!(game.ending(), Some((Outcome::Win(Color::Black), Ending::VariantRule)), "{name}");
    }
}

/// Positions in which only one move, or a few, prevent an immediate win of the opponent.
#[test]
fn a_win_by_the_next_move_is_seen_at_any_depth() {
    for (name, fen) in [
        // The queen gives the third check, and is lost for a pawn.
        ("3check", "rnbqkbnr/pppppppp/8/8/8/8/PPP1PPPP/RNBQKBNR b KQkq - 1+3 0 1"),
        // Rg4
        ("kingofthehill", "7k/8/8/8/8/4K3/8/6r1 b - - 0 1"),
        // Rh8
        ("racingkings", "8/1K6/8/8/k7/8/8/7r b - - 0 1"),
    ] {
        let mut position = AnyPosition::from_fen(Variant::from_name(name).unwrap(), fen).unwrap();
        for depth in 1..=4 {
            let limits = Limits { depth: Some(depth), ..Limits::default() };
            let (done, _) = run(&Request { limits, table: TableUse::salted(1), ..Request::of(position) });
            let mut after = position;
            after.play(done.best.expect("there are moves"));
            assert!(!wins(&after, 1), "{name}, depth {depth}: {}", after.fen());
        }
        // After a pass, any search must find that win.
        position = position.with_turn(!position.turn()).expect("a legal position");
        let limits = Limits { depth: Some(1), ..Limits::default() };
        let (done, _) = run(&Request { limits, table: TableUse::salted(1), ..Request::of(position) });
        assert_eq!(done.score.mate_distance(), Some(1), "{name}");
    }
}

#[test]
fn no_win_is_given_away_where_that_can_be_helped() {
    for (name, _, walk) in VARIANTS {
        let variant = Variant::from_name(name).unwrap();
        let mut in_danger = 0;
        for position in positions(variant, walk, 8000) {
            let loses = |mv| {
                let mut after = position;
                after.play(mv);
                has_won(&after, after.turn()) || wins(&after, 1)
            };
            let losing = position.legal_moves().iter().filter(|&&mv| loses(mv)).count();
            if losing == 0 || losing == position.legal_moves().len() {
                continue;
            }
            in_danger += 1;
            if in_danger > 25 {
                break;
            }
            let limits = Limits { nodes: Some(20_000), ..Limits::default() };
            let (done, _) = run(&Request { limits, table: TableUse::salted(1), ..Request::of(position) });
            let best = done.best.expect("there are moves");
            assert!(!loses(best), "{name}: {} in {}", position.san(best), position.fen());
        }
        assert!(in_danger >= 4, "{name}: only {in_danger} positions are in danger");
    }
}
