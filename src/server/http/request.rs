//! Requests, as far as this listener reads them.

use super::web_socket::Upgrade;
use httparse::Status::{Complete, Partial};

pub(super) const MAX_HEAD: usize = 8 << 10;
/// Most headers of a request. Scrapers send about ten, browsers twenty.
const MAX_HEADERS: usize = 64;
/// The only path whose requests may have a body: a form with a secret or a user's proof.
pub(super) const LOGIN: &str = "/login";
const MAX_BODY: usize = 4 << 10;

#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub(super) struct Request {
    pub(super) method: Method,
    /// The target without its query.
    pub(super) path: String,
    pub(super) host: Option<String>,
    /// The token after `Bearer` in `Authorization`.
    pub(super) bearer: Option<Vec<u8>>,
    /// The site whose page made a browser send the request.
    pub(super) origin: Option<String>,
    pub(super) cookies: Option<String>,
    /// The tags of `If-None-Match`.
    pub(super) known_tags: Option<String>,
    pub(super) accepts_gzip: bool,
    /// Its headers about a change to a WebSocket.
    pub(super) upgrade: Upgrade,
    pub(super) body: Vec<u8>,
    /// The names in the client's TLS certificate, where certificates name users.
    pub(super) certificate_names: Vec<String>,
    /// Whether another request may follow on this connection.
    pub(super) keeps_alive: bool,
}

#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub(super) enum Method {
    #[default]
    Get,
    Head,
    Post,
    Other,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum BadRequest {
    /// Not HTTP.
    Malformed,
    TooLong,
    /// It has a body where none is allowed, or too long a one.
    Body,
}

impl Request {
    /// Parses the request at the beginning of these bytes. Returns it with its length; `None`
    /// if it is incomplete.
    ///
    /// # Errors
    /// The bytes are not a request that can be answered.
    pub(super) fn parse(bytes: &[u8]) -> Result<Option<(Request, usize)>, BadRequest> {
        let mut headers = [httparse::EMPTY_HEADER; MAX_HEADERS];
        let mut parsed = httparse::Request::new(&mut headers);
        let length = match parsed.parse(bytes) {
            Ok(Complete(length)) if length <= MAX_HEAD => length,
            Ok(Partial) if bytes.len() <= MAX_HEAD => return Ok(None),
            Ok(_) | Err(httparse::Error::TooManyHeaders) => return Err(BadRequest::TooLong),
            Err(_) => return Err(BadRequest::Malformed),
        };
        let (Some(method), Some(target), Some(version)) = (parsed.method, parsed.path, parsed.version) else {
            return Err(BadRequest::Malformed);
        };
        let method = match method {
            "GET" => Method::Get,
            "HEAD" => Method::Head,
            "POST" => Method::Post,
            _ => Method::Other,
        };
        let path = target.split(['?', '#']).next().unwrap_or_default().to_owned();
        let mut request = Request { method, path, keeps_alive: version == 1, ..Request::default() };
        let mut body = None;
        for header in parsed.headers.iter() {
            if header.name.eq_ignore_ascii_case("content-length") {
                let more = request.body_length(header.value)?;
                if body.replace(more).is_some() {
                    return Err(BadRequest::Malformed);
                }
            }
            request.take_header(header.name, header.value.trim_ascii())?;
        }
        let end = length + body.unwrap_or(0);
        Ok(bytes.get(length..end).map(|body| (Request { body: body.to_owned(), ..request }, end)))
    }

    fn body_length(&self, value: &[u8]) -> Result<usize, BadRequest> {
        let text = str::from_utf8(value.trim_ascii()).map_err(|_| BadRequest::Malformed)?;
        let most = if self.method == Method::Post && self.path == LOGIN { MAX_BODY } else { 0 };
        let is_number = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        match text.parse() {
            Ok(length) if length <= most && is_number => Ok(length),
            Ok(_) | Err(_) if is_number => Err(BadRequest::Body),
            Ok(_) | Err(_) => Err(BadRequest::Malformed),
        }
    }

