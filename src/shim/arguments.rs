//! The command line of `farboard-connect`.

mod key_files;
mod mistake;

pub use key_files::KeyFiles;
pub use mistake::explain;

use super::address::{Address, AddressList};
use super::argument_file;
use super::client_protocol::ClientProtocol;
use super::startup_options::StartupOptions;
use clap::error::ErrorKind;
use clap::{CommandFactory, Parser};
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// The name under which the shim speaks the Checkers Protocol.
const CHECKERS_NAME: &str = "farboard-checkers";

/// Plays on a Farboard server: relays standard input and output over TCP.
///
/// Give it to a chess GUI that speaks xboard's protocol or UCI, as the engine's command:
///
///   xboard -fcp "farboard-connect chess.example"
///
/// or as the way to a remote host, for an engine of any name:
///
///   xboard -fh chess.example -rsh farboard-connect -fcp farboard
///
/// For a GUI that starts an engine by its path alone, the arguments may be in a file beside this
/// program, named like it with .args at the end, or in the environment variable FARBOARD_CONNECT.
/// Without arguments, the server is on this machine.
///
/// Under the name farboard-checkers, as a link or a copy, it speaks the Checkers Protocol and needs
/// no arguments.
#[derive(Clone, Debug, Parser, PartialEq, Eq)]
#[command(name = "farboard-connect", version, verbatim_doc_comment)]
pub struct Arguments {
    /// The server. The default port is 5254, or 5255 for checkers; write an IPv6 address in
    /// brackets. Several servers, separated by commas, are tried in turn, also when one is lost in
    /// the middle of a game.
    #[arg(value_name = "HOST[:PORT]", default_value = "127.0.0.1")]
    pub host: AddressList,
    /// The command that xboard wants to run there: a profile of the server, or farboard for none,
    /// and words of the form NAME=VALUE, which set options. A number as the last word is the time
    /// for each move, in seconds.
    #[arg(value_name = "COMMAND", trailing_var_arg = true)]
    pub command: Vec<String>,
    /// Another server, to be tried when those before it cannot be reached. May be repeated.
    #[arg(long = "or", value_name = "HOST[:PORT]")]
    pub others: Vec<AddressList>,
    /// The port of servers given without one [default: 5254, or 5255 for checkers]
    #[arg(long, value_name = "PORT", value_parser = clap::value_parser!(u16).range(1..))]
    pub port: Option<u16>,
    /// The GUI's protocol [default: xboard or UCI, by the GUI's first line, or checkers under the
    /// name farboard-checkers]
    #[arg(long, value_name = "PROTOCOL")]
    pub protocol: Option<ClientProtocol>,
    /// Time to look for a server after one was lost in the middle of a session, in seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 60)]
    pub give_up: u32,
    /// Keys and certificates.
    #[command(flatten)]
    pub keys: KeyFiles,
    /// Keep a log of the session in this file. If it exists, a number is added to the name.
    #[arg(long, value_name = "FILE")]
    pub record: Option<PathBuf>,
    /// The user on the server, as for rsh; it has no effect.
    #[arg(short = 'l', value_name = "USER")]
    pub user: Option<String>,
    /// Print the init file with which Fritz 5.32, Nimzo 99 and ChessBase 7 start this program, for
    /// that server or for one on this machine, and exit.
    #[arg(long)]
    pub fritz_init: bool,
}

impl Arguments {
    /// Parses the command line of this process; if that is empty, the words of a file or of the
    /// environment (`argument_file`).
    ///
    /// # Errors
    /// Help, version and mistakes, in clap's words.
    pub fn of_process() -> Result<Self, clap::Error> {
        let environment = std::env::var_os(argument_file::ENVIRONMENT);
        let words = without_empty_end(std::env::args_os());
        let words = argument_file::complete(words, environment.as_deref())
            .map_err(|reason| Self::command().error(ErrorKind::Io, format!("{reason}\n")))?;
        Self::read(words)
    }

    /// Parses a command line that begins with the program's name.
    ///
    /// # Errors
    /// Help, version and mistakes, in clap's words.
    pub fn read(words: impl IntoIterator<Item = OsString>) -> Result<Self, clap::Error> {
        let arguments = Self::try_parse_from(with_protocol_of_name(without_empty_end(words)))?;
        // A user must not believe that the connection is encrypted because the word is there.
        if let Some(word) = arguments.command.iter().find(|word| is_missed(word)) {
            let text =
                format!("{word} is after the server's command, where it has no effect: put it before HOST\n");
            return Err(Self::command().error(ErrorKind::ArgumentConflict, text));
        }
        Ok(arguments)
    }

    /// Returns the servers, in the order in which to try them; at least one.
    pub fn servers(&self) -> Vec<Address> {
        let port = self.port.unwrap_or_else(|| self.protocol.unwrap_or_default().default_port());
        std::iter::once(&self.host).chain(&self.others).flat_map(|list| list.with_port(port)).collect()
    }

    /// Returns the options in the command.
    pub fn options(&self) -> StartupOptions {
        StartupOptions::of_command(&self.command)
    }
}

/// Returns true for an option of this program that must not be ignored. The command of a remote
/// engine may have options of its own.
fn is_missed(word: &str) -> bool {
    let name = word.split('=').next().unwrap_or_default();
    ["--tls", "--key", "--secret-file", "--certificate", "--record"].contains(&name)
}

/// Removes the empty word that xboard appends to a command that ends in a quoted word.
pub fn without_empty_end(words: impl IntoIterator<Item = OsString>) -> Vec<OsString> {
    let mut words: Vec<OsString> = words.into_iter().collect();
    while words.last().is_some_and(|word| word.is_empty()) {
        words.pop();
    }
    words
}

