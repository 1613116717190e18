//! The world of an episode: shows one scene after the other, a new one with each call.

use std::collections::HashMap;
use std::pin::Pin;
use std::sync::{Arc, Mutex};

use serde::Deserialize;
use serde_json::{Value, json};
use surehand_checks::before::Aim;
use surehand_env::{CallFailure, EffectSource, EnvError, Environment, Happenings, Receipt, Settled};
use surehand_types::call::{Direction, KeyboardCall, MouseCall};
use surehand_types::frame::Fence;
use surehand_types::observation::{Dispatched, Focus, FocusedElement};
use surehand_types::{
    Call, Effect, Encoding, ErrorCode, Frame, FrameSource, GridPoint, Observation, Pixels, ViewPoint, ViewSize,
};

/// As wide as the grid, so that a pixel of the vectors is a point of ours.
const VIEW: ViewSize = ViewSize { width: 1000, height: 1000 };
/// Squares of one frame, across and down: enough for two letters never to have the same hash.
const SQUARES: (u32, u32) = (18, 16);

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub(super) struct Scene {
    frame: String,
    url: Option<String>,
    title: Option<String>,
    focused_input: Option<FocusedElement>,
    type_verified: Option<TypeVerified>,
    done: bool,
    reward: f64,
}

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
struct TypeVerified {
    success: bool,
    reason: Option<String>,
}

pub(super) struct World {
    scenes: Vec<Scene>,
    now: Scene,
    next: usize,
    actions: Arc<Mutex<Vec<Value>>>,
    frames: u64,
    pictures: HashMap<String, Arc<Pixels>>,
}

impl World {
    pub(super) fn new(start: Scene, scenes: Vec<Scene>) -> World {
        World { scenes, now: start, next: 0, actions: Arc::default(), frames: 0, pictures: HashMap::new() }
    }

    pub(super) fn actions(&self) -> Arc<Mutex<Vec<Value>>> {
        self.actions.clone()
    }

    fn observation(&mut self) -> Observation {
        self.frames += 1;
        let letter = self.now.frame.clone();
        let pixels = self.pictures.entry(letter).or_insert_with_key(|letter| Arc::new(picture_of(letter))).clone();
        let focus = match &self.now.focused_input {
            Some(field) => Focus::Element(Box::new(FocusedElement { editable: true, ..field.clone() })),
            None => Focus::Nothing,
        };
        Observation {
            frame: Frame {
                id: self.frames,
                captured_at_ms: 0,
                source: FrameSource::Capture,
                encoding: Encoding::Png,
                fence: Fence::None,
                stale: false,
                view: VIEW,
                pixels,
            },
            view: VIEW,
            url: self.now.url.clone(),
            title: self.now.title.clone(),
            focus,
            tabs: Vec::new(),
            dialog: None,
            cursor: ViewPoint { x: 0, y: 0 },
            interactables: Vec::new(),
            masks: Vec::new(),
            restless: Vec::new(),
            complaint: None,
        }
    }
}

/// Squares of grey, the same for the same letter.
fn picture_of(letter: &str) -> Pixels {
    let mut state = letter
        .bytes()
        .fold(0x9e37_79b9_u64, |state, byte| (state ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3).rotate_left(17));
    let shades: Vec<u8> = (0..SQUARES.0 * SQUARES.1)
        .map(|_| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 56) as u8
        })
        .collect();
    let mut rgb = Vec::with_capacity((VIEW.width * VIEW.height * 3) as usize);
    for y in 0..VIEW.height {
        for x in 0..VIEW.width {
            let square = (y * SQUARES.1 / VIEW.height) * SQUARES.0 + x * SQUARES.0 / VIEW.width;
            let shade = shades.get(square as usize).copied().unwrap_or_default();
            rgb.extend([shade; 3]);
        }
    }
    Pixels { width: VIEW.width, height: VIEW.height, rgb }
}

#[async_trait::async_trait]
impl Environment for World {
    fn describe(&self) -> String {
        "episode".into()
    }

    fn view(&self) -> ViewSize {
        VIEW
    }

