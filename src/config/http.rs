//! The listener for HTTP: pages, numbers for Prometheus, and probes.

use super::listen::{address, address_in_file, this_machine};
use super::{ConfigError, Listen, Network, Settings};
use crate::auth::ServerName;
use serde::de::value::MapAccessDeserializer;
use serde::de::{Error, MapAccess, Visitor};
use serde::{Deserialize, Deserializer};
use std::fmt;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::str::FromStr;

/// The default address, where browsers of this machine find the pages.
pub(crate) const DEFAULT_HTTP_ADDRESS: SocketAddr = SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), 5280);

/// Whether there is an HTTP listener, and where.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum HttpSettings {
    /// There is none.
    Off,
    /// There is one: an address, or in the file the table `[http]` with access rules.
    On(HttpTable),
}

/// The HTTP listener's address and access rules.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HttpTable {
    /// Address and port; port 0 lets the system choose one.
    #[serde(deserialize_with = "address_in_file")]
    pub address: SocketAddr,
    /// The networks that may connect; everybody if empty.
    #[serde(default)]
    pub allow: Vec<Network>,
    /// Further host names accepted in requests; on a loopback address only.
    #[serde(default)]
    pub allow_host: Vec<String>,
    /// The file with the secret that `/metrics` and the pages ask for.
    pub secret_file: Option<PathBuf>,
    /// The file of named users, who log in with their keys or certificates.
    pub users: Option<PathBuf>,
    /// The names in the addresses that users open; every name if empty.
    #[serde(default)]
    pub server_name: Vec<ServerName>,
    /// The file with the authorities whose certificates name users.
    pub client_ca: Option<PathBuf>,
    /// The file with the certificate and its key, if clients must use TLS.
    pub tls: Option<PathBuf>,
}

struct HttpVisitor;

impl<'de> Visitor<'de> for HttpVisitor {
    type Value = HttpSettings;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an address such as \"127.0.0.1:5280\", a port, false, or a table [http] with an address")
    }

    fn visit_bool<E: Error>(self, is_on: bool) -> Result<HttpSettings, E> {
        Ok(if is_on { HttpSettings::at(DEFAULT_HTTP_ADDRESS) } else { HttpSettings::Off })
    }

    fn visit_i64<E: Error>(self, port: i64) -> Result<HttpSettings, E> {
        let port = u16::try_from(port).map_err(|_| E::custom("a port is from 0 to 65535"))?;
        Ok(HttpSettings::at(this_machine(port)))
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<HttpSettings, E> {
        text.parse().map_err(E::custom)
    }

    fn visit_map<A: MapAccess<'de>>(self, table: A) -> Result<HttpSettings, A::Error> {
        let settings = HttpTable::deserialize(MapAccessDeserializer::new(table))?;
        if let Some(wrong) = settings.allow_host.iter().find(|name| !is_host_name(name)) {
            return Err(A::Error::custom(format!(
                "allow_host has names of this machine without a port, such as \"metrics.example\", and not {wrong:?}"
            )));
        }
        Ok(HttpSettings::On(settings))
    }
}

fn is_host_name(name: &str) -> bool {
    let is_part = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-' | b'_');
    !name.is_empty() && name.bytes().all(is_part)
}

/// Reads an address, a port, or the table.
pub(super) fn address_or_table<'de, D: Deserializer<'de>>(
    reader: D,
) -> Result<Option<HttpSettings>, D::Error> {
    reader.deserialize_any(HttpVisitor).map(Some)
}

impl FromStr for HttpSettings {
    type Err = String;

    fn from_str(text: &str) -> Result<HttpSettings, String> {
        if text == "off" { Ok(HttpSettings::Off) } else { address(text).map(HttpSettings::at) }
    }
}

impl HttpSettings {
    fn at(address: SocketAddr) -> HttpSettings {
        HttpSettings::On(HttpTable::at(address))
    }