    fn take_header(&mut self, name: &str, value: &[u8]) -> Result<(), BadRequest> {
        let text = || str::from_utf8(value).map(str::to_owned).map_err(|_| BadRequest::Malformed);
        match name.to_ascii_lowercase().as_str() {
            "transfer-encoding" => return Err(BadRequest::Body),
            "connection" => {
                self.keeps_alive &= !has_word(value, "close");
                self.upgrade.is_in_connection |= has_word(value, "upgrade");
            }
            "upgrade" => self.upgrade.is_to_web_socket |= has_word(value, "websocket"),
            "sec-websocket-version" => self.upgrade.has_version = value == b"13",
            "sec-websocket-key" => self.upgrade.key = Some(text()?),
            "host" => set_once(&mut self.host, text()?)?,
            "origin" => set_once(&mut self.origin, text()?)?,
            "cookie" => set_once(&mut self.cookies, text()?)?,
            "if-none-match" => self.known_tags = Some(text()?),
            "accept-encoding" => self.accepts_gzip = has_word(value, "gzip"),
            "authorization" => {
                if let Some((scheme, token)) = value.split_at_checked(7)
                    && scheme.eq_ignore_ascii_case(b"bearer ")
                {
                    self.bearer = Some(token.trim_ascii().to_owned());
                }
            }
            _ => {}
        }
        Ok(())
    }
}

/// Returns true if a list with commas has this word, without parameters.
fn has_word(list: &[u8], word: &str) -> bool {
    list.split(|&byte| byte == b',').any(|part| part.trim_ascii().eq_ignore_ascii_case(word.as_bytes()))
}

