//! Appends games to a file: whole, or not at all.

use std::fs::{File, OpenOptions};
use std::io::{self, Seek, SeekFrom, Write};
use std::os::unix::fs::{FileExt, OpenOptionsExt};
use std::path::Path;

/// Mode of new files: games name users, so they are not world-readable.
const MODE: u32 = 0o640;
/// Bytes at the end of a file that show whether its last game is complete: longer than any comment.
const TAIL: u64 = 4096;
/// Result tokens that end a game.
const RESULTS: [&[u8]; 4] = [b"1-0", b"0-1", b"1/2-1/2", b"*"];

/// Appends a text, or nothing. The file lock excludes other servers that share the folder.
pub(super) fn append(path: &Path, text: &[u8]) -> io::Result<()> {
    let mut file = OpenOptions::new().read(true).append(true).create(true).mode(MODE).open(path)?;
    file.lock()?;
    let before = file.seek(SeekFrom::End(0))?;
    let text = [completion(&tail(&file, before)?).as_bytes(), text].concat();
    append_to(&mut file, &text).inspect_err(|_| {
        // A partial game would corrupt the next one.
        if let Err(error) = file.set_len(before) {
            log::error!("a partial game is left at the end of {}: {error}", path.display());
        }
    })
}

fn append_to(file: &mut File, text: &[u8]) -> io::Result<()> {
    file.write_all(text)?;
    // A full disk may be reported only here.
    file.sync_data()
}

/// Reads the last complete lines of a file of this length.
fn tail(file: &File, length: u64) -> io::Result<Vec<u8>> {
    let from = length.saturating_sub(TAIL);
    let mut tail = vec![0; (length - from) as usize];
    file.read_exact_at(&mut tail, from)?;
    if from > 0 {
        let half_a_line = tail.iter().position(|&byte| byte == b'\n').map_or(0, |end| end + 1);
        tail.drain(..half_a_line);
    }
    Ok(tail)
}

/// Returns the text that completes a truncated last game, so that another game can follow. A power
/// failure may leave part of a game, which would swallow the next one: it ends without a result.
fn completion(tail: &[u8]) -> &'static str {
    let is_moves = |line: &&[u8]| !line.starts_with(b"[");
    let mut braces = tail.split(|&byte| byte == b'\n').filter(is_moves).flatten();
    if braces.rfind(|&byte| matches!(byte, b'{' | b'}')) == Some(&b'{') {
        return " }\n*\n\n";
    }
    let last = tail.split(u8::is_ascii_whitespace).rfind(|word| !word.is_empty());
    match last {
        None => "",
        Some(word) if !RESULTS.contains(&word) => "\n*\n\n",
        Some(_) if tail.ends_with(b"\n\n") => "",
        Some(_) if tail.ends_with(b"\n") => "\n",
        Some(_) => "\n\n",
    }
}

#[cfg(test)]
mod tests;
