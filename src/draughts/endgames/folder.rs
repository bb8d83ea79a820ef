//! A database folder, with a file for each slice.

use super::build::positions;
use super::error::FolderError;
use super::material::Material;
use super::packing::Encoding;
use super::solver::solve;
use super::workers::{Watch, Workers};
use super::{Endgames, MAX_PIECES, file};
use std::fs::{self, File, TryLockError};
use std::path::Path;

/// A file that is locked while a program writes the folder.
const LOCK: &str = "lock";

/// Makes the files of all positions of up to `pieces` (at most [`MAX_PIECES`]), in `threads`
/// threads, and opens them. Existing files are kept, so an interrupted run continues. `watch` is as
/// in [`Endgames::build`]; existing files count as done.
///
/// # Errors
/// The folder cannot be created or written, another program writes to it, one of its files is
/// invalid, or `watch` has aborted it.
pub fn generate(folder: &Path, pieces: u32, threads: usize, watch: Watch) -> Result<Endgames, FolderError> {
    let system = |error| FolderError::System(folder.to_owned(), error);
    fs::create_dir_all(folder).map_err(system)?;
    let lock = File::create(folder.join(LOCK)).map_err(system)?;
    lock.try_lock().map_err(|error| match error {
        TryLockError::WouldBlock => FolderError::Busy(folder.to_owned()),
        TryLockError::Error(error) => system(error),
    })?;
    let pairs = Material::pairs(pieces.min(MAX_PIECES));
    let mut endgames = Endgames::default();
    endgames.map_files(folder, &pairs)?;
    let is_solved = |endgames: &Endgames, material: Material| {
        endgames.slice(material).is_some() && endgames.slice(material.passed()).is_some()
    };
    let solved: Vec<_> = pairs.iter().copied().filter(|&material| is_solved(&endgames, material)).collect();
    let mut workers = Workers::new(threads, positions(&pairs), watch);
    workers.advance(positions(&solved))?;
    for material in pairs {
        if is_solved(&endgames, material) {
            continue;
        }
        for slice in solve(material, Encoding::for_pieces(material.pieces()), &endgames, &mut workers)? {
            file::write(folder, &slice)?;
        }
        endgames.map_files(folder, &[material])?;
    }
    Ok(endgames)
}

impl Endgames {
    /// Adds the slices of a folder that [`generate`] has filled or begun to fill, except for slices
    /// already present. The files are mapped and must not change meanwhile, see `mapping.rs`. All
    /// are read once to verify checksums.
    ///
    /// # Errors
    /// The folder cannot be read or has no such files, or a file is invalid. Nothing is added then.
    pub fn open(&mut self, folder: &Path) -> Result<(), FolderError> {
        fs::read_dir(folder).map_err(|error| FolderError::System(folder.to_owned(), error))?;
        let pairs = Material::pairs(MAX_PIECES);
        if !both_sides(&pairs).any(|material| file::path(folder, material).exists()) {
            return Err(FolderError::Empty(folder.to_owned()));
        }
        self.map_files(folder, &pairs)
    }

    /// Adds the existing files for these materials, either side on move.
    fn map_files(&mut self, folder: &Path, pairs: &[Material]) -> Result<(), FolderError> {
        let mut found = Vec::new();
        for material in both_sides(pairs).filter(|&material| self.slice(material).is_none()) {
            found.extend(file::open(folder, material)?);
        }
        for slice in found {
            self.insert(slice);
        }
        Ok(())
    }
}

/// Returns the materials of all slices. Where both sides have the same there is only one.
fn both_sides(pairs: &[Material]) -> impl Iterator<Item = Material> {
    let passed = |material: &Material| Some(material.passed()).filter(|passed| passed != material);
    pairs.iter().flat_map(move |material| std::iter::once(*material).chain(passed(material)))
}
