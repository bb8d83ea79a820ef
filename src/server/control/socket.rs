//! The socket's file: created for this user alone, and removed at the end.

use socket2::{Domain, SockAddr, Socket, Type};
use std::fmt;
use std::fs::{self, File, Permissions};
use std::io::{self, ErrorKind};
use std::os::unix::fs::{FileTypeExt, MetadataExt, PermissionsExt};
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

/// Connections that wait to be accepted.
const BACKLOG: i32 = 16;
/// How long another server, which does the same, is waited for.
const LOCK_TIMEOUT: Duration = Duration::from_secs(1);
const LOCK_RETRY_INTERVAL: Duration = Duration::from_millis(10);

/// Why there is no control socket. Each message is one line and says what to do.
#[derive(Debug)]
pub enum ControlError {
    /// Another server is running at this path.
    Taken(PathBuf),
    /// The path is something else than a socket, which is not touched.
    NoSocket(PathBuf),
    /// The directory does not exist.
    NoDirectory(PathBuf),
    /// This user may not create files there.
    NotAllowed(PathBuf),
    /// The path is too long for an address of the system.
    TooLong(PathBuf),
    /// Another error of the system.
    System(PathBuf, io::Error),
}

impl ControlError {
    /// The meaning of a system error at this path.
    pub(super) fn of(path: &Path, error: io::Error) -> ControlError {
        let path = path.to_owned();
        match error.kind() {
            ErrorKind::NotFound | ErrorKind::NotADirectory => ControlError::NoDirectory(path),
            ErrorKind::PermissionDenied | ErrorKind::ReadOnlyFilesystem => ControlError::NotAllowed(path),
            // Another server was faster.
            ErrorKind::AddrInUse => ControlError::Taken(path),
            _ => ControlError::System(path, error),
        }
    }
}

impl fmt::Display for ControlError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ControlError::Taken(path) => write!(
                f,
                "another server answers at the control socket {}: end that one, or choose another path with --control",
                path.display()
            ),
            ControlError::NoSocket(path) => {
                write!(f, "{} is no socket: choose another path with --control, or remove it", path.display())
            }
            ControlError::NoDirectory(path) => write!(
                f,
                "there is no directory {} for the control socket: make it, or choose another path with --control",
                directory(path).display()
            ),
            ControlError::NotAllowed(path) => write!(
                f,
                "this user may not make the control socket {}: choose a path with --control in a directory of its own, \
                 such as systemd makes by RuntimeDirectory=",
                path.display()
            ),
            ControlError::TooLong(path) => write!(
                f,
                "the path of the control socket has {} bytes, too many for the system (about a hundred are allowed): \
                 choose a shorter one with --control instead of {}",
                path.as_os_str().len(),
                path.display()
            ),
            ControlError::System(path, error) => write!(
                f,
                "cannot make the control socket {} ({error}): choose another path with --control",
                path.display()
            ),
        }
    }
}

impl std::error::Error for ControlError {}

/// The directory of the file.
fn directory(path: &Path) -> &Path {
    path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// A path that is removed at the end, unless it belongs to another server by then.
pub(super) struct SocketFile {
    path: PathBuf,
    identity: (u64, u64),
}

impl Drop for SocketFile {
    fn drop(&mut self) {
        if identity(&self.path).is_ok_and(|identity| identity == self.identity) {
            let _ = fs::remove_file(&self.path);
        }
    }
}

fn identity(path: &Path) -> io::Result<(u64, u64)> {
    let metadata = fs::symlink_metadata(path)?;
    Ok((metadata.dev(), metadata.ino()))
}

/// Listens at this path. A socket that a dead server left there is replaced.
pub(super) fn listen(path: &Path) -> Result<(UnixListener, SocketFile), ControlError> {
    let of = |error| ControlError::of(path, error);
    let _lock = lock(directory(path));
    let address = SockAddr::unix(path).map_err(|_| ControlError::TooLong(path.to_owned()))?;
    match fs::symlink_metadata(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => {}
        Err(error) => return Err(of(error)),
        Ok(found) if !found.file_type().is_socket() => return Err(ControlError::NoSocket(path.to_owned())),
        Ok(_) => match UnixStream::connect(path) {
            Err(error) if error.kind() == ErrorKind::ConnectionRefused => {
                fs::remove_file(path).map_err(of)?
            }
            Err(error) => return Err(of(error)),
            Ok(_) => return Err(ControlError::Taken(path.to_owned())),
        },
    }
    bind(path, &address).map_err(of)
}

/// Keeps other servers from the sockets in a directory until it is dropped: between a look at a dead server's socket and its
/// replacement, another server may make its own. A directory that cannot be locked is used without.
fn lock(directory: &Path) -> Option<File> {
    let directory = File::open(directory).ok()?;
    let deadline = Instant::now() + LOCK_TIMEOUT;
    while directory.try_lock().is_err() {
        if Instant::now() > deadline {
            return None;
        }
        thread::sleep(LOCK_RETRY_INTERVAL);
    }
    Some(directory)
}

fn bind(path: &Path, address: &SockAddr) -> io::Result<(UnixListener, SocketFile)> {
    let socket = Socket::new(Domain::UNIX, Type::STREAM, None)?;
    socket.bind(address)?;
    let file = SocketFile { path: path.to_owned(), identity: identity(path)? };
    // Nobody can connect before `listen`, so the permissions are set in time.
    fs::set_permissions(path, Permissions::from_mode(0o600))?;
    socket.listen(BACKLOG)?;
    socket.set_nonblocking(true)?;
    Ok((UnixListener::from(std::os::fd::OwnedFd::from(socket)), file))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_say_what_to_do_on_one_line() {
        let said = |kind: ErrorKind| ControlError::of(Path::new("/run/x/control"), kind.into()).to_string();
        for (kind, expected) in [
            (ErrorKind::NotFound, "there is no directory /run/x for"),
            (ErrorKind::PermissionDenied, "this user may not make the control socket /run/x/control"),
            (ErrorKind::ReadOnlyFilesystem, "this user may not make"),
            (ErrorKind::AddrInUse, "another server answers"),
            (ErrorKind::OutOfMemory, "cannot make the control socket /run/x/control (out of memory)"),
        ] {
            let said = said(kind);
            assert!(said.contains(expected) && said.contains("--control") && !said.contains('\n'), "{said}");
        }
        assert_eq!(directory(Path::new("control")), Path::new("."));
    }
}
