//! Answers of the server: which lines they confirm, and which they refuse.

use super::lost_claim::Standing;
use super::own_pings::stops;
use super::pending::Pending;
use super::server_line::Heard;
use super::state::{LINE_COST, Mode, Over};
use super::{Journal, without_end};
use crate::protocol::xboard::Command;
use crate::session::bare_name;
use std::time::Instant;

/// Maximum number of bytes of features that are remembered: ten times what any engine has.
const MOST_FEATURES: usize = 64 << 10;
/// Message of a server about a move out of turn.
const WRONG_TURN: &[u8] = b"Illegal move (wrong turn)";

impl Journal {
    /// Notes a line of the server. Returns false if the client must not get it.
    pub(super) fn hear(&mut self, heard: Heard<'_>, text: &[u8], now: Instant) -> bool {
        if !matches!(heard, Heard::Greeting | Heard::Remark | Heard::Result) {
            self.just_moved = None;
        }
        match heard {
            Heard::Pong(number) => return self.ponged(number),
            Heard::Feature(items) => return self.feature(items, text),
            Heard::Move(mv) => self.moved(mv, now),
            Heard::Resign => {
                self.confirm_demand();
                self.state.ended(Over::Resigned, now);
                self.look_ahead();
            }
            Heard::Result => {
                if !self.is_of_our_move(text, now) {
                    self.confirm_demand();
                }
                self.just_moved = None;
                self.state.ended(Over::Claimed, now);
                self.look_ahead();
            }
            Heard::Illegal(echo) => {
                let of_turn = text.starts_with(WRONG_TURN);
                self.drop_line(self.pending.illegal(echo, of_turn, &self.state));
            }
            Heard::Error(echo) => self.drop_line(self.pending.refused(echo, &self.state)),
            Heard::IllegalPosition => self.refuse_position(now),
            Heard::IllegalTurn => {
                if let Some(place) = self.pending.settling(&self.state) {
                    let place = self.reach(place);
                    if let Some(pending) = self.pending.remove(place) {
                        self.state.refuse_turn(&pending.line, now);
                    }
                    self.look_ahead();
                }
            }
            Heard::OfferDraw => {
                // The answer to an offer made during the search came before the move.
                self.state.draw = false;
                if let Some(place) = self.pending.find(|command| *command == Command::Draw) {
                    self.pending.remove(place);
                    self.look_ahead();
                }
            }
            Heard::Hint => self.answered(|command| *command == Command::Hint),
            Heard::Status => self.answered(|command| *command == Command::Status),
            Heard::Message => self.answered(asks_for_words),
            Heard::Greeting => return !self.resumed || self.state.engine_moves <= 1,
            Heard::Book => return self.book_line(),
            Heard::BookEnd => {
                (self.book, self.book_repeats) = (0, 0);
                self.answered(|command| *command == Command::Bk);
            }
            Heard::Complaint | Heard::Remark | Heard::Room | Heard::Other => {}
        }
        true
    }

    pub(super) fn book_line(&mut self) -> bool {
        if self.pending.find(|command| *command == Command::Bk).is_none() {
            return true;
        }
        self.book += 1;
        self.book > self.book_repeats
    }

    pub(super) fn ponged(&mut self, number: i64) -> bool {
        if let Some(place) = self.pending.ping(number, true) {
            self.confirm_all(place);
            return false;
        }
        if let Some(place) = self.pending.ping(number, false) {
            self.confirm_all(place);
            self.pings = true;
        }
        true
    }

    pub(super) fn feature(&mut self, items: &str, text: &[u8]) -> bool {
        let said = |item: &str| items.split_whitespace().any(|word| word == item);
        self.pings |= said("ping=1");
        if said("usermove=1") {
            self.state.usermove = true;
            self.ahead.usermove = true;
        }
        let repeated = self.repeats && self.features.iter().any(|known| known == text);
        if !repeated && self.features_bytes + text.len() <= MOST_FEATURES {
            self.features_bytes += text.len() + LINE_COST;
            self.features.push(text.to_owned());
        }
        if said("done=1") {
            self.repeats = false;
            self.answered(asks_for_features);
            self.features.clear();
            self.features_bytes = 0;
        }
        !repeated
    }

    /// Whether a result claimed now belongs to the engine's move, and not to a waiting move of the client.
    pub(super) fn is_of_our_move(&self, claim: &[u8], now: Instant) -> bool {
        let Some(come) = self.just_moved else { return false };
        // Without a waiting move nothing depends on the answer, and replaying the game takes time.
        let Some(place) = self.pending.demand(&self.state) else { return true };
        match self.state.standing(now) {
            Standing::Ended(line) if without_end(&line) == claim => true,
            Standing::Open => false,
            // The client's next move may have come before, and been made as soon as the engine's was.
            _ => self.pending.is_before(place, come),
        }
    }

