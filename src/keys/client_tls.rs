//! The shim's end of TLS: bytes in, bytes out.

use super::tls::TlsError;
use rustls::pki_types::ServerName;
use rustls::{ClientConfig, ClientConnection, Error};
use std::io::{ErrorKind, Read, Write};
use std::sync::Arc;

/// One TLS connection to a server. Whoever has its socket tells what was read there, and writes to it what
/// [`ClientTls::take_output`] gives, from the beginning and after every other call.
#[derive(Debug)]
pub struct ClientTls {
    connection: ClientConnection,
    /// What was to be sent before the handshake was over.
    waiting: Vec<u8>,
    finishing: bool,
    /// The server has said that nothing more comes.
    ended: bool,
}

impl ClientTls {
    /// Begins with the server of that name or address.
    ///
    /// # Errors
    /// The name is none that a certificate could be for.
    pub fn new(config: Arc<ClientConfig>, host: &str) -> Result<ClientTls, TlsError> {
        let bad_name = || TlsError::BadName(host.to_owned());
        let name = ServerName::try_from(host.to_owned()).map_err(|_| bad_name())?;
        let mut connection = ClientConnection::new(config, name).map_err(TlsError::Unusable)?;
        // What may wait is for the caller to say.
        connection.set_buffer_limit(None);
        Ok(ClientTls { connection, waiting: Vec::new(), finishing: false, ended: false })
    }

    /// Whether both sides have agreed, and the server is the one that was meant.
    pub fn is_established(&self) -> bool {
        !self.connection.is_handshaking()
    }

    /// Whether the server has said that nothing more comes. Without that, the end of the connection may be the work
    /// of somebody else, and something may be missing.
    pub fn has_ended(&self) -> bool {
        self.ended
    }

    /// Takes bytes from the server, and appends what they mean.
    ///
    /// # Errors
    /// What came is not of a server that is trusted; [`explain`](super::tls::explain) has words for it. There is still
    /// output, which tells the server so.
    pub fn received(&mut self, mut bytes: &[u8], plain: &mut Vec<u8>) -> Result<(), Error> {
        while !bytes.is_empty() && !self.ended {
            // Memory is all that is read from and written to here: it does not fail.
            self.connection.read_tls(&mut bytes).map_err(|error| Error::General(error.to_string()))?;
            self.connection.process_new_packets()?;
            self.take_plain(plain)?;
        }
        if self.is_established() {
            self.send_waiting();
        }
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

    /// Sends this, as soon as both sides have agreed.
    pub fn send(&mut self, plain: &[u8]) {
        if self.finishing {
            return;
        }
        self.waiting.extend_from_slice(plain);
        if self.is_established() {
            self.send_waiting();
        }
    }

    /// Says that nothing more will be sent, after what was. What the server sends is still received.
    pub fn finish(&mut self) {
        self.finishing = true;
        if self.is_established() {
            self.send_waiting();
        }
    }

    fn send_waiting(&mut self) {
        // Without a limit on the buffer all of it is taken.
        if self.connection.writer().write_all(&self.waiting).is_err() {
            log::error!("TLS does not take what is to be sent");
        }
        self.waiting.clear();
        if self.finishing {
            self.connection.send_close_notify();
        }
    }

    /// Appends what is to be written to the socket.
    pub fn take_output(&mut self, output: &mut Vec<u8>) {
        while self.connection.wants_write() {
            if self.connection.write_tls(output).is_err() {
                return;
            }
        }
    }
}
