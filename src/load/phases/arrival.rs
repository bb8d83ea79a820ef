//! Opening sessions: connect, say hello, hear what the engine can, prepare something.

use super::PATIENCE;
use crate::load::features::Features;
use crate::load::heard::Heard;
use crate::load::phase::{Event, Id, Order, Orders, Phase};
use std::collections::{BTreeSet, HashMap};
use std::time::{Duration, Instant};

/// How long an engine may be silent before it is taken for one that announces no features. GUIs wait two seconds, but start
/// fewer processes at a time.
const FEATURES_WITHIN: Duration = Duration::from_secs(8);
/// Sessions that are being opened at the same time. Some servers have room for few that wait to be accepted.
const AT_ONCE: usize = 64;
/// The ping at the end of the preparation.
const PREPARED: u64 = 1;

/// A session that was opened.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Guest {
    /// Its connection.
    pub id: Id,
    /// What its engine can.
    pub features: Features,
}

/// Opens sessions.
pub struct Arrival<'a> {
    /// How many are still to be opened.
    left: usize,
    prepare: &'a dyn Fn(&Features) -> String,
    greetings: HashMap<Id, Greeting>,
    /// When they are looked at again.
    late: BTreeSet<(Instant, Id)>,
    /// Sessions that are ready.
    pub guests: Vec<Guest>,
    /// Why others are not.
    pub failures: Vec<String>,
    began: Option<Instant>,
    ended: Option<Instant>,
}

struct Greeting {
    since: Instant,
    features: Features,
    stage: Stage,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Stage {
    Connecting,
    /// Features are awaited.
    Greeted,
    /// The answer to the ping is awaited.
    Prepared,
}

impl<'a> Arrival<'a> {
    /// So many sessions; each is told what `prepare` says, which ends with the end of a line.
    pub fn new(sessions: usize, prepare: &'a dyn Fn(&Features) -> String) -> Arrival<'a> {
        Arrival {
            left: sessions,
            prepare,
            greetings: HashMap::new(),
            late: BTreeSet::new(),
            guests: Vec::new(),
            failures: Vec::new(),
            began: None,
            ended: None,
        }
    }

    /// Sessions opened in a second; `None` if none was.
    pub fn rate(&self) -> Option<f64> {
        let elapsed = self.ended?.duration_since(self.began?).as_secs_f64();
        (elapsed > 0.0 && !self.guests.is_empty()).then(|| self.guests.len() as f64 / elapsed)
    }

    fn prepare(&mut self, id: Id, orders: &mut Orders) {
        let Some(greeting) = self.greetings.get_mut(&id) else { return };
        let text = (self.prepare)(&greeting.features);
        if greeting.features.ping {
            greeting.stage = Stage::Prepared;
            orders.say(id, format!("{text}ping {PREPARED}\n"));
        } else {
            orders.say(id, text);
            self.welcome(id);
        }
    }

    fn welcome(&mut self, id: Id) {
        if let Some(greeting) = self.greetings.remove(&id) {
            self.guests.push(Guest { id, features: greeting.features });
        }
    }

    fn fail(&mut self, id: Id, why: String) {
        if self.greetings.remove(&id).is_some() {
            self.failures.push(why);
        }
    }

    /// What becomes of those that took too long.
    fn give_up(&mut self, now: Instant, orders: &mut Orders) {
        while let Some(&(at, id)) = self.late.first()
            && at <= now
        {
            self.late.pop_first();
            let Some(greeting) = self.greetings.get(&id) else { continue };
            let silent = greeting.stage == Stage::Greeted && greeting.features.done.is_none();
            if silent && !greeting.features.ping {
                self.prepare(id, orders);
            } else if now >= greeting.since + PATIENCE {
                let stage = greeting.stage;
                self.fail(id, format!("a session was not opened in time ({stage:?})"));
                orders.give(Order::Close(id));
            } else {
                // Late, but not lost.
                self.late.insert((greeting.since + PATIENCE, id));
            }
        }
    }
}

impl Phase for Arrival<'_> {
    fn heard(&mut self, id: Id, event: Event<'_>, now: Instant, orders: &mut Orders) {
        let Some(greeting) = self.greetings.get_mut(&id) else { return };
        match event {
            Event::Open => {
                greeting.stage = Stage::Greeted;
                orders.say(id, "xboard\nprotover 2\n");
            }
            Event::Closed(why) => self.fail(id, format!("a session was not opened: {why}")),
            Event::Line(line) => match (Heard::in_line(line), greeting.stage) {
                (Heard::Feature(text), Stage::Greeted) => {
                    greeting.features.take(text);
                    if greeting.features.done == Some(true) {
                        self.prepare(id, orders);
                    }
                }
                // It knows nothing of features.
                (Heard::Complaint(_), Stage::Greeted) if line.contains("protover") => {
                    self.prepare(id, orders)
                }
                (Heard::Complaint(text), _) => {
                    self.fail(id, format!("a session was not opened: {text}"));
                    orders.give(Order::Close(id));
                }
                (Heard::Pong(PREPARED), Stage::Prepared) => self.welcome(id),
                _ => {}
            },
        }
        if self.is_over() {
            self.ended = Some(now);
        }
    }

