//! Searches as text: their limits and findings.

use super::{Value, Words, record, text, words};
use crate::pool::{Class, Timebase};
use crate::search::{Allotment, Bound, Done, Info, Limits, Notice, Progress, Score};
use std::sync::Arc;
use std::time::Instant;

words!(Class {
    Class::Clock => "clock",
    Class::Reply => "reply",
    Class::Analysis => "analysis",
    Class::Ponder => "ponder",
    Class::Help => "help",
});

words!(Timebase { Timebase::Wall => "wall", Timebase::Processor => "processor" });

words!(Bound { Bound::Exact => "exact", Bound::Lower => "lower", Bound::Upper => "upper" });

// Centipawns, or the encoding of a mate.
text!(Score, word, |score| score.0, |word: &str| {
    let possible = -Score::INFINITE.0..=Score::INFINITE.0;
    word.parse().ok().filter(|score| possible.contains(score)).map(Score)
});

record!(Limits { depth, nodes, optimum_nodes, mate });

record!(Allotment { optimum, calm, maximum, exact });

record!(Info { depth, selective_depth, score, bound, elapsed, nodes, line, again, table_usage, pv });

record!(Progress { depth, nodes, elapsed, moves_left, moves_total, current });

record!(Done { best, ponder, score, depth, nodes, elapsed });

/// Score and boards, then the attempts. The belief is not written: it only saves time.
impl Value for crate::kriegspiel::Proposal {
    fn write(&self, out: &mut String, now: Instant) {
        (self.score, self.boards).write(out, now);
        out.push(' ');
        self.attempts.write(out, now);
    }

    fn read(words: &mut Words<'_>) -> Option<Self> {
        let (score, boards) = Value::read(words)?;
        Some(crate::kriegspiel::Proposal { attempts: Value::read(words)?, score, boards, belief: None })
    }
}

impl Value for Notice {
    fn write(&self, out: &mut String, now: Instant) {
        self.0.to_string().write(out, now);
    }

    fn read(words: &mut Words<'_>) -> Option<Notice> {
        String::read(words).map(|text| Notice(Arc::from(text)))
    }
}
