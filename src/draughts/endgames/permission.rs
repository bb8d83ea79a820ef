//! Permissions of mapped files.

use super::error::FileProblem;
use std::fs::{Metadata, OpenOptions};

/// Returns the checks that only root and the user of this process can change a file.
///
/// # Errors
/// Other users can.
#[cfg(unix)]
pub(super) fn check(metadata: &Metadata) -> Result<(), FileProblem> {
    use std::os::unix::fs::MetadataExt;
    if metadata.mode() & 0o022 != 0 {
        return Err(FileProblem::WritableByOthers);
    }
    if ![0, rustix::process::geteuid().as_raw()].contains(&metadata.uid()) {
        return Err(FileProblem::OwnedByAnother);
    }
    Ok(())
}

/// Other systems do not let a mapped file be truncated.
#[cfg(not(unix))]
pub fn check(_: &Metadata) -> Result<(), FileProblem> {
    Ok(())
}

/// Returns options to create a file that even its owner cannot open for writing later.
pub(super) fn new_file() -> OpenOptions {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o444);
    options
}
