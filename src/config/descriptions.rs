//! Descriptions of the keys of tables, for the manual page and `docs/settings.md`. The keys above all tables are
//! described by the help of their flags.

use super::known_keys::SettingsTable;

/// A key of a table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TableKey {
    /// Name of the key.
    pub name: &'static str,
    /// Form of the value, named like the values of flags.
    pub value: &'static str,
    /// Default in words; empty if the key is required.
    pub default: &'static str,
    /// Meaning in one or two sentences.
    pub meaning: &'static str,
}

const fn key(
    name: &'static str,
    value: &'static str,
    default: &'static str,
    meaning: &'static str,
) -> TableKey {
    TableKey { name, value, default, meaning }
}

impl SettingsTable {
    /// Returns the described keys of a table; none for the top of the file.
    pub fn described_keys(self) -> &'static [TableKey] {
        match self {
            SettingsTable::Top => &[],
            SettingsTable::Listen => &LISTEN,
            SettingsTable::Http => &HTTP,
            SettingsTable::Source => &SOURCE,
            SettingsTable::Session => &SESSION,
            SettingsTable::Engine => &ENGINE,
            SettingsTable::Profile => &PROFILE,
        }
    }

    /// Returns what the table is for.
    pub fn purpose(self) -> &'static str {
        match self {
            SettingsTable::Top => "Settings of the server",
            SettingsTable::Listen => {
                "A listener; may be repeated. Without one, the server listens on 127.0.0.1:5254 for chess \
                                      and, if it is free, on 127.0.0.1:5255 for checkers"
            }
            SettingsTable::Http => {
                "The HTTP endpoint for metrics and health checks. `http = PORT` is short for a table with \
                                    an address only"
            }
            SettingsTable::Source => {
                "Share and session limit of each address of a network; may be repeated, and the narrowest \
                                      network applies"
            }
            SettingsTable::Session => "Behavior of sessions",
            SettingsTable::Engine => "An external engine, for profiles to name",
            SettingsTable::Profile => {
                "A named set of options, and optionally an engine, that clients and listeners can choose"
            }
        }
    }
}

const LISTEN: [TableKey; 15] = [
    key(
        "address",
        "[ADDRESS:]PORT",
        "",
        "Address or host name with a port; a port alone is on the loopback address",
    ),
    key(
        "transport",
        "WORD",
        "\"plain\"",
        "`plain`, `rsh` (remote shell, for WinBoard) or `agent` (HAProxy's agent check)",
    ),
    key(
        "protocol",
        "WORD",
        "\"auto\"",
        "`auto` (the client's first line decides), `xboard`, `uci` or `checkers`",
    ),
    key(
        "dialect",
        "WORD",
        "\"seed\"",
        "Dialect of the Checkers Protocol: `seed` (August 2024) or `late` (since October 2024)",
    ),
    key(
        "orientation",
        "WORD",
        "\"auto\"",
        "Numbering of squares in the Checkers Protocol: `auto`, `pdn` or `rotated`",
    ),
    key("allow", "[NETWORK, …]", "`allow` of the server", "Networks that may connect"),
    key(
        "proxy",
        "[NETWORK, …]",
        "`proxy` of the server",
        "Proxies that send the client's address in a PROXY header",
    ),
    key("secret_file", "FILE", "`secret_file` of the server", "File with the secret that clients must know"),
    key("users", "FILE", "`users` of the server", "File of named users"),
    key(
        "server_name",
        "[NAME, …]",
        "`server_name` of the server",
        "Names by which named users reach this listener",
    ),
    key(
        "client_ca",
        "FILE",
        "`client_ca` of the server",
        "Authorities (PEM) whose client certificates name users; needs `tls`",
    ),
    key("tls", "FILE", "`tls` of the server", "Certificate and private key (PEM); clients must use TLS"),
    key("profile", "NAME", "none", "Profile of sessions that do not choose one"),
    key(
        "status_byte",
        "BOOL",
        "false",
        "Whether `rsh` sessions begin with the status byte that genuine clients expect and WinBoard does not",
    ),
    key(
        "optional",
        "BOOL",
        "false",
        "Whether the server starts without this listener if its address is taken",
    ),
];

const HTTP: [TableKey; 5] = [
    key("address", "[ADDRESS:]PORT", "", "Address to listen on; a port alone is on the loopback address"),
    key("allow", "[NETWORK, …]", "`allow` of the server", "Networks that may connect"),
    key(
        "allow_host",
        "[NAME, …]",
        "none",
        "Further host names accepted in requests for `/metrics`; only on a loopback address",
    ),
    key(
        "secret_file",
        "FILE",
        "`secret_file` of the server",
        "File with the secret that `/metrics` requires (`Authorization: Bearer`)",
    ),
    key(
        "tls",
        "FILE",
        "`tls` of the server, except on a loopback address",
        "Certificate and private key (PEM)",
    ),
];

const SOURCE: [TableKey; 3] = [
    key("network", "NETWORK", "", "The network"),
    key(
        "weight",
        "N",
        "1",
        "Shares of the cores for each of its addresses with at least as many searches, at most 1024",
    ),
    key("max_sessions", "N", "`max_sessions_per_address`", "Concurrent sessions from each of its addresses"),
];

const SESSION: [TableKey; 1] = [key(
    "interrupt",
    "WORD",
    "\"look\"",
    "Effect of a client's interrupt: `look` (its input is read at once) or `stop-pondering` (as in GNU Chess, also stops \
     pondering until the next move)",
)];

const ENGINE: [TableKey; 7] = [
    key(
        "command",
        "[PROGRAM, ARGUMENT, …]",
        "",
        "Program and arguments; no shell is involved, and clients cannot change them",
    ),
    key("protocol", "WORD", "\"uci\"", "`uci` or `xboard`"),
    key(
        "processes",
        "N",
        "`workers` + 2; with `xboard` 32 or `workers`, whichever is more",
        "Concurrent processes, at least `workers`",
    ),
    key(
        "options",
        "{ NAME = VALUE, … }",
        "none",
        "Options of the engine, set at the start of each process; with `xboard`, `memory` is the command of that name",
    ),
    key(
        "share_table",
        "BOOL",
        "false",
        "Whether a process keeps its table between clients; they can then see traces of each other's positions",
    ),
    key(
        "memory",
        "MIB",
        "2048 plus the engine's `Hash` or `memory`",
        "Address space of a process, which is more than it uses",
    ),
    key(
        "patience",
        "SECONDS",
        "20",
        "Time for an answer that needs no search; a quarter of it to stop, half for the first variation",
    ),
];

const PROFILE: [TableKey; 3] = [
    key("options", "{ NAME = VALUE, … }", "none", "Engine options on top of those in `[option]`"),
    key("engine", "NAME", "the built-in engine", "Engine that searches, from `[engine.NAME]`"),
    key("banner", "TEXT", "none", "Message to the user at the start of a session"),
];

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn every_key_of_a_table_is_described() {
        for table in SettingsTable::ALL.into_iter().filter(|&table| table != SettingsTable::Top) {
            let described: BTreeSet<&str> = table.described_keys().iter().map(|key| key.name).collect();
            assert_eq!(described, table.keys().collect(), "{table:?}");
            assert_eq!(described.len(), table.described_keys().len(), "{table:?}");
        }
    }
}
