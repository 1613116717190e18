//! Where a navigation that was asked for ends: an answer, an entry of a tab's history or a start page that leads
//! outside is told as a refusal, with the address that it led to.

use std::time::Duration;

use surehand_types::ErrorCode;

use super::super::BrowserEnv;
use super::super::page::Page;
use super::super::state::State;
use super::inside::{ARRIVING, denied, shown_address};
use crate::cdp::protocol::page;
use crate::{CallFailure, EnvError};

/// What the browser says of a page that the proxy or the interception held back.
const REFUSED_BY_US: &[&str] = &["ERR_TUNNEL_CONNECTION_FAILED", "ERR_BLOCKED_BY_CLIENT"];
/// How long the browser's own page about an error may take.
const ERROR_PAGE: Duration = Duration::from_secs(3);

impl BrowserEnv {
    /// The nearest entry of a tab's history, back or forward, that may be shown.
    pub(in crate::browser) fn allowed_entry<'a>(
        &self,
        history: &'a page::NavigationHistory,
        by: i64,
    ) -> Option<&'a page::NavigationEntry> {
        let mut index = history.current_index;
        loop {
            index += by;
            let entry = history.entries.get(usize::try_from(index).ok()?)?;
            if self.gate.judge(&entry.url).is_ok() {
                return Some(entry);
            }
        }
    }

    /// Of a tab that stands outside now: the refusal where it stays there, being the user's. Any other is told of
    /// when the tab has been emptied, after the call.
    pub(in crate::browser) fn judge_arrival(&self, page: &Page) -> Option<Result<(), CallFailure>> {
        let refused = self.refusal_of(&self.shared.lock(), page)?;
        Some(if self.gate.is_foreign(&page.target) { Err(refused) } else { Ok(()) })
    }

    fn refusal_of(&self, state: &State, page: &Page) -> Option<CallFailure> {
        let shown = shown_address(state.tab(&page.target)?)?;
        self.gate.judge(shown).err().map(|refusal| denied(shown, &refusal))
    }

    /// Says what was refused where that is why a page did not load: a redirect that led outside.
    pub(in crate::browser) async fn with_refusals(&self, page: &Page, failure: CallFailure) -> CallFailure {
        if !REFUSED_BY_US.iter().any(|error| failure.message.contains(error)) {
            return failure;
        }
        // The error page comes a moment after the error, and knows the whole address. A tunnel also fails where the
        // host is listed and cannot be reached, so only that address tells.
        let address_known = |state: &State| state.tab(&page.target)?.unreachable.as_ref().map(|_| ());
        self.shared.wait_for(ERROR_PAGE, address_known).await;
        self.refusal_of(&self.shared.lock(), page).unwrap_or(failure)
    }

    /// The answer to a navigation may come before the event that says where it ended.
    pub(in crate::browser) async fn await_arrival(&self, page: &Page, documents_before: u64) {
        let arrived = |state: &State| {
            let documents = state.tab(&page.target).map(|tab| tab.document);
            (documents != Some(documents_before) || state.interruption(&page.target).is_some()).then_some(())
        };
        if self.gate.allow.is_some() {
            self.shared.wait_for(ARRIVING, arrived).await;
        }
    }

    /// Why a start page was not loaded, with the refusal where that is it.
    pub(in crate::browser) async fn start_refused(&self, page: &Page, url: &str, error: EnvError) -> EnvError {
        let failure = CallFailure::new(ErrorCode::NavigationFailed, error.to_string());
        match self.with_refusals(page, failure).await {
            CallFailure { code: ErrorCode::Denied, message } => EnvError::Unreachable { url: url.to_string(), message },
            _ => error,
        }
    }

    /// A start page whose answer led outside is no start. One that was there and then went outside by itself, or
    /// asked for a file there, has been opened: its tab is emptied, and the first call tells why.
    pub(in crate::browser) async fn check_start(
        &mut self,
        page: &Page,
        url: &str,
        documents_before: u64,
    ) -> Result<(), EnvError> {
        let (refused, documents) = {
            let state = self.shared.lock();
            (self.refusal_of(&state, page), state.tab(&page.target).map_or(0, |tab| tab.document))
        };
        let Some(refused) = refused else { return Ok(()) };
        if documents.saturating_sub(documents_before) <= 1 {
            return Err(EnvError::Unreachable { url: url.to_string(), message: refused.message });
        }
        self.expel_outsiders().await;
        Ok(())
    }
}
