//! Logins of browsers: a cookie for each that has sent the secret.

use crate::auth::Secret;
use crate::server::os::random::random;
use data_encoding::HEXLOWER;
use std::collections::HashMap;
use std::time::{Duration, Instant};

/// Name of the cookie.
const COOKIE: &str = "farboard";
/// Name of the form's field.
const FIELD: &str = "secret";
/// Time for which a cookie is valid.
const VALID: Duration = Duration::from_secs(30 * 24 * 60 * 60);
/// Most cookies at one time. A further login ends the oldest one.
const MAX_LOGINS: usize = 1024;

/// The valid cookies, and when they expire.
///
/// Each is known by its signature with the secret: another secret makes all invalid, and comparing
/// takes as long for any guess.
#[derive(Default, Debug)]
pub(super) struct Logins {
    valid: HashMap<Vec<u8>, Instant>,
}

impl Logins {
    /// Returns the header with a new cookie.
    pub(super) fn admit(&mut self, secret: &Secret, has_tls: bool, now: Instant) -> String {
        self.valid.retain(|_, expiry| *expiry > now);
        if self.valid.len() >= MAX_LOGINS
            && let Some(oldest) = self.valid.iter().min_by_key(|(_, expiry)| **expiry)
        {
            let oldest = oldest.0.clone();
            self.valid.remove(&oldest);
        }
        let token = HEXLOWER.encode(&random::<32>());
        self.valid.insert(secret.seal(token.as_bytes()), now + VALID);
        let secure = if has_tls { "; Secure" } else { "" };
        let seconds = VALID.as_secs();
        format!(
            "Set-Cookie: {COOKIE}={token}; HttpOnly; SameSite=Strict; Path=/; Max-Age={seconds}{secure}\r\n"
        )
    }

    /// Returns true if one of these cookies is valid.
    pub(super) fn knows(&self, cookies: &str, secret: &Secret, now: Instant) -> bool {
        let values = cookies.split(';').filter_map(|cookie| cookie.trim().split_once('='));
        let mut tokens = values.filter(|(name, _)| *name == COOKIE).map(|(_, token)| token);
        tokens.any(|token| self.valid.get(&secret.seal(token.as_bytes())).is_some_and(|&expiry| expiry > now))
    }
}

/// Returns the secret of a form that was sent.
pub(super) fn secret_of_form(body: &[u8]) -> Option<Vec<u8>> {
    let mut fields = form_urlencoded::parse(body);
    fields.find(|(name, _)| name == FIELD).map(|(_, secret)| secret.into_owned().into_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn secret(text: &str) -> Secret {
        Secret::new(text.as_bytes()).expect("long enough")
    }

    /// The cookie of a header, as a browser sends it.
    fn cookie(header: &str) -> String {
        let value = header.strip_prefix("Set-Cookie: ").expect("a header");
        value.split(';').next().expect("a cookie").to_owned()
    }

    #[test]
    fn only_a_cookie_that_was_given_logs_in() {
        let (own, now) = (secret("sixteen bytes at least"), Instant::now());
        let mut logins = Logins::default();
        let header = logins.admit(&own, true, now);
        assert!(header.contains("; HttpOnly; SameSite=Strict; Path=/; "), "{header}");
        assert!(header.ends_with("; Secure\r\n"), "{header}");
        assert!(!logins.admit(&own, false, now).contains("Secure"));
        let good = cookie(&header);
        assert!(logins.knows(&good, &own, now));
        assert!(logins.knows(&format!("a=b; farboard=x; {good}; c"), &own, now));
        for wrong in ["", "farboard=", "farboard", &good[..20], &good.replace("farboard", "other")] {
            assert!(!logins.knows(wrong, &own, now), "{wrong}");
        }
        assert!(!logins.knows(&good, &secret("another secret of an administrator"), now));
        assert!(!logins.knows(&good, &own, now + VALID));
    }

    #[test]
    fn logins_are_bounded_and_the_oldest_ends() {
        let (own, now) = (secret("sixteen bytes at least"), Instant::now());
        let mut logins = Logins::default();
        let first = cookie(&logins.admit(&own, false, now));
        let second = cookie(&logins.admit(&own, false, now + Duration::from_secs(1)));
        for _ in 2..=MAX_LOGINS {
            logins.admit(&own, false, now + Duration::from_secs(2));
        }
        assert_eq!(logins.valid.len(), MAX_LOGINS);
        assert!(!logins.knows(&first, &own, now) && logins.knows(&second, &own, now));
    }

    #[test]
    fn forms_are_decoded() {
        let of = |body: &[u8]| secret_of_form(body);
        assert_eq!(of(b"secret=a%20b+c%2Bd").as_deref(), Some(&b"a b c+d"[..]));
        assert_eq!(of(b"x=1&secret=y&secret=z").as_deref(), Some(&b"y"[..]));
        assert_eq!((of(b""), of(b"Secret=x"), of(b"\xff\xfe%zz")), (None, None, None));
    }
}
