//! Drags: press, travel with the button held, let go. Where the page makes a drag of its own out of
//! it (HTML5), the browser hands the drag over and the rest of the way is made of drag events.

use std::time::Duration;

use serde_json::Value;
use surehand_types::ViewPoint;
use surehand_types::call::MouseButton;

use super::page::{Page, PageTrouble};
use super::places::{PlacedFrame, innermost_at};
use super::pointer::{acknowledged, modifier_mask};
use super::state::Interruption;
use super::{BrowserEnv, failure_of};
use crate::CallFailure;
use crate::cdp::protocol::input::{DispatchDragEvent, SetInterceptDrags};
use crate::input::path;

/// Between two drag events: lists that rearrange themselves ignore what comes faster.
const BETWEEN_DRAG_EVENTS: Duration = Duration::from_millis(15);

/// How long a held move is waited for before the next one is sent.
const MOVE_PATIENCE: Duration = Duration::from_millis(60);

/// A hand rests over the place before it lets go, and the page gets the time to make room.
const REST: [Duration; 3] = [Duration::from_millis(40); 3];

/// How long the browser may take to hand over a drag that the page has begun.
const HAND_OVER: Duration = Duration::from_millis(500);

struct Way {
    from: ViewPoint,
    to: ViewPoint,
    button: MouseButton,
    steps: u8,
    /// Frames that live in processes of their own.
    processes: Vec<PlacedFrame>,
}

impl Way {
    /// Whose a point is: `None` for the page's own process.
    fn process_at(&self, point: ViewPoint) -> Option<usize> {
        innermost_at(&self.processes, point)
    }
}

impl BrowserEnv {
    pub(super) async fn drag(
        &mut self,
        page: &Page,
        from: ViewPoint,
        to: ViewPoint,
        button: MouseButton,
        steps: u8,
    ) -> Result<(), CallFailure> {
        self.shared.update(|state| {
            if let Some(tab) = state.tab_mut(&page.target) {
                tab.drag = None;
            }
        });
        let begun_before = self.drags_begun(page).await;
        let processes =
            page.placed_frames().await.into_iter().filter(|placed| placed.frame.is_session_root()).collect();
        let way = Way { from, to, button, steps, processes };
        page.start(&SetInterceptDrags { enabled: true }).forget();
        self.pressed = Some(button);
        let press = page.start(&self.mouse_event("mousePressed", from, Some((button, true)), 1));
        let travelled = match acknowledged(page, vec![press], self.timing.call).await {
            Ok(()) => self.travel_held(page, &way, begun_before).await,
            Err(trouble) => Err(trouble),
        };
        let ended = self.let_go_of_drag(page, &way, travelled).await;
        self.pressed = None;
        // Left on, an unanswered interception would swallow all later input (trap 5).
        page.start(&SetInterceptDrags { enabled: false }).forget();
        ended.map_err(failure_of)?;
        // Editors store a selection late; the next call must not come before that.
        let _: Result<Option<bool>, _> =
            page.evaluate("__surehand.frame().then(() => __surehand.frame()).then(() => null)").await;
        Ok(())
    }

    async fn travel_held(&mut self, page: &Page, way: &Way, begun_before: u64) -> Result<(), PageTrouble> {
        let points = path::drag_path(way.from, way.to, way.steps);
        let pause = self.pause_between(way.from, way.to, points.len());
        let mut entered = None;
        let last = points.len().saturating_sub(1);
        for (number, point) in points.into_iter().enumerate() {
            self.cursor = point;
            match self.handed_over(page) {
                Some(data) => {
                    // Each process has to be entered for itself, or it never hears of the drag.
                    let here = way.process_at(point);
                    if entered != Some(here) {
                        self.drag_event(page, "dragEnter", point, &data).await?;
                        entered = Some(here);
                    }
                    self.drag_event(page, "dragOver", point, &data).await?;
                    tokio::time::sleep(BETWEEN_DRAG_EVENTS).await;
                }
                None => {
                    // One at a time: sliders and drawing surfaces drop moves that come in one burst.
                    let call = page.start(&self.mouse_event("mouseMoved", point, Some((way.button, true)), 0));
                    // A tab in the background answers late; its moves keep their order all the same.
                    let answer = acknowledged(page, vec![call], self.timing.call);
                    if let Ok(answer) = tokio::time::timeout(MOVE_PATIENCE, answer).await {
                        answer?;
                    }
                    // The page may have begun a drag with this move; it is handed over a moment later.
                    let begun = (number == 1 || number == last) && self.drags_begun(page).await > begun_before;
                    if begun && self.wait_for_hand_over(page).await && number == last {
                        let data = self.handed_over(page).unwrap_or_default();
                        self.drag_event(page, "dragEnter", point, &data).await?;
                        self.drag_event(page, "dragOver", point, &data).await?;
                    }
                }
            }
            if let Some(pause) = pause {
                tokio::time::sleep(pause).await;
            }
        }
        Ok(())
    }

    /// Whatever became of the way, neither button nor drag may stay held.
    async fn let_go_of_drag(
        &mut self,
        page: &Page,
        way: &Way,
        travelled: Result<(), PageTrouble>,
    ) -> Result<(), PageTrouble> {
        let dragged = self.shared.update(|state| state.tab_mut(&page.target).and_then(|tab| tab.drag.take()));
        let Some(data) = dragged else {
            let release = page.start(&self.mouse_event("mouseReleased", self.cursor, Some((way.button, false)), 1));
            travelled?;
            return acknowledged(page, vec![release], self.timing.call).await;
        };
        if travelled.is_ok() {
            for rest in REST {
                tokio::time::sleep(rest).await;
                let _ = self.drag_event(page, "dragOver", self.cursor, &data).await;
            }
        }
        let kind = if travelled.is_ok() { "drop" } else { "dragCancel" };
        let dropped = self.drag_event(page, kind, self.cursor, &data).await;
        // The browser ends a drag where it was dropped. Another process that began it would wait for ever,
        // deaf to all later input.
        if way.process_at(way.from) != way.process_at(self.cursor) {
            let _ = self.drag_event(page, "dragCancel", way.from, &data).await;
        }
        travelled?;
        dropped
    }

    async fn drag_event(
        &self,
        page: &Page,
        kind: &'static str,
        point: ViewPoint,
        data: &Value,
    ) -> Result<(), PageTrouble> {
        let method = DispatchDragEvent {
            r#type: kind,
            x: f64::from(point.x),
            y: f64::from(point.y),
            data: data.clone(),
            modifiers: modifier_mask(&self.held),
        };
        match page.finish(page.start(&method), self.timing.call).await {
            Ok(_) | Err(PageTrouble::Interrupted(Interruption::Dialog | Interruption::TabClosed)) => Ok(()),
            Err(trouble) => Err(trouble),
        }
    }

    fn handed_over(&self, page: &Page) -> Option<Value> {
        self.shared.lock().tab(&page.target).and_then(|tab| tab.drag.clone())
    }

    async fn wait_for_hand_over(&self, page: &Page) -> bool {
        let handed = |state: &super::state::State| state.tab(&page.target)?.drag.is_some().then_some(());
        self.shared.wait_for(HAND_OVER, handed).await.is_some()
    }

    /// How many drags of their own the page's documents have begun.
    async fn drags_begun(&self, page: &Page) -> u64 {
        let place = self.aimed_at.place.clone().unwrap_or_else(|| page.main_place());
        page.evaluate_in(&place.session, &place.frame, "__surehand.dragsBegan()").await.unwrap_or(0)
    }
}
