//! A part of a scenario, sans-io: what was heard comes in, orders come out, and `now` is an argument.

use std::collections::VecDeque;
use std::time::Instant;

/// A connection. No other one ever has the same number.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Id(pub usize);

/// What happened to a connection.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Event<'a> {
    /// It stands.
    Open,
    /// The server said this, without its end.
    Line(&'a str),
    /// It is no more, or was refused, for this reason. Not told of those that were closed by an order.
    Closed(&'a str),
}

/// What is to be done with connections.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Order {
    /// Connect.
    Open(Id),
    /// Send this.
    Say(Id, String),
    /// Read no more of what the server says.
    Deafen(Id),
    /// Close; what is not sent yet is lost.
    Close(Id),
    /// Close with a reset.
    Reset(Id),
}

/// Orders, in the order in which they are carried out.
#[derive(Default, Debug)]
pub struct Orders {
    list: VecDeque<Order>,
    opened: usize,
}

impl Orders {
    /// Connects; the number of what will be the connection.
    pub fn open(&mut self) -> Id {
        self.opened += 1;
        let id = Id(self.opened);
        self.list.push_back(Order::Open(id));
        id
    }

    /// Sends this.
    pub fn say(&mut self, id: Id, text: impl Into<String>) {
        self.list.push_back(Order::Say(id, text.into()));
    }

    /// Does something else.
    pub fn give(&mut self, order: Order) {
        self.list.push_back(order);
    }

    /// The next order to be carried out.
    pub fn take(&mut self) -> Option<Order> {
        self.list.pop_front()
    }
}

/// A part of a scenario. It ignores connections that are not its own.
pub trait Phase {
    /// Something happened to a connection.
    fn heard(&mut self, id: Id, event: Event<'_>, now: Instant, orders: &mut Orders);

    /// Called often, and not later than it asked for the last time; returns when it has something to do although nothing
    /// is heard, `None` if never.
    fn tick(&mut self, now: Instant, orders: &mut Orders) -> Option<Instant>;

    /// Whether all is done.
    fn is_over(&self) -> bool;
}

/// Phases at the same time; over when all are.
pub struct Together<'a, const N: usize>(pub [&'a mut dyn Phase; N]);

impl<const N: usize> Phase for Together<'_, N> {
    fn heard(&mut self, id: Id, event: Event<'_>, now: Instant, orders: &mut Orders) {
        self.0.iter_mut().for_each(|phase| phase.heard(id, event, now, orders));
    }

    fn tick(&mut self, now: Instant, orders: &mut Orders) -> Option<Instant> {
        self.0.iter_mut().filter_map(|phase| phase.tick(now, orders)).min()
    }

    fn is_over(&self) -> bool {
        self.0.iter().all(|phase| phase.is_over())
    }
}

/// A phase, and another beside it: over when the first is.
pub struct Beside<'a>(pub &'a mut dyn Phase, pub &'a mut dyn Phase);

impl Phase for Beside<'_> {
    fn heard(&mut self, id: Id, event: Event<'_>, now: Instant, orders: &mut Orders) {
        self.0.heard(id, event, now, orders);
        self.1.heard(id, event, now, orders);
    }

    fn tick(&mut self, now: Instant, orders: &mut Orders) -> Option<Instant> {
        let other = self.1.tick(now, orders);
        self.0.tick(now, orders).into_iter().chain(other).min()
    }

    fn is_over(&self) -> bool {
        self.0.is_over()
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// What a phase is told in a test, and what it orders.
    #[derive(Default)]
    pub struct Stage {
        pub orders: Orders,
    }

    impl Stage {
        /// What it says to that.
        pub fn hear(&mut self, phase: &mut dyn Phase, id: Id, line: &str, now: Instant) -> String {
            phase.heard(id, Event::Line(line), now, &mut self.orders);
            self.said(id)
        }

        /// Lets it do what is due.
        pub fn tick(&mut self, phase: &mut dyn Phase, now: Instant) -> Option<Instant> {
            phase.tick(now, &mut self.orders)
        }

        /// What was said to this one since it was asked last; what was ordered for others is dropped.
        pub fn said(&mut self, id: Id) -> String {
            let mut text = String::new();
            for order in self.all() {
                if let Order::Say(to, what) = order
                    && to == id
                {
                    text += &what;
                }
            }
            text
        }

        /// All that was ordered.
        pub fn all(&mut self) -> Vec<Order> {
            std::iter::from_fn(|| self.orders.take()).collect()
        }
    }

    #[test]
    fn connections_have_numbers_of_their_own() {
        let mut orders = Orders::default();
        let (first, second) = (orders.open(), orders.open());
        orders.say(second, "quit\n");
        orders.give(Order::Close(second));
        assert_ne!(first, second);
        let expected = [
            Order::Open(first),
            Order::Open(second),
            Order::Say(second, "quit\n".to_owned()),
            Order::Close(second),
        ];
        assert_eq!(std::iter::from_fn(|| orders.take()).collect::<Vec<_>>(), expected);
    }
}
