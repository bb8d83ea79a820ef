//! Searches as text: their limits and findings.

use super::{Value, Words};
use crate::chess::Move;
use crate::chess::kriegspiel::Attempt;
use crate::pool::{Class, Timebase};
use crate::search::{Allotment, Bound, Done, Info, Limits, Notice, Progress, Score};
use std::sync::Arc;
use std::time::Instant;

super::words!(Class {
    Class::Clock => "clock",
    Class::Reply => "reply",
    Class::Analysis => "analysis",
    Class::Ponder => "ponder",
    Class::Help => "help",
});

super::words!(Timebase { Timebase::Wall => "wall", Timebase::Processor => "processor" });

super::words!(Bound { Bound::Exact => "exact", Bound::Lower => "lower", Bound::Upper => "upper" });

/// Centipawns, or the encoding of a mate.
impl Value for Score {
    fn write(&self, _: Instant) -> String {
        self.0.to_string()
    }

    fn read(text: &str, _: Instant) -> Option<Score> {
        let possible = -Score::INFINITE.0..=Score::INFINITE.0;
        text.parse().ok().filter(|score| possible.contains(score)).map(Score)
    }
}

/// Depth, nodes, nodes to aim for, and moves to a mate.
impl Value for Limits {
    fn write(&self, now: Instant) -> String {
        let Limits { depth, nodes, optimum_nodes, mate } = *self;
        [depth.write(now), nodes.write(now), optimum_nodes.write(now), mate.write(now)].join(" ")
    }

    fn read(text: &str, now: Instant) -> Option<Limits> {
        let mut words = Words::of(text, now);
        let (depth, nodes, optimum_nodes) = (words.next()?, words.next()?, words.next()?);
        let limits = Limits { depth, nodes, optimum_nodes, mate: words.next()? };
        words.end(limits)
    }
}

/// The times in the order of the fields.
impl Value for Allotment {
    fn write(&self, now: Instant) -> String {
        let Allotment { optimum, calm, maximum, exact } = *self;
        let times = [optimum, calm, maximum].map(|time| time.write(now)).join(" ");
        format!("{times} {}", exact.write(now))
    }

    fn read(text: &str, now: Instant) -> Option<Allotment> {
        let mut words = Words::of(text, now);
        let (optimum, calm, maximum) = (words.next()?, words.next()?, words.next()?);
        let allotment = Allotment { optimum, calm, maximum, exact: words.next()? };
        words.end(allotment)
    }
}

/// The fields in their order, the moves last.
impl Value for Info {
    fn write(&self, now: Instant) -> String {
        let Info { depth, selective_depth, score, bound, elapsed, nodes, line, pv, again, table_usage } =
            self;
        [
            depth.write(now),
            selective_depth.write(now),
            score.write(now),
            bound.write(now),
            elapsed.write(now),
            nodes.write(now),
            line.write(now),
            again.write(now),
            table_usage.write(now),
            pv.write(now),
        ]
        .join(" ")
    }

    fn read(text: &str, now: Instant) -> Option<Info> {
        let mut words = Words::of(text, now);
        let info = Info {
            depth: words.next()?,
            selective_depth: words.next()?,
            score: words.next()?,
            bound: words.next()?,
            elapsed: words.next()?,
            nodes: words.next()?,
            line: words.next()?,
            again: words.next()?,
            table_usage: words.next()?,
            pv: Vec::new(),
        };
        let pv: Vec<Move> = words.rest()?;
        Some(Info { pv, ..info })
    }
}

/// The fields in their order.
impl Value for Progress {
    fn write(&self, now: Instant) -> String {
        let Progress { depth, nodes, elapsed, moves_left, moves_total, current } = *self;
        [
            depth.write(now),
            nodes.write(now),
            elapsed.write(now),
            moves_left.write(now),
            moves_total.write(now),
            current.write(now),
        ]
        .join(" ")
    }

    fn read(text: &str, now: Instant) -> Option<Progress> {
        let mut words = Words::of(text, now);
        let progress = Progress {
            depth: words.next()?,
            nodes: words.next()?,
            elapsed: words.next()?,
            moves_left: words.next()?,
            moves_total: words.next()?,
            current: words.next()?,
        };
        words.end(progress)
    }
}

/// The fields in their order.
impl Value for Done {
    fn write(&self, now: Instant) -> String {
        let Done { best, ponder, score, depth, nodes, elapsed } = *self;
        [
            best.write(now),
            ponder.write(now),
            score.write(now),
            depth.write(now),
            nodes.write(now),
            elapsed.write(now),
        ]
        .join(" ")
    }

    fn read(text: &str, now: Instant) -> Option<Done> {
        let mut words = Words::of(text, now);
        let done = Done {
            best: words.next()?,
            ponder: words.next()?,
            score: words.next()?,
            depth: words.next()?,
            nodes: words.next()?,
            elapsed: words.next()?,
        };
        words.end(done)
    }
}

/// Score and boards, then the attempts. The belief is not written: it only saves time.
impl Value for crate::kriegspiel::Proposal {
    fn write(&self, now: Instant) -> String {
        format!("{} {} {}", self.score.write(now), self.boards, self.attempts.write(now))
    }

    fn read(text: &str, now: Instant) -> Option<Self> {
        let mut words = Words::of(text, now);
        let (score, boards) = (words.next()?, words.next()?);
        let attempts: Vec<Attempt> = words.rest()?;
        Some(crate::kriegspiel::Proposal { attempts, score, boards, belief: None })
    }
}

impl Value for Notice {
    fn write(&self, now: Instant) -> String {
        self.0.to_string().write(now)
    }

    fn read(text: &str, now: Instant) -> Option<Notice> {
        String::read(text, now).map(|text| Notice(Arc::from(text)))
    }
}
