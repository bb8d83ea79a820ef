//! Distinct start positions, none of them decided: a search of a decided position ends soon.

use crate::book::Books;
use crate::chess::{Game, Variant};
use crate::random::mix;
use std::collections::HashSet;

/// Maximum number of plies played from the book.
const MAX_BOOK_PLIES: usize = 14;

/// Distinct openings, determined by the seed.
pub struct Openings {
    books: Books,
    seed: u64,
    rolled: u64,
    used: HashSet<u64>,
    /// The variants of the openings, in turn.
    variants: Vec<Variant>,
    next: usize,
}

impl Openings {
    /// A generator of openings.
    pub fn new(seed: u64) -> Openings {
        Openings {
            books: Books::own(),
            seed: mix(seed),
            rolled: 0,
            used: HashSet::new(),
            variants: vec![Variant::NORMAL],
            next: 0,
        }
    }

    /// Makes openings of all variants in turn, but for bughouse, which needs a partner, and
    /// kriegspiel, which needs an umpire.
    pub fn of_all_variants(self) -> Openings {
        let alone = |variant: &Variant| !variant.has_partner() && !variant.rules().hidden;
        Openings { variants: Variant::ALL.into_iter().filter(alone).collect(), ..self }
    }

    /// A random number below `below`.
    fn roll(&mut self, below: usize) -> usize {
        (self.random() % below.max(1) as u64) as usize
    }

    fn random(&mut self) -> u64 {
        self.rolled += 1;
        mix(self.seed.wrapping_add(self.rolled))
    }

    /// Returns a new opening: book moves, and random moves when those positions have been used.
    pub fn another(&mut self) -> Game {
        let variant = self.variants[self.next % self.variants.len()];
        self.next += 1;
        let mut game = Game::new(variant);
        let length = MAX_BOOK_PLIES / 2 + self.roll(MAX_BOOK_PLIES / 2);
        while game.moves().len() < length && self.play_known(&mut game) {}
        while !has_choice(&game) || !self.used.insert(game.position().key()) {
            if game.ending().is_some() {
                game = Game::new(variant);
            }
            self.play_any(&mut game);
        }
        game
    }

    /// Returns a game of up to `plies` plies: an opening, then random moves.
    pub fn game(&mut self, plies: usize) -> Game {
        let mut game = self.another();
        while game.moves().len() < plies && game.ending().is_none() {
            self.play_any(&mut game);
        }
        if game.ending().is_some() {
            game.undo();
        }
        game
    }

    fn play_known(&mut self, game: &mut Game) -> bool {
        let random = self.random();
        let book = self.books.names().next().and_then(|name| self.books.get(name));
        let known = book.and_then(|book| book.choose(game.position(), random));
        known.is_some_and(|mv| {
            game.play(mv);
            true
        })
    }

    /// Plays a legal move that does not end the game, if there is one.
    fn play_any(&mut self, game: &mut Game) {
        let moves = game.position().legal_moves();
        let first = self.roll(moves.len());
        for index in 0..moves.len() {
            game.play(moves[(first + index) % moves.len()]);
            if game.ending().is_none() {
                return;
            }
            game.undo();
        }
        if let Some(&mv) = moves.first() {
            game.play(mv);
        }
    }
}

/// Returns true if there are enough moves for a search.
fn has_choice(game: &Game) -> bool {
    game.ending().is_none() && game.position().legal_moves().len() > 4
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_position_comes_twice_and_none_is_at_its_end() {
        let mut openings = Openings::new(1);
        let mut keys = HashSet::new();
        for _ in 0..2000 {
            let game = openings.another();
            assert!(keys.insert(game.position().key()));
            assert!(game.ending().is_none() && game.position().legal_moves().len() > 4);
        }
        let again = Openings::new(1).another().position().key();
        assert!(keys.contains(&again), "the same seed gives the same");
    }

    #[test]
    fn variants_come_in_turn() {
        let mut openings = Openings::new(1).of_all_variants();
        let games: Vec<Game> = (0..64).map(|_| openings.another()).collect();
        let variants: HashSet<&str> = games.iter().map(|game| game.start().variant().name()).collect();
        assert!(variants.len() >= 14 && !variants.contains("bughouse"), "{variants:?}");
        assert_eq!(games[0].start().variant(), Variant::NORMAL);
    }

    #[test]
    fn long_games_go_on() {
        let mut openings = Openings::new(2);
        for _ in 0..50 {
            let game = openings.game(60);
            assert!((7..=60).contains(&game.moves().len()) && game.ending().is_none());
        }
    }
}
