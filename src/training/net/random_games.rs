//! Games of random moves, for a training that any machine can repeat in a second. Scores are
//! material. They do not depend on the search and its evaluation.

use super::sources::Sources;
use crate::chess::Color;
use crate::random::SplitMix64;
use crate::search::RootPosition;
use crate::search::net::{Domain, Seen};
use crate::training::games::{GameResult, GameRules};
use crate::with_position;

const GAMES: u64 = 200;
const PLIES: usize = 80;
/// Values in centipawns of chess men by role, and of men and kings of draughts.
const CHESS: [i16; 6] = [100, 300, 300, 500, 900, 0];
const DRAUGHTS: [i16; 2] = [100, 150];
/// Material in centipawns with which a game counts as won.
const WON: i16 = 300;

/// Returns positions of random games.
pub(super) fn sources(domain: Domain, seed: u64, result_share: f32) -> Sources {
    let mut sources = Sources::new(domain, result_share);
    let mut random = SplitMix64::new(seed);
    for game in 0..GAMES {
        let positions = play(domain, &mut random);
        let last = positions.last().expect("the start");
        let lead = if last.turn() == Color::White { material(last) } else { -material(last) };
        for position in &positions {
            let own_lead = if position.turn() == Color::White { lead } else { -lead };
            let result = match own_lead {
                WON.. => GameResult::Win,
                lead if lead <= -WON => GameResult::Loss,
                _ => GameResult::Draw,
            };
            sources.add(position, material(position), result, game);
        }
    }
    sources.games = GAMES;
    sources.origin =
        format!("{domain}: {GAMES} games of random moves, positions {:016x}", sources.learnt.hash());
    sources
}

/// Returns the positions of a game.
fn play(domain: Domain, random: &mut SplitMix64) -> Vec<RootPosition> {
    let rules = GameRules::from_name(domain.name()).expect("a game for every net");
    let mut positions = vec![rules.start(0)];
    while positions.len() < PLIES {
        let mut position = *positions.last().expect("the start");
        let Some(mv) = random.pick(&position.legal_moves()) else { break };
        position.play(mv);
        positions.push(position);
    }
    positions
}

/// Returns the material of the side on move less its opponent's, in centipawns.
fn material(position: &RootPosition) -> i16 {
    fn sum(position: &impl Seen, values: &[i16]) -> i16 {
        let worth = |kind: u8| values[usize::from(kind)];
        position.men().map(|man| if man.is_own { worth(man.kind) } else { -worth(man.kind) }).sum()
    }
    match position {
        RootPosition::Chess(any) => with_position!(any, position => sum(position, &CHESS)),
        RootPosition::Draughts(position) => sum(position, &DRAUGHTS),
    }
}
