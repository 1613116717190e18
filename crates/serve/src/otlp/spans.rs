//! From events of a trace to spans as OTLP writes them in JSON. Each span follows from one event: a step says when it
//! ended and how long it took, the end of a run when it began. Ids follow from the run's id, so that a run which goes on
//! after a restart stays one trace.

use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use surehand_types::event::{Envelope, Event};
use surehand_types::result::FinalVerdict;
use surehand_types::{RunResult, StepRecord, Termination};

/// Status codes and the kind "internal" of the protocol.
const OK: u8 = 1;
const ERROR: u8 = 2;
const INTERNAL: u8 = 1;

pub(super) fn span(envelope: &Envelope) -> Option<Value> {
    match &envelope.event {
        Event::Step(step) => step_span(envelope, step),
        // One that was put away ends another time.
        Event::RunEnded { result } if result.termination_reason != Termination::Paused => run_span(envelope, result),
        _ => None,
    }
}

/// What is sent at once.
pub(super) fn request(version: &str, spans: &[Value]) -> Value {
    json!({"resourceSpans": [{
        "resource": {"attributes": [text("service.name", "surehand"), text("service.version", version)]},
        "scopeSpans": [{"scope": {"name": "surehand", "version": version}, "spans": spans}],
    }]})
}

fn step_span(envelope: &Envelope, step: &StepRecord) -> Option<Value> {
    let end = nanoseconds(&envelope.at)?;
    let start = end.saturating_sub((step.timing_ms.total.max(0.0) * 1e6) as i128);
    let field = |name: &str| step.call.as_ref().and_then(|call| call.get(name)?.as_str());
    let tool = field("tool").unwrap_or("none");
    let name = [Some(tool), field("action")].into_iter().flatten().collect::<Vec<_>>().join(" ");
    let mut attributes = vec![
        text("surehand.run_id", &envelope.run_id),
        whole("surehand.step", i64::from(step.step)),
        whole("surehand.turn", i64::from(step.turn)),
        text("surehand.tool", tool),
        text("surehand.by", step.by.as_deref().unwrap_or("brain")),
        number("surehand.brain.latency_ms", step.timing_ms.think),
        number("surehand.brain.cost_usd", step.usage.cost_usd),
        whole("surehand.brain.input_tokens", i64::try_from(step.usage.input_tokens).unwrap_or(i64::MAX)),
        whole("surehand.brain.output_tokens", i64::try_from(step.usage.output_tokens).unwrap_or(i64::MAX)),
    ];
    if let Some(effect) = &step.effect {
        attributes.push(text("surehand.effect.status", &word(&effect.status)));
    }
    if let Some(reason) = &step.done_rejected_reason {
        attributes.push(text("surehand.done_rejected", reason));
    }
    let code = step.error.as_ref().map(|problem| word(&problem.code));
    let status = if step.ok { json!({"code": OK}) } else { json!({"code": ERROR, "message": code}) };
    Some(json!({
        "traceId": trace_id(&envelope.run_id),
        "spanId": span_id(&envelope.run_id, &format!("step {}", step.step)),
        "parentSpanId": span_id(&envelope.run_id, "run"),
        "name": name,
        "kind": INTERNAL,
        "startTimeUnixNano": start.to_string(),
        "endTimeUnixNano": end.to_string(),
        "attributes": attributes,
        "status": status,
    }))
}

fn run_span(envelope: &Envelope, result: &RunResult) -> Option<Value> {
    let reason = result.termination_reason.as_str();
    let failed = !result.success || result.verdict.r#final == FinalVerdict::Fail;
    let status = if failed { json!({"code": ERROR, "message": reason}) } else { json!({"code": OK}) };
    Some(json!({
        "traceId": trace_id(&envelope.run_id),
        "spanId": span_id(&envelope.run_id, "run"),
        "name": "run",
        "kind": INTERNAL,
        "startTimeUnixNano": nanoseconds(&result.started_at)?.to_string(),
        "endTimeUnixNano": nanoseconds(&envelope.at)?.to_string(),
        "attributes": [
            text("surehand.run_id", &envelope.run_id),
            text("surehand.brain", &result.brain),
            text("surehand.termination_reason", reason),
            text("surehand.verdict", &word(&result.verdict.r#final)),
            json!({"key": "surehand.success", "value": {"boolValue": result.success}}),
            whole("surehand.steps", i64::from(result.steps)),
            number("surehand.cost_usd", result.cost),
        ],
        "status": status,
    }))
}

fn text(key: &str, value: &str) -> Value {
    json!({"key": key, "value": {"stringValue": value}})
}

fn number(key: &str, value: f64) -> Value {
    json!({"key": key, "value": {"doubleValue": value}})
}

/// The protocol writes whole numbers as texts.
fn whole(key: &str, value: i64) -> Value {
    json!({"key": key, "value": {"intValue": value.to_string()}})
}

/// An enum as it is written everywhere else.
fn word(value: &impl serde::Serialize) -> String {
    serde_json::to_value(value).ok().and_then(|it| it.as_str().map(str::to_string)).unwrap_or_default()
}

fn nanoseconds(at: &str) -> Option<i128> {
    at.parse::<jiff::Timestamp>().ok().map(jiff::Timestamp::as_nanosecond)
}

fn trace_id(run_id: &str) -> String {
    hex(&format!("trace {run_id}"), 16)
}

fn span_id(run_id: &str, what: &str) -> String {
    hex(&format!("{what} of {run_id}"), 8)
}

fn hex(text: &str, bytes: usize) -> String {
    Sha256::digest(text.as_bytes()).iter().take(bytes).map(|byte| format!("{byte:02x}")).collect()
}
