//! A real Chromium as an environment. Start reading at `BrowserEnv`; one file per concern:
//! launching, attaching, events, frames, facts, settle, and one per family of calls.

mod aiming;
mod around;
mod attach;
mod cookies;
mod dialogs;
mod drag;
mod facts;
mod find;
mod frames;
#[doc(hidden)]
pub mod fuzzing;
mod gatekeeper;
mod keepsake;
mod keyboard;
mod launch;
mod ledger;
mod native;
mod nodes;
mod page;
mod pasting;
mod pixels;
mod places;
mod pointer;
mod private_files;
mod probe;
mod profile;
mod pump;
mod secrets;
mod secrets_shown;
mod secrets_typing;
mod session;
mod session_notes;
mod settle;
mod sight;
mod site;
mod state;
mod storage_state;
mod structure;
mod tabs;
mod uploads;
mod watcher;

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use surehand_checks::before::Aim;
use surehand_checks::before::allowlist::{Allowlist, OffLimits};
use surehand_checks::picture;
use surehand_types::call::{MouseButton, MouseCall, TabCall, TargetQuery};
use surehand_types::keys::Modifier;
use surehand_types::observation::Pending;
use surehand_types::surroundings::{Surroundings, Whereabouts};
use surehand_types::{
    Call, Encoding, ErrorCode, GridBox, Interactable, Observation, Pixels, ViewBox, ViewPoint, ViewSize,
};

use self::frames::FrameMaker;
use self::launch::BrowserProcess;
use self::native::HeldControl;
use self::page::{Page, PageTrouble, Worlds};
use self::pointer::AimedAt;
use self::probe::Noticed;
use self::state::{Interruption, Shared};
use crate::cdp::Connection;
use crate::environment::{Environment, Happenings, Matching, Receipt, SettleKind, Settled, Sight, Tables, WatcherBox};
use crate::{CallFailure, EnvError, inspect};

pub use crate::owner::reap_orphans;
pub use find::find_browser;
pub use gatekeeper::check_start_url;
pub use keepsake::keepsake_elsewhere;
pub use ledger::DownloadLimits;
pub use profile::{SessionInfo, check_removable, is_session_name, list_sessions, remove_session};
pub use secrets::{BoundOrigin, BoundSecret, Secrets, not_here};
pub use site::{Login, SiteSettings};
pub use storage_state::{
    Cookie, Import, LARGEST_STATE, OriginState, ParsedState, SameSite, StorageItem, StorageState, export_session,
    import_session, read_state_file, write_state_file,
};
pub use tabs::parse_address;

/// Everything a browser environment can be told at its start.
#[derive(Debug, Clone)]
pub struct BrowserOptions {
    /// Path or name of the browser; found by itself when `None`.
    pub executable: Option<String>,
    pub headed: bool,
    pub viewport: ViewSize,
    pub scale: f64,
    pub extra_flags: Vec<String>,
    /// A named profile instead of a fresh one.
    pub session: Option<SessionProfile>,
    /// Where owner files go; without it nothing can be reaped after a `kill -9`.
    pub owners_folder: Option<PathBuf>,
    pub downloads: Option<PathBuf>,
    pub encoding: Encoding,
    pub pace: Pace,
    pub timing: Timing,
    /// Whether the page is watched for what an action changed.
    pub probing: bool,
    /// Whether settling goes by what the page does, instead of a fixed pause.
    pub adaptive_settle: bool,
    /// Whether clicks on native pickers become follow-up tools.
    pub native_controls: bool,
    /// Folders that uploads may come from.
    pub upload_roots: Vec<PathBuf>,
    /// Folders that are never uploaded, even from inside the others.
    pub never_upload: Vec<PathBuf>,
    pub download_limits: DownloadLimits,
    pub site: SiteSettings,
    /// Draws the cursor into the live page as a headed browser does; for tests without a screen.
    pub show_hand: bool,
    /// Whoever asks may not be shown files and pages of the browser itself: only http and https are opened.
    pub web_only: bool,
    /// The only hosts that may be reached; all of them when `None`.
    pub allow: Option<Arc<Allowlist>>,
    /// What is not reached although it may be allowed: the server that the run belongs to.
    pub off_limits: OffLimits,
    /// What the runtime types for the brain, and nobody may see.
    pub secrets: Arc<Secrets>,
}

