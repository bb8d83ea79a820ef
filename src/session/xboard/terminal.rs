//! `help` and the board, for a user at a terminal.

use super::{Mode, Session, Step};
use crate::protocol::DRAWN_LINES;
use crate::protocol::xboard::Reply;
use crate::session::board_squares::squares_of;

/// The commands that a user needs. A GUI must ignore every line: a test reads them as xboard does.
const HELP_LINES: [&str; 17] = [
    "You can type:",
    "new               a new game: you are White, and the engine answers your moves",
    "e2e4, Nf3, O-O    your move, in coordinates or as in books",
    "go                the engine plays the side to move, now",
    "force             the engine plays neither side: enter moves for both",
    "undo, remove      take back one move, or one of each side",
    "level 0 5 3       time: 5 minutes for the game and 3 seconds for each move",
    "st 10, sd 8       10 seconds for each move; not deeper than 8 plies",
    "post, nopost      show what the engine thinks, or stop that",
    "analyze, exit     analyse the position without playing, or stop that",
    "hint, bk          a suggestion; the moves of the opening book",
    "setboard FEN      another position",
    "d, board          show the board now and after each move; board off: hide it",
    "option NAME=VALUE such as SkillLevel=5; option ShowSettings lists them all",
    "quit              end the session",
    "Commands for programs are described in docs/protocol.md",
    "A first line such as uci, d or go depth 8 starts a UCI session",
];

/// `help`
pub(super) fn help(step: &mut Step<'_>) {
    HELP_LINES.iter().for_each(|line| step.reply(Reply::Help(line)));
}

impl Session {
    /// Shows the board, if the client wants to see it. In kriegspiel it shows the client's own men
    /// only.
    pub(super) fn show_board(&self, step: &mut Step<'_>) {
        if !self.gui.dialogue.board_shown {
            return;
        }
        let seen = match self.board.mode {
            Mode::Play(side) if self.board.is_hidden() => Some(!side),
            Mode::Play(_) | Mode::Force | Mode::Analyze => None,
        };
        let squares = squares_of(self.board.position(), seen);
        (0..DRAWN_LINES).for_each(|line| step.reply(Reply::Drawing(line, squares)));
        if seen.is_none() {
            step.reply(Reply::Fen(self.board.position().fen()));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::xboard::{Command, Reading, xboard_reads};

    #[test]
    fn guis_ignore_the_help_lines() {
        for text in HELP_LINES {
            let line = Reply::Help(text).line();
            assert!(line.len() <= 80 && line.is_ascii(), "{line}");
            assert!(!line.starts_with("    "), "{line} continues a variation");
            for on_server in [false, true] {
                assert_eq!(xboard_reads(line.trim_end_matches('\n'), on_server), Reading::Nothing, "{line}");
            }
        }
    }

    #[test]
    fn every_listed_command_exists() {
        let words = HELP_LINES[1..HELP_LINES.len() - 2].iter().map(|line| line.split_at(18).0.trim());
        for word in words.flat_map(|words| words.split(", ")) {
            let command = Command::parse(word.as_bytes());
            assert!(!matches!(command, Err(_) | Ok(Command::Unknown(_))), "{word}: {command:?}");
        }
    }
}
