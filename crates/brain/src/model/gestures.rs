//! From what a model said to native calls: its points go to the grid, wheels and pixels become amounts, and
//! buttons or keys that are pressed in one call and released in another become the drag or the chord they mean.

use serde_json::{Map, Value, json};
use surehand_types::ViewSize;
use surehand_types::keys::Modifier;
use surehand_types::reply::{AimedAt, CallRequest};

use super::space::Space;
use super::spoken::Gesture;
use crate::prompt::Surface;

/// What one notch of a wheel scrolls, in view pixels.
const NOTCH: f64 = 100.0;
/// A press and a release closer than this, in grid units, are a click.
const SAME_PLACE: f64 = 3.0;
/// Amounts of a scroll, in grid units.
const AMOUNT: (f64, f64) = (1.0, 2000.0);

/// What lasts from one call of a model to the next.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Hands {
    /// Where the model last pointed, on the grid.
    pointer: Option<[f64; 2]>,
    /// Where a button went down that is not up again.
    pressed: Option<[f64; 2]>,
    /// Modifiers that are held.
    held: Vec<Modifier>,
}

/// What the numbers of one answer refer to.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Ground {
    pub(crate) space: Space,
    pub(crate) image: (u32, u32),
    pub(crate) view: ViewSize,
    pub(crate) surface: Surface,
}

/// The calls of an answer, and which gesture each belongs to.
#[derive(Debug, Default)]
pub(crate) struct Performed {
    pub(crate) calls: Vec<CallRequest>,
    pub(crate) gesture_of: Vec<usize>,
    pub(crate) aims: Vec<AimedAt>,
}

impl Hands {
    /// The native calls, or one sentence about the gesture that makes no sense. Then nothing of it is kept.
    pub(crate) fn perform(&mut self, gestures: &[Gesture], ground: Ground) -> Result<Performed, String> {
        let mut after = self.clone();
        let mut done = Performed::default();
        let acts = gestures.iter().any(|gesture| tool(&gesture.call) != "look");
        for (index, gesture) in gestures.iter().enumerate() {
            // Every answer brings a picture: among calls that act, a look of its own is one step too many.
            if tool(&gesture.call) == "look" && (acts || !done.calls.is_empty()) {
                continue;
            }
            let native = after.native(&gesture.call, ground, done.calls.len(), &mut done.aims)?;
            let request = CallRequest::exact(native)
                .map_err(|problem| format!("call {index}: {}; none of the reply was run", problem.message))?;
            done.calls.push(request);
            done.gesture_of.push(index);
        }
        *self = after;
        Ok(done)
    }

    fn native(
        &mut self,
        call: &Map<String, Value>,
        ground: Ground,
        index: usize,
        aims: &mut Vec<AimedAt>,
    ) -> Result<Map<String, Value>, String> {
        let mut call = call.clone();
        self.ground_points(&mut call, ground, index, aims)?;
        match tool(&call) {
            "look" => return Ok(look(ground.surface)),
            "hold" => return self.hold(&call, ground.surface),
            "mouse" => {}
            _ => return Ok(call),
        }
        match call.get("action").and_then(Value::as_str).unwrap_or("move") {
            "scroll" => scroll_amount(&mut call, ground),
            "drag" if !call.contains_key("start_coordinate") => {
                let start = self.pointer.unwrap_or([500.0, 500.0]);
                call.insert("start_coordinate".into(), json!(start));
            }
            _ => {}
        }
        self.hold_modifiers(&mut call);
        if let Some(point) = point(&call, "end_coordinate").or_else(|| point(&call, "coordinate")) {
            self.pointer = Some(point);
        }
        Ok(call)
    }

    /// Puts grid numbers in the place of the model's own.
    fn ground_points(
        &mut self,
        call: &mut Map<String, Value>,
        ground: Ground,
        index: usize,
        aims: &mut Vec<AimedAt>,
    ) -> Result<(), String> {
        for field in ["coordinate", "start_coordinate", "end_coordinate"] {
            let Some(value) = call.get(field).filter(|value| !value.is_null()) else { continue };
            let raw = pair(value).ok_or_else(|| format!("{field} must be two numbers, x and y; got {}", cut(value)))?;
            let at = ground.space.to_grid(raw, ground.image);
            aims.push(ground.space.aimed_at(index, field, raw, ground.image, at));
            call.insert(field.into(), json!([at.x, at.y]));
        }
        if let Some(value) = call.get("region").filter(|value| !value.is_null()) {
            let corners = value.as_array().map(Vec::as_slice).unwrap_or_default();
            let [x0, y0, x1, y1] = corners else {
                return Err(format!("region must be four numbers, x0, y0, x1 and y1; got {}", cut(value)));
            };
            let (Some(from), Some(to)) = (pair(&json!([x0, y0])), pair(&json!([x1, y1]))) else {
                return Err(format!("region must be four numbers, x0, y0, x1 and y1; got {}", cut(value)));
            };
            let (from, to) = (ground.space.to_grid(from, ground.image), ground.space.to_grid(to, ground.image));
            call.insert("region".into(), region([from.x, from.y], [to.x, to.y]));
        }
        Ok(())
    }

