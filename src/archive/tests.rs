use super::writer::file_of;
use super::*;
use crate::chess::{Color, Game, Outcome, Tags, Variant};
use crate::search::Score;
use crate::session::{GameIdentity, KeptGame, MoveNote};
use std::path::PathBuf;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::mpsc::channel;

fn fool(outcome: Option<Outcome>) -> Box<FinishedGame> {
    let mut game = Game::new(Variant::NORMAL);
    let mut notes = Vec::new();
    for (ply, text) in ["f2f3", "e7e5", "g2g4", "d8h4"].into_iter().enumerate() {
        let mv = game.position().parse_move(text).expect("legal");
        if ply % 2 == 1 {
            let score = if ply == 1 { Score(57) } else { Score::mate_in(1) };
            notes.push(MoveNote { ply, mv, score: Some(score), time: Duration::from_millis(3_661_250) });
        }
        game.play(mv);
    }
    let tags = Tags {
        white: "A \"b\"\n\u{1b}[2J  c".to_owned(),
        black: "Farboard".to_owned(),
        program: [false, true],
        ..Tags::default()
    };
    let comment = "Black mates } 1-0".to_owned();
    let time_control = "40/300".to_owned();
    static GAMES: AtomicU32 = AtomicU32::new(0);
    Box::new(FinishedGame {
        identity: GameIdentity { session: 1, game: GAMES.fetch_add(1, Ordering::Relaxed) },
        game: KeptGame::Chess(Box::new(game)),
        tags,
        outcome,
        comment,
        time_control,
        notes,
        began: Instant::now(),
    })
}

fn context(session: u64) -> GameContext {
    GameContext { session, user: Some("alice".to_owned()), source: session }
}

fn folder(test: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("farboard-archive-{test}-{}", std::process::id()));
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("a folder");
    folder
}

#[test]
fn games_are_written_as_other_programs_read_them() {
    let began = SystemTime::UNIX_EPOCH + Duration::from_secs(1_793_966_400);
    let outcome = Some(Outcome::Win(Color::Black));
    let game = FinishedGame { identity: GameIdentity { session: 5, game: 1 }, ..*fool(outcome) };
    let text = record::text(&game, &context(7), began);
    let expected = "[Event \"Farboard\"]\n[Site \"?\"]\n[Date \"2026.11.06\"]\n[Round \"-\"]\n\
        [White \"A \\\"b\\\" [2J c\"]\n[Black \"Farboard\"]\n[Result \"0-1\"]\n[BlackType \"program\"]\n\
        [UTCDate \"2026.11.06\"]\n[UTCTime \"12:00:00\"]\n[TimeControl \"40/300\"]\n[Termination \"normal\"]\n\
        [FarboardSession \"7\"]\n[FarboardGame \"IDENTITY\"]\n[FarboardUser \"alice\"]\n\n\
        1. f3 e5 { [%eval -0.57] [%emt 1:01:01.250] } 2. g4 Qh4#\n\
        { [%eval #-1] [%emt 1:01:01.250] Black mates   1-0 } 0-1\n\n";
    let identity = format!("{:016x}", record::identity(&game));
    assert_eq!(text, expected.replace("IDENTITY", &identity));
    let text = record::text(&fool(None), &context(7), began);
    assert!(text.contains("[Result \"*\"]") && text.contains("[Termination \"unterminated\"]"), "{text}");
}

#[test]
fn dropping_the_archive_writes_all_games() {
    let folder = folder("files");
    let archive = Archive::start(&folder, Limits::NONE).expect("a folder");
    for session in 0..200 {
        archive.add(fool(Some(Outcome::Draw)), context(session));
    }
    drop(archive);
    let files: Vec<_> =
        fs::read_dir(&folder).expect("a folder").map(|file| file.expect("a file").path()).collect();
    // At midnight there are two.
    let text: String = files.iter().map(|file| fs::read_to_string(file).expect("text")).collect();
    assert_eq!(text.matches("[Result \"1/2-1/2\"]").count(), 200);
    assert!((0..200).all(|session| text.contains(&format!("[FarboardSession \"{session}\"]"))));
    assert!(
        files.iter().all(|file| file.extension().is_some_and(|extension| extension == "pgn")),
        "{files:?}"
    );
    fs::remove_dir_all(folder).expect("the test's folder");
}

#[test]
fn a_repeated_game_is_archived_once_even_after_a_restart() {
    let folder = folder("again");
    let game = fool(Some(Outcome::Draw));
    let archived = |games: &[&FinishedGame]| {
        let archive = Archive::start(&folder, Limits::NONE).expect("a folder");
        games.iter().for_each(|game| archive.add(Box::new((*game).clone()), context(1)));
        drop(archive);
        let files = fs::read_dir(&folder).expect("a folder").map(|file| file.expect("a file").path());
        files
            .map(|file| fs::read_to_string(file).expect("text").matches("[FarboardGame ").count())
            .sum::<usize>()
    };
    assert_eq!(archived(&[&game, &game]), 1);
    // Another server with this folder, and the next one.
    assert_eq!(archived(&[&game]), 1);
    let next = FinishedGame { identity: GameIdentity { session: 1, game: u32::MAX }, ..*game.clone() };
    assert_eq!(archived(&[&game, &next]), 2);
    // The same game, continued from an earlier move.
    let other = FinishedGame { game: KeptGame::Draughts(crate::draughts::Game::new()), ..*game.clone() };
    assert_eq!(archived(&[&other, &next, &other]), 3);
    fs::remove_dir_all(folder).expect("the test's folder");
}

