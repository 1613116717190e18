//! Mouse calls: travel, hover settle, hit report, press, drag, wheel. Raw events are pipelined
//! (the browser keeps their order), and every wait for them also ends when a dialog opens.

use std::time::Duration;

use surehand_checks::after::probe::Manner;
use surehand_checks::before::{Aim, Spot};
use surehand_types::call::{Direction, MouseButton, MouseCall};
use surehand_types::keys::Modifier;
use surehand_types::observation::Dispatched;
use surehand_types::{Effect, Frame, ViewBox, ViewPoint};

use super::aiming::Aimed;
use super::page::{Page, PageTrouble};
use super::places::Place;
use super::state::Interruption;
use super::{BrowserEnv, Pace, failure_of};
use crate::CallFailure;
use crate::cdp::PendingCall;
use crate::cdp::protocol::input::DispatchMouseEvent;
use crate::environment::{EffectSource, Receipt, SettleKind};
use crate::input::path;

/// Longest wait for a scroll to come to rest.
const SCROLL_CAP_MS: u32 = 700;

/// What paints its own picture, without a tree.
const SURFACES: [&str; 4] = ["canvas", "video", "embed", "object"];

/// What an action began with, for judging it later.
#[derive(Debug, Default)]
pub(super) struct AimedAt {
    /// The document that was hit, where it is not the main one.
    pub(super) place: Option<Place>,
    /// Why the place that was hit cannot be measured, if so.
    pub(super) blind: Option<String>,
    /// The box of what was hit.
    pub(super) bounds: Option<ViewBox>,
    /// Where, if what was hit is a canvas or the like.
    pub(super) on_surface: Option<ViewPoint>,
    pub(super) before: Before,
}

