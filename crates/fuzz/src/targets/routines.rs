//! Routine files: what people edit and what other machines send.

use std::collections::BTreeMap;

use proptest::strategy::BoxedStrategy;
use serde_json::json;
use surehand_types::routine::{Routine, pattern_of_title, pattern_of_url, title_matches, url_matches};

use crate::generate::mutated_json;
use crate::{Target, holds, is_sentence};

pub(super) const ROUTINES: Target = Target { name: "routines", cases: 400, input: routines, check: check_routine };

fn routines() -> BoxedStrategy<Vec<u8>> {
    let click = json!({
        "about": "click", "call": {"tool": "mouse", "action": "click", "coordinate": [5, 5]},
        "anchor": {"role": "button", "text": "Remove", "index": 1, "of": 3, "beside": "<value:who>", "box": [1, 1, 9, 9],
                   "row": ["<value:who>", "b"], "heading": "People", "caption": "May 2026", "state": "off", "empty": true, "options": ["x"], "likeness": "0f",
                   "region": [0, 0, 20, 20], "region_hash": "00"},
        "expect": {"effect": "confirmed", "evidence_kinds": ["navigation"], "url_pattern": "/a/{id}", "opens_dialog": "confirm", "dialog_text": "Remove {id}?", "took_seconds": 2.5, "complains": true,
                   "title_pattern": "{any} - <value:who>", "focus": {"role": "textbox"}, "predicates": ["url_changed"]}
    });
    let typed = json!({"call": {"tool": "keyboard", "action": "type", "text": "<value:who> <secret:x>"}});
    let whole = |steps: serde_json::Value| {
        json!({"routine": 2, "name": "n", "version": 1, "task": "t", "claim": "c", "start_url": "http://h/",
               "viewport": {"width": 1280, "height": 720}, "made_from": ["r"], "values": {"who": "Ada"}, "steps": steps})
    };
    mutated_json(vec![whole(json!([click, typed])), whole(json!([typed])), json!({"routine": 1})])
}

fn check_routine(input: &[u8]) -> Result<(), String> {
    let text = String::from_utf8_lossy(input);
    let pattern = pattern_of_title(&text);
    holds(title_matches(&pattern, &text) || text.contains("{any}"), || {
        format!("a title is not like itself: {pattern}")
    })?;
    let pattern = pattern_of_url(&text, None);
    let _ = url_matches(&pattern, &text, None);
    let mut routine = match Routine::parse(&text) {
        Ok(routine) => routine,
        Err(problem) => return is_sentence(&problem),
    };
    holds(Routine::parse(&routine.to_text()).as_ref() == Ok(&routine), || "it is another one when read again".into())?;
    let filled = routine.filled(&BTreeMap::new()).map_err(|problem| problem.to_string())?;
    holds(filled.steps.len() == routine.steps.len(), || "steps were lost".into())?;
    if let Err(problem) = routine.parametrise("other", "Ada") {
        is_sentence(&problem.to_string())?;
    }
    Ok(())
}
