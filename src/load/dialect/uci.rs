//! Clients that speak UCI.

use super::{DueMove, Heard};
use crate::chess::{AnyPosition, Game as Record, Variant};
use crate::engines::Account;
use crate::engines::uci::{EngineLine, EngineOption};
use crate::protocol::uci::{VariantChoice, move_text};

pub(super) const GREETING: &str = "uci\n";
/// Ends a search, and is for nothing if there is none.
pub(super) const STOP: &str = "stop\n";

/// Remarks that are complaints. The protocol has no words for these.
const COMPLAINTS: [&str; 6] = [
    "nothing is searched:",
    "this server is ",
    "a defect of the engine ",
    "you have ",
    "there is no profile",
    "ERROR",
];

/// Options that matter to the clients of a scenario.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Abilities {
    /// The engine is ours, and tells what a move has cost after `debug on`.
    pub account: bool,
    /// `UCI_Variant`
    pub variants: bool,
    /// `UCI_Chess960`
    pub chess960: bool,
    /// `UCI_AnalyseMode`
    pub analyse_mode: bool,
    /// `OwnBook`
    pub own_book: bool,
}

impl Abilities {
    /// Notes what the engine says of itself. Returns whether that was all.
    pub(super) fn learn(&mut self, line: &str) -> bool {
        match EngineLine::parse(line) {
            EngineLine::Option(EngineOption { name, .. }) => match name.to_ascii_lowercase().as_str() {
                "uci_variant" => self.variants = true,
                "uci_chess960" => self.chess960 = true,
                "uci_analysemode" => self.analyse_mode = true,
                "ownbook" => self.own_book = true,
                _ => {}
            },
            EngineLine::Name(name) => self.account = name.starts_with("Farboard"),
            EngineLine::UciOk => return true,
            _ => {}
        }
        false
    }

    pub(super) fn prepare(&self, profile: Option<&str>) -> String {
        let mut text = profile.map(|name| set("Profile", name)).unwrap_or_default();
        if self.account {
            text += "debug on\n";
        }
        text + "ucinewgame\nposition startpos moves e2e4 e7e5\n"
    }

    pub(super) fn begin_analysis(&self, record: &Record, question: &str) -> String {
        let mut text = self.begin(record);
        if self.analyse_mode {
            text += &set("UCI_AnalyseMode", "true");
        }
        format!("{text}{question}{}go infinite\n", position_command(record))
    }

    pub(super) fn begin_game(&self, record: &Record, question: &str) -> String {
        let mut text = self.begin(record);
        if self.analyse_mode {
            text += &set("UCI_AnalyseMode", "false");
        }
        if self.own_book {
            text += &set("OwnBook", "false");
        }
        text + question
    }

    /// The rules and `ucinewgame`.
    fn begin(&self, record: &Record) -> String {
        let variant = record.start().variant();
        let is_fischerandom = variant == Variant::FISCHERANDOM;
        let rules = if is_fischerandom { VariantChoice::CHESS } else { choice(variant) };
        let mut text = String::new();
        if self.variants {
            text += &set("UCI_Variant", rules.name);
        }
        if self.chess960 {
            text += &set("UCI_Chess960", if is_fischerandom { "true" } else { "false" });
        }
        text + "ucinewgame\n"
    }
}

fn set(name: &str, value: &str) -> String {
    format!("setoption name {name} value {value}\n")
}

/// The name and the start position of a variant. Scenarios have no variant without one.
fn choice(variant: Variant) -> VariantChoice {
    VariantChoice::all().find(|choice| choice.variant == variant).unwrap_or(VariantChoice::CHESS)
}

/// `position`, with all moves of the game.
fn position_command(record: &Record) -> String {
    let mut position = *record.start();
    let start = position.fen();
    // There is more than one way to write a position.
    let usual = AnyPosition::from_fen(position.variant(), choice(position.variant()).start_fen());
    let mut text = if usual.is_ok_and(|usual| usual.fen() == start) {
        "position startpos".to_owned()
    } else {
        format!("position fen {start}")
    };
    for (ply, &mv) in record.moves().iter().enumerate() {
        text += if ply == 0 { " moves " } else { " " };
        text += &move_text(&position, mv, false);
        position.play(mv);
    }
    text + "\n"
}

pub(super) fn ask_for_move(due: &DueMove<'_>) -> String {
    // 0 would stand for no limit.
    let [white, black] = due.left_by_color().map(|left| left.max(1.0) as u64);
    let increment = due.clock.increment.as_millis();
    let position = position_command(due.record);
    format!("{position}go wtime {white} btime {black} winc {increment} binc {increment}\n")
}

pub(super) fn hear(line: &str) -> Heard<'_> {
    match EngineLine::parse(line) {
        EngineLine::ReadyOk => Heard::Answer(None),
        // Depth 0 is a move at a glance, of which no search knows.
        EngineLine::Info(info) if info.depth != Some(0) && !info.pv.is_empty() => {
            Heard::Thinking(info.nodes.unwrap_or(0))
        }
        EngineLine::Remark(text) => match Account::parse(text) {
            Some(account) => Heard::Account(account),
            None if COMPLAINTS.iter().any(|words| text.starts_with(words)) => Heard::Complaint(text),
            None => Heard::Nothing,
        },
        EngineLine::BestMove { best: Some(mv), .. } => Heard::Move(mv),
        EngineLine::BestMove { best: None, .. } => Heard::NoMove,
        EngineLine::Other => complaint(line),
        EngineLine::Info(_) | EngineLine::Name(_) | EngineLine::Option(_) | EngineLine::UciOk => {
            Heard::Nothing
        }
    }
}

