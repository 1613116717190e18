//! What a tab shows is judged again, before and after every call: a proxy sees requests, but not documents that a
//! page makes of itself (`blob:`), nor where a tab stands when its request was refused. Frames below a page may
//! hold such documents; whatever they ask for passes the proxy as well.

use std::time::Duration;

use surehand_checks::before::allowlist::Refusal;
use surehand_types::call::TabCall;
use surehand_types::event::EnvironmentEvent;
use surehand_types::observation::DialogKind;
use surehand_types::{Call, ErrorCode};

use super::super::BrowserEnv;
use super::super::state::{State, TabState};
use super::super::tabs::parse_address;
use crate::cdp::protocol::{page, target};
use crate::environment::{Happenings, Receipt, SettleKind, Settled};
use crate::{ALLOWLIST_REFUSED, CallFailure, EnvError};

/// How long a tab may take to become empty or to close.
const LEAVING: Duration = Duration::from_secs(3);
/// How long a refused page may take to stand in its tab.
pub(super) const ARRIVING: Duration = Duration::from_millis(700);
/// Events of one call; what is beyond them is counted in the last.
const MOST_EVENTS: usize = 20;

/// A tab that stands where it may not.
pub(super) struct Outsider {
    tab: String,
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
        if let Call::Tab(TabCall::Open { url } | TabCall::Go { url }) = call {
            let address = parse_address(url)?;
            return self.gate.judge_asked(&address);
        }
        if call.only_looks() || matches!(call, Call::Tab(_) | Call::Wait { .. }) {
            return Ok(());
        }
        if let Some(outsider) = self.expel_outsiders().await.first() {
            self.look().await?;
            return Err(denied(&outsider.url, &outsider.refusal));
        }
        let active = self.shared.lock().active_target().map(str::to_string);
        match self.outsiders().into_iter().find(|outsider| Some(&outsider.target) == active.as_ref()) {
            Some(outsider) => Err(denied(&outsider.url, &outsider.refusal)),
            None => Ok(()),
        }
    }

    /// After a call: nobody is shown a page outside. A call that was to load a page which turns out to be there
    /// has failed; one that did something else (a click) was done, and what came of it is told beside it.
    pub(in crate::browser) async fn keep_inside(
        &mut self,
        settled: Settled,
        receipt: &Receipt,
    ) -> Result<Settled, EnvError> {
        self.await_refused_pages().await;
        let active = self.shared.lock().active_target().map(str::to_string);
        let expelled = self.expel_outsiders().await;
        if expelled.is_empty() {
            return Ok(settled);
        }
        let loaded = |outsider: &&Outsider| Some(&outsider.target) == active.as_ref();
        if let Some(outsider) = expelled.iter().find(loaded).filter(|_| receipt.settle == SettleKind::AfterNavigation) {
            let CallFailure { code, message } = denied(&outsider.url, &outsider.refusal);
            let left = if outsider.new { "the new tab was closed" } else { "the tab is empty now" };
            let failure = CallFailure { code, message: format!("{message}; {left}") };
            self.shared.update(|state| {
                state.happenings.opened.retain(|tab| *tab != outsider.tab || !outsider.new);
                state.happenings.led_outside = Some(failure);
            });
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

    /// Empties the tabs that stand outside, or closes those that were opened just now; says which they were.
    pub(super) async fn expel_outsiders(&mut self) -> Vec<Outsider> {
        let outsiders: Vec<Outsider> = self.outsiders().into_iter().filter(|outsider| !outsider.foreign).collect();
        for outsider in &outsiders {
            self.gate.refusals.note_page(&outsider.url, outsider.refusal.clone());
            self.expel(outsider).await;
        }
        if !outsiders.is_empty() {
            self.last = None;
        }
        outsiders
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
                tab: tab.id.clone(),
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

pub(super) fn denied(url: &str, refusal: &Refusal) -> CallFailure {
    let shown: String = url.chars().filter(|c| !c.is_control()).take(200).collect();
    CallFailure::new(ErrorCode::Denied, format!("{ALLOWLIST_REFUSED} {shown} ({})", refusal.reason))
}

/// The address that a tab stands at; of the browser's own error page, the one that could not be loaded.
pub(super) fn shown_address(tab: &TabState) -> Option<&str> {
    let url = if tab.url.starts_with("chrome-error:") { tab.unreachable.as_deref()? } else { tab.url.as_str() };
    Some(url).filter(|url| !url.is_empty())
}
