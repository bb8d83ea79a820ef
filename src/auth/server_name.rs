//! The name of a server as its users type it: a host name or an address, without a port.

use std::net::IpAddr;

/// Longest name in bytes, as for DNS.
#[cfg(any(test, feature = "server"))]
const MAX_SERVER_NAME: usize = 255;

/// The one way to write a name: addresses as the standard library does, other names in lower case,
/// without a dot at the end.
pub(super) fn canonical(typed: &str) -> String {
    match typed.parse::<IpAddr>() {
        Ok(address) => address.to_canonical().to_string(),
        Err(_) => typed.strip_suffix('.').unwrap_or(typed).to_ascii_lowercase(),
    }
}

/// Whether a word of a login can be a name. It is shown in messages and in the log.
#[cfg(any(test, feature = "server"))]
pub(super) fn is_shown(word: &str) -> bool {
    !word.is_empty()
        && word.len() <= MAX_SERVER_NAME
        && !word.contains(|c: char| c.is_control() || c.is_whitespace())
}

/// A name of a server that knows its names.
#[cfg(any(test, feature = "server"))]
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "server", derive(serde::Deserialize), serde(try_from = "String"))]
pub struct ServerName(String);

#[cfg(any(test, feature = "server"))]
impl ServerName {
    /// Whether a user has typed this name, in whatever way it is written.
    pub fn is(&self, typed: &str) -> bool {
        self.0 == canonical(typed)
    }

    /// The name in its one form.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

#[cfg(any(test, feature = "server"))]
impl std::str::FromStr for ServerName {
    type Err = String;

    fn from_str(text: &str) -> Result<ServerName, String> {
        let name = text.strip_prefix('[').and_then(|text| text.strip_suffix(']')).unwrap_or(text);
        let is_address = name.parse::<IpAddr>().is_ok();
        if !is_shown(name) || !is_address && name.contains([':', '/', '[', ']']) {
            return Err(format!(
                "{text:?} is no name of a server: it must be a host name or an address, without a port, as users type it"
            ));
        }
        Ok(ServerName(canonical(name)))
    }
}

#[cfg(any(test, feature = "server"))]
impl TryFrom<String> for ServerName {
    type Error = String;

    fn try_from(text: String) -> Result<ServerName, String> {
        text.parse()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_the_same_however_it_is_written() {
        for (name, typed) in [
            ("chess.example", "Chess.Example"),
            ("CHESS.example.", "chess.example"),
            ("192.0.2.7", "::ffff:192.0.2.7"),
            ("[2001:db8::7]", "2001:DB8:0::7"),
            ("localhost", "localhost."),
        ] {
            let name: ServerName = name.parse().expect("a name");
            assert!(name.is(typed), "{typed}");
            assert!(!name.is("evil.example") && !name.is(""));
        }
        for wrong in
            ["", "chess.example:5254", "[::1]:5254", "http://chess.example", "a b", "a\n", &"x".repeat(256)]
        {
            assert!(wrong.parse::<ServerName>().is_err(), "{wrong:?}");
        }
    }
}
