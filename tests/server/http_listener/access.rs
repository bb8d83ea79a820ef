//! Access to the HTTP listener.

use super::{Observed, answer, ask, http_of};
use crate::keys::secret;
use crate::program::Program;
use crate::test_server::TEST_TIMEOUT;
use crate::tls::Certificate;
use farboard::server::ListenerPolicy;
use rustix::process::Signal;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, ServerName};
use rustls::{ClientConfig, ClientConnection, RootCertStore, StreamOwned};
use std::fs::{self, Permissions};
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::os::unix::fs::PermissionsExt;
use std::process::Command;
use std::sync::Arc;

#[test]
fn metrics_require_the_secret_and_health_checks_do_not() {
    let policy = ListenerPolicy { secret: Some(secret()), ..ListenerPolicy::open() };
    let server = Observed::behind(policy, |_| {});
    let status = |authorization: &str| {
        ask(&mut server.connect(), &format!("GET /metrics HTTP/1.1\r\n{authorization}\r\n")).status
    };
    assert_eq!(status("Authorization: Bearer the secret of these tests\r\n"), 200);
    for wrong in ["", "Authorization: Bearer the secret of other tests\r\n", "Authorization: Bearer \r\n"] {
        assert_eq!(status(wrong), 401, "{wrong}");
    }
    let challenge = server.get("/metrics").head;
    assert!(challenge.contains("\r\nWWW-Authenticate: Bearer"), "{challenge}");
    assert_eq!((server.get("/healthz").status, server.get("/readyz").status), (200, 200));
}

#[test]
fn strangers_are_closed_without_a_response() {
    let policy =
        ListenerPolicy { allow: vec!["192.0.2.0/24".parse().expect("a network")], ..ListenerPolicy::open() };
    let server = Observed::behind(policy, |_| {});
    let mut text = Vec::new();
    let mut stream = server.connect();
    // The server may have closed already.
    let _ = stream.write_all(b"GET /healthz HTTP/1.1\r\n\r\n");
    let _ = stream.read_to_end(&mut text);
    assert!(text.is_empty(), "{text:?}");
}

#[test]
fn metrics_are_served_over_tls_and_plain_text_is_refused_with_the_reason() {
    let certificate = Certificate::new("localhost");
    let server = Observed::behind(certificate.policy(), |_| {});
    let mut roots = RootCertStore::empty();
    roots.add(CertificateDer::from_pem_file(certificate.trust()).expect("a file")).expect("a certificate");
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .expect("versions")
        .with_root_certificates(roots)
        .with_no_client_auth();
    let name = ServerName::try_from("localhost").expect("a name");
    let tls = ClientConnection::new(Arc::new(config), name).expect("a configuration");
    let mut stream = StreamOwned::new(tls, server.connect());
    for _ in 0..3 {
        stream.write_all(b"GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n").expect("it reads");
        let answer = answer(&mut stream);
        assert!(answer.status == 200 && answer.body.ends_with("# EOF\n"), "{answer:?}");
    }
    let answer = server.get("/healthz");
    assert_eq!((answer.status, answer.body.as_str()), (400, "this listener requires TLS\n"));
}

#[test]
fn a_reload_applies_to_the_next_request_of_an_open_connection() {
    let folder = std::env::temp_dir().join(format!("farboard-{}-http-reload", std::process::id()));
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("a writable path");
    let (path, secret_file) = (folder.join("farboard.toml"), folder.join("secret"));
    let write_secret = |secret: &str| {
        fs::write(&secret_file, secret).expect("a writable path");
        fs::set_permissions(&secret_file, Permissions::from_mode(0o600)).expect("a file");
    };
    let write = |http: &str| {
        let listen = "[[listen]]\naddress = \"127.0.0.1:0\"\n";
        let http = format!("[http]\naddress = \"127.0.0.1:0\"\nsecret_file = {secret_file:?}\n{http}\n");
        fs::write(&path, format!("table = 1\n{listen}{http}")).expect("a writable path");
    };
    let [first, second] = ["the first of two secrets", "the second of two secrets"];
    write_secret(first);
    write("");
    let mut program =
        Program::start(Command::new(env!("CARGO_BIN_EXE_farboard")).arg("serve").arg("--config").arg(&path));
    let address = http_of(&mut program);
    let mut open = [(); 3].map(|()| {
        let stream = TcpStream::connect(address).expect("a connection");
        stream.set_read_timeout(Some(TEST_TIMEOUT)).expect("a timeout");
        stream
    });
    let status = |stream: &mut TcpStream, secret: &str| {
        ask(stream, &format!("GET /metrics HTTP/1.1\r\nAuthorization: Bearer {secret}\r\n\r\n")).status
    };
    for stream in &mut open {
        assert_eq!((status(stream, first), status(stream, second)), (200, 401));
    }
    let mut reload = || {
        program.signal(Signal::HUP);
        let log = program.logged("] configuration ");
        assert!(log.contains("configuration reloaded"), "{log}");
    };
    write_secret(second);
    reload();
    for stream in &mut open {
        assert_eq!((status(stream, first), status(stream, second)), (401, 200));
    }
    let [ref mut not_allowed, ref mut plain, ref mut allowed] = open;
    let closed = |stream: &mut TcpStream| {
        // The server may have closed already.
        let _ = stream.write_all(b"GET /readyz HTTP/1.1\r\n\r\n");
        let mut text = String::new();
        let _ = stream.read_to_string(&mut text);
        assert_eq!(text, "");
    };
    write("allow = [\"192.0.2.0/24\"]");
    reload();
    closed(not_allowed);
    write("");
    reload();
    assert_eq!(status(allowed, second), 200);
    let certificate = Certificate::new("localhost");
    write(&format!("tls = {:?}", certificate.own()));
    reload();
    closed(plain);
    fs::remove_dir_all(&folder).expect("a folder");
}

#[test]
fn a_flag_is_enough_and_a_reload_changes_the_allowed_addresses() {
    let path = std::env::temp_dir().join(format!("farboard-{}-http.toml", std::process::id()));
    let write = |http: &str| {
        let listen = "[[listen]]\naddress = \"127.0.0.1:0\"\n";
        fs::write(&path, format!("table = 1\n{http}\n{listen}")).expect("a writable path");
    };
    write("");
    let flags = ["serve", "--http", "127.0.0.1:0"];
    let mut program =
        Program::start(Command::new(env!("CARGO_BIN_EXE_farboard")).args(flags).arg("--config").arg(&path));
    let address = http_of(&mut program);
    let ready = |address: SocketAddr| {
        let mut text = String::new();
        let mut stream = TcpStream::connect(address).expect("a connection");
        // The server may have closed already.
        let _ = stream.write_all(b"GET /readyz HTTP/1.0\r\n\r\n");
        let _ = stream.read_to_string(&mut text);
        text.ends_with("ready\n")
    };
    assert!(ready(address));
    // Settings for all listeners apply to this one.
    write("allow = [\"192.0.2.0/24\"]");
    program.signal(Signal::HUP);
    let log = program.logged("] configuration ");
    assert!(log.contains("configuration reloaded"), "{log}");
    assert!(!ready(address));
    fs::remove_file(&path).expect("a file");
}
