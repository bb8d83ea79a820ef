use super::*;
use crate::auth::{Nonce, UserKey};
use proptest::prelude::*;
use std::time::Duration;

fn key() -> String {
    UserKey::new("alice", Nonce([7; 32])).expect("a name").public().to_string()
}

fn alice(settings: &str) -> Result<User, String> {
    let text = format!("alice ed25519 {} {settings}\n", key());
    let users = Users::parse(text.as_bytes()).map_err(|error| error.to_string())?;
    Ok(User::clone(users.named("alice").expect("a user")))
}

#[test]
fn a_line_has_a_name_a_key_and_settings_in_any_order() {
    let user = alice("weight=3 profiles=club,farboard expires=2027-06-30 searches=2 sessions=4 watch=nobody")
        .expect("right");
    assert_eq!(user.credential, Credential::Key(key().parse().expect("a key")));
    assert_eq!((user.sessions, user.searches, user.weight), (Some(4), Some(2), 3));
    assert_eq!(
        (user.profiles, user.watch),
        (["club", "farboard"].map(str::to_owned).to_vec(), Some(Visibility::Nobody))
    );
    let user = alice("").expect("right");
    assert_eq!((user.sessions, user.searches, user.weight, user.expires), (None, None, 1, None));
    assert!(user.profiles.is_empty() && user.watch.is_none());
}

#[test]
fn a_date_is_the_last_day_and_a_time_the_last_moment() {
    let at = |seconds| SystemTime::UNIX_EPOCH + Duration::from_secs(seconds);
    // 2027-07-01T00:00:00Z
    let midnight = 1_814_400_000;
    let day = alice("expires=2027-06-30").expect("right");
    assert!(!day.has_expired(at(midnight - 1)) && day.has_expired(at(midnight)));
    let noon = alice("expires=2027-06-30T12:00:00Z").expect("right");
    assert!(!noon.has_expired(at(midnight - 12 * 3600 - 1)) && noon.has_expired(at(midnight - 12 * 3600)));
    for wrong in ["", "tomorrow", "2027-02-30", "2027-13-01", "30.6.2027", "9999-12-31", "2027-06-30T12:00"] {
        let error = alice(&format!("expires={wrong}")).unwrap_err();
        assert!(error.starts_with("line 1: ") && error.contains("2027-06-30"), "{wrong}: {error}");
    }
}

#[test]
fn comments_and_empty_lines_mean_nothing() {
    let text = format!("# users\n\n  \t\nalice ed25519 {}\t# of the club\r\nbob certificate\r\n", key());
    let users = Users::parse(text.as_bytes()).expect("right");
    assert_eq!(users.iter().count(), 2);
    assert_eq!(users.named("bob").expect("a user").credential, Credential::Certificate);
    assert_eq!(users.named("carol"), None);
    assert_eq!(Users::parse(b"").expect("an empty file"), Users::default());
}

#[test]
fn a_mistake_is_told_with_its_line() {
    let key = key();
    for (line, said) in [
        ("-x certificate".to_owned(), "\"-x\" is not a valid user name"),
        ("alice".to_owned(), "missing credential after the name alice"),
        ("alice # ed25519".to_owned(), "missing credential after the name alice"),
        (format!("alice {key}"), "unknown credential"),
        ("alice ssh-ed25519 AAAA".to_owned(), "\"ssh-ed25519\""),
        ("alice ed25519".to_owned(), "\"\" is not a public key"),
        (format!("alice ed25519 {}", &key[1..]), "64 hexadecimal digits"),
        (format!("alice ed25519 {}", "0".repeat(64)), "weak public key"),
        (format!("alice ed25519 {key} sesions=3"), "unknown user setting \"sesions=3\""),
        (format!("alice ed25519 {key} admin"), "unknown user setting \"admin\""),
        (format!("alice ed25519 {key} weight=1 weight=2"), "weight is given twice"),
        (format!("alice ed25519 {key} weight=0"), "weight is \"0\" and must be a number from 1 to 1024"),
        (format!("alice ed25519 {key} sessions=+3"), "sessions is \"+3\""),
        (format!("alice ed25519 {key} searches=99999999999999999999"), "searches is"),
        (format!("alice ed25519 {key} profiles=club,,x"), "is not a list of profiles"),
        (format!("alice ed25519 {key} watch=me"), "watch is \"me\" and must be nobody, users or everybody"),
        ("bob certificate".to_owned(), "user bob is already defined in line 2"),
    ] {
        let text = format!("# a comment\nbob certificate\n{line}\ncarol certificate\n");
        let error = Users::parse(text.as_bytes()).unwrap_err().to_string();
        assert!(error.starts_with("line 3: ") && error.contains(said), "{line}: {error}");
        assert!(!error.contains('\n'));
    }
    assert_eq!(Users::parse(b"\n\xff\n").unwrap_err().to_string(), "line 2: not UTF-8 text");
}

