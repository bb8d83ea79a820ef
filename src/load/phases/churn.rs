//! Connections that come and go in all manners, polite and not.

use super::PATIENCE;
use crate::load::heard::Heard;
use crate::load::phase::{Event, Id, Order, Orders, Phase};
use std::collections::{BTreeSet, HashMap};
use std::time::{Duration, Instant};

/// How long a client that reads nothing stays.
const DEAF: Duration = Duration::from_millis(50);

/// What a client does. Each comes in its turn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Manner {
    /// Says hello, asks something, and says goodbye.
    Polite,
    /// Leaves at once.
    Hasty,
    /// Closes in the midst of a search for a move.
    LeavesGame,
    /// Resets in the midst of a search for a move.
    ResetsGame,
    /// Has something analysed, never reads, and resets.
    Deaf,
    /// Closes in the middle of a line.
    HalfLine,
    /// Asks much and leaves before the answers.
    AsksAndLeaves,
    /// Closes in the midst of an analysis.
    LeavesAnalysis,
}

const MANNERS: [Manner; 8] = [
    Manner::Polite,
    Manner::Hasty,
    Manner::LeavesGame,
    Manner::ResetsGame,
    Manner::Deaf,
    Manner::HalfLine,
    Manner::AsksAndLeaves,
    Manner::LeavesAnalysis,
];

impl Manner {
    /// What it says first.
    fn words(self) -> String {
        match self {
            Manner::Polite => "xboard\nprotover 2\nnew\nping 3\n".to_owned(),
            Manner::Hasty => String::new(),
            // The status is told at once, and shows that the search has begun. Thinking lines are wanted, as by all GUIs: a
            // server that has nothing to send cannot know that somebody has left who may only have ended his input.
            Manner::LeavesGame | Manner::ResetsGame => {
                "xboard\noption Book=none\npost\nst 3600\ngo\n.\n".to_owned()
            }
            Manner::Deaf => "xboard\npost\nanalyze\n".to_owned(),
            Manner::HalfLine => "xboard\nproto".to_owned(),
            Manner::AsksAndLeaves => "protover 2\nping 3\n".repeat(8),
            Manner::LeavesAnalysis => "xboard\npost\nanalyze\n.\n".to_owned(),
        }
    }
}

/// Connections that come and go.
pub struct Churn {
    left: usize,
    at_once: usize,
    opened: usize,
    there: HashMap<Id, Manner>,
    /// When they leave or are given up.
    due: BTreeSet<(Instant, Id)>,
    began: Option<Instant>,
    /// Clients that have come and gone as they wanted.
    pub done: usize,
    /// How long it took.
    pub elapsed: Duration,
    /// What went otherwise.
    pub failures: Vec<String>,
}

impl Churn {
    /// So many connections, of which so many are there at the same time.
    pub fn new(connections: usize, at_once: usize) -> Churn {
        Churn {
            left: connections,
            at_once: at_once.max(1),
            opened: 0,
            there: HashMap::new(),
            due: BTreeSet::new(),
            began: None,
            done: 0,
            elapsed: Duration::ZERO,
            failures: Vec::new(),
        }
    }

    fn leave(&mut self, id: Id, order: Option<Order>, orders: &mut Orders) {
        if self.there.remove(&id).is_some() {
            self.done += 1;
            order.into_iter().for_each(|order| orders.give(order));
        }
    }

    fn fail(&mut self, id: Id, why: &str) {
        if let Some(manner) = self.there.remove(&id) {
            self.failures.push(format!("{manner:?}: {why}"));
        }
    }

    fn greet(&mut self, id: Id, manner: Manner, now: Instant, orders: &mut Orders) {
        if manner == Manner::Deaf {
            orders.give(Order::Deafen(id));
            self.due.insert((now + DEAF, id));
        }
        orders.say(id, manner.words());
        if matches!(manner, Manner::Hasty | Manner::HalfLine | Manner::AsksAndLeaves) {
            self.leave(id, Some(Order::Close(id)), orders);
        }
    }

    fn listen(&mut self, id: Id, manner: Manner, line: &str, orders: &mut Orders) {
        match (manner, Heard::in_line(line)) {
            (Manner::Polite, Heard::Pong(_)) => orders.say(id, "quit\n"),
            (Manner::LeavesGame | Manner::LeavesAnalysis, Heard::Status(_)) => {
                self.leave(id, Some(Order::Close(id)), orders);
            }
            (Manner::ResetsGame, Heard::Status(_)) => self.leave(id, Some(Order::Reset(id)), orders),
            (_, Heard::Complaint(text)) => {
                self.fail(id, text);
                orders.give(Order::Close(id));
            }
            _ => {}
        }
    }

