//! The moments of a game at which servers are killed.

/// The state of the conversation between a GUI and its engine.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Moment {
    /// The introduction.
    Handshake,
    /// The user thinks and the engine does not.
    Idle,
    /// The engine thinks.
    Thinking,
    /// The engine has used nearly all its time for the move and must learn how long the outage was.
    ShortOfTime,
    /// The user's move was just sent.
    Moved,
    /// A `ping` waits for the engine's move.
    PingOpen,
    /// The user sends `force` while the server is down and a move is due.
    Forced,
    /// The engine thinks on the user's time.
    Pondering,
    /// The engine analyses.
    Analysing,
    /// A board is being edited.
    Editing,
    /// A board was just set up.
    SetUp,
    /// Moves were just taken back.
    TakenBack,
    /// The session is being restored on a new server, which is killed as well.
    Replaying,
    /// A position has occurred twice and occurs again.
    Repeating,
    /// The fiftieth move without capture or pawn move is near.
    Counting,
    /// The next move ends the game.
    NearTheEnd,
    /// The result was claimed.
    Over,
}

impl Moment {
    pub const ALL: [Moment; 17] = [
        Moment::Handshake,
        Moment::Idle,
        Moment::Thinking,
        Moment::ShortOfTime,
        Moment::Moved,
        Moment::PingOpen,
        Moment::Forced,
        Moment::Pondering,
        Moment::Analysing,
        Moment::Editing,
        Moment::SetUp,
        Moment::TakenBack,
        Moment::Replaying,
        Moment::Repeating,
        Moment::Counting,
        Moment::NearTheEnd,
        Moment::Over,
    ];
}
