//! Files of games: written, interrupted, resumed, damaged.

use super::header::tests::header;
use super::*;
use crate::chess::{Color, Outcome, Variant};
use crate::random::SplitMix64;
use crate::search::RootPosition;
use proptest::prelude::*;
use std::collections::HashMap;
use std::path::{Path, PathBuf};

/// A file that is removed in the end.
pub(in crate::training) struct TemporaryFile(pub(in crate::training) PathBuf);

impl TemporaryFile {
    pub(in crate::training) fn new(name: &str) -> TemporaryFile {
        TemporaryFile(std::env::temp_dir().join(format!("farboard-games-{name}-{}", std::process::id())))
    }
}

impl Drop for TemporaryFile {
    fn drop(&mut self) {
        // It may never have been written.
        let _ = std::fs::remove_file(&self.0);
    }
}

/// Replaces a file by one of random games.
pub(in crate::training) fn write_games(path: &Path, rules: GameRules, games: u64) {
    let _ = std::fs::remove_file(path);
    let mut writer = GameWriter::resume(path, &header(rules)).unwrap();
    (0..games).for_each(|number| writer.append(&random_game(rules, number).0).unwrap());
}

/// A position, the move played there, and the score, which is none in the opening.
type Played = (RootPosition, crate::chess::Move, Option<i16>);

/// A game of random moves with random scores, in bytes and ply by ply.
fn random_game(rules: GameRules, number: u64) -> (Recorded, Vec<Played>) {
    let mut dice = SplitMix64::new(number);
    let start = dice.below(rules.starts().into()) as u16;
    let mut position = rules.start(start);
    let (mut recorder, mut plies) = (Recorder::new(start), Vec::new());
    while plies.len() < 60 && !record::is_over(&position) {
        let Some(mv) = dice.pick(&position.legal_moves()) else { break };
        let score = (plies.len() >= 8).then(|| (dice.below(64_001) as i32 - 32_000) as i16);
        match score {
            Some(score) => recorder.searched_move(&position, mv, score),
            None => recorder.opening_move(&position, mv),
        }
        plies.push((position, mv, score));
        position.play(mv);
    }
    (recorder.finish(Outcome::Win(Color::Black), Ended::Adjudicated), plies)
}

fn all_rules() -> impl Iterator<Item = GameRules> {
    Variant::ALL.into_iter().map(GameRules::Chess).chain([GameRules::Draughts])
}

#[test]
fn games_are_read_back_by_all_rules() {
    let file = TemporaryFile::new("read-back");
    for rules in all_rules() {
        write_games(&file.0, rules, 3);
        let mut reader = GameReader::open(&file.0).unwrap();
        assert_eq!(reader.header(), &header(rules));
        for number in 0..3 {
            let (_, played) = random_game(rules, number);
            let replay = reader.replay_next().unwrap().expect("another game");
            assert_eq!(replay.summary().outcome, Outcome::Win(Color::Black));
            assert_eq!(replay.summary().ended, Ended::Adjudicated);
            let plies: Vec<_> = replay.map(Result::unwrap).collect();
            assert_eq!(plies.len(), played.len());
            for (ply, (position, mv, score)) in plies.iter().zip(played) {
                assert_eq!((ply.position.key(), ply.mv, ply.score), (position.key(), mv, score));
            }
        }
        assert!(reader.replay_next().unwrap().is_none());
    }
}

#[test]
fn samples_are_the_quiet_positions() {
    let file = TemporaryFile::new("samples");
    for rules in all_rules() {
        write_games(&file.0, rules, 5);
        let mut samples = Samples::open(std::slice::from_ref(&file.0)).unwrap();
        let mut found: HashMap<u64, u64> = HashMap::new();
        for sample in &mut samples {
            let sample = sample.unwrap();
            assert!(sample.ply >= 8 && sample.score.unsigned_abs() < 31_744);
            let is_black = sample.position.turn() == Color::Black;
            assert_eq!(sample.result == GameResult::Win, is_black);
            assert_eq!(sample.result == GameResult::Loss, !is_black);
            *found.entry(sample.game).or_default() += 1;
        }
        let (_, contents) = samples.origins().next().unwrap();
        assert_eq!(contents.positions, found.values().sum::<u64>(), "{rules}");
        assert!(contents.positions > 10 && found.len() == 5 && samples.games() == 5, "{rules}");
    }
}

#[test]
fn an_interrupted_write_is_overwritten() {
    let rules = GameRules::Chess(Variant::NORMAL);
    let (whole, cut) = (TemporaryFile::new("whole"), TemporaryFile::new("cut"));
    write_games(&whole.0, rules, 3);
    let bytes = std::fs::read(&whole.0).unwrap();
    for len in (0..bytes.len()).step_by(7) {
        for garbage in [&[][..], &[0; 300], &[0xff; 3]] {
            if len < header(rules).lines().len() && !garbage.is_empty() {
                continue;
            }
            std::fs::write(&cut.0, [&bytes[..len], garbage].concat()).unwrap();
            let mut writer = GameWriter::resume(&cut.0, &header(rules)).unwrap();
            for number in writer.contents().games..3 {
                writer.append(&random_game(rules, number).0).unwrap();
            }
            assert!(std::fs::read(&cut.0).unwrap() == bytes, "cut at {len}");
        }
    }
}

