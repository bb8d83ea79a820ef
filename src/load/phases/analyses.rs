//! Analyses at the same time, each of another position.

use super::{Guest, PATIENCE};
use crate::load::heard::Heard;
use crate::load::openings::{Openings, coordinates};
use crate::load::phase::{Event, Id, Orders, Phase};
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

/// How long the answers to the last question may take.
const LAST_ANSWERS: Duration = Duration::from_secs(3);

/// What is known of an analysis.
#[derive(Clone, Copy, Default, Debug)]
struct Analysis {
    nodes: u64,
    spoken: bool,
    /// It has told its nodes at the end.
    told: bool,
    lost: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Stage {
    NotBegun,
    Running,
    /// The time is over; all were asked for their nodes.
    Asked(Instant),
    /// Some have not said anything: they have [`PATIENCE`].
    Starving(Instant),
    Over,
}

/// Analyses.
pub struct Analyses {
    list: BTreeMap<Id, Analysis>,
    lasting: Duration,
    began: Option<Instant>,
    stage: Stage,
    starts: Vec<(Id, String)>,
    elapsed: Duration,
    silent: usize,
    /// They are left going on at the end.
    stay: bool,
    /// How long those have that have said nothing when the time is over.
    patience: Duration,
    /// What was refused.
    pub complaints: Vec<String>,
}

impl Analyses {
    /// One for each guest, all of different positions, for so long.
    pub fn new(guests: &[Guest], openings: &mut Openings, lasting: Duration) -> Analyses {
        let starts = guests.iter().map(|guest| (guest.id, start(guest, openings))).collect();
        Analyses {
            list: guests.iter().map(|guest| (guest.id, Analysis::default())).collect(),
            lasting,
            began: None,
            stage: Stage::NotBegun,
            starts,
            elapsed: Duration::ZERO,
            silent: 0,
            stay: false,
            patience: PATIENCE,
            complaints: Vec::new(),
        }
    }

    /// Nothing for so long.
    pub fn none(lasting: Duration) -> Analyses {
        Analyses::new(&[], &mut Openings::new(0), lasting)
    }

    /// The same, once the analyses of these guests have been ended.
    pub fn instead_of(mut self, others: &[Guest]) -> Analyses {
        self.starts.splice(..0, others.iter().map(|other| (other.id, "exit\n".to_owned())));
        self
    }

    /// The same, but they go on after that time.
    pub fn that_stay(self) -> Analyses {
        Analyses { stay: true, ..self }
    }

    /// The same, but nobody waits for those that have said nothing in that time: they are not starved, either.
    pub fn impatient(self) -> Analyses {
        Analyses { patience: Duration::ZERO, ..self }
    }

    /// Nodes of each, after the time that was asked for.
    pub fn nodes(&self) -> impl Iterator<Item = u64> {
        self.list.values().map(|analysis| analysis.nodes)
    }

    /// Nodes of all in a second.
    pub fn rate(&self) -> f64 {
        self.nodes().sum::<u64>() as f64 / self.elapsed.as_secs_f64().max(1e-9)
    }

    /// How many had said nothing when the time was over.
    pub fn silent(&self) -> usize {
        self.silent
    }

    /// How many had said nothing a good while later.
    pub fn starved(&self) -> usize {
        self.list.values().filter(|analysis| !analysis.spoken && !analysis.lost).count()
    }

    /// How many ended because their connection did.
    pub fn lost(&self) -> usize {
        self.list.values().filter(|analysis| analysis.lost).count()
    }

    fn all(&self, what: impl Fn(&Analysis) -> bool) -> bool {
        self.list.values().all(|analysis| analysis.lost || what(analysis))
    }

    fn finish(&mut self, orders: &mut Orders) {
        self.stage = Stage::Over;
        for &id in self.list.keys().filter(|_| !self.stay) {
            orders.say(id, "exit\n");
        }
    }

    /// The figures are taken; the search goes on for those that have not said anything yet.
    fn settle(&mut self, now: Instant, orders: &mut Orders) {
        self.silent = self.list.values().filter(|analysis| !analysis.spoken && !analysis.lost).count();
        if self.silent > 0 && !self.patience.is_zero() {
            self.stage = Stage::Starving(now + self.patience);
        } else {
            self.finish(orders);
        }
    }
}

/// What begins an analysis.
fn start(guest: &Guest, openings: &mut Openings) -> String {
    let word = if guest.features.usermove { "usermove " } else { "" };
    let mut text = "new\npost\nforce\n".to_owned();
    for mv in coordinates(&openings.another()) {
        text += &format!("{word}{mv}\n");
    }
    text + "analyze\n"
}

impl Phase for Analyses {
    fn heard(&mut self, id: Id, event: Event<'_>, _: Instant, _: &mut Orders) {
        let Some(analysis) = self.list.get_mut(&id) else { return };
        // What is said later is not counted, or the slowest machine would have the most nodes.
        let counts = matches!(self.stage, Stage::Running | Stage::Asked(_));
        match event {
            Event::Line(line) => match Heard::in_line(line) {
                Heard::Thinking { nodes, .. } => {
                    analysis.spoken = true;
                    if counts {
                        analysis.nodes = analysis.nodes.max(nodes);
                    }
                }
                Heard::Status(nodes) if counts => {
                    analysis.nodes = analysis.nodes.max(nodes);
                    analysis.told = true;
                }
                // The question that not all engines know.
                Heard::Complaint(_) if matches!(self.stage, Stage::Asked(_)) => analysis.told = true,
                Heard::Complaint(text) => self.complaints.push(text.to_owned()),
                _ => {}
            },
            Event::Closed(_) => analysis.lost = true,
            Event::Open => {}
        }
    }

