//! The `inspect` call, for every environment: what perception sees on the frame that the brain sees. Advice only: the
//! referee looks at its own frame with its own eyes, and nothing from here reaches it.

use surehand_checks::picture;
use surehand_perceive::{OcrScope, Options, perceive};
use surehand_types::{ErrorCode, Observation, UiState};

use crate::environment::{Receipt, SettleKind};
use crate::{CallFailure, EnvError};

/// Reads the frame of a moment, with its secrets covered.
pub(crate) async fn read_pixels(observation: &Observation) -> Result<UiState, CallFailure> {
    let mut pixels = observation.frame.pixels.as_ref().clone();
    picture::fill_boxes(&mut pixels, observation.view, &observation.masks);
    // Image work of a tenth of a second and a child process: nothing for a thread that serves others.
    let read =
        tokio::task::spawn_blocking(move || perceive(&pixels, &Options { ocr: OcrScope::Whole, ..Options::default() }));
    read.await.map_err(|error| {
        let lost = EnvError::Lost(format!("the frame could not be read: {error}"));
        CallFailure::new(ErrorCode::EnvLost, lost.to_string())
    })
}

/// The answer to `inspect` from every source that there was.
pub(crate) fn told(states: Vec<UiState>) -> Receipt {
    let words: Vec<String> = states.iter().map(UiState::in_words).collect();
    Receipt {
        message: format!("inspected; advice only, look for yourself. {}", words.join(". ")),
        seen: Some(states),
        settle: SettleKind::Keep,
        ..Receipt::default()
    }
}
