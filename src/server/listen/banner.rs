//! The text printed when the server is ready: how to reach each listener.

mod connect_lines;
#[cfg(test)]
mod tests;

use crate::config::{Config, Listen, Transport};
use crate::server::NAME;
use crate::session::Protocol;
use connect_lines::{ConnectLines, Shim};
use std::fmt::Write;
use std::net::SocketAddr;
use std::path::Path;

const SHELL_PORT: u16 = 514;

/// Returns the text, with lines to paste into a terminal. `addresses`: where the server listens;
/// `http`: where browsers find it; `program`: path of the running program; `directory`: the
/// current one.
pub fn banner(
    config: &Config,
    addresses: &[SocketAddr],
    http: Option<SocketAddr>,
    program: &Path,
    directory: &Path,
) -> String {
    let shim = Shim::beside(program, directory);
    // Programs that start a server look for its addresses in this line.
    let mut text = format!("{NAME} listens on {}\n", joined(addresses, " and "));
    let _ = writeln!(
        text,
        "{} workers, a table of {} MiB, up to {} sessions",
        config.workers, config.table, config.max_sessions
    );
    if let (Some(listen), Some(address)) = (&config.http, http) {
        text.push_str(&for_browsers(listen, address));
    }
    for (listen, &address) in config.listen.iter().zip(addresses) {
        text.push('\n');
        text.push_str(&match listen.transport {
            Transport::Plain if listen.protocol == Protocol::Web => {
                format!("Programs that speak the web protocol (docs/web.md) can connect to {address}.\n")
            }
            Transport::Plain => for_players(listen, address, &shim),
            Transport::Rsh => for_winboard(listen, address),
            Transport::Agent => format!("Balancers can query the server's load on {address}.\n"),
        });
    }
    let _ = write!(
        text,
        "\nCtrl-C lets running games go on for {} s, then stops; a second one stops at once.\n",
        config.drain.as_secs()
    );
    text
}

/// Describes the listener that browsers reach.
fn for_browsers(listen: &Listen, address: SocketAddr) -> String {
    let scheme = if listen.tls.is_some() { "https" } else { "http" };
    let url = match address.ip() {
        ip if ip.is_unspecified() => {
            format!("{scheme}://{}:{}/", connect_lines::host_elsewhere(address), address.port())
        }
        _ => format!("{scheme}://{address}/"),
    };
    let secret = listen.secret_file.as_deref();
    let asks = secret.map(|file| format!("It asks for the secret in {}.\n", file.display()));
    format!("\nTo play in a browser, open:\n    {url}\n{}", asks.unwrap_or_default())
}

/// Describes a listener that GUIs reach through the shim, and people also without it.
fn for_players(listen: &Listen, address: SocketAddr, shim: &Shim) -> String {
    let lines = ConnectLines::new(listen, address, shim);
    let (game, first_words) = match listen.protocol {
        Protocol::Checkers(_) => ("checkers", "INIT, GO, QUIT, or help for the rest"),
        _ => ("chess", "help"),
    };
    let mut text = String::new();
    if let Some(here) = lines.here() {
        let _ = writeln!(text, "To play {game}, paste one of these into another terminal:");
        if !matches!(listen.protocol, Protocol::Checkers(_) | Protocol::Uci) {
            let _ = writeln!(text, "    xboard -fcp \"{here}\"");
        }
        let _ = writeln!(text, "    {here}");
        if let Some((host, port)) = lines.without_keys() {
            let _ = writeln!(text, "    nc {host} {port}");
        }
        let _ = writeln!(text, "At a terminal, type {first_words}.");
        let gui = match listen.protocol {
            Protocol::Checkers(_) => Some("A GUI of the Checkers Protocol"),
            Protocol::Auto | Protocol::Uci => Some("A UCI GUI"),
            _ => None,
        };
        if let Some(gui) = gui {
            let (command, arguments) = lines.command_and_arguments();
            let _ = writeln!(text, "{gui} asks for a command and its arguments:");
            let _ = writeln!(text, "    {command}\n    {arguments}");
        }
    }
    if let Some(elsewhere) = lines.elsewhere() {
        let from = match listen.allow.is_empty() {
            true => "another machine".to_owned(),
            false => format!("a machine of {}", joined(&listen.allow, ", ")),
        };
        let _ = writeln!(text, "To play {game} from {from}:\n    {elsewhere}");
    }
    if text.is_empty() {
        let _ =
            writeln!(text, "To play {game} on {address}, connect through {}.", joined(&listen.proxy, ", "));
    }
    for (file, meaning) in lines.files() {
        let _ = writeln!(text, "{file} is {meaning}.");
    }
    text
}

fn for_winboard(listen: &Listen, address: SocketAddr) -> String {
    let host = connect_lines::host_elsewhere(address);
    let (program, command) = match listen.status_byte {
        true => ("a remote shell", format!("rsh {host} farboard")),
        false => ("WinBoard", format!("winboard -cp -fcp \"farboard\" -fh {host}")),
    };
    let mut text = format!(
        "To play chess by {program} alone, from a machine of {}:\n    {command}\n",
        joined(&listen.allow, ", ")
    );
    if address.port() != SHELL_PORT {
        let _ = writeln!(
            text,
            "That connects to port {SHELL_PORT}, which must lead to {} (deploy/rsh.md).",
            address.port()
        );
    }
    text
}

fn joined<T: ToString>(parts: &[T], separator: &str) -> String {
    parts.iter().map(T::to_string).collect::<Vec<_>>().join(separator)
}
