//! Who is connected, and whether one more may come.

use super::network::network_of;
use std::collections::HashMap;
use std::fmt;
use std::net::IpAddr;

/// What part of all sessions one address may have if nothing else is said, and how many at least.
const PART: usize = 10;
const LEAST: usize = 16;

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
    /// Others came who have still to show what is asked of them.
    Unproven,
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
            Full::Unproven => {
                write!(f, "this server is full of clients that have not shown the secret, please try again")
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

    /// How many one address may have of which nothing else is said. Whoever is behind a tunnel or a balancer on this
    /// machine comes from this machine.
    fn most_of(&self, address: IpAddr) -> Option<usize> {
        let by_default = (!address.is_loopback()).then(|| (self.most / PART).max(LEAST));
        self.most_per_address.or(by_default)
    }

    /// Whether a newcomer would be counted in; `most` is how many its address may have, if that is said of its network.
    pub(super) fn admits(&self, address: IpAddr, most: Option<usize>) -> Result<(), Full> {
        if self.sessions >= self.most {
            return Err(Full::Server(self.most));
        }
        let network = network_of(address);
        let here = self.by_address.get(&network).copied().unwrap_or(0);
        match most.or_else(|| self.most_of(address.to_canonical())) {
            Some(most) if here >= most => Err(Full::Address(most)),
            _ => Ok(()),
        }
    }

    /// Counts a newcomer in, unless there are too many.
    pub(super) fn enter(&mut self, address: IpAddr, most: Option<usize>) -> Result<(), Full> {
        self.admits(address, most)?;
        *self.by_address.entry(network_of(address)).or_insert(0) += 1;
        self.sessions += 1;
        Ok(())
    }

    /// Counts out one that was counted in.
    pub(super) fn leave(&mut self, address: IpAddr) {
        let address = network_of(address);
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
        assert_eq!(census.enter(here, None), Ok(()));
        assert_eq!(census.enter(mapped, None), Ok(()));
        assert_eq!(census.enter(here, None), Err(Full::Address(2)));
        assert_eq!(census.enter(there, None), Ok(()));
        assert_eq!(census.enter(there, None), Err(Full::Server(3)));
        census.leave(mapped);
        assert_eq!(census.enter(here, None), Ok(()));
        assert_eq!(census.sessions(), 3);
    }

    #[test]
    fn one_address_cannot_take_all_places_unless_it_is_this_machine() {
        let mut census = Census::new(1000, None);
        let mut enter = |count: u16, address: &dyn Fn(u16) -> IpAddr| {
            (0..count).filter(|&number| census.enter(address(number), None).is_ok()).count()
        };
        assert_eq!(enter(200, &|_| IpAddr::from([192, 0, 2, 1])), 100);
        assert_eq!(
            enter(200, &|host| IpAddr::from([0x2001, 0xdb8, 0, 0, 0, 0, 0, host])),
            100,
            "one network"
        );
        assert_eq!(enter(200, &|_| IpAddr::V4(Ipv4Addr::LOCALHOST)), 200);
        assert_eq!(enter(1000, &|_| IpAddr::V6(Ipv6Addr::LOCALHOST)), 600, "all there are");
        let club = IpAddr::from([192, 0, 2, 2]);
        assert_eq!(
            Census::new(1000, None).admits(club, Some(0)),
            Err(Full::Address(0)),
            "as its network says"
        );
        let mut small = Census::new(20, None);
        assert_eq!(
            (0..20).filter(|_| small.enter(IpAddr::from([192, 0, 2, 1]), None).is_ok()).count(),
            LEAST
        );
    }
}
