//! The GUI's side of UCI, sans-io: methods return the commands to send, and [`UciEngine::receive`]
//! says what a line of the engine means.

mod engine_options;
mod info;

pub use engine_options::{EngineOption, EngineOptions, OptionType};

use super::Account;
use super::event::EngineEvent;
use super::time_control::TimeControl;
use crate::chess::{AnyPosition, Move, Variant};
use crate::search::Limits;
use engine_options::truth;
use info::split_word;
use std::collections::HashMap;
use std::fmt::Write;
use std::time::Duration;

/// Sets the rules.
pub const VARIANT: &str = "UCI_Variant";
/// Selects Chess960.
pub const CHESS960: &str = "UCI_Chess960";
/// Distinguishes analyses from games.
pub const ANALYSE_MODE: &str = "UCI_AnalyseMode";

/// Beginnings of lines in which engines refuse a command or a connection; the protocol has no words
/// for that.
const REFUSALS: [&str; 3] = ["Unknown command", "No such option", "tellusererror"];

/// An engine that speaks UCI: what it has announced, and the values of its options.
#[derive(Clone, Default, Debug)]
pub struct UciEngine {
    name: Option<String>,
    options: EngineOptions,
    values: HashMap<&'static str, String>,
}

impl UciEngine {
    /// The name that the engine announces.
    pub fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }

    /// The options that the engine declares.
    pub fn options(&self) -> &EngineOptions {
        &self.options
    }

    /// Interprets a line.
    pub fn receive<'a>(&mut self, line: &'a str) -> EngineEvent<'a> {
        let line = line.trim();
        let (word, rest) = split_word(line);
        match word {
            "id" => {
                if let ("name", name) = split_word(rest) {
                    self.name = Some(name.to_owned());
                }
            }
            "option" => {
                if let Some(option) = EngineOption::parse(rest) {
                    self.options.add(option);
                }
            }
            "uciok" => return EngineEvent::Introduced,
            "readyok" => return EngineEvent::Ready,
            "info" => {
                return match split_word(rest) {
                    ("string", text) => {
                        Account::parse(text).map_or(EngineEvent::Remark(text), EngineEvent::Account)
                    }
                    _ => info::parse(rest),
                };
            }
            "bestmove" => return best_move(rest),
            _ if REFUSALS.iter().any(|words| line.starts_with(words)) => return EngineEvent::Error(line),
            _ => {}
        }
        EngineEvent::Other
    }

    /// Sets an option, also one that the engine does not declare.
    pub fn set_option(&self, name: &str, value: &str) -> String {
        let value = match self.options.get(name).map(|option| &option.kind) {
            Some(OptionType::Button) => return format!("setoption name {name}\n"),
            Some(OptionType::Check) => match truth(value) {
                Some(true) => "true",
                Some(false) => "false",
                None => value,
            },
            Some(OptionType::Spin(..) | OptionType::Combo(_) | OptionType::Text) | None => value,
        };
        format!("setoption name {name} value {value}\n")
    }

    /// Forgets the values of options, so that each is sent again.
    pub fn forget_values(&mut self) {
        self.values.clear();
    }

    /// Sets an option that the engine declares, unless it has this value.
    pub fn update_option(&mut self, name: &'static str, value: impl ToString) -> String {
        let value = value.to_string();
        if !self.options.has(name) || self.values.get(name) == Some(&value) {
            return String::new();
        }
        let text = format!("setoption name {name} value {value}\n");
        self.values.insert(name, value);
        text
    }

    /// The values of `UCI_Variant` and `UCI_Chess960` for a variant; `None` if the engine does not
    /// play it.
    fn variant_values(&self, variant: Variant) -> Option<(&'static str, bool)> {
        if let Some(orthodox) = variant.without_chess960() {
            let (name, _) = self.variant_values(orthodox).filter(|_| self.options.has(CHESS960))?;
            return Some((name, true));
        }
        if variant == Variant::NORMAL {
            return Some(("chess", false));
        }
        let knows = self.options.choices(VARIANT).iter().any(|name| name == variant.name());
        knows.then_some((variant.name(), false))
    }

    /// Returns true if the engine plays a variant.
    pub fn plays(&self, variant: Variant) -> bool {
        self.variant_values(variant).is_some()
    }

    /// Selects a variant that the engine plays.
    pub fn set_variant(&mut self, variant: Variant) -> String {
        let Some((name, chess960)) = self.variant_values(variant) else { return String::new() };
        self.update_option(VARIANT, name) + &self.update_option(CHESS960, chess960)
    }

    /// Begins a game or an analysis of a variant.
    pub(super) fn begin(&mut self, variant: Variant, is_analysis: bool) -> String {
        self.set_variant(variant) + &self.update_option(ANALYSE_MODE, is_analysis) + "ucinewgame\n"
    }

    /// The position after these moves.
    pub fn position(start: &AnyPosition, moves: &[Move]) -> String {
        let mut text = format!("position fen {}", start.fen());
        let mut position = *start;
        for (ply, &mv) in moves.iter().enumerate() {
            text.push_str(if ply == 0 { " moves " } else { " " });
            text.push_str(&position.coordinates(mv));
            position.play(mv);
        }
        text.push('\n');
        text
    }

    /// Searches within limits of plies, nodes and moves to mate, or until stopped; only some first
    /// moves unless the list is empty.
    pub fn go(limits: &Limits, first_moves: &[String]) -> String {
        let mut text = "go".to_owned();
        if let Some(depth) = limits.depth {
            let _ = write!(text, " depth {depth}");
        }
        if let Some(nodes) = limits.nodes {
            let _ = write!(text, " nodes {}", nodes.max(1));
        }
        if let Some(moves) = limits.mate {
            let _ = write!(text, " mate {moves}");
        }
        if text.len() == 2 {
            text.push_str(" infinite");
        }
        if !first_moves.is_empty() {
            // Last, since engines take everything behind it for moves.
            let _ = write!(text, " searchmoves {}", first_moves.join(" "));
        }
        text.push('\n');
        text
    }

    /// Searches for a move; `left` is the time of White and Black.
    pub(super) fn go_for_move(control: TimeControl, left: [Duration; 2]) -> String {
        match control {
            TimeControl::Nodes(nodes) => format!("go nodes {nodes}\n"),
            TimeControl::Move(each) => format!("go movetime {}\n", each.as_millis()),
            TimeControl::Game(clock) => {
                // 0 would stand for no limit.
                let [white, black] = left.map(|left| left.as_millis().max(1));
                let increment = clock.increment.as_millis();
                format!("go wtime {white} btime {black} winc {increment} binc {increment}\n")
            }
        }
    }
}

