//! The names in a request: of this machine, and of the site whose page made a browser send it.

use super::request::Request;

/// Returns true if `Host` is a name of this machine. Browsers always send it.
pub(super) fn names_allowed_host(request: &Request, allowed: &[String]) -> bool {
    request.host.as_deref().is_none_or(|host| names_this_machine(host, allowed))
}

/// Returns true if the request comes from a page of this server: a browser names the page's site,
/// host and port included, in `Origin`, and what it connected to in `Host`.
pub(super) fn is_of_own_page(request: &Request) -> bool {
    let (Some(origin), Some(host)) = (&request.origin, &request.host) else { return false };
    let site = origin.strip_prefix("http://").or_else(|| origin.strip_prefix("https://"));
    // A page's host and port are the same whether a proxy or this listener has TLS.
    site.is_some_and(|site| site.eq_ignore_ascii_case(host))
}

/// Returns true if a `Host` names this machine, with any port: a loopback address, `localhost`, the
/// machine's host name, or one of the names in `allowed`.
///
/// A web page can have a name of its own resolve to a loopback address, and a browser then lets it
/// read the responses of a server there. The browser's `Host` shows that name (DNS rebinding).
fn names_this_machine(host: &str, allowed: &[String]) -> bool {
    let name = without_port(host);
    if let Some(address) = address(name) {
        return address.to_canonical().is_loopback();
    }
    let name = name.strip_suffix('.').unwrap_or(name);
    let is = |known: &str| !known.is_empty() && name.eq_ignore_ascii_case(known);
    is("localhost")
        || allowed.iter().any(|known| is(known))
        || rustix::system::uname().nodename().to_str().is_ok_and(is)
}

fn without_port(host: &str) -> &str {
    match host.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) && !name.ends_with(':') => name,
        _ => host,
    }
}

/// Parses an address as in a URL: IPv6 in brackets.
fn address(name: &str) -> Option<std::net::IpAddr> {
    match name.strip_prefix('[') {
        Some(rest) => rest.strip_suffix(']')?.parse::<std::net::Ipv6Addr>().ok().map(Into::into),
        None => name.parse::<std::net::Ipv4Addr>().ok().map(Into::into),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_of_other_sites_are_recognized() {
        let is_own = |origin: Option<&str>, host: Option<&str>| {
            let (origin, host) = (origin.map(str::to_owned), host.map(str::to_owned));
            is_of_own_page(&Request { origin, host, ..Request::default() })
        };
        assert!(is_own(Some("http://127.0.0.1:5280"), Some("127.0.0.1:5280")));
        assert!(is_own(Some("https://Chess.example"), Some("chess.example")));
        for origin in [
            None,
            Some("null"),
            Some("http://127.0.0.1"),
            Some("http://127.0.0.1:5281"),
            Some("http://localhost:5280"),
            Some("http://127.0.0.1:5280.evil.example"),
            Some("file://127.0.0.1:5280"),
            Some("127.0.0.1:5280"),
        ] {
            assert!(!is_own(origin, Some("127.0.0.1:5280")), "{origin:?}");
        }
        assert!(!is_own(Some("http://"), None));
    }

    #[test]
    fn this_machine_has_few_names() {
        let allowed = ["metrics.example".to_owned()];
        for host in [
            "localhost",
            "LocalHost:9254",
            "localhost.",
            "127.0.0.1",
            "127.0.0.1:9254",
            "127.9.9.9:1",
            "[::1]",
            "[::1]:9254",
            "[::ffff:127.0.0.1]:9254",
            "metrics.example:9254",
        ] {
            assert!(names_this_machine(host, &allowed), "{host}");
        }
        for host in [
            "",
            ":9254",
            "x",
            "evil.example",
            "evil.example:9254",
            "localhost.evil.example",
            "127.0.0.1.evil.example",
            "192.0.2.1:9254",
            "::1",
            "[::2]:9254",
            "[::1",
            "localhost:9254:9254",
            "localhost:x",
        ] {
            assert!(!names_this_machine(host, &allowed), "{host}");
        }
        let own = rustix::system::uname().nodename().to_str().expect("a name").to_owned();
        assert!(names_this_machine(&format!("{own}:9254"), &[]));
    }
}
