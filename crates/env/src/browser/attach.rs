//! How a browser environment begins and ends: launched with a pipe, or attached to one that runs.

use std::sync::Arc;
use std::time::{Duration, Instant};

use surehand_types::{ErrorCode, ViewSize};

use super::frames::FrameMaker;
use super::gatekeeper::{Gate, Interceptor};
use super::launch::BrowserProcess;
use super::page::{PageTrouble, Worlds};
use super::pump::Pump;
use super::session::{SessionPlan, is_drivable};
use super::session_notes::{OriginLog, SessionNotes};
use super::site::SiteSettings;
use super::state::{ChildFrame, Shared};
use super::uploads::Uploads;
use super::{AttachOptions, BrowserEnv, BrowserOptions};
use crate::cdp::protocol::{browser, emulation, page, target};
use crate::cdp::{CdpError, Connection, Transport};
use crate::environment::Receipt;
use crate::{CallFailure, EnvError};

/// How long a harmless move may take before the tab's input counts as wedged.
const HARMLESS_MOVE: Duration = Duration::from_secs(2);

/// What differs between a browser of ours and one that we attach to.
pub(super) struct SessionShape {
    pub(super) launched: bool,
    pub(super) viewport: Option<(ViewSize, f64)>,
}

impl BrowserEnv {
    /// Starts a browser of our own and waits until its first tab can be driven.
    pub async fn launch(options: &BrowserOptions) -> Result<BrowserEnv, EnvError> {
        let (gate, guarded) = Gate::before_launch(options).await?;
        let options = &guarded;
        let (process, transport) = BrowserProcess::launch(options)?;
        let viewport = Some((options.viewport, options.scale));
        let path = super::find::find_browser(options.executable.as_deref()).unwrap_or_default();
        let launch_error = |message: String| EnvError::Launch { path: path.display().to_string(), message };
        let mut env = BrowserEnv::connect(transport, SessionShape { launched: true, viewport }, options)
            .await
            .map_err(|error| launch_error(error.to_string()))?;
        let deadline = options.timing.launch;
        env.process = Some(process);
        env.gate = gate;
        env.connection
            .start_call(
                None,
                &target::SetAutoAttach { auto_attach: true, wait_for_debugger_on_start: true, flatten: true },
            )
            .forget();
        if let Some(folder) = &options.downloads {
            env.connection
                .start_call(
                    None,
                    &browser::SetDownloadBehavior {
                        behavior: "allowAndName",
                        download_path: folder.display().to_string(),
                        events_enabled: true,
                    },
                )
                .forget();
        }
        env.shared
            .wait_for(deadline, |state| {
                let tab = state.tabs.iter().find(|tab| tab.session.is_some())?;
                Some(tab.target.clone())
            })
            .await
            .ok_or_else(|| launch_error("no tab appeared".into()))
            .map(|target| env.shared.update(|state| state.activate(&target)))?;
        env.prove_proxy().await?;
        env.begin_tracking().await?;
        env.check_site_settings(&options.site).await?;
        env.recall_session_cookies().await;
        Ok(env)
    }

