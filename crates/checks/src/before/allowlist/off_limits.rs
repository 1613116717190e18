//! Places that are never reached, whatever a list allows: those of the server that conducts a run. On its pages the
//! run's browser would be taken for the person who watches over it.

use url::{Host, Url};

use super::{Refusal, plain_host, shortened};

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct OffLimits {
    places: Vec<(Host<String>, u16)>,
}

impl OffLimits {
    /// From `Host` headers that a server answers to; without a port they mean the usual ones. What cannot stand in
    /// the address of a page is left out.
    pub fn of(hosts: &[String]) -> OffLimits {
        let mut places = Vec::new();
        for written in hosts {
            let Ok(address) = Url::parse(&format!("http://{written}/")) else { continue };
            let Some(host) = address.host().and_then(|host| plain_host(&host.to_owned())).filter(is_name) else {
                continue;
            };
            match address.port() {
                Some(port) => places.push((host, port)),
                None => places.extend([(host.clone(), 80), (host, 443)]),
            }
        }
        OffLimits { places }
    }

    pub fn is_empty(&self) -> bool {
        self.places.is_empty()
    }

    /// Each as `HOST:PORT`.
    pub fn places(&self) -> impl Iterator<Item = String> {
        self.places.iter().map(|(host, port)| format!("{host}:{port}"))
    }

    pub fn judge(&self, host: &Host<String>, port: u16) -> Result<(), Refusal> {
        let (meant, is_any) = where_it_leads(host);
        if !self.places.iter().any(|(other, at)| (*other == meant || is_any) && *at == port) {
            return Ok(());
        }
        let host = shortened(&host.to_string());
        let reason = format!("{host}:{port} is the server that conducts this run");
        Err(Refusal { host, reason })
    }

    /// The same of an address; one without a host reaches nobody.
    pub fn document(&self, url: &str) -> Result<(), Refusal> {
        let address = Url::parse(url).ok();
        let place = address.as_ref().and_then(|url| {
            let host = plain_host(&url.host()?.to_owned())?;
            Some((host, url.port_or_known_default()?))
        });
        place.map_or(Ok(()), |(host, port)| self.judge(&host, port))
    }
}

/// An IPv4 address that is written as one of IPv6, as itself; and whether it is the address that means this very machine,
/// under whichever of its names.
fn where_it_leads(host: &Host<String>) -> (Host<String>, bool) {
    let meant = match host {
        Host::Ipv6(address) => address.to_ipv4_mapped().map_or_else(|| host.clone(), Host::Ipv4),
        _ => host.clone(),
    };
    let is_any = match &meant {
        Host::Ipv4(address) => address.is_unspecified(),
        Host::Ipv6(address) => address.is_unspecified(),
        Host::Domain(_) => false,
    };
    (meant, is_any)
}

/// Lists of hosts that browsers read know commas, stars and spaces as signs of their own.
fn is_name(host: &Host<String>) -> bool {
    let plain = |name: &str| name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-._".contains(&byte));
    !matches!(host, Host::Domain(name) if !plain(name))
}
