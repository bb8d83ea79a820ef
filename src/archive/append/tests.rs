use super::*;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;

fn game(session: u32, result: &str) -> String {
    format!(
        "[Event \"Farboard\"]\n[White \"a {{ b\"]\n[Result \"{result}\"]\n[FarboardSession \"{session}\"]\n\n\
         1. f3 {{ [%eval -0.57] [%emt 0:00:01.250] }} e5 2. g4 Qh4#\n\
         {{ [%eval #-1] [%emt 0:00:01.250] 0-1 or so }} {result}\n\n"
    )
}

/// Parses games as other programs do: the tags of each in one line, and its result.
fn read(text: &str) -> Vec<(String, String)> {
    let (mut games, mut tags, mut comment) = (Vec::new(), String::new(), false);
    for line in text.lines() {
        if line.starts_with('[') && !comment {
            tags += line;
            continue;
        }
        for word in line.split_whitespace() {
            match word {
                "{" => comment = true,
                "}" => comment = false,
                "1-0" | "0-1" | "1/2-1/2" | "*" if !comment => {
                    games.push((std::mem::take(&mut tags), word.to_owned()));
                }
                _ => {}
            }
        }
    }
    assert!(tags.is_empty() && !comment, "half a game at the end: {text}");
    games
}

struct Scratch(PathBuf);

impl Scratch {
    fn new(test: &str) -> Scratch {
        let path = std::env::temp_dir().join(format!("farboard-append-{test}-{}", std::process::id()));
        let _ = fs::remove_file(&path);
        Scratch(path)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.0);
    }
}

#[test]
fn a_truncated_game_swallows_no_other() {
    let file = Scratch::new("half");
    for result in ["0-1", "1/2-1/2", "*"] {
        let (first, half, last) = (game(1, "1-0"), game(2, result), game(3, "0-1"));
        for cut in 0..=half.len() {
            fs::write(&file.0, format!("{first}{}", &half[..cut])).expect("a file");
            append(&file.0, last.as_bytes()).expect("the test's file");
            let text = fs::read_to_string(&file.0).expect("text");
            let games = read(&text);
            assert_eq!(games.len(), if cut == 0 { 2 } else { 3 }, "{cut}: {text}");
            assert_eq!(games[0], read(&first)[0], "{cut}: {text}");
            assert_eq!(games[games.len() - 1], read(&last)[0], "{cut}: {text}");
            assert!(text.ends_with(&format!("\n\n{last}")), "{cut}: {text}");
        }
    }
}

#[test]
fn complete_games_follow_each_other_in_files_of_any_length() {
    let file = Scratch::new("whole");
    let mut expected = String::new();
    for session in 0..100 {
        append(&file.0, game(session, "*").as_bytes()).expect("a file");
        expected += &game(session, "*");
    }
    assert!(expected.len() > 2 * TAIL as usize);
    assert_eq!(fs::read_to_string(&file.0).expect("text"), expected);
}

#[test]
fn a_missing_blank_line_is_added() {
    for (end, lacks) in
        [("*", "\n\n"), ("*\n", "\n"), ("*\n\n", ""), ("1-0 \n\n\n", ""), ("", ""), ("\n", "")]
    {
        assert_eq!(completion(end.as_bytes()), lacks, "{end:?}");
    }
    // Zeros are what some file systems leave.
    assert_eq!(completion(b"[Event \"Farboard\"]\n\0\0\0\0"), "\n*\n\n");
}

#[test]
fn new_files_are_not_world_readable() {
    let file = Scratch::new("mode");
    append(&file.0, game(1, "*").as_bytes()).expect("a file");
    let mode = fs::metadata(&file.0).expect("a file").permissions().mode();
    assert_eq!(mode & 0o777 & !MODE, 0, "{mode:o}");
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_an_error() {
    let error = append(Path::new("/dev/full"), b"[Event]\n").expect_err("it is full");
    assert_eq!(error.kind(), io::ErrorKind::StorageFull);
}
