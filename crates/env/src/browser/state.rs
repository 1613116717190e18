//! What we know of the browser: tabs, dialogs, loads, requests. The event task writes it, calls
//! read it and wait for it to change; no lock is held across an await.

use std::collections::{HashMap, HashSet, VecDeque};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use surehand_checks::after::probe::RequestSign;
use surehand_types::event::EnvironmentEvent;
use surehand_types::observation::{Dialog, Tab};
use tokio::sync::Notify;

use super::ledger::DownloadLedger;
use crate::cdp::protocol::target::TargetInfo;
use crate::environment::Happenings;

#[derive(Debug, Default)]
pub(crate) struct Shared {
    state: Mutex<State>,
    changed: Notify,
}

#[derive(Debug, Default)]
pub(crate) struct State {
    pub(crate) lost: Option<String>,
    pub(crate) tabs: Vec<TabState>,
    next_tab: u32,
    /// Target ids, the one in use last.
    recently_used: Vec<String>,
    pub(crate) happenings: Happenings,
    /// Alerts accepted by themselves during the present call.
    pub(crate) alerts_accepted: u32,
    pub(crate) downloads: DownloadLedger,
    /// A call of ours is under way: a tab that appears now is its work.
    pub(crate) calling: bool,
    /// Something is being done to the page; what it asks for meanwhile may be the answer to that.
    pub(crate) acting: bool,
    pub(crate) acted_until: Option<Instant>,
    /// The only origin that gets the HTTP credentials: of the start page, else the first that asked.
    pub(crate) login_origin: Option<String>,
    /// Requests that were given credentials already.
    pub(crate) logins_given: HashSet<String>,
    /// A tab is being created by us and will be attached by whoever asked for it.
    pub(crate) creating: bool,
    /// A tab of the user's that we are about to attach to.
    pub(crate) wanted: Option<String>,
}

#[derive(Debug, Default)]
pub(crate) struct TabState {
    pub(crate) id: String,
    pub(crate) target: String,
    pub(crate) context: Option<String>,
    pub(crate) url: String,
    pub(crate) title: String,
    /// Protocol session; `None` for a tab of the user's that we only list.
    pub(crate) session: Option<String>,
    pub(crate) main_frame: String,
    pub(crate) crashed: bool,
    /// What could not be loaded, while the browser's error page is shown.
    pub(crate) unreachable: Option<String>,
    pub(crate) dialog: Option<Dialog>,
    /// Counts main documents; a change means that the page is another one.
    pub(crate) document: u64,
    /// Since when the main frame loads; `None` when it does not.
    pub(crate) loading_since: Option<Instant>,
    /// Every frame below the main one. Which of them the main document can look into itself is
    /// asked when it matters.
    pub(crate) child_frames: Vec<ChildFrame>,
    pub(crate) in_flight: HashMap<String, InFlight>,
    /// When a document that was asked for ended without becoming a page: a download, unless it was given up.
    pub(crate) unmade_page: Option<Instant>,
    /// Counts documents of frames below the main one.
    pub(crate) frame_documents: u64,
    pub(crate) requests: RequestLog,
    /// Documents that a sent form gave, by their loaders.
    pub(crate) posted: Vec<String>,
    /// The document that is shown is one of these: to load it again is to send the form again.
    pub(crate) resends: bool,
    /// The page asked for files, by script or by a click that we did not keep from it.
    pub(crate) file_chooser: Option<FileChooser>,
    /// What the page wants to drag; the moves that follow belong to the drag.
    pub(crate) drag: Option<serde_json::Value>,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct FileChooser {
    pub(crate) session: String,
    pub(crate) frame: String,
    /// `None` for pickers that belong to no input.
    pub(crate) input: Option<i64>,
    pub(crate) multiple: bool,
}

/// A request that begins within this time of an input is its doing.
const SOON: Duration = Duration::from_millis(120);
/// What begins so soon after an action ended is its tail.
pub(crate) const TAIL: Duration = Duration::from_millis(300);
/// Two requests this far apart are a rhythm and not one burst.
const REPEAT: Duration = Duration::from_millis(200);

/// Requests of a page that could be an action's doing, and those that it makes all the time.
#[derive(Debug, Default)]
pub(crate) struct RequestLog {
    recent: VecDeque<(Instant, String)>,
    /// Those that were made while nobody acted.
    unasked: HashMap<String, Unasked>,
}

/// A request that comes by itself: how often, when last, and how far apart.
#[derive(Debug)]
struct Unasked {
    times: u32,
    last: Instant,
    gap: Duration,
}

impl Unasked {
    /// Whether the page's own rhythm explains a request, so long after the one before it.
    fn explains(&self, since_before: Option<Duration>, soon: bool) -> bool {
        let due = since_before.is_some_and(|since| since > self.gap.mul_f64(0.6) && since < self.gap.mul_f64(1.6));
        // Right after our input it is more likely the answer to it, unless it was just due.
        self.times > 1 && (!soon || due)
    }
}

impl RequestLog {
    pub(crate) fn note(&mut self, what: String, acting: bool) {
        let now = Instant::now();
        if !acting {
            if self.unasked.len() > 500 {
                self.unasked.clear();
            }
            let known =
                self.unasked.entry(what.clone()).or_insert(Unasked { times: 0, last: now, gap: Duration::ZERO });
            known.times += 1;
            known.gap = now.saturating_duration_since(known.last);
            known.last = now;
        }
        self.recent.push_back((now, what));
        if self.recent.len() > 200 {
            self.recent.pop_front();
        }
    }

