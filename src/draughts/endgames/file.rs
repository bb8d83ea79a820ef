//! A slice in a file: a header of 64 bytes, then the values.
//!
//! | bytes | |
//! |---|---|
//! | 0–7 | `FarbEndg` |
//! | 8–11 | the version of the format |
//! | 12 | the encoding of the values: [`Encoding`] |
//! | 13–16 | men and kings of the side on move, of the other side |
//! | 17–23 | 0 |
//! | 24–31 | number of positions |
//! | 32–63 | SHA-256 of the bytes before and of the values |
//!
//! Numbers are little-endian.

use super::error::{FileError, FileProblem};
use super::index::Index;
use super::mapping::Mapping;
use super::material::Material;
use super::packing::{Encoding, VERSION};
use super::permission;
use super::slice::Slice;
use ring::digest::{Context, SHA256};
use std::fs::{self, File};
use std::io::{self, ErrorKind, Read, Write};
use std::path::{Path, PathBuf};

const MAGIC: [u8; 8] = *b"FarbEndg";
const HEADER: usize = 64;
/// Length of the header before the checksum.
const FIELDS: usize = 32;

/// Returns the path of the slice with this material.
pub(super) fn path(folder: &Path, material: Material) -> PathBuf {
    folder.join(format!("{material}.endgame"))
}

fn fields(material: Material, encoding: Encoding) -> [u8; FIELDS] {
    let mut fields = [0; FIELDS];
    fields[..8].copy_from_slice(&MAGIC);
    fields[8..12].copy_from_slice(&VERSION.to_le_bytes());
    fields[12] = encoding as u8;
    fields[13..17].copy_from_slice(&material.counts());
    fields[24..].copy_from_slice(&(Index::new(material).len() as u64).to_le_bytes());
    fields
}

fn checksum(fields: &[u8], values: &[u8]) -> impl AsRef<[u8]> {
    let mut context = Context::new(&SHA256);
    context.update(fields);
    context.update(values);
    context.finish()
}

/// Writes a slice. The file gets its name when it is complete and on disk.
///
/// # Errors
/// The system refuses.
pub(super) fn write(folder: &Path, slice: &Slice) -> Result<(), FileError> {
    let path = path(folder, slice.material());
    let part = path.with_extension("part");
    let write = || {
        match fs::remove_file(&part) {
            Err(error) if error.kind() != ErrorKind::NotFound => return Err(error),
            _ => {}
        }
        let fields = fields(slice.material(), slice.encoding());
        let mut file = permission::new_file().open(&part)?;
        file.write_all(&fields)?;
        file.write_all(checksum(&fields, slice.bytes()).as_ref())?;
        file.write_all(slice.bytes())?;
        file.sync_all()?;
        fs::rename(&part, &path)
    };
    write().map_err(|error| FileError::new(&path, FileProblem::System(error)))
}

/// Maps the slice with this material; `None` if there is no such file. Reads all of it to verify
/// the checksum.
///
/// # Errors
/// The file cannot be read or is invalid.
pub(super) fn open(folder: &Path, material: Material) -> Result<Option<Slice>, FileError> {
    let path = path(folder, material);
    match map(&path, material) {
        Ok(slice) => Ok(Some(slice)),
        Err(FileProblem::System(error)) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(problem) => Err(FileError::new(&path, problem)),
    }
}

impl From<io::Error> for FileProblem {
    fn from(error: io::Error) -> FileProblem {
        FileProblem::System(error)
    }
}

fn map(path: &Path, material: Material) -> Result<Slice, FileProblem> {
    // Before opening: opening a pipe would wait for a writer.
    if !fs::metadata(path)?.is_file() {
        return Err(FileProblem::NotAFile);
    }
    let file = File::open(path)?;
    let metadata = file.metadata()?;
    permission::check(&metadata)?;
    let mut header = Vec::with_capacity(HEADER);
    (&file).take(HEADER as u64).read_to_end(&mut header)?;
    let (found, len) = (header.as_slice(), metadata.len());
    let encoding = Encoding::for_pieces(material.pieces());
    let expected = fields(material, encoding);
    let is_ours = found.get(..8).is_some_and(|magic| magic == MAGIC);
    // A file truncated within its header has a prefix of the magic number.
    if !is_ours && !MAGIC.starts_with(found) {
        return Err(FileProblem::Foreign);
    }
    let size = encoding.size(Index::new(material).len());
    let expected_len = (HEADER + size) as u64;
    let wrong_length = FileProblem::Length { expected: expected_len, found: len };
    let Some(version) = found.get(8..12).and_then(|bytes| bytes.try_into().ok()) else {
        return Err(wrong_length);
    };
    let version = u32::from_le_bytes(version);
    if version != VERSION {
        return Err(FileProblem::Version(version));
    }
    if found.get(12..FIELDS).is_some_and(|rest| rest != &expected[12..]) {
        return Err(FileProblem::OtherSlice);
    }
    if len != expected_len {
        return Err(wrong_length);
    }
    let mapping = Mapping::of(&file)?;
    // The file may have been truncated since its length was read.
    let Some((header, values)) = mapping.bytes().split_at_checked(HEADER) else { return Err(wrong_length) };
    if values.len() != size {
        return Err(wrong_length);
    }
    if checksum(&header[..FIELDS], values).as_ref() != &header[FIELDS..] {
        return Err(FileProblem::Damaged);
    }
    Ok(Slice::mapped(material, encoding, mapping, HEADER))
}
