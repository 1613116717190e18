// The mail site: its routes and state.

use std::sync::Arc;

use axum::Router;
use serde_json::{Value, json};

use crate::parts::{FORM_BYTES, SiteParts, SiteState};

pub(crate) fn parts() -> SiteParts {
    SiteParts { router: Router::new(), state: Arc::new(MailState), most_body_bytes: FORM_BYTES }
}

struct MailState;

impl SiteState for MailState {
    fn snapshot(&self) -> Value {
        json!({})
    }

    fn reset(&self, _seed: u64) {}
}
