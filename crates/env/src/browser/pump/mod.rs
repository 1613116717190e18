//! The event task: turns protocol events into state. It never waits for a call, so a dialog, a
//! crash or a flood of events cannot hold anything up.

mod documents;
mod downloads;
mod file_names;
mod network;
mod targets;

pub(crate) use file_names::safe_name;

use std::path::PathBuf;
use std::sync::Arc;

use surehand_types::event::EnvironmentEvent;
use tokio::sync::mpsc;

use super::ledger::DownloadLimits;
use super::page::Worlds;
use super::session::SessionPlan;
use super::session_notes::OriginLog;
use super::state::Shared;
use crate::cdp::protocol::target;
use crate::cdp::{CdpEvent, Connection};

pub(crate) struct Pump {
    pub(crate) connection: Connection,
    pub(crate) shared: Arc<Shared>,
    pub(crate) plan: SessionPlan,
    pub(crate) downloads: Option<PathBuf>,
    pub(crate) download_limits: DownloadLimits,
    /// Only for sessions.
    pub(crate) origins: Option<OriginLog>,
    pub(crate) worlds: Worlds,
    pub(crate) redactor: surehand_types::Redactor,
}

impl Pump {
    pub(crate) async fn run(self, mut events: mpsc::UnboundedReceiver<CdpEvent>) {
        while let Some(event) = events.recv().await {
            self.handle(&event);
        }
        self.shared.update(|state| {
            if state.lost.is_none() {
                let reason = "the browser ended or closed the connection".to_string();
                state.happenings.events.push(EnvironmentEvent::Lost { reason: reason.clone() });
                state.lost = Some(reason);
            }
        });
    }

    fn handle(&self, event: &CdpEvent) {
        let session = event.session.as_deref();
        tracing::trace!(method = event.method, params = %shortened(event.params.get()), "event");
        match event.method.as_str() {
            "Target.attachedToTarget" => self.attached(event),
            "Target.detachedFromTarget" => self.detached(event),
            "Target.targetCreated" => self.target_created(event),
            "Target.targetInfoChanged" => self.target_changed(event),
            "Target.targetDestroyed" => {
                if let Some(gone) = event.decode::<target::TargetDestroyed>() {
                    self.shared.update(|state| state.remove_tab(&gone.target_id));
                }
            }
            "Target.targetCrashed" => {
                if let Some(crashed) = event.decode::<target::TargetCrashed>() {
                    // A driven tab tells it itself; hearing it twice would undo a reload in between.
                    self.crashed(|state| state.tab_mut(&crashed.target_id).filter(|tab| tab.session.is_none()));
                }
            }
            "Inspector.targetCrashed" => {
                if let Some(session) = session {
                    self.crashed(|state| state.tab_of_session(session));
                }
            }
            "Page.javascriptDialogOpening" => self.dialog_opening(event),
            "Page.javascriptDialogClosed" => self.dialog_closed(event),
            "Page.frameAttached" => self.frame_attached(event),
            "Page.frameDetached" => self.frame_detached(event),
            "Page.frameNavigated" => self.frame_navigated(event),
            "Page.navigatedWithinDocument" => self.navigated_within(event),
            "Page.frameStartedLoading" => self.loading(event, true),
            "Page.frameStoppedLoading" => self.loading(event, false),
            "Page.fileChooserOpened" => self.file_chooser_opened(event),
            "Input.dragIntercepted" => self.drag_intercepted(event),
            "Fetch.requestPaused" => self.request_paused(event),
            "Fetch.authRequired" => self.auth_required(event),
            "Network.requestWillBeSent" => self.request_started(event),
            "Network.responseReceived" | "Network.dataReceived" => self.request_heard(event),
            "Network.loadingFinished" | "Network.loadingFailed" => self.request_ended(event),
            "Browser.downloadWillBegin" => self.download_begins(event),
            "Browser.downloadProgress" => self.download_progress(event),
            _ => {}
        }
    }
}

fn shortened(text: &str) -> String {
    let mut short: String = text.chars().take(300).collect();
    if short.len() < text.len() {
        // Seen by the redactor of log lines: what stands before it may be half a secret.
        short.push('…');
    }
    short
}
