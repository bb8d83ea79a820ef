//! The file of a net: lines of text, an empty line, the weights, and a hash of all before it.
//!
//! ```text
//! farboard net 1
//! game normal
//! hidden 128
//! buckets 8
//! origin the games that it was trained on, and how
//!
//! ```
//!
//! Weights are 16-bit little-endian numbers: a row for each input, the biases of the hidden layer;
//! then for each bucket the weights of the side on move's neurons and of its opponent's; then the
//! output's bias for each bucket. The hash has 64 bits, little-endian.

use super::domain::Domain;
use super::kernels::{LANES, Lanes, MOST_HIDDEN, MOST_INPUT_WEIGHT, MOST_OUTPUT_WEIGHT};
use crate::random::mix;

const FIRST_LINE: &str = "farboard net 1";
/// Maximum number of buckets.
pub const MOST_BUCKETS: usize = 32;
/// Maximum length of the text, so that no file takes long to refuse.
const MOST_TEXT: usize = 1 << 16;

/// An error in a file that is not a net.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum NetError {
    /// The first line is another one.
    #[error("not a net of this version: make one with farboard train")]
    Version,
    /// A line of the header is missing or wrong.
    #[error("the line {0:?} of the net is missing or wrong: make it anew with farboard train")]
    Header(&'static str),
    /// The file has another length than its header says.
    #[error("the net has {found} bytes instead of {expected}: copy it again")]
    Length {
        /// Bytes of the file.
        found: usize,
        /// Bytes that its header says.
        expected: usize,
    },
    /// The hash is another one.
    #[error("the net is damaged: copy it again")]
    Hash,
    /// A weight is too large to compute with.
    #[error("a weight of the net is too large: make it anew with farboard train")]
    Weight,
}

/// A net as it is in a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NetFile {
    /// The game that the net is for.
    pub domain: Domain,
    /// Number of neurons for each side: a multiple of [`LANES`], at most 512.
    pub hidden: usize,
    /// Number of outputs, of which the number of men selects one: at most [`MOST_BUCKETS`].
    pub buckets: usize,
    /// The games that the net was trained on, and how; one line.
    pub origin: String,
    /// Rows of the inputs, the row of biases, and two rows for each bucket.
    pub rows: Vec<Lanes>,
    /// The bias of each output.
    pub output_biases: Vec<i16>,
}

/// Returns a hash of bytes.
pub fn hash(bytes: &[u8]) -> u64 {
    let word = |chunk: &[u8]| chunk.iter().rev().fold(0, |word, &byte| word << 8 | u64::from(byte));
    bytes.chunks(8).fold(bytes.len() as u64, |hash, chunk| mix(hash ^ word(chunk)))
}

impl NetFile {
    /// Returns the number of [`Lanes`] before the weights of the outputs.
    pub(super) fn hidden_lanes(&self) -> usize {
        (self.domain.inputs() + 1) * self.hidden / LANES
    }

    /// Returns the bytes of the file.
    pub fn bytes(&self) -> Vec<u8> {
        let NetFile { domain, hidden, buckets, origin, rows, output_biases } = self;
        let origin = origin.replace('\n', " ");
        let text =
            format!("{FIRST_LINE}\ngame {domain}\nhidden {hidden}\nbuckets {buckets}\norigin {origin}\n\n");
        let weights = rows.iter().flat_map(|lanes| lanes.0).chain(output_biases.iter().copied());
        let mut bytes = text.into_bytes();
        bytes.extend(weights.flat_map(i16::to_le_bytes));
        bytes.extend(hash(&bytes).to_le_bytes());
        bytes
    }

    /// Reads a file.
    ///
    /// # Errors
    /// The bytes are not a net, or a weight is too large.
    pub fn parse(bytes: &[u8]) -> Result<NetFile, NetError> {
        if !bytes.starts_with(FIRST_LINE.as_bytes()) {
            return Err(NetError::Version);
        }
        let text = &bytes[..bytes.len().min(MOST_TEXT)];
        let end = text.windows(2).position(|pair| pair == b"\n\n").ok_or(NetError::Header("origin"))?;
        let text = std::str::from_utf8(&bytes[..end]).map_err(|_| NetError::Header("origin"))?;
        let file = NetFile::header(text)?;
        let weights = file.with_weights(&bytes[end + 2..])?;
        let (content, found) = bytes.split_at(bytes.len() - size_of::<u64>());
        if hash(content).to_le_bytes() != found { Err(NetError::Hash) } else { weights.checked() }
    }

