//! Every name a prompt puts in code marks exists: as a tool, a field, a choice, a prediction, or a
//! field of the turn as it goes over the wire. So a renamed answer field breaks a test, not a model.

use std::collections::BTreeSet;

use serde_json::{Value, json};
use surehand_types::ErrorCode;
use surehand_types::call::{FieldKind, TOOLS};
use surehand_types::reply::{CallResult, ObservationView};

/// Keys that survive being read as our types and written again.
fn wire_names() -> BTreeSet<String> {
    let file = json!({"path": "f", "width": 1, "height": 1, "format": "png", "sha256": "", "stale": false});
    let hit = |covers: Value| {
        json!({"descriptor": "button", "tag": "button", "role": null, "name": null, "id": null, "classes": [],
               "box": null, "frame": null, "covers": covers})
    };
    let observation: ObservationView = serde_json::from_value(json!({
        "message": "", "error": {"code": "denied", "message": ""}, "dispatched": null, "hit": hit(hit(Value::Null)),
        "pending": {"kind": "select", "hit": null, "accept": "", "multiple": true, "follow_up": "select_option",
                    "options": [{"value": "", "label": "", "selected": true, "disabled": false}]},
        "candidates": [{"descriptor": "", "center": [1, 1], "distance_px": 1.0}], "frame": file, "images": [],
        "url": "", "title": "", "focus": {"tag": "input", "value": ""}, "tabs": [], "opened": [], "dialog": null,
        "downloads": [],
    }))
    .unwrap();
    let result: CallResult = serde_json::from_value(json!({
        "index": 0, "ran": true, "ok": true, "message": "",
        "effect": {"status": "refused", "evidence": [{"kind": "", "detail": ""}], "reason": "preview"},
    }))
    .unwrap();
    let mut names = BTreeSet::new();
    collect(&serde_json::to_value(observation).unwrap(), &mut names);
    collect(&serde_json::to_value(result).unwrap(), &mut names);
    names
}

fn collect(value: &Value, names: &mut BTreeSet<String>) {
    match value {
        Value::Object(map) => {
            for (name, inner) in map {
                names.insert(name.clone());
                collect(inner, names);
            }
        }
        Value::Array(items) => items.iter().for_each(|item| collect(item, names)),
        _ => {}
    }
}

fn declared_names() -> BTreeSet<String> {
    let mut names = BTreeSet::from(["tool".to_string()]);
    for tool in TOOLS {
        names.insert(tool.name.into());
        for field in tool.fields {
            names.insert(field.name.into());
            if let FieldKind::Choice(values) = field.kind {
                names.extend(values.iter().map(ToString::to_string));
            }
        }
    }
    names
}

fn is_error_code(name: &str) -> bool {
    serde_json::from_value::<ErrorCode>(Value::from(name)).is_ok()
}

#[test]
fn every_name_in_code_marks_exists() {
    let mut known = wire_names();
    known.extend(declared_names());
    // The reply's and the turn's own fields, and the two reasons of a held-back input.
    let others = ["thought", "expected", "calls", "results", "feedback", "problem", "hints", "budget"];
    let reasons = ["preview", "native_control", "confirmed", "no_effect", "unverifiable", "refused"];
    known.extend(others.iter().chain(&reasons).map(ToString::to_string));
    for (name, text) in super::texts() {
        for line in text.lines().filter(|line| !line.contains("Kinds: ")) {
            for word in line.split('`').skip(1).step_by(2) {
                assert!(known.contains(word) || is_error_code(word), "{name}: `{word}` in {line:?}");
            }
        }
    }
}