    /// Attaches to a running browser; it is left open at the end.
    pub async fn attach(attach: &AttachOptions, options: &BrowserOptions) -> Result<BrowserEnv, EnvError> {
        let attach_error = |message: String| EnvError::Attach { url: attach.url.clone(), message };
        let websocket = websocket_url(&attach.url, options.timing.call).await.map_err(&attach_error)?;
        let transport = Transport::over_websocket(&websocket, options.timing.call)
            .await
            .map_err(|error| attach_error(error.to_string()))?;
        let viewport = attach.viewport.map(|size| (size, options.scale));
        let mut env = BrowserEnv::connect(transport, SessionShape { launched: false, viewport }, options).await?;
        let deadline = options.timing.call;
        env.connection.call(None, &target::SetDiscoverTargets { discover: true }, deadline).await?;
        let targets = env.connection.call(None, &target::GetTargets {}, deadline).await?.target_infos;
        let mut pages = targets.iter().filter(|info| info.r#type == "page" && is_drivable(info));
        let chosen = match &attach.target {
            Some(wanted) => match pages.find(|info| info.target_id == *wanted) {
                Some(info) => info.target_id.clone(),
                None => {
                    return Err(attach_error(format!("there is no page with the target id {wanted}")));
                }
            },
            None => match pages.next() {
                Some(info) => info.target_id.clone(),
                None => env.create_tab(None).await?,
            },
        };
        env.attach_tab(&chosen).await?;
        env.shared.update(|state| state.activate(&chosen));
        if options.allow.is_some() {
            let filter = vec![target::TargetFilter { r#type: "page" }];
            let stop_new_tabs =
                target::AutoAttachOnly { auto_attach: true, wait_for_debugger_on_start: true, flatten: true, filter };
            env.connection.call(None, &stop_new_tabs, deadline).await?;
        }
        env.begin_tracking().await?;
        env.check_site_settings(&options.site).await?;
        Ok(env)
    }

    pub(super) async fn connect(
        transport: Transport,
        shape: SessionShape,
        options: &BrowserOptions,
    ) -> Result<BrowserEnv, EnvError> {
        let (connection, events) = Connection::start(transport);
        // Asked before the first session is prepared: an override of the language repeats the user agent.
        let deadline = if shape.launched { options.timing.launch } else { options.timing.call };
        let version = connection.call(None, &browser::GetVersion {}, deadline).await?;
        let plan = SessionPlan {
            launched: shape.launched,
            viewport: shape.viewport,
            site: options.site.clone(),
            own_user_agent: version.user_agent,
            interceptor: Interceptor::of(options).filter(|_| !shape.launched),
        };
        let gate = Gate::attached(plan.interceptor.as_ref());
        let shared = Arc::new(Shared::default());
        let worlds = Worlds::default();
        let session = options.session.as_ref().filter(|_| shape.launched);
        let session_notes = session.map(|session| SessionNotes::of(&session.folder.join(&session.name)));
        let pump = Pump {
            connection: connection.clone(),
            shared: Arc::clone(&shared),
            plan,
            downloads: options.downloads.clone().filter(|_| shape.launched),
            download_limits: options.download_limits,
            origins: session_notes.clone().map(OriginLog::new),
            worlds: worlds.clone(),
            redactor: options.secrets.redactor().clone(),
        };
        Ok(BrowserEnv {
            connection,
            shared,
            worlds,
            product: version.product,
            process: None,
            pump: tokio::spawn(pump.run(events)),
            pace: options.pace,
            timing: options.timing,
            view: options.viewport,
            cursor: options.viewport.centre(),
            frames: FrameMaker::new(options.encoding),
            last: None,
            held: Vec::new(),
            restless_before: false,
            changes_before: 0,
            pressed: None,
            committed_at: Instant::now(),
            probing: options.probing,
            adaptive_settle: options.adaptive_settle,
            never_finished: None,
            native_controls: options.native_controls,
            uploads: Uploads::new(&options.upload_roots, &options.never_upload),
            download_folder: options.downloads.clone().filter(|_| shape.launched),
            session_notes,
            shows_hand: options.headed || options.show_hand,
            watcher_boxes: Vec::new(),
            aimed_at: Default::default(),
            noticed: Default::default(),
            picture: Default::default(),
            held_control: None,
            page_said: Default::default(),
            gate,
            secrets: Arc::clone(&options.secrets),
            typed_secrets: Default::default(),
        })
    }

    /// The sessions were told without waiting; here the browser says whether it understood.
    async fn check_site_settings(&self, site: &SiteSettings) -> Result<(), EnvError> {
        let page = self.page()?;
        let refused = |name: &str, value: &str, error: PageTrouble| match error {
            PageTrouble::Protocol(CdpError::Refused { .. }) => {
                EnvError::Setting(format!("{name}: the browser does not know {value:?}"))
            }
            other => other.into(),
        };
        if let Some(timezone) = &site.timezone {
            let method = emulation::SetTimezoneOverride { timezone_id: timezone.clone() };
            page.call(&method).await.map_err(|error| refused("timezone", timezone, error))?;
        }
        if let Some(locale) = &site.locale {
            // Also checked in the page: the protocol takes any text, the page's formatters do not.
            let known = format!("Intl.getCanonicalLocales({}).length", serde_json::Value::from(locale.as_str()));
            page.evaluate::<u32>(&known)
                .await
                .map_err(|_| EnvError::Setting(format!("locale: {locale:?} is not a locale like de-DE")))?;
        }
        Ok(())
    }

    /// Reads the real size of the view and puts the cursor in its middle.
    async fn begin_tracking(&mut self) -> Result<(), EnvError> {
        if self.process.is_some() {
            self.connection.start_call(None, &target::SetDiscoverTargets { discover: true }).forget();
        }
        let page = self.page()?;
        if let Ok([width, height]) = page.evaluate::<[f64; 2]>("[innerWidth, innerHeight]").await
            && width >= 1.0
            && height >= 1.0
        {
            self.view = ViewSize { width: width as u32, height: height as u32 };
        }
        self.cursor = self.view.centre();
        self.shared.update(|state| state.happenings = Default::default());
        Ok(())
    }

    /// Attaches to a tab that is listed but not driven yet.
    pub(super) async fn attach_tab(&self, target: &str) -> Result<(), EnvError> {
        if self.shared.lock().tab(target).is_some_and(|tab| tab.session.is_some()) {
            return Ok(());
        }
        let method = target::AttachToTarget { target_id: target.to_string(), flatten: true };
        self.shared.update(|state| state.wanted = Some(target.to_string()));
        self.connection.call(None, &method, self.timing.call).await?;
        let session = self
            .shared
            .wait_for(self.timing.call, |state| state.tab(target)?.session.clone())
            .await
            .ok_or_else(|| EnvError::Lost(format!("the tab {target} could not be attached")))?;
        // It has a past: its frames were there before our events began.
        let tree = self.connection.call(Some(&session), &page::GetFrameTree {}, self.timing.call).await?.frame_tree;
        self.shared.update(|state| {
            self.gate.found(target, &tree.frame.url);
            let Some(tab) = state.tab_mut(target) else { return };
            tab.main_frame = tree.frame.id;
            let mut below = tree.child_frames;
            while let Some(node) = below.pop() {
                let known = tab.child_frames.iter().any(|frame| frame.frame == node.frame.id);
                if !known {
                    let (frame, session) = (node.frame.id, session.clone());
                    tab.note_frame(ChildFrame { frame, parent_session: session.clone(), session });
                }
                below.extend(node.child_frames);
            }
        });
        Ok(())
    }

    /// Input that is not answered may be wedged for good, and later input would vanish in it (trap 9). A
    /// harmless move tells; where that is not answered either, the tab is attached anew.
    pub(super) async fn mend_input(&mut self, result: Result<Receipt, CallFailure>) -> Result<Receipt, CallFailure> {
        let failure = match result {
            Err(failure) if failure.code == ErrorCode::Timeout => failure,
            other => return other,
        };
        let Ok(page) = self.page() else { return Err(failure) };
        let harmless = page.start(&self.mouse_event("mouseMoved", self.cursor, None, 0));
        if page.finish(harmless, HARMLESS_MOVE).await.is_ok() {
            return Err(failure);
        }
        // A page that does not answer a question either is hung itself; attaching anew would not help it.
        if !matches!(tokio::time::timeout(HARMLESS_MOVE, page.evaluate::<u32>("1")).await, Ok(Ok(_))) {
            return Err(failure);
        }
        let gone = target::DetachFromTarget { session_id: page.session.clone() };
        let _ = self.connection.call(None, &gone, HARMLESS_MOVE).await;
        let detached = |state: &super::state::State| state.tab(&page.target)?.session.is_none().then_some(());
        self.shared.wait_for(HARMLESS_MOVE, detached).await;
        let again = tokio::time::timeout(HARMLESS_MOVE, self.attach_tab(&page.target)).await;
        let words = if matches!(again, Ok(Ok(()))) { "the tab was attached anew" } else { "the tab hangs" };
        Err(CallFailure { message: format!("{}; input was not answered: {words}", failure.message), ..failure })
    }

    pub(super) async fn create_tab(&self, context: Option<String>) -> Result<String, EnvError> {
        let method = target::CreateTarget { url: "about:blank".into(), browser_context_id: context, background: true };
        Ok(self.connection.call(None, &method, self.timing.call).await?.target_id)
    }

    /// Ends a browser of ours, or lets go of one that is not.
    pub(super) async fn end(&mut self) {
        if let Some(mut process) = self.process.take() {
            if !self.connection.is_closed() {
                self.stop_downloads();
                self.keep_session_cookies().await;
                let _ = self.connection.call(None, &browser::Close {}, Duration::from_secs(2)).await;
            }
            let patience = process.patience();
            process.end(patience).await;
            self.remove_unfinished_downloads();
        } else {
            self.let_go().await;
            let sessions: Vec<String> = self.shared.lock().tabs.iter().filter_map(|tab| tab.session.clone()).collect();
            for session_id in sessions {
                let method = target::DetachFromTarget { session_id };
                let _ = self.connection.call(None, &method, Duration::from_secs(1)).await;
            }
        }
        self.pump.abort();
    }
}

impl Drop for BrowserEnv {
    fn drop(&mut self) {
        self.pump.abort();
    }
}

/// `http://host:port` is asked for its WebSocket address; `ws://…` is taken as it is.
async fn websocket_url(given: &str, deadline: Duration) -> Result<String, String> {
    if given.starts_with("ws://") || given.starts_with("wss://") {
        return Ok(given.to_string());
    }
    let base = if given.contains("://") { given.to_string() } else { format!("http://{given}") };
    let base = url::Url::parse(&base).map_err(|error| error.to_string())?;
    let address = base.join("/json/version").map_err(|error| error.to_string())?;
    #[derive(serde::Deserialize)]
    struct VersionPage {
        #[serde(rename = "webSocketDebuggerUrl")]
        websocket: String,
    }
    let ask = async {
        let client = crate::local_client(deadline)?;
        client.get(address).send().await?.json::<VersionPage>().await
    };
    let page = tokio::time::timeout(deadline, ask)
        .await
        .map_err(|_| "no answer in time".to_string())?
        .map_err(|error| error.to_string())?;
    Ok(page.websocket)
}
