//! Lines sent to a server that has not yet shown that it obeyed them.

use super::state::{LINE_COST, Line, State};
use crate::protocol::xboard::{Command, EditCommand, clean_move, move_echo};
use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Instant;

/// Number of lines examined for possible confusion.
const MAX_EXAMINED: usize = 64;

/// A server that disappeared right after a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Death {
    pub(super) server: usize,
    pub(super) certain: bool,
    /// The server is the last one that was lost.
    pub(super) last: bool,
}

/// A whole line that the server has not answered.
#[derive(Clone, Debug)]
pub(super) struct Pending {
    /// Without its ending.
    pub(super) line: Line,
    /// The parsed command.
    pub(super) command: Option<Arc<Command>>,
    /// When the client sent it.
    pub(super) at: Instant,
    /// When the current server got it, if it did.
    pub(super) told: Option<Instant>,
    /// Servers that disappeared right after they got it.
    pub(super) deaths: Vec<Death>,
    /// A `ping` of the shim's own.
    pub(super) own: bool,
    /// The server has reached it, though its answer is still to come.
    pub(super) reached: bool,
}

impl Pending {
    /// A line of the client, without its ending.
    pub(super) fn new(line: &[u8], at: Instant, told: Option<Instant>) -> Pending {
        let command = Command::parse(line).ok().map(Arc::new);
        Pending { line: line.into(), command, at, told, deaths: Vec::new(), own: false, reached: false }
    }

    pub(super) fn command(&self) -> Option<&Command> {
        self.command.as_deref()
    }

    pub(super) fn change(&self, state: &mut State) {
        state.obey_command(self.command(), &self.line, self.at);
    }
}

/// Pending lines in order.
#[derive(Clone, Debug, Default)]
pub(super) struct Queue {
    lines: VecDeque<Pending>,
    bytes: usize,
    /// Number of all earlier lines; the queue begins after them.
    gone: usize,
}

impl Queue {
    pub(super) fn push(&mut self, pending: Pending) {
        self.bytes += pending.line.len() + 1;
        self.lines.push_back(pending);
    }

    pub(super) fn remove(&mut self, place: usize) -> Option<Pending> {
        let pending = self.lines.remove(place)?;
        self.gone += 1;
        self.bytes -= pending.line.len() + 1;
        Some(pending)
    }

    /// The server has reached the line at this place, whose answer may come later. Returns the line the first
    /// time.
    pub(super) fn reach(&mut self, place: usize) -> Option<Pending> {
        let pending = self.lines.get_mut(place)?;
        (!std::mem::replace(&mut pending.reached, true)).then(|| pending.clone())
    }

    /// Removes requests for a hint before this place. Returns their number.
    pub(super) fn forget_hints(&mut self, place: usize) -> usize {
        let hint = |pending: &Pending| pending.command() == Some(&Command::Hint);
        let hints: Vec<usize> = self
            .iter()
            .take(place)
            .enumerate()
            .filter(|(_, line)| hint(line))
            .map(|(place, _)| place)
            .collect();
        for &place in hints.iter().rev() {
            self.remove(place);
        }
        hints.len()
    }

    /// Removes the shim's own pings: the server that should answer them is gone.
    pub(super) fn forget_own(&mut self) {
        let before = self.lines.len();
        self.lines.retain(|pending| !pending.own);
        self.gone += before - self.lines.len();
        self.bytes = self.lines.iter().map(|pending| pending.line.len() + 1).sum();
    }

    /// Removes all lines.
    pub(super) fn clear(&mut self) {
        self.gone += self.lines.len();
        self.bytes = 0;
        self.lines.clear();
    }

    /// Takes all lines, to be put back in order.
    pub(super) fn take_to_tell(&mut self) -> VecDeque<Pending> {
        self.bytes = 0;
        std::mem::take(&mut self.lines)
    }

    pub(super) fn len(&self) -> usize {
        self.lines.len()
    }

    /// The number of lines so far, a mark to tell earlier lines from later ones.
    pub(super) fn come(&self) -> usize {
        self.gone + self.lines.len()
    }

