//! The steps of a login: the header of a proxy, TLS, and the secret or the proof of a user.

use crate::auth::handshake::{HandshakeError, Next, ServerHandshake};
use crate::auth::{Channel, NoRandomness, Nonce, User, UserChallenge, is_user_name};
use crate::protocol::proxy::HeaderReader;
use crate::server::ListenerPolicy;
use crate::server::outcome::Refusal;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

/// Time limit for a login: far longer than a shim needs.
pub(in crate::server) const TIMEOUT: Duration = Duration::from_secs(10);

pub(in crate::server) enum Login {
    /// A proxy has to name its client.
    Proxy(HeaderReader),
    /// TLS, then the secret or the proof of a user.
    Keys(KeyLogin),
    /// A proxy's health check, which gets no session.
    Probe,
}

/// TLS, and the handshake that follows it; none where TLS or a certificate suffices.
pub(in crate::server) struct KeyLogin(Option<Handshake>);

enum Handshake {
    /// Waiting for the first line; the nonce of the challenge.
    Fresh(Nonce),
    /// A client proves the secret.
    Secret(ServerHandshake),
    /// A named user signs the challenge.
    User(UserChallenge),
}

/// Response to a line of a login.
pub(in crate::server) enum LoginStep {
    /// Sends this line and waits for the next one.
    Send(String),
    /// Sends this line and begins the session, of a user if there is one.
    Begin(&'static str, Option<Arc<User>>),
}

impl Login {
    /// Creates the login that a listener requires; `None` if it requires none.
    ///
    /// # Errors
    /// The system has no random number for a challenge.
    pub(in crate::server) fn new(policy: &ListenerPolicy) -> Result<Option<Login>, NoRandomness> {
        if !policy.requires_login() {
            return Ok(None);
        }
        let handshake = policy.has_handshake().then(|| Nonce::random().map(Handshake::Fresh));
        Ok(Some(Login::Keys(KeyLogin(handshake.transpose()?))))
    }

    /// Returns true if the client has the server's proof and has not sent its own.
    pub(in crate::server) fn has_server_proof(&self) -> bool {
        matches!(self, Login::Keys(KeyLogin(Some(Handshake::Secret(_)))))
    }
}

impl KeyLogin {
    pub(in crate::server) fn has_handshake(&self) -> bool {
        self.0.is_some()
    }

    /// Returns true if the client has sent nothing that identifies it as a shim.
    pub(in crate::server) fn is_from_stranger(&self) -> bool {
        matches!(self.0, None | Some(Handshake::Fresh(_)))
    }

    /// Handles a line without its ending; `channel`: the client's TLS channel.
    ///
    /// # Errors
    /// The client is not a shim, or its proof is wrong.
    pub(in crate::server) fn handle_line(
        &mut self,
        line: &[u8],
        policy: &ListenerPolicy,
        channel: Option<Channel>,
        now: SystemTime,
    ) -> Result<LoginStep, HandshakeError> {
        match (&mut self.0, &policy.secret, &policy.users) {
            (Some(Handshake::Fresh(nonce)), _, Some(_)) if UserChallenge::is_asked_for(line) => {
                let challenge = UserChallenge::new(line, *nonce, channel)?;
                let said = challenge.line();
                self.0 = Some(Handshake::User(challenge));
                Ok(LoginStep::Send(said))
            }
            (Some(Handshake::Fresh(_)), _, None) if UserChallenge::is_asked_for(line) => {
                Err(HandshakeError::NoUsers)
            }
            (Some(Handshake::Fresh(nonce)), Some(secret), _) => {
                let mut handshake = ServerHandshake::new(*nonce);
                let next = handshake.hear(line, secret)?;
                self.0 = Some(Handshake::Secret(handshake));
                Ok(next.into())
            }
            (Some(Handshake::Secret(handshake)), Some(secret), _) => {
                handshake.hear(line, secret).map(LoginStep::from)
            }
            (Some(Handshake::User(challenge)), _, Some(users)) => challenge
                .hear(line, users, &policy.server_names, now)
                .map(|user| LoginStep::Begin("welcome\n", Some(user))),
            _ => Err(HandshakeError::Malformed),
        }
    }
}

impl From<Next> for LoginStep {
    fn from(next: Next) -> LoginStep {
        match next {
            Next::Say(line) => LoginStep::Send(line),
            Next::Begin(line) => LoginStep::Begin(line, None),
        }
    }
}

/// Returns the user whose certificate has these names.
///
/// # Errors
/// No user has one of them, or the user has expired.
pub(in crate::server) fn user_of_certificate(
    names: &[String],
    policy: &ListenerPolicy,
    now: SystemTime,
) -> Result<Arc<User>, HandshakeError> {
    let user = match &policy.users {
        Some(users) => names.iter().find_map(|name| users.with_certificate(name)).map(Arc::clone),
        // Without a list of users, every name certified by the authority is a user.
        None => names.iter().find(|name| is_user_name(name)).map(|name| Arc::new(User::of_certificate(name))),
    };
    match user {
        Some(user) if user.has_expired(now) => Err(HandshakeError::Expired),
        Some(user) => Ok(user),
        None => Err(HandshakeError::UnknownUser),
    }
}

/// Describes what a listener requires besides TLS.
pub(in crate::server) fn requirement(policy: &ListenerPolicy) -> &'static str {
    match (&policy.secret, &policy.users, policy.certificates) {
        (Some(_), None, false) => "a secret",
        (Some(_), _, _) => "a secret or a user key",
        (None, None, true) => "a certificate",
        (None, _, _) => "a user key",
    }
}

