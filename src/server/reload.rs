//! Reading the configuration again while the server runs: who may come and what newcomers get changes, sessions that are
//! there keep what they have.
//!
//! It is read in a thread of its own, as files may take their time and the loop has none.

use super::event_loop::Server;
use super::profiles::Profiles;
use super::{Door, Limits, Sources};
use crate::config::{Config, ConfigError};
use crate::session::Profile;
use mio::Waker;
use std::collections::BTreeMap;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;

/// What newcomers meet.
pub struct Terms {
    /// The addresses to listen on, as configured, with what is asked there.
    pub doors: Vec<(SocketAddr, Door)>,
    /// What a session may use, and how many there may be.
    pub limits: Limits,
    /// Who shares it.
    pub sources: Sources,
    /// As what the server appears to clients that ask for nothing else.
    pub profile: Arc<Profile>,
    /// The same for those who ask, by name.
    pub named: BTreeMap<String, Arc<Profile>>,
}

impl Terms {
    /// What the configuration says, with all files that it names.
    ///
    /// # Errors
    /// A file that cannot be used, or an option that cannot be set so.
    pub fn new(config: &Config) -> Result<Terms, ConfigError> {
        let door = |listen| Door::new(listen).map_err(|error| config.placed(error));
        let doors = config.listen.iter().map(|listen| Ok((listen.address, door(listen)?)));
        let doors = doors.collect::<Result<_, ConfigError>>()?;
        let profile = config.profile(super::NAME)?;
        let named = config.named_profiles(&profile)?;
        let (limits, sources) = (Limits::new(config), Sources::new(config));
        Ok(Terms { doors, limits, sources, profile: Arc::new(profile), named })
    }
}

/// Reads the configuration again. The error is for the log.
pub type Read = dyn Fn() -> Result<Terms, String> + Send + Sync;

/// Where newly read terms come from.
pub(super) struct Reloader {
    read: Arc<Read>,
    waker: Arc<Waker>,
    sender: Sender<Result<Terms, String>>,
    news: Receiver<Result<Terms, String>>,
}

impl Reloader {
    pub(super) fn new(read: Arc<Read>, waker: Arc<Waker>) -> Reloader {
        let (sender, news) = channel();
        Reloader { read, waker, sender, news }
    }

    /// Begins to read. The loop is woken when that is done.
    pub(super) fn begin(&self) -> io::Result<()> {
        let (read, waker, sender) = (Arc::clone(&self.read), Arc::clone(&self.waker), self.sender.clone());
        let body = move || {
            // The server may have ended meanwhile.
            let _ = sender.send(read());
            let _ = waker.wake();
        };
        thread::Builder::new().name("reload".to_owned()).spawn(body).map(drop)
    }

    /// What was read since the last time, the latest.
    pub(super) fn take(&self) -> Option<Result<Terms, String>> {
        self.news.try_iter().last()
    }
}

impl Server {
    pub(super) fn begin_reload(&self) {
        match &self.reloader {
            Some(reloader) => {
                if let Err(error) = reloader.begin() {
                    log::error!("the configuration is not read again: {error}");
                }
            }
            None => log::warn!("there is no configuration that could be read again"),
        }
    }

    /// Lets newcomers meet what was read, if something was.
    pub(super) fn end_reload(&mut self) {
        match self.reloader.as_ref().and_then(Reloader::take) {
            None => {}
            Some(Ok(terms)) => self.adopt(terms),
            Some(Err(error)) => log::error!("the configuration stays as it was: {error}"),
        }
    }

    fn adopt(&mut self, terms: Terms) {
        let mut doors = terms.doors;
        for listener in &mut self.listeners {
            let place = doors.iter().position(|&(address, _)| listener.configured == Some(address));
            match (place, listener.configured) {
                (Some(place), _) => listener.set_door(doors.remove(place).1),
                (None, Some(address)) => {
                    log::warn!("{address} is listened on until the next start, as it was")
                }
                (None, None) => {}
            }
        }
        for (address, _) in doors {
            log::warn!("{address} will be listened on at the next start, not before");
        }
        self.drain = terms.limits.drain;
        self.tenants.sources.adopt(terms.sources);
        self.tenants.adopt(terms.limits, Profiles { default: terms.profile, named: Arc::new(terms.named) });
        log::info!("the configuration was read again; it is for those who come from now on");
    }
}