    /// Whether the line at this place came before the mark.
    pub(super) fn is_before(&self, place: usize, come: usize) -> bool {
        self.gone + place < come
    }

    /// An engine told to move while its move is due does nothing; after the move, the same `go` would ask for
    /// another. So `go` is made harmless while the move is due that has just come.
    pub(super) fn calm(&mut self, state: &State) {
        let mut ahead = state.clone();
        for pending in &mut self.lines {
            if pending.command() == Some(&Command::MoveNow) {
                return;
            }
            if pending.command() == Some(&Command::Go) {
                let resume = Pending::new(b"resume", pending.at, pending.told);
                self.bytes = self.bytes + resume.line.len() - pending.line.len();
                *pending = resume;
            }
            pending.change(&mut ahead);
            if !ahead.due {
                return;
            }
        }
    }

    /// Bytes of all lines, with their endings.
    pub(super) fn bytes(&self) -> usize {
        self.bytes
    }

    /// Approximate memory of the lines in bytes.
    pub(super) fn weight(&self) -> usize {
        self.bytes + self.lines.len() * LINE_COST
    }

    /// The server is lost: the next one has got none of the lines.
    pub(super) fn forget_told(&mut self) {
        self.lines.iter_mut().for_each(|pending| pending.told = None);
    }

    /// All lines, mutable.
    pub(super) fn iter_mut(&mut self) -> impl Iterator<Item = &mut Pending> {
        self.lines.iter_mut()
    }

    /// Whether some lines are held back from the server.
    pub(super) fn is_kept_back(&self) -> bool {
        // The oldest lines are sent first.
        self.lines.back().is_some_and(|pending| pending.told.is_none())
    }

