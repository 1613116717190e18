//! Mouse calls: travel, hover settle, what is hit, press, drag, wheel, through XTEST.

use std::time::{Duration, Instant};

use surehand_checks::after::probe::Manner;
use surehand_checks::before::Aim;
use surehand_types::call::{Direction, MouseButton, MouseCall};
use surehand_types::observation::Dispatched;
use surehand_types::{ErrorCode, ViewBox, ViewPoint};
use x11rb::protocol::xproto::{BUTTON_PRESS_EVENT, BUTTON_RELEASE_EVENT, MOTION_NOTIFY_EVENT};
use x11rb::protocol::xtest::ConnectionExt as _;

use super::server::{DisplayTrouble, Server};
use super::{AimedAt, DesktopEnv, Pace};
use crate::environment::{EffectSource, Receipt, SettleKind};
use crate::input::path;
use crate::{CallFailure, EnvError};

/// Between two moves of a drag: toolkits begin one only when they have seen the pointer move with the button held.
const BETWEEN_DRAG_MOVES: Duration = Duration::from_millis(12);

/// Between the two parts of a quick move: one frame of a fast application.
const BETWEEN_MOVES: Duration = Duration::from_millis(10);

/// A hand rests after the press and before it lets go.
const REST: Duration = Duration::from_millis(40);

/// Toolkits take a second press within 400 ms for a double click, openbox within 500.
const DOUBLE_CLICK: Duration = Duration::from_millis(520);

/// How far apart two presses may be for that, in pixels, with some to spare.
const DOUBLE_CLICK_REACH: f64 = 12.0;

/// How far one notch of a wheel scrolls in most toolkits, in pixels: three lines of text.
const NOTCH: f64 = 60.0;

impl Server {
    pub(super) fn button(&mut self, button: u8, down: bool) -> Result<(), DisplayTrouble> {
        let kind = if down { BUTTON_PRESS_EVENT } else { BUTTON_RELEASE_EVENT };
        self.connection.xtest_fake_input(kind, button, 0, x11rb::NONE, 0, 0, 0)?;
        self.pressed.retain(|pressed| *pressed != button);
        if down {
            self.pressed.push(button);
        }
        Ok(())
    }

    pub(super) fn move_to(&mut self, point: ViewPoint) -> Result<(), DisplayTrouble> {
        let (x, y) = (i16::try_from(point.x).unwrap_or(i16::MAX), i16::try_from(point.y).unwrap_or(i16::MAX));
        self.connection.xtest_fake_input(MOTION_NOTIFY_EVENT, 0, 0, self.root, x, y, 0)?;
        Ok(())
    }

    /// Neither a button nor a key stays down, whatever became of an action.
    pub(super) fn let_go(&mut self) -> Result<(), DisplayTrouble> {
        while let Some(button) = self.pressed.last().copied() {
            self.button(button, false)?;
        }
        self.keyboard.release_all(&self.connection)?;
        self.round_trip()
    }
}

impl DesktopEnv {
    pub(super) async fn aim_pointer(&mut self, call: &MouseCall) -> Result<Aim, CallFailure> {
        let (modifiers, point, from) = match call {
            MouseCall::Move { to, modifiers } => (modifiers.clone(), to.to_view(self.view), None),
            MouseCall::Click { at, modifiers, .. } | MouseCall::Scroll { at, modifiers, .. } => {
                (modifiers.clone(), at.map_or(self.cursor, |at| at.to_view(self.view)), None)
            }
            MouseCall::Drag { from, to, modifiers, .. } => {
                (modifiers.clone(), to.to_view(self.view), Some(from.to_view(self.view)))
            }
            MouseCall::Reset | MouseCall::Confirm => return Ok(Aim::default()),
        };
        let acts = !matches!(call, MouseCall::Move { .. });
        let started = self.begin_watching().await?;
        self.hold_modifiers(&modifiers).await?;
        let destination = from.unwrap_or(point);
        if destination != self.cursor {
            self.travel(destination).await?;
            if acts {
                self.wait_for_hover(destination).await?;
            }
        }
        let (frame, survey) = self.glimpse().await?;
        self.note_titles(&survey);
        let (under, element) = self.found_at(destination, &survey).await?;
        let hit = self.hit(under, element.as_ref(), &survey);
        let deed = self.deed(under, element.as_ref(), &survey);
        let end = match from {
            Some(_) => {
                let (under, element) = self.found_at(point, &survey).await?;
                self.deed(under, element.as_ref(), &survey)
            }
            None => None,
        };
        let small = element.as_ref().and_then(|element| element.bounds).filter(|bounds| self.is_small(*bounds));
        let places = [Some(small.unwrap_or_else(|| spot(destination))), from.map(|_| spot(point))];
        let mut places: Vec<ViewBox> = places.into_iter().flatten().collect();
        if matches!(call, MouseCall::Scroll { .. }) {
            // A wheel moves what the whole window shows.
            places.extend(self.window_bounds(under, &survey));
        }
        // The reaction to a move is told from the frame before it; that to a press from the one right before the press.
        let before = if acts { frame } else { started };
        self.aimed = AimedAt { before: Some(before), active: survey.active, survey, places, field: None };
        Ok(Aim { point: Some(point), from, hit: Some(hit), deed, end, ..Aim::default() })
    }

