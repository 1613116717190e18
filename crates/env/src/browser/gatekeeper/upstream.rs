//! The proxy of the user's, where there is one: ours then stands before it, since only ours knows the allowlist.

use base64::Engine as _;
use hyper::header::HeaderValue;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use url::{Host, Url};

use super::dial::{self, Trouble};
use crate::browser::site::SiteSettings;

/// Longest answer of a proxy to a request for a tunnel.
const LONGEST_HEAD: usize = 16 * 1024;

#[derive(Debug, Clone)]
pub(super) enum Route {
    Direct,
    Through(Upstream),
}

#[derive(Debug, Clone)]
pub(super) struct Upstream {
    host: Host<String>,
    port: u16,
    /// Marked as sensitive, so that no log shows it.
    pub(super) authorization: Option<HeaderValue>,
}

impl Route {
    /// The error is one sentence.
    pub(super) fn of(site: &SiteSettings) -> Result<Route, String> {
        let Some(proxy) = &site.proxy else { return Ok(Route::Direct) };
        let wrong = || "proxy: with an allowlist it must be one http proxy like http://127.0.0.1:3128".to_string();
        let address = Url::parse(proxy).map_err(|_| wrong())?;
        let host = address.host().map(|host| host.to_owned());
        // The browser would also take lists of proxies, which are no host.
        let plain = |host: &Host<String>| !matches!(host, Host::Domain(name) if name.contains(['=', ';', ',']));
        let (Some(host), "http") = (host.filter(plain), address.scheme()) else { return Err(wrong()) };
        let authorization = match &site.proxy_login {
            Some(login) => {
                let pair = format!("{}:{}", login.name, login.password.expose());
                let pair = base64::engine::general_purpose::STANDARD.encode(pair);
                let mut value = HeaderValue::try_from(format!("Basic {pair}")).map_err(|_| wrong())?;
                value.set_sensitive(true);
                Some(value)
            }
            None => None,
        };
        Ok(Route::Through(Upstream { host, port: address.port().unwrap_or(80), authorization }))
    }

    /// A connection over which a plain request can be sent.
    pub(super) async fn connect(&self, host: &Host<String>, port: u16) -> Result<TcpStream, Trouble> {
        match self {
            Route::Direct => dial::connect(host, port).await,
            Route::Through(upstream) => dial::connect(&upstream.host, upstream.port).await,
        }
    }

    /// A connection whose other end is the host itself.
    pub(super) async fn tunnel(&self, host: &Host<String>, port: u16) -> Result<TcpStream, Trouble> {
        let mut stream = self.connect(host, port).await?;
        if let Route::Through(upstream) = self {
            dial::in_time(upstream.ask_for_tunnel(&mut stream, host, port)).await??;
        }
        Ok(stream)
    }
}

impl Upstream {
    async fn ask_for_tunnel(&self, stream: &mut TcpStream, host: &Host<String>, port: u16) -> Result<(), Trouble> {
        let mut head = format!("CONNECT {host}:{port} HTTP/1.1\r\nHost: {host}:{port}\r\n").into_bytes();
        if let Some(authorization) = &self.authorization {
            head.extend_from_slice(b"Proxy-Authorization: ");
            head.extend_from_slice(authorization.as_bytes());
            head.extend_from_slice(b"\r\n");
        }
        head.extend_from_slice(b"\r\n");
        stream.write_all(&head).await?;
        // Byte by byte: what follows the head belongs to the tunnel.
        let mut answer = Vec::new();
        while !answer.ends_with(b"\r\n\r\n") {
            if answer.len() >= LONGEST_HEAD {
                return Err(Trouble::Proxy("its answer is too long".into()));
            }
            answer.push(stream.read_u8().await?);
        }
        let text = String::from_utf8_lossy(&answer);
        let mut words = text.split_whitespace();
        let http = words.next().is_some_and(|version| version.starts_with("HTTP/1."));
        match words.next().and_then(|status| status.parse::<u16>().ok()).filter(|_| http) {
            Some(200..=299) => Ok(()),
            Some(status) => Err(Trouble::Proxy(format!("it answered {status}"))),
            None => Err(Trouble::Proxy("it did not answer in HTTP".into())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::browser::site::Login;
    use surehand_types::Secret;

    fn site(proxy: &str) -> SiteSettings {
        SiteSettings { proxy: Some(proxy.into()), ..SiteSettings::default() }
    }

    #[test]
    fn only_one_http_proxy_can_stand_behind_ours() {
        assert!(matches!(Route::of(&SiteSettings::default()), Ok(Route::Direct)));
        let Ok(Route::Through(upstream)) = Route::of(&site("http://proxy.test:3128")) else { panic!() };
        assert_eq!((upstream.host, upstream.port), (Host::Domain("proxy.test".into()), 3128));
        for wrong in ["socks5://a:1", "https://a:1", "http://http=a;https=b", "direct://", "nonsense", "http://"] {
            assert!(Route::of(&site(wrong)).is_err(), "{wrong}");
        }
    }

    #[test]
    fn the_login_is_not_shown() {
        let login = Login { name: "ada".into(), password: Secret::new("proxy", "hunter2") };
        let route = Route::of(&SiteSettings { proxy_login: Some(login), ..site("http://a.test") }).unwrap();
        let shown = format!("{route:?}");
        assert!(!shown.contains("hunter2") && !shown.contains("YWRh"), "{shown}");
    }
}
