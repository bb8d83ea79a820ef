//! The move generator against counts and endings on which other programs agree.

use farboard::chess::{AnyPosition, Color, Game, Outcome, Variant};

/// Counts with more leaves take too long for a test.
const MAX_LEAVES: u64 = 6_000_000;

#[test]
fn every_count_of_the_file() {
    let mut compared = 0;
    for line in include_str!("../../data/perft-variants.epd").lines() {
        let mut fields = line.split(';');
        let (Some(name), Some(fen)) = (fields.next(), fields.next()) else { continue };
        let variant = Variant::from_name(name).unwrap_or_else(|| panic!("{line}: an unknown variant"));
        let position = AnyPosition::from_fen(variant, fen).unwrap_or_else(|error| panic!("{line}: {error}"));
        for field in fields {
            let (depth, leaves) = field.trim_start_matches('D').split_once(' ').expect("Dn count");
            let (depth, leaves): (u32, u64) = (depth.parse().unwrap(), leaves.parse().unwrap());
            if leaves <= MAX_LEAVES {
                assert_eq!(position.perft(depth), leaves, "{name} {fen} depth {depth}");
                compared += 1;
            }
        }
    }
    assert!(compared > 600, "only {compared} counts were compared");
}

#[test]
fn endings_of_the_file() {
    let mut compared = 0;
    for line in include_str!("../../data/variant-endings.txt").lines() {
        let [name, fen, result] = line.split(';').collect::<Vec<_>>()[..] else { continue };
        let variant = Variant::from_name(name).unwrap_or_else(|| panic!("{line}: an unknown variant"));
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
    assert_eq!(compared, 35);
}

#[test]
fn the_command_counts_checkers_as_a_variant() {
    let count = |arguments: &[&str]| {
        let program = env!("CARGO_BIN_EXE_farboard");
        let output =
            std::process::Command::new(program).args(arguments).output().expect("the program starts");
        let text = String::from_utf8([output.stdout, output.stderr].concat()).expect("text");
        (output.status.success(), text)
    };
    let (is_done, counted) = count(&["perft", "6", "--variant", "checkers"]);
    // Known counts: 7, 49, 302, 1469, 7361, 36768 leaves.
    assert!(is_done && counted.contains("36768"), "{counted}");
    let (is_done, counted) = count(&["perft", "2", "--variant", "checkers", "--fen", "W:WK1:BK32"]);
    assert!(is_done, "{counted}");
    let (is_done, complaint) = count(&["perft", "2", "--variant", "shogi"]);
    assert!(!is_done && complaint.contains("checkers"), "{complaint}");
}
