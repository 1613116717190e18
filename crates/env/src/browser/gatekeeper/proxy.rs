//! The filtering proxy: on this machine only, on a free port, for as long as its environment lives. Each request
//! is judged by itself, also on a connection that served another one before.

use std::convert::Infallible;
use std::net::Ipv4Addr;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use http_body_util::{Either, Full};
use hyper::body::{Bytes, Incoming};
use hyper::header::{self, HeaderValue};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Method, Request, Response, StatusCode};
use hyper_util::rt::{TokioIo, TokioTimer};
use surehand_checks::before::allowlist::{Allowlist, Refusal, Scheme, plain_host};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use tokio::task::{JoinHandle, JoinSet};
use url::{Host, Url};

use super::forward::Forwarder;
use super::log::{RefusalLog, Wanted};
use super::own_traffic::is_own;
use super::proof::Proof;
use super::tunnel::Tunnel;
use super::upstream::Route;
use crate::EnvError;

/// Connections at one time: a browser has 32 to a proxy for requests, and up to 255 for WebSockets.
const MOST_CONNECTIONS: usize = 600;
pub(super) const LONGEST_HEAD: usize = 256 * 1024;
pub(super) const MOST_HEADERS: usize = 200;
/// A connection that asks for nothing this long is closed; the browser opens another one.
const IDLE: Duration = Duration::from_secs(300);

pub(super) type Body = Either<Full<Bytes>, Incoming>;

#[derive(Debug)]
pub(crate) struct Proxy {
    port: u16,
    proof: Arc<Proof>,
    task: JoinHandle<()>,
}

impl Proxy {
    pub(super) async fn start(
        allow: Arc<Allowlist>,
        route: Route,
        refusals: Arc<RefusalLog>,
    ) -> Result<Proxy, EnvError> {
        let failed = |error| EnvError::io("cannot start the proxy that keeps to the allowlist")(error);
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.map_err(failed)?;
        let port = listener.local_addr().map_err(failed)?.port();
        let proof = Arc::new(Proof::default());
        let doorkeeper = Arc::new(Doorkeeper { allow, route, refusals, proof: Arc::clone(&proof) });
        Ok(Proxy { port, proof, task: tokio::spawn(accept(listener, doorkeeper)) })
    }

    pub(super) fn port(&self) -> u16 {
        self.port
    }

    pub(super) fn proof(&self) -> &Proof {
        &self.proof
    }
}

impl Drop for Proxy {
    fn drop(&mut self) {
        // Takes the connections along: they belong to the task.
        self.task.abort();
    }
}

async fn accept(listener: TcpListener, doorkeeper: Arc<Doorkeeper>) {
    let room = Arc::new(Semaphore::new(MOST_CONNECTIONS));
    let mut connections = JoinSet::new();
    loop {
        let Ok(permit) = Arc::clone(&room).acquire_owned().await else { return };
        let accepted = loop {
            tokio::select! {
                accepted = listener.accept() => break accepted,
                Some(_) = connections.join_next() => {}
            }
        };
        match accepted {
            Ok((stream, _)) => {
                let doorkeeper = Arc::clone(&doorkeeper);
                connections.spawn(async move {
                    serve(stream, doorkeeper).await;
                    drop(permit);
                });
            }
            // Out of descriptors, most likely: others have to close first.
            Err(_) => tokio::time::sleep(Duration::from_millis(50)).await,
        }
    }
}

async fn serve(stream: TcpStream, doorkeeper: Arc<Doorkeeper>) {
    let _ = stream.set_nodelay(true);
    let visit = Arc::new(Visit { doorkeeper, forwarder: Forwarder::default(), tunnel: Mutex::new(None) });
    let answer = {
        let visit = Arc::clone(&visit);
        service_fn(move |request| {
            let visit = Arc::clone(&visit);
            async move { Ok::<_, Infallible>(visit.answer(request).await) }
        })
    };
    let served = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(IDLE)
        .max_header_size(LONGEST_HEAD)
        .max_buf_size(2 * LONGEST_HEAD)
        .max_headers(MOST_HEADERS)
        .preserve_header_case(true)
        .serve_connection(TokioIo::new(stream), answer)
        .with_upgrades()
        .await;
    if let Err(error) = served {
        tracing::debug!(%error, "a connection to the proxy ended");
        return;
    }
    let tunnel = visit.tunnel.lock().unwrap_or_else(PoisonError::into_inner).take();
    if let Some(tunnel) = tunnel {
        tunnel.carry(&visit.doorkeeper).await;
    }
}

/// What all connections share.
#[derive(Debug)]
pub(super) struct Doorkeeper {
    pub(super) allow: Arc<Allowlist>,
    pub(super) route: Route,
    pub(super) refusals: Arc<RefusalLog>,
    proof: Arc<Proof>,
}

