//! What the environment shows at one moment, and the wire shapes of its parts.

use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::call::{Call, KeyboardCall, MouseCall};
use crate::coords::{GridBox, GridPoint, ViewPoint, ViewSize};
use crate::frame::Frame;
use crate::surroundings::Surroundings;

/// One moment of the environment. The frame's pixels are clean; the cursor is only a position here.
#[derive(Debug, Clone)]
pub struct Observation {
    pub frame: Frame,
    pub view: ViewSize,
    pub url: Option<String>,
    pub title: Option<String>,
    pub focus: Focus,
    pub tabs: Vec<Tab>,
    pub dialog: Option<Dialog>,
    pub cursor: ViewPoint,
    pub interactables: Vec<Interactable>,
    /// Boxes to cover before anybody outside sees the frame (password fields, shown secrets).
    pub masks: Vec<crate::coords::ViewBox>,
    /// Boxes that change by themselves: clocks, carousels, videos. No proof of anything.
    pub restless: Vec<crate::coords::ViewBox>,
    /// What the page says against what was entered: a field that is marked invalid, an alert.
    pub complaint: Option<String>,
}

/// Keyboard focus: known to be nowhere, not known, or an element.
/// On the wire: `null`, `"unknown"`, or the element's object.
#[derive(Debug, Clone, PartialEq, Default)]
pub enum Focus {
    Nothing,
    #[default]
    Unknown,
    Element(Box<FocusedElement>),
}

#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct FocusedElement {
    pub tag: String,
    pub r#type: Option<String>,
    pub role: Option<String>,
    pub name: Option<String>,
    pub id: Option<String>,
    pub label: Option<String>,
    pub placeholder: Option<String>,
    pub selector: Option<String>,
    /// At most 200 characters; masked for passwords and secrets.
    pub value: Option<String>,
    pub empty: Option<bool>,
    pub editable: bool,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Tab {
    /// Our own short name, like `t1`; stays with the tab for its life.
    pub id: String,
    /// The protocol's target id.
    pub target: String,
    pub url: String,
    pub title: String,
    pub active: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum DialogKind {
    Alert,
    Confirm,
    Prompt,
    Beforeunload,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum DialogHandled {
    Accepted,
    Dismissed,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Dialog {
    pub r#type: DialogKind,
    pub message: String,
    pub default: Option<String>,
    pub handled: Option<DialogHandled>,
}

/// The element that would receive a pointer event at a point.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Hit {
    pub descriptor: String,
    pub tag: String,
    pub role: Option<String>,
    pub name: Option<String>,
    pub id: Option<String>,
    pub classes: Vec<String>,
    pub r#box: Option<GridBox>,
    /// Url of the frame it sits in, when that is not the main document.
    pub frame: Option<String>,
    /// The next interactable underneath, which this one keeps from being hit.
    pub covers: Option<Box<Hit>>,
}

/// A thing a person could aim at.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Interactable {
    pub role: String,
    pub name: String,
    #[serde(rename = "box")]
    pub bounds: GridBox,
    /// Read only where somebody looks for it by name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub around: Option<Box<Surroundings>>,
    /// It is on the page, but has to be scrolled to.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub out_of_view: bool,
}

impl Interactable {
    pub fn new(role: impl Into<String>, name: impl Into<String>, bounds: GridBox) -> Interactable {
        Interactable { role: role.into(), name: name.into(), bounds, around: None, out_of_view: false }
    }

    pub fn descriptor(&self) -> String {
        descriptor(&self.role, &self.name)
    }
}

/// A place to aim at instead.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Candidate {
    pub descriptor: String,
    pub center: GridPoint,
    pub distance_px: f64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum PendingKind {
    Click,
    Drag,
    Select,
    File,
    Date,
    Color,
}

/// An action that was prepared but waits for its follow-up call.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Pending {
    pub kind: PendingKind,
    pub hit: Option<Hit>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub options: Option<Vec<SelectChoice>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub accept: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub multiple: Option<bool>,
    pub follow_up: String,
}

impl PendingKind {
    /// The call that goes on with it, as the brain is told.
    pub fn follow_up(self) -> &'static str {
        match self {
            PendingKind::Click | PendingKind::Drag => "mouse confirm",
            PendingKind::Select => "select_option",
            PendingKind::File => "upload_file",
            PendingKind::Date | PendingKind::Color => "keyboard type",
        }
    }
}

impl Pending {
    pub fn new(kind: PendingKind, hit: Option<Hit>) -> Self {
        Pending { kind, hit, options: None, accept: None, multiple: None, follow_up: kind.follow_up().into() }
    }

    /// Whether the call is the follow-up that it waits for.
    pub fn is_answered_by(&self, call: &Call) -> bool {
        match self.kind {
            PendingKind::Click | PendingKind::Drag => matches!(call, Call::Mouse(MouseCall::Confirm)),
            PendingKind::Select => matches!(call, Call::SelectOption { .. }),
            PendingKind::File => matches!(call, Call::UploadFile { .. }),
            PendingKind::Date | PendingKind::Color => matches!(call, Call::Keyboard(KeyboardCall::Type { .. })),
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SelectChoice {
    pub value: String,
    pub label: String,
    pub selected: bool,
    pub disabled: bool,
}

/// A frame as a file that somebody outside can open: cursor drawn, secrets masked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct FrameFile {
    pub path: String,
    pub width: u32,
    pub height: u32,
    pub format: String,
    pub sha256: String,
    pub stale: bool,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ExtraImage {
    pub kind: ImageKind,
    #[serde(flatten)]
    pub file: FrameFile,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ImageKind {
    Zoom,
    Preview,
    PreviewCrop,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Download {
    pub path: String,
    pub bytes: u64,
}

/// Where input was sent, in integer view pixels.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Dispatched {
    pub x: i32,
    pub y: i32,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub from: Option<ViewPoint>,
}

impl Dispatched {
    pub fn at(point: ViewPoint) -> Self {
        Dispatched { x: point.x, y: point.y, from: None }
    }
}

/// `button "Save"`, or just `button` where there is no name.
pub fn descriptor(kind: &str, name: &str) -> String {
    if name.is_empty() { kind.to_string() } else { format!("{kind} {name:?}") }
}

impl Serialize for Focus {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Focus::Nothing => serializer.serialize_none(),
            Focus::Unknown => serializer.serialize_str("unknown"),
            Focus::Element(element) => element.serialize(serializer),
        }
    }
}

impl<'de> Deserialize<'de> for Focus {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let value = serde_json::Value::deserialize(deserializer)?;
        match value {
            serde_json::Value::Null => Ok(Focus::Nothing),
            serde_json::Value::Object(_) => serde_json::from_value(value)
                .map(|element| Focus::Element(Box::new(element)))
                .map_err(serde::de::Error::custom),
            _ => Ok(Focus::Unknown),
        }
    }
}

impl JsonSchema for Focus {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Focus".into()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        let element = generator.subschema_for::<FocusedElement>();
        schemars::json_schema!({"anyOf": [{"type": "null"}, {"const": "unknown"}, element]})
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn focus_has_three_wire_forms() {
        let element = FocusedElement { tag: "input".into(), editable: true, ..Default::default() };
        for (focus, wire) in [
            (Focus::Nothing, serde_json::json!(null)),
            (Focus::Unknown, serde_json::json!("unknown")),
            (Focus::Element(Box::new(element.clone())), serde_json::to_value(&element).unwrap()),
        ] {
            assert_eq!(serde_json::to_value(&focus).unwrap(), wire);
            assert_eq!(serde_json::from_value::<Focus>(wire).unwrap(), focus);
        }
    }
}
