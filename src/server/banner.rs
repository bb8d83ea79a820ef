//! What the server prints when it is ready: how to reach it.

use super::NAME;
use crate::config::{Config, Listen, Transport};
use crate::session::Protocol;
use std::fmt::Write;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};

/// The text, with lines to paste into a terminal. `addresses`: where the server listens; `program`: the path
/// of the running program; `directory`: the current one.
pub fn banner(config: &Config, addresses: &[SocketAddr], program: &Path, directory: &Path) -> String {
    let list: Vec<String> = addresses.iter().map(SocketAddr::to_string).collect();
    let mut text = format!("{NAME} listens on {}\n", list.join(" and "));
    let _ = writeln!(
        text,
        "{} workers, a table of {} MiB, up to {} sessions",
        config.workers, config.table, config.max_sessions
    );
    let listeners =
        || config.listen.iter().zip(addresses).filter(|(listen, _)| listen.transport != Transport::Agent);
    let plays_checkers = |listen: &Listen| matches!(listen.protocol, Protocol::Checkers(_));
    let shim = shim(program, directory);
    if let Some((listen, address)) = listeners().find(|(listen, _)| !plays_checkers(listen)) {
        let keys = keys(listen);
        let _ = write!(
            text,
            "\nTo play, paste one of these into another terminal:\n\
             \x20   xboard -fcp \"{shim}{keys} {address}\"\n\
             \x20   {shim}{keys} {address}\n"
        );
        if keys.is_empty() {
            let _ = writeln!(text, "    nc {} {}", address.ip(), address.port());
        }
        text.push_str("What is no GUI gives you the protocol to type: new, e2e4, quit.\n");
    }
    if let Some((listen, address)) = listeners().find(|(listen, _)| plays_checkers(listen)) {
        let keys = keys(listen);
        let _ = write!(
            text,
            "\nFor checkers, this is the engine of a GUI of the Checkers Protocol, or type INIT, GO, QUIT:\n\
             \x20   {shim}{keys} --protocol checkers {address}\n"
        );
        if keys.is_empty() {
            let _ = writeln!(text, "    nc {} {}", address.ip(), address.port());
        }
    }
    let _ = write!(
        text,
        "\nCtrl-C lets running games go on for {} s and ends; a second one ends now.\n",
        config.drain.as_secs()
    );
    text
}

/// The shim's flags for a listener. The file with the server's own certificate also tells the shim to trust
/// it.
fn keys(listen: &Listen) -> String {
    let flag = |name: &str, file: &Option<PathBuf>| {
        file.as_ref().map(|file| format!(" --{name} {}", file.display())).unwrap_or_default()
    };
    flag("tls", &listen.tls) + &flag("secret-file", &listen.secret_file)
}

/// The command for the shim from the current directory. Where the shim was not built, this program stands in
/// for it.
fn shim(program: &Path, directory: &Path) -> String {
    let shim = program.with_file_name("farboard-connect");
    if shim.is_file() {
        callable(&shim, directory)
    } else {
        format!("{} connect", callable(program, directory))
    }
}

fn callable(program: &Path, directory: &Path) -> String {
    match program.strip_prefix(directory) {
        // A bare name would be looked up in PATH. In the root directory, where services are started, every
        // path is relative.
        Ok(relative) if relative.components().count() > 1 && directory.parent().is_some() => {
            relative.display().to_string()
        }
        _ => program.display().to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::{DEFAULT_ADDRESS, DEFAULT_CHECKERS_ADDRESS, Settings};

    #[test]
    fn the_lines_can_be_pasted() {
        let config = Settings::default().resolve().unwrap();
        let nowhere = Path::new("no-such-directory");
        let text = banner(&config, &[DEFAULT_ADDRESS], &nowhere.join("bin/farboard"), nowhere);
        for line in [
            "    xboard -fcp \"bin/farboard connect 127.0.0.1:5254\"\n",
            "    bin/farboard connect 127.0.0.1:5254\n",
            "    nc 127.0.0.1 5254\n",
        ] {
            assert!(text.contains(line), "{text}");
        }
    }

    #[test]
    fn checkers_has_lines_of_its_own() {
        let config = Settings::default().resolve().unwrap();
        let nowhere = Path::new("no-such-directory");
        let both = [DEFAULT_ADDRESS, DEFAULT_CHECKERS_ADDRESS];
        let text = banner(&config, &both, &nowhere.join("bin/farboard"), nowhere);
        for line in [
            "    bin/farboard connect 127.0.0.1:5254\n",
            "    bin/farboard connect --protocol checkers 127.0.0.1:5255\n",
            "    nc 127.0.0.1 5255\n",
        ] {
            assert!(text.contains(line), "{text}");
        }
    }

    #[test]
    fn paths_are_whole_where_a_service_is_started() {
        let config = Settings::default().resolve().unwrap();
        let text = banner(&config, &[DEFAULT_ADDRESS], Path::new("/no-such/farboard"), Path::new("/"));
        assert!(text.contains("    /no-such/farboard connect 127.0.0.1:5254\n"), "{text}");
    }

    #[test]
    fn the_lines_have_the_keys() {
        let mut config = Settings::default().resolve().unwrap();
        config.listen[0].secret_file = Some("secret".into());
        config.listen[0].tls = Some("own.pem".into());
        let nowhere = Path::new("no-such-directory");
        let text = banner(&config, &[DEFAULT_ADDRESS], &nowhere.join("bin/farboard"), nowhere);
        let line = "    bin/farboard connect --tls own.pem --secret-file secret 127.0.0.1:5254\n";
        assert!(text.contains(line) && !text.contains("    nc "), "{text}");
    }
}
