//! What a client speaks for which there is no server.

use super::client_protocol::ClientProtocol;
use std::io::{self, Read};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

/// How long to wait for the client's first line. GUIs say it right after they have started an engine.
pub(super) const FIRST_LINE_TIMEOUT: Duration = Duration::from_secs(1);

/// What the first line on standard input tells; xboard's protocol if none comes.
pub(super) fn spoken() -> ClientProtocol {
    let (sender, said) = mpsc::channel();
    let read = move || {
        let mut input = io::stdin().lock();
        let mut begun = Vec::new();
        let mut byte = [0];
        while matches!(input.read(&mut byte), Ok(1)) {
            begun.extend(byte);
            if let Some(spoken) = ClientProtocol::of_beginning(&begun) {
                // If it was too late, nobody listens any more.
                let _ = sender.send(spoken);
                return;
            }
        }
    };
    // Without the thread nothing is known, as if nothing had been said.
    let _ = thread::Builder::new().name("first line".to_owned()).spawn(read);
    said.recv_timeout(FIRST_LINE_TIMEOUT).unwrap_or_default()
}
