//! Commands to lines, as a GUI would send them.

use super::argument::Seconds;
use super::command::Command;
use std::fmt;

impl fmt::Display for Command {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Command::Protover(version) => write!(f, "protover {version}"),
            Command::Accepted(feature) => write!(f, "accepted {feature}"),
            Command::Rejected(feature) => write!(f, "rejected {feature}"),
            Command::Variant(name) => write!(f, "variant {name}"),
            Command::Level(level) => write!(f, "level {level}"),
            Command::St(time) => write!(f, "st {}", Seconds(*time)),
            Command::Sd(depth) => write!(f, "sd {depth}"),
            Command::Number(number) => write!(f, "{number}"),
            Command::Nps(rate) => write!(f, "nps {rate}"),
            Command::Time(clock) => write!(f, "time {clock}"),
            Command::Otim(clock) => write!(f, "otim {clock}"),
            Command::Usermove(mv) => write!(f, "usermove {mv}"),
            Command::Move(text) | Command::Unknown(text) => f.write_str(text),
            Command::Ping(number) => write!(f, "ping {number}"),
            Command::Result(result, comment) => write!(f, "result {} {{{comment}}}", result.code()),
            Command::Setboard(fen) => write!(f, "setboard {fen}"),
            Command::Name(name) => with_text(f, "name", name),
            Command::Rating(rating) => write!(f, "rating {} {}", rating.own, rating.opponent),
            Command::Ics(host) => with_text(f, "ics", host),
            Command::Memory(mebibytes) => write!(f, "memory {mebibytes}"),
            Command::Cores(cores) => write!(f, "cores {cores}"),
            Command::Egtpath(kind, path) => write!(f, "egtpath {kind} {path}"),
            Command::Option(name, None) => write!(f, "option {name}"),
            Command::Option(name, Some(value)) => write!(f, "option {name}={value}"),
            Command::Exclude(moves) => write!(f, "exclude {moves}"),
            Command::Include(moves) => write!(f, "include {moves}"),
            Command::Setscore(score, depth) => write!(f, "setscore {score} {depth}"),
            Command::Lift(square) => with_text(f, "lift", square),
            Command::Put(square) => with_text(f, "put", square),
            Command::Hover(square) => with_text(f, "hover", square),
            Command::Partner(name) => with_text(f, "partner", name.as_deref().unwrap_or("")),
            Command::Ptell(text) => with_text(f, "ptell", text),
            Command::Holding(None) => f.write_str("holding"),
            Command::Holding(Some(holding)) => write!(f, "holding {holding}"),
            Command::Strength(text) => with_text(f, "strength", text),
            Command::Ponder(mv) => write!(f, "ponder {mv}"),
            bare => f.write_str(word(bare)),
        }
    }
}

fn with_text(f: &mut fmt::Formatter<'_>, name: &str, text: &str) -> fmt::Result {
    if text.is_empty() { f.write_str(name) } else { write!(f, "{name} {text}") }
}

/// The commands that are a word and nothing else; empty for all others.
fn word(command: &Command) -> &'static str {
    match command {
        Command::Xboard => "xboard",
        Command::New => "new",
        Command::Quit => "quit",
        Command::Random => "random",
        Command::Force => "force",
        Command::Go => "go",
        Command::Playother => "playother",
        Command::White => "white",
        Command::Black => "black",
        Command::Depth => "depth",
        Command::MoveNow => "?",
        Command::Draw => "draw",
        Command::Edit => "edit",
        Command::Hint => "hint",
        Command::Bk => "bk",
        Command::Undo => "undo",
        Command::Remove => "remove",
        Command::Hard => "hard",
        Command::Easy => "easy",
        Command::Post => "post",
        Command::Nopost => "nopost",
        Command::Analyze => "analyze",
        Command::Status => ".",
        Command::Exit => "exit",
        Command::Computer => "computer",
        Command::Pause => "pause",
        Command::Resume => "resume",
        Command::Fritz => "fritz",
        Command::Reset => "reset",
        Command::Board(true) => "board",
        Command::Board(false) => "board off",
        Command::Help => "help",
        _ => "",
    }
}
