//! `farboard-connect` as a GUI runs it: a process with two pipes.

use std::fs::File;
use std::io::{Read, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::thread;

use super::deadline::{TEST_TIMEOUT, within_patience};

/// The built program.
pub const SHIM: &str = env!("CARGO_BIN_EXE_farboard-connect");

/// A running shim; killed when dropped.
pub struct Shim {
    child: Option<Child>,
    id: u32,
    input: Option<ChildStdin>,
    output: Option<Receiver<u8>>,
}

impl Shim {
    /// Starts the shim with pipes.
    pub fn start(arguments: &[&str]) -> Self {
        Self::spawn(SHIM, arguments, Stdio::piped())
    }

    /// Starts the shim as a command of the server's program.
    pub fn start_within_the_server(arguments: &[&str]) -> Self {
        Self::spawn(env!("CARGO_BIN_EXE_farboard"), &[&["connect"], arguments].concat(), Stdio::piped())
    }

    /// Starts the shim with a file as its input.
    pub fn start_with_file(arguments: &[&str], path: &str) -> Self {
        Self::spawn(SHIM, arguments, File::open(path).expect("an existing file").into())
    }

    fn spawn(program: &str, arguments: &[&str], input: Stdio) -> Self {
        let mut child = Command::new(program)
            .args(arguments)
            .env_remove("FARBOARD_SECRET")
            .stdin(input)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("the built shim");
        let mut stdout = child.stdout.take().expect("a pipe");
        let (sender, output) = mpsc::channel();
        thread::spawn(move || {
            let mut chunk = [0; 4096];
            while let Ok(size @ 1..) = stdout.read(&mut chunk) {
                // Returning closes the pipe, which a dropped receiver asks for.
                if chunk[..size].iter().any(|byte| sender.send(*byte).is_err()) {
                    return;
                }
            }
        });
        Self { id: child.id(), input: child.stdin.take(), child: Some(child), output: Some(output) }
    }

    /// Writes to the shim's input.
    pub fn write(&mut self, bytes: &[u8]) {
        self.input.as_mut().expect("an open input").write_all(bytes).expect("a shim that reads");
    }

    /// Writes without waiting for the shim to read; the input stays open as long as that takes.
    pub fn write_in_background(&mut self, bytes: Vec<u8>) {
        let mut input = self.input.take().expect("an open input");
        thread::spawn(move || input.write_all(&bytes));
    }

    /// Ends the shim's input.
    pub fn close_input(&mut self) {
        self.input = None;
    }

    /// Stops reading the shim's output: a later write fails.
    pub fn close_output(&mut self) {
        self.output = None;
    }

    /// The next bytes of the output.
    pub fn bytes(&mut self, count: usize) -> Vec<u8> {
        let output = self.output.as_ref().expect("an open output");
        (0..count).map(|_| output.recv_timeout(TEST_TIMEOUT).expect("more output")).collect()
    }

    /// The next line of the output, with its end.
    pub fn line(&mut self) -> String {
        let mut line = Vec::new();
        while line.last() != Some(&b'\n') {
            line.extend(self.bytes(1));
        }
        String::from_utf8(line).expect("ASCII")
    }

    /// The bytes available next, at least one.
    pub fn some_bytes(&mut self) -> Vec<u8> {
        let output = self.output.as_ref().expect("an open output");
        let mut bytes = vec![output.recv_timeout(TEST_TIMEOUT).expect("more output")];
        bytes.extend(output.try_iter());
        bytes
    }

    /// Peak memory in KiB.
    #[cfg(target_os = "linux")]
    pub fn most_memory(&self) -> usize {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.id)).expect("a running shim");
        let most = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).expect("a field");
        most.trim().trim_end_matches(" kB").parse().expect("a number")
    }

    /// All output up to its end.
    pub fn read_to_end(&mut self) -> Vec<u8> {
        let output = self.output.take().expect("an open output");
        within_patience("end of output", move || output.iter().collect())
    }

    /// Sends a signal by name.
    pub fn signal(&self, name: &str) {
        let status = Command::new("kill").args(["-s", name, &self.id.to_string()]).status();
        assert!(status.expect("a kill command").success());
    }

    /// Waits for the exit; `None` means that a signal killed it.
    pub fn exit_code(&mut self) -> Option<i32> {
        let mut child = self.child.take().expect("a shim whose exit was not seen yet");
        // Kept open: the shim must exit without its input being closed.
        let _input = self.input.take();
        within_patience("exit", move || child.wait()).expect("a child").code()
    }
}

impl Drop for Shim {
    fn drop(&mut self) {
        if let Some(child) = &mut self.child {
            // Fails if it has exited, which is fine.
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}
