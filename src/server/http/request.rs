//! Requests, as far as this listener reads them.

use httparse::Status::{Complete, Partial};

pub(super) const MAX_HEAD: usize = 8 << 10;
/// Most headers of a request. Scrapers send about ten.
const MAX_HEADERS: usize = 64;

#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Request {
    pub(super) method: Method,
    /// The target without its query.
    pub(super) path: String,
    pub(super) host: Option<String>,
    /// The token after `Bearer` in `Authorization`.
    pub(super) bearer: Option<Vec<u8>>,
    /// Whether another request may follow on this connection.
    pub(super) keeps_alive: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Method {
    Get,
    Head,
    Other,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum BadRequest {
    /// Not HTTP.
    Malformed,
    TooLong,
    Body,
}

impl Request {
    /// Parses the request at the beginning of these bytes. Returns it with the length of its head;
    /// `None` if it is incomplete.
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
            _ => Method::Other,
        };
        let path = target.split(['?', '#']).next().unwrap_or_default().to_owned();
        let mut request = Request { method, path, host: None, bearer: None, keeps_alive: version == 1 };
        for header in parsed.headers.iter() {
            request.take_header(header.name, header.value)?;
        }
        Ok(Some((request, length)))
    }

    fn take_header(&mut self, name: &str, value: &[u8]) -> Result<(), BadRequest> {
        let value = value.trim_ascii();
        let is = |wanted: &str| name.eq_ignore_ascii_case(wanted);
        if is("transfer-encoding") || is("content-length") && value != b"0" {
            return Err(BadRequest::Body);
        }
        if is("connection") {
            let mut words = value.split(|&byte| byte == b',').map(<[u8]>::trim_ascii);
            self.keeps_alive &= !words.any(|word| word.eq_ignore_ascii_case(b"close"));
        }
        if is("host") {
            let host = std::str::from_utf8(value).map_err(|_| BadRequest::Malformed)?;
            if self.host.replace(host.to_owned()).is_some() {
                return Err(BadRequest::Malformed);
            }
        }
        if is("authorization")
            && let Some((scheme, token)) = value.split_at_checked(7)
            && scheme.eq_ignore_ascii_case(b"bearer ")
        {
            self.bearer = Some(token.trim_ascii().to_owned());
        }
        Ok(())
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
        };
        assert_eq!((found, &text[length..]), (wanted, "GET"));
        assert!(!request("GET / HTTP/1.0\r\n\r\n").keeps_alive);
        assert!(!request("GET / HTTP/1.1\r\nconnection: x, Close\r\n\r\n").keeps_alive);
        assert_eq!(request("HEAD / HTTP/1.1\n\n").method, Method::Head);
        assert_eq!(request("POST / HTTP/1.1\r\nContent-Length: 0\r\n\r\n").method, Method::Other);
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
        for body in ["Content-Length: 3", "Transfer-Encoding: chunked", "content-length: 00"] {
            assert_eq!(parse(&format!("POST / HTTP/1.1\r\n{body}\r\n\r\n")), Err(BadRequest::Body), "{body}");
        }
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
                Ok(Some((_, length))) => assert!(length <= MAX_HEAD && length <= bytes.len()),
                Err(_) => {}
            }
        }
    }
}
