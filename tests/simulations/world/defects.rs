//! Planted defects, which the judges must find. None is in the code under test.

use crate::support::dice::Dice;
use farboard::link::ServerFrame;
use farboard::search::Done;
use std::collections::BTreeMap;
use std::time::Duration;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Defect {
    /// A frame of the server is lost although the link continues.
    DroppedFrame,
    /// A session is restored from its state before the last move.
    OldState,
    /// After a loss the client's input resumes one byte too late.
    OffsetByOne,
    /// An outage is charged to the engine's clock twice.
    ClockChargedTwice,
    /// The end of an old search arrives as that of the current one.
    LateEvent,
}

impl Defect {
    pub const ALL: [Defect; 5] = [
        Defect::DroppedFrame,
        Defect::OldState,
        Defect::OffsetByOne,
        Defect::ClockChargedTwice,
        Defect::LateEvent,
    ];
}

/// The current state of a session, and the one before its last move.
#[derive(Default)]
struct States {
    before: String,
    now: String,
}

/// The defect of a world, if any, with what it needs to remember.
pub struct Defects {
    has: Option<Defect>,
    dice: Dice,
    states: BTreeMap<usize, States>,
    ended: BTreeMap<u64, Done>,
    /// Clients whose input resumes on another server.
    resumed: BTreeMap<usize, bool>,
    /// How often the defect has occurred.
    pub times: usize,
}

fn moves(state: &str) -> Option<&str> {
    state.lines().find(|line| line.starts_with("game.moves"))
}

impl Defects {
    pub fn new(has: Option<Defect>, dice: Dice) -> Defects {
        let (states, ended, resumed) = Default::default();
        Defects { has, dice, states, ended, resumed, times: 0 }
    }

    fn strikes(&mut self, defect: Defect, once_in: usize) -> bool {
        let strikes = self.has == Some(defect) && self.dice.once_in(once_in);
        self.times += usize::from(strikes);
        strikes
    }

    /// Returns true if a frame is lost. Frames with thinking are exempt: some are dropped
    /// legitimately.
    pub fn loses(&mut self, frame: &ServerFrame) -> bool {
        let ServerFrame::Output { edits, .. } = frame else { return false };
        !edits.is_empty() && self.strikes(Defect::DroppedFrame, 20)
    }

    /// Records the state that a client's shim receives.
    pub fn note_state(&mut self, client: usize, state: &str) {
        if self.has != Some(Defect::OldState) {
            return;
        }
        let states = self.states.entry(client).or_default();
        if moves(state) != moves(&states.now) {
            states.before = std::mem::take(&mut states.now);
        }
        states.now = state.to_owned();
    }

    /// The state from which a session is restored.
    pub fn state(&mut self, client: usize, state: &str) -> String {
        let Some(states) = self.states.get(&client) else { return state.to_owned() };
        let before = states.before.clone();
        let is_older = !before.is_empty() && moves(&before) != moves(state);
        if is_older && self.strikes(Defect::OldState, 2) { before } else { state.to_owned() }
    }

    /// The age of the state from which a session is restored.
    pub fn age(&mut self, age: Duration) -> Duration {
        if self.strikes(Defect::ClockChargedTwice, 1) { age * 2 } else { age }
    }

    pub fn note_resumed(&mut self, client: usize) {
        self.resumed.insert(client, true);
    }

    /// The client's input as received by a server.
    pub fn input(&mut self, client: usize, mut bytes: Vec<u8>) -> Vec<u8> {
        let is_first = self.resumed.insert(client, false) == Some(true);
        if is_first && !bytes.is_empty() && self.strikes(Defect::OffsetByOne, 1) {
            bytes.remove(0);
        }
        bytes
    }

    /// A search of this session has ended.
    pub fn note_end(&mut self, owner: u64, done: Done) {
        self.ended.insert(owner, done);
    }

    /// The report with which a new search begins.
    pub fn late_end(&mut self, owner: u64) -> Option<Done> {
        let done = self.ended.get(&owner).copied()?;
        self.strikes(Defect::LateEvent, 8).then_some(done)
    }
}
