//! The names that a client's certificate gives to its owner.

use rustls::pki_types::CertificateDer;
use webpki::EndEntityCert;

/// The object identifier of a common name, 2.5.4.3, in DER.
const COMMON_NAME: [u8; 3] = [0x55, 0x04, 0x03];
/// Tags of DER.
const OBJECT_IDENTIFIER: u8 = 0x06;
const UTF8: u8 = 0x0c;
const PRINTABLE: u8 = 0x13;
const IA5: u8 = 0x16;
const SEQUENCE: u8 = 0x30;
const SET: u8 = 0x31;

/// The common names of the subject, and then the DNS names of a certificate that was verified
/// before.
pub(crate) fn names_in(certificate: &CertificateDer<'_>) -> Vec<String> {
    let Ok(certificate) = EndEntityCert::try_from(certificate) else { return Vec::new() };
    let mut names = common_names(certificate.subject());
    names.extend(certificate.valid_dns_names().map(str::to_owned));
    names
}

/// The common names in a subject, the inside of a sequence of sets of pairs.
fn common_names(subject: &[u8]) -> Vec<String> {
    let pairs = elements(subject)
        .filter(|&(tag, _)| tag == SET)
        .flat_map(|(_, set)| elements(set))
        .filter(|&(tag, _)| tag == SEQUENCE);
    let named = pairs.filter_map(|(_, pair)| {
        let mut parts = elements(pair);
        let (kind, value) = (parts.next()?, parts.next()?);
        let is_name =
            kind == (OBJECT_IDENTIFIER, &COMMON_NAME[..]) && matches!(value.0, UTF8 | PRINTABLE | IA5);
        std::str::from_utf8(value.1).ok().filter(|_| is_name).map(str::to_owned)
    });
    named.collect()
}

/// Iterates over DER elements as tag and contents, up to the first invalid one.
fn elements(mut bytes: &[u8]) -> impl Iterator<Item = (u8, &[u8])> {
    std::iter::from_fn(move || {
        let (&tag, rest) = bytes.split_first()?;
        let (&first, mut rest) = rest.split_first()?;
        let mut length = usize::from(first);
        if first & 0x80 != 0 {
            let digits =
                rest.get(..usize::from(first & 0x7f)).filter(|digits| (1..=3).contains(&digits.len()))?;
            length = digits.iter().fold(0, |length, &digit| length << 8 | usize::from(digit));
            rest = &rest[digits.len()..];
        }
        let contents = rest.get(..length)?;
        bytes = &rest[length..];
        Some((tag, contents))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use rcgen::{CertificateParams, DnType, KeyPair};

    fn certificate(common: &str, names: &[&str]) -> CertificateDer<'static> {
        let names: Vec<String> = names.iter().map(|name| name.to_string()).collect();
        let mut parameters = CertificateParams::new(names).expect("names");
        parameters.distinguished_name.push(DnType::OrganizationName, "alice");
        parameters.distinguished_name.push(DnType::CommonName, common);
        let key = KeyPair::generate().expect("a key");
        parameters.self_signed(&key).expect("a certificate").der().clone()
    }

    #[test]
    fn the_common_name_comes_before_the_others() {
        assert_eq!(names_in(&certificate("bob", &[])), ["bob"]);
        assert_eq!(
            names_in(&certificate("bob", &["b.example", "c.example"])),
            ["bob", "b.example", "c.example"]
        );
        let long = "n".repeat(300);
        assert_eq!(names_in(&certificate(&long, &[])), [long]);
        assert!(names_in(&CertificateDer::from(vec![1, 2, 3])).is_empty());
    }

    proptest! {
        #[test]
        fn no_bytes_make_it_panic(bytes in proptest::collection::vec(any::<u8>(), 0..100)) {
            common_names(&bytes);
            let set: Vec<u8> = [&[SET, bytes.len() as u8, SEQUENCE], &bytes[..]].concat();
            common_names(&set);
        }
    }
}
