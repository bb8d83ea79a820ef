//! `HOST[:PORT]`, as typed on a command line.

use std::fmt;
use std::net::Ipv6Addr;
use std::str::FromStr;

/// The port servers listen on unless told otherwise.
pub const DEFAULT_PORT: u16 = 5254;

/// A server to connect to: a name or an address, and a port.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Address {
    /// Name or address, without brackets.
    pub host: String,
    /// TCP port.
    pub port: u16,
}

/// Why a text is not an [`Address`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AddressError {
    /// Nothing before the port.
    NoHost,
    /// Text after the colon that is not a port from 1 to 65535.
    BadPort,
    /// `[` without `]`, or something between `]` and the colon.
    BadBrackets,
    /// Several colons, yet not an IPv6 address: brackets would say which part is the port.
    Ambiguous,
}

impl fmt::Display for AddressError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NoHost => "the host is missing",
            Self::BadPort => "the port must be a number from 1 to 65535",
            Self::BadBrackets => "brackets must hold an IPv6 address, as in [::1]:5254",
            Self::Ambiguous => "several colons: write IPv6 addresses in brackets, as in [::1]:5254",
        })
    }
}

impl std::error::Error for AddressError {}

impl FromStr for Address {
    type Err = AddressError;

    fn from_str(text: &str) -> Result<Self, AddressError> {
        if let Some(rest) = text.strip_prefix('[') {
            let (host, tail) = rest.split_once(']').ok_or(AddressError::BadBrackets)?;
            host.parse::<Ipv6Addr>().map_err(|_| AddressError::BadBrackets)?;
            let port = match tail {
                "" => DEFAULT_PORT,
                _ => port(tail.strip_prefix(':').ok_or(AddressError::BadBrackets)?)?,
            };
            return Ok(Self { host: host.to_owned(), port });
        }
        let (host, port) = match text.split_once(':') {
            None => (text, DEFAULT_PORT),
            Some((_, rest)) if rest.contains(':') => {
                text.parse::<Ipv6Addr>().map_err(|_| AddressError::Ambiguous)?;
                (text, DEFAULT_PORT)
            }
            Some((host, digits)) => (host, port(digits)?),
        };
        match host {
            "" => Err(AddressError::NoHost),
            _ => Ok(Self { host: host.to_owned(), port }),
        }
    }
}

fn port(digits: &str) -> Result<u16, AddressError> {
    match digits.parse() {
        Ok(0) | Err(_) => Err(AddressError::BadPort),
        Ok(port) => Ok(port),
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
    }

    #[test]
    fn mistakes_are_named() {
        assert_eq!(read(""), Err(AddressError::NoHost));
        assert_eq!(read(":99"), Err(AddressError::NoHost));
        assert_eq!(read("host:"), Err(AddressError::BadPort));
        assert_eq!(read("host:0"), Err(AddressError::BadPort));
        assert_eq!(read("host:65536"), Err(AddressError::BadPort));
        assert_eq!(read("[::1"), Err(AddressError::BadBrackets));
        assert_eq!(read("[::1]99"), Err(AddressError::BadBrackets));
        assert_eq!(read("[host]:99"), Err(AddressError::BadBrackets));
        assert_eq!(read("a:b:c"), Err(AddressError::Ambiguous));
    }

    #[test]
    fn printed_form_reads_back() {
        for text in ["host:99", "[::1]:99"] {
            assert_eq!(text.parse::<Address>().map(|address| address.to_string()), Ok(text.to_owned()));
        }
    }
}
