//! Requests: which a settle waits for, which tell of an action, and who gets the credentials.

use std::time::Instant;

use super::Pump;
use crate::browser::state::{InFlight, TAIL};
use crate::cdp::CdpEvent;
use crate::cdp::protocol::{fetch, network};

/// Requests that a settle may wait for. Streams and pings are open for ever or answer nobody.
const AWAITED_REQUESTS: &[&str] = &["Document", "XHR", "Fetch", "Script", "Stylesheet"];

impl Pump {
    pub(super) fn request_started(&self, event: &CdpEvent) {
        let (Some(session), Some(request)) = (event.session.as_deref(), event.decode::<network::RequestWillBeSent>())
        else {
            return;
        };
        let awaited = AWAITED_REQUESTS.contains(&request.r#type.as_str());
        // A page's own resources are no sign of an action; what its scripts ask for is.
        let telling = matches!(request.r#type.as_str(), "XHR" | "Fetch" | "Document" | "Ping" | "EventSource");
        if !awaited && !telling {
            return;
        }
        let address = request.request.url.split(['?', '#']).next().unwrap_or_default();
        let what: String = format!("{} {address}", request.request.method).chars().take(200).collect();
        self.shared.update(|state| {
            let acting = state.acting || state.acted_until.is_some_and(|until| until.elapsed() < TAIL);
            if let Some(tab) = state.tab_of_session(session) {
                if request.r#type == "Document" {
                    tab.note_document(&request.loader_id, &request.request.method);
                }
                if awaited {
                    tab.in_flight.insert(request.request_id, InFlight { since: Instant::now(), heard: None });
                }
                if telling {
                    tab.requests.note(what, acting);
                }
            }
        });
    }

    pub(super) fn request_heard(&self, event: &CdpEvent) {
        let (Some(session), Some(request)) = (event.session.as_deref(), event.decode::<network::RequestId>()) else {
            return;
        };
        // Nobody waits for this change itself, so nobody is woken.
        let mut state = self.shared.lock();
        if let Some(known) = state.tab_of_session(session).and_then(|tab| tab.in_flight.get_mut(&request.request_id)) {
            known.heard = Some(Instant::now());
        }
    }

    pub(super) fn request_ended(&self, event: &CdpEvent) {
        let (Some(session), Some(request)) = (event.session.as_deref(), event.decode::<network::LoadingEnded>()) else {
            return;
        };
        self.shared.update(|state| {
            if let Some(tab) = state.tab_of_session(session) {
                tab.in_flight.remove(&request.request_id);
                if request.r#type.as_deref() == Some("Document") {
                    tab.unmade_page = Some(Instant::now());
                }
            }
        });
    }

    /// Requests only stop here while credentials wait to be asked for, or where an allowlist judges them.
    pub(super) fn request_paused(&self, event: &CdpEvent) {
        let (Some(session), Some(paused)) = (event.session.as_deref(), event.decode::<fetch::RequestPaused>()) else {
            return;
        };
        let judge = self.plan.interceptor.as_ref();
        let request_id = paused.request_id;
        if judge.is_none_or(|judge| judge.lets_through(&paused.request.url, &paused.resource_type)) {
            self.connection.start_call(Some(session), &fetch::ContinueRequest { request_id }).forget();
        } else {
            let method = fetch::FailRequest { request_id, error_reason: "BlockedByClient" };
            self.connection.start_call(Some(session), &method).forget();
        }
    }

    pub(super) fn auth_required(&self, event: &CdpEvent) {
        let (Some(session), Some(asked)) = (event.session.as_deref(), event.decode::<fetch::AuthRequired>()) else {
            return;
        };
        let from_proxy = asked.auth_challenge.source.as_deref() == Some("Proxy");
        let known = if from_proxy { &self.plan.site.proxy_login } else { &self.plan.site.login };
        // Asked again for the same request, the credentials are wrong: the page shows its own refusal.
        let (first, ours) = self.shared.update(|state| {
            if state.logins_given.len() > 1000 {
                state.logins_given.clear();
            }
            let asker = asked.auth_challenge.origin.trim_end_matches('/');
            let ours = from_proxy || state.login_origin.get_or_insert_with(|| asker.to_string()).as_str() == asker;
            (state.logins_given.insert(asked.request_id.clone()), ours)
        });
        let answer = match known.as_ref().filter(|_| ours) {
            Some(login) if first => fetch::AuthAnswer {
                response: "ProvideCredentials",
                username: Some(login.name.clone()),
                password: Some(login.password.expose().to_string()),
            },
            Some(_) => fetch::AuthAnswer { response: "CancelAuth", ..Default::default() },
            None => fetch::AuthAnswer { response: "Default", ..Default::default() },
        };
        let method = fetch::ContinueWithAuth { request_id: asked.request_id, auth_challenge_response: answer };
        self.connection.start_call(Some(session), &method).forget();
    }
}
