//! The board: new games, positions, take-backs, and settings that belong to a position.

use super::settings::is_level;
use super::{GameStep, Mode, Over, State};
use crate::chess::Color;
use crate::protocol::xboard::{Command, EditCommand, RootMoves};
use std::sync::Arc;
use std::time::Instant;

impl State {
    pub(super) fn new_game(&mut self, at: Instant) {
        self.replace_board(at);
        self.variant = None;
        self.turn = Color::White;
        if self.mode != Mode::Analyze {
            self.mode = Mode::Play(Color::Black);
        }
        for key in ["sd", "nps", "random", "computer"] {
            self.unset(key);
        }
        self.forget_partners_words();
        self.result = None;
        self.clock.reset();
        self.began = true;
    }

    /// Clears the record, but keeps the time control set in it.
    pub(super) fn replace_board(&mut self, at: Instant) {
        self.stop(at);
        if let Some(GameStep::Setting(line)) =
            self.record.entries().into_iter().find(|entry| is_level(entry)).cloned()
        {
            self.set("level", line);
        }
        // `setscore` is useless without its position, but costs little.
        self.record.clear();
        self.board_changed();
        self.draw = false;
        self.engine_moves = 0;
    }

    pub(super) fn board_changed(&mut self) {
        self.turn_wanted = None;
        self.over = Over::No;
        self.excluded = Arc::default();
        self.clock.rewound(self.plies());
    }

    /// Moves that can be taken back: those since the board was set up or turned.
    pub(super) fn undoable(&self) -> usize {
        self.record.undoable()
    }

    /// Whether the command would take back more moves than there are.
    pub(in crate::shim::journal::xboard) fn cannot_take_back(&self, command: &Command) -> bool {
        let plies = match command {
            Command::Undo => 1,
            Command::Remove => 2,
            _ => return false,
        };
        self.undoable() < plies
    }

    pub(super) fn take_back(&mut self, plies: usize, at: Instant) {
        if self.undoable() < plies {
            return;
        }
        let due = self.due;
        self.stop(at);
        self.board_changed();
        for _ in 0..plies {
            match self.record.last() {
                Some(GameStep::Move(_)) => self.record.pop(),
                _ => self.record.push(GameStep::Undo),
            }
            self.turn = !self.turn;
        }
        self.clock.rewound(self.plies());
        if due && self.mode == Mode::Play(self.turn) {
            self.think(at);
        }
    }

    pub(super) fn exclude(&mut self, moves: &RootMoves, line: &[u8]) {
        self.settle();
        match moves {
            RootMoves::All => self.excluded = Arc::default(),
            RootMoves::One(mv) => {
                let meant = format!(" {mv}");
                Arc::make_mut(&mut self.excluded).retain(|known| !known.ends_with(meant.as_bytes()));
            }
        }
        Arc::make_mut(&mut self.excluded).push(line.into());
    }

    pub(super) fn edit_line(&mut self, line: &[u8], at: Instant) {
        let Some(edit) = &mut self.edit else { return };
        Arc::make_mut(&mut edit.lines).push(line.into());
        match EditCommand::parse(line) {
            EditCommand::Color => edit.color = !edit.color,
            EditCommand::Clear => edit.cleared = true,
            EditCommand::Leave => self.end_edit(at),
            EditCommand::Unknown(_) => match Command::parse(line) {
                Ok(Command::Quit | Command::New | Command::Setboard(_) | Command::Xboard) => {
                    self.edit = None;
                    self.obey(line, at);
                }
                _ => drop(Arc::make_mut(&mut edit.lines).pop()),
            },
            _ => {}
        }
    }

    pub(super) fn end_edit(&mut self, at: Instant) {
        let Some(edit) = self.edit.take() else { return };
        let record = std::mem::take(&mut self.record);
        self.replace_board(at);
        if !edit.cleared {
            self.record = record;
        }
        self.record.push(GameStep::Edit(edit.turn, edit.lines));
        self.turn = if self.fritz { edit.color } else { edit.turn };
    }
}
