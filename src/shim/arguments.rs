//! The command line of `farboard-connect`.

mod mistake;

use std::error::Error;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Parser;

use super::address::{Address, AddressError};
use super::argument_file;
use super::client_protocol::ClientProtocol;
use super::gui_message;
use super::wishes::Wishes;
use crate::auth::{self, Keys, Secret, UserKey};

pub use mistake::explain;

/// The name under which the shim speaks the Checkers Protocol.
const CHECKERS_NAME: &str = "farboard-checkers";
/// The server unless one is named.
const THIS_MACHINE: &str = "127.0.0.1";

/// Plays on a Farboard server: relays standard input and output over TCP.
///
/// Give it to a chess GUI, of xboard's protocol or UCI, as the engine's command:
///
///   xboard -fcp "farboard-connect chess.example"
///
/// or as the way to a remote host, for an engine of any name:
///
///   xboard -fh chess.example -rsh farboard-connect -fcp farboard
///
/// For a GUI that starts an engine by its path alone, the arguments may be in a file beside this program, named as
/// it is with .args at the end, or in the environment variable FARBOARD_CONNECT. Without arguments, the server is on
/// this machine.
///
/// Under the name farboard-checkers, as a link or a copy, it speaks the Checkers Protocol and needs no arguments.
#[derive(Clone, Debug, Parser, PartialEq, Eq)]
#[command(name = "farboard-connect", version, verbatim_doc_comment)]
pub struct Arguments {
    /// The server. The port is 5254 unless given, 5255 for checkers; write an IPv6 address in brackets. Several, with commas
    /// between them, are tried in turn, also when one is lost in the middle of a game.
    #[arg(value_name = "HOST[:PORT]", default_value = THIS_MACHINE)]
    pub host: String,
    /// What xboard wants to have run there: a profile of the server, or farboard for none, and words of the form
    /// NAME=VALUE, which are options to be set. A number as the last word is the time for each move, in seconds.
    #[arg(value_name = "COMMAND", trailing_var_arg = true)]
    pub command: Vec<String>,
    /// Another server, to be tried when those before it cannot be reached. May be repeated.
    #[arg(long = "or", value_name = "HOST[:PORT]")]
    pub others: Vec<String>,
    /// The port of servers that are given without one [default: 5254, or 5255 for checkers]
    #[arg(long, value_name = "PORT", value_parser = clap::value_parser!(u16).range(1..))]
    pub port: Option<u16>,
    /// What is spoken [default: xboard or UCI, as the first line of the GUI tells, or checkers under the name
    /// farboard-checkers]
    #[arg(long, value_name = "PROTOCOL")]
    pub protocol: Option<ClientProtocol>,
    /// How long to look for a server when one was lost in the middle of a session, in seconds.
    #[arg(long, value_name = "SECONDS", default_value_t = 60)]
    pub give_up: u32,
    /// File with the certificates of servers to trust (PEM): TLS is spoken with them, and with no others.
    #[arg(long, value_name = "FILE")]
    pub tls: Option<PathBuf>,
    /// File whose first line is the secret that servers ask for, and must know as well. The environment variable
    /// FARBOARD_SECRET may hold the secret itself instead.
    #[arg(long, value_name = "FILE")]
    pub secret_file: Option<PathBuf>,
    /// File with your key, as `farboard keygen` makes it, for servers with named users.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["secret_file", "certificate"])]
    pub key: Option<PathBuf>,
    /// File with your certificate and its private key (PEM), for servers where it names you. Needs --tls.
    #[arg(long, value_name = "FILE", requires = "tls", conflicts_with = "secret_file")]
    pub certificate: Option<PathBuf>,
    /// Log in with --key even if something between ends TLS, such as a load balancer. It could log in elsewhere with that.
    #[arg(long, requires = "key", requires = "tls")]
    pub tls_ends_early: bool,
    /// Keep a log of the session in this file. If there is such a file, a number is added.
    #[arg(long, value_name = "FILE")]
    pub record: Option<PathBuf>,
    /// The user there, as rsh has it; of no meaning to a server.
    #[arg(short = 'l', value_name = "USER")]
    pub user: Option<String>,
    /// Print the init file with which Fritz 5.32, Nimzo 99 and ChessBase 7 start this program, for that
    /// server or for one on this machine, and exit.
    #[arg(long)]
    pub fritz_init: bool,
}