    /// What was asked for since then, without what the page polls.
    pub(crate) fn since(&self, moment: Instant) -> Vec<RequestSign> {
        // The rhythm goes on while we act, so the one before counts whenever it came.
        let polled = |at: Instant, what: &str| {
            let soon = at.saturating_duration_since(moment) < SOON;
            let before = self.recent.iter().rev().find(|(time, other)| *time < at && other == what);
            let since_before = before.map(|(time, _)| at.saturating_duration_since(*time));
            self.unasked.get(what).is_some_and(|known| known.explains(since_before, soon))
        };
        let mut found: Vec<(RequestSign, Instant)> = Vec::new();
        let mut repeated: Vec<&str> = Vec::new();
        for (at, what) in self.recent.iter().filter(|(at, what)| *at >= moment && !polled(*at, what)) {
            match found.iter().find(|(known, _)| known.what == *what) {
                // Late at first and then again: the page asks for it at its own pace.
                Some((known, first)) if !known.soon && at.duration_since(*first) > REPEAT => repeated.push(what),
                Some(_) => {}
                None => {
                    let soon = at.duration_since(moment) < SOON;
                    // Once more later, or before while nobody acted.
                    let later = |(time, other): &(Instant, String)| {
                        other == what && time.saturating_duration_since(*at) > REPEAT
                    };
                    let again = self.unasked.contains_key(what) || self.recent.iter().any(later);
                    found.push((RequestSign { what: what.clone(), soon, again }, *at));
                }
            }
        }
        found.into_iter().map(|(sign, _)| sign).filter(|sign| !repeated.contains(&sign.what.as_str())).collect()
    }
}

#[derive(Debug, Clone)]
pub(crate) struct ChildFrame {
    pub(crate) frame: String,
    /// The session that speaks for its document.
    pub(crate) session: String,
    /// The session that has the element it sits in; another one for frames of other processes.
    pub(crate) parent_session: String,
}

impl ChildFrame {
    /// Lives in a process of its own, as the root of its session.
    pub(crate) fn is_session_root(&self) -> bool {
        self.session != self.parent_session
    }
}

#[derive(Debug, Clone, Copy)]
pub(crate) struct InFlight {
    pub(crate) since: Instant,
    /// When its answer last brought something. A body that the page never reads is never said to be
    /// finished, so an answer that has gone quiet counts as one.
    pub(crate) heard: Option<Instant>,
}

/// An answer that brought nothing for so long has brought everything.
const ANSWER_QUIET: Duration = Duration::from_millis(120);

impl InFlight {
    pub(crate) fn is_open(&self) -> bool {
        self.heard.is_none_or(|heard| heard.elapsed() < ANSWER_QUIET)
    }
}

impl Shared {
    pub(crate) fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Changes the state and wakes everybody who waits for a change.
    pub(crate) fn update<T>(&self, change: impl FnOnce(&mut State) -> T) -> T {
        let result = change(&mut self.lock());
        self.changed.notify_waiters();
        result
    }