#[derive(Debug, Clone)]
pub struct SessionProfile {
    pub folder: PathBuf,
    pub name: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pace {
    Fast,
    Human,
}

#[derive(Debug, Clone, Copy)]
pub struct Timing {
    pub launch: Duration,
    pub call: Duration,
    pub navigation: Duration,
    pub hover_cap: Duration,
    pub settle_cap: Duration,
    /// How long everything must stay quiet before an action is called dead.
    pub patience: Duration,
}

/// How to attach to a browser that is already there.
#[derive(Debug, Clone)]
pub struct AttachOptions {
    pub url: String,
    pub target: Option<String>,
    /// `None` leaves the viewport alone.
    pub viewport: Option<ViewSize>,
}

impl Default for BrowserOptions {
    fn default() -> Self {
        BrowserOptions {
            executable: None,
            headed: false,
            viewport: ViewSize { width: 1280, height: 720 },
            scale: 1.0,
            extra_flags: Vec::new(),
            session: None,
            owners_folder: None,
            downloads: None,
            encoding: Encoding::Png,
            pace: Pace::Fast,
            timing: Timing::default(),
            probing: true,
            adaptive_settle: true,
            native_controls: true,
            upload_roots: Vec::new(),
            never_upload: Vec::new(),
            download_limits: DownloadLimits::default(),
            site: SiteSettings::default(),
            show_hand: false,
            web_only: false,
            allow: None,
            off_limits: OffLimits::default(),
            secrets: Arc::default(),
        }
    }
}

impl Default for Timing {
    fn default() -> Self {
        Timing {
            launch: Duration::from_secs(30),
            call: Duration::from_secs(10),
            navigation: Duration::from_secs(15),
            hover_cap: Duration::from_millis(250),
            settle_cap: Duration::from_secs(3),
            patience: Duration::from_millis(1800),
        }
    }
}

/// A browser that is being driven.
#[derive(Debug)]
pub struct BrowserEnv {
    connection: Connection,
    shared: Arc<Shared>,
    worlds: Worlds,
    product: String,
    process: Option<BrowserProcess>,
    pump: tokio::task::JoinHandle<()>,
    pace: Pace,
    timing: Timing,
    view: ViewSize,
    cursor: ViewPoint,
    frames: FrameMaker,
    last: Option<Observation>,
    /// Modifier keys that `aim` holds down until `commit` or `abandon`.
    held: Vec<Modifier>,
    /// Whether the page was changing by itself when the call began.
    restless_before: bool,
    /// The main document's count of changes when the call began.
    changes_before: u64,
    /// The mouse button that is down, should an action be dropped in the middle.
    pressed: Option<MouseButton>,
    /// When the last input was committed.
    committed_at: std::time::Instant,
    probing: bool,
    adaptive_settle: bool,
    /// A document whose skeleton did not go away in the time that it had.
    never_finished: Option<u64>,
    native_controls: bool,
    uploads: uploads::Uploads,
    download_folder: Option<PathBuf>,
    session_notes: Option<session_notes::SessionNotes>,
    shows_hand: bool,
    watcher_boxes: Vec<WatcherBox>,
    /// What the pointer was found over, for the press that follows.
    aimed_at: AimedAt,
    /// What the documents had noticed when they were last looked at.
    noticed: Noticed,
    picture: pixels::Picture,
    held_control: Option<HeldControl>,
    page_said: keepsake::PageSaid,
    gate: gatekeeper::Gate,
    secrets: Arc<Secrets>,
    /// Names of the secrets that were typed, which the clipboard may hold since.
    typed_secrets: BTreeSet<String>,
}

impl BrowserEnv {
    /// Pid of a browser that we launched.
    pub fn browser_pid(&self) -> Option<u32> {
        self.process.as_ref().map(BrowserProcess::pid)
    }

