//! Finds the server if no control socket is named.

use super::AskError;
use std::io::ErrorKind;
use std::os::unix::net::UnixStream;
use std::path::PathBuf;

/// Returns the control socket of the only server that answers at one of these paths.
///
/// # Errors
/// None answers, or several do.
pub fn server(paths: Vec<PathBuf>) -> Result<PathBuf, AskError> {
    let mut found = Vec::new();
    let mut failed = None;
    for path in &paths {
        match UnixStream::connect(path) {
            Ok(_) => found.push(path.clone()),
            Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::ConnectionRefused) => {}
            Err(error) => failed = Some((path.clone(), error)),
        }
    }
    match (found.len(), failed) {
        (1, _) => Ok(found.remove(0)),
        (0, Some((path, error))) => Err(AskError::NoServer(path, error)),
        (0, None) => Err(AskError::NoneFound(paths)),
        (_, _) => Err(AskError::Several(found)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use std::os::unix::net::UnixListener;

    #[test]
    fn the_only_server_that_answers_is_found() {
        let scratch = std::env::temp_dir().join(format!("farboard-find-{}", std::process::id()));
        fs::create_dir_all(&scratch).expect("a scratch folder");
        let paths = ["a", "b", "c"].map(|name| scratch.join(name)).to_vec();
        let error = server(paths.clone()).expect_err("there is none").to_string();
        assert!(error.contains("--control") && error.contains(&paths[0].display().to_string()), "{error}");
        // A socket left by a killed server.
        drop(UnixListener::bind(&paths[0]).expect("a socket"));
        // A process started by another test inherits it for a moment.
        while UnixStream::connect(&paths[0]).is_ok() {}
        let _one = UnixListener::bind(&paths[1]).expect("a socket");
        assert_eq!(server(paths.clone()).expect("one"), paths[1]);
        let _other = UnixListener::bind(&paths[2]).expect("a socket");
        let error = server(paths.clone()).expect_err("there are two").to_string();
        for path in &paths[1..] {
            assert!(error.contains(&format!("--control {}", path.display())), "{error}");
        }
        let _ = fs::remove_dir_all(&scratch);
    }
}