    /// Waits until `find` answers something; `None` when the time is up.
    pub(crate) async fn wait_for<T>(&self, deadline: Duration, mut find: impl FnMut(&State) -> Option<T>) -> Option<T> {
        let wait = async {
            loop {
                let changed = self.changed.notified();
                tokio::pin!(changed);
                // Registered before looking, so that a change in between is not missed.
                changed.as_mut().enable();
                if let Some(found) = find(&self.lock()) {
                    return found;
                }
                changed.await;
            }
        };
        tokio::time::timeout(deadline, wait).await.ok()
    }
}

impl TabState {
    /// Loads something that began after `moment`, or has a request under way that did.
    pub(crate) fn is_busy_since(&self, moment: Instant) -> bool {
        self.loading_since.is_some_and(|since| since >= moment) || self.has_requests_since(moment)
    }

    pub(crate) fn has_requests_since(&self, moment: Instant) -> bool {
        self.in_flight.values().any(|request| request.since >= moment && request.is_open())
    }

    /// Notes how a document is asked for. A redirect asks again, mostly without the form.
    pub(crate) fn note_document(&mut self, loader: &str, method: &str) {
        self.posted.retain(|known| known != loader);
        if !matches!(method, "GET" | "HEAD") {
            self.posted.push(loader.to_string());
            // One that was left long ago is loaded anew, and noted again, when the history leads back to it.
            let surplus = self.posted.len().saturating_sub(100);
            self.posted.drain(..surplus);
        }
    }

    /// Notes a frame, in place of whatever was known of it before.
    pub(crate) fn note_frame(&mut self, frame: ChildFrame) {
        self.child_frames.retain(|known| known.frame != frame.frame);
        // A page may make frames without end; beyond this nobody could look at them anyway.
        if self.child_frames.len() < 200 {
            self.child_frames.push(frame);
        }
    }
}

impl State {
    pub(crate) fn active(&self) -> Option<&TabState> {
        let target = self.recently_used.last()?;
        self.tabs.iter().find(|tab| tab.target == *target)
    }

    pub(crate) fn active_target(&self) -> Option<&str> {
        self.recently_used.last().map(String::as_str)
    }

    pub(crate) fn activate(&mut self, target: &str) {
        self.recently_used.retain(|used| used != target);
        self.recently_used.push(target.to_string());
    }

    pub(crate) fn tab(&self, target: &str) -> Option<&TabState> {
        self.tabs.iter().find(|tab| tab.target == target)
    }

    pub(crate) fn tab_mut(&mut self, target: &str) -> Option<&mut TabState> {
        self.tabs.iter_mut().find(|tab| tab.target == target)
    }

    pub(crate) fn tab_named(&self, id: &str) -> Option<&TabState> {
        self.tabs.iter().find(|tab| tab.id == id || tab.target == id)
    }

    /// The tab that owns a session, its frames of other processes included.
    pub(crate) fn tab_of_session(&mut self, session: &str) -> Option<&mut TabState> {
        self.tabs.iter_mut().find(|tab| {
            tab.session.as_deref() == Some(session) || tab.child_frames.iter().any(|frame| frame.session == session)
        })
    }

    /// Adds a tab that has become known. Returns whether it is new.
    pub(crate) fn add_tab(&mut self, target: &str, context: Option<&str>, url: &str, title: &str) -> bool {
        if self.tab(target).is_some() {
            return false;
        }
        self.next_tab += 1;
        self.tabs.push(TabState {
            id: format!("t{}", self.next_tab),
            target: target.to_string(),
            context: context.map(str::to_string),
            url: url.to_string(),
            title: title.to_string(),
            main_frame: target.to_string(),
            ..TabState::default()
        });
        true
    }

