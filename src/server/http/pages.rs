//! The files of the web pages, which are part of the program.

use super::request::Request;
use super::response::{Response, Status};
use data_encoding::HEXLOWER;
use flate2::Compression;
use flate2::write::GzEncoder;
use ring::digest::{SHA256, digest};
use std::collections::HashMap;
use std::io::{self, Write};

/// Policy of the pages: they load from and send to this server, and are not shown inside others.
/// Without any referrer, browsers would send `Origin: null` with the form for the secret.
const POLICY: &str = "Content-Security-Policy: default-src 'self'; connect-src 'self'; base-uri 'none'; \
    form-action 'self'; frame-ancestors 'none'\r\n\
    X-Content-Type-Options: nosniff\r\n\
    Referrer-Policy: same-origin\r\n";

/// Bytes of a hash that are enough to tell versions of a file apart.
const TAG_BYTES: usize = 16;

/// Lists files of `web/` with their contents.
macro_rules! files {
    ($($name:literal),* $(,)?) => {
        &[$(($name, include_bytes!(concat!("../../../web/", $name)))),*]
    };
}

/// Every file of `web/`.
const FILES: &[(&str, &[u8])] = files![
    "analysis.html",
    "analysis.js",
    "announcer.js",
    "arrows.js",
    "board.js",
    "bytes.js",
    "choice.js",
    "chooser.js",
    "clock.js",
    "drag.js",
    "elements.js",
    "engines.js",
    "exchange.js",
    "feed.js",
    "fen.js",
    "frames.js",
    "game.html",
    "game.js",
    "graph.js",
    "handover.js",
    "icon.svg",
    "index.html",
    "keys.js",
    "lines.js",
    "link.js",
    "login.html",
    "login.js",
    "memory.js",
    "mine.js",
    "miniboard.js",
    "movelist.js",
    "newgame.js",
    "pgn.js",
    "pieces.js",
    "play.html",
    "play.js",
    "pockets.js",
    "review.js",
    "session.js",
    "setup.js",
    "steps.js",
    "style.css",
    "table.js",
    "tile.js",
    "tree.js",
    "typed.js",
    "wall.js",
    "words.js",
];

/// All files, as they are sent.
pub(super) struct Pages {
    files: HashMap<&'static str, File>,
}

struct File {
    content_type: &'static str,
    /// Changes with the contents. It is weak: both forms share it.
    tag: String,
    plain: &'static [u8],
    compressed: Vec<u8>,
}

impl Pages {
    /// Compresses all files.
    ///
    /// # Errors
    /// A file cannot be compressed.
    pub(super) fn new() -> io::Result<Pages> {
        let file = |&(name, plain): &(&'static str, &'static [u8])| {
            let hash = digest(&SHA256, plain);
            let tag = format!("W/\"{}\"", HEXLOWER.encode(&hash.as_ref()[..TAG_BYTES]));
            let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
            encoder.write_all(plain)?;
            let file = File { content_type: content_type(name), tag, plain, compressed: encoder.finish()? };
            Ok((name, file))
        };
        Ok(Pages { files: FILES.iter().map(file).collect::<io::Result<_>>()? })
    }

    /// Responds with a file; `None` if there is none of this name.
    pub(super) fn respond(&self, name: &str, status: Status, request: &Request) -> Option<Response<'_>> {
        let file = self.files.get(name)?;
        let is_shorter = file.compressed.len() < file.plain.len();
        let (body, encoding) = match request.accepts_gzip && is_shorter {
            true => (file.compressed.as_slice(), "Content-Encoding: gzip\r\n"),
            false => (file.plain, ""),
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
    use flate2::read::GzDecoder;
    use std::io::Read;
    use std::path::Path;

    /// The files below a folder of `web/`, as names in the table.
    fn names_below(folder: &str) -> Vec<String> {
        let mut names = Vec::new();
        for entry in std::fs::read_dir(Path::new("web").join(folder)).expect("a folder") {
            let name = entry.expect("an entry").file_name().into_string().expect("a plain name");
            let path = if folder.is_empty() { name } else { format!("{folder}/{name}") };
            match Path::new("web").join(&path).is_dir() {
                true => names.extend(names_below(&path)),
                false => names.push(path),
            }
        }
        names
    }

    #[test]
    fn table_has_every_file_once_and_in_order() {
        let mut wanted = names_below("");
        wanted.sort();
        let names: Vec<&str> = FILES.iter().map(|(name, _)| *name).collect();
        assert_eq!(names, wanted);
        for name in names {
            assert_ne!(content_type(name), "application/octet-stream", "{name} has no type");
        }
    }

    #[test]
    fn browsers_get_what_they_can_read_and_do_not_have() {
        let pages = Pages::new().expect("they can be compressed");
        let request = Request::default();
        let (name, contents) = *FILES.iter().max_by_key(|(_, contents)| contents.len()).expect("files");
        let plain = pages.respond(name, Status::Ok, &request).expect("a page");
        assert_eq!(plain.body, contents);
        let request = Request { accepts_gzip: true, ..request };
        let compressed = pages.respond(name, Status::Ok, &request).expect("a page");
        let mut text = Vec::new();
        GzDecoder::new(compressed.body).read_to_end(&mut text).expect("gzip");
        assert_eq!(text, plain.body);
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
