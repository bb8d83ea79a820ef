//! Fair sharing among clients.

use super::{ConfigError, Count, Network, in_range};
use serde::Deserialize;
use std::net::IpAddr;

/// The unit with an equal share of the cores.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub enum ShareBy {
    /// An address; on loopback addresses a session.
    #[default]
    Auto,
    /// An address.
    Address,
    /// A session.
    Session,
}

/// A `[[source]]` as typed.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SourceSettings {
    network: Network,
    weight: Option<Count>,
    max_sessions: Option<Count>,
}

/// The settings for each address of a network.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SourceNetwork {
    /// The network.
    pub network: Network,
    /// The shares of an address with as many searches; from 1 to 1024.
    pub weight: u32,
    /// Sessions at one time from one address, from 1; `None` for the general limit.
    pub max_sessions: Option<usize>,
}

impl SourceSettings {
    /// The checked settings.
    pub(super) fn resolve(&self) -> Result<SourceNetwork, ConfigError> {
        let weight = in_range("weight", self.weight, 1, 1, 1024)?;
        let most = self.max_sessions.map(|count| in_range("max_sessions", Some(count), 1, 1, 1 << 20));
        Ok(SourceNetwork {
            network: self.network,
            weight: u32::try_from(weight).unwrap_or(1),
            max_sessions: most.transpose()?,
        })
    }
}

impl SourceNetwork {
    /// The narrowest network of a list that contains an address.
    pub fn of(list: &[SourceNetwork], address: IpAddr) -> Option<&SourceNetwork> {
        let there = list.iter().filter(|source| source.network.contains(address));
        there.max_by_key(|source| source.network.prefix())
    }
}
