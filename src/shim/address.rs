//! `HOST[:PORT]`, as typed on a command line.

use std::fmt;
use std::net::Ipv6Addr;
use std::str::FromStr;
use thiserror::Error;

/// The port that servers listen on by default.
pub const DEFAULT_PORT: u16 = 5254;

/// A server to connect to: a name or an address, and a port.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Address {
    /// Name or address, without brackets; an IPv6 address may have an interface, as in `fe80::1%eth0`.
    pub host: String,
    /// TCP port.
    pub port: u16,
}

/// Why a text is not an [`Address`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum AddressError {
    /// Nothing before the port.
    #[error("the host is missing")]
    NoHost,
    /// A host with blanks or control characters.
    #[error("the host must not contain blanks")]
    BadHost,
    /// Text after the colon that is not a port from 1 to 65535.
    #[error("the port must be a number from 1 to 65535")]
    BadPort,
    /// `[` without `]`, or text between `]` and the colon.
    #[error("brackets must hold an IPv6 address, as in [::1]:5254")]
    BadBrackets,
    /// Several colons, but not an IPv6 address.
    #[error("several colons: write IPv6 addresses in brackets, as in [::1]:5254")]
    Ambiguous,
}

impl FromStr for Address {
    type Err = AddressError;

    fn from_str(text: &str) -> Result<Self, AddressError> {
        let (host, port) = split(text)?;
        Ok(Self { host, port: port.unwrap_or(DEFAULT_PORT) })
    }
}

/// Addresses separated by commas, whose ports may depend on other arguments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AddressList(Vec<(String, Option<u16>)>);

impl AddressList {
    /// Returns the addresses; those without a port get `default_port`.
    pub fn with_port(&self, default_port: u16) -> impl Iterator<Item = Address> {
        self.0
            .iter()
            .map(move |(host, port)| Address { host: host.clone(), port: port.unwrap_or(default_port) })
    }
}

impl FromStr for AddressList {
    type Err = AddressError;

    fn from_str(text: &str) -> Result<Self, AddressError> {
        text.split(',').map(split).collect::<Result<_, _>>().map(Self)
    }
}

/// Splits `HOST[:PORT]`.
fn split(text: &str) -> Result<(String, Option<u16>), AddressError> {
    let (host, port) = if let Some(rest) = text.strip_prefix('[') {
        let (host, tail) = rest.split_once(']').ok_or(AddressError::BadBrackets)?;
        check_ipv6(host, AddressError::BadBrackets)?;
        let digits = tail.strip_prefix(':');
        if digits.is_none() && !tail.is_empty() {
            return Err(AddressError::BadBrackets);
        }
        (host, digits)
    } else if text.matches(':').count() > 1 {
        check_ipv6(text, AddressError::Ambiguous)?;
        (text, None)
    } else {
        text.split_once(':').map_or((text, None), |(host, digits)| (host, Some(digits)))
    };
    if host.is_empty() {
        return Err(AddressError::NoHost);
    }
    // Messages and files that name the host are lines.
    if host.contains(|c: char| c.is_whitespace() || c.is_control()) {
        return Err(AddressError::BadHost);
    }
    let port = port.map(|digits| digits.parse().ok().filter(|&port| port > 0).ok_or(AddressError::BadPort));
    Ok((host.to_owned(), port.transpose()?))
}

/// Checks an IPv6 address, perhaps with an interface after a percent sign.
fn check_ipv6(text: &str, otherwise: AddressError) -> Result<(), AddressError> {
    let (address, interface) = text.split_once('%').unwrap_or((text, "lo"));
    let is_valid = address.parse::<Ipv6Addr>().is_ok() && !interface.is_empty();
    if is_valid { Ok(()) } else { Err(otherwise) }
}

impl Address {
    /// Returns the host as in certificates: without the interface of this machine.
    pub fn name(&self) -> &str {
        self.interface().map_or(&self.host, |interface| &self.host[..self.host.len() - interface.len() - 1])
    }

    /// Returns the interface in the address, if any.
    pub fn interface(&self) -> Option<&str> {
        self.host.split_once('%').filter(|(address, _)| address.contains(':')).map(|(_, interface)| interface)
    }

    /// Returns true if the address is link-local and lacks an interface.
    pub fn lacks_interface(&self) -> bool {
        self.host.parse().is_ok_and(|address: Ipv6Addr| address.is_unicast_link_local())
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.host.contains(':') {
            write!(f, "[{}]:{}", self.host, self.port)
        } else {
            write!(f, "{}:{}", self.host, self.port)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<(String, u16), AddressError> {
        text.parse::<Address>().map(|address| (address.host, address.port))
    }

    #[test]
    fn hosts_with_and_without_a_port() {
        assert_eq!(read("chess.example"), Ok(("chess.example".to_owned(), 5254)));
        assert_eq!(read("127.0.0.1:99"), Ok(("127.0.0.1".to_owned(), 99)));
        assert_eq!(read("[::1]"), Ok(("::1".to_owned(), 5254)));
        assert_eq!(read("[::1]:99"), Ok(("::1".to_owned(), 99)));
        assert_eq!(read("::1"), Ok(("::1".to_owned(), 5254)));
        assert_eq!(read("[fe80::1%eth0]:99"), Ok(("fe80::1%eth0".to_owned(), 99)));
        assert_eq!(read("fe80::1%2"), Ok(("fe80::1%2".to_owned(), 5254)));
    }

    #[test]
    fn an_interface_is_no_part_of_the_name() {
        let address = |text: &str| text.parse::<Address>().expect("an address");
        assert_eq!(address("[fe80::1%eth0]:99").name(), "fe80::1");
        assert_eq!(address("chess.example").name(), "chess.example");
        assert_eq!(address("[fe80::1%eth0]:99").interface(), Some("eth0"));
        assert_eq!(address("chess%example").interface(), None);
        let lacking =
            ["fe80::1%eth0", "fe80::1", "::1", "chess.example"].map(|text| address(text).lacks_interface());
        assert_eq!(lacking, [false, true, false, false]);
    }

    #[test]
    fn mistakes_are_named() {
        assert_eq!(read(""), Err(AddressError::NoHost));
        assert_eq!(read(":99"), Err(AddressError::NoHost));
        assert_eq!(read("a host"), Err(AddressError::BadHost));
        assert_eq!(read("host\nname:99"), Err(AddressError::BadHost));
        assert_eq!(read("host:"), Err(AddressError::BadPort));
        assert_eq!(read("host:0"), Err(AddressError::BadPort));
        assert_eq!(read("host:65536"), Err(AddressError::BadPort));
        assert_eq!(read("[::1"), Err(AddressError::BadBrackets));
        assert_eq!(read("[::1]99"), Err(AddressError::BadBrackets));
        assert_eq!(read("[host]:99"), Err(AddressError::BadBrackets));
        assert_eq!(read("[fe80::1%]"), Err(AddressError::BadBrackets));
        assert_eq!(read("[fe80::1%a b]"), Err(AddressError::BadHost));
        assert_eq!(read("a:b:c"), Err(AddressError::Ambiguous));
    }

    #[test]
    fn printed_form_reads_back() {
        for text in ["host:99", "[::1]:99", "[fe80::1%eth0]:99"] {
            assert_eq!(text.parse::<Address>().map(|address| address.to_string()), Ok(text.to_owned()));
        }
    }
}
