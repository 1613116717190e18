// What can go wrong when a site is chosen, started or served. Separate so callers can match on
// the cases without reading the server.

use std::net::SocketAddr;

/// Why a site could not be chosen, started or kept running.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SiteError {
    #[error("there is no site named {name:?}; known sites: {known}")]
    UnknownSite { name: String, known: String },

    #[error("cannot listen on {address}: {source}")]
    Listen { address: SocketAddr, source: std::io::Error },

    #[error("the site server stopped with an error: {0}")]
    Serve(#[source] std::io::Error),

    #[error("the site server task ended abnormally: {0}")]
    Task(#[source] tokio::task::JoinError),
}
