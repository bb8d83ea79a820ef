//! Processes that an engine has started and that have left its process group.
//!
//! They are recognised by their inherited environment: each engine has a folder of its own as its
//! home. A process that has cleared its environment is not found.

use rustix::process::{Pid, Signal, kill_process};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::time::Duration;

/// Maximum number of rounds: processes may start others meanwhile.
const ROUNDS: usize = 8;
/// Time between two rounds.
const PAUSE: Duration = Duration::from_millis(1);

/// Kills all processes whose home is this folder, where there is `/proc`.
pub(super) fn kill_processes_with_home(folder: &Path) {
    let home = [b"HOME=", folder.as_os_str().as_bytes()].concat();
    for _ in 0..ROUNDS {
        let mut again = false;
        for process in processes() {
            match has_home(process, &home) {
                Some(false) => {}
                Some(true) => {
                    // Fails if it has exited meanwhile.
                    let _ = kill_process(process, Signal::KILL);
                    again = true;
                }
                None => again = true,
            }
        }
        if !again {
            return;
        }
        std::thread::sleep(PAUSE);
    }
}

fn processes() -> impl Iterator<Item = Pid> {
    let entries = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    entries.filter_map(|entry| Pid::from_raw(entry.file_name().to_str()?.parse().ok()?))
}

/// `None` if it is not known yet: a process that becomes another program has no environment for a
/// moment.
fn has_home(process: Pid, home: &[u8]) -> Option<bool> {
    let path = format!("/proc/{}", process.as_raw_nonzero());
    // Environments of other users' processes cannot be read.
    let Ok(environment) = std::fs::read(format!("{path}/environ")) else { return Some(false) };
    if environment.is_empty() && std::fs::read_link(format!("{path}/exe")).is_ok() {
        return None;
    }
    Some(environment.split(|&byte| byte == 0).any(|one| one == home))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::process::Command;

    #[test]
    fn only_processes_with_this_home_are_killed() {
        let sleeper =
            |home: &str| Command::new("sleep").arg("1000").env("HOME", home).spawn().expect("a sleeper");
        let folder = format!("/nonexistent/farboard-test-{}", std::process::id());
        let (mut own, mut other) = (sleeper(&folder), sleeper(&format!("{folder}0")));
        while [&own, &other]
            .iter()
            .any(|one| std::fs::read(format!("/proc/{}/environ", one.id())).unwrap().is_empty())
        {
            std::thread::yield_now();
        }
        kill_processes_with_home(Path::new(&folder));
        assert!(!own.wait().expect("a status").success());
        assert!(other.try_wait().expect("a status").is_none());
        other.kill().expect("a signal");
        other.wait().expect("a status");
    }
}
