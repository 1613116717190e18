//! What is wrong when a model API says no: worth another try or not, how long to wait, and what a person can do
//! about it, in one sentence.

use std::time::Duration;

use serde_json::Value;

/// Longest text of a server that is quoted.
const QUOTED: usize = 300;

/// What a response that is no answer means.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Trouble {
    /// Wait so long if the server said, then ask again.
    RateLimit { wait: Option<Duration>, what: String },
    /// Ask again in a while.
    Transient { what: String },
    /// Nobody is there, which may change.
    Unreachable { what: String },
    /// A server that is still reading its model: ask again until the deadline.
    Loading { what: String },
    /// Asking again would bring the same.
    Final { what: String, hint: String },
}

/// What the server is, for hints that name things.
#[derive(Debug, Clone)]
pub(crate) struct Server {
    /// Variables that hold the key, the usual one first.
    pub(crate) key_variables: &'static [&'static str],
    pub(crate) has_key: bool,
    pub(crate) base: String,
    pub(crate) model: String,
}

/// Reads a response whose status is not 200.
pub(crate) fn of_status(status: u16, wait: Option<Duration>, body: &str, server: &Server) -> Trouble {
    let parsed: Value = serde_json::from_str(body).unwrap_or(Value::Null);
    let said = message_in(&parsed).unwrap_or_else(|| plain(body));
    let what = if said.is_empty() { format!("HTTP {status}") } else { format!("HTTP {status}: {said}") };
    let lower = said.to_lowercase();
    let says = |words: &[&str]| words.iter().any(|word| lower.contains(word));
    let stop = |hint: &str| Trouble::Final { what: what.clone(), hint: hint.to_string() };
    match status {
        429 if says(&["insufficient_quota", "exceeded your current quota", "billing", "credit"])
            || is_quota(&parsed) =>
        {
            stop("the account has no credit left or a spending limit is reached; look at the provider's billing page")
        }
        429 => Trouble::RateLimit { wait: wait.or_else(|| retry_delay(&parsed)), what },
        401 | 403 => Trouble::Final { what, hint: key_hint(server) },
        400 | 422 if says(&["api key", "api_key"]) => Trouble::Final { what, hint: key_hint(server) },
        503 if says(&["loading"]) => Trouble::Loading { what },
        // A server that cannot look says so with 4xx or 5xx, and would say it again.
        _ if says(&[
            "image input is not supported",
            "mmproj",
            "does not support image",
            "vision",
            "not multimodal",
        ]) && status >= 400 =>
        {
            stop(
                "this model or server does not take pictures; use a vision model, and start llama.cpp with its --mmproj file",
            )
        }
        _ if says(&["--jinja"]) => stop(
            "start llama.cpp with --jinja, so that it takes tools, or choose a dialect that writes text with --set dialect=NAME",
        ),
        404 => Trouble::Final {
            what,
            hint: format!(
                "check the model name ({:?}) and the base address ({}); an OpenAI-compatible one usually ends in /v1",
                server.model, server.base
            ),
        },
        400 if says(&["computer", "beta", "tool"]) => stop(
            "the model does not take this computer tool; name a model that does, or set the pair with --set computer_tool=TOOL,BETA",
        ),
        400 if says(&["model"]) => Trouble::Final { what, hint: format!("check the model name ({:?})", server.model) },
        413 => stop("the request is too large for the server; lower --set image_window or --viewport"),
        408 | 409 | 425 | 500..=599 => {
            if wait.is_some() {
                Trouble::RateLimit { wait, what }
            } else {
                Trouble::Transient { what }
            }
        }
        300..=399 => stop("the base address answers with a redirect; give the final address"),
        _ => stop("the server turned the request down; its words say why"),
    }
}

fn key_hint(server: &Server) -> String {
    let variables = server.key_variables.join(" or ");
    if server.has_key {
        format!(
            "the key in {variables} was not accepted by {}; check that it is whole, active and of this provider",
            server.base
        )
    } else {
        format!("set {variables} to your key")
    }
}

/// The message of an error body, in the places where the known servers put it.
fn message_in(body: &Value) -> Option<String> {
    let body = body.as_array().and_then(|items| items.first()).unwrap_or(body);
    let error = body.get("error").unwrap_or(body);
    let text = error
        .get("message")
        .or_else(|| body.get("message"))
        .or_else(|| body.get("detail"))
        .map(|value| value.as_str().map(str::to_string).unwrap_or_else(|| value.to_string()))
        .or_else(|| error.as_str().map(str::to_string))?;
    let kind = [error.get("code"), error.get("type"), error.get("status")]
        .into_iter()
        .flatten()
        .find_map(Value::as_str)
        .filter(|kind| !text.contains(kind));
    let text = match kind {
        Some(kind) => format!("{text} ({kind})"),
        None => text,
    };
    Some(plain(&text))
}

fn is_quota(body: &Value) -> bool {
    body.pointer("/error/code").and_then(Value::as_str) == Some("insufficient_quota")
}