    /// The active tab, ready to be talked to.
    fn page(&self) -> Result<Page, EnvError> {
        let state = self.shared.lock();
        if let Some(reason) = &state.lost {
            return Err(EnvError::Lost(reason.clone()));
        }
        let tab = state.active().ok_or_else(|| EnvError::Lost("there is no tab left".into()))?;
        let session = tab.session.clone().ok_or_else(|| EnvError::Lost("the tab was detached".into()))?;
        Ok(Page {
            connection: self.connection.clone(),
            shared: Arc::clone(&self.shared),
            target: tab.target.clone(),
            session,
            deadline: self.timing.call,
            worlds: self.worlds.clone(),
        })
    }

    /// Calls that this environment does not have, or not yet, are refused before anything moves.
    fn refuse_unavailable(&self, call: &Call) -> Result<(), CallFailure> {
        let refuse = |message: &str| Err(CallFailure::new(ErrorCode::NotAvailable, message));
        match call {
            Call::Window(_) => refuse("window is for desktops; use tab in a browser"),
            Call::Mouse(MouseCall::Confirm) => {
                Err(CallFailure::new(ErrorCode::NothingPending, "there is no previewed action to confirm"))
            }
            Call::Done { .. } => refuse("done is not available here: there is no run to end"),
            Call::AskUser { .. } => refuse("ask_user is not available here: nobody is there to answer"),
            _ => Ok(()),
        }
    }

    /// A dialog or a crash leaves only one way on; other calls are told which.
    fn refuse_blocked(&self, call: &Call) -> Result<(), CallFailure> {
        let state = self.shared.lock();
        let Some(target) = state.active_target() else {
            return Err(CallFailure::new(
                ErrorCode::EnvLost,
                state.lost.clone().unwrap_or_else(|| "there is no tab left".into()),
            ));
        };
        match (state.interruption(target), call) {
            (Some(Interruption::Lost(reason)), _) => Err(CallFailure::new(ErrorCode::EnvLost, reason)),
            (Some(Interruption::Dialog), Call::Dialog { .. }) => Ok(()),
            (Some(Interruption::Dialog), _) => {
                let (place, text) = match state.open_dialog() {
                    Some((tab, dialog)) => {
                        let message = self.secrets.redactor().clean(&dialog.message);
                        (tab.id.clone(), message.chars().take(120).collect::<String>())
                    }
                    None => Default::default(),
                };
                let message = format!("a dialog is open in {place} ({text:?}); answer it with the dialog tool first");
                Err(CallFailure::new(ErrorCode::DialogOpen, message))
            }
            (Some(Interruption::TabCrashed), Call::Tab(_) | Call::Wait { .. }) => Ok(()),
            (Some(Interruption::TabCrashed), _) => {
                Err(CallFailure::new(ErrorCode::EnvLost, "the tab has crashed; tab refresh loads it again"))
            }
            (_, Call::Dialog { .. }) => Err(CallFailure::new(ErrorCode::NoDialog, "no dialog is open")),
            _ => Ok(()),
        }
    }

    async fn inspect(&mut self) -> Result<Receipt, CallFailure> {
        let observation = self.look().await.map_err(CallFailure::from)?;
        let pixels = &observation.frame.pixels;
        let (width, height) = (pixels.width, pixels.height);
        let mut states = vec![inspect::read_pixels(&observation).await?];
        states.extend(self.read_structure(width, height).await);
        Ok(inspect::told(states))
    }

