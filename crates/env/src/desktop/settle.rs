//! Waiting until the screen has come to rest, and judging what an action did to it. Applications draw
//! when they like, so frames are compared until what the action changed stays as it is.

use std::time::{Duration, Instant};

use surehand_checks::after::pixels::{HALO, TileSet, Watch, changed_tiles, without_carets};
use surehand_checks::after::probe::Manner;
use surehand_checks::after::screen::{Seen, Sign, Verdict, judge};
use surehand_types::{Effect, EffectStatus, Frame, Observation, ViewBox, ViewPoint};

use super::DesktopEnv;
use super::accessibility::{ElementFacts, News};
use super::survey::Survey;
use crate::EnvError;
use crate::environment::{EffectSource, Receipt, SettleKind, Settled};

/// Between two frames of a screen that is watched.
const BETWEEN_FRAMES: Duration = Duration::from_millis(14);

/// The same once nothing happened for a while.
const BETWEEN_LATE_FRAMES: Duration = Duration::from_millis(40);

/// What changed counts as finished when it stayed as it is for this long.
const AT_REST_MS: f64 = 60.0;

/// A window that just opened fills itself in parts, and one that closed may be followed by another.
const WINDOW_AT_REST_MS: f64 = 180.0;

/// How long a hover is watched for a reaction to begin; most toolkits need one or two frames.
const HOVER_BEGINS: Duration = Duration::from_millis(45);

/// How long a wheel that moved nothing is watched.
const SCROLL_PATIENCE: Duration = Duration::from_millis(500);

/// How long a pointer that was only moved is watched for a reaction.
const MOVE_PATIENCE: Duration = Duration::from_millis(150);

/// Actions whose beginning is remembered: messages are gone by then.
const EARLIER_FRAMES: usize = 14;

/// What changed in so many frames moves on.
const BUSY_FRAMES: u32 = 5;

/// How long a screen that keeps changing is waited for, once it is certain that the action did something.
const LIVELY_CAP: Duration = Duration::from_millis(800);

/// How long the last look waits for a screen that keeps changing: tooltips fade, meters never stop.
const LAST_LOOK_CAP: Duration = Duration::from_millis(1500);

/// What an application tells later than this after an action is not tied to it by its time.
const SOON: Duration = Duration::from_millis(700);

/// The pause after an input where the screen is not asked whether it has come to rest.
const FIXED_PAUSE: Duration = Duration::from_millis(500);

impl DesktopEnv {
    /// What changed since the last look did so without any hand.
    pub(super) async fn begin_watching(&mut self) -> Result<Frame, EnvError> {
        let frame = self.capture().await?;
        if let Some(last) = &self.last {
            let before = last.frame.clone();
            if let Some(changed) = changed_tiles(&before, &frame) {
                self.habits.saw_idle(without_carets(&before, &frame, changed));
            }
        }
        Ok(frame)
    }

    /// Titles that changed since the last look did so by themselves, as those of players and terminals do; from then on
    /// they say nothing.
    pub(super) fn note_titles(&mut self, now: &Survey) {
        for window in &now.windows {
            if self.survey.window(window.id).is_some_and(|old| old.title != window.title) {
                self.own_titles.insert(window.id);
            }
        }
    }

    /// Until the paint of a hover stands still. What moves meanwhile away from the pointer does so by itself.
    pub(super) async fn wait_for_hover(&mut self, point: ViewPoint) -> Result<(), EnvError> {
        let first = self.capture().await?;
        let started = Instant::now();
        let (mut last, mut changed_at) = (first.clone(), started);
        let (x, y) = (f64::from(point.x), f64::from(point.y));
        let here = [ViewBox { x0: x, y0: y, x1: x + 1.0, y1: y + 1.0 }];
        let around = TileSet::touched_by(&here, 2.0 * HALO, &first.pixels, self.view);
        while started.elapsed() < self.timing.hover_cap {
            tokio::time::sleep(BETWEEN_FRAMES).await;
            let frame = self.capture().await?;
            let Some(changed) = changed_tiles(&last, &frame) else { break };
            if !changed.clone().within(&around).without(&self.habits.suspected(&changed)).is_empty() {
                changed_at = Instant::now();
            }
            last = frame;
            if changed_at.elapsed() >= HOVER_BEGINS {
                break;
            }
        }
        if let Some(moved) = changed_tiles(&first, &last) {
            self.habits.saw_idle(without_carets(&first, &last, moved).without(&around));
        }
        Ok(())
    }

