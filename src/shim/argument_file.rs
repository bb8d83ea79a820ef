//! The command line for GUIs that start an engine by its path alone: a file beside the program says it, or the environment.
//!
//! The file has the name of the program with `.args` at its end, so copies or links of the shim under several names
//! are engines on several servers. Words are separated by white space; one in double quotes may contain blanks. Lines that begin with `#` are remarks.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// The environment variable that has the words where there is no file.
pub const ENVIRONMENT: &str = "FARBOARD_CONNECT";
/// The extension of the file's name.
const EXTENSION: &str = "args";
/// The longest file in bytes.
const MAX_LEN: u64 = 64 * 1024;

/// The words of a command line that has none but the program's name: those of the file beside the program, or of the environment.
/// Any other command line stays as it is.
///
/// # Errors
/// The file is there, but cannot be read; in one line.
pub fn completed(mut words: Vec<OsString>, environment: Option<&OsStr>) -> Result<Vec<OsString>, String> {
    if words.len() != 1 {
        return Ok(words);
    }
    let file = file_of(Path::new(&words[0]));
    let text = match file.as_deref().map(read) {
        Some(Ok(text)) => Some(text),
        Some(Err(error)) if error.kind() != io::ErrorKind::NotFound => {
            let name = file.unwrap_or_default();
            return Err(format!("cannot read {}: {error}", name.display()));
        }
        _ => environment.map(|text| text.to_string_lossy().into_owned()),
    };
    words.extend(text.as_deref().map(split).unwrap_or_default());
    Ok(words)
}

/// The file of a program that was started by this name: with a folder in it, or from the `PATH`.
fn file_of(program: &Path) -> Option<PathBuf> {
    let has_folder = program.parent().is_some_and(|folder| !folder.as_os_str().is_empty());
    let program = if has_folder { program.to_owned() } else { std::env::current_exe().ok()? };
    // Not `with_extension`: a name may contain points, as that of a host does.
    let stem = program.file_name()?.to_string_lossy().into_owned();
    let stem = stem.strip_suffix(std::env::consts::EXE_SUFFIX).unwrap_or(&stem);
    Some(program.with_file_name(format!("{stem}.{EXTENSION}")))
}

fn read(path: &Path) -> io::Result<String> {
    let mut text = String::new();
    let length = File::open(path)?.take(MAX_LEN + 1).read_to_string(&mut text)?;
    if length as u64 > MAX_LEN {
        return Err(io::Error::other(format!("it is longer than {MAX_LEN} bytes")));
    }
    Ok(text)
}

fn split(text: &str) -> Vec<OsString> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    text.lines().filter(|line| !line.trim_start().starts_with('#')).flat_map(words_of).collect()
}

/// The words of a line.
fn words_of(line: &str) -> Vec<OsString> {
    let (mut words, mut word, mut quoted) = (Vec::new(), None::<String>, false);
    for letter in line.chars() {
        match letter {
            '"' => {
                quoted = !quoted;
                word.get_or_insert_default();
            }
            blank if blank.is_whitespace() && !quoted => words.extend(word.take().map(OsString::from)),
            other => word.get_or_insert_default().push(other),
        }
    }
    words.extend(word.map(OsString::from));
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An empty folder for a test.
    fn folder(name: &str) -> PathBuf {
        let folder = std::env::temp_dir().join(format!("farboard-{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(&folder).unwrap();
        folder
    }

    fn words(line: &[&str]) -> Vec<OsString> {
        line.iter().map(OsString::from).collect()
    }

    #[test]
    fn a_file_beside_the_program_says_its_command_line() {
        let folder = folder("argument-file");
        let program = folder.join(format!("chess.example{}", std::env::consts::EXE_SUFFIX));
        let program = program.to_str().unwrap();
        let environment = Some(OsStr::new("elsewhere"));
        assert_eq!(completed(words(&[program]), environment).unwrap(), words(&[program, "elsewhere"]));
        assert_eq!(completed(words(&[program]), None).unwrap(), words(&[program]));
        let text = "\u{feff}# our club\r\n  chess.example,backup --secret-file \"C:/my keys/club\"\r\n\r\nclub \"\" Elo=1500";
        std::fs::write(folder.join("chess.example.args"), text).unwrap();
        let said = completed(words(&[program]), environment).unwrap();
        let expected = ["chess.example,backup", "--secret-file", "C:/my keys/club", "club", "", "Elo=1500"]
            .map(OsString::from);
        assert_eq!(said[1..], expected);
        let given = words(&[program, "host"]);
        assert_eq!(completed(given.clone(), environment).unwrap(), given, "a command line is obeyed");
        std::fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn a_file_that_cannot_be_read_is_an_error() {
        let folder = folder("argument-file-bad");
        let program = folder.join("engine");
        let said = || completed(words(&[program.to_str().unwrap()]), Some(OsStr::new("host"))).unwrap_err();
        let file = folder.join("engine.args");
        std::fs::write(&file, b"host \xff").unwrap();
        assert!(said().contains("engine.args"), "{}", said());
        std::fs::write(&file, vec![b'a'; MAX_LEN as usize + 1]).unwrap();
        assert!(said().contains("65536 bytes"), "{}", said());
        std::fs::remove_file(&file).unwrap();
        std::fs::create_dir(&file).unwrap();
        assert!(said().contains("engine.args"), "{}", said());
        std::fs::remove_dir_all(folder).unwrap();
    }
}
