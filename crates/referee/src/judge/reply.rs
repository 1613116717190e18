//! Reads a judge's reply. Strict: a text is not a boolean, a field that is there twice says nothing, and a number
//! out of range is not a number. Whatever cannot be read is no judgement, and never a pass.

use serde_json::{Map, Value};

use crate::fusion::rounded;
use surehand_checks::strict_json;

const MOST_REASONS: usize = 8;
const LONGEST_REASON: usize = 300;
/// Bytes of a reply that are looked at.
const LONGEST_REPLY: usize = 200_000;
/// A pass with a lower score, or a fail with a score above the other, takes back what it says.
const LOWEST_SCORE_OF_A_PASS: f64 = 0.5;
const HIGHEST_SCORE_OF_A_FAIL: f64 = 0.95;

/// A reply that could be read. `Err` in its place is the code of why not.
#[derive(Debug, Clone, PartialEq)]
pub struct JudgeReply {
    pub passed: bool,
    pub score: f64,
    pub confidence: f64,
    pub reasons: Vec<String>,
    pub observed: Option<Value>,
    /// The steps it saw lit; `None` where it names none.
    pub active_steps: Option<Vec<u32>>,
    pub requirements: Requirements,
}

/// What the reply says about the requirements one by one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Requirements {
    pub met: u32,
    pub not_met: u32,
    pub not_seen: u32,
}

impl JudgeReply {
    /// `last_step` is the highest step that the contract knows.
    pub fn read(raw: &str, last_step: u32) -> Result<JudgeReply, &'static str> {
        let object = object_in(alone(raw)?, strict_json::parse).ok_or("judge_unparseable")?;
        let passed = match object.get("passed") {
            Some(Value::Bool(passed)) => *passed,
            Some(_) => return Err("passed_is_no_boolean"),
            None => return Err("passed_is_missing"),
        };
        let score = share(object.get("score")).ok_or("score_is_no_share")?;
        let confidence = share(object.get("confidence")).ok_or("confidence_is_no_share")?;
        let observed = object.get("observed").filter(|observed| !observed.is_null()).cloned();
        let inner = |name: &str| observed.as_ref().and_then(|observed| observed.get(name));
        let listed = object.get("observed_active_steps").or_else(|| inner("active_steps"));
        let active_steps = match listed {
            None | Some(Value::Null) => None,
            Some(listed) => Some(steps(listed, last_step).ok_or("observed_steps_unreadable")?),
        };
        let requirements = match inner("requirements") {
            None | Some(Value::Null) => Requirements::default(),
            Some(Value::Array(list)) => requirements(list),
            Some(_) => return Err("requirements_unreadable"),
        };
        let reasons = match object.get("reasons") {
            Some(Value::Array(list)) => {
                list.iter().filter_map(Value::as_str).filter_map(reason).take(MOST_REASONS).collect()
            }
            _ => Vec::new(),
        };
        Ok(JudgeReply { passed, score, confidence, reasons, observed, active_steps, requirements })
    }

    /// Why the reply takes back what it says, by itself. The contract may add to that.
    pub fn contradiction(&self) -> Option<&'static str> {
        if self.passed && self.score < LOWEST_SCORE_OF_A_PASS {
            return Some("passed_with_a_low_score");
        }
        if !self.passed && self.score > HIGHEST_SCORE_OF_A_FAIL {
            return Some("failed_with_a_full_score");
        }
        if self.passed && self.requirements.not_met > 0 {
            return Some("passed_with_a_requirement_not_met");
        }
        None
    }
}

/// A reply as the conformance cases want it: two-valued, numbers clamped, steps from 1 to 16.
#[derive(Debug, Clone, PartialEq)]
pub struct TwoValuedReply {
    pub passed: bool,
    pub score: f64,
    pub confidence: f64,
    pub reasons: Vec<String>,
    pub observed_active_steps: Vec<u32>,
}

