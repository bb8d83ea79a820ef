//! The moments of a game at which servers are killed.

/// What is going on between a GUI and its engine.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Moment {
    /// They introduce themselves.
    Handshake,
    /// The user thinks, and the engine does not.
    Idle,
    /// The engine thinks.
    Thinking,
    /// The engine thinks, and its time is nearly all for this move: it must hear how long the outage was.
    ShortOfTime,
    /// The user's move has just been sent.
    Moved,
    /// A `ping` waits for the engine's move.
    PingOpen,
    /// The user says `force` while the server is away and a move is due.
    Forced,
    /// The engine thinks on the user's time.
    Pondering,
    /// The engine analyses.
    Analysing,
    /// A board is being edited.
    Editing,
    /// A board has just been set up.
    SetUp,
    /// Moves have just been taken back.
    TakenBack,
    /// The conversation is being repeated to a new server, which is killed, too.
    Replaying,
    /// A position has been there twice, and comes again.
    Repeating,
    /// The fiftieth move without capture or pawn move is near.
    Counting,
    /// The next move ends the game.
    NearTheEnd,
    /// The result has been claimed.
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
