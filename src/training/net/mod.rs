//! Training of nets (`farboard train`): the same bytes on every machine and with any number of
//! threads, as every sum has a fixed order and no function of the system's library is used.
//!
//! `sources` fills a `dataset` with positions of games, or `random_games`; `descent` changes the
//! `weights` by gradients of batches (`gradient`, `adam`) in an order of its own for each epoch
//! (`permutation`).

mod adam;
mod arguments;
mod dataset;
mod descent;
mod gradient;
mod permutation;
mod portable;
mod random_games;
mod sources;
mod weights;

pub use arguments::TrainArguments;

use super::games::GamesError;
use crate::search::net::{Domain, Net, NetError, NetFile, hash};
use dataset::Dataset;
use descent::{Course, Descent};
use sources::Sources;
use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use weights::Shape;

/// An error in training. The message says what to do.
#[derive(Debug, thiserror::Error)]
pub enum TrainError {
    /// The games cannot be used.
    #[error(transparent)]
    Games(#[from] GamesError),
    /// There are neither files nor `--small`.
    #[error("no games: name files made by farboard generate")]
    NoFiles,
    /// The net to start with cannot be read.
    #[error("cannot read {path}", path = .0.display())]
    Unreadable(PathBuf, #[source] io::Error),
    /// The file to start with is not a net.
    #[error("{path} cannot be trained further", path = .0.display())]
    Start(PathBuf, #[source] NetError),
    /// The net to start with is of another game.
    #[error("{path} is a net of {domain}, the games are of {games}", path = .path.display())]
    OtherGame {
        /// The net.
        path: PathBuf,
        /// Its game.
        domain: Domain,
        /// The game of the positions.
        games: Domain,
    },
    /// The net cannot be written.
    #[error("cannot write {path}", path = .0.display())]
    File(PathBuf, #[source] io::Error),
    /// The net would replace the games.
    #[error("{path} has the games: give the net another name", path = .0.display())]
    Replaces(PathBuf),
}

/// The result of training.
#[derive(Clone, PartialEq, Debug)]
pub struct Trained {
    /// The game.
    pub domain: Domain,
    /// The games and the course of the training, as the net's file describes them.
    pub origin: String,
    /// Number of games.
    pub games: u64,
    /// Number of positions learnt, and of those held out.
    pub positions: [usize; 2],
    /// Mean cross entropy of the positions held out, by the net in integers.
    pub loss: f64,
    /// Hash of the file.
    pub hash: u64,
    /// The file.
    pub bytes: Vec<u8>,
}

/// Trains a net and writes it to its file. Calls `report` with the number of each epoch, from 1,
/// and the mean cross entropy of the positions held out after it.
///
/// # Errors
/// The games cannot be read or are too few, or the net cannot be written.
pub fn train(arguments: &TrainArguments, report: &mut dyn FnMut(u64, f64)) -> Result<Trained, TrainError> {
    if let Some(path) = arguments.out.as_ref().filter(|path| is_one_of(path, &arguments.files)) {
        return Err(TrainError::Replaces(path.clone()));
    }
    let sources = match arguments.small {
        Some(domain) => random_games::sources(domain, arguments.seed, arguments.result_share),
        None => Sources::read(&arguments.files, arguments.result_share)?,
    };
    let start = arguments.start.as_ref().map(|path| read_start(path, &sources)).transpose()?;
    // Before hours of training.
    let mut out = arguments.out.as_ref().map(|path| open_out(path)).transpose()?;
    let Sources { learnt, held_out, games, .. } = &sources;
    let course = Course { epochs: arguments.epochs, seed: arguments.seed, threads: arguments.threads() };
    let (hidden, buckets) = (arguments.hidden(), arguments.buckets);
    let mut descent = match &start {
        Some(net) => Descent::of_net(net, course, learnt),
        None => Descent::new(Shape { domain: learnt.domain(), hidden, buckets }, course, learnt),
    };
    for epoch in 1..=course.epochs {
        descent.run_epoch(epoch);
        report(epoch, descent.loss(held_out));
    }
    let first = start.map_or(String::new(), |net| format!("{}; then ", net.origin));
    let origin = format!("{first}{}; {}", sources.origin, arguments.course());
    let bytes = descent.rounded(&origin).bytes();
    let net = Net::parse(&bytes).expect("weights within their bounds");
    if let Some((path, file)) = arguments.out.as_ref().zip(out.as_mut()) {
        let written = file.set_len(0).and_then(|()| file.write_all(&bytes));
        written.map_err(|error| TrainError::File(path.clone(), error))?;
    }
    Ok(Trained {
        domain: learnt.domain(),
        origin,
        games: *games,
        positions: [learnt.len(), held_out.len()],
        loss: loss(held_out, &net),
        hash: hash(&bytes),
        bytes,
    })
}

/// Reads the net to start with.
fn read_start(path: &Path, sources: &Sources) -> Result<NetFile, TrainError> {
    let bytes = std::fs::read(path).map_err(|error| TrainError::Unreadable(path.to_owned(), error))?;
    let net = NetFile::parse(&bytes).map_err(|error| TrainError::Start(path.to_owned(), error))?;
    let (domain, games) = (net.domain, sources.learnt.domain());
    if domain == games {
        Ok(net)
    } else {
        Err(TrainError::OtherGame { path: path.to_owned(), domain, games })
    }
}

/// Opens the file of the net, which keeps its contents until the net is written.
fn open_out(path: &Path) -> Result<File, TrainError> {
    let file = OpenOptions::new().write(true).create(true).truncate(false).open(path);
    file.map_err(|error| TrainError::File(path.to_owned(), error))
}

/// Returns true if a path is that of one of these files, by whatever name.
fn is_one_of(path: &Path, files: &[PathBuf]) -> bool {
    let Ok(place) = path.canonicalize() else { return false };
    files.iter().any(|file| file.canonicalize().is_ok_and(|file| file == place))
}

/// Returns the mean cross entropy of positions by a net.
fn loss(positions: &Dataset, net: &Net) -> f64 {
    let each = (0..positions.len()).map(|index| {
        let position = positions.get(index);
        portable::cross_entropy(position.target, portable::expected(net.evaluate(&position) as f32))
    });
    each.sum::<f64>() / positions.len() as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::{Position, START_FEN, Standard};
    use crate::draughts;

    fn small(game: &str, threads: usize, epochs: u64) -> Trained {
        let domain = Domain::from_name(game);
        let arguments = TrainArguments { small: domain, threads, epochs, ..TrainArguments::default() };
        train(&arguments, &mut |_, _| {}).unwrap()
    }

    #[test]
    fn a_net_that_cannot_be_written_is_not_trained() {
        let wanted = |out: PathBuf, files: Vec<PathBuf>| {
            let small = files.is_empty().then_some(Domain::Chess);
            let arguments = TrainArguments { files, small, out: Some(out), ..TrainArguments::default() };
            train(&arguments, &mut |_, _| panic!("it is trained"))
        };
        let folder = std::env::temp_dir().join(format!("farboard-net-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let games = folder.join("games");
        std::fs::write(&games, "games").unwrap();
        let replaced = wanted(folder.join(".").join("games"), vec![games.clone()]);
        assert!(matches!(replaced, Err(TrainError::Replaces(_))));
        assert_eq!(std::fs::read(&games).unwrap(), b"games");
        assert!(matches!(wanted(folder.join("none/net"), vec![]), Err(TrainError::File(..))));
        assert!(matches!(wanted(folder.clone(), vec![]), Err(TrainError::File(..))));
        std::fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn the_number_of_threads_does_not_matter() {
        for game in ["normal", "crazyhouse", "draughts"] {
            let [one, three] = [1, 3].map(|threads| small(game, threads, 2));
            assert!(one.bytes == three.bytes, "{game}");
        }
    }

    #[test]
    fn material_is_learnt_from_random_games() {
        let net = Net::parse(&small("normal", 2, 20).bytes).unwrap();
        let says = |fen: &str| net.evaluate(&Position::from_fen(Standard::NORMAL, fen).unwrap());
        let start = says(START_FEN);
        let queen = says("rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -");
        let knight = says("r1bqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -");
        let lost = says("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNB1KBNR w KQkq -");
        assert!(
            lost < -100 && start.abs() < 60 && knight > 40 && queen > knight,
            "{lost} {start} {knight} {queen}"
        );
        let net = Net::parse(&small("draughts", 2, 10).bytes).unwrap();
        let says = |fen: &str| net.evaluate(&draughts::Position::from_fen(fen).unwrap());
        assert!(says("B:W21-29:B1-12") > 40 && says("W:W21-29:B1-12") < -40);
    }
}
