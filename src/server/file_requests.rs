//! What a session of this machine's user wants done with files.

use crate::book::Book;
use crate::session::{FileRequest, Input};
use std::fs::OpenOptions;
use std::io::{self, Write};
use std::path::Path;
use std::sync::Arc;

/// Games are added to this file.
const GAMES_FILE: &str = "farboard.pgn";

/// Does it, and says what the session is to hear of it.
pub(super) fn run(request: FileRequest) -> Option<Input<'static>> {
    match request {
        FileRequest::OpenBook(path) => {
            let book = Book::open(&path).map(Arc::new);
            Some(Input::Book(book.map_err(|error| format!("{}: {error}", path.display()))))
        }
        FileRequest::SaveGame { folder, game, tags, outcome } => {
            let saved = append(&folder.join(GAMES_FILE), &game.pgn(&tags, outcome));
            saved.err().map(|error| Input::NotSaved(format!("{}: {error}", folder.display())))
        }
    }
}

fn append(path: &Path, game: &str) -> io::Result<()> {
    let mut file = OpenOptions::new().create(true).append(true).open(path)?;
    file.write_all(format!("{game}\n").as_bytes())
}
