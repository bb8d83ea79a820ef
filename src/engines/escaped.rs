//! Processes that an engine has started and that have left its group, for a session of their own.
//!
//! They are known by the environment that they have inherited: each engine has a folder of its own as its home. One that has
//! cleared that, too, is not found.

use rustix::process::{Pid, Signal, kill_process};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

/// Looks for processes that are started meanwhile.
const ROUNDS: usize = 8;

/// Ends all processes whose home is this folder. Where there is no `/proc`, none.
pub(super) fn end_those_at_home_in(folder: &Path) {
    for _ in 0..ROUNDS {
        let found = at_home_in(folder);
        if found.is_empty() {
            return;
        }
        for process in found {
            // It may have ended meanwhile.
            let _ = kill_process(process, Signal::KILL);
        }
    }
}

fn at_home_in(folder: &Path) -> Vec<Pid> {
    let home = [b"HOME=", folder.as_os_str().as_bytes()].concat();
    let Ok(processes) = std::fs::read_dir("/proc") else { return Vec::new() };
    let is_at_home = |environment: &[u8]| environment.split(|&byte| byte == 0).any(|one| one == home);
    let ids = processes.flatten().filter_map(|entry| {
        let id = entry.file_name().to_str()?.parse().ok()?;
        // Those of other users cannot be read, and one that has ended has none.
        is_at_home(&std::fs::read(entry.path().join("environ")).ok()?).then_some(id)
    });
    ids.filter_map(Pid::from_raw).collect()
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
        // The environment is the new one as soon as the program has been started, which spawn waits for.
        end_those_at_home_in(Path::new(&folder));
        assert!(!ours.wait().expect("a status").success());
        assert!(other.try_wait().expect("a status").is_none());
        other.kill().expect("a signal");
        other.wait().expect("a status");
    }
}
