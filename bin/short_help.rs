//! `farboard -h`: the most important commands and options on one screen.

use farboard::server::NAME;
use std::ffi::OsString;

/// At most 24 lines of 80 columns.
const TEXT: &str = "\
Usage: farboard [OPTIONS]                 start a server, on 127.0.0.1:5254
       farboard COMMAND [OPTIONS]

Serve:
  serve      start a server: the same as without a command
  check      check a configuration without starting
  keygen     generate a named user's key
Play:
  stdio      an engine for a GUI on this machine (xboard, UCI, checkers)
  connect    play on a server, like farboard-connect
Manage a running server:
  sessions   who is connected            kick       end sessions
  top        watch it live               message    send users a message
                                         drain      refuse new sessions
Options of a server:
  --listen [ADDRESS:]PORT  --allow NETWORK  --users FILE  --tls FILE
  --config FILE            these and all others, in a file (TOML)

All commands and options: farboard --help, farboard COMMAND --help
Manual pages: man farboard, man farboard.toml
";

/// Returns true if the command line asks for this help.
pub fn is_wanted(words: &[OsString]) -> bool {
    words.len() == 2 && words[1] == "-h"
}

/// Returns the text.
pub fn text() -> String {
    format!("{NAME}: a chess engine server for xboard, UCI and the Checkers Protocol\n\n{TEXT}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn it_fits_a_screen_and_names_commands_that_exist() {
        let text = text();
        assert!(text.lines().count() <= 24, "{} lines", text.lines().count());
        assert!(text.lines().all(|line| line.chars().count() < 80));
        let commands = crate::Arguments::command();
        let known: Vec<&str> = commands.get_subcommands().map(clap::Command::get_name).collect();
        let is_command = |word: &str| known.contains(&word);
        let shown = text
            .split_whitespace()
            .filter(|word| is_command(word))
            .collect::<std::collections::BTreeSet<_>>();
        for word in
            ["serve", "check", "keygen", "stdio", "connect", "sessions", "top", "kick", "message", "drain"]
        {
            assert!(shown.contains(word), "{word}");
        }
        for flag in text.split_whitespace().filter_map(|word| word.strip_prefix("--")) {
            let flag = flag.trim_end_matches(',');
            let is_flag = |argument: &clap::Arg| argument.get_long() == Some(flag);
            assert!(flag == "help" || commands.get_arguments().any(is_flag), "--{flag}");
        }
    }
}
