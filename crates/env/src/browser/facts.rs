//! What the page library answers, and reading it across frames of other processes: their boxes
//! are moved into the coordinates of the main frame here and nowhere else.

use serde::Deserialize;
use surehand_types::observation::FocusedElement;
use surehand_types::{Focus, Hit, Interactable, ViewBox, ViewPoint, ViewSize};

use super::page::{Page, PageTrouble};
use super::state::ChildFrame;
use crate::cdp::protocol::dom;

/// What one frame below the main one may take to describe itself.
const FRAME_DEADLINE: std::time::Duration = std::time::Duration::from_millis(400);

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

/// Which document a question about focus has to be put to.
#[derive(Debug, Clone)]
pub(crate) struct Place {
    pub(crate) session: String,
    pub(crate) frame: String,
}

impl RawHit {
    fn into_hit(self, view: ViewSize, dx: f64, dy: f64) -> Hit {
        let moved = |b: [f64; 4]| view.grid_box(ViewBox { x0: b[0], y0: b[1], x1: b[2], y1: b[3] }.moved_by(dx, dy));
        Hit {
            descriptor: self.descriptor,
            tag: self.tag,
            role: self.role,
            name: self.name,
            id: self.id,
            classes: self.classes,
            r#box: self.r#box.map(moved),
            frame: self.frame,
            covers: self.covers.map(|below| Box::new(below.into_hit(view, dx, dy))),
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

    /// Facts of the whole page. Frames that the main document cannot look into are asked themselves.
    pub(crate) async fn facts(&self) -> Result<PageFacts, PageTrouble> {
        let mut facts: PageFacts = self.evaluate("__surehand.observe()").await?;
        for frame in self.child_frames() {
            // One frame that hangs must not hide the rest of the page.
            let asked = tokio::time::timeout(FRAME_DEADLINE, self.facts_of(&frame)).await;
            let Ok(Some((inner, dx, dy))) = asked else { continue };
            let moved = |b: [f64; 4]| [b[0] + dx, b[1] + dy, b[2] + dx, b[3] + dy];
            facts
                .interactables
                .extend(inner.interactables.into_iter().map(|raw| RawInteractable { r#box: moved(raw.r#box), ..raw }));
            facts.masks.extend(inner.masks.into_iter().map(moved));
            if facts.focus.as_ref().is_some_and(|focus| focus.foreign)
                && let Some(focus) = inner.focus.filter(|focus| !focus.foreign)
            {
                facts.focus = Some(focus);
            }
        }
        Ok(facts)
    }

    /// Facts of a frame that no document above it can look into, and where it begins.
    async fn facts_of(&self, frame: &ChildFrame) -> Option<(PageFacts, f64, f64)> {
        const UNREACHED: &str = "frameElement ? null : __surehand.observe()";
        let inner: Option<PageFacts> = self.evaluate_in(&frame.session, &frame.frame, UNREACHED).await.ok()?;
        let (dx, dy) = self.origin_of(frame).await.ok()?;
        Some((inner?, dx, dy))
    }

    /// Where a frame begins, in main-frame coordinates. The protocol gives boxes relative to the
    /// root of their session, so the roots above it are added up.
    async fn origin_of(&self, frame: &ChildFrame) -> Result<(f64, f64), PageTrouble> {
        let frames = self.child_frames();
        let (mut x, mut y) = (0.0, 0.0);
        let mut current = frame.clone();
        for _ in 0..16 {
            let owner = dom::GetFrameOwner { frame_id: current.frame.clone() };
            let owner = self.connection.call(Some(&current.parent_session), &owner, self.deadline).await?;
            let model = dom::GetBoxModel { backend_node_id: owner.backend_node_id };
            let model = self.connection.call(Some(&current.parent_session), &model, self.deadline).await?.model;
            let [left, top, ..] = model.content.as_slice() else {
                return Err(PageTrouble::Unknown("the frame has no box".into()));
            };
            x += left;
            y += top;
            let root =
                |candidate: &&ChildFrame| candidate.session == current.parent_session && candidate.is_session_root();
            match frames.iter().find(root) {
                Some(parent) => current = parent.clone(),
                None => break,
            }
        }
        Ok((x, y))
    }

    /// The innermost frame at a point that the main document cannot look into.
    async fn frame_at(&self, point: ViewPoint) -> Option<(ChildFrame, f64, f64)> {
        const UNREACHED_SIZE: &str = "frameElement ? null : [innerWidth, innerHeight]";
        let (px, py) = (f64::from(point.x), f64::from(point.y));
        let mut best: Option<(ChildFrame, f64, f64, f64)> = None;
        for frame in self.child_frames() {
            let size: Result<Option<[f64; 2]>, _> =
                self.evaluate_in(&frame.session, &frame.frame, UNREACHED_SIZE).await;
            let Ok(Some([width, height])) = size else { continue };
            let Ok((dx, dy)) = self.origin_of(&frame).await else { continue };
            let inside = px >= dx && py >= dy && px < dx + width && py < dy + height;
            let area = width * height;
            if inside && best.as_ref().is_none_or(|(.., smallest)| area <= *smallest) {
                best = Some((frame, dx, dy, area));
            }
        }
        best.map(|(frame, dx, dy, _)| (frame, dx, dy))
    }

    /// What an event at the point would hit. `expression` is `hit` or `hoverSettled`, with `{x}` and `{y}`.
    pub(crate) async fn hit(
        &self,
        point: ViewPoint,
        view: ViewSize,
        expression: &str,
    ) -> Result<Option<Hit>, PageTrouble> {
        let placed = |x: f64, y: f64| expression.replace("{x}", &x.to_string()).replace("{y}", &y.to_string());
        let (x, y) = (f64::from(point.x), f64::from(point.y));
        let Some(raw) = self.evaluate::<Option<RawHit>>(&placed(x, y)).await? else {
            return Ok(None);
        };
        if raw.foreign
            && let Some((frame, dx, dy)) = self.frame_at(point).await
            && let Ok(Some(mut inner)) =
                self.evaluate_in::<Option<RawHit>>(&frame.session, &frame.frame, &placed(x - dx, y - dy)).await
        {
            if inner.frame.is_none() {
                inner.frame = self.evaluate_in(&frame.session, &frame.frame, "location.href").await.ok();
            }
            return Ok(Some(inner.into_hit(view, dx, dy)));
        }
        Ok(Some(raw.into_hit(view, 0.0, 0.0)))
    }

    /// The document that has the focus: the main one, or a frame of another process.
    pub(crate) async fn focused_place(&self) -> Result<Place, PageTrouble> {
        let main = self.shared.lock().tab(&self.target).map(|tab| tab.main_frame.clone()).unwrap_or_default();
        let here = Place { session: self.session.clone(), frame: main };
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