    pub(super) fn moved(&mut self, mv: &str, now: Instant) {
        self.confirm_demand();
        self.confirm_hands();
        self.pending.calm(&self.state);
        self.just_moved = Some(self.pending.come());
        // A move without a known demand.
        self.state.mode = Mode::Play(self.state.turn);
        self.state.engine_moved(mv, now);
        self.look_ahead();
    }

    /// The server has answered the first line with such a command.
    pub(super) fn answered(&mut self, wanted: impl Fn(&Command) -> bool) {
        if let Some(place) = self.pending.find(wanted) {
            self.confirm(place + 1);
        }
    }

    /// The server has answered the line that made its move due.
    pub(super) fn confirm_demand(&mut self) {
        if !self.state.due
            && let Some(place) = self.pending.demand(&self.state)
        {
            self.confirm(place + 1);
        }
    }

    /// Pieces in hand that the client told of while a move was due: the server most likely knew of them when it moved, and a drop
    /// takes one away. If both crossed, the client's next `holding` says what is true.
    pub(super) fn confirm_hands(&mut self) {
        let mut place = 0;
        while let Some(command) = self.pending.iter().nth(place).map(Pending::command) {
            match command {
                Some(Command::Holding(_)) => {
                    self.obeyed(place);
                }
                // While a move is due another `go` changes nothing.
                Some(Command::Go) => place += 1,
                Some(command) if stops(command) || starts(command) => return,
                _ => place += 1,
            }
        }
    }

    /// The server has reached the line at this place and obeyed those before. Answers may still be due, such
    /// as pongs that wait for a move: such lines stay. Returns the new place of the line.
    pub(super) fn reach(&mut self, place: usize) -> usize {
        let mut kept = 0;
        for _ in 0..place {
            let command = self.pending.iter().nth(kept).and_then(Pending::command);
            if command.is_some_and(waits) {
                // Besides, a hint whose turn it is was done before the following lines.
                if let Some(pending) = self.pending.reach(kept) {
                    pending.change(&mut self.state);
                }
                kept += 1;
            } else {
                kept -= self.obeyed(kept);
            }
        }
        kept
    }

    /// The server has obeyed the line at this place. Returns how many lines before it will not be answered
    /// any more.
    pub(super) fn obeyed(&mut self, place: usize) -> usize {
        let Some(pending) = self.pending.remove(place) else { return 0 };
        let due = self.state.due;
        if !pending.reached {
            pending.change(&mut self.state);
        }
        // A hint is searched for until another search begins.
        let ends = pending.command().is_some_and(|command| stops(command) || starts(command));
        if ends && !(due && self.state.due) { self.pending.forget_hints(place) } else { 0 }
    }

    /// The server has obeyed the first `count` pending lines.
    pub(super) fn confirm(&mut self, count: usize) {
        let place = self.reach(count.saturating_sub(1));
        if count > 0 {
            self.obeyed(place);
        }
    }

    /// The server has answered the ping at this place, and owes nothing for the lines before it.
    pub(super) fn confirm_all(&mut self, place: usize) {
        for _ in 0..=place {
            let own = self.pending.iter().next().is_some_and(|pending| pending.own);
            self.own_pings = self.own_pings.saturating_sub(usize::from(own));
            self.obeyed(0);
        }
        // Pings wait for a move that is due. If one is answered and no move has come, a line after it stopped
        // the search.
        if self.state.due
            && !self.state.paused
            && let Some(place) = self.pending.release(&self.state)
        {
            self.confirm(place + 1);
        }
    }

    /// The server has refused this line.
    pub(super) fn drop_line(&mut self, place: Option<usize>) {
        if let Some(place) = place {
            let place = self.reach(place);
            if let Some(pending) = self.pending.remove(place) {
                self.state.refuse(&pending.line);
            }
            self.look_ahead();
        }
    }

    pub(super) fn refuse_position(&mut self, now: Instant) {
        if let Some((start, end)) = self.pending.set_up(&self.state) {
            let place = self.reach(start);
            for _ in start..end {
                self.pending.remove(place);
            }
            if self.state.edit.take().is_some() || end - start > 1 {
                self.state.stop(now);
                self.state.turn_wanted = None;
            }
            self.look_ahead();
        }
    }
}

/// Whether the command may start something without stopping anything first.
fn starts(command: &Command) -> bool {
    matches!(command, Command::Usermove(_) | Command::Move(_) | Command::Go | Command::Setboard(_))
}

/// Whether the answer may come after those to later lines.
pub(super) fn waits(command: &Command) -> bool {
    matches!(command, Command::Ping(_) | Command::Hint)
}

pub(super) fn asks_for_features(command: &Command) -> bool {
    match command {
        Command::Protover(_) => true,
        Command::Option(name, None) => bare_name(name) == "defaults",
        _ => false,
    }
}

fn asks_for_words(command: &Command) -> bool {
    match command {
        Command::Strength(_) => true,
        Command::Option(name, None) => bare_name(name) == "showsettings",
        _ => false,
    }
}
