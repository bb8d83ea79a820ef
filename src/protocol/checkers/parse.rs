//! Lines to commands.

use super::command::{Command, GameCommand, Go, WORDS};
use crate::draughts::{FenError, MoveError, MoveText, Setup};
use crate::protocol::plain::echo;
use std::time::Duration;

/// The most characters of an echo of the client's own words.
const MAX_ECHO: usize = 40;

/// The longest time of `GO maxtime`, a day; longer ones are cut to it.
const MAX_TIME: Duration = Duration::from_secs(86_400);

/// The reason that a line is not a command.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum CommandError {
    /// The first word is not a command.
    #[error("unknown command: {}", echo(.0, MAX_ECHO))]
    Unknown(String),
    /// The first word is a command in lower case.
    #[error("commands are written in capitals: {}", .0.to_ascii_lowercase())]
    LowerCase(&'static str),
    /// Something is missing after this word.
    #[error("{0} needs {1}")]
    Missing(&'static str, &'static str),
    /// Too many arguments follow this word.
    #[error("something follows {0} that does not belong there")]
    TooMuch(&'static str),
    /// The argument of `NEWGAME` is not a position.
    #[error(transparent)]
    Position(FenError),
    /// A set-up move is not a move: its number from 1, and its text.
    #[error("set-up move {place} is not a move: {}", echo(.1, MAX_ECHO), place = .0)]
    SetupMove(usize, String),
    /// The argument of `MOVE` is not a move.
    #[error(transparent)]
    Move(MoveError),
    /// An unknown or invalid argument of `GO`.
    #[error("after GO there may be dontplaymove, maxdepth and plies, maxtime and seconds: {}", echo(.0, MAX_ECHO))]
    Go(String),
}

impl Command {
    /// Reads a line (without its line end, of any bytes). White space is blanks, tabs, CR and form
    /// feeds in any number.
    ///
    /// # Errors
    /// The line is not a command, or has an invalid argument.
    pub fn parse(line: &[u8]) -> Result<Command, CommandError> {
        let line = String::from_utf8_lossy(line);
        let line = line.trim_ascii();
        let (word, rest) = line.split_once(|c: char| c.is_ascii_whitespace()).unwrap_or((line, ""));
        let Some(&word) = WORDS.iter().find(|&&known| known == word) else { return other(word) };
        match word {
            "NEWGAME" => newgame(rest),
            "MOVE" => {
                let text = one(word, "a move", rest)?;
                let mv = MoveText::read(text).map_err(CommandError::Move)?;
                Ok(Command::Game(GameCommand::Move(mv)))
            }
            "GO" => go(rest),
            "GETPARAMETER" => {
                Ok(Command::Getparameter(one(word, "the name of a parameter", rest)?.to_owned()))
            }
            "SETPARAMETER" => {
                let rest = rest.trim_ascii_start();
                let (name, value) = rest.split_once(|c: char| c.is_ascii_whitespace()).unwrap_or((rest, ""));
                let value = value.trim_ascii_start();
                if value.is_empty() {
                    return Err(CommandError::Missing(word, "the name of a parameter and its value"));
                }
                Ok(Command::Setparameter(name.to_owned(), value.to_owned()))
            }
            _ if !rest.trim_ascii().is_empty() => Err(CommandError::TooMuch(word)),
            "INIT" => Ok(Command::Game(GameCommand::Init)),
            "STOP" => Ok(Command::Stop),
            "GETPARAMETERS" => Ok(Command::Getparameters),
            "GETNAME" => Ok(Command::Getname),
            "QUIT" => Ok(Command::Quit),
            _ => Err(CommandError::Unknown(word.to_owned())),
        }
    }
}

fn other(word: &str) -> Result<Command, CommandError> {
    if word.is_empty() {
        return Ok(Command::Empty);
    }
    if word.eq_ignore_ascii_case("help") {
        return Ok(Command::Help);
    }
    match WORDS.iter().find(|known| known.eq_ignore_ascii_case(word)) {
        Some(known) => Err(CommandError::LowerCase(known)),
        None => Err(CommandError::Unknown(word.to_owned())),
    }
}

fn one<'a>(word: &'static str, what: &'static str, rest: &'a str) -> Result<&'a str, CommandError> {
    let mut words = rest.split_ascii_whitespace();
    let first = words.next().ok_or(CommandError::Missing(word, what))?;
    if words.next().is_some() { Err(CommandError::TooMuch(word)) } else { Ok(first) }
}

/// Reads the arguments of `NEWGAME`. An optional position comes first and may contain blanks; moves
/// begin with a digit.
fn newgame(rest: &str) -> Result<Command, CommandError> {
    let words: Vec<&str> = rest.split_ascii_whitespace().collect();
    let is_position = words.first().is_some_and(|word| !word.as_bytes()[0].is_ascii_digit());
    let (position, words) = if is_position {
        let (setup, rest) = position(&words)?;
        (Some(setup), rest)
    } else {
        (None, &words[..])
    };
    let moves = words.iter().enumerate().map(|(index, word)| {
        MoveText::read(word).map_err(|_| CommandError::SetupMove(index + 1, (*word).to_owned()))
    });
    let moves = moves.collect::<Result<_, _>>()?;
    Ok(Command::Game(GameCommand::Newgame { position, moves }))
}

/// Splits off the position at the beginning: all words at the end that look like moves are moves.
/// `B:W1 - 3` ends in no move, and `B:W18:B 1-3` has no pieces of Black, since its range is a move.
fn position<'a>(words: &'a [&'a str]) -> Result<(Setup, &'a [&'a str]), CommandError> {
    let moves = words.iter().rev().take_while(|word| MoveText::read(word).is_ok()).count();
    let (position, moves) = words.split_at(words.len() - moves);
    let error = match Setup::read(&position.join(" ")) {
        Ok(setup) => return Ok((setup, moves)),
        Err(error) => error,
    };
    // If the first word alone is a position, the fault is in the next one.
    match (Setup::read(position[0]), position.get(1)) {
        (Ok(_), Some(word)) => Err(CommandError::SetupMove(1, (*word).to_owned())),
        _ => Err(CommandError::Position(error)),
    }
}

fn go(rest: &str) -> Result<Command, CommandError> {
    let mut go = Go::default();
    let mut words = rest.split_ascii_whitespace();
    while let Some(word) = words.next() {
        let wrong = || CommandError::Go(word.to_owned());
        match word {
            "dontplaymove" if !go.dont_play_move => go.dont_play_move = true,
            "maxdepth" if go.max_depth.is_none() => {
                let depth =
                    words.next().and_then(|depth| depth.parse::<u32>().ok()).filter(|&depth| depth > 0);
                go.max_depth = Some(depth.ok_or_else(wrong)?.min(u8::MAX.into()) as u8);
            }
            "maxtime" if go.max_time.is_none() => {
                go.max_time = Some(words.next().and_then(seconds).ok_or_else(wrong)?);
            }
            _ => return Err(wrong()),
        }
    }
    Ok(Command::Game(GameCommand::Go(go)))
}

fn seconds(text: &str) -> Option<Duration> {
    let seconds = text.parse::<f64>().ok().filter(|seconds| *seconds >= 0.0)?;
    Some(Duration::try_from_secs_f64(seconds).map_or(MAX_TIME, |time| time.min(MAX_TIME)))
}
