//! Ends, questions, notes and pages: what a model says that neither hand can do.

use std::fmt::Write as _;

use serde_json::{Value, json};

use super::super::super::spoken::Gesture;
use super::super::super::tolerant::shortened;
use super::Deed;
use super::fields::Fields;

/// Longest summary that is made of a thought.
const LONGEST_SUMMARY: usize = 2000;

pub(super) fn end(action: &str, fields: &Fields<'_>) -> Result<Deed, String> {
    let failed_word = |word: &str| {
        let word = word.trim().to_lowercase();
        word.starts_with("fail") || matches!(word.as_str(), "false" | "infeasible" | "impossible" | "error" | "no")
    };
    let status = fields.any(&["status", "success", "result", "goal_status"]);
    let failed = match status {
        Some(Value::Bool(success)) => !success,
        Some(Value::String(word)) => failed_word(word),
        _ => matches!(action, "fail" | "failed" | "infeasible"),
    };
    let answer = fields.text(&["answer", "content", "text", "output"]).filter(|text| !text.trim().is_empty());
    let words = fields.text(&["summary", "message", "thoughts", "reason", "explanation"]);
    let summary = words.or_else(|| answer.clone()).unwrap_or_default();
    let mut done = json!({"tool": "done", "success": !failed, "summary": summary});
    if let Some(answer) = answer {
        done["output"] = answer.into();
    }
    Ok(Deed::of([done]))
}

pub(super) fn ask(fields: &Fields<'_>) -> Deed {
    let question = fields.text(&["question", "text", "content", "message", "query"]).unwrap_or_default();
    Deed::of([json!({"tool": "ask_user", "question": question})])
}

pub(super) fn memorize(fields: &Fields<'_>) -> Result<Deed, String> {
    let fact = fields.text(&["fact", "text", "content", "note", "value"]).filter(|fact| !fact.trim().is_empty());
    let fact = fact.ok_or("remembering needs the fact to remember")?;
    Ok(Deed { gestures: vec![json!({"tool": "look"})], note: Some(fact) })
}

pub(super) fn visit(fields: &Fields<'_>) -> Result<Deed, String> {
    let url = fields.text(&["url", "address", "link", "content", "text", "target"]).unwrap_or_default();
    let url = url.trim();
    if url.is_empty() {
        return Err("opening a page needs its url".into());
    }
    // `localhost:8080/a` has a colon but no scheme.
    let has_scheme =
        url.contains("://") || ["about:", "data:", "file:", "javascript:"].iter().any(|scheme| url.starts_with(scheme));
    let url = if has_scheme { url.to_string() } else { format!("https://{url}") };
    Ok(Deed::of([json!({"tool": "tab", "action": "open", "url": url})]))
}

/// A search is a page of a search engine: Bing is the one that the models with this action were trained on.
pub(super) fn search(fields: &Fields<'_>) -> Result<Deed, String> {
    let query = fields.text(&["query", "text", "content", "q"]).filter(|query| !query.trim().is_empty());
    let query = query.ok_or("a search needs the words to search for")?;
    let mut url = String::from("https://www.bing.com/search?q=");
    for byte in shortened(query.trim(), 500).bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' | b'.' | b'~' => url.push(char::from(byte)),
            b' ' => url.push('+'),
            other => {
                let _ = write!(url, "%{other:02X}");
            }
        }
    }
    Ok(Deed::of([json!({"tool": "tab", "action": "open", "url": url})]))
}

/// Many models end, or ask, without a word: their thought says it then. An answer and the end that follows it
/// are one.
pub(in super::super) fn fill_endings(gestures: &mut Vec<Gesture>, thought: Option<&str>) {
    let is_done = |gesture: &Gesture| gesture.call.get("tool").is_some_and(|tool| tool == "done");
    let empty = |gesture: &Gesture, field: &str| {
        gesture.call.get(field).and_then(Value::as_str).is_some_and(|text| text.trim().is_empty())
    };
    if gestures.iter().filter(|gesture| is_done(gesture)).count() > 1 {
        let success =
            gestures.iter().rev().find(|gesture| is_done(gesture)).and_then(|last| last.call.get("success").cloned());
        let told = gestures.iter().position(|gesture| is_done(gesture) && !empty(gesture, "summary"));
        let kept = told.or_else(|| gestures.iter().position(is_done)).unwrap_or_default();
        let mut index = 0;
        gestures.retain(|gesture| {
            index += 1;
            !is_done(gesture) || index - 1 == kept
        });
        if let (Some(done), Some(success)) = (gestures.iter_mut().find(|gesture| is_done(gesture)), success) {
            done.call.insert("success".into(), success);
        }
    }
    let thought = thought.map(str::trim).filter(|thought| !thought.is_empty());
    for gesture in gestures {
        if is_done(gesture) && empty(gesture, "summary") {
            let success = gesture.call.get("success") == Some(&Value::Bool(true));
            let plain = if success { "The model ended with success." } else { "The model gave up." };
            gesture.call.insert(
                "summary".into(),
                thought.map_or(plain.into(), |thought| shortened(thought, LONGEST_SUMMARY)).into(),
            );
        } else if empty(gesture, "question") {
            gesture.call.insert(
                "question".into(),
                thought.map_or("I need your help to go on.".into(), |thought| shortened(thought, 1500)).into(),
            );
        }
    }
}
