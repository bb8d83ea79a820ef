//! Games of the engine against itself, and nets trained on them: `farboard generate`, `farboard
//! games`, `farboard train`.

use crate::output::{print, say};
use farboard::training::games::Census;
use farboard::training::net::{TrainArguments, Trained, train};
use farboard::training::{GenerateArguments, generate};
use std::error::Error;
use std::path::PathBuf;

/// Arguments of `farboard games`.
#[derive(clap::Args)]
pub struct Games {
    /// Files of games made by `farboard generate`
    #[arg(required = true)]
    files: Vec<PathBuf>,
}

/// Prints how the games of files were played, and counts of them.
pub fn print_census(arguments: &Games) -> Result<(), Box<dyn Error>> {
    for path in &arguments.files {
        print(&Census::of(path)?.to_string());
    }
    Ok(())
}

/// Plays games of the engine against itself.
pub fn play(arguments: &GenerateArguments) -> Result<(), Box<dyn Error>> {
    let contents = generate(arguments)?;
    say(format_args!("{contents}"));
    Ok(())
}

/// Trains a net. The last line is for scripts.
pub fn train_net(arguments: &TrainArguments) -> Result<(), Box<dyn Error>> {
    let trained = train(arguments, &mut |epoch, loss| {
        say(format_args!("epoch {epoch}: cross entropy of the games held out {loss:.5}"));
    })?;
    let Trained { domain, origin, games, positions: [learnt, held_out], loss, hash, bytes } = trained;
    say(format_args!(
        "{origin}\n{games} games with {learnt} positions, and {held_out} of games held out: cross entropy {loss:.5}\n\
         net {domain} bytes {} hash {hash:016x}",
        bytes.len()
    ));
    Ok(())
}
