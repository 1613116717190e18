//! Structure read off pixels: rows of cells and their states, labels, switches, texts. Whatever is not
//! convincing is `unknown`. Start reading at [`perceive`].

mod annotate;
mod colour;
mod labels;
mod lines;
mod ocr;
mod rows;
mod shape;
mod state;
mod structure;
mod toggles;

pub use annotate::annotate;
pub use ocr::{Ocr, OcrError, Word, parse_tsv, read_text};

use surehand_types::Pixels;
use surehand_types::ui::{UiSource, UiState, UiToggle};

use crate::shape::Rect;

/// How to look.
#[derive(Debug, Clone, Default)]
pub struct Options {
    pub ocr: OcrScope,
    /// Which Tesseract, and for how long.
    pub tesseract: Ocr,
}

/// Where texts are read.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum OcrScope {
    /// Nowhere: rows have no labels.
    #[default]
    Off,
    /// Beside rows of cells and switches. Takes 100 ms and up, by the size of the strip.
    Beside,
    /// In the whole picture. Takes a second and up.
    Whole,
}

/// What the picture shows, as structure.
pub fn perceive(pixels: &Pixels, options: &Options) -> UiState {
    let mut ui = UiState::empty(UiSource::Pixels, pixels.width, pixels.height);
    if pixels.rgb.len() != pixels.width as usize * pixels.height as usize * 3 || pixels.rgb.is_empty() {
        return ui;
    }
    let (spots, grids) = structure::find(pixels);
    let mut panels = rows::add(&grids, pixels, &mut ui);
    lines::add(pixels, &mut panels, &mut ui);
    let taken: Vec<Rect> = ui.grids.iter().filter(|grid| grid.cols >= 8).map(|grid| Rect::of_box(grid.bbox)).collect();
    let found = toggles::find(pixels, &spots, &taken);
    let unnamed = |found: &toggles::Found| UiToggle {
        label: None,
        bbox: found.bounds.to_box(),
        state: found.state,
        conf: found.conf,
    };
    ui.toggles = found.iter().map(unnamed).collect();
    if options.ocr != OcrScope::Off
        && let Err(error) = read_texts(pixels, &panels, &found, options, &mut ui)
    {
        ui.notes.push(format!("No labels: {error}."));
    }
    ui.rows.sort_by_key(|row| (row.bbox[1], row.bbox[0]));
    ui
}

/// More strips than this are not read: a picture with many grids would cost seconds.
const MAX_STRIPS: usize = 3;

fn read_texts(
    pixels: &Pixels,
    panels: &[Vec<usize>],
    found: &[toggles::Found],
    options: &Options,
    ui: &mut UiState,
) -> Result<(), OcrError> {
    for panel in panels.iter().take(MAX_STRIPS) {
        let mut members: Vec<_> =
            ui.rows.iter_mut().enumerate().filter(|(index, _)| panel.contains(index)).map(|(_, row)| row).collect();
        let words = labels::name(&mut members, pixels, &options.tesseract)?;
        ui.anchors.extend(words);
    }
    // Beside a sequencer the small squares are lamps and buttons; the time is better spent on its rows.
    if panels.is_empty() && !found.is_empty() {
        ui.toggles = toggles::label(found, pixels, &options.tesseract)?;
    }
    if options.ocr == OcrScope::Whole {
        ui.anchors = read_text(pixels, [0, 0, pixels.width, pixels.height], &options.tesseract)?;
    }
    Ok(())
}
