//! Metrics of the loop and its clients, for [`http`](crate::server::http). The loop writes them,
//! and never waits for a reader.

use crate::config::Transport;
use crate::metrics::text::{Exposed, Exposition};
use crate::metrics::{Counter, Counters, Gauge, Gauges, Histogram, Label, labels};
use crate::protocol::checkers::Dialect;
use crate::server::observe::user_metrics::PublishedUsers;
use crate::server::outcome::{CloseReason, Refusal};
use crate::server::{ListenerPolicy, ServerLimits};
use crate::session::checkers::{Manners, Orientation};
use crate::session::{Measured, Protocol};
use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// Bounds in microseconds for times that are short unless something is wrong.
const SHORT: &[u64] =
    &[100, 250, 500, 1_000, 2_500, 5_000, 10_000, 25_000, 50_000, 100_000, 250_000, 1_000_000];

/// Bounds in microseconds for times that people notice.
const NOTICED: &[u64] = &[
    1_000, 2_500, 5_000, 10_000, 25_000, 50_000, 100_000, 250_000, 500_000, 1_000_000, 2_500_000, 5_000_000,
    10_000_000,
];

impl Label for Protocol {
    const ALL: &'static [Protocol] = &[
        Protocol::Auto,
        Protocol::Xboard,
        Protocol::Uci,
        Protocol::Checkers(Manners { dialect: Dialect::Seed, orientation: Orientation::Auto }),
        Protocol::Web,
        #[cfg(test)]
        Protocol::Toy,
    ];

    fn word(self) -> &'static str {
        Protocol::word(self)
    }
}

labels! {
    /// Transport of a session, as a label.
    pub(in crate::server) enum TransportLabel {
        Plain = "plain",
        Tls = "tls",
        Rsh = "rsh",
    }
}

/// Labels of a session, besides its user.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::server) struct SessionLabels {
    pub(in crate::server) protocol: Protocol,
    pub(in crate::server) transport: TransportLabel,
}

impl SessionLabels {
    /// Returns the labels of a session with this policy and protocol.
    pub(in crate::server) fn of(policy: &ListenerPolicy, protocol: Protocol) -> SessionLabels {
        let transport = match policy.transport {
            Transport::Rsh => TransportLabel::Rsh,
            Transport::Plain if policy.tls.is_some() => TransportLabel::Tls,
            // An agent check has no session.
            Transport::Plain | Transport::Agent => TransportLabel::Plain,
        };
        SessionLabels { protocol, transport }
    }
}

labels! {
    pub(in crate::server) enum HandshakeLabel {
        Done = "done",
        Failed = "failed",
        /// The queue was full.
        Refused = "refused",
    }
}

/// Sessions by transport, then by protocol.
#[derive(Default, Debug)]
pub(in crate::server) struct SessionGauges([Gauges<Protocol>; TransportLabel::ALL.len()]);

impl SessionGauges {
    pub(in crate::server) fn of(&self, labels: SessionLabels) -> &Gauge {
        self.0[labels.transport.index()].of(labels.protocol)
    }

    /// Moves a session from labels to others; `None` before its beginning and after its end.
    pub(super) fn change(&self, before: Option<SessionLabels>, after: Option<SessionLabels>) {
        before.into_iter().for_each(|before| self.of(before).leave());
        after.into_iter().for_each(|after| self.of(after).enter());
    }

    pub(in crate::server) fn rows(&self) -> impl Iterator<Item = (SessionLabels, u64)> {
        let labels = TransportLabel::ALL.iter().flat_map(|&transport| {
            Protocol::ALL.iter().map(move |&protocol| SessionLabels { protocol, transport })
        });
        labels.map(|labels| (labels, self.of(labels).get()))
    }
}

/// Metrics written by the loop.
#[derive(Debug)]
pub(in crate::server) struct Metrics {
    start: Instant,
    /// When the last turn of the loop ended, in milliseconds after the start.
    last_turn: AtomicU64,
    turns: Histogram,
    overruns: Histogram,
    lags: Histogram,
    first_lines: Histogram,
    pub(in crate::server) counts: Counts,
    pub(in crate::server) levels: Levels,
}

/// Counts of sessions and clients.
#[derive(Default, Debug)]
pub(in crate::server) struct Counts {
    /// Sessions of clients without a user name.
    pub(super) sessions: SessionGauges,
    /// Gauges of named users; dropped with a user's last session.
    pub(super) of_users: PublishedUsers,
    pub(super) begun: Counters<TransportLabel>,
    pub(super) ended: Counters<CloseReason>,
    /// Sessions taken over from another server.
    pub(in crate::server) resumed: Counter,
    pub(super) refused: Counters<Refusal>,
    pub(in crate::server) handshakes: Counters<HandshakeLabel>,
    moves: Counters<Protocol>,
    pub(in crate::server) output_lines_dropped: Counter,
}

/// Load of the server at the end of the last turn, and reasons to refuse new sessions.
#[derive(Default, Debug)]
pub(in crate::server) struct Levels {
    /// Session slots taken: by sessions, and by remote shell clients that log in.
    pub(in crate::server) taken_slots: Gauge,
    pub(in crate::server) max_slots: Gauge,
    pub(in crate::server) pending_logins: Gauge,
    /// Bytes that all buffers hold.
    pub(in crate::server) buffers: Gauge,
    pub(in crate::server) max_buffers: Gauge,
    draining: Gauge,
}

