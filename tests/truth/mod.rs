//! Move counts and endings of positions on which other programs agree.

use farboard::chess::{AnyPosition, Color, Game, Outcome, Variant};

/// Compares the counts of at most `max_leaves` leaves with the move generator, for the variants that `variant_named` knows.
/// Returns how many were compared.
pub fn compare_counts(max_leaves: u64, variant_named: impl Fn(&str) -> Option<Variant>) -> usize {
    let mut compared = 0;
    for line in include_str!("../data/perft-variants.epd").lines() {
        let mut fields = line.split(';');
        let (Some(name), Some(fen)) = (fields.next(), fields.next()) else { continue };
        let Some(variant) = variant_named(name) else { continue };
        let position = AnyPosition::from_fen(variant, fen).unwrap_or_else(|error| panic!("{line}: {error}"));
        for field in fields {
            let (depth, leaves) = field.trim_start_matches('D').split_once(' ').expect("Dn count");
            let (depth, leaves): (u32, u64) = (depth.parse().unwrap(), leaves.parse().unwrap());
            if leaves <= max_leaves {
                assert_eq!(position.perft(depth), leaves, "{name} {fen} depth {depth}");
                compared += 1;
            }
        }
    }
    compared
}

/// Compares the results of positions in which a game has ended, or has not, for the variants that `variant_named` knows.
/// Returns how many were compared.
pub fn compare_endings(variant_named: impl Fn(&str) -> Option<Variant>) -> usize {
    let mut compared = 0;
    for line in include_str!("../data/variant-endings.txt").lines() {
        let [name, fen, result] = line.split(';').collect::<Vec<_>>()[..] else { continue };
        let Some(variant) = variant_named(name) else { continue };
        let expected = match result {
            "1-0" => Some(Outcome::Win(Color::White)),
            "0-1" => Some(Outcome::Win(Color::Black)),
            "1/2-1/2" => Some(Outcome::Draw),
            _ => None,
        };
        let game = Game::from_fen(variant, fen).unwrap_or_else(|error| panic!("{line}: {error}"));
        assert_eq!(game.ending().map(|(outcome, _)| outcome), expected, "{line}");
        compared += 1;
    }
    compared
}
