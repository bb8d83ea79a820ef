//! The configuration changes while the server runs: for newcomers, not for sessions.

use super::Server;
use crate::server::reload::{ReloadedConfig, Reloader};

impl Server {
    pub(super) fn begin_reload(&mut self) {
        match &mut self.reloader {
            Some(reloader) => {
                if let Err(error) = reloader.begin() {
                    log::error!("the configuration is not read again: {error}");
                }
            }
            None => log::warn!("there is no configuration that could be read again"),
        }
    }

    /// Applies a configuration that was read, if there is one.
    pub(super) fn end_reload(&mut self) {
        match self.reloader.as_mut().and_then(Reloader::take) {
            None => {}
            Some(Ok(reloaded)) => self.adopt(reloaded),
            Some(Err(error)) => log::error!("the configuration stays as it was: {error}"),
        }
    }

    fn adopt(&mut self, reloaded: ReloadedConfig) {
        let mut policies = reloaded.policies;
        for listener in &mut self.listeners {
            let place = policies.iter().position(|&(address, _)| listener.configured == Some(address));
            match (place, listener.configured) {
                (Some(place), _) => listener.set_policy(policies.remove(place).1),
                (None, Some(address)) => {
                    log::warn!("{address} is listened on until the next start, as it was")
                }
                (None, None) => {}
            }
        }
        for (address, _) in policies {
            log::warn!("{address} will be listened on at the next start, not before");
        }
        if let (Some((configured, http)), Some((address, policy))) = (&self.http, reloaded.http)
            && *configured == address
        {
            http.set_policy(policy);
        }
        self.drain = reloaded.limits.drain;
        self.connections.admission.adopt(&reloaded.limits, reloaded.sources);
        self.connections.limits = reloaded.limits;
        self.connections.sessions.set_default(reloaded.profile);
        self.connections.sessions.set_named(reloaded.named);
        if let Some(key) = reloaded.state_key {
            self.connections.sessions.set_state_key(key);
        }
        log::info!("the configuration was read again and holds for new connections");
    }
}
