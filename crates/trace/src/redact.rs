//! Redaction of one event. The redactor goes over every string; what only our own code can have
//! made (hashes, times, ids) is put back after, because a PIN like "1234" occurs in hashes by
//! chance (about once in a thousand) and a redacted hash would lose its frame.

use serde_json::Value;
use surehand_types::Redactor;

/// Fields of the envelope and of single events that hold nothing from outside.
const MACHINE_MADE: &[&str] = &[
    "/v",
    "/seq",
    "/at",
    "/run_id",
    "/type",
    "/sha256",
    "/format",
    "/frame_hash",
    "/frames/before",
    "/frames/after",
    "/surehand_version",
    "/result/run_id",
    "/result/started_at",
    "/result/termination_reason",
    "/result/verdict/final",
];

/// The same inside each step of the final result.
const MACHINE_MADE_IN_STEP: &[&str] = &["/frame_hash", "/frames/before", "/frames/after"];

pub(crate) fn redact(redactor: &Redactor, event: &mut Value) {
    if redactor.is_empty() {
        return;
    }
    let mut kept: Vec<(String, Value)> = Vec::new();
    for path in MACHINE_MADE {
        if let Some(value) = event.pointer(path) {
            kept.push(((*path).to_string(), value.clone()));
        }
    }
    if let Some(Value::Array(steps)) = event.pointer("/result/trajectory") {
        for (index, step) in steps.iter().enumerate() {
            for path in MACHINE_MADE_IN_STEP {
                if let Some(value) = step.pointer(path) {
                    kept.push((format!("/result/trajectory/{index}{path}"), value.clone()));
                }
            }
        }
    }
    redactor.json(event);
    for (path, value) in kept {
        if let Some(place) = event.pointer_mut(&path) {
            *place = value;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;
    use surehand_types::Secret;

    #[test]
    fn hashes_and_times_survive_a_short_secret() {
        let redactor = Redactor::new(&[Secret::new("pin", "1234")]);
        let mut event = json!({
            "v": 1, "seq": 3, "at": "2026-01-01T12:34:12.341234Z", "run_id": "01k1234", "type": "step",
            "message": "typed 1234", "frames": {"before": "ab1234", "after": null}, "frame_hash": "1234",
        });
        redact(&redactor, &mut event);
        assert_eq!(
            event,
            json!({
                "v": 1, "seq": 3, "at": "2026-01-01T12:34:12.341234Z", "run_id": "01k1234", "type": "step",
                "message": "typed <secret:pin>", "frames": {"before": "ab1234", "after": null}, "frame_hash": "1234",
            })
        );
    }

    #[test]
    fn steps_inside_the_result_keep_their_frames() {
        let redactor = Redactor::new(&[Secret::new("pin", "1234")]);
        let mut event = json!({"type": "run_ended", "result": {"run_id": "x1234", "summary": "pin 1234",
            "trajectory": [{"thought": "1234", "frames": {"before": "1234", "after": "991234"}, "frame_hash": ""}]}});
        redact(&redactor, &mut event);
        assert_eq!(
            event,
            json!({"type": "run_ended", "result": {"run_id": "x1234", "summary": "pin <secret:pin>",
                "trajectory": [{"thought": "<secret:pin>", "frames": {"before": "1234", "after": "991234"}, "frame_hash": ""}]}})
        );
    }
}
