//! The unit in which addresses are counted: an IPv4 address, or an IPv6 /64 network, whose owner has all of
//! its addresses.

use std::net::{IpAddr, Ipv6Addr};

/// The bits of an IPv6 address that its owner cannot choose.
const IPV6_PREFIX: u32 = 64;

/// The address that stands for the block of an address: in IPv4 itself, also where it is written as IPv6; in
/// IPv6 the first address of its /64.
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
    fn an_address_of_ipv4_and_a_network_of_ipv6() {
        let of = |text: &str| address_block(text.parse().unwrap()).to_string();
        assert_eq!(of("192.0.2.7"), "192.0.2.7");
        assert_eq!(of("::ffff:192.0.2.7"), "192.0.2.7");
        assert_eq!(of("2001:db8:1:2:3:4:5:6"), "2001:db8:1:2::");
        assert_eq!(of("2001:db8:1:2::"), of("2001:db8:1:2:ffff:ffff:ffff:ffff"));
        assert_ne!(of("2001:db8:1:2::1"), of("2001:db8:1:3::1"));
    }
}
