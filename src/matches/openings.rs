//! Where games begin: positions after random plies that a search calls even (`farboard openings`),
//! and the files that hold them.
//!
//! Each line of a file is a position in EPD or FEN; draughts has [`ballots`]. Empty lines and lines
//! that begin with `#` are skipped. A file that begins with a tag has games.

pub mod ballots;

use crate::chess::{
    AnyPosition, FenError, Game, GameStart, GameTextError, MoveError, Unfinished, Variant, is_game_file,
    read_games, shuffled,
};
use crate::draughts;
use crate::random::mix;
use crate::search::bench::OpenGate;
use crate::search::{Limits, Request, Table, TableUse, search};
use clap::Args;
use std::collections::HashSet;
use std::io;
use std::path::{Path, PathBuf};

/// The built-in openings by variant, made by `farboard openings`.
const OWN: [(&str, &str); 14] = [
    ("normal", include_str!("openings/normal.epd")),
    ("nocastle", include_str!("openings/nocastle.epd")),
    ("wildcastle", include_str!("openings/wildcastle.epd")),
    ("fischerandom", include_str!("openings/fischerandom.epd")),
    ("crazyhouse", include_str!("openings/crazyhouse.epd")),
    ("losers", include_str!("openings/losers.epd")),
    ("suicide", include_str!("openings/suicide.epd")),
    ("giveaway", include_str!("openings/giveaway.epd")),
    ("twokings", include_str!("openings/twokings.epd")),
    ("atomic", include_str!("openings/atomic.epd")),
    ("3check", include_str!("openings/3check.epd")),
    ("kingofthehill", include_str!("openings/kingofthehill.epd")),
    ("racingkings", include_str!("openings/racingkings.epd")),
    ("horde", include_str!("openings/horde.epd")),
];

/// Tries without a new opening before giving up.
const MAX_TRIES: u64 = 5000;

/// Failure to get openings.
#[derive(Debug, thiserror::Error)]
pub enum OpeningsError {
    /// The file cannot be read.
    #[error("{}: {error}", .path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// The cause.
        error: io::Error,
    },
    /// A line is no opening of the game.
    #[error("openings, line {number}: {error}")]
    Line {
        /// Its number, from 1.
        number: usize,
        /// The cause.
        error: LineError,
    },
    /// The file has no position.
    #[error("{} has no position", .0.display())]
    Empty(PathBuf),
}

/// Reason why a line is no opening.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum LineError {
    /// It is no position of the variant.
    #[error("{0}")]
    Chess(FenError),
    /// It is no position of draughts.
    #[error("{0}")]
    Draughts(draughts::FenError),
    /// One of its moves cannot be played. With the move.
    #[error("{0}: {1}")]
    ChessMove(String, MoveError),
    /// One of its moves of draughts cannot be played. With the move.
    #[error("{0}: {1}")]
    DraughtsMove(String, draughts::MoveError),
    /// It is a game of another variant.
    #[error("a game of {0}")]
    Variant(String),
    /// The game is over.
    #[error("the game is over there, so it is no opening; --plies takes fewer plies of a game")]
    Ended,
    /// A tag, comment or variation has no end.
    #[error("{0}")]
    Unfinished(#[from] Unfinished),
}

impl From<GameTextError<LineError>> for OpeningsError {
    fn from(error: GameTextError<LineError>) -> OpeningsError {
        OpeningsError::Line { number: error.line, error: error.error }
    }
}

/// The openings of a variant from a file, or the built-in ones; the start position if there are
/// none. A file of games gives the position after `plies` of each game, or after all of its moves.
/// Each position counts once.
///
/// # Errors
/// The file cannot be used.
pub fn openings(
    variant: Variant,
    file: Option<&Path>,
    plies: Option<usize>,
) -> Result<Vec<AnyPosition>, OpeningsError> {
    let own = OWN.iter().find(|(name, _)| *name == variant.name());
    match (file, own) {
        (None, None) => Ok(vec![AnyPosition::start(variant)]),
        (file, own) => of_file(
            file,
            own.map_or("", |(_, text)| text),
            |line| position(variant, line),
            |text| of_games(variant, text, plies),
            AnyPosition::key,
        ),
    }
}