    fn hold(&mut self, call: &Map<String, Value>, surface: Surface) -> Result<Map<String, Value>, String> {
        let at = point(call, "coordinate").or(self.pointer);
        match call.get("action").and_then(Value::as_str).unwrap_or_default() {
            "mouse_down" => {
                self.pressed = at;
                self.pointer = at;
                Ok(at
                    .map(|at| object(json!({"tool": "mouse", "action": "move", "coordinate": at})))
                    .unwrap_or_else(|| look(surface)))
            }
            "mouse_up" => {
                let Some(from) = self.pressed.take() else {
                    return Err("the button was released without having been pressed".into());
                };
                let to = at.unwrap_or(from);
                self.pointer = Some(to);
                let mut call = if (to[0] - from[0]).hypot(to[1] - from[1]) < SAME_PLACE {
                    object(json!({"tool": "mouse", "action": "click", "coordinate": from}))
                } else {
                    object(json!({"tool": "mouse", "action": "drag", "start_coordinate": from, "end_coordinate": to}))
                };
                self.hold_modifiers(&mut call);
                Ok(call)
            }
            action @ ("key_down" | "key_up") => {
                let key = call.get("key").and_then(Value::as_str).unwrap_or_default();
                match (Modifier::parse(key), action) {
                    (Some(modifier), "key_down") => {
                        self.held.push(modifier);
                        self.held.sort();
                        self.held.dedup();
                        Ok(look(surface))
                    }
                    (Some(modifier), _) => {
                        self.held.retain(|held| *held != modifier);
                        Ok(look(surface))
                    }
                    (None, "key_down") => Ok(object(
                        json!({"tool": "keyboard", "action": "press", "key": key, "modifiers": names(&self.held)}),
                    )),
                    (None, _) => Ok(look(surface)),
                }
            }
            other => Err(format!("{:?} cannot be held", other.chars().take(40).collect::<String>())),
        }
    }

    /// A click while a model holds a key is a click with that key.
    fn hold_modifiers(&self, call: &mut Map<String, Value>) {
        if self.held.is_empty() {
            return;
        }
        let given = call.get("modifiers").and_then(Value::as_array).cloned().unwrap_or_default();
        let mut all = names(&self.held);
        all.extend(given.iter().filter_map(|name| name.as_str().map(str::to_string)));
        call.insert("modifiers".into(), json!(all));
    }
}

fn scroll_amount(call: &mut Map<String, Value>, ground: Ground) {
    let sideways = matches!(call.get("direction").and_then(Value::as_str), Some("left" | "right"));
    let (across, down) = ground.space.extent(ground.image);
    let extent = if sideways { across } else { down };
    let view = f64::from(if sideways { ground.view.width } else { ground.view.height }).max(1.0);
    let mut taken = |name: &str| call.remove(name).as_ref().and_then(number);
    let (pixels, notches, grid) = (taken("pixels"), taken("notches"), taken("grid"));
    let amount = match (pixels, notches, grid) {
        (Some(pixels), ..) => pixels.abs() * 1000.0 / extent,
        (_, Some(notches), _) => notches.abs() * NOTCH * 1000.0 / view,
        (.., Some(grid)) => grid.abs(),
        _ => return,
    };
    call.insert("amount".into(), json!(amount.round().clamp(AMOUNT.0, AMOUNT.1) as i64));
}

fn look(surface: Surface) -> Map<String, Value> {
    match surface {
        Surface::Browser => object(json!({"tool": "tab", "action": "view"})),
        Surface::Desktop => object(json!({"tool": "wait", "seconds": 0})),
    }
}

/// Corners in any order, never empty, in whole units: a region is only looked at.
fn region(from: [f64; 2], to: [f64; 2]) -> Value {
    let axis = |a: f64, b: f64| {
        let (low, high) = (a.min(b).floor(), a.max(b).ceil());
        let low = low.clamp(0.0, 999.0);
        (low as u16, high.clamp(low + 1.0, 1000.0) as u16)
    };
    let ((x0, x1), (y0, y1)) = (axis(from[0], to[0]), axis(from[1], to[1]));
    json!([x0, y0, x1, y1])
}

fn tool(call: &Map<String, Value>) -> &str {
    call.get("tool").and_then(Value::as_str).unwrap_or_default()
}

fn names(modifiers: &[Modifier]) -> Vec<String> {
    modifiers.iter().map(|modifier| format!("{modifier:?}").to_lowercase()).collect()
}

fn point(call: &Map<String, Value>, field: &str) -> Option<[f64; 2]> {
    call.get(field).and_then(pair)
}