impl TwoValuedReply {
    pub fn read(raw: &str) -> TwoValuedReply {
        const STEPS: u64 = 16;
        let lenient = |text: &str| serde_json::from_str::<Value>(text);
        let Some(object) = object_in(raw, lenient).filter(|object| !object.is_empty()) else {
            return TwoValuedReply {
                passed: false,
                score: 0.0,
                confidence: 0.0,
                reasons: vec!["visual_judge_unparseable".into()],
                observed_active_steps: Vec::new(),
            };
        };
        let clamped = |name: &str| {
            let number = match object.get(name) {
                Some(Value::Number(number)) => number.as_f64(),
                Some(Value::String(text)) => text.trim().parse().ok().filter(|number: &f64| !number.is_nan()),
                Some(Value::Bool(yes)) => Some(f64::from(u8::from(*yes))),
                _ => None,
            };
            rounded(number.unwrap_or(0.0).clamp(0.0, 1.0), 3)
        };
        let list = |name: &str| object.get(name).and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
        let words = |value: &Value| match value {
            Value::String(text) => text.clone(),
            Value::Null => "None".into(),
            Value::Bool(yes) => {
                if *yes {
                    "True".into()
                } else {
                    "False".into()
                }
            }
            other => other.to_string(),
        };
        let reasons = list("reasons").iter().map(words).filter(|text| !text.trim().is_empty());
        let mut observed: Vec<u32> = list("observed_active_steps")
            .iter()
            .filter_map(Value::as_u64)
            .filter(|step| (1..=STEPS).contains(step))
            .map(|step| step as u32)
            .collect();
        observed.sort_unstable();
        observed.dedup();
        TwoValuedReply {
            // The string "false" is not true, here neither.
            passed: object.get("passed") == Some(&Value::Bool(true)),
            score: clamped("score"),
            confidence: clamped("confidence"),
            reasons: reasons.take(MOST_REASONS).collect(),
            observed_active_steps: observed,
        }
    }
}

/// The judgement without its fence, and without thoughts that a model writes before it answers. Words around it may
/// take back what it says, and nobody can read them for that.
fn alone(raw: &str) -> Result<&str, &'static str> {
    let mut text = raw.trim();
    if let Some(rest) = text.strip_prefix("<think>") {
        text = rest.split_once("</think>").ok_or("judge_unparseable")?.1.trim();
    }
    if let Some(fenced) = text.strip_prefix("```") {
        let inner = fenced.strip_suffix("```").ok_or("words_around_the_judgement")?;
        text = inner.strip_prefix("json").unwrap_or(inner).trim();
    }
    match (text.starts_with('{') && text.ends_with('}'), text.contains('{') && text.contains('}')) {
        (true, _) => Ok(text),
        (false, true) => Err("words_around_the_judgement"),
        (false, false) => Err("judge_unparseable"),
    }
}

/// The text itself, or what is between its first and last brace.
fn object_in<E>(raw: &str, parse: impl Fn(&str) -> Result<Value, E>) -> Option<Map<String, Value>> {
    if raw.len() > LONGEST_REPLY {
        return None;
    }
    let (start, end) = (raw.find('{')?, raw.rfind('}')?);
    match parse(raw.get(start..=end)?) {
        Ok(Value::Object(object)) => Some(object),
        _ => None,
    }
}

fn share(value: Option<&Value>) -> Option<f64> {
    value?.as_f64().filter(|number| (0.0..=1.0).contains(number)).map(|number| rounded(number, 3))
}

fn steps(listed: &Value, last: u32) -> Option<Vec<u32>> {
    let mut steps = Vec::new();
    for step in listed.as_array()? {
        let step = step.as_u64().and_then(|step| u32::try_from(step).ok()).filter(|step| (1..=last).contains(step))?;
        steps.push(step);
    }
    steps.sort_unstable();
    steps.dedup();
    Some(steps)
}

fn requirements(list: &[Value]) -> Requirements {
    let mut counted = Requirements::default();
    for requirement in list {
        match requirement.get("met") {
            Some(Value::Bool(true)) => counted.met += 1,
            Some(Value::Bool(false)) => counted.not_met += 1,
            // A text like "yes" is not understood, and what is not understood was not seen.
            _ => counted.not_seen += 1,
        }
    }
    counted
}

