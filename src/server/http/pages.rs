//! The files of the web pages, which are part of the program.

use super::request::Request;
use super::response::{Response, Status};
use data_encoding::HEXLOWER;
use flate2::read::GzDecoder;
use ring::digest::{SHA256, digest};
use std::borrow::Cow;
use std::collections::HashMap;
use std::io::{self, Read};

/// Policy of the pages: they load from and send to this server, and are not shown inside others.
/// Without any referrer, browsers would send `Origin: null` with the form for the secret.
const POLICY: &str = "Content-Security-Policy: default-src 'self'; connect-src 'self'; base-uri 'none'; \
    form-action 'self'; frame-ancestors 'none'\r\n\
    X-Content-Type-Options: nosniff\r\n\
    Referrer-Policy: same-origin\r\n";

/// Bytes of a hash that are enough to tell versions of a file apart.
const TAG_BYTES: usize = 16;

/// Every file of `web/`, compressed by `build.rs`.
const FILES: &[(&str, &[u8])] = include!(concat!(env!("OUT_DIR"), "/pages.rs"));

/// All files, as they are sent.
pub(super) struct Pages {
    files: HashMap<&'static str, File>,
}

struct File {
    content_type: &'static str,
    /// Changes with the contents. It is weak: both forms share it.
    tag: String,
    compressed: &'static [u8],
}

impl Pages {
    /// All files.
    pub(super) fn new() -> Pages {
        let file = |&(name, compressed): &(&'static str, &'static [u8])| {
            let hash = digest(&SHA256, compressed);
            let tag = format!("W/\"{}\"", HEXLOWER.encode(&hash.as_ref()[..TAG_BYTES]));
            (name, File { content_type: content_type(name), tag, compressed })
        };
        Pages { files: FILES.iter().map(file).collect() }
    }

    /// Responds with a file; `None` if there is none of this name.
    pub(super) fn respond(&self, name: &str, status: Status, request: &Request) -> Option<Response<'_>> {
        let file = self.files.get(name)?;
        let (body, encoding) = match request.accepts_gzip {
            true => (Cow::Borrowed(file.compressed), "Content-Encoding: gzip\r\n"),
            false => (Cow::Owned(file.plain().ok()?), ""),
        };
        let is_known =
            status == Status::Ok && request.known_tags.as_deref().is_some_and(|tags| file.is_in(tags));
        let status = if is_known { Status::NotModified } else { status };
        let headers = format!(
            "Cache-Control: no-cache\r\nETag: {}\r\nVary: Accept-Encoding\r\n{encoding}{POLICY}",
            file.tag
        );
        Some(Response { headers: headers.into(), ..Response::new(status, file.content_type, body) })
    }
}

impl File {
    /// Returns the contents for a client that does not understand gzip.
    fn plain(&self) -> io::Result<Vec<u8>> {
        let mut plain = Vec::new();
        GzDecoder::new(self.compressed).read_to_end(&mut plain)?;
        Ok(plain)
    }

    /// Returns true if the list of `If-None-Match` has its tag.
    fn is_in(&self, tags: &str) -> bool {
        tags.split(',').map(str::trim).any(|tag| tag == "*" || tag == self.tag)
    }
}

/// Returns the type of a file. Browsers run no module and use no stylesheet of another type.
fn content_type(name: &str) -> &'static str {
    match name.rsplit('.').next().unwrap_or_default() {
        "html" => "text/html; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "js" => "text/javascript; charset=utf-8",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "json" => "application/json",
        "woff2" => "font/woff2",
        _ => "application/octet-stream",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn every_file_has_a_type_and_its_contents() {
        let pages = Pages::new();
        for (name, file) in &pages.files {
            assert_ne!(file.content_type, "application/octet-stream", "{name} has no type");
            let contents = std::fs::read(std::path::Path::new("web").join(name)).expect("the file");
            assert_eq!(file.plain().expect("gzip"), contents, "{name}");
        }
        assert_eq!(pages.files.len(), std::fs::read_dir("web").expect("a folder").count());
    }

    /// Otherwise a browser would ask for a module only when it has read the one that imports it.
    #[test]
    fn pages_name_all_modules_that_they_need() {
        let read = |name: &str| std::fs::read_to_string(format!("web/{name}")).expect("a file of web/");
        let named = |text: &str, before: &str, after: &str| -> BTreeSet<String> {
            let names =
                text.split(before).skip(1).filter_map(|rest| Some(rest.split_once(after)?.0.to_owned()));
            names.collect()
        };
        for (name, _) in FILES.iter().filter(|(name, _)| name.ends_with(".html")) {
            let page = read(name);
            let scripts = named(&page, "<script type=\"module\" src=\"/web/", "\"");
            let (mut needed, mut unread) = (BTreeSet::new(), Vec::from_iter(scripts));
            while let Some(module) = unread.pop() {
                let imports = named(&read(&module), "from \"./", "\"");
                unread.extend(imports.into_iter().filter(|import| needed.insert(import.clone())));
            }
            assert_eq!(named(&page, "rel=\"modulepreload\" href=\"/web/", "\""), needed, "{name}");
        }
    }

    #[test]
    fn browsers_get_what_they_can_read_and_do_not_have() {
        let (pages, request) = (Pages::new(), Request::default());
        let (name, contents) = *FILES.first().expect("files");
        let plain = pages.respond(name, Status::Ok, &request).expect("a page");
        assert!(plain.body.starts_with(b"<!doctype html>"), "{name}");
        let request = Request { accepts_gzip: true, ..request };
        let compressed = pages.respond(name, Status::Ok, &request).expect("a page");
        assert_eq!(compressed.body, contents);
        assert!(compressed.headers.contains("Content-Encoding: gzip\r\n"), "{}", compressed.headers);
        assert!(!plain.headers.contains("gzip"), "{}", plain.headers);
        let tag = plain.headers.lines().find_map(|line| line.strip_prefix("ETag: ")).expect("a tag");
        for (known, status) in [
            (tag.to_owned(), Status::NotModified),
            (format!("\"a\", {tag}"), Status::NotModified),
            ("*".to_owned(), Status::NotModified),
            ("\"a\"".to_owned(), Status::Ok),
        ] {
            let request = Request { known_tags: Some(known.clone()), ..Request::default() };
            let found = pages.respond(name, Status::Ok, &request).expect("a page");
            assert_eq!((found.status, found.has_body()), (status, status == Status::Ok), "{known}");
        }
        assert_eq!(pages.respond("../Cargo.toml", Status::Ok, &Request::default()), None);
    }
}
