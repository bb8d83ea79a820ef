//! A Farboard server in this process, for games that need its sessions: with partners, or with an
//! umpire.

use crate::config::Settings;
use crate::matches::EngineError;
use crate::pool::engine;
use crate::search::Table;
use crate::server::{Handle, ListenerPolicy, NAME, Server, Setup, bind};
use std::error::Error;
use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::thread::JoinHandle;

/// A server on a free port; it ends when it is dropped.
pub(in crate::matches) struct OwnServer {
    address: SocketAddr,
    handle: Handle,
    thread: Option<JoinHandle<io::Result<()>>>,
}

impl OwnServer {
    /// Starts a server with defaults, and a table of this many MiB for all sessions.
    pub(crate) fn start(table: usize, seed: u64) -> Result<OwnServer, EngineError> {
        let failed = |error| EngineError::Start { engine: "a server in this process".to_owned(), error };
        let other = |error: Box<dyn Error + Send + Sync>| failed(io::Error::other(error.to_string()));
        let config = Settings::default().resolve().map_err(|error| other(error.to_string().into()))?;
        let profile = config.profile(NAME).map_err(|error| other(error.to_string().into()))?;
        let table = Table::new(table).map_err(EngineError::Memory)?;
        let setup = Setup::new(&config, engine(table), Arc::new(profile), seed);
        let listener = bind((Ipv4Addr::LOCALHOST, 0).into()).map_err(|error| failed(error.error))?;
        let server = Server::new(vec![(listener, ListenerPolicy::open())], setup).map_err(failed)?;
        let address = server.addresses().map_err(failed)?[0];
        let handle = server.handle();
        let thread = std::thread::Builder::new().name("server".to_owned()).spawn(move || server.run());
        Ok(OwnServer { address, handle, thread: Some(thread.map_err(failed)?) })
    }

    /// The address of its listener, as host and port.
    pub(crate) fn address(&self) -> String {
        self.address.to_string()
    }
}

impl Drop for OwnServer {
    fn drop(&mut self) {
        self.handle.stop();
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}
