//! Progress on standard error; figures come only at the end.

use super::phase::{Actions, ClientEvent, ClientId, Phase};
use std::io::{self, IsTerminal, Write};
use std::time::{Duration, Instant};

/// Interval between two messages about a step: on a terminal, where they replace each other, and
/// elsewhere.
const ON_TERMINAL: Duration = Duration::from_secs(1);
const ELSEWHERE: Duration = Duration::from_secs(10);

/// A step of a measurement: a phase without actions that is over at any time.
#[derive(Debug)]
pub struct ProgressStep {
    what: String,
    terminal: bool,
    lasting: Duration,
    began: Option<Instant>,
    /// When the last message was shown.
    shown: Option<Instant>,
    connected: u64,
    received: u64,
}

impl ProgressStep {
    /// A step to be run in the background; `lasting` is its planned duration.
    pub fn new(what: String, lasting: Duration) -> ProgressStep {
        let terminal = io::stderr().is_terminal();
        let (began, shown) = (None, None);
        ProgressStep { what, terminal, lasting, began, shown, connected: 0, received: 0 }
    }

    fn interval(&self) -> Duration {
        if self.terminal { ON_TERMINAL } else { ELSEWHERE }
    }

    /// The message that is due, if any, and when to ask again.
    fn due(&mut self, now: Instant) -> (Option<String>, Instant) {
        let began = *self.began.get_or_insert(now);
        let last = *self.shown.get_or_insert(began);
        let next = last + self.interval();
        if now < next {
            return (None, next);
        }
        self.shown = Some(now);
        (Some(self.text(now.saturating_duration_since(began))), now + self.interval())
    }

    fn text(&self, passed: Duration) -> String {
        let planned = match self.lasting.as_secs() {
            0 => String::new(),
            seconds => format!(" of {seconds}"),
        };
        let connected =
            if self.connected > 0 { format!(", {} connected", self.connected) } else { String::new() };
        format!("{}: {}{planned} s{connected}, {} lines received", self.what, passed.as_secs(), self.received)
    }
}

impl Phase for ProgressStep {
    fn on_event(&mut self, _: ClientId, event: ClientEvent<'_>, _: Instant, _: &mut Actions) {
        match event {
            ClientEvent::Open => self.connected += 1,
            ClientEvent::Line(_) => self.received += 1,
            ClientEvent::Closed(_) => {}
        }
    }

    fn tick(&mut self, now: Instant, _: &mut Actions) -> Option<Instant> {
        let (text, next) = self.due(now);
        if let Some(text) = text {
            // Fails if standard error is closed.
            let _ = if self.terminal {
                write!(io::stderr(), "\r{text}\x1b[K")
            } else {
                writeln!(io::stderr(), "{text}")
            };
        }
        Some(next)
    }

    fn is_over(&self) -> bool {
        true
    }
}

impl Drop for ProgressStep {
    fn drop(&mut self) {
        if self.terminal && self.shown != self.began {
            let _ = write!(io::stderr(), "\r\x1b[K");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn step(terminal: bool) -> ProgressStep {
        let what = "step 2, opening 5 sessions".to_owned();
        let mut step = ProgressStep::new(what, Duration::from_secs(20));
        step.terminal = terminal;
        step
    }

    #[test]
    fn a_terminal_has_a_message_each_second() {
        let mut step = step(true);
        let began = Instant::now();
        let at = |millis| began + Duration::from_millis(millis);
        assert_eq!(step.due(began), (None, at(1_000)));
        assert_eq!(step.due(at(999)), (None, at(1_000)));
        let mut actions = Actions::default();
        let id = actions.open();
        step.on_event(id, ClientEvent::Open, began, &mut actions);
        step.on_event(id, ClientEvent::Line("pong 1"), began, &mut actions);
        step.on_event(id, ClientEvent::Line("pong 2"), began, &mut actions);
        let shown = "step 2, opening 5 sessions: 3 of 20 s, 1 connected, 2 lines received";
        assert_eq!(step.due(at(3_100)), (Some(shown.to_owned()), at(4_100)), "however late it is asked");
        assert_eq!(step.due(at(3_200)).0, None);
        step.shown = step.began;
    }

    #[test]
    fn a_log_has_a_line_every_ten_seconds() {
        let mut step = step(false);
        let began = Instant::now();
        assert_eq!(step.due(began).0, None);
        assert_eq!(step.due(began + Duration::from_secs(9)).0, None);
        let shown = step.due(began + Duration::from_secs(10)).0.expect("a line");
        assert_eq!(shown, "step 2, opening 5 sessions: 10 of 20 s, 0 lines received");
        assert!(step.is_over(), "it does not hold up its phase");
    }
}