/// Reads the openings of a file, or of a text if there is no file: line by line with `opening`, or
/// a file of games with `of_games`.
fn of_file<T>(
    file: Option<&Path>,
    own: &str,
    opening: impl Fn(&str) -> Result<T, LineError>,
    of_games: impl Fn(&str) -> Result<Vec<T>, OpeningsError>,
    key: impl Fn(&T) -> u64,
) -> Result<Vec<T>, OpeningsError> {
    let Some(path) = file else { return read(own, opening) };
    let text = std::fs::read(path).map_err(|error| OpeningsError::File { path: path.to_owned(), error })?;
    // Names of players may have another encoding.
    let text = String::from_utf8_lossy(&text);
    let text = text.trim_start_matches('\u{feff}');
    let openings = if is_game_file(text) { of_games(text)? } else { distinct(read(text, opening)?, key) };
    if openings.is_empty() { Err(OpeningsError::Empty(path.to_owned())) } else { Ok(openings) }
}

/// Returns the openings without those whose key an earlier one has.
fn distinct<T>(mut openings: Vec<T>, key: impl Fn(&T) -> u64) -> Vec<T> {
    let mut known = HashSet::new();
    openings.retain(|opening| known.insert(key(opening)));
    openings
}

/// The distinct positions after the first plies of games in PGN.
fn of_games(variant: Variant, text: &str, plies: Option<usize>) -> Result<Vec<AnyPosition>, OpeningsError> {
    let begin = |start: GameStart<'_>| {
        let named = start.variant.and_then(Variant::from_name);
        if let Some(other) = named.filter(|&named| named != variant) {
            return Err(LineError::Variant(other.name().to_owned()));
        }
        let position = start.fen.map_or(Ok(AnyPosition::start(variant)), |fen| position(variant, fen))?;
        Ok(Game::from_position(position))
    };
    let play = |game: &mut Game, word: &str| {
        let mv = game.position().parse_move(word);
        game.play(mv.map_err(|error| LineError::ChessMove(word.to_owned(), error))?);
        game.ending().map_or(Ok(()), |_| Err(LineError::Ended))
    };
    let games = read_games(text, (usize::MAX, plies), begin, play)?;
    Ok(distinct(games.into_iter().map(|game| *game.position()).collect(), AnyPosition::key))
}

fn read<T>(text: &str, opening: impl Fn(&str) -> Result<T, LineError>) -> Result<Vec<T>, OpeningsError> {
    let lines =
        text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty() && !line.starts_with('#'));
    let numbered =
        |(index, line)| opening(line).map_err(|error| OpeningsError::Line { number: index + 1, error });
    lines.map(numbered).collect()
}

fn position(variant: Variant, line: &str) -> Result<AnyPosition, LineError> {
    let fields = line.split_whitespace().enumerate().take_while(|&(at, word)| at < 4 || is_counter(word));
    let fen = fields.map(|(_, word)| word).collect::<Vec<_>>().join(" ");
    let position = AnyPosition::from_fen(variant, &fen).map_err(LineError::Chess)?;
    position.outcome().map_or(Ok(position), |_| Err(LineError::Ended))
}

/// Returns true if a word behind the fourth field belongs to the position, and is no operation of
/// EPD: counters of moves and checks.
fn is_counter(word: &str) -> bool {
    word.chars().all(|letter| letter.is_ascii_digit() || letter == '+')
}

/// Arguments of `farboard openings`.
#[derive(Args, Debug)]
pub struct OpeningsArguments {
    /// The rules, by their name in files
    #[arg(long, required_unless_present = "draughts")]
    pub variant: Option<Variant>,
    /// Ballots of English draughts: all three-move openings that a search finds even
    #[arg(long, conflicts_with_all = ["variant", "count", "plies", "seed"])]
    pub draughts: bool,
    /// Number of openings
    #[arg(long, default_value_t = 100)]
    pub count: usize,
    /// Random plies before each
    #[arg(long, default_value_t = 8)]
    pub plies: u32,
    /// Nodes of the search that judges a position
    #[arg(long, default_value_t = 100_000)]
    pub nodes: u64,
    /// Centipawns by which an even position may differ from a draw
    #[arg(long, default_value_t = 50)]
    pub margin: i32,
    /// The seed of the random plies
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
}

