use super::*;
use crate::auth::handshake::Next;
use crate::auth::user_login::ShimUserLogin;
use std::time::{Duration, UNIX_EPOCH};

const SHIMS: Nonce = Nonce([1; 32]);
const SERVERS: Nonce = Nonce([2; 32]);
const CHANNEL: Channel = Channel([3; 32]);

fn key(name: &str) -> UserKey {
    UserKey::new(name, Nonce([name.len() as u8; 32])).expect("a name")
}

fn users() -> Users {
    let dave = UserKey::new("dave", Nonce([9; 32])).expect("a name");
    let line = |key: &UserKey| key.public_line();
    let expired = line(&dave).trim_end().to_owned() + " expires=2026-01-31\n";
    let text = line(&key("alice")) + &line(&key("bob")) + "carol certificate\n" + &expired;
    Users::parse(text.as_bytes()).expect("right")
}

fn now() -> SystemTime {
    UNIX_EPOCH + Duration::from_secs(1_790_000_000)
}

fn said(next: Result<Next, HandshakeError>) -> String {
    match next {
        Ok(Next::Say(line)) => line.trim_end().to_owned(),
        other => panic!("{other:?}"),
    }
}

/// A login through TLS channels as the two ends see them, with these nonces.
fn answer(key: UserKey, server: Option<Channel>, shim: Option<Channel>) -> (UserChallenge, String) {
    let mut shim_side = ShimUserLogin::new(key, SHIMS, false);
    let challenge =
        UserChallenge::new(shim_side.first_line().trim_end().as_bytes(), SERVERS, server).expect("a shim");
    let answer = said(shim_side.hear(challenge.line().trim_end().as_bytes(), shim));
    (challenge, answer)
}

fn meet(key: UserKey, channel: Option<Channel>) -> Result<String, HandshakeError> {
    let (challenge, answer) = answer(key, channel, channel);
    challenge.hear(answer.as_bytes(), &users(), now()).map(|user| user.name.clone())
}

#[test]
fn four_lines_let_a_user_in() {
    for channel in [None, Some(CHANNEL)] {
        assert_eq!(meet(key("alice"), channel).as_deref(), Ok("alice"));
        assert_eq!(meet(key("bob"), channel).as_deref(), Ok("bob"));
    }
    let mut shim = ShimUserLogin::new(key("alice"), SHIMS, false);
    assert!(UserChallenge::is_asked_for(shim.first_line().trim_end().as_bytes()));
    said(shim.hear(format!("farboard 2 {SERVERS} plain").as_bytes(), None));
    assert_eq!(shim.hear(b"welcome", None), Ok(Next::Begin("")));
}

#[test]
fn other_keys_unknown_names_and_users_with_certificates_get_the_same_answer() {
    let other = UserKey::new("alice", Nonce([77; 32])).expect("a name");
    let decoy = UserKey::new("nobody", Nonce([0x46; 32])).expect("a name");
    for key in [other, key("mallory"), key("carol"), decoy] {
        assert_eq!(meet(key, None), Err(HandshakeError::UnknownUser));
    }
}

#[test]
fn only_the_owner_of_a_key_hears_that_it_has_expired() {
    let dave = UserKey::new("dave", Nonce([9; 32])).expect("a name");
    assert_eq!(meet(dave, None), Err(HandshakeError::Expired));
    let other = UserKey::new("dave", Nonce([10; 32])).expect("a name");
    assert_eq!(meet(other, None), Err(HandshakeError::UnknownUser));
}

#[test]
fn an_answer_is_good_for_one_connection_and_one_name() {
    let (_, line) = answer(key("alice"), Some(CHANNEL), Some(CHANNEL));
    let hears = |shim: Nonce, server: Nonce, channel, line: &str| {
        let challenge = UserChallenge { shim, server, channel };
        challenge.hear(line.as_bytes(), &users(), now()).map(|user| user.name.clone())
    };
    let other = Nonce([4; 32]);
    assert_eq!(hears(SHIMS, SERVERS, Some(CHANNEL), &line).as_deref(), Ok("alice"));
    assert_eq!(hears(SHIMS, other, Some(CHANNEL), &line), Err(HandshakeError::UnknownUser));
    assert_eq!(hears(other, SERVERS, Some(CHANNEL), &line), Err(HandshakeError::UnknownUser));
    let elsewhere = Some(Channel([5; 32]));
    assert_eq!(hears(SHIMS, SERVERS, elsewhere, &line), Err(HandshakeError::UnknownUser), "relayed");
    assert_eq!(hears(SHIMS, SERVERS, None, &line), Err(HandshakeError::UnknownUser));
    let renamed = line.replace("alice", "bob");
    assert_eq!(hears(SHIMS, SERVERS, Some(CHANNEL), &renamed), Err(HandshakeError::UnknownUser));
}

#[test]
fn a_shim_signs_for_nobody_between_unless_it_is_told_to() {
    let challenge = format!("farboard 2 {SERVERS} plain");
    let mut shim = ShimUserLogin::new(key("alice"), SHIMS, false);
    assert_eq!(shim.hear(challenge.as_bytes(), Some(CHANNEL)), Err(HandshakeError::TlsEndsEarly));
    let mut shim = ShimUserLogin::new(key("alice"), SHIMS, true);
    said(shim.hear(challenge.as_bytes(), Some(CHANNEL)));
    let mut shim = ShimUserLogin::new(key("alice"), SHIMS, true);
    let challenge = format!("farboard 2 {SERVERS} tls");
    assert_eq!(shim.hear(challenge.as_bytes(), None), Err(HandshakeError::NoUsers));
}

#[test]
fn other_lines_are_no_login() {
    let (challenge, line) = answer(key("alice"), None, None);
    for wrong in
        ["", "user", "user alice", "welcome", &line[..line.len() - 1], &format!("{line} "), "user alice zz"]
    {
        assert_eq!(
            challenge.hear(wrong.as_bytes(), &users(), now()),
            Err(HandshakeError::Malformed),
            "{wrong}"
        );
    }
    assert_eq!(challenge.hear(b"\xff", &users(), now()), Err(HandshakeError::Malformed));
    for wrong in ["farboard-connect 2", "farboard-connect 2 x", "farboard-connect 1 0"] {
        assert!(UserChallenge::new(wrong.as_bytes(), SERVERS, None).is_err(), "{wrong}");
    }
    let mut shim = ShimUserLogin::new(key("alice"), SHIMS, false);
    for wrong in ["welcome", "Error (unknown command): farboard-connect", "farboard 1 x y"] {
        assert_eq!(shim.hear(wrong.as_bytes(), None), Err(HandshakeError::NoUsers), "{wrong}");
    }
    assert_eq!(shim.hear(b"tellusererror no ", None), Err(HandshakeError::Refused("no".to_owned())));
}
