//! The client's last position. A game that is sent again and again costs its new moves only.

use crate::chess::{AnyPosition, FenError, Game, Move, MoveError, Square, Variant};
use crate::protocol::uci::{MoveWords, Start, VariantChoice};

/// The rules by which positions are read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct RulesInUse {
    /// `UCI_Variant`
    pub(super) choice: VariantChoice,
    /// `UCI_Chess960`
    pub(super) chess960: bool,
}

impl RulesInUse {
    pub(super) fn variant(self) -> Variant {
        let own = self.choice.variant;
        own.with_chess960().filter(|_| self.chess960).unwrap_or(own)
    }

    fn position(self, start: &Start) -> Result<AnyPosition, FenError> {
        let fen = match start {
            Start::Startpos => self.choice.start_fen(),
            Start::Fen(fen) => fen,
        };
        AnyPosition::from_fen(self.variant(), fen)
    }
}

/// The reason that the client's last position is unusable. Moves before an illegal one do not
/// count.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum PositionError {
    /// The FEN is invalid, or its position illegal.
    #[error("the position is illegal: {0}")]
    Fen(FenError),
    /// A move cannot be played: its number from 1, and the beginning of its word.
    #[error("move {0} of the position, {1}, cannot be played: {2}")]
    Move(usize, String, MoveError),
    /// The command was not understood.
    #[error("the last position was not understood")]
    Syntax,
    /// The rules have changed since the position was read.
    #[error("the rules have changed since the position was sent, and its game is long: send it again")]
    OtherRules,
}

/// The most bytes of moves to read again by other rules, some thousand plies. Reading longer games
/// would hold up the loop for a line of a few bytes, and clients send the position before the next
/// `go` anyway.
const MAX_READ_AGAIN: usize = 5_000;
/// Characters shown of an illegal move.
const MAX_WORD: usize = 20;

/// The client's last position, with the game that led to it.
#[derive(Debug)]
pub(super) struct Board {
    rules: RulesInUse,
    /// The position before the moves, as sent by the client.
    pub(super) start: Start,
    /// The moves as sent by the client.
    pub(super) moves: MoveWords,
    /// Bytes of `moves` played on `game`: all of them, unless there is an error.
    played: usize,
    game: Game,
    pub(super) error: Option<PositionError>,
}

impl Board {
    /// The start position of chess.
    pub(super) fn new(rules: RulesInUse) -> Board {
        Board {
            rules,
            start: Start::Startpos,
            moves: MoveWords::default(),
            played: 0,
            game: Game::new(rules.variant()),
            error: None,
        }
    }

    /// The game on the board; meaningless while there is an [error](Board::error).
    pub(super) fn game(&self) -> &Game {
        &self.game
    }

    pub(super) fn error(&self) -> Option<&PositionError> {
        self.error.as_ref()
    }

    /// Bytes of memory besides the value itself.
    pub(super) fn heap_bytes(&self) -> usize {
        let start = match &self.start {
            Start::Startpos => 0,
            Start::Fen(fen) => fen.capacity(),
        };
        start + self.moves.heap_bytes() + self.game.heap_bytes()
    }

    /// Returns true if castling is written as king takes rook.
    pub(super) fn king_takes_rook(&self) -> bool {
        self.rules.chess960
    }

    /// Changes the rules, and reads the client's position again.
    pub(super) fn change_rules(&mut self, rules: RulesInUse) {
        if rules == self.rules {
            return;
        }
        self.rules = rules;
        // Other rules do not bring back the position before an invalid command.
        let forgotten = match self.error.take() {
            Some(error @ (PositionError::Syntax | PositionError::OtherRules)) => Some(error),
            Some(PositionError::Fen(_) | PositionError::Move(..)) | None => {
                (self.moves.as_str().len() > MAX_READ_AGAIN).then_some(PositionError::OtherRules)
            }
        };
        let (start, moves) = (self.start.clone(), std::mem::take(&mut self.moves));
        self.begin(start);
        if forgotten.is_some() {
            self.error = forgotten;
        } else {
            self.play(moves, 0);
        }
    }

    /// Handles an invalid command: there is no position until the next one.
    pub(super) fn forget(&mut self) {
        self.error = Some(PositionError::Syntax);
    }

    /// Puts a position on the board. The part in common with the last one is not read again.
    pub(super) fn set(&mut self, start: Start, moves: MoveWords) {
        // A forgotten position may have been illegal as well.
        let is_readable = !matches!(
            self.error,
            Some(PositionError::Fen(_) | PositionError::Syntax | PositionError::OtherRules)
        );
        let common = if start == self.start && is_readable {
            common_words(&self.moves.as_str()[..self.played], moves.as_str())
        } else {
            self.begin(start);
            0
        };
        self.play(moves, common);
    }

    fn begin(&mut self, start: Start) {
        self.played = 0;
        match self.rules.position(&start) {
            Ok(position) => {
                self.game = Game::from_position(position);
                self.error = None;
            }
            Err(error) => {
                self.game = Game::new(self.rules.variant());
                self.error = Some(PositionError::Fen(error));
            }
        }
        self.start = start;
    }

