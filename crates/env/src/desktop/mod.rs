//! An X11 display as an environment. Start reading at `DesktopEnv`; one file per concern: the display's
//! thread, capture, keys, what is on the screen, processes, and one per family of calls.

mod accessibility;
mod app;
mod capture;
mod cookie;
mod display;
mod fields;
mod hits;
mod keyboard;
mod keysyms;
mod look;
mod measure;
mod names;
mod pointer;
mod prerequisites;
mod processes;
mod server;
mod settle;
mod spec;
mod start;
mod survey;
mod typing;
mod virtual_display;
mod windows;

use std::collections::{BTreeSet, VecDeque};
use std::path::PathBuf;
use std::pin::Pin;
use std::time::{Duration, Instant};

use async_trait::async_trait;
use surehand_checks::after::screen::Habits;
use surehand_checks::before::Aim;
use surehand_checks::picture;
use surehand_types::call::{MouseCall, TargetQuery};
use surehand_types::{
    Call, ErrorCode, Frame, GridBox, Interactable, Observation, Pixels, ViewBox, ViewPoint, ViewSize,
};
use x11rb::protocol::xproto::Window;

use self::accessibility::{Accessibility, ElementFacts};
use self::app::App;
use self::display::Display;
use self::names::WindowNames;
use self::processes::Processes;
use self::survey::Survey;
use crate::browser::{Pace, Timing};
use crate::environment::{Environment, Happenings, Receipt, SettleKind, Settled};
use crate::{CallFailure, EnvError, inspect};

#[doc(hidden)]
pub use measure::PartTimes;
pub use prerequisites::{Prerequisite, prerequisites};
pub use spec::DesktopSpec;

/// Everything a desktop environment can be told at its start.
#[derive(Debug, Clone)]
pub struct DesktopOptions {
    pub spec: DesktopSpec,
    /// A command line to start in the display.
    pub app: Option<String>,
    /// Where owner files go; without it nothing can be reaped after a `kill -9`.
    pub owners_folder: Option<PathBuf>,
    pub pace: Pace,
    pub timing: Timing,
    /// Whether effects are judged.
    pub probing: bool,
    /// Whether a fixed pause takes the place of waiting for rest.
    pub adaptive_settle: bool,
}

impl DesktopOptions {
    pub fn new(spec: DesktopSpec) -> DesktopOptions {
        DesktopOptions {
            spec,
            app: None,
            owners_folder: None,
            pace: Pace::Fast,
            timing: Timing::default(),
            probing: true,
            adaptive_settle: true,
        }
    }
}

/// A display that is being driven.
#[derive(Debug)]
pub struct DesktopEnv {
    display: Display,
    /// What we started: the display itself, unless it was there, and the application.
    processes: Processes,
    app: Option<App>,
    accessibility: Option<Accessibility>,
    /// Removed with everything in it at the end.
    scratch: Option<tempfile::TempDir>,
    product: String,
    notes: Vec<String>,
    timing: Timing,
    pace: Pace,
    probing: bool,
    adaptive_settle: bool,
    view: ViewSize,
    cursor: ViewPoint,
    started: Instant,
    next_frame: u64,
    last: Option<Observation>,
    survey: Survey,
    names: WindowNames,
    habits: Habits,
    /// Windows whose titles change by themselves.
    own_titles: BTreeSet<Window>,
    /// How the screen looked before the last actions.
    earlier: VecDeque<Frame>,
    aimed: AimedAt,
    /// When the last commit began, and when all of its input was sent.
    committed_at: Instant,
    sent_at: Instant,
    /// When and where the last click was made.
    last_click: Option<(Instant, ViewPoint)>,
    happenings: Happenings,
}

/// What an action began with, for judging it later.
#[derive(Debug, Default)]
struct AimedAt {
    /// The screen right before the press, the hover settled.
    before: Option<Frame>,
    survey: Survey,
    /// Where the input goes.
    places: Vec<ViewBox>,
    /// The active window when the call began.
    active: Option<Window>,
    /// The field that had the focus, and what it held.
    field: Option<(ElementFacts, Option<String>)>,
}

impl DesktopEnv {
    fn refuse_unavailable(&self, call: &Call) -> Result<(), CallFailure> {
        let refuse = |message: &str| Err(CallFailure::new(ErrorCode::NotAvailable, message));
        match call {
            Call::Tab(_) => refuse("tab is not available on a desktop; window lists and focuses windows"),
            Call::Dialog { .. } => refuse("dialog is not available on a desktop; click the dialog's own buttons"),
            Call::SelectOption { .. } => {
                refuse("select_option is not available on a desktop; click the list and its entry")
            }
            Call::UploadFile { .. } => {
                refuse("upload_file is not available on a desktop; use the application's own file dialog")
            }
            Call::Mouse(MouseCall::Confirm) => {
                Err(CallFailure::new(ErrorCode::NothingPending, "there is no previewed action to confirm"))
            }
            Call::Done { .. } => refuse("done is not available here: there is no run to end"),
            Call::AskUser { .. } => refuse("ask_user is not available here: nobody is there to answer"),
            Call::Keyboard(call) => typing::refuse_secrets(call),
            Call::Mouse(_) | Call::Wait { .. } | Call::Zoom { .. } | Call::Window(_) | Call::Inspect => Ok(()),
        }
    }

