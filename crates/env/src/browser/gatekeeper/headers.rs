//! Headers that are between two neighbours and not for whoever is behind them.

use hyper::HeaderMap;
use hyper::header::{self, HeaderName};

const BETWEEN_NEIGHBOURS: &[HeaderName] = &[
    header::CONNECTION,
    header::PROXY_AUTHENTICATE,
    header::PROXY_AUTHORIZATION,
    header::TE,
    header::TRAILER,
    header::TRANSFER_ENCODING,
    header::UPGRADE,
];

pub(super) fn remove_hop_by_hop(headers: &mut HeaderMap) {
    let named: Vec<HeaderName> = headers
        .get_all(header::CONNECTION)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(','))
        .filter_map(|name| HeaderName::try_from(name.trim()).ok())
        // A page cannot have a request framed in another way by naming these.
        .filter(|name| *name != header::HOST && *name != header::CONTENT_LENGTH)
        .collect();
    for name in named.iter().chain(BETWEEN_NEIGHBOURS) {
        headers.remove(name);
    }
    for name in ["keep-alive", "proxy-connection"] {
        headers.remove(name);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_keep_their_headers_to_themselves() {
        let mut headers = HeaderMap::new();
        for (name, value) in [
            ("connection", "close, X-Private, content-length"),
            ("x-private", "1"),
            ("proxy-connection", "keep-alive"),
            ("proxy-authorization", "Basic x"),
            ("keep-alive", "timeout=5"),
            ("upgrade", "h2c"),
            ("te", "trailers"),
            ("content-length", "3"),
            ("cookie", "a=b"),
        ] {
            headers.append(name, value.parse().unwrap());
        }
        remove_hop_by_hop(&mut headers);
        let mut left: Vec<&str> = headers.keys().map(HeaderName::as_str).collect();
        left.sort_unstable();
        assert_eq!(left, ["content-length", "cookie"]);
    }
}
