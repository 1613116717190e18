//! Who judged a run and what each of them saw, in words that the terminal and the web page share.

use serde_json::Value;
use surehand_types::RunResult;
use surehand_types::referee::{Channel, CheckEvidence, CheckResult, JudgeRecord};
use surehand_types::result::{CheckVerdict, FinalVerdict, JudgeVerdict};

use super::outcome::Tone;
use super::words::clip_to;

/// Of what was expected, and of what was seen.
const VALUE_CHARS: usize = 400;

/// The four fields of a verdict, none of which overwrites another.
pub fn parties(result: &RunResult) -> [(&'static str, Tone, &'static str); 4] {
    let verdict = &result.verdict;
    let own = match &verdict.self_report {
        Some(report) if report.success => (Tone::Neutral, "says it succeeded"),
        Some(_) => (Tone::Neutral, "says it did not succeed"),
        None => (Tone::Neutral, "said nothing"),
    };
    let contract = match verdict.contract {
        Some(CheckVerdict::Pass) => (Tone::Good, "passed"),
        Some(CheckVerdict::Fail) => (Tone::Bad, "failed"),
        Some(CheckVerdict::Uncertain) => (Tone::Unsure, "uncertain"),
        None => (Tone::Neutral, "none was given"),
    };
    let judge = match verdict.judge {
        Some(JudgeVerdict::Pass) => (Tone::Good, "passed"),
        Some(JudgeVerdict::Fail) => (Tone::Bad, "failed"),
        Some(JudgeVerdict::Unavailable) => (Tone::Unsure, "was not available"),
        None => (Tone::Neutral, "was not asked"),
    };
    let last = verdict_in_words(verdict.r#final);
    [
        (if result.plan.is_some() { "The plan itself" } else { "The brain itself" }, own.0, own.1),
        ("Contract", contract.0, contract.1),
        ("Visual judge", judge.0, judge.1),
        ("Final verdict", last.0, last.1),
    ]
}

pub fn verdict_in_words(verdict: FinalVerdict) -> (Tone, &'static str) {
    match verdict {
        FinalVerdict::Pass => (Tone::Good, "pass"),
        FinalVerdict::Fail => (Tone::Bad, "fail"),
        FinalVerdict::Uncertain => (Tone::Unsure, "uncertain"),
        FinalVerdict::Unjudged => (Tone::Neutral, "not judged"),
    }
}

pub fn check_tone(result: CheckResult) -> Tone {
    match result {
        CheckResult::Pass => Tone::Good,
        CheckResult::Fail => Tone::Bad,
        CheckResult::Unknown => Tone::Unsure,
    }
}

/// What a check is about and where it looked.
pub fn check_title(check: &CheckEvidence) -> String {
    let name = match &check.name {
        Some(name) => format!("{name} ({})", check.r#type),
        None => check.r#type.clone(),
    };
    let place = place_in_words(check.channel);
    let optional = if check.required { "" } else { ", not required" };
    format!("{name}, {place}{optional}")
}

/// Where a check got its facts.
pub fn place_in_words(channel: Channel) -> &'static str {
    match channel {
        Channel::Pixels => "in the picture",
        Channel::Dom => "in the page's tree",
        Channel::Page => "by the browser",
        Channel::Network => "at a server",
        Channel::File => "in a file",
        Channel::Database => "in a database",
        Channel::Output => "in the brain's answer",
    }
}

/// `expected …; seen …`, each cut to a line or two.
pub fn check_words(check: &CheckEvidence) -> String {
    check_words_within(check, VALUE_CHARS)
}

/// The same with less room for what was expected and what was seen.
pub fn check_words_within(check: &CheckEvidence, limit: usize) -> String {
    let sure = if check.channel == Channel::Pixels && check.result != CheckResult::Unknown {
        format!(", {:.0} % sure", check.confidence * 100.0)
    } else {
        String::new()
    };
    let seen =
        if check.observed.is_null() { String::new() } else { format!("; seen: {}", value(&check.observed, limit)) };
    let reason = check.reason.replace('_', " ");
    format!("expected: {}{seen}; {}{sure}", value(&check.expected, limit), clip_to(&reason, limit.min(300)))
}

/// The judge in one sentence.
pub fn judge_words(judge: &JudgeRecord) -> String {
    let mut words = judge.judge_model.clone();
    if let (Some(score), Some(confidence)) = (judge.judge_score, judge.judge_confidence) {
        words.push_str(&format!(": score {score:.2}, {:.0} % sure", confidence * 100.0));
    }
    if judge.samples.len() > 1 {
        words.push_str(&format!(", asked {} times", judge.samples.len()));
    }
    if let Some(problem) = &judge.problem {
        words.push_str(&format!("; {}", problem.replace('_', " ")));
    }
    for reason in judge.judge_reasons.iter().take(4) {
        words.push_str(&format!("; {}", clip_to(reason, 200)));
    }
    words
}

fn value(value: &Value, limit: usize) -> String {
    let text = match value {
        Value::String(text) => text.clone(),
        other => inner(other),
    };
    clip_to(&text, limit)
}

fn inner(value: &Value) -> String {
    match value {
        Value::String(text) => format!("\u{201c}{text}\u{201d}"),
        Value::Array(items) if items.is_empty() => "none".into(),
        Value::Array(items) => items.iter().map(inner).collect::<Vec<_>>().join(" "),
        Value::Object(map) => {
            let known = map.iter().filter(|(_, value)| !value.is_null());
            known
                .map(|(key, value)| format!("{} {}", key.replace('_', " "), inner(value)))
                .collect::<Vec<_>>()
                .join(", ")
        }
        other => other.to_string(),
    }
}
