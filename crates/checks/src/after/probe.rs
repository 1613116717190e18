//! The no-op probe's judgement: from what an environment noticed since an action, whether the
//! action did something. Three-valued; what could not be measured is never called dead.

use serde::Deserialize;
use surehand_types::{Effect, EffectStatus, Evidence, ViewBox};

use super::pixels::{Painted, PixelFacts};

/// Evidence that is kept of one kind.
const KEPT: usize = 4;

/// A document that was watched for less than this may have rhythms that nobody has seen yet.
const YOUNG_MS: f64 = 6000.0;

/// What an action was made with; decides what counts as its doing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Manner {
    Pointer,
    Drag,
    Keyboard,
    Scroll,
    /// Only a reaction counts; no reaction is no news.
    Move,
}

/// Everything noticed since the action was marked.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ProbeFacts {
    pub documents: Vec<DocumentFacts>,
    /// Documents that should have been read and could not be.
    pub unread: usize,
    pub signals: Signals,
    /// Why the place that was hit cannot be measured (a plugin), if so.
    pub blind: Option<String>,
    pub pixels: PixelFacts,
}

/// What one document noticed; ambient changes are left out already.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(default)]
pub struct DocumentFacts {
    pub changes: Vec<Change>,
    /// Changes that the page makes by itself all the time.
    pub ambient: u32,
    /// For how many milliseconds the document has been watched.
    pub watched: f64,
    /// All changes that an observer is told of.
    pub records: u32,
    pub focus: Option<FocusMove>,
    /// The field that was clicked and had the focus already: what such a click is for.
    pub focus_kept: Option<String>,
    /// What was scrolled.
    pub scrolled: Vec<String>,
    /// Text that is selected now and was not before.
    pub selected: Option<String>,
    /// The caret stands elsewhere in an editable field.
    pub caret: Option<String>,
    /// Fields whose value or state is another one.
    pub values: Vec<String>,
    pub url: Option<String>,
    pub title: Option<String>,
    pub history: bool,
    /// Text that appeared and was gone again.
    pub flashed: Vec<String>,
    /// Canvases and videos in view: their pixels change without a sign here.
    pub surfaces: Vec<[f64; 4]>,
    /// Boxes that the page changes by itself.
    pub restless: Vec<[f64; 4]>,
    /// Rules of style sheets are other ones, since soon after the input.
    pub restyled: bool,
    /// A key was taken by the page, which shows nothing of what it did with it.
    pub key_taken: bool,
    /// Playing, pausing, copying and the like: events that no tree shows.
    pub events: Vec<String>,
}

/// One net change of content.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(default)]
pub struct Change {
    /// attribute, text, animation, added or removed.
    pub kind: String,
    pub place: String,
    /// In or beside what was hit.
    pub near: bool,
    /// Made while the page handled our input, before anything else could run.
    pub early: bool,
    /// Something a person could see.
    pub visible: bool,
    /// Milliseconds after the action.
    pub at: f64,
    /// Of the kind that often goes again by itself: a message, a pressed look.
    pub fresh: bool,
}

#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(default)]
pub struct FocusMove {
    /// Where the focus is now; `None` for nowhere.
    pub to: Option<String>,
    /// It takes text, or opens a list to choose from.
    pub entry: bool,
    /// Taking the focus may be all that it does.
    pub only: bool,
}

/// What the environment saw around the documents.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Signals {
    pub new_document: bool,
    /// How many documents frames have loaded.
    pub frame_navigations: usize,
    pub url_changed: bool,
    pub other_active_tab: bool,
    pub tabs_opened: usize,
    pub tabs_closed: usize,
    pub dialog: bool,
    pub downloads: usize,
    /// Those that began, finished or not.
    pub downloads_begun: usize,
    pub file_chooser: bool,
    /// Requests that began since the action and that the page does not make by itself.
    pub requests: Vec<RequestSign>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RequestSign {
    pub what: String,
    /// Began so soon after the input that it must be its doing.
    pub soon: bool,
    /// The same was asked for once more later, or before while nobody acted.
    pub again: bool,
}

/// The probe's answer.
#[derive(Debug, Clone, PartialEq)]
pub struct ProbeVerdict {
    pub effect: Effect,
    pub doubt: Doubt,
}

/// What more time could still show about evidence that was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Doubt {
    None,
    /// All of it is new where nothing was: it may only flash.
    MayVanish,
    /// Nothing ties it to the action but its time: it may be the page's own rhythm, all the more where the
    /// page has not been watched for long.
    MayRepeat {
        young: bool,
    },
    /// A picture that changed elsewhere: it may go on changing, all the more where it does so still.
    MayMove {
        going_on: bool,
    },
}

