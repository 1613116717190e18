//! Looking at the page, and waiting until it has come to rest: loaded, no request of ours under
//! way, no short animation, and no change of content later than the frame that is handed out.

use std::time::{Duration, Instant};

use surehand_types::frame::Fence;
use surehand_types::{Focus, Observation};

use super::BrowserEnv;
use super::facts::{PageFacts, focus_of};
use super::page::{Page, PageTrouble};
use super::probe::Noticed;
use super::secrets_shown::over_both;
use super::state::{InFlight, Interruption, State, TabState};
use crate::EnvError;
use crate::environment::SettleKind;

/// A page that does not answer within this time is shown by its last frame.
const LOOK_DEADLINE: Duration = Duration::from_secs(5);

/// How long a look may still be answered after its document was replaced.
const ANSWER_AFTER_REPLACEMENT: Duration = Duration::from_millis(80);

/// How long a page that can be used is still waited for while it loads.
const USABLE_AFTER: Duration = Duration::from_millis(500);

/// How long a page that keeps changing without loading anything is waited for.
const RESTLESS_CAP: Duration = Duration::from_millis(800);

/// The pause after an input where the page is not asked whether it has come to rest.
const FIXED_PAUSE: Duration = Duration::from_millis(500);

/// How long ago a request may have been sent that the last look still waits for; older ones are streams and the like.
const ON_ITS_WAY: Duration = Duration::from_secs(20);

/// How long after its request ended without a page a download may still be announced.
const ANNOUNCED_WITHIN: Duration = Duration::from_millis(400);

/// How long a download that has just begun is waited for, so that small files are in the answer.
const SMALL_DOWNLOAD: Duration = Duration::from_secs(1);

/// Between two looks at a page that loads.
const BETWEEN_LOADING_LOOKS: Duration = Duration::from_millis(250);

/// Between two looks at a page whose answers have begun to arrive.
const BETWEEN_ANSWERED_LOOKS: Duration = Duration::from_millis(60);

/// Between two looks at a page that is still moving.
const BETWEEN_LOOKS: Duration = Duration::from_millis(25);

impl BrowserEnv {
    pub(super) async fn settle_after(&mut self, kind: SettleKind) -> Result<Observation, EnvError> {
        match kind {
            SettleKind::Keep => self.keep(),
            SettleKind::Look => self.look().await,
            SettleKind::AfterNavigation => {
                self.wait_until_loaded(self.timing.navigation).await;
                // What still loads now has had its time.
                self.committed_at = Instant::now();
                if self.adaptive_settle { self.look_until_at_rest().await } else { self.look().await }
            }
            SettleKind::LastLook => {
                self.wait_until_loaded(self.timing.settle_cap).await;
                // Whatever was asked for on the way counts, also what an earlier wait gave up on: a list that is half there
                // would be judged as if entries were missing.
                let committed_at = self.committed_at;
                self.committed_at = Instant::now().checked_sub(ON_ITS_WAY).unwrap_or(committed_at);
                let seen = self.look_until_at_rest().await;
                self.committed_at = committed_at;
                seen
            }
            SettleKind::AfterInput if !self.adaptive_settle => {
                tokio::time::sleep(FIXED_PAUSE).await;
                self.look().await
            }
            SettleKind::AfterInput => self.look_until_at_rest().await,
        }
    }

    /// One look: a frame and the facts that go with it.
    pub(super) async fn look(&mut self) -> Result<Observation, EnvError> {
        let end = Instant::now() + LOOK_DEADLINE;
        loop {
            self.follow_active_tab().await;
            let page = self.page()?;
            match self.look_at(&page).await {
                Ok((observation, _)) => return Ok(self.remember(observation)),
                Err(trouble) if trouble.may_pass() && Instant::now() < end => tokio::time::sleep(BETWEEN_LOOKS).await,
                Err(trouble) => return self.look_anyway(trouble),
            }
        }
    }

    async fn look_until_at_rest(&mut self) -> Result<Observation, EnvError> {
        let started = Instant::now();
        let end = started + self.timing.settle_cap;
        loop {
            self.follow_active_tab().await;
            let page = self.page()?;
            match self.look_at(&page).await {
                Ok((observation, facts)) => {
                    let over = Instant::now() >= end;
                    if over && facts.rest.unfinished > 0 {
                        self.never_finished = Some(page.document());
                    }
                    if over || self.at_rest(&page, &facts, started) {
                        return Ok(self.remember(observation));
                    }
                    self.wait_a_little(&page, end).await;
                }
                Err(trouble) if trouble.may_pass() && Instant::now() < end => {
                    tracing::debug!(?trouble, "the page changed while it was looked at");
                    tokio::time::sleep(BETWEEN_LOOKS).await;
                }
                Err(trouble) => return self.look_anyway(trouble),
            }
        }
    }