#[test]
fn other_and_foreign_files_are_refused_and_kept() {
    let file = TemporaryFile::new("other");
    let normal = header(GameRules::Chess(Variant::NORMAL));
    write_games(&file.0, normal.rules, 2);
    for other in [header(GameRules::Draughts), Header { nodes: 301, ..normal.clone() }] {
        let before = std::fs::read(&file.0).unwrap();
        let error = GameWriter::resume(&file.0, &other).unwrap_err();
        assert!(matches!(error, GamesError::Other(..)), "{error}");
        assert!(std::fs::read(&file.0).unwrap() == before);
    }
    let held = GameWriter::resume(&file.0, &normal).unwrap();
    assert!(matches!(GameWriter::resume(&file.0, &normal), Err(GamesError::InUse(_))));
    drop(held);
    for text in ["secret", "farboard games 9\nrules normal\n\n", "farboard games 1\n\n"] {
        std::fs::write(&file.0, text).unwrap();
        assert!(matches!(GameWriter::resume(&file.0, &normal), Err(GamesError::Foreign(_))), "{text}");
        assert!(matches!(GameReader::open(&file.0), Err(GamesError::Foreign(_))), "{text}");
        assert_eq!(std::fs::read_to_string(&file.0).unwrap(), text);
    }
}

#[test]
fn the_same_games_twice_are_refused() {
    let (one, two) = (TemporaryFile::new("one"), TemporaryFile::new("two"));
    write_games(&one.0, GameRules::Draughts, 2);
    write_games(&two.0, GameRules::Draughts, 1);
    let paths = [one.0.clone(), two.0.clone()];
    assert!(matches!(Samples::open(&paths), Err(GamesError::Twice(..))));
    let other = Header { seed: 5, ..header(GameRules::Draughts) };
    std::fs::remove_file(&two.0).unwrap();
    GameWriter::resume(&two.0, &other).unwrap().append(&random_game(other.rules, 7).0).unwrap();
    let mut samples = Samples::open(&paths).unwrap();
    let games: Vec<u64> = samples.by_ref().map(|sample| sample.unwrap().game).collect();
    assert!(games.is_sorted() && games.ends_with(&[2]));
    let games: Vec<u64> = samples.origins().map(|(_, contents)| contents.games).collect();
    assert_eq!(games, [2, 1]);
}

#[test]
fn damage_in_the_middle_is_no_interrupted_write() {
    let file = TemporaryFile::new("damaged");
    let rules = GameRules::Chess(Variant::NORMAL);
    write_games(&file.0, rules, 1);
    let end = std::fs::metadata(&file.0).unwrap().len();
    write_games(&file.0, rules, 600);
    let mut bytes = std::fs::read(&file.0).unwrap();
    bytes[end as usize + 20] ^= 1;
    std::fs::write(&file.0, &bytes).unwrap();
    let damaged = |error| matches!(error, GamesError::Damaged(_, at) if at == end);
    assert!(damaged(GameWriter::resume(&file.0, &header(rules)).unwrap_err()));
    assert!(Samples::open(std::slice::from_ref(&file.0)).unwrap().any(|sample| sample.is_err_and(damaged)));
    assert!(std::fs::read(&file.0).unwrap() == bytes);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]
    #[test]
    fn no_bytes_of_a_game_panic(rules in 0..17usize, number in 0..4u64, changes: Vec<(usize, u8)>, cut: usize) {
        let rules = all_rules().nth(rules).unwrap();
        let (Recorded { mut bytes, .. }, _) = random_game(rules, number);
        for (at, byte) in changes {
            let len = bytes.len();
            bytes[at % len] = byte;
        }
        if cut % 4 == 0 {
            bytes.truncate(cut / 4 % (bytes.len() + 1));
        }
        if let Ok(replay) = record::Replay::new(rules, &bytes) {
            let plies = replay.summary().plies as usize;
            let read = replay.map(|ply| ply.map(|ply| ply.quiet_score())).collect::<Result<Vec<_>, _>>();
            prop_assert!(read.is_err() || read.is_ok_and(|read| read.len() == plies));
        }
    }

    #[test]
    fn no_bytes_of_a_file_panic(changes in proptest::collection::vec((any::<usize>(), any::<u8>()), 1..4)) {
        let file = TemporaryFile::new("mutated");
        write_games(&file.0, GameRules::Draughts, 2);
        let mut bytes = std::fs::read(&file.0).unwrap();
        for (at, byte) in changes {
            let len = bytes.len();
            bytes[at % len] = byte;
        }
        std::fs::write(&file.0, &bytes).unwrap();
        if let Ok(mut samples) = Samples::open(std::slice::from_ref(&file.0)) {
            samples.by_ref().for_each(drop);
            prop_assert!(samples.games() <= 2);
        }
    }
}
