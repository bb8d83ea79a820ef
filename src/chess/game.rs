//! The record of a game: its start, its moves, and whether it has ended by rule.

use super::{AnyPosition, Color, Ending, FenError, Move, MoveKind, Outcome, Variant};

/// Plies between stored positions: taking back replays fewer.
const MARK_EVERY: usize = 256;
/// Unused bytes above which [`Game::shrink`] releases memory.
const MAX_UNUSED: usize = 16 << 10;

/// A game from its start position to the current one. Takes some twelve bytes a ply.
#[derive(Clone, Debug)]
pub struct Game {
    start: AnyPosition,
    position: AnyPosition,
    moves: Vec<Move>,
    /// The key before each move.
    keys: Vec<u64>,
    /// The position after each [`MARK_EVERY`] moves.
    marks: Vec<AnyPosition>,
    /// Hands set by the client: the number of moves played before, without
    /// duplicates, and the hands. Empty in variants whose pieces come from a partner.
    client_hands: Vec<(usize, Hands)>,
}

/// Pieces in hand, by side and role.
type Hands = [[u8; 6]; 2];

impl Game {
    /// A game from the variant's start position.
    pub fn new(variant: Variant) -> Game {
        Game::from_position(AnyPosition::start(variant))
    }

    /// A game from a set-up position.
    pub fn from_fen(variant: Variant, fen: &str) -> Result<Game, FenError> {
        Ok(Game::from_position(AnyPosition::from_fen(variant, fen)?))
    }

    /// A game from this position.
    pub fn from_position(start: AnyPosition) -> Game {
        Game {
            start,
            position: start,
            moves: Vec::new(),
            keys: Vec::new(),
            marks: Vec::new(),
            client_hands: Vec::new(),
        }
    }

    /// Returns the current position.
    pub fn position(&self) -> &AnyPosition {
        &self.position
    }

    /// Returns the position the game started from.
    pub fn start(&self) -> &AnyPosition {
        &self.start
    }

    /// Returns the moves played.
    pub fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// Returns the heap memory in bytes.
    pub(crate) fn heap_bytes(&self) -> usize {
        self.moves.capacity() * size_of::<Move>()
            + self.keys.capacity() * size_of::<u64>()
            + self.marks.capacity() * size_of::<AnyPosition>()
            + self.client_hands.capacity() * size_of::<(usize, Hands)>()
    }

    /// Releases unused memory if it is much.
    pub(crate) fn shrink(&mut self) {
        let used = self.moves.len() * size_of::<Move>()
            + self.keys.len() * size_of::<u64>()
            + self.marks.len() * size_of::<AnyPosition>()
            + self.client_hands.len() * size_of::<(usize, Hands)>();
        if self.heap_bytes() > used + MAX_UNUSED {
            self.moves.shrink_to_fit();
            self.keys.shrink_to_fit();
            self.marks.shrink_to_fit();
            self.client_hands.shrink_to_fit();
        }
    }

    /// Returns the hands set by the client: the number of plies played before, and the pieces each
    /// side holds.
    pub(crate) fn client_hands(&self) -> &[(usize, [[u8; 6]; 2])] {
        &self.client_hands
    }

    /// Plays a legal move.
    pub fn play(&mut self, mv: Move) {
        self.keys.push(self.position.key());
        self.moves.push(mv);
        self.position.play(mv);
        if self.moves.len().is_multiple_of(MARK_EVERY) {
            self.marks.push(self.position);
        }
    }

    /// Takes back the last move; `None` if there is none. Where pieces come from a partner, hands
    /// stay as they are, except for a dropped piece.
    pub fn undo(&mut self) -> Option<Move> {
        let undone = self.moves.pop()?;
        let mover = !self.position.turn();
        let held = self.position.hands().filter(|_| self.position.variant().has_partner());
        self.keys.pop();
        self.replay_to_the_end();
        if let Some(mut held) = held {
            if let MoveKind::Drop(role) = undone.kind() {
                let count = &mut held[mover.index()][role.index()];
                *count = count.saturating_add(1);
            }
            self.set_hands(&held);
        }
        Some(undone)
    }

    /// Computes the position from the start, the remaining moves and the hands that were set.
    fn replay_to_the_end(&mut self) {
        let plies = self.moves.len();
        self.client_hands.retain(|&(ply, _)| ply <= plies);
        self.marks.truncate(plies / MARK_EVERY);
        self.position = self.marks.last().copied().unwrap_or(self.start);
        for ply in self.marks.len() * MARK_EVERY..=plies {
            let set = self.client_hands.iter().find(|&&(plies, _)| plies == ply);
            if let Some(corrected) = set.and_then(|(_, hands)| self.position.with_hands(hands)) {
                self.position = corrected;
            }
            if let Some(&mv) = self.moves.get(ply) {
                self.position.play(mv);
            }
        }
    }