/// What other engines answer to commands that they do not know, and our server to newcomers for whom it has no room.
fn complaint(line: &str) -> Heard<'_> {
    let complains = ["Unknown command", "No such option", "tellusererror"];
    if complains.iter().any(|words| line.starts_with(words)) {
        Heard::Complaint(line)
    } else {
        Heard::Nothing
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engines::time_control::Clock;

    fn introduced() -> Abilities {
        let mut abilities = Abilities::default();
        for line in [
            "id name Farboard 0.1.0",
            "option name OwnBook type check default false",
            "option name UCI_Chess960 type check default false",
            "option name UCI_Variant type combo default chess var chess var atomic",
            "option name UCI_AnalyseMode type check default false",
        ] {
            assert!(!abilities.learn(line), "{line}");
        }
        assert!(abilities.learn("uciok"));
        abilities
    }

    #[test]
    fn only_options_that_the_engine_has_are_set() {
        let record = Record::new(Variant::NORMAL);
        let stranger = Abilities::default();
        assert_eq!(stranger.prepare(None), "ucinewgame\nposition startpos moves e2e4 e7e5\n");
        assert_eq!(stranger.begin_game(&record, "isready\n"), "ucinewgame\nisready\n");
        let ours = introduced();
        let prepared = ours.prepare(Some("fish"));
        assert!(prepared.starts_with("setoption name Profile value fish\ndebug on\n"), "{prepared}");
        let begin = ours.begin_analysis(&record, "isready\n");
        assert!(
            begin.ends_with(
                "\nucinewgame\nsetoption name UCI_AnalyseMode value true\nisready\nposition startpos\n\
                 go infinite\n"
            ),
            "{begin}"
        );
        let begin = ours.begin_game(&record, "isready\n");
        for line in ["UCI_Variant value chess", "UCI_Chess960 value false", "OwnBook value false"] {
            assert!(begin.contains(&format!("setoption name {line}\n")), "{line} in {begin}");
        }
    }

    #[test]
    fn every_variant_has_its_rules_and_positions() {
        for choice in VariantChoice::all().filter(|choice| choice.name != "antichess") {
            let record = Record::new(choice.variant);
            let begin = introduced().begin_game(&record, "");
            let is_fischerandom = choice.variant == Variant::FISCHERANDOM;
            let name = if is_fischerandom { "chess" } else { choice.name };
            assert!(begin.starts_with(&format!("setoption name UCI_Variant value {name}\n")), "{begin}");
            assert!(begin.contains(&format!("UCI_Chess960 value {is_fischerandom}\n")), "{begin}");
            assert_eq!(position_command(&record), "position startpos\n");
        }
        let fen = "4k3/8/8/8/8/8/8/4K2R w K - 0 1";
        let mut record = Record::from_fen(Variant::NORMAL, fen).unwrap();
        record.play(record.position().parse_move("O-O").unwrap());
        assert_eq!(position_command(&record), format!("position fen {fen} moves e1g1\n"));
    }

    #[test]
    fn clocks_are_those_of_white_and_black() {
        let mut record = Record::new(Variant::NORMAL);
        let clock: Clock = "10+0.1".parse().unwrap();
        let due = |record: &Record, left| {
            ask_for_move(&DueMove { record, last: None, is_first: true, left, clock })
        };
        assert_eq!(
            due(&record, [9000.7, 0.3]),
            "position startpos\ngo wtime 9000 btime 1 winc 100 binc 100\n"
        );
        record.play(record.position().parse_move("e2e4").unwrap());
        assert_eq!(
            due(&record, [8000.0, 7000.0]),
            "position startpos moves e2e4\ngo wtime 7000 btime 8000 winc 100 binc 100\n"
        );
    }

    #[test]
    fn lines_of_engines() {
        for (line, heard) in [
            ("readyok", Heard::Answer(None)),
            ("info depth 9 score cp 3 nodes 4321 pv e2e4 e7e5", Heard::Thinking(4321)),
            ("info depth 0 seldepth 0 score cp 3 nodes 0 pv e2e4", Heard::Nothing),
            ("info depth 30 currmove d2d4 currmovenumber 7", Heard::Nothing),
            ("bestmove e2e4 ponder e7e5", Heard::Move("e2e4")),
            ("bestmove (none)", Heard::NoMove),
            ("info string searching: clock, class clock, 950 ms, at most 950 ms", Heard::Nothing),
            ("info string NNUE evaluation using nn.nnue", Heard::Nothing),
            ("info string nothing is searched", Heard::Nothing),
            ("Unknown command: 'debug on'.", Heard::Complaint("Unknown command: 'debug on'.")),
            ("tellusererror it is full", Heard::Complaint("tellusererror it is full")),
            ("Stockfish 15.1 by the Stockfish developers", Heard::Nothing),
        ] {
            assert_eq!(hear(line), heard, "{line}");
        }
        let account = Account { nodes: Some(1000), used: 120, maximum: Some(4950) };
        let line = "info string depth 5, score +0.31, 1000 nodes; 120 ms used of 300 to 4950 ms; lag 0 ms";
        assert_eq!(hear(line), Heard::Account(account));
        for complaint in [
            "nothing is searched: e2e5 is not legal",
            "this server is busy with 8 searches; playing a quick move without searching",
            "a defect of the engine has ended the search; playing the best move known",
        ] {
            let line = format!("info string {complaint}");
            assert_eq!(hear(&line), Heard::Complaint(complaint));
        }
    }
}
