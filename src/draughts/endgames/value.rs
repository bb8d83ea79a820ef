//! The value of a position with best play.

/// A position's value for the side on move, with the winner as fast and the loser as slow as
/// possible. Draws by repetition and the 40-move rule are ignored.
///
/// Plies are counted to the end: after the last one the loser has no move. They are known for
/// positions of up to five pieces.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Value {
    /// The side on move wins in this odd number of plies.
    Win(Option<u8>),
    /// Neither side can win.
    Draw,
    /// The side on move loses in this even number of plies.
    Loss(Option<u8>),
}

/// The byte of a drawn position.
pub(super) const DRAW: u8 = u8::MAX;
/// Maximum number of plies of a win. The longest known one of up to six pieces takes 167.
pub(super) const MAX_PLIES: u8 = 229;

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

    /// Returns the byte; the smallest one for a win or loss without distance.
    #[inline]
    pub(super) const fn plies(self) -> u8 {
        match self {
            Value::Win(Some(plies)) | Value::Loss(Some(plies)) => plies,
            Value::Win(None) => 1,
            Value::Draw => DRAW,
            Value::Loss(None) => 0,
        }
    }

    /// Returns the value without its distance.
    #[inline]
    pub(super) const fn without_plies(self) -> Value {
        match self {
            Value::Win(_) => Value::Win(None),
            Value::Draw => Value::Draw,
            Value::Loss(_) => Value::Loss(None),
        }
    }
}
