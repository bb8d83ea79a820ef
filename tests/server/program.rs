//! The program itself: signals, system limits, messages, standard input and output.

use crate::test_server::{Client, TEST_TIMEOUT};
use farboard::config::Settings;
use rustix::process::{Pid, Signal, kill_process};
use std::fs::Permissions;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::SocketAddr;
use std::os::unix::fs::PermissionsExt;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::Instant;

/// A running program; killed when dropped.
pub struct Program(Child);

impl Program {
    pub fn start(command: &mut Command) -> Program {
        Program::with_stdin(command, Stdio::piped())
    }

    pub fn with_stdin(command: &mut Command, stdin: Stdio) -> Program {
        Program::with_stderr(command.stdin(stdin), Stdio::piped())
    }

    /// Starts a program with its log going to `stderr`.
    pub fn with_stderr(command: &mut Command, stderr: Stdio) -> Program {
        // Keeps away from the control socket of the user's own server.
        if command.get_envs().all(|(name, _)| name != "XDG_RUNTIME_DIR") {
            command.env_remove("XDG_RUNTIME_DIR");
        }
        Program(command.stdout(Stdio::piped()).stderr(stderr).spawn().expect("the program starts"))
    }

    pub fn farboard(arguments: &[&str]) -> Program {
        Program::start(Command::new(env!("CARGO_BIN_EXE_farboard")).args(arguments))
    }

    /// The address in the first line of its output.
    pub fn address(&mut self) -> SocketAddr {
        let line = self.line();
        line.split_whitespace()
            .last()
            .and_then(|word| word.parse().ok())
            .unwrap_or_else(|| panic!("{line:?}"))
    }

    /// The first line of its output.
    pub fn line(&mut self) -> String {
        let mut line = String::new();
        BufReader::new(self.0.stdout.as_mut().expect("piped")).read_line(&mut line).expect("a line");
        line
    }

    /// Waits for a log line with this text; returns the log up to there.
    pub fn logged(&mut self, text: &str) -> String {
        let log = self.0.stderr.as_mut().expect("piped");
        let mut said = String::new();
        let mut byte = [0];
        // Byte by byte: the rest is for the next reader.
        while log.read_exact(&mut byte).is_ok() {
            said.push(char::from(byte[0]));
            if said.ends_with('\n') && said.lines().last().is_some_and(|line| line.contains(text)) {
                return said;
            }
        }
        panic!("no {text:?} in {said}");
    }

    /// Its process number.
    pub fn id(&self) -> u32 {
        self.0.id()
    }

    /// The address that a service logs, as its output is not read.
    pub fn logged_address(&mut self) -> SocketAddr {
        let log = self.logged("listens on");
        let address = log.split_whitespace().last().and_then(|word| word.parse().ok());
        address.unwrap_or_else(|| panic!("{log:?}"))
    }

    pub fn signal(&self, signal: Signal) {
        let pid = Pid::from_child(&self.0);
        kill_process(pid, signal).expect("it runs");
    }

    pub fn wait(&mut self) -> ExitStatus {
        let deadline = Instant::now() + TEST_TIMEOUT;
        loop {
            if let Some(status) = self.0.try_wait().expect("our own child") {
                return status;
            }
            assert!(Instant::now() < deadline, "the program does not end");
            std::thread::yield_now();
        }
    }

    /// The rest of its output.
    pub fn stdout(&mut self) -> String {
        let mut text = String::new();
        self.0.stdout.take().expect("piped").read_to_string(&mut text).expect("text");
        text
    }

