//! Files with certificates and keys, as `openssl` writes them (PEM).

use super::file::{self, KeyFileError};
use rustls::pki_types::pem::{self, PemObject};
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use std::path::Path;

/// A command that makes a certificate and its key in one file, as shown by [`TlsError`] and
/// `docs/keys.md`.
const HOW_TO: &str = "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 3650 -subj \
                      /CN=HOST -addext subjectAltName=DNS:HOST -keyout farboard.pem -out farboard.pem";

/// Error of setting up TLS.
#[derive(Debug, thiserror::Error)]
pub enum TlsError {
    /// The file cannot be used.
    #[error(transparent)]
    File(KeyFileError),
    /// The file is not PEM.
    #[error("not a PEM file: {0}")]
    Pem(String),
    /// The file holds no certificate.
    #[error(
        "no certificate (BEGIN CERTIFICATE) found. Create the server's file with\n  {HOW_TO}\n\
         and the clients' file, without the key, with\n  openssl x509 -in farboard.pem -out trust.pem"
    )]
    NoCertificate,
    /// The server's file holds no private key.
    #[error(
        "no private key (BEGIN PRIVATE KEY) without a password found. The certificate and its key belong in one \
         file; create one with\n  {HOW_TO}"
    )]
    NoKey,
    /// The key does not belong to the first certificate.
    #[error("the private key does not match the first certificate in the file")]
    KeyMismatch,
    /// The certificate or the key is unusable.
    #[error(transparent)]
    Unusable(rustls::Error),
    /// The server's name is neither a DNS name nor an address, so no certificate can be for it.
    #[error("{0:?} is neither a host name nor an address")]
    BadName(String),
}

impl From<rustls::Error> for TlsError {
    fn from(error: rustls::Error) -> TlsError {
        match error {
            rustls::Error::InconsistentKeys(_) => TlsError::KeyMismatch,
            error => TlsError::Unusable(error),
        }
    }
}

/// The server's certificate chain, its own certificate first, and its key.
pub(super) fn with_key(
    path: &Path,
) -> Result<(Vec<CertificateDer<'static>>, PrivateKeyDer<'static>), TlsError> {
    let text = file::read_private(path).map_err(TlsError::File)?;
    let certificates = certificates(&text)?;
    let key = PrivateKeyDer::from_pem_slice(&text).map_err(|error| match error {
        pem::Error::NoItemsFound => TlsError::NoKey,
        error => TlsError::Pem(error.to_string()),
    })?;
    Ok((certificates, key))
}

/// The certificates to trust.
pub(super) fn to_trust(path: &Path) -> Result<Vec<CertificateDer<'static>>, TlsError> {
    certificates(&file::read_public(path).map_err(TlsError::File)?)
}

fn certificates(text: &[u8]) -> Result<Vec<CertificateDer<'static>>, TlsError> {
    let found = CertificateDer::pem_slice_iter(text).collect::<Result<Vec<_>, _>>();
    match found.map_err(|error| TlsError::Pem(error.to_string()))? {
        none if none.is_empty() => Err(TlsError::NoCertificate),
        some => Ok(some),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_is_that_of_the_document() {
        assert!(include_str!("../../docs/keys.md").contains(HOW_TO));
    }
}
