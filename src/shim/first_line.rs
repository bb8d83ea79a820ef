//! Detection of the client's protocol when there is no server to relay to.

use super::client_protocol::ClientProtocol;
use std::io::{self, Read};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

/// Time limit for the client's first line. GUIs send it right after they have started an engine.
pub(super) const FIRST_LINE_TIMEOUT: Duration = Duration::from_secs(1);

/// Returns the protocol of the first line on standard input; xboard's if none comes in time.
pub(super) fn detect_protocol() -> ClientProtocol {
    let (sender, detected) = mpsc::channel();
    let read = move || {
        let mut begun = Vec::new();
        for byte in io::stdin().lock().bytes().map_while(Result::ok) {
            begun.push(byte);
            if let Some(protocol) = ClientProtocol::of_beginning(&begun) {
                // Fails if it was too late.
                let _ = sender.send(protocol);
                return;
            }
        }
    };
    // Without the thread nothing is known, as if nothing had come.
    let _ = thread::Builder::new().name("first line".to_owned()).spawn(read);
    detected.recv_timeout(FIRST_LINE_TIMEOUT).unwrap_or_default()
}
