//! The move generator against counts that other programs agree on, and against a second library.

use farboard::chess::{AnyPosition, Variant};

/// Leaves a line may have to be worth counting in a test.
const LIMIT: u64 = 6_000_000;

#[test]
fn every_count_of_the_file() {
    let mut lines = 0;
    for line in include_str!("data/perft-variants.epd").lines() {
        let mut fields = line.split(';');
        let (Some(name), Some(fen)) = (fields.next(), fields.next()) else { continue };
        let Some(variant) = Variant::from_name(name) else { continue };
        let position = AnyPosition::from_fen(variant, fen).unwrap_or_else(|error| panic!("{line}: {error}"));
        for field in fields {
            let (depth, leaves) = field.trim_start_matches('D').split_once(' ').expect("Dn count");
            let (depth, leaves): (u32, u64) = (depth.parse().unwrap(), leaves.parse().unwrap());
            if leaves <= LIMIT {
                assert_eq!(position.perft(depth), leaves, "{name} {fen} depth {depth}");
                lines += 1;
            }
        }
    }
    assert!(lines > 150, "only {lines} counts were compared");
}

#[test]
fn endings_of_the_file() {
    use farboard::chess::{Color, Game, Outcome};
    let mut lines = 0;
    for line in include_str!("data/variant-endings.txt").lines() {
        let fields: Vec<&str> = line.split(';').collect();
        let [name, fen, result] = fields[..] else { continue };
        let Some(variant) = Variant::from_name(name) else { continue };
        let game = Game::from_fen(variant, fen).unwrap();
        let expected = match result {
            "1-0" => Some(Outcome::Win(Color::White)),
            "0-1" => Some(Outcome::Win(Color::Black)),
            "1/2-1/2" => Some(Outcome::Draw),
            _ => None,
        };
        assert_eq!(game.ending().map(|(outcome, _)| outcome), expected, "{line}");
        lines += 1;
    }
    assert!(lines >= 2, "only {lines} endings were compared");
}
