//! Reads a record, even a truncated or damaged one: a file can hold anything.
//!
//! A transcript, which people write, has the same lines without times and without a first line. It
//! also has lines `<+ FORM`, `@ DIRECTIVE`, and empty ones.

use crate::shim::record::HEADER;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;
use std::time::Duration;
use thiserror::Error;

/// Maximum size of a record in bytes.
const MAX_RECORD_BYTES: u64 = 256 << 20;
/// Latest time in a record in seconds: thirty years.
const MAX_SECONDS: u64 = 1_000_000_000;

/// A record.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Record {
    /// The entries in order.
    pub entries: Vec<RecordEntry>,
    /// Reason for doubting that the record is complete.
    pub flaw: Option<Flaw>,
    /// Whether people wrote it: each line of the server has a form, and none may be left out.
    pub is_transcript: bool,
}

/// An entry of a record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordEntry {
    /// Time since the session began; never less than in the entry before.
    pub at: Duration,
    /// The event at that time.
    pub event: RecordEvent,
}

/// An event. Lines have no endings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RecordEvent {
    /// The client sent this line.
    Client(Vec<u8>),
    /// The shim sent this line for the client.
    ForClient(Vec<u8>),
    /// The client got this line.
    Server(Vec<u8>),
    /// The client gets one or more lines of this form; only in transcripts.
    ServerRepeats(Vec<u8>),
    /// An event or a condition of a test; only in transcripts.
    Directive(String),
    /// An event of the connection, or a comment.
    Note(String),
}

/// Reason for doubting that a record reaches the end of its session.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum Flaw {
    /// The last line has no ending: the shim was killed, or the disk was full.
    #[error("the record is cut off in the middle of a line, which is left out")]
    CutOff,
    /// The line with this number, counted from 1, is invalid. The rest of the file is left out.
    #[error("line {0} is invalid: it and the rest of the file are left out")]
    Damaged(usize),
}

/// Error of reading a record.
#[derive(Debug, Error)]
pub enum RecordError {
    /// The file cannot be read.
    #[error(transparent)]
    Read(#[from] io::Error),
    /// The path is a folder, a device or a pipe.
    #[error("it is a folder, a device or a pipe, not a file")]
    NotAFile,
    /// The file does not begin like a record.
    #[error("it is not a record made by farboard-connect --record, nor a transcript")]
    NotARecord,
    /// The line with this number is invalid in a transcript.
    #[error("line {0} does not belong in a transcript")]
    NotATranscript(usize),
    /// The file is a record of another format.
    #[error(
        "it is a record of another version of farboard-connect: replay it with the farboard of that version"
    )]
    OtherFormat,
    /// The file is longer than 256 MiB.
    #[error("it is longer than 256 MiB")]
    TooLong,
    /// The record has no lines of either side.
    #[error("it is a record without any lines of client or server")]
    Empty,
}

impl Record {
    /// Reads the record at `path`.
    ///
    /// # Errors
    /// The file is not a record.
    pub fn open(path: &Path) -> Result<Record, RecordError> {
        // Checked first, since opening a pipe may block forever.
        if !std::fs::metadata(path)?.is_file() {
            return Err(RecordError::NotAFile);
        }
        let mut file = File::open(path)?.take(MAX_RECORD_BYTES + 1);
        let record = Record::read(BufReader::new(&mut file));
        if file.limit() == 0 { Err(RecordError::TooLong) } else { record }
    }

    /// Reads a record.
    ///
    /// # Errors
    /// The input is not a record.
    pub fn read(mut file: impl BufRead) -> Result<Record, RecordError> {
        let mut line = Vec::new();
        // The input may be anything, even a single endless line.
        let most = HEADER.len() as u64 + 8;
        file.by_ref().take(most).read_until(b'\n', &mut line)?;
        if line.strip_suffix(b"\n") != Some(HEADER.as_bytes()) {
            let name = HEADER.trim_end_matches(|c: char| c.is_ascii_digit());
            return if line.ends_with(b"\n") && line.starts_with(name.as_bytes()) {
                Err(RecordError::OtherFormat)
            } else if MARKS.contains(&line.split(u8::is_ascii_whitespace).next().unwrap_or_default()) {
                Record::read_transcript(line.chain(file))
            } else {
                Err(RecordError::NotARecord)
            };
        }
        let mut reader = Reader::default();
        for number in 2.. {
            line.clear();
            if file.read_until(b'\n', &mut line)? == 0 {
                break;
            }
            reader.flaw = match line.strip_suffix(b"\n") {
                None => Some(Flaw::CutOff),
                Some(line) => reader.line(line).is_none().then_some(Flaw::Damaged(number)),
            };
            if reader.flaw.is_some() {
                break;
            }
        }
        reader.finish()
    }

