//! `farboard man` and `farboard completions`: what shells and `man` know of the programs, made from the same definitions
//! as `--help`.

use clap::{Args, Command, CommandFactory, ValueEnum};
use clap_complete::Shell;
use farboard::connect;
use std::error::Error;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// What `farboard man` is given.
#[derive(Args)]
pub struct Man {
    /// The folder for the files, such as farboard.1; it is made if there is none
    #[arg(value_name = "DIR")]
    folder: PathBuf,
}

/// What `farboard completions` is given.
#[derive(Args)]
pub struct Completions {
    /// The shell
    shell: Shell,
    /// The program whose words are completed
    #[arg(default_value = "farboard")]
    program: Program,
}

#[derive(Clone, Copy, ValueEnum)]
enum Program {
    Farboard,
    FarboardConnect,
}

/// The shim by the name of its own program. `farboard connect` is the same.
fn shim() -> Command {
    connect::arguments::Arguments::command()
}

/// Writes a page for each program and each of the server's commands.
pub fn write_manual(arguments: &Man, mut server: Command) -> Result<(), Box<dyn Error>> {
    fs::create_dir_all(&arguments.folder)?;
    server.build();
    write_page(&arguments.folder, "farboard", server.clone())?;
    for command in server.get_subcommands() {
        let name = format!("farboard-{}", command.get_name());
        // That page is the shim's, and is written below.
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

/// Prints what the shell wants to know.
pub fn print_completions(arguments: &Completions, server: Command) -> Result<(), Box<dyn Error>> {
    let (name, mut command) = match arguments.program {
        Program::Farboard => ("farboard", server),
        Program::FarboardConnect => ("farboard-connect", shim()),
    };
    let mut text = Vec::new();
    clap_complete::generate(arguments.shell, &mut command, name, &mut text);
    // Whoever has closed our output does not want to read it.
    let _ = io::stdout().write_all(&text);
    Ok(())
}
