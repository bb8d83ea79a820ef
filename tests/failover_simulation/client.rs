//! What the client may say.

use crate::Dice;
use farboard::chess::{Game, Variant};
use farboard::protocol::xboard::move_text;

const POSITIONS: [&str; 8] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 31",
    "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 30",
    "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1",
    "4k3/8/8/8/8/8/8/R3K3 w - - 98 80",
    "8/P7/8/8/8/k7/8/K7 w - - 0 1",
    "8/8/8/8/8/8/8/8 w - - 0 1",
    "what",
];

const SETTINGS: [&str; 53] = [
    "post",
    "nopost",
    "hard",
    "easy",
    "level 40 5 0",
    "level 0 2 1",
    "level 4 1 0",
    "st 3",
    "sd 5",
    "sd 0",
    "depth\n7",
    "time 30000",
    "time 12000",
    "otim 20000",
    "random",
    "random",
    "computer",
    "name Opp",
    "rating 1 2",
    "ics -",
    "ics chess.example",
    "option MultiPV=3",
    "option MoveOverhead=10",
    "option ClearHash",
    "option X=1",
    "option SkillLevel=3",
    "option LimitStrength=1",
    "option LimitStrength=0",
    "option Elo=1200",
    "option Contempt=0",
    "option ScoreToResign=200",
    "option Randomness=9",
    "option PVNotation=coordinates",
    "option Greeting=Hello",
    "option ShowSettings",
    "option Defaults",
    "strength 900",
    "strength full",
    "accepted debug",
    "rejected setscore",
    "nps 1000",
    "nps -1",
    "setscore 30 5",
    "exclude all",
    "include all",
    "reset",
    "memory 4",
    "cores 2",
    "hint",
    ".",
    "bk",
    "hover e4",
    "option Ponder=1",
];

/// What a server of bughouse tells of hands.
const HOLDINGS: [&str; 8] = [
    "holding [P] []",
    "holding [P] [N] BN",
    "holding [PN] [n] WN",
    "holding [] []",
    "holding [N] [] ",
    "holding [QRBNP] [qrbnp]",
    "holding [] [PPP] BP",
    "setboard 6k1/5ppp/8/8/8/8/8/R3K3[] w - - 0 1",
];

/// What it tells of the partner.
const PARTNER: [&str; 14] = [
    "partner mann",
    "partner mann",
    "partner other",
    "partner",
    "ptell sit",
    "ptell go",
    "ptell fast",
    "ptell --> slow",
    "ptell +++nq",
    "ptell ---q",
    "ptell x",
    "ptell dead",
    "ptell my clock 1:00, opponent 0:10",
    "ptell hello there",
];

const NONSENSE: [&str; 7] =
    ["", "foo bar", "ping", "usermove hello", "setboard", "\u{e9}\u{e8}", "protover x"];

const EDITS: [&str; 6] = [
    "edit\n#\nKe1\nc\nKe8\nQd8\n.",
    "edit\n#\nKe1\nRa1\nPa2\nc\nKe8\n.",
    "edit\nxa2\nxb2\n.",
    "edit\n#\n.",
    "black\nforce\nedit\n#\nKe1\nQd1\nc\nKe8\n.",
    "edit\n#\nKe1\nfoo\nc\nKe8\nping 77\nRa8\n.",
];

/// What it says next, without the last line end.
///
/// While a move is due, not what means something else when it comes a moment later: nobody but the server
/// would know which it was.
pub fn lines(dice: &mut Dice, game: &Game, due: bool) -> String {
    let timely = |line: &str| {
        ![
            "ptell go",
            "ptell x",
            "ptell dead",
            "remove",
            "exclude",
            "include",
            "setscore",
            "level",
            "st ",
            "pause",
            "hint",
        ]
        .iter()
        .any(|word| line.starts_with(word))
    };
    loop {
        let text = any(dice, game);
        if !due || timely(&text) {
            return text;
        }
    }
}

fn any(dice: &mut Dice, game: &Game) -> String {
    match dice.roll(100) {
        0..46 => a_move(dice, game),
        46..53 => "go".to_owned(),
        53..58 => "force".to_owned(),
        58..60 => "new".to_owned(),
        60..63 => dice.pick(&["undo", "undo", "remove"]).to_string(),
        63..69 => format!("ping {}", dice.roll(1000)),
        69..70 => "?".to_owned(),
        70..72 => format!("setboard {}", dice.pick(&POSITIONS)),
        72..73 => dice.pick(&EDITS).to_string(),
        73..75 => dice.pick(&["analyze", "exit"]).to_string(),
        75..77 => "playother".to_owned(),
        77..78 => dice.pick(&["white", "black"]).to_string(),
        78..79 if dice.once_in(3) => "variant bughouse".to_owned(),
        78..79 => format!("variant {}", dice.pick(&Variant::ALL).name()),
        79..81 => dice.pick(&["pause", "resume", "resume"]).to_string(),
        81..82 => "result * {over}\nforce".to_owned(),
        82..83 if playing(game, Variant::BUGHOUSE) => dice.pick(&PARTNER).to_string(),
        82..83 => format!("{} {}", dice.pick(&["exclude", "include"]), a_move(dice, game)),
        83..84 => "draw".to_owned(),
        84..89 if game.position().hands().is_some() => dice.pick(&HOLDINGS).to_string(),
        89..92 if playing(game, Variant::BUGHOUSE) => dice.pick(&PARTNER).to_string(),
        84..97 => dice.pick(&SETTINGS).to_string(),
        _ => dice.pick(&NONSENSE).to_string(),
    }
}

fn playing(game: &Game, variant: Variant) -> bool {
    game.position().variant() == variant
}

/// Mostly a legal move; sometimes one that is none.
fn a_move(dice: &mut Dice, game: &Game) -> String {
    let position = game.position();
    let moves = position.legal_moves();
    let text = if moves.is_empty() || dice.once_in(12) {
        dice.pick(&["e2e5", "a1a1", "e7e8q", "O-O"]).to_string()
    } else {
        move_text(position, *dice.pick(&moves))
    };
    if dice.once_in(2) { format!("usermove {text}") } else { text }
}