impl Arguments {
    /// The command line of this process; where it has no words, those of a file or of the environment
    /// (`argument_file`).
    ///
    /// # Errors
    ///
    /// Help, version and mistakes, in clap's words.
    pub fn of_process() -> Result<Self, clap::Error> {
        let environment = std::env::var_os(argument_file::ENVIRONMENT);
        let words = as_meant(std::env::args_os());
        let words = argument_file::completed(words, environment.as_deref()).map_err(|reason| {
            use clap::CommandFactory;
            Self::command().error(clap::error::ErrorKind::Io, format!("{reason}\n"))
        })?;
        Self::read(words)
    }

    /// Parses a command line that begins with the program's name.
    ///
    /// # Errors
    ///
    /// Help, version and mistakes, in clap's words.
    pub fn read(words: impl IntoIterator<Item = OsString>) -> Result<Self, clap::Error> {
        Self::try_parse_from(by_name(as_meant(words))).and_then(Self::checked)
    }

    /// Checks that the servers are named correctly.
    ///
    /// # Errors
    ///
    /// An invalid host.
    pub fn checked(self) -> Result<Self, clap::Error> {
        match self.servers() {
            Ok(_) => Ok(self),
            Err((host, error)) => {
                use clap::CommandFactory;
                let text = format!("invalid value '{host}' for '<HOST[:PORT]>': {error}\n");
                Err(Self::command().error(clap::error::ErrorKind::ValueValidation, text))
            }
        }
    }

    /// The servers, in the order in which to try them; at least one.
    ///
    /// # Errors
    ///
    /// An invalid host, and why.
    pub fn servers(&self) -> Result<Vec<Address>, (String, AddressError)> {
        let hosts = self.host.split(',').chain(self.others.iter().flat_map(|hosts| hosts.split(',')));
        let port = self.port.unwrap_or_else(|| self.protocol.unwrap_or_default().default_port());
        hosts.map(|host| Address::read(host, port).map_err(|error| (host.to_owned(), error))).collect()
    }

    /// The keys in files and environment.
    ///
    /// # Errors
    ///
    /// What is wrong with them, in one line.
    pub fn keys(&self) -> Result<Keys, String> {
        let named = |path: &Path| path.display().to_string();
        let tls = self.tls.as_deref().map(|path| {
            let own = self.certificate.as_deref();
            // Which of the two files is wrong: the one that the other does without.
            let place = if auth::tls::client(path).is_ok() { own.unwrap_or(path) } else { path };
            auth::tls::client_as(path, own).map_err(|error| cannot_use(&named(place), &error))
        });
        let user = self
            .key
            .as_deref()
            .map(|path| UserKey::read(path).map_err(|error| cannot_use(&named(path), &error)));
        // The environment may hold a secret for other servers.
        let secret = match (&self.key, &self.certificate) {
            (None, None) => secret_in(self.secret_file.as_deref())?,
            _ => None,
        };
        let tls_may_end_early = self.tls_ends_early;
        Ok(Keys { secret, user: user.transpose()?, tls: tls.transpose()?, tls_may_end_early })
    }

    /// How long to look for a server during a session.
    pub fn give_up(&self) -> Duration {
        Duration::from_secs(self.give_up.into())
    }

    /// What the command wants of the server.
    pub fn wishes(&self) -> Wishes {
        Wishes::of_command(&self.command)
    }
}