    /// Takes back moves until `plies` are left, at the cost of taking back one, unless pieces come
    /// from a partner.
    pub(crate) fn rewind(&mut self, plies: usize) {
        if plies >= self.moves.len() {
            return;
        }
        if self.position.variant().has_partner() {
            while self.moves.len() > plies {
                self.undo();
            }
            return;
        }
        self.moves.truncate(plies + 1);
        self.keys.truncate(plies + 1);
        self.undo();
    }

    /// Returns the keys of the positions before this one since the last capture or pawn move,
    /// oldest first, for the search to detect repetitions.
    pub fn history(&self) -> Vec<u64> {
        let reversible = (self.position.halfmove_clock() as usize).min(self.keys.len());
        self.keys[self.keys.len() - reversible..].to_vec()
    }

    /// Returns the outcome of a game that has ended by rule. Draws by claim count as ended, except
    /// where pieces come from a partner, since another board continues.
    pub fn ending(&self) -> Option<(Outcome, Ending)> {
        let position = &self.position;
        if let Some(ended) = position.outcome() {
            return Some(ended);
        }
        if position.variant().has_partner() {
            return None;
        }
        let reversible = (position.halfmove_clock() as usize).min(self.keys.len());
        let seen_before =
            self.keys[self.keys.len() - reversible..].iter().filter(|&&key| key == position.key()).count();
        if seen_before >= 2 {
            Some((Outcome::Draw, Ending::Repetition))
        } else if position.halfmove_clock() >= 100 {
            Some((Outcome::Draw, Ending::FiftyMoves))
        } else {
            None
        }
    }

    /// Puts these pieces in hand, by side and role. Returns false and changes nothing in variants
    /// without drops. Moves played later are taken back to these hands. Before the first move the
    /// start position gets them, too.
    pub fn set_hands(&mut self, hands: &Hands) -> bool {
        let Some(position) = self.position.with_hands(hands) else { return false };
        self.position = position;
        if !position.variant().has_partner() {
            let plies = self.moves.len();
            self.client_hands.retain(|&(ply, _)| ply != plies);
            match plies {
                0 => self.start = position,
                _ => self.client_hands.push((plies, *hands)),
            }
        }
        true
    }

