//! The thread that starts processes, and ends the processes of dropped hosts.
//!
//! The system ends an engine with the thread that has started it. A search thread may end at any
//! time; this one ends with the last host. It has a low priority, which engines inherit.

use super::failure::Failure;
use crate::engines::{Confinement, Pipes, Program};
use crate::niceness;
use std::any::Any;
use std::io;
use std::path::PathBuf;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Mutex, PoisonError};
use std::thread::JoinHandle;

/// Steps by which the priority of engines is lowered, like that of the built-in engine's searches
/// where the loop's may not be raised.
const STEPS: i32 = 5;

type Started = io::Result<(Program, Pipes)>;

enum Request {
    Start(Vec<String>, Confinement, Sender<Started>),
    /// Drop it, which may take a while.
    End(Box<dyn Any + Send>),
}

/// Starts processes.
#[derive(Debug)]
pub(super) struct Spawner {
    requests: Mutex<Option<Sender<Request>>>,
    thread: Option<JoinHandle<()>>,
    launcher: Option<PathBuf>,
}

impl Spawner {
    /// A spawner whose processes are started by a launcher, if there is one.
    ///
    /// # Errors
    /// The system gives no thread.
    pub(super) fn new(launcher: Option<PathBuf>) -> io::Result<Spawner> {
        let (sender, requests) = channel();
        let thread =
            std::thread::Builder::new().name("engines".to_owned()).spawn(move || serve(&requests))?;
        Ok(Spawner { requests: Mutex::new(Some(sender)), thread: Some(thread), launcher })
    }

    /// Starts a process with a limit of its memory in MiB.
    pub(super) fn start(&self, command: &[String], memory: usize) -> Result<(Program, Pipes), Failure> {
        let confinement = Confinement {
            memory: u64::try_from(memory).ok().map(|memory| memory << 20),
            niceness: Some(niceness::above_start(STEPS)),
            bare: true,
            launcher: self.launcher.clone(),
        };
        let (sender, started) = channel();
        self.ask(Request::Start(command.to_vec(), confinement, sender));
        started.recv().map_err(|_| Failure::Exited)?.map_err(Failure::Start)
    }

    /// Drops a value in the thread, so that the caller does not wait until processes have exited.
    pub(super) fn end(&self, what: Box<dyn Any + Send>) {
        self.ask(Request::End(what));
    }

    fn ask(&self, request: Request) {
        let requests = self.requests.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(sender) = requests.as_ref() {
            let _ = sender.send(request);
        }
    }
}

impl Drop for Spawner {
    fn drop(&mut self) {
        self.requests.get_mut().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

fn serve(requests: &Receiver<Request>) {
    if let Err(error) = niceness::set_for_thread(STEPS) {
        log::debug!("engines keep the priority of the server: {error}");
    }
    for request in requests {
        match request {
            Request::Start(command, confinement, started) => {
                let _ = started.send(Program::start(&command, &confinement));
            }
            Request::End(what) => drop(what),
        }
    }
}
