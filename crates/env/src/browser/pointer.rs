//! Mouse calls: travel, hover settle, hit report, press, drag, wheel. Raw events are pipelined
//! (the browser keeps their order), and every wait for them also ends when a dialog opens.

use std::time::Duration;

use surehand_checks::before::Aim;
use surehand_types::call::{Direction, MouseButton, MouseCall};
use surehand_types::keys::Modifier;
use surehand_types::observation::Dispatched;
use surehand_types::{ErrorCode, Hit, ViewPoint};

use super::page::{Page, PageTrouble};
use super::state::Interruption;
use super::{BrowserEnv, Pace, failure_of};
use crate::CallFailure;
use crate::cdp::protocol::input::DispatchMouseEvent;
use crate::cdp::{CdpError, PendingCall};
use crate::environment::{Receipt, SettleKind};
use crate::input::path;

/// A page that does not answer within this time is hung.
const ANSWER_DEADLINE: Duration = Duration::from_secs(5);

/// Longest wait for a scroll to come to rest.
const SCROLL_CAP_MS: u32 = 700;

impl BrowserEnv {
    pub(super) async fn aim_pointer(&mut self, call: &MouseCall) -> Result<Aim, CallFailure> {
        let (modifiers, point, from) = match call {
            MouseCall::Move { to, modifiers } => (modifiers.as_slice(), to.to_view(self.view), None),
            MouseCall::Click { at, modifiers, .. } | MouseCall::Scroll { at, modifiers, .. } => {
                (modifiers.as_slice(), at.map_or(self.cursor, |at| at.to_view(self.view)), None)
            }
            MouseCall::Drag { from, to, modifiers, .. } => {
                (modifiers.as_slice(), to.to_view(self.view), Some(from.to_view(self.view)))
            }
            MouseCall::Reset | MouseCall::Confirm => return Ok(Aim::default()),
        };
        let page = self.page()?;
        self.note_restlessness(&page).await?;
        self.hold_modifiers(modifiers).await?;
        let destination = from.unwrap_or(point);
        let travelled = destination != self.cursor;
        if travelled {
            self.travel(&page, destination).await.map_err(failure_of)?;
        } else {
            // The page may have changed under a cursor at rest. Nobody waits for this move: it is
            // answered with the next animation frame, up to 16 ms later, and the press keeps its order.
            page.start(&self.mouse_event("mouseMoved", destination, None, 0)).forget();
        }
        let hit = self.hit_after_hover(&page, destination, travelled).await;
        Ok(Aim { point: Some(point), from, hit, neighbours: Vec::new() })
    }

    pub(super) async fn commit_pointer(&mut self, call: &MouseCall, aim: &Aim) -> Result<Receipt, CallFailure> {
        let Some(point) = aim.point else {
            return self.reset_cursor().await;
        };
        let page = self.page()?;
        // The words use the brain's own numbers where it gave some.
        let grid = match call {
            MouseCall::Move { to, .. } | MouseCall::Drag { to, .. } => *to,
            MouseCall::Click { at: Some(at), .. } | MouseCall::Scroll { at: Some(at), .. } => *at,
            _ => point.to_grid(self.view),
        };
        let on = aim.hit.as_ref().map(|hit| format!(" on {}", hit.descriptor)).unwrap_or_default();
        let mut receipt = Receipt { dispatched: Some(Dispatched::at(point)), ..Receipt::default() };
        receipt.message = match call {
            MouseCall::Move { .. } => {
                let over = aim.hit.as_ref().map(|hit| format!("; it is over {}", hit.descriptor)).unwrap_or_default();
                format!("moved the cursor to [{}, {}]{over}", grid.x, grid.y)
            }
            MouseCall::Click { button, count, .. } => {
                self.click(&page, point, *button, *count).await?;
                let kind = click_words(*button, *count);
                format!("{kind} at [{}, {}]{on}", grid.x, grid.y)
            }
            MouseCall::Drag { button, steps, .. } => {
                let from = aim.from.unwrap_or(point);
                self.drag(&page, from, point, *button, *steps).await?;
                if let Some(dispatched) = &mut receipt.dispatched {
                    dispatched.from = Some(from);
                }
                let start = match call {
                    MouseCall::Drag { from, .. } => *from,
                    _ => from.to_grid(self.view),
                };
                format!("dragged from [{}, {}]{on} to [{}, {}]", start.x, start.y, grid.x, grid.y)
            }
            MouseCall::Scroll { direction, amount, .. } => {
                let moved = self.scroll(&page, point, *direction, *amount).await?;
                let words = if moved { "" } else { "; nothing moved" };
                format!("scrolled {} by {amount} at [{}, {}]{words}", direction_word(*direction), grid.x, grid.y)
            }
            MouseCall::Reset | MouseCall::Confirm => String::new(),
        };
        Ok(receipt)
    }

