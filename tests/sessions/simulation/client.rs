//! Input of an adversarial client.

use super::model::Model;
use crate::support::dice::Dice;
use farboard::chess::Variant;
use farboard::protocol::xboard::move_text;

/// Positions for `setboard`: quiet ones, finished games, near draws by rule, and nonsense.
const POSITIONS: [&str; 12] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 20",
    "r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 31",
    "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 30",
    "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1",
    "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1",
    "4k3/8/8/8/8/8/8/R3K3 w - - 98 80",
    "4k3/8/8/8/8/8/4r3/4K3 w - - 0 1",
    "8/P7/8/8/8/k7/8/K7 w - - 0 1",
    "8/8/8/8/8/8/8/8 w - - 0 1",
    "4k3/8/8/8/8/8/4R3/4K3 w - - 0 1",
    "what",
];

/// Lines that do not change the board and are allowed at any time.
const SETTINGS: [&str; 67] = [
    "post",
    "nopost",
    "hard",
    "hard",
    "easy",
    "level 40 5 0",
    "level 0 0:10 0.1",
    "level 0 1 1",
    "st 0.5",
    "st 3",
    "sd 5",
    "sd 0",
    "time 1000",
    "time 12",
    "time -5",
    "otim 1000",
    "random",
    "computer",
    "name Opp",
    "rating 1 2",
    "ics -",
    "option MultiPV=3",
    "option Move Overhead=10",
    "option Clear Hash",
    "option X=1",
    "option SkillLevel=3",
    "option LimitStrength=1",
    "option LimitStrength=0",
    "option Elo=1200",
    "option Contempt=50",
    "option Contempt=-20",
    "option Ponder=0",
    "option Ponder=1",
    "option Book=none",
    "option Resign=1",
    "option ScoreToResign=200",
    "option Randomness=9",
    "option PVNotation=coordinates",
    "option OldGUI=1",
    "option OldGUI=0",
    "option Kibitz=kibitz",
    "option Kibitz=whisper",
    "option Greeting=Hello",
    "strength",
    "option ShowSettings",
    "option Defaults",
    "strength 900",
    "strength full",
    "ics chess.example",
    "accepted debug",
    "nps 1000",
    "nps 0",
    "nps -1",
    "setscore 30 5",
    "exclude all",
    "include all",
    "fritz",
    "reset",
    "memory 4",
    "cores 2",
    "draw",
    "draw",
    "hint",
    ".",
    "bk",
    "depth",
    "7",
];

/// Lines of a bughouse game, and positions, one of them without a move until a piece comes.
const BUGHOUSE: [&str; 26] = [
    "holding [P] []",
    "holding [PPRQ] [n]",
    "holding [] []",
    "holding [ppp] [QNB] WP",
    "holding [] [N] BN",
    "holding [QRBNP] [QRBNP]",
    "setboard 6k1/5ppp/8/8/8/8/8/R3K3[] w - - 0 1",
    "setboard R5k1/5ppp/8/8/8/8/8/4K3[] b - - 0 1",
    "setboard 6rk/6pp/8/8/8/8/P5PP/6RK[] w - - 0 1",
    "partner mann",
    "partner mann",
    "partner mann",
    "partner other",
    "partner",
    "ptell sit",
    "ptell --> sit",
    "ptell go",
    "ptell fast",
    "ptell slow",
    "ptell dead",
    "ptell x",
    "ptell help",
    "ptell need n",
    "ptell my clock 1:00, opponent 0:05",
    "ptell otim 60000",
    "ptell hello",
];

/// Invalid commands, or invalid arguments.
const NONSENSE: [&str; 12] = [
    "",
    "  ",
    "foo bar",
    "ping",
    "level",
    "usermove",
    "usermove hello",
    "setboard",
    "variant nothing",
    "#",
    "e2",
    "protover x",
];

/// Lines of an `edit` block; most of them lead to a legal position.
const EDITS: [&str; 19] = [
    "#",
    "c",
    "Ke1",
    "Ke8",
    "Qd4",
    "Ra1",
    "Rh8",
    "Pa7",
    "Pe2",
    "xe2",
    "Pd4+",
    "castle +w00",
    "castle -b000",
    "ep d6",
    "Pe9",
    ".",
    ".",
    ".",
    "ping 8",
];

/// The client's next line.
pub fn line(dice: &mut Dice, model: &Model) -> Vec<u8> {
    if model.editor.is_some() && !dice.once_in(12) {
        return dice.pick(&EDITS).as_bytes().to_vec();
    }
    if model.paused && dice.once_in(3) {
        return b"resume".to_vec();
    }
    let bughouse = model.game.position().variant() == Variant::BUGHOUSE;
    let text = match dice.roll(100) {
        _ if bughouse && dice.once_in(5) => (*dice.pick(&BUGHOUSE)).to_owned(),
        0..40 => a_move(dice, model),
        40..47 => "go".to_owned(),
        47..51 => "force".to_owned(),
        51..53 => "new".to_owned(),
        53..56 => (*dice.pick(&["undo", "undo", "remove"])).to_owned(),
        56..60 => format!("ping {}", dice.roll(1000)),
        60..63 => "?".to_owned(),
        63..65 => format!("setboard {}", dice.pick(&POSITIONS)),
        65 if dice.once_in(2) => "edit".to_owned(),
        65..67 => (*dice.pick(&["analyze", "exit"])).to_owned(),
        67..69 => "playother".to_owned(),
        69..71 => (*dice.pick(&["white", "black"])).to_owned(),
        71 if dice.once_in(3) => "variant bughouse".to_owned(),
        71 if dice.once_in(2) => format!("variant {}", dice.pick(&Variant::ALL).name()),
        71 => {
            (*dice.pick(&["holding [P] []", "holding [PPRQ] [n]", "holding [] []", "holding [ppp] [QNB] WP"]))
                .to_owned()
        }
        72..75 => (*dice.pick(&["pause", "resume", "resume"])).to_owned(),
        75 if dice.once_in(2) => "result * {over}".to_owned(),
        75 => format!("{} {}", dice.pick(&["exclude", "include"]), a_move(dice, model)),
        76 if dice.once_in(2) => "protover 2".to_owned(),
        76 => format!("ponder {}", a_move(dice, model)),
        77..94 => (*dice.pick(&SETTINGS)).to_owned(),
        94..98 => (*dice.pick(&NONSENSE)).to_owned(),
        _ => return (0..dice.roll(30)).map(|_| dice.roll(256) as u8).filter(|&byte| byte != b'\n').collect(),
    };
    text.into_bytes()
}

/// Usually a legal move, in either notation; sometimes an illegal one.
fn a_move(dice: &mut Dice, model: &Model) -> String {
    let position = model.game.position();
    let moves = position.legal_moves();
    let text = if moves.is_empty() || dice.once_in(8) {
        (*dice.pick(&["e2e5", "a1a1", "e7e8q", "O-O", "Nf3", "h8h1", "e4", "@@@@", "P@e4"])).to_owned()
    } else {
        let mv = *dice.pick(&moves);
        if dice.once_in(4) { position.san(mv) } else { move_text(position, mv) }
    };
    if dice.once_in(2) { format!("usermove {text}") } else { text }
}
