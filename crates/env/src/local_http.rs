//! The HTTP client for what is near: a browser's own address, the sites of demos and tests. It passes no proxy.

use std::time::Duration;

/// A client whose every request ends by the deadline.
pub fn local_client(deadline: Duration) -> reqwest::Result<reqwest::Client> {
    // The HTTP library wants a TLS provider even where nothing is encrypted. One that is installed already will do.
    let _ = rustls::crypto::ring::default_provider().install_default();
    reqwest::Client::builder().no_proxy().timeout(deadline).build()
}
