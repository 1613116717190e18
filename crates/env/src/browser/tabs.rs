//! Tab calls: open, close, switch, list, and moving through a tab's history.

use std::time::Duration;

use surehand_types::call::TabCall;
use surehand_types::{Effect, ErrorCode};
use url::{ParseError, Url};

use super::page::{Page, PageTrouble};
use super::state::Interruption;
use super::{BrowserEnv, failure_of};
use crate::cdp::CdpError;
use crate::cdp::protocol::{page, runtime, target};
use crate::environment::{EffectSource, Receipt, SettleKind};
use crate::{CallFailure, EnvError};

/// A page that says nothing for this long when it is to be reloaded is taken for hung.
const HUNG_AFTER: Duration = Duration::from_secs(2);

impl BrowserEnv {
    /// Opens the page a run starts on: in the first tab of a launched browser, in a new tab of an attached one.
    pub async fn open_start_url(&mut self, url: &str) -> Result<(), EnvError> {
        let address = parse_address(url)?;
        if self.process.is_none() {
            let target = self.open_blank_tab().await?;
            self.shared.update(|state| state.activate(&target));
        }
        self.shared.update(|state| state.login_origin = Some(address.origin().ascii_serialization()));
        let page = self.ready_page().await?;
        let documents = self.document_of(&page).0;
        if let Err(error) = self.navigate(&page, &address).await {
            return Err(self.start_refused(&page, url, error).await);
        }
        self.await_arrival(&page, documents).await;
        self.wait_until_loaded(self.timing.navigation).await;
        self.check_start(&page, url, documents).await?;
        self.last = None;
        // Opening the first page is no news; what it did by itself (an alert, a popup) is.
        self.shared.update(|state| {
            state.happenings.page_changed = Default::default();
            let active = state.active().map(|tab| tab.id.clone());
            state.happenings.opened.retain(|tab| Some(tab) != active.as_ref());
        });
        Ok(())
    }

    pub(super) async fn commit_tab(&mut self, call: &TabCall) -> Result<Receipt, CallFailure> {
        self.restless_before = false;
        match call {
            TabCall::Open { url } => self.open(url).await,
            TabCall::Go { url } => self.go(url).await,
            TabCall::Close { tab } => self.close_tab(tab.as_deref()).await,
            TabCall::Switch { tab } => {
                let id = self.switch_to(Some(tab)).await?;
                let message = format!("{id} is the active tab");
                let effect = EffectSource::Known(Effect::confirmed("tab", message.clone()));
                Ok(Receipt { message, effect, settle: SettleKind::Look, ..Receipt::default() })
            }
            TabCall::List => {
                let state = self.shared.lock();
                let lines: Vec<String> = state
                    .tab_list()
                    .iter()
                    .map(|tab| format!("{}{} {}", tab.id, if tab.active { " (active)" } else { "" }, tab.url))
                    .collect();
                Ok(Receipt {
                    message: format!("{} open: {}", lines.len(), lines.join("; ")),
                    settle: SettleKind::Look,
                    ..Receipt::default()
                })
            }
            TabCall::View { tab } => {
                let id = self.switch_to(tab.as_deref()).await?;
                Ok(Receipt { message: format!("this is {id}"), settle: SettleKind::Look, ..Receipt::default() })
            }
            TabCall::Refresh { tab } => {
                let id = self.switch_to(tab.as_deref()).await?;
                let page = self.page()?;
                let before = self.document_of(&page);
                self.forget_crash(&page);
                self.free_hung_page(&page).await;
                page.call(&page::Reload {}).await.map_err(failure_of)?;
                self.new_document(&page, before, Duration::from_secs(3)).await;
                if self.shared.lock().open_dialog().is_some() {
                    return Ok(asked(format!("{id} asks before it reloads")));
                }
                self.arrived(&page)?;
                Ok(navigated(format!("reloaded {id}")))
            }
            TabCall::Back { tab } => self.move_in_history(tab.as_deref(), -1).await,
            TabCall::Forward { tab } => self.move_in_history(tab.as_deref(), 1).await,
        }
    }

