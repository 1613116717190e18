//! The one error type of this crate. Trouble while reading a trace is not here: that is data
//! (`TraceProblem`), since a damaged trace must still be looked at.

use surehand_checks::picture::PictureError;

#[derive(Debug, thiserror::Error)]
pub enum TraceError {
    #[error("the trace could not be written: {0}")]
    Append(#[source] std::io::Error),
    #[error("a frame could not be stored: {0}")]
    StoreFrame(#[source] std::io::Error),
    #[error("a frame could not be encoded: {0}")]
    Encode(#[source] PictureError),
    #[error("the film could not be written: {0}")]
    Film(#[source] gif::EncodingError),
    #[error(
        "none of the run's frames is stored, so there is nothing to make a film of\nhint: `surehand runs export RUN --format jsonl` needs no frames"
    )]
    NoFrames,
    #[error("an event could not be put into JSON: {0}")]
    Serialise(#[source] serde_json::Error),
}