impl Metrics {
    pub(in crate::server) fn new(limits: &ServerLimits) -> Metrics {
        let metrics = Metrics {
            start: Instant::now(),
            last_turn: AtomicU64::new(0),
            turns: Histogram::new(SHORT),
            overruns: Histogram::new(NOTICED),
            lags: Histogram::new(NOTICED),
            first_lines: Histogram::new(NOTICED),
            counts: Counts::default(),
            levels: Levels::default(),
        };
        metrics.levels.max_slots.set_size(limits.sessions);
        metrics.levels.max_buffers.set_size(limits.buffers);
        metrics
    }

    /// Creates the metrics of a loop that has not ended a turn for that long.
    #[cfg(test)]
    pub(in crate::server) fn silent_for(time: Duration) -> Metrics {
        let config = crate::config::Settings::default().resolve().expect("the defaults are right");
        let start = Instant::now().checked_sub(time).expect("the machine runs longer");
        Metrics { start, ..Metrics::new(&ServerLimits::new(&config)) }
    }

    /// Records the end of a turn of the loop, and its length.
    pub(super) fn turn_ended(&self, took: Duration) {
        self.turns.observe(took);
        self.beat();
    }

    pub(in crate::server) fn beat(&self) {
        self.last_turn.store(millis(self.start.elapsed()), Ordering::Relaxed);
    }

    /// Returns the time since the last turn. The loop may just have nothing to do.
    pub(in crate::server) fn since_last_turn(&self) -> Duration {
        self.start.elapsed().saturating_sub(Duration::from_millis(self.last_turn.load(Ordering::Relaxed)))
    }

    /// Notes a reason to refuse new sessions: shutdown, or a command of an administrator.
    pub(in crate::server) fn drain(&self) {
        self.levels.draining.enter();
    }

    /// Notes that one of the reasons has gone.
    pub(in crate::server) fn undrain(&self) {
        self.levels.draining.leave();
    }

    pub(in crate::server) fn is_draining(&self) -> bool {
        self.levels.draining.get() > 0
    }

    pub(in crate::server) fn is_full(&self) -> bool {
        self.levels.taken_slots.get() >= self.levels.max_slots.get()
    }

    /// Adds what a session has measured.
    pub(in crate::server) fn record(&self, protocol: Protocol, measured: Measured) {
        if measured.moves > 0 {
            self.counts.moves.of(protocol).add(measured.moves);
        }
        for (times, time) in [
            (&self.overruns, measured.overrun),
            (&self.lags, measured.lag),
            (&self.first_lines, measured.first_line),
        ] {
            if let Some(time) = time {
                times.observe(time);
            }
        }
    }
}

fn millis(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

impl Exposed for std::sync::Arc<Metrics> {
    fn expose(&self, to: &mut Exposition<'_>) -> fmt::Result {
        let row = |(labels, count): (SessionLabels, u64), user| {
            let SessionLabels { protocol, transport } = labels;
            ([("protocol", protocol.word()), ("transport", transport.word()), ("user", user)], count)
        };
        let nameless = self.counts.sessions.rows().map(|sessions| row(sessions, ""));
        let named = self.counts.of_users.rows();
        let named = named.iter().map(|(user, sessions)| row(*sessions, user));
        to.gauge_rows("farboard_sessions", "Sessions", None, nameless.chain(named))?;
        to.gauge("farboard_sessions_max", "Limit of sessions (max_sessions)", self.levels.max_slots.get())?;
        to.counters("farboard_sessions_begun", "Sessions begun", "transport", &self.counts.begun)?;
        to.counters("farboard_sessions_ended", "Sessions ended", "cause", &self.counts.ended)?;
        to.counter(
            "farboard_sessions_resumed",
            "Sessions taken over from other servers",
            self.counts.resumed.get(),
        )?;
        to.counters("farboard_refusals", "Clients refused a session", "cause", &self.counts.refused)?;
        let help = "Connections with an incomplete login";
        to.gauge("farboard_pending_logins", help, self.levels.pending_logins.get())?;
        let help = "TLS handshakes of clients";
        to.counters("farboard_tls_handshakes", help, "outcome", &self.counts.handshakes)?;
        let help = "1 while new sessions are refused and running games may go on";
        to.gauge("farboard_draining", help, u64::from(self.is_draining()))?;
        to.counters("farboard_moves", "Moves made by engines", "protocol", &self.counts.moves)?;
        let help = "Delay of a move after its time was up";
        to.histogram("farboard_move_overrun", help, &self.overruns)?;
        let help = "Cost of a move on the client's clock besides thinking";
        to.histogram("farboard_move_lag", help, &self.lags)?;
        let help = "Time from the request of an analysis to its first variation";
        to.histogram("farboard_analysis_first_line", help, &self.first_lines)?;
        let help = "Duration of a turn of the event loop, without waiting for events";
        to.histogram("farboard_loop_turn", help, &self.turns)?;
        let help = "Thinking lines that clients did not read in time";
        to.counter("farboard_output_lines_dropped", help, self.counts.output_lines_dropped.get())?;
        let help = "Unread output and unfinished input of all clients";
        to.bytes("farboard_buffers", help, self.levels.buffers.get())?;
        let help = "Limit of farboard_buffers_bytes (max_buffers)";
        to.bytes("farboard_buffers_max", help, self.levels.max_buffers.get())
    }
}