    async fn look_at(&mut self, page: &Page) -> Result<(Observation, PageFacts), PageTrouble> {
        let document = page.document();
        self.erase_hand().await;
        let look = async {
            // Asked before the capture: what has changed by then is in the frame.
            let changes = tokio::time::timeout(LOOK_DEADLINE, page.evaluate::<u64>("__surehand.changes()"));
            let changes = changes.await.map_err(|_| PageTrouble::Unknown("it is busy".into()))?.ok();
            // Before and after the capture: what moves or appears meanwhile is covered at both places.
            let earlier = page.shown_secrets(&self.secrets).await?;
            let capture = self.frames.start(page);
            let shot = self.frames.finish(page, capture, LOOK_DEADLINE).await?;
            let facts = tokio::time::timeout(LOOK_DEADLINE, page.facts());
            let (pixels, facts) = tokio::join!(self.frames.decode(shot), facts);
            let mut facts = facts.map_err(|_| PageTrouble::Unknown("it is busy".into()))??;
            facts.changes_before = changes;
            // After the facts, which open closed shadow roots for the library.
            facts.masks.extend(over_both(earlier, page.shown_secrets(&self.secrets).await?));
            Ok::<_, PageTrouble>((pixels?, facts))
        };
        // A capture asked of a document that is then replaced is never answered.
        let replaced = async {
            page.wait_for_other_document(document).await;
            tokio::time::sleep(ANSWER_AFTER_REPLACEMENT).await;
        };
        let (pixels, facts) = tokio::select! {
            biased;
            seen = look => seen?,
            () = replaced => return Err(PageTrouble::Unknown("another document took its place".into())),
        };
        let mut facts = facts;
        self.noticed = Noticed::of(&mut facts);
        self.draw_hand().await;
        if let Some(view) = facts.view() {
            self.view = view;
            self.cursor.x = self.cursor.x.min(view.width as i32 - 1);
            self.cursor.y = self.cursor.y.min(view.height as i32 - 1);
        }
        let mut frame = self.frames.keep(pixels, self.view, Fence::DrawnAfterCommit, facts.masks());
        let mut state = self.shared.lock();
        if let Some(tab) = state.tab_mut(&page.target) {
            tab.url.clone_from(&facts.url);
            tab.title.clone_from(&facts.title);
        }
        let dialog = state.open_dialog().map(|(_, dialog)| dialog.clone());
        frame.stale = dialog.is_some();
        let observation = Observation {
            frame,
            view: self.view,
            url: Some(facts.url.clone()),
            title: Some(facts.title.clone()),
            focus: Focus::Unknown,
            tabs: state.tab_list(),
            dialog,
            cursor: self.cursor,
            interactables: facts.interactables(self.view),
            masks: facts.masks(),
            restless: Vec::new(),
            complaint: None,
        };
        drop(state);
        let restless = self.restless_boxes(&observation.frame);
        let complaint = facts.complaint.take();
        let observation = Observation { focus: focus_of(facts.focus.take()), restless, complaint, ..observation };
        Ok((observation, facts))
    }

    /// What can be said while the page cannot be looked at: the last frame, marked stale.
    fn look_anyway(&mut self, trouble: PageTrouble) -> Result<Observation, EnvError> {
        if let PageTrouble::Interrupted(Interruption::Lost(reason)) = trouble {
            return Err(EnvError::Lost(reason));
        }
        if matches!(trouble, PageTrouble::Protocol(crate::cdp::CdpError::Closed)) {
            return Err(EnvError::Lost("the browser closed the connection".into()));
        }
        self.noticed = Noticed::nothing();
        let (frame, masks) = self.frames.stale(self.view);
        let state = self.shared.lock();
        let tab = state.active();
        let observation = Observation {
            frame,
            view: self.view,
            url: tab.map(|tab| tab.url.clone()),
            title: tab.map(|tab| tab.title.clone()),
            focus: Focus::Unknown,
            tabs: state.tab_list(),
            dialog: state.open_dialog().map(|(_, dialog)| dialog.clone()),
            cursor: self.cursor,
            interactables: Vec::new(),
            masks,
            restless: Vec::new(),
            complaint: None,
        };
        drop(state);
        Ok(self.remember(observation))
    }