/// Refuses a header that must not come twice.
fn set_once(header: &mut Option<String>, value: String) -> Result<(), BadRequest> {
    match header.replace(value) {
        None => Ok(()),
        Some(_) => Err(BadRequest::Malformed),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<Option<(Request, usize)>, BadRequest> {
        Request::parse(text.as_bytes())
    }

    fn request(text: &str) -> Request {
        parse(text).expect("a request").expect("a whole one").0
    }

    #[test]
    fn requests_of_prometheus_and_health_checks_are_parsed() {
        let text =
            "GET /metrics?x=1 HTTP/1.1\r\nHost: h\r\nAuthorization: bearer  abc \r\nAccept: */*\r\n\r\nGET";
        let (found, length) = parse(text).expect("a request").expect("a whole one");
        let bearer = Some(b"abc".to_vec());
        let wanted = Request {
            method: Method::Get,
            path: "/metrics".to_owned(),
            host: Some("h".to_owned()),
            bearer,
            keeps_alive: true,
            ..Request::default()
        };
        assert_eq!((found, &text[length..]), (wanted, "GET"));
        assert!(!request("GET / HTTP/1.0\r\n\r\n").keeps_alive);
        assert!(!request("GET / HTTP/1.1\r\nconnection: x, Close\r\n\r\n").keeps_alive);
        assert_eq!(request("HEAD / HTTP/1.1\n\n").method, Method::Head);
        assert_eq!(request("POST / HTTP/1.1\r\nContent-Length: 0\r\n\r\n").method, Method::Post);
        assert_eq!(request("PUT / HTTP/1.1\r\n\r\n").method, Method::Other);
        assert_eq!(request("GET / HTTP/1.1\r\nAuthorization: Basic eDp5\r\n\r\n").bearer, None);
    }

    #[test]
    fn every_beginning_of_a_request_waits_for_the_rest() {
        let text = "GET /metrics HTTP/1.1\r\nHost: h\r\n\r\n";
        for end in 0..text.len() {
            assert_eq!(parse(&text[..end]), Ok(None), "{end}");
        }
    }

    #[test]
    fn malformed_requests_and_bodies_are_refused() {
        let twice = "GET / HTTP/1.1\r\nHost: localhost\r\nHost: evil.example\r\n\r\n";
        for text in [twice, "xboard\n", "GET /\r\n\r\n", "\u{1}\u{2}\r\n", "GET / HTTP/3.0\r\n\r\n"] {
            assert_eq!(parse(text), Err(BadRequest::Malformed), "{text:?}");
        }
        let headers = "A: b\r\n".repeat(65);
        assert_eq!(parse(&format!("GET / HTTP/1.1\r\n{headers}\r\n")), Err(BadRequest::TooLong));
        for end in ["", " HTTP/1.1\r\n\r\n"] {
            assert_eq!(parse(&format!("GET /{}{end}", "x".repeat(MAX_HEAD))), Err(BadRequest::TooLong));
        }
        for body in ["Content-Length: 3", "Transfer-Encoding: chunked", "content-length: 4097"] {
            for request in ["GET /login", "POST /"] {
                let text = format!("{request} HTTP/1.1\r\n{body}\r\n\r\n");
                assert_eq!(parse(&text), Err(BadRequest::Body), "{text}");
            }
        }
        for twice in [
            "Content-Length: x",
            "Content-Length: 1\r\nContent-Length: 1",
            "Content-Length:",
            "Content-Length: +1",
        ] {
            let text = format!("POST /login HTTP/1.1\r\n{twice}\r\n\r\na");
            assert_eq!(parse(&text), Err(BadRequest::Malformed), "{text}");
        }
    }

    #[test]
    fn body_of_a_login_is_waited_for_and_bounded() {
        let text = "POST /login HTTP/1.1\r\nContent-Length: 8\r\n\r\nsecret=xGET";
        let (found, length) = parse(text).expect("a request").expect("a whole one");
        assert_eq!((found.body.as_slice(), &text[length..]), (&b"secret=x"[..], "GET"));
        for end in 0..length {
            assert_eq!(parse(&text[..end]), Ok(None), "{end}");
        }
        for length in ["4097", "99999999999999999999999"] {
            let text = format!("POST /login HTTP/1.1\r\nContent-Length: {length}\r\n\r\n");
            assert_eq!(parse(&text), Err(BadRequest::Body));
        }
    }

    #[test]
    fn headers_of_browsers_are_read() {
        let found = request(
            "GET /socket HTTP/1.1\r\nHost: h:1\r\nOrigin: http://h:1\r\nConnection: keep-alive, Upgrade\r\n\
             Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\
             Accept-Encoding: gzip, deflate, br\r\nIf-None-Match: \"a\"\r\nCookie: a=b; farboard=1\r\n\r\n",
        );
        assert_eq!(found.origin.as_deref(), Some("http://h:1"));
        assert_eq!(found.cookies.as_deref(), Some("a=b; farboard=1"));
        assert_eq!(found.known_tags.as_deref(), Some("\"a\""));
        assert!(found.accepts_gzip && found.keeps_alive);
        assert_eq!(found.upgrade.accept().as_deref(), Some("s3pPLMBiTxaQ9kYGzzhZRbK+xOo="));
        assert!(!request("GET / HTTP/1.1\r\nAccept-Encoding: gzip;q=0, br\r\n\r\n").accepts_gzip);
    }

    proptest::proptest! {
        #[test]
        fn whatever_comes_is_a_request_or_not_or_has_a_bound(
            begin in proptest::sample::select(vec!["", "GET / HTTP/1.1\r\n", "GET /metrics HTTP/1.0\r\nA: "]),
            bytes in proptest::collection::vec(proptest::prelude::any::<u8>(), 0..10_000),
        ) {
            let bytes = [begin.as_bytes(), &bytes].concat();
            match Request::parse(&bytes) {
                Ok(None) => assert!(bytes.len() <= MAX_HEAD),
                Ok(Some((request, length))) => {
                    assert!(length <= MAX_HEAD + request.body.len() && length <= bytes.len());
                }
                Err(_) => {}
            }
        }
    }
}
