//! Who is connected, and whether one more may come.

use std::collections::HashMap;
use std::fmt;
use std::net::IpAddr;

/// Counts sessions, in all and by address.
pub(super) struct Census {
    most: usize,
    most_per_address: Option<usize>,
    sessions: usize,
    by_address: HashMap<IpAddr, usize>,
}

/// Why a newcomer is turned away.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Full {
    Server(usize),
    Address(usize),
    /// The system allows no more file descriptors.
    Descriptors,
}

impl fmt::Display for Full {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Full::Server(most) => {
                write!(f, "this server is full: it serves at most {most} games at one time, please try later")
            }
            Full::Descriptors => f.write_str(
                "this server is full: its system allows it no further connections, please try later",
            ),
            Full::Address(most) => {
                write!(
                    f,
                    "this server serves at most {most} games at one time to one address, please end one"
                )
            }
        }
    }
}

impl Census {
    pub(super) fn new(most: usize, most_per_address: Option<usize>) -> Census {
        Census { most, most_per_address, sessions: 0, by_address: HashMap::new() }
    }

    /// From now on there may be so many. Those who are there stay.
    pub(super) fn limit(&mut self, most: usize, most_per_address: Option<usize>) {
        (self.most, self.most_per_address) = (most, most_per_address);
    }

    /// Counts a newcomer in, unless there are too many.
    pub(super) fn enter(&mut self, address: IpAddr) -> Result<(), Full> {
        if self.sessions >= self.most {
            return Err(Full::Server(self.most));
        }
        let here = self.by_address.entry(address.to_canonical()).or_insert(0);
        if let Some(most) = self.most_per_address.filter(|&most| *here >= most) {
            return Err(Full::Address(most));
        }
        *here += 1;
        self.sessions += 1;
        Ok(())
    }

    /// Counts out one that was counted in.
    pub(super) fn leave(&mut self, address: IpAddr) {
        let address = address.to_canonical();
        self.sessions = self.sessions.saturating_sub(1);
        if let Some(here) = self.by_address.get_mut(&address) {
            *here -= 1;
            if *here == 0 {
                self.by_address.remove(&address);
            }
        }
    }

    /// How many sessions there are.
    pub(super) fn sessions(&self) -> usize {
        self.sessions
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::net::{Ipv4Addr, Ipv6Addr};

    #[test]
    fn limits_hold_in_all_and_by_address() {
        let here = IpAddr::V4(Ipv4Addr::LOCALHOST);
        let mapped = IpAddr::V6(Ipv4Addr::LOCALHOST.to_ipv6_mapped());
        let there = IpAddr::V6(Ipv6Addr::LOCALHOST);
        let mut census = Census::new(3, Some(2));
        assert_eq!(census.enter(here), Ok(()));
        assert_eq!(census.enter(mapped), Ok(()));
        assert_eq!(census.enter(here), Err(Full::Address(2)));
        assert_eq!(census.enter(there), Ok(()));
        assert_eq!(census.enter(there), Err(Full::Server(3)));
        census.leave(mapped);
        assert_eq!(census.enter(here), Ok(()));
        assert_eq!(census.sessions(), 3);
    }
}
