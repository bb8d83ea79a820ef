//! The command line for GUIs that start an engine by its path alone: in a file beside the program,
//! or in the environment. Copies or links of the shim under several names have a file each. Words
//! are separated by white space; quoted ones may contain blanks. Lines that begin with `#` are
//! comments.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// The environment variable that is read if there is no file.
pub(super) const ENVIRONMENT: &str = "FARBOARD_CONNECT";
/// The extension of the file's name.
const EXTENSION: &str = "args";
/// Maximum length of the file in bytes.
const MAX_LEN: u64 = 64 * 1024;

/// Completes a command line that has only the program's name by the words of the file beside the
/// program, or of the environment. An error is one line.
pub(super) fn complete(
    mut words: Vec<OsString>,
    environment: Option<&OsStr>,
) -> Result<Vec<OsString>, String> {
    if words.len() != 1 {
        return Ok(words);
    }
    let path = path_for(Path::new(&words[0])).unwrap_or_default();
    let text = match read(&path) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            environment.unwrap_or_default().to_string_lossy().into_owned()
        }
        Err(error) => return Err(format!("cannot read {}: {error}", path.display())),
    };
    words.extend(split(&text));
    Ok(words)
}

/// Returns the path of the file for a program started by this name: with a folder in it, or from
/// the `PATH`.
fn path_for(program: &Path) -> Option<PathBuf> {
    let has_folder = program.parent().is_some_and(|folder| !folder.as_os_str().is_empty());
    let program = if has_folder { program.to_owned() } else { std::env::current_exe().ok()? };
    // Not `with_extension`: a name may contain points, as host names do.
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

fn split(text: &str) -> impl Iterator<Item = OsString> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    text.lines().filter(|line| !line.trim_start().starts_with('#')).flat_map(words_of)
}

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
    fn a_file_beside_the_program_has_its_command_line() {
        let folder = folder("argument-file");
        let program = folder.join(format!("chess.example{}", std::env::consts::EXE_SUFFIX));
        let program = program.to_str().unwrap();
        let environment = Some(OsStr::new("elsewhere"));
        assert_eq!(complete(words(&[program]), environment).unwrap(), words(&[program, "elsewhere"]));
        assert_eq!(complete(words(&[program]), None).unwrap(), words(&[program]));
        let text = "\u{feff}# our club\r\n  chess.example,backup --secret-file \"C:/my keys/club\"\r\n\r\nclub \"\" Elo=1500";
        std::fs::write(folder.join("chess.example.args"), text).unwrap();
        let read = complete(words(&[program]), environment).unwrap();
        let expected = ["chess.example,backup", "--secret-file", "C:/my keys/club", "club", "", "Elo=1500"]
            .map(OsString::from);
        assert_eq!(read[1..], expected);
        let given = words(&[program, "host"]);
        assert_eq!(complete(given.clone(), environment).unwrap(), given);
        std::fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn a_file_that_cannot_be_read_is_an_error() {
        let folder = folder("argument-file-bad");
        let program = folder.join("engine");
        let error = || complete(words(&[program.to_str().unwrap()]), Some(OsStr::new("host"))).unwrap_err();
        let file = folder.join("engine.args");
        std::fs::write(&file, b"host \xff").unwrap();
        assert!(error().contains("engine.args"), "{}", error());
        std::fs::write(&file, vec![b'a'; MAX_LEN as usize + 1]).unwrap();
        assert!(error().contains("65536 bytes"), "{}", error());
        std::fs::remove_file(&file).unwrap();
        std::fs::create_dir(&file).unwrap();
        assert!(error().contains("engine.args"), "{}", error());
        std::fs::remove_dir_all(folder).unwrap();
    }
}
