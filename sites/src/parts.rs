// What a site hands to the server: its routes, and a handle on its state. Separate because it is
// the whole contract between the generic server and a site.

use std::sync::Arc;

use axum::Router;
use serde_json::Value;

/// The seed used when nobody asks for another.
pub(crate) const DEFAULT_SEED: u64 = 1;

/// Many times the largest form of any site.
pub(crate) const FORM_BYTES: usize = 64 * 1024;
/// Enough for the files that a test uploads.
pub(crate) const UPLOAD_BYTES: usize = 8 * 1024 * 1024;

/// One site, ready to be served.
pub(crate) struct SiteParts {
    pub(crate) router: Router,
    pub(crate) state: Arc<dyn SiteState>,
    /// The longest body it accepts: `FORM_BYTES`, or `UPLOAD_BYTES` where files are sent.
    pub(crate) most_body_bytes: usize,
}

/// What the `/__state` and `/__reset` endpoints need from a site.
pub(crate) trait SiteState: Send + Sync + 'static {
    /// The whole server-side state as JSON.
    fn snapshot(&self) -> Value;

    /// Throws everything away and generates the data of `seed`; the same seed gives the same data.
    fn reset(&self, seed: u64);
}
