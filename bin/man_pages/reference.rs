//! `docs/settings.md`, generated from the definitions of settings and flags. The test below checks
//! that it is up to date; `UPDATE=1 cargo test --bin farboard settings_document` rewrites it.

use super::settings_page::FLAG_TABLES;
use clap::{Arg, ArgAction, Args, Command};
use farboard::config::{Config, LOG_LEVELS, Settings, SettingsTable, TABLES};
use std::collections::BTreeSet;
use std::fmt::Write as _;

/// The document.
fn document(mut server: Command, shim: Command) -> String {
    server.build();
    let settings = Settings::augment_args(Command::new("settings"));
    let mut text = String::from(INTRODUCTION);
    text += "\n## Settings\n\n| setting | value | default | change | meaning |\n|---|---|---|---|---|\n";
    for argument in settings.get_arguments() {
        let id = argument.get_id().as_str();
        let is_flag_only = !SettingsTable::Top.keys().chain(["interrupt"]).any(|key| key == id);
        let (meaning, default) = meaning_and_default(argument);
        let change = match id {
            "listen" => "restart",
            _ if is_flag_only => "flag only",
            _ if Config::is_restart_setting(id) => "restart",
            _ => "reload",
        };
        row(&mut text, &[code(id), value(argument), default, change.to_owned(), meaning]);
    }
    text += "\n`listen` and `option` are tables in the file, as is `interrupt`, which belongs below `[session]`.\n";
    text.extend(["\n", TABLES, OPTION_TABLE]);
    let _ = write!(text, "\n## Log levels\n\n```text\n{LOG_LEVELS}\n```\n");
    text += "\n## Commands\n\nEvery command also has `--help`.\n";
    let shared: BTreeSet<&str> =
        settings.get_arguments().map(|argument| argument.get_id().as_str()).collect();
    let commands =
        server.get_subcommands().filter(|command| !["help", "connect"].contains(&command.get_name()));
    for command in commands {
        describe(&mut text, &format!("farboard {}", command.get_name()), command, &shared);
    }
    describe(&mut text, "farboard-connect", &shim, &BTreeSet::new());
    text
}

fn describe(text: &mut String, name: &str, command: &Command, shared: &BTreeSet<&str>) {
    let about = command.get_about().map(ToString::to_string).unwrap_or_default();
    let _ = write!(text, "\n### `{name}`\n\n{}.\n", about.trim_end_matches('.'));
    let visible = |argument: &&Arg| !["help", "version"].contains(&argument.get_id().as_str());
    let has_settings = command.get_arguments().any(|argument| argument.get_id() == "max_sessions");
    let own = |argument: &&Arg| !(has_settings && shared.contains(argument.get_id().as_str()));
    let own: Vec<&Arg> = command.get_arguments().filter(visible).filter(own).collect();
    if has_settings {
        *text += "\nTakes every [setting](#settings) as a flag.\n";
    }
    if own.is_empty() {
        return;
    }
    *text += "\n| argument | default | meaning |\n|---|---|---|\n";
    for argument in own {
        let (meaning, default) = meaning_and_default(argument);
        row(text, &[flag(argument), default, meaning]);
    }
}

/// A row of a table.
fn row(text: &mut String, cells: &[String]) {
    for cell in cells {
        let _ = write!(text, "| {} ", cell.replace('|', "\\|"));
    }
    *text += "|\n";
}

fn code(text: &str) -> String {
    if text.is_empty() { String::new() } else { format!("`{text}`") }
}

/// The flag with its value, or the value of an argument without a flag.
fn flag(argument: &Arg) -> String {
    let value = names(argument);
    match (argument.get_long(), argument.get_short()) {
        (Some(long), Some(short)) => code(format!("-{short}, --{long} {value}").trim_end()),
        (Some(long), None) => code(format!("--{long} {value}").trim_end()),
        (None, Some(short)) => code(format!("-{short} {value}").trim_end()),
        (None, None) => code(&value),
    }
}

fn names(argument: &Arg) -> String {
    if !argument.get_action().takes_values() {
        return String::new();
    }
    let names = argument.get_value_names().unwrap_or_default();
    let joined = names.iter().map(|name| name.as_str()).collect::<Vec<_>>().join(" ");
    if joined.is_empty() { argument.get_id().as_str().to_uppercase() } else { joined }
}

/// The form of a setting's value in the file.
fn value(argument: &Arg) -> String {
    let name = names(argument);
    let is_list = matches!(argument.get_action(), ArgAction::Append);
    if is_list && !FLAG_TABLES.contains(&argument.get_id().as_str()) {
        return code(&format!("[{name}, …]"));
    }
    code(&name)
}

/// The help of an argument, in which `[default: …]` may state a default that the parser does not
/// know.
fn meaning_and_default(argument: &Arg) -> (String, String) {
    let help = argument.get_long_help().or(argument.get_help()).map(ToString::to_string).unwrap_or_default();
    let help = help.split_whitespace().collect::<Vec<_>>().join(" ");
    let known = argument.get_default_values().iter().map(|value| value.to_string_lossy().into_owned());
    let known = known.collect::<Vec<_>>().join(" ");
    match help.split_once("[default: ").and_then(|(before, rest)| Some((before, rest.split_once(']')?))) {
        Some((before, (default, after))) => (format!("{}{after}", before.trim_end()), default.to_owned()),
        None => (help, if argument.get_action().takes_values() { known } else { String::new() }),
    }
}

const INTRODUCTION: &str = "\
# Settings and commands

<!-- Generated: UPDATE=1 cargo test --bin farboard settings_document -->

The reference of the server's settings and of all commands; [operating.md](operating.md) is the guide. The settings are
keys of a TOML file, `farboard --config FILE`, and flags of the same name with `-` for `_`: `max_sessions = 500` is
`--max-sessions 500`. Flags override the file. [farboard.toml](../deploy/farboard.toml) shows all of them at their defaults;
`farboard check --config FILE` checks a file.

*reload* in the column *change* means that SIGHUP (`systemctl reload farboard`) applies a new value to new sessions, *restart*
that the server has to be restarted. The addresses of listeners need a restart, their other keys a reload.
";

const OPTION_TABLE: &str = "
## `[option]`

Default values of engine options, a key for each, as a client's command `option NAME=VALUE` sets them: `Ponder = false`.
[protocol.md](protocol.md#options) lists the options.
";

mod tests {
    use super::*;
    use crate::Arguments;
    use crate::man_pages::shim;
    use clap::CommandFactory;

    const PATH: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/settings.md");

    #[test]
    fn the_settings_document_is_up_to_date() {
        let wanted = document(Arguments::command(), shim());
        if std::env::var_os("UPDATE").is_some() {
            std::fs::write(PATH, &wanted).expect("docs/ is writable");
        }
        let found = std::fs::read_to_string(PATH).unwrap_or_default();
        let stale = wanted.lines().zip(found.lines()).find(|(wanted, found)| wanted != found);
        assert!(
            found == wanted,
            "docs/settings.md is stale: UPDATE=1 cargo test --bin farboard settings_document\n{stale:#?}"
        );
    }
}
