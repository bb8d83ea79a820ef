//! A fake UCI engine: this test program, started again with the name of one of the functions below.
//! Run as tests they do nothing, since their input has ended.

use farboard::chess::{AnyPosition, Variant};
use std::collections::BTreeSet;
use std::io::{BufRead, Write, stdin, stdout};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Duration;

/// The command of the fake engine with this fault, as a TOML list.
pub fn command(way: &str) -> String {
    command_of(&format!("hosting::fake::{way}"))
}

/// The command that runs a test of this program as a fake engine, as a TOML list.
pub fn command_of(test: &str) -> String {
    let program = std::env::current_exe().expect("this program").display().to_string();
    format!("[{program:?}, \"--ignored\", \"--exact\", {test:?}, \"--nocapture\"]")
}

/// A fault of an engine.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Fault {
    None,
    DiesAtOnce,
    Dies,
    SaysNothing,
    IsNeverReady,
    SearchesMutely,
    Hangs,
    IgnoresStop,
    TalksNonsense,
    PlaysIllegally,
    ShowsIllegalMoves,
    PrintsWithoutEnd,
    PrintsOneLineWithoutEnd,
    EatsMemory,
    LeavesChildren,
    LeavesSessions,
    PreparesSlowly,
    IgnoresSearchmoves,
    NamesNoMove,
    IgnoresDepth,
    Pauses,
    PrintsMuch,
}

macro_rules! ways {
    ($($way:ident => $fault:ident,)*) => {
        $(
            #[test]
            #[ignore = "a fake engine, for other tests to start"]
            fn $way() {
                run(Fault::$fault);
            }
        )*
    };
}

ways! {
    behaves => None,
    dies_at_once => DiesAtOnce,
    dies => Dies,
    says_nothing => SaysNothing,
    is_never_ready => IsNeverReady,
    searches_mutely => SearchesMutely,
    hangs => Hangs,
    ignores_stop => IgnoresStop,
    talks_nonsense => TalksNonsense,
    plays_illegally => PlaysIllegally,
    shows_illegal_moves => ShowsIllegalMoves,
    prints_without_end => PrintsWithoutEnd,
    prints_one_line_without_end => PrintsOneLineWithoutEnd,
    eats_memory => EatsMemory,
    leaves_children => LeavesChildren,
    leaves_sessions => LeavesSessions,
    prepares_slowly => PreparesSlowly,
    ignores_searchmoves => IgnoresSearchmoves,
    names_no_move => NamesNoMove,
    ignores_depth => IgnoresDepth,
    pauses => Pauses,
    prints_much => PrintsMuch,
}

fn say(text: &str) {
    let mut out = stdout().lock();
    if out.write_all(text.as_bytes()).and_then(|()| out.flush()).is_err() {
        std::process::exit(0);
    }
}

fn run(fault: Fault) {
    let (sender, lines) = channel();
    std::thread::spawn(move || {
        for line in stdin().lock().lines().map_while(Result::ok) {
            let _ = sender.send(line);
        }
    });
    if fault == Fault::DiesAtOnce {
        std::process::exit(1);
    }
    let mut position = AnyPosition::start(Variant::NORMAL);
    let mut table = Positions::new();
    let mut shown = 1;
    while let Ok(line) = lines.recv() {
        let (word, rest) = line.split_once(' ').unwrap_or((&line, ""));
        match word {
            "uci" if fault == Fault::SaysNothing => {}
            "uci" => say("id name Fake\noption name Hash type spin default 1 min 1 max 9\n\
                          option name Clear Hash type button\noption name MultiPV type spin default 1 min 1 max 9\nuciok\n"),
            "isready" if fault == Fault::IsNeverReady => {}
            "isready" => say("readyok\n"),
            "setoption" if rest == "name Clear Hash" => {
                table.clear();
                if fault == Fault::PreparesSlowly {
                    std::thread::sleep(Duration::from_millis(300));
                }
            }
            "setoption" => {
                shown =
                    rest.strip_prefix("name MultiPV value ").map_or(shown, |value| value.parse().unwrap());
            }
            "position" => position = position_of(rest),
            "go" if fault == Fault::PrintsMuch => search_loudly(&position, &lines),
            "go" if fault == Fault::Pauses => search_in_steps(&position, rest, shown, &lines),
            "go" => search(fault, &position, rest, &mut table, &lines),
            "quit" => return,
            _ => {}
        }
    }
}

fn position_of(text: &str) -> AnyPosition {
    let (fen, moves) = text.split_once(" moves ").unwrap_or((text, ""));
    let fen = fen.strip_prefix("fen ").expect("a position in full");
    let mut position = AnyPosition::from_fen(Variant::NORMAL, fen).expect("a right position");
    for word in moves.split_whitespace() {
        position.play(position.parse_move(word).expect("a legal move"));
    }
    position
}

/// The positions searched since the table was cleared.
type Positions = BTreeSet<u64>;

