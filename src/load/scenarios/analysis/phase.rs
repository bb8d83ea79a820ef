//! Concurrent analyses of different positions.

use crate::engines::xboard::EngineLine;
use crate::load::connect_phase::{ANSWER_TIMEOUT, Client};
use crate::load::openings::{Openings, coordinates, variant_command};
use crate::load::phase::{Actions, ClientEvent, ClientId, Phase};
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

/// Timeout of the answers to the last question.
const LAST_ANSWERS: Duration = Duration::from_secs(3);

/// State of an analysis.
#[derive(Clone, Copy, Default, Debug)]
struct Analysis {
    nodes: u64,
    spoken: bool,
    /// It has answered the last question.
    told: bool,
    lost: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum AnalysisState {
    NotBegun,
    Running,
    /// The time is over; every engine has been asked for its nodes.
    Asked(Instant),
    /// Some analyses have no output yet; the phase waits until then.
    Starving(Instant),
    Over,
}

/// Concurrent analyses.
pub struct Analyses {
    list: BTreeMap<ClientId, Analysis>,
    lasting: Duration,
    began: Option<Instant>,
    state: AnalysisState,
    starts: Vec<(ClientId, String)>,
    elapsed: Duration,
    silent: usize,
    /// The analyses are not ended with the phase.
    stay: bool,
    /// How long to wait, when the time is over, for analyses without output.
    patience: Duration,
    /// Error messages of the server.
    pub complaints: Vec<String>,
}

impl Analyses {
    /// An analysis for each client, all of different positions, for `lasting`.
    pub fn new(clients: &[Client], openings: &mut Openings, lasting: Duration) -> Analyses {
        let starts = clients.iter().map(|client| (client.id, start(client, openings))).collect();
        Analyses {
            list: clients.iter().map(|client| (client.id, Analysis::default())).collect(),
            lasting,
            began: None,
            state: AnalysisState::NotBegun,
            starts,
            elapsed: Duration::ZERO,
            silent: 0,
            stay: false,
            patience: ANSWER_TIMEOUT,
            complaints: Vec::new(),
        }
    }

    /// No analyses, for `lasting`.
    pub fn none(lasting: Duration) -> Analyses {
        Analyses::new(&[], &mut Openings::new(0), lasting)
    }

    /// First ends the analyses of other clients.
    pub fn instead_of(mut self, others: &[Client]) -> Analyses {
        self.starts.splice(..0, others.iter().map(|other| (other.id, "exit\n".to_owned())));
        self
    }

    /// Leaves the analyses running at the end.
    pub fn that_stay(self) -> Analyses {
        Analyses { stay: true, ..self }
    }

    /// Does not wait for analyses without output, which then do not count as starved.
    pub fn impatient(self) -> Analyses {
        Analyses { patience: Duration::ZERO, ..self }
    }

    /// Nodes of each analysis within its time.
    pub fn nodes(&self) -> impl Iterator<Item = u64> {
        self.list.values().map(|analysis| analysis.nodes)
    }

    /// Nodes per second of all analyses.
    pub fn rate(&self) -> f64 {
        self.nodes().sum::<u64>() as f64 / self.elapsed.as_secs_f64().max(1e-9)
    }

    /// Analyses without output when the time was over.
    pub fn silent(&self) -> usize {
        self.silent
    }

    /// Analyses without output even a good while later.
    pub fn starved(&self) -> usize {
        self.list.values().filter(|analysis| !analysis.spoken && !analysis.lost).count()
    }

    /// Analyses whose connection ended.
    pub fn lost(&self) -> usize {
        self.list.values().filter(|analysis| analysis.lost).count()
    }

    fn all(&self, what: impl Fn(&Analysis) -> bool) -> bool {
        self.list.values().all(|analysis| analysis.lost || what(analysis))
    }

    fn finish(&mut self, actions: &mut Actions) {
        self.state = AnalysisState::Over;
        for &id in self.list.keys().filter(|_| !self.stay) {
            actions.send(id, "exit\n");
        }
    }

    /// Takes the figures; analyses without output go on for a while.
    fn settle(&mut self, now: Instant, actions: &mut Actions) {
        self.silent = self.list.values().filter(|analysis| !analysis.spoken && !analysis.lost).count();
        if self.silent > 0 && !self.patience.is_zero() {
            self.state = AnalysisState::Starving(now + self.patience);
        } else {
            self.finish(actions);
        }
    }
}

/// The commands that begin an analysis.
fn start(client: &Client, openings: &mut Openings) -> String {
    let word = if client.features.usermove { "usermove " } else { "" };
    let game = openings.another();
    let mut text = format!("new\n{}post\nforce\n", variant_command(&game));
    for mv in coordinates(&game) {
        text += &format!("{word}{mv}\n");
    }
    text + "analyze\n"
}

impl Phase for Analyses {
    fn on_event(&mut self, id: ClientId, event: ClientEvent<'_>, _: Instant, _: &mut Actions) {
        let Some(analysis) = self.list.get_mut(&id) else { return };
        // Later output does not count, or the slowest machine would have the most nodes.
        let counts = matches!(self.state, AnalysisState::Running | AnalysisState::Asked(_));
        match event {
            ClientEvent::Line(line) => match EngineLine::parse(line) {
                EngineLine::Thinking { nodes, .. } => {
                    analysis.spoken = true;
                    if counts {
                        analysis.nodes = analysis.nodes.max(nodes);
                    }
                }
                EngineLine::Status(nodes) if counts => {
                    analysis.nodes = analysis.nodes.max(nodes);
                    analysis.told = true;
                }
                // Not all engines know the question.
                EngineLine::Complaint(_) if matches!(self.state, AnalysisState::Asked(_)) => {
                    analysis.told = true
                }
                EngineLine::Complaint(text) => self.complaints.push(text.to_owned()),
                _ => {}
            },
            ClientEvent::Closed(_) => analysis.lost = true,
            ClientEvent::Open => {}
        }
    }

