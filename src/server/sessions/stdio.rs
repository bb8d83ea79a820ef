//! One session on standard input and output: an ordinary engine for any GUI.

use crate::server::Setup;
use crate::server::sessions::local_session::{LocalEvent, LocalSession};
use crate::session::{Profile, Protocol};
use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::iterator::Signals;
use std::collections::BTreeMap;
use std::io::{self, ErrorKind, Read};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;
use std::time::Instant;

/// Serves one session of this protocol until it ends. It may use the named profiles.
///
/// SIGINT is an interrupt from the client and ends nothing: GUIs send it to get attention. SIGTERM
/// ends the session. To be called once in a process, by its main function: the thread that reads
/// standard input stays.
///
/// # Errors
/// Standard output cannot be written. A closed standard output is no error.
pub fn serve(protocol: Protocol, setup: Setup, named: BTreeMap<String, Arc<Profile>>) -> io::Result<()> {
    let (session, sender) = LocalSession::new(protocol, setup, Arc::new(named));
    watch_signals(sender.clone())?;
    let (taken, may_read) = channel();
    let reader = move || read(io::stdin().lock(), &sender, &may_read);
    thread::Builder::new().name("stdin".to_owned()).spawn(reader)?;
    let outcome = session.run(&mut io::stdout().lock(), || {
        let _ = taken.send(());
    });
    match outcome {
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
        other => other,
    }
}

fn watch_signals(sender: Sender<LocalEvent>) -> io::Result<()> {
    let mut signals = Signals::new([SIGINT, SIGTERM])?;
    thread::Builder::new().name("signals".to_owned()).spawn(move || {
        for signal in signals.forever() {
            let event = if signal == SIGTERM { LocalEvent::End } else { LocalEvent::Interrupt };
            let _ = sender.send(event);
        }
    })?;
    Ok(())
}

/// Reads on only when the previous bytes are handled: a GUI that does not read costs no memory.
fn read(mut input: impl Read, sender: &Sender<LocalEvent>, may_read: &Receiver<()>) {
    let mut buffer = vec![0; 16 << 10];
    loop {
        let event = match input.read(&mut buffer) {
            Ok(count) if count > 0 => LocalEvent::Bytes(buffer[..count].to_vec(), Instant::now()),
            Err(error) if error.kind() == ErrorKind::Interrupted => continue,
            _ => LocalEvent::Eof,
        };
        let last = matches!(event, LocalEvent::Eof);
        if sender.send(event).is_err() || last || may_read.recv().is_err() {
            return;
        }
    }
}
