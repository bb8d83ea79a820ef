//! What a position is worth with best play.

/// A position's value for the side on move, if the winner is as fast and the loser as slow as can be. Draws by repetition or by
/// the 40-move rule are not counted.
///
/// Plies are those to the end: the last one is the move after which the loser has none. They are known for positions of up to
/// five pieces.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Value {
    /// The side on move wins, in this number of plies: 1 or another odd number.
    Win(Option<u8>),
    /// Nobody can win.
    Draw,
    /// The side on move loses, in this number of plies: 0 or another even number.
    Loss(Option<u8>),
}

/// The byte of a position that nobody wins.
pub const DRAW: u8 = u8::MAX;
/// Wins of more plies cannot be counted. The longest known one of up to six pieces takes 167.
pub const MAX_PLIES: u8 = 229;

impl Value {
    /// The value of a byte: plies to the end, or [`DRAW`].
    #[inline]
    pub(super) const fn of_plies(byte: u8) -> Value {
        match byte {
            DRAW => Value::Draw,
            plies if plies % 2 == 1 => Value::Win(Some(plies)),
            plies => Value::Loss(Some(plies)),
        }
    }

    /// The same byte, of a win or loss without distance the smallest.
    #[inline]
    pub(super) const fn plies(self) -> u8 {
        match self {
            Value::Win(Some(plies)) | Value::Loss(Some(plies)) => plies,
            Value::Win(None) => 1,
            Value::Draw => DRAW,
            Value::Loss(None) => 0,
        }
    }

    /// The value without a distance.
    #[inline]
    pub(super) const fn without_plies(self) -> Value {
        match self {
            Value::Win(_) => Value::Win(None),
            Value::Draw => Value::Draw,
            Value::Loss(_) => Value::Loss(None),
        }
    }
}
