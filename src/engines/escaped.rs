//! Processes that an engine has started and that have left its group, for a session of their own.
//!
//! They are known by the environment that they have inherited: each engine has a folder of its own as its home. One that has
//! cleared that, too, is not found.

use rustix::process::{Pid, Signal, kill_process};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::time::Duration;

/// Looks for processes that are started meanwhile.
const ROUNDS: usize = 8;
/// Time between two looks.
const PAUSE: Duration = Duration::from_millis(1);

/// Ends all processes whose home is this folder. Where there is no `/proc`, none.
pub(super) fn end_those_at_home_in(folder: &Path) {
    let home = [b"HOME=", folder.as_os_str().as_bytes()].concat();
    for _ in 0..ROUNDS {
        let mut again = false;
        for process in processes() {
            match is_at_home(process, &home) {
                Some(false) => {}
                Some(true) => {
                    // It may have ended meanwhile.
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

/// `None` if it cannot be told yet: a process that becomes another program has no environment for a moment.
fn is_at_home(process: Pid, home: &[u8]) -> Option<bool> {
    let path = format!("/proc/{}", process.as_raw_nonzero());
    // Those of other users cannot be read.
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
    fn only_those_at_home_there_are_ended() {
        let sleeper =
            |home: &str| Command::new("sleep").arg("1000").env("HOME", home).spawn().expect("a sleeper");
        let folder = format!("/nonexistent/farboard-test-{}", std::process::id());
        let (mut ours, mut other) = (sleeper(&folder), sleeper(&format!("{folder}0")));
        // On a busy machine the programs may begin later than a few looks take.
        while [&ours, &other]
            .iter()
            .any(|one| std::fs::read(format!("/proc/{}/environ", one.id())).unwrap().is_empty())
        {
            std::thread::yield_now();
        }
        end_those_at_home_in(Path::new(&folder));
        assert!(!ours.wait().expect("a status").success());
        assert!(other.try_wait().expect("a status").is_none());
        other.kill().expect("a signal");
        other.wait().expect("a status");
    }
}