    pub fn stderr(&mut self) -> String {
        let mut text = String::new();
        self.0.stderr.take().expect("piped").read_to_string(&mut text).expect("text");
        text
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

const SERVE: [&str; 6] = ["--listen", "127.0.0.1:0", "--table", "1", "--log", "warn"];

#[test]
fn the_first_sigint_drains_and_the_second_stops() {
    let mut program = Program::farboard(&SERVE);
    let address = program.address();
    let mut idle = Client::connect(address);
    idle.ping(1);
    let mut playing = Client::connect(address);
    playing.send("xboard\nprotover 2\noption Book=none\nnew\nst 3600\ngo\n");
    playing.status();
    program.signal(Signal::INT);
    idle.rest();
    playing.status();
    program.signal(Signal::INT);
    playing.rest();
    assert!(program.wait().success());
}

#[test]
fn sigterm_ends_an_idle_server() {
    let mut program = Program::farboard(&SERVE);
    let mut client = Client::connect(program.address());
    client.ping(1);
    program.signal(Signal::TERM);
    client.rest();
    assert!(program.wait().success());
}

#[test]
fn a_port_in_use_is_reported_with_a_remedy() {
    let mut first = Program::farboard(&SERVE);
    let address = first.address().to_string();
    let mut second = Program::farboard(&["--listen", &address, "--table", "1"]);
    let code = second.wait().code().expect("it ends by itself");
    assert_eq!(code, 69);
    let message = second.stderr();
    assert!(message.contains(&address) && message.contains("--listen"), "{message}");
    let unit = include_str!("../../deploy/systemd/farboard.service");
    let codes = unit.lines().find_map(|line| line.strip_prefix("RestartPreventExitStatus="));
    let codes: Vec<&str> = codes.expect("a directive").split(' ').collect();
    for code in [2, code] {
        assert!(codes.contains(&code.to_string().as_str()), "systemd starts it again and again: {codes:?}");
    }
}

#[test]
fn engine_folders_left_by_a_killed_server_are_removed_at_the_next_start() {
    let folder = std::env::temp_dir().join(format!("farboard-abandoned-{}", std::process::id()));
    let mut ended = Command::new("true").spawn().expect("a program of every system");
    ended.wait().expect("it ends");
    let abandoned = folder.join(format!("farboard-engine-{}-0", ended.id()));
    let living = folder.join(format!("farboard-engine-{}-0", std::process::id()));
    for path in [&abandoned, &living] {
        std::fs::create_dir_all(path.join("below")).expect("a folder");
    }
    let mut command = Command::new(env!("CARGO_BIN_EXE_farboard"));
    let mut program = Program::start(command.args(&SERVE[..4]).env("TMPDIR", &folder));
    program.logged("left by a killed server removed: 1");
    assert!(!abandoned.exists() && living.exists());
    drop(program);
    std::fs::remove_dir_all(&folder).expect("a folder");
}

/// The memory limit proposed in the unit covers the defaults.
#[test]
fn the_memory_limit_proposed_in_the_unit_covers_the_defaults() {
    let unit = include_str!("../../deploy/systemd/farboard.service");
    let proposed = unit.lines().find_map(|line| line.strip_prefix("# MemoryMax=")?.strip_suffix('M'));
    let proposed: usize = proposed.and_then(|mebibytes| mebibytes.parse().ok()).expect("a proposal in MiB");
    let config = Settings::default().resolve().expect("the defaults are right");
    // In KiB: a search in each of five classes, an idle session (docs/operating.md), and a game, of
    // which max_buffers does not count as much.
    let searches = 5 * 1024 * 480;
    let sessions = config.max_sessions * 24 / 10 + config.max_sessions * 32;
    let kibibytes = searches + sessions + (config.table << 10) + (config.max_buffers >> 10);
    assert!(kibibytes <= proposed << 10, "{kibibytes} KiB");
    assert!(include_str!("../../docs/operating.md").contains(&format!("`MemoryMax={proposed}M`")));
}

/// A truncated file must not pass for a whole one; a closed pipe is no error.
#[cfg(target_os = "linux")]
#[test]
fn unwritable_output_is_an_error_except_for_a_closed_pipe() {
    let printing = |arguments: &[&str], output: Stdio| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_farboard"));
        let printed = command.args(arguments).stdin(Stdio::null()).stdout(output).output();
        let printed = printed.expect("the built program");
        (printed.status.code(), String::from_utf8(printed.stderr).expect("UTF-8"))
    };
    for arguments in [&["perft", "1"][..], &["book"], &["completions", "bash"]] {
        let full = std::fs::OpenOptions::new().write(true).open("/dev/full").expect("a full device");
        let (code, error) = printing(arguments, full.into());
        assert_eq!(code, Some(1), "{arguments:?}: {error}");
        assert!(error.starts_with("farboard: cannot write to standard output: "), "{arguments:?}: {error}");
        let (reader, writer) = std::io::pipe().expect("a pipe");
        drop(reader);
        assert_eq!(printing(arguments, writer.into()), (Some(0), String::new()), "{arguments:?}");
    }
}

#[test]
fn a_listener_named_twice_is_not_taken_for_another_program() {
    let mut program = Program::farboard(&["--listen", "7", "--listen", "127.0.0.1:7"]);
    assert_eq!(program.wait().code(), Some(2));
    let message = program.stderr();
    assert!(message.contains("two listeners have the address 127.0.0.1:7"), "{message}");
}

/// Another start would fail likewise, so a service manager must not retry.
#[test]
fn a_control_path_that_cannot_be_used_is_a_wrong_configuration() {
    let path = std::env::temp_dir().join(format!("farboard-no-socket-{}", std::process::id()));
    std::fs::write(&path, "a file").expect("a scratch file");
    let file = path.to_str().expect("UTF-8");
    let mut program = Program::farboard(&["--listen", "127.0.0.1:0", "--table", "1", "--control", file]);
    assert_eq!(program.wait().code(), Some(2));
    assert!(program.stderr().contains(file));
    std::fs::remove_file(&path).expect("the file was left alone");
}

#[test]
fn a_gui_that_starts_the_server_as_an_engine_is_directed_to_the_shim() {
    for words in [&[][..], &[""]] {
        let mut program = Program::farboard(words);
        assert_eq!(program.wait().code(), Some(2));
        let printed_line = program.stdout();
        let first = printed_line.lines().next().expect("a line");
        assert!(first.starts_with("tellusererror "), "{printed_line}");
        assert!(
            first.contains("\"farboard stdio\"") && first.contains("\"farboard-connect HOST\""),
            "{printed_line}"
        );
        assert_eq!(program.stderr(), "", "xboard takes it for engine output");
    }
}

#[test]
fn errors_name_the_line_of_the_file() {
    let path = std::env::temp_dir().join(format!("farboard-wrong-{}.toml", std::process::id()));
    let file = path.to_str().expect("UTF-8");
    for (text, expected) in [
        ("workers = 2\ntable = 0\n", "line 2: table is 0 and must be from 1 to"),
        ("\nworkers = \"all\"\n", "line 2: invalid configuration"),
        ("\n\n[option]\nElo = 9\n", "line 4: the option Elo cannot be set"),
    ] {
        std::fs::write(&path, text).expect("a file");
        for command in [&["serve", "--listen", "127.0.0.1:0"][..], &["stdio"]] {
            let mut program = Program::farboard(&[command, &["--config", file]].concat());
            assert_eq!(program.wait().code(), Some(2), "{text}");
            let message = program.stderr();
            assert!(message.contains(&format!("{file}, {expected}")), "{message}");
        }
    }
    std::fs::remove_file(&path).expect("a file");
}

/// The output of a program that succeeds.
fn printed(arguments: &[&str], environment: &[(&str, &str)]) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_farboard"));
    let mut program = Program::start(command.args(arguments).envs(environment.iter().copied()));
    let text = program.stdout();
    assert!(program.wait().success(), "{arguments:?}");
    text
}

