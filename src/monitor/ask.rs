//! Requests to a control socket, each on a connection of its own: the server closes it after the
//! response.

use crate::server::control::{Command, Overview, Response, SessionRow, StateResponse};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::io::ErrorKind;
use std::io::{self, BufRead, BufReader, Write};
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::time::Duration;
use thiserror::Error;

/// A running server responds at once, however busy.
const RESPONSE_TIMEOUT: Duration = Duration::from_secs(10);

/// A server and its sessions at one time.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Snapshot {
    /// The server.
    pub overview: Overview,
    /// Its sessions.
    pub sessions: Vec<SessionRow>,
}

/// Error of a request.
#[derive(Debug, Error)]
pub enum AskError {
    /// No server answers at this path.
    #[error("{}", unreachable(.0, .1))]
    NoServer(PathBuf, io::Error),
    /// No server is named, and none answers at these paths.
    #[error("no server of this user answers at {}: name its control socket with --control PATH", joined(.0, " or ", ""))]
    NoneFound(Vec<PathBuf>),
    /// No server is named, and one answers at each of these paths.
    #[error("several servers answer; choose one:{}", joined(.0, "", "\n  --control "))]
    Several(Vec<PathBuf>),
    /// The connection broke before the end of the response.
    #[error("the response of the server is incomplete: {0}")]
    BrokenOff(io::Error),
    /// The server refused the request, with a reason.
    #[error("{0}")]
    Refused(String),
    /// The text of an unexpected response.
    #[error("unexpected response of the server: {0}")]
    Strange(String),
}

fn unreachable(path: &Path, error: &io::Error) -> String {
    let path = path.display();
    match error.kind() {
        io::ErrorKind::PermissionDenied => {
            format!("this user may not access the server at {path}: run the command as the server's user")
        }
        _ => format!("no server answers at {path} ({error}): was it started with --control {path}?"),
    }
}

fn joined(paths: &[PathBuf], separator: &str, prefix: &str) -> String {
    let paths: Vec<_> = paths.iter().map(|path| format!("{prefix}{}", path.display())).collect();
    paths.join(separator)
}

/// Returns the sessions of the server with this control socket.
///
/// # Errors
/// No server answers, or its response is not understood.
pub fn sessions(path: &Path) -> Result<Vec<SessionRow>, AskError> {
    request(path, "sessions")
}

/// Returns the overview and the sessions of the server with this control socket.
///
/// # Errors
/// There is no such server, or its answer is not understood.
pub fn snapshot(path: &Path) -> Result<Snapshot, AskError> {
    let overview = request(path, "overview")?.pop();
    let overview = overview.ok_or_else(|| AskError::BrokenOff(io::ErrorKind::UnexpectedEof.into()))?;
    Ok(Snapshot { overview, sessions: sessions(path)? })
}

/// Makes the server with this control socket execute a command. Returns the number of sessions
/// affected.
///
/// # Errors
/// No server answers, or it refuses the command.
pub fn execute(path: &Path, command: &Command) -> Result<usize, AskError> {
    let line = serde_json::to_string(command).map_err(|error| AskError::Strange(error.to_string()))?;
    match request(path, &line)?.pop() {
        Some(Response::Done(sessions)) => Ok(sessions),
        Some(Response::Error(why)) => Err(AskError::Refused(why)),
        None => Err(AskError::BrokenOff(io::ErrorKind::UnexpectedEof.into())),
    }
}

/// Returns the state of a session as text.
///
/// # Errors
/// No server answers, or it has no such session.
pub fn state(path: &Path, session: u64) -> Result<String, AskError> {
    match request(path, &format!("state {session}"))?.pop() {
        Some(StateResponse::State(text)) => Ok(text),
        Some(StateResponse::Error(why)) => Err(AskError::Refused(why)),
        None => Err(AskError::BrokenOff(io::ErrorKind::UnexpectedEof.into())),
    }
}

fn request<T: DeserializeOwned>(path: &Path, line: &str) -> Result<Vec<T>, AskError> {
    let no_server = |error| AskError::NoServer(path.to_owned(), error);
    let mut stream = UnixStream::connect(path).map_err(no_server)?;
    let sent = stream
        .set_read_timeout(Some(RESPONSE_TIMEOUT))
        .and_then(|()| stream.set_write_timeout(Some(RESPONSE_TIMEOUT)))
        .and_then(|()| stream.write_all(format!("{line}\n").as_bytes()));
    sent.map_err(AskError::BrokenOff)?;
    let mut responses = Vec::new();
    for line in BufReader::new(stream).lines() {
        let line = line.map_err(AskError::BrokenOff)?;
        responses.push(serde_json::from_str(&line).map_err(|_| AskError::Strange(line))?);
    }
    Ok(responses)
}

/// Returns the control socket of the only server that answers at one of these paths.
///
/// # Errors
/// None answers, or several do.
pub fn find_server(paths: Vec<PathBuf>) -> Result<PathBuf, AskError> {
    let mut found = Vec::new();
    let mut failed = None;
    for path in &paths {
        match UnixStream::connect(path) {
            Ok(_) => found.push(path.clone()),
            Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::ConnectionRefused) => {}
            Err(error) => failed = Some((path.clone(), error)),
        }
    }
    match (found.len(), failed) {
        (1, _) => Ok(found.remove(0)),
        (0, Some((path, error))) => Err(AskError::NoServer(path, error)),
        (0, None) => Err(AskError::NoneFound(paths)),
        (_, _) => Err(AskError::Several(found)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use std::os::unix::net::UnixListener;

    #[test]
    fn the_only_server_that_answers_is_found() {
        let scratch = std::env::temp_dir().join(format!("farboard-find-{}", std::process::id()));
        fs::create_dir_all(&scratch).expect("a scratch folder");
        let paths = ["a", "b", "c"].map(|name| scratch.join(name)).to_vec();
        let error = find_server(paths.clone()).expect_err("there is none").to_string();
        assert!(error.contains("--control") && error.contains(&paths[0].display().to_string()), "{error}");
        // A socket left by a killed server.
        drop(UnixListener::bind(&paths[0]).expect("a socket"));
        // A process started by another test inherits it for a moment.
        while UnixStream::connect(&paths[0]).is_ok() {}
        let _one = UnixListener::bind(&paths[1]).expect("a socket");
        assert_eq!(find_server(paths.clone()).expect("one"), paths[1]);
        let _other = UnixListener::bind(&paths[2]).expect("a socket");
        let error = find_server(paths.clone()).expect_err("there are two").to_string();
        for path in &paths[1..] {
            assert!(error.contains(&format!("--control {}", path.display())), "{error}");
        }
        let _ = fs::remove_dir_all(&scratch);
    }
}
