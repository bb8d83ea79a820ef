//! Reloading the configuration of a running server. Policies of listeners, limits and profiles
//! change for new connections; sessions keep theirs.
//!
//! A thread reads it, as files may be slow; one reading at a time. A request during a reading
//! causes one more afterwards, as the files may have changed in between.

use crate::config::{Config, ConfigError, Listen};
use crate::hosting::Hosts;
use crate::server::os::process::lower_thread_priority;
use crate::server::{ListenerPolicy, ServerLimits, Sources};
use crate::session::{DEFAULT_PROFILE, Profile, StateKey};
use mio::Waker;
use std::collections::BTreeMap;
use std::io;
use std::net::SocketAddr;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;

/// The parts of a configuration that a running server can adopt.
pub struct ReloadedConfig {
    /// Policies by the configured addresses of their listeners.
    pub policies: Vec<(SocketAddr, ListenerPolicy)>,
    /// Configured address and policy of the HTTP listener.
    pub http: Option<(SocketAddr, ListenerPolicy)>,
    /// Limits.
    pub limits: ServerLimits,
    /// Sources that share the server.
    pub sources: Sources,
    /// Default profile.
    pub profile: Arc<Profile>,
    /// Named profiles.
    pub named: BTreeMap<String, Arc<Profile>>,
    /// Key of states, if configured and read.
    pub state_key: Option<StateKey>,
}

impl ReloadedConfig {
    /// Reads all files that a configuration names, except the state key, which may have to be
    /// created. Unchanged engines are taken from `hosts`.
    ///
    /// # Errors
    /// A file cannot be used, or an option is invalid.
    pub fn new(config: &Config, hosts: &Hosts) -> Result<ReloadedConfig, ConfigError> {
        let policy = |listen: &Listen| ListenerPolicy::new(listen).map_err(|error| config.with_line(error));
        let policies = config.listen.iter().map(|listen| Ok((listen.address, policy(listen)?)));
        let policies = policies.collect::<Result<Vec<_>, ConfigError>>()?;
        let http = config.http.as_ref().map(|listen| Ok((listen.address, policy(listen)?))).transpose()?;
        let profile = config.profile(crate::server::NAME)?;
        let named = config.named_profiles(&profile, hosts)?;
        check_profiles_of_users(policies.iter().chain(&http), &named)?;
        let (limits, sources) = (ServerLimits::new(config), Sources::new(config));
        let profile = Arc::new(profile);
        Ok(ReloadedConfig { policies, http, limits, sources, profile, named, state_key: None })
    }
}

/// Checks that every profile of a user exists.
fn check_profiles_of_users<'a>(
    policies: impl Iterator<Item = &'a (SocketAddr, ListenerPolicy)>,
    named: &BTreeMap<String, Arc<Profile>>,
) -> Result<(), ConfigError> {
    let users = policies.filter_map(|(_, policy)| policy.users.as_ref()).flat_map(|users| users.iter());
    let mut wanted = users.flat_map(|user| user.profiles.iter().map(|profile| (&user.name, profile)));
    let unknown = wanted.find(|&(_, profile)| profile != DEFAULT_PROFILE && !named.contains_key(profile));
    unknown.map_or(Ok(()), |(user, profile)| {
        let known = std::iter::once(DEFAULT_PROFILE).chain(named.keys().map(String::as_str));
        let known = known.map(str::to_owned).collect();
        Err(ConfigError::ProfileOfUser(user.clone(), profile.clone(), known))
    })
}

/// Reads the configuration. The error is for the log.
pub type Read = dyn Fn() -> Result<ReloadedConfig, String> + Send + Sync;

pub(super) struct Reloader {
    read: Arc<Read>,
    waker: Arc<Waker>,
    sender: Sender<Result<ReloadedConfig, String>>,
    result: Receiver<Result<ReloadedConfig, String>>,
    is_reading: bool,
    /// Whether another reading was requested since.
    again: bool,
}

impl Reloader {
    pub(super) fn new(read: Arc<Read>, waker: Arc<Waker>) -> Reloader {
        let (sender, result) = channel();
        Reloader { read, waker, sender, result, is_reading: false, again: false }
    }

    /// Starts a reading, or queues one behind the current reading. The loop is woken at its end.
    pub(super) fn begin(&mut self) -> io::Result<()> {
        if std::mem::replace(&mut self.is_reading, true) {
            self.again = true;
            log::warn!(
                "another reload was requested: the configuration is read again after the current reload"
            );
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
            let result = catch_unwind(AssertUnwindSafe(|| read()));
            // The server may have ended meanwhile.
            let _ = sender.send(result.unwrap_or_else(|_| Err("reading it panicked".to_owned())));
            let _ = waker.wake();
        };
        thread::Builder::new().name("reload".to_owned()).spawn(body).map(drop)
    }

    /// Takes the result of a reading. Starts the next one if requested.
    pub(super) fn take(&mut self) -> Option<Result<ReloadedConfig, String>> {
        let result = self.result.try_recv().ok()?;
        self.is_reading = false;
        if std::mem::take(&mut self.again)
            && let Err(error) = self.begin()
        {
            log::error!("cannot reload the configuration: {error}");
        }
        Some(result)
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
    fn a_reload_works_after_a_panic() {
        let poll = Poll::new().expect("an event loop");
        let waker = Arc::new(Waker::new(poll.registry(), Token(0)).expect("a waker"));
        let mut reloader = Reloader::new(Arc::new(|| panic!("this panic is part of a test")), waker);
        for _ in 0..2 {
            reloader.begin().expect("a thread");
            let result = std::iter::repeat_with(|| reloader.take()).flatten().next();
            assert!(result.is_some_and(|result| result.is_err_and(|error| error.contains("panic"))));
        }
    }

    #[test]
    fn one_reading_at_a_time_and_requests_meanwhile_cause_one_more() {
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
            release.send(()).expect("a reading");
            std::iter::repeat_with(|| reloader.take()).flatten().next().and_then(Result::err)
        };
        for _ in 0..20 {
            reloader.begin().expect("a thread");
        }
        assert_eq!(finish(&mut reloader).as_deref(), Some("a mistake"));
        assert_eq!(finish(&mut reloader).as_deref(), Some("a mistake"));
        assert!(reloader.take().is_none() && !reloader.is_reading);
        assert_eq!(reading.load(Ordering::SeqCst), 2);
        reloader.begin().expect("a thread");
        assert!(finish(&mut reloader).is_some() && !reloader.is_reading);
        assert_eq!(reading.load(Ordering::SeqCst), 3);
    }
}
