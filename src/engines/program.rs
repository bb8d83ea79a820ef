//! The process of an engine: in a process group of its own, so that its children end with it, and
//! in an empty folder of its own, as some engines write files.

use super::home::Home;
use super::{escaped, inherited};
use rustix::process::{
    Pid, Resource, Rlimit, Signal, getppid, kill_process_group, prlimit, set_parent_process_death_signal,
    setpriority_process,
};
use std::io;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The groups of the programs that run.
static GROUPS: Mutex<Vec<Pid>> = Mutex::new(Vec::new());

/// Restrictions of an engine.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Confinement {
    /// Maximum memory that a process may map, in bytes.
    pub memory: Option<u64>,
    /// Its niceness; by default inherited from the thread that starts it.
    pub niceness: Option<i32>,
    /// Whether it gets nothing of the environment but the path, and its folder as its home.
    pub bare: bool,
    /// The program that starts it by [`run_launched`], so that the system ends it with the thread
    /// that has started it. Without one it should end when its input does.
    pub launcher: Option<PathBuf>,
}

/// The input and the output of an engine.
pub struct Pipes {
    /// Its standard input.
    pub input: ChildStdin,
    /// Its standard output.
    pub output: ChildStdout,
}

/// A process and its folder. Dropping it kills the process with its children, and removes the
/// folder.
#[derive(Debug)]
pub struct Program {
    child: Child,
    home: Home,
    /// Whether the folder is its home, and its children's.
    has_home: bool,
}

impl Program {
    /// Starts a program. Its standard error is dropped.
    ///
    /// # Errors
    /// It cannot be started. With a launcher there is no error, but the engine's output ends at
    /// once.
    pub fn start(command: &[String], confinement: &Confinement) -> io::Result<(Program, Pipes)> {
        let (first, arguments) = command.split_first().ok_or(io::ErrorKind::InvalidInput)?;
        let home = Home::new()?;
        let child = spawn(first, arguments, confinement, home.path())?;
        let mut program = Program { child, home, has_home: confinement.bare };
        groups().extend(program.pid());
        program.confine(confinement)?;
        let pipes = program.child.stdin.take().zip(program.child.stdout.take());
        let (input, output) = pipes.ok_or_else(|| io::Error::other("it has no pipes"))?;
        Ok((program, Pipes { input, output }))
    }

    fn confine(&self, confinement: &Confinement) -> io::Result<()> {
        let pid = self.pid();
        // No core dump: it would be larger than the folder should be.
        let limits = [(Resource::As, confinement.memory), (Resource::Core, confinement.bare.then_some(0))];
        for (resource, most) in limits {
            if most.is_some() {
                prlimit(pid, resource, Rlimit { current: most, maximum: most })?;
            }
        }
        if let Some(niceness) = confinement.niceness {
            setpriority_process(pid, niceness)?;
        }
        Ok(())
    }

    /// The process ID, also the ID of its group.
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// Suspends the process and its children.
    pub fn suspend(&self) {
        self.signal(Signal::STOP);
    }

    /// Resumes it.
    pub fn resume(&self) {
        self.signal(Signal::CONT);
    }

    fn signal(&self, signal: Signal) {
        // Fails if it has exited, which the end of its output shows.
        if let Some(group) = self.pid() {
            let _ = kill_process_group(group, signal);
        }
    }

    fn pid(&self) -> Option<Pid> {
        i32::try_from(self.child.id()).ok().and_then(Pid::from_raw)
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        groups().retain(|&group| Some(group) != self.pid());
        self.signal(Signal::KILL);
        if self.has_home {
            escaped::kill_processes_with_home(self.home.path());
        }
        let _ = self.child.wait();
    }
}

fn groups() -> MutexGuard<'static, Vec<Pid>> {
    GROUPS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Kills all programs that run, for a process that is about to exit without dropping them: a
/// terminal's signals do not reach their groups.
pub fn kill_all() {
    for &group in groups().iter() {
        // Fails if it has exited.
        let _ = kill_process_group(group, Signal::KILL);
    }
}

fn spawn(first: &str, arguments: &[String], confinement: &Confinement, folder: &Path) -> io::Result<Child> {
    // A relative path is relative to this process's folder.
    let first = if first.contains('/') { std::path::absolute(first)? } else { first.into() };
    let mut command = match &confinement.launcher {
        None => Command::new(first),
        Some(launcher) => {
            let mut command = Command::new(launcher);
            command.arg(LAUNCH).arg(std::process::id().to_string()).arg(first);
            command
        }
    };
    command.args(arguments).current_dir(folder).process_group(0);
    if confinement.bare {
        command.env_clear().env("HOME", folder).env("TMPDIR", folder);
        command.envs(std::env::var_os("PATH").map(|path| ("PATH", path)));
    }
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn()
}

