//! Names of this machine that a request may use.
//!
//! A web page can have a name of its own resolve to a loopback address, and a browser then lets it
//! read the responses of a server there. The browser's `Host` shows that name (DNS rebinding).

/// Returns true if a `Host` names this machine, with any port: a loopback address, `localhost`, the
/// machine's host name, or one of the names in `allowed`.
pub(super) fn names_this_machine(host: &str, allowed: &[String]) -> bool {
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