pub fn judge(facts: &ProbeFacts, manner: Manner) -> ProbeVerdict {
    let signs = Signs::of(facts, manner);
    let flashes = facts.documents.iter().flat_map(|document| &document.flashed);
    let flashed: Vec<Evidence> = flashes.take(KEPT).map(|text| fact("flashed", text.clone())).collect();
    let doubt = signs.doubt(facts);
    let mut evidence = [signs.certain, signs.tree, signs.picture].concat();
    if evidence.is_empty() {
        return ProbeVerdict { effect: quiet(facts, flashed), doubt: Doubt::None };
    }
    evidence.extend(flashed);
    ProbeVerdict { effect: Effect { status: EffectStatus::Confirmed, evidence, reason: None }, doubt }
}

/// What speaks for an effect, by how much it says.
struct Signs {
    /// Ends all doubt.
    certain: Vec<Evidence>,
    /// Changes of content and requests.
    tree: Vec<Evidence>,
    /// What only the picture shows; asked where the rest is silent.
    picture: Vec<Evidence>,
    /// Something of the tree's signs belongs to the input by its place or its moment.
    tied: bool,
    /// All of those that belong to it are of the kind that often goes again.
    passing: bool,
    /// Nothing changed to be seen, on a page that is hardly known.
    unknown_page: bool,
}

impl Signs {
    fn of(facts: &ProbeFacts, manner: Manner) -> Signs {
        let mut certain = page_level(&facts.signals);
        for document in &facts.documents {
            document_level(document, manner, &mut certain);
        }
        let mut visible: Vec<&Change> = changes(facts).filter(|change| change.visible).collect();
        let unknown_page = visible.is_empty() && is_new(facts);
        // On a page that is hardly known, a request may be the first of its own rhythm.
        let may_poll = |request: &RequestSign| unknown_page && request.what.starts_with("GET ");
        let requests: Vec<&RequestSign> =
            facts.signals.requests.iter().filter(|request| !(may_poll(request) && request.again)).collect();
        let asked_soon = requests.iter().any(|request| request.soon && !may_poll(request));

        let mut tree = Vec::new();
        // Advertisements load their frames anew all the time: once may be the action's doing.
        if facts.signals.frame_navigations == 1 || (facts.signals.frame_navigations > 1 && asked_soon) {
            tree.push(fact("navigation", "a frame loaded another document"));
        }
        // Changes that the input made itself say more than what came later.
        visible.sort_by_key(|change| (!change.early, !change.near));
        tree.extend(visible.iter().take(KEPT).map(|change| fact("mutation", change_words(change))));
        let kind = if certain.is_empty() && tree.is_empty() { "request_only" } else { "request" };
        tree.extend(requests.iter().take(KEPT).map(|request| fact(kind, request.what.clone())));

        // What the page does elsewhere at the same time does not make a message more lasting.
        let bound: Vec<&Change> = visible.iter().filter(|change| change.near || change.early).copied().collect();
        let telling = if bound.is_empty() { &visible } else { &bound };
        Signs {
            picture: if certain.is_empty() && tree.is_empty() { in_picture(facts) } else { Vec::new() },
            certain,
            tree,
            tied: !bound.is_empty() || asked_soon,
            passing: !telling.is_empty() && telling.iter().all(|change| change.fresh),
            unknown_page,
        }
    }

    fn doubt(&self, facts: &ProbeFacts) -> Doubt {
        if !self.certain.is_empty() {
            Doubt::None
        } else if !self.picture.is_empty() {
            let on_hit = facts.pixels.painted.is_some_and(|painted| painted.on_hit);
            if on_hit { Doubt::None } else { Doubt::MayMove { going_on: facts.pixels.going_on } }
        } else if !self.tied {
            Doubt::MayRepeat { young: is_young(facts) || self.unknown_page }
        } else if self.passing {
            Doubt::MayVanish
        } else {
            Doubt::None
        }
    }
}

fn changes(facts: &ProbeFacts) -> impl Iterator<Item = &Change> {
    facts.documents.iter().flat_map(|document| &document.changes)
}

fn in_picture(facts: &ProbeFacts) -> Vec<Evidence> {
    let mut evidence = Vec::new();
    // Hiding something is to be seen where it was.
    let gone = changes(facts).find(|change| !change.visible && change.early && change.kind == "attribute");
    evidence.extend(gone.filter(|_| facts.pixels.elsewhere).map(|change| fact("mutation", change_words(change))));
    if facts.pixels.elsewhere && facts.documents.iter().any(|document| document.restyled) {
        evidence.push(fact("style", "style rules changed, and with them the picture"));
    }
    evidence.extend(facts.pixels.painted.map(|painted| fact("pixels", painted_words(&painted))));
    evidence
}