    /// Reads a transcript.
    ///
    /// # Errors
    /// A line is invalid.
    pub fn read_transcript(file: impl BufRead) -> Result<Record, RecordError> {
        let mut reader = Reader { is_transcript: true, ..Reader::default() };
        for (index, line) in file.split(b'\n').enumerate() {
            reader.line(&line?).ok_or(RecordError::NotATranscript(index + 1))?;
        }
        reader.finish()
    }

    /// Returns true if it needs more than a client and a server.
    pub fn has_directives(&self) -> bool {
        self.entries.iter().any(|entry| matches!(entry.event, RecordEvent::Directive(_)))
    }
}

/// The marks with which a transcript may begin.
const MARKS: [&[u8]; 5] = [b">", b"<", b"<+", b"@", b"#"];

/// The entries so far, and the beginnings of unfinished lines.
#[derive(Default)]
struct Reader {
    entries: Vec<RecordEntry>,
    flaw: Option<Flaw>,
    is_transcript: bool,
    at: Duration,
    client: Vec<u8>,
    server: Vec<u8>,
}

impl Reader {
    /// Adds a line; `None` if it is invalid.
    fn line(&mut self, line: &[u8]) -> Option<()> {
        let (at, line) = if self.is_transcript { (b"0.000".as_slice(), line) } else { split_word(line)? };
        let (mark, text) = split_word(line).or(self.is_transcript.then_some((line, b"")))?;
        let text_of = |text| String::from_utf8_lossy(text).into_owned();
        let at = time(at)?;
        let event = match mark {
            b"" if self.is_transcript && text.is_empty() => return Some(()),
            b"<+" if self.is_transcript => RecordEvent::ServerRepeats(text.to_owned()),
            b"@" if self.is_transcript => RecordEvent::Directive(text_of(text)),
            b">>" => {
                self.client.extend_from_slice(text);
                return Some(());
            }
            b"<<" => {
                self.server.extend_from_slice(text);
                return Some(());
            }
            b">" => RecordEvent::Client(joined(&mut self.client, text)),
            b"<" => RecordEvent::Server(joined(&mut self.server, text)),
            b"+" => RecordEvent::ForClient(text.to_owned()),
            b"#" => RecordEvent::Note(text_of(text)),
            _ => return None,
        };
        self.push(at, event);
        Some(())
    }

    fn push(&mut self, at: Duration, event: RecordEvent) {
        self.at = self.at.max(at);
        self.entries.push(RecordEntry { at: self.at, event });
    }

    fn finish(mut self) -> Result<Record, RecordError> {
        // A client may end without ending its last line.
        if !self.client.is_empty() && self.flaw.is_none() {
            let last = std::mem::take(&mut self.client);
            self.push(self.at, RecordEvent::Client(last));
        }
        if self.entries.iter().all(|entry| matches!(entry.event, RecordEvent::Note(_))) {
            return Err(RecordError::Empty);
        }
        Ok(Record { entries: self.entries, flaw: self.flaw, is_transcript: self.is_transcript })
    }
}

fn split_word(line: &[u8]) -> Option<(&[u8], &[u8])> {
    let end = memchr::memchr(b' ', line)?;
    Some((&line[..end], &line[end + 1..]))
}

fn joined(begun: &mut Vec<u8>, text: &[u8]) -> Vec<u8> {
    let mut line = std::mem::take(begun);
    line.extend_from_slice(text);
    line
}