    /// The listener. A server whose players use the default addresses has the default one if that
    /// is free, unless its players must show certificates, for which that one lacks TLS.
    ///
    /// # Errors
    /// See [`HttpTable::resolve`].
    pub(super) fn listener(
        chosen: Option<HttpSettings>,
        general: &Settings,
    ) -> Result<Option<Listen>, ConfigError> {
        let has_form = general.secret_file.is_some() || general.users.is_some();
        match chosen {
            Some(HttpSettings::Off) => Ok(None),
            Some(HttpSettings::On(table)) => table.resolve(general).map(Some),
            None if general.listen.is_empty() && (has_form || general.client_ca.is_none()) => {
                let listen = HttpTable::at(DEFAULT_HTTP_ADDRESS).resolve(general)?;
                Ok(Some(Listen { is_optional: true, ..listen }))
            }
            None => Ok(None),
        }
    }
}

impl HttpTable {
    fn at(address: SocketAddr) -> HttpTable {
        HttpTable {
            address,
            allow: Vec::new(),
            allow_host: Vec::new(),
            secret_file: None,
            users: None,
            server_name: Vec::new(),
            client_ca: None,
            tls: None,
        }
    }

    /// The listener, with these restrictions where it has none of its own. On a loopback address it
    /// asks for TLS only if its own table says so: there is nothing to protect, and probes and
    /// collectors on this machine would have to trust the certificate.
    ///
    /// # Errors
    /// It would let everybody in from other machines, or the secret or a cookie could be read on
    /// the way: HTTP sends them as they are. Or it has `allow_host` on an address that is not
    /// loopback, where names are not checked.
    fn resolve(self, general: &Settings) -> Result<Listen, ConfigError> {
        let HttpTable { address, allow, allow_host, secret_file, users, server_name, client_ca, tls } = self;
        let is_loopback = address.ip().to_canonical().is_loopback();
        if !is_loopback && !allow_host.is_empty() {
            return Err(ConfigError::AllowHostBeyondLoopback(address));
        }
        let tls = tls.or_else(|| general.tls.clone().filter(|_| !is_loopback));
        let general = Settings {
            allow: general.allow.clone(),
            secret_file: general.secret_file.clone(),
            users: general.users.clone(),
            server_name: general.server_name.clone(),
            client_ca: general.client_ca.clone().filter(|_| tls.is_some()),
            ..Settings::default()
        };
        let listen = Listen {
            allow,
            allow_host,
            secret_file,
            users,
            server_name,
            client_ca,
            tls,
            ..Listen::new(address)
        };
        let listen = listen.or(&general).checked()?;
        let has_login = listen.secret_file.is_some() || listen.users.is_some();
        if has_login && listen.tls.is_none() && !is_loopback {
            return Err(ConfigError::HttpLoginWithoutTls(address));
        }
        Ok(listen)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn resolve(text: &str) -> Result<Option<Listen>, String> {
        let settings = Settings::parse(text, "a file".as_ref()).map_err(|error| error.to_string())?;
        settings.resolve().map(|config| config.http).map_err(|error| error.to_string())
    }

    #[test]
    fn default_listener_accompanies_the_default_listeners_of_players() {
        let listen = resolve("").expect("the defaults").expect("a listener");
        assert_eq!((listen.address, listen.is_optional), (DEFAULT_HTTP_ADDRESS, true));
        let listen = resolve("secret_file = \"s\"").expect("a secret").expect("a listener");
        assert_eq!(listen.secret_file, Some("s".into()));
        let listen =
            resolve("users = \"u\"\nclient_ca = \"c\"\ntls = \"t\"").expect("users").expect("a listener");
        assert_eq!((listen.users, listen.client_ca), (Some("u".into()), None), "it has no TLS");
        for text in ["http = false", "client_ca = \"c\"\ntls = \"t\"", "[[listen]]\naddress = 0"] {
            assert_eq!(resolve(text), Ok(None), "{text}");
        }
        let listen =
            resolve("http = true\n[[listen]]\naddress = 0").expect("an address").expect("a listener");
        assert_eq!((listen.address, listen.is_optional), (DEFAULT_HTTP_ADDRESS, false));
        assert_eq!(
            ("off".parse(), "5280".parse()),
            (Ok(HttpSettings::Off), Ok(HttpSettings::at(DEFAULT_HTTP_ADDRESS)))
        );
    }

    #[test]
    fn it_is_where_its_address_says() {
        for text in ["http = 9254", "http = \"127.0.0.1:9254\"", "[http]\naddress = 9254"] {
            let listen = resolve(text).expect(text).expect(text);
            assert_eq!(listen.address.to_string(), "127.0.0.1:9254", "{text}");
        }
        for text in ["http = 70000", "http = \"here\"", "[http]\naddress = 1\nprofile = \"x\"", "[http]"] {
            assert!(resolve(text).is_err(), "{text}");
        }
    }

    #[test]
    fn names_of_this_machine_are_names() {
        let with = |names: &str| resolve(&format!("[http]\naddress = 9254\nallow_host = {names}\n"));
        let listen = with("[\"metrics.example\"]").expect("a name").expect("a listener");
        assert_eq!(listen.allow_host, ["metrics.example"]);
        for names in ["[\"metrics.example:9254\"]", "[\"http://x\"]", "[\"\"]"] {
            assert!(with(names).is_err(), "{names}");
        }
        let wide = "[http]\naddress = \"0.0.0.0:9254\"\nallow = [\"10.0.0.0/8\"]\nallow_host = ";
        let error = resolve(&format!("{wide}[\"metrics.example\"]")).expect_err("no name is checked there");
        assert!(error.contains("0.0.0.0:9254") && error.contains("allow_host"), "{error}");
        assert!(resolve(&format!("{wide}[]")).is_ok());
    }

    #[test]
    fn certificate_of_all_listeners_is_not_for_this_machine() {
        let with_tls = |text: &str| {
            let text = format!("tls = \"all.pem\"\n{text}");
            resolve(&text).expect(&text).expect(&text).tls.map(|path| path.display().to_string())
        };
        assert_eq!(with_tls("http = 9254"), None);
        assert_eq!(with_tls("http = \"[::1]:9254\""), None);
        assert_eq!(with_tls("[http]\naddress = 9254\ntls = \"own.pem\"").as_deref(), Some("own.pem"));
        let wide = "[http]\naddress = \"0.0.0.0:9254\"\nallow = [\"10.0.0.0/8\"]";
        assert_eq!(with_tls(wide).as_deref(), Some("all.pem"));
    }

    #[test]
    fn other_machines_may_come_if_a_list_or_a_secret_inside_tls_says_so() {
        let wide = "address = \"0.0.0.0:9254\"\n";
        let with = |more: &str| resolve(&format!("[http]\n{wide}{more}"));
        assert!(with("").is_err_and(|error| error.contains("--allow")));
        assert!(with("allow = [\"10.0.0.0/8\"]").is_ok());
        assert!(with("secret_file = \"x\"").is_err_and(|error| error.contains("TLS")));
        assert!(with("users = \"x\"\nallow = [\"10.0.0.0/8\"]").is_err_and(|error| error.contains("TLS")));
        assert!(with("secret_file = \"x\"\ntls = \"y\"").is_ok());
        let listen = with("client_ca = \"c\"\ntls = \"y\"").expect("guarded").expect("a listener");
        assert_eq!(listen.client_ca, Some("c".into()));
        assert!(resolve("[http]\naddress = 9254\nsecret_file = \"x\"").is_ok(), "loopback needs no TLS");
        // Settings for all listeners apply here, too.
        let listen = resolve("allow = [\"10.0.0.0/8\"]\nhttp = \"0.0.0.0:9254\"").expect("guarded");
        assert_eq!(listen.map(|listen| listen.allow.len()), Some(1));
        assert!(resolve("http = 5254").is_err_and(|error| error.contains("two listeners")));
    }
}
