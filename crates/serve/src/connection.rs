//! Listening: a bound number of connections, and an end that waits for what is under way.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use tokio::net::TcpListener;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use crate::attend::{FAREWELL, attend, turn_away};
use crate::housekeeping;
use crate::otlp;
use crate::routes::router;
use crate::runner;
use crate::server::Server;
use crate::visitors::Visitors;
use crate::webhooks;

/// Connections at once.
const CONNECTIONS: usize = 512;

/// How many of those for whom there is no place are told so at the same time.
const TURNED_AWAY: usize = 64;

/// Time for a connection that rests to make room.
const MAKING_ROOM: Duration = Duration::from_secs(1);

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
    let (room, door) = (Arc::new(Semaphore::new(CONNECTIONS)), Arc::new(Semaphore::new(TURNED_AWAY)));
    let visitors: Arc<Visitors> = Arc::default();
    let connections = TaskTracker::new();
    let closing = CancellationToken::new();
    // Until the last run is put away, people are told how it stands, and can cancel what they want to.
    let (ending, told) = (Arc::clone(&server), stop.clone());
    let mut ended = tokio::spawn(async move {
        told.cancelled().await;
        runner::stop(&ending, work).await;
    });
    loop {
        let accepted = tokio::select! {
            biased;
            _ = &mut ended => break,
            accepted = listener.accept() => accepted,
        };
        let stream = match accepted {
            Ok((stream, _)) => stream,
            Err(error) => {
                // Too many open files, for one: waiting a moment is all that can be done.
                tracing::warn!(%error, "a connection could not be accepted");
                tokio::time::sleep(Duration::from_millis(100)).await;
                continue;
            }
        };
        let _ = stream.set_nodelay(true);
        let closing = closing.clone();
        let Some(place) = place(&room, &visitors).await else {
            if let Ok(standing) = Arc::clone(&door).try_acquire_owned() {
                connections.spawn(async move {
                    turn_away(stream, closing).await;
                    drop(standing);
                });
            }
            continue;
        };
        let (router, visitor) = (router.clone(), visitors.welcome());
        connections.spawn(async move {
            attend(stream, router, visitor, closing).await;
            drop(place);
        });
    }
    drop(listener);
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

/// A free place, or that of somebody at whose connection nothing is under way.
async fn place(room: &Arc<Semaphore>, visitors: &Visitors) -> Option<OwnedSemaphorePermit> {
    if let Ok(place) = Arc::clone(room).try_acquire_owned() {
        return Some(place);
    }
    if !visitors.dismiss_one() {
        return None;
    }
    tokio::time::timeout(MAKING_ROOM, Arc::clone(room).acquire_owned()).await.ok()?.ok()
}
