//! The values of all positions with some material, in memory or in a mapped file.

use super::index::Index;
use super::mapping::Mapping;
use super::material::Material;
use super::packing::{self, Encoding};
use super::pieces::Pieces;
use super::value::Value;

/// A slice: an index, and a value for each of its numbers.
pub(super) struct Slice {
    index: Index,
    encoding: Encoding,
    bytes: Bytes,
}

/// The storage of values.
enum Bytes {
    Memory(Vec<u8>),
    /// A file, from this offset to its end.
    Mapped(Mapping, usize),
}

impl Slice {
    /// A slice in memory, of as many bytes as the encoding needs for this material.
    pub(super) fn in_memory(material: Material, encoding: Encoding, bytes: Vec<u8>) -> Slice {
        Slice { index: Index::new(material), encoding, bytes: Bytes::Memory(bytes) }
    }

    /// A slice in a file, from this offset to its end.
    pub(super) fn mapped(material: Material, encoding: Encoding, mapping: Mapping, offset: usize) -> Slice {
        Slice { index: Index::new(material), encoding, bytes: Bytes::Mapped(mapping, offset) }
    }

    /// Returns its material.
    pub(super) fn material(&self) -> Material {
        self.index.material()
    }

    /// Returns its number of positions.
    pub(super) fn len(&self) -> usize {
        self.index.len()
    }

    /// Returns its encoding.
    pub(super) fn encoding(&self) -> Encoding {
        self.encoding
    }

    /// Returns its encoded values.
    pub(super) fn bytes(&self) -> &[u8] {
        match &self.bytes {
            Bytes::Memory(bytes) => bytes,
            Bytes::Mapped(mapping, offset) => &mapping.bytes()[*offset..],
        }
    }

    /// Returns the value of a position with this material.
    #[inline]
    pub(super) fn value(&self, pieces: &Pieces) -> Value {
        packing::value(self.encoding, self.bytes(), self.index.encode(pieces))
    }
}