    fn tick(&mut self, now: Instant, orders: &mut Orders) -> Option<Instant> {
        self.began.get_or_insert(now);
        self.give_up(now, orders);
        while self.left > 0 && self.greetings.len() < AT_ONCE {
            self.left -= 1;
            let id = orders.open();
            let greeting = Greeting { since: now, features: Features::unknown(), stage: Stage::Connecting };
            self.greetings.insert(id, greeting);
            self.late.insert((now + FEATURES_WITHIN, id));
        }
        if self.is_over() {
            self.ended.get_or_insert(now);
        }
        self.late.first().map(|&(at, _)| at)
    }

    fn is_over(&self) -> bool {
        self.left == 0 && self.greetings.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::load::phase::tests::Stage as Theatre;

    fn hello(_: &Features) -> String {
        "new\n".to_owned()
    }

    fn open(theatre: &mut Theatre, arrival: &mut Arrival<'_>, now: Instant) -> Id {
        theatre.tick(arrival, now);
        let opened = theatre.all();
        let [Order::Open(id)] = opened[..] else { panic!("{opened:?}") };
        arrival.heard(id, Event::Open, now, &mut theatre.orders);
        assert_eq!(theatre.said(id), "xboard\nprotover 2\n");
        id
    }

    #[test]
    fn an_engine_is_asked_what_it_can_and_prepared() {
        let (mut theatre, mut arrival) = (Theatre::default(), Arrival::new(1, &hello));
        let now = Instant::now();
        let id = open(&mut theatre, &mut arrival, now);
        assert_eq!(theatre.hear(&mut arrival, id, "feature ping=1 done=0", now), "");
        assert_eq!(theatre.hear(&mut arrival, id, "feature done=1", now), "new\nping 1\n");
        assert!(!arrival.is_over());
        theatre.hear(&mut arrival, id, "pong 1", now + Duration::from_secs(2));
        assert!(arrival.is_over() && arrival.guests[0].features.ping);
        assert_eq!(arrival.rate(), Some(0.5));
    }

    #[test]
    fn engines_without_features_are_understood() {
        let now = Instant::now();
        let (mut theatre, mut arrival) = (Theatre::default(), Arrival::new(1, &hello));
        let id = open(&mut theatre, &mut arrival, now);
        assert_eq!(theatre.hear(&mut arrival, id, "Error (unknown command): protover", now), "new\n");
        assert!(arrival.is_over() && !arrival.guests[0].features.ping);
        let mut arrival = Arrival::new(1, &hello);
        let id = open(&mut theatre, &mut arrival, now);
        theatre.tick(&mut arrival, now + FEATURES_WITHIN);
        assert_eq!(theatre.said(id), "new\n");
        assert!(arrival.is_over());
    }

    #[test]
    fn what_does_not_come_or_is_refused_is_told() {
        let now = Instant::now();
        let (mut theatre, mut arrival) = (Theatre::default(), Arrival::new(1, &hello));
        let id = open(&mut theatre, &mut arrival, now);
        theatre.hear(&mut arrival, id, "tellusererror The server is full", now);
        assert!(arrival.is_over() && arrival.failures[0].contains("full"));
        let mut arrival = Arrival::new(1, &hello);
        let id = open(&mut theatre, &mut arrival, now);
        theatre.hear(&mut arrival, id, "feature ping=1 done=1", now);
        let (mut at, mut asked) = (now, 0);
        while let Some(next) = theatre.tick(&mut arrival, at) {
            at = next;
            asked += 1;
            assert!(asked < 10, "it is never given up");
        }
        assert!(arrival.is_over() && at == now + PATIENCE, "{:?}", arrival.failures);
        assert_eq!((arrival.guests.len(), arrival.failures.len()), (0, 1));
        assert_eq!(arrival.rate(), None);
    }

    #[test]
    fn not_all_come_at_once() {
        let (mut theatre, mut arrival) = (Theatre::default(), Arrival::new(100, &hello));
        let now = Instant::now();
        theatre.tick(&mut arrival, now);
        let opened = theatre.all();
        assert_eq!(opened.len(), AT_ONCE);
        let Order::Open(first) = opened[0] else { panic!("{opened:?}") };
        arrival.heard(first, Event::Closed("refused"), now, &mut theatre.orders);
        theatre.tick(&mut arrival, now);
        assert_eq!(theatre.all().len(), 1);
        assert_eq!(arrival.failures, ["a session was not opened: refused"]);
    }
}