    async fn open(&mut self, url: &str) -> Result<Receipt, CallFailure> {
        let address = parse_address(url)?;
        let previous = self.shared.lock().active_target().map(str::to_string);
        let target = self.open_blank_tab().await?;
        self.shared.update(|state| state.activate(&target));
        let page = self.ready_page().await?;
        if let Err(error) = self.navigate(&page, &address).await {
            // Asked before the tab is gone: it knows where it was led.
            let failure = self.with_refusals(&page, error.into()).await;
            // A tab that shows nothing helps nobody: everything is as it was.
            if let Some(previous) = previous {
                let id = self.shared.lock().tab(&target).map(|tab| tab.id.clone()).unwrap_or_default();
                self.shared.update(|state| state.activate(&previous));
                let close = target::CloseTarget { target_id: target.clone() };
                let _ = self.connection.call(None, &close, self.timing.call).await;
                let gone =
                    |state: &super::state::State| (state.tab(&target).is_none() || state.lost.is_some()).then_some(());
                self.shared.wait_for(self.timing.call, gone).await;
                self.shared.update(|state| state.happenings.opened.retain(|tab| *tab != id));
            }
            return Err(failure);
        }
        let id = self.shared.update(|state| {
            state.happenings.page_changed.other_active_tab = true;
            let id = state.tab(&target).map(|tab| tab.id.clone()).unwrap_or_default();
            if !state.happenings.opened.contains(&id) {
                state.happenings.opened.push(id.clone());
            }
            id
        });
        self.last = None;
        Ok(navigated(format!("opened {address} in {id}")))
    }

    /// In the tab that is active. A page that asks before it is left is still there.
    async fn go(&mut self, url: &str) -> Result<Receipt, CallFailure> {
        let address = parse_address(url)?;
        let page = self.page()?;
        let before = self.document_of(&page);
        self.free_hung_page(&page).await;
        if let Err(error) = self.navigate(&page, &address).await {
            return Err(self.with_refusals(&page, error.into()).await);
        }
        // Another fragment of the same document gives no new one; a short wait is enough to tell.
        self.new_document(&page, before, Duration::from_millis(600)).await;
        self.last = None;
        if self.shared.lock().open_dialog().is_some() {
            return Ok(asked(format!("the page asks before it is left for {address}")));
        }
        self.arrived(&page)?;
        Ok(navigated(format!("went to {address}")))
    }

    async fn open_blank_tab(&self) -> Result<String, EnvError> {
        let context = self.shared.lock().active().and_then(|tab| tab.context.clone());
        // The default context has an id, but naming it is an error in a launched browser.
        let context = if self.process.is_some() { None } else { context };
        self.shared.update(|state| state.creating = true);
        let created = match self.create_tab(context).await {
            Err(EnvError::Protocol(CdpError::Refused { .. })) => self.create_tab(None).await,
            created => created,
        };
        let attached = match created {
            Ok(target) => self.take_new_tab(target).await,
            Err(error) => Err(error),
        };
        self.shared.update(|state| state.creating = false);
        attached
    }

    /// A launched browser attaches its new tabs by itself; in a user's browser we do it.
    async fn take_new_tab(&self, target: String) -> Result<String, EnvError> {
        if self.process.is_some() {
            let attached = |state: &super::state::State| state.tab(&target)?.session.clone();
            self.shared
                .wait_for(self.timing.call, attached)
                .await
                .ok_or_else(|| EnvError::Lost("the new tab did not appear".into()))?;
        } else {
            let known = |state: &super::state::State| state.tab(&target).map(|_| ());
            self.shared.wait_for(self.timing.call, known).await;
            self.attach_tab(&target).await?;
        }
        Ok(target)
    }

    /// The active tab once its session is prepared. A navigation that overtakes the preparation
    /// leaves the new document's events switched off.
    async fn ready_page(&self) -> Result<Page, EnvError> {
        let page = self.page()?;
        let answered: Result<i64, PageTrouble> = page.evaluate("1").await;
        match answered {
            Err(PageTrouble::Interrupted(Interruption::Lost(reason))) => Err(EnvError::Lost(reason)),
            _ => Ok(page),
        }
    }

