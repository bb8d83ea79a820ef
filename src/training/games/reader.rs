//! Reads a file of games, one game at a time: its header, then for each game its length in two
//! bytes, its bytes, and four bytes of the [`Chain`]. All numbers are little-endian.

use super::chain::Chain;
use super::header::{self, Header};
use super::record::{self, Replay, Summary};
use super::{Contents, GamesError};
use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

/// Maximum number of bytes that an interrupted write can leave behind.
const MAX_TAIL: u64 = 64 << 10;

/// A file of games that is read from its start.
#[derive(Debug)]
pub struct GameReader {
    path: PathBuf,
    header: Header,
    input: BufReader<File>,
    chain: Chain,
    contents: Contents,
    /// Offset of the end of the last complete game.
    end: u64,
    /// The last game.
    game: Vec<u8>,
}

impl GameReader {
    /// Opens a file.
    ///
    /// # Errors
    /// The file cannot be read, or is not a file of games.
    pub fn open(path: &Path) -> Result<GameReader, GamesError> {
        let file = File::open(path).map_err(|error| GamesError::File(path.to_owned(), error))?;
        GameReader::read_header(path, file)
    }

    /// Reads the header of an open file.
    pub(super) fn read_header(path: &Path, file: File) -> Result<GameReader, GamesError> {
        let file_error = |error| GamesError::File(path.to_owned(), error);
        let mut input = BufReader::new(file);
        input.rewind().map_err(file_error)?;
        let mut bytes = Vec::new();
        input.by_ref().take(header::MAX_LEN as u64).read_to_end(&mut bytes).map_err(file_error)?;
        let end = bytes.windows(2).position(|pair| pair == b"\n\n").map(|at| at + 2);
        let lines = end.and_then(|end| str::from_utf8(&bytes[..end]).ok());
        let lines = lines.filter(|lines| lines.starts_with(header::MAGIC));
        let header = lines.and_then(|lines| Some((lines, Header::parse(lines)?)));
        let (lines, header) = header.ok_or_else(|| GamesError::Foreign(path.to_owned()))?;
        let end = lines.len() as u64;
        input.seek(SeekFrom::Start(end)).map_err(file_error)?;
        let chain = Chain::new(lines.as_bytes());
        let contents = Contents { games: 0, positions: 0, hash: chain.hash() };
        Ok(GameReader { path: path.to_owned(), header, input, chain, contents, end, game: Vec::new() })
    }

    /// Returns the path of the file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the header.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// Returns what the file has up to the last game read.
    pub fn contents(&self) -> Contents {
        self.contents
    }

    /// Returns the number of bytes up to the last game read.
    pub(super) fn end(&self) -> u64 {
        self.end
    }

    /// Returns the chain up to the last game read.
    pub(super) fn chain(&self) -> Chain {
        self.chain
    }

    /// Reads the next game and replays it; `None` after the last one.
    pub(super) fn replay_next(&mut self) -> Result<Option<Replay<'_>>, GamesError> {
        if self.advance()?.is_none() {
            return Ok(None);
        }
        let replay = Replay::new(self.header.rules, &self.game);
        replay.map(Some).map_err(|_| GamesError::Illegal(self.path.clone(), self.contents.games - 1))
    }

    /// Reads the next game; `None` after the last one. What an interrupted write left of another
    /// one is ignored.
    pub(super) fn advance(&mut self) -> Result<Option<Summary>, GamesError> {
        let complete = self.read_game().map_err(|error| GamesError::File(self.path.clone(), error))?;
        if !complete {
            return self.check_tail();
        }
        let summary = Summary::read(self.header.rules, &mut &self.game[..]);
        let summary = summary.map_err(|_| GamesError::Illegal(self.path.clone(), self.contents.games))?;
        self.end += self.game.len() as u64 + 6;
        let Contents { games, positions, .. } = self.contents;
        self.contents = Contents {
            games: games + 1,
            positions: positions + u64::from(summary.quiet),
            hash: self.chain.hash(),
        };
        Ok(Some(summary))
    }

    /// Reads the bytes of a game. Returns false if there is no complete one.
    fn read_game(&mut self) -> io::Result<bool> {
        let (mut len, mut check) = ([0; 2], [0; 4]);
        if !is_read(&mut self.input, &mut len)? {
            return Ok(false);
        }
        let len = usize::from(u16::from_le_bytes(len));
        if len > record::MAX_LEN {
            return Ok(false);
        }
        self.game.resize(len, 0);
        if !is_read(&mut self.input, &mut self.game)? || !is_read(&mut self.input, &mut check)? {
            return Ok(false);
        }
        let chain = self.chain.after(&self.game);
        let is_intact = chain.check() == check;
        if is_intact {
            self.chain = chain;
        }
        Ok(is_intact)
    }

    /// Ends the reading, at the end of the file or at a game that was not completely written.
    fn check_tail(&mut self) -> Result<Option<Summary>, GamesError> {
        let file_error = |error| GamesError::File(self.path.clone(), error);
        let len = self.input.get_ref().metadata().map_err(file_error)?.len();
        if len.saturating_sub(self.end) > MAX_TAIL {
            return Err(GamesError::Damaged(self.path.clone(), self.end));
        }
        self.input.seek(SeekFrom::Start(self.end)).map_err(file_error)?;
        Ok(None)
    }
}

/// Fills the buffer. Returns false at the end of the file.
fn is_read(input: &mut impl Read, buffer: &mut [u8]) -> io::Result<bool> {
    match input.read_exact(buffer) {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Ok(false),
        Err(error) => Err(error),
    }
}
