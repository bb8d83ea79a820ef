//! A position of any variant.

use super::{
    Bitboard, CastlingStyle, Color, Ending, Fairy, FenError, Move, MoveKind, MoveList, Outcome, Piece,
    Position, Role, Roles, Setup, Square, Standard, Variant,
};

/// An error in a text that is not a playable move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum MoveError {
    /// Not a move at all.
    #[error("not a move")]
    Syntax,
    /// A move that is not possible here.
    #[error("illegal move")]
    Illegal,
    /// The king is in check and would remain so.
    #[error("in check")]
    InCheck,
    /// The move would put the mover's own king in check.
    #[error("moving into check")]
    IntoCheck,
    /// A capture is compulsory, and this move is none.
    #[error("a capture must be made")]
    MustCapture,
    /// The piece belongs to the side not on move.
    #[error("wrong turn")]
    WrongTurn,
    /// More than one piece could make the move.
    #[error("ambiguous move")]
    Ambiguous,
}

/// A position of any variant.
#[derive(Clone, Copy, Debug)]
pub enum AnyPosition {
    /// Orthodox chess, or a variant that differs only in castling.
    Standard(Position<Standard>),
    /// A position of any other variant, or of nocastle with an unusual back rank.
    Fairy(Position<Fairy>),
}

/// Evaluates an expression for the position of either type.
#[macro_export]
macro_rules! with_position {
    ($any:expr, $position:ident => $body:expr) => {
        match $any {
            $crate::chess::AnyPosition::Standard($position) => $body,
            $crate::chess::AnyPosition::Fairy($position) => $body,
        }
    };
}

/// The start position of orthodox chess.
pub const START_FEN: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

impl AnyPosition {
    /// Returns the start position of a variant.
    pub fn start(variant: Variant) -> AnyPosition {
        AnyPosition::from_fen(variant, variant.rules().start).expect("the start position is legal")
    }

    /// Reads FEN (X-FEN and Shredder-FEN castling letters too; fields after the board may be
    /// missing).
    pub fn from_fen(variant: Variant, fen: &str) -> Result<AnyPosition, FenError> {
        let standard = Standard::of(variant).map(|standard| Position::from_fen(standard, fen));
        AnyPosition::of_standard(standard, variant, || Position::from_fen(Fairy::of(variant), fen))
    }

    /// Creates a position from its parts.
    ///
    /// # Errors
    /// The position is illegal.
    pub fn set_up(variant: Variant, setup: &Setup) -> Result<AnyPosition, FenError> {
        let standard = Standard::of(variant).map(|standard| Position::set_up(standard, setup));
        AnyPosition::of_standard(standard, variant, || Position::set_up(Fairy::of(variant), setup))
    }

    /// Returns the position by the rules of standard chess where the variant has those, otherwise
    /// `fairy`. Where any back rank may be set up, a side may have more pieces of a kind than the
    /// move lists of standard chess have room for, which also takes `fairy`.
    fn of_standard(
        standard: Option<Result<Position<Standard>, FenError>>,
        variant: Variant,
        fairy: impl FnOnce() -> Result<Position<Fairy>, FenError>,
    ) -> Result<AnyPosition, FenError> {
        let any_back_rank = variant.rules().castling == CastlingStyle::None;
        match standard {
            Some(Err(FenError::TooManyPieces)) if any_back_rank => fairy().map(AnyPosition::Fairy),
            Some(position) => position.map(AnyPosition::Standard),
            None => fairy().map(AnyPosition::Fairy),
        }
    }

    /// Returns the promoted pieces on the board; empty where the rules do not distinguish them.
    pub(crate) fn promoted(&self) -> Bitboard {
        with_position!(self, position => position.fairy().map_or(Bitboard::EMPTY, Fairy::promoted))
    }

    /// Returns the role that a legal move adds to a hand by a capture: a pawn for a promoted piece.
    pub fn captured_for_hand(&self, mv: Move) -> Option<Role> {
        with_position!(self, position => {
            if mv.kind() == MoveKind::EnPassant {
                return Some(Role::Pawn);
            }
            let captured = position.piece_at(mv.to()).filter(|_| position.is_capture(mv))?;
            let was_pawn = position.fairy().is_some_and(|fairy| fairy.promoted().has(mv.to()));
            Some(if was_pawn { Role::Pawn } else { captured.role })
        })
    }

    /// Returns false if a side cannot win any more by any moves: it has a bare king, and only check
    /// could win. With pieces to drop it can capture one.
    pub fn may_win(&self, color: Color) -> bool {
        with_position!(self, position => {
            let needs_check =
                position.fairy().is_none_or(|fairy| fairy.is_won_by_check_alone() && !fairy.has_drops());
            !needs_check || position.color(color).many()
        })
    }

    /// Returns all legal moves.
    pub fn legal_moves(&self) -> MoveList {
        with_position!(self, position => position.legal_moves().into_iter().collect())
    }

    /// Plays a move, which must be legal here.
    pub fn play(&mut self, mv: Move) {
        with_position!(self, position => position.play(mv));
    }

