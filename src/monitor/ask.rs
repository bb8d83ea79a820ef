//! Requests to a control socket. One connection each: the server closes it after the answer.

use crate::server::control::{Command, Overview, Response, SessionRow, StateResponse};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::io::{self, BufRead, BufReader, Write};
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// A server answers at once, however busy; one that does not has stopped or hangs.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(10);

/// A server and its sessions at one time.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Snapshot {
    /// The server.
    pub overview: Overview,
    /// Its sessions.
    pub sessions: Vec<SessionRow>,
}

/// Why there is no answer.
#[derive(Debug)]
pub enum AskError {
    /// No server is there.
    NoServer(PathBuf, io::Error),
    /// No server is named, and none answers at these paths.
    NoneFound(Vec<PathBuf>),
    /// No server is named, and one answers at each of these paths.
    Several(Vec<PathBuf>),
    /// The connection broke before the end of the answer.
    BrokenOff(io::Error),
    /// The server does not do it: why.
    Refused(String),
    /// An unexpected answer, and its text.
    Strange(String),
}

impl fmt::Display for AskError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            AskError::NoServer(path, error) if error.kind() == io::ErrorKind::PermissionDenied => {
                write!(
                    f,
                    "this user may not ask the server at {}: ask as the user that runs it",
                    path.display()
                )
            }
            AskError::NoServer(path, error) => {
                let path = path.display();
                write!(f, "no server answers at {path} ({error}): was it started with --control {path}?")
            }
            AskError::NoneFound(paths) => {
                let paths: Vec<_> = paths.iter().map(|path| path.display().to_string()).collect();
                write!(
                    f,
                    "no server of this user answers at {}: name its control socket with --control PATH",
                    paths.join(" or ")
                )
            }
            AskError::Several(paths) => {
                write!(f, "several servers answer here; choose one:")?;
                paths.iter().try_for_each(|path| write!(f, "\n  --control {}", path.display()))
            }
            AskError::BrokenOff(error) => write!(f, "the server has not finished its answer: {error}"),
            AskError::Refused(why) => f.write_str(why),
            AskError::Strange(line) => write!(f, "the server answers: {line}"),
        }
    }
}

impl std::error::Error for AskError {}

/// The sessions of the server with this control socket.
///
/// # Errors
/// There is no such server, or its answer is not understood.
pub fn sessions(path: &Path) -> Result<Vec<SessionRow>, AskError> {
    answers(path, "sessions")
}

/// State and sessions of the server with this control socket.
///
/// # Errors
/// There is no such server, or its answer is not understood.
pub fn snapshot(path: &Path) -> Result<Snapshot, AskError> {
    let overview = answers(path, "overview")?.pop();
    let overview = overview.ok_or_else(|| AskError::BrokenOff(io::ErrorKind::UnexpectedEof.into()))?;
    Ok(Snapshot { overview, sessions: sessions(path)? })
}

/// Has the server with this control socket obey. Returns the number of sessions that it concerns.
///
/// # Errors
/// There is no such server, or it does not do that.
pub fn execute(path: &Path, command: &Command) -> Result<usize, AskError> {
    let line = serde_json::to_string(command).map_err(|error| AskError::Strange(error.to_string()))?;
    match answers(path, &line)?.pop() {
        Some(Response::Done(sessions)) => Ok(sessions),
        Some(Response::Error(why)) => Err(AskError::Refused(why)),
        None => Err(AskError::BrokenOff(io::ErrorKind::UnexpectedEof.into())),
    }
}

/// The state of a session of the server with this control socket, as text.
///
/// # Errors
/// There is no such server, or it has no such session.
pub fn state(path: &Path, session: u64) -> Result<String, AskError> {
    match answers(path, &format!("state {session}"))?.pop() {
        Some(StateResponse::State(text)) => Ok(text),
        Some(StateResponse::Error(why)) => Err(AskError::Refused(why)),
        None => Err(AskError::BrokenOff(io::ErrorKind::UnexpectedEof.into())),
    }
}

fn answers<T: DeserializeOwned>(path: &Path, question: &str) -> Result<Vec<T>, AskError> {
    let no_server = |error| AskError::NoServer(path.to_owned(), error);
    let mut stream = UnixStream::connect(path).map_err(no_server)?;
    let asked = stream
        .set_read_timeout(Some(ANSWER_TIMEOUT))
        .and_then(|()| stream.set_write_timeout(Some(ANSWER_TIMEOUT)))
        .and_then(|()| stream.write_all(format!("{question}\n").as_bytes()));
    asked.map_err(AskError::BrokenOff)?;
    let mut answers = Vec::new();
    for line in BufReader::new(stream).lines() {
        let line = line.map_err(AskError::BrokenOff)?;
        answers.push(serde_json::from_str(&line).map_err(|_| AskError::Strange(line))?);
    }
    Ok(answers)
}