/// One connection of the browser's.
struct Visit {
    doorkeeper: Arc<Doorkeeper>,
    forwarder: Forwarder,
    /// Opened by a CONNECT, carried on when its answer was sent.
    tunnel: Mutex<Option<Tunnel>>,
}

/// Where a request goes: only this is judged, and only this is connected to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Place {
    pub(super) host: Host<String>,
    pub(super) port: u16,
}

impl Visit {
    async fn answer(&self, request: Request<Incoming>) -> Response<Body> {
        if request.method() == Method::CONNECT { self.connect(request).await } else { self.forward(request).await }
    }

    async fn connect(&self, request: Request<Incoming>) -> Response<Body> {
        let authority = request.uri().authority();
        let place = authority.and_then(|authority| {
            let host = plain_host(&Host::parse(authority.host()).ok()?)?;
            Some(Place { host, port: authority.port_u16()? })
        });
        let Some(place) = place else { return page(StatusCode::BAD_REQUEST, "This is not a host and a port.") };
        if let Err(refusal) = self.doorkeeper.allow.tunnel(&place.host, place.port) {
            return self.refuse(&place.to_string(), refusal, Wanted::Part);
        }
        match self.doorkeeper.route.tunnel(&place.host, place.port).await {
            Ok(other_end) => {
                let tunnel = Tunnel { browser: hyper::upgrade::on(request), other_end, place };
                *self.tunnel.lock().unwrap_or_else(PoisonError::into_inner) = Some(tunnel);
                Response::new(Either::Left(Full::default()))
            }
            Err(trouble) => page(StatusCode::BAD_GATEWAY, &format!("The host could not be reached: {trouble}.")),
        }
    }

    async fn forward(&self, request: Request<Incoming>) -> Response<Body> {
        let address = Url::parse(&request.uri().to_string()).ok().filter(|url| url.scheme() == "http");
        let place = address.as_ref().and_then(|url| {
            let host = plain_host(&url.host()?.to_owned())?;
            Some(Place { host, port: url.port().unwrap_or(80) })
        });
        let (Some(address), Some(place)) = (address, place) else {
            return page(StatusCode::BAD_REQUEST, "This is a proxy for http addresses, and nothing else.");
        };
        if self.doorkeeper.proof.is_given_by(&place.host) {
            return page(StatusCode::OK, "This is the proxy that keeps to the allowlist.");
        }
        if let Err(refusal) = self.doorkeeper.allow.target(Scheme::Http, &place.host, place.port) {
            // Browsers say so of whole pages, and of nothing else.
            let whole = request.headers().contains_key(header::UPGRADE_INSECURE_REQUESTS);
            return self.refuse(address.as_str(), refusal, if whole { Wanted::Page } else { Wanted::Part });
        }
        match self.forwarder.send(request, place, &self.doorkeeper.route).await {
            // In the name of the proxy it would make the browser give away what the proxy is told.
            Ok(response) if response.status() == StatusCode::PROXY_AUTHENTICATION_REQUIRED => {
                page(StatusCode::BAD_GATEWAY, "A proxy on the way asked for a login.")
            }
            Ok(response) => response.map(Either::Right),
            Err(trouble) => page(StatusCode::BAD_GATEWAY, &format!("The host could not be reached: {trouble}.")),
        }
    }

    fn refuse(&self, url: &str, refusal: Refusal, wanted: Wanted) -> Response<Body> {
        let sentence = format!("The allowlist refused this address: {}.", refusal.reason);
        if wanted == Wanted::Page || !is_own(&refusal.host) {
            self.doorkeeper.refusals.note(url, refusal, wanted);
        }
        page(StatusCode::FORBIDDEN, &sentence)
    }
}

impl std::fmt::Display for Place {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.port {
            443 => write!(f, "https://{}/", self.host),
            port => write!(f, "{}:{port}", self.host),
        }
    }
}

/// A page with one sentence. It speaks in the name of another site, so it can do nothing and is not kept.
fn page(status: StatusCode, sentence: &str) -> Response<Body> {
    let sentence = sentence.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;");
    let text = format!("<!doctype html><meta charset=utf-8><title>{status}</title><p>{sentence}</p>\n");
    let mut response = Response::new(Either::Left(Full::from(text)));
    *response.status_mut() = status;
    for (name, value) in [
        (header::CONTENT_TYPE, "text/html; charset=utf-8"),
        (header::CACHE_CONTROL, "no-store"),
        (header::CONTENT_SECURITY_POLICY, "default-src 'none'"),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    ] {
        response.headers_mut().insert(name, HeaderValue::from_static(value));
    }
    response
}

#[cfg(test)]
#[path = "proxy_tests.rs"]
mod tests;
