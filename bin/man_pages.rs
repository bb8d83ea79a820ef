//! `farboard man` and `farboard completions`: manual pages and shell completions, generated from
//! the definitions of flags.

#[cfg(all(test, feature = "load", feature = "matches", feature = "training"))]
mod reference;
mod sections;
mod settings_page;

use crate::output;
use clap::{Args, Command, CommandFactory, ValueEnum};
use clap_complete::Shell;
use clap_mangen::roff::{Roff, bold, roman};
use farboard::shim;
use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};

/// Arguments of `farboard man`.
#[derive(Args)]
pub struct Man {
    /// Directory for the files, such as farboard.1; created if missing
    #[arg(value_name = "DIR")]
    folder: PathBuf,
}

/// Arguments of `farboard completions`.
#[derive(Args)]
pub struct Completions {
    /// The shell
    shell: Shell,
    /// Program to complete
    #[arg(default_value = "farboard")]
    program: Program,
}

#[derive(Clone, Copy, ValueEnum)]
enum Program {
    Farboard,
    FarboardConnect,
}

/// Returns the command line of the shim, which `farboard connect` shares.
fn shim() -> Command {
    shim::arguments::Arguments::command()
}

/// Writes a page for each program, each command of the server, and the configuration file.
pub fn write_manual(arguments: &Man, mut server: Command) -> Result<(), Box<dyn Error>> {
    fs::create_dir_all(&arguments.folder)?;
    server.build();
    write_page(&arguments.folder, "farboard", server.clone())?;
    for command in server.get_subcommands() {
        let name = format!("farboard-{}", command.get_name());
        if !["help", "connect"].contains(&command.get_name()) {
            write_page(&arguments.folder, &name, command.clone())?;
        }
    }
    write_page(&arguments.folder, "farboard-connect", shim())?;
    let path = arguments.folder.join(format!("{}.5", settings_page::NAME));
    write_file(&path, settings_page::page().render().as_bytes())
}

fn write_page(folder: &Path, name: &str, command: Command) -> Result<(), Box<dyn Error>> {
    let path = folder.join(format!("{name}.1"));
    let mut text = Vec::new();
    clap_mangen::Man::new(command).title(name).render(&mut text)?;
    let mut more = Roff::new();
    let examples = sections::examples(name);
    if !examples.is_empty() {
        more.control("SH", ["EXAMPLES"]);
    }
    for (what, line) in examples {
        more.control("PP", []).text([roman(*what)]);
        more.control("PP", []).control("EX", []).text([bold(*line)]).control("EE", []);
    }
    if name != "farboard-connect" {
        entries(&mut more, "FILES", &sections::FILES);
    }
    entries(&mut more, "EXIT STATUS", sections::exit_status(name));
    section(&mut more, "SEE ALSO", &sections::see_also(name));
    text.extend_from_slice(more.render().as_bytes());
    write_file(&path, &text)
}

fn write_file(path: &Path, text: &[u8]) -> Result<(), Box<dyn Error>> {
    fs::write(path, text).map_err(|error| format!("cannot write {}: {error}", path.display()))?;
    Ok(())
}

/// Adds a section of one paragraph.
fn section(page: &mut Roff, heading: &str, text: &str) {
    page.control("SH", [heading]).text([roman(text)]);
}

/// Adds a section of terms with their meanings.
fn entries(page: &mut Roff, heading: &str, entries: &[(&str, &str)]) {
    page.control("SH", [heading]);
    for (word, meaning) in entries {
        page.control("TP", []).text([bold(*word)]).text([roman(*meaning)]);
    }
}

/// Prints the completion script.
pub fn print_completions(arguments: &Completions, server: Command) -> Result<(), Box<dyn Error>> {
    let (name, mut command) = match arguments.program {
        Program::Farboard => ("farboard", server),
        Program::FarboardConnect => ("farboard-connect", shim()),
    };
    let mut text = Vec::new();
    clap_complete::generate(arguments.shell, &mut command, name, &mut text);
    output::write(&text);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Arguments;
    use clap::Parser;

    /// Splits a command line with double quotes into words.
    fn words(line: &str) -> Vec<String> {
        let parts = line.split('"').enumerate();
        let words = parts.flat_map(|(index, part)| match index % 2 {
            0 => part.split_whitespace().map(str::to_owned).collect(),
            _ => vec![part.to_owned()],
        });
        words.collect()
    }

    #[test]
    fn examples_are_command_lines_that_are_understood() {
        let mut server = Arguments::command();
        server.build();
        let commands = server.get_subcommands().map(|command| format!("farboard-{}", command.get_name()));
        let mut checked = 0;
        for page in commands.chain(["farboard".to_owned()]) {
            for (_, line) in sections::examples(&page) {
                let words = words(line.split(" && ").next().unwrap_or(line));
                let words = if words[0] == "xboard" { self::words(&words[2]) } else { words };
                let understood = match words[0].as_str() {
                    "farboard-connect" => shim().try_get_matches_from(&words).map(drop),
                    _ => Arguments::try_parse_from(&words).map(drop),
                };
                assert!(understood.is_ok(), "{line}: {}", understood.expect_err("wrong"));
                checked += 1;
            }
        }
        assert!(checked > 20, "{checked}");
    }

    #[test]
    fn the_page_of_settings_has_all_of_them() {
        use farboard::config::SettingsTable;
        let page = settings_page::page().render().replace(r"\-", "-").replace(r"\&", "");
        for table in SettingsTable::ALL {
            assert!(table == SettingsTable::Top || page.contains(table.header()), "{page}");
            for key in table.keys() {
                assert!(page.contains(key), "{key}");
                let default = include_str!("../deploy/farboard.toml");
                assert!(default.contains(key), "deploy/farboard.toml does not show {key}");
            }
        }
    }
}