    async fn navigate(&self, page: &Page, address: &Url) -> Result<(), EnvError> {
        let unreachable = |message: String| EnvError::Unreachable { url: address.to_string(), message };
        self.forget_crash(page);
        let call = page.start(&page::Navigate { url: address.to_string() });
        match page.finish(call, self.timing.navigation).await {
            Ok(answer) => match answer.error_text {
                Some(_) if answer.is_download == Some(true) => Ok(()),
                // A download, or a navigation that another one replaced: the page stays.
                Some(text) if text == "net::ERR_ABORTED" => Ok(()),
                Some(text) => Err(unreachable(text)),
                None => Ok(()),
            },
            Err(PageTrouble::Interrupted(Interruption::Dialog)) => Ok(()),
            Err(PageTrouble::Protocol(CdpError::Deadline { deadline, .. })) => {
                page.start(&page::StopLoading {}).forget();
                Err(unreachable(format!("no answer within {} s", deadline.as_secs())))
            }
            Err(PageTrouble::Protocol(CdpError::Refused { message, .. })) => Err(unreachable(message)),
            Err(trouble) => Err(trouble.into()),
        }
    }

    async fn close_tab(&mut self, tab: Option<&str>) -> Result<Receipt, CallFailure> {
        let (id, target, only) = {
            let state = self.shared.lock();
            let tab = named_or_active(&state, tab)?;
            (tab.id.clone(), tab.target.clone(), state.tabs.len() == 1)
        };
        if only {
            return Err(CallFailure::new(
                ErrorCode::Denied,
                format!("{id} is the only tab; open another one before closing it"),
            ));
        }
        // A driven tab may ask before it closes; one that is only listed is none of our business.
        let session = self.shared.lock().tab(&target).and_then(|tab| tab.session.clone());
        match session {
            Some(session) => self.connection.start_call(Some(&session), &page::Close {}).forget(),
            None => {
                let close = target::CloseTarget { target_id: target.clone() };
                self.connection.call(None, &close, self.timing.call).await?;
            }
        }
        let over = |state: &super::state::State| {
            (state.tab(&target).is_none() || state.interruption(&target).is_some()).then_some(())
        };
        self.shared.wait_for(self.timing.call, over).await;
        self.last = None;
        let (open, asks) = {
            let state = self.shared.lock();
            let tab = state.tab(&target);
            (tab.is_some(), tab.is_some_and(|tab| tab.dialog.is_some()))
        };
        if open && !asks {
            // A page that does not answer cannot close itself; the browser does it without asking.
            let close = target::CloseTarget { target_id: target.clone() };
            self.connection.call(None, &close, self.timing.call).await?;
            let gone =
                |state: &super::state::State| (state.tab(&target).is_none() || state.lost.is_some()).then_some(());
            if self.shared.wait_for(self.timing.call, gone).await.is_none() {
                return Err(CallFailure::new(ErrorCode::Timeout, format!("{id} did not close")));
            }
        }
        let message = if asks { format!("{id} asks before it closes") } else { format!("closed {id}") };
        let effect = EffectSource::Known(Effect::confirmed(if asks { "dialog" } else { "tab" }, message.clone()));
        Ok(Receipt { message, effect, settle: SettleKind::Look, ..Receipt::default() })
    }

    /// Makes a tab the active one and returns its name.
    async fn switch_to(&mut self, tab: Option<&str>) -> Result<String, CallFailure> {
        let (id, target, changes) = {
            let state = self.shared.lock();
            let tab = named_or_active(&state, tab)?;
            (tab.id.clone(), tab.target.clone(), state.active_target() != Some(tab.target.as_str()))
        };
        if changes {
            self.attach_tab(&target).await?;
            self.shared.update(|state| {
                state.activate(&target);
                state.happenings.page_changed.other_active_tab = true;
            });
            self.last = None;
        }
        Ok(id)
    }

