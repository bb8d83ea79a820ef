use super::*;
use crate::auth::ClientTls;
use rcgen::{BasicConstraints, CertificateParams, CertifiedIssuer, IsCa, KeyPair};
use rustls::ServerConnection;
use rustls::pki_types::pem::PemObject;
use std::io::{Read, Write};
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};

/// A private file that is removed when dropped.
struct TemporaryFile(PathBuf);

impl TemporaryFile {
    fn new(text: &str) -> TemporaryFile {
        static COUNT: AtomicUsize = AtomicUsize::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("farboard-tls-{}-{number}.pem", std::process::id()));
        std::fs::write(&path, text).expect("a file");
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o600)).expect("the test's file");
        }
        TemporaryFile(path)
    }
}

impl Drop for TemporaryFile {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

fn parameters(names: &[&str]) -> CertificateParams {
    CertificateParams::new(names.iter().map(|name| name.to_string()).collect::<Vec<_>>()).expect("names")
}

/// Creates a self-signed certificate and its key. It calls itself an authority, as
/// `openssl req -x509` does.
fn own(names: &[&str]) -> (String, String) {
    let key = KeyPair::generate().expect("a key");
    let mut parameters = parameters(names);
    parameters.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    (parameters.self_signed(&key).expect("a certificate").pem(), key.serialize_pem())
}

fn server_with(text: &str) -> Result<Arc<ServerConfig>, TlsError> {
    server(&TemporaryFile::new(text).0, None)
}

fn client_with(text: &str) -> Result<Arc<ClientConfig>, TlsError> {
    client(&TemporaryFile::new(text).0, None)
}

/// Runs both sides: the client sends `hello`, the server echoes it. Returns what the client
/// receives.
fn meet(server: &str, trust: &str, host: &str) -> Result<String, Error> {
    let mut server = ServerConnection::new(server_with(server).expect("a server's file")).expect("a server");
    let mut client = ClientTls::new(client_with(trust).expect("a shim's file"), host).expect("a name");
    let (mut heard, mut answer) = (Vec::new(), Vec::new());
    client.send(b"hello");
    client.finish();
    while !client.has_ended() {
        let mut sent = Vec::new();
        client.take_output(&mut sent);
        let mut rest = &sent[..];
        while !rest.is_empty() {
            server.read_tls(&mut rest).expect("memory");
            server.process_new_packets()?;
        }
        if server.reader().read_to_end(&mut heard).is_ok() {
            server.writer().write_all(&std::mem::take(&mut heard)).expect("memory");
            server.send_close_notify();
        }
        let mut sent = Vec::new();
        while server.wants_write() {
            server.write_tls(&mut sent).expect("memory");
        }
        assert!(!sent.is_empty() || client.is_established(), "neither has anything to say");
        // The sizes of the pieces do not matter.
        sent.chunks(7).try_for_each(|piece| client.received(piece, &mut answer))?;
    }
    Ok(String::from_utf8(answer).expect("text"))
}

#[test]
fn a_certificate_that_signed_itself_is_trusted_by_those_who_have_it() {
    let (certificate, key) = own(&["chess.example", "192.0.2.7"]);
    let file = certificate.clone() + &key;
    assert_eq!(meet(&file, &certificate, "chess.example").as_deref(), Ok("hello"));
    assert_eq!(meet(&file, &certificate, "192.0.2.7").as_deref(), Ok("hello"));
    // The order in the file does not matter.
    assert_eq!(meet(&(key + &certificate), &certificate, "chess.example").as_deref(), Ok("hello"));
}

#[test]
fn a_certificate_that_signed_itself_is_trusted_although_it_calls_itself_no_authority_and_has_expired() {
    let key = KeyPair::generate().expect("a key");
    let mut parameters = parameters(&["chess.example"]);
    parameters.not_after = rcgen::date_time_ymd(2001, 1, 1);
    let certificate = parameters.self_signed(&key).expect("a certificate").pem();
    let file = certificate.clone() + &key.serialize_pem();
    assert_eq!(meet(&file, &certificate, "chess.example").as_deref(), Ok("hello"));
}

#[test]
fn a_certificate_of_an_authority_is_trusted_by_those_who_have_the_authoritys() {
    let mut authority = parameters(&[]);
    authority.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    let key = KeyPair::generate().expect("a key");
    let authority = CertifiedIssuer::self_signed(authority, key).expect("a certificate");
    let issue = |parameters: CertificateParams| {
        let key = KeyPair::generate().expect("a key");
        parameters.signed_by(&key, &authority).expect("a certificate").pem() + &key.serialize_pem()
    };
    let file = issue(parameters(&["chess.example"]));
    assert_eq!(meet(&file, &authority.pem(), "chess.example").as_deref(), Ok("hello"));
    let error = meet(&file, &authority.pem(), "other.example").unwrap_err();
    assert!(explain(&error).contains("for another name"), "{error}");
    let mut old = parameters(&["chess.example"]);
    old.not_after = rcgen::date_time_ymd(2001, 1, 1);
    let error = meet(&issue(old), &authority.pem(), "chess.example").unwrap_err();
    assert!(explain(&error).contains("expired"), "{error}");
}

#[test]
fn strangers_and_other_names_are_refused_in_plain_words() {
    let (certificate, key) = own(&["chess.example"]);
    let file = certificate.clone() + &key;
    for host in ["other.example", "192.0.2.7"] {
        let error = meet(&file, &certificate, host).unwrap_err();
        assert!(explain(&error).contains("for another name"), "{error}");
    }
    let (stranger, _) = own(&["chess.example"]);
    let error = meet(&file, &stranger, "chess.example").unwrap_err();
    assert!(explain(&error).contains("--tls"), "{error}");
    // One trusted certificate of several is enough.
    assert!(meet(&file, &(stranger + &certificate), "chess.example").is_ok());
}

#[test]
fn a_server_without_tls_is_told_from_one_that_is_not_trusted() {
    let (certificate, _) = own(&["chess.example"]);
    let mut client = ClientTls::new(client_with(&certificate).unwrap(), "chess.example").unwrap();
    let error = client.received(b"Error (unknown command): ...\n", &mut Vec::new()).unwrap_err();
    assert!(explain(&error).contains("does not speak TLS"), "{error}");
    assert!(matches!(
        ClientTls::new(client_with(&certificate).unwrap(), "no name"),
        Err(TlsError::BadName(_))
    ));
}

#[test]
fn files_with_something_missing_are_refused_with_the_command_that_makes_one() {
    let (certificate, key) = own(&["chess.example"]);
    let (_, other_key) = own(&["chess.example"]);
    let message = |text: &str| server_with(text).unwrap_err().to_string();
    assert!(matches!(server_with(&key), Err(TlsError::NoCertificate)));
    assert!(matches!(server_with(&certificate), Err(TlsError::NoKey)));
    assert!(matches!(client_with(&key), Err(TlsError::NoCertificate)));
    for text in ["", "farboard", &key, &certificate] {
        assert!(message(text).contains("openssl req -x509"), "{}", message(text));
    }
    let text = message(&(certificate.clone() + &other_key));
    assert!(text.contains("does not match the first certificate"), "{text}");
    let torn = certificate.replacen("-----END", "-----FIN", 1) + &key;
    assert!(matches!(server_with(&torn), Err(TlsError::Pem(_))), "{}", message(&torn));
    let garbage = "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n";
    assert!(matches!(server_with(&(garbage.to_owned() + &key)), Err(TlsError::Unusable(_))));
    assert!(matches!(client_with(garbage), Err(TlsError::Unusable(_))));
}

#[cfg(unix)]
#[test]
fn a_key_that_others_may_read_is_refused() {
    use std::os::unix::fs::PermissionsExt;
    let (certificate, key) = own(&["chess.example"]);
    let file = TemporaryFile::new(&(certificate + &key));
    std::fs::set_permissions(&file.0, std::fs::Permissions::from_mode(0o644)).expect("the test's file");
    assert!(server(&file.0, None).unwrap_err().to_string().contains("chmod 600"));
    assert!(client(&file.0, None).is_ok(), "what is trusted is no secret");
}

#[test]
fn keys_that_are_slow_are_known() {
    let bits = |text: &str| rsa_bits(&PrivateKeyDer::from_pem_slice(text.as_bytes()).expect("a key"));
    assert_eq!(bits(include_str!("../../../tests/data/rsa-4096.pem")), Some(4096));
    assert_eq!(bits(&own(&["chess.example"]).1), None);
}
