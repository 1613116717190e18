//! What the documents themselves say about switches, fields, rows and what a selector matches. It is the second
//! source beside pixels: `inspect` shows it to a brain, and contracts ask it about the end state.

use serde::Deserialize;
use surehand_types::ui::{OnOff, PixelBox, UiCell, UiField, UiRow, UiSource, UiState, UiToggle};

use super::BrowserEnv;
use super::places::FRAME_DEADLINE;
use crate::environment::{Found, Matching, Table, Tables};

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct RawStructure {
    width: f64,
    height: f64,
    toggles: Vec<RawToggle>,
    fields: Vec<RawField>,
    rows: Vec<RawRow>,
}

#[derive(Debug, Deserialize)]
struct RawToggle {
    label: Option<String>,
    r#box: [f64; 4],
    state: OnOff,
}

#[derive(Debug, Deserialize)]
struct RawField {
    label: Option<String>,
    value: Option<String>,
    r#box: [f64; 4],
}

#[derive(Debug, Deserialize)]
struct RawRow {
    label: Option<String>,
    cells: Vec<RawCell>,
}

#[derive(Debug, Deserialize)]
struct RawCell {
    r#box: [f64; 4],
    state: OnOff,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct RawMatching {
    invalid: bool,
    count: u32,
    found: Vec<Found>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct RawTables {
    invalid: bool,
    count: u32,
    found: Vec<Table>,
}

impl BrowserEnv {
    /// The structure that the page's own trees declare, with boxes in pixels of a frame of this size.
    pub(super) async fn read_structure(&mut self, width: u32, height: u32) -> Option<UiState> {
        const ASK: &str = "__surehand.structure()";
        if self.shared.lock().open_dialog().is_some() {
            return None;
        }
        let page = self.page().ok()?;
        let main: RawStructure = page.evaluate(ASK).await.ok()?;
        let scale = [f64::from(width) / main.width.max(1.0), f64::from(height) / main.height.max(1.0)];
        let mut state = UiState::empty(UiSource::Dom, width, height);
        gather(&mut state, main, |bounds| bounds, scale);
        for (frame, answer) in page.ask_frames::<RawStructure>(ASK).await {
            match answer {
                Some(Some(inner)) => {
                    let placing = page.place_of(&frame, [inner.width, inner.height]);
                    match tokio::time::timeout(FRAME_DEADLINE, placing).await {
                        Ok(Ok(place)) => gather(&mut state, inner, |bounds| place.outward(bounds), scale),
                        _ => state.notes.push("a frame of the page could not be placed".into()),
                    }
                }
                Some(None) => {}
                None => state.notes.push("a frame of the page did not answer".into()),
            }
        }
        state.rows.sort_by_key(|row| row.bbox[1]);
        Some(state)
    }

    /// What a selector matches in the page and its frames, seen or not.
    pub(super) async fn read_matching(&mut self, selector: &str) -> Option<Matching> {
        if self.shared.lock().open_dialog().is_some() {
            return None;
        }
        let page = self.page().ok()?;
        let ask = format!("__surehand.matching({})", serde_json::Value::from(selector));
        let main: RawMatching = page.evaluate(&ask).await.ok()?;
        let mut matching = Matching { invalid: main.invalid, complete: true, count: main.count, found: main.found };
        for (_, answer) in page.ask_frames::<RawMatching>(&ask).await {
            match answer {
                Some(Some(inner)) => {
                    matching.count += inner.count;
                    matching.found.extend(inner.found);
                }
                Some(None) => {}
                None => matching.complete = false,
            }
        }
        Some(matching)
    }

    /// The tables that a selector matches in the page and its frames.
    pub(super) async fn read_tables(&mut self, selector: &str) -> Option<Tables> {
        if self.shared.lock().open_dialog().is_some() {
            return None;
        }
        let page = self.page().ok()?;
        let ask = format!("__surehand.tables({})", serde_json::Value::from(selector));
        let main: RawTables = page.evaluate(&ask).await.ok()?;
        let mut tables = Tables { invalid: main.invalid, complete: true, count: main.count, found: main.found };
        for (_, answer) in page.ask_frames::<RawTables>(&ask).await {
            match answer {
                Some(Some(inner)) => {
                    tables.count += inner.count;
                    tables.found.extend(inner.found);
                }
                Some(None) => {}
                None => tables.complete = false,
            }
        }
        Some(tables)
    }

    /// What the page keeps under a name for its own origin, if it is of that origin.
    pub(super) async fn read_kept(&mut self, origin: &str, key: &str) -> Option<String> {
        if self.shared.lock().open_dialog().is_some() {
            return None;
        }
        let page = self.page().ok()?;
        let (origin, key) = (serde_json::Value::from(origin), serde_json::Value::from(key));
        let ask = format!(
            "location.origin === {origin} ? localStorage.getItem({key}) ?? sessionStorage.getItem({key}) : null"
        );
        page.evaluate::<Option<String>>(&ask).await.ok().flatten()
    }
}

fn gather(state: &mut UiState, raw: RawStructure, outward: impl Fn([f64; 4]) -> [f64; 4], scale: [f64; 2]) {
    let (width, height) = (state.width, state.height);
    let place = |bounds: [f64; 4]| pixel_box(outward(bounds), scale, width, height);
    for toggle in raw.toggles {
        let conf = sureness(toggle.state);
        state.toggles.push(UiToggle { label: toggle.label, bbox: place(toggle.r#box), state: toggle.state, conf });
    }
    for field in raw.fields {
        state.fields.push(UiField { label: field.label, value: field.value, bbox: place(field.r#box), conf: 1.0 });
    }
    for row in raw.rows {
        let cells: Vec<UiCell> = (1u32..)
            .zip(row.cells)
            .map(|(index, cell)| UiCell {
                index,
                bbox: place(cell.r#box),
                state: cell.state,
                conf: sureness(cell.state),
            })
            .collect();
        let Some(bbox) = cells.iter().map(|cell| cell.bbox).reduce(around) else { continue };
        let label_conf = if row.label.is_some() { 1.0 } else { 0.0 };
        state.rows.push(UiRow {
            label: row.label,
            label_conf,
            bbox,
            conf: 1.0,
            enabled: OnOff::Unknown,
            cells,
            // The tree lists what is in view; a scrolled part of the row may be missing.
            complete: OnOff::Unknown,
        });
    }
}

fn sureness(state: OnOff) -> f64 {
    if state == OnOff::Unknown { 0.0 } else { 1.0 }
}

fn around(one: PixelBox, other: PixelBox) -> PixelBox {
    [one[0].min(other[0]), one[1].min(other[1]), one[2].max(other[2]), one[3].max(other[3])]
}

/// View pixels to frame pixels, clipped to the frame. A float cast saturates.
fn pixel_box(bounds: [f64; 4], scale: [f64; 2], width: u32, height: u32) -> PixelBox {
    let [x0, y0, x1, y1] = bounds;
    [
        ((x0 * scale[0]).round() as u32).min(width),
        ((y0 * scale[1]).round() as u32).min(height),
        ((x1 * scale[0]).round() as u32).min(width),
        ((y1 * scale[1]).round() as u32).min(height),
    ]
}
