//! Who may change a file that is to be mapped.

use super::error::FileProblem;
use std::fs::{Metadata, OpenOptions};

/// Whether nobody can change it but root and the user of this process.
///
/// # Errors
/// Somebody else can.
#[cfg(unix)]
pub fn check(metadata: &Metadata) -> Result<(), FileProblem> {
    use std::os::unix::fs::MetadataExt;
    if metadata.mode() & 0o022 != 0 {
        return Err(FileProblem::WritableByOthers);
    }
    if ![0, rustix::process::geteuid().as_raw()].contains(&metadata.uid()) {
        return Err(FileProblem::OwnedByAnother);
    }
    Ok(())
}

/// Other systems do not let a mapped file be shortened.
#[cfg(not(unix))]
pub fn check(_: &Metadata) -> Result<(), FileProblem> {
    Ok(())
}

/// How a new file is made: nobody, its owner included, may open it to write afterwards.
pub fn new_file() -> OpenOptions {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o444);
    options
}
