//! The state of a player as text.

use super::options::OptionKind;
use super::pause::Paused;
use super::{
    Engine, Findings, Held, KnownScore, MAX_KNOWN_SCORES, MoveLimits, Player, Purpose, Resources, Search,
    untimed_budget,
};
use crate::chess::{AnyPosition, Move, Variant};
use crate::pool::Class;
use crate::search::{Info, Limits, RootPosition};
use crate::session::state::{Fields, StateError, Value, Words};
use std::time::Instant;

/// The greatest count in a state: far more than a session can reach, and far from an overflow.
const MAX_COUNT: u64 = 1 << 48;
/// The most finished games of a session.
const MAX_GAMES: u32 = 1_000_000;
/// The greatest clock in milliseconds, of either sign.
const MAX_CLOCK: i64 = 1_000_000_000_000;

impl Player {
    /// Writes or reads the state. `root` returns the position of a search for a purpose: the game
    /// must be read before.
    pub(in crate::session) fn state(
        &mut self,
        fields: &mut Fields<'_>,
        root: impl Fn(Purpose) -> Option<RootPosition>,
    ) -> Result<(), StateError> {
        // Not a use of the fields: makes the compiler report one that is missing below.
        let Player {
            engine: _,
            limits: _,
            cores: _,
            memory: _,
            known: _,
            seeds: _,
            identity: _,
            finished: _,
            search: _,
            last_search: _,
            paused: _,
            debounce: _,
            timer: _,
            statistics: _,
            told: _,
        } = self;
        self.engine.state(fields)?;
        self.limits.state(fields)?;
        let Resources { memory, cores } = self.engine.profile().resources;
        fields.within("cores", &mut self.cores, 1..=u8::MAX)?;
        fields.field("memory", &mut self.memory)?;
        if fields.is_reading() {
            if self.memory == Some(0) {
                return Err(fields.wrong("memory"));
            }
            // Another server may have less.
            self.cores = self.cores.min(cores);
            self.memory = self.memory.map(|mebibytes| mebibytes.min(memory));
        }
        fields.list("known", &mut self.known, MAX_KNOWN_SCORES)?;
        self.seeds.state(fields)?;
        fields.field("identity", &mut self.identity)?;
        fields.within("finished", &mut self.finished, 0..=MAX_GAMES)?;
        fields.within("searches", &mut self.last_search, 0..=MAX_COUNT)?;
        let fresh = Search::blank(self.last_search, fields.now());
        fields.optional(
            "search",
            &mut self.search,
            || fresh,
            |search, fields| search.state(fields, &root),
        )?;
        let paused = Paused { since: fields.now(), until: None, owed: None };
        fields.optional(
            "pause",
            &mut self.paused,
            || paused,
            |paused, fields| {
                fields.field("since", &mut paused.since)?;
                fields.field("until", &mut paused.until)?;
                fields.field("owed", &mut paused.owed)
            },
        )?;
        self.debounce.state(fields)?;
        self.statistics.state(fields)?;
        fields.list("told", &mut self.told, super::events::MAX_TOLD)?;
        if fields.is_reading() {
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
            let Some(now) = value_of(&option.kind) else { continue };
            let mut value = Some(now.clone());
            // A missing line means the profile's value.
            if fields.is_reading() || Some(&now) != value_of(&default.kind).as_ref() {
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

/// The value of an option as `option NAME=VALUE` takes it; `None` for a button.
fn value_of(kind: &OptionKind) -> Option<String> {
    match kind {
        OptionKind::Button => None,
        OptionKind::Check(on) => Some(u8::from(*on).to_string()),
        OptionKind::Spin(value, ..) | OptionKind::Slider(value, ..) => Some(value.to_string()),
        OptionKind::Text(text) | OptionKind::File(text) | OptionKind::Folder(text) => Some(text.clone()),
        OptionKind::Combo(choices, chosen) => choices.get(*chosen).cloned(),
    }
}

impl MoveLimits {
    fn state(&mut self, fields: &mut Fields<'_>) -> Result<(), StateError> {
        // Not a use of the fields: makes the compiler report one that is missing below.
        let MoveLimits { clocks, depth, nodes, mate, pace, nps, lateness: _ } = self;
        fields.section("clocks", |fields| clocks.state(fields, MAX_CLOCK))?;
        fields.section("limit", |fields| {
            fields.field("depth", depth)?;
            fields.field("nodes", nodes)?;
            fields.field("mate", mate)?;
            fields.field("nps", nps)?;
            fields.within("pace", &mut pace.0, 1..=100)
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
        Search::begun(number, Purpose::Move, start, Limits::default(), untimed_budget(Class::Reply, now), 1)
    }

    fn state(
        &mut self,
        fields: &mut Fields<'_>,
        root: impl Fn(Purpose) -> Option<RootPosition>,
    ) -> Result<(), StateError> {
        // Not a use of the fields: makes the compiler report one that is missing below.
        let Search {
            id: _,
            purpose: _,
            root: _,
            budget: _,
            limits: _,
            began: _,
            since: _,
            deadline: _,
            findings: _,
            refused_or_failed: _,
            hint_wanted: _,
            held: _,
            sits_until: _,
        } = self;
        fields.within("number", &mut self.id.0, 0..=MAX_COUNT)?;
        fields.field("purpose", &mut self.purpose)?;
        fields.field("class", &mut self.budget.class)?;
        fields.field("clock-since", &mut self.budget.since)?;
        fields.field("time", &mut self.budget.allotment)?;
        fields.field("new-limits", &mut self.budget.limits)?;
        fields.field("timebase", &mut self.budget.timebase)?;
        fields.field("limits", &mut self.limits)?;
        self.times(fields)?;
        self.findings.state(fields)?;
        fields.field("failed", &mut self.refused_or_failed)?;
        fields.field("hint-wanted", &mut self.hint_wanted)?;
        let (mut draw_agreed, mut sitting) = (self.is_draw_agreed(), self.is_sitting());
        fields.field("draw-agreed", &mut draw_agreed)?;
        fields.field("sitting", &mut sitting)?;
        self.held = match (draw_agreed, sitting) {
            (false, false) => None,
            (true, false) => Some(Held::DrawAgreed),
            (false, true) if self.refused_or_failed && self.deadline.is_none() => Some(Held::NoMove),
            (false, true) => Some(Held::Sitting),
            (true, true) => return Err(fields.wrong("sitting")),
        };
        fields.field("sits-until", &mut self.sits_until)?;
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
        // Not a use of the fields: makes the compiler report one that is missing below.
        let Findings {
            known: _,
            best: _,
            variations: _,
            proposal: _,
            progress: _,
            known_depth: _,
            told: _,
            done: _,
            saved_by: _,
        } = self;
        fields.field("known", &mut self.known)?;
        fields.field("best", &mut self.best)?;
        fields.section("lines", |fields| self.variations.state(fields))?;
        fields.field("attempts", &mut self.proposal)?;
        fields.field("progress", &mut self.progress)?;
        fields.field("shown", &mut self.told)?;
        fields.field("done", &mut self.done)?;
        fields.field("saved-by", &mut self.saved_by)
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

impl Search {
    /// Start and end, where they do not follow from the budget.
    fn times(&mut self, fields: &mut Fields<'_>) -> Result<(), StateError> {
        let (since, due) = (self.budget.since, self.budget.deadline());
        // On reading, missing times follow from the budget.
        let is_own = |at: &Instant, fields: &Fields<'_>| !fields.is_reading() && *at != since;
        let mut began = Some(self.began).filter(|at| is_own(at, fields));
        fields.field("began", &mut began)?;
        let mut own_since = Some(self.since).filter(|at| is_own(at, fields));
        fields.field("since", &mut own_since)?;
        let mut has_own_deadline = !fields.is_reading() && self.deadline != due;
        fields.field("has-own-deadline", &mut has_own_deadline)?;
        let mut deadline = self.deadline.filter(|_| has_own_deadline);
        fields.field("deadline", &mut deadline)?;
        if fields.is_reading() {
            (self.began, self.since) = (began.unwrap_or(since), own_since.unwrap_or(since));
            self.deadline = if has_own_deadline { deadline } else { due };
        }
        Ok(())
    }
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
pub(super) fn playable(mut info: Info, mut root: RootPosition) -> Option<Info> {
    let legal = info.pv.iter().take_while(|&&mv| {
        let is_legal = root.is_legal(mv);
        if is_legal {
            root.play(mv);
        }
        is_legal
    });
    let (plies, all) = (legal.count(), info.pv.len());
    info.pv.truncate(plies);
    (plies > 0 || all == 0).then_some(info)
}