    /// Puts a side on move, keeping the pieces (xboard's `white` and `black`). Starts a new record
    /// if that changes anything. Returns false and changes nothing if that position would be
    /// illegal.
    pub fn set_turn(&mut self, turn: Color) -> bool {
        if self.position.turn() == turn {
            return true;
        }
        match self.position.with_turn(turn) {
            Some(position) => {
                *self = Game::from_position(position);
                true
            }
            None => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn play(game: &mut Game, moves: &str) {
        for text in moves.split_whitespace() {
            let mv = game.position().parse_move(text).unwrap_or_else(|error| panic!("{text}: {error}"));
            game.play(mv);
        }
    }

    #[test]
    fn the_third_occurrence_is_a_draw() {
        let mut game = Game::new(Variant::NORMAL);
        play(&mut game, "Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1");
        assert_eq!(game.ending(), None);
        play(&mut game, "Ng8");
        assert_eq!(game.ending(), Some((Outcome::Draw, Ending::Repetition)));
        assert_eq!(game.history().len(), 8);
        game.undo();
        assert_eq!(game.ending(), None);
    }

    #[test]
    fn taking_back_restores_the_position() {
        let mut game = Game::new(Variant::NORMAL);
        let mut before = Vec::new();
        for ply in 0..MARK_EVERY + 100 {
            before.push((game.position().fen(), game.history(), game.ending()));
            let moves = game.position().legal_moves();
            let goes_on = |mv: &&Move| {
                let mut next = game.clone();
                next.play(**mv);
                !next.position().legal_moves().is_empty()
            };
            let mv = moves.iter().cycle().skip((ply * 7 + 3) % moves.len()).take(moves.len()).find(goes_on);
            game.play(*mv.expect("neither mate nor stalemate"));
        }
        while let Some((fen, history, ending)) = before.pop() {
            assert!(game.undo().is_some());
            assert_eq!((game.position().fen(), game.history(), game.ending()), (fen, history, ending));
        }
        assert_eq!(game.undo(), None);
    }

    #[test]
    fn a_long_game_releases_its_memory() {
        let mut game = Game::new(Variant::NORMAL);
        for _ in 0..5_000 {
            play(&mut game, "Nf3 Nf6 Ng1 Ng8");
        }
        game.shrink();
        assert!(game.heap_bytes() <= 12 * 20_000 + MAX_UNUSED, "{}", game.heap_bytes());
        game.rewind(20);
        game.shrink();
        assert!(game.heap_bytes() < 1024, "{}", game.heap_bytes());
    }

    #[test]
    fn lost_rights_make_positions_different() {
        let mut game = Game::from_fen(Variant::NORMAL, "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1").unwrap();
        play(&mut game, "Ke2 Ke7 Ke1 Ke8 Ke2 Ke7 Ke1 Ke8");
        assert_eq!(game.ending(), None, "the first occurrence could castle");
        play(&mut game, "Ke2 Ke7 Ke1 Ke8");
        assert_eq!(game.ending(), Some((Outcome::Draw, Ending::Repetition)));
    }

    #[test]
    fn fifty_moves_are_a_draw_but_mate_is_mate() {
        let mut game = Game::from_fen(Variant::NORMAL, "7k/8/6K1/8/8/8/8/R7 w - - 98 80").unwrap();
        play(&mut game, "Ra7 Kg8");
        assert_eq!(game.ending(), Some((Outcome::Draw, Ending::FiftyMoves)));
        let mut mate = Game::from_fen(Variant::NORMAL, "6k1/8/6K1/8/8/8/8/R7 w - - 99 80").unwrap();
        play(&mut mate, "Ra8");
        assert_eq!(mate.ending(), Some((Outcome::Win(Color::White), Ending::Checkmate)));
    }

    #[test]
    fn insufficient_material_is_a_draw() {
        for (fen, draw) in [
            ("8/8/4k3/8/8/4K3/8/8 w - - 0 1", true),
            ("8/8/4k3/8/8/4KN2/8/8 w - - 0 1", true),
            ("8/8/4k3/8/8/4KB2/8/8 w - - 0 1", true),
            ("8/8/4kb2/8/8/4KB2/8/8 w - - 0 1", false),
            ("8/8/4k1b1/8/8/4KB2/8/8 w - - 0 1", true),
            ("8/8/4kn2/8/8/4KN2/8/8 w - - 0 1", false),
            ("8/8/4k3/8/8/4KBN1/8/8 w - - 0 1", false),
            ("8/8/4k3/8/8/4KP2/8/8 w - - 0 1", false),
        ] {
            let game = Game::from_fen(Variant::NORMAL, fen).unwrap();
            let expected = draw.then_some((Outcome::Draw, Ending::InsufficientMaterial));
            assert_eq!(game.ending(), expected, "{fen}");
        }
    }

    #[test]
    fn the_other_side_can_be_put_on_move() {
        let mut game = Game::new(Variant::NORMAL);
        play(&mut game, "e4");
        assert!(game.set_turn(Color::White));
        assert_eq!(game.position().turn(), Color::White);
        assert!(game.moves().is_empty());
        let mut check = Game::from_fen(Variant::NORMAL, "4k3/8/8/8/8/8/4r3/4K3 w - - 0 1").unwrap();
        assert!(!check.set_turn(Color::Black));
    }

    #[test]
    fn taking_back_restores_hands_set_by_the_client() {
        let crazyhouse = Variant::from_name("crazyhouse").unwrap();
        for plies in [0, 3, MARK_EVERY, MARK_EVERY + 4] {
            let mut game = Game::new(crazyhouse);
            let tempi = ["Nf3", "Nf6", "Ng1", "Ng8"];
            (0..plies).for_each(|ply| play(&mut game, tempi[ply % 4]));
            let before = game.position().fen();
            assert!(game.set_hands(&[[0, 1, 0, 0, 0, 0], [1, 0, 0, 0, 0, 0]]));
            let told = game.position().fen();
            assert_ne!(told, before);
            play(&mut game, if plies % 2 == 0 { "N@h6 P@e5 e4" } else { "P@e5 N@e4 h6" });
            game.rewind(plies);
            assert_eq!(game.position().fen(), told, "after {plies} plies");
            assert_eq!(game.start().fen() == told, plies == 0);
            if plies > 0 {
                game.undo();
                play(&mut game, tempi[(plies - 1) % 4]);
                assert_eq!(game.position().fen(), before, "later hands are forgotten with the move");
            }
        }
    }

    #[test]
    fn in_bughouse_hands_come_from_elsewhere_and_nothing_is_drawn() {
        let mut game = Game::new(Variant::BUGHOUSE);
        let hands = |game: &Game| game.position().fen().split(['[', ']']).nth(1).unwrap().to_owned();
        play(&mut game, "Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8");
        assert_eq!(game.ending(), None, "the fourth occurrence");
        game.set_hands(&[[1, 0, 0, 0, 0, 0], [0, 2, 0, 0, 0, 0]]);
        play(&mut game, "P@e5 N@e3");
        assert_eq!(hands(&game), "n");
        game.undo();
        assert_eq!(hands(&game), "nn", "the knight is in hand again");
        game.undo();
        game.undo();
        assert_eq!(hands(&game), "Pnn", "a move of a piece changes no hand");
        let old = Game::from_fen(Variant::BUGHOUSE, "4k3/8/8/8/8/8/8/4K3[] w - - 120 80").unwrap();
        assert_eq!(old.ending(), None);
    }
}