    /// Plays all moves after the first `common` bytes, which are on the board.
    fn play(&mut self, moves: MoveWords, common: usize) {
        self.moves = moves;
        self.played = common;
        if matches!(self.error, Some(PositionError::Fen(_))) {
            return;
        }
        self.error = None;
        self.play_from(common);
        self.game.shrink();
    }

    fn play_from(&mut self, common: usize) {
        let text = self.moves.as_str();
        self.game.rewind(words(&text[..common]));
        for word in text[common..].split_ascii_whitespace() {
            match read_move(self.game.position(), word) {
                Ok(mv) => {
                    self.game.play(mv);
                    // With the blank before the word, unless it is the first.
                    self.played += word.len() + usize::from(self.played > 0);
                }
                Err(error) => {
                    let place = self.game.moves().len() + 1;
                    self.error =
                        Some(PositionError::Move(place, word.chars().take(MAX_WORD).collect(), error));
                    return;
                }
            }
        }
    }
}

/// Reads a move. Most are four plain letters, which are read without generating all moves.
fn read_move(position: &AnyPosition, word: &str) -> Result<Move, MoveError> {
    let plain = || {
        let (from, to) = word.split_at_checked(2).filter(|(_, to)| to.len() == 2)?;
        let mv = Move::normal(Square::parse(from)?, Square::parse(to)?);
        position.is_legal(mv).then_some(mv)
    };
    plain().map_or_else(|| position.parse_move(word), Ok)
}

/// Returns the number of bytes of the common words at the beginning of both texts, without a blank
/// at the end.
fn common_words(before: &str, now: &str) -> usize {
    let (before, now) = (before.as_bytes(), now.as_bytes());
    let common = common_bytes(before, now);
    let ends_word = |text: &[u8]| text.get(common).is_none_or(|&byte| byte == b' ');
    if ends_word(before) && ends_word(now) {
        common
    } else {
        before[..common].iter().rposition(|&byte| byte == b' ').unwrap_or(0)
    }
}

fn common_bytes(before: &[u8], now: &[u8]) -> usize {
    if now.starts_with(before) {
        return before.len();
    }
    const BLOCK: usize = 256;
    let blocks = before.chunks_exact(BLOCK).zip(now.chunks_exact(BLOCK));
    let start = blocks.take_while(|(before, now)| before == now).count() * BLOCK;
    let rest = before[start..].iter().zip(&now[start..]);
    start + rest.take_while(|(before, now)| before == now).count()
}