    fn tick(&mut self, now: Instant, orders: &mut Orders) -> Option<Instant> {
        let until = match self.stage {
            Stage::NotBegun => {
                self.began = Some(now);
                self.stage = Stage::Running;
                for (id, text) in std::mem::take(&mut self.starts) {
                    orders.say(id, text);
                }
                now + self.lasting
            }
            Stage::Running => {
                let end = self.began.unwrap_or(now) + self.lasting;
                if now < end {
                    return Some(end);
                }
                self.elapsed = now.saturating_duration_since(self.began.unwrap_or(now));
                self.stage = Stage::Asked(now + LAST_ANSWERS);
                for &id in self.list.keys() {
                    orders.say(id, ".\n");
                }
                now + LAST_ANSWERS
            }
            Stage::Asked(until) => {
                if now >= until || self.all(|analysis| analysis.told) {
                    self.settle(now, orders);
                }
                until
            }
            Stage::Starving(until) => {
                if now >= until || self.all(|analysis| analysis.spoken) {
                    self.finish(orders);
                }
                until
            }
            Stage::Over => return None,
        };
        Some(until)
    }

    fn is_over(&self) -> bool {
        self.stage == Stage::Over
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::load::features::Features;
    use crate::load::phase::tests::Stage as Theatre;

    const LASTING: Duration = Duration::from_secs(10);

    fn two() -> (Theatre, Analyses, Instant) {
        let features = Features { usermove: true, ..Features::unknown() };
        let guests = [1, 2].map(|number| Guest { id: Id(number), features });
        let mut openings = Openings::new(1);
        (Theatre::default(), Analyses::new(&guests, &mut openings, LASTING), Instant::now())
    }

    #[test]
    fn nodes_are_asked_for_at_the_end() {
        let (mut theatre, mut analyses, now) = two();
        assert_eq!(theatre.tick(&mut analyses, now), Some(now + LASTING));
        let begin = theatre.said(Id(1));
        assert!(
            begin.starts_with("new\npost\nforce\nusermove ") && begin.ends_with("\nanalyze\n"),
            "{begin}"
        );
        theatre.hear(&mut analyses, Id(1), "1 20 0 50 e4", now);
        theatre.hear(&mut analyses, Id(2), "1 20 0 70 e4", now);
        let end = now + LASTING;
        theatre.tick(&mut analyses, end);
        assert_eq!(theatre.said(Id(2)), ".\n");
        theatre.hear(&mut analyses, Id(1), "stat01: 1000 6000 8 3 30", end);
        theatre.hear(&mut analyses, Id(2), "stat01: 1000 4000 8 3 30", end);
        theatre.tick(&mut analyses, end);
        assert!(analyses.is_over());
        assert_eq!(theatre.said(Id(1)), "exit\n");
        assert_eq!(analyses.nodes().collect::<Vec<_>>(), [6000, 4000]);
        assert_eq!(analyses.rate(), 1000.0);
        assert_eq!((analyses.silent(), analyses.starved(), analyses.lost()), (0, 0, 0));
    }

    #[test]
    fn those_before_are_ended_first() {
        let (mut theatre, analyses, now) = two();
        let left = Guest { id: Id(3), features: Features::unknown() };
        let mut analyses = analyses.instead_of(&[left]);
        theatre.tick(&mut analyses, now);
        assert_eq!(theatre.said(Id(3)), "exit\n");
        assert_eq!(analyses.nodes().count(), 2, "and are not counted");
    }

    #[test]
    fn who_says_nothing_has_time_and_then_is_starved() {
        let (mut theatre, mut analyses, now) = two();
        theatre.tick(&mut analyses, now);
        theatre.hear(&mut analyses, Id(1), "1 20 0 50 e4", now);
        let mut at = now;
        while let Some(next) = theatre.tick(&mut analyses, at) {
            at = next;
        }
        assert!(at >= now + LASTING + PATIENCE);
        assert_eq!((analyses.silent(), analyses.starved()), (1, 1));
        assert_eq!(analyses.nodes().collect::<Vec<_>>(), [50, 0]);
    }

    #[test]
    fn who_is_impatient_waits_only_for_answers() {
        let (mut theatre, analyses, now) = two();
        let mut analyses = analyses.impatient();
        theatre.tick(&mut analyses, now);
        let end = now + LASTING;
        theatre.tick(&mut analyses, end);
        theatre.tick(&mut analyses, end + LAST_ANSWERS);
        assert!(analyses.is_over());
        assert!(theatre.said(Id(1)).ends_with(".\nexit\n"));
    }

    #[test]
    fn who_speaks_late_was_silent_but_is_not_starved() {
        let (mut theatre, mut analyses, now) = two();
        theatre.tick(&mut analyses, now);
        analyses.heard(Id(1), Event::Closed("reset"), now, &mut theatre.orders);
        let end = now + LASTING;
        theatre.tick(&mut analyses, end);
        theatre.tick(&mut analyses, end + LAST_ANSWERS);
        theatre.hear(&mut analyses, Id(2), "1 20 0 70 e4", end + PATIENCE);
        theatre.tick(&mut analyses, end + PATIENCE);
        assert!(analyses.is_over());
        assert_eq!((analyses.silent(), analyses.starved(), analyses.lost()), (1, 0, 1));
        assert_eq!(analyses.nodes().sum::<u64>(), 0, "that was too late to be counted");
    }
}
