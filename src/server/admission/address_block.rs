//! The unit in which addresses are counted: an IPv4 address, or an IPv6 /64 network, all of whose
//! addresses belong to one owner.

use std::net::{IpAddr, Ipv6Addr};

/// Bits of an IPv6 address that its owner cannot choose.
const IPV6_PREFIX: u32 = 64;

/// Returns the address that stands for a block: an IPv4 address itself, even if mapped to IPv6; the
/// first address of an IPv6 /64.
pub(in crate::server) fn address_block(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(address) => {
            let bits = u128::from(address) >> (128 - IPV6_PREFIX) << (128 - IPV6_PREFIX);
            IpAddr::V6(Ipv6Addr::from(bits))
        }
        address => address,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_ipv4_address_and_an_ipv6_network_are_blocks() {
        let of = |text: &str| address_block(text.parse().unwrap()).to_string();
        assert_eq!(of("192.0.2.7"), "192.0.2.7");
        assert_eq!(of("::ffff:192.0.2.7"), "192.0.2.7");
        assert_eq!(of("2001:db8:1:2:3:4:5:6"), "2001:db8:1:2::");
        assert_eq!(of("2001:db8:1:2::"), of("2001:db8:1:2:ffff:ffff:ffff:ffff"));
        assert_ne!(of("2001:db8:1:2::1"), of("2001:db8:1:3::1"));
    }
}