/// Returns the refusal of a client without proof: `what` the listener requires, and how to send it.
pub(in crate::server) fn demand(what: &str, policy: &ListenerPolicy) -> String {
    format!("this server requires {what}: {}", shim_command(policy))
}

/// Returns the shim's command line for a listener.
fn shim_command(policy: &ListenerPolicy) -> String {
    let tls = if policy.tls.is_some() { " --tls FILE" } else { "" };
    let ways = [
        (policy.secret.is_some(), " --secret-file FILE"),
        (policy.users.is_some(), " --key FILE"),
        (policy.certificates, " --certificate FILE"),
    ];
    let ways: Vec<&str> = ways.iter().filter(|(is_way, _)| *is_way).map(|&(_, flag)| flag).collect();
    format!("connect with farboard-connect{tls}{} HOST", ways.join(" or"))
}

/// Returns the message to a client whose login has failed. `is_stranger`: it shows no shim.
pub(in crate::server) fn error_reply(
    error: &HandshakeError,
    is_stranger: bool,
    policy: &ListenerPolicy,
) -> String {
    match error {
        HandshakeError::Version => {
            "this server supports handshake versions 1 and 3 only, farboard-connect uses another: update the older of the two"
                .to_owned()
        }
        HandshakeError::Proof => {
            "the secret does not match this server's: compare the first lines of the files given \
                                 with --secret-file"
                .to_owned()
        }
        HandshakeError::NoUsers => {
            demand(&format!("{}, not a user key", requirement(policy)), policy)
        }
        HandshakeError::UnknownUser
        | HandshakeError::Expired
        | HandshakeError::OtherServer(_)
        | HandshakeError::TlsEndsEarly => error.to_string(),
        HandshakeError::Malformed | HandshakeError::Refused(_) if is_stranger => {
            demand(requirement(policy), policy)
        }
        HandshakeError::Malformed | HandshakeError::Refused(_) => {
            format!("this line does not prove {}", if policy.users.is_some() { "a user" } else { "the secret" })
        }
    }
}

/// Returns the reason for the log.
pub(in crate::server) fn refusal(error: &HandshakeError) -> Refusal {
    match error {
        HandshakeError::Version => Refusal::OtherVersion,
        HandshakeError::Proof => Refusal::WrongSecret,
        HandshakeError::UnknownUser | HandshakeError::TlsEndsEarly => Refusal::WrongUser,
        HandshakeError::Expired => Refusal::Expired,
        HandshakeError::OtherServer(_) => Refusal::OtherServer,
        HandshakeError::NoUsers | HandshakeError::Malformed | HandshakeError::Refused(_) => Refusal::NoSecret,
    }
}
