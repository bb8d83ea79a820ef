//! Limitations of hosted engines.

/// A part of a question that an engine cannot answer. The text is the end of a sentence about the
/// engine.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub(in crate::hosting) enum Unsupported {
    /// A variant.
    #[error("does not play {0}")]
    Variant(&'static str),
    /// A position other than the start of a game.
    #[error("cannot be given this position")]
    Position,
    /// A search without some of the moves.
    #[error("cannot leave out moves")]
    Exclude,
    /// More lines than this.
    #[error("shows {}", lines(*.0))]
    Lines(u8),
    /// A strength below the full one.
    #[error("plays at full strength only")]
    Strength,
    /// A value of a draw.
    #[error("knows no contempt")]
    Contempt,
    /// Scores of positions set by the user.
    #[error("takes no scores that the user sets")]
    Scores,
}

fn lines(most: u8) -> String {
    if most == 1 { "one line only".to_owned() } else { format!("at most {most} lines") }
}

impl Unsupported {
    /// Returns true if another engine must do the search.
    pub(in crate::hosting) fn prevents_search(&self) -> bool {
        match self {
            Unsupported::Variant(_) | Unsupported::Position | Unsupported::Exclude => true,
            Unsupported::Lines(_) | Unsupported::Strength | Unsupported::Contempt | Unsupported::Scores => {
                false
            }
        }
    }
}
