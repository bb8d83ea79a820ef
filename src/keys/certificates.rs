//! Files with certificates and keys, as `openssl` writes them (PEM).

use super::file::{self, KeyFileError};
use rustls::pki_types::pem::{self, PemObject};
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use std::fmt;
use std::path::Path;

/// Makes a certificate and its key in one file, as [`TlsError`] and `docs/keys.md` show.
const HOW_TO: &str = "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 3650 -subj \
                      /CN=HOST -addext subjectAltName=DNS:HOST -keyout farboard.pem -out farboard.pem";

/// Why there is no TLS.
#[derive(Debug)]
pub enum TlsError {
    /// The file cannot be used.
    File(KeyFileError),
    /// The file is not in the form of PEM.
    Pem(String),
    /// No certificate is in the file.
    NoCertificate,
    /// No private key is in the server's file.
    NoKey,
    /// Certificate and key cannot be used, or not together.
    Unusable(rustls::Error),
    /// The server is not called by a name or address that a certificate could hold.
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

/// The certificates of a server, its own first, and the key to that.
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
