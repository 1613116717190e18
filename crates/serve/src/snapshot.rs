//! What a run that was put away left, as the queue keeps it.

use serde::{Deserialize, Serialize};
use serde_json::Value;

#[derive(Debug, Default, Serialize, Deserialize)]
pub(crate) struct Snapshot {
    /// Cookies, storage, address, what was typed: see `Environment::keepsake`.
    pub(crate) browser: Option<Value>,
    /// Put aside while it went, when it had made so many steps: it may have gone on after that.
    #[serde(default)]
    pub(crate) steps: Option<u32>,
    /// A person had paused it; it comes back paused.
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
