//! Plays one game, which depends only on the engine, the rules, the nodes, the seed and its number.

use super::adjudication::Adjudicator;
use super::self_played::SelfPlayed;
use crate::chess::{self, Outcome};
use crate::draughts;
use crate::draughts::endgames::Endgames;
use crate::random::{SplitMix64, mix};
use crate::search::bench::OpenGate;
use crate::search::{Done, GameRecord, Knowledge, Limits, Past, Request, Table, search};
use crate::training::games::{Ended, GameRules, GamesError, Header, MAX_PLIES, Recorded, Recorder};
use std::sync::Arc;

/// Divisor of the nodes for the optimum of a search, which finishes its iteration: so that it takes
/// about the nodes on average.
const OPTIMUM: u64 = 2;
/// Multiple of the nodes at which an iteration is not finished any more.
const HARD_LIMIT: u64 = 2;
/// Nodes of the search that judges an opening, as a multiple of those of a move.
const OPENING_NODES: u64 = 2;
/// Number of tries to find an opening before it gets a ply shorter: in some variants few random
/// moves leave a game even.
const TRIES: u32 = 50;
/// Nodes a move for each MiB of a game's table, and the bounds of its size in MiB.
const NODES_PER_MEBIBYTE: u64 = 500;
const TABLE: [u64; 2] = [1, 16];

/// Plays games of one kind.
pub(super) struct Player<'a> {
    header: &'a Header,
    endgames: Option<Arc<Endgames>>,
}

impl<'a> Player<'a> {
    /// A player of the games that the header describes.
    pub(super) fn new(header: &'a Header, endgames: Option<Arc<Endgames>>) -> Player<'a> {
        Player { header, endgames }
    }

    /// Plays the game with this number.
    ///
    /// # Errors
    /// There is no memory for a table.
    pub(super) fn play(&self, number: u64) -> Result<Recorded, GamesError> {
        match self.header.rules {
            GameRules::Chess(_) => self.play_as::<chess::Game>(number),
            GameRules::Draughts => self.play_as::<draughts::Game>(number),
        }
    }

    fn play_as<G: SelfPlayed>(&self, number: u64) -> Result<Recorded, GamesError> {
        let mebibytes = (self.header.nodes / NODES_PER_MEBIBYTE).clamp(TABLE[0], TABLE[1]);
        let table = Table::private(mebibytes as usize).map_err(GamesError::Memory)?;
        let mut dice = SplitMix64::new(mix(self.header.seed ^ mix(number)));
        let (mut game, mut recorder) = self.opening::<G>(&table, &mut dice);
        let mut adjudicator = Adjudicator::default();
        let (outcome, ended) = loop {
            if let Some(outcome) = game.outcome(self.endgames.as_deref()) {
                break (outcome, Ended::ByRule);
            }
            if game.plies() >= MAX_PLIES {
                break (Outcome::Draw, Ended::TooLong);
            }
            let done = self.search(&game, &table, self.header.nodes);
            let Some(mv) = done.best else { break (Outcome::Draw, Ended::TooLong) };
            let (position, score) = (game.root(), done.score.0);
            // Scores fit: they are below that of a mate.
            recorder.searched_move(&position, mv, score as i16);
            let agreed = adjudicator.note(game.plies(), position.turn(), score);
            game.play_word(mv);
            if let Some(outcome) = agreed {
                break (game.outcome(self.endgames.as_deref()).unwrap_or(outcome), Ended::Adjudicated);
            }
        };
        Ok(recorder.finish(outcome, ended))
    }

    /// Returns an even game after random moves.
    fn opening<G: SelfPlayed>(&self, table: &Table, dice: &mut SplitMix64) -> (G, Recorder) {
        let Header { rules, random_plies, opening_limit, nodes, .. } = *self.header;
        for tries in 0.. {
            let most = (random_plies + dice.below(2) as u32).saturating_sub(tries / TRIES);
            let start = dice.below(rules.starts().into()) as u16;
            let mut game = G::from_root(rules.start(start)).expect("the rules are those of the game");
            let mut recorder = Recorder::new(start);
            while game.plies() < most as usize && game.outcome(None).is_none() {
                let position = game.root();
                let mv = dice.pick(&position.legal_moves()).expect("the game has not ended");
                recorder.opening_move(&position, mv);
                game.play_word(mv);
            }
            let is_over = game.outcome(self.endgames.as_deref()).is_some();
            let score = || self.search(&game, table, nodes.saturating_mul(OPENING_NODES)).score.0;
            if most == 0 || !is_over && score().abs() <= opening_limit {
                return (game, recorder);
            }
        }
        unreachable!("openings get shorter")
    }

    fn search<G: GameRecord>(&self, game: &G, table: &Table, nodes: u64) -> Done {
        let limits = Limits {
            optimum_nodes: Some(nodes / OPTIMUM),
            nodes: Some(nodes.saturating_mul(HARD_LIMIT)),
            ..Limits::default()
        };
        let request = Request {
            past: Past { history: game.earlier(), played: None },
            limits,
            knowledge: Knowledge { endgames: self.endgames.clone(), ..Knowledge::default() },
            game: true,
            ..Request::of(game.root())
        };
        search(&request, table, &mut OpenGate::new(), &mut |_| {})
    }
}
