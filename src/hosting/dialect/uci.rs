//! Questions to an engine that speaks UCI. Options are set only before a search: many engines do
//! not read anything but `stop` while they search.

use super::Question;
use crate::engines::uci::{ANALYSE_MODE, CHESS960, OptionType, UciEngine, VARIANT};
use crate::search::{Limits, Strength};

const LINES: &str = "MultiPV";
const LIMIT: &str = "UCI_LimitStrength";
const ELO: &str = "UCI_Elo";
const LEVEL: &str = "Skill Level";
const CLEAR: &str = "Clear Hash";

/// Options of UCI that are set for each search, and cannot be configured.
pub const MANAGED_OPTIONS: [&str; 8] = [VARIANT, CHESS960, LINES, LIMIT, ELO, LEVEL, ANALYSE_MODE, "Ponder"];

/// The number of lines that an engine can show at once.
pub(super) fn most_lines(engine: &UciEngine) -> u8 {
    let most = engine.options().range(LINES).map_or(1, |(_, most)| most);
    u8::try_from(most.max(1)).unwrap_or(u8::MAX)
}

/// Returns true if an engine can play below its full strength.
pub(super) fn weakens(engine: &UciEngine) -> bool {
    let options = engine.options();
    options.has(LEVEL) || options.has(LIMIT) && options.has(ELO)
}

/// Sets the options for a question.
pub(super) fn prepare(engine: &mut UciEngine, question: &Question, clear: bool) -> String {
    let mut text = engine.set_variant(question.position.variant());
    text += &engine.update_option(LINES, question.lines().min(most_lines(engine)));
    text += &set_strength(engine, question.request.style.strength);
    text += &engine.update_option(ANALYSE_MODE, !question.request.game);
    // One of the two is enough: Stockfish clears its table at each, which takes as long as a slice
    // if the table is large.
    let has_button = engine.options().get(CLEAR).is_some_and(|option| option.kind == OptionType::Button);
    match clear {
        true if has_button => text += &engine.set_option(CLEAR, ""),
        true => text += "ucinewgame\n",
        false => {}
    }
    text
}

fn set_strength(engine: &mut UciEngine, strength: Option<Strength>) -> String {
    let options = engine.options();
    if let Some((least, most)) = options.range(ELO).filter(|_| options.has(LIMIT)) {
        let elo = strength.map(|strength| i64::from(strength.elo()).clamp(least, most));
        let limit = engine.update_option(LIMIT, strength.is_some());
        limit + &elo.map(|elo| engine.update_option(ELO, elo)).unwrap_or_default()
    } else if let Some((least, most)) = options.range(LEVEL) {
        let weakest = i64::from(Strength::WEAKEST);
        let range = i64::from(Strength::STRONGEST) - weakest;
        let level =
            |strength: Strength| least + (i64::from(strength.elo()) - weakest) * (most - least) / range;
        engine.update_option(LEVEL, strength.map_or(most, level))
    } else {
        String::new()
    }
}

/// Begins the search, with `nodes_left` as its limit of nodes.
pub(super) fn go(question: &Question, nodes_left: Option<u64>) -> String {
    let limits = Limits { nodes: nodes_left, ..question.request.limits };
    let allowed = if question.request.first_moves.excluded.is_empty() { &[][..] } else { &question.allowed };
    let first_moves: Vec<String> = allowed.iter().map(|&mv| question.position.coordinates(mv)).collect();
    UciEngine::position(&question.from, &question.moves) + &UciEngine::go(&limits, &first_moves)
}
