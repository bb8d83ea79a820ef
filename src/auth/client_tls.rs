//! TLS of the shim: bytes in, bytes out.

use super::tls::TlsError;
use super::user_login::{CHANNEL_LABEL, Channel};
use rustls::pki_types::ServerName;
use rustls::{ClientConfig, ClientConnection, Error};
use std::io::{ErrorKind, Read, Write};
use std::sync::Arc;

/// A TLS connection to a server, sans-io. The owner of the socket passes in bytes read, and writes
/// what [`ClientTls::take_output`] gives: at the beginning and after every other call.
#[derive(Debug)]
pub(crate) struct ClientTls {
    connection: ClientConnection,
    /// Whether the shim's side ends after everything sent so far.
    finishing: bool,
    /// The server has ended its side (close_notify).
    ended: bool,
}

impl ClientTls {
    /// Starts TLS with the server of this name or address.
    ///
    /// # Errors
    /// The name is neither a DNS name nor an address.
    pub(crate) fn new(config: Arc<ClientConfig>, host: &str) -> Result<ClientTls, TlsError> {
        let bad_name = || TlsError::BadName(host.to_owned());
        let name = ServerName::try_from(host.to_owned()).map_err(|_| bad_name())?;
        let mut connection = ClientConnection::new(config, name)?;
        // The caller limits how much may be buffered.
        connection.set_buffer_limit(None);
        Ok(ClientTls { connection, finishing: false, ended: false })
    }

    /// Whether the handshake is complete, and the server is the one that was meant.
    pub(crate) fn is_established(&self) -> bool {
        !self.connection.is_handshaking()
    }

    /// The channel of this connection, once it is established.
    pub(crate) fn channel(&self) -> Option<Channel> {
        self.connection.export_keying_material([0; 32], CHANNEL_LABEL, None).ok().map(Channel)
    }

    /// Whether the server has ended its side. Otherwise an attacker may have cut the connection,
    /// and something may be missing.
    pub(crate) fn has_ended(&self) -> bool {
        self.ended
    }

    /// Takes bytes from the server, and appends the plain text.
    ///
    /// # Errors
    /// The server is not trusted or violates the protocol; [`explain`](super::tls::explain) says it
    /// in words. There is still output: an alert for the server.
    pub(crate) fn received(&mut self, mut bytes: &[u8], plain: &mut Vec<u8>) -> Result<(), Error> {
        while !bytes.is_empty() && !self.ended {
            // Reading from and writing to memory does not fail.
            self.connection.read_tls(&mut bytes).map_err(|error| Error::General(error.to_string()))?;
            self.connection.process_new_packets()?;
            self.take_plain(plain)?;
        }
        self.finish_if_established();
        Ok(())
    }

    fn take_plain(&mut self, plain: &mut Vec<u8>) -> Result<(), Error> {
        match self.connection.reader().read_to_end(plain) {
            Ok(_) => {
                self.ended = true;
                Ok(())
            }
            Err(error) if error.kind() == ErrorKind::WouldBlock => Ok(()),
            Err(error) => Err(Error::General(error.to_string())),
        }
    }

    /// Sends plain text, after the handshake if that is still going on.
    pub(crate) fn send(&mut self, plain: &[u8]) {
        // TLS keeps what comes before the end of the handshake, without a limit.
        if !self.finishing && self.connection.writer().write_all(plain).is_err() {
            log::error!("TLS does not take what is to be sent");
        }
    }

    /// Ends the shim's side after everything sent so far. The server may still send.
    pub(crate) fn finish(&mut self) {
        self.finishing = true;
        self.finish_if_established();
    }

    fn finish_if_established(&mut self) {
        if self.finishing && self.is_established() {
            self.connection.send_close_notify();
        }
    }

    /// Appends bytes to be written to the socket.
    pub(crate) fn take_output(&mut self, output: &mut Vec<u8>) {
        while self.connection.wants_write() {
            if self.connection.write_tls(output).is_err() {
                return;
            }
        }
    }
}
