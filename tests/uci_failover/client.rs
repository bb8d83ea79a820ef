//! What the client may say.

use crate::dice::Dice;
use crate::server::Server;

const STARTS: [&str; 6] = [
    "startpos",
    "startpos",
    "fen r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 30",
    "fen r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 31",
    "fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1",
    "fen 8/8/8/8/8/8/8/8 w - - 0 1",
];

const SETTINGS: [&str; 25] = [
    "setoption name MultiPV value 3",
    "setoption name MultiPV value 1",
    "setoption name multipv value 2",
    "setoption name MultiPV value 0",
    "setoption name MultiPV value three",
    "setoption name Hash value 16",
    "setoption name Hash value 64",
    "setoption name Hash value x",
    "setoption name Threads value 2",
    "setoption name Clear Hash",
    "setoption name Contempt value 20",
    "setoption name UCI_AnalyseMode value true",
    "setoption name UCI_AnalyseMode value false",
    "setoption name UCI_LimitStrength value true",
    "setoption name UCI_LimitStrength value false",
    "setoption name UCI_Elo value 1500",
    "setoption name UCI_Elo value 100000",
    "setoption name UCI_Chess960 value true",
    "setoption name UCI_Chess960 value false",
    "setoption name UCI_Variant value atomic",
    "setoption name UCI_Variant value chess",
    "setoption name UCI_Opponent value GM 2800 human Some One",
    "setoption name Profile value club",
    "setoption name Nothing value 1",
    "setoption",
];

const LIMITS: [&str; 18] = [
    "wtime 60000 btime 50000 winc 1000 binc 1000",
    "wtime 60000 btime 50000 movestogo 20",
    "wtime 9000",
    "movetime 5000",
    "depth 5",
    "depth 9 nodes 1000",
    "nodes 5000",
    "mate 3",
    "infinite",
    "infinite",
    "infinite searchmoves e2e4 d2d4",
    "movetime 900 searchmoves e2e5",
    "ponder wtime 60000 btime 50000",
    "ponder wtime 60000 btime 50000",
    "ponder movetime 3000",
    "perft 2",
    "",
    "wtime x",
];

const OTHERS: [&str; 9] =
    ["uci", "isready", "isready", "ucinewgame", "debug off", "register later", "d", "eval", "\tfoo bar"];

/// Lines that the client says next, without the last line end. `server` is one that has heard all.
pub fn lines(dice: &mut Dice, server: &Server) -> String {
    match dice.roll(20) {
        0..6 => format!("{}\ngo {}", position(dice, server), dice.pick(&LIMITS)),
        6..8 => format!("stop\n{}\ngo {}", position(dice, server), dice.pick(&LIMITS)),
        8 => position(dice, server),
        9 => format!("go {}", dice.pick(&LIMITS)),
        10..13 => "stop".to_owned(),
        13..15 => "ponderhit".to_owned(),
        15..17 => dice.pick(&SETTINGS).to_string(),
        17 => format!("stop\n{}\nisready", dice.pick(&SETTINGS)),
        18 if dice.once_in(8) => format!("position startpos moves {}", "e2e4 ".repeat(15_000)),
        _ => dice.pick(&OTHERS).to_string(),
    }
}

/// Mostly the game goes on by a legal move.
fn position(dice: &mut Dice, server: &Server) -> String {
    let game = server.session.game();
    let moves = game.position().legal_moves();
    if dice.once_in(6) || moves.is_empty() || server.session.position_error().is_some() {
        return format!("position {}", dice.pick(&STARTS));
    }
    let mut played: Vec<String> = Vec::new();
    let mut position = *game.start();
    for &mv in game.moves() {
        played.push(position.coordinates(mv));
        position.play(mv);
    }
    played.push(if dice.once_in(12) { "e2e5".to_owned() } else { position.coordinates(*dice.pick(&moves)) });
    let start = game.start().fen();
    format!("position fen {start} moves {}", played.join(" "))
}
