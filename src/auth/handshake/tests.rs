use super::*;

fn secret(text: &str) -> Secret {
    Secret::new(text.as_bytes()).expect("long enough")
}

fn shared_secret() -> Secret {
    secret("the secret of these tests")
}

const SHIMS: Nonce = Nonce([1; LENGTH]);
const SERVERS: Nonce = Nonce([2; LENGTH]);

/// Creates both sides; the shim has this secret, the server the tests' secret.
fn both(shims: Secret) -> (ShimHandshake, ServerHandshake) {
    (ShimHandshake::new(shims, SHIMS), ServerHandshake::new(SERVERS))
}

fn said(next: Result<Next, HandshakeError>) -> String {
    match next {
        Ok(Next::Say(line)) => line.strip_suffix('\n').expect("a whole line").to_owned(),
        other => panic!("{other:?}"),
    }
}

fn line(text: &str) -> &[u8] {
    text.trim_end_matches('\n').as_bytes()
}

#[test]
fn four_lines_let_in_who_knows_the_secret() {
    let (mut shim, mut server) = both(shared_secret());
    let challenge = said(server.hear(line(&shim.first_line()), &shared_secret()));
    let proof = said(shim.hear(line(&challenge)));
    assert_eq!(server.hear(line(&proof), &shared_secret()), Ok(Next::Begin("welcome\n")));
    assert_eq!(shim.hear(b"welcome"), Ok(Next::Begin("")));
}

#[test]
fn a_server_with_another_secret_gets_no_proof() {
    let (mut shim, mut server) = both(shared_secret());
    let challenge = said(server.hear(line(&shim.first_line()), &secret("another secret of tests")));
    assert_eq!(shim.hear(line(&challenge)), Err(HandshakeError::Proof));
}

#[test]
fn a_shim_with_another_secret_is_not_let_in() {
    let (_, mut server) = both(shared_secret());
    let (mut stranger, mut double) = both(secret("another secret of tests"));
    said(server.hear(line(&stranger.first_line()), &shared_secret()));
    // The double accepts any server and answers with its own secret.
    let challenge = said(double.hear(line(&stranger.first_line()), &secret("another secret of tests")));
    let proof = said(stranger.hear(line(&challenge)));
    assert_eq!(server.hear(line(&proof), &shared_secret()), Err(HandshakeError::Proof));
}

#[test]
fn what_was_heard_once_is_of_no_use_in_another_connection() {
    let (mut shim, mut server) = both(shared_secret());
    let first = shim.first_line();
    let challenge = said(server.hear(line(&first), &shared_secret()));
    let proof = said(shim.hear(line(&challenge)));
    // The same lines, to a server with a fresh nonce.
    let mut later = ServerHandshake::new(Nonce([3; LENGTH]));
    said(later.hear(line(&first), &shared_secret()));
    assert_eq!(later.hear(line(&proof), &shared_secret()), Err(HandshakeError::Proof));
    // The same answer, to a shim with a fresh nonce.
    let mut later = ShimHandshake::new(shared_secret(), Nonce([4; LENGTH]));
    assert_eq!(later.hear(line(&challenge)), Err(HandshakeError::Proof));
}

#[test]
fn a_proof_of_the_server_is_none_of_the_shim() {
    let (shim, mut server) = both(shared_secret());
    let challenge = said(server.hear(line(&shim.first_line()), &shared_secret()));
    let proof = challenge.rsplit(' ').next().expect("a proof");
    assert_eq!(
        server.hear(format!("proof {proof}").as_bytes(), &shared_secret()),
        Err(HandshakeError::Proof)
    );
    // Nor if an attacker has the server answer its own nonce.
    let mut other = ServerHandshake::new(SHIMS);
    let reflected = said(other.hear(format!("farboard-connect 1 {SERVERS}").as_bytes(), &shared_secret()));
    let proof = reflected.rsplit(' ').next().expect("a proof");
    let (_, mut server) = both(shared_secret());
    said(server.hear(line(&shim.first_line()), &shared_secret()));
    assert_eq!(
        server.hear(format!("proof {proof}").as_bytes(), &shared_secret()),
        Err(HandshakeError::Proof)
    );
}

#[test]
fn every_step_is_needed() {
    let (mut shim, mut server) = both(shared_secret());
    assert_eq!(shim.hear(b"welcome"), Err(HandshakeError::Malformed));
    let proof = format!("proof {}", proof(&shared_secret(), Role::Shim, &SHIMS, &SERVERS));
    assert_eq!(server.hear(proof.as_bytes(), &shared_secret()), Err(HandshakeError::Malformed));
}

#[test]
fn other_lines_and_versions_are_no_handshake() {
    let hears = |line: &[u8]| ServerHandshake::new(SERVERS).hear(line, &shared_secret());
    for other in
        ["", "xboard", "farboard-connect", "farboard-connect 1", "farboard-connect 2", "farboard-connect 1 0"]
    {
        assert!(hears(other.as_bytes()).is_err(), "{other}");
    }
    assert_eq!(hears(format!("farboard-connect 2 {SHIMS}").as_bytes()), Err(HandshakeError::Version));
    assert_eq!(hears(format!("farboard-connect 1 {SHIMS} ").as_bytes()), Err(HandshakeError::Malformed));
    assert_eq!(hears(b"\xff\xfe"), Err(HandshakeError::Malformed));
    let (mut shim, _) = both(shared_secret());
    assert_eq!(shim.hear(b"Error (unknown command): farboard-connect"), Err(HandshakeError::Malformed));
    assert_eq!(
        shim.hear(b"tellusererror it is full "),
        Err(HandshakeError::Refused("it is full".to_owned()))
    );
}
