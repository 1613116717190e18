//! One entry of the allowlist: how it is written, and what it covers.

use std::net::Ipv6Addr;

use url::Host;

use super::{Scheme, plain_host, shortened};

/// Longer than any host name with a scheme and a port.
const LONGEST: usize = 300;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Entry {
    hosts: Hosts,
    /// `None` for either.
    scheme: Option<Scheme>,
    /// `None` for the default port of the scheme.
    port: Option<u16>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Hosts {
    Every,
    One(Host<String>),
    /// A name and every name below it.
    Below(String),
}

impl Entry {
    pub(super) fn every() -> Entry {
        Entry { hosts: Hosts::Every, scheme: None, port: None }
    }

    pub(super) fn parse(written: &str) -> Result<Entry, String> {
        let text = written.trim();
        let wrong = |why: &str| format!("the allowlist entry {:?} {why}", shortened(text));
        if text.is_empty() {
            return Err(wrong("is empty"));
        }
        if text.len() > LONGEST {
            return Err(wrong("is too long for a host"));
        }
        if text == "*" {
            return Ok(Entry::every());
        }
        let (scheme, rest) = match text.split_once("://") {
            Some((scheme, rest)) => match scheme.to_ascii_lowercase().as_str() {
                "http" => (Some(Scheme::Http), rest),
                "https" => (Some(Scheme::Https), rest),
                _ => return Err(wrong("has a scheme other than http and https")),
            },
            None => (None, text),
        };
        // A whole url of a start page is easily pasted; its slash says nothing more.
        let rest = if scheme.is_some() { rest.strip_suffix('/').unwrap_or(rest) } else { rest };
        if rest.contains('@') {
            return Err(wrong("has a user name in it; write the host alone"));
        }
        if rest.contains(['/', '\\', '?', '#']) {
            return Err(wrong("has more than a host and a port; paths cannot be listed"));
        }
        if rest.contains(|c: char| c.is_control() || c.is_whitespace()) {
            return Err(wrong("has a space in it"));
        }
        // A list may be written as one text, in which a comma begins the next entry.
        if rest.contains(',') {
            return Err(wrong("has a comma in it; write one entry for each host"));
        }
        let (host, port) = split_port(rest).ok_or_else(|| wrong("has a port that is not one of 1 to 65535"))?;
        if host == "*" {
            return Err(wrong("names every host; only * alone may do so"));
        }
        let hosts = match host.strip_prefix("*.") {
            Some(below) => match parse_host(below) {
                Some(Host::Domain(name)) => Hosts::Below(name),
                Some(_) => return Err(wrong("asks for names below a number")),
                None => return Err(wrong("names no host")),
            },
            None => Hosts::One(parse_host(host).ok_or_else(|| wrong("names no host"))?),
        };
        Ok(Entry { hosts, scheme, port })
    }

    pub(super) fn covers(&self, scheme: Scheme, host: &Host<String>, port: u16) -> bool {
        let port_fits = match self.port {
            Some(listed) => listed == port,
            None => self.hosts == Hosts::Every || port == scheme.default_port(),
        };
        port_fits && self.covers_scheme(scheme) && self.covers_host(host)
    }

    /// Whether everything that this one covers is covered by the other as well.
    pub(super) fn is_within(&self, outer: &Entry) -> bool {
        let hosts = match &self.hosts {
            Hosts::Every => outer.hosts == Hosts::Every,
            Hosts::One(host) => outer.covers_host(host),
            Hosts::Below(name) => {
                !matches!(outer.hosts, Hosts::One(_)) && outer.covers_host(&Host::Domain(name.clone()))
            }
        };
        // Without a port of its own, an entry covers the usual one of its scheme; every host goes with every port.
        let ports = match (outer.port, self.port) {
            (None, None) => outer.hosts == Hosts::Every || self.hosts != Hosts::Every,
            (None, Some(port)) => {
                outer.hosts == Hosts::Every || self.scheme.is_some_and(|scheme| scheme.default_port() == port)
            }
            (Some(outer), Some(port)) => outer == port,
            (Some(outer), None) => self.scheme.is_some_and(|scheme| scheme.default_port() == outer),
        };
        hosts && ports && (outer.scheme.is_none() || outer.scheme == self.scheme)
    }

    pub(super) fn covers_scheme(&self, scheme: Scheme) -> bool {
        self.scheme.is_none_or(|listed| listed == scheme)
    }

    pub(super) fn covers_host(&self, host: &Host<String>) -> bool {
        match (&self.hosts, host) {
            (Hosts::Every, _) => true,
            (Hosts::One(listed), host) => listed == host,
            (Hosts::Below(parent), Host::Domain(name)) => {
                name == parent || name.strip_suffix(parent.as_str()).is_some_and(|rest| rest.ends_with('.'))
            }
            (Hosts::Below(_), _) => false,
        }
    }
}

/// The host and the port, where one is written; `None` for a port that is none.
fn split_port(text: &str) -> Option<(&str, Option<u16>)> {
    // An IPv6 address without its brackets, and so without a port.
    if text.parse::<Ipv6Addr>().is_ok() {
        return Some((text, None));
    }
    let (host, port) = match text.rfind(']') {
        Some(end) => match text[end + 1..].strip_prefix(':') {
            Some(port) => (&text[..=end], port),
            None => return Some((text, None)),
        },
        None => match text.split_once(':') {
            Some((host, port)) => (host, port),
            None => return Some((text, None)),
        },
    };
    // A sign or a space would be taken by the parser.
    let digits = port.bytes().all(|byte| byte.is_ascii_digit());
    let port: u16 = port.parse().ok().filter(|port| *port > 0 && digits)?;
    Some((host, Some(port)))
}

/// By the rules that browsers have for hosts: case, percent signs, numbers, international names.
fn parse_host(text: &str) -> Option<Host<String>> {
    if let Ok(address) = text.parse::<Ipv6Addr>() {
        return Some(Host::Ipv6(address));
    }
    // A star elsewhere would be taken for a letter.
    let host = Host::parse(text).ok().filter(|_| !text.contains('*'))?;
    plain_host(&host)
}
