//! A part of a scenario, sans-io: events come in, actions come out, and `now` is an argument.

use std::collections::VecDeque;
use std::time::Instant;

/// Number of a connection; never used twice.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ClientId(pub usize);

/// An event of a connection.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ClientEvent<'a> {
    /// It is established.
    Open,
    /// The server sent this line, without its line ending.
    Line(&'a str),
    /// It was closed or refused, for this reason. Not reported for connections closed by an action.
    Closed(&'a str),
}

/// An action on a connection.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ClientAction {
    /// Connect.
    Open(ClientId),
    /// Send this text.
    Send(ClientId, String),
    /// Stop reading from the server.
    StopReading(ClientId),
    /// Close; unsent text is lost.
    Close(ClientId),
    /// Close with a reset.
    Reset(ClientId),
}

/// Actions in the order in which they are performed.
#[derive(Default, Debug)]
pub struct Actions {
    list: VecDeque<ClientAction>,
    opened: usize,
}

impl Actions {
    /// Opens a connection and returns its number.
    pub fn open(&mut self) -> ClientId {
        self.opened += 1;
        let id = ClientId(self.opened);
        self.list.push_back(ClientAction::Open(id));
        id
    }

    /// Sends text.
    pub fn send(&mut self, id: ClientId, text: impl Into<String>) {
        self.list.push_back(ClientAction::Send(id, text.into()));
    }

    /// Adds any other action.
    pub fn push(&mut self, action: ClientAction) {
        self.list.push_back(action);
    }

    /// Takes the next action.
    pub fn take(&mut self) -> Option<ClientAction> {
        self.list.pop_front()
    }
}

/// A part of a scenario. It ignores connections of other phases.
pub trait Phase {
    /// Handles an event of a connection.
    fn on_event(&mut self, id: ClientId, event: ClientEvent<'_>, now: Instant, actions: &mut Actions);

    /// Does what is due. Called often, and at the latest at the time that the last call returned;
    /// `None` for never.
    fn tick(&mut self, now: Instant, actions: &mut Actions) -> Option<Instant>;

    /// Returns true if the phase has finished.
    fn is_over(&self) -> bool;
}

/// Concurrent phases; over when all are.
pub struct Concurrent<'a, const N: usize>(pub [&'a mut dyn Phase; N]);

impl<const N: usize> Phase for Concurrent<'_, N> {
    fn on_event(&mut self, id: ClientId, event: ClientEvent<'_>, now: Instant, actions: &mut Actions) {
        self.0.iter_mut().for_each(|phase| phase.on_event(id, event, now, actions));
    }

    fn tick(&mut self, now: Instant, actions: &mut Actions) -> Option<Instant> {
        self.0.iter_mut().filter_map(|phase| phase.tick(now, actions)).min()
    }

    fn is_over(&self) -> bool {
        self.0.iter().all(|phase| phase.is_over())
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// Feeds a phase in tests and collects its actions.
    #[derive(Default)]
    pub struct PhaseTester {
        pub actions: Actions,
    }

    impl PhaseTester {
        /// Passes a line to the phase. Returns what the phase sends to that connection.
        pub fn receive(&mut self, phase: &mut dyn Phase, id: ClientId, line: &str, now: Instant) -> String {
            phase.on_event(id, ClientEvent::Line(line), now, &mut self.actions);
            self.sent(id)
        }

        /// Lets the phase do what is due.
        pub fn tick(&mut self, phase: &mut dyn Phase, now: Instant) -> Option<Instant> {
            phase.tick(now, &mut self.actions)
        }

        /// The text sent to this connection since the last call. Other actions are dropped.
        pub fn sent(&mut self, id: ClientId) -> String {
            let mut text = String::new();
            for action in self.all() {
                if let ClientAction::Send(to, what) = action
                    && to == id
                {
                    text += &what;
                }
            }
            text
        }

        /// All actions since the last call.
        pub fn all(&mut self) -> Vec<ClientAction> {
            std::iter::from_fn(|| self.actions.take()).collect()
        }
    }

    #[test]
    fn connections_have_numbers_of_their_own() {
        let mut actions = Actions::default();
        let (first, second) = (actions.open(), actions.open());
        actions.send(second, "quit\n");
        actions.push(ClientAction::Close(second));
        assert_ne!(first, second);
        let expected = [
            ClientAction::Open(first),
            ClientAction::Open(second),
            ClientAction::Send(second, "quit\n".to_owned()),
            ClientAction::Close(second),
        ];
        assert_eq!(std::iter::from_fn(|| actions.take()).collect::<Vec<_>>(), expected);
    }
}
