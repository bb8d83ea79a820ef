//! Numbers about the loop and its clients, for [`http`](crate::server::http).
//!
//! The loop counts, and at the end of a turn says how full it is; whoever reads never makes it wait.

use crate::config::Transport;
use crate::metrics::text::{Exposed, Exposition};
use crate::metrics::{Counter, Counters, Gauge, Gauges, Histogram, Label, labels};
use crate::server::connections::Connections;
use crate::server::observe::user_metrics::{PublishedUsers, UserMetrics};
use crate::server::outcome::{CloseReason, Refusal};
use crate::server::{ListenerPolicy, ServerLimits};
use crate::session::{Measured, Protocol};
use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// Bounds for times that are short unless something is wrong.
const SHORT: &[Duration] = &[
    Duration::from_micros(100),
    Duration::from_micros(250),
    Duration::from_micros(500),
    Duration::from_millis(1),
    Duration::from_micros(2500),
    Duration::from_millis(5),
    Duration::from_millis(10),
    Duration::from_millis(25),
    Duration::from_millis(50),
    Duration::from_millis(100),
    Duration::from_millis(250),
    Duration::from_secs(1),
];

/// Bounds for times that people notice.
const NOTICED: &[Duration] = &[
    Duration::from_millis(1),
    Duration::from_micros(2500),
    Duration::from_millis(5),
    Duration::from_millis(10),
    Duration::from_millis(25),
    Duration::from_millis(50),
    Duration::from_millis(100),
    Duration::from_millis(250),
    Duration::from_millis(500),
    Duration::from_secs(1),
    Duration::from_millis(2500),
    Duration::from_secs(5),
    Duration::from_secs(10),
];

/// The protocol of a session, as numbers know it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::server) enum ProtocolLabel {
    /// The client has said nothing yet.
    Auto,
    Xboard,
    Uci,
    Checkers,
}

impl ProtocolLabel {
    fn of(protocol: Protocol) -> ProtocolLabel {
        match protocol {
            Protocol::Auto => ProtocolLabel::Auto,
            Protocol::Xboard => ProtocolLabel::Xboard,
            Protocol::Uci => ProtocolLabel::Uci,
            Protocol::Checkers(_) => ProtocolLabel::Checkers,
            #[cfg(test)]
            Protocol::Toy => ProtocolLabel::Auto,
        }
    }
}

labels!(ProtocolLabel {
    Auto => "auto",
    Xboard => "xboard",
    Uci => "uci",
    Checkers => "checkers",
});

/// How the bytes of a session come.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::server) enum TransportLabel {
    Plain,
    Tls,
    Rsh,
}

labels!(TransportLabel {
    Plain => "plain",
    Tls => "tls",
    Rsh => "rsh",
});

/// What a session is counted under, besides the name of its user.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::server) struct SessionLabels {
    pub(in crate::server) protocol: ProtocolLabel,
    pub(in crate::server) transport: TransportLabel,
}

impl SessionLabels {
    /// Those of a session behind this policy that speaks this protocol.
    pub(in crate::server) fn of(policy: &ListenerPolicy, protocol: Protocol) -> SessionLabels {
        let transport = match policy.transport {
            Transport::Rsh => TransportLabel::Rsh,
            Transport::Plain if policy.tls.is_some() => TransportLabel::Tls,
            // An agent check has no session.
            Transport::Plain | Transport::Agent => TransportLabel::Plain,
        };
        SessionLabels { protocol: ProtocolLabel::of(protocol), transport }
    }
}

/// How a TLS handshake has ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::server) enum HandshakeLabel {
    Done,
    Failed,
    /// Too many waited.
    Refused,
}

labels!(HandshakeLabel {
    Done => "done",
    Failed => "failed",
    Refused => "refused",
});

/// Sessions by transport, then by protocol.
#[derive(Default, Debug)]
pub(in crate::server) struct SessionGauges([Gauges<ProtocolLabel>; TransportLabel::ALL.len()]);