/// Adds the protocol that the program's name implies: GUIs of the Checkers Protocol start engines
/// without arguments.
fn with_protocol_of_name(mut words: Vec<OsString>) -> Vec<OsString> {
    let name = words.first().and_then(|word| Path::new(word).file_stem()).unwrap_or_default();
    let is_given = words.iter().any(|word| word.to_string_lossy().starts_with("--protocol"));
    if name.to_string_lossy().starts_with(CHECKERS_NAME) && !is_given {
        words.insert(1, "--protocol=checkers".into());
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(words: &[&str]) -> Result<Arguments, clap::Error> {
        let words = ["farboard-connect"].iter().chain(words);
        Arguments::read(words.map(OsString::from))
    }

    fn servers(words: &[&str]) -> Vec<String> {
        let servers = read(words).expect("arguments").servers();
        servers.iter().map(Address::to_string).collect()
    }

    #[test]
    fn definition_is_consistent() {
        use clap::CommandFactory;
        Arguments::command().debug_assert();
    }

    #[test]
    fn empty_words_at_the_end_are_xboards() {
        assert_eq!(servers(&["host:99", ""]), ["host:99"]);
    }

    #[test]
    fn several_servers_are_tried_in_their_order() {
        assert_eq!(servers(&["a", "--or", "b:7", "--or", "c"]), ["a:5254", "b:7", "c:5254"]);
        assert_eq!(servers(&["--port", "9", "a,[::1],b:7"]), ["a:9", "[::1]:9", "b:7"]);
        assert_eq!(servers(&["--or", "b,c", "a"]), ["a:5254", "b:5254", "c:5254"]);
    }

    #[test]
    fn an_option_after_the_command_is_refused() {
        for words in [&["host", "Elo=1500", "--tls", "x.pem"][..], &["host", "farboard", "--record=x"]] {
            let error = read(words).expect_err("it would have no effect").to_string();
            assert!(error.contains("put it before HOST"), "{error}");
        }
        assert!(read(&["--tls", "x.pem", "host", "Elo=1500"]).is_ok());
        assert!(read(&["host", "gnuchess", "--easy"]).is_ok());
    }

    #[test]
    fn arguments_are_those_that_xboard_gives_to_a_remote_shell() {
        let arguments = read(&["--port", "9", "host", "-l", "bob", "farboard", "Elo=1500", "-x", "a b", ""]);
        let arguments = arguments.expect("arguments");
        assert_eq!(arguments.user.as_deref(), Some("bob"));
        assert_eq!(arguments.command, ["farboard", "Elo=1500", "-x", "a b"]);
        assert_eq!(arguments.options().lines(ClientProtocol::Xboard), b"option Elo=1500\n");
        let arguments = read(&["host", "-l", "bob", "farboard", "30"]).expect("arguments");
        assert_eq!(arguments.options().lines(ClientProtocol::Xboard), b"st 30\n");
        assert_eq!(servers(&["host", "farboard"]), ["host:5254"]);
        assert_eq!(
            servers(&["host", "-l", "bob", "--or", "x", "farboard", "--or", "y"]),
            ["host:5254", "x:5254"]
        );
        assert_eq!(servers(&["-l", "bob", "host:1"]), ["host:1"]);
    }

    #[test]
    fn the_programs_name_may_choose_the_protocol() {
        let of = |words: &[&str]| {
            let arguments = Arguments::read(words.iter().map(OsString::from)).expect("arguments");
            (arguments.protocol, arguments.servers()[0].to_string())
        };
        let checkers = |address: &str| (Some(ClientProtocol::Checkers), address.to_owned());
        assert_eq!(of(&["/bin/farboard-checkers"]), checkers("127.0.0.1:5255"));
        assert_eq!(of(&["farboard-checkers.exe", "host"]), checkers("host:5255"));
        assert_eq!(of(&["farboard-checkers", "host:99", "club", "depth=3"]), checkers("host:99"));
        assert_eq!(of(&["farboard-connect", "--protocol", "checkers"]), checkers("127.0.0.1:5255"));
        assert_eq!(
            of(&["farboard-checkers", "--protocol", "xboard", "a"]),
            (Some(ClientProtocol::Xboard), "a:5254".to_owned())
        );
        assert_eq!(
            of(&["farboard-connect", "--protocol", "uci"]),
            (Some(ClientProtocol::Uci), "127.0.0.1:5254".to_owned())
        );
        assert_eq!(of(&["farboard-connect", "a"]), (None, "a:5254".to_owned()));
        let checkers =
            Arguments::read(["farboard-checkers", "host", "club", "depth=3", "5"].map(OsString::from));
        let expected = "SETPARAMETER profile club\nSETPARAMETER depth 3\nSETPARAMETER seconds 5\n";
        let options = checkers.expect("arguments").options();
        assert_eq!(options.lines(ClientProtocol::Checkers), expected.as_bytes());
        let expected = "setoption name Profile value club\nsetoption name depth value 3\n";
        assert_eq!(options.lines(ClientProtocol::Uci), expected.as_bytes());
    }

    #[test]
    fn without_a_server_it_is_this_machine() {
        assert_eq!(servers(&[]), ["127.0.0.1:5254"]);
        assert_eq!(servers(&["--port", "99", "--or", "b"]), ["127.0.0.1:99", "b:99"]);
        assert_eq!(servers(&["--fritz-init"]), ["127.0.0.1:5254"]);
        assert_eq!(servers(&["--fritz-init", "host:99"]), ["host:99"]);
        assert_eq!(servers(&["host:99", "--fritz-init"]), ["host:99"]);
    }

    #[test]
    fn servers_are_named_correctly() {
        assert!(read(&["host:port"]).is_err());
        assert!(read(&["host", "--or", "host:0"]).is_err());
        assert!(read(&["host,"]).is_err());
    }
}
