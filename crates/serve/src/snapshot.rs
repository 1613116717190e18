//! What a run can be gone on from, as the queue keeps it: put aside while it goes, and left when it is put away.

use serde::{Deserialize, Serialize};
use serde_json::Value;

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Snapshot {
    /// Cookies, storage, address, what was typed: see `Environment::keepsake`.
    pub(crate) browser: Option<Value>,
    /// How many steps the run had made by then: it may have gone on after that.
    #[serde(default)]
    pub(crate) steps: Option<u32>,
    /// People wanted it to stand still; it comes back paused.
    pub(crate) was_paused: bool,
    /// Who let it go on last.
    #[serde(default)]
    pub(crate) resumed_by: Option<String>,
}

impl Snapshot {
    /// One that cannot be read is none: the run goes on at its last address.
    pub(crate) fn read(text: Option<&str>) -> Snapshot {
        text.and_then(|text| serde_json::from_str(text).ok()).unwrap_or_default()
    }
}
