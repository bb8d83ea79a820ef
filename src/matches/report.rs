//! The report of a match, and its games as PGN.

use super::Plan;
use super::game::Termination;
use super::match_game::Record;
use super::pairing::PlayedPair;
use super::pairs::Pairs;
use super::sprt::{Hypotheses, Verdict};
use crate::chess::{Outcome, Tags};
use crate::engines::time_control::TimeControl;
use std::collections::BTreeMap;
use std::fmt;

/// The results of a match so far.
#[derive(Clone, Debug)]
pub struct Report {
    title: String,
    names: [String; 2],
    planned: u32,
    hypotheses: Option<Hypotheses>,
    pairs: Pairs,
    /// Games won, drawn and lost by the first engine.
    games: [u32; 3],
    /// Games by their endings.
    endings: BTreeMap<String, u32>,
    /// Failures of each engine, and how often they occurred.
    failures: BTreeMap<String, u32>,
}

impl Report {
    pub(super) fn new(plan: &Plan) -> Report {
        Report {
            title: format!("{}, {}", plan.rules(), time_control(plan)),
            names: names(plan),
            planned: 2 * plan.pairs(),
            hypotheses: plan.sprt,
            pairs: Pairs::default(),
            games: [0; 3],
            endings: BTreeMap::new(),
            failures: BTreeMap::new(),
        }
    }

    pub(super) fn add(&mut self, pair: &PlayedPair) {
        for (number, finished) in pair.games.iter().enumerate() {
            self.games[2 - pair.half_points(number)] += 1;
            let text = shown(&finished.termination.text());
            if matches!(finished.termination, Termination::Failure(_) | Termination::Time) {
                let loser = &self.names[usize::from(pair.half_points(number) != 0)];
                *self.failures.entry(format!("{loser}: {text}")).or_default() += 1;
            }
            let word =
                if matches!(finished.termination, Termination::Failure(_)) { "failure" } else { &text };
            *self.endings.entry(word.to_owned()).or_default() += 1;
        }
        self.pairs.add(pair.half_points(0) + pair.half_points(1));
    }

    /// Pairs by their result.
    pub fn pairs(&self) -> Pairs {
        self.pairs
    }

    /// Finished games, and planned games.
    pub fn progress(&self) -> (u32, u32) {
        (self.games.iter().sum(), self.planned)
    }

    /// Losses on time and failures of engines, and how often they occurred.
    pub fn failures(&self) -> &BTreeMap<String, u32> {
        &self.failures
    }

    /// The verdict of the test; undecided without one.
    pub fn verdict(&self) -> Verdict {
        self.hypotheses.map_or(Verdict::Undecided, |hypotheses| hypotheses.verdict(&self.pairs))
    }

    /// The score in a line.
    pub fn score(&self) -> String {
        let [won, drawn, lost] = self.games;
        let (share, elo) = match (self.pairs.score(), self.pairs.elo()) {
            (Some(share), Some(elo)) => (share, elo),
            _ => return "no games yet".to_owned(),
        };
        let mut text = format!(
            "+{won} ={drawn} -{lost}, {:.1} % ± {:.1}, Elo {:+.0} ± {:.0}",
            100.0 * share.value,
            100.0 * share.error,
            elo.value.round() + 0.0,
            elo.error
        );
        if let Some(hypotheses) = self.hypotheses {
            let ratio = hypotheses.log_likelihood_ratio(&self.pairs);
            text.push_str(&format!(", LLR {ratio:+.2} of ±{:.2}", Hypotheses::bound()));
        }
        text
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [first, second] = &self.names;
        writeln!(f, "{first} against {second}: {}", self.title)?;
        writeln!(f, "games     {}", self.games.iter().sum::<u32>())?;
        writeln!(f, "score     {}", self.score())?;
        writeln!(f, "pairs     {:?} with 0, ½, 1, 1½, 2 points", self.pairs.counts())?;
        if let Some(Hypotheses { elo0, elo1 }) = self.hypotheses {
            let verdict = match self.verdict() {
                Verdict::Higher => format!("more than {elo0}"),
                Verdict::Lower => format!("less than {elo1}"),
                Verdict::Undecided => "undecided".to_owned(),
            };
            writeln!(f, "test      Elo {elo0} or {elo1}: {verdict}")?;
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
fn shown(text: &str) -> String {
    text.chars().filter(|letter| !letter.is_control()).take(100).collect()
}

/// A result in PGN's form.
pub(super) fn result(outcome: Outcome) -> &'static str {
    Outcome::code(Some(outcome))
}

/// A game of a pair as PGN or PDN; one of bughouse is two.
pub(super) fn pgn(plan: &Plan, pair: &PlayedPair, game: usize) -> String {
    let finished = &pair.games[game];
    let [first, second] = names(plan);
    let (white, black) = if game == 0 { (first, second) } else { (second, first) };
    let round = format!("{}.{}", pair.number + 1, game + 1);
    let tags = |round: String, white: &str, black: &str| Tags {
        event: format!("farboard match, {}", time_control(plan)),
        round,
        white: white.to_owned(),
        black: black.to_owned(),
        date: jiff::ZonedDateTime::now().strftime("%Y.%m.%d").to_string(),
        program: [true; 2],
        termination: shown(&finished.termination.text()),
        ..Tags::default()
    };
    let outcome = finished.outcome;
    let [game, other] = match &finished.record {
        Record::Chess(game) => return game.pgn(&tags(round, &white, &black), Some(outcome)),
        Record::Draughts(game) => return game.pdn(&tags(round, &white, &black), Some(outcome)),
        Record::Bughouse(boards) => &**boards,
    };
    // The teams have swapped colours at the second board.
    let mirrored = match outcome {
        Outcome::Win(winner) => Outcome::Win(!winner),
        Outcome::Draw => Outcome::Draw,
    };
    let first = game.pgn(&tags(format!("{round}.1"), &white, &black), Some(outcome));
    first + &other.pgn(&tags(format!("{round}.2"), &black, &white), Some(mirrored))
}

/// Distinct names of both engines.
fn names(plan: &Plan) -> [String; 2] {
    let [first, second] = plan.players().map(|player| player.spec.to_string());
    if first == second { [format!("{first} 1"), format!("{second} 2")] } else { [first, second] }
}

fn time_control(plan: &Plan) -> String {
    let timing = plan.timing();
    let cpu = if timing.cpu_time { " of CPU time" } else { "" };
    match timing.control {
        TimeControl::Nodes(nodes) => format!("{nodes} nodes a move"),
        TimeControl::Move(each) => format!("{} s a move{cpu}", each.as_secs_f64()),
        TimeControl::Game(clock) => {
            format!("{} s + {} s a move{cpu}", clock.base.as_secs_f64(), clock.increment.as_secs_f64())
        }
    }
}