    /// What perception sees on the screen as it is now.
    async fn inspect(&mut self) -> Result<Receipt, CallFailure> {
        let observation = self.look().await.map_err(CallFailure::from)?;
        let mut states = vec![inspect::read_pixels(&observation).await?];
        states.extend(self.told_by_trees(observation.view).await);
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
        picture::draw_cursor(&mut pixels, view, observation.cursor);
        let crop = picture::crop(&pixels, view, bounds)
            .ok_or_else(|| CallFailure::new(ErrorCode::InvalidCall, "zoom.region covers no pixel of the frame"))?;
        Ok(picture::enlarge(&crop, 1280))
    }

    async fn commit_call(&mut self, call: &Call, aim: &Aim) -> Result<Receipt, CallFailure> {
        match call {
            Call::Mouse(mouse) => {
                let result = self.commit_pointer(mouse, aim).await;
                self.let_go().await;
                result
            }
            Call::Keyboard(keyboard) => {
                let result = self.commit_keyboard(keyboard).await;
                self.let_go().await;
                result
            }
            Call::Window(window) => self.commit_window(window).await,
            Call::Wait { seconds } => Ok(self.wait(*seconds).await),
            Call::Zoom { region } => Ok(Receipt {
                picture: Some(self.zoom(*region).await?),
                message: "zoomed; the enlarged region is the extra image".into(),
                settle: SettleKind::Keep,
                ..Receipt::default()
            }),
            Call::Inspect => self.inspect().await,
            _ => Err(CallFailure::new(ErrorCode::NotAvailable, format!("{} is not available here", call.tool_name()))),
        }
    }

    async fn wait(&mut self, seconds: f64) -> Receipt {
        let length = Duration::try_from_secs_f64(seconds).unwrap_or_default();
        let mut lost = self.display.watch_lost();
        let _ = tokio::time::timeout(length, lost.wait_for(Option::is_some)).await;
        Receipt { message: format!("waited {seconds} s"), settle: SettleKind::Look, ..Receipt::default() }
    }
}

#[async_trait]
impl Environment for DesktopEnv {
    fn describe(&self) -> String {
        self.product.clone()
    }

    fn notes(&self) -> Vec<String> {
        self.notes.clone()
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
        self.happenings.page_changed = Default::default();
    }

    async fn aim(&mut self, call: &Call) -> Result<Aim, CallFailure> {
        self.refuse_unavailable(call)?;
        if let Some(reason) = self.display.lost() {
            return Err(CallFailure::new(ErrorCode::EnvLost, reason));
        }
        match call {
            Call::Mouse(mouse) => self.aim_pointer(mouse).await,
            Call::Keyboard(keyboard) => self.aim_keyboard(keyboard).await,
            Call::Window(window) => self.aim_window(window).await,
            _ => Ok(Aim::default()),
        }
    }

    async fn commit(&mut self, call: &Call, aim: &Aim) -> Result<Receipt, CallFailure> {
        self.committed_at = Instant::now();
        let result = self.commit_call(call, aim).await;
        self.sent_at = Instant::now();
        result
    }

    async fn abandon(&mut self) {
        self.let_go().await;
    }

    async fn settle(&mut self, receipt: &Receipt) -> Result<Settled, EnvError> {
        self.settle_and_judge(receipt).await
    }

    fn document(&self) -> String {
        self.survey.active.map(|window| format!("window {window}")).unwrap_or_default()
    }

    fn take_happenings(&mut self) -> Happenings {
        self.notice_app_end();
        std::mem::take(&mut self.happenings)
    }

    fn live_url(&self) -> Option<String> {
        None
    }

    fn lost(&self) -> Option<String> {
        self.display.lost()
    }

    async fn named_targets(&mut self, _query: &TargetQuery) -> Option<Vec<Interactable>> {
        Some(self.interactables().await)
    }

    fn until_lost(&self) -> Pin<Box<dyn Future<Output = String> + Send>> {
        let mut lost = self.display.watch_lost();
        Box::pin(async move {
            loop {
                if let Some(reason) = lost.borrow_and_update().clone() {
                    return reason;
                }
                // The environment was dropped; whoever still waits waits for nothing.
                if lost.changed().await.is_err() {
                    std::future::pending::<()>().await;
                }
            }
        })
    }

    async fn close(&mut self) {
        self.end().await;
    }
}
