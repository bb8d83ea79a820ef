//! Positions to set up.

/// Middle games and endings with moves to find.
pub const ORDINARY: [&str; 5] = [
    "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3",
    "r2q1rk1/pp2bppp/2n1bn2/3p4/3P4/2N1BN2/PP2BPPP/R2Q1RK1 w - - 4 12",
    "r1bq1rk1/pp3ppp/2nbpn2/2pp4/3P4/2PBPN2/PP1N1PPP/R1BQ1RK1 b - - 3 8",
    "8/5pk1/4p1p1/3pP2p/3P1P1P/2r3P1/5RK1/8 w - - 5 40",
    "3r2k1/p4ppp/1p6/8/8/1P3N2/P4PPP/3R2K1 b - - 1 25",
];

/// Quiet endings shortly before the fiftieth move, White to move; it is three plies away.
pub const NEAR_FIFTY: [&str; 3] = [
    "8/5k2/8/8/3R4/8/2K5/8 w - - 96 100",
    "4k3/3r4/8/8/8/8/3R4/4K3 w - - 96 90",
    "8/2k5/3b4/8/8/3Q4/8/5K2 w - - 96 120",
];

/// Positions with the white move that ends the game.
pub const NEAR_THE_END: [(&str, &str); 5] = [
    ("7k/8/5KQ1/8/8/8/8/8 w - - 0 60", "g6g7"),
    ("6k1/5ppp/8/8/8/8/8/R5K1 w - - 3 30", "a1a8"),
    ("7k/8/5K2/6Q1/8/8/8/8 w - - 0 60", "g5g6"),
    ("8/8/8/3k4/8/8/3p4/3K4 w - - 0 70", "d1d2"),
    ("k7/2Q5/8/8/8/8/8/3K4 w - - 10 60", "c7c8"),
];

/// Boards with their `edit` commands. White to move.
pub const EDITED: [(&str, &[&str]); 2] = [
    (
        "6k1/5ppp/8/8/8/2N5/5PPP/6K1 w - - 0 1",
        &["#", "Kg1", "Nc3", "Pf2", "Pg2", "Ph2", "c", "Kg8", "Pf7", "Pg7", "Ph7"],
    ),
    (
        "3r2k1/pp3p1p/6p1/8/8/4B3/PP3PPP/3R2K1 w - - 0 1",
        &[
            "#", "c", "Kg8", "Rd8", "Pa7", "Pb7", "Pf7", "Pg6", "Ph7", "c", "Kg1", "Rd1", "Be3", "Pa2",
            "Pb2", "Pf2", "Pg2", "Ph2",
        ],
    ),
];
