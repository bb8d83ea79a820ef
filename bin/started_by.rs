//! Detects whether a GUI, a service manager or a person has started the program, which decides the
//! output.

use crate::output::report_error;
use farboard::shim::gui_message;
use std::env;
use std::ffi::OsString;
use std::fs::{File, Metadata};
use std::io::{self, IsTerminal};
use std::os::fd::{AsFd, BorrowedFd};
use std::os::unix::fs::{FileTypeExt, MetadataExt};
use std::process::ExitCode;

/// Message to a GUI that has started the server as its engine.
const MISTAKEN: &str = "This command starts a server, not an engine. Let the engine's command be \"farboard stdio\", or \
    \"farboard-connect HOST\" for a server on another machine (a server whose input is a pipe is started by \
    \"farboard serve\")";

/// Returns true if a GUI has started the program as an engine: without arguments, and with pipes or
/// local sockets as input and output. Services and containers may have those, too.
pub fn is_gui(words: &[OsString]) -> bool {
    words.len() <= 1
        && is_pipe(io::stdin().as_fd())
        && is_pipe(io::stdout().as_fd())
        && !is_managed(&Surroundings::now())
}

/// Prints for the GUI which program to start instead.
pub fn explain_to_gui() -> ExitCode {
    // xboard also takes standard error for output of the engine.
    if io::stderr().is_terminal() {
        report_error(&format!("{MISTAKEN}."));
    }
    gui_message::print(None, &format!("{MISTAKEN}."));
    ExitCode::from(2)
}

/// Returns true for a service, whose output goes to a log.
pub fn is_service() -> bool {
    !io::stdout().is_terminal() && is_managed(&Surroundings::now())
}

/// Evidence of how the program was started.
#[derive(Clone, Default, Debug)]
struct Surroundings {
    /// `NOTIFY_SOCKET`, or a `LISTEN_PID` of this process: a service manager waits for a
    /// notification, or has passed sockets.
    announced: bool,
    /// `JOURNAL_STREAM`: device and inode of the journal's end of the output. A child of a service
    /// inherits the variable and may have another output.
    journal: Option<String>,
    /// Device and inode of standard output and error.
    outputs: Vec<String>,
    /// Whether it is the first process of a container.
    first: bool,
}

impl Surroundings {
    fn now() -> Surroundings {
        let own = std::process::id();
        let passed = env::var("LISTEN_PID").is_ok_and(|pid| pid == own.to_string());
        let wanted = env::var_os("NOTIFY_SOCKET").is_some_and(|value| !value.is_empty());
        let outputs = [metadata(io::stdout().as_fd()), metadata(io::stderr().as_fd())];
        let outputs = outputs.into_iter().flatten();
        Surroundings {
            announced: wanted || passed,
            journal: env::var("JOURNAL_STREAM").ok(),
            outputs: outputs.map(|output| format!("{}:{}", output.dev(), output.ino())).collect(),
            first: own == 1,
        }
    }
}

fn is_managed(surroundings: &Surroundings) -> bool {
    let journal = surroundings.journal.as_ref();
    surroundings.announced
        || surroundings.first
        || journal.is_some_and(|journal| surroundings.outputs.contains(journal))
}

fn is_pipe(descriptor: BorrowedFd) -> bool {
    metadata(descriptor).is_some_and(|found| found.file_type().is_fifo() || found.file_type().is_socket())
}

fn metadata(descriptor: BorrowedFd) -> Option<Metadata> {
    File::from(descriptor.try_clone_to_owned().ok()?).metadata().ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::net::UnixStream;

    #[test]
    fn managers_show_themselves() {
        let person =
            Surroundings { outputs: vec!["8:21".to_owned(), "0:7".to_owned()], ..Surroundings::default() };
        assert!(!is_managed(&person));
        assert!(is_managed(&Surroundings { announced: true, ..person.clone() }));
        assert!(is_managed(&Surroundings { first: true, ..person.clone() }));
        let journal = |stream: &str| Surroundings { journal: Some(stream.to_owned()), ..person.clone() };
        assert!(is_managed(&journal("8:21")) && is_managed(&journal("0:7")));
        assert!(!is_managed(&journal("8:2")), "a terminal of a desktop that is itself a service");
    }

    #[test]
    fn pipes_and_local_sockets_are_what_guis_have() {
        let (reader, writer) = io::pipe().expect("a pipe");
        let (socket, _) = UnixStream::pair().expect("two sockets");
        assert!(is_pipe(reader.as_fd()) && is_pipe(writer.as_fd()) && is_pipe(socket.as_fd()));
        let nothing = File::open("/dev/null").expect("a device");
        let file = File::open("Cargo.toml").expect("a file");
        assert!(!is_pipe(nothing.as_fd()) && !is_pipe(file.as_fd()));
    }

    #[test]
    fn a_word_on_the_command_line_decides() {
        for words in [&["farboard", "serve"][..], &["farboard", "--table", "1"]] {
            assert!(!is_gui(&words.iter().map(OsString::from).collect::<Vec<_>>()));
        }
    }
}