    fn tick(&mut self, now: Instant, actions: &mut Actions) -> Option<Instant> {
        let until = match self.state {
            AnalysisState::NotBegun => {
                self.began = Some(now);
                self.state = AnalysisState::Running;
                for (id, text) in std::mem::take(&mut self.starts) {
                    actions.send(id, text);
                }
                now + self.lasting
            }
            AnalysisState::Running => {
                let end = self.began.unwrap_or(now) + self.lasting;
                if now < end {
                    return Some(end);
                }
                self.elapsed = now.saturating_duration_since(self.began.unwrap_or(now));
                self.state = AnalysisState::Asked(now + LAST_ANSWERS);
                for &id in self.list.keys() {
                    actions.send(id, ".\n");
                }
                now + LAST_ANSWERS
            }
            AnalysisState::Asked(until) => {
                if now >= until || self.all(|analysis| analysis.told) {
                    self.settle(now, actions);
                }
                until
            }
            AnalysisState::Starving(until) => {
                if now >= until || self.all(|analysis| analysis.spoken) {
                    self.finish(actions);
                }
                until
            }
            AnalysisState::Over => return None,
        };
        Some(until)
    }

    fn is_over(&self) -> bool {
        self.state == AnalysisState::Over
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engines::xboard::Features;
    use crate::load::phase::tests::PhaseTester;

    const LASTING: Duration = Duration::from_secs(10);

    fn two() -> (PhaseTester, Analyses, Instant) {
        let features = Features { usermove: true, ..Features::unknown() };
        let clients = [1, 2].map(|number| Client { id: ClientId(number), features });
        let mut openings = Openings::new(1);
        (PhaseTester::default(), Analyses::new(&clients, &mut openings, LASTING), Instant::now())
    }

    #[test]
    fn nodes_are_asked_for_at_the_end() {
        let (mut tester, mut analyses, now) = two();
        assert_eq!(tester.tick(&mut analyses, now), Some(now + LASTING));
        let begin = tester.said(ClientId(1));
        assert!(
            begin.starts_with("new\npost\nforce\nusermove ") && begin.ends_with("\nanalyze\n"),
            "{begin}"
        );
        tester.hear(&mut analyses, ClientId(1), "1 20 0 50 e4", now);
        tester.hear(&mut analyses, ClientId(2), "1 20 0 70 e4", now);
        let end = now + LASTING;
        tester.tick(&mut analyses, end);
        assert_eq!(tester.said(ClientId(2)), ".\n");
        tester.hear(&mut analyses, ClientId(1), "stat01: 1000 6000 8 3 30", end);
        tester.hear(&mut analyses, ClientId(2), "stat01: 1000 4000 8 3 30", end);
        tester.tick(&mut analyses, end);
        assert!(analyses.is_over());
        assert_eq!(tester.said(ClientId(1)), "exit\n");
        assert_eq!(analyses.nodes().collect::<Vec<_>>(), [6000, 4000]);
        assert_eq!(analyses.rate(), 1000.0);
        assert_eq!((analyses.silent(), analyses.starved(), analyses.lost()), (0, 0, 0));
    }

    #[test]
    fn those_before_are_ended_first() {
        let (mut tester, analyses, now) = two();
        let left = Client { id: ClientId(3), features: Features::unknown() };
        let mut analyses = analyses.instead_of(&[left]);
        tester.tick(&mut analyses, now);
        assert_eq!(tester.said(ClientId(3)), "exit\n");
        assert_eq!(analyses.nodes().count(), 2, "and are not counted");
    }

    #[test]
    fn who_says_nothing_has_time_and_then_is_starved() {
        let (mut tester, mut analyses, now) = two();
        tester.tick(&mut analyses, now);
        tester.hear(&mut analyses, ClientId(1), "1 20 0 50 e4", now);
        let mut at = now;
        while let Some(next) = tester.tick(&mut analyses, at) {
            at = next;
        }
        assert!(at >= now + LASTING + ANSWER_TIMEOUT);
        assert_eq!((analyses.silent(), analyses.starved()), (1, 1));
        assert_eq!(analyses.nodes().collect::<Vec<_>>(), [50, 0]);
    }

    #[test]
    fn who_is_impatient_waits_only_for_answers() {
        let (mut tester, analyses, now) = two();
        let mut analyses = analyses.impatient();
        tester.tick(&mut analyses, now);
        let end = now + LASTING;
        tester.tick(&mut analyses, end);
        tester.tick(&mut analyses, end + LAST_ANSWERS);
        assert!(analyses.is_over());
        assert!(tester.said(ClientId(1)).ends_with(".\nexit\n"));
    }

    #[test]
    fn who_speaks_late_was_silent_but_is_not_starved() {
        let (mut tester, mut analyses, now) = two();
        tester.tick(&mut analyses, now);
        analyses.on_event(ClientId(1), ClientEvent::Closed("reset"), now, &mut tester.actions);
        let end = now + LASTING;
        tester.tick(&mut analyses, end);
        tester.tick(&mut analyses, end + LAST_ANSWERS);
        tester.hear(&mut analyses, ClientId(2), "1 20 0 70 e4", end + ANSWER_TIMEOUT);
        tester.tick(&mut analyses, end + ANSWER_TIMEOUT);
        assert!(analyses.is_over());
        assert_eq!((analyses.silent(), analyses.starved(), analyses.lost()), (1, 0, 1));
        assert_eq!(analyses.nodes().sum::<u64>(), 0, "that was too late to be counted");
    }
}