impl SessionGauges {
    pub(in crate::server) fn of(&self, labels: SessionLabels) -> &Gauge {
        self.0[labels.transport.index()].of(labels.protocol)
    }

    pub(in crate::server) fn rows(&self) -> impl Iterator<Item = (SessionLabels, u64)> {
        let labels = TransportLabel::ALL.iter().flat_map(|&transport| {
            ProtocolLabel::ALL.iter().map(move |&protocol| SessionLabels { protocol, transport })
        });
        labels.map(|labels| (labels, self.of(labels).get()))
    }
}

/// What the loop counts.
#[derive(Debug)]
pub(in crate::server) struct Metrics {
    /// The start of the server, nearly.
    start: Instant,
    /// When the last turn of the loop ended, in milliseconds after the start.
    last_turn: AtomicU64,
    turns: Histogram,
    /// Sessions of clients without a name.
    sessions: SessionGauges,
    /// Those of named users, as long as they have any.
    of_users: PublishedUsers,
    begun: Counters<TransportLabel>,
    pub(in crate::server) ended: Counters<CloseReason>,
    /// Sessions that have come from another server.
    pub(in crate::server) resumed: Counter,
    pub(in crate::server) refused: Counters<Refusal>,
    pub(in crate::server) handshakes: Counters<HandshakeLabel>,
    moves: Counters<ProtocolLabel>,
    overruns: Histogram,
    lags: Histogram,
    first_lines: Histogram,
    pub(in crate::server) output_lines_dropped: Counter,
    /// Places of sessions that are taken: sessions, and clients of a remote shell that log in.
    places: Gauge,
    max_places: Gauge,
    pending_logins: Gauge,
    buffers: Gauge,
    max_buffers: Gauge,
    draining: Gauge,
}

impl Metrics {
    pub(in crate::server) fn new(limits: &ServerLimits) -> Metrics {
        let metrics = Metrics {
            start: Instant::now(),
            last_turn: AtomicU64::new(0),
            turns: Histogram::new(SHORT),
            sessions: SessionGauges::default(),
            of_users: PublishedUsers::default(),
            begun: Counters::default(),
            ended: Counters::default(),
            resumed: Counter::default(),
            refused: Counters::default(),
            handshakes: Counters::default(),
            moves: Counters::default(),
            overruns: Histogram::new(NOTICED),
            lags: Histogram::new(NOTICED),
            first_lines: Histogram::new(NOTICED),
            output_lines_dropped: Counter::new(),
            places: Gauge::default(),
            max_places: Gauge::default(),
            pending_logins: Gauge::default(),
            buffers: Gauge::default(),
            max_buffers: Gauge::default(),
            draining: Gauge::default(),
        };
        metrics.max_places.set_size(limits.sessions);
        metrics.max_buffers.set_size(limits.buffers);
        metrics
    }

    /// Those of a loop that has not ended a turn for that long.
    #[cfg(test)]
    pub(in crate::server) fn silent_for(time: Duration) -> Metrics {
        let config = crate::config::Settings::default().resolve().expect("the defaults are right");
        let start = Instant::now().checked_sub(time).expect("the machine runs longer");
        Metrics { start, ..Metrics::new(&ServerLimits::new(&config)) }
    }

    /// A turn of the loop has ended that has taken this long since it had something to do. Says how full the server is.
    pub(in crate::server) fn turn_ended(&self, took: Duration, connections: &Connections) {
        self.turns.observe(took);
        self.places.set_size(connections.admission.sessions());
        self.max_places.set_size(connections.limits.sessions);
        self.pending_logins.set_size(connections.admission.pending_logins.len());
        self.buffers.set_size(connections.buffer_total.bytes());
        self.max_buffers.set_size(connections.limits.buffers);
        self.beat();
    }

    /// The loop is alive.
    pub(in crate::server) fn beat(&self) {
        self.last_turn.store(millis(self.start.elapsed()), Ordering::Relaxed);
    }

    /// How long the loop has not ended a turn. It may just have nothing to do.
    pub(in crate::server) fn since_last_turn(&self) -> Duration {
        self.start.elapsed().saturating_sub(Duration::from_millis(self.last_turn.load(Ordering::Relaxed)))
    }