    pub(super) fn iter(&self) -> std::collections::vec_deque::Iter<'_, Pending> {
        self.lines.iter()
    }

    /// The latest lines since the shim's own last ping, newest first.
    fn recent(&self) -> impl Iterator<Item = &Pending> {
        self.lines.iter().rev().take(MAX_EXAMINED).take_while(|pending| !pending.own)
    }

    /// Whether one of the latest lines is such a command.
    pub(super) fn has_lately(&self, wanted: fn(&Command) -> bool) -> bool {
        let last = self.lines.iter().rev().take(MAX_EXAMINED).filter(|pending| !pending.own);
        last.filter_map(Pending::command).any(wanted)
    }

    /// Whether one of the latest lines looks like this one in the echo of a complaint; true if there are too
    /// many to tell.
    pub(super) fn has_like(&self, line: &[u8]) -> bool {
        let meant = essence(line);
        let alike = |pending: &Pending| bare(&essence(&pending.line)) == bare(&meant);
        !meant.is_empty() && (self.recent().count() == MAX_EXAMINED || self.recent().any(alike))
    }

    /// Whether one of the latest lines since the shim's own last ping may be refused because of the position.
    pub(super) fn may_be_refused(&self) -> bool {
        self.recent().any(|pending| pending.command().is_some_and(moves))
    }

    /// Whether the server may still refuse a line that decides who is on move.
    pub(super) fn is_unsettled(&self) -> bool {
        let may =
            |command: &Command| moves(command) || matches!(command, Command::Setboard(_) | Command::Edit);
        let last = self.lines.iter().rev().take(4 * MAX_EXAMINED);
        last.filter_map(Pending::command).any(may)
    }

    /// The first line with such a command.
    pub(super) fn find(&self, wanted: impl Fn(&Command) -> bool) -> Option<usize> {
        self.iter().position(|pending| !pending.own && pending.command().is_some_and(&wanted))
    }

    /// The `ping` with this number.
    pub(super) fn ping(&self, number: i64, own: bool) -> Option<usize> {
        let meant = |pending: &Pending| pending.command() == Some(&Command::Ping(number));
        self.iter().position(|pending| pending.own == own && meant(pending))
    }

    /// The line that made a move due.
    pub(super) fn demand(&self, state: &State) -> Option<usize> {
        let mut ahead = state.clone();
        self.iter().position(|pending| {
            pending.change(&mut ahead);
            ahead.due
        })
    }

    /// The line after which the move is not due any more.
    pub(super) fn release(&self, state: &State) -> Option<usize> {
        let mut ahead = state.clone();
        self.iter().position(|pending| {
            pending.change(&mut ahead);
            !ahead.due
        })
    }

    /// The line that showed that the side named by `white` or `black` cannot be on move.
    pub(super) fn settling(&self, state: &State) -> Option<usize> {
        let mut ahead = state.clone();
        self.iter().position(|pending| {
            let found = ahead.would_turn(&pending.line);
            pending.change(&mut ahead);
            found
        })
    }

    /// The first `setboard` or complete `edit` block: its first line and the one after its last.
    pub(super) fn set_up(&self, state: &State) -> Option<(usize, usize)> {
        let mut begun = state.edit.is_some().then_some(0);
        for (place, pending) in self.iter().enumerate() {
            let command = pending.command();
            if matches!(command, Some(Command::Setboard(_))) {
                return Some((place, place + 1));
            }
            match begun {
                Some(start) if EditCommand::parse(&pending.line) == EditCommand::Leave => {
                    return Some((start, place + 1));
                }
                Some(_) if matches!(command, Some(Command::New | Command::Xboard)) => begun = None,
                None if command == Some(&Command::Edit) => begun = Some(place),
                _ => {}
            }
        }
        None
    }

    /// The move that the server calls illegal: of several equal ones the first, unless that was taken back
    /// and another came out of turn while the engine's was due.
    pub(super) fn illegal(&self, echo: &str, of_turn: bool, state: &State) -> Option<usize> {
        // Older servers repeat only what looks like a move.
        let alike = |command: Option<&Command>| match command {
            Some(Command::Usermove(text) | Command::Move(text) | Command::Ponder(text)) => {
                text == echo || move_echo(text) == echo || clean_move(text) == echo
            }
            _ => false,
        };
        let mut ahead = state.clone();
        let mut first = None;
        let mut taken_back = false;
        for (place, pending) in self.iter().enumerate() {
            if pending.own && first.is_some() {
                break;
            }
            let command = pending.command();
            taken_back |= first.is_some() && matches!(command, Some(Command::Undo | Command::Remove));
            if alike(command) {
                if taken_back && of_turn && ahead.due {
                    return Some(place);
                }
                first = first.or(Some(place));
            }
            pending.change(&mut ahead);
        }
        first.or_else(|| self.refused(echo, state))
    }

    /// The line that the server does not obey, by its echo, which may be cut off and have words broken. Of
    /// several equal ones the first, or one that is known to be impossible.
    pub(super) fn refused(&self, echo: &str, state: &State) -> Option<usize> {
        let echo = essence(echo.as_bytes());
        let alike = |line: &[u8]| {
            let line = essence(line);
            line == echo || bare(&line) == echo || (echo.len() >= 60 && line.starts_with(&echo))
        };
        let known = |pending: &Pending| !matches!(pending.command(), None | Some(Command::Unknown(_)));
        let mut ahead = state.clone();
        let mut first = None;
        for (place, pending) in self.iter().enumerate() {
            if pending.own && first.is_some() {
                break;
            }
            let empty = echo.is_empty() && (pending.line.is_empty() || known(pending));
            if !pending.own && !empty && alike(&pending.line) {
                if pending.command().is_some_and(|command| ahead.cannot_take_back(command)) {
                    return Some(place);
                }
                first = first.or(Some(place));
            }
            pending.change(&mut ahead);
        }
        first
    }
}

/// Whether the command makes or takes back a move.
fn moves(command: &Command) -> bool {
    matches!(
        command,
        Command::Usermove(_) | Command::Move(_) | Command::Ponder(_) | Command::Undo | Command::Remove
    )
}

/// Letters and digits, as many as servers repeat.
fn essence(line: &[u8]) -> String {
    let text = String::from_utf8_lossy(line);
    text.chars().filter(char::is_ascii_alphanumeric).take(100).collect()
}

/// The same without the word before a move: some complaints repeat it, some do not.
fn bare(essence: &str) -> &str {
    ["usermove", "ponder"].iter().find_map(|word| essence.strip_prefix(word)).unwrap_or(essence)
}