    /// Returns the same pieces with this side on move, if that is a legal position (xboard's
    /// `white` and `black`).
    pub fn with_turn(&self, turn: Color) -> Option<AnyPosition> {
        match self {
            AnyPosition::Standard(position) => position.with_turn(turn).map(AnyPosition::Standard),
            AnyPosition::Fairy(position) => position.with_turn(turn).map(AnyPosition::Fairy),
        }
    }

    /// Reads a move of the opponent, which may follow other rules of the same variant: ICC's atomic
    /// chess (a king may be left in check), or xboard's two kings (either king may have moved
    /// before castling).
    pub fn parse_opponents_move(&self, text: &str) -> Result<Move, MoveError> {
        match self {
            AnyPosition::Standard(position) => position.parse_move(text),
            AnyPosition::Fairy(position) => position.parse_lenient(text),
        }
    }

    /// Returns the pieces in hand, by side and role; `None` in variants without drops.
    pub fn hands(&self) -> Option<[[u8; 6]; 2]> {
        let AnyPosition::Fairy(position) = self else { return None };
        position.fairy().filter(|fairy| fairy.has_drops()).map(Fairy::hands)
    }

    /// Returns the position with these pieces in hand, at most 32 of a kind; `None` in variants
    /// without drops.
    pub(crate) fn with_hands(&self, hands: &[[u8; 6]; 2]) -> Option<AnyPosition> {
        let AnyPosition::Fairy(position) = self else { return None };
        position.with_hands(hands).map(AnyPosition::Fairy)
    }

    /// Returns the roles any of which in hand would give a [waiting](AnyPosition::waits) side a
    /// legal move.
    pub fn awaited(&self) -> Roles {
        let AnyPosition::Fairy(position) = self else { return Roles::NONE };
        let helps = |&role: &Role| position.with_more_in_hand(Roles::NONE.with(role)).has_legal_move();
        if position.waits() { Roles::DROPPED.iter().filter(helps).collect() } else { Roles::NONE }
    }

    /// Returns the roles not in hand that would mate at once if dropped by the side on move,
    /// without checks from afar. Takes some ten microseconds.
    pub(crate) fn mating_drops(&self) -> Roles {
        match self {
            AnyPosition::Fairy(position) if self.variant().has_partner() => position.mating_drops(),
            _ => Roles::NONE,
        }
    }
}

/// Defines methods that the position of either type answers.
macro_rules! forward {
    ($($(#[$doc:meta])* $visibility:vis fn $name:ident(&self $(, $argument:ident: $type:ty)*) -> $result:ty;)*) => {
        impl AnyPosition {
            $($(#[$doc])*
            $visibility fn $name(&self $(, $argument: $type)*) -> $result {
                with_position!(self, position => position.$name($($argument),*))
            })*
        }
    };
}

forward! {
    /// Returns the piece on a square.
    pub fn piece_at(&self, square: Square) -> Option<Piece>;
    /// Returns the FEN (with Shredder castling letters in fischerandom).
    pub fn fen(&self) -> String;
    /// Returns the rules it is played by.
    pub fn variant(&self) -> Variant;
    /// Returns the side on move.
    pub fn turn(&self) -> Color;
    /// Returns the zobrist key: equal for positions that the repetition rule considers equal.
    pub fn key(&self) -> u64;
    /// Returns the number of plies since the last capture or pawn move.
    pub fn halfmove_clock(&self) -> u32;
    /// Returns the number of the next move, from 1.
    pub fn fullmove(&self) -> u32;
    /// Returns true if the side on move is in check.
    pub fn in_check(&self) -> bool;
    /// Returns the checks that White and Black still have to give to win; `None` if the rules do
    /// not count checks.
    pub fn checks_left(&self) -> Option<[u8; 2]>;
    /// Returns true if the side on move has a legal move.
    pub fn has_legal_move(&self) -> bool;
    /// Returns the outcome by the position alone ([`Position::outcome`]).
    pub fn outcome(&self) -> Option<(Outcome, Ending)>;
    /// Returns true if the move, from any source, is legal here.
    pub fn is_legal(&self, mv: Move) -> bool;
    /// Reads a move in coordinates (`e2e4`, `e7e8q`, `e1g1`), SAN, or castling in any form.
    pub fn parse_move(&self, text: &str) -> Result<Move, MoveError>;
    /// Returns true if the side on move has no legal move but is not mated: a piece from its
    /// partner could help.
    pub fn waits(&self) -> bool;
    /// Returns the move in coordinates: `e2e4`, `e7e8q`, castling `e1g1`; king takes own rook in
    /// fischerandom.
    pub fn coordinates(&self, mv: Move) -> String;
    /// Returns the move in standard algebraic notation, with `+` and `#`.
    pub fn san(&self, mv: Move) -> String;
    /// Returns the number of leaves of the tree of legal moves `depth` plies deep.
    pub fn perft(&self, depth: u32) -> u64;
    /// Returns the number of leaves below each first move.
    pub fn divide(&self, depth: u32) -> Vec<(Move, u64)>;
}
