//! What a server answers, and what the brain answered.

use serde_json::{Value, json};
use surehand_types::referee::CheckResult;

use crate::contract::{Http, HttpTarget, Met, Output, Start, shortened, shortened_text};
use crate::finding::Finding;
use crate::probes::{HttpAnswer, HttpRequest};
use surehand_checks::strict_json;

pub(crate) fn expected_of_server(rule: &Http) -> Value {
    let address = match &rule.target {
        HttpTarget::Address(url) => url.to_string(),
        HttpTarget::AtStart(path) => path.clone(),
    };
    let status = if rule.statuses.is_empty() { json!("200 to 299") } else { json!(rule.statuses) };
    let mut expected = json!({"url": address, "status": status});
    if let Some(body) = &rule.body {
        expected["body_regex"] = json!(body.as_str());
    }
    if let (Some(value), Some(expected)) = (&rule.value, expected.as_object_mut()) {
        expected.extend(value.expected());
    }
    expected
}

/// The request of a rule; a path needs to know where the run began.
pub(crate) fn request(rule: &Http, start_url: Option<&str>) -> Result<HttpRequest, String> {
    let url = match &rule.target {
        HttpTarget::Address(url) => url.clone(),
        HttpTarget::AtStart(path) => {
            let start = start_url.ok_or("where the run began is not known, and the address is only a path")?;
            let start = url::Url::parse(start).map_err(|error| format!("the run began at no address: {error}"))?;
            if !matches!(start.scheme(), "http" | "https") {
                return Err(format!("the run began at {}:, where no server answers", start.scheme()));
            }
            let joined = start.join(path).map_err(|error| format!("the path makes no address: {error}"))?;
            if joined.origin() != start.origin() {
                return Err("the path leads to another server".into());
            }
            joined
        }
    };
    let keep_redirect = rule.statuses.iter().any(|status| (300..400).contains(status));
    Ok(HttpRequest { url, headers: rule.headers.clone(), with_session: rule.with_session, keep_redirect })
}

/// The document that a rule reads values out of; the error is one sentence.
pub(crate) fn document(rule: &Http, answer: &HttpAnswer) -> Result<Value, String> {
    if !status_fits(rule, answer.status) {
        return Err(format!("the server answered with status {}", answer.status));
    }
    if answer.cut {
        return Err("the answer is too long".into());
    }
    json_of(answer).ok_or_else(|| "the answer is no JSON".into())
}

fn status_fits(rule: &Http, status: u16) -> bool {
    if rule.statuses.is_empty() { (200..300).contains(&status) } else { rule.statuses.contains(&status) }
}

fn json_of(answer: &HttpAnswer) -> Option<Value> {
    let text = std::str::from_utf8(&answer.body).ok()?;
    strict_json::parse(text.trim_start_matches('\u{feff}')).ok()
}

pub(crate) fn judge_server(rule: &Http, answer: &HttpAnswer, start: Start<'_>) -> Finding {
    let finding = judge_answer(rule, answer, start);
    match &answer.led_to {
        // Often a login page, or a list in place of the entry: not what was asked about, so it speaks against nothing.
        Some(address) if finding.result != CheckResult::Pass => {
            let why = format!("led_elsewhere: the answer came from {}", shortened_text(address));
            Finding::unknown(why, finding.observed)
        }
        _ => finding,
    }
}

fn judge_answer(rule: &Http, answer: &HttpAnswer, start: Start<'_>) -> Finding {
    let status = answer.status;
    if !status_fits(rule, status) {
        let observed = json!({"status": status, "body": body_start(answer)});
        // A door that is shut, or a server in trouble, says nothing about what is behind.
        let trouble =
            (300..400).contains(&status) || matches!(status, 401 | 403 | 407 | 408 | 425 | 429) || status >= 500;
        return if trouble {
            Finding::unknown(format!("server_trouble: status {status}"), observed)
        } else {
            Finding::fail("another_status", observed)
        };
    }
    if let Some(regex) = &rule.body {
        let found = regex.is_match(&String::from_utf8_lossy(&answer.body));
        let observed = json!({"status": status, "body": body_start(answer)});
        match (found, answer.cut) {
            (true, _) => {}
            (false, true) => return Finding::unknown("body_cut", observed),
            (false, false) => return Finding::fail("no_match", observed),
        }
    }
    let Some(rule) = &rule.value else {
        return Finding::pass(json!({"status": status}));
    };
    if answer.cut {
        return Finding::unknown("body_cut", json!({"status": status}));
    }
    let Some(value) = json_of(answer) else {
        // Often a login page in place of the answer, so nothing is claimed.
        return Finding::unknown("body_is_not_json", json!({"status": status, "body": body_start(answer)}));
    };
    let (met, seen) = rule.judge(&value, start);
    of_value(met, json!({"status": status, "value": seen}))
}

pub(crate) fn of_value(met: Met, observed: Value) -> Finding {
    match met {
        Met::Yes => Finding::pass(observed),
        Met::No(reason) => Finding::fail(reason, observed),
        Met::Unclear(reason) => Finding::unknown(reason, observed),
    }
}

fn body_start(answer: &HttpAnswer) -> String {
    let start = answer.body.get(..1000).unwrap_or(&answer.body);
    shortened_text(&String::from_utf8_lossy(start))
}

pub(crate) fn expected_of_output(rule: &Output) -> Value {
    let mut expected = json!({});
    if rule.schema.is_some() {
        expected["schema"] = json!("the contract's");
    }
    if let (Some(value), Some(expected)) = (&rule.value, expected.as_object_mut()) {
        expected.extend(value.expected());
    }
    expected
}

pub(crate) fn judge_output(rule: &Output, output: Option<&Value>) -> Finding {
    let Some(output) = output else { return Finding::fail("no_output", Value::Null) };
    if let Some(schema) = &rule.schema
        && let Err(error) = schema.validate(output)
    {
        let place = error.instance_path().to_string();
        let place = if place.is_empty() { "/".to_owned() } else { shortened_text(&place) };
        let why = format!("schema: at {place}: {}", shortened_text(&error.to_string()));
        return Finding::fail(why, shortened(output));
    }
    match &rule.value {
        Some(value) => {
            let (met, seen) = value.judge(output, Start::NotKnown);
            of_value(met, json!({"value": seen}))
        }
        None => Finding::pass(shortened(output)),
    }
}
