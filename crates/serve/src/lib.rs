//! `surehand serve`: runs over HTTP. Start reading at `server` (what the instance holds), `runner` (from the queue to
//! a run) and `routes` (one file per group of addresses). Every run goes through `conduct`, like those of the command
//! line.

mod access;
mod attend;
mod audit;
mod brains;
mod connection;
mod error;
mod events;
mod explained;
mod forgotten;
mod guard;
mod housekeeping;
mod impatient;
mod inbox;
mod intake;
mod keeping;
mod limits;
mod live;
mod metrics;
mod openapi;
mod order;
mod otlp;
mod pages;
mod parting;
mod plans;
mod reach;
mod routes;
mod runner;
mod seats;
mod server;
mod snapshot;
#[cfg(test)]
mod testing;
mod views;
mod visitors;
mod webhooks;
mod wording;

pub use access::{Access, TokenFileProblem};
pub use connection::{ServeEnd, serve};
pub use otlp::otlp_address;
pub use server::{Offer, Server, ServerConfig};
pub use webhooks::{Reach, WebhookConfig};
