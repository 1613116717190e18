//! Listening: a bound number of connections, each with a deadline for its headers, and an end that waits for what is
//! under way.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::net::TcpListener;
use tokio::sync::Semaphore;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use crate::housekeeping;
use crate::impatient::Impatient;
use crate::otlp;
use crate::routes::router;
use crate::runner;
use crate::server::Server;
use crate::webhooks;

/// Connections at once; more wait to be accepted.
const CONNECTIONS: usize = 512;

/// Time for the headers of a request, and for the next request of a connection.
const HEADER_DEADLINE: Duration = Duration::from_secs(10);

/// Largest head of a request.
const HEAD_CAP: usize = 64 * 1024;

/// Time in which somebody who was sent something has to read some of it.
const STUCK: Duration = Duration::from_secs(60);

/// Time for answers under way when the server stops.
const FAREWELL: Duration = Duration::from_secs(5);

/// How a server came to its end.
#[derive(Debug)]
pub struct ServeEnd {
    pub address: SocketAddr,
}

/// Serves until told to stop; then runs are put away and answers under way finished.
pub async fn serve(server: Arc<Server>, listener: TcpListener, stop: CancellationToken) -> std::io::Result<ServeEnd> {
    let address = listener.local_addr()?;
    let router = router(Arc::clone(&server));
    let work = tokio::spawn(runner::work(Arc::clone(&server)));
    let telling = tokio::spawn(webhooks::work(Arc::clone(&server)));
    let tracing = tokio::spawn(otlp::work(Arc::clone(&server)));
    let keeping = tokio::spawn(housekeeping::work(Arc::clone(&server)));
    let room = Arc::new(Semaphore::new(CONNECTIONS));
    let connections = TaskTracker::new();
    let closing = CancellationToken::new();
    loop {
        let place = Arc::clone(&room).acquire_owned();
        let accepted = tokio::select! {
            () = stop.cancelled() => break,
            accepted = async { (place.await, listener.accept().await) } => accepted,
        };
        let (place, stream) = match accepted {
            (Ok(place), Ok((stream, _))) => (place, stream),
            (_, Err(error)) => {
                // Too many open files, for one: waiting a moment is all that can be done.
                tracing::warn!(%error, "a connection could not be accepted");
                tokio::time::sleep(Duration::from_millis(100)).await;
                continue;
            }
            (Err(_), _) => break,
        };
        let _ = stream.set_nodelay(true);
        let service = TowerToHyperService::new(router.clone());
        let closing = closing.clone();
        connections.spawn(async move {
            let connection = http1::Builder::new()
                .timer(TokioTimer::new())
                .header_read_timeout(HEADER_DEADLINE)
                .max_buf_size(HEAD_CAP)
                .serve_connection(TokioIo::new(Impatient::new(stream, STUCK)), service);
            tokio::pin!(connection);
            tokio::select! {
                ended = connection.as_mut() => if let Err(error) = ended {
                    tracing::debug!(%error, "a connection ended early");
                },
                () = closing.cancelled() => {
                    connection.as_mut().graceful_shutdown();
                    let _ = tokio::time::timeout(FAREWELL, connection.as_mut()).await;
                }
            }
            drop(place);
        });
    }
    drop(listener);
    runner::stop(&server, work).await;
    let _ = telling.await;
    // What it removes is removed whenever it is broken off.
    keeping.abort();
    server.quiet.cancel();
    let _ = tracing.await;
    closing.cancel();
    connections.close();
    let _ = tokio::time::timeout(FAREWELL * 2, connections.wait()).await;
    Ok(ServeEnd { address })
}
