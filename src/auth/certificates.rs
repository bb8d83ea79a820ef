//! Files with certificates and keys, as `openssl` writes them (PEM).

use super::file::{self, KeyFileError};
use rustls::pki_types::pem::{self, PemObject};
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use std::fmt;
use std::path::Path;

/// A command that makes a certificate and its key in one file, as shown by [`TlsError`] and `docs/keys.md`.
const HOW_TO: &str = "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 3650 -subj \
                      /CN=HOST -addext subjectAltName=DNS:HOST -keyout farboard.pem -out farboard.pem";

/// Error of setting up TLS.
#[derive(Debug)]
pub enum TlsError {
    /// The file cannot be used.
    File(KeyFileError),
    /// The file is not PEM.
    Pem(String),
    /// The file holds no certificate.
    NoCertificate,
    /// The server's file holds no private key.
    NoKey,
    /// The certificate or the key is unusable, or they do not belong together.
    Unusable(rustls::Error),
    /// The server's name is neither a DNS name nor an address, so no certificate can be for it.
    BadName(String),
}

impl fmt::Display for TlsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TlsError::File(error) => write!(f, "{error}"),
            TlsError::Pem(reason) => write!(f, "it is not in the form of PEM: {reason}"),
            TlsError::NoCertificate => write!(
                f,
                "there is no certificate (BEGIN CERTIFICATE) in it. The server's own is made by\n  {HOW_TO}\n\
                 and the clients' file, without the key, by\n  openssl x509 -in farboard.pem -out trust.pem"
            ),
            TlsError::NoKey => write!(
                f,
                "there is no private key (BEGIN PRIVATE KEY) without a password in it. Certificate and key \
                 belong into one file; one of your own is made by\n  {HOW_TO}"
            ),
            TlsError::Unusable(rustls::Error::InconsistentKeys(_)) => {
                f.write_str("the private key is not that of the first certificate in it")
            }
            TlsError::Unusable(error) => write!(f, "{error}"),
            TlsError::BadName(name) => write!(f, "{name:?} is neither a name nor an address"),
        }
    }
}

impl std::error::Error for TlsError {}

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
