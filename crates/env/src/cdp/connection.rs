//! One connection, one reader task. Calls are written in the order they are started, answered in
//! any order, and every one has a deadline; events go to one channel that never waits for a call.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use serde::Deserialize;
use serde_json::value::RawValue;
use tokio::sync::{mpsc, oneshot};

use super::protocol::Method;
use super::{CdpError, Transport};

/// An event of the protocol, not yet decoded.
#[derive(Debug)]
pub(crate) struct CdpEvent {
    pub(crate) session: Option<String>,
    pub(crate) method: String,
    pub(crate) params: Box<RawValue>,
}

impl CdpEvent {
    /// Tolerant: an event whose shape changed is simply not understood.
    pub(crate) fn decode<T: serde::de::DeserializeOwned>(&self) -> Option<T> {
        match serde_json::from_str(self.params.get()) {
            Ok(value) => Some(value),
            Err(error) => {
                tracing::debug!(method = self.method, %error, "event not understood");
                None
            }
        }
    }
}

#[derive(Debug, Clone)]
pub(crate) struct Connection {
    shared: Arc<Shared>,
}

#[derive(Debug)]
struct Shared {
    next_id: AtomicU64,
    outgoing: mpsc::UnboundedSender<String>,
    waiting: Mutex<Waiting>,
}

#[derive(Debug, Default)]
struct Waiting {
    closed: bool,
    calls: HashMap<u64, oneshot::Sender<Answer>>,
}

type Answer = Result<Box<RawValue>, (i64, String)>;

/// A call that was written; awaiting it is optional, which is how input is pipelined.
#[derive(Debug)]
#[must_use = "await `finish`, or call `forget` to say that the answer does not matter"]
pub(crate) struct PendingCall<M: Method> {
    id: u64,
    shared: Arc<Shared>,
    answer: oneshot::Receiver<Answer>,
    asked: Instant,
    method: std::marker::PhantomData<fn() -> M>,
}

#[derive(Deserialize)]
struct Incoming<'a> {
    id: Option<u64>,
    #[serde(borrow, default)]
    result: Option<&'a RawValue>,
    #[serde(default)]
    error: Option<IncomingError>,
    #[serde(default)]
    method: Option<String>,
    #[serde(borrow, default)]
    params: Option<&'a RawValue>,
    #[serde(rename = "sessionId", default)]
    session: Option<String>,
}

#[derive(Deserialize)]
struct IncomingError {
    #[serde(default)]
    code: i64,
    #[serde(default)]
    message: String,
}

impl Connection {
    /// Starts the reader task. The event channel closes when the connection is lost.
    pub(crate) fn start(transport: Transport) -> (Connection, mpsc::UnboundedReceiver<CdpEvent>) {
        let (events, receiver) = mpsc::unbounded_channel();
        let shared = Arc::new(Shared {
            next_id: AtomicU64::new(1),
            outgoing: transport.outgoing,
            waiting: Mutex::new(Waiting::default()),
        });
        let reader = Arc::clone(&shared);
        let mut incoming = transport.incoming;
        tokio::spawn(async move {
            while let Some(bytes) = incoming.recv().await {
                reader.route(&bytes, &events);
            }
            reader.close();
        });
        (Connection { shared }, receiver)
    }

    /// Writes the call now and returns at once.
    pub(crate) fn start_call<M: Method>(&self, session: Option<&str>, method: &M) -> PendingCall<M> {
        let id = self.shared.next_id.fetch_add(1, Ordering::Relaxed);
        let (sender, answer) = oneshot::channel();
        let closed = {
            let mut waiting = self.shared.lock();
            if !waiting.closed {
                waiting.calls.insert(id, sender);
            }
            waiting.closed
        };
        if !closed {
            let mut message = serde_json::json!({"id": id, "method": M::NAME, "params": method});
            if let (Some(session), Some(map)) = (session, message.as_object_mut()) {
                map.insert("sessionId".into(), session.into());
            }
            if self.shared.outgoing.send(message.to_string()).is_err() {
                self.shared.close();
            }
        }
        let (shared, method) = (Arc::clone(&self.shared), std::marker::PhantomData);
        PendingCall { id, shared, answer, asked: Instant::now(), method }
    }

    pub(crate) async fn call<M: Method>(
        &self,
        session: Option<&str>,
        method: &M,
        deadline: Duration,
    ) -> Result<M::Output, CdpError> {
        self.start_call(session, method).finish(deadline).await
    }

    pub(crate) fn is_closed(&self) -> bool {
        self.shared.lock().closed
    }
}

