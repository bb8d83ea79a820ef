//! Networks, in lists of allowed clients.

use serde::Deserialize;
use std::fmt;
use std::net::IpAddr;
use std::str::FromStr;

/// A network in CIDR notation: `192.168.0.0/16`, `2001:db8::/32`; an address alone is a network of
/// one. An IPv4 address is the same where it is written as an IPv6 one, `::ffff:192.0.2.1`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(try_from = "String")]
pub struct Network {
    address: IpAddr,
    /// The length of the prefix in bits, at most 32 or 128.
    prefix: u8,
}

/// The length of an address in bits.
fn width(address: IpAddr) -> u8 {
    if address.is_ipv4() { 32 } else { 128 }
}

/// The bits of an address, the first one highest.
fn bits(address: IpAddr) -> u128 {
    match address {
        IpAddr::V4(address) => u128::from(u32::from(address)) << 96,
        IpAddr::V6(address) => address.into(),
    }
}

/// These bits, with all after the first `prefix` cleared.
fn first(prefix: u8, bits: u128) -> u128 {
    bits & !u128::MAX.checked_shr(prefix.into()).unwrap_or(0)
}

/// Error of parsing a [`Network`].
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum NetworkError {
    /// The text before the slash is not an address.
    #[error("{0:?} is not a network such as 192.168.0.0/16 or ::1")]
    BadAddress(String),
    /// The text after the slash is not the length of a prefix.
    #[error("{0:?} must end in a prefix length of at most 32 or, for IPv6, 128")]
    BadPrefix(String),
    /// Bits beyond the prefix are set, so one of the two is wrong.
    #[error("{0:?} has bits set beyond its prefix: write the network's first address, or the address alone")]
    StrayBits(String),
}

impl Network {
    /// The length of the prefix in bits, up to 32, or 128 for IPv6.
    pub fn prefix(&self) -> u8 {
        self.prefix
    }

    /// Whether it contains loopback addresses only.
    pub(crate) fn is_of_this_machine(&self) -> bool {
        match self.address {
            IpAddr::V4(address) => address.is_loopback() && self.prefix >= 8,
            IpAddr::V6(address) => address.is_loopback() && self.prefix == 128,
        }
    }

    /// Whether the network contains the address.
    pub fn contains(&self, address: IpAddr) -> bool {
        let address = address.to_canonical();
        address.is_ipv4() == self.address.is_ipv4() && first(self.prefix, bits(address)) == bits(self.address)
    }
}

impl FromStr for Network {
    type Err = NetworkError;

    fn from_str(text: &str) -> Result<Network, NetworkError> {
        let (address, prefix) =
            text.split_once('/').map_or((text, None), |(address, prefix)| (address, Some(prefix)));
        let address: IpAddr = address.parse().map_err(|_| NetworkError::BadAddress(text.to_owned()))?;
        let most = width(address);
        let prefix = prefix.map_or(Ok(most), str::parse).ok().filter(|&prefix| prefix <= most);
        let prefix = prefix.ok_or_else(|| NetworkError::BadPrefix(text.to_owned()))?;
        if first(prefix, bits(address)) != bits(address) {
            return Err(NetworkError::StrayBits(text.to_owned()));
        }
        // Addresses are compared in their shorter form, in which the prefix is shorter as well.
        let short = address.to_canonical();
        Ok(Network { address: short, prefix: prefix.saturating_sub(most - width(short)) })
    }
}

impl TryFrom<String> for Network {
    type Error = NetworkError;

    fn try_from(text: String) -> Result<Network, NetworkError> {
        text.parse()
    }
}

impl fmt::Display for Network {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.address, self.prefix)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn network(text: &str) -> Network {
        text.parse().expect("a network")
    }

    fn contains(text: &str, address: &str) -> bool {
        network(text).contains(address.parse().expect("an address"))
    }

    #[test]
    fn the_first_bits_decide() {
        assert!(contains("192.168.0.0/16", "192.168.255.1"));
        assert!(!contains("192.168.0.0/16", "192.169.0.1"));
        assert!(contains("10.0.0.0/8", "::ffff:10.1.2.3"));
        assert!(contains("0.0.0.0/0", "203.0.113.9"));
        assert!(!contains("0.0.0.0/0", "2001:db8::1"));
        assert!(contains("::/0", "2001:db8::1"));
        assert!(contains("2001:db8::/32", "2001:db8:ffff::1"));
        assert!(!contains("2001:db8::/32", "2001:db9::1"));
        assert!(contains("127.0.0.1", "127.0.0.1"));
        assert!(!contains("127.0.0.1", "127.0.0.2"));
        assert!(contains("172.16.0.0/12", "172.31.0.1"));
        assert!(!contains("172.16.0.0/12", "172.32.0.1"));
        assert!(contains("2001:db8::1", "2001:db8::1"));
        assert!(!contains("2001:db8::1", "2001:db8::2"));
        assert!(!contains("::/0", "192.0.2.1"));
    }

    #[test]
    fn ipv4_written_as_ipv6_is_ipv4() {
        assert!(contains("::ffff:10.0.0.0/104", "10.1.2.3"));
        assert!(contains("::ffff:10.1.2.3", "::ffff:10.1.2.3"));
        assert!(!contains("::ffff:10.0.0.0/104", "11.0.0.1"));
    }

    #[test]
    fn mistakes_are_named() {
        let error = |text: &str| text.parse::<Network>().unwrap_err();
        for text in ["", "/8", "home", "192.168.0/16", "192.168.0.0:514"] {
            assert_eq!(error(text), NetworkError::BadAddress(text.to_owned()));
        }
        for text in ["10.0.0.0/", "10.0.0.0/33", "10.0.0.0/-1", "::/129", "10.0.0.0/8/8"] {
            assert_eq!(error(text), NetworkError::BadPrefix(text.to_owned()));
        }
        for text in ["192.168.1.0/16", "2001:db8::1/32"] {
            assert_eq!(error(text), NetworkError::StrayBits(text.to_owned()));
        }
    }

    #[test]
    fn printed_form_reads_back() {
        for text in ["192.168.0.0/16", "::/0", "127.0.0.1/32"] {
            assert_eq!(network(text).to_string(), text);
        }
    }
}
