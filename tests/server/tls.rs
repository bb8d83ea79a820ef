//! TLS between a client and the server.

use crate::keys::secret;
use crate::test_server::{TEST_TIMEOUT, TestServer};
use farboard::auth::handshake::{Next, ShimHandshake};
use farboard::auth::{Nonce, tls};
use farboard::protocol::http::REFUSAL;
use farboard::server::{ListenerPolicy, OutputLimits};
use rcgen::{CertificateParams, KeyPair};
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::sign::{CertifiedKey, Signer, SigningKey, SingleCertAndKey};
use rustls::{
    ClientConfig, ClientConnection, ServerConfig, SignatureAlgorithm, SignatureScheme, StreamOwned,
};
use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// A certificate with its key; the files are removed when dropped.
pub struct Certificate {
    folder: PathBuf,
}

impl Certificate {
    pub fn new(name: &str) -> Certificate {
        static COUNT: AtomicUsize = AtomicUsize::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let folder = std::env::temp_dir().join(format!("farboard-keys-{}-{number}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder");
        let key = KeyPair::generate().expect("a key");
        let parameters = CertificateParams::new(vec![name.to_owned()]).expect("a name");
        let certificate = parameters.self_signed(&key).expect("a certificate").pem();
        let made = Certificate { folder };
        made.write("own.pem", &(certificate.clone() + &key.serialize_pem()));
        made.write("trust.pem", &certificate);
        made
    }

    fn write(&self, name: &str, text: &str) {
        use std::os::unix::fs::OpenOptionsExt;
        let mut options = std::fs::OpenOptions::new();
        let mut file =
            options.write(true).create(true).mode(0o600).open(self.folder.join(name)).expect("a file");
        file.write_all(text.as_bytes()).expect("a file");
    }

    /// The server's file.
    pub fn own(&self) -> PathBuf {
        self.folder.join("own.pem")
    }

    /// The shim's file.
    pub fn trust(&self) -> PathBuf {
        self.folder.join("trust.pem")
    }

    pub fn policy(&self) -> ListenerPolicy {
        ListenerPolicy {
            tls: Some(tls::server(&self.own(), None).expect("a server's file")),
            ..ListenerPolicy::open()
        }
    }

    pub fn client(&self) -> Arc<ClientConfig> {
        tls::client(&self.trust(), None).expect("a shim's file")
    }
}

impl Drop for Certificate {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

/// A socket that sends one byte at a time.
struct Trickle(TcpStream);

impl Read for Trickle {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.0.read(&mut buffer[..1])
    }
}

impl Write for Trickle {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(&bytes[..bytes.len().min(1)])
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

/// A client that speaks TLS.
pub struct Secure<S: Read + Write> {
    reader: BufReader<StreamOwned<ClientConnection, S>>,
}

pub fn connect(server: &TestServer) -> TcpStream {
    let stream = TcpStream::connect_timeout(&server.address, TEST_TIMEOUT).expect("a connection");
    stream.set_read_timeout(Some(TEST_TIMEOUT)).expect("a timeout");
    stream.set_write_timeout(Some(TEST_TIMEOUT)).expect("a timeout");
    stream.set_nodelay(true).expect("an option");
    stream
}

impl<S: Read + Write> Secure<S> {
    pub fn new(socket: S, config: Arc<ClientConfig>) -> Secure<S> {
        let name = "127.0.0.1".try_into().expect("an address");
        let connection = ClientConnection::new(config, name).expect("a client");
        Secure { reader: BufReader::new(StreamOwned::new(connection, socket)) }
    }

    pub fn send(&mut self, text: &str) {
        self.reader.get_mut().write_all(text.as_bytes()).expect("the server reads");
    }

    pub fn line(&mut self) -> Option<String> {
        let mut line = String::new();
        // An end that the server did not announce is an error here.
        let count = self.reader.read_line(&mut line).expect("a line or the end");
        (count > 0).then(|| line.trim_end_matches('\n').to_owned())
    }

    pub fn until(&mut self, beginning: &str) -> String {
        std::iter::from_fn(|| self.line()).find(|line| line.starts_with(beginning)).expect("such a line")
    }

    pub fn rest(&mut self) -> Vec<String> {
        std::iter::from_fn(|| self.line()).collect()
    }

