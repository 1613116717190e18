//! A client of `surehand serve`, with the types that the server itself reads and writes. Start reading at `client`
//! (one request, one answer) and `events` (a run followed to its end, across lost connections).

mod client;
mod error;
mod events;
mod instance;
mod runs;
mod sse;

pub use client::Client;
pub use error::ClientError;
pub use events::{Events, Heard};
pub use instance::LessonQuery;
pub use runs::RunQuery;
pub use surehand_types::api;
