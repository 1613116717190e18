//! What the page library answers, and reading it across frames of other processes: their boxes
//! are moved into the coordinates of the main frame here and nowhere else.

use futures_util::future::join_all;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use surehand_checks::after::probe::DocumentFacts;
use surehand_checks::before::{NativeControl, Nearby, Spot};
use surehand_types::observation::{FocusedElement, SelectChoice};
use surehand_types::{Focus, Hit, Interactable, ViewBox, ViewPoint, ViewSize};

use super::page::{Page, PageTrouble};
use super::state::ChildFrame;
use crate::cdp::protocol::dom;

/// What one frame below the main one may take to describe itself.
const FRAME_DEADLINE: std::time::Duration = std::time::Duration::from_millis(400);

/// What the main document may take to say what it noticed.
const MAIN_DEADLINE: std::time::Duration = std::time::Duration::from_secs(2);

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct PageFacts {
    pub(crate) url: String,
    pub(crate) title: String,
    pub(crate) width: f64,
    pub(crate) height: f64,
    pub(crate) dpr: f64,
    pub(crate) focus: Option<FocusFact>,
    pub(crate) interactables: Vec<RawInteractable>,
    pub(crate) masks: Vec<[f64; 4]>,
    pub(crate) rest: Rest,
    pub(crate) probe: Option<DocumentFacts>,
    /// Custom elements that may hide a closed root.
    unexamined: usize,
    /// What the frames below noticed.
    #[serde(skip)]
    pub(crate) frame_probes: Vec<DocumentFacts>,
    /// Frames that could not be asked.
    #[serde(skip)]
    pub(crate) unread: usize,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct FocusFact {
    /// Focus sits in a frame of another process.
    pub(crate) foreign: bool,
    pub(crate) descriptor: String,
    #[serde(flatten)]
    pub(crate) element: FocusedElement,
}

#[derive(Debug, Deserialize)]
pub(crate) struct RawInteractable {
    role: String,
    name: String,
    r#box: [f64; 4],
}

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

/// How restless a document is.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Rest {
    /// The document's `readyState`.
    pub(crate) ready: String,
    /// Changes of content, ever.
    pub(crate) count: u64,
    /// Milliseconds since the last one.
    pub(crate) idle: f64,
    /// Animations that end soon.
    pub(crate) running: u32,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct ReadBack {
    pub(crate) foreign: bool,
    pub(crate) editable: bool,
    pub(crate) value: Option<String>,
    pub(crate) length: Option<usize>,
    pub(crate) secret: bool,
    pub(crate) descriptor: String,
    /// Tells two fields apart that look the same.
    pub(crate) identity: u64,
}

/// What became of a text that was given to a date or colour field.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Picked {
    pub(crate) r#type: String,
    pub(crate) descriptor: String,
    /// The text has the form that the field takes.
    pub(crate) fits: bool,
    /// It was meant as a whole value, whether or not it is one.
    #[serde(rename = "meantWhole")]
    pub(crate) meant_whole: bool,
    pub(crate) changed: bool,
    pub(crate) wanted: Option<String>,
    /// What the field says against the value it took (out of range, wrong step).
    pub(crate) complaint: Option<String>,
}

/// Which document a question about focus has to be put to.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Place {
    pub(crate) session: String,
    pub(crate) frame: String,
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
    pub(crate) blind: Option<String>,
    /// The document that was hit; `None` for the main one.
    pub(crate) place: Option<Place>,
}

/// How a frame's content lies in the main frame: where it begins, and how much it is scaled.
#[derive(Debug, Clone, Copy)]
pub(crate) struct FramePlace {
    x: f64,
    y: f64,
    sx: f64,
    sy: f64,
}

impl FramePlace {
    const MAIN: FramePlace = FramePlace { x: 0.0, y: 0.0, sx: 1.0, sy: 1.0 };

    fn outward(&self, b: [f64; 4]) -> [f64; 4] {
        [b[0] * self.sx + self.x, b[1] * self.sy + self.y, b[2] * self.sx + self.x, b[3] * self.sy + self.y]
    }

    fn inward(&self, x: f64, y: f64) -> (f64, f64) {
        ((x - self.x) / self.sx, (y - self.y) / self.sy)
    }
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
            hit: self.hit.map(|hit| hit.into_hit(view, place)),
            spot,
            native: self.native.and_then(RawNative::control),
            blind: self.blind,
            place: None,
        }
    }
}

