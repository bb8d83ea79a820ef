//! The move generator against counts and endings on which other programs agree.

mod truth;

use farboard::chess::Variant;

/// Lines with more leaves take too long for a test.
const MAX_LEAVES: u64 = 6_000_000;

#[test]
fn every_count_of_the_file() {
    let counts = truth::compare_counts(MAX_LEAVES, Variant::from_name);
    assert!(counts > 600, "only {counts} counts were compared");
}

#[test]
fn endings_of_the_file() {
    let endings = truth::compare_endings(Variant::from_name);
    assert!(endings == 35, "only {endings} endings were compared");
}
