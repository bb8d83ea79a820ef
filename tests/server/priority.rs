//! The priorities of the program's threads.

use crate::program::Program;
use crate::test_server::Client;
use std::fs;
use std::path::Path;
use std::process::Command;

/// The niceness of each thread.
fn niceness(process: u32) -> Vec<i32> {
    let threads = fs::read_dir(format!("/proc/{process}/task")).expect("a process");
    threads.filter_map(|thread| niceness_of(&thread.ok()?.path())).collect()
}

/// The niceness of a thread with this folder in `/proc`; `None` if it has ended.
fn niceness_of(thread: &Path) -> Option<i32> {
    let stat = fs::read_to_string(thread.join("stat")).ok()?;
    // After the name, which may contain anything, the state is the third field and the niceness the
    // nineteenth.
    stat.rsplit_once(") ")?.1.split(' ').nth(16)?.parse().ok()
}

#[test]
fn a_server_started_by_nice_stays_nice() {
    // The server inherits this thread's niceness. Below 1 it would set its own, and at 19 searches
    // cannot be nicer.
    let own = niceness_of("/proc/thread-self".as_ref()).expect("this thread");
    let start = own + 7;
    if !(1..19).contains(&start) {
        eprintln!("skipped: this test runs with a niceness of {own}");
        return;
    }
    let mut command = Command::new("nice");
    command.args([
        "-n",
        "7",
        env!("CARGO_BIN_EXE_farboard"),
        "--listen",
        "127.0.0.1:0",
        "--http",
        "127.0.0.1:0",
    ]);
    let mut program = Program::start(command.args(["--table", "1", "--log", "warn"]));
    let mut client = Client::connect(program.address());
    client.send("xboard\npost\nanalyze\n");
    // A thinking line: a thread searches.
    let is_thinking =
        |line: &str| line.split_whitespace().next().is_some_and(|word| word.parse::<u32>().is_ok());
    while !is_thinking(&client.line().expect("the server runs")) {}
    let threads = niceness(program.id());
    assert!(threads.len() >= 3 && threads.iter().all(|&nice| (start..=19).contains(&nice)), "{threads:?}");
    let least = threads.iter().filter(|&&nice| nice == start).count();
    assert!((1..threads.len()).contains(&least), "the searches yield to the loop: {threads:?}");
}
