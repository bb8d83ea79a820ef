//! What a client must show before its session begins: for whom a proxy has connected, that it speaks TLS, that it knows the
//! secret, or that it is a user.

use crate::auth::handshake::{HandshakeError, Next, ServerHandshake};
use crate::auth::{Channel, NoRandomness, Nonce, User, UserChallenge, is_user_name};
use crate::protocol::proxy::HeaderReader;
use crate::server::ListenerPolicy;
use crate::server::outcome::Refusal;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

/// How long a login may take: far longer than a shim needs.
pub(in crate::server) const TIMEOUT: Duration = Duration::from_secs(10);

/// A login that is not complete.
pub(in crate::server) enum Login {
    /// A proxy is to say for whom it has connected.
    Proxy(HeaderReader),
    /// TLS, then what else is asked for.
    Keys(KeyLogin),
    /// A proxy's health check: it needs no session, and gets none.
    Probe,
}

/// TLS, and the handshake that follows it; none where nothing else is asked for, or a certificate.
pub(in crate::server) struct KeyLogin(Option<Handshake>);

/// How far a handshake is.
enum Handshake {
    /// Waits for the first line; the nonce of the challenge.
    Fresh(Nonce),
    /// Of the secret.
    Secret(ServerHandshake),
    /// Of a named user.
    User(UserChallenge),
}

/// The answer to a line of a login.
pub(in crate::server) enum LoginStep {
    /// Send this line, and wait for the next one.
    Say(String),
    /// Send this line and begin the session, of a user if there is one.
    Begin(&'static str, Option<Arc<User>>),
}

impl Login {
    /// What a listener asks of its clients; `None` if nothing.
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

    /// Whether the client has the server's proof, and has not answered with its own.
    pub(in crate::server) fn has_server_proof(&self) -> bool {
        matches!(self, Login::Keys(KeyLogin(Some(Handshake::Secret(_)))))
    }
}

impl KeyLogin {
    /// Whether lines are exchanged.
    pub(in crate::server) fn has_handshake(&self) -> bool {
        self.0.is_some()
    }

    /// Whether the client has not said anything that a shim says.
    pub(in crate::server) fn is_from_stranger(&self) -> bool {
        matches!(self.0, None | Some(Handshake::Fresh(_)))
    }

    /// Handles a line without its ending; `channel`: that of the client's TLS.
    ///
    /// # Errors
    /// The client is no shim, or does not prove what is asked for.
    pub(in crate::server) fn hear(
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
                Ok(LoginStep::Say(said))
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
            Next::Say(line) => LoginStep::Say(line),
            Next::Begin(line) => LoginStep::Begin(line, None),
        }
    }
}

/// The user whose certificate has these names.
///
/// # Errors
/// Nobody has one of them, or the user's time is over.
pub(in crate::server) fn user_of_certificate(
    names: &[String],
    policy: &ListenerPolicy,
    now: SystemTime,
) -> Result<Arc<User>, HandshakeError> {
    let user = match &policy.users {
        Some(users) => names.iter().find_map(|name| users.with_certificate(name)).map(Arc::clone),
        // Without a list, whoever the authority has named is a user.
        None => names.iter().find(|name| is_user_name(name)).map(|name| Arc::new(User::of_certificate(name))),
    };
    match user {
        Some(user) if user.has_expired(now) => Err(HandshakeError::Expired),
        Some(user) => Ok(user),
        None => Err(HandshakeError::UnknownUser),
    }
}

/// What a listener asks its clients for besides TLS.
pub(in crate::server) fn wanted(policy: &ListenerPolicy) -> &'static str {
    match (&policy.secret, &policy.users, policy.certificates) {
        (Some(_), None, false) => "a secret",
        (Some(_), _, _) => "a secret, or who you are",
        (None, None, true) => "a certificate",
        (None, _, _) => "who you are",
    }
}

/// The shim's command line for a listener.
pub(in crate::server) fn shim_command(policy: &ListenerPolicy) -> String {
    let tls = if policy.tls.is_some() { " --tls FILE" } else { "" };
    let ways = [
        (policy.secret.is_some(), " --secret-file FILE"),
        (policy.users.is_some(), " --key FILE"),
        (policy.certificates, " --certificate FILE"),
    ];
    let ways: Vec<&str> = ways.iter().filter(|(is_way, _)| *is_way).map(|&(_, flag)| flag).collect();
    format!("connect with farboard-connect{tls}{} HOST", ways.join(" or"))
}

/// The message to a client whose login has failed. `is_stranger`: it has not said anything that a shim says.
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
            "the secret is not the one of this server: compare the first lines of the files given \
                                 with --secret-file"
                .to_owned()
        }
        HandshakeError::NoUsers => {
            format!("this server asks for {}, and for no key: {}", wanted(policy), shim_command(policy))
        }
        HandshakeError::UnknownUser
        | HandshakeError::Expired
        | HandshakeError::OtherServer(_)
        | HandshakeError::TlsEndsEarly => error.to_string(),
        HandshakeError::Malformed | HandshakeError::Refused(_) if is_stranger => {
            format!("this server asks for {}: {}", wanted(policy), shim_command(policy))
        }
        HandshakeError::Malformed | HandshakeError::Refused(_) => {
            format!("this line is no proof of {}", if policy.users.is_some() { "a user" } else { "the secret" })
        }
    }
}

/// The reason in the log.
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
