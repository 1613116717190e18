//! The verifier's answer about a done: `{"valid": bool, "reason": str}`, somewhere in what a model wrote.

use serde_json::Value;

/// Only the end of an endless answer is read.
const READ: usize = 16 * 1024;
/// The longest reason that is kept.
const REASON: usize = 500;

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum VerifierVerdict {
    Valid,
    Rejected {
        reason: String,
    },
    /// Asked, but no answer came or it cannot be read. Not consent.
    Silent {
        why: String,
    },
    /// There is no verifier to ask, or it is switched off.
    NotConfigured,
}

impl VerifierVerdict {
    /// The last object in the text that has a `valid` of true or false counts.
    pub fn read(text: &str) -> VerifierVerdict {
        let text = tail(text);
        let mut verdict = None;
        let mut from = 0;
        while let Some(start) = text.get(from..).and_then(|rest| rest.find('{')).map(|at| from + at) {
            let rest = text.get(start..).unwrap_or_default();
            let mut objects = serde_json::Deserializer::from_str(rest).into_iter::<Value>();
            match objects.next() {
                Some(Ok(object)) => {
                    verdict = find(&object).or(verdict);
                    from = start + objects.byte_offset().max(1);
                }
                _ => from = start + 1,
            }
        }
        verdict.unwrap_or_else(|| VerifierVerdict::Silent { why: "the verifier's answer cannot be read".into() })
    }
}

/// The verdict in an object, or in an object within it.
fn find(object: &Value) -> Option<VerifierVerdict> {
    let fields = object.as_object()?;
    match fields.get("valid") {
        Some(Value::Bool(true)) => Some(VerifierVerdict::Valid),
        Some(Value::Bool(false)) => {
            let reason = fields.get("reason").and_then(Value::as_str).unwrap_or_default();
            Some(VerifierVerdict::Rejected { reason: reason.trim().chars().take(REASON).collect() })
        }
        _ => fields.values().find_map(find),
    }
}

fn tail(text: &str) -> &str {
    let mut start = text.len().saturating_sub(READ);
    while !text.is_char_boundary(start) {
        start += 1;
    }
    text.get(start..).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rejected(reason: &str) -> VerifierVerdict {
        VerifierVerdict::Rejected { reason: reason.into() }
    }

    #[test]
    fn the_answer_is_found_wherever_it_stands() {
        let check = |text: &str, verdict: VerifierVerdict| assert_eq!(VerifierVerdict::read(text), verdict, "{text}");
        check(r#"{"valid": true, "reason": "seen"}"#, VerifierVerdict::Valid);
        check("```json\n{\"valid\": false, \"reason\": \" cart is empty \"}\n```", rejected("cart is empty"));
        check(r#"Either {"valid": true} or {x}. I say {"valid": false}"#, rejected(""));
        check(r#"{"answer": {"valid": false, "reason": "no"}}"#, rejected("no"));
        check(r#"{"valid": true, "reason": "a { that is no object"}"#, VerifierVerdict::Valid);
    }

    #[test]
    fn what_cannot_be_read_is_silence() {
        let deep = "{\"a\":".repeat(4000);
        let endless = "{\"valid\": tru".repeat(9000);
        let texts =
            ["", "yes", "true", "{", "}{", "{\"valid\": \"true\"}", "{\"valid\": 1}", "[true]", "é{é", &deep, &endless];
        for text in texts {
            assert!(matches!(VerifierVerdict::read(text), VerifierVerdict::Silent { .. }), "{text:.40}");
        }
        let cut = format!("{}{{\"valid\": true}}", "ü".repeat(READ));
        assert_eq!(VerifierVerdict::read(&cut), VerifierVerdict::Valid);
    }
}
