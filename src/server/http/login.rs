//! Logins of browsers: with the secret or a user's key at `/login`, or with a certificate.

use super::challenges::Challenges;
use super::login_cookies::LoginCookies;
use super::request::Request;
use crate::auth::handshake::HandshakeError;
use crate::auth::{Secret, User, WebProof};
use crate::server::ListenerPolicy;
use crate::server::login::steps::user_of_certificate;
use crate::server::os::random::random;
use data_encoding::HEXLOWER;
use std::collections::HashMap;
use std::sync::Arc;
use std::time::SystemTime;

/// The proof of a browser that has logged in.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Login {
    /// It knows the secret.
    Secret,
    /// It has the key or the certificate of this user.
    User(Arc<User>),
}

impl Login {
    /// Returns the user, if it is one.
    pub(super) fn user(self) -> Option<Arc<User>> {
        match self {
            Login::Secret => None,
            Login::User(user) => Some(user),
        }
    }
}

/// The answer to a form that has logged in.
pub(super) struct LoggedIn {
    /// The header with the cookie.
    pub(super) cookie: String,
    /// The path that the person wanted to open.
    pub(super) page: String,
}

/// Reason for refusing a form.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub(super) enum LoginError {
    /// The form of a person, who has typed another secret or none.
    #[error("the secret is wrong")]
    Secret,
    /// The form of a script of the page.
    #[error("the challenge has expired or was used already: try again")]
    Challenge,
    #[error(transparent)]
    Proof(HandshakeError),
}

pub(super) struct Logins {
    cookies: LoginCookies,
    challenges: Challenges,
}

impl Logins {
    pub(super) fn new() -> Logins {
        Logins { cookies: LoginCookies::new(random_secret()), challenges: Challenges::new(random_secret()) }
    }

    /// Returns the login that a request shows.
    pub(super) fn of(&self, request: &Request, policy: &ListenerPolicy, now: SystemTime) -> Option<Login> {
        let by_certificate = || {
            let names = Some(&request.certificate_names).filter(|names| !names.is_empty())?;
            user_of_certificate(names, policy, now).ok().map(Login::User)
        };
        let by_secret =
            || policy.secret.as_ref().filter(|secret| bears(request, secret)).map(|_| Login::Secret);
        let by_cookie = || self.cookies.of(request.cookies.as_deref()?, policy, now);
        by_certificate().or_else(by_cookie).or_else(by_secret)
    }

    /// Returns what the page has to know to log in: a challenge, and which ways there are.
    pub(super) fn challenge(&self, policy: &ListenerPolicy, now: SystemTime) -> String {
        let challenge = self.challenges.challenge(now).to_string();
        let (has_secret, has_users) = (policy.secret.is_some(), policy.users.is_some());
        serde_json::json!({ "challenge": challenge, "secret": has_secret, "users": has_users }).to_string()
    }

    /// Logs in by a form.
    ///
    /// # Errors
    /// Wrong secret, or a proof that is none of a user.
    pub(super) fn log_in(
        &mut self,
        form: &[u8],
        policy: &ListenerPolicy,
        now: SystemTime,
    ) -> Result<LoggedIn, LoginError> {
        let fields: HashMap<_, _> = form_urlencoded::parse(form).collect();
        let field = |name: &str| fields.get(name).map(|value| &**value);
        let login = match (WebProof::read(field), &policy.users) {
            (Some(proof), Some(users)) => {
                if !self.challenges.is_open(&proof.challenge, now) {
                    return Err(LoginError::Challenge);
                }
                let user = proof.user(users, &policy.server_names, now).map_err(LoginError::Proof)?;
                self.challenges.answered(proof.challenge, now);
                Login::User(user)
            }
            _ => {
                let is_right =
                    |secret: &Secret| field("secret").is_some_and(|typed| secret.is_same(typed.as_bytes()));
                policy.secret.as_ref().filter(|secret| is_right(secret)).ok_or(LoginError::Secret)?;
                Login::Secret
            }
        };
        let page = field("to").unwrap_or("/").to_owned();
        Ok(LoggedIn { cookie: self.cookies.cookie(&login, policy, now), page })
    }
}

/// Returns a secret that only this server has.
pub(super) fn random_secret() -> Secret {
    Secret::new(HEXLOWER.encode(&random::<32>()).as_bytes()).expect("long enough")
}

pub(super) fn bears(request: &Request, secret: &Secret) -> bool {
    request.bearer.as_deref().is_some_and(|bearer| secret.is_same(bearer))
}
