//! `help`: the commands for a user at a terminal.

use super::Step;
use crate::protocol::uci::Reply;

/// The commands that a user needs. No word may be one that a GUI looks for.
const HELP_LINES: [&str; 12] = [
    "You can type:",
    "position startpos moves e2e4 e7e5   the start position, and moves from there",
    "position fen FEN moves e2e4         another position",
    "go movetime 5000, go depth 20       think for 5 seconds, or 20 plies deep",
    "go infinite, stop                   think until the move is wanted",
    "go perft 4                          count the leaves of the tree of legal moves",
    "d, eval                             show the position; show its static evaluation",
    "uci                                 show the settings",
    "setoption name MultiPV value 3      change one of them",
    "ucinewgame                          forget the last game",
    "quit                                end the session",
    "Commands for programs are described in docs/uci.md",
];

pub(super) fn help(step: &mut Step<'_>) {
    HELP_LINES.iter().for_each(|line| step.reply(Reply::Help(line)));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::uci::Command;

    #[test]
    fn guis_find_nothing_in_the_help_lines() {
        let replies = "id uciok readyok bestmove copyprotection registration info option string pv score currmove ponder";
        for text in HELP_LINES {
            let line = Reply::Help(text).line();
            assert!(line.len() <= 100 && line.is_ascii() && line.starts_with(' '), "{line}");
            assert!(
                line.split_whitespace().all(|word| !replies.split(' ').any(|reply| reply == word)),
                "{line}"
            );
        }
    }

    #[test]
    fn every_listed_command_exists() {
        for words in HELP_LINES[1..HELP_LINES.len() - 1].iter().map(|line| line.split_at(36).0) {
            for word in words.split(", ").map(|word| word.replace("FEN", "8/8/8/8/8/8/8/8 w - - 0 1")) {
                assert!(Command::parse(word.as_bytes()).is_ok(), "{word}");
            }
        }
    }
}
