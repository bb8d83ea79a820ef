//! Prints commands as a GUI would send them. Commands of the usual forms are a table that also
//! reads them.

use super::argument::{ArgumentError, Seconds, number, one, text};
use super::command::Command;
use crate::chess::Outcome;
use std::fmt;

/// Defines how commands are printed, and how those with no argument, a number, or a text are read.
macro_rules! commands {
    (
        $f:ident
        bare { $($word:literal => $bare:ident,)* }
        number { $($number_word:literal $number_name:literal => $number:ident,)* }
        text { $($text_word:literal $text_name:literal => $text:ident,)* }
        notice { $($notice_word:literal => $notice:ident,)* }
        others { $($others:tt)* }
    ) => {
        /// Reads a command of one of the usual forms; `None` if it is another one.
        pub(super) fn usual(word: &str, arguments: &str) -> Option<Result<Command, ArgumentError>> {
            Some(match word {
                $($word if arguments.is_empty() => Ok(Command::$bare),)*
                $($word)|* => Err(ArgumentError::TooMany),
                $($number_word => one(arguments, $number_name)
                    .and_then(|word| number(word, $number_name))
                    .map(Command::$number),)*
                $($text_word => text(arguments, $text_name).map(Command::$text),)*
                $($notice_word => Ok(Command::$notice(arguments.to_owned())),)*
                _ => return None,
            })
        }

        impl fmt::Display for Command {
            fn fmt(&self, $f: &mut fmt::Formatter<'_>) -> fmt::Result {
                match self {
                    $(Command::$bare => $f.write_str($word),)*
                    $(Command::$number(number) => write!($f, "{} {number}", $number_word),)*
                    $(Command::$text(text) => write!($f, "{} {text}", $text_word),)*
                    $(Command::$notice(text) => with_text($f, $notice_word, text),)*
                    $($others)*
                }
            }
        }
    };
}

commands! {
    f
    bare {
        "" => Empty, "xboard" => Xboard, "new" => New, "quit" => Quit, "random" => Random,
        "force" => Force, "go" => Go, "playother" => Playother, "white" => White, "black" => Black,
        "depth" => Depth, "?" => MoveNow, "draw" => Draw, "edit" => Edit, "hint" => Hint, "bk" => Bk,
        "undo" => Undo, "remove" => Remove, "hard" => Hard, "easy" => Easy, "post" => Post,
        "nopost" => Nopost, "analyze" => Analyze, "." => Status, "exit" => Exit,
        "computer" => Computer, "pause" => Pause, "resume" => Resume, "fritz" => Fritz,
        "reset" => Reset,
    }
    number {
        "protover" "N" => Protover, "sd" "DEPTH" => Sd, "nps" "NODE_RATE" => Nps, "ping" "N" => Ping,
        "memory" "N" => Memory, "cores" "N" => Cores,
    }
    text {
        "accepted" "FEATURE" => Accepted, "rejected" "FEATURE" => Rejected, "variant" "VARNAME" => Variant,
        "usermove" "MOVE" => Usermove, "setboard" "FEN" => Setboard, "ponder" "MOVE" => Ponder,
    }
    // A GUI expects no reply to these, so they are never wrong, even if they are empty.
    notice {
        "name" => Name, "ics" => Ics, "lift" => Lift, "put" => Put, "hover" => Hover, "ptell" => Ptell,
        "strength" => Strength,
    }
    others {
        Command::Level(level) => write!(f, "level {level}"),
        Command::St(time) => write!(f, "st {}", Seconds(*time)),
        Command::Number(number) => write!(f, "{number}"),
        Command::Time(clock) => write!(f, "time {clock}"),
        Command::Otim(clock) => write!(f, "otim {clock}"),
        Command::Move(text) | Command::Unknown(text) => f.write_str(text),
        Command::Result(result, comment) => write!(f, "result {} {{{comment}}}", Outcome::code(*result)),
        Command::Rating(rating) => write!(f, "rating {} {}", rating.own, rating.opponent),
        Command::Egtpath(kind, path) => write!(f, "egtpath {kind} {path}"),
        Command::Option(name, None) => write!(f, "option {name}"),
        Command::Option(name, Some(value)) => write!(f, "option {name}={value}"),
        Command::Exclude(moves) => write!(f, "exclude {moves}"),
        Command::Include(moves) => write!(f, "include {moves}"),
        Command::Setscore(score, depth) => write!(f, "setscore {score} {depth}"),
        Command::Partner(name) => with_text(f, "partner", name.as_deref().unwrap_or("")),
        Command::Holding(None) => f.write_str("holding"),
        Command::Holding(Some(holding)) => write!(f, "holding {holding}"),
        Command::Board(true) => f.write_str("board"),
        Command::Board(false) => f.write_str("board off"),
        Command::Help => f.write_str("help"),
    }
}

fn with_text(f: &mut fmt::Formatter<'_>, name: &str, text: &str) -> fmt::Result {
    if text.is_empty() { f.write_str(name) } else { write!(f, "{name} {text}") }
}
