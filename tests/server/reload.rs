//! Reloading the configuration of a running server.

use crate::program::Program;
use crate::test_server::Client;
use rustix::process::Signal;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A separate configuration file for each test.
fn path(test: &str) -> PathBuf {
    std::env::temp_dir().join(format!("farboard-{}-{test}.toml", std::process::id()))
}

/// Writes a configuration with one listener, and settings for that and for all.
fn write(path: &Path, of_listener: &str, of_all: &str) {
    let listener = format!("[[listen]]\nkind = \"xboard\"\naddress = \"127.0.0.1:0\"\n{of_listener}\n");
    fs::write(path, format!("{of_all}\ntable = 1\n{listener}")).expect("a writable path");
}

fn serve(path: &Path) -> Program {
    Program::start(Command::new(env!("CARGO_BIN_EXE_farboard")).arg("--config").arg(path))
}

fn reload(program: &mut Program) -> String {
    program.signal(Signal::HUP);
    program.logged("] configuration ")
}

#[test]
fn new_sessions_get_the_reloaded_settings_and_others_keep_theirs() {
    let path = path("reload");
    write(&path, "", "");
    let mut program = serve(&path);
    let address = program.address();
    let mut before = Client::connect(address);
    before.ping(1);

    write(&path, "profile = \"club\"", "max_sessions = 2");
    let club = "[profile.club]\noptions = { MultiPV = 3 }\n";
    fs::write(&path, fs::read_to_string(&path).unwrap() + club).unwrap();
    let log = reload(&mut program);
    assert!(log.contains("configuration reloaded"), "{log}");
    let mut second = Client::connect(address);
    second.send("xboard\nprotover 2\n");
    let name = second.until("feature myname=");
    assert!(name.contains("club\""), "{name}");
    let mut third = Client::connect(address);
    third.until("tellusererror this server is full: it serves at most 2 games at one time, please try later");

    write(&path, "allow = [\"192.0.2.0/24\"]", "");
    reload(&mut program);
    Client::connect(address).rest();
    before.ping(2);
    second.ping(3);
    fs::remove_file(&path).unwrap();
}

#[test]
fn a_configuration_with_mistakes_changes_nothing() {
    let path = path("mistakes");
    write(&path, "", "");
    let mut program = serve(&path);
    let address = program.address();
    for (listener, all, mistake) in [
        ("", "max_sesions = 1", "max_sesions"),
        ("secret_file = \"no-such-file\"", "", "no-such-file"),
        ("profile = \"nobody\"", "max_sessions = 1", "nobody"),
    ] {
        write(&path, listener, all);
        let log = reload(&mut program);
        assert!(log.contains("configuration not reloaded"), "{log}");
        assert!(log.contains(mistake), "{log}");
        let (mut one, mut other) = (Client::connect(address), Client::connect(address));
        one.ping(1);
        other.ping(2);
    }
    fs::remove_file(&path).unwrap();
}

#[test]
fn settings_that_need_a_restart_are_reported() {
    let path = path("start");
    write(&path, "", "workers = 1");
    let mut program = serve(&path);
    let address = program.address();
    let text = "workers = 2\ntable = 2\n[[listen]]\nkind = \"xboard\"\naddress = \"127.0.0.1:1\"\n";
    fs::write(&path, text).unwrap();
    program.signal(Signal::HUP);
    let log = program.logged("configuration reloaded");
    for message in [
        "workers has changed",
        "table has changed",
        "the listener 127.0.0.1:0 was removed from the configuration",
        "the new listener 127.0.0.1:1",
    ] {
        assert!(log.contains(message), "{message}: {log}");
    }
    Client::connect(address).ping(1);
    fs::remove_file(&path).unwrap();
}

/// The number of threads that read the configuration.
fn readers(program: &Program) -> usize {
    let tasks = fs::read_dir(format!("/proc/{}/task", program.id())).expect("it runs");
    let names = tasks.flatten().filter_map(|task| fs::read_to_string(task.path().join("comm")).ok());
    names.filter(|name| name.trim() == "reload").count()
}

#[test]
fn a_slow_file_is_read_by_one_thread() {
    let path = path("slow");
    write(&path, "", "");
    let mut program = serve(&path);
    let mut client = Client::connect(program.address());
    fs::remove_file(&path).unwrap();
    assert!(Command::new("mkfifo").arg(&path).status().expect("it runs").success());
    for number in 0..20 {
        program.signal(Signal::HUP);
        client.ping(number);
        assert!(readers(&program) <= 1, "threads wait for the file");
    }
    // For the first of them, and once more for all others.
    for _ in 0..2 {
        program.signal(Signal::HUP);
        write(&path, "", "");
        program.logged("configuration reloaded");
    }
    client.ping(100);
    fs::remove_file(&path).unwrap();
}
