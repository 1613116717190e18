//! The allowlist in a browser that somebody else started. It has no proxy of ours, so every request of the tabs
//! that we drive is held up at the protocol and judged there. Weaker than a proxy, and said to be.

use std::sync::Arc;

use surehand_checks::before::allowlist::Allowlist;

use super::log::{RefusalLog, Wanted};
use crate::browser::BrowserOptions;

/// Told at the start, in one sentence.
pub(super) const WEAKER: &str = "the allowlist is weaker in an attached browser: it holds back the requests of the \
tabs that are driven, but not WebSockets, WebRTC, DNS lookups, preconnections, shared \
workers, nor the browser's other tabs and extensions";

#[derive(Debug, Clone)]
pub(crate) struct Interceptor {
    pub(super) allow: Arc<Allowlist>,
    pub(super) refusals: Arc<RefusalLog>,
}

impl Interceptor {
    pub(crate) fn of(options: &BrowserOptions) -> Option<Interceptor> {
        let allow = options.allow.clone()?;
        Some(Interceptor { allow, refusals: Arc::default() })
    }

    /// Whether the request may go on; notes it where not.
    pub(crate) fn lets_through(&self, url: &str, resource_type: &str) -> bool {
        match self.allow.request(url) {
            Ok(()) => true,
            Err(refusal) => {
                let wanted = if resource_type == "Document" { Wanted::Page } else { Wanted::Part };
                self.refusals.note(url, refusal, wanted);
                false
            }
        }
    }
}
