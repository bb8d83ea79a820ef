//! Reading the configuration again while the server runs: who may come and what newcomers get changes, sessions that are
//! there keep what they have.
//!
//! It is read in a thread of its own, as files may take their time and the loop has none; in one at a time. Whoever asks while
//! it is read has it read once more after that, since the files may have changed meanwhile.

use super::process::lower_thread_priority;
use super::{Limits, ListenerPolicy, Sources};
use crate::config::{Config, ConfigError};
use crate::session::Profile;
use mio::Waker;
use std::collections::BTreeMap;
use std::io;
use std::net::SocketAddr;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;

/// What newcomers meet.
pub struct ReloadedConfig {
    /// The addresses to listen on, as configured, with what is asked there.
    pub policies: Vec<(SocketAddr, ListenerPolicy)>,
    /// What a session may use, and how many there may be.
    pub limits: Limits,
    /// Who shares it.
    pub sources: Sources,
    /// As what the server appears to clients that ask for nothing else.
    pub profile: Arc<Profile>,
    /// The same for those who ask, by name.
    pub named: BTreeMap<String, Arc<Profile>>,
}

impl ReloadedConfig {
    /// What the configuration says, with all files that it names.
    ///
    /// # Errors
    /// A file that cannot be used, or an option that cannot be set so.
    pub fn new(config: &Config) -> Result<ReloadedConfig, ConfigError> {
        let policy = |listen| ListenerPolicy::new(listen).map_err(|error| config.with_line(error));
        let policies = config.listen.iter().map(|listen| Ok((listen.address, policy(listen)?)));
        let policies = policies.collect::<Result<_, ConfigError>>()?;
        let profile = config.profile(super::NAME)?;
        let named = config.named_profiles(&profile)?;
        let (limits, sources) = (Limits::new(config), Sources::new(config));
        Ok(ReloadedConfig { policies, limits, sources, profile: Arc::new(profile), named })
    }
}

/// Reads the configuration again. The error is for the log.
pub type Read = dyn Fn() -> Result<ReloadedConfig, String> + Send + Sync;

/// Where newly read reloaded come from.
pub(super) struct Reloader {
    read: Arc<Read>,
    waker: Arc<Waker>,
    sender: Sender<Result<ReloadedConfig, String>>,
    news: Receiver<Result<ReloadedConfig, String>>,
    /// A thread reads.
    is_reading: bool,
    /// It was asked for again since.
    again: bool,
}

impl Reloader {
    pub(super) fn new(read: Arc<Read>, waker: Arc<Waker>) -> Reloader {
        let (sender, news) = channel();
        Reloader { read, waker, sender, news, is_reading: false, again: false }
    }

    /// Begins to read, or will when what is read now is done. The loop is woken when that is so.
    pub(super) fn begin(&mut self) -> io::Result<()> {
        if std::mem::replace(&mut self.is_reading, true) {
            self.again = true;
            log::warn!("the configuration is read again once the reading that was asked for before is over");
            return Ok(());
        }
        let begun = self.spawn();
        self.is_reading = begun.is_ok();
        begun
    }

    fn spawn(&self) -> io::Result<()> {
        let (read, waker, sender) = (Arc::clone(&self.read), Arc::clone(&self.waker), self.sender.clone());
        let body = move || {
            lower_thread_priority();
            let news = catch_unwind(AssertUnwindSafe(|| read()));
            // The server may have ended meanwhile.
            let _ = sender
                .send(news.unwrap_or_else(|_| Err("it could not be read because of a panic".to_owned())));
            let _ = waker.wake();
        };
        thread::Builder::new().name("reload".to_owned()).spawn(body).map(drop)
    }

    /// What was read. Then it is read again if that was asked for meanwhile.
    pub(super) fn take(&mut self) -> Option<Result<ReloadedConfig, String>> {
        let news = self.news.try_recv().ok()?;
        self.is_reading = false;
        if std::mem::take(&mut self.again)
            && let Err(error) = self.begin()
        {
            log::error!("the configuration is not read again: {error}");
        }
        Some(news)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use mio::{Poll, Token};
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::sync::mpsc::sync_channel;
    use std::sync::{Mutex, PoisonError};

    #[test]
    fn after_a_panic_it_can_be_read_again() {
        let poll = Poll::new().expect("an event loop");
        let waker = Arc::new(Waker::new(poll.registry(), Token(0)).expect("a waker"));
        let mut reloader = Reloader::new(Arc::new(|| panic!("this panic is part of a test")), waker);
        for _ in 0..2 {
            reloader.begin().expect("a thread");
            let news = std::iter::repeat_with(|| reloader.take()).flatten().next();
            assert!(news.is_some_and(|news| news.is_err_and(|error| error.contains("panic"))));
        }
    }

    #[test]
    fn one_reads_at_a_time_and_whoever_asks_meanwhile_has_it_read_once_more() {
        let poll = Poll::new().expect("an event loop");
        let waker = Arc::new(Waker::new(poll.registry(), Token(0)).expect("a waker"));
        let (release, released) = sync_channel(0);
        let (reading, begun) = (Arc::new(AtomicUsize::new(0)), Mutex::new(released));
        let count = Arc::clone(&reading);
        let read = move || {
            count.fetch_add(1, Ordering::SeqCst);
            let _ = begun.lock().unwrap_or_else(PoisonError::into_inner).recv();
            Err("a mistake".to_owned())
        };
        let mut reloader = Reloader::new(Arc::new(read), waker);
        let finish = |reloader: &mut Reloader| {
            release.send(()).expect("somebody reads");
            std::iter::repeat_with(|| reloader.take()).flatten().next().and_then(Result::err)
        };
        for _ in 0..20 {
            reloader.begin().expect("a thread");
        }
        assert_eq!(finish(&mut reloader).as_deref(), Some("a mistake"));
        assert_eq!(finish(&mut reloader).as_deref(), Some("a mistake"));
        assert!(reloader.take().is_none() && !reloader.is_reading);
        assert_eq!(reading.load(Ordering::SeqCst), 2);
        // And it goes on.
        reloader.begin().expect("a thread");
        assert!(finish(&mut reloader).is_some() && !reloader.is_reading);
        assert_eq!(reading.load(Ordering::SeqCst), 3);
    }
}
