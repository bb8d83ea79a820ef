//! TLS between shim and server: configuration and trust, one file on each side.
//!
//! The server's file holds its certificate, any intermediate certificates, and the private key. The
//! shim's file holds trusted certificates: the server's own, or an authority's that signed it.

pub use super::certificates::TlsError;

use super::certificates;
use ring::signature::RsaKeyPair;
use rustls::client::WebPkiServerVerifier;
use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::crypto::CryptoProvider;
use rustls::pki_types::{CertificateDer, PrivateKeyDer, ServerName, UnixTime};
use rustls::server::danger::ClientCertVerifier;
use rustls::server::{NoServerSessionStorage, ParsedCertificate, WebPkiClientVerifier};
use rustls::{
    AlertDescription, CertificateError, ClientConfig, DigitallySignedStruct, Error, RootCertStore,
    ServerConfig, SignatureScheme,
};
use std::path::Path;
use std::sync::Arc;

/// Size in bits above which an RSA key is warned of. Twice the bits take about eight times as long
/// to sign.
const MAX_FAST_RSA_BITS: usize = 2048;

/// Configuration of a server with this file. Clients that show a certificate must show one that an
/// authority in the file `clients` has signed.
///
/// # Errors
/// The file cannot be read or is not private, or does not hold a certificate with its key; or the
/// other file holds no certificates of authorities.
pub fn server(path: &Path, clients: Option<&Path>) -> Result<Arc<ServerConfig>, TlsError> {
    let (certificates, key) = certificates::with_key(path)?;
    if let Some(bits) = rsa_bits(&key).filter(|&bits| bits > MAX_FAST_RSA_BITS) {
        log::warn!(
            "the key in {} is slow: RSA with {bits} bits takes milliseconds of a core for each client that connects, a key \
             on the curve P-256 some hundredths of one. docs/keys.md tells how to make such a key",
            path.display()
        );
    }
    let mut config = ServerConfig::builder_with_provider(provider())
        .with_safe_default_protocol_versions()?
        .with_client_cert_verifier(verifier_of_clients(clients)?)
        .with_single_cert(certificates, key)?;
    // Connections last for hours, so resumption saves nothing. A client that closes before it has
    // read a ticket would reset the connection.
    config.session_storage = Arc::new(NoServerSessionStorage {});
    config.send_tls13_tickets = 0;
    Ok(Arc::new(config))
}

/// Accepts clients without a certificate, as there may be other ways to log in, and with one of
/// these authorities.
fn verifier_of_clients(clients: Option<&Path>) -> Result<Arc<dyn ClientCertVerifier>, TlsError> {
    let Some(path) = clients else { return Ok(WebPkiClientVerifier::no_client_auth()) };
    let mut roots = RootCertStore::empty();
    for certificate in certificates::to_trust(path)? {
        roots.add(certificate)?;
    }
    let verifier = WebPkiClientVerifier::builder_with_provider(Arc::new(roots), provider());
    let verifier = verifier.allow_unauthenticated().build();
    verifier.map_err(|error| TlsError::Unusable(Error::General(error.to_string())))
}

/// Configuration of a shim with this file, and perhaps the shim's own certificate and its key in a
/// second file.
///
/// # Errors
/// The file cannot be read, or holds no certificate; or the second one holds none with its key.
pub fn client(path: &Path, own: Option<&Path>) -> Result<Arc<ClientConfig>, TlsError> {
    let trusted = Trusted::new(certificates::to_trust(path)?)?;
    let config = ClientConfig::builder_with_provider(provider())
        .with_safe_default_protocol_versions()?
        .dangerous()
        .with_custom_certificate_verifier(Arc::new(trusted));
    let config = match own {
        None => config.with_no_client_auth(),
        Some(path) => {
            let (certificates, key) = certificates::with_key(path)?;
            config.with_client_auth_cert(certificates, key)?
        }
    };
    Ok(Arc::new(config))
}

/// Size of an RSA key in bits; `None` for other keys and for unusable ones.
fn rsa_bits(key: &PrivateKeyDer<'_>) -> Option<usize> {
    let key = match key {
        PrivateKeyDer::Pkcs1(key) => RsaKeyPair::from_der(key.secret_pkcs1_der()),
        PrivateKeyDer::Pkcs8(key) => RsaKeyPair::from_pkcs8(key.secret_pkcs8_der()),
        _ => return None,
    };
    key.ok().map(|key| key.public().modulus_len() * 8)
}

fn provider() -> Arc<CryptoProvider> {
    Arc::new(rustls::crypto::ring::default_provider())
}

/// Trusts a server that shows a certificate of the file itself, or one signed by a certificate of
/// the file. Either must be for the name that the user gave.
///
/// The former is not left to the rules for authorities: a certificate of `openssl req -x509` calls
/// itself an authority, which those rules do not accept from a server, and that it expires would
/// not make it another's.
#[derive(Debug)]
struct Trusted {
    certificates: Vec<CertificateDer<'static>>,
    signed: Arc<WebPkiServerVerifier>,
}

impl Trusted {
    fn new(certificates: Vec<CertificateDer<'static>>) -> Result<Trusted, TlsError> {
        let mut roots = RootCertStore::empty();
        for certificate in &certificates {
            roots.add(certificate.clone())?;
        }
        let signed = WebPkiServerVerifier::builder_with_provider(Arc::new(roots), provider()).build();
        let signed = signed.map_err(|error| TlsError::Unusable(Error::General(error.to_string())))?;
        Ok(Trusted { certificates, signed })
    }
}

impl ServerCertVerifier for Trusted {
    fn verify_server_cert(
        &self,
        shown: &CertificateDer<'_>,
        between: &[CertificateDer<'_>],
        name: &ServerName<'_>,
        ocsp: &[u8],
        now: UnixTime,
    ) -> Result<ServerCertVerified, Error> {
        if !self.certificates.contains(shown) {
            return self.signed.verify_server_cert(shown, between, name, ocsp, now);
        }
        rustls::client::verify_server_name(&ParsedCertificate::try_from(shown)?, name)?;
        Ok(ServerCertVerified::assertion())
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        self.signed.verify_tls12_signature(message, certificate, signed)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        self.signed.verify_tls13_signature(message, certificate, signed)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.signed.supported_verify_schemes()
    }
}

/// Explains a TLS error to the user of a shim, in one line.
pub fn explain(error: &Error) -> String {
    match error {
        Error::InvalidCertificate(
            CertificateError::NotValidForName | CertificateError::NotValidForNameContext { .. },
        ) => "the server's certificate is for another name: give HOST as the certificate has it".to_owned(),
        Error::InvalidCertificate(CertificateError::Expired | CertificateError::ExpiredContext { .. }) => {
            "the server's certificate has expired".to_owned()
        }
        Error::InvalidCertificate(_) => {
            "the server's certificate is not to be trusted: it is not in the file given with \
                                         --tls, nor signed by one that is"
                .to_owned()
        }
        Error::AlertReceived(
            AlertDescription::UnknownCA
            | AlertDescription::BadCertificate
            | AlertDescription::UnsupportedCertificate
            | AlertDescription::CertificateExpired
            | AlertDescription::CertificateUnknown
            | AlertDescription::DecryptError,
        ) => "the server does not accept the certificate given with --certificate".to_owned(),
        Error::InvalidMessage(_) => {
            "the server does not speak TLS there: connect without --tls, or to another port".to_owned()
        }
        other => other.to_string().split_whitespace().collect::<Vec<_>>().join(" "),
    }
}

#[cfg(test)]
mod tests;
