// Remembers the mutating requests a site received, for `/__log`. Separate from the endpoints so
// the bounds and the redaction can be read in one place.

use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};

use serde::Serialize;
use serde_json::Value;

/// Enough for any run; the oldest entries go first, so a runaway page cannot eat the memory.
const MOST_ENTRIES: usize = 5_000;
/// Bodies that are not JSON are kept only as far as they help to recognise them.
const MOST_TEXT_CHARACTERS: usize = 2_000;

/// One request that could have changed something.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct LoggedRequest {
    pub(crate) method: String,
    /// Path with its query.
    pub(crate) path: String,
    /// The body as JSON where it is JSON, else as text, else null.
    pub(crate) body: Value,
    pub(crate) status: u16,
}

/// The requests so far, oldest first.
#[derive(Debug, Default)]
pub(crate) struct RequestLog {
    entries: Mutex<VecDeque<LoggedRequest>>,
}

impl RequestLog {
    pub(crate) fn record(&self, entry: LoggedRequest) {
        let mut entries = self.lock();
        if entries.len() == MOST_ENTRIES {
            entries.pop_front();
        }
        entries.push_back(entry);
    }

    pub(crate) fn entries(&self) -> Vec<LoggedRequest> {
        self.lock().iter().cloned().collect()
    }

    pub(crate) fn clear(&self) {
        self.lock().clear();
    }

    fn lock(&self) -> MutexGuard<'_, VecDeque<LoggedRequest>> {
        self.entries.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The body in the form the log keeps.
pub(crate) fn loggable_body(body: &[u8]) -> Value {
    if body.is_empty() {
        return Value::Null;
    }
    match serde_json::from_slice::<Value>(body) {
        Ok(mut value) => {
            hide_passwords(&mut value);
            value
        }
        Err(_) => Value::String(String::from_utf8_lossy(body).chars().take(MOST_TEXT_CHARACTERS).collect()),
    }
}

/// The log ends up in reports, and a report must not carry a password, not even an invented one.
fn hide_passwords(value: &mut Value) {
    if let Some(password) = value.get_mut("password") {
        *password = Value::String("(hidden)".to_owned());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn bodies_are_kept_as_json_or_short_text_without_passwords() {
        assert_eq!(loggable_body(b""), Value::Null);
        assert_eq!(loggable_body(br#"{"email":"a","password":"b"}"#), json!({"email": "a", "password": "(hidden)"}));
        assert_eq!(loggable_body(b"[1]"), json!([1]));
        let text = loggable_body(&vec![b'x'; 9_000]);
        assert_eq!(text.as_str().map(str::len), Some(MOST_TEXT_CHARACTERS));
    }

    #[test]
    fn the_oldest_entries_give_way() {
        let log = RequestLog::default();
        for number in 0..=MOST_ENTRIES {
            log.record(LoggedRequest {
                method: "POST".to_owned(),
                path: format!("/{number}"),
                body: Value::Null,
                status: 200,
            });
        }
        let entries = log.entries();
        assert_eq!(entries.len(), MOST_ENTRIES);
        assert_eq!(entries[0].path, "/1");
    }
}
