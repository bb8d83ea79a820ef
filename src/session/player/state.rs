//! The state of a player as text.

use super::pause::Paused;
use super::variations::playable_moves;
use super::{
    Engine, Findings, Held, KnownScore, MAX_KNOWN_SCORES, MoveLimits, NewSearch, Player, Purpose, Resources,
    Search, untimed_budget,
};
use crate::chess::{AnyPosition, Move, Variant};
use crate::pool::{Class, SearchBudget};
use crate::search::{Info, Limits, RootPosition};
use crate::session::Setup;
use crate::session::state::{Fields, StateError, Value, Words, describe};
use std::time::Instant;

/// The greatest count in a state: far more than a session can reach, and far from an overflow.
const MAX_COUNT: u64 = 1 << 48;
/// The most finished games of a session.
const MAX_GAMES: u32 = 1_000_000;
/// The greatest clock in milliseconds, of either sign.
const MAX_CLOCK: i64 = 1_000_000_000_000;

impl Player {
    /// The setup of a new session, with which a state is compared.
    pub(in crate::session) fn setup_for_comparison(&self) -> Setup {
        Setup { seed: 0, identity: 0, profile: self.engine.first_profile() }
    }

    /// Writes or reads the state. `root` returns the position of a search for a purpose: the game
    /// must be read before.
    pub(in crate::session) fn state(
        &mut self,
        fields: &mut Fields<'_>,
        root: impl Fn(Purpose) -> Option<RootPosition>,
    ) -> Result<(), StateError> {
        let now = fields.now();
        describe!(fields, self => Player {
            engine => engine.state(fields)?,
            limits => limits.state(fields)?,
            cores: "cores" in 1..=u8::MAX,
            memory: "memory",
            known => fields.list("known", known, MAX_KNOWN_SCORES)?,
            seeds => seeds.state(fields)?,
            identity: "identity",
            finished: "finished" in 0..=MAX_GAMES,
            last_search: "searches" in 0..=MAX_COUNT,
            search => {
                let fresh = || Box::new(Search::blank(*last_search, now));
                fields.optional("search", search, fresh, |search, fields| search.state(fields, &root))?;
            },
            paused => {
                let fresh = || Paused { since: now, until: None, owed: None };
                fields.optional("pause", paused, fresh, Paused::state)?;
            },
            debounce => debounce.state(fields)?,
            timer,
            statistics => statistics.state(fields)?,
            told => fields.list("told", told, super::events::MAX_TOLD)?,
        })?;
        if fields.is_reading() {
            if self.memory == Some(0) {
                return Err(fields.wrong("memory"));
            }
            // Another server may have less.
            let Resources { memory, cores } = self.engine.profile().resources;
            self.cores = self.cores.min(cores);
            self.memory = self.memory.map(|mebibytes| mebibytes.min(memory));
            if self.search.is_some() && self.debounce.due.is_some() {
                return Err(StateError::Inconsistent);
            }
            self.timer = self.timer_due();
        }
        Ok(())
    }
}

impl Engine {
    /// The profile, and the options that differ from its own.
    fn state(&mut self, fields: &mut Fields<'_>) -> Result<(), StateError> {
        let mut profile = self.profile_name().to_owned();
        fields.field("profile", &mut profile)?;
        if fields.is_reading() && profile != self.profile_name() {
            self.choose_profile(&profile).map_err(|_| fields.wrong("profile"))?;
        }
        if !fields.is_reading() && self.options == self.profile().options {
            return Ok(());
        }
        let defaults: Vec<_> = self.profile().options.states(self.profile()).collect();
        let current: Vec<_> = self.options().collect();
        for (option, default) in current.into_iter().zip(defaults) {
            let key = format!("option.{}", option.name.replace(' ', ""));
            let Some(now) = option.kind.value() else { continue };
            let mut value = Some(now.clone());
            // A missing line means the profile's value.
            if fields.is_reading() || Some(&now) != default.kind.value().as_ref() {
                fields.field(&key, &mut value)?;
            }
            if fields.is_reading() && value.as_ref() != Some(&now) {
                let value = value.ok_or_else(|| fields.wrong(&key))?;
                self.set(option.name, Some(&value)).map_err(|_| fields.wrong(&key))?;
            }
        }
        Ok(())
    }
}

impl Paused {
    fn state(&mut self, fields: &mut Fields<'_>) -> Result<(), StateError> {
        describe!(fields, self => Paused { since: "since", until: "until", owed: "owed" })
    }
}

impl MoveLimits {
    fn state(&mut self, fields: &mut Fields<'_>) -> Result<(), StateError> {
        fields.section("clocks", |fields| self.clocks.state(fields, MAX_CLOCK))?;
        fields.section("limit", |fields| {
            describe!(fields, self => MoveLimits {
                clocks,
                depth: "depth",
                nodes: "nodes",
                mate: "mate",
                nps: "nps",
                pace => fields.within("pace", &mut pace.0, 1..=100)?,
                lateness,
            })
        })
    }
}

/// The position's key, the score and the depth.
impl Value for KnownScore {
    fn write(&self, out: &mut String, now: Instant) {
        out.push_str(&format!("{:016x} ", self.key));
        (self.score, self.depth).write(out, now);
    }

    fn read(words: &mut Words<'_>) -> Option<KnownScore> {
        let key = u64::from_str_radix(words.word()?, 16).ok()?;
        Some(KnownScore { key, score: Value::read(words)?, depth: Value::read(words)? })
    }
}