/// Nothing speaks for an effect: it had none, unless something could not be seen.
fn quiet(facts: &ProbeFacts, flashed: Vec<Evidence>) -> Effect {
    let any = |is: fn(&DocumentFacts) -> bool| facts.documents.iter().any(is);
    let unseen = if facts.unread > 0 || facts.documents.is_empty() {
        Some("probe_unread")
    } else if let Some(blind) = &facts.blind {
        Some(blind.as_str())
    } else if any(|document| document.key_taken) {
        Some("key_taken")
    } else if any(|document| document.focus.as_ref().is_some_and(|focus| focus.only)) {
        Some("focus_only")
    } else {
        facts.pixels.hit_restless.then_some("canvas_changed")
    };
    let mut evidence = flashed;
    let hidden = changes(facts).find(|change| !change.visible);
    evidence.extend(hidden.map(|change| fact("hidden_change", change_words(change))));
    let status = if unseen.is_some() { EffectStatus::Unverifiable } else { EffectStatus::NoEffect };
    Effect { status, evidence, reason: unseen.map(str::to_string) }
}

/// Whether nothing is known yet of what the page does by itself.
fn is_new(facts: &ProbeFacts) -> bool {
    facts.documents.iter().all(|document| document.watched < YOUNG_MS)
}

/// Whether a slow rhythm of the page could have gone unnoticed before the action.
fn is_young(facts: &ProbeFacts) -> bool {
    facts.documents.iter().any(|document| !document.changes.is_empty() && document.watched < YOUNG_MS)
}

fn page_level(signals: &Signals) -> Vec<Evidence> {
    let mut evidence = Vec::new();
    let mut note = |seen: bool, kind: &str, detail: &str| {
        if seen {
            evidence.push(fact(kind, detail));
        }
    };
    note(signals.new_document, "navigation", "another document was loaded");
    note(signals.url_changed && !signals.new_document, "url", "the address changed");
    note(signals.dialog, "dialog", "a dialog opened");
    note(signals.file_chooser, "file_chooser", "a file chooser opened");
    note(signals.tabs_opened > 0, "tab", "a tab opened");
    note(signals.tabs_closed > 0, "tab", "a tab closed");
    note(signals.other_active_tab && signals.tabs_closed == 0, "tab", "another tab is active");
    note(signals.downloads > 0, "download", "a file was downloaded");
    note(signals.downloads == 0 && signals.downloads_begun > 0, "download", "a download began");
    evidence
}

fn document_level(document: &DocumentFacts, manner: Manner, evidence: &mut Vec<Evidence>) {
    if let Some(focus) = &document.focus
        && (focus.entry || manner == Manner::Keyboard)
    {
        let to = focus.to.as_deref().unwrap_or("nothing");
        evidence.push(fact("focus", format!("focus moved to {to}")));
    }
    if let Some(field) = document.focus_kept.as_ref().filter(|_| manner == Manner::Pointer) {
        evidence.push(fact("focus", format!("{field} had the focus already")));
    }
    let mut note = |kind: &str, detail: &Option<String>| {
        if let Some(detail) = detail {
            evidence.push(fact(kind, detail.clone()));
        }
    };
    note("url", &document.url);
    note("title", &document.title);
    note("selection", &document.selected);
    note("caret", &document.caret);
    for (kind, details) in [("value", &document.values), ("scroll", &document.scrolled), ("event", &document.events)] {
        evidence.extend(details.iter().take(KEPT).map(|detail| fact(kind, detail.clone())));
    }
    if document.history {
        evidence.push(fact("history", "the history grew"));
    }
}

fn change_words(change: &Change) -> String {
    let what = match change.kind.as_str() {
        "added" => "something appeared in",
        "removed" => "something went from",
        "text" => "the text changed in",
        "animation" => "an animation was started on",
        _ => "a property changed of",
    };
    let late = if change.at >= 400.0 { format!(", {:.1} s later", change.at / 1000.0) } else { String::new() };
    let elsewhere = if change.near { "" } else { ", elsewhere" };
    format!("{what} {}{elsewhere}{late}", change.place)
}

fn painted_words(painted: &Painted) -> String {
    let ViewBox { x0, y0, x1, y1 } = painted.bounds;
    let what = if painted.on_hit { "what was hit was painted anew" } else { "the picture changed elsewhere" };
    format!("{what}, {:.0}x{:.0} px at {x0:.0},{y0:.0}", x1 - x0, y1 - y0)
}

fn fact(kind: &str, detail: impl Into<String>) -> Evidence {
    Evidence { kind: kind.into(), detail: detail.into() }
}

#[cfg(test)]
mod tests;
