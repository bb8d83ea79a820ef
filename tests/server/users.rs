//! Named users: keys, certificates, limits, and reloading the file.

use crate::program::Program;
use crate::shims::Shim;
use crate::test_server::{Client, TEST_TIMEOUT, TestServer};
use farboard::auth::handshake::{Next, ShimHandshake};
use farboard::auth::user_login::ShimUserLogin;
use farboard::auth::{Nonce, UserKey, Users};
use farboard::server::ListenerPolicy;
use rcgen::{BasicConstraints, CertificateParams, CertifiedIssuer, DnType, IsCa, KeyPair};
use rustix::process::Signal;
use std::fs;
use std::io::Write;
use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::time::Instant;

/// A separate folder for each test; removed when dropped.
pub struct Folder(PathBuf);

impl Folder {
    pub fn new(test: &str) -> Folder {
        let path = std::env::temp_dir().join(format!("farboard-users-{test}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).expect("a folder");
        Folder(path)
    }

    fn path(&self, name: &str) -> String {
        self.0.join(name).to_str().expect("text").to_owned()
    }

    /// Writes a private file, and returns its path.
    pub fn write(&self, name: &str, text: &str) -> String {
        let path = self.path(name);
        let _ = fs::remove_file(&path);
        let mut options = fs::OpenOptions::new();
        let mut file = options.write(true).create(true).mode(0o600).open(&path).expect("a file");
        file.write_all(text.as_bytes()).expect("a file");
        path
    }

    /// The path of a user's private key.
    pub fn key(&self, key: &UserKey) -> String {
        self.write(&format!("{}.key", key.name()), &key.private_text())
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

pub fn key(name: &str) -> UserKey {
    let mut seed = [5; 32];
    seed[..name.len()].copy_from_slice(name.as_bytes());
    UserKey::new(name, Nonce(seed)).expect("a name")
}

/// The line of a user in a file of users.
pub fn line(name: &str, settings: &str) -> String {
    format!("{} {settings}\n", key(name).public_line().trim_end())
}

/// The policy of a listener for these users.
pub fn policy(users: &str) -> ListenerPolicy {
    let users = Users::parse(users.as_bytes()).expect("right");
    ListenerPolicy { users: Some(Arc::new(users)), ..ListenerPolicy::open() }
}

/// Logs in up to the answer to the signature.
fn answer(client: &mut Client, key: UserKey) -> String {
    let mut login = ShimUserLogin::new(key, "127.0.0.1", Nonce::random().expect("random"), false);
    client.send(login.first_line());
    let challenge = client.line().expect("a challenge");
    match login.hear(challenge.as_bytes(), None) {
        Ok(Next::Say(signature)) => client.send(signature),
        other => panic!("{challenge:?}: {other:?}"),
    }
    client.line().expect("an answer")
}

/// A client that has logged in as this user.
pub fn enter(server: &TestServer, name: &str) -> Client {
    let mut client = server.client();
    assert_eq!(answer(&mut client, key(name)), "welcome");
    client
}

/// A server with a configuration file of these settings.
fn serve(folder: &Folder, of_listener: &str, of_all: &str) -> Program {
    let text = format!("{of_all}\ntable = 1\n[[listen]]\naddress = \"127.0.0.1:0\"\n{of_listener}\n");
    let path = folder.write("farboard.toml", &text);
    Program::start(Command::new(env!("CARGO_BIN_EXE_farboard")).args(["--config", &path]))
}

fn farboard(arguments: &[&str]) -> std::process::Output {
    Command::new(env!("CARGO_BIN_EXE_farboard")).args(arguments).output().expect("the program starts")
}

#[test]
fn a_generated_key_is_accepted_where_its_line_is_in_the_file() {
    let folder = Folder::new("made");
    let private = folder.path("alice.key");
    let made = farboard(&["keygen", "alice", &private]);
    assert!(made.status.success(), "{made:?}");
    assert_eq!(fs::metadata(&private).expect("a file").permissions().mode() & 0o777, 0o600);
    let users = folder.write("users", &format!("# the club\n{}", String::from_utf8_lossy(&made.stdout)));
    assert_eq!(farboard(&["keygen", "--public", &private]).stdout, made.stdout);
    // An existing key is not overwritten.
    let again = farboard(&["keygen", "alice", &private]);
    assert!(!again.status.success() && String::from_utf8_lossy(&again.stderr).contains("alice.key"));
    assert!(!farboard(&["keygen", "a b", &folder.path("b.key")]).status.success());

    let control = folder.path("control");
    let of_all = format!("control = \"{control}\"");
    let mut program = serve(&folder, &format!("users = \"{users}\""), &of_all);
    let address = program.logged_address().to_string();
    let mut shim = Shim::start(&["--key", &private, &address], Some("a secret for other servers"));
    shim.send("xboard\nprotover 2\nping 1\n");
    shim.until("pong 1");
    let log = program.logged("begins");
    assert!(log.contains(", user alice), 1 in all"), "{log}");
    let sessions = farboard(&["sessions", "--json", "--control", &control]);
    let sessions = String::from_utf8_lossy(&sessions.stdout).into_owned();
    assert!(sessions.contains("\"user\":\"alice\""), "{sessions}");
    for command in ["sessions", "top"] {
        let shown = farboard(&[command, "--control", &control]);
        let shown = String::from_utf8_lossy(&shown.stdout).into_owned();
        assert!(shown.contains("alice@127.0.0.1:"), "{shown}");
    }
}

#[test]
fn mismatched_names_and_keys_all_get_the_same_answer() {
    let folder = Folder::new("wrong");
    let expired = line("dave", "expires=2026-01-31");
    let server = TestServer::behind(policy(&(line("alice", "") + "carol certificate\n" + &expired)), |_| {});
    let address = server.address.to_string();
    let stranger = UserKey::new("alice", Nonce([9; 32])).expect("a name");
    let answers: Vec<String> = [stranger, key("mallory"), key("carol")]
        .into_iter()
        .map(|key| {
            let mut shim = Shim::start(&["--key", &folder.key(&key), &address], None);
            shim.send("xboard\nping 1\n");
            shim.rest().concat()
        })
        .collect();
    assert!(answers[0].contains("no user with this name and key"), "{answers:?}");
    assert!(answers.iter().all(|answer| *answer == answers[0]), "{answers:?}");
    let mut shim = Shim::start(&["--key", &folder.key(&key("dave")), &address], None);
    assert!(shim.rest().concat().contains("this user's access has expired"));
    enter(&server, "alice").ping(1);
}

#[test]
fn clients_that_cannot_log_in_there_are_told_how() {
    let folder = Folder::new("how");
    let server = TestServer::behind(policy(&line("alice", "")), |_| {});
    let mut client = server.client();
    client.send("xboard\n");
    let said = client.rest().concat();
    assert!(said.contains("a user key: connect with farboard-connect --key FILE HOST"), "{said}");
    // A shim that knows only shared secrets, such as an old one.
    let secret = folder.write("secret", "the secret of these tests\n");
    let mut shim = Shim::start(&["--secret-file", &secret, &server.address.to_string()], None);
    let said = shim.rest().concat();
    assert!(said.contains("farboard-connect --key FILE HOST"), "{said}");

    // Servers without users: with a secret, without one, and one from before there were users.
    let with_secret = ListenerPolicy { secret: Some(crate::keys::secret()), ..ListenerPolicy::open() };
    let with_secret = TestServer::behind(with_secret, |_| {});
    let open = TestServer::start();
    let key = folder.key(&key("alice"));
    let output_of = |address: &str| Shim::start(&["--key", &key, address], None).rest().concat();
    let said = output_of(&with_secret.address.to_string());
    assert!(said.contains("not a user key: connect with farboard-connect --secret-file FILE HOST"), "{said}");
    let said = output_of(&open.address.to_string());
    assert!(said.contains("does not ask for a user's key"), "{said}");
    let mut old = ShimHandshake::new(crate::keys::secret(), Nonce([1; 32])).first_line();
    old = old.replace("connect 1", "connect 2");
    let mut handshake = farboard::auth::handshake::ServerHandshake::new(Nonce([2; 32]));
    let refused = handshake.hear(old.trim_end().as_bytes(), &crate::keys::secret());
    assert_eq!(refused, Err(farboard::auth::handshake::HandshakeError::Version), "as an old server sees it");
}

#[test]
fn a_listener_may_have_users_and_a_secret() {
    let both = ListenerPolicy { secret: Some(crate::keys::secret()), ..policy(&line("alice", "")) };
    let server = TestServer::behind(both, |_| {});
    enter(&server, "alice").ping(1);
    let mut client = server.client();
    let mut handshake = ShimHandshake::new(crate::keys::secret(), Nonce::random().expect("random"));
    client.send(handshake.first_line());
    let challenge = client.line().expect("a challenge");
    let Ok(Next::Say(proof)) = handshake.hear(challenge.as_bytes()) else { panic!("{challenge}") };
    client.send(proof);
    assert_eq!(client.line().as_deref(), Some("welcome"));
    client.ping(2);
    let mut stranger = server.client();
    stranger.send("uci\n");
    let said = stranger.rest().concat();
    assert!(said.contains("--secret-file FILE or --key FILE"), "{said}");
}

#[test]
fn a_user_is_limited_to_the_sessions_and_searches_of_its_line() {
    let text = line("alice", "sessions=2") + &line("bob", "searches=1");
    let server = TestServer::behind(policy(&text), |_| {});
    let (mut one, mut two) = (enter(&server, "alice"), enter(&server, "alice"));
    let mut third = server.client();
    assert_eq!(answer(&mut third, key("alice")), "welcome");
    let said = third.rest().concat();
    assert!(said.contains("at most 2 games at one time"), "{said}");
    one.ping(1);
    two.send("quit\n");
    two.rest();
    drop(two);
    let deadline = Instant::now() + TEST_TIMEOUT;
    loop {
        let mut client = server.client();
        assert_eq!(answer(&mut client, key("alice")), "welcome");
        client.send("ping 3\n");
        if client.line().as_deref() == Some("pong 3") {
            break;
        }
        assert!(Instant::now() < deadline, "the place is not free");
    }

    let (mut first, mut second) = (enter(&server, "bob"), enter(&server, "bob"));
    first.send("xboard\nprotover 2\nnew\npost\nanalyze\n");
    first.until("4 ");
    second.send("xboard\nprotover 2\nnew\npost\nanalyze\n");
    let said = second.until("tellusererror ");
    assert!(said.contains("you have reached your limit of 1 search at a time"), "{said}");
    first.send("exit\n");
    // There is a free slot now, and the analysis begins by itself.
    second.until("1 ");
}

#[test]
fn a_user_has_the_profiles_of_its_line_and_begins_with_the_first() {
    let folder = Folder::new("profiles");
    let text = line("alice", "profiles=club,blitz") + &line("bob", "");
    let users = folder.write("users", &text);
    let profiles =
        "users = \"USERS\"\n[profile.club]\noptions = { MultiPV = 3 }\n[profile.blitz]\n[profile.gold]\n";
    let mut program = serve(&folder, &profiles.replace("USERS", &users), "");
    let address = program.logged_address().to_string();
    let names = |user: &str| {
        let mut shim = Shim::start(&["--key", &folder.key(&key(user)), &address], None);
        shim.send("xboard\nprotover 2\nping 1\n");
        let said: Vec<String> =
            std::iter::from_fn(|| shim.line()).take_while(|line| line != "pong 1").collect();
        said.join("\n")
    };
    let alice = names("alice");
    assert!(alice.contains(" club\"") && alice.contains("blitz") && !alice.contains("gold"), "{alice}");
    let bob = names("bob");
    assert!(!bob.contains(" club\"") && bob.contains("gold"), "{bob}");
    // An unknown profile is an error.
    folder.write("users", &line("alice", "profiles=silver"));
    program.signal(Signal::HUP);
    let log = program.logged("] configuration ");
    assert!(
        log.contains("configuration not reloaded")
            && log.contains("the user alice names the unknown profile \"silver\""),
        "{log}"
    );
}

#[test]
fn profiles_of_users_of_pages_must_exist() {
    let folder = Folder::new("pages");
    let users = folder.write("users", &line("alice", "profiles=silver"));
    let config = folder.write("farboard.toml", &format!("[http]\naddress = 0\nusers = \"{users}\"\n"));
    let refused = farboard(&["--config", &config, "--listen", "127.0.0.1:0"]);
    let said = String::from_utf8_lossy(&refused.stderr);
    assert!(!refused.status.success() && said.contains("unknown profile \"silver\""), "{said}");
}

#[test]
fn a_user_removed_by_a_reload_keeps_its_session() {
    let folder = Folder::new("again");
    let users = folder.write("users", &line("alice", ""));
    let mut program = serve(&folder, &format!("users = \"{users}\""), "");
    let address = program.logged_address();
    let login = |name: &str| {
        let mut client = Client::connect(address);
        let said = answer(&mut client, key(name));
        (client, said)
    };
    let (mut alice, said) = login("alice");
    assert_eq!(said, "welcome");
    alice.ping(1);
    assert_ne!(login("bob").1, "welcome");
    folder.write("users", &line("bob", ""));
    program.signal(Signal::HUP);
    program.logged("configuration reloaded");
    assert_eq!(login("bob").1, "welcome");
    assert_ne!(login("alice").1, "welcome");
    alice.ping(2);
    // An error changes nothing, and the log has a line about it.
    folder.write("users", &(line("carol", "") + "dave ed25519 00\n"));
    program.signal(Signal::HUP);
    let log = program.logged("] configuration ");
    assert!(
        log.contains("configuration not reloaded") && log.contains("line 2: \"00\" is not a public key"),
        "{log}"
    );
    assert_eq!(login("bob").1, "welcome");
}

#[test]
fn a_server_does_not_start_with_an_invalid_file() {
    let folder = Folder::new("mistakes");
    for (listener, said) in [
        (format!("users = \"{}\"", folder.path("none")), "none"),
        (
            format!("users = \"{}\"", folder.write("users", "\nalice\n")),
            "line 2: missing credential after the name alice",
        ),
        (format!("client_ca = \"{}\"", folder.path("ca.pem")), "add a certificate and key with --tls"),
    ] {
        let mut program = serve(&folder, &listener, "");
        assert_eq!(program.wait().code(), Some(2), "{listener}");
        let error = program.stderr();
        assert!(error.contains(said) && error.contains("farboard.toml, line"), "{error}");
    }
    let shim = |arguments: &[&str]| Shim::start(arguments, None).rest().concat();
    let said = shim(&["--key", &folder.write("key", "nothing\n"), "127.0.0.1:1"]);
    assert!(said.contains("farboard keygen"), "{said}");
    let open = folder.key(&key("alice"));
    fs::set_permissions(&open, fs::Permissions::from_mode(0o644)).expect("a file");
    let said = shim(&["--key", &open, "127.0.0.1:1"]);
    assert!(said.contains("chmod 600"), "{said}");
}

/// An authority, a server's certificate, and client certificates.
struct Authority {
    folder: Folder,
    issuer: CertifiedIssuer<'static, KeyPair>,
}

impl Authority {
    fn new(test: &str) -> Authority {
        let folder = Folder::new(test);
        let mut parameters = CertificateParams::new(Vec::new()).expect("no names");
        parameters.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        let issuer = CertifiedIssuer::self_signed(parameters, KeyPair::generate().expect("a key"));
        let authority = Authority { folder, issuer: issuer.expect("an authority") };
        authority.folder.write("ca.pem", &authority.issuer.pem());
        authority.signed("server", &["127.0.0.1"]);
        authority
    }

    /// A file with a certificate for these names, and its key.
    fn signed(&self, common: &str, names: &[&str]) -> String {
        let names: Vec<String> = names.iter().map(|name| name.to_string()).collect();
        let mut parameters = CertificateParams::new(names).expect("names");
        parameters.distinguished_name.push(DnType::CommonName, common);
        let key = KeyPair::generate().expect("a key");
        let certificate = parameters.signed_by(&key, &self.issuer).expect("a certificate");
        self.folder.write(&format!("{common}.pem"), &(certificate.pem() + &key.serialize_pem()))
    }

    fn serve(&self, more: &str) -> Program {
        let path = |name: &str| self.folder.path(name);
        let keys = format!("tls = \"{}\"\nclient_ca = \"{}\"\n{more}", path("server.pem"), path("ca.pem"));
        serve(&self.folder, &keys, "")
    }

    fn shim(&self, certificate: &str, address: &str) -> Shim {
        let trust = self.folder.path("ca.pem");
        let mut shim = Shim::start(&["--tls", &trust, "--certificate", certificate, address], None);
        shim.send("xboard\nprotover 2\nping 1\n");
        shim
    }
}

#[test]
fn a_certificate_names_its_user() {
    let authority = Authority::new("certificates");
    let mut program = authority.serve("");
    let address = program.logged_address().to_string();
    authority.shim(&authority.signed("bob", &[]), &address).until("pong 1");
    let log = program.logged("begins");
    assert!(log.contains("TLS, user bob)"), "{log}");
    // No certificate, one of another authority, and one without a name.
    let trust = authority.folder.path("ca.pem");
    let mut none = Shim::start(&["--tls", &trust, &address], None);
    let said = none.rest().concat();
    assert!(
        said.contains("requires a certificate: connect with farboard-connect --tls FILE --certificate FILE"),
        "{said}"
    );
    assert!(program.logged("refused").contains("(no-certificate)"));
    let other = Authority::new("other");
    let said = authority.shim(&other.signed("bob", &[]), &address).rest().concat();
    assert!(said.contains("certificate"), "{said}");
}

#[test]
fn with_a_file_of_users_only_its_users_can_use_certificates() {
    let authority = Authority::new("listed");
    let text = "bob certificate sessions=1\n".to_owned() + &line("alice", "");
    let users = authority.folder.write("users", &text);
    let mut program = authority.serve(&format!("users = \"{users}\""));
    let address = program.logged_address().to_string();
    let certificate = authority.signed("bob", &[]);
    let mut bob = authority.shim(&certificate, &address);
    bob.until("pong 1");
    let said = authority.shim(&certificate, &address).rest().concat();
    assert!(said.contains("at most 1 games"), "{said}");
    // A name beside the common one counts as well; a user with a key has no certificate.
    authority.shim(&authority.signed("robert", &["bob"]), &address).rest();
    for stranger in ["mallory", "alice"] {
        let said = authority.shim(&authority.signed(stranger, &[]), &address).rest().concat();
        assert!(said.contains(&format!("the certificate names {stranger}")), "{said}");
    }
    // Keys are bound to TLS where there is TLS.
    let key = authority.folder.key(&key("alice"));
    let mut alice = Shim::start(&["--tls", &authority.folder.path("ca.pem"), "--key", &key, &address], None);
    alice.send("xboard\nprotover 2\nping 1\n");
    alice.until("pong 1");
    bob.send("ping 2\n");
    bob.until("pong 2");
}

/// The last argument of [`relay`]: the server's address.
type Target = std::net::SocketAddr;

/// Terminates TLS in front of a server, as a load balancer does, for one client.
fn relay(certificate: &Path, server: Target) -> Target {
    use std::io::Read;
    let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = listener.local_addr().expect("an address");
    let config = farboard::auth::tls::server(certificate, None).expect("a certificate");
    std::thread::spawn(move || {
        for client in listener.incoming().map_while(Result::ok) {
            let mut server = std::net::TcpStream::connect(server).expect("the server");
            for stream in [&client, &server] {
                stream.set_read_timeout(Some(std::time::Duration::from_millis(5))).expect("an option");
            }
            let connection = rustls::ServerConnection::new(Arc::clone(&config)).expect("TLS");
            let mut secure = rustls::StreamOwned::new(connection, client);
            let mut buffer = [0; 4096];
            let deadline = std::time::Instant::now() + TEST_TIMEOUT;
            let is_idle = |error: &std::io::Error| {
                matches!(error.kind(), std::io::ErrorKind::WouldBlock | std::io::ErrorKind::TimedOut)
            };
            'client: while std::time::Instant::now() < deadline {
                match secure.read(&mut buffer) {
                    Ok(count) if count > 0 => server.write_all(&buffer[..count]).expect("the server reads"),
                    Err(error) if is_idle(&error) => {}
                    _ => break 'client,
                }
                match server.read(&mut buffer) {
                    Ok(count) if count > 0 => drop(secure.write_all(&buffer[..count])),
                    Err(error) if is_idle(&error) => {}
                    _ => break 'client,
                }
            }
        }
    });
    address
}

#[test]
fn a_tls_terminating_proxy_gets_no_signature_unless_allowed_by_the_user() {
    let authority = Authority::new("between");
    let folder = &authority.folder;
    let server = TestServer::behind(policy(&line("alice", "")), |_| {});
    let address = relay(Path::new(&folder.path("server.pem")), server.address).to_string();
    let (trust, key) = (folder.path("ca.pem"), folder.key(&key("alice")));
    let mut shim = Shim::start(&["--tls", &trust, "--key", &key, &address], None);
    let said = shim.rest().concat();
    assert!(said.contains("--tls-ends-early"), "{said}");
    let mut shim = Shim::start(&["--tls", &trust, "--key", &key, "--tls-ends-early", &address], None);
    shim.send("xboard\nprotover 2\nping 1\n");
    shim.until("pong 1");
}

#[test]
fn a_server_that_knows_its_names_refuses_logins_for_other_names() {
    let folder = Folder::new("names");
    let (file, key) = (folder.write("users", &line("alice", "")), folder.key(&key("alice")));
    let settings = format!("users = \"{file}\"\nserver_name = [\"127.0.0.1\", \"chess.example\"]");
    let mut program = serve(&folder, &settings, "");
    let address = program.logged_address();
    let mut shim = Shim::start(&["--key", &key, &address.to_string()], None);
    shim.send("xboard\nprotover 2\nping 1\n");
    shim.until("pong 1");
    let mut shim = Shim::start(&["--key", &key, &format!("localhost:{}", address.port())], None);
    let said = shim.rest().concat();
    assert!(said.contains("called localhost") && said.contains("server_name"), "{said}");
    let mut old = Client::connect(address);
    old.send(format!("farboard-connect 2 {}\n", "00".repeat(32)));
    let said = old.rest().concat();
    assert!(said.starts_with("tellusererror ") && said.contains("update the older of the two"), "{said}");
    let log = program.logged("(other-server)");
    assert!(log.contains("refused 127.0.0.1 port "), "{log}");
}
