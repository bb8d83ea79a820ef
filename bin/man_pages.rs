//! `farboard man` and `farboard completions`: manual pages and shell completions, made from the definitions
//! of `--help`.

use clap::{Args, Command, CommandFactory, ValueEnum};
use clap_complete::Shell;
use farboard::shim;
use std::error::Error;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Arguments of `farboard man`.
#[derive(Args)]
pub struct Man {
    /// The folder for the files, such as farboard.1; created if missing
    #[arg(value_name = "DIR")]
    folder: PathBuf,
}

/// Arguments of `farboard completions`.
#[derive(Args)]
pub struct Completions {
    /// The shell
    shell: Shell,
    /// The program to complete
    #[arg(default_value = "farboard")]
    program: Program,
}

#[derive(Clone, Copy, ValueEnum)]
enum Program {
    Farboard,
    FarboardConnect,
}

/// The shim as a program of its own. `farboard connect` is the same.
fn shim() -> Command {
    shim::arguments::Arguments::command()
}

/// Writes a page for each program and each command of the server.
pub fn write_manual(arguments: &Man, mut server: Command) -> Result<(), Box<dyn Error>> {
    fs::create_dir_all(&arguments.folder)?;
    server.build();
    write_page(&arguments.folder, "farboard", server.clone())?;
    for command in server.get_subcommands() {
        let name = format!("farboard-{}", command.get_name());
        // The shim's page is written below.
        if !["help", "connect"].contains(&command.get_name()) {
            write_page(&arguments.folder, &name, command.clone())?;
        }
    }
    write_page(&arguments.folder, "farboard-connect", shim())
}

fn write_page(folder: &Path, name: &str, command: Command) -> Result<(), Box<dyn Error>> {
    let path = folder.join(format!("{name}.1"));
    let mut text = Vec::new();
    clap_mangen::Man::new(command).title(name).render(&mut text)?;
    fs::write(&path, text).map_err(|error| format!("cannot write {}: {error}", path.display()))?;
    Ok(())
}

/// Prints the completion script.
pub fn print_completions(arguments: &Completions, server: Command) -> Result<(), Box<dyn Error>> {
    let (name, mut command) = match arguments.program {
        Program::Farboard => ("farboard", server),
        Program::FarboardConnect => ("farboard-connect", shim()),
    };
    let mut text = Vec::new();
    clap_complete::generate(arguments.shell, &mut command, name, &mut text);
    // If standard output is closed, nobody reads the script.
    let _ = io::stdout().write_all(&text);
    Ok(())
}