/// A word, and its argument.
impl Value for Purpose {
    fn write(&self, out: &mut String, now: Instant) {
        match self {
            Purpose::Move => out.push_str("move"),
            Purpose::Ponder(expected) => {
                out.push_str("ponder ");
                expected.write(out, now);
            }
            Purpose::PonderOnBoard => out.push_str("ponder-on-board"),
            Purpose::Expectation => out.push_str("expectation"),
            Purpose::Analysis => out.push_str("analysis"),
            Purpose::Hint => out.push_str("hint"),
            Purpose::Perft(depth) => out.push_str(&format!("perft {depth}")),
        }
    }

    fn read(words: &mut Words<'_>) -> Option<Purpose> {
        match words.word()? {
            "move" => Some(Purpose::Move),
            "ponder" => Value::read(words).map(Purpose::Ponder),
            "ponder-on-board" => Some(Purpose::PonderOnBoard),
            "expectation" => Some(Purpose::Expectation),
            "analysis" => Some(Purpose::Analysis),
            "hint" => Some(Purpose::Hint),
            "perft" => Value::read(words).map(Purpose::Perft),
            _ => None,
        }
    }
}

impl Search {
    /// A search without any findings.
    fn blank(number: u64, now: Instant) -> Search {
        let start = AnyPosition::start(Variant::NORMAL).into();
        let budget = untimed_budget(Class::Reply, now);
        Search::new(number, &NewSearch::of(Purpose::Move, start, Limits::default(), budget), 1)
    }

    fn state(
        &mut self,
        fields: &mut Fields<'_>,
        root: impl Fn(Purpose) -> Option<RootPosition>,
    ) -> Result<(), StateError> {
        describe!(fields, self => Search {
            id => fields.within("number", &mut id.0, 0..=MAX_COUNT)?,
            purpose: "purpose",
            root,
            budget => describe!(fields, &mut *budget => SearchBudget {
                class: "class",
                since: "clock-since",
                allotment: "time",
                limits: "new-limits",
                timebase: "timebase",
            })?,
            limits: "limits",
            began,
            since,
            deadline => times(budget, [began, since], deadline, fields)?,
            findings => findings.state(fields)?,
            refused_or_failed: "failed",
            hint_wanted: "hint-wanted",
            held => {
                let flags = [
                    (None, [false, false]),
                    (Some(Held::DrawAgreed), [true, false]),
                    (Some(Held::Sitting), [false, true]),
                    (Some(Held::NoMove), [false, true]),
                ];
                fields.flags(["draw-agreed", "sitting"], held, &flags)?;
                if *held == Some(Held::Sitting) && *refused_or_failed && deadline.is_none() {
                    *held = Some(Held::NoMove);
                }
            },
            sits_until: "sits-until",
        })?;
        if fields.is_reading() {
            self.root = root(self.purpose).ok_or_else(|| fields.wrong("purpose"))?;
            if !self.has_a_possible_class() {
                return Err(fields.wrong("class"));
            }
            self.findings.validate(self.root, fields)?;
        }
        Ok(())
    }
}

impl Findings {
    fn state(&mut self, fields: &mut Fields<'_>) -> Result<(), StateError> {
        describe!(fields, self => Findings {
            known: "known",
            best: "best",
            variations => fields.section("lines", |fields| variations.state(fields))?,
            proposal: "attempts",
            progress: "progress",
            known_depth,
            told: "shown",
            done: "done",
            saved_by: "saved-by",
        })
    }

    /// Checks that a search of this position can have found this, and cuts the best line at its
    /// first illegal move.
    fn validate(&mut self, root: RootPosition, fields: &Fields<'_>) -> Result<(), StateError> {
        if let Some(best) = self.best.take() {
            self.best = Some(playable(best, root).ok_or_else(|| fields.wrong("best"))?);
        }
        if !self.variations.are_playable(root) {
            return Err(fields.wrong("lines"));
        }
        let is_legal = |mv: Option<Move>| mv.is_none_or(|mv| root.is_legal(mv));
        if !is_legal(self.known) || !is_legal(self.done.and_then(|done| done.best)) {
            return Err(StateError::Inconsistent);
        }
        Ok(())
    }
}

/// Start and end of a search, where they do not follow from its budget.
fn times(
    budget: &SearchBudget,
    starts: [&mut Instant; 2],
    deadline: &mut Option<Instant>,
    fields: &mut Fields<'_>,
) -> Result<(), StateError> {
    let is_reading = fields.is_reading();
    for (key, start) in ["began", "since"].into_iter().zip(starts) {
        let mut own = Some(*start).filter(|&start| !is_reading && start != budget.since);
        fields.field(key, &mut own)?;
        if is_reading {
            *start = own.unwrap_or(budget.since);
        }
    }
    let mut has_own_deadline = !is_reading && *deadline != budget.deadline();
    fields.field("has-own-deadline", &mut has_own_deadline)?;
    let mut own = deadline.filter(|_| has_own_deadline);
    fields.field("deadline", &mut own)?;
    if is_reading {
        *deadline = if has_own_deadline { own } else { budget.deadline() };
    }
    Ok(())
}

impl Search {
    /// Returns true if commands can have led to this class: class clock is for moves with a clock.
    fn has_a_possible_class(&self) -> bool {
        match self.budget.class {
            Class::Clock => self.budget.allotment.is_some() && self.purpose == Purpose::Move,
            Class::Reply | Class::Analysis | Class::Ponder => true,
            Class::Help => false,
        }
    }
}

/// Cuts a variation at its first illegal move; `None` if nothing is left.
pub(super) fn playable(mut info: Info, root: RootPosition) -> Option<Info> {
    let (plies, all) = (playable_moves(root, &info.pv).count(), info.pv.len());
    info.pv.truncate(plies);
    (plies > 0 || all == 0).then_some(info)
}