    /// Announces the end of input in the way of TLS.
    fn finish(&mut self) {
        let stream = self.reader.get_mut();
        stream.conn.send_close_notify();
        while stream.conn.wants_write() {
            stream.conn.write_tls(&mut stream.sock).expect("the server reads");
        }
    }
}

#[test]
fn a_session_goes_on_inside_tls() {
    let certificate = Certificate::new("127.0.0.1");
    let server = TestServer::behind(certificate.policy(), |_| {});
    let mut client = Secure::new(connect(&server), certificate.client());
    client.send("xboard\nprotover 2\nnew\nsd 1\ngo\n");
    client.until("move ");
    client.send("ping 1\n");
    assert_eq!(client.until("pong"), "pong 1");
    client.send("quit\n");
    assert!(client.rest().is_empty(), "and the end is announced");
}

#[test]
fn one_byte_at_a_time_is_enough() {
    let certificate = Certificate::new("127.0.0.1");
    let server = TestServer::behind(certificate.policy(), |_| {});
    let mut client = Secure::new(Trickle(connect(&server)), certificate.client());
    client.send("ping 1\nping 2\n");
    assert_eq!((client.line().as_deref(), client.line().as_deref()), (Some("pong 1"), Some("pong 2")));
    client.send("quit\n");
    assert!(client.rest().is_empty());
}

#[test]
fn an_http_request_ends_the_session_inside_tls_too() {
    let certificate = Certificate::new("127.0.0.1");
    let server = TestServer::behind(certificate.policy(), |_| {});
    let mut client = Secure::new(connect(&server), certificate.client());
    client.send("POST / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\nping 1\n");
    assert_eq!(client.rest(), REFUSAL);
}

#[test]
fn a_secret_is_asked_for_inside_tls() {
    let certificate = Certificate::new("127.0.0.1");
    let policy = ListenerPolicy { secret: Some(secret()), ..certificate.policy() };
    let server = TestServer::behind(policy, |_| {});
    let mut client = Secure::new(connect(&server), certificate.client());
    let mut handshake = ShimHandshake::new(secret(), Nonce::random().expect("a random number"));
    client.send(&handshake.first_line());
    let challenge = client.line().expect("a challenge");
    let Ok(Next::Say(proof)) = handshake.hear(challenge.as_bytes()) else { panic!("{challenge}") };
    client.send(&(proof + "ping 1\n"));
    assert_eq!((client.line().as_deref(), client.line().as_deref()), (Some("welcome"), Some("pong 1")));
    let mut stranger = Secure::new(connect(&server), certificate.client());
    stranger.send("xboard\n");
    let said = stranger.rest().concat();
    assert!(said.contains("farboard-connect --tls FILE --secret-file FILE"), "{said}");
}

#[test]
fn the_end_of_input_is_not_the_end_of_output() {
    let certificate = Certificate::new("127.0.0.1");
    let server = TestServer::behind(certificate.policy(), |_| {});
    for closes_socket in [false, true] {
        let mut client = Secure::new(connect(&server), certificate.client());
        client.send("xboard\nprotover 2\nnew\nst 1\ngo\nping 7\n");
        client.finish();
        if closes_socket {
            client.reader.get_ref().sock.shutdown(Shutdown::Write).expect("a connection");
        }
        let said = client.rest();
        let last: Vec<&str> = said.iter().rev().take(2).map(String::as_str).collect();
        assert!(last[0] == "pong 7" && last[1].starts_with("move "), "{said:?}");
    }
}

#[test]
fn an_unannounced_end_of_stream_is_an_end_of_input() {
    let certificate = Certificate::new("127.0.0.1");
    let server = TestServer::behind(certificate.policy(), |_| {});
    let mut client = Secure::new(connect(&server), certificate.client());
    client.send("ping 1\nping 2\n");
    client.reader.get_ref().sock.shutdown(Shutdown::Write).expect("a connection");
    assert_eq!(client.rest(), ["pong 1", "pong 2"]);
}

#[test]
fn large_output_arrives_complete_at_a_late_reader() {
    let certificate = Certificate::new("127.0.0.1");
    let hard = 16 << 20;
    let server = TestServer::behind(certificate.policy(), |setup| {
        setup.limits.output = OutputLimits { soft: 16 << 10, hard };
    });
    let mut client = Secure::new(connect(&server), certificate.client());
    // More than sockets hold: the server must wait for room, and with TLS buffers some of it
    // itself.
    let count = 600_000;
    for first in (0..count).step_by(10_000) {
        client.send(&(first..first + 10_000).map(|number| format!("ping {number}\n")).collect::<String>());
    }
    client.finish();
    for number in 0..count {
        assert_eq!(client.line(), Some(format!("pong {number}")));
    }
    assert_eq!(client.line(), None);
}

#[test]
fn clients_that_never_read_are_closed_over_tls_too() {
    let certificate = Certificate::new("127.0.0.1");
    let server = TestServer::behind(certificate.policy(), |setup| {
        setup.limits.output = OutputLimits { soft: 16 << 10, hard: 256 << 10 };
    });
    let mut deaf = Secure::new(connect(&server), certificate.client());
    deaf.send("ping 1\n");
    deaf.until("pong 1");
    let block = "ping 123456789\n".repeat(1024);
    let stream = deaf.reader.get_mut();
    let deadline = Instant::now() + TEST_TIMEOUT;
    // More input makes the server buffer more, until it closes.
    let mut write = || {
        stream.conn.writer().write_all(block.as_bytes()).expect("TLS takes a block");
        while stream.conn.wants_write() {
            stream.conn.write_tls(&mut stream.sock)?;
        }
        io::Result::Ok(())
    };
    while write().is_ok() {
        assert!(Instant::now() < deadline, "the server reads it");
    }
    let mut other = Secure::new(connect(&server), certificate.client());
    other.send("ping 2\n");
    other.until("pong 2");
}

#[test]
fn a_plain_client_is_refused_in_plain_text() {
    let certificate = Certificate::new("127.0.0.1");
    let server = TestServer::behind(certificate.policy(), |_| {});
    for text in ["xboard\nprotover 2\n", "x", "\n"] {
        let mut client = server.client();
        client.send(text);
        let said = client.rest();
        assert!(
            matches!(&said[..], [line] if line.starts_with("tellusererror ")
                && line.contains("farboard-connect --tls FILE")),
            "{said:?}"
        );
    }
    // A client refused for another reason sees only that one.
    let server = TestServer::behind(certificate.policy(), |setup| setup.limits.sessions = 1);
    let mut other = Secure::new(connect(&server), certificate.client());
    other.send("ping 1\n");
    other.until("pong 1");
    let mut client = server.client();
    client.send("xboard\n");
    let said = client.rest();
    assert!(matches!(&said[..], [line] if line.contains("full")), "{said:?}");
}

#[test]
fn garbage_that_begins_like_tls_is_closed() {
    let certificate = Certificate::new("127.0.0.1");
    let server = TestServer::behind(certificate.policy(), |_| {});
    let torn = [&[0x16, 3, 1, 0, 200, 1, 0, 0, 196][..], &[0xff; 300]].concat();
    for bytes in [&b"\x16xboard\n\n\n\n\n\n"[..], &[0x16; 1000], &torn] {
        let mut client = server.client();
        client.send(bytes);
        // An alert may follow, which is not text.
        let mut rest = Vec::new();
        let _ = client.stream().read_to_end(&mut rest);
        assert!(rest.len() < 100, "{rest:?}");
    }
    for bytes in [&b"\x16"[..], &torn[..5]] {
        let client = server.client();
        client.stream().write_all(bytes).expect("the server reads");
        client.half_close();
        let mut rest = Vec::new();
        let _ = client.stream().read_to_end(&mut rest);
        assert!(rest.len() < 100, "{rest:?}");
    }
    let mut client = Secure::new(connect(&server), certificate.client());
    client.send("ping 1\n");
    client.until("pong 1");
}

#[test]
fn a_slow_handshake_is_closed() {
    let certificate = Certificate::new("127.0.0.1");
    let server = TestServer::behind(certificate.policy(), |setup| {
        setup.limits.login_timeout = Duration::from_millis(300);
    });
    let mut silent = server.client();
    assert!(silent.rest().is_empty());
    let mut half = server.client();
    half.send([0x16, 3, 1, 0]);
    assert!(half.rest().is_empty());
    // After the handshake there is no time limit. On a busy machine it may expire first; then
    // another client tries.
    let attempt = |_| {
        let mut client = Secure::new(connect(&server), certificate.client());
        let said = client.reader.get_mut().write_all(b"ping 1\n");
        let mut line = String::new();
        let reply = said.and_then(|()| client.reader.read_line(&mut line));
        (reply.is_ok() && line == "pong 1\n").then_some(client)
    };
    let mut client = (0..).find_map(attempt).expect("there is no last attempt");
    assert!(server.client().rest().is_empty());
    client.send("ping 2\n");
    client.until("pong 2");
}

#[test]
fn certificates_of_other_authorities_and_for_other_names_are_refused() {
    let [right, stranger] = [(); 2].map(|()| Certificate::new("127.0.0.1"));
    let other_name = Certificate::new("chess.example");
    for (shown, trusted, reason) in
        [(&right, &stranger, "not to be trusted"), (&other_name, &other_name, "for another name")]
    {
        let server = TestServer::behind(shown.policy(), |_| {});
        let mut client = Secure::new(connect(&server), trusted.client());
        let error = client.reader.get_mut().write_all(b"ping 1\n").expect_err("a refusal");
        let error = error.into_inner().expect("a reason").downcast::<rustls::Error>().expect("one of TLS");
        assert!(tls::explain(&error).contains(reason), "{error}");
    }
}

/// A key that signs when released: as slow as a test wants it.
#[derive(Debug)]
struct SlowKey {
    key: Arc<dyn SigningKey>,
    /// Notified before it waits for the lock to sign.
    asked: Sender<()>,
    gate: Arc<Mutex<()>>,
}

impl SigningKey for SlowKey {
    fn choose_scheme(&self, offered: &[SignatureScheme]) -> Option<Box<dyn Signer>> {
        let _ = self.asked.send(());
        drop(self.gate.lock());
        self.key.choose_scheme(offered)
    }

