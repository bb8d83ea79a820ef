//! Cookies of browsers that have logged in: signed, and kept by the browser alone.
//!
//! The cookie of the secret is good for every server with it until it expires; that of a user ends
//! with this server, or when the key changes or the user may no longer log in.

use super::login::Login;
use crate::auth::{Credential, Secret};
use crate::server::ListenerPolicy;
use data_encoding::HEXLOWER;
use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// Name of the cookie.
const COOKIE: &str = "farboard";
/// Time for which a cookie is valid.
const VALID: Duration = Duration::from_secs(30 * 24 * 60 * 60);
/// The word in place of a user's name, which begins with a letter or digit.
const NO_NAME: &str = "-";

/// Signs cookies and verifies them.
#[derive(Debug)]
pub(super) struct LoginCookies {
    /// Signs the cookies of users: they end with this server.
    own: Secret,
}

impl LoginCookies {
    /// Signs users' cookies with `own`, which no other server may have.
    pub(super) fn new(own: Secret) -> LoginCookies {
        LoginCookies { own }
    }

    /// Returns the key that signs: of a user's cookie not the secret, whose holders could then sign
    /// for any user.
    fn key<'a>(&'a self, login: &Login, policy: &'a ListenerPolicy) -> &'a Secret {
        match login {
            Login::Secret => policy.secret.as_ref().unwrap_or(&self.own),
            Login::User(_) => &self.own,
        }
    }

    /// Returns the header with a cookie for a login.
    pub(super) fn cookie(&self, login: &Login, policy: &ListenerPolicy, now: SystemTime) -> String {
        let expiry = seconds(now + VALID);
        let seal = HEXLOWER.encode(&self.key(login, policy).seal(sealed(login, expiry).as_bytes()));
        let (name, age) = (name(login), VALID.as_secs());
        let secure = if policy.tls.is_some() { "; Secure" } else { "" };
        format!(
            "Set-Cookie: {COOKIE}={expiry}:{name}:{seal}; HttpOnly; SameSite=Strict; Path=/; Max-Age={age}{secure}\r\n"
        )
    }

    /// Returns the login of the first of these cookies that is valid.
    pub(super) fn of(&self, cookies: &str, policy: &ListenerPolicy, now: SystemTime) -> Option<Login> {
        let values = cookies.split(';').filter_map(|cookie| cookie.trim().split_once('='));
        let mut values = values.filter(|(name, _)| *name == COOKIE).map(|(_, value)| value);
        values.find_map(|value| self.verified(value, policy, now))
    }

    fn verified(&self, value: &str, policy: &ListenerPolicy, now: SystemTime) -> Option<Login> {
        let mut parts = value.splitn(3, ':');
        let (expiry, name, seal) = (parts.next()?.parse().ok()?, parts.next()?, parts.next()?);
        let login = if name == NO_NAME {
            policy.secret.as_ref().map(|_| Login::Secret)?
        } else {
            let user = policy.users.as_ref()?.named(name).filter(|user| !user.has_expired(now))?;
            Login::User(Arc::clone(user))
        };
        let seal = HEXLOWER.decode(seal.as_bytes()).ok()?;
        let is_sealed = self.key(&login, policy).is_seal(sealed(&login, expiry).as_bytes(), &seal);
        (is_sealed && seconds(now) < expiry).then_some(login)
    }
}

fn name(login: &Login) -> &str {
    match login {
        Login::Secret => NO_NAME,
        Login::User(user) => &user.name,
    }
}

/// Returns the signed text of a cookie, which differs for another key of the user's.
fn sealed(login: &Login, expiry: u64) -> String {
    match login {
        Login::Secret => format!("{expiry} {NO_NAME}"),
        Login::User(user) => match &user.credential {
            Credential::Key(key) => format!("{expiry} {} {key}", user.name),
            Credential::Certificate => format!("{expiry} {} certificate", user.name),
        },
    }
}

/// Returns the time since 1970.
fn seconds(time: SystemTime) -> u64 {
    time.duration_since(UNIX_EPOCH).unwrap_or_default().as_secs()
}

#[cfg(test)]
mod tests {
    use super::super::login::random_secret;
    use super::*;
    use crate::auth::{Nonce, UserKey, Users};

    const NOW: SystemTime = UNIX_EPOCH;

    fn with_secret(text: &str) -> ListenerPolicy {
        let secret = Secret::new(text.as_bytes()).expect("long enough");
        ListenerPolicy { secret: Some(secret), ..ListenerPolicy::open() }
    }

    fn with_users(line: &str) -> ListenerPolicy {
        let users = Users::parse(line.as_bytes()).expect("users");
        ListenerPolicy { users: Some(Arc::new(users)), ..ListenerPolicy::open() }
    }

    fn line(seed: u8) -> String {
        UserKey::new("alice", Nonce([seed; 32])).expect("a name").public_line()
    }

    fn alice(policy: &ListenerPolicy) -> Login {
        let users = policy.users.as_ref().expect("users");
        Login::User(Arc::clone(users.named("alice").expect("a user")))
    }

    /// The cookie of a header, as a browser sends it.
    fn sent(header: &str) -> String {
        let value = header.strip_prefix("Set-Cookie: ").expect("a header");
        value.split(';').next().expect("a cookie").to_owned()
    }

    #[test]
    fn only_a_cookie_that_was_given_logs_in() {
        let (policy, cookies) = (with_secret("sixteen bytes at least"), LoginCookies::new(random_secret()));
        let header = cookies.cookie(&Login::Secret, &policy, NOW);
        assert!(header.contains("; HttpOnly; SameSite=Strict; Path=/; "), "{header}");
        assert!(!header.contains("Secure"));
        let good = sent(&header);
        let of = |sent: &str| cookies.of(sent, &policy, NOW);
        assert_eq!(of(&good), Some(Login::Secret));
        assert_eq!(of(&format!("a=b; farboard=x; {good}; c")), Some(Login::Secret));
        let (later, other) = (good.replacen(':', "0:", 1), good.replace("farboard", "other"));
        for wrong in ["", "farboard=", "farboard", "farboard=1:-:", &good[..20], &later, &other] {
            assert_eq!(of(wrong), None, "{wrong}");
        }
        assert_eq!(cookies.of(&good, &policy, NOW + VALID), None, "expired");
        assert_eq!(cookies.of(&good, &with_secret("another secret of an administrator"), NOW), None);
        assert_eq!(cookies.of(&good, &ListenerPolicy::open(), NOW), None);
        let after_restart = LoginCookies::new(random_secret());
        assert_eq!(after_restart.of(&good, &policy, NOW), Some(Login::Secret));
    }

    #[test]
    fn the_cookie_of_a_user_ends_with_the_users_line() {
        let (policy, cookies) = (with_users(&line(1)), LoginCookies::new(random_secret()));
        let cookie = sent(&cookies.cookie(&alice(&policy), &policy, NOW));
        assert_eq!(cookies.of(&cookie, &policy, NOW), Some(alice(&policy)));
        let longer = format!("{} sessions=4", line(1).trim_end());
        assert!(cookies.of(&cookie, &with_users(&longer), NOW).is_some());
        for changed in
            ["", &line(2), "alice certificate", &format!("{} expires=1969-01-01", line(1).trim_end())]
        {
            assert_eq!(cookies.of(&cookie, &with_users(changed), NOW), None, "{changed}");
        }
        assert_eq!(LoginCookies::new(random_secret()).of(&cookie, &policy, NOW), None, "another server");
        let as_holder = cookie.replace(":alice:", ":-:");
        assert_eq!(cookies.of(&as_holder, &policy, NOW), None);
    }
}
