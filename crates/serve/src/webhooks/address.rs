//! Where a webhook may go: http and https, to addresses of the public network. A name is resolved once, what it
//! resolves to is checked, and the connection is made to what was checked, so that a name which changes its mind in
//! between gains nothing.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::time::Duration;

use url::{Host, Url};

/// Longest address, in bytes.
const LONGEST: usize = 2000;
const RESOLVING: Duration = Duration::from_secs(5);

/// Which addresses may be told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reach {
    Public,
    /// Those of this machine and of its network too.
    Anywhere,
}

/// What can be seen of an address without asking anybody.
pub(crate) fn parse(text: &str, reach: Reach) -> Result<Url, String> {
    if text.len() > LONGEST {
        return Err(format!("it is longer than {LONGEST} bytes"));
    }
    let url = Url::parse(text).map_err(|error| format!("it cannot be read: {error}"))?;
    if !matches!(url.scheme(), "http" | "https") {
        return Err("it is neither http nor https".into());
    }
    if !url.username().is_empty() || url.password().is_some() {
        return Err("it has a name or password in it; the signature says who calls".into());
    }
    match url.host() {
        None => Err("it names no host".into()),
        Some(Host::Ipv4(address)) => allowed(IpAddr::V4(address), reach).map(|()| url),
        Some(Host::Ipv6(address)) => allowed(IpAddr::V6(address), reach).map(|()| url),
        Some(Host::Domain(_)) => Ok(url),
    }
}

/// The addresses behind it that may be connected to.
pub(crate) async fn resolve(url: &Url, reach: Reach) -> Result<Vec<SocketAddr>, String> {
    let port = url.port_or_known_default().unwrap_or(443);
    let host = match url.host() {
        Some(Host::Ipv4(address)) => {
            return allowed(IpAddr::V4(address), reach).map(|()| vec![SocketAddr::new(address.into(), port)]);
        }
        Some(Host::Ipv6(address)) => {
            return allowed(IpAddr::V6(address), reach).map(|()| vec![SocketAddr::new(address.into(), port)]);
        }
        Some(Host::Domain(host)) => host.to_string(),
        None => return Err("it names no host".into()),
    };
    let found = tokio::time::timeout(RESOLVING, tokio::net::lookup_host((host.as_str(), port))).await;
    let found = found.map_err(|_| format!("{host} was not resolved in time"))?;
    let all: Vec<SocketAddr> = found.map_err(|error| format!("{host} cannot be resolved: {error}"))?.collect();
    // One address that is not public makes the name a suspect one: all of it is refused.
    for address in &all {
        allowed(address.ip(), reach).map_err(|why| format!("{host}: {why}"))?;
    }
    if all.is_empty() { Err(format!("{host} has no address")) } else { Ok(all) }
}

fn allowed(address: IpAddr, reach: Reach) -> Result<(), String> {
    if reach == Reach::Anywhere || is_public(address) {
        return Ok(());
    }
    // The number itself is not told: whoever asks might be mapping the network.
    Err("it is not an address of the public network".into())
}

fn is_public(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => is_public_v4(address),
        IpAddr::V6(address) => is_public_v6(address),
    }
}

fn is_public_v4(address: Ipv4Addr) -> bool {
    let [a, b, c, _] = address.octets();
    let reserved = address.is_unspecified()
        || address.is_loopback()
        || address.is_private()
        || address.is_link_local()
        || address.is_broadcast()
        || address.is_multicast()
        || address.is_documentation();
    // "This network", shared by carriers, protocol assignments, relays, benchmarks, and what is kept for later.
    let special = a == 0
        || (a == 100 && (64..128).contains(&b))
        || (a == 192 && b == 0 && c == 0)
        || (a == 192 && b == 88 && c == 99)
        || (a == 198 && (18..20).contains(&b))
        || a >= 240;
    !reserved && !special
}

fn is_public_v6(address: Ipv6Addr) -> bool {
    let parts = address.segments();
    let low = || Ipv4Addr::from(((u32::from(parts[6])) << 16) | u32::from(parts[7]));
    // Addresses of the other kind inside: mapped, translated (NAT64), 6to4.
    if parts[..5] == [0; 5] && parts[5] == 0xffff {
        return is_public_v4(low());
    }
    if parts[..6] == [0x64, 0xff9b, 0, 0, 0, 0] {
        return is_public_v4(low());
    }
    if parts[0] == 0x2002 {
        return is_public_v4(Ipv4Addr::from((u32::from(parts[1]) << 16) | u32::from(parts[2])));
    }
    // Public ones begin with the bits 001; of those, tunnels (Teredo), documentation and other special uses do not count.
    let global = parts[0] & 0xe000 == 0x2000;
    let special = parts[0] == 0x2001 && (parts[1] < 0x0200 || parts[1] == 0x0db8);
    let documentation = parts[0] == 0x3fff && parts[1] < 0x1000;
    global && !special && !documentation
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_addresses_of_the_public_network_are_public() {
        for (text, expected) in [
            ("93.184.216.34", true),
            ("100.63.0.1", true),
            ("172.32.0.1", true),
            ("2606:2800:220:1:248:1893:25c8:1946", true),
            ("::ffff:93.184.216.34", true),
            ("64:ff9b::5db8:d822", true),
            ("0.0.0.0", false),
            ("127.9.9.9", false),
            ("10.0.0.1", false),
            ("172.16.0.1", false),
            ("192.168.1.1", false),
            ("169.254.169.254", false),
            ("100.64.0.1", false),
            ("198.18.0.1", false),
            ("192.0.2.1", false),
            ("224.0.0.1", false),
            ("240.0.0.1", false),
            ("255.255.255.255", false),
            ("::", false),
            ("::1", false),
            ("::127.0.0.1", false),
            ("::ffff:127.0.0.1", false),
            ("::ffff:169.254.169.254", false),
            ("64:ff9b::7f00:1", false),
            ("2002:7f00:1::", false),
            ("2001::1", false),
            ("2001:db8::1", false),
            ("fc00::1", false),
            ("fe80::1", false),
            ("ff02::1", false),
        ] {
            assert_eq!(is_public(text.parse().unwrap()), expected, "{text}");
        }
    }

    #[test]
    fn addresses_are_refused_in_every_spelling() {
        for wrong in [
            "",
            "hooks.example",
            "ftp://a.example/",
            "http://",
            "http://me:pw@a.example/",
            "http://127.0.0.1/",
            "http://0x7f000001/",
            "http://2130706433/",
            "http://0177.0.0.1/",
            "http://127.1/",
            "http://[::1]/",
            "http://[::ffff:7f00:1]/",
            "http://169.254.169.254/latest/meta-data",
            "http://%31%32%37.0.0.1/",
        ] {
            assert!(parse(wrong, Reach::Public).is_err(), "{wrong}");
        }
        assert!(parse("https://hooks.example/surehand?key=1", Reach::Public).is_ok());
        assert!(parse("http://127.0.0.1:1/", Reach::Anywhere).is_ok());
    }

    #[tokio::test]
    async fn a_name_is_judged_by_what_it_resolves_to() {
        let url = parse("http://localhost:9/", Reach::Public).unwrap();
        assert!(resolve(&url, Reach::Public).await.unwrap_err().contains("localhost: it is not an address"));
        assert!(!resolve(&url, Reach::Anywhere).await.unwrap().is_empty());
    }
}
