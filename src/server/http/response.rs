//! Responses.

use super::request::BadRequest;
use crate::metrics::{Label, labels};

const PLAIN: &str = "text/plain; charset=utf-8";

labels! {
    pub(super) enum Status {
        Ok = "200",
        BadRequest = "400",
        Unauthorized = "401",
        NotFound = "404",
        MethodNotAllowed = "405",
        ContentTooLarge = "413",
        Misdirected = "421",
        HeadTooLong = "431",
        Unavailable = "503",
    }
}

impl Status {
    fn reason(self) -> &'static str {
        match self {
            Status::Ok => "OK",
            Status::BadRequest => "Bad Request",
            Status::Unauthorized => "Unauthorized",
            Status::NotFound => "Not Found",
            Status::MethodNotAllowed => "Method Not Allowed",
            Status::ContentTooLarge => "Content Too Large",
            Status::Misdirected => "Misdirected Request",
            Status::HeadTooLong => "Request Header Fields Too Large",
            Status::Unavailable => "Service Unavailable",
        }
    }

    /// Returns the header that this status requires.
    fn header(self) -> &'static str {
        match self {
            Status::Unauthorized => "WWW-Authenticate: Bearer realm=\"farboard\"\r\n",
            Status::MethodNotAllowed => "Allow: GET, HEAD\r\n",
            _ => "",
        }
    }
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Response<'a> {
    pub(super) status: Status,
    pub(super) content_type: &'static str,
    pub(super) body: &'a str,
}

impl<'a> Response<'a> {
    /// Creates a plain-text response; `body` ends with a newline.
    pub(super) fn plain(status: Status, body: &'a str) -> Response<'a> {
        Response { status, content_type: PLAIN, body }
    }

    pub(super) fn head(&self, keeps_alive: bool) -> String {
        format!(
            "HTTP/1.1 {} {}\r\nContent-Type: {}\r\nContent-Length: {}\r\nCache-Control: no-store\r\n{}Connection: {}\r\n\r\n",
            self.status.word(),
            self.status.reason(),
            self.content_type,
            self.body.len(),
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
            BadRequest::Body => Response::plain(Status::ContentTooLarge, "requests here have no body\n"),
        }
    }
}
