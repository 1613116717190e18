//! Tabs, frames of other processes and crashes: what the browser says about its targets.

use surehand_types::event::EnvironmentEvent;

use super::Pump;
use crate::browser::session;
use crate::browser::state::{ChildFrame, State, TabState};
use crate::cdp::CdpEvent;
use crate::cdp::protocol::target;

impl Pump {
    pub(super) fn attached(&self, event: &CdpEvent) {
        let Some(attached) = event.decode::<target::AttachedToTarget>() else {
            return;
        };
        let info = &attached.target_info;
        match info.r#type.as_str() {
            "page" if self.is_of_somebody_else(&attached) => session::release(&self.connection, &attached.session_id),
            "page" if session::is_drivable(info) => {
                self.shared.update(|state| {
                    let new =
                        state.add_tab(&info.target_id, info.browser_context_id.as_deref(), &info.url, &info.title);
                    if let Some(tab) = state.tab_mut(&info.target_id) {
                        tab.session = Some(attached.session_id.clone());
                        if new {
                            let event = EnvironmentEvent::TabOpened { tab: tab.id.clone(), url: tab.url.clone() };
                            let id = tab.id.clone();
                            state.happenings.opened.push(id);
                            state.happenings.events.push(event);
                        }
                    }
                });
                session::prepare_page(&self.connection, &attached.session_id, &self.plan);
            }
            "iframe" => {
                let parent = event.session.clone();
                self.shared.update(|state| {
                    let Some(parent) = parent else { return };
                    let Some(tab) = state.tab_of_session(&parent) else {
                        return;
                    };
                    tab.note_frame(ChildFrame {
                        session: attached.session_id.clone(),
                        frame: info.target_id.clone(),
                        parent_session: parent,
                    });
                });
                session::prepare_frame(&self.connection, &attached.session_id, &self.plan);
            }
            "worker" | "service_worker" | "shared_worker" if self.plan.interceptor.is_some() => {
                session::prepare_worker(&self.connection, &attached.session_id);
            }
            // Workers and the browser's own pages: let them run, without us.
            _ => session::release(&self.connection, &attached.session_id),
        }
    }

    /// With an allowlist, new tabs of a user's browser are stopped before their first request. The user's own tabs
    /// are let go at once, and so is a second session of a tab.
    fn is_of_somebody_else(&self, attached: &target::AttachedToTarget) -> bool {
        if self.plan.interceptor.is_none() {
            return false;
        }
        let info = &attached.target_info;
        let state = self.shared.lock();
        if state.tab(&info.target_id).is_some_and(|tab| tab.session.is_some()) {
            return true;
        }
        let asked_for = state.creating || state.wanted.as_deref() == Some(info.target_id.as_str());
        !asked_for && !state.is_from_ours(info)
    }

    pub(super) fn detached(&self, event: &CdpEvent) {
        let Some(gone) = event.decode::<target::DetachedFromTarget>() else {
            return;
        };
        self.shared.update(|state| {
            for tab in &mut state.tabs {
                tab.child_frames.retain(|frame| frame.session != gone.session_id);
                if tab.session.as_deref() == Some(gone.session_id.as_str()) {
                    tab.session = None;
                }
            }
        });
    }

    pub(super) fn target_created(&self, event: &CdpEvent) {
        let Some(created) = event.decode::<target::TargetCreated>() else {
            return;
        };
        let info = created.target_info;
        if info.r#type != "page" || !session::is_drivable(&info) {
            return;
        }
        let attach = self.shared.update(|state| {
            let from_ours = state.is_from_ours(&info);
            let new = state.add_tab(&info.target_id, info.browser_context_id.as_deref(), &info.url, &info.title);
            if new
                && from_ours
                && let Some(tab) = state.tab(&info.target_id)
            {
                let event = EnvironmentEvent::TabOpened { tab: tab.id.clone(), url: tab.url.clone() };
                let id = tab.id.clone();
                state.happenings.opened.push(id);
                state.happenings.events.push(event);
            }
            new && from_ours
        });
        // A launched browser attaches popups by itself; in a user's browser we take only those of our own tabs.
        if attach && !self.plan.launched && self.plan.interceptor.is_none() {
            let method = target::AttachToTarget { target_id: info.target_id, flatten: true };
            self.connection.start_call(None, &method).forget();
        }
    }

    pub(super) fn target_changed(&self, event: &CdpEvent) {
        let Some(changed) = event.decode::<target::TargetCreated>() else {
            return;
        };
        let info = changed.target_info;
        self.shared.update(|state| {
            if let Some(tab) = state.tab_mut(&info.target_id) {
                tab.url = info.url;
                tab.title = info.title;
            }
        });
    }

    pub(super) fn crashed(&self, find: impl FnOnce(&mut State) -> Option<&mut TabState>) {
        self.shared.update(|state| {
            let Some(tab) = find(state) else { return };
            if tab.crashed {
                return;
            }
            tab.crashed = true;
            tab.dialog = None;
            let event = EnvironmentEvent::TabCrashed { tab: tab.id.clone() };
            state.happenings.events.push(event);
        });
    }
}
