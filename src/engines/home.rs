//! The working folder of an external engine, in the system's folder for temporary files.
//!
//! A lock on the folder shows that its server lives, even in another container. A server that was
//! killed leaves its folders behind; the next one removes them. A folder that cannot be locked gets
//! another name, by which no other server removes it.

use rustix::io::Errno;
use rustix::process::{Pid, getuid, test_kill_process};
use std::fs::{self, DirBuilder, File, TryLockError};
use std::io;
use std::os::unix::fs::{DirBuilderExt, MetadataExt};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

/// The prefix of folder names; the server's process ID and a counter follow.
const PREFIX: &str = "farboard-engine-";
/// The prefix of folders without a lock, which no other server may remove.
const UNLOCKED_PREFIX: &str = "farboard-unlocked-engine-";

/// A folder that only this user can read. Removed when dropped.
#[derive(Debug)]
pub(super) struct Home {
    path: PathBuf,
    /// Holds the lock, if there is one.
    _folder: Option<File>,
}

impl Home {
    /// Creates a folder.
    ///
    /// # Errors
    /// It cannot be created.
    pub(super) fn new() -> io::Result<Home> {
        Home::locked_by(lock)
    }

    /// Creates a folder, locked by this function unless that fails.
    fn locked_by(lock: impl Fn(&Path) -> io::Result<Option<File>>) -> io::Result<Home> {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let mut prefix = PREFIX;
        loop {
            let name = format!("{prefix}{}-{}", std::process::id(), NUMBER.fetch_add(1, Relaxed));
            let path = std::env::temp_dir().join(name);
            match DirBuilder::new().mode(0o700).create(&path) {
                // Left behind by a killed server with the same process ID, or planted by another
                // user.
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => continue,
                made => made?,
            }
            if prefix == UNLOCKED_PREFIX {
                return Ok(Home { path, _folder: None });
            }
            match lock(&path) {
                // Before it was locked, another server that starts may have taken it for an
                // abandoned one.
                Ok(folder) if folder.is_some() && path.exists() => return Ok(Home { path, _folder: folder }),
                Ok(_) => {}
                Err(error) => {
                    log::debug!("the engine's folder {} cannot be locked: {error}", path.display());
                    let _ = fs::remove_dir(&path);
                    prefix = UNLOCKED_PREFIX;
                }
            }
        }
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }
}

impl Drop for Home {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.path);
    }
}

/// Locks a folder; `None` if another process has the lock, or the folder does not exist any more.
fn lock(path: &Path) -> io::Result<Option<File>> {
    let folder = match File::open(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        opened => opened?,
    };
    match folder.try_lock() {
        Ok(()) => Ok(Some(folder)),
        Err(TryLockError::WouldBlock) => Ok(None),
        Err(TryLockError::Error(error)) => Err(error),
    }
}

/// Removes the folders of engines whose servers were killed. To be called before the first engine
/// is started. Returns the number of removed folders.
pub fn remove_abandoned_homes() -> usize {
    let Ok(entries) = fs::read_dir(std::env::temp_dir()) else { return 0 };
    entries
        .flatten()
        .filter(|entry| is_abandoned(&entry.path()) && fs::remove_dir_all(entry.path()).is_ok())
        .count()
}

fn is_abandoned(path: &Path) -> bool {
    let name = path.file_name().and_then(|name| name.to_str());
    let server = name
        .and_then(|name| name.strip_prefix(PREFIX)?.split_once('-')?.0.parse().ok())
        .and_then(Pid::from_raw);
    let is_own =
        fs::symlink_metadata(path).is_ok_and(|file| file.is_dir() && file.uid() == getuid().as_raw());
    // Old servers had no lock and are recognised by their process ID.
    let has_exited = |server: Pid| {
        server.as_raw_nonzero().get().unsigned_abs() == std::process::id()
            || test_kill_process(server) == Err(Errno::SRCH)
    };
    is_own && server.is_some_and(has_exited) && lock(path).is_ok_and(|folder| folder.is_some())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::RefCell;
    use std::process::Command;

    /// The ID of a process that has exited.
    fn exited() -> u32 {
        let mut child = Command::new("true").spawn().expect("a program of every system");
        child.wait().expect("it ends");
        child.id()
    }

    fn folder(server: u32, number: u32) -> PathBuf {
        let path = std::env::temp_dir().join(format!("{PREFIX}{server}-{number}"));
        fs::create_dir_all(path.join("below")).expect("a folder");
        path
    }

    #[test]
    fn a_folder_that_cannot_be_locked_is_removed_only_by_its_own_server() {
        let tried = RefCell::new(Vec::new());
        let home = Home::locked_by(|path| {
            tried.borrow_mut().push(path.to_owned());
            Err(io::ErrorKind::Unsupported.into())
        });
        let home = home.expect("a folder");
        let path = home.path().to_owned();
        let tried = tried.into_inner();
        assert!(tried.len() == 1 && tried[0] != path && !tried[0].exists(), "{tried:?}");
        assert!(path.is_dir() && !is_abandoned(&path));
        drop(home);
        assert!(!path.exists());
    }

    #[test]
    fn only_folders_of_killed_servers_are_removed() {
        let mut living = Command::new("sleep").arg("1000").spawn().expect("a program of every system");
        // No other test has homes with this counter.
        let (dead, alive, ended) = (folder(exited(), 77_777), folder(living.id(), 77_777), exited());
        let locked = folder(ended, 77_778);
        // A server in a container, whose process ID means nothing here.
        let lock = lock(&locked).expect("a folder").expect("no other lock");
        let home = Home::new().expect("a folder");
        for path in [&alive, &locked, &home.path().to_owned(), &PathBuf::from("/tmp"), &dead.join("below")] {
            assert!(!is_abandoned(path), "{}", path.display());
        }
        assert!(is_abandoned(&dead));
        assert!(remove_abandoned_homes() >= 1);
        assert!(!dead.exists() && alive.exists() && locked.exists() && home.path().exists());
        drop(lock);
        assert!(is_abandoned(&locked));
        for path in [&alive, &locked] {
            fs::remove_dir_all(path).expect("a folder");
        }
        living.kill().expect("a child");
        living.wait().expect("it ends");
        let path = home.path().to_owned();
        drop(home);
        assert!(!path.exists());
    }
}
