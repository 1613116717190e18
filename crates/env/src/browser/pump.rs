//! The event task: turns protocol events into state. It never waits for a call, so a dialog, a
//! crash or a flood of events cannot hold anything up.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use surehand_types::event::EnvironmentEvent;
use surehand_types::observation::{Dialog, DialogHandled, DialogKind, Download};
use tokio::sync::mpsc;

use super::page::Worlds;
use super::session::{self, SessionPlan};
use super::state::{ChildFrame, FileChooser, InFlight, Shared, TAIL};
use crate::cdp::protocol::{browser, fetch, input, network, page, target};
use crate::cdp::{CdpEvent, Connection};

/// After this many alerts in one call the next one stays open, so that a page cannot keep us busy for ever.
const ALERTS_ACCEPTED_PER_CALL: u32 = 5;

/// Requests that a settle may wait for. Streams and pings are open for ever or answer nobody.
const AWAITED_REQUESTS: &[&str] = &["Document", "XHR", "Fetch", "Script", "Stylesheet"];

pub(crate) struct Pump {
    pub(crate) connection: Connection,
    pub(crate) shared: Arc<Shared>,
    pub(crate) plan: SessionPlan,
    pub(crate) downloads: Option<PathBuf>,
    pub(crate) worlds: Worlds,
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
            "Browser.downloadWillBegin" => {
                if let Some(begin) = event.decode::<browser::DownloadWillBegin>() {
                    self.shared.update(|state| state.downloads.insert(begin.guid, begin.suggested_filename));
                }
            }
            "Browser.downloadProgress" => self.download_progress(event),
            _ => {}
        }
    }

    fn attached(&self, event: &CdpEvent) {
        let Some(attached) = event.decode::<target::AttachedToTarget>() else {
            return;
        };
        let info = &attached.target_info;
        match info.r#type.as_str() {
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
            // Workers and the browser's own pages: let them run, without us.
            _ => session::release(&self.connection, &attached.session_id),
        }
    }

    fn detached(&self, event: &CdpEvent) {
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

    fn target_created(&self, event: &CdpEvent) {
        let Some(created) = event.decode::<target::TargetCreated>() else {
            return;
        };
        let info = created.target_info;
        if info.r#type != "page" || !session::is_drivable(&info) {
            return;
        }
        let attach = self.shared.update(|state| {
            let opened_by_ours = info
                .opener_id
                .as_deref()
                .is_some_and(|opener| state.tab(opener).is_some_and(|tab| tab.session.is_some()));
            // A click with a modifier opens a tab that names no opener; during our call it is ours.
            let context = state.active().map(|tab| tab.context.clone());
            let from_ours =
                opened_by_ours || state.calling && !state.creating && context == Some(info.browser_context_id.clone());
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
        if attach && !self.plan.launched {
            let method = target::AttachToTarget { target_id: info.target_id, flatten: true };
            self.connection.start_call(None, &method).forget();
        }
    }

    fn target_changed(&self, event: &CdpEvent) {
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

    fn crashed(&self, find: impl FnOnce(&mut super::state::State) -> Option<&mut super::state::TabState>) {
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

    fn dialog_opening(&self, event: &CdpEvent) {
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

    fn dialog_closed(&self, event: &CdpEvent) {
        let Some(session) = event.session.as_deref() else {
            return;
        };
        self.shared.update(|state| {
            if let Some(tab) = state.tab_of_session(session) {
                tab.dialog = None;
            }
        });
    }

    fn frame_attached(&self, event: &CdpEvent) {
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
    fn frame_detached(&self, event: &CdpEvent) {
        let (Some(session), Some(gone)) = (event.session.as_deref(), event.decode::<page::FrameIdOnly>()) else {
            return;
        };
        self.shared.update(|state| {
            if let Some(tab) = state.tab_of_session(session) {
                tab.child_frames.retain(|known| known.frame != gone.frame_id || known.session != session);
            }
        });
    }

    fn frame_navigated(&self, event: &CdpEvent) {
        let (Some(session), Some(navigated)) = (event.session.as_deref(), event.decode::<page::FrameNavigated>())
        else {
            return;
        };
        self.worlds.forget_document(session, &navigated.frame.id, navigated.frame.parent_id.is_none());
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
            tab.main_frame = navigated.frame.id;
            tab.document += 1;
            tab.url = navigated.frame.url;
            tab.unreachable = navigated.frame.unreachable_url.filter(|url| !url.is_empty());
            tab.crashed = false;
            tab.in_flight.clear();
            if active.as_deref() == Some(tab.target.as_str()) {
                state.happenings.page_changed.new_document = true;
            }
        });
    }

    fn navigated_within(&self, event: &CdpEvent) {
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

    fn loading(&self, event: &CdpEvent, started: bool) {
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

    fn request_started(&self, event: &CdpEvent) {
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
                if awaited {
                    tab.in_flight.insert(request.request_id, InFlight { since: Instant::now(), heard: None });
                }
                if telling {
                    tab.requests.note(what, acting);
                }
            }
        });
    }

    fn file_chooser_opened(&self, event: &CdpEvent) {
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

    fn drag_intercepted(&self, event: &CdpEvent) {
        let (Some(session), Some(drag)) = (event.session.as_deref(), event.decode::<input::DragIntercepted>()) else {
            return;
        };
        self.shared.update(|state| {
            if let Some(tab) = state.tab_of_session(session) {
                tab.drag = Some(drag.data);
            }
        });
    }

    /// Requests only stop here while credentials wait to be asked for.
    fn request_paused(&self, event: &CdpEvent) {
        if let (Some(session), Some(paused)) = (event.session.as_deref(), event.decode::<fetch::RequestPaused>()) {
            let method = fetch::ContinueRequest { request_id: paused.request_id };
            self.connection.start_call(Some(session), &method).forget();
        }
    }

    fn auth_required(&self, event: &CdpEvent) {
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

    fn request_heard(&self, event: &CdpEvent) {
        let (Some(session), Some(request)) = (event.session.as_deref(), event.decode::<network::RequestId>()) else {
            return;
        };
        // Nobody waits for this change itself, so nobody is woken.
        let mut state = self.shared.lock();
        if let Some(known) = state.tab_of_session(session).and_then(|tab| tab.in_flight.get_mut(&request.request_id)) {
            known.heard = Some(Instant::now());
        }
    }

    fn request_ended(&self, event: &CdpEvent) {
        let (Some(session), Some(request)) = (event.session.as_deref(), event.decode::<network::RequestId>()) else {
            return;
        };
        self.shared.update(|state| {
            if let Some(tab) = state.tab_of_session(session) {
                tab.in_flight.remove(&request.request_id);
            }
        });
    }

    fn download_progress(&self, event: &CdpEvent) {
        let Some(progress) = event.decode::<browser::DownloadProgress>() else {
            return;
        };
        if progress.state == "inProgress" {
            return;
        }
        let name = self.shared.update(|state| state.downloads.remove(&progress.guid));
        let (Some(folder), Some(name), "completed") = (&self.downloads, name, progress.state.as_str()) else {
            return;
        };
        let Some(path) = keep_download(folder, &progress.guid, &name) else {
            return;
        };
        let bytes = path.metadata().map(|data| data.len()).unwrap_or_default();
        let path = path.display().to_string();
        self.shared.update(|state| {
            state.happenings.downloads.push(Download { path: path.clone(), bytes });
            state.happenings.events.push(EnvironmentEvent::Download { path, bytes });
        });
    }
}

fn shortened(text: &str) -> String {
    text.chars().take(300).collect()
}

/// The browser saves under a random name; it gets the suggested one, made harmless and unique.
fn keep_download(folder: &Path, guid: &str, suggested: &str) -> Option<PathBuf> {
    let safe: String = suggested
        .chars()
        .map(|c| if c.is_control() || "/\\:*?\"<>|".contains(c) { '_' } else { c })
        .take(120)
        .collect();
    let safe = safe.trim_start_matches('.').trim();
    let safe = if safe.is_empty() { "download" } else { safe };
    let (stem, extension) = match safe.rsplit_once('.') {
        Some((stem, extension)) if !stem.is_empty() => (stem, format!(".{extension}")),
        _ => (safe, String::new()),
    };
    let saved = folder.join(guid);
    for number in 0..1000 {
        let name = if number == 0 { format!("{stem}{extension}") } else { format!("{stem} ({number}){extension}") };
        let wanted = folder.join(name);
        // A hard link fails where the name is taken, without a gap between looking and renaming.
        match std::fs::hard_link(&saved, &wanted) {
            Ok(()) => {
                let _ = std::fs::remove_file(&saved);
                return Some(wanted);
            }
            Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {}
            Err(_) => return saved.exists().then_some(saved),
        }
    }
    Some(saved)
}
