//! The host by which clients call a server, as its certificate has it.

use super::certificates;
use rustls::pki_types::ServerName;
use rustls::server::ParsedCertificate;
use std::net::IpAddr;
use std::path::Path;
use webpki::EndEntityCert;

/// A host by which clients can call a server at this address that has this file with its
/// certificate: the address if the certificate is for it, or the first name in it. `None` if there
/// is neither, or the file cannot be read.
pub(crate) fn server_host(path: &Path, address: IpAddr) -> Option<String> {
    let certificates = certificates::to_trust(path).ok()?;
    let own = certificates.first()?;
    let parsed = ParsedCertificate::try_from(own).ok()?;
    let is_for = |host: &str| {
        let name = ServerName::try_from(host);
        name.is_ok_and(|name| rustls::client::verify_server_name(&parsed, &name).is_ok())
    };
    let address = address.to_string();
    if is_for(&address) {
        return Some(address);
    }
    let names = EndEntityCert::try_from(own).ok()?;
    names.valid_dns_names().find(|name| is_for(name)).map(str::to_owned)
}