#[test]
fn help_is_as_wide_as_the_terminal_and_each_command_shows_its_own_flags() {
    for columns in ["60", "90"] {
        let text = printed(&["serve", "--help"], &[("COLUMNS", columns)]);
        let widest = text.lines().map(|line| line.chars().count()).max().expect("lines");
        let columns: usize = columns.parse().expect("a number");
        assert!(widest <= columns && widest > columns - 12, "{widest} of {columns}: {text}");
    }
    let stdio = printed(&["stdio", "--help"], &[]);
    let serve = printed(&["serve", "--help"], &[]);
    for flag in ["--listen", "--max-sessions", "--secret-file", "--drain-seconds", "--control"] {
        assert!(serve.contains(flag) && !stdio.contains(flag), "{flag}: {stdio}");
    }
    for flag in ["--table", "--option", "--book", "--log"] {
        assert!(serve.contains(flag) && stdio.contains(flag), "{flag}: {stdio}");
    }
    for text in [&serve, &stdio, &printed(&["--help"], &[])] {
        for level in ["off", "error", "warn", "info", "debug", "trace"] {
            assert!(text.contains(&format!("\n  {level} ")), "{level}: {text}");
        }
    }
    assert!(!printed(&["perft", "--help"], &[]).contains("--table"));
}

#[test]
fn the_short_help_fits_a_screen() {
    for words in [&["-h"][..], &["serve", "-h"], &["check", "-h"], &["top", "-h"], &["kick", "-h"]] {
        let text = printed(words, &[("COLUMNS", "80")]);
        let lines: Vec<&str> = text.lines().collect();
        assert!(lines.len() <= 24, "{} lines: {text}", lines.len());
        assert!(lines.iter().all(|line| line.chars().count() <= 80), "{text}");
    }
    let (short, whole) = (printed(&["-h"], &[]), printed(&["--help"], &[]));
    assert!(
        !short.contains("--output-hard") && whole.contains("--output-hard") && whole.contains("generate")
    );
    for text in [short, whole] {
        let first = text.lines().next().unwrap_or_default().to_owned();
        assert!(first.contains("UCI") && !first.contains("xboard engine"), "{first}");
    }
}

