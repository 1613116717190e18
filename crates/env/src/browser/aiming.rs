//! What a point would hit: the page library's answer, moved into the coordinates of the main frame.

use serde::Deserialize;
use surehand_checks::before::policy::may_press;
use surehand_checks::before::{Aim, Deed, NativeControl, Nearby, OpenDialog, Picker, Spot};
use surehand_types::call::KeyboardCall;
use surehand_types::keys::Modifier;
use surehand_types::observation::SelectChoice;
use surehand_types::{Hit, ViewBox, ViewPoint, ViewSize};

use super::BrowserEnv;
use super::page::{Page, PageTrouble};
use super::places::{FramePlace, Place, PlacedFrame};
use crate::CallFailure;

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct RawHit {
    descriptor: String,
    tag: String,
    role: Option<String>,
    name: Option<String>,
    id: Option<String>,
    classes: Vec<String>,
    r#box: Option<[f64; 4]>,
    frame: Option<String>,
    foreign: bool,
    covers: Option<Box<RawHit>>,
}

/// What the library says about a point before the press.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct RawAimed {
    hit: Option<RawHit>,
    spot: Option<RawSpot>,
    native: Option<RawNative>,
    blind: Option<String>,
    /// What was hit may have a closed shadow root that we have not looked into yet.
    closed: bool,
    /// Canvases and videos in view.
    surfaces: Vec<[f64; 4]>,
    deed: Option<RawDeed>,
}

/// What a press would set off.
#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct RawDeed {
    role: Option<String>,
    name: String,
    shown: String,
    labels: Vec<String>,
    context: String,
    beside: bool,
    descriptor: String,
    identity: String,
    origin: Option<String>,
    submits: bool,
    action_origin: Option<String>,
    method: Option<String>,
    navigates: bool,
    /// The focus is in a frame of another process, or may be in a closed root.
    foreign: bool,
    closed: bool,
}