/// Makes distinct openings of a variant, and passes each to `each` as a line of EPD.
///
/// # Errors
/// There is no memory for the table, or the variant has fewer openings than requested.
pub fn make(variant: Variant, arguments: &OpeningsArguments, mut each: impl FnMut(&str)) -> io::Result<()> {
    let table = Table::private(16)?;
    let mut known = HashSet::new();
    let (mut number, mut latest) = (0, 0);
    while known.len() < arguments.count {
        number += 1;
        if number - latest > MAX_TRIES {
            let found = known.len();
            return Err(io::Error::other(format!(
                "there are only {found}: try more plies, or a wider margin"
            )));
        }
        let seed = mix(arguments.seed ^ mix(number));
        let Some(position) = random_position(variant, arguments.plies, seed) else { continue };
        if known.contains(&position.key()) {
            continue;
        }
        let limits = Limits { nodes: Some(arguments.nodes), ..Limits::default() };
        let request =
            Request { limits, table: TableUse::salted(number), game: true, ..Request::of(position) };
        let done = search(&request, &table, &mut OpenGate::new(), &mut |_| {});
        if done.score.0.abs() <= arguments.margin {
            known.insert(position.key());
            latest = number;
            each(&epd(&position, done.score.0));
        }
    }
    Ok(())
}

/// A position after random plies; `None` if the game ends earlier.
fn random_position(variant: Variant, plies: u32, mut seed: u64) -> Option<AnyPosition> {
    let mut dice = |sides: usize| {
        seed = mix(seed.wrapping_add(1));
        (seed % sides as u64) as usize
    };
    let start = if variant == Variant::FISCHERANDOM {
        AnyPosition::from_fen(variant, &shuffled(&mut dice)).ok()?
    } else {
        AnyPosition::start(variant)
    };
    let mut game = Game::from_position(start);
    for _ in 0..plies {
        if game.ending().is_some() {
            return None;
        }
        let moves = game.position().legal_moves();
        game.play(moves[dice(moves.len())]);
    }
    game.ending().is_none().then(|| *game.position())
}

