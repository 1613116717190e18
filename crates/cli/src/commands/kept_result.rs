//! Keeps what an experiment found, for the Eval page of `surehand serve`.

use surehand_store::{DataDir, NewEval};

/// A result that cannot be kept is still printed: hours of runs are not lost to a full disk.
pub(super) fn keep_result(data: &DataDir, new: NewEval<'_>) {
    match data.keep_eval(new) {
        Ok(kept) => tracing::info!(id = kept.id, "the result is kept in the data folder"),
        Err(error) => tracing::warn!(%error, "the result could not be kept"),
    }
}