    /// Those that read nothing leave, and those that have waited too long.
    fn part(&mut self, now: Instant, orders: &mut Orders) {
        while let Some(&(at, id)) = self.due.first()
            && at <= now
        {
            self.due.pop_first();
            match self.there.get(&id) {
                Some(Manner::Deaf) => self.leave(id, Some(Order::Reset(id)), orders),
                Some(_) => {
                    self.fail(id, "not answered in time");
                    orders.give(Order::Close(id));
                }
                None => {}
            }
        }
    }
}

impl Phase for Churn {
    fn heard(&mut self, id: Id, event: Event<'_>, now: Instant, orders: &mut Orders) {
        let Some(&manner) = self.there.get(&id) else { return };
        match event {
            Event::Open => self.greet(id, manner, now, orders),
            Event::Line(line) => self.listen(id, manner, line, orders),
            // Only who said goodbye wants to be left.
            Event::Closed(_) if manner == Manner::Polite => self.leave(id, None, orders),
            Event::Closed(why) => self.fail(id, why),
        }
    }

    fn tick(&mut self, now: Instant, orders: &mut Orders) -> Option<Instant> {
        let began = *self.began.get_or_insert(now);
        self.part(now, orders);
        while self.left > 0 && self.there.len() < self.at_once {
            self.left -= 1;
            let id = orders.open();
            self.there.insert(id, MANNERS[self.opened % MANNERS.len()]);
            self.due.insert((now + PATIENCE, id));
            self.opened += 1;
        }
        if !self.is_over() {
            self.elapsed = now.saturating_duration_since(began);
        }
        self.due.first().map(|&(at, _)| at)
    }

    fn is_over(&self) -> bool {
        self.left == 0 && self.there.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::load::phase::tests::Stage;

    /// One of each manner.
    fn all() -> (Stage, Churn, Vec<Id>, Instant) {
        let (mut stage, mut churn, now) = (Stage::default(), Churn::new(8, 100), Instant::now());
        stage.tick(&mut churn, now);
        let ids: Vec<Id> = stage
            .all()
            .into_iter()
            .filter_map(|order| if let Order::Open(id) = order { Some(id) } else { None })
            .collect();
        assert_eq!(ids.len(), 8);
        (stage, churn, ids, now)
    }

    #[test]
    fn each_leaves_in_its_manner() {
        let (mut stage, mut churn, ids, now) = all();
        for &id in &ids {
            churn.heard(id, Event::Open, now, &mut stage.orders);
        }
        let orders = stage.all();
        for index in [1, 5, 6] {
            assert!(orders.contains(&Order::Close(ids[index])), "{index}");
        }
        assert!(orders.contains(&Order::Deafen(ids[4])));
        assert_eq!(stage.hear(&mut churn, ids[0], "pong 3", now), "quit\n");
        churn.heard(ids[0], Event::Closed("closed by the server"), now, &mut stage.orders);
        for (index, order) in
            [(2, Order::Close(ids[2])), (3, Order::Reset(ids[3])), (7, Order::Close(ids[7]))]
        {
            churn.heard(ids[index], Event::Line("stat01: 0 0 0 0 0"), now, &mut stage.orders);
            assert_eq!(stage.all(), [order]);
        }
        assert!(!churn.is_over());
        stage.tick(&mut churn, now + DEAF);
        assert_eq!(stage.all(), [Order::Reset(ids[4])]);
        assert!(churn.is_over() && churn.failures.is_empty());
        assert_eq!(churn.done, 8);
    }

    #[test]
    fn what_goes_otherwise_is_told() {
        let (mut stage, mut churn, ids, now) = all();
        churn.heard(ids[0], Event::Closed("refused"), now, &mut stage.orders);
        assert_eq!((churn.done, churn.failures.len()), (1, 0), "it wanted to leave, when does not matter");
        churn.heard(ids[1], Event::Closed("refused"), now, &mut stage.orders);
        churn.heard(ids[2], Event::Line("tellusererror full"), now, &mut stage.orders);
        stage.tick(&mut churn, now + PATIENCE);
        assert!(churn.is_over());
        assert_eq!(churn.failures.len(), 6, "{:?}", churn.failures);
    }

    #[test]
    fn not_more_are_there_at_once_than_are_wanted() {
        let (mut stage, mut churn, now) = (Stage::default(), Churn::new(10, 3), Instant::now());
        stage.tick(&mut churn, now);
        let opened = stage.all();
        assert_eq!(opened.len(), 3);
        let Order::Open(id) = opened[1] else { panic!("{opened:?}") };
        churn.heard(id, Event::Open, now, &mut stage.orders);
        stage.all();
        stage.tick(&mut churn, now);
        assert_eq!(stage.all().len(), 1);
    }
}
