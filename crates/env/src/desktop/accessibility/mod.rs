//! What applications tell about themselves over AT-SPI, where there is a bus: which element has the
//! focus, what lies at a point, what is in a window. Focus comes by events; trees are walked only when
//! somebody asks for them, and only for a bounded time (a whole walk of a large window costs 0.4 s).

mod element;
mod events;
mod roles;
mod tree;

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use serde::Serialize;
use serde::de::DeserializeOwned;
use zbus::connection::Builder;
use zbus::{Connection, DynamicType, OwnedObjectPath, Type};

pub(super) use element::ElementFacts;
pub(super) use events::{Heard, News};

/// Connecting wakes a launcher, a bus and a registry one after the other.
const CONNECT_DEADLINE: Duration = Duration::from_secs(4);

/// What one question to an application may take.
const QUESTION_DEADLINE: Duration = Duration::from_millis(400);

const REGISTRY: &str = "org.a11y.atspi.Registry";
const ROOT: &str = "/org/a11y/atspi/accessible/root";
const NOTHING: &str = "/org/a11y/atspi/null";

/// Names one element: the application's name on the bus and a path in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Address {
    pub(super) bus: String,
    pub(super) path: OwnedObjectPath,
}

/// Whether the bus is ours to configure.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Whose {
    Ours,
    TheUsers,
}

#[derive(Debug)]
pub(super) struct Accessibility {
    bus: Connection,
    heard: Arc<Mutex<Heard>>,
    listener: tokio::task::JoinHandle<()>,
    /// Applications by their process, as far as they were asked for.
    applications: Mutex<BTreeMap<u32, String>>,
}

impl Drop for Accessibility {
    fn drop(&mut self) {
        self.listener.abort();
    }
}

impl Accessibility {
    /// `None` where there is no such bus; what depends on it is then not measured.
    pub(super) async fn connect(session: &str, whose: Whose) -> Option<Accessibility> {
        match tokio::time::timeout(CONNECT_DEADLINE, connected(session, whose)).await {
            Ok(Ok(accessibility)) => Some(accessibility),
            Ok(Err(error)) => {
                tracing::debug!(%error, "there is no accessibility bus");
                None
            }
            Err(_) => {
                tracing::debug!("the accessibility bus did not come up in time");
                None
            }
        }
    }

    pub(super) fn heard<T>(&self, read: impl FnOnce(&mut Heard) -> T) -> T {
        read(&mut self.heard.lock().unwrap_or_else(PoisonError::into_inner))
    }

    async fn ask<A, B>(&self, whom: &Address, interface: &str, method: &str, body: &A) -> Option<B>
    where
        A: Serialize + DynamicType + Sync,
        B: DeserializeOwned + Type,
    {
        let asked = self.bus.call_method(Some(whom.bus.as_str()), &whom.path, Some(interface), method, body);
        let answer = tokio::time::timeout(QUESTION_DEADLINE, asked).await.ok()?.ok()?;
        answer.body().deserialize_ignore_signature().ok()
    }
}

async fn connected(session: &str, whose: Whose) -> zbus::Result<Accessibility> {
    let session = Builder::address(session).build().await?;
    let (name, path) = ("org.a11y.Bus", "/org/a11y/bus");
    let answer = session.call_method(Some(name), path, Some("org.a11y.Bus"), "GetAddress", &()).await?;
    let address: String = answer.body().deserialize()?;
    if whose == Whose::Ours {
        let enabled = ("org.a11y.Status", "IsEnabled", zbus::Variant::from(true));
        session.call_method(Some(name), path, Some("org.freedesktop.DBus.Properties"), "Set", &enabled).await?;
    }
    let bus = Builder::address(address.as_str()).build().await?;
    let heard = Arc::default();
    let listener = events::listen(&bus, Arc::clone(&heard)).await?;
    Ok(Accessibility { bus, heard, listener, applications: Mutex::default() })
}
