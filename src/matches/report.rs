//! The report of a match.

use super::game::Termination;
use super::pairing::PlayedPair;
use super::pairs::Pairs;
use super::player::Player;
use super::sprt::{Hypotheses, Verdict};
use super::standing::Standing;
use super::{EngineSpec, Plan};
use crate::engines::time_control::TimeControl;
use std::collections::BTreeMap;
use std::fmt;

/// The results of a match so far.
#[derive(Clone, Debug)]
pub struct Report {
    title: String,
    /// The names of the engines, the first one first; not yet distinct.
    names: Vec<String>,
    planned: u32,
    hypotheses: Option<Hypotheses>,
    /// The results of the first engine against each opponent.
    standings: Vec<Standing>,
    /// Whether to show CPU time: where nodes limit different programs, whose nodes differ.
    shows_cpu_time: bool,
    /// Games by their endings.
    endings: BTreeMap<String, u32>,
    /// Failures of each engine, and how often they occurred.
    failures: BTreeMap<String, u32>,
}

impl Report {
    pub(super) fn new(plan: &Plan, players: &[Player]) -> Report {
        Report {
            title: format!("{}, {}", plan.rules(), time_control(plan, &players.iter().collect::<Vec<_>>())),
            names: players.iter().map(|player| player.spec.to_string()).collect(),
            planned: plan.all_games(),
            hypotheses: plan.sprt,
            standings: vec![Standing::default(); plan.opponents.len()],
            shows_cpu_time: !plan.nodes.is_empty()
                && players.iter().any(|player| player.spec != EngineSpec::InProcess),
            endings: BTreeMap::new(),
            failures: BTreeMap::new(),
        }
    }

    pub(super) fn add(&mut self, pair: &PlayedPair) {
        self.names[0].clone_from(&pair.names[0]);
        self.names[pair.opponent + 1].clone_from(&pair.names[1]);
        let names = self.names_of(pair.opponent);
        for (number, finished) in pair.games.iter().enumerate() {
            let text = shown(&finished.termination.text());
            if matches!(finished.termination, Termination::Failure(_) | Termination::Time) {
                let loser = &names[usize::from(pair.half_points(number) != 0)];
                *self.failures.entry(format!("{loser}: {text}")).or_default() += 1;
            }
            let word =
                if matches!(finished.termination, Termination::Failure(_)) { "failure" } else { &text };
            *self.endings.entry(word.to_owned()).or_default() += 1;
        }
        self.standings[pair.opponent].add(pair);
    }

    /// Distinct names of the first engine and of an opponent.
    pub(super) fn names_of(&self, opponent: usize) -> [String; 2] {
        [0, opponent + 1].map(|index| {
            let name = &self.names[index];
            let is_shared = self.names.iter().filter(|other| *other == name).count() > 1;
            if is_shared { format!("{name} ({})", index + 1) } else { name.clone() }
        })
    }

    /// The results against all opponents.
    fn total(&self) -> Standing {
        let mut total = Standing::default();
        self.standings.iter().for_each(|standing| total.append(standing));
        total
    }

    /// Pairs by their result.
    pub fn pairs(&self) -> Pairs {
        self.total().pairs
    }

    /// Finished games, and planned games.
    pub fn progress(&self) -> (u32, u32) {
        (self.total().len(), self.planned)
    }

    /// Losses on time and failures of engines, and how often they occurred.
    pub fn failures(&self) -> &BTreeMap<String, u32> {
        &self.failures
    }

    /// The verdict of the test; undecided without one.
    pub fn verdict(&self) -> Verdict {
        self.hypotheses.map_or(Verdict::Undecided, |hypotheses| hypotheses.verdict(&self.pairs()))
    }

    /// The score in a line.
    pub fn score(&self) -> String {
        let mut text = self.total().to_string();
        if let Some(hypotheses) = self.hypotheses {
            let ratio = hypotheses.log_likelihood_ratio(&self.pairs());
            text.push_str(&format!(", LLR {ratio:+.2} of ±{:.2}", Hypotheses::bound()));
        }
        text
    }

    /// Writes a line for each opponent: the table of a gauntlet.
    fn write_opponents(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<String> =
            (0..self.standings.len()).map(|opponent| self.names_of(opponent)[1].clone()).collect();
        let width = names.iter().map(|name| name.chars().count()).max().unwrap_or(0);
        for (name, standing) in names.iter().zip(&self.standings) {
            write!(f, "against   {name:width$}  {:5} games  {standing}", standing.len())?;
            let cpu_time = standing.cpu_time().filter(|_| self.shows_cpu_time);
            writeln!(f, "{}", cpu_time.map_or(String::new(), |cpu_time| format!(", CPU {cpu_time}")))?;
        }
        Ok(())
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ([first, second], total) = (self.names_of(0), self.total());
        match self.standings.len() {
            1 => writeln!(f, "{first} against {second}: {}", self.title)?,
            opponents => writeln!(f, "{first} against {opponents} engines: {}", self.title)?,
        }
        writeln!(f, "games     {}", total.len())?;
        writeln!(f, "score     {}", self.score())?;
        if let Some(normalized) = total.normalized() {
            writeln!(f, "nElo      {normalized}")?;
        }
        writeln!(f, "pairs     {:?} with 0, ½, 1, 1½, 2 points", total.pairs.counts())?;
        if let Some(Hypotheses { elo0, elo1 }) = self.hypotheses {
            let verdict = match self.verdict() {
                Verdict::Higher => format!("more than {elo0}"),
                Verdict::Lower => format!("less than {elo1}"),
                Verdict::Undecided => "undecided".to_owned(),
            };
            writeln!(f, "test      Elo {elo0} or {elo1}: {verdict}")?;
        }
        if self.standings.len() > 1 {
            self.write_opponents(f)?;
        } else if let Some(cpu_time) = total.cpu_time().filter(|_| self.shows_cpu_time) {
            writeln!(f, "CPU       {cpu_time}")?;
        }
        let endings: Vec<String> =
            self.endings.iter().map(|(ending, count)| format!("{count} {ending}")).collect();
        writeln!(f, "endings   {}", endings.join(", "))?;
        for (failure, count) in &self.failures {
            writeln!(f, "failure   {count} × {failure}")?;
        }
        Ok(())
    }
}

/// The printable part of an engine's text.
pub(super) fn shown(text: &str) -> String {
    text.chars().filter(|letter| !letter.is_control()).take(100).collect()
}

/// The time control of these players in words.
pub(super) fn time_control(plan: &Plan, players: &[&Player]) -> String {
    let cpu = if plan.cpu_time { " of CPU time" } else { "" };
    match players[0].control(plan) {
        TimeControl::Nodes(_) => {
            let mut nodes: Vec<String> =
                players.iter().filter_map(|player| Some(player.nodes?.to_string())).collect();
            nodes.dedup();
            format!("{} nodes a move", nodes.join(", "))
        }
        TimeControl::Move(each) => format!("{} s a move{cpu}", each.as_secs_f64()),
        TimeControl::Game(clock) => {
            format!("{} s + {} s a move{cpu}", clock.base.as_secs_f64(), clock.increment.as_secs_f64())
        }
    }
}