    pub(super) async fn commit_pointer(&mut self, call: &MouseCall, aim: &Aim) -> Result<Receipt, CallFailure> {
        let Some(point) = aim.point else {
            self.travel(self.view.centre()).await?;
            let message = "the cursor is back at the centre".into();
            return Ok(Receipt { message, settle: SettleKind::Look, ..Receipt::default() });
        };
        let grid = match call {
            MouseCall::Move { to, .. } | MouseCall::Drag { to, .. } => *to,
            MouseCall::Click { at: Some(at), .. } | MouseCall::Scroll { at: Some(at), .. } => *at,
            _ => point.to_grid(self.view),
        };
        let on = aim.hit.as_ref().map(|hit| hit.descriptor.clone()).unwrap_or_default();
        let mut dispatched = Dispatched::at(point);
        let (manner, message) = match call {
            MouseCall::Move { .. } => {
                (Manner::Move, format!("moved the cursor to [{}, {}]; it is over {on}", grid.x, grid.y))
            }
            MouseCall::Click { button, count, .. } => {
                self.keep_apart(point).await;
                self.click(number_of(*button), *count).await?;
                (Manner::Pointer, format!("{} at [{}, {}] on {on}", click_words(*button, *count), grid.x, grid.y))
            }
            MouseCall::Drag { from, button, steps, .. } => {
                let start = aim.from.unwrap_or(point);
                dispatched.from = Some(start);
                self.keep_apart(start).await;
                self.drag(start, point, number_of(*button), *steps).await?;
                let words = format!("dragged from [{}, {}] on {on} to [{}, {}]", from.x, from.y, grid.x, grid.y);
                (Manner::Drag, words)
            }
            MouseCall::Scroll { direction, amount, .. } => {
                let notches = self.scroll(*direction, *amount).await?;
                let (times, word) = (if notches == 1 { "notch" } else { "notches" }, direction_word(*direction));
                (
                    Manner::Scroll,
                    format!("scrolled {word} by {notches} {times} of the wheel at [{}, {}] on {on}", grid.x, grid.y),
                )
            }
            MouseCall::Reset | MouseCall::Confirm => {
                return Err(CallFailure::new(ErrorCode::NothingPending, "there is no previewed action to confirm"));
            }
        };
        Ok(Receipt { dispatched: Some(dispatched), message, effect: EffectSource::Probe(manner), ..Receipt::default() })
    }

    /// Moves along an eased path, so that enter and leave events come in order.
    async fn travel(&mut self, to: ViewPoint) -> Result<(), EnvError> {
        let points = path::move_path(self.cursor, to);
        if self.pace == Pace::Human {
            let pause = path::human_duration(self.cursor, to) / u32::try_from(points.len().max(1)).unwrap_or(1);
            for point in points {
                self.move_pointer(vec![point]).await?;
                tokio::time::sleep(pause).await;
            }
        } else {
            // Toolkits make one of all moves that wait for them, and menus of Qt ignore the first that they see.
            let halfway = points.len() / 2;
            self.move_pointer(points[..halfway].to_vec()).await?;
            tokio::time::sleep(BETWEEN_MOVES).await;
            self.move_pointer(points[halfway..].to_vec()).await?;
        }
        self.cursor = to;
        Ok(())
    }