impl RawDeed {
    fn deed(self) -> Deed {
        Deed {
            role: self.role,
            name: self.name,
            shown: self.shown,
            labels: self.labels,
            context: self.context,
            beside: self.beside,
            descriptor: self.descriptor,
            identity: self.identity,
            origin: self.origin,
            submits: self.submits,
            action_origin: self.action_origin,
            method: self.method,
            navigates: self.navigates,
        }
    }
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct RawSpot {
    hit: Option<RawNearby>,
    neighbours: Vec<RawNearby>,
}

#[derive(Debug, Deserialize)]
struct RawNearby {
    descriptor: String,
    r#box: [f64; 4],
    identity: String,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct RawNative {
    kind: String,
    descriptor: String,
    r#type: String,
    multiple: bool,
    pub(crate) accept: Option<String>,
    /// A whole folder is wanted.
    pub(crate) folder: bool,
    options: Vec<SelectChoice>,
    total: usize,
}

/// What a point would hit, with everything that is decided before the press.
#[derive(Debug, Clone, Default)]
pub(crate) struct Aimed {
    pub(crate) hit: Option<Hit>,
    pub(crate) spot: Option<Spot>,
    pub(crate) native: Option<NativeControl>,
    pub(crate) deed: Option<Deed>,
    pub(crate) blind: Option<String>,
    /// The document that was hit; `None` for the main one.
    pub(crate) place: Option<Place>,
    /// The box of what was hit, in view pixels.
    pub(crate) bounds: Option<ViewBox>,
    /// There are canvases or videos in view: trees do not tell all.
    pub(crate) has_surfaces: bool,
}

impl RawAimed {
    fn placed(self, view: ViewSize, point: ViewPoint, place: &FramePlace) -> Aimed {
        let nearby = |raw: RawNearby| Nearby {
            descriptor: raw.descriptor,
            bounds: view_box(place.outward(raw.r#box)),
            identity: raw.identity,
        };
        let spot = self.spot.map(|spot| Spot {
            point,
            hit: spot.hit.map(nearby),
            neighbours: spot.neighbours.into_iter().map(nearby).collect(),
        });
        Aimed {
            bounds: self.hit.as_ref().and_then(|hit| hit.r#box).map(|bounds| view_box(place.outward(bounds))),
            has_surfaces: !self.surfaces.is_empty(),
            hit: self.hit.map(|hit| hit.into_hit(view, place)),
            spot,
            native: self.native.and_then(RawNative::control),
            deed: self.deed.map(RawDeed::deed),
            blind: self.blind,
            place: None,
        }
    }
}

impl RawNative {
    pub(crate) fn control(self) -> Option<NativeControl> {
        let picker = match self.kind.as_str() {
            "select" => Picker::Select { multiple: self.multiple, options: self.options, total: self.total },
            "file" => Picker::File { multiple: self.multiple, accept: self.accept, folder: self.folder },
            "date" => Picker::Date { kind: self.r#type },
            "color" => Picker::Color,
            _ => return None,
        };
        Some(NativeControl { descriptor: self.descriptor, picker })
    }
}

impl RawHit {
    fn into_hit(self, view: ViewSize, place: &FramePlace) -> Hit {
        let moved = |b: [f64; 4]| view.grid_box(view_box(place.outward(b)));
        Hit {
            descriptor: self.descriptor,
            tag: self.tag,
            role: self.role,
            name: self.name,
            id: self.id,
            classes: self.classes,
            r#box: self.r#box.map(moved),
            frame: self.frame,
            covers: self.covers.map(|below| Box::new(below.into_hit(view, place))),
        }
    }
}

pub(crate) fn view_box([x0, y0, x1, y1]: [f64; 4]) -> ViewBox {
    ViewBox { x0, y0, x1, y1 }
}

impl BrowserEnv {
    /// What a key would work, where a key can work something at all: most typing asks nothing of the page.
    pub(super) async fn aim_keyboard(&mut self, call: &KeyboardCall) -> Result<Aim, CallFailure> {
        let page = self.page()?;
        self.begin_watching(&page).await?;
        let deed = if may_press(call) { page.pressed_by(call).await } else { None };
        let pastes = self.keys_paste(&page, call).await;
        Ok(Aim { deed, pastes, ..Aim::default() })
    }

    /// Whether loading the tab again would send a form again.
    pub(super) fn aim_refresh(&self, tab: Option<&str>) -> Aim {
        let state = self.shared.lock();
        let named = match tab {
            Some(id) => state.tabs.iter().find(|tab| tab.id == id),
            None => state.active(),
        };
        Aim { resends: named.is_some_and(|tab| tab.resends), ..Aim::default() }
    }

    /// The dialog that would be answered.
    pub(super) fn aim_dialog(&self) -> Aim {
        let state = self.shared.lock();
        let open = state.open_dialog();
        Aim {
            dialog: open.map(|(tab, dialog)| OpenDialog { dialog: dialog.clone(), tab: tab.id.clone() }),
            ..Aim::default()
        }
    }
}

impl Page {
    async fn pressed_by(&self, call: &KeyboardCall) -> Option<Deed> {
        let (key, with_control) = match call {
            KeyboardCall::Press { chord } => {
                let held = chord.modifiers.iter().any(|held| matches!(held, Modifier::Ctrl | Modifier::Meta));
                let key = match chord.stroke.key.as_str() {
                    " " => "space",
                    // With shift, Enter breaks the line where it would send by itself.
                    _ if chord.modifiers.contains(&Modifier::Shift) && !held => "line",
                    _ => "enter",
                };
                (key, held)
            }
            _ => ("enter", false),
        };
        self.key_deed(key, with_control).await
    }

    /// What the key would work. `None`: it could not be read.
    pub(super) async fn key_deed(&self, key: &str, with_control: bool) -> Option<Deed> {
        let ask = format!("__surehand.keyDeed({key:?},{with_control})");
        let raw: RawDeed = self.evaluate(&ask).await.ok()?;
        if !raw.foreign && !raw.closed {
            return Some(raw.deed());
        }
        let place = self.focused_place().await.ok()?;
        let raw: RawDeed = self.evaluate_in(&place.session, &place.frame, &ask).await.ok()?;
        (!raw.foreign).then(|| raw.deed())
    }

    /// What an event at the point would hit. `first` and `again` are expressions with `{x}` and `{y}`:
    /// the one that may wait for hover, and the one that looks once more.
    pub(crate) async fn aimed(
        &self,
        point: ViewPoint,
        view: ViewSize,
        first: &str,
        again: &str,
    ) -> Result<Aimed, PageTrouble> {
        let (x, y) = (f64::from(point.x), f64::from(point.y));
        let main = self.main_place();
        let raw = self.aimed_in(&main, x, y, first, again).await?;
        let has_surfaces = !raw.surfaces.is_empty();
        if raw.hit.as_ref().is_some_and(|hit| hit.foreign)
            && let Some(PlacedFrame { frame, place: frame_place, .. }) = self.frame_at(point).await
        {
            let place = Place { session: frame.session, frame: frame.frame };
            let (inner_x, inner_y) = frame_place.inward(x, y);
            if let Ok(mut inner) = self.aimed_in(&place, inner_x, inner_y, first, again).await
                && let Some(hit) = &mut inner.hit
            {
                if hit.frame.is_none() {
                    hit.frame = self.evaluate_in(&place.session, &place.frame, "location.href").await.ok();
                }
                let aimed = inner.placed(view, point, &frame_place);
                let has_surfaces = has_surfaces || aimed.has_surfaces;
                return Ok(Aimed { place: Some(place), has_surfaces, ..aimed });
            }
        }
        Ok(raw.placed(view, point, &FramePlace::MAIN))
    }

    async fn aimed_in(&self, place: &Place, x: f64, y: f64, first: &str, again: &str) -> Result<RawAimed, PageTrouble> {
        let placed = |text: &str| text.replace("{x}", &x.to_string()).replace("{y}", &y.to_string());
        let mut raw: RawAimed = self.evaluate_in(&place.session, &place.frame, &placed(first)).await?;
        // Closed roots within closed roots are opened one after the other.
        for _ in 0..4 {
            if !raw.closed || !self.open_closed_root(place, "__surehand.hitNode()").await.unwrap_or(false) {
                break;
            }
            raw = self.evaluate_in(&place.session, &place.frame, &placed(again)).await?;
        }
        Ok(raw)
    }
}