/// A line of EPD: the position, its counters as operations, and the score in centipawns.
fn epd(position: &AnyPosition, score: i32) -> String {
    let fen = position.fen();
    let mut fields: Vec<&str> = fen.split(' ').collect();
    let fullmove = fields.pop().unwrap_or("1");
    let halfmove = fields.pop().unwrap_or("0");
    format!("{} hmvc {halfmove}; fmvn {fullmove}; ce {score};", fields.join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn none() -> OpeningsArguments {
        OpeningsArguments { variant: None, draughts: false, count: 0, plies: 0, nodes: 0, margin: 0, seed: 7 }
    }

    #[test]
    fn there_are_openings_of_every_variant_and_no_two_alike() {
        for (name, _) in OWN {
            let openings =
                openings(name.parse().unwrap(), None, None).unwrap_or_else(|error| panic!("{name}: {error}"));
            let keys: HashSet<u64> = openings.iter().map(AnyPosition::key).collect();
            assert!(openings.len() >= 50 && keys.len() == openings.len(), "{name}: {}", openings.len());
        }
    }

    #[test]
    fn what_was_made_can_be_read_again() {
        for name in ["normal", "fischerandom", "crazyhouse", "3check", "horde"] {
            let variant = name.parse().unwrap();
            let arguments = OpeningsArguments { count: 3, plies: 6, nodes: 200, margin: 500, ..none() };
            let mut lines = String::new();
            make(variant, &arguments, |line| lines.push_str(&format!("{line}\n"))).unwrap();
            let openings = read(&lines, |line| position(variant, line)).unwrap();
            assert_eq!(openings.len(), 3, "{lines}");
            let again: Vec<String> = openings
                .iter()
                .zip(lines.lines())
                .map(|(position, line)| {
                    let score = line.rsplit(' ').next().unwrap().trim_end_matches(';').parse().unwrap();
                    // Counters are not read.
                    epd(position, score).split(" hmvc").next().unwrap().to_owned()
                })
                .collect();
            let before: Vec<&str> = lines.lines().map(|line| line.split(" hmvc").next().unwrap()).collect();
            assert_eq!(again, before);
        }
    }

    #[test]
    fn a_wrong_line_is_named() {
        let read_chess = |text: &str| read(text, |line| position(Variant::NORMAL, line));
        let error = read_chess("# openings\n\nrubbish w - -\n").unwrap_err();
        assert!(error.to_string().starts_with("openings, line 3: "), "{error}");
        let fen = "4k3/8/8/8/8/8/8/4K2R w K - 3 40";
        assert_eq!(read_chess(fen).unwrap()[0].fen(), fen);
        let epd = "4k3/8/8/8/8/8/8/4K2R w K - bm O-O; c0 \"castle\";";
        assert_eq!(read_chess(epd).unwrap()[0].fen(), "4k3/8/8/8/8/8/8/4K2R w K - 0 1");
        let mated = "R5k1/5ppp/8/8/8/8/8/6K1 b - -";
        assert!(read_chess(mated).unwrap_err().to_string().contains("the game is over there"));
    }

    #[test]
    fn a_position_that_is_repeated_is_one_opening() {
        let file = std::env::temp_dir().join(format!("farboard-openings-{}.epd", std::process::id()));
        let [one, other] = ["4k3/8/8/8/8/8/8/4K2R w K -", "4k3/8/8/8/8/8/8/4K2R b K -"];
        std::fs::write(&file, format!("{one}\n{other} bm Kf7;\n{one} id \"again\";\n")).unwrap();
        let found = openings(Variant::NORMAL, Some(&file), None).unwrap();
        std::fs::remove_file(&file).unwrap();
        assert_eq!(found.len(), 2);
    }

    #[test]
    fn games_are_openings_up_to_some_plies() {
        let games = |variant, text: &str, plies| {
            let openings = of_games(variant, text, plies).map_err(|error| error.to_string());
            openings.map(|openings| openings.iter().map(AnyPosition::fen).collect::<Vec<_>>())
        };
        let text = "[Event \"a\"]\n\n1. e4 e5 2. Nf3 1-0\n\n[Event \"b\"]\n\n1. e4 e5 2. Bc4 *\n";
        let after = ["rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2"];
        assert_eq!(games(Variant::NORMAL, text, Some(2)).unwrap(), after, "each position once");
        assert_eq!(games(Variant::NORMAL, text, None).unwrap().len(), 2);
        let set_up = "[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"]\n1. e4 *";
        assert_eq!(games(Variant::NORMAL, set_up, None).unwrap(), ["4k3/8/8/8/4P3/8/8/4K3 b - - 0 1"]);
        for (text, error) in [
            ("[Event \"a\"]\n\n1. e5 *", "openings, line 3: e5: illegal move"),
            ("[Event \"a\"]\n[FEN \"rubbish\"]\n\n1. e4 *", "openings, line 2: "),
            ("[Variant \"atomic\"]\n1. e4 *", "openings, line 1: a game of atomic"),
            ("[Event \"a\"]\n\n1. f3 e5 2. g4\nQh4# 0-1", "openings, line 4: the game is over"),
        ] {
            let found = games(Variant::NORMAL, text, None).unwrap_err();
            assert!(found.starts_with(error), "{found}");
        }
        assert!(games(Variant::NORMAL, "[Event \"a\"]\n\n1. f3 e5 2. g4\nQh4# 0-1", Some(3)).is_ok());
    }

    #[test]
    fn a_variant_may_have_too_few_openings() {
        let arguments = OpeningsArguments { count: 100, plies: 1, nodes: 10, margin: 1000, ..none() };
        let error = make(Variant::NORMAL, &arguments, |_| {}).unwrap_err();
        assert!(error.to_string().contains("only 20"), "{error}");
    }
}