    async fn reset_cursor(&mut self) -> Result<Receipt, CallFailure> {
        let page = self.page()?;
        let centre = self.view.centre();
        self.travel(&page, centre).await.map_err(failure_of)?;
        Ok(Receipt {
            message: "the cursor is back at the centre".into(),
            settle: SettleKind::Look,
            ..Receipt::default()
        })
    }

    /// Whether the page changes by itself: settle must not wait for that to end. A page that does not
    /// answer at all would swallow the input too, so nothing is sent to it.
    pub(super) async fn note_restlessness(&mut self, page: &Page) -> Result<(), CallFailure> {
        let ask = page.evaluate::<super::facts::Rest>("__surehand.rest()");
        let rest = tokio::time::timeout(ANSWER_DEADLINE, ask).await;
        (self.restless_before, self.changes_before) = match &rest {
            Ok(Ok(rest)) => (rest.idle < 100.0, rest.count),
            _ => (false, 0),
        };
        match rest {
            Err(_) | Ok(Err(PageTrouble::Protocol(CdpError::Deadline { .. }))) => Err(CallFailure::new(
                ErrorCode::Timeout,
                "the page does not answer, so nothing was sent to it; tab refresh loads it again",
            )),
            Ok(Err(PageTrouble::Interrupted(interruption))) => Err(failure_of(PageTrouble::Interrupted(interruption))),
            Ok(_) => Ok(()),
        }
    }

    /// Real mouse moves along an eased path, so that enter, over and hover fire in order.
    async fn travel(&mut self, page: &Page, to: ViewPoint) -> Result<(), PageTrouble> {
        let from = self.cursor;
        let points = path::move_path(from, to);
        let pause = self.pause_between(from, to, points.len());
        let mut last = None;
        for point in points {
            last = Some(page.start(&self.mouse_event("mouseMoved", point, None, 0)));
            self.cursor = point;
            if let Some(pause) = pause {
                tokio::time::sleep(pause).await;
            }
        }
        match last {
            Some(call) => acknowledged(page, vec![call], self.timing.call).await,
            None => Ok(()),
        }
    }

    /// Lets go of whatever an action that was dropped in the middle still holds.
    pub(super) async fn let_go(&mut self) {
        if let (Some(button), Ok(page)) = (self.pressed.take(), self.page()) {
            page.start(&self.mouse_event("mouseReleased", self.cursor, Some((button, false)), 1)).forget();
        }
        self.release_modifiers().await;
    }

    fn pause_between(&self, from: ViewPoint, to: ViewPoint, moves: usize) -> Option<Duration> {
        let moves = u32::try_from(moves).ok().filter(|moves| *moves > 0)?;
        (self.pace == Pace::Human).then(|| path::human_duration(from, to) / moves)
    }

    /// The hit after the hover came to rest. Where the cursor did not travel it is at rest already.
    async fn hit_after_hover(&self, page: &Page, point: ViewPoint, travelled: bool) -> Option<Hit> {
        let expression = if travelled {
            let cap = self.timing.hover_cap.as_millis();
            format!("__surehand.hoverSettled({{x}},{{y}},{cap},{})", self.changes_before)
        } else {
            "__surehand.hit({x},{y})".to_string()
        };
        match page.hit(point, self.view, &expression).await {
            Ok(hit) => hit,
            Err(trouble) => {
                tracing::debug!(?trouble, "what the pointer is over is not known");
                None
            }
        }
    }

    async fn click(
        &mut self,
        page: &Page,
        point: ViewPoint,
        button: MouseButton,
        count: u8,
    ) -> Result<(), CallFailure> {
        let mut calls = Vec::new();
        for number in 1..=count {
            calls.push(page.start(&self.mouse_event("mousePressed", point, Some((button, true)), number)));
            calls.push(page.start(&self.mouse_event("mouseReleased", point, Some((button, false)), number)));
        }
        self.cursor = point;
        acknowledged(page, calls, self.timing.call).await.map_err(failure_of)
    }

    async fn drag(
        &mut self,
        page: &Page,
        from: ViewPoint,
        to: ViewPoint,
        button: MouseButton,
        steps: u8,
    ) -> Result<(), CallFailure> {
        self.pressed = Some(button);
        let press = page.start(&self.mouse_event("mousePressed", from, Some((button, true)), 1));
        let travelled = match acknowledged(page, vec![press], self.timing.call).await {
            Ok(()) => self.travel_held(page, from, to, button, steps).await,
            Err(trouble) => Err(trouble),
        };
        // Whatever became of it, a button must not stay down.
        let release = page.start(&self.mouse_event("mouseReleased", self.cursor, Some((button, false)), 1));
        self.pressed = None;
        travelled.map_err(failure_of)?;
        acknowledged(page, vec![release], self.timing.call).await.map_err(failure_of)?;
        // Editors store a selection late; the next call must not come before that.
        let _: Result<Option<bool>, _> =
            page.evaluate("__surehand.frame().then(() => __surehand.frame()).then(() => null)").await;
        Ok(())
    }

