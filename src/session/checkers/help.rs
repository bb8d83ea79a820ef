//! `HELP`: the commands for a user at a terminal.

use super::Step;
use crate::protocol::checkers::Reply;

/// The commands that a user needs.
const HELP_LINES: [&str; 10] = [
    "You can type:",
    "INIT                        the engine gets ready, once",
    "NEWGAME                     a new game; NEWGAME FEN from another position",
    "MOVE 11-15                  play this move for the side to move",
    "GO                          the engine thinks and plays its move",
    "STOP                        the engine moves now",
    "GETPARAMETERS               the names of the settings",
    "SETPARAMETER seconds 5      change one of them",
    "QUIT                        end the session",
    "Commands for programs are described in docs/checkers.md",
];

pub(super) fn help(step: &mut Step<'_>) {
    HELP_LINES.iter().for_each(|line| step.reply(Reply::Help(line)));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::checkers::Command;

    #[test]
    fn every_listed_command_exists() {
        for line in &HELP_LINES[1..HELP_LINES.len() - 1] {
            assert!(Command::parse(line.split_at(28).0.as_bytes()).is_ok(), "{line}");
            assert!(Reply::Help(line).line().starts_with("# "), "{line}");
        }
    }
}