fn reason(text: &str) -> Option<String> {
    let text = text.trim();
    (!text.is_empty()).then(|| text.chars().take(LONGEST_REASON).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn problem(raw: &str) -> &'static str {
        match JudgeReply::read(raw, 16) {
            Ok(reply) => reply.contradiction().unwrap_or("fine"),
            Err(problem) => problem,
        }
    }

    #[test]
    fn what_cannot_be_read_is_no_judgement() {
        for (raw, wanted) in [
            (r#"{"passed":true,"score":0.9,"confidence":0.8,"reasons":["ok"]}"#, "fine"),
            ("```json\n{\"passed\":false,\"score\":0,\"confidence\":1}\n```", "fine"),
            ("<think>{\"passed\": true}</think>\n{\"passed\":false,\"score\":0,\"confidence\":1}", "fine"),
            ("Here:\n```json\n{\"passed\":false,\"score\":0,\"confidence\":1}\n```", "words_around_the_judgement"),
            (r#"{"passed":true,"score":1,"confidence":1} However, it failed."#, "words_around_the_judgement"),
            (r#"[{"passed":true,"score":1,"confidence":1}]"#, "words_around_the_judgement"),
            ("", "judge_unparseable"),
            ("The pattern looks right to me.", "judge_unparseable"),
            (r#"{"passed": true, "score": 1"#, "judge_unparseable"),
            (r#"[{"passed":true,"score":1,"confidence":1}"#, "words_around_the_judgement"),
            (
                r#"{"passed":true,"score":1,"confidence":1} or {"passed":false,"score":0,"confidence":1}"#,
                "judge_unparseable",
            ),
            (r#"{"passed":false,"score":1,"confidence":1,"passed":true}"#, "judge_unparseable"),
            (r#"{"passed":"false","score":0.1,"confidence":0.9}"#, "passed_is_no_boolean"),
            (r#"{"passed":"true","score":1,"confidence":1}"#, "passed_is_no_boolean"),
            (r#"{"passed":1,"score":1,"confidence":1}"#, "passed_is_no_boolean"),
            (r#"{"passed":null,"score":1,"confidence":1}"#, "passed_is_no_boolean"),
            (r#"{"score":1,"confidence":1}"#, "passed_is_missing"),
            (r#"{"passed":true,"confidence":1}"#, "score_is_no_share"),
            (r#"{"passed":true,"score":95,"confidence":1}"#, "score_is_no_share"),
            (r#"{"passed":true,"score":1,"confidence":"high"}"#, "confidence_is_no_share"),
            (r#"{"passed":true,"score":1,"confidence":-0.1}"#, "confidence_is_no_share"),
            (r#"{"passed":true,"score":1,"confidence":1,"observed_active_steps":[1,17]}"#, "observed_steps_unreadable"),
            (
                r#"{"passed":true,"score":1,"confidence":1,"observed":{"active_steps":"all"}}"#,
                "observed_steps_unreadable",
            ),
            (r#"{"passed":true,"score":0.4,"confidence":1}"#, "passed_with_a_low_score"),
            (r#"{"passed":false,"score":1,"confidence":1}"#, "failed_with_a_full_score"),
            (
                r#"{"passed":true,"score":0.9,"confidence":1,"observed":{"requirements":[{"met":true},{"met":false}]}}"#,
                "passed_with_a_requirement_not_met",
            ),
            (
                r#"{"passed":true,"score":1,"confidence":1,"observed":{"requirements":"all"}}"#,
                "requirements_unreadable",
            ),
        ] {
            assert_eq!(problem(raw), wanted, "{raw}");
        }
    }

    #[test]
    fn a_reply_in_full() {
        let raw = r#"{"observed": {"requirements": [{"met": true}, {"met": null}, {"met": "yes"}]},
            "observed_active_steps": [13, 1, 5, 9, 5], "passed": true, "score": 0.9234, "confidence": 0.8,
            "reasons": ["ok", " ", 5, "fine"]}"#;
        let reply = JudgeReply::read(raw, 16).unwrap();
        assert_eq!((reply.passed, reply.score, reply.confidence), (true, 0.923, 0.8));
        assert_eq!(reply.active_steps, Some(vec![1, 5, 9, 13]));
        assert_eq!(reply.reasons, ["ok", "fine"]);
        assert_eq!(reply.requirements, Requirements { met: 1, not_met: 0, not_seen: 2 });
    }
}
