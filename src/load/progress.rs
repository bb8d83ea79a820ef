//! Progress on standard error; figures come only at the end.

use super::phase::{Actions, ClientEvent, ClientId, Phase};
use std::io::{self, IsTerminal, Write};
use std::time::{Duration, Instant};

/// Interval between two messages about a step: on a terminal, where they replace each other, and elsewhere.
const ON_TERMINAL: Duration = Duration::from_secs(1);
const ELSEWHERE: Duration = Duration::from_secs(10);

/// Counts the steps of a measurement.
#[derive(Debug)]
pub struct Progress {
    terminal: bool,
    steps: usize,
}

impl Progress {
    /// Progress of a new measurement, in the form that suits standard error.
    pub fn new() -> Progress {
        Progress { terminal: io::stderr().is_terminal(), steps: 0 }
    }

    /// The next step, to be run in the background; `lasting` is its planned duration.
    pub fn step(&mut self, what: String, lasting: Duration) -> ProgressStep {
        self.steps += 1;
        ProgressStep {
            what: format!("step {}, {what}", self.steps),
            terminal: self.terminal,
            lasting,
            began: None,
            said: None,
            connected: 0,
            heard: 0,
        }
    }
}

impl Default for Progress {
    fn default() -> Progress {
        Progress::new()
    }
}

/// A step: a phase that only listens and is over at any time.
#[derive(Debug)]
pub struct ProgressStep {
    what: String,
    terminal: bool,
    lasting: Duration,
    began: Option<Instant>,
    /// When the last message was shown.
    said: Option<Instant>,
    connected: u64,
    heard: u64,
}

impl ProgressStep {
    fn interval(&self) -> Duration {
        if self.terminal { ON_TERMINAL } else { ELSEWHERE }
    }

    /// The message that is due, if any, and when to ask again.
    fn due(&mut self, now: Instant) -> (Option<String>, Instant) {
        let began = *self.began.get_or_insert(now);
        let last = *self.said.get_or_insert(began);
        let next = last + self.interval();
        if now < next {
            return (None, next);
        }
        self.said = Some(now);
        (Some(self.text(now.saturating_duration_since(began))), now + self.interval())
    }

    fn text(&self, passed: Duration) -> String {
        let planned = match self.lasting.as_secs() {
            0 => String::new(),
            seconds => format!(" of {seconds}"),
        };
        let connected =
            if self.connected > 0 { format!(", {} connected", self.connected) } else { String::new() };
        format!("{}: {}{planned} s{connected}, {} lines heard", self.what, passed.as_secs(), self.heard)
    }
}

impl Phase for ProgressStep {
    fn on_event(&mut self, _: ClientId, event: ClientEvent<'_>, _: Instant, _: &mut Actions) {
        match event {
            ClientEvent::Open => self.connected += 1,
            ClientEvent::Line(_) => self.heard += 1,
            ClientEvent::Closed(_) => {}
        }
    }

    fn tick(&mut self, now: Instant, _: &mut Actions) -> Option<Instant> {
        let (text, next) = self.due(now);
        if let Some(text) = text {
            // If standard error is closed, nobody reads the message.
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
        if self.terminal && self.said != self.began {
            let _ = write!(io::stderr(), "\r\x1b[K");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn step(terminal: bool) -> ProgressStep {
        Progress { terminal, steps: 1 }.step("opening 5 sessions".to_owned(), Duration::from_secs(20))
    }

    #[test]
    fn a_word_is_said_a_while_after_the_last_one() {
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
        let said = "step 2, opening 5 sessions: 3 of 20 s, 1 connected, 2 lines heard";
        assert_eq!(step.due(at(3_100)), (Some(said.to_owned()), at(4_100)), "however late it is asked");
        assert_eq!(step.due(at(3_200)).0, None);
        step.said = step.began;
    }

    #[test]
    fn a_log_has_a_line_now_and_then() {
        let mut step = step(false);
        let began = Instant::now();
        assert_eq!(step.due(began).0, None);
        assert_eq!(step.due(began + Duration::from_secs(9)).0, None);
        let said = step.due(began + Duration::from_secs(10)).0.expect("a line");
        assert_eq!(said, "step 2, opening 5 sessions: 10 of 20 s, 0 lines heard");
        assert!(step.is_over(), "it holds nothing up");
    }
}