impl<M: Method> PendingCall<M> {
    pub(crate) async fn finish(mut self, deadline: Duration) -> Result<M::Output, CdpError> {
        let answer = tokio::time::timeout(deadline, &mut self.answer).await;
        tracing::trace!(method = M::NAME, ms = self.asked.elapsed().as_secs_f64() * 1000.0, "answered");
        match answer {
            Ok(Ok(Ok(result))) => serde_json::from_str(result.get())
                .map_err(|error| CdpError::Unreadable { method: M::NAME, message: error.to_string() }),
            Ok(Ok(Err((code, message)))) => Err(CdpError::Refused { method: M::NAME, code, message }),
            Ok(Err(_)) => Err(CdpError::Closed),
            Err(_) => Err(CdpError::Deadline { method: M::NAME, deadline }),
        }
    }

    /// The call stays written; its answer will be thrown away.
    pub(crate) fn forget(self) {}
}

impl<M: Method> Drop for PendingCall<M> {
    fn drop(&mut self) {
        self.shared.lock().calls.remove(&self.id);
    }
}

impl Shared {
    fn lock(&self) -> std::sync::MutexGuard<'_, Waiting> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn route(&self, bytes: &[u8], events: &mpsc::UnboundedSender<CdpEvent>) {
        let incoming: Incoming<'_> = match serde_json::from_slice(bytes) {
            Ok(incoming) => incoming,
            Err(error) => {
                tracing::debug!(%error, bytes = bytes.len(), "unreadable protocol message");
                return;
            }
        };
        if let Some(id) = incoming.id {
            let Some(waiter) = self.lock().calls.remove(&id) else {
                return;
            };
            let answer = match incoming.error {
                Some(error) => Err((error.code, error.message)),
                None => Ok(incoming.result.map_or_else(empty_object, ToOwned::to_owned)),
            };
            // The waiter may have given up; that is its right.
            let _ = waiter.send(answer);
        } else if let Some(method) = incoming.method {
            let params = incoming.params.map_or_else(empty_object, ToOwned::to_owned);
            let _ = events.send(CdpEvent { session: incoming.session, method, params });
        }
    }

    fn close(&self) {
        let mut waiting = self.lock();
        waiting.closed = true;
        // Dropping the senders wakes every waiter with `Closed`.
        waiting.calls.clear();
    }
}

fn empty_object() -> Box<RawValue> {
    RawValue::from_string("{}".into()).unwrap_or_else(|_| RawValue::NULL.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cdp::protocol::target::GetTargets;

    fn connection()
    -> (Connection, mpsc::UnboundedReceiver<CdpEvent>, mpsc::UnboundedReceiver<String>, mpsc::UnboundedSender<Vec<u8>>)
    {
        let (outgoing, written) = mpsc::unbounded_channel();
        let (feed, incoming) = mpsc::unbounded_channel();
        let (connection, events) = Connection::start(Transport { outgoing, incoming });
        (connection, events, written, feed)
    }

    #[tokio::test]
    async fn garbage_is_skipped_and_answers_find_their_call() {
        let (connection, mut events, mut written, feed) = connection();
        let first = connection.start_call(None, &GetTargets {});
        let second = connection.start_call(Some("S"), &GetTargets {});
        assert!(written.recv().await.unwrap().contains("\"id\":1"));
        assert!(written.recv().await.unwrap().contains("\"sessionId\":\"S\""));
        for message in ["\u{0}garbage", "[]", "{\"id\":99}", "{\"id\":\"x\"}", "{\"method\":5}", "{}"] {
            feed.send(message.as_bytes().to_vec()).unwrap();
        }
        feed.send(vec![0xff, 0xfe]).unwrap();
        feed.send(br#"{"id":2,"error":{"code":-5,"message":"no"}}"#.to_vec()).unwrap();
        feed.send(br#"{"id":1,"result":{"targetInfos":[{"targetId":"T","unknown":1}]}}"#.to_vec()).unwrap();
        feed.send(br#"{"method":"A.b","sessionId":"S","params":{"x":1}}"#.to_vec()).unwrap();
        let second = second.finish(Duration::from_secs(5)).await;
        assert!(matches!(second, Err(CdpError::Refused { code: -5, .. })), "{second:?}");
        assert_eq!(first.finish(Duration::from_secs(5)).await.unwrap().target_infos[0].target_id, "T");
        let event = events.recv().await.unwrap();
        assert_eq!((event.method.as_str(), event.session.as_deref()), ("A.b", Some("S")));
    }

    #[tokio::test]
    async fn a_silent_or_dead_peer_ends_every_wait() {
        let (connection, mut events, _written, feed) = connection();
        let silent = connection.call(None, &GetTargets {}, Duration::from_millis(10)).await;
        assert!(matches!(silent, Err(CdpError::Deadline { .. })), "{silent:?}");
        let waiting = connection.start_call(None, &GetTargets {});
        drop(feed);
        assert!(matches!(waiting.finish(Duration::from_secs(5)).await, Err(CdpError::Closed)));
        assert!(events.recv().await.is_none());
        assert!(connection.is_closed());
        let late = connection.call(None, &GetTargets {}, Duration::from_secs(5)).await;
        assert!(matches!(late, Err(CdpError::Closed)));
    }
}