#[cfg(unix)]
#[test]
fn a_file_that_everybody_may_change_is_refused() {
    use std::os::unix::fs::PermissionsExt;
    let path = std::env::temp_dir().join(format!("farboard-users-{}", std::process::id()));
    std::fs::write(&path, "bob certificate\n").expect("a file");
    let read_with = |mode| {
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(mode)).expect("the test's file");
        Users::read(&path)
    };
    for mode in [0o666, 0o602] {
        let error = read_with(mode).unwrap_err().to_string();
        assert!(error.contains("chmod o-w"), "{error}");
    }
    // The file contains no secret.
    for mode in [0o600, 0o644, 0o440] {
        assert!(read_with(mode).is_ok(), "{mode:o}");
    }
    std::fs::remove_file(&path).expect("the test's file");
    assert!(Users::read(&path).unwrap_err().to_string().contains("farboard-users"));
}

/// Pieces of which lines are made, right and wrong ones.
fn piece() -> impl Strategy<Value = String> {
    prop_oneof![
        Just("alice".to_owned()),
        Just("bob".to_owned()),
        Just("ed25519".to_owned()),
        Just("certificate".to_owned()),
        Just(key()),
        Just("#".to_owned()),
        "(expires|sessions|searches|weight|profiles|x)=[0-9a-z,:TZ-]{0,20}",
        "[ \t\r\n]{1,3}",
        "\\PC{0,8}",
    ]
}

proptest! {
    #[test]
    fn no_text_makes_it_panic(text in proptest::collection::vec(any::<u8>(), 0..400)) {
        if let Err(UsersError::Line(number, _)) = Users::parse(&text) {
            prop_assert!(number <= text.iter().filter(|&&byte| byte == b'\n').count() + 1);
        }
    }

    #[test]
    fn what_is_accepted_is_within_its_bounds(pieces in proptest::collection::vec(piece(), 0..30)) {
        let text = pieces.join(" ");
        match Users::parse(text.as_bytes()) {
            Ok(users) => for user in users.iter() {
                prop_assert!(crate::auth::is_user_name(&user.name));
                prop_assert!((1..=1024).contains(&user.weight));
                prop_assert!(user.sessions != Some(0) && user.searches != Some(0));
                prop_assert!(user.profiles.iter().all(|name| !name.is_empty()));
            },
            Err(error) => {
                let said = error.to_string();
                prop_assert!(said.starts_with("line ") && !said.contains('\n'), "{said}");
            }
        }
    }

    #[test]
    fn a_right_line_among_comments_is_read_whatever_its_numbers(
        sessions in 1usize..1 << 20, searches in 1usize..1 << 20, weight in 1u32..=1024, comment in "[^\\r\\n]{0,40}",
    ) {
        let text = format!("# {comment}\nalice ed25519 {} weight={weight}\tsessions={sessions} searches={searches} # {comment}\n", key());
        let users = Users::parse(text.as_bytes()).map_err(|error| TestCaseError::fail(error.to_string()))?;
        let user = users.named("alice").expect("a user");
        prop_assert_eq!((user.sessions, user.searches, user.weight), (Some(sessions), Some(searches), weight));
    }
}
