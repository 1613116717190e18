//! The referee's own eyes. What a brain was told about a picture cannot get here: the seam is private, and the
//! only input is pixels.

use surehand_perceive::{Ocr, OcrScope, Options, perceive, read_text};
use surehand_types::Pixels;
use surehand_types::ui::{Anchor, PixelBox, UiState};

use crate::checks::names;

/// Reads structure and texts off a picture.
pub(crate) trait Sight: Send + Sync {
    /// Rows, switches and their labels.
    fn structure(&self, pixels: &Pixels) -> UiState;
    /// Takes the confidence from names that may be only a part of a name.
    fn doubt_names(&self, _pixels: &Pixels, _state: &mut UiState) {}
    /// The words in a part of the picture.
    fn texts(&self, pixels: &Pixels, region: PixelBox) -> Reading;
}

/// The words of a region.
#[derive(Debug, Clone, Default)]
pub(crate) struct Reading {
    pub(crate) words: Vec<Anchor>,
    /// Why words may be missing (no OCR installed …). Nothing is concluded from what is missing then.
    pub(crate) trouble: Option<String>,
    /// Places that look like text, from which nothing was read.
    pub(crate) unread: Vec<PixelBox>,
}

/// Perception as it is built in.
#[derive(Debug, Clone, Copy)]
pub(crate) struct OwnSight;

impl Sight for OwnSight {
    fn structure(&self, pixels: &Pixels) -> UiState {
        perceive(pixels, &Options { ocr: OcrScope::Beside, ..Options::default() })
    }

    fn doubt_names(&self, pixels: &Pixels, state: &mut UiState) {
        names::doubt(pixels, state);
    }

    fn texts(&self, pixels: &Pixels, region: PixelBox) -> Reading {
        match read_text(pixels, region, &Ocr::default()) {
            Ok(words) => Reading { words, ..Reading::default() },
            Err(error) => Reading { trouble: Some(error.to_string()), ..Reading::default() },
        }
    }
}
