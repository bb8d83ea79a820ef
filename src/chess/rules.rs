//! What differs between variants, as constants: code for normal chess compiles without variant tests.

use super::Variant;
use std::fmt::Debug;

/// How castling is set up.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CastlingStyle {
    /// King on e, rooks on a and h.
    Orthodox,
    /// King and rooks anywhere, the king between the rooks; they end where orthodox castling puts them.
    Chess960,
}

/// The rules of a variant.
pub trait Rules: Copy + Default + Debug + Send + Sync + 'static {
    /// Which variant this is.
    const VARIANT: Variant;
    /// How castling is set up.
    const CASTLING: CastlingStyle;
}

/// Orthodox chess.
#[derive(Clone, Copy, Default, Debug)]
pub struct Normal;

impl Rules for Normal {
    const VARIANT: Variant = Variant::Normal;
    const CASTLING: CastlingStyle = CastlingStyle::Orthodox;
}

/// Chess960, called `fischerandom` in the xboard protocol.
#[derive(Clone, Copy, Default, Debug)]
pub struct Fischerandom;

impl Rules for Fischerandom {
    const VARIANT: Variant = Variant::Fischerandom;
    const CASTLING: CastlingStyle = CastlingStyle::Chess960;
}