/// Parses `SECONDS.MILLISECONDS`.
fn time(text: &[u8]) -> Option<Duration> {
    let (seconds, millis) = str::from_utf8(text).ok()?.split_once('.')?;
    let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    if !digits(seconds) || !digits(millis) || millis.len() != 3 {
        return None;
    }
    let seconds = seconds.parse().ok().filter(|seconds| *seconds <= MAX_SECONDS)?;
    Some(Duration::from_secs(seconds) + Duration::from_millis(millis.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shim::record::{MAX_LINE, Recorder};
    use proptest::prelude::*;
    use std::time::Instant;

    fn read(text: &[u8]) -> Result<Record, RecordError> {
        Record::read(text)
    }

    fn after_header(text: &str) -> Record {
        read(format!("{HEADER}\n{text}").as_bytes()).expect("a record")
    }

    fn events(record: &Record) -> Vec<String> {
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let event = |entry: &RecordEntry| match &entry.event {
            RecordEvent::Client(line) => format!("> {}", text(line)),
            RecordEvent::ForClient(line) => format!("+ {}", text(line)),
            RecordEvent::Server(line) => format!("< {}", text(line)),
            RecordEvent::ServerRepeats(line) => format!("<+ {}", text(line)),
            RecordEvent::Directive(line) => format!("@ {line}"),
            RecordEvent::Note(line) => format!("# {line}"),
        };
        record.entries.iter().map(event).collect()
    }

    #[test]
    fn marks_give_the_event_and_times_never_run_backwards() {
        let record = after_header("0.001 > new\n0.005 < \n0.002 # outage: x\n1.000 + option Elo=1\n");
        assert_eq!(events(&record), ["> new", "< ", "# outage: x", "+ option Elo=1"]);
        let times: Vec<u128> = record.entries.iter().map(|entry| entry.at.as_millis()).collect();
        assert_eq!((times.as_slice(), record.flaw), (&[1, 5, 5, 1000][..], None));
    }

    #[test]
    fn a_truncated_record_is_read_up_to_its_flaw() {
        let record = after_header("0.001 > new\n0.005 > usermove e2");
        assert_eq!(
            (events(&record).as_slice(), record.flaw),
            (&["> new".to_owned()][..], Some(Flaw::CutOff))
        );
        let record = after_header("0.001 > new\n\0\0\0\n0.005 > go\n");
        assert_eq!((record.entries.len(), record.flaw), (1, Some(Flaw::Damaged(3))));
        for damaged in
            ["x > new", "0.1 > new", "-1.000 > new", "99999999999.000 > new", "1.000 ? new", "1.000 >"]
        {
            let record = after_header(&format!("0.001 > new\n{damaged}\n"));
            assert_eq!(record.flaw, Some(Flaw::Damaged(3)), "{damaged}");
        }
    }

    #[test]
    fn a_transcript_has_no_times() {
        let text = "# comment\n\n> new\n<\n<+ feature %*\n@ wait 5\n";
        let transcript = read(text.as_bytes()).expect("a transcript");
        assert!(transcript.is_transcript && transcript.has_directives() && transcript.flaw.is_none());
        assert_eq!(events(&transcript), ["# comment", "> new", "< ", "<+ feature %*", "@ wait 5"]);
        for (text, line) in [("> new\nnew\n", 2), ("# a program\necho\n", 2), ("> new\n0.000 < x", 2)] {
            let error = read(text.as_bytes()).expect_err("not a transcript");
            assert!(matches!(error, RecordError::NotATranscript(number) if number == line), "{error}");
        }
        assert!(matches!(read(b"# only a comment"), Err(RecordError::Empty)));
    }

    #[test]
    fn other_files_are_refused() {
        assert!(matches!(read(b""), Err(RecordError::NotARecord)));
        assert!(matches!(read(b"xboard\nnew\n"), Err(RecordError::NotARecord)));
        assert!(matches!(read(&HEADER.as_bytes()[..9]), Err(RecordError::Empty)));
        assert!(matches!(read(b"# farboard-connect record 2\n"), Err(RecordError::OtherFormat)));
        assert!(matches!(read(format!("{HEADER}\n0.000 # x\n").as_bytes()), Err(RecordError::Empty)));
        for path in ["/", "/dev/zero"] {
            assert!(matches!(Record::open(Path::new(path)), Err(RecordError::NotAFile)), "{path}");
        }
        assert!(matches!(Record::open(Path::new("/no/such/file")), Err(RecordError::Read(_))));
    }

    #[test]
    fn long_lines_and_an_unfinished_last_one_are_joined() {
        let mut file = Vec::new();
        let now = Instant::now();
        let mut recorder = Recorder::begin(&mut file, now).expect("memory");
        let long = "x".repeat(3 * MAX_LINE + 7);
        for chunk in long.as_bytes().chunks(1000) {
            recorder.client(chunk, now);
        }
        recorder.server(b"pong 1\n", now);
        recorder.client(b"\nquit", now);
        recorder.finish(now);
        let record = read(&file).expect("a record");
        assert_eq!(events(&record), ["< pong 1", &format!("> {long}"), "> quit"]);
    }

    proptest! {
        #[test]
        fn arbitrary_bytes_are_read_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
            let _ = read(&bytes);
            let _ = read(&[HEADER.as_bytes(), b"\n", &bytes].concat());
        }

        #[test]
        fn recorded_lines_read_back(lines in prop::collection::vec((any::<bool>(), "[^\r\n]{0,20}"), 1..20)) {
            let mut file = Vec::new();
            let now = Instant::now();
            let mut recorder = Recorder::begin(&mut file, now).expect("memory");
            for (client, line) in &lines {
                let line = format!("{line}\n").into_bytes();
                if *client { recorder.client(&line, now) } else { recorder.server(&line, now) }
            }
            let expected: Vec<String> =
                lines.iter().map(|(client, line)| format!("{} {line}", if *client { '>' } else { '<' })).collect();
            prop_assert_eq!(events(&read(&file).expect("a record")), expected);
        }
    }
}