fn pair(value: &Value) -> Option<[f64; 2]> {
    match value.as_array()?.as_slice() {
        [x, y] => Some([number(x)?, number(y)?]),
        _ => None,
    }
}

fn number(value: &Value) -> Option<f64> {
    let number = match value {
        Value::Number(number) => number.as_f64()?,
        Value::String(text) => text.trim().parse().ok()?,
        _ => return None,
    };
    number.is_finite().then_some(number)
}

fn object(value: Value) -> Map<String, Value> {
    value.as_object().cloned().unwrap_or_default()
}

fn cut(value: &Value) -> String {
    value.to_string().chars().take(60).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const HD: Ground = Ground {
        space: Space::ImagePx,
        image: (1280, 720),
        view: ViewSize { width: 1280, height: 720 },
        surface: Surface::Browser,
    };

    fn calls(hands: &mut Hands, gestures: &[Value]) -> Vec<Value> {
        let gestures: Vec<Gesture> = gestures.iter().cloned().map(Gesture::of).collect();
        let done = hands.perform(&gestures, HD).unwrap();
        done.calls.into_iter().map(|call| Value::Object(call.given)).collect()
    }

    #[test]
    fn points_become_grid_points_and_are_written_down() {
        let gesture = Gesture::of(json!({"tool": "mouse", "action": "click", "coordinate": [640, "360"]}));
        let done = Hands::default().perform(&[gesture], HD).unwrap();
        assert_eq!(done.calls[0].given["coordinate"], json!([500, 500]));
        assert_eq!(
            (done.aims[0].raw, done.aims[0].grid, done.aims[0].image),
            ([640.0, 360.0], [500.0, 500.0], [1280, 720])
        );
        let problem = Gesture::of(json!({"tool": "mouse", "action": "click", "coordinate": "there"}));
        assert!(Hands::default().perform(&[problem], HD).unwrap_err().contains("two numbers"));
    }

    #[test]
    fn a_press_and_a_release_are_a_drag_or_a_click() {
        let mut hands = Hands::default();
        let down = calls(&mut hands, &[json!({"tool": "hold", "action": "mouse_down", "coordinate": [128, 72]})]);
        assert_eq!(down, [json!({"tool": "mouse", "action": "move", "coordinate": [100, 100]})]);
        let up = calls(
            &mut hands,
            &[
                json!({"tool": "mouse", "action": "move", "coordinate": [640, 360]}),
                json!({"tool": "hold", "action": "mouse_up"}),
            ],
        );
        assert_eq!(
            up[1],
            json!({"tool": "mouse", "action": "drag", "start_coordinate": [100, 100], "end_coordinate": [500, 500]})
        );
        assert!(hands.perform(&[Gesture::of(json!({"tool": "hold", "action": "mouse_up"}))], HD).is_err());
    }

    #[test]
    fn held_keys_go_with_the_click_and_looks_are_dropped_beside_it() {
        let mut hands = Hands::default();
        let got = calls(
            &mut hands,
            &[
                json!({"tool": "hold", "action": "key_down", "key": "Control"}),
                json!({"tool": "mouse", "action": "click", "coordinate": [0, 0], "modifiers": ["shift"]}),
                json!({"tool": "look"}),
            ],
        );
        assert_eq!(got.last().unwrap()["modifiers"], json!(["ctrl", "shift"]));
        assert_eq!(
            calls(&mut Hands::default(), &[json!({"tool": "look"})]),
            [json!({"tool": "tab", "action": "view"})]
        );
    }

    #[test]
    fn scrolls_are_measured_in_views() {
        let scroll = |extra: Value| {
            let mut call = json!({"tool": "mouse", "action": "scroll", "direction": "down"});
            call.as_object_mut().unwrap().extend(extra.as_object().unwrap().clone());
            calls(&mut Hands::default(), &[call])[0]["amount"].clone()
        };
        assert_eq!(scroll(json!({"pixels": 360})), json!(500));
        assert_eq!(scroll(json!({"notches": 5})), json!(694));
        assert_eq!(scroll(json!({"grid": 800})), json!(800));
        assert_eq!(scroll(json!({"pixels": 1e9})), json!(2000));
    }

    #[test]
    fn a_drag_without_a_start_begins_at_the_cursor_and_regions_are_put_in_order() {
        let mut hands = Hands::default();
        calls(&mut hands, &[json!({"tool": "mouse", "action": "move", "coordinate": [128, 72]})]);
        let drag = calls(&mut hands, &[json!({"tool": "mouse", "action": "drag", "end_coordinate": [640, 360]})]);
        assert_eq!(drag[0]["start_coordinate"], json!([100, 100]));
        let zoom = calls(&mut hands, &[json!({"tool": "zoom", "region": [640, 360, 0, 0]})]);
        assert_eq!(zoom[0]["region"], json!([0, 0, 500, 500]));
    }
}