    async fn observe(&mut self) -> Result<Observation, EnvError> {
        Ok(self.observation())
    }

    fn begin_call(&mut self) {}

    async fn aim(&mut self, call: &Call) -> Result<Aim, CallFailure> {
        let at = |point: &GridPoint| ViewPoint { x: point.x.into(), y: point.y.into() };
        Ok(match call {
            Call::Mouse(MouseCall::Click { at: Some(point), .. } | MouseCall::Scroll { at: Some(point), .. }) => {
                Aim { point: Some(at(point)), ..Aim::default() }
            }
            Call::Mouse(MouseCall::Drag { from, to, .. }) => {
                Aim { point: Some(at(to)), from: Some(at(from)), ..Aim::default() }
            }
            _ => Aim::default(),
        })
    }

    async fn commit(&mut self, call: &Call, aim: &Aim) -> Result<Receipt, CallFailure> {
        if let Ok(mut actions) = self.actions.lock() {
            actions.push(told(call));
        }
        if let Some(scene) = self.scenes.get(self.next).or(self.scenes.last()) {
            self.now = scene.clone();
        }
        self.next += 1;
        let typed = matches!(call, Call::Keyboard(KeyboardCall::Type { .. }));
        let effect = match &self.now.type_verified {
            Some(check) if typed && check.success => {
                EffectSource::Known(Effect::confirmed("value", "the field holds it"))
            }
            Some(check) if typed => {
                let reason = check.reason.clone().unwrap_or_else(|| "unknown".into());
                return Err(CallFailure::new(ErrorCode::NothingEditable, reason));
            }
            _ => EffectSource::None,
        };
        let dispatched = aim.point.map(|point| Dispatched { from: aim.from, ..Dispatched::at(point) });
        Ok(Receipt { dispatched, effect, ..Receipt::default() })
    }

    async fn abandon(&mut self) {}

    async fn settle(&mut self, receipt: &Receipt) -> Result<Settled, EnvError> {
        let effect = match &receipt.effect {
            EffectSource::Known(effect) => Some(effect.clone()),
            EffectSource::None | EffectSource::Probe(_) => None,
        };
        Ok(Settled { observation: self.observation(), effect })
    }

    fn document(&self) -> String {
        String::new()
    }

    fn take_happenings(&mut self) -> Happenings {
        Happenings::default()
    }

    fn live_url(&self) -> Option<String> {
        self.now.url.clone()
    }

    fn lost(&self) -> Option<String> {
        None
    }

    fn ended(&self) -> Option<bool> {
        self.now.done.then_some(self.now.reward > 0.0)
    }

    fn until_lost(&self) -> Pin<Box<dyn Future<Output = String> + Send>> {
        Box::pin(std::future::pending())
    }

    async fn close(&mut self) {}
}

/// What the world was asked to do, in the words of the vectors.
fn told(call: &Call) -> Value {
    match call {
        Call::Mouse(MouseCall::Click { at, count, .. }) => {
            let kind = if *count >= 2 { "double_click" } else { "click" };
            let params = at.map(|at| json!({"x": at.x, "y": at.y})).unwrap_or(json!({}));
            json!({"type": kind, "params": params})
        }
        Call::Mouse(MouseCall::Drag { from, to, .. }) => json!({
            "type": "drag",
            "params": {"start_x": from.x, "start_y": from.y, "end_x": to.x, "end_y": to.y},
        }),
        Call::Mouse(MouseCall::Scroll { direction, .. }) => {
            let direction = if *direction == Direction::Up { "up" } else { "down" };
            json!({"type": "scroll", "params": {"direction": direction}})
        }
        // Our name of the key is the browser's.
        Call::Keyboard(KeyboardCall::Press { chord }) => {
            let keys = chord.to_string().replace("Enter", "Return");
            json!({"type": "key_press", "params": {"keys": keys}})
        }
        Call::Keyboard(KeyboardCall::Type { text }) => json!({"type": "type_text", "params": {"text": text}}),
        Call::Wait { seconds } => json!({"type": "wait", "params": {"seconds": seconds}}),
        _ => json!({"type": "other", "params": {}}),
    }
}
