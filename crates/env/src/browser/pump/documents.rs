//! What happens within a tab: documents, frames, dialogs, file choosers and drags.

use std::time::Instant;

use surehand_types::event::EnvironmentEvent;
use surehand_types::observation::{Dialog, DialogHandled, DialogKind};

use super::Pump;
use crate::browser::state::{ChildFrame, FileChooser};
use crate::cdp::CdpEvent;
use crate::cdp::protocol::{input, page};

/// After this many alerts in one call the next one stays open, so that a page cannot keep us busy for ever.
const ALERTS_ACCEPTED_PER_CALL: u32 = 5;

impl Pump {
    pub(super) fn frame_attached(&self, event: &CdpEvent) {
        let (Some(session), Some(attached)) = (event.session.as_deref(), event.decode::<page::FrameAttached>()) else {
            return;
        };
        self.shared.update(|state| {
            if let Some(tab) = state.tab_of_session(session) {
                tab.note_frame(ChildFrame {
                    frame: attached.frame_id,
                    session: session.to_string(),
                    parent_session: session.to_string(),
                });
            }
        });
    }

    /// A frame that moves to a process of its own is detached here and attached as a target there.
    pub(super) fn frame_detached(&self, event: &CdpEvent) {
        let (Some(session), Some(gone)) = (event.session.as_deref(), event.decode::<page::FrameIdOnly>()) else {
            return;
        };
        self.shared.update(|state| {
            if let Some(tab) = state.tab_of_session(session) {
                tab.child_frames.retain(|known| known.frame != gone.frame_id || known.session != session);
            }
        });
    }

    pub(super) fn frame_navigated(&self, event: &CdpEvent) {
        let (Some(session), Some(navigated)) = (event.session.as_deref(), event.decode::<page::FrameNavigated>())
        else {
            return;
        };
        self.worlds.forget_document(session, &navigated.frame.id, navigated.frame.parent_id.is_none());
        if let Some(origins) = &self.origins {
            origins.note(&navigated.frame.url);
        }
        self.shared.update(|state| {
            let active = state.active_target().map(str::to_string);
            let Some(tab) = state.tab_of_session(session) else {
                return;
            };
            if navigated.frame.parent_id.is_some() || tab.session.as_deref() != Some(session) {
                tab.frame_documents += 1;
                return;
            }
            tab.file_chooser = None;
            tab.drag = None;
            tab.child_frames.clear();
            tab.resends = tab.posted.contains(&navigated.frame.loader_id);
            tab.main_frame = navigated.frame.id;
            tab.document += 1;
            tab.url = navigated.frame.url;
            tab.unreachable = navigated.frame.unreachable_url.filter(|url| !url.is_empty());
            tab.crashed = false;
            tab.in_flight.clear();
            tab.unmade_page = None;
            if active.as_deref() == Some(tab.target.as_str()) {
                state.happenings.page_changed.new_document = true;
            }
        });
    }

    pub(super) fn navigated_within(&self, event: &CdpEvent) {
        let (Some(session), Some(navigated)) =
            (event.session.as_deref(), event.decode::<page::NavigatedWithinDocument>())
        else {
            return;
        };
        self.shared.update(|state| {
            let active = state.active_target().map(str::to_string);
            let Some(tab) = state.tab_of_session(session) else {
                return;
            };
            if navigated.frame_id != tab.main_frame {
                return;
            }
            let changed = tab.url != navigated.url;
            tab.url = navigated.url;
            if changed && active.as_deref() == Some(tab.target.as_str()) {
                state.happenings.page_changed.url_changed = true;
            }
        });
    }

    pub(super) fn loading(&self, event: &CdpEvent, started: bool) {
        let (Some(session), Some(frame)) = (event.session.as_deref(), event.decode::<page::FrameIdOnly>()) else {
            return;
        };
        self.shared.update(|state| {
            if let Some(tab) = state.tab_of_session(session)
                && tab.main_frame == frame.frame_id
            {
                tab.loading_since = started.then(Instant::now);
            }
        });
    }

    pub(super) fn dialog_opening(&self, event: &CdpEvent) {
        let (Some(session), Some(opening)) = (event.session.as_deref(), event.decode::<page::DialogOpening>()) else {
            return;
        };
        let kind = match opening.r#type.as_str() {
            "alert" => DialogKind::Alert,
            "confirm" => DialogKind::Confirm,
            "prompt" => DialogKind::Prompt,
            _ => DialogKind::Beforeunload,
        };
        let message: String = opening.message.chars().take(4000).collect();
        let mut dialog = Dialog { r#type: kind, message, default: opening.default_prompt, handled: None };
        let accept = self.shared.update(|state| {
            let accept = kind == DialogKind::Alert && state.alerts_accepted < ALERTS_ACCEPTED_PER_CALL;
            // A session that is not (or no longer) a tab's has nobody to answer for it.
            let Some(tab) = state.tab_of_session(session) else { return false };
            if accept {
                dialog.handled = Some(DialogHandled::Accepted);
            }
            let opened = EnvironmentEvent::DialogOpened { tab: tab.id.clone(), dialog: dialog.clone() };
            if accept {
                state.alerts_accepted += 1;
                state.happenings.alert_in_call = state.calling;
                state.happenings.answered_dialog = Some(dialog);
            } else {
                tab.dialog = Some(dialog);
            }
            state.happenings.events.push(opened);
            accept
        });
        if accept {
            let method = page::HandleJavaScriptDialog { accept: true, prompt_text: None };
            self.connection.start_call(Some(session), &method).forget();
        }
    }

    pub(super) fn dialog_closed(&self, event: &CdpEvent) {
        let Some(session) = event.session.as_deref() else {
            return;
        };
        self.shared.update(|state| {
            if let Some(tab) = state.tab_of_session(session) {
                tab.dialog = None;
            }
        });
    }

    pub(super) fn file_chooser_opened(&self, event: &CdpEvent) {
        let (Some(session), Some(opened)) = (event.session.as_deref(), event.decode::<page::FileChooserOpened>())
        else {
            return;
        };
        self.shared.update(|state| {
            let tab = state.tab_of_session(session);
            if let Some(tab) = tab {
                tab.file_chooser = Some(FileChooser {
                    session: session.to_string(),
                    frame: opened.frame_id,
                    input: opened.backend_node_id,
                    multiple: opened.mode == "selectMultiple",
                });
            }
        });
    }

    pub(super) fn drag_intercepted(&self, event: &CdpEvent) {
        let (Some(session), Some(drag)) = (event.session.as_deref(), event.decode::<input::DragIntercepted>()) else {
            return;
        };
        self.shared.update(|state| {
            if let Some(tab) = state.tab_of_session(session) {
                tab.drag = Some(drag.data);
            }
        });
    }
}