impl RawNative {
    pub(crate) fn control(self) -> Option<NativeControl> {
        match self.kind.as_str() {
            "select" => {
                Some(NativeControl::Select { multiple: self.multiple, options: self.options, total: self.total })
            }
            "file" => Some(NativeControl::File { multiple: self.multiple, accept: self.accept, folder: self.folder }),
            "date" => Some(NativeControl::Date { kind: self.r#type }),
            "color" => Some(NativeControl::Color),
            _ => None,
        }
    }
}

fn view_box([x0, y0, x1, y1]: [f64; 4]) -> ViewBox {
    ViewBox { x0, y0, x1, y1 }
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

impl PageFacts {
    pub(crate) fn view(&self) -> Option<ViewSize> {
        (self.width >= 1.0 && self.height >= 1.0)
            .then_some(ViewSize { width: self.width as u32, height: self.height as u32 })
    }

    pub(crate) fn interactables(&self, view: ViewSize) -> Vec<Interactable> {
        self.interactables
            .iter()
            .map(|raw| {
                let [x0, y0, x1, y1] = raw.r#box;
                Interactable {
                    role: raw.role.clone(),
                    name: raw.name.clone(),
                    bounds: view.grid_box(ViewBox { x0, y0, x1, y1 }),
                }
            })
            .collect()
    }

    pub(crate) fn masks(&self) -> Vec<ViewBox> {
        self.masks.iter().map(|[x0, y0, x1, y1]| ViewBox { x0: *x0, y0: *y0, x1: *x1, y1: *y1 }).collect()
    }
}

impl Page {
    fn child_frames(&self) -> Vec<ChildFrame> {
        self.shared.lock().tab(&self.target).map(|tab| tab.child_frames.clone()).unwrap_or_default()
    }

    pub(crate) fn main_place(&self) -> Place {
        let frame = self.shared.lock().tab(&self.target).map(|tab| tab.main_frame.clone()).unwrap_or_default();
        Place { session: self.session.clone(), frame }
    }

    /// Asks every frame that no document above it can look into, all at once. `None`: it did not answer.
    async fn ask_frames<T: DeserializeOwned>(&self, expression: &str) -> Vec<(ChildFrame, Option<Option<T>>)> {
        let unreached = format!("frameElement ? null : {expression}");
        let asked = self.child_frames().into_iter().map(|frame| {
            let unreached = unreached.as_str();
            async move {
                // One frame that hangs must not hold up the rest of the page.
                let answer = self.evaluate_in(&frame.session, &frame.frame, unreached);
                let answer = tokio::time::timeout(FRAME_DEADLINE, answer).await;
                (frame, answer.ok().and_then(Result::ok))
            }
        });
        join_all(asked).await
    }

    /// Facts of the whole page. Frames that the main document cannot look into are asked themselves.
    pub(crate) async fn facts(&self) -> Result<PageFacts, PageTrouble> {
        let (facts, frames) =
            tokio::join!(self.evaluate::<PageFacts>("__surehand.observe()"), self.ask_frames("__surehand.observe()"));
        let mut facts = facts?;
        self.open_closed_roots(facts.unexamined).await;
        for (frame, answer) in frames {
            let inner: PageFacts = match answer {
                Some(Some(inner)) => inner,
                Some(None) => continue,
                None => {
                    facts.unread += 1;
                    continue;
                }
            };
            facts.frame_probes.extend(inner.probe);
            let placed = tokio::time::timeout(FRAME_DEADLINE, self.place_of(&frame, [inner.width, inner.height])).await;
            let Ok(Ok(place)) = placed else { continue };
            facts.interactables.extend(
                inner.interactables.into_iter().map(|raw| RawInteractable { r#box: place.outward(raw.r#box), ..raw }),
            );
            facts.masks.extend(inner.masks.into_iter().map(|mask| place.outward(mask)));
            if facts.focus.as_ref().is_some_and(|focus| focus.foreign)
                && let Some(focus) = inner.focus.filter(|focus| !focus.foreign)
            {
                facts.focus = Some(focus);
            }
        }
        Ok(facts)
    }

    /// Once per element: closed roots of the main document are opened for the library, so that what
    /// changes in them is seen.
    async fn open_closed_roots(&self, count: usize) {
        let place = self.main_place();
        for index in 0..count {
            let expression = format!("__surehand.unexaminedNode({index})");
            let opened = self.open_closed_root(&place, &expression);
            if tokio::time::timeout(FRAME_DEADLINE, opened).await.is_err() {
                return;
            }
        }
    }

    /// What every document noticed since the mark, and how many could not be asked.
    pub(crate) async fn read_probes(&self) -> (Vec<DocumentFacts>, usize) {
        const READ: &str = "__surehand.readProbe()";
        let main = async {
            let read = self.evaluate::<Option<DocumentFacts>>(READ);
            tokio::time::timeout(MAIN_DEADLINE, read).await.ok().and_then(Result::ok).flatten()
        };
        let (main, frames) = tokio::join!(main, self.ask_frames::<DocumentFacts>(READ));
        let mut unread = usize::from(main.is_none());
        let mut documents: Vec<DocumentFacts> = main.into_iter().collect();
        for (_, answer) in frames {
            match answer {
                Some(read) => documents.extend(read),
                None => unread += 1,
            }
        }
        (documents, unread)
    }

    /// Marks the beginning of an action in the frames that the main document does not reach.
    pub(crate) async fn mark_frames(&self, except: Option<&Place>) {
        if self.child_frames().is_empty() {
            return;
        }
        let hit = except.map(|place| place.frame.as_str());
        let frames = self.child_frames().into_iter().filter(|frame| Some(frame.frame.as_str()) != hit);
        let marks = frames.map(|frame| async move {
            const MARK: &str = "frameElement ? null : __surehand.markProbe(null, null, null)";
            let mark = self.evaluate_in::<Option<bool>>(&frame.session, &frame.frame, MARK);
            let _ = tokio::time::timeout(FRAME_DEADLINE, mark).await;
        });
        join_all(marks).await;
    }

    /// How a frame's content lies in the main frame. The protocol gives boxes relative to the root of
    /// their session, so the roots above it are put around it.
    async fn place_of(&self, frame: &ChildFrame, size: [f64; 2]) -> Result<FramePlace, PageTrouble> {
        let frames = self.child_frames();
        let mut place = FramePlace::MAIN;
        let (mut current, mut size) = (frame.clone(), size);
        for _ in 0..16 {
            let outer = self.place_in_parent(&current, size).await?;
            place = FramePlace {
                x: place.x * outer.sx + outer.x,
                y: place.y * outer.sy + outer.y,
                sx: place.sx * outer.sx,
                sy: place.sy * outer.sy,
            };
            let root =
                |candidate: &&ChildFrame| candidate.session == current.parent_session && candidate.is_session_root();
            let Some(parent) = frames.iter().find(root) else { break };
            current = parent.clone();
            size = self.evaluate_in(&current.session, &current.frame, "[innerWidth, innerHeight]").await?;
        }
        Ok(place)
    }

    async fn place_in_parent(&self, frame: &ChildFrame, [width, height]: [f64; 2]) -> Result<FramePlace, PageTrouble> {
        let owner = dom::GetFrameOwner { frame_id: frame.frame.clone() };
        let owner = self.connection.call(Some(&frame.parent_session), &owner, self.deadline).await?;
        let model = dom::GetBoxModel { backend_node_id: owner.backend_node_id };
        let model = self.connection.call(Some(&frame.parent_session), &model, self.deadline).await?.model;
        let [left, top, right, _, _, bottom, ..] = model.content.as_slice() else {
            return Err(PageTrouble::Unknown("the frame has no box".into()));
        };
        // A transform scales the content; less than that is rounding.
        let scale = |shown: f64, own: f64| {
            let ratio = if own > 0.0 { shown / own } else { 1.0 };
            if ratio > 0.0 && (ratio - 1.0).abs() > 0.02 { ratio } else { 1.0 }
        };
        Ok(FramePlace { x: *left, y: *top, sx: scale(right - left, width), sy: scale(bottom - top, height) })
    }

    /// The innermost frame at a point that the main document cannot look into.
    async fn frame_at(&self, point: ViewPoint) -> Option<(ChildFrame, FramePlace)> {
        let (px, py) = (f64::from(point.x), f64::from(point.y));
        let mut best: Option<(ChildFrame, FramePlace, f64)> = None;
        for (frame, size) in self.ask_frames::<[f64; 2]>("[innerWidth, innerHeight]").await {
            let Some(Some([width, height])) = size else { continue };
            let Ok(place) = self.place_of(&frame, [width, height]).await else { continue };
            let (x, y) = place.inward(px, py);
            let inside = x >= 0.0 && y >= 0.0 && x < width && y < height;
            let area = width * place.sx * height * place.sy;
            if inside && best.as_ref().is_none_or(|(.., smallest)| area <= *smallest) {
                best = Some((frame, place, area));
            }
        }
        best.map(|(frame, place, _)| (frame, place))
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
        if raw.hit.as_ref().is_some_and(|hit| hit.foreign)
            && let Some((frame, frame_place)) = self.frame_at(point).await
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
                return Ok(Aimed { place: Some(place), ..aimed });
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

    /// The document that has the focus: the main one, or a frame of another process.
    pub(crate) async fn focused_place(&self) -> Result<Place, PageTrouble> {
        let here = self.main_place();
        // Focus in a closed root is only seen once that root was opened for us.
        for _ in 0..4 {
            let closed: bool = self.evaluate("__surehand.focusMaybeClosed()").await?;
            if !closed || !self.open_closed_root(&here, "__surehand.focusNode()").await.unwrap_or(false) {
                break;
            }
        }
        let focus: Option<FocusFact> = self.evaluate("__surehand.focus()").await?;
        if !focus.is_some_and(|focus| focus.foreign) {
            return Ok(here);
        }
        for frame in self.child_frames() {
            let inner: Result<Option<FocusFact>, _> =
                self.evaluate_in(&frame.session, &frame.frame, "document.hasFocus() ? __surehand.focus() : null").await;
            if inner.is_ok_and(|focus| focus.is_some_and(|focus| !focus.foreign)) {
                return Ok(Place { session: frame.session, frame: frame.frame });
            }
        }
        Ok(here)
    }
}

/// The wire form of what the page said about focus.
pub(crate) fn focus_of(fact: Option<FocusFact>) -> Focus {
    match fact {
        None => Focus::Nothing,
        Some(fact) if fact.foreign => Focus::Unknown,
        Some(fact) => Focus::Element(Box::new(fact.element)),
    }
}