    /// From now on there are no new sessions: the server ends, or an administrator wants it so.
    pub(in crate::server) fn drain(&self) {
        self.draining.enter();
    }

    /// One of the reasons for that is gone.
    pub(in crate::server) fn undrain(&self) {
        self.draining.leave();
    }

    /// Whether there are no new sessions any more.
    pub(in crate::server) fn is_draining(&self) -> bool {
        self.draining.get() > 0
    }

    /// Whether no session more finds a place.
    pub(in crate::server) fn is_full(&self) -> bool {
        self.places.get() >= self.max_places.get()
    }

    /// What a session is counted under changes: it begins, shows that it speaks another protocol, or ends. `user`: who has it.
    pub(in crate::server) fn session_changes(
        &self,
        before: Option<SessionLabels>,
        after: Option<SessionLabels>,
        user: Option<&str>,
        users: &mut UserMetrics,
    ) {
        if let (None, Some(after)) = (before, after) {
            self.begun.of(after.transport).add(1);
        }
        let change = |sessions: &SessionGauges| {
            before.into_iter().for_each(|before| sessions.of(before).leave());
            after.into_iter().for_each(|after| sessions.of(after).enter());
        };
        match user {
            Some(user) => users.change(user, change),
            None => change(&self.sessions),
        }
    }

    /// Tells who reads of the users who have come and gone.
    pub(in crate::server) fn publish(&self, users: &mut UserMetrics) {
        users.publish(&self.of_users);
    }

    /// Counts what a session has done.
    pub(in crate::server) fn measured(&self, protocol: ProtocolLabel, measured: Measured) {
        if measured.moves > 0 {
            self.moves.of(protocol).add(measured.moves);
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
        let nameless = self.sessions.rows().map(|sessions| row(sessions, ""));
        let named = self.of_users.rows();
        let named = named.iter().map(|(user, sessions)| row(*sessions, user));
        to.gauge_rows("farboard_sessions", "Sessions", None, nameless.chain(named))?;
        to.gauge(
            "farboard_sessions_max",
            "Sessions that find a place (max_sessions)",
            self.max_places.get(),
        )?;
        to.counters("farboard_sessions_begun", "Sessions that have begun", "transport", &self.begun)?;
        to.counters("farboard_sessions_ended", "Sessions that have ended", "cause", &self.ended)?;
        to.counter("farboard_sessions_resumed", "Sessions that have gone on here", self.resumed.get())?;
        to.counters("farboard_refusals", "Clients that got no session", "cause", &self.refused)?;
        let help = "Connections that have not shown a secret or agreed on TLS yet";
        to.gauge("farboard_pending_logins", help, self.pending_logins.get())?;
        let help = "TLS handshakes of clients";
        to.counters("farboard_tls_handshakes", help, "outcome", &self.handshakes)?;
        let help = "1 while running games may go on and nothing new begins";
        to.gauge("farboard_draining", help, u64::from(self.is_draining()))?;
        to.counters("farboard_moves", "Moves that engines have made", "protocol", &self.moves)?;
        let help = "Delay of a move after its time was up";
        to.histogram("farboard_move_overrun", help, &self.overruns)?;
        let help = "What a move has cost on the client's clock besides thinking";
        to.histogram("farboard_move_lag", help, &self.lags)?;
        let help = "From the request of an analysis to its first variation";
        to.histogram("farboard_analysis_first_line", help, &self.first_lines)?;
        let help = "Time of a turn of the event loop, without waiting for events";
        to.histogram("farboard_loop_turn", help, &self.turns)?;
        let help = "Thinking lines that clients did not read in time";
        to.counter("farboard_output_lines_dropped", help, self.output_lines_dropped.get())?;
        let help = "Unread output and unfinished input of all clients";
        to.bytes("farboard_buffers", help, self.buffers.get())?;
        let help = "The limit of farboard_buffers_bytes (max_buffers)";
        to.bytes("farboard_buffers_max", help, self.max_buffers.get())
    }
}
