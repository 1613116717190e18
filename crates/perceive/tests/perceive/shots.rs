//! Screenshots of a real sequencer in several themes, scales and states; the saved projects are the truth.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use surehand_checks::picture::decode;
use surehand_perceive::{Ocr, OcrScope, Options, perceive, read_text};
use surehand_types::Pixels;
use surehand_types::ui::{OnOff, UiRow};

#[derive(Deserialize)]
struct Shot {
    rows: Vec<TrueRow>,
}

#[derive(Deserialize)]
struct TrueRow {
    name: String,
    steps: u32,
    active: Vec<u32>,
    muted: bool,
    visible: bool,
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/shots")
}

fn shots() -> BTreeMap<String, Shot> {
    serde_json::from_str(&std::fs::read_to_string(folder().join("truth.json")).unwrap()).unwrap()
}

fn picture(name: &str) -> Pixels {
    decode(&std::fs::read(folder().join(name)).unwrap()).unwrap()
}

/// Rows of steps, top to bottom.
fn step_rows(rows: &[UiRow]) -> Vec<&UiRow> {
    rows.iter().filter(|row| row.cells.len() >= 8).collect()
}

#[test]
fn every_cell_is_read_and_none_is_wrong() {
    let (mut frames, mut exact) = (0, 0);
    for (name, shot) in shots() {
        let ui = perceive(&picture(&name), &Options::default());
        let rows = step_rows(&ui.rows);
        assert_eq!(rows.len(), shot.rows.len(), "{name}");
        let mut all = true;
        for (truth, row) in shot.rows.iter().zip(rows) {
            for cell in row.cells.iter().filter(|cell| cell.state != OnOff::Unknown) {
                let lit = truth.active.contains(&cell.index);
                assert_eq!(cell.state, OnOff::of(lit), "{name}, {} step {}", truth.name, cell.index);
            }
            let known = row.cells.iter().filter(|cell| cell.state != OnOff::Unknown).count();
            all &= !truth.visible || (known as u32 == truth.steps && row.cells.len() as u32 == truth.steps);
            assert_ne!(row.enabled, OnOff::of(truth.muted), "{name}, {}", truth.name);
        }
        if shot.rows.iter().all(|row| row.visible) {
            frames += 1;
            exact += usize::from(all);
        }
    }
    assert!(frames >= 24 && exact * 100 >= frames * 98, "{exact} of {frames} frames are exact");
}

#[test]
fn muted_rows_are_seen() {
    let muted: usize = shots()
        .keys()
        .map(|name| perceive(&picture(name), &Options::default()))
        .map(|ui| ui.rows.iter().filter(|row| row.enabled == OnOff::Off).count())
        .sum();
    assert!(muted >= 8, "{muted}");
}

/// One picture of each session: the whole set takes ten times as long and says the same.
#[test]
fn rows_have_their_names() {
    let options = Options { ocr: OcrScope::Beside, ..Options::default() };
    let (mut right, mut wrong) = (0, 0);
    for (name, shot) in shots().into_iter().step_by(6) {
        let ui = perceive(&picture(&name), &options);
        if ui.notes.iter().any(|note| note.contains("not installed")) {
            return;
        }
        for (truth, row) in shot.rows.iter().zip(step_rows(&ui.rows)) {
            match &row.label {
                // Tesseract may miss the space in "Kick 2".
                Some(label) if label.replace(' ', "") == truth.name.replace(' ', "") => right += 1,
                Some(_) => wrong += 1,
                None => {}
            }
        }
    }
    assert!(right >= 17 && wrong == 0, "{right} right, {wrong} wrong");
}

#[test]
fn without_tesseract_there_is_a_note() {
    let tesseract = Ocr { program: PathBuf::from("no-such-tesseract"), ..Ocr::default() };
    let ui = perceive(&picture("s00_0.png"), &Options { ocr: OcrScope::Beside, tesseract });
    assert!(ui.rows.iter().all(|row| row.label.is_none()));
    assert!(ui.notes.iter().any(|note| note.contains("Tesseract is not installed")), "{:?}", ui.notes);
    assert!(ui.rows.iter().flat_map(|row| &row.cells).any(|cell| cell.state == OnOff::On));
}

#[test]
fn a_region_outside_is_an_error() {
    assert!(read_text(&picture("s00_0.png"), [5000, 5000, 6000, 6000], &Ocr::default()).is_err());
}