    /// The last observation again, with what is cheap to know brought up to date.
    fn keep(&mut self) -> Result<Observation, EnvError> {
        let Some(mut observation) = self.last.clone() else {
            return self.look_anyway(PageTrouble::Unknown("nothing was seen yet".into()));
        };
        let state = self.shared.lock();
        if let Some(reason) = &state.lost {
            return Err(EnvError::Lost(reason.clone()));
        }
        observation.tabs = state.tab_list();
        observation.dialog = state.open_dialog().map(|(_, dialog)| dialog.clone());
        let crashed = state.active().is_some_and(|tab| tab.crashed);
        observation.frame.stale |= observation.dialog.is_some() || crashed;
        observation.cursor = self.cursor;
        drop(state);
        self.secrets.clean(&mut observation);
        Ok(observation)
    }

    fn remember(&mut self, mut observation: Observation) -> Observation {
        self.secrets.clean(&mut observation);
        self.last = Some(observation.clone());
        observation
    }

    /// Whether the frame shows the page's final state.
    fn at_rest(&self, page: &Page, facts: &PageFacts, started: Instant) -> bool {
        let state = self.shared.lock();
        let Some(tab) = state.tab(&page.target) else { return true };
        if tab.has_requests_since(self.committed_at) || self.may_bring_a_file(&state, tab) {
            return false;
        }
        if let Some(since) = tab.loading_since.filter(|since| *since >= self.committed_at) {
            // A picture that never arrives keeps a page loading for ever, though it can be used.
            return facts.rest.ready != "loading" && since.elapsed() > USABLE_AFTER;
        }
        // A page that has never taken its skeleton away wears it for good.
        if facts.rest.unfinished > 0 && self.never_finished != Some(tab.document) {
            return false;
        }
        // A page that was moving before we touched it, or that does not stop, never comes to rest.
        if self.restless_before || started.elapsed() > RESTLESS_CAP {
            return true;
        }
        facts.rest.running == 0 && facts.changes_before == Some(facts.rest.count)
    }

    /// A request of ours has become a download, or is about to.
    fn may_bring_a_file(&self, state: &State, tab: &TabState) -> bool {
        if self.download_folder.is_none() {
            return false;
        }
        let unmade = tab.unmade_page.filter(|ended| *ended >= self.committed_at);
        unmade.is_some_and(|ended| ended.elapsed() < ANNOUNCED_WITHIN)
            || state.downloads.has_young(SMALL_DOWNLOAD.min(self.committed_at.elapsed()))
    }

    async fn wait_a_little(&self, page: &Page, end: Instant) {
        let left = end.saturating_duration_since(Instant::now());
        let idle = |state: &State| {
            let tab = state.tab(&page.target)?;
            let interrupted = state.interruption(&page.target).is_some();
            (!tab.is_busy_since(self.committed_at) || interrupted).then_some(())
        };
        let answered = {
            let state = self.shared.lock();
            state.tab(&page.target).is_some_and(|tab| tab.in_flight.values().any(|request| request.heard.is_some()))
        };
        let longest = if answered { BETWEEN_ANSWERED_LOOKS } else { BETWEEN_LOADING_LOOKS };
        self.shared.wait_for(left.min(longest), idle).await;
        tokio::time::sleep(BETWEEN_LOOKS.min(left)).await;
    }

    /// Waits for the page to load, but not for pictures that never come.
    pub(super) async fn wait_until_loaded(&self, deadline: Duration) {
        let Ok(page) = self.page() else { return };
        let end = Instant::now() + deadline;
        let mut usable = 0;
        while usable < 2 && Instant::now() < end {
            let loaded = |state: &State| {
                let tab = state.tab(&page.target)?;
                let interrupted = state.interruption(&page.target).is_some();
                (tab.loading_since.is_none() || interrupted).then_some(())
            };
            let left = end.saturating_duration_since(Instant::now());
            if self.shared.wait_for(left.min(BETWEEN_LOADING_LOOKS), loaded).await.is_some() {
                return;
            }
            let asked =
                self.shared.lock().tab(&page.target).is_some_and(|tab| tab.in_flight.values().any(InFlight::is_open));
            let ready: Result<String, _> = page.evaluate("document.readyState").await;
            usable = if !asked && ready.is_ok_and(|ready| ready != "loading") { usable + 1 } else { 0 };
        }
    }

    /// When the active tab closed, the last used one took its place; it may need a session.
    async fn follow_active_tab(&mut self) {
        let target = {
            let state = self.shared.lock();
            state.active().filter(|tab| tab.session.is_none()).map(|tab| tab.target.clone())
        };
        if let Some(target) = target {
            let _ = self.attach_tab(&target).await;
        }
        let nothing_left = {
            let state = self.shared.lock();
            state.lost.is_none() && state.active().is_none()
        };
        if nothing_left && let Ok(target) = self.create_tab(None).await {
            let _ = self.attach_tab(&target).await;
            self.shared.update(|state| state.activate(&target));
        }
    }
}