    /// For an application that comes up: until nothing changes any more, or the time is over.
    pub(super) async fn wait_for_rest(&mut self, longest: Duration) -> Result<(), EnvError> {
        let started = Instant::now();
        let (mut last, mut changed_at) = (self.capture().await?, started);
        while started.elapsed() < longest && changed_at.elapsed() < Duration::from_millis(500) {
            tokio::time::sleep(BETWEEN_LATE_FRAMES).await;
            let frame = self.capture().await?;
            let changed = changed_tiles(&last, &frame).map(|changed| without_carets(&last, &frame, changed));
            if changed.is_none_or(|changed| !changed.is_empty()) {
                changed_at = Instant::now();
            }
            last = frame;
        }
        Ok(())
    }

    pub(super) async fn settle_and_judge(&mut self, receipt: &Receipt) -> Result<Settled, EnvError> {
        if receipt.settle == SettleKind::LastLook {
            self.park_pointer().await?;
            self.wait_for_rest(LAST_LOOK_CAP).await?;
            return Ok(Settled { observation: self.look().await?, effect: None });
        }
        let look = match (receipt.settle, &self.last) {
            (SettleKind::Keep, Some(last)) => {
                let observation = Observation { cursor: self.cursor, ..last.clone() };
                return Ok(Settled { observation, effect: None });
            }
            (SettleKind::Look | SettleKind::Keep | SettleKind::LastLook, _) => true,
            (SettleKind::AfterInput | SettleKind::AfterNavigation, _) => false,
        };
        let manner = match &receipt.effect {
            _ if look => None,
            EffectSource::Probe(manner) => Some(*manner),
            EffectSource::None | EffectSource::Known(_) => None,
        };
        if !self.adaptive_settle && !look {
            tokio::time::sleep(FIXED_PAUSE).await;
        }
        let (Some(manner), Some(before)) = (manner, self.aimed.before.take()) else {
            let observation = self.look().await?;
            let effect = match &receipt.effect {
                EffectSource::Known(effect) => Some(effect.clone()),
                EffectSource::None | EffectSource::Probe(_) => None,
            };
            return Ok(Settled { observation, effect });
        };
        let (verdict, frame, survey) = self.watch(before, manner).await?;
        let observation = self.observation(frame, survey).await?;
        let effect = match (manner, verdict.effect.status) {
            _ if !self.probing => Some(Effect::not_measured()),
            // A move that changed nothing is no news.
            (Manner::Move, status) if status != EffectStatus::Confirmed => None,
            _ => Some(verdict.effect),
        };
        Ok(Settled { observation, effect })
    }

    /// Frames until the verdict stands and the screen is at rest.
    async fn watch(&mut self, before: Frame, manner: Manner) -> Result<(Verdict, Frame, Survey), EnvError> {
        let patience = match manner {
            Manner::Move => MOVE_PATIENCE,
            Manner::Scroll => SCROLL_PATIENCE.min(self.timing.patience),
            Manner::Pointer | Manner::Drag | Manner::Keyboard => self.timing.patience,
        };
        // Effects that are not judged are not waited for either, beyond the first drawing.
        let patience = if self.probing { patience } else { patience.min(HOVER_BEGINS * 4) };
        let mut watch = Watch::from(before.clone()).telling_carets();
        let mut told_at = None;
        loop {
            let (frame, survey) = self.glimpse().await?;
            let at = self.sent_at.elapsed();
            let now = at.as_secs_f64() * 1000.0;
            watch.see(&frame, now);
            let mut signs = self.signs(&survey);
            signs.extend(self.told_by_application().await);
            if !signs.is_empty() && told_at.is_none() {
                told_at = Some(now);
            }
            let ignored: Vec<ViewBox> =
                survey.popups.iter().filter(|popup| popup.tooltip).map(|popup| popup.bounds).collect();
            let verdict = judge(&Seen {
                watch: &watch,
                view: self.view,
                habits: &self.habits,
                manner,
                places: &self.aimed.places,
                ignored: &ignored,
                signs: &signs,
                earlier: self.earlier.make_contiguous(),
                hears_caret: self.aimed.field.as_ref().is_some_and(|(_, text)| text.is_some()),
            });
            // What moves on, like a cursor that plays, does not come to rest and is not waited for.
            let resting = verdict.own.clone().without(&watch.busy(BUSY_FRAMES));
            let quiet_for = now - watch.last_change(&resting).or(told_at).unwrap_or(0.0);
            // One that closes often makes room for the next.
            let windows = signs.iter().any(|sign| ["window_opened", "window_closed"].contains(&sign.kind));
            let enough = if windows { WINDOW_AT_REST_MS } else { AT_REST_MS };
            let confirmed = verdict.effect.status == EffectStatus::Confirmed;
            let over = match (confirmed, verdict.doubt_until) {
                (true, None) => quiet_for >= enough || at >= self.timing.settle_cap.min(LIVELY_CAP),
                (true, Some(until)) => now >= until || at >= patience + self.timing.settle_cap,
                (false, _) => at >= patience,
            };
            if over {
                if let Some(moved) = watch.moved() {
                    self.habits.saw_restless(moved.restless);
                }
                self.earlier.push_back(before);
                if self.earlier.len() > EARLIER_FRAMES {
                    self.earlier.pop_front();
                }
                return Ok((verdict, frame, survey));
            }
            let late = quiet_for > 400.0;
            tokio::time::sleep(if late { BETWEEN_LATE_FRAMES } else { BETWEEN_FRAMES }).await;
        }
    }

