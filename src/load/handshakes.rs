//! TLS handshakes at once, from a thread of their own, which cost the server what they cost and us next to nothing.
//!
//! A server signs as soon as it has heard the first message of a client. So the same message is sent over many
//! connections at once, the answers are waited for, and the connections are reset; then the next ones come.

use super::phases::PATIENCE;
use rustls::crypto::ring::default_provider;
use rustls::{ClientConfig, ClientConnection, RootCertStore};
use socket2::SockRef;
use std::fs;
use std::io::{self, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};
use std::time::Duration;

/// What was done.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Done {
    /// Connections that the server has answered.
    pub answered: usize,
    /// Connections that it has closed, or not answered in time.
    pub failed: usize,
}

/// Handshakes that go on until they are ended.
pub struct Handshakes {
    end: Arc<AtomicBool>,
    thread: JoinHandle<Done>,
}

impl Handshakes {
    /// Begins with so many at once.
    ///
    /// # Errors
    /// The system has no thread for it.
    pub fn begin(address: SocketAddr, at_once: usize) -> io::Result<Handshakes> {
        let hello = client_hello().map_err(io::Error::other)?;
        let end = Arc::new(AtomicBool::new(false));
        let is_over = Arc::clone(&end);
        let body = move || {
            let mut done = Done::default();
            while !is_over.load(Ordering::Relaxed) {
                wave(address, at_once, &hello, &mut done);
            }
            done
        };
        let thread = thread::Builder::new().name("handshakes".to_owned()).spawn(body)?;
        Ok(Handshakes { end, thread })
    }

    /// Ends when those that are going on are answered.
    pub fn end(self) -> Done {
        self.end.store(true, Ordering::Relaxed);
        self.thread.join().unwrap_or_default()
    }
}

/// So many connections at once.
fn wave(address: SocketAddr, at_once: usize, hello: &[u8], done: &mut Done) {
    let begin = || {
        let mut stream = TcpStream::connect_timeout(&address, PATIENCE)?;
        // Otherwise ports would run out.
        SockRef::from(&stream).set_linger(Some(Duration::ZERO))?;
        stream.set_read_timeout(Some(PATIENCE))?;
        stream.write_all(hello)?;
        Ok::<_, io::Error>(stream)
    };
    let begun: Vec<_> = (0..at_once).map(|_| begin()).collect();
    for stream in begun {
        match stream.and_then(|mut stream| stream.read(&mut [0; 64])) {
            Ok(count) if count > 0 => done.answered += 1,
            _ => done.failed += 1,
        }
    }
}

/// What a client says first, to a server that it does not know.
fn client_hello() -> Result<Vec<u8>, rustls::Error> {
    let config = ClientConfig::builder_with_provider(Arc::new(default_provider()))
        .with_safe_default_protocol_versions()?
        .with_root_certificates(RootCertStore::empty())
        .with_no_client_auth();
    let name =
        "localhost".try_into().map_err(|_| rustls::Error::General("localhost is no name".to_owned()))?;
    let mut connection = ClientConnection::new(Arc::new(config), name)?;
    let mut hello = Vec::new();
    // Memory takes it all.
    while connection.wants_write() && connection.write_tls(&mut hello).is_ok() {}
    Ok(hello)
}

/// A folder with what a server needs for a listener with TLS beside one without. Removed when dropped.
pub(super) struct Files(PathBuf);

impl Files {
    /// `own`: a certificate with its key; without it one of RSA with 4096 bits is made, by `openssl`.
    pub(super) fn make(own: Option<&Path>) -> io::Result<Files> {
        let files = Files(std::env::temp_dir().join(format!("farboard-load-tls-{}", std::process::id())));
        fs::create_dir_all(&files.0)?;
        fs::set_permissions(&files.0, fs::Permissions::from_mode(0o700))?;
        let own = match own {
            Some(own) => fs::canonicalize(own)?,
            None => files.certificate()?,
        };
        let listener =
            |more: &str| format!("[[listen]]\nkind = \"xboard\"\naddress = \"127.0.0.1:0\"\n{more}\n");
        // As a string of TOML that knows no escapes.
        let text = listener(&format!("tls = '{}'", own.display())) + &listener("");
        fs::write(files.config(), text)?;
        Ok(files)
    }

    /// The configuration: the listener with TLS comes first.
    pub(super) fn config(&self) -> PathBuf {
        self.0.join("farboard.toml")
    }

    fn certificate(&self) -> io::Result<PathBuf> {
        let own = self.0.join("own.pem");
        let mut openssl = Command::new("openssl");
        openssl.args([
            "req",
            "-x509",
            "-newkey",
            "rsa:4096",
            "-nodes",
            "-days",
            "1",
            "-subj",
            "/CN=localhost",
        ]);
        openssl.arg("-keyout").arg(&own).arg("-out").arg(self.0.join("certificate.pem"));
        let status = openssl.stdin(Stdio::null()).stderr(Stdio::null()).status().map_err(|error| {
            io::Error::new(
                error.kind(),
                format!("openssl, which is to make a certificate, does not start: {error}"),
            )
        })?;
        if !status.success() {
            return Err(io::Error::other("openssl makes no certificate: give one by --tls-file"));
        }
        let certificate = fs::read_to_string(self.0.join("certificate.pem"))?;
        let key = fs::read_to_string(&own)?;
        fs::write(&own, certificate + &key)?;
        fs::set_permissions(&own, fs::Permissions::from_mode(0o600))?;
        Ok(own)
    }
}

impl Drop for Files {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_message_is_one_that_servers_answer() {
        let hello = client_hello().expect("a message");
        let mut acceptor = rustls::server::Acceptor::default();
        acceptor.read_tls(&mut &hello[..]).expect("memory");
        assert!(acceptor.accept().is_ok_and(|accepted| accepted.is_some()));
    }
}
