//! One connection from its first byte to its last: deadlines, requests, and a word for whoever is not served.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::http::StatusCode;
use hyper::Request;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::{Service as _, service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::io::{AsyncWrite, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio_util::sync::CancellationToken;

use crate::error::ApiError;
use crate::explained::Explained;
use crate::impatient::Impatient;
use crate::parting::Parting;
use crate::visitors::{AnswerBody, LetIn, Visitor};

/// Time for the headers of a request, and for the next request of a connection.
const HEADER_DEADLINE: Duration = Duration::from_secs(10);

/// Largest head of a request.
const HEAD_CAP: usize = 64 * 1024;

/// Time in which somebody who was sent something has to read some of it.
const STUCK: Duration = Duration::from_secs(60);

/// Time for an answer under way when the server stops.
pub(crate) const FAREWELL: Duration = Duration::from_secs(5);

/// Time to write a word to somebody who is not served.
const WORD: Duration = Duration::from_secs(1);

pub(crate) async fn attend(stream: TcpStream, router: Router, visitor: Arc<Visitor>, closing: CancellationToken) {
    let asking = Arc::clone(&visitor);
    let routes = TowerToHyperService::new(router);
    let service = service_fn(move |mut request: Request<Incoming>| {
        let mut under_way = asking.asks();
        request.extensions_mut().insert(Arc::clone(&asking));
        let answer = routes.call(request);
        async move {
            let mut answer = answer.await?;
            if let Some(let_in) = answer.extensions_mut().remove::<LetIn>() {
                under_way.note_let_in(let_in);
            }
            Ok::<_, Infallible>(answer.map(|body| AnswerBody { body, under_way }))
        }
    });
    // What somebody who has to go still sends is not waited for either.
    let leaving = closing.child_token();
    let stream = Impatient::new(Parting::new(stream, leaving.clone()), STUCK);
    let stream = Explained::new(stream, Arc::clone(&visitor));
    let mut connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(HEADER_DEADLINE)
        .max_buf_size(HEAD_CAP)
        .serve_connection(TokioIo::new(stream), service);
    loop {
        tokio::select! {
            biased;
            ended = &mut connection => {
                let Err(error) = ended else { return };
                tracing::debug!(%error, "a connection ended early");
                if error.is_timeout() {
                    let left = connection.into_parts();
                    // One that was served and rests is closed without a word: it would be taken for the next answer.
                    if !visitor.has_asked() || !left.read_buf.is_empty() {
                        let mut stream = left.io.into_inner();
                        say(&mut stream, too_slow()).await;
                        let _ = stream.shutdown().await;
                    }
                }
                return;
            }
            () = visitor.dismissed(), if !leaving.is_cancelled() => {
                if !visitor.has_asked() {
                    return say(&mut connection.into_parts().io.into_inner(), too_slow()).await;
                }
                leaving.cancel();
                // Now, or after the request that came at this very moment.
                std::pin::Pin::new(&mut connection).graceful_shutdown();
            }
            // Whoever has asked for nothing waits for nothing.
            () = closing.cancelled() => {
                if !visitor.has_asked() {
                    return;
                }
                std::pin::Pin::new(&mut connection).graceful_shutdown();
                let _ = tokio::time::timeout(FAREWELL, connection).await;
                return;
            }
        }
    }
}

/// Somebody for whom there is no place.
pub(crate) async fn turn_away(stream: TcpStream, closing: CancellationToken) {
    let mut stream = Parting::new(stream, closing);
    let text = "too many connections are open\nhint: try again in a moment";
    say(&mut stream, ApiError::new(StatusCode::SERVICE_UNAVAILABLE, "too_many_connections", text)).await;
    let _ = stream.shutdown().await;
}

pub(crate) fn too_slow() -> ApiError {
    let text = "no whole request came in time, or others needed the place";
    ApiError::new(StatusCode::REQUEST_TIMEOUT, "too_slow", text)
}

/// An error outside of any request.
async fn say(stream: &mut (impl AsyncWrite + Unpin), error: ApiError) {
    let _ = tokio::time::timeout(WORD, stream.write_all(&error.in_full())).await;
}
