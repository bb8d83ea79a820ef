//! What a client must show before its session begins: that it speaks TLS, and that it knows the secret.

use super::ListenerPolicy;
use super::access_log::Refusal;
use crate::keys::greeting::{GreetingError, ServerGreeting};
use crate::keys::{NoRandomness, Nonce};
use std::time::Duration;

/// How long a login may take: far longer than a shim needs.
pub(super) const TIMEOUT: Duration = Duration::from_secs(10);

/// A login that is not complete.
pub(super) struct Login {
    /// Follows TLS; `None` where no secret is asked for.
    pub(super) greeting: Option<ServerGreeting>,
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
        let greeting = policy.secret.as_ref().map(|_| Nonce::random().map(ServerGreeting::new));
        Ok(Some(Login { greeting: greeting.transpose()? }))
    }

    /// Whether the client has the server's proof, and has not answered with its own.
    pub(super) fn has_server_proof(&self) -> bool {
        self.greeting.as_ref().is_some_and(|greeting| !greeting.is_of_stranger())
    }
}

/// The shim's command line for a listener.
pub(super) fn shim_command(policy: &ListenerPolicy) -> String {
    let tls = if policy.tls.is_some() { " --tls FILE" } else { "" };
    let secret = if policy.secret.is_some() { " --secret-file FILE" } else { "" };
    format!("connect with farboard-connect{tls}{secret} HOST")
}

/// The message to a client whose login has failed. `is_stranger`: it has not said anything that a shim says.
pub(super) fn complaint(error: &GreetingError, is_stranger: bool, policy: &ListenerPolicy) -> String {
    match error {
        GreetingError::Version => {
            "this server knows only version 1 of the greeting, farboard-connect another: update the older"
                .to_owned()
        }
        GreetingError::Proof => {
            "the secret is not the one of this server: compare the first lines of the files given \
                                 with --secret-file"
                .to_owned()
        }
        GreetingError::Malformed | GreetingError::Refused(_) if is_stranger => {
            format!("this server asks for a secret: {}", shim_command(policy))
        }
        GreetingError::Malformed | GreetingError::Refused(_) => {
            "this line is no proof of the secret".to_owned()
        }
    }
}

/// The reason in the log.
pub(super) fn refusal(error: &GreetingError) -> Refusal {
    match error {
        GreetingError::Version => Refusal::OtherVersion,
        GreetingError::Proof => Refusal::WrongSecret,
        GreetingError::Malformed | GreetingError::Refused(_) => Refusal::NoSecret,
    }
}