#[test]
fn a_game_that_was_not_written_is_accepted_again() {
    let folder = folder("retry");
    let game = fool(None);
    let entry = || Entry { game: game.clone(), context: context(1), began: SystemTime::UNIX_EPOCH };
    let mut writer = Writer::new(&folder, Limits::NONE);
    let file = file_of(&folder, &game.game, &record::date(SystemTime::now(), "-"));
    fs::create_dir(&file).expect("a folder");
    writer.write(vec![entry()]);
    fs::remove_dir(&file).expect("nothing was written");
    writer.write(vec![entry()]);
    assert!(fs::metadata(file).expect("it is the same day").len() > 0);
    fs::remove_dir_all(folder).expect("the test's folder");
}

#[test]
fn a_missing_folder_is_an_error_at_the_start() {
    assert!(Archive::start(Path::new("/nonexistent/folder"), Limits::NONE).is_err());
}

fn draughts() -> Box<FinishedGame> {
    let mut game = crate::draughts::Game::new();
    game.play(game.position().parse_move("11x15").expect("legal"));
    Box::new(FinishedGame { game: KeptGame::Draughts(game), notes: Vec::new(), ..*fool(None) })
}

#[test]
fn an_unwritable_file_loses_its_own_game_only() {
    let folder = folder("full");
    let archive = Archive::start(&folder, Limits::NONE).expect("a folder");
    let file = file_of(&folder, &fool(None).game, &record::date(SystemTime::now(), "-"));
    fs::create_dir(&file).expect("a folder");
    archive.add(fool(None), context(1));
    archive.add(draughts(), context(2));
    drop(archive);
    assert_eq!(fs::read_dir(&file).expect("it is left alone").count(), 0);
    // At midnight it has another date.
    let mut files = fs::read_dir(&folder).expect("a folder").map(|file| file.expect("a file").path());
    let next = files.find(|file| file.extension().is_some_and(|form| form == "pdn")).expect("the next game");
    let text = fs::read_to_string(next).expect("text");
    assert!(text.contains("[FarboardSession \"2\"]") && text.ends_with("\n1. 11-15 *\n\n"), "{text}");
    fs::remove_dir_all(folder).expect("the test's folder");
}

#[test]
fn a_panic_over_one_game_loses_no_other() {
    let folder = folder("defect");
    let mut writer = Writer::with(&folder, Limits::NONE, |entry| {
        assert_ne!(entry.context.session, 1, "this panic is part of a test");
        format!("{}\n\n", entry.context.session)
    });
    writer.write((0..3).map(entry).collect());
    let file = file_of(&folder, &fool(None).game, &record::date(SystemTime::now(), "-"));
    let text = fs::read_to_string(file).expect("it is the same day");
    assert!(text.contains("0\n\n") && text.contains("2\n\n") && !text.contains('1'), "{text}");
    fs::remove_dir_all(folder).expect("the test's folder");
}

fn entry(session: u64) -> Entry {
    Entry { game: fool(None), context: context(session), began: SystemTime::UNIX_EPOCH }
}

#[test]
fn games_that_are_lost_at_shutdown_are_counted() {
    let (disk, blocked) = channel::<()>();
    let archive = Archive::with(Limits::NONE, move |_| {
        // Until the test is over.
        let _ = blocked.recv();
    });
    let mut archive = archive.expect("a thread");
    (0..3).for_each(|session| archive.add(fool(None), context(session)));
    let told = archive.finish(Duration::ZERO);
    let expected = "3 finished games are not archived: the disk is too slow";
    assert_eq!(told.as_deref(), Some(expected));
    drop(disk);
}

#[test]
fn a_flood_of_games_loses_no_game_of_another_source() {
    const BYSTANDER: u64 = 99;
    let (disk, blocked) = channel::<()>();
    let (written, seen) = channel();
    let archive = Archive::with(Limits::NONE, move |games| {
        // A disk that takes nothing until the flood is over.
        let _ = blocked.recv();
        games.iter().for_each(|game| written.send(game.context.source).expect("the test listens"));
    });
    let mut archive = archive.expect("a thread");
    for _ in 0..31 {
        for flooder in 0..4 {
            (0..200).for_each(|_| archive.add(fool(None), context(flooder)));
        }
        archive.add(fool(None), context(BYSTANDER));
    }
    drop(disk);
    assert_eq!(archive.finish(Duration::from_secs(60)), None);
    let sources: Vec<u64> = seen.try_iter().collect();
    assert_eq!(sources.iter().filter(|&&source| source == BYSTANDER).count(), 31);
    assert!(sources.len() <= MAX_SLOTS + BATCH, "{}", sources.len());
}

#[test]
fn short_games_are_not_archived() {
    let (written, seen) = channel();
    let limits = Limits { min_moves: 2, ..Limits::NONE };
    let archive = Archive::with(limits, move |games| {
        games.iter().for_each(|game| written.send(game.context.session).expect("the test listens"));
    });
    let mut archive = archive.expect("a thread");
    archive.add(draughts(), context(1));
    archive.add(fool(None), context(2));
    assert_eq!(archive.finish(Duration::from_secs(60)), None);
    assert_eq!(seen.try_iter().collect::<Vec<_>>(), [2]);
}

#[test]
fn games_beyond_a_sources_share_are_not_written() {
    let folder = folder("share");
    let limits = Limits { max_day: 4000, ..Limits::NONE };
    let mut writer = Writer::with(&folder, limits, |_| "x".repeat(96) + " *\n\n");
    writer.write((0..20).map(|_| entry(1)).collect());
    writer.write(vec![entry(2)]);
    let file = file_of(&folder, &fool(None).game, &record::date(SystemTime::now(), "-"));
    // 500 bytes are an eighth.
    assert_eq!(fs::metadata(file).expect("it is the same day").len(), 600);
    fs::remove_dir_all(folder).expect("the test's folder");
}