fn words(text: &str) -> usize {
    if text.is_empty() { 0 } else { text.bytes().filter(|&byte| byte == b' ').count() + 1 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const CHESS: RulesInUse = RulesInUse { choice: VariantChoice::CHESS, chess960: false };

    fn set(board: &mut Board, start: &str, moves: &str) -> Result<String, String> {
        let start = if start.is_empty() { Start::Startpos } else { Start::Fen(start.to_owned()) };
        board.set(start, MoveWords::read(moves));
        shown(board)
    }

    fn shown(board: &Board) -> Result<String, String> {
        board.error().map_or_else(|| Ok(board.game().position().fen()), |error| Err(error.to_string()))
    }

    #[test]
    fn a_game_that_grows_is_not_read_again() {
        let mut board = Board::new(CHESS);
        assert!(set(&mut board, "", "e2e4 e7e5").is_ok());
        let fen = set(&mut board, "", "e2e4 e7e5 g1f3 b8c6").unwrap();
        assert_eq!(fen, "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3");
        assert_eq!(set(&mut board, "", "e2e4 e7e5 g1f3 b8c6"), Ok(fen.clone()));
        assert!(set(&mut board, "", "e2e4").unwrap().contains(" b "));
        assert_eq!(board.game().moves().len(), 1);
        assert!(set(&mut board, "", "e2e3").unwrap().contains("4P3"));
        assert_eq!(set(&mut board, "", "e2e4 e7e5 g1f3 b8c6"), Ok(fen));
        assert_eq!(set(&mut board, "", ""), Ok(AnyPosition::start(Variant::NORMAL).fen()));
    }

    #[test]
    fn errors_are_reported_and_can_be_corrected() {
        let mut board = Board::new(CHESS);
        for (fen, moves, error) in [
            ("", "e2e4 e7e5 e4e5 g8f6", "move 3 of the position, e4e5, cannot be played: illegal move"),
            ("", "e2e4 zz", "move 2 of the position, zz, cannot be played: not a move"),
            ("", "e2e4 0000", "move 2 of the position, 0000, cannot be played: not a move"),
            (
                "8/8/8/8/8/8/8/8 w - - 0 1",
                "",
                "the position is illegal: a side has too many kings for this game, or none",
            ),
            (
                "8/8/8/8/8/8/8/8 w - - 0 1",
                "e2e4",
                "the position is illegal: a side has too many kings for this game, or none",
            ),
            ("x", "", "the position is illegal: the board has a letter that is no piece"),
        ] {
            let told = set(&mut board, fen, moves).expect_err(fen);
            assert_eq!(told, error, "{fen} {moves}");
        }
        assert!(set(&mut board, "", "e2e4 e7e5").is_ok());
        board.forget();
        assert_eq!(shown(&board), Err("the last position was not understood".to_owned()));
        board.change_rules(RulesInUse { chess960: true, ..CHESS });
        assert_eq!(shown(&board), Err("the last position was not understood".to_owned()));
        let empty = "8/8/8/8/8/8/8/8 w - - 0 1";
        let error = set(&mut board, empty, "").expect_err("no kings");
        board.forget();
        assert_eq!(set(&mut board, empty, ""), Err(error));
        assert!(set(&mut board, "", "e2e4 e7e5").is_ok());
    }

    #[test]
    fn a_long_game_is_not_read_again_by_other_rules() {
        let mut board = Board::new(CHESS);
        for (rounds, is_read) in [(10, true), (2_000, false)] {
            let moves = "g1f3 g8f6 f3g1 f6g8 ".repeat(rounds);
            assert!(set(&mut board, "", &moves).is_ok());
            board.change_rules(RulesInUse { chess960: true, ..CHESS });
            assert_eq!(shown(&board).is_ok(), is_read, "{rounds}");
            assert_eq!(board.game().moves().len(), if is_read { 4 * rounds } else { 0 });
            board.change_rules(CHESS);
            assert_eq!(shown(&board).is_ok(), is_read, "{rounds}");
            assert!(set(&mut board, "", &moves).is_ok());
            assert_eq!(board.game().moves().len(), 4 * rounds);
        }
    }

    #[test]
    fn the_longest_game_fits_into_211_kib() {
        let mut board = Board::new(CHESS);
        let moves = "g1f3 g8f6 f3g1 f6g8 ".repeat(3_275);
        assert!((65_000..65_536).contains(&moves.len()));
        assert!(set(&mut board, "", &moves).is_ok());
        assert!(board.heap_bytes() <= 211 << 10, "{}", board.heap_bytes());
        assert!(set(&mut board, "", &moves[..moves.len() - 40]).is_ok());
        assert!(board.heap_bytes() <= 211 << 10, "{}", board.heap_bytes());
        assert!(set(&mut board, "", "e2e4").is_ok());
        assert!(board.heap_bytes() < 1 << 10, "{}", board.heap_bytes());
    }

    #[test]
    fn other_rules_read_the_same_position_otherwise() {
        let mut board = Board::new(CHESS);
        let fen = "1r2k3/8/8/8/8/8/8/1R2K1R1 w GBb - 0 1";
        assert!(set(&mut board, fen, "").unwrap().contains(" w - "));
        board.change_rules(RulesInUse { chess960: true, ..CHESS });
        assert!(shown(&board).unwrap().contains(" w GBb "));
        assert!(set(&mut board, fen, "e1g1").unwrap().starts_with("1r2k3/8/8/8/8/8/8/1R3RK1 b"));
        board.change_rules(CHESS);
        assert!(shown(&board).is_err());
        let three_check = RulesInUse { choice: VariantChoice::named("3check").unwrap(), chess960: false };
        board.change_rules(three_check);
        let position = "4k3/8/8/8/8/8/8/4K2Q w - -";
        for (given, left) in [("", "3+3"), (" 1+2 0 1", "1+2"), (" 0 1 +2+1", "1+2")] {
            let fen = set(&mut board, &format!("{position}{given}"), "").unwrap();
            assert!(fen.contains(left), "{given}: {fen}");
        }
        board.change_rules(RulesInUse {
            choice: VariantChoice::named("crazyhouse").unwrap(),
            chess960: false,
        });
        assert!(set(&mut board, "4k3/8/8/8/8/8/8/4K3[Qp] w - - 0 1", "Q@e3 e8d8 e3e4 p@h5").is_ok());
        assert!(set(&mut board, "4k3/8/8/8/8/8/8/4K3[Qp] w - - 0 1", "Q@e3 e8d8 e3e4 P@h5").is_ok());
    }

    proptest! {
        /// The board equals one that has never had another position.
        #[test]
        fn earlier_positions_have_no_influence(games in prop::collection::vec(prop::collection::vec(0usize..6, 0..24), 1..6)) {
            let shuffles = ["g1f3", "g8f6", "f3g1", "f6g8", "e2e4", "e7e5"];
            let mut board = Board::new(CHESS);
            for game in games {
                let moves: Vec<&str> = game.iter().map(|&index| shuffles[index]).collect();
                let found = set(&mut board, "", &moves.join(" "));
                let mut fresh = Board::new(CHESS);
                prop_assert_eq!(found, set(&mut fresh, "", &moves.join(" ")));
                prop_assert_eq!(board.game().moves(), fresh.game().moves());
                prop_assert_eq!(board.game().history(), fresh.game().history());
            }
        }
    }
}