    pub(crate) fn remove_tab(&mut self, target: &str) {
        let was_active = self.active_target() == Some(target);
        if let Some(tab) = self.tab(target) {
            let event = EnvironmentEvent::TabClosed { tab: tab.id.clone() };
            self.happenings.events.push(event);
        }
        self.tabs.retain(|tab| tab.target != target);
        self.recently_used.retain(|used| used != target);
        if was_active {
            self.happenings.page_changed.other_active_tab = true;
            // Nothing used before: the newest tab is the best guess.
            if self.recently_used.is_empty()
                && let Some(tab) = self.tabs.iter().rev().find(|tab| tab.session.is_some())
            {
                self.recently_used.push(tab.target.clone());
            }
        }
    }

    /// Whether a new tab was opened by one that we drive.
    pub(crate) fn is_from_ours(&self, info: &TargetInfo) -> bool {
        let driven = |opener: &str| self.tab(opener).is_some_and(|tab| tab.session.is_some());
        let opened_by_ours = info.opener_id.as_deref().is_some_and(driven);
        // A click with a modifier opens a tab that names no opener; during our call it is ours.
        let context = self.active().map(|tab| tab.context.clone());
        opened_by_ours || self.calling && !self.creating && context == Some(info.browser_context_id.clone())
    }

    /// Tabs as the wire shows them.
    pub(crate) fn tab_list(&self) -> Vec<Tab> {
        let active = self.active_target();
        self.tabs
            .iter()
            .map(|tab| Tab {
                id: tab.id.clone(),
                target: tab.target.clone(),
                url: tab.url.clone(),
                title: tab.title.clone(),
                active: Some(tab.target.as_str()) == active,
            })
            .collect()
    }

    /// What ends any wait on a tab: a dialog, a crash, its end, or the end of everything.
    pub(crate) fn interruption(&self, target: &str) -> Option<Interruption> {
        if let Some(reason) = &self.lost {
            return Some(Interruption::Lost(reason.clone()));
        }
        let Some(tab) = self.tab(target) else {
            return Some(Interruption::TabClosed);
        };
        if tab.crashed {
            return Some(Interruption::TabCrashed);
        }
        self.open_dialog().map(|_| Interruption::Dialog)
    }

    /// The dialog that waits for an answer, of the active tab first. One in another tab counts as
    /// well: tabs of one process stand still together, and nobody could tell why.
    pub(crate) fn open_dialog(&self) -> Option<(&TabState, &Dialog)> {
        let active = self.active().and_then(|tab| Some((tab, tab.dialog.as_ref()?)));
        active.or_else(|| self.tabs.iter().find_map(|tab| Some((tab, tab.dialog.as_ref()?))))
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Interruption {
    Dialog,
    TabClosed,
    TabCrashed,
    Lost(String),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_poll_that_was_due_is_not_the_answer_to_an_input_but_one_out_of_time_is() {
        let poll = "GET /news".to_string();
        let start = Instant::now();
        let moment = start + Duration::from_millis(750);
        let asked = |after_ms: u64| {
            let unasked = Unasked { times: 3, last: start, gap: Duration::from_millis(800) };
            let log = RequestLog {
                recent: [(start, poll.clone()), (start + Duration::from_millis(after_ms), poll.clone())].into(),
                unasked: [(poll.clone(), unasked)].into(),
            };
            log.since(moment).len()
        };
        assert_eq!(asked(800), 0, "due, though it came right after the input");
        assert_eq!(asked(1700), 0, "not due, but not soon after the input either");
        let early = Instant::now();
        let unasked = Unasked { times: 3, last: early, gap: Duration::from_millis(8000) };
        let log = RequestLog {
            recent: [(early, poll.clone()), (moment + Duration::from_millis(20), poll.clone())].into(),
            unasked: [(poll.clone(), unasked)].into(),
        };
        assert_eq!(log.since(moment).len(), 1, "right after the input and long before its time");
    }
}
