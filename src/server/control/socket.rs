//! The socket file: accessible to this user alone, removed at shutdown.

use socket2::{Domain, SockAddr, Socket, Type};
use std::fs::{self, File, Permissions};
use std::io::{self, ErrorKind};
use std::os::unix::fs::{FileTypeExt, MetadataExt, PermissionsExt};
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};
use thiserror::Error;

const BACKLOG: i32 = 16;
/// Time to wait for another server that is creating its socket.
const LOCK_TIMEOUT: Duration = Duration::from_secs(1);
const LOCK_RETRY_INTERVAL: Duration = Duration::from_millis(10);

/// Error of creating the control socket. Each message is one line and says what to do.
#[derive(Debug, Error)]
pub enum ControlError {
    /// Another server answers at this path.
    #[error(
        "another server answers at the control socket {}: stop it, or choose another path with --control",
        .0.display()
    )]
    Taken(PathBuf),
    /// The path exists and is not a socket; it is left alone.
    #[error("{} is not a socket: choose another path with --control, or remove it", .0.display())]
    NoSocket(PathBuf),
    /// The directory does not exist.
    #[error(
        "there is no directory {} for the control socket: create it, or choose another path with --control",
        directory(.0).display()
    )]
    NoDirectory(PathBuf),
    /// This user may not create files there.
    #[error(
        "this user may not create the control socket {}: choose a path with --control in a directory of its \
         own, such as systemd makes by RuntimeDirectory=",
        .0.display()
    )]
    NotAllowed(PathBuf),
    /// The path is too long for a socket address.
    #[error(
        "the path of the control socket has {} bytes, too many for the system (about a hundred are allowed): \
         choose a shorter one with --control instead of {}",
        .0.as_os_str().len(),
        .0.display()
    )]
    TooLong(PathBuf),
    /// Another system error.
    #[error("cannot create the control socket {} ({}): choose another path with --control", .0.display(), .1)]
    System(PathBuf, io::Error),
}

impl ControlError {
    /// Interprets a system error at this path.
    pub(super) fn of(path: &Path, error: io::Error) -> ControlError {
        let path = path.to_owned();
        match error.kind() {
            ErrorKind::NotFound | ErrorKind::NotADirectory => ControlError::NoDirectory(path),
            ErrorKind::PermissionDenied | ErrorKind::ReadOnlyFilesystem => ControlError::NotAllowed(path),
            ErrorKind::AddrInUse => ControlError::Taken(path),
            _ => ControlError::System(path, error),
        }
    }
}

fn directory(path: &Path) -> &Path {
    path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// A path removed when dropped, unless another server owns it at that point.
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

/// Listens at this path. Replaces the socket of a server that has crashed.
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

/// Locks a directory against other servers until dropped: between the check of a stale socket and
/// its replacement, another server may create its own. A directory that cannot be locked is used
/// anyway.
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
    // No client can connect before `listen`, so the permissions are set in time.
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
        let message =
            |kind: ErrorKind| ControlError::of(Path::new("/run/x/control"), kind.into()).to_string();
        for (kind, expected) in [
            (ErrorKind::NotFound, "there is no directory /run/x for"),
            (ErrorKind::PermissionDenied, "this user may not create the control socket /run/x/control"),
            (ErrorKind::ReadOnlyFilesystem, "this user may not create"),
            (ErrorKind::AddrInUse, "another server answers"),
            (ErrorKind::OutOfMemory, "cannot create the control socket /run/x/control (out of memory)"),
        ] {
            let message = message(kind);
            let is_complete = message.contains(expected) && message.contains("--control");
            assert!(is_complete && !message.contains('\n'), "{message}");
        }
        assert_eq!(directory(Path::new("control")), Path::new("."));
    }
}