    fn algorithm(&self) -> SignatureAlgorithm {
        self.key.algorithm()
    }
}

/// A listener with the same certificate, whose key is as slow as the gate.
fn slow_door(certificate: &Certificate, asked: Sender<()>, gate: Arc<Mutex<()>>) -> ListenerPolicy {
    let text = std::fs::read(certificate.own()).expect("a file");
    let shown = CertificateDer::from_pem_slice(&text).expect("a certificate");
    let key = PrivateKeyDer::from_pem_slice(&text).expect("a key");
    let key = rustls::crypto::ring::sign::any_supported_type(&key).expect("a key that can be used");
    let key = CertifiedKey::new(vec![shown], Arc::new(SlowKey { key, asked, gate }));
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = ServerConfig::builder_with_provider(provider).with_safe_default_protocol_versions();
    let config = config.expect("versions").with_no_client_auth();
    let config = config.with_cert_resolver(Arc::new(SingleCertAndKey::from(key)));
    ListenerPolicy { tls: Some(Arc::new(config)), ..ListenerPolicy::open() }
}

#[test]
fn a_slow_handshake_delays_no_session() {
    let certificate = Certificate::new("127.0.0.1");
    let ((asked, signing), gate) = (channel(), Arc::new(Mutex::new(())));
    let server = TestServer::behind(slow_door(&certificate, asked, Arc::clone(&gate)), |_| {});
    let mut bystander = Secure::new(connect(&server), certificate.client());
    bystander.send("ping 1\n");
    bystander.until("pong 1");
    signing.recv_timeout(TEST_TIMEOUT).expect("a signature");

    let closed = gate.lock().expect("no panic");
    let arrive = || {
        let (stream, config) = (connect(&server), certificate.client());
        std::thread::spawn(move || {
            let mut client = Secure::new(stream, config);
            client.send("ping 2\n");
            client.until("pong 2")
        })
    };
    let slow = [arrive(), arrive(), arrive()];
    signing.recv_timeout(TEST_TIMEOUT).expect("a challenge");
    // Some do not wait for it.
    for number in 3..6 {
        let mut hasty = ClientConnection::new(certificate.client(), "127.0.0.1".try_into().expect("a name"))
            .expect("a client");
        hasty.write_tls(&mut connect(&server)).expect("the server reads");
        bystander.send(&format!("ping {number}\n"));
        bystander.until(&format!("pong {number}"));
    }
    assert!(slow.iter().all(|client| !client.is_finished()));
    drop(closed);
    for client in slow {
        assert_eq!(client.join().expect("no panic"), "pong 2");
    }
    bystander.send("quit\n");
    assert!(bystander.rest().is_empty());
}
