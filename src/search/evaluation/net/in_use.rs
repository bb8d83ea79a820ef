//! Which net evaluates which game. None is built in so far: `--net` gives one.

use super::{Domain, Net};
use std::sync::OnceLock;

static NETS: [OnceLock<Net>; Domain::COUNT] = [const { OnceLock::new() }; Domain::COUNT];

/// Returns the net for a game, if there is one.
#[inline]
pub fn net_of(domain: Domain) -> Option<&'static Net> {
    NETS[domain.index()].get()
}

/// Uses a net from now on for its game, in the whole process. Searches must not have begun.
///
/// # Errors
/// Returns the net if another one is in use.
pub fn use_net(net: Net) -> Result<(), Box<Net>> {
    NETS[net.file().domain.index()].set(net).map_err(Box::new)
}
