//! What can be read off a screen as structure: texts, rows of cells, grids, switches, fields, each
//! with how sure the reader was. A state that could not be read is `unknown`, never `off`.

mod words;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A picture as structure. Boxes are `[x0, y0, x1, y1]` in pixels of that picture, ends excluded.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct UiState {
    pub source: UiSource,
    pub width: u32,
    pub height: u32,
    /// Texts and where they stand.
    pub anchors: Vec<Anchor>,
    /// Rows of equal cells, top to bottom.
    pub rows: Vec<UiRow>,
    /// Rows that belong together.
    pub grids: Vec<UiGrid>,
    pub toggles: Vec<UiToggle>,
    pub fields: Vec<UiField>,
    /// What the reader could not do, one sentence each (no OCR installed, a covered grid …).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum UiSource {
    Pixels,
    Dom,
    Atspi,
}

/// `[x0, y0, x1, y1]` in image pixels.
pub type PixelBox = [u32; 4];

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Anchor {
    pub text: String,
    pub bbox: PixelBox,
    /// 0 to 1.
    pub conf: f64,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct UiRow {
    /// `null` where no text belongs to the row.
    pub label: Option<String>,
    /// How sure the label was read; 0 without one.
    pub label_conf: f64,
    pub bbox: PixelBox,
    pub conf: f64,
    /// Off for a row that is shown as muted or disabled.
    pub enabled: OnOff,
    pub cells: Vec<UiCell>,
    /// Whether all of the row is in view. `unknown` where something may cover it or its end was not seen.
    pub complete: OnOff,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct UiCell {
    /// From 1, left to right.
    pub index: u32,
    pub bbox: PixelBox,
    pub state: OnOff,
    pub conf: f64,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct UiGrid {
    pub rows: u32,
    pub cols: u32,
    /// Distance from one cell to the next, across and down, in pixels.
    pub pitch: [f64; 2],
    pub bbox: PixelBox,
    pub conf: f64,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct UiToggle {
    pub label: Option<String>,
    pub bbox: PixelBox,
    pub state: OnOff,
    pub conf: f64,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct UiField {
    pub label: Option<String>,
    pub value: Option<String>,
    pub bbox: PixelBox,
    pub conf: f64,
}

/// On, off, or not to be told.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum OnOff {
    On,
    Off,
    #[default]
    Unknown,
}

impl OnOff {
    pub fn of(on: bool) -> OnOff {
        if on { OnOff::On } else { OnOff::Off }
    }
}

impl UiState {
    /// A picture in which nothing was found.
    pub fn empty(source: UiSource, width: u32, height: u32) -> UiState {
        UiState {
            source,
            width,
            height,
            anchors: Vec::new(),
            rows: Vec::new(),
            grids: Vec::new(),
            toggles: Vec::new(),
            fields: Vec::new(),
            notes: Vec::new(),
        }
    }
}
