//! The Chrome DevTools Protocol, only as much of it as we use: a transport, one connection with
//! one reader task, and typed calls. Nothing above this module sees protocol JSON.

mod connection;
pub(crate) mod protocol;
mod transport;

pub(crate) use connection::{CdpEvent, Connection, PendingCall};
pub(crate) use transport::Transport;

use std::time::Duration;

#[derive(Debug, Clone, thiserror::Error)]
pub enum CdpError {
    #[error("the connection to the browser is closed")]
    Closed,
    #[error("{method} got no answer within {} ms", deadline.as_millis())]
    Deadline { method: &'static str, deadline: Duration },
    #[error("{method} was refused: {message}")]
    Refused { method: &'static str, code: i64, message: String },
    #[error("{method} answered something unreadable: {message}")]
    Unreadable { method: &'static str, message: String },
    #[error("cannot reach the browser at {url}: {message}")]
    Unreachable { url: String, message: String },
}