/// The first moves to consider, from the arguments of `go`.
fn first_moves(fault: Fault, position: &AnyPosition, go: &str) -> Vec<String> {
    let all = position.legal_moves().into_iter().map(|mv| position.coordinates(mv));
    match go.split_once("searchmoves ") {
        Some((_, only)) if fault != Fault::IgnoresSearchmoves => {
            all.filter(|mv| only.split_whitespace().any(|word| word == mv)).collect()
        }
        _ => all.collect(),
    }
}

/// The depth limit, from the arguments of `go`.
fn limit(fault: Fault, go: &str) -> Option<usize> {
    let (_, rest) = go.split_once("depth ").filter(|_| fault != Fault::IgnoresDepth)?;
    rest.split(' ').next()?.parse().ok()
}

/// The pause between two lines of a search in steps, during which a server that ends a search too
/// early does so.
const PAUSE: Duration = Duration::from_millis(100);

/// In each second it prints as much as a strong engine on a fast machine with many variations.
fn search_loudly(position: &AnyPosition, lines: &Receiver<String>) {
    let moves = first_moves(Fault::PrintsMuch, position, "");
    for depth in 1.. {
        let line = |number: usize| {
            let (line, mv) = (1 + number % 9, &moves[number % 9 % moves.len()]);
            format!("info depth {depth} multipv {line} score cp 7 nodes {depth}000 pv {mv}\n")
        };
        say(&(0..30_000).map(line).collect::<String>());
        if lines.recv_timeout(Duration::from_secs(1)).is_ok_and(|word| word == "stop") {
            break;
        }
    }
    say(&format!("bestmove {}\n", moves[0]));
}

/// In each iteration it reports a move, then a better one, then the other lines, with pauses. The
/// second move is the best.
fn search_in_steps(position: &AnyPosition, go: &str, shown: usize, lines: &Receiver<String>) {
    let moves = first_moves(Fault::Pauses, position, go);
    let mut best = &moves[0];
    for depth in 1..=limit(Fault::Pauses, go).unwrap_or(50) {
        for (line, mv) in [(1, 0), (1, 1)].into_iter().chain((2..=shown).map(|line| (line, line))) {
            let nodes = depth * 100;
            say(&format!("info depth {depth} multipv {line} score cp 7 nodes {nodes} pv {}\n", moves[mv]));
            if line == 1 {
                best = &moves[mv];
            }
            if lines.recv_timeout(PAUSE).is_ok_and(|word| word == "stop") {
                return say(&format!("bestmove {best}\n"));
            }
        }
    }
    say(&format!("bestmove {best}\n"));
}

/// Reports deeper and deeper variations until it must stop. The score counts the positions in the
/// table.
fn search(fault: Fault, position: &AnyPosition, go: &str, table: &mut Positions, lines: &Receiver<String>) {
    table.insert(position.key());
    let table = table.len();
    let best = first_moves(fault, position, go).swap_remove(0);
    match fault {
        Fault::Dies => {
            say(&format!("info depth 1 score cp 5 nodes 100 pv {best}\n"));
            std::process::exit(3);
        }
        Fault::NamesNoMove => return say("bestmove (none)\n"),
        _ => {}
    }
    let illegal = if fault == Fault::ShowsIllegalMoves { "a1a1" } else { &best };
    let mut depth = 0;
    loop {
        depth += 1;
        match fault {
            Fault::SearchesMutely => {}
            Fault::Hangs => loop {
                std::thread::park();
            },
            Fault::TalksNonsense => say("info depth eleven score \u{7} pv\n\u{0}bestmove\nbestmove castle\n"),
            Fault::PrintsWithoutEnd => loop {
                say(&"info string and so on\n".repeat(100));
            },
            Fault::PrintsOneLineWithoutEnd => loop {
                say(&"and so on ".repeat(1000));
            },
            Fault::EatsMemory => {
                let eaten: Vec<Vec<u8>> = (0..1 << 20).map(|_| vec![7; 1 << 20]).collect();
                say(&format!("info string {}\n", eaten.len()));
            }
            Fault::LeavesChildren | Fault::LeavesSessions => {
                let sleep = ["setsid", "sleep", super::misbehaviour::SLEEP];
                let words = if fault == Fault::LeavesSessions { &sleep[..] } else { &sleep[1..] };
                let left = std::process::Command::new(words[0]).args(&words[1..]).spawn();
                say(&format!("info string {left:?}\n"));
                std::process::exit(4);
            }
            _ if depth < 60 => say(&format!(
                "info depth {depth} seldepth {depth} score cp {table} nodes {} pv {illegal}\n",
                depth * 100
            )),
            _ => {}
        }
        if limit(fault, go) == Some(depth) {
            break;
        }
        match lines.recv_timeout(Duration::from_millis(5)) {
            Ok(line) if line == "stop" && fault != Fault::IgnoresStop => break,
            Ok(line) if line == "isready" => say("readyok\n"),
            Ok(_) | Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => std::process::exit(0),
        }
    }
    let best = if fault == Fault::PlaysIllegally { "e1e8" } else { &best };
    say(&format!("bestmove {best}\n"));
}