    async fn zoom(&mut self, region: GridBox) -> Result<Pixels, CallFailure> {
        let observation = self.look().await.map_err(CallFailure::from)?;
        let view = observation.view;
        let bounds = ViewBox {
            x0: view.horizontal_length(region.x0.into()),
            y0: view.vertical_length(region.y0.into()),
            x1: view.horizontal_length(region.x1.into()),
            y1: view.vertical_length(region.y1.into()),
        };
        let mut pixels = observation.frame.pixels.as_ref().clone();
        picture::fill_boxes(&mut pixels, view, &observation.masks);
        picture::draw_cursor(&mut pixels, view, observation.cursor);
        let crop = picture::crop(&pixels, view, bounds)
            .ok_or_else(|| CallFailure::new(ErrorCode::InvalidCall, "zoom.region covers no pixel of the frame"))?;
        Ok(picture::enlarge(&crop, 1280))
    }
}

#[async_trait]
impl Environment for BrowserEnv {
    fn describe(&self) -> String {
        let how = if self.process.is_some() { "launched" } else { "attached" };
        format!("{}, {how}", self.product)
    }

    fn notes(&self) -> Vec<String> {
        self.gate.notes()
    }

    fn secret_names(&self) -> Vec<String> {
        self.secrets.names().into_iter().map(str::to_string).collect()
    }

    fn view(&self) -> ViewSize {
        self.view
    }

    async fn observe(&mut self) -> Result<Observation, EnvError> {
        match &self.last {
            Some(observation) => Ok(observation.clone()),
            None => self.look().await,
        }
    }

    fn begin_call(&mut self) {
        self.shared.update(|state| {
            // What happened while nobody called (a popup, a download) is still news; only what speaks
            // of this call's own consequences begins anew.
            state.happenings.page_changed = Default::default();
            state.happenings.alert_in_call = false;
            state.alerts_accepted = 0;
            state.calling = true;
        });
    }

    async fn aim(&mut self, call: &Call) -> Result<Aim, CallFailure> {
        self.erase_boxes().await;
        self.refuse_unavailable(call)?;
        self.secrets.refuse_elsewhere(call)?;
        self.refuse_outside(call).await?;
        self.refuse_blocked(call)?;
        match call {
            Call::Mouse(mouse) => self.aim_pointer(mouse).await,
            Call::Keyboard(keyboard) => self.aim_keyboard(keyboard).await,
            Call::Dialog { .. } => Ok(self.aim_dialog()),
            Call::Tab(TabCall::Refresh { tab }) => Ok(self.aim_refresh(tab.as_deref())),
            _ => Ok(Aim::default()),
        }
    }

    async fn commit(&mut self, call: &Call, aim: &Aim) -> Result<Receipt, CallFailure> {
        self.committed_at = std::time::Instant::now();
        self.shared.update(|state| state.acting = !call.only_looks());
        match call {
            Call::Mouse(mouse) => {
                let result = self.commit_pointer(mouse, aim).await;
                self.release_modifiers().await;
                self.mend_input(result).await
            }
            Call::Keyboard(keyboard) => {
                self.note_typed_secrets(keyboard);
                let result = self.commit_keyboard(keyboard).await;
                self.release_modifiers().await;
                self.mend_input(result).await
            }
            Call::Tab(tab) => self.commit_tab(tab).await,
            Call::Dialog { action, prompt_text } => self.commit_dialog(*action, prompt_text.clone()).await,
            Call::Wait { seconds } => {
                let length = Duration::try_from_secs_f64(*seconds).unwrap_or_default();
                self.shared.wait_for(length, |state| state.lost.clone()).await;
                Ok(Receipt { message: format!("waited {seconds} s"), settle: SettleKind::Look, ..Receipt::default() })
            }
            Call::Zoom { region } => Ok(Receipt {
                picture: Some(self.zoom(*region).await?),
                message: "zoomed; the enlarged region is the extra image".into(),
                settle: SettleKind::Keep,
                ..Receipt::default()
            }),
            Call::SelectOption { values } => self.select_options(values).await,
            Call::UploadFile { paths } => self.upload_files(paths).await,
            Call::Inspect => self.inspect().await,
            Call::AskUser { .. } | Call::Done { .. } | Call::Window(_) => {
                Err(CallFailure::new(ErrorCode::NotAvailable, format!("{} is not available here", call.tool_name())))
            }
        }
    }

    async fn abandon(&mut self) {
        self.release_modifiers().await;
    }

