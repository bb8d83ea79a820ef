//! An engine that speaks UCI.
//!
//! The text of April 2006 says what is sent when; that most engines block on anything else than `stop` while they search is
//! heeded here: options are set before a search alone.

use super::{Heard, Inability, Question, Variation, centipawns, mate};
use crate::chess::Variant;
use crate::engines::uci::{EngineLine, EngineOptions, OptionType, UciScore};
use crate::search::{Score, Strength};
use std::collections::HashMap;
use std::fmt::Write;

const VARIANT: &str = "UCI_Variant";
const CHESS960: &str = "UCI_Chess960";
const LINES: &str = "MultiPV";
const LIMIT: &str = "UCI_LimitStrength";
const ELO: &str = "UCI_Elo";
const LEVEL: &str = "Skill Level";
const ANALYSES: &str = "UCI_AnalyseMode";
const CLEAR: &str = "Clear Hash";

/// Options of UCI that are set for each search, and so are not for the configuration.
pub const MANAGED_OPTIONS: [&str; 8] = [VARIANT, CHESS960, LINES, LIMIT, ELO, LEVEL, ANALYSES, "Ponder"];

/// What an engine has said of itself, and how its options stand.
#[derive(Default, Debug)]
pub(in crate::hosting) struct Uci {
    name: Option<String>,
    options: EngineOptions,
    values: HashMap<&'static str, String>,
}