fn best_move(text: &str) -> EngineEvent<'_> {
    let is_move = |word: &&str| !matches!(*word, "(none)" | "0000" | "NULL" | "none");
    let mut words = text.split_ascii_whitespace();
    let best = words.next().filter(is_move);
    let ponder = words.next().filter(|&word| word == "ponder").and_then(|_| words.next()).filter(is_move);
    EngineEvent::BestMove { best, ponder }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::Game;
    use crate::protocol::uci::VariantChoice;

    fn engine(options: &[&str]) -> UciEngine {
        let mut engine = UciEngine::default();
        for line in options {
            assert_eq!(engine.receive(&format!("option name {line}")), EngineEvent::Other, "{line}");
        }
        assert_eq!(engine.receive("uciok"), EngineEvent::Introduced);
        engine
    }

    #[test]
    fn check_options_accept_words_of_people() {
        let ponder = engine(&["Ponder type check default false"]);
        for (value, sent) in [("on", "true"), ("True", "true"), ("0", "false"), ("maybe", "maybe")] {
            assert_eq!(ponder.set_option("Ponder", value), format!("setoption name Ponder value {sent}\n"));
        }
    }

    #[test]
    fn best_moves_may_be_missing() {
        let best = |best, ponder| EngineEvent::BestMove { best, ponder };
        let mut engine = UciEngine::default();
        assert_eq!(engine.receive("bestmove e2e4 ponder e7e5\r"), best(Some("e2e4"), Some("e7e5")));
        assert_eq!(engine.receive("bestmove e7e8q"), best(Some("e7e8q"), None));
        assert_eq!(engine.receive("bestmove e7e8q ponder (none)"), best(Some("e7e8q"), None));
        for none in ["bestmove (none)", "bestmove 0000", "bestmove NULL", "bestmove"] {
            assert_eq!(engine.receive(none), best(None, None));
        }
    }

    #[test]
    fn remarks_errors_and_accounts_are_told_apart() {
        let mut engine = UciEngine::default();
        assert_eq!(engine.receive("info string depth 3 pv e2e4"), EngineEvent::Remark("depth 3 pv e2e4"));
        let account = Account { nodes: Some(1000), used: 120, maximum: Some(4950) };
        let line = "info string depth 5, score +0.31, 1000 nodes; 120 ms used of 300 to 4950 ms; lag 0 ms";
        assert_eq!(engine.receive(line), EngineEvent::Account(account));
        for error in ["Unknown command: 'debug on'.", "No such option: x", "tellusererror it is full"] {
            assert_eq!(engine.receive(error), EngineEvent::Error(error));
        }
        for other in ["", "info", "option", "id", "id author X", "infos", "Stockfish 15.1 by others"] {
            assert_eq!(engine.receive(other), EngineEvent::Other, "{other}");
        }
    }

    #[test]
    fn a_variant_is_selected_by_options_that_exist() {
        let variants: String = VariantChoice::all().map(|choice| format!(" var {}", choice.name)).collect();
        let all = engine(&[
            &format!("UCI_Variant type combo default chess{variants}"),
            "UCI_Chess960 type check default false",
        ]);
        for choice in VariantChoice::all().filter(|choice| choice.name != "antichess") {
            let is_fischerandom = choice.variant == Variant::FISCHERANDOM;
            let name = if is_fischerandom { "chess" } else { choice.name };
            let expected = format!(
                "setoption name UCI_Variant value {name}\nsetoption name UCI_Chess960 value {is_fischerandom}\n\
                 ucinewgame\n"
            );
            assert_eq!(all.clone().begin(choice.variant, false), expected);
        }
        let atomic960 = Variant::ATOMIC.with_chess960().unwrap();
        assert!(all.clone().begin(atomic960, false).starts_with(
            "setoption name UCI_Variant value atomic\nsetoption name UCI_Chess960 value true\n"
        ));
        let mut shared = all.clone();
        assert!(shared.begin(Variant::NORMAL, false).contains("UCI_Variant value chess"));
        assert_eq!(shared.begin(Variant::NORMAL, false), "ucinewgame\n");
        shared.forget_values();
        assert!(shared.begin(Variant::NORMAL, false).contains("UCI_Variant value chess"));
        let mut plain = engine(&["Hash type spin default 16 min 1 max 1024"]);
        assert!(
            plain.plays(Variant::NORMAL) && !plain.plays(Variant::FISCHERANDOM) && !plain.plays(atomic960)
        );
        assert_eq!(plain.begin(Variant::NORMAL, true), "ucinewgame\n");
        assert_eq!(plain.update_option(ANALYSE_MODE, true), "");
    }

    #[test]
    fn options_are_written_by_their_types() {
        let engine = engine(&["Clear Hash type button", "Ponder type check default false"]);
        assert_eq!(engine.set_option("Clear Hash", "1"), "setoption name Clear Hash\n");
        assert_eq!(engine.set_option("ponder", "1"), "setoption name ponder value true\n");
        assert_eq!(engine.set_option("Ponder", "0"), "setoption name Ponder value false\n");
        assert_eq!(engine.set_option("Secret", "7"), "setoption name Secret value 7\n");
    }

    #[test]
    fn a_position_has_all_moves_and_go_has_both_clocks() {
        let mut game = Game::from_fen(Variant::FISCHERANDOM, "4k3/8/8/8/8/8/8/4K2R w H - 0 1").unwrap();
        game.play(game.position().parse_move("O-O").unwrap());
        let position = UciEngine::position(game.start(), game.moves());
        assert_eq!(position, "position fen 4k3/8/8/8/8/8/8/4K2R w H - 0 1 moves e1h1\n");
        let go = |left| UciEngine::go_for_move(TimeControl::Game("5+0.05".parse().unwrap()), left);
        let left = [Duration::from_millis(4050), Duration::ZERO];
        assert_eq!(go(left), "go wtime 4050 btime 1 winc 50 binc 50\n");
    }

    #[test]
    fn an_analysis_ends_at_its_limits_or_never() {
        let none = Limits::default();
        assert_eq!(UciEngine::go(&none, &[]), "go infinite\n");
        let limits = Limits { depth: Some(7), nodes: Some(0), mate: Some(2), ..none };
        assert_eq!(UciEngine::go(&limits, &[]), "go depth 7 nodes 1 mate 2\n");
        let moves = ["e2e4", "d2d4"].map(str::to_owned);
        assert_eq!(UciEngine::go(&none, &moves), "go infinite searchmoves e2e4 d2d4\n");
    }
}
