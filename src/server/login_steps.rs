//! What a client must show before its session begins: for whom a proxy has connected, that it speaks TLS, and that it knows the
//! secret.

use super::ListenerPolicy;
use super::access_log::Refusal;
use crate::auth::handshake::{HandshakeError, ServerHandshake};
use crate::auth::{NoRandomness, Nonce};
use crate::protocol::proxy::HeaderReader;
use std::time::Duration;

/// How long a login may take: far longer than a shim needs.
pub(super) const TIMEOUT: Duration = Duration::from_secs(10);

/// A login that is not complete.
pub(super) enum Login {
    /// A proxy is to say for whom it has connected.
    Proxy(HeaderReader),
    /// TLS, then the handshake about the secret, if one is asked for.
    Keys(Option<ServerHandshake>),
    /// A proxy's health check: it needs no session, and gets none.
    Probe,
}

impl Login {
    /// What a listener asks of its clients; `None` if nothing.
    ///
    /// # Errors
    /// The system has no random number for a challenge.
    pub(super) fn new(policy: &ListenerPolicy) -> Result<Option<Login>, NoRandomness> {
        if !policy.requires_login() {
            return Ok(None);
        }
        let handshake = policy.secret.as_ref().map(|_| Nonce::random().map(ServerHandshake::new));
        Ok(Some(Login::Keys(handshake.transpose()?)))
    }

    /// Whether the client has the server's proof, and has not answered with its own.
    pub(super) fn has_server_proof(&self) -> bool {
        matches!(self, Login::Keys(Some(handshake)) if !handshake.is_from_stranger())
    }
}

/// The shim's command line for a listener.
pub(super) fn shim_command(policy: &ListenerPolicy) -> String {
    let tls = if policy.tls.is_some() { " --tls FILE" } else { "" };
    let secret = if policy.secret.is_some() { " --secret-file FILE" } else { "" };
    format!("connect with farboard-connect{tls}{secret} HOST")
}

/// The message to a client whose login has failed. `is_stranger`: it has not said anything that a shim says.
pub(super) fn complaint(error: &HandshakeError, is_stranger: bool, policy: &ListenerPolicy) -> String {
    match error {
        HandshakeError::Version => {
            "this server supports handshake version 1 only, farboard-connect uses another: update the older of the two"
                .to_owned()
        }
        HandshakeError::Proof => {
            "the secret is not the one of this server: compare the first lines of the files given \
                                 with --secret-file"
                .to_owned()
        }
        HandshakeError::Malformed | HandshakeError::Refused(_) if is_stranger => {
            format!("this server asks for a secret: {}", shim_command(policy))
        }
        HandshakeError::Malformed | HandshakeError::Refused(_) => {
            "this line is no proof of the secret".to_owned()
        }
    }
}

/// The reason in the log.
pub(super) fn refusal(error: &HandshakeError) -> Refusal {
    match error {
        HandshakeError::Version => Refusal::OtherVersion,
        HandshakeError::Proof => Refusal::WrongSecret,
        HandshakeError::Malformed | HandshakeError::Refused(_) => Refusal::NoSecret,
    }
}