/// Google says how long to wait inside the body.
fn retry_delay(body: &Value) -> Option<Duration> {
    let body = body.as_array().and_then(|items| items.first()).unwrap_or(body);
    let details = body.pointer("/error/details")?.as_array()?;
    let delay = details.iter().find_map(|detail| detail.get("retryDelay")?.as_str())?;
    seconds(delay.strip_suffix('s')?)
}

/// `retry-after-ms`, or `retry-after` in seconds or as a date.
pub(crate) fn wait_in(headers: &dyn Fn(&str) -> Option<String>, now: jiff::Timestamp) -> Option<Duration> {
    if let Some(wait) = headers("retry-after-ms").and_then(|text| seconds(&text)) {
        return Some(wait / 1000);
    }
    let text = headers("retry-after")?;
    if let Some(wait) = seconds(&text) {
        return Some(wait);
    }
    let at = jiff::fmt::rfc2822::parse(text.trim()).ok()?.timestamp();
    Duration::try_from(at.duration_since(now)).ok()
}

fn seconds(text: &str) -> Option<Duration> {
    let number: f64 = text.trim().parse().ok()?;
    (number.is_finite() && (0.0..=1e6).contains(&number)).then(|| Duration::from_secs_f64(number))
}

/// One line without markup, of bounded length.
pub(crate) fn plain(text: &str) -> String {
    let mut line = String::new();
    let mut inside_tag = false;
    for character in text.chars() {
        match character {
            '<' => inside_tag = true,
            '>' if inside_tag => {
                inside_tag = false;
                line.push(' ');
            }
            _ if inside_tag => {}
            c if c.is_whitespace() || c.is_control() => line.push(' '),
            c => line.push(c),
        }
        if line.len() > 4 * QUOTED {
            break;
        }
    }
    let words: Vec<&str> = line.split_whitespace().collect();
    let mut line = words.join(" ");
    surehand_types::reply::cut(&mut line, QUOTED);
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    fn server() -> Server {
        Server {
            key_variables: &["ANTHROPIC_API_KEY"],
            has_key: true,
            base: "http://127.0.0.1:1".into(),
            model: "some-model".into(),
        }
    }

    fn hint(status: u16, body: &str) -> String {
        match of_status(status, None, body, &server()) {
            Trouble::Final { what, hint } => format!("{what} | {hint}"),
            other => format!("{other:?}"),
        }
    }

    #[test]
    fn each_class_of_trouble_has_its_own_answer() {
        assert!(
            hint(401, r#"{"error":{"type":"authentication_error","message":"invalid x-api-key"}}"#)
                .contains("ANTHROPIC_API_KEY was not accepted")
        );
        assert!(hint(404, r#"{"error":{"message":"model: some-model"}}"#).contains("check the model name"));
        assert!(
            hint(400, r#"{"error":{"message":"tools.0: Input tag 'computer_20251124' found"}}"#)
                .contains("computer_tool")
        );
        assert!(hint(500, r#"{"error":{"code":500,"message":"image input is not supported - hint: if this is unexpected, you may need to provide the mmproj"}}"#)
            .contains("vision model"));
        assert!(
            hint(429, r#"{"error":{"code":"insufficient_quota","message":"You exceeded your current quota"}}"#)
                .contains("billing")
        );
        assert!(
            hint(503, r#"{"error":{"message":"Loading model","type":"unavailable_error","code":503}}"#)
                .contains("Loading")
        );
        assert!(hint(529, r#"{"error":{"type":"overloaded_error","message":"Overloaded"}}"#).starts_with("Transient"));
        assert!(hint(502, "<html><h1>Bad gateway</h1></html>").contains("Bad gateway"));
    }

    #[test]
    fn the_wait_is_read_from_wherever_it_stands() {
        let now: jiff::Timestamp = "2026-11-01T00:00:00Z".parse().unwrap();
        let headers =
            |name: &'static str, value: &'static str| move |asked: &str| (asked == name).then(|| value.to_string());
        assert_eq!(wait_in(&headers("retry-after", "7"), now), Some(Duration::from_secs(7)));
        assert_eq!(wait_in(&headers("retry-after-ms", "250"), now), Some(Duration::from_millis(250)));
        assert_eq!(
            wait_in(&headers("retry-after", "Sun, 01 Nov 2026 00:00:09 GMT"), now),
            Some(Duration::from_secs(9))
        );
        for garbage in ["-1", "soon", "NaN", "1e99", ""] {
            assert_eq!(wait_in(&headers("retry-after", garbage), now), None, "{garbage}");
        }
        let google = r#"{"error":{"code":429,"message":"slow down","details":[{"@type":"x","retryDelay":"17s"}]}}"#;
        let Trouble::RateLimit { wait, .. } = of_status(429, None, google, &server()) else { panic!() };
        assert_eq!(wait, Some(Duration::from_secs(17)));
    }
}
