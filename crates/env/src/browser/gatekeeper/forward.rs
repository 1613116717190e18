//! Plain requests: passed on with the headers that are for the host, their answers streamed back. A connection to
//! the host is kept for the next request of the same connection, as browsers ask one host many times.

use hyper::body::Incoming;
use hyper::client::conn::http1::{self, SendRequest};
use hyper::header::{self, HeaderValue};
use hyper::http::uri::{PathAndQuery, Uri};
use hyper::{Request, Response, Version};
use hyper_util::rt::TokioIo;
use tokio::sync::Mutex;
use tokio::task::JoinHandle;

use super::dial::{self, Trouble};
use super::headers::remove_hop_by_hop;
use super::proxy::{LONGEST_HEAD, MOST_HEADERS, Place};
use super::upstream::Route;

/// Sends the requests of one connection of the browser's, one after the other.
#[derive(Debug, Default)]
pub(super) struct Forwarder {
    kept: Mutex<Option<Kept>>,
}

#[derive(Debug)]
struct Kept {
    place: Place,
    sender: SendRequest<Incoming>,
    /// Only held.
    _driver: Driver,
}

/// Moves the bytes of one connection; ends with it.
#[derive(Debug)]
struct Driver(JoinHandle<()>);

impl Drop for Driver {
    fn drop(&mut self) {
        self.0.abort();
    }
}

impl Forwarder {
    pub(super) async fn send(
        &self,
        request: Request<Incoming>,
        place: Place,
        route: &Route,
    ) -> Result<Response<Incoming>, Trouble> {
        let mut request = rewritten(request, &place, route)?;
        let mut kept = self.kept.lock().await;
        if let Some(known) = kept.as_mut().filter(|known| known.place == place)
            && known.sender.ready().await.is_ok()
        {
            match known.sender.try_send_request(request).await {
                Ok(response) => return Ok(cleaned(response)),
                // Closed by the host in the meantime, before it saw anything of the request: once more, anew.
                Err(mut error) => match error.take_message() {
                    Some(unsent) => request = unsent,
                    None => return Err(broken(error.into_error())),
                },
            }
        }
        let fresh = open(place, route).await?;
        let fresh = kept.insert(fresh);
        let response = fresh.sender.send_request(request).await.map_err(broken)?;
        Ok(cleaned(response))
    }
}

async fn open(place: Place, route: &Route) -> Result<Kept, Trouble> {
    let stream = route.connect(&place.host, place.port).await?;
    let handshake = http1::Builder::new()
        .preserve_header_case(true)
        .max_header_size(LONGEST_HEAD)
        .max_buf_size(2 * LONGEST_HEAD)
        .max_headers(MOST_HEADERS)
        .handshake(TokioIo::new(stream));
    let (sender, connection) = dial::in_time(handshake).await?.map_err(broken)?;
    let driver = Driver(tokio::spawn(async move {
        let _ = connection.await;
    }));
    Ok(Kept { place, sender, _driver: driver })
}

/// The request as the host gets it: its path alone, and the host that was judged.
fn rewritten(request: Request<Incoming>, place: &Place, route: &Route) -> Result<Request<Incoming>, Trouble> {
    let (mut parts, body) = request.into_parts();
    let path = parts.uri.path_and_query().cloned().unwrap_or_else(|| PathAndQuery::from_static("/"));
    let authority = match place.port {
        80 => place.host.to_string(),
        port => format!("{}:{port}", place.host),
    };
    remove_hop_by_hop(&mut parts.headers);
    parts.headers.insert(header::HOST, HeaderValue::try_from(authority.as_str()).map_err(unsendable)?);
    parts.uri = match route {
        Route::Direct => Uri::from(path),
        Route::Through(upstream) => {
            if let Some(authorization) = &upstream.authorization {
                parts.headers.insert(header::PROXY_AUTHORIZATION, authorization.clone());
            }
            let address = Uri::builder().scheme("http").authority(authority).path_and_query(path).build();
            address.map_err(unsendable)?
        }
    };
    parts.version = Version::HTTP_11;
    Ok(Request::from_parts(parts, body))
}

fn cleaned(mut response: Response<Incoming>) -> Response<Incoming> {
    remove_hop_by_hop(response.headers_mut());
    *response.version_mut() = Version::HTTP_11;
    response
}

fn unsendable(error: impl std::error::Error) -> Trouble {
    Trouble::Io(std::io::Error::other(error.to_string()))
}

fn broken(error: hyper::Error) -> Trouble {
    Trouble::Io(std::io::Error::other(error.to_string()))
}
