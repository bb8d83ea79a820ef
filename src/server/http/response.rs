//! Responses.

use super::request::BadRequest;
use crate::metrics::{Label, labels};
use crate::server::outcome::Refusal;
use std::borrow::Cow;

pub(super) const PLAIN: &str = "text/plain; charset=utf-8";

labels! {
    pub(super) enum Status {
        Switching = "101",
        Ok = "200",
        SeeOther = "303",
        NotModified = "304",
        BadRequest = "400",
        Unauthorized = "401",
        Forbidden = "403",
        NotFound = "404",
        MethodNotAllowed = "405",
        ContentTooLarge = "413",
        Misdirected = "421",
        UpgradeRequired = "426",
        HeadTooLong = "431",
        Unavailable = "503",
    }
}

impl Status {
    fn reason(self) -> &'static str {
        match self {
            Status::Switching => "Switching Protocols",
            Status::Ok => "OK",
            Status::SeeOther => "See Other",
            Status::NotModified => "Not Modified",
            Status::BadRequest => "Bad Request",
            Status::Unauthorized => "Unauthorized",
            Status::Forbidden => "Forbidden",
            Status::NotFound => "Not Found",
            Status::MethodNotAllowed => "Method Not Allowed",
            Status::ContentTooLarge => "Content Too Large",
            Status::Misdirected => "Misdirected Request",
            Status::UpgradeRequired => "Upgrade Required",
            Status::HeadTooLong => "Request Header Fields Too Large",
            Status::Unavailable => "Service Unavailable",
        }
    }

    /// Returns the header that this status requires.
    fn header(self) -> &'static str {
        match self {
            Status::Unauthorized => "WWW-Authenticate: Bearer realm=\"farboard\"\r\n",
            Status::MethodNotAllowed => "Allow: GET, HEAD\r\n",
            Status::UpgradeRequired => "Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\n",
            _ => "",
        }
    }
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Response<'a> {
    pub(super) status: Status,
    pub(super) content_type: &'static str,
    pub(super) body: Cow<'a, [u8]>,
    /// Further header lines, each with its end.
    pub(super) headers: Cow<'a, str>,
    /// The reason for refusing the client, for the log.
    pub(super) refusal: Option<(Refusal, &'static str)>,
}

impl<'a> Response<'a> {
    /// Creates a plain-text response; `body` ends with a newline.
    pub(super) fn plain(status: Status, body: &'a str) -> Response<'a> {
        Response::new(status, PLAIN, body.as_bytes())
    }

    /// Creates a response that is not to be kept.
    pub(super) fn new(
        status: Status,
        content_type: &'static str,
        body: impl Into<Cow<'a, [u8]>>,
    ) -> Response<'a> {
        let (body, headers) = (body.into(), "Cache-Control: no-store\r\n".into());
        Response { status, content_type, body, headers, refusal: None }
    }

    /// Adds why the client was refused.
    pub(super) fn refused(self, refusal: Refusal, why: &'static str) -> Response<'a> {
        Response { refusal: Some((refusal, why)), ..self }
    }

    /// Returns true if the body follows the head, unless only the head was asked for.
    pub(super) fn has_body(&self) -> bool {
        self.status != Status::NotModified
    }

    pub(super) fn head(&self, keeps_alive: bool) -> String {
        format!(
            "HTTP/1.1 {} {}\r\nContent-Type: {}\r\nContent-Length: {}\r\n{}{}Connection: {}\r\n\r\n",
            self.status.word(),
            self.status.reason(),
            self.content_type,
            self.body.len(),
            self.headers,
            self.status.header(),
            if keeps_alive { "keep-alive" } else { "close" }
        )
    }
}

impl From<BadRequest> for Response<'static> {
    fn from(error: BadRequest) -> Response<'static> {
        match error {
            BadRequest::Malformed => Response::plain(Status::BadRequest, "this is no request of HTTP\n"),
            BadRequest::TooLong => {
                Response::plain(Status::HeadTooLong, "the head of the request is too long\n")
            }
            BadRequest::Body => {
                Response::plain(Status::ContentTooLarge, "only a login has a body, a short one\n")
            }
        }
    }
}