    async fn travel_held(
        &mut self,
        page: &Page,
        from: ViewPoint,
        to: ViewPoint,
        button: MouseButton,
        steps: u8,
    ) -> Result<(), PageTrouble> {
        let points = path::drag_path(from, to, steps);
        let pause = self.pause_between(from, to, points.len());
        for point in points {
            // One at a time: sliders and drawing surfaces drop moves that come in one burst.
            let call = page.start(&self.mouse_event("mouseMoved", point, Some((button, true)), 0));
            self.cursor = point;
            acknowledged(page, vec![call], self.timing.call).await?;
            if let Some(pause) = pause {
                tokio::time::sleep(pause).await;
            }
        }
        Ok(())
    }

    /// One wheel event at the point. Returns whether anything scrolled.
    async fn scroll(
        &mut self,
        page: &Page,
        point: ViewPoint,
        direction: Direction,
        amount: u16,
    ) -> Result<bool, CallFailure> {
        let (x, y) = match direction {
            Direction::Up => (0.0, -self.view.vertical_length(amount.into())),
            Direction::Down => (0.0, self.view.vertical_length(amount.into())),
            Direction::Left => (-self.view.horizontal_length(amount.into()), 0.0),
            Direction::Right => (self.view.horizontal_length(amount.into()), 0.0),
        };
        let offset = format!("__surehand.scrollSum({},{})", point.x, point.y);
        let before: Option<f64> = page.evaluate(&offset).await.ok();
        let mut event = self.mouse_event("mouseWheel", point, None, 0);
        event.delta_x = Some(x);
        event.delta_y = Some(y);
        let call = page.start(&event);
        acknowledged(page, vec![call], self.timing.call).await.map_err(failure_of)?;
        let settled = format!("__surehand.scrollSettled({},{},{SCROLL_CAP_MS})", point.x, point.y);
        let after: Option<f64> = page.evaluate(&settled).await.ok();
        // In a frame of another process the offset is not seen from here; say nothing then.
        Ok(before.is_none() || after.is_none() || before != after)
    }

    /// `button` is the button pressed or held and whether it is down during this event.
    fn mouse_event(
        &self,
        kind: &'static str,
        point: ViewPoint,
        button: Option<(MouseButton, bool)>,
        click_count: u8,
    ) -> DispatchMouseEvent {
        let (name, mask) = match button {
            None => ("none", 0),
            Some((button, down)) => {
                let (name, bit) = match button {
                    MouseButton::Left => ("left", 1),
                    MouseButton::Right => ("right", 2),
                    MouseButton::Middle => ("middle", 4),
                };
                (name, if down { bit } else { 0 })
            }
        };
        DispatchMouseEvent {
            r#type: kind,
            x: f64::from(point.x),
            y: f64::from(point.y),
            modifiers: modifier_mask(&self.held),
            button: name,
            buttons: mask,
            click_count,
            force: (mask != 0).then_some(0.5),
            delta_x: None,
            delta_y: None,
        }
    }
}

/// Waits for the answers. A dialog that the input opened is a result, not a failure: the browser
/// answers the rest when the dialog is gone.
async fn acknowledged(
    page: &Page,
    calls: Vec<PendingCall<DispatchMouseEvent>>,
    deadline: Duration,
) -> Result<(), PageTrouble> {
    for call in calls {
        match page.finish(call, deadline).await {
            Ok(_) => {}
            Err(PageTrouble::Interrupted(Interruption::Dialog | Interruption::TabClosed)) => return Ok(()),
            Err(trouble) => return Err(trouble),
        }
    }
    Ok(())
}

pub(super) fn modifier_mask(modifiers: &[Modifier]) -> u8 {
    modifiers
        .iter()
        .map(|modifier| match modifier {
            Modifier::Alt => 1,
            Modifier::Ctrl => 2,
            Modifier::Meta => 4,
            Modifier::Shift => 8,
        })
        .fold(0, |mask, bit| mask | bit)
}

fn click_words(button: MouseButton, count: u8) -> String {
    let times = match count {
        2 => "double-",
        3 => "triple-",
        _ => "",
    };
    let side = match button {
        MouseButton::Left => "",
        MouseButton::Right => "right-",
        MouseButton::Middle => "middle-",
    };
    format!("{side}{times}clicked")
}

fn direction_word(direction: Direction) -> &'static str {
    match direction {
        Direction::Up => "up",
        Direction::Down => "down",
        Direction::Left => "left",
        Direction::Right => "right",
    }
}
