//! What the audit log knows of a call that a process did not come back from. A person's word is written down before the
//! call is made, so without one a call that needed it was not made.

use serde_json::{Map, Value};
use surehand_store::{DataDir, read_audit};
use surehand_types::result::{ConfirmAnswer, PolicyRecord};

/// Lines of the run that are looked through: its last call is among the newest.
const LINES: usize = 200;

/// `None`: nobody was asked, or nothing is known.
pub(crate) fn word_about(data: &DataDir, run_id: &str, step: u32, call: &Map<String, Value>) -> Option<PolicyRecord> {
    if call.get("tool").and_then(Value::as_str) == Some("ask_user") {
        let reason = "it does nothing to the page".to_string();
        let (decision, rule) = ("allow".to_string(), "default".to_string());
        return Some(PolicyRecord { decision, rule, reason, answer: Some(ConfirmAnswer::Withdrawn), by: None });
    }
    word_in(&read_audit(data, Some(run_id), LINES).ok()?, step)
}

fn word_in(lines: &[Value], step: u32) -> Option<PolicyRecord> {
    let is = |line: &Value, kind: &str| line["kind"] == kind && line["step"] == step;
    let decided = lines.iter().rposition(|line| is(line, "decision"))?;
    let text = |line: &Value, name: &str| line[name].as_str().unwrap_or_default().to_string();
    let line = &lines[decided];
    let mut record = PolicyRecord {
        decision: text(line, "decision"),
        rule: text(line, "rule"),
        reason: text(line, "reason"),
        answer: None,
        by: None,
    };
    match lines[decided + 1..].iter().find(|line| is(line, "approval")) {
        Some(word) => {
            record.answer = Some(serde_json::from_value(word["answer"].clone()).ok()?);
            record.by = word["by"].as_str().map(str::to_string);
        }
        None if record.decision == "confirm" && line["confirm"] != "none" => {
            record.answer = Some(ConfirmAnswer::Withdrawn);
        }
        None => return None,
    }
    Some(record)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_call_that_needed_a_word_was_made_only_with_one() {
        let decision = |step: u32, decision: &str, confirm: &str| json!({"kind": "decision", "step": step, "decision": decision, "confirm": confirm, "rule": "delete"});
        let word = |step: u32, answer: &str| json!({"kind": "approval", "step": step, "answer": answer, "by": "ada"});
        let asked = decision(2, "confirm", "risky");
        for (lines, expected) in [
            (vec![], None),
            (vec![decision(2, "allow", "risky")], None),
            (vec![decision(2, "confirm", "none")], None),
            (vec![asked.clone()], Some(ConfirmAnswer::Withdrawn)),
            (vec![asked.clone(), word(2, "yes")], Some(ConfirmAnswer::Yes)),
            (vec![asked.clone(), word(2, "no")], Some(ConfirmAnswer::No)),
            (vec![asked.clone(), word(2, "yes"), asked.clone()], Some(ConfirmAnswer::Withdrawn)),
            (vec![decision(1, "confirm", "risky"), word(1, "yes"), asked.clone()], Some(ConfirmAnswer::Withdrawn)),
            (vec![asked.clone(), word(2, "perhaps")], None),
            (vec![json!(7), json!({"kind": "decision"})], None),
        ] {
            let found = word_in(&lines, 2);
            assert_eq!(found.as_ref().and_then(|record| record.answer), expected, "{lines:?}");
            assert_eq!(
                found.and_then(|record| record.by).is_some(),
                lines.len() == 2 && expected.is_some_and(|answer| answer != ConfirmAnswer::Withdrawn)
            );
        }
    }
}