#[test]
fn manual_and_completions_are_made_from_the_definitions() {
    let folder = std::env::temp_dir().join(format!("farboard-man-{}", std::process::id()));
    printed(&["man", folder.to_str().expect("UTF-8")], &[]);
    let page = |name: &str| std::fs::read_to_string(folder.join(name)).expect("a page");
    // A literal hyphen has a backslash there.
    for (name, flag) in [
        ("farboard.1", r"max\-sessions"),
        ("farboard-serve.1", r"max\-sessions"),
        ("farboard-stdio.1", r"interrupt"),
        ("farboard-top.1", r"interval"),
        ("farboard-connect.1", r"fritz\-init"),
        ("farboard-check.1", r"max\-sessions"),
    ] {
        for heading in ["EXAMPLES", "EXIT STATUS", "SEE ALSO"] {
            assert!(page(name).contains(heading), "{heading}: {}", page(name));
        }
        assert!(page(name).contains(flag) && page(name).contains(".SH NAME"), "{name}: {}", page(name));
    }
    let settings = page("farboard.toml.5");
    for text in ["max_sessions", "[profile.NAME]", ".SH EXAMPLE", ".SH FILES"] {
        assert!(settings.contains(text), "{text}: {settings}");
    }
    let names = std::fs::read_dir(&folder).expect("a folder").flatten().map(|entry| entry.file_name());
    assert!(!names.into_iter().any(|name| name == "farboard-help.1"));
    std::fs::remove_dir_all(&folder).expect("a folder");
    assert!(printed(&["completions", "bash"], &[]).contains("--max-sessions"));
    let shim = printed(&["completions", "bash", "farboard-connect"], &[]);
    assert!(shim.contains("--fritz-init") && !shim.contains("--max-sessions"));
}

#[test]
fn a_wrong_configuration_is_reported() {
    let mut program = Program::farboard(&["--listen", "0.0.0.0:0"]);
    assert_eq!(program.wait().code(), Some(2));
    let message = program.stderr();
    assert!(message.contains("other machines"), "{message}");
    let mut program = Program::farboard(&["--config", "no-such-file.toml"]);
    assert_eq!(program.wait().code(), Some(2));
    let message = program.stderr();
    assert!(message.contains("no-such-file.toml") && message.contains("because"), "{message}");
}

#[test]
fn unusable_key_files_are_reported() {
    let path = std::env::temp_dir().join(format!("farboard-public-{}", std::process::id()));
    std::fs::write(&path, "too short\n").expect("a file");
    let file = path.to_str().expect("UTF-8");
    let refused = |flag: &str, file: &str, mode: u32| {
        std::fs::set_permissions(&path, Permissions::from_mode(mode)).expect("a file");
        let mut program = Program::farboard(&["--listen", "127.0.0.1:0", flag, file]);
        assert_eq!(program.wait().code(), Some(2), "{flag} {file}");
        program.stderr()
    };
    for flag in ["--secret-file", "--tls"] {
        let message = refused(flag, "no-such-file", 0o600);
        assert!(message.contains("because: cannot read no-such-file"), "{message}");
        let message = refused(flag, file, 0o644);
        assert!(message.contains(&format!("chmod 600 {file}")), "{message}");
        let message = refused(flag, file, 0o600);
        assert!(message.contains("because") && message.contains("openssl r"), "{message}");
    }
    std::fs::remove_file(&path).expect("a file");
}

#[test]
fn an_unusable_book_is_reported() {
    for (file, reason) in [("no-such-book.bin", "because"), ("Cargo.toml", "no Polyglot book")] {
        for command in [&["serve", "--listen", "127.0.0.1:0"][..], &["stdio"], &["book"]] {
            let mut program = Program::farboard(&[command, &["--book", file]].concat());
            assert_eq!(program.wait().code(), Some(2), "{command:?} {file}");
            let message = program.stderr();
            assert!(message.contains(file) && message.contains(reason), "{message}");
        }
    }
}