    fn header(text: &str) -> Result<NetFile, NetError> {
        let mut lines = text.lines();
        if lines.next() != Some(FIRST_LINE) {
            return Err(NetError::Version);
        }
        let mut value = |name: &'static str| {
            let line = lines.next().and_then(|line| line.strip_prefix(name)?.strip_prefix(' '));
            line.ok_or(NetError::Header(name))
        };
        let domain = Domain::from_name(value("game")?).ok_or(NetError::Header("game"))?;
        let hidden = number(value("hidden")?).filter(|&hidden| is_hidden_size(hidden));
        let hidden = hidden.ok_or(NetError::Header("hidden"))?;
        let buckets = number(value("buckets")?).filter(|buckets| (1..=MOST_BUCKETS).contains(buckets));
        let buckets = buckets.ok_or(NetError::Header("buckets"))?;
        let origin = value("origin")?.to_owned();
        if lines.next().is_some() {
            return Err(NetError::Header("origin"));
        }
        Ok(NetFile { domain, hidden, buckets, origin, rows: Vec::new(), output_biases: Vec::new() })
    }

    /// Adds the weights from bytes that end with the hash.
    fn with_weights(mut self, bytes: &[u8]) -> Result<NetFile, NetError> {
        let lanes = self.hidden_lanes() + self.buckets * 2 * self.hidden / LANES;
        let expected = (lanes * LANES + self.buckets) * size_of::<i16>() + size_of::<u64>();
        if bytes.len() != expected {
            return Err(NetError::Length { found: bytes.len(), expected });
        }
        let numbers = bytes.chunks_exact(2).map(|pair| i16::from_le_bytes([pair[0], pair[1]]));
        let numbers: Vec<i16> = numbers.take(lanes * LANES + self.buckets).collect();
        let (rows, biases) = numbers.split_at(lanes * LANES);
        self.rows = rows.as_chunks::<LANES>().0.iter().copied().map(Lanes).collect();
        self.output_biases = biases.to_vec();
        Ok(self)
    }

    /// Checks the bounds that the kernels need.
    fn checked(self) -> Result<NetFile, NetError> {
        let (hidden, outputs) = self.rows.split_at(self.hidden_lanes());
        let is_within = |rows: &[Lanes], most: i16| {
            rows.iter().all(|lanes| lanes.0.iter().all(|weight| (-most..=most).contains(weight)))
        };
        let fits = is_within(hidden, MOST_INPUT_WEIGHT) && is_within(outputs, MOST_OUTPUT_WEIGHT);
        let fits = fits && self.most_of_sums() <= i32::from(i16::MAX);
        if fits { Ok(self) } else { Err(NetError::Weight) }
    }

    /// Returns a bound of the absolute sums of the neurons: the largest weight on each square, all
    /// counters, and the bias.
    fn most_of_sums(&self) -> i32 {
        let (columns, squares) = (self.hidden / LANES, self.domain.squares());
        let row = |row: usize| self.rows[row * columns..][..columns].iter().flat_map(|lanes| lanes.0);
        let mut sums = vec![0; self.hidden];
        let mut add = |rows: &mut dyn Iterator<Item = usize>| {
            let mut most = vec![0; self.hidden];
            for weights in rows.map(row) {
                most.iter_mut()
                    .zip(weights)
                    .for_each(|(most, weight)| *most = i32::from(weight).abs().max(*most));
            }
            sums.iter_mut().zip(most).for_each(|(sum, most)| *sum += most);
        };
        let board = self.domain.board_inputs();
        (0..squares).for_each(|square| add(&mut (square..board).step_by(squares)));
        (board..=self.domain.inputs()).for_each(|counter| add(&mut std::iter::once(counter)));
        sums.into_iter().max().unwrap_or(0)
    }
}

/// Returns true if a hidden layer can have this number of neurons.
pub fn is_hidden_size(hidden: usize) -> bool {
    hidden > 0 && hidden.is_multiple_of(LANES) && hidden <= MOST_HIDDEN
}

