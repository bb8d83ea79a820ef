//! How shim and server prove to each other that they know the same secret: four lines, before anything else.
//!
//! ```text
//! shim:   farboard-connect 1 NONCE
//! server: farboard 1 NONCE PROOF
//! shim:   proof PROOF
//! server: welcome
//! ```
//!
//! A nonce is a number that its side has just made, a proof the HMAC-SHA256, under the secret, of who proves it and of
//! both nonces. So a proof is good for one connection, and for one side of it. Instead of any of its lines the server
//! may say `tellusererror REASON` and close, which a client that is no shim can show.

use super::nonce::{LENGTH, read_hex, write_hex};
use super::{Nonce, Secret};
use std::fmt;

/// What the shim's first line begins with.
const SHIM: &str = "farboard-connect";
/// What the server's first line begins with.
const SERVER: &str = "farboard";
/// What the shim's second line begins with.
const PROOF: &str = "proof";
const WELCOME: &str = "welcome";
/// The version of the greeting.
const VERSION: &str = "1";

/// Why the greeting is over, and nobody in.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum GreetingError {
    /// A line without a meaning here.
    Malformed,
    /// The other side knows another version only.
    Version,
    /// The other side does not know the secret.
    Proof,
    /// The server has said why it lets nobody in.
    Refused(String),
}

/// The shim's view of why it is not in, in words for a dialog.
impl fmt::Display for GreetingError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            GreetingError::Malformed => f.write_str(
                "the server does not prove that it knows the secret. If it asks for none, connect without \
                 --secret-file and FARBOARD_SECRET",
            ),
            GreetingError::Version => f.write_str("server and farboard-connect are of different versions"),
            GreetingError::Proof => f.write_str(
                "the server knows another secret: compare the first lines of the files given with --secret-file",
            ),
            GreetingError::Refused(reason) => f.write_str(reason),
        }
    }
}

impl std::error::Error for GreetingError {}

/// Who proves that it knows the secret.
#[derive(Clone, Copy)]
enum Role {
    Shim,
    Server,
}

/// What is proved with: who proves it, in which connection.
fn claim(role: Role, shim: &Nonce, server: &Nonce) -> Vec<u8> {
    let role: &[u8] = match role {
        Role::Shim => b"farboard greeting 1, shim\0",
        Role::Server => b"farboard greeting 1, server\0",
    };
    [role, &shim.0, &server.0].concat()
}

/// A proof, as 64 digits when it is sent.
struct Proof([u8; LENGTH]);

impl Proof {
    fn new(secret: &Secret, role: Role, shim: &Nonce, server: &Nonce) -> Proof {
        let mut bytes = [0; LENGTH];
        bytes.copy_from_slice(secret.sign(&claim(role, shim, server)).as_ref());
        Proof(bytes)
    }

    fn read(text: &str) -> Result<Proof, GreetingError> {
        read_hex(text).map(Proof).ok_or(GreetingError::Malformed)
    }

    fn check(&self, secret: &Secret, role: Role, shim: &Nonce, server: &Nonce) -> Result<(), GreetingError> {
        let is_right = secret.is_signature(&claim(role, shim, server), &self.0);
        if is_right { Ok(()) } else { Err(GreetingError::Proof) }
    }
}

impl fmt::Display for Proof {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_hex(f, &self.0)
    }
}

/// What follows from a line of the other side.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Next {
    /// Say this, with its line end, and wait for the next line.
    Say(String),
    /// Say this, with its line end, which may be nothing; the greeting is over, and the session begins.
    Begin(&'static str),
}

/// The server's side of one greeting.
#[derive(Debug)]
pub struct ServerGreeting {
    server: Nonce,
    /// Set by the first line.
    shim: Option<Nonce>,
}

impl ServerGreeting {
    /// Waits for the shim's first line; `nonce` must be new.
    pub fn new(nonce: Nonce) -> ServerGreeting {
        ServerGreeting { server: nonce, shim: None }
    }

    /// Whether the other side has said nothing that only a shim says.
    pub fn is_of_stranger(&self) -> bool {
        self.shim.is_none()
    }

    /// Takes a line without its end.
    ///
    /// # Errors
    /// The client is no shim, of another version, or does not know the secret.
    pub fn hear(&mut self, line: &[u8], secret: &Secret) -> Result<Next, GreetingError> {
        let words = words(line)?;
        match (&self.shim, words.as_slice()) {
            (None, [SHIM, VERSION, nonce]) => {
                let shim = nonce.parse()?;
                self.shim = Some(shim);
                let proof = Proof::new(secret, Role::Server, &shim, &self.server);
                Ok(Next::Say(format!("{SERVER} {VERSION} {} {proof}\n", self.server)))
            }
            (None, [SHIM, version, _]) if *version != VERSION => Err(GreetingError::Version),
            (Some(shim), [PROOF, proof]) => {
                Proof::read(proof)?.check(secret, Role::Shim, shim, &self.server)?;
                Ok(Next::Begin("welcome\n"))
            }
            _ => Err(GreetingError::Malformed),
        }
    }
}

/// The shim's side of one greeting.
#[derive(Debug)]
pub struct ShimGreeting {
    secret: Secret,
    shim: Nonce,
    /// Whether the server has proved that it knows the secret.
    server_is_known: bool,
}

impl ShimGreeting {
    /// Waits for the server's first line, which comes after [`ShimGreeting::first_line`] was sent; `nonce` must be new.
    pub fn new(secret: Secret, nonce: Nonce) -> ShimGreeting {
        ShimGreeting { secret, shim: nonce, server_is_known: false }
    }

    /// What the shim says first, with its line end.
    pub fn first_line(&self) -> String {
        format!("{SHIM} {VERSION} {}\n", self.shim)
    }

    /// Takes a line without its end.
    ///
    /// # Errors
    /// The server does not let us in, or does not know the secret.
    pub fn hear(&mut self, line: &[u8]) -> Result<Next, GreetingError> {
        if let Some(reason) = line.strip_prefix(b"tellusererror ") {
            return Err(GreetingError::Refused(String::from_utf8_lossy(reason).trim().to_owned()));
        }
        let words = words(line)?;
        match (self.server_is_known, words.as_slice()) {
            (false, [SERVER, VERSION, nonce, proof]) => {
                let server = nonce.parse()?;
                Proof::read(proof)?.check(&self.secret, Role::Server, &self.shim, &server)?;
                self.server_is_known = true;
                let proof = Proof::new(&self.secret, Role::Shim, &self.shim, &server);
                Ok(Next::Say(format!("{PROOF} {proof}\n")))
            }
            (true, [WELCOME]) => Ok(Next::Begin("")),
            _ => Err(GreetingError::Malformed),
        }
    }
}

fn words(line: &[u8]) -> Result<Vec<&str>, GreetingError> {
    let line = std::str::from_utf8(line).map_err(|_| GreetingError::Malformed)?;
    Ok(line.split(' ').collect())
}

#[cfg(test)]
mod tests;
