//! What a tab shows is judged again, before and after every call: a proxy sees requests, but not documents that a
//! page makes of itself (`blob:`), nor where a tab stands when its request was refused. Frames below a page may
//! hold such documents; whatever they ask for passes the proxy as well.

use std::time::Duration;

use surehand_checks::before::allowlist::{Refusal, in_words};
use surehand_types::call::TabCall;
use surehand_types::event::EnvironmentEvent;
use surehand_types::observation::DialogKind;
use surehand_types::{Call, ErrorCode};

use super::super::BrowserEnv;
use super::super::state::{State, TabState};
use super::super::tabs::parse_address;
use crate::cdp::protocol::{page, target};
use crate::environment::{Happenings, Settled};
use crate::{CallFailure, EnvError};

/// How long a tab may take to become empty or to close.
const LEAVING: Duration = Duration::from_secs(3);
/// How long a refused page may take to stand in its tab.
const ARRIVING: Duration = Duration::from_millis(700);
/// Events of one call; what is beyond them is counted in the last.
const MOST_EVENTS: usize = 20;

/// What the browser says of a page that the proxy or the interception held back.
const REFUSED_BY_US: &[&str] = &["ERR_TUNNEL_CONNECTION_FAILED", "ERR_BLOCKED_BY_CLIENT"];

/// A tab that stands where it may not.
struct Outsider {
    target: String,
    session: String,
    url: String,
    refusal: Refusal,
    dialog: Option<DialogKind>,
    /// It has never shown anything else, so nothing is lost with it.
    new: bool,
    /// A tab of the user's that stood there before us.
    foreign: bool,
}

impl BrowserEnv {
    /// Denies a call that would lead outside, or that would act on a page there, before anything happens.
    pub(in crate::browser) async fn refuse_outside(&mut self, call: &Call) -> Result<(), CallFailure> {
        if let Call::Tab(TabCall::Open { url }) = call {
            let address = parse_address(url)?;
            return self.gate.judge(address.as_str()).map_err(|refusal| denied(address.as_str(), &refusal));
        }
        if call.only_looks() || matches!(call, Call::Tab(_) | Call::Wait { .. }) {
            return Ok(());
        }
        if let Some(refusal) = self.expel_outsiders().await {
            self.look().await?;
            return Err(refusal);
        }
        let active = self.shared.lock().active_target().map(str::to_string);
        match self.outsiders().into_iter().find(|outsider| Some(&outsider.target) == active.as_ref()) {
            Some(outsider) => Err(denied(&outsider.url, &outsider.refusal)),
            None => Ok(()),
        }
    }

    /// After a call: nobody is shown a page outside.
    pub(in crate::browser) async fn keep_inside(&mut self, settled: Settled) -> Result<Settled, EnvError> {
        self.await_refused_pages().await;
        if self.expel_outsiders().await.is_none() {
            return Ok(settled);
        }
        let observation = self.look().await?;
        Ok(Settled { observation, ..settled })
    }

    /// A page is refused a moment before its tab stands there; a new tab stands nowhere until then.
    async fn await_refused_pages(&self) {
        let refused = self.gate.refusals.peek();
        let pages = refused.iter().any(|refused| refused.document);
        let arrived = |state: &State| {
            let coming = |tab: &TabState| tab.url.is_empty() || pages && tab.loading_since.is_some();
            let driven = |tab: &&TabState| tab.session.is_some() && !tab.crashed;
            (state.lost.is_some() || !state.tabs.iter().filter(driven).any(coming)).then_some(())
        };
        if !refused.is_empty() {
            self.shared.wait_for(ARRIVING, arrived).await;
        }
    }

    /// Empties the tabs that stand outside, or closes those that were opened just now. Says why, if there were any.
    async fn expel_outsiders(&mut self) -> Option<CallFailure> {
        let outsiders: Vec<Outsider> = self.outsiders().into_iter().filter(|outsider| !outsider.foreign).collect();
        let first = outsiders.first().map(|outsider| denied(&outsider.url, &outsider.refusal))?;
        for outsider in outsiders {
            self.gate.refusals.note_page(&outsider.url, outsider.refusal.clone());
            self.expel(&outsider).await;
        }
        self.last = None;
        Some(first)
    }

