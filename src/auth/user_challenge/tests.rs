use super::*;
use crate::auth::UserKey;
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
    let mut shim_side = ShimUserLogin::new(key, "Chess.Example", SHIMS, false);
    let challenge =
        UserChallenge::new(shim_side.first_line().trim_end().as_bytes(), SERVERS, server).expect("a shim");
    let answer = said(shim_side.hear(challenge.line().trim_end().as_bytes(), shim));
    (challenge, answer)
}

fn meet(key: UserKey, channel: Option<Channel>) -> Result<String, HandshakeError> {
    let (challenge, answer) = answer(key, channel, channel);
    challenge.hear(answer.as_bytes(), &users(), &[], now()).map(|user| user.name.clone())
}

#[test]
fn four_lines_let_a_user_in() {
    for channel in [None, Some(CHANNEL)] {
        assert_eq!(meet(key("alice"), channel).as_deref(), Ok("alice"));
        assert_eq!(meet(key("bob"), channel).as_deref(), Ok("bob"));
    }
    let mut shim = ShimUserLogin::new(key("alice"), "chess.example", SHIMS, false);
    assert!(UserChallenge::is_asked_for(shim.first_line().trim_end().as_bytes()));
    said(shim.hear(format!("farboard 3 {SERVERS} plain").as_bytes(), None));
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
        challenge.hear(line.as_bytes(), &users(), &[], now()).map(|user| user.name.clone())
    };
    let other = Nonce([4; 32]);
    assert_eq!(hears(SHIMS, SERVERS, Some(CHANNEL), &line).as_deref(), Ok("alice"));
    assert_eq!(hears(SHIMS, other, Some(CHANNEL), &line), Err(HandshakeError::UnknownUser));
    assert_eq!(hears(other, SERVERS, Some(CHANNEL), &line), Err(HandshakeError::UnknownUser));
    let elsewhere = Some(Channel([5; 32]));
    assert_eq!(hears(SHIMS, SERVERS, elsewhere, &line), Err(HandshakeError::UnknownUser), "relayed");
    assert_eq!(hears(SHIMS, SERVERS, None, &line), Err(HandshakeError::Malformed));
    for via in ["plain", "ends-early"] {
        let without = line.replace(" tls ", &format!(" {via} "));
        assert_eq!(hears(SHIMS, SERVERS, None, &without), Err(HandshakeError::UnknownUser), "{via}");
    }
    let elsewhere = line.replace("chess.example", "chess.example.evil");
    assert_eq!(hears(SHIMS, SERVERS, Some(CHANNEL), &elsewhere), Err(HandshakeError::UnknownUser));
    let renamed = line.replace("alice", "bob");
    assert_eq!(hears(SHIMS, SERVERS, Some(CHANNEL), &renamed), Err(HandshakeError::UnknownUser));
}

#[test]
fn a_login_for_another_server_is_refused_by_one_that_knows_its_names() {
    let names: Vec<ServerName> =
        ["chess.example", "192.0.2.7"].map(|name| name.parse().expect("a name")).into();
    // A server in between passes the lines on; the user has typed its name.
    let relayed = |host: &str, names: &[ServerName], tls_may_end_early, channel| {
        let mut shim = ShimUserLogin::new(key("alice"), host, SHIMS, tls_may_end_early);
        let first = shim.first_line();
        let challenge = UserChallenge::new(first.trim_end().as_bytes(), SERVERS, None).expect("a shim");
        let answer = said(shim.hear(challenge.line().trim_end().as_bytes(), channel));
        challenge.hear(answer.as_bytes(), &users(), names, now()).map(|user| user.name.clone())
    };
    for (ends_early, channel) in [(false, None), (true, Some(CHANNEL))] {
        let refused = Err(HandshakeError::OtherServer("evil.example".to_owned()));
        assert_eq!(relayed("evil.example", &names, ends_early, channel), refused);
        assert_eq!(relayed("CHESS.example.", &names, ends_early, channel).as_deref(), Ok("alice"));
        assert_eq!(relayed("192.0.2.7", &names, ends_early, channel).as_deref(), Ok("alice"));
        assert_eq!(
            relayed("evil.example", &[], ends_early, channel).as_deref(),
            Ok("alice"),
            "it knows no names"
        );
    }
    // Only the holder of the key learns of the names.
    let (challenge, line) = answer(key("mallory"), None, None);
    assert_eq!(
        challenge.hear(line.as_bytes(), &users(), &names[1..], now()),
        Err(HandshakeError::UnknownUser)
    );
}

#[test]
fn a_shim_that_signs_no_name_is_too_old() {
    let line = format!("farboard-connect 2 {SHIMS}");
    assert!(UserChallenge::is_asked_for(line.as_bytes()));
    let error = UserChallenge::new(line.as_bytes(), SERVERS, None).expect_err("it is too old");
    assert_eq!(error, HandshakeError::Version);
}

#[test]
fn a_shim_signs_for_nobody_between_unless_it_is_told_to() {
    let challenge = format!("farboard 3 {SERVERS} plain");
    let mut shim = ShimUserLogin::new(key("alice"), "chess.example", SHIMS, false);
    assert_eq!(shim.hear(challenge.as_bytes(), Some(CHANNEL)), Err(HandshakeError::TlsEndsEarly));
    let mut shim = ShimUserLogin::new(key("alice"), "chess.example", SHIMS, true);
    said(shim.hear(challenge.as_bytes(), Some(CHANNEL)));
    let mut shim = ShimUserLogin::new(key("alice"), "chess.example", SHIMS, true);
    let challenge = format!("farboard 3 {SERVERS} tls");
    assert_eq!(shim.hear(challenge.as_bytes(), None), Err(HandshakeError::NoUsers));
}

#[test]
fn other_lines_are_no_login() {
    let (challenge, line) = answer(key("alice"), None, None);
    for wrong in [
        "",
        "user",
        "user alice",
        "welcome",
        &line[..line.len() - 1],
        &format!("{line} "),
        "user alice h plain zz",
        &line.replace("chess", "ch\u{1b}ess"),
    ] {
        assert_eq!(
            challenge.hear(wrong.as_bytes(), &users(), &[], now()),
            Err(HandshakeError::Malformed),
            "{wrong}"
        );
    }
    assert_eq!(challenge.hear(b"\xff", &users(), &[], now()), Err(HandshakeError::Malformed));
    for wrong in ["farboard-connect 3", "farboard-connect 3 x", "farboard-connect 1 0"] {
        assert!(UserChallenge::new(wrong.as_bytes(), SERVERS, None).is_err(), "{wrong}");
    }
    let mut shim = ShimUserLogin::new(key("alice"), "chess.example", SHIMS, false);
    for wrong in ["welcome", "Error (unknown command): farboard-connect", "farboard 1 x y"] {
        assert_eq!(shim.hear(wrong.as_bytes(), None), Err(HandshakeError::NoUsers), "{wrong}");
    }
    assert_eq!(shim.hear(b"tellusererror no ", None), Err(HandshakeError::Refused("no".to_owned())));
}