    async fn move_in_history(&mut self, tab: Option<&str>, by: i64) -> Result<Receipt, CallFailure> {
        let id = self.switch_to(tab).await?;
        let page = self.page()?;
        let history = page.call(&page::GetNavigationHistory {}).await.map_err(failure_of)?;
        let wanted = self.allowed_entry(&history, by);
        let word = if by < 0 { "back" } else { "forward" };
        let Some(entry) = wanted else {
            return Err(CallFailure::new(
                ErrorCode::NavigationFailed,
                format!("{id} cannot go {word}: its history ends here"),
            ));
        };
        let before = self.document_of(&page);
        let url = entry.url.clone();
        page.call(&page::NavigateToHistoryEntry { entry_id: entry.id }).await.map_err(failure_of)?;
        // A move within one document gives no new document; a short wait is enough to tell.
        self.new_document(&page, before, Duration::from_millis(600)).await;
        if self.shared.lock().open_dialog().is_some() {
            return Ok(asked(format!("{id} asks before it goes {word}")));
        }
        self.arrived(&page)?;
        Ok(navigated(format!("went {word} to {url}")))
    }

    /// The browser shows its error page as if it were a page; it is none.
    fn arrived(&self, page: &Page) -> Result<(), CallFailure> {
        if let Some(judged) = self.judge_arrival(page) {
            return judged;
        }
        let unreachable = self.shared.lock().tab(&page.target).and_then(|tab| tab.unreachable.clone());
        match unreachable {
            Some(url) => Err(CallFailure::new(ErrorCode::NavigationFailed, format!("{url} could not be loaded"))),
            None => Ok(()),
        }
    }

    /// A crashed tab gets a new renderer with its next navigation; until then it would block the wait for it.
    fn forget_crash(&self, page: &Page) {
        self.shared.update(|state| {
            if let Some(tab) = state.tab_mut(&page.target) {
                tab.crashed = false;
            }
        });
    }

    /// A page in an endless loop never gets to reloading itself: the loop is broken off first. Only where
    /// that does not help is its renderer ended; with a capture under way that can take the browser along.
    async fn free_hung_page(&self, page: &Page) {
        if !is_hung(page).await {
            return;
        }
        page.start(&runtime::TerminateExecution {}).forget();
        if !is_hung(page).await {
            return;
        }
        page.start(&page::Crash {}).forget();
        let crashed = |state: &super::state::State| state.tab(&page.target).is_none_or(|tab| tab.crashed).then_some(());
        self.shared.wait_for(Duration::from_secs(3), crashed).await;
        self.forget_crash(page);
    }

    fn document_of(&self, page: &Page) -> (u64, String) {
        let state = self.shared.lock();
        state.tab(&page.target).map(|tab| (tab.document, tab.url.clone())).unwrap_or_default()
    }

    async fn new_document(&self, page: &Page, before: (u64, String), patience: Duration) {
        let changed = |state: &super::state::State| {
            let tab = state.tab(&page.target)?;
            (tab.document != before.0 || tab.url != before.1 || state.interruption(&page.target).is_some())
                .then_some(())
        };
        self.shared.wait_for(patience, changed).await;
    }
}

async fn is_hung(page: &Page) -> bool {
    let answered = tokio::time::timeout(HUNG_AFTER, page.evaluate::<i64>("1")).await;
    matches!(answered, Err(_) | Ok(Err(PageTrouble::Protocol(CdpError::Deadline { .. }))))
}

/// The page wants to know first; nothing has moved yet.
fn asked(message: String) -> Receipt {
    let effect = EffectSource::Known(Effect::confirmed("dialog", message.clone()));
    Receipt { message, effect, settle: SettleKind::Look, ..Receipt::default() }
}

fn navigated(message: String) -> Receipt {
    let effect = EffectSource::Known(Effect::confirmed("navigation", message.clone()));
    Receipt { message, effect, settle: SettleKind::AfterNavigation, ..Receipt::default() }
}