#[test]
fn the_moves_of_a_book_are_shown() {
    let shown = |arguments: &[&str]| {
        let mut program = Program::farboard(arguments);
        assert!(program.wait().success(), "{arguments:?}");
        let mut text = String::new();
        program.0.stdout.take().expect("piped").read_to_string(&mut text).expect("text");
        text
    };
    let book = ["book", "--book", "tests/data/small-book.bin"];
    assert_eq!(shown(&book), " 66.7 %        18  e4\n 22.2 %         6  d4\n 11.1 %         3  c4\n");
    let fen = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1";
    assert_eq!(shown(&[&book[..], &[fen]].concat()), shown(&[&book[..], &words(fen)].concat()));
    assert!(shown(&["book", fen]).contains("  c5\n"));
    assert!(shown(&["book", "8/8/8/8/8/4k3/4p3/4K3 w - - 0 1"]).contains("no move"));
}

fn words(text: &str) -> Vec<&str> {
    text.split(' ').collect()
}

#[test]
fn stdio_is_one_session_that_ignores_sigint() {
    let mut program = Program::farboard(&["stdio", "--table", "1"]);
    let mut stdin = program.0.stdin.take().expect("piped");
    let mut stdout = BufReader::new(program.0.stdout.take().expect("piped"));
    let mut answer = |question: &str| {
        stdin.write_all(question.as_bytes()).expect("it reads");
        let mut line = String::new();
        stdout.read_line(&mut line).expect("it answers");
        line
    };
    assert_eq!(answer("ping 1\n"), "pong 1\n");
    program.signal(Signal::INT);
    assert_eq!(answer("ping 2\n"), "pong 2\n");
    drop(stdin);
    assert!(program.wait().success());
}

/// xboard adds the seconds of `st` to the command line (protocol 1, section 13).
#[test]
fn stdio_takes_seconds_for_each_move() {
    let mut program = Program::farboard(&["stdio", "--table", "1", "0.1"]);
    let mut stdin = program.0.stdin.take().expect("piped");
    let stdout = BufReader::new(program.0.stdout.take().expect("piped"));
    let mut lines = stdout.lines().map(|line| line.expect("it answers"));
    // A preceding comment tells how long the move may take.
    stdin.write_all(b"xboard\naccepted debug\noption Book=none\nnew\ne2e4\n").expect("it reads");
    let comment = lines.find(|line| line.starts_with("# ")).expect("a comment");
    assert!(comment.contains(" ms used of 50 to 50 ms; "), "{comment}");
    assert!(lines.any(|line| line.starts_with("move ")));
    drop(stdin);
    assert!(program.wait().success());
}

#[test]
fn stdio_reports_an_invalid_time_per_move() {
    for seconds in ["soon", "-1", "1 2"] {
        let mut program = Program::farboard(&["stdio", "--", seconds]);
        let said = program.logged(seconds);
        assert!(said.contains("invalid value") && said.contains("[SECONDS]"), "{said}");
        assert_eq!(program.wait().code(), Some(2));
    }
}

#[test]
fn sigint_stops_the_pondering_of_stdio_if_configured() {
    let mut program = Program::farboard(&["stdio", "--table", "1", "--interrupt", "stop-pondering"]);
    let mut stdin = program.0.stdin.take().expect("piped");
    let stdout = BufReader::new(program.0.stdout.take().expect("piped"));
    let mut lines = stdout.lines().map(|line| line.expect("it answers"));
    stdin.write_all(b"option Book=none\nnew\nhard\nst 0.1\ne2e4\n").expect("it reads");
    assert!(lines.any(|line| line.starts_with("move ")));
    // While nothing is searched, `.` has no answer.
    let mut ponders = || {
        stdin.write_all(b".\nping 1\n").expect("it reads");
        let answers = lines.by_ref().take_while(|line| line != "pong 1");
        answers.filter(|line| line.starts_with("stat01: ")).count() > 0
    };
    let deadline = Instant::now() + TEST_TIMEOUT;
    while !ponders() {
        assert!(Instant::now() < deadline, "it does not ponder");
    }
    program.signal(Signal::INT);
    // Signals and lines take different ways, so the signal may be later.
    while ponders() {
        assert!(Instant::now() < deadline, "it ponders on");
    }
    drop(stdin);
    assert!(program.wait().success());
}

#[test]
fn stdio_ends_at_sigterm() {
    let mut program = Program::farboard(&["stdio", "--table", "1"]);
    let mut stdin = program.0.stdin.take().expect("piped");
    let mut line = String::new();
    stdin.write_all(b"ping 1\n").expect("it reads");
    BufReader::new(program.0.stdout.as_mut().expect("piped")).read_line(&mut line).expect("it answers");
    program.signal(Signal::TERM);
    assert!(program.wait().success());
}