    async fn settle(&mut self, receipt: &Receipt) -> Result<Settled, EnvError> {
        let settled = self.settle_and_judge(receipt).await?;
        self.keep_inside(settled, receipt).await
    }

    async fn intercept(&mut self, aim: &Aim) -> Result<(), CallFailure> {
        self.hold_native(aim).await
    }

    fn held(&self) -> Option<Pending> {
        self.held_pending()
    }

    fn release_held(&mut self) {
        self.held_control = None;
    }

    fn document(&self) -> String {
        let state = self.shared.lock();
        state.active().map(|tab| format!("{} {}", tab.target, tab.document)).unwrap_or_default()
    }

    async fn show_watcher(&mut self, boxes: &[WatcherBox]) {
        self.watcher_boxes = boxes.to_vec();
        self.draw_hand().await;
    }

    async fn sight(&mut self, selectors: &[String]) -> Option<Sight> {
        self.read_page(selectors).await
    }

    async fn matching(&mut self, selector: &str) -> Option<Matching> {
        self.read_matching(selector).await
    }

    async fn tables(&mut self, selector: &str) -> Option<Tables> {
        self.read_tables(selector).await
    }

    async fn kept(&mut self, origin: &str, key: &str) -> Option<String> {
        self.read_kept(origin, key).await
    }

    async fn named_targets(&mut self, query: &TargetQuery) -> Option<Vec<Interactable>> {
        self.read_named(query).await
    }

    async fn surroundings(&mut self, place: Whereabouts) -> Option<Surroundings> {
        self.read_around(place).await
    }

    async fn cookies_for(&mut self, url: &str) -> Option<String> {
        self.read_cookies(url).await
    }

    async fn keepsake(&mut self) -> Option<serde_json::Value> {
        self.keep_for_later().await
    }

    async fn take_up(&mut self, keepsake: &serde_json::Value) -> Result<(), String> {
        self.go_on_from(keepsake).await
    }

    fn take_happenings(&mut self) -> Happenings {
        let mut happenings = self.shared.update(|state| {
            state.calling = false;
            if std::mem::take(&mut state.acting) {
                state.acted_until = Some(std::time::Instant::now());
            }
            std::mem::take(&mut state.happenings)
        });
        self.gather_refusals(&mut happenings);
        self.secrets.clean_happenings(&mut happenings);
        happenings
    }

    fn live_url(&self) -> Option<String> {
        self.shared.lock().active().map(|tab| tab.url.clone())
    }

    fn lost(&self) -> Option<String> {
        self.shared.lock().lost.clone()
    }

    fn until_lost(&self) -> Pin<Box<dyn Future<Output = String> + Send>> {
        let shared = Arc::clone(&self.shared);
        Box::pin(async move {
            loop {
                if let Some(reason) = shared.wait_for(Duration::from_secs(3600), |state| state.lost.clone()).await {
                    return reason;
                }
            }
        })
    }

    fn wind_up(&mut self) {
        self.stop_downloads();
    }

    async fn close(&mut self) {
        self.end().await;
    }
}

/// Trouble with the page during a call, as the one sentence the brain gets.
fn failure_of(trouble: PageTrouble) -> CallFailure {
    match trouble {
        PageTrouble::Interrupted(Interruption::Dialog) => CallFailure::new(ErrorCode::DialogOpen, "a dialog opened"),
        PageTrouble::Interrupted(Interruption::TabClosed) => CallFailure::new(ErrorCode::EnvLost, "the tab was closed"),
        PageTrouble::Interrupted(Interruption::TabCrashed) => {
            CallFailure::new(ErrorCode::EnvLost, "the tab has crashed; tab refresh loads it again")
        }
        PageTrouble::Interrupted(Interruption::Lost(reason)) => CallFailure::new(ErrorCode::EnvLost, reason),
        PageTrouble::Protocol(error) => error.into(),
        PageTrouble::Unknown(message) => {
            CallFailure::new(ErrorCode::Timeout, format!("the page did not answer: {message}"))
        }
    }
}