    /// What the application told soon after the action. Text and caret count for the element with the focus only:
    /// others may write by themselves.
    async fn told_by_application(&mut self) -> Vec<Sign> {
        let Some(accessibility) = &self.accessibility else { return Vec::new() };
        let (since, until) = (self.committed_at, self.sent_at + SOON);
        let (news, focused) = accessibility.heard(|heard| {
            let soon = heard.news.iter().filter(|news| news.at >= since && news.at <= until);
            (soon.cloned().collect::<Vec<_>>(), heard.focused.clone())
        });
        let mut signs: Vec<Sign> = Vec::new();
        for News { kind, element, .. } in news {
            let counts = match kind {
                "focus" => self.aimed.field.as_ref().is_none_or(|(field, _)| field.address != element),
                "text" | "caret" => Some(&element) == focused.as_ref(),
                _ => true,
            };
            if counts && !signs.iter().any(|sign| sign.kind == kind) {
                let facts = accessibility.describe(&element).await;
                // A pane that takes the focus does nothing else by it, and nobody could tell.
                if kind == "focus" && !facts.as_ref().is_some_and(ElementFacts::takes_input) {
                    continue;
                }
                let words = facts.map(|facts| facts.descriptor()).unwrap_or_else(|| "an element".into());
                let detail = match kind {
                    "focus" => format!("{words} has the focus now"),
                    "text" => format!("{words} holds another text"),
                    "caret" => format!("the caret of {words} stands elsewhere"),
                    _ => format!("{words} has another state"),
                };
                signs.push(Sign { kind, detail });
            }
        }
        signs
    }

    /// What the window manager tells since the action began.
    fn signs(&self, now: &Survey) -> Vec<Sign> {
        let before = &self.aimed.survey;
        let mut signs = Vec::new();
        let mut say = |kind, detail: String| signs.push(Sign { kind, detail });
        for window in now.windows.iter().filter(|window| before.window(window.id).is_none()) {
            say("window_opened", format!("window {:?} opened", window.title));
        }
        for window in before.windows.iter().filter(|window| now.window(window.id).is_none()) {
            say("window_closed", format!("window {:?} closed", window.title));
        }
        for window in &now.windows {
            let Some(old) = before.window(window.id) else { continue };
            if old.title != window.title && !self.own_titles.contains(&window.id) {
                say("window_title", format!("{:?} became {:?}", old.title, window.title));
            }
            if old.bounds != window.bounds {
                say("window_moved", format!("window {:?} has another place or size", window.title));
            }
        }
        if now.active != self.aimed.active
            && let Some(active) = now.active()
        {
            say("window_focus", format!("window {:?} is active now", active.title));
        }
        let menus = |survey: &Survey| {
            survey.popups.iter().filter(|popup| !popup.tooltip).map(|popup| popup.id).collect::<Vec<_>>()
        };
        let (old, new) = (menus(before), menus(now));
        if new.iter().any(|id| !old.contains(id)) {
            say("popup_opened", "a menu or list opened".into());
        } else if old.iter().any(|id| !new.contains(id)) {
            say("popup_closed", "a menu or list closed".into());
        }
        signs
    }
}
