//! Kinds of commands.

use super::Command;

/// The effect of a command, in outline. A new command gets its kind here, which decides how it is
/// treated wherever commands are not executed: in a board under edit, in a refused line, in the
/// replay of a record.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum CommandKind<'a> {
    /// An empty line.
    Blank,
    /// Begins a session or another game, or ends the session: earlier work is void.
    Restart,
    /// A move that the client makes, as sent.
    Move(&'a str),
    /// Makes the engine move, or think about its move again.
    Demand,
    /// Releases the engine from the move that it owes.
    Release,
    /// A position for the board: the engine owes no move, and the client expects the position to be
    /// accepted or refused.
    Position,
    /// Changes how the engine plays or what it shows.
    Setting,
    /// Asks for an answer.
    Query,
    /// Informs the engine about the client or the opponent.
    Notice,
    /// Not a command.
    Unknown,
}

impl Command {
    /// The kind of the command.
    pub(crate) fn kind(&self) -> CommandKind<'_> {
        match self {
            Command::Empty => CommandKind::Blank,
            Command::Xboard | Command::New | Command::Quit => CommandKind::Restart,
            Command::Setboard(_) | Command::Edit => CommandKind::Position,
            Command::Usermove(text) | Command::Move(text) | Command::Ponder(text) => CommandKind::Move(text),
            Command::Go | Command::MoveNow | Command::Resume | Command::Undo | Command::Remove => {
                CommandKind::Demand
            }
            Command::Force
            | Command::Result(..)
            | Command::Analyze
            | Command::Exit
            | Command::Variant(_)
            | Command::White
            | Command::Black
            | Command::Pause => CommandKind::Release,
            Command::Playother
            | Command::Level(_)
            | Command::St(_)
            | Command::Sd(_)
            | Command::Depth
            | Command::Number(_)
            | Command::Nps(_)
            | Command::Time(_)
            | Command::Otim(_)
            | Command::Hard
            | Command::Easy
            | Command::Post
            | Command::Nopost
            | Command::Random
            | Command::Memory(_)
            | Command::Cores(_)
            | Command::Egtpath(..)
            | Command::Option(..)
            | Command::Strength(_)
            | Command::Exclude(_)
            | Command::Include(_)
            | Command::Setscore(..)
            | Command::Reset => CommandKind::Setting,
            Command::Protover(_)
            | Command::Ping(_)
            | Command::Hint
            | Command::Bk
            | Command::Status
            | Command::Board(_)
            | Command::Help => CommandKind::Query,
            Command::Accepted(_)
            | Command::Rejected(_)
            | Command::Fritz
            | Command::Draw
            | Command::Name(_)
            | Command::Rating(_)
            | Command::Ics(_)
            | Command::Computer
            | Command::Lift(_)
            | Command::Put(_)
            | Command::Hover(_)
            | Command::Partner(_)
            | Command::Ptell(_)
            | Command::Holding(_) => CommandKind::Notice,
            Command::Unknown(_) => CommandKind::Unknown,
        }
    }
}