/// How much had happened when the action began.
#[derive(Debug, Clone, Default)]
pub(super) struct Before {
    pub(super) frame: Option<Frame>,
    pub(super) frame_documents: u64,
    pub(super) opened: usize,
    pub(super) closed: usize,
    pub(super) downloads: usize,
    pub(super) downloads_begun: u32,
}

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
        self.begin_watching(&page).await?;
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
        let acts = matches!(call, MouseCall::Click { .. } | MouseCall::Drag { .. });
        let aimed = self.aimed_after_hover(&page, destination, travelled, acts).await;
        // A hover's own reaction is not the press's doing: the others are marked again as well.
        if acts {
            page.mark_frames(aimed.place.as_ref()).await;
        }
        if acts && aimed.has_surfaces {
            self.look_before_press(&page, aimed.bounds).await;
        }
        let is_surface = aimed.hit.as_ref().is_some_and(|hit| SURFACES.contains(&hit.tag.as_str()));
        self.aimed_at.on_surface = is_surface.then_some(destination);
        self.aimed_at.bounds = aimed.bounds;
        self.aimed_at.place = aimed.place;
        self.aimed_at.blind = aimed.blind;
        let mut spots: Vec<Spot> = aimed.spot.into_iter().collect();
        if from.is_some() {
            spots.extend(self.spot_at(&page, point).await);
        }
        let opens_picker = matches!(
            call,
            MouseCall::Click { button: MouseButton::Left, count: 1, modifiers, .. } if modifiers.is_empty()
        );
        let native = aimed.native.filter(|_| opens_picker && self.native_controls);
        let pastes = self.pointer_pastes(&page, call, point, aimed.deed.as_ref()).await;
        let end = match from {
            Some(_) => self.dropped_on(&page, point).await,
            None => None,
        };
        let point = Some(point);
        Ok(Aim { point, from, hit: aimed.hit, spots, native, deed: aimed.deed, end, pastes, ..Aim::default() })
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
        let meant = match call {
            MouseCall::Click { .. } => Some("click"),
            MouseCall::Drag { .. } => Some("drag"),
            MouseCall::Scroll { .. } => Some("scroll"),
            MouseCall::Move { .. } | MouseCall::Reset | MouseCall::Confirm => None,
        };
        if let Some(meant) = meant.filter(|_| self.shared.lock().open_dialog().is_some()) {
            return Ok(Receipt {
                message: format!("the pointer's way there opened a dialog; the {meant} was not made"),
                effect: EffectSource::Known(Effect::refused("dialog_open")),
                ..Receipt::default()
            });
        }
        let on = aim.hit.as_ref().map(|hit| format!(" on {}", hit.descriptor)).unwrap_or_default();
        let mut receipt = Receipt {
            dispatched: Some(Dispatched::at(point)),
            effect: EffectSource::Probe(Manner::Pointer),
            ..Receipt::default()
        };
        receipt.message = match call {
            MouseCall::Move { .. } => {
                receipt.effect = EffectSource::Probe(Manner::Move);
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
                receipt.effect = EffectSource::Probe(Manner::Drag);
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
                receipt.effect = match moved {
                    Some(true) => EffectSource::Known(Effect::confirmed("scroll", "the offset moved")),
                    _ => EffectSource::Probe(Manner::Scroll),
                };
                let words = if moved == Some(false) { "; nothing moved: it is already at the end" } else { "" };
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

    pub(super) fn pause_between(&self, from: ViewPoint, to: ViewPoint, moves: usize) -> Option<Duration> {
        let moves = u32::try_from(moves).ok().filter(|moves| *moves > 0)?;
        (self.pace == Pace::Human).then(|| path::human_duration(from, to) / moves)
    }

    /// What is under the pointer after the hover came to rest. Where the cursor did not travel it is at
    /// rest already.
    async fn aimed_after_hover(&self, page: &Page, point: ViewPoint, travelled: bool, around: bool) -> Aimed {
        let again = format!("__surehand.aimed({{x}},{{y}},{around})");
        let first = if travelled {
            let cap = self.timing.hover_cap.as_millis();
            format!("__surehand.hoverSettled({{x}},{{y}},{cap},{},{around})", self.changes_before)
        } else {
            again.clone()
        };
        match page.aimed(point, self.view, &first, &again).await {
            Ok(aimed) => aimed,
            Err(trouble) => {
                tracing::debug!(?trouble, "what the pointer is over is not known");
                Aimed { blind: Some("hit_unknown".into()), ..Aimed::default() }
            }
        }
    }

    /// What lies around a point where the pointer is not yet: the end of a drag.
    async fn spot_at(&self, page: &Page, point: ViewPoint) -> Option<Spot> {
        let look = "({hit: null, spot: __surehand.spotAt({x},{y})})";
        page.aimed(point, self.view, look, look).await.ok()?.spot
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

    /// One wheel event at the point. Returns whether anything scrolled, where that can be seen.
    async fn scroll(
        &mut self,
        page: &Page,
        point: ViewPoint,
        direction: Direction,
        amount: u16,
    ) -> Result<Option<bool>, CallFailure> {
        let (x, y) = match direction {
            Direction::Up => (0.0, -self.view.vertical_length(amount.into())),
            Direction::Down => (0.0, self.view.vertical_length(amount.into())),
            Direction::Left => (-self.view.horizontal_length(amount.into()), 0.0),
            Direction::Right => (self.view.horizontal_length(amount.into()), 0.0),
        };
        let offset = format!("__surehand.scrollSum({},{})", point.x, point.y);
        let before: Option<f64> = page.evaluate(&offset).await.ok().flatten();
        let mut event = self.mouse_event("mouseWheel", point, None, 0);
        event.delta_x = Some(x);
        event.delta_y = Some(y);
        let call = page.start(&event);
        acknowledged(page, vec![call], self.timing.call).await.map_err(failure_of)?;
        let settled = format!("__surehand.scrollSettled({},{},{SCROLL_CAP_MS})", point.x, point.y);
        let after: Option<f64> = page.evaluate(&settled).await.ok().flatten();
        // In a frame of another process the offset is not seen from here; the probe in it knows.
        Ok(before.zip(after).map(|(before, after)| before != after))
    }

    /// `button` is the button pressed or held and whether it is down during this event.
    pub(super) fn mouse_event(
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
pub(super) async fn acknowledged(
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