    fn outsiders(&self) -> Vec<Outsider> {
        if self.gate.allow.is_none() {
            return Vec::new();
        }
        let state = self.shared.lock();
        let (several, ours) = (state.tabs.len() > 1, self.gate.proxy.is_some());
        let outside = |tab: &TabState| {
            let session = tab.session.clone()?;
            let url = shown_address(tab)?;
            let Err(refusal) = self.gate.judge(url) else {
                self.gate.came_inside(&tab.target);
                return None;
            };
            Some(Outsider {
                foreign: self.gate.is_foreign(&tab.target),
                target: tab.target.clone(),
                session,
                url: url.to_string(),
                refusal,
                dialog: tab.dialog.as_ref().map(|dialog| dialog.r#type),
                new: several && (state.happenings.opened.contains(&tab.id) || ours && tab.document <= 1),
            })
        };
        state.tabs.iter().filter(|tab| !tab.crashed).filter_map(outside).collect()
    }

    async fn expel(&self, outsider: &Outsider) {
        let session = Some(outsider.session.as_str());
        let gone = |state: &State| {
            let tab = state.tab(&outsider.target);
            (state.lost.is_some() || tab.is_none_or(|tab| shown_address(tab) != Some(outsider.url.as_str())))
                .then_some(())
        };
        if outsider.new {
            let close = target::CloseTarget { target_id: outsider.target.clone() };
            let _ = self.connection.call(None, &close, LEAVING).await;
            let closed = |state: &State| (state.lost.is_some() || state.tab(&outsider.target).is_none()).then_some(());
            self.shared.wait_for(LEAVING, closed).await;
            return;
        }
        if let Some(kind) = outsider.dialog {
            // It would hold up the navigation; only the question whether to leave is answered with yes.
            let accept = kind == DialogKind::Beforeunload;
            let method = page::HandleJavaScriptDialog { accept, prompt_text: None };
            let _ = self.connection.call(session, &method, LEAVING).await;
        }
        let empty = page::Navigate { url: "about:blank".into() };
        let _ = self.connection.call(session, &empty, LEAVING).await;
        self.shared.wait_for(LEAVING, gone).await;
    }

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

    /// Says what was refused where that is why a page did not load: a redirect that led outside.
    pub(in crate::browser) fn with_refusals(&self, failure: CallFailure) -> CallFailure {
        let held_back = REFUSED_BY_US.iter().any(|error| failure.message.contains(error));
        match in_words(&self.gate.refusals.peek()).filter(|_| held_back) {
            Some(words) => CallFailure { code: ErrorCode::Denied, message: format!("{}; {words}", failure.message) },
            None => failure,
        }
    }

    /// A start page that led elsewhere is no start.
    pub(in crate::browser) fn check_start(&self, url: &str) -> Result<(), EnvError> {
        let state = self.shared.lock();
        let refusal = state.active().and_then(shown_address).and_then(|shown| {
            let refusal = self.gate.judge(shown).err()?;
            Some(denied(shown, &refusal))
        });
        match refusal {
            Some(refusal) => Err(EnvError::Unreachable { url: url.to_string(), message: refusal.message }),
            None => Ok(()),
        }
    }

    pub(in crate::browser) fn gather_refusals(&self, happenings: &mut Happenings) {
        happenings.refused = self.gate.refusals.take();
        let mut counted = happenings.refused.iter();
        for refused in counted.by_ref().take(MOST_EVENTS) {
            let (url, reason) = (refused.url.clone(), refused.reason.clone());
            happenings.events.push(EnvironmentEvent::Refused { url, reason, count: refused.count });
        }
        let rest: Vec<_> = counted.collect();
        if let Some(last) = rest.last() {
            let count = rest.iter().map(|refused| refused.count).fold(0, u64::saturating_add);
            let (url, reason) = (last.url.clone(), format!("{} and {} others", last.reason, rest.len() - 1));
            happenings.events.push(EnvironmentEvent::Refused { url, reason, count });
        }
    }
}

fn denied(url: &str, refusal: &Refusal) -> CallFailure {
    let shown: String = url.chars().filter(|c| !c.is_control()).take(200).collect();
    CallFailure::new(ErrorCode::Denied, format!("the allowlist refused {shown} ({})", refusal.reason))
}

/// The address that a tab stands at; of the browser's own error page, the one that could not be loaded.
fn shown_address(tab: &TabState) -> Option<&str> {
    let url = if tab.url.starts_with("chrome-error:") { tab.unreachable.as_deref()? } else { tab.url.as_str() };
    Some(url).filter(|url| !url.is_empty())
}