/// Reads a number as [`NetFile::bytes`] writes it.
fn number(text: &str) -> Option<usize> {
    text.parse().ok().filter(|number: &usize| number.to_string() == text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn file(domain: Domain, hidden: usize, buckets: usize) -> NetFile {
        let lanes = (domain.inputs() + 1 + 2 * buckets) * hidden / LANES;
        let weight = |row: usize, lane: usize| ((row * 7 + lane * 3) % 253) as i16 - 126;
        NetFile {
            domain,
            hidden,
            buckets,
            origin: "games of nothing".to_owned(),
            rows: (0..lanes).map(|row| Lanes(std::array::from_fn(|lane| weight(row, lane)))).collect(),
            output_biases: (0..buckets as i16).map(|bucket| bucket * -9).collect(),
        }
    }

    /// Replaces the hash by a correct one.
    fn rehashed(mut bytes: Vec<u8>) -> Vec<u8> {
        bytes.truncate(bytes.len() - 8);
        let hash = hash(&bytes);
        bytes.extend(hash.to_le_bytes());
        bytes
    }

    #[test]
    fn files_survive_a_round_trip() {
        for (name, hidden, buckets) in [("normal", 64, 8), ("atomic", 32, 1), ("draughts", 128, 4)] {
            let file = file(Domain::from_name(name).unwrap(), hidden, buckets);
            assert_eq!(NetFile::parse(&file.bytes()), Ok(file));
        }
    }

    #[test]
    fn damage_is_noticed() {
        let good = file(Domain::Draughts, 32, 2).bytes();
        let text = String::from_utf8_lossy(&good).into_owned();
        let found = good.len() - text.find("\n\n").unwrap() - 2;
        for (cut, error) in [
            (0, NetError::Version),
            (20, NetError::Header("origin")),
            (good.len() - 1, NetError::Length { found: found - 1, expected: found }),
        ] {
            assert_eq!(NetFile::parse(&good[..cut]), Err(error), "{cut}");
        }
        let mut flipped = good.clone();
        flipped[good.len() / 2] ^= 1;
        assert_eq!(NetFile::parse(&flipped), Err(NetError::Hash));
        let mut large = good.clone();
        let weight = good.len() - found + 2;
        large[weight..weight + 2].copy_from_slice(&505i16.to_le_bytes());
        assert_eq!(NetFile::parse(&rehashed(large)), Err(NetError::Weight));
    }

    #[test]
    fn headers_are_checked() {
        let good = file(Domain::Draughts, 32, 2).bytes();
        let end = good.windows(2).position(|pair| pair == b"\n\n").unwrap();
        for (from, to, error) in [
            ("net 1", "net 2", NetError::Version),
            ("draughts", "halma", NetError::Header("game")),
            ("hidden 32", "hidden 33", NetError::Header("hidden")),
            ("hidden 32", "hidden 0", NetError::Header("hidden")),
            ("hidden 32", "hidden 18446744073709551616", NetError::Header("hidden")),
            ("hidden 32", "hidden 544", NetError::Header("hidden")),
            ("buckets 2", "buckets -2", NetError::Header("buckets")),
            ("buckets 2", "buckets 99999999", NetError::Header("buckets")),
            ("buckets 2\n", "", NetError::Header("buckets")),
            ("origin games", "origins", NetError::Header("origin")),
        ] {
            let text = String::from_utf8(good[..end].to_vec()).unwrap().replace(from, to);
            let bytes = [text.as_bytes(), &good[end..]].concat();
            assert_eq!(NetFile::parse(&rehashed(bytes)), Err(error), "{to}");
        }
    }

    proptest! {
        #[test]
        fn no_bytes_panic(bytes: Vec<u8>, at: prop::sample::Index, replaced: u8) {
            let _ = NetFile::parse(&bytes);
            let _ = NetFile::parse(&[FIRST_LINE.as_bytes(), &bytes].concat());
            let mut net = file(Domain::Draughts, 32, 1).bytes();
            let at = at.index(net.len());
            net[at] = replaced;
            let _ = NetFile::parse(&net);
            let _ = NetFile::parse(&rehashed(net));
        }
    }
}