impl Uci {
    pub fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }

    pub fn unknown_options<'a>(&self, options: &'a [(String, String)]) -> Vec<&'a str> {
        let names = options.iter().map(|(name, _)| name.as_str());
        names.filter(|name| !self.options.has(name)).collect()
    }

    pub fn set_up(&mut self, options: &[(String, String)]) -> String {
        let mut text = String::new();
        for (name, value) in options {
            let _ = match self.options.get(name).map(|option| &option.kind) {
                None => Ok(()),
                Some(OptionType::Button) => writeln!(text, "setoption name {name}"),
                Some(OptionType::Check) => {
                    let value = if matches!(value.as_str(), "1" | "true") { "true" } else { "false" };
                    writeln!(text, "setoption name {name} value {value}")
                }
                Some(_) => writeln!(text, "setoption name {name} value {value}"),
            };
        }
        text.push_str("isready\n");
        text
    }

    /// How many lines it can show.
    pub fn most_lines(&self) -> u8 {
        let most = self.options.range(LINES).map_or(1, |(_, most)| most);
        u8::try_from(most.max(1)).unwrap_or(u8::MAX)
    }

    pub fn inabilities(&self, question: &Question) -> Vec<Inability> {
        let mut found = Vec::new();
        let variant = question.position.variant();
        if self.variant_words(variant).is_none() {
            found.push(Inability::Variant(variant.name()));
        }
        if question.lines > self.most_lines() {
            found.push(Inability::Lines(self.most_lines()));
        }
        let weakens = self.options.has(LEVEL) || self.options.has(LIMIT) && self.options.has(ELO);
        if question.strength.is_some() && !weakens {
            found.push(Inability::Strength);
        }
        found
    }

    /// The values of the two options that make a variant; `None` if the engine does not play it.
    fn variant_words(&self, variant: Variant) -> Option<(&'static str, bool)> {
        match variant {
            Variant::NORMAL => Some(("chess", false)),
            Variant::FISCHERANDOM => self.options.has(CHESS960).then_some(("chess", true)),
            other => {
                let knows = self.options.choices(VARIANT).iter().any(|name| name == other.name());
                knows.then_some((other.name(), false))
            }
        }
    }

    pub fn prepare(&mut self, question: &Question, clear: bool) -> String {
        let mut text = String::new();
        if let Some((variant, chess960)) = self.variant_words(question.position.variant()) {
            self.set(VARIANT, variant.to_owned(), &mut text);
            self.set(CHESS960, chess960.to_string(), &mut text);
        }
        self.set(LINES, question.lines.min(self.most_lines()).to_string(), &mut text);
        self.set_strength(question.strength, &mut text);
        self.set(ANALYSES, (!question.game).to_string(), &mut text);
        if clear {
            // One of them is enough: Stockfish clears its table at each, which takes as long as a slice if it is large.
            if self.options.has(CLEAR) {
                let _ = writeln!(text, "setoption name {CLEAR}");
            } else {
                text.push_str("ucinewgame\n");
            }
        }
        text.push_str("isready\n");
        text
    }

    fn set_strength(&mut self, strength: Option<Strength>, text: &mut String) {
        if let Some((least, most)) = self.options.range(ELO).filter(|_| self.options.has(LIMIT)) {
            self.set(LIMIT, strength.is_some().to_string(), text);
            if let Some(strength) = strength {
                self.set(ELO, i64::from(strength.elo()).clamp(least, most).to_string(), text);
            }
        } else if let Some((least, most)) = self.options.range(LEVEL) {
            let (weakest, range) =
                (i64::from(Strength::WEAKEST), i64::from(Strength::STRONGEST - Strength::WEAKEST));
            let level =
                |strength: Strength| least + (i64::from(strength.elo()) - weakest) * (most - least) / range;
            self.set(LEVEL, strength.map_or(most, level).to_string(), text);
        }
    }

    /// Sets an option that the engine has, if it has another value.
    fn set(&mut self, name: &'static str, value: String, text: &mut String) {
        if self.options.has(name) && self.values.get(name) != Some(&value) {
            let _ = writeln!(text, "setoption name {name} value {value}");
            self.values.insert(name, value);
        }
    }

    pub fn go(question: &Question, nodes_left: Option<u64>) -> String {
        let mut text = format!("position fen {}", question.from.fen());
        for (index, (position, mv)) in question.each_move().enumerate() {
            text.push_str(if index == 0 { " moves " } else { " " });
            text.push_str(&position.coordinates(mv));
        }
        text.push_str("\ngo");
        let depth = question.limits.depth;
        if let Some(depth) = depth {
            let _ = write!(text, " depth {depth}");
        }
        if let Some(nodes) = nodes_left {
            let _ = write!(text, " nodes {}", nodes.max(1));
        }
        let mate = question.limits.mate;
        if let Some(moves) = mate {
            let _ = write!(text, " mate {moves}");
        }
        if depth.is_none() && nodes_left.is_none() && mate.is_none() {
            text.push_str(" infinite");
        }
        if !question.excluded.is_empty() {
            // The last words: engines take everything behind them for moves.
            text.push_str(" searchmoves");
            for &mv in &question.allowed {
                let _ = write!(text, " {}", question.position.coordinates(mv));
            }
        }
        text.push('\n');
        text
    }

    pub fn hear<'a>(&mut self, line: &'a str) -> Heard<'a> {
        match EngineLine::parse(line) {
            EngineLine::Name(name) => self.name = Some(name.to_owned()),
            EngineLine::Option(option) => self.options.add(option),
            EngineLine::UciOk => return Heard::Greeted,
            EngineLine::ReadyOk => return Heard::Ready,
            EngineLine::BestMove { best, ponder } => return Heard::Ended { best, ponder },
            EngineLine::Info(info) if !info.pv.is_empty() => {
                let depth = info.depth.unwrap_or(1);
                return Heard::Variation(Variation {
                    depth,
                    selective_depth: info.selective_depth.unwrap_or(depth),
                    line: info.line.max(1),
                    score: info.score.map_or(Score::DRAW, |score| match score {
                        UciScore::Centipawns(score) => centipawns(score.into()),
                        UciScore::Mate(moves) => mate(moves.into()),
                    }),
                    bound: info.bound,
                    nodes: info.nodes.unwrap_or(0),
                    pv: info.pv,
                    binding: true,
                });
            }
            EngineLine::Info(info) => {
                if let Some((mv, number)) = info.current {
                    return Heard::Current(info.depth.unwrap_or(1), mv, number);
                }
            }
            EngineLine::Remark(_) | EngineLine::Other => {}
        }
        Heard::Nothing
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::{AnyPosition, Game};
    use crate::protocol::xboard::variant_named;
    use crate::search::{GameRecord, Limits, Request};

    const STOCKFISH: [&str; 9] = [
        "id name Stockfish 15.1",
        "option name Hash type spin default 16 min 1 max 33554432",
        "option name Clear Hash type button",
        "option name MultiPV type spin default 1 min 1 max 500",
        "option name Skill Level type spin default 20 min 0 max 20",
        "option name UCI_Chess960 type check default false",
        "option name UCI_AnalyseMode type check default false",
        "option name UCI_LimitStrength type check default false",
        "option name UCI_Elo type spin default 1350 min 1350 max 2850",
    ];

    fn engine(lines: &[&str]) -> Uci {
        let mut engine = Uci::default();
        for line in lines {
            assert_eq!(engine.hear(line), Heard::Nothing, "{line}");
        }
        assert_eq!(engine.hear("uciok"), Heard::Greeted);
        engine
    }

    fn question(request: Request) -> Question {
        Question::of(&request).unwrap()
    }

    #[test]
    fn options_are_set_when_they_change() {
        let mut engine = engine(&STOCKFISH);
        let options = [("hash".to_owned(), "64".to_owned()), ("Hsah".to_owned(), "1".to_owned())];
        assert_eq!(engine.set_up(&options), "setoption name hash value 64\nisready\n");
        assert_eq!(engine.unknown_options(&options), ["Hsah"]);
        let start = AnyPosition::start(Variant::NORMAL);
        let plain = Request { game: true, ..Request::of(start) };
        let first = engine.prepare(&question(plain.clone()), false);
        assert_eq!(
            first,
            "setoption name UCI_Chess960 value false\nsetoption name MultiPV value 1\n\
             setoption name UCI_LimitStrength value false\nsetoption name UCI_AnalyseMode value false\nisready\n"
        );
        assert_eq!(engine.prepare(&question(plain.clone()), false), "isready\n");
        let cleared = engine.prepare(&question(plain.clone()), true);
        assert_eq!(cleared, "setoption name Clear Hash\nisready\n");
        let weak = Request { strength: Some(Strength::of_elo(800)), lines: 3, ..plain };
        let weak = engine.prepare(&question(weak), false);
        assert_eq!(
            weak,
            "setoption name MultiPV value 3\nsetoption name UCI_LimitStrength value true\n\
             setoption name UCI_Elo value 1350\nisready\n"
        );
    }

    #[test]
    fn what_is_asked() {
        let mut game = Game::from_fen(Variant::FISCHERANDOM, "4k3/8/8/8/8/8/8/4K2R w H - 0 1").unwrap();
        game.play(game.position().parse_move("O-O").unwrap());
        let plain = Request { played: game.played(), ..Request::of(game.root()) };
        let fen = "position fen 4k3/8/8/8/8/8/8/4K2R w H - 0 1 moves e1h1\n";
        assert_eq!(Uci::go(&question(plain.clone()), None), format!("{fen}go infinite\n"));
        let limits = Limits { depth: Some(7), ..Limits::default() };
        let limited = question(Request { limits, ..plain.clone() });
        assert_eq!(Uci::go(&limited, Some(500)), format!("{fen}go depth 7 nodes 500\n"));
        let limits = Limits { mate: Some(2), ..limits };
        let limited = question(Request { limits, ..plain.clone() });
        assert_eq!(Uci::go(&limited, None), format!("{fen}go depth 7 mate 2\n"));
        let limits = Limits { mate: Some(2), ..Limits::default() };
        let limited = question(Request { limits, ..plain.clone() });
        assert_eq!(Uci::go(&limited, None), format!("{fen}go mate 2\n"));
        let all = game.position().legal_moves();
        let others = all.iter().copied().skip(1).collect();
        let one = question(Request { excluded: others, ..plain });
        let text = format!("{fen}go infinite searchmoves {}\n", game.position().coordinates(all[0]));
        assert_eq!(Uci::go(&one, None), text);
    }

    #[test]
    fn what_it_cannot_do_is_known() {
        let engine = engine(&["id name Tiny"]);
        let ask = |variant| Request {
            lines: 2,
            strength: Some(Strength::of_elo(1000)),
            ..Request::of(AnyPosition::start(variant))
        };
        let found = engine.inabilities(&question(ask(Variant::NORMAL)));
        assert_eq!(found, [Inability::Lines(1), Inability::Strength]);
        assert!(!found.iter().any(Inability::prevents_search));
        let mut two = self::engine(&["option name MultiPV type spin default 1 min 1 max 2"]);
        let mut more = question(ask(Variant::NORMAL));
        assert_eq!(two.inabilities(&more), [Inability::Strength]);
        more.lines = 3;
        assert_eq!(two.inabilities(&more), [Inability::Lines(2), Inability::Strength]);
        assert!(two.prepare(&more, false).contains("MultiPV value 2"));
        let found = engine.inabilities(&question(ask(variant_named("atomic").unwrap())));
        assert_eq!(found[0], Inability::Variant("atomic"));
        assert!(found[0].prevents_search());
        let mut fairy = engine;
        fairy.hear("option name UCI_Variant type combo default chess var chess var atomic");
        assert!(
            !fairy
                .inabilities(&question(ask(variant_named("atomic").unwrap())))
                .contains(&Inability::Variant("atomic"))
        );
    }
}
