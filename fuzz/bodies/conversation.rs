//! Fuzzed conversations of any protocol: a client that sends anything, and a search that reports
//! anything, at any time.
//!
//! A line that begins with `@` is an event instead of input. The letter after it selects the event
//! ([`Conversation::happen`]); the bytes after that are choices, such as the move found.

use super::session_driver::{Client, Driver, Running};
use farboard::chess::Move;
use farboard::pool::{SearchEvent, Shortage};
use farboard::protocol::DrainCause;
use farboard::search::{Done, Info, Progress, Report, RootPosition, Score};
use farboard::session::Input;
use std::time::{Duration, Instant};

/// Bytes for choices; zeros when they are used up.
pub struct Choices<'a>(pub &'a [u8]);

impl Choices<'_> {
    pub fn next(&mut self) -> u8 {
        let Some((first, rest)) = self.0.split_first() else { return 0 };
        self.0 = rest;
        *first
    }

    pub fn pick<T: Copy>(&mut self, from: &[T]) -> Option<T> {
        let choice = usize::from(self.next());
        from.get(choice % from.len().max(1)).copied()
    }
}

/// A fuzzed client, and the meaning of choices for its protocol.
pub trait Fuzzed: Client {
    /// Maximum length of a line in bytes.
    const LIMIT: usize;
    /// Possible pauses, in milliseconds.
    const PAUSES: &'static [u64] = &[1, 10, 100, 1000, 10_000, 100_000, 1_000_000];
    /// Whether a session whose client has disconnected may wait for a search without a timer.
    const MAY_WAIT_FOR_A_SEARCH: bool = false;

    /// Observes the client's input before the session receives it.
    fn before_input(&mut self, input: &Input<'_>);

    /// A variation that a search reports.
    fn info(search: &Running, now: Instant, choices: &mut Choices<'_>) -> Info;

    /// The progress of a search, if the protocol reports it.
    fn progress(search: &Running, now: Instant, choices: &mut Choices<'_>) -> Option<Progress>;

    /// The end of a search.
    fn done(root: RootPosition, choices: &mut Choices<'_>) -> Done;

    /// The reason for refusing a search.
    fn shortage(choices: &mut Choices<'_>) -> Shortage {
        Shortage::Searches(choices.next().into())
    }

    /// The index of the stopped search that ends, of `old`.
    fn stale(old: usize, choices: &mut Choices<'_>) -> usize {
        let _ = choices;
        old.saturating_sub(1)
    }
}

/// A session and its client, whose input may have ended.
pub struct Conversation<C: Fuzzed> {
    driver: Driver<C>,
    ended: bool,
}

impl<C: Fuzzed> Conversation<C> {
    pub fn new(session: C::Session, client: C) -> Conversation<C> {
        Conversation { driver: Driver::around(session, client, C::LIMIT), ended: false }
    }

    /// A conversation in which each input goes to another session with the state of the one before.
    pub fn replaced(fresh: fn() -> C::Session, client: C) -> Conversation<C>
    where
        C::Session: 'static,
    {
        let mut conversation = Conversation::new(fresh(), client);
        conversation.driver.fresh = Some(Box::new(fresh));
        conversation.driver.replaces = true;
        conversation
    }

    /// `data` is the conversation, line by line.
    pub fn run(mut self, data: &[u8]) {
        for line in data.split(|&byte| byte == b'\n') {
            if self.driver.closed {
                break;
            }
            match line {
                [b'@', what, choices @ ..] => self.happen(*what, &mut Choices(choices)),
                _ if self.ended => {}
                _ if line.len() > C::LIMIT => self.say(Input::LineTooLong(C::LIMIT)),
                _ => self.say(Input::Line(line)),
            }
        }
        self.finish();
    }

    fn say(&mut self, input: Input<'_>) {
        self.driver.client.before_input(&input);
        self.driver.input(input);
    }

    /// Executes an event. `w`: time passes. `i`, `p`, `d`: the search reports a variation, its
    /// progress, its end. `s`: a stopped search ends. `r`: the search is refused. `f`: it fails.
    /// `n`: a signal. `e`: the end of input. `x`: the server shuts down.
    fn happen(&mut self, what: u8, choices: &mut Choices<'_>) {
        match what {
            b'w' => {
                let pause = choices.pick(C::PAUSES).expect("pauses");
                self.driver.wait(Duration::from_millis(pause));
            }
            b's' => {
                let search = self.driver.old.get(C::stale(self.driver.old.len(), choices));
                if let Some((id, root)) = search.map(|search| (search.id, search.position())) {
                    self.driver.event_of(id, SearchEvent::Done(C::done(root, choices)));
                }
            }
            b'n' if !self.ended => self.driver.input(Input::Interrupt),
            b'e' if !self.ended => self.end(),
            b'x' => self.driver.input(Input::Drain(DrainCause::Shutdown)),
            _ => {
                let event = self.driver.search.as_ref().and_then(|search| self.event(search, what, choices));
                event.into_iter().for_each(|event| self.driver.event(event));
            }
        }
    }

    /// An event of the running search.
    fn event(&self, search: &Running, what: u8, choices: &mut Choices<'_>) -> Option<SearchEvent> {
        let now = self.driver.now;
        Some(match what {
            b'i' => SearchEvent::Report(Report::Info(C::info(search, now, choices))),
            b'p' => SearchEvent::Report(Report::Progress(C::progress(search, now, choices)?)),
            b'd' => SearchEvent::Done(C::done(search.position(), choices)),
            b'r' => SearchEvent::Refused(C::shortage(choices)),
            b'f' => SearchEvent::Failed,
            _ => return None,
        })
    }

    fn end(&mut self) {
        self.ended = true;
        self.driver.input(Input::Eof);
    }

    /// Disconnects the client: answers that are due come, then the session ends.
    fn finish(&mut self) {
        if !self.driver.closed && !self.ended {
            self.end();
        }
        while !self.driver.closed {
            match self.driver.timer {
                Some(at) => self.driver.fire(at),
                None => {
                    let waits = C::MAY_WAIT_FOR_A_SEARCH && self.driver.search.is_some();
                    assert!(waits, "a session that waits for nothing");
                    self.happen(b'd', &mut Choices(&[]));
                }
            }
        }
        assert!(self.driver.search.is_none(), "a search outlives its session");
    }
}

/// Moves that can be played one after the other, at most six.
pub fn variation(mut position: RootPosition, choices: &[u8]) -> Vec<Move> {
    let mut played = Vec::new();
    for choice in choices.iter().take(6) {
        let moves = position.legal_moves();
        let Some(&mv) = moves.get(usize::from(*choice) % moves.len().max(1)) else { break };
        position.play(mv);
        played.push(mv);
    }
    played
}

/// The end of a search: a legal root move and a score, or no move.
pub fn verdict(root: RootPosition, choices: &mut Choices<'_>) -> Done {
    let moves = root.legal_moves();
    let choice = choices.next();
    let best = moves.get(usize::from(choice) % moves.len().max(1)).filter(|_| choice != b'0').copied();
    let score = Score(i32::from(choices.next()) - 128);
    Done { best, ponder: None, score, depth: 1, nodes: 1, elapsed: Duration::ZERO }
}