    /// Takes the pointer to where it paints nothing: it may lie over what is judged, and under it things light up. At once,
    /// so that nothing on the way notices, and with no button down. An empty place of the screen is best; menus stay open
    /// wherever it goes.
    pub(super) async fn park_pointer(&mut self) -> Result<(), EnvError> {
        if self.view.width < 4 || self.view.height < 4 {
            return Ok(());
        }
        let (right, bottom) = (self.view.width as i32 - 2, self.view.height as i32 - 2);
        // Not the left ones first: desktops have their hot corners and menus there.
        let corners = [(right, bottom), (right, bottom / 2), (1, bottom), (right / 2, bottom), (right, 1), (1, 1)];
        let corners = corners.map(|(x, y)| ViewPoint { x, y });
        let is_free = |point: &ViewPoint| {
            let shown = self.survey.windows.iter().filter(|window| !window.hidden).map(|window| window.bounds);
            !shown.chain(self.survey.popups.iter().map(|popup| popup.bounds)).any(|bounds| bounds.contains(*point))
        };
        let place = corners.into_iter().find(is_free).unwrap_or(corners[0]);
        self.move_pointer(vec![place]).await?;
        self.cursor = place;
        Ok(())
    }

    pub(super) async fn move_pointer(&mut self, points: Vec<ViewPoint>) -> Result<(), EnvError> {
        self.display
            .must(move |server| {
                for point in points {
                    server.move_to(point)?;
                }
                server.round_trip()
            })
            .await
    }

    /// Two calls are two clicks: pressed soon after each other in one place they would be a double click.
    async fn keep_apart(&mut self, point: ViewPoint) {
        if let Some((at, place)) = self.last_click
            && place.distance(point) <= DOUBLE_CLICK_REACH
        {
            tokio::time::sleep(DOUBLE_CLICK.saturating_sub(at.elapsed())).await;
            // What the application tells is the press's doing only from here on.
            self.committed_at = Instant::now();
        }
    }

    async fn click(&mut self, button: u8, count: u8) -> Result<(), EnvError> {
        self.last_click = Some((Instant::now(), self.cursor));
        self.display
            .must(move |server| {
                for _ in 0..count {
                    server.button(button, true)?;
                    server.button(button, false)?;
                }
                server.round_trip()
            })
            .await
    }

    async fn drag(&mut self, from: ViewPoint, to: ViewPoint, button: u8, steps: u8) -> Result<(), EnvError> {
        self.display.must(move |server| server.button(button, true).and_then(|()| server.round_trip())).await?;
        tokio::time::sleep(REST).await;
        for point in path::drag_path(from, to, steps) {
            self.move_pointer(vec![point]).await?;
            self.cursor = point;
            tokio::time::sleep(BETWEEN_DRAG_MOVES).await;
        }
        tokio::time::sleep(REST).await;
        self.display.must(move |server| server.button(button, false).and_then(|()| server.round_trip())).await
    }

    /// Whole notches, at least one; how far each goes is the application's own choice.
    async fn scroll(&mut self, direction: Direction, amount: u16) -> Result<u32, EnvError> {
        let (button, length) = match direction {
            Direction::Up => (4, self.view.vertical_length(amount.into())),
            Direction::Down => (5, self.view.vertical_length(amount.into())),
            Direction::Left => (6, self.view.horizontal_length(amount.into())),
            Direction::Right => (7, self.view.horizontal_length(amount.into())),
        };
        // At most two views of notches, so the cast cannot truncate.
        let notches = (length / NOTCH).round().max(1.0) as u32;
        self.display
            .must(move |server| {
                for _ in 0..notches {
                    server.button(button, true)?;
                    server.button(button, false)?;
                }
                server.round_trip()
            })
            .await?;
        Ok(notches)
    }

    /// Neither a button nor a key stays down.
    pub(super) async fn let_go(&mut self) {
        if self.display.lost().is_none() {
            let _ = self.display.ask(|server| server.let_go()).await;
        }
    }
}

/// The pixel itself; what is around it counts by its halo.
fn spot(point: ViewPoint) -> ViewBox {
    let (x, y) = (f64::from(point.x), f64::from(point.y));
    ViewBox { x0: x, y0: y, x1: x + 1.0, y1: y + 1.0 }
}

fn number_of(button: MouseButton) -> u8 {
    match button {
        MouseButton::Left => 1,
        MouseButton::Middle => 2,
        MouseButton::Right => 3,
    }
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