/// The keys in these files; the secret may also be in the environment.
///
/// # Errors
///
/// What is wrong with them, in one line.
pub fn keys_in(secret_file: Option<&Path>, tls: Option<&Path>) -> Result<Keys, String> {
    let tls = tls
        .map(|path| auth::tls::client(path).map_err(|error| cannot_use(&path.display().to_string(), &error)));
    Ok(Keys { secret: secret_in(secret_file)?, tls: tls.transpose()?, ..Keys::default() })
}

/// The secret in this file, or in the environment.
fn secret_in(file: Option<&Path>) -> Result<Option<Secret>, String> {
    Secret::of_shim(file).map_err(|error| {
        let place = file.map_or(auth::ENVIRONMENT.to_owned(), |path| path.display().to_string());
        cannot_use(&place, &error)
    })
}

fn cannot_use(place: &str, error: &dyn Error) -> String {
    let reason = gui_message::words(&error.to_string());
    match reason.strip_prefix("cannot read ") {
        Some(file) => format!("Cannot read {file}"),
        None => format!("Cannot use {place}: {reason}"),
    }
}

/// The command line without the empty word that xboard appends to a command that ends in a quoted one.
pub fn as_meant(words: impl IntoIterator<Item = OsString>) -> Vec<OsString> {
    let mut words: Vec<OsString> = words.into_iter().collect();
    while words.last().is_some_and(|word| word.is_empty()) {
        words.pop();
    }
    words
}

/// The command line with what the program's name says: GUIs of the Checkers Protocol start engines without arguments.
fn by_name(mut words: Vec<OsString>) -> Vec<OsString> {
    let name = words
        .first()
        .map(Path::new)
        .and_then(Path::file_stem)
        .map(|name| name.to_string_lossy().into_owned());
    let is_given = words.iter().any(|word| word.to_string_lossy().starts_with("--protocol"));
    if name.is_some_and(|name| name.starts_with(CHECKERS_NAME)) && !is_given {
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
        let servers = read(words).expect("arguments").servers().expect("servers");
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
    fn words_are_those_that_xboard_gives_to_a_remote_shell() {
        let arguments = read(&["--port", "9", "host", "-l", "bob", "farboard", "Elo=1500", "-x", "a b", ""]);
        let arguments = arguments.expect("arguments");
        assert_eq!(arguments.user.as_deref(), Some("bob"));
        assert_eq!(arguments.command, ["farboard", "Elo=1500", "-x", "a b"]);
        assert_eq!(arguments.wishes().lines(ClientProtocol::Xboard), b"option Elo=1500\n");
        let arguments = read(&["host", "-l", "bob", "farboard", "30"]).expect("arguments");
        assert_eq!(arguments.wishes().lines(ClientProtocol::Xboard), b"st 30\n");
        assert_eq!(servers(&["host", "farboard"]), ["host:5254"]);
        assert_eq!(
            servers(&["host", "-l", "bob", "--or", "x", "farboard", "--or", "y"]),
            ["host:5254", "x:5254"]
        );
        assert_eq!(servers(&["-l", "bob", "host:1"]), ["host:1"]);
    }

    #[test]
    fn the_name_tells_what_is_spoken() {
        let of = |words: &[&str]| {
            let arguments = Arguments::read(words.iter().map(OsString::from)).expect("arguments");
            (arguments.protocol, arguments.servers().expect("servers")[0].to_string())
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
        let wishes =
            Arguments::read(["farboard-checkers", "host", "club", "depth=3", "5"].map(OsString::from));
        let expected = "SETPARAMETER profile club\nSETPARAMETER depth 3\nSETPARAMETER seconds 5\n";
        let wishes = wishes.expect("arguments").wishes();
        assert_eq!(wishes.lines(ClientProtocol::Checkers), expected.as_bytes());
        let expected = "setoption name Profile value club\nsetoption name depth value 3\n";
        assert_eq!(wishes.lines(ClientProtocol::Uci), expected.as_bytes());
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