/// The first argument of the launcher.
const LAUNCH: &str = "launch-engine";

/// If these are the arguments of a launcher, becomes the engine that they name, which ends with the
/// thread that has started this process. Returns only if that fails, or `None` for other arguments.
pub fn run_launched(arguments: &[std::ffi::OsString]) -> Option<io::Error> {
    let [_, word, parent, program, arguments @ ..] = arguments else { return None };
    if word != LAUNCH {
        return None;
    }
    let parent = parent.to_str().and_then(|parent| parent.parse().ok()).and_then(Pid::from_raw);
    if let Err(error) = set_parent_process_death_signal(Some(Signal::KILL)) {
        return Some(error.into());
    }
    if getppid() != parent {
        return Some(io::Error::other("the server has exited already"));
    }
    // Where descriptors cannot be listed, the engine gets the inherited ones: better than no
    // engine.
    let _ = inherited::keep_from_next_program();
    Some(Command::new(program).args(arguments).exec())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engines::{Backlog, read_lines};
    use std::time::Duration;

    const BACKLOG: Backlog = Backlog { lines: 100, longest: 4096, dropped_reports: 0 };

    fn shell(script: &str) -> [String; 3] {
        ["/bin/sh", "-c", script].map(str::to_owned)
    }

    fn exists(id: &str) -> bool {
        let status = std::fs::read_to_string(format!("/proc/{id}/stat")).unwrap_or_default();
        // A zombie has exited, even if the first process of the system has not collected it.
        !status.is_empty() && !status.contains(") Z ")
    }

    #[test]
    fn its_children_end_with_it_and_its_folder_is_removed() {
        let (program, pipes) =
            Program::start(&shell("sleep 1000 & echo $!; pwd; wait"), &Confinement::default()).unwrap();
        let lines = read_lines(pipes.output, BACKLOG).unwrap();
        let next = || lines.recv_timeout(Duration::from_secs(20)).unwrap();
        let (sleeper, folder) = (next(), PathBuf::from(next()));
        assert!(exists(&sleeper) && folder.is_dir());
        drop(program);
        let deadline = std::time::Instant::now() + Duration::from_secs(20);
        while exists(&sleeper) {
            assert!(std::time::Instant::now() < deadline, "a child is left");
            std::thread::yield_now();
        }
        assert!(!folder.exists());
    }

    #[test]
    fn a_child_that_has_left_its_group_ends_with_it() {
        let confinement = Confinement { bare: true, ..Confinement::default() };
        let script =
            "setsid sleep 1000 & sleep 1000 & (setsid sh -c 'cd /; echo $$; sleep 1000; true' &) ; wait";
        let (program, pipes) = Program::start(&shell(script), &confinement).unwrap();
        let sleeper =
            read_lines(pipes.output, BACKLOG).unwrap().recv_timeout(Duration::from_secs(20)).unwrap();
        assert!(exists(&sleeper));
        drop(program);
        let deadline = std::time::Instant::now() + Duration::from_secs(20);
        while exists(&sleeper) {
            assert!(std::time::Instant::now() < deadline, "a child is left");
            std::thread::yield_now();
        }
    }

    #[test]
    fn it_inherits_neither_descriptors_nor_environment() {
        let _secret = std::fs::File::open("/proc/self/stat").unwrap();
        let confinement =
            Confinement { bare: true, memory: Some(1 << 30), niceness: Some(19), ..Confinement::default() };
        let script = "ls -l /proc/$$/fd | tr '\\n' ' '; echo; env | sort | cut -d= -f1 | tr '\\n' ' '; echo; \
                      ulimit -v; ulimit -c; cut -d' ' -f19 /proc/$$/stat";
        let (_program, pipes) = Program::start(&shell(script), &confinement).unwrap();
        let lines = read_lines(pipes.output, BACKLOG).unwrap();
        let said: Vec<String> = lines.iter().collect();
        assert!(said[0].contains("pipe:"), "{}", said[0]);
        assert!(!said[0].contains("/stat"), "{}", said[0]);
        assert!(
            said[1]
                .split(' ')
                .all(|name| ["HOME", "PATH", "PWD", "TMPDIR", "_", "OLDPWD", "SHLVL", ""].contains(&name)),
            "{}",
            said[1]
        );
        assert_eq!(said[2..], ["1048576", "0", "19"]);
    }

    #[test]
    fn a_program_that_does_not_exist_leaves_no_folder() {
        let command = ["/nonexistent/engine".to_owned()];
        assert!(Program::start(&command, &Confinement::default()).is_err());
        assert!(Program::start(&[], &Confinement::default()).is_err());
    }
}
