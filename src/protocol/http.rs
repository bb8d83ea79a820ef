//! HTTP requests.
//!
//! A web page can make a browser send a request to any address that the browser reaches, including
//! an engine on its own machine. The headers would be unknown commands, but lines of the body would
//! be executed. So the connection is closed at the first line that shows an HTTP request; no
//! command looks like one.

/// The HTTP response, line by line, in place of the line that refuses a session.
pub const REFUSAL: [&str; 4] = [
    "HTTP/1.0 400 Bad Request",
    "Content-Type: text/plain",
    "",
    "This is a chess engine for programs that speak the xboard protocol, not a web server.",
];

/// Methods that show a request in the first line: before version 1.0 nothing else did.
const METHODS: [&str; 10] =
    ["GET", "POST", "HEAD", "PUT", "DELETE", "OPTIONS", "CONNECT", "TRACE", "PATCH", "PRI"];

/// Returns true if a line (without its end) is the beginning of a request. `first`: it is the
/// client's first line.
///
/// A request line ends with a version. Every request of a browser has a `Host` header before the
/// body, which shows requests whose first line was too long to be examined.
pub(crate) fn is_request(line: &[u8], first: bool) -> bool {
    let (word, rest) = split(line);
    let names_host = word.len() >= 5 && word[..5].eq_ignore_ascii_case(b"host:");
    let method = METHODS.iter().any(|method| method.as_bytes() == word);
    names_host || (first && method && !rest.is_empty()) || is_request_line(word, rest)
}

/// `METHOD TARGET HTTP/1.1`; an unknown method must be in capitals, as methods are and commands are
/// not.
fn is_request_line(method: &[u8], rest: &[u8]) -> bool {
    let known = METHODS.iter().any(|known| known.as_bytes().eq_ignore_ascii_case(method));
    let fits = known || (!method.is_empty() && method.iter().all(u8::is_ascii_uppercase));
    let mut words = rest.rsplit(|&byte| byte == b' ');
    let version = words.next().and_then(|word| word.strip_prefix(b"HTTP/"));
    let numbered = version.and_then(<[u8]>::first).is_some_and(u8::is_ascii_digit);
    fits && numbered && words.next().is_some()
}

fn split(line: &[u8]) -> (&[u8], &[u8]) {
    let line = line.trim_ascii_start();
    let end = line.iter().position(|&byte| byte == b' ').unwrap_or(line.len());
    (&line[..end], line[end..].trim_ascii())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::xboard::Command;

    #[test]
    fn requests_are_known_by_their_first_line() {
        for method in METHODS.into_iter().chain(["PROPFIND", "patch"]) {
            for end in ["/ HTTP/1.1", "/?move=e2e4 HTTP/1.0", "* HTTP/2.0", "http://host/ HTTP/1.1 "] {
                let line = format!("{method} {end}");
                assert!(is_request(line.as_bytes(), true) && is_request(line.as_bytes(), false), "{line}");
            }
        }
        assert!(is_request(b"GET /", true));
        for line in ["Host: 127.0.0.1:5254", "host:localhost", "HOST: x"] {
            assert!(is_request(line.as_bytes(), false), "{line}");
        }
    }

    #[test]
    fn no_command_looks_like_a_request() {
        let lines = [
            "",
            " ",
            "xboard",
            "protover 2",
            "put e4",
            "name GET / HTTP/1.1",
            "name x HTTP/1.1",
            "ptell host: me",
            "name Host: x",
            "option Greeting=GET / HTTP/1.1",
            "ics host",
            "GET",
            "HTTP/1.1",
            "get out",
            "e2e4",
            "Nf3",
            "hostess",
            "result 1-0 {HTTP/1.1}",
            "usermove e7e8q HTTP/x",
        ];
        for line in lines {
            assert!(!is_request(line.as_bytes(), true), "{line}");
        }
        assert!(!is_request(b"GET /", false));
        assert!(matches!(Command::parse(b"Host: x"), Ok(Command::Unknown(_))));
    }
}