fn named_or_active<'a>(
    state: &'a super::state::State,
    tab: Option<&str>,
) -> Result<&'a super::state::TabState, CallFailure> {
    match tab {
        None => state.active().ok_or_else(|| CallFailure::new(ErrorCode::UnknownTab, "there is no active tab")),
        Some(id) => state.tab_named(id).ok_or_else(|| {
            let known: Vec<&str> = state.tabs.iter().map(|tab| tab.id.as_str()).collect();
            let shown: String = id.chars().take(40).collect();
            CallFailure::new(
                ErrorCode::UnknownTab,
                format!("{shown:?} is not a tab; the tabs are: {}", known.join(", ")),
            )
        }),
    }
}

/// A url as people write it: without a scheme it is https, on this machine http.
pub fn parse_address(text: &str) -> Result<Url, EnvError> {
    let text = text.trim();
    let bad = |message: String| EnvError::BadUrl { url: text.chars().take(200).collect(), message };
    if text.is_empty() {
        return Err(bad("it is empty".into()));
    }
    // What says http itself is that or nothing: no scheme before it would make it an address.
    let scheme = text.split_once("://").map(|(scheme, _)| scheme.to_ascii_lowercase());
    if matches!(scheme.as_deref(), Some("http" | "https")) {
        let address = Url::parse(text).map_err(|error| bad(what_is_wrong(error)))?;
        return if address.port() == Some(0) {
            Err(bad("its port is not one of 1 to 65535".into()))
        } else {
            Ok(address)
        };
    }
    let host_like = |rest: &str| rest.starts_with("localhost") || rest.starts_with("127.") || rest.starts_with("[::1]");
    match Url::parse(text) {
        Ok(address) if address.has_host() || !address.scheme().contains('.') && !host_like(text) => Ok(address),
        _ => {
            let scheme = if host_like(text) { "http" } else { "https" };
            Url::parse(&format!("{scheme}://{text}"))
                .ok()
                .filter(|address| address.host_str().is_some_and(|host| host.contains('.') || host_like(text)))
                .ok_or_else(|| bad("it has no scheme like https://".into()))
        }
    }
}

fn what_is_wrong(error: ParseError) -> String {
    let words = match error {
        ParseError::EmptyHost => "it names no host",
        ParseError::InvalidPort => "its port is not one of 1 to 65535",
        ParseError::InvalidIpv4Address => "its host looks like a number and is none",
        ParseError::InvalidIpv6Address => "its host begins with [ and is no IPv6 address",
        ParseError::InvalidDomainCharacter | ParseError::IdnaError => "its host has characters in it that no host has",
        other => return format!("it cannot be read: {other}"),
    };
    words.to_string()
}

#[cfg(test)]
mod tests {
    use super::parse_address;

    #[test]
    fn what_is_wrong_with_an_address_is_said() {
        for (text, words) in [
            ("http://", "names no host"),
            ("http://user:pw@/", "names no host"),
            ("http://[", "IPv6"),
            ("https://a b/", "characters"),
            ("http://127.0.0.1:99999/", "port"),
            ("HTTP://127.0.0.1:0/", "port"),
            ("http://1.2.3.400/", "number"),
            ("not a url", "scheme"),
        ] {
            let error = parse_address(text).unwrap_err().to_string();
            assert!(error.contains(words), "{text}: {error}");
        }
    }

    #[test]
    fn addresses_as_people_write_them() {
        for (text, expected) in [
            ("https://a.example/x?y#z", Some("https://a.example/x?y#z")),
            ("example.com/path", Some("https://example.com/path")),
            ("localhost:8080/x", Some("http://localhost:8080/x")),
            ("127.0.0.1:9/", Some("http://127.0.0.1:9/")),
            ("about:blank", Some("about:blank")),
            ("data:text/html,hi", Some("data:text/html,hi")),
            ("", None),
            ("not a url", None),
            ("http://", None),
        ] {
            assert_eq!(parse_address(text).ok().map(|url| url.to_string()).as_deref(), expected, "{text}");
        }
    }
}
