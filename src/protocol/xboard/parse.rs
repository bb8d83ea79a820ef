//! Lines to commands.

use super::argument::{ArgumentError, Level, Rating, RootMoves, number, one, rounded, seconds, text, two};
use super::command::{Command, CommandError};
use super::display::usual;
use super::holding::Holding;
use super::move_text::looks_like_a_move;
use crate::chess::Outcome;

impl Command {
    /// Reads a line (without its line end, whatever its bytes).
    ///
    /// Invalid UTF-8 and control characters are replaced; blanks around are dropped.
    ///
    /// # Errors
    /// A known command has invalid arguments. An unknown command is not an error but
    /// [`Command::Unknown`].
    pub fn parse(line: &[u8]) -> Result<Command, CommandError> {
        let line = String::from_utf8_lossy(line).replace(char::is_control, " ");
        let line = line.trim();
        let (name, arguments) = line.split_once(' ').unwrap_or((line, ""));
        let arguments = arguments.trim_start();
        command(line, name, arguments).map_err(|problem| CommandError { line: line.to_owned(), problem })
    }
}

fn command(line: &str, name: &str, arguments: &str) -> Result<Command, ArgumentError> {
    if let Some(command) = usual(name, arguments) {
        return command;
    }
    Ok(match name {
        "level" => Command::Level(Level::parse(arguments)?),
        "st" => Command::St(seconds(one(arguments, "TIME")?, "TIME")?),
        "time" => Command::Time(rounded(one(arguments, "N")?, "N")?),
        "otim" => Command::Otim(rounded(one(arguments, "N")?, "N")?),
        "result" => result(arguments)?,
        "rating" => rating(arguments)?,
        "egtpath" => {
            let (kind, path) = arguments.split_once(' ').ok_or(ArgumentError::Missing("PATH"))?;
            Command::Egtpath(kind.to_owned(), path.trim_start().to_owned())
        }
        "option" => option(arguments)?,
        "exclude" => Command::Exclude(root_moves(arguments)?),
        "include" => Command::Include(root_moves(arguments)?),
        "setscore" => {
            let [score, depth] = two(arguments, ["SCORE", "DEPTH"])?;
            Command::Setscore(number(score, "SCORE")?, number(depth, "DEPTH")?)
        }
        "help" => Command::Help,
        "d" | "board" if arguments.is_empty() => Command::Board(true),
        "board" if arguments == "off" => Command::Board(false),
        "partner" => Command::Partner((!arguments.is_empty()).then(|| arguments.to_owned())),
        "holding" => Command::Holding(Holding::parse(arguments)),
        _ => other(line),
    })
}

fn other(line: &str) -> Command {
    if looks_like_a_move(line) {
        return Command::Move(line.to_owned());
    }
    match line.parse() {
        Ok(number) if line.bytes().all(|byte| byte.is_ascii_digit()) => Command::Number(number),
        _ => Command::Unknown(line.to_owned()),
    }
}

/// Reads `RESULT {COMMENT}`. The braces are not part of the comment, and may be missing.
fn result(arguments: &str) -> Result<Command, ArgumentError> {
    let (code, comment) = arguments.split_once(' ').unwrap_or((arguments, ""));
    let comment = comment.trim();
    let comment =
        comment.strip_prefix('{').and_then(|inner| inner.strip_suffix('}')).unwrap_or(comment).trim();
    match Outcome::from_code(code) {
        Some(result) => Ok(Command::Result(result, comment.to_owned())),
        None if code.is_empty() => Err(ArgumentError::Missing("RESULT")),
        None => Err(ArgumentError::Invalid("RESULT")),
    }
}

fn rating(arguments: &str) -> Result<Command, ArgumentError> {
    let [own, opponent] = two(arguments, ["OWN", "OPPONENT"])?;
    Ok(Command::Rating(Rating { own: number(own, "OWN")?, opponent: number(opponent, "OPPONENT")? }))
}

/// Reads `NAME` or `NAME=VALUE`; both may contain blanks.
fn option(arguments: &str) -> Result<Command, ArgumentError> {
    let (name, value) = match arguments.split_once('=') {
        Some((name, value)) => (name.trim_end(), Some(value.trim().to_owned())),
        None => (arguments, None),
    };
    Ok(Command::Option(text(name, "NAME")?, value))
}

fn root_moves(arguments: &str) -> Result<RootMoves, ArgumentError> {
    match one(arguments, "MOVE")? {
        "all" => Ok(RootMoves::All),
        mv => Ok(RootMoves::One(mv.to_owned())),
    }
}
