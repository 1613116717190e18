//! What the page library says about the whole page, also across frames of other processes.

use serde::Deserialize;
use surehand_checks::after::probe::DocumentFacts;
use surehand_types::observation::FocusedElement;
use surehand_types::{Focus, Interactable, ViewBox, ViewSize};

use super::page::{Page, PageTrouble};
use super::places::{FRAME_DEADLINE, Place};

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
    /// What the page says against what was entered.
    pub(crate) complaint: Option<String>,
    pub(crate) probe: Option<DocumentFacts>,
    /// Custom elements that may hide a closed root.
    unexamined: usize,
    /// How often the content had changed before the frame that goes with these was asked for.
    #[serde(skip)]
    pub(crate) changes_before: Option<u64>,
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
    /// Places whose content is still to come, by what they say of themselves.
    pub(crate) unfinished: u32,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct ReadBack {
    pub(crate) foreign: bool,
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
                Interactable::new(raw.role.as_str(), raw.name.as_str(), view.grid_box(ViewBox { x0, y0, x1, y1 }))
            })
            .collect()
    }

    pub(crate) fn masks(&self) -> Vec<ViewBox> {
        self.masks.iter().map(|[x0, y0, x1, y1]| ViewBox { x0: *x0, y0: *y0, x1: *x1, y1: *y1 }).collect()
    }
}

impl Page {
    /// Facts of the whole page. Frames that the main document cannot look into are asked themselves.
    pub(crate) async fn facts(&self) -> Result<PageFacts, PageTrouble> {
        const OBSERVE: &str = "__surehand.observe()";
        let (facts, frames) = tokio::join!(self.evaluate::<PageFacts>(OBSERVE), self.ask_frames(OBSERVE));
        let mut facts = facts?;
        self.open_closed_roots(&self.main_place(), facts.unexamined).await;
        for (frame, answer) in frames {
            let inner: PageFacts = match answer {
                Some(Some(inner)) => inner,
                Some(None) => continue,
                None => {
                    facts.unread += 1;
                    continue;
                }
            };
            facts.complaint = facts.complaint.take().or(inner.complaint);
            let probed = facts.frame_probes.len();
            facts.frame_probes.extend(inner.probe);
            let place = Place { session: frame.session.clone(), frame: frame.frame.clone() };
            self.open_closed_roots(&place, inner.unexamined).await;
            let placed = tokio::time::timeout(FRAME_DEADLINE, self.place_of(&frame, [inner.width, inner.height])).await;
            let Ok(Ok(place)) = placed else { continue };
            for document in &mut facts.frame_probes[probed..] {
                let boxes = document.surfaces.iter_mut().chain(&mut document.restless);
                boxes.for_each(|bounds| *bounds = place.outward(*bounds));
            }
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

    /// Once per element: closed roots are opened for the library, so that what changes in them is seen.
    async fn open_closed_roots(&self, place: &Place, count: usize) {
        for index in 0..count {
            let expression = format!("__surehand.unexaminedNode({index})");
            let opened = self.open_closed_root(place, &expression);
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
            // Focus on nothing in particular is focus there as well; on a frame it is further in.
            let here = "document.hasFocus() && !(__surehand.focus() || {}).foreign";
            if self.evaluate_in::<bool>(&frame.session, &frame.frame, here).await.unwrap_or(false) {
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
