//! Applying a reloaded configuration: to new connections, not to sessions.

use super::Server;
use crate::server::reload::{ReloadedConfig, Reloader};
use std::sync::Arc;

impl Server {
    pub(super) fn begin_reload(&mut self) {
        match &mut self.reloader {
            Some(reloader) => {
                if let Err(error) = reloader.begin() {
                    log::error!("cannot reload the configuration: {error}");
                }
            }
            None => log::warn!("there is no configuration to reload"),
        }
    }

    /// Applies a configuration that was read, if any.
    pub(super) fn end_reload(&mut self) {
        match self.reloader.as_mut().and_then(Reloader::take) {
            None => {}
            Some(Ok(reloaded)) => self.adopt(reloaded),
            Some(Err(error)) => log::error!("configuration not reloaded: {error}"),
        }
    }

    fn adopt(&mut self, reloaded: ReloadedConfig) {
        let mut policies = reloaded.policies;
        for listener in &mut self.listeners {
            let index = policies.iter().position(|&(address, _)| listener.configured == Some(address));
            match (index, listener.configured) {
                (Some(index), _) => listener.policy = Arc::new(policies.remove(index).1),
                (None, Some(address)) => {
                    log::warn!(
                        "the listener {address} was removed from the configuration and stays until the next start"
                    )
                }
                (None, None) => {}
            }
        }
        for (address, _) in policies {
            log::warn!("the new listener {address} is opened at the next start");
        }
        if let (Some((configured, http)), Some((address, policy))) = (&self.http, reloaded.http)
            && *configured == address
        {
            http.set_policy(policy);
        }
        self.drain = reloaded.limits.drain;
        self.connections.admission.adopt(&reloaded.limits, reloaded.sources);
        self.connections.limits = reloaded.limits;
        self.connections.sessions.default = reloaded.profile;
        self.connections.sessions.named = Arc::new(reloaded.named);
        if let Some(key) = reloaded.state_key {
            self.connections.sessions.state_key = key;
        }
        log::info!("configuration reloaded; it applies to new connections");
    }
}
