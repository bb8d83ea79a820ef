//! `--record`: a readable log of the session, which `farboard replay` replays. `docs/shim.md` has
//! the format; lines that are too long are written in parts, of which all but the last have the
//! mark `>>` or `<<`.

use std::fs::{File, OpenOptions};
use std::io::{self, ErrorKind, Write};
use std::path::Path;
use std::time::Instant;

/// The first line of a record.
pub(crate) const HEADER: &str = "# farboard-connect record 1";

/// Maximum length in bytes of a line; a longer one is written in parts.
pub(crate) const MAX_LINE: usize = 64 * 1024;

/// Maximum number in a file name. GUIs start an engine with the same command again and again.
const MAX_FILE_NUMBER: u32 = 10_000;

/// Writer of a record, or of none.
#[derive(Debug)]
pub(crate) struct Recorder<F = File> {
    /// `None` also after a failure: a session matters more than its record.
    file: Option<F>,
    began: Instant,
    client: Vec<u8>,
    server: Vec<u8>,
}

impl Recorder {
    /// Creates the record `path`; if that exists, `path.1`, and so on.
    pub(crate) fn create(path: &Path, now: Instant) -> io::Result<Self> {
        // Otherwise a numbered file would be made beside a folder, a device or a pipe.
        if std::fs::metadata(path).is_ok_and(|metadata| !metadata.is_file()) {
            return Err(io::Error::other("there is a folder, a device or a pipe of that name"));
        }
        Self::begin(create_new(path)?, now)
    }

    /// A recorder that writes nothing.
    pub(crate) fn none() -> Self {
        Self { file: None, began: Instant::now(), client: Vec::new(), server: Vec::new() }
    }
}

impl<F: Write> Recorder<F> {
    /// Begins a record in an empty file.
    pub(crate) fn begin(mut file: F, now: Instant) -> io::Result<Self> {
        file.write_all(format!("{HEADER}\n").as_bytes())?;
        Ok(Self { file: Some(file), began: now, client: Vec::new(), server: Vec::new() })
    }

    /// Adds bytes from the client.
    pub(crate) fn client(&mut self, bytes: &[u8], now: Instant) {
        let begun = std::mem::take(&mut self.client);
        self.client = self.lines(">", begun, bytes, now);
    }

    /// Adds whole lines that the shim sends for the client, between two of the client's own.
    pub(crate) fn for_client(&mut self, bytes: &[u8], now: Instant) {
        self.lines("+", Vec::new(), bytes, now);
    }

    /// Adds bytes to the client.
    pub(crate) fn server(&mut self, bytes: &[u8], now: Instant) {
        let begun = std::mem::take(&mut self.server);
        self.server = self.lines("<", begun, bytes, now);
    }

    /// Adds an event of the connection.
    pub(crate) fn note(&mut self, text: &str, now: Instant) {
        self.write("#", text.as_bytes(), now);
    }

    /// Ends the record with the unfinished lines of both sides.
    pub(crate) fn finish(&mut self, now: Instant) {
        let (client, server) = (std::mem::take(&mut self.client), std::mem::take(&mut self.server));
        for (mark, begun) in [(">>", client), ("<<", server)] {
            if !begun.is_empty() {
                self.write(mark, &begun, now);
            }
        }
    }

    /// Writes whole lines, and returns the rest.
    fn lines(&mut self, mark: &str, mut begun: Vec<u8>, bytes: &[u8], now: Instant) -> Vec<u8> {
        for piece in bytes.split_inclusive(|&byte| byte == b'\n') {
            begun.extend_from_slice(piece);
            if let Some(line) = begun.strip_suffix(b"\n") {
                self.write(mark, line.strip_suffix(b"\r").unwrap_or(line), now);
                begun.clear();
            } else if begun.len() >= MAX_LINE {
                self.write(&mark.repeat(2), &begun, now);
                begun.clear();
            }
        }
        begun
    }

    fn write(&mut self, mark: &str, line: &[u8], now: Instant) {
        let Some(file) = &mut self.file else { return };
        let time = now.saturating_duration_since(self.began);
        let mut text = format!("{}.{:03} {mark} ", time.as_secs(), time.subsec_millis()).into_bytes();
        text.extend_from_slice(line);
        text.push(b'\n');
        // One write per line, so that it is in the file whatever happens next. Failures cannot be
        // reported: standard output and standard error belong to the GUI.
        if file.write_all(&text).is_err() {
            self.file = None;
        }
    }
}

fn create_new(path: &Path) -> io::Result<File> {
    for number in 0..MAX_FILE_NUMBER {
        let mut name = path.as_os_str().to_owned();
        if number > 0 {
            name.push(format!(".{number}"));
        }
        match OpenOptions::new().write(true).create_new(true).open(name) {
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
            outcome => return outcome,
        }
    }
    Err(io::Error::new(ErrorKind::AlreadyExists, "too many records of that name"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::PathBuf;
    use std::time::Duration;

    /// A disk that is full once and then has space again.
    struct Disk<'a> {
        written: &'a mut Vec<u8>,
        room: usize,
    }

    impl Write for Disk<'_> {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            let size = bytes.len().min(self.room - self.written.len());
            if size == 0 {
                self.room = usize::MAX;
                return Err(ErrorKind::StorageFull.into());
            }
            self.written.extend_from_slice(&bytes[..size]);
            Ok(size)
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn both_sides_are_written_in_whole_lines() {
        let (mut written, now) = (Vec::new(), Instant::now());
        let mut recorder = Recorder::begin(&mut written, now).expect("memory");
        recorder.client(b"xbo", now);
        recorder.server(b"\nmo", now + Duration::from_millis(5));
        recorder.client(b"ard\r\nqu", now + Duration::from_millis(1007));
        recorder.for_client(b"option Elo=1500\n", now);
        recorder.note("outage", now);
        recorder.finish(now);
        let expected = "# farboard-connect record 1\n0.005 < \n1.007 > xboard\n0.000 + option Elo=1500\n\
                        0.000 # outage\n0.000 >> qu\n0.000 << mo\n";
        assert_eq!(String::from_utf8(written).expect("ASCII"), expected);
    }

    #[test]
    fn a_full_disk_ends_the_record_and_nothing_else() {
        let now = Instant::now();
        let full = Disk { written: &mut Vec::new(), room: 0 };
        assert!(Recorder::begin(full, now).is_err());
        for room in HEADER.len() + 1..80 {
            let mut written = Vec::new();
            let mut recorder = Recorder::begin(Disk { written: &mut written, room }, now).expect("some room");
            for _ in 0..100 {
                recorder.client(b"usermove e2e4\n", now);
            }
            assert_eq!(written.len(), room);
        }
    }

    #[test]
    fn folders_and_devices_are_refused() {
        let now = Instant::now();
        for path in [std::env::temp_dir(), PathBuf::from("/dev/full")] {
            let error = Recorder::create(&path, now).map(drop).expect_err("no file");
            assert!(error.to_string().contains("folder"), "{error}");
        }
    }
}
