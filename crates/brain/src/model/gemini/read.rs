//! From a response body to what the model said.

use serde_json::{Map, Value};
use surehand_types::reply::SafetyCheck;

use super::actions;
use crate::model::heard::{Heard, count, quoted, unknown};
use crate::model::knowledge::Tokens;
use crate::model::lenient;
use crate::model::own_tools;
use crate::model::provider::{Reading, Unusable};

pub(super) fn reading(body: &Value) -> Result<Reading, Unusable> {
    let candidate = candidate(body)?;
    let content = &candidate["content"];
    let mut heard = Heard::default();
    for part in parts(content) {
        if let Some(text) = part["text"].as_str() {
            if part["thought"] == true { heard.reasoning(text) } else { heard.thought(text) }
        }
    }
    for call in calls(content) {
        function_call(&call, &mut heard)?;
    }
    match candidate["finishReason"].as_str().unwrap_or("STOP") {
        "STOP" | "FINISH_REASON_UNSPECIFIED" => {}
        "MAX_TOKENS" => heard.problem("the answer was cut off before its end; answer shorter, with one action"),
        // Calls that came before the trouble are not what the model meant as a whole.
        reason => return Err(Unusable::Again(format!("the model's answer ended with {}", quoted(reason)))),
    }
    if !heard.calls() && !heard.has_words() {
        return Err(Unusable::Again("the answer was empty".into()));
    }
    Ok(heard.into_reading(replay(content), tokens(body)))
}

pub(super) fn answer(body: &Value) -> Result<(String, Tokens), Unusable> {
    let content = &candidate(body)?["content"];
    let spoken = parts(content).iter().filter(|part| part["thought"] != true);
    let words: String = spoken.filter_map(|part| part["text"].as_str()).collect();
    let words = words.trim().to_string();
    if words.is_empty() {
        return Err(Unusable::Again("the answer has no words".into()));
    }
    Ok((words, tokens(body)))
}

/// A call in a turn of the model.
#[derive(Debug)]
pub(super) struct Call<'a> {
    /// The provider's id, or one of ours where it gave none.
    pub(super) id: String,
    pub(super) has_id: bool,
    pub(super) name: &'a str,
    arguments: &'a Value,
}

/// The calls of a turn, in order: of an answer, and of the same turn when it is sent back.
pub(super) fn calls(content: &Value) -> Vec<Call<'_>> {
    let found = parts(content).iter().filter_map(|part| part.get("functionCall").filter(|call| call.is_object()));
    let calls = found.enumerate().map(|(index, call)| {
        let given = call["id"].as_str().filter(|id| !id.is_empty());
        Call {
            id: given.map_or_else(|| format!("call-{index}"), str::to_string),
            has_id: given.is_some(),
            name: call["name"].as_str().unwrap_or_default(),
            arguments: &call["args"],
        }
    });
    calls.collect()
}

/// The first candidate of a response that is an answer.
fn candidate(body: &Value) -> Result<&Value, Unusable> {
    if let Some(error) = body.get("error").filter(|error| error.is_object()) {
        let told = quoted(error["message"].as_str().unwrap_or("an error without words"));
        let transient = matches!(error["status"].as_str(), Some("UNAVAILABLE" | "INTERNAL" | "RESOURCE_EXHAUSTED"));
        return Err(if transient { Unusable::Again(told) } else { Unusable::Foreign(told) });
    }
    let feedback = &body["promptFeedback"];
    if let Some(reason) = feedback["blockReason"].as_str() {
        let told = feedback["blockReasonMessage"].as_str().map(quoted);
        let told = told.unwrap_or_else(|| format!("the provider blocked the request ({})", quoted(reason)));
        return Err(Unusable::Refused(told));
    }
    let known = ["candidates", "usageMetadata", "modelVersion", "responseId", "promptFeedback"];
    if known.iter().all(|name| body.get(*name).is_none()) {
        return Err(Unusable::Foreign("the response has no candidates".into()));
    }
    let Some(candidate) = body["candidates"].as_array().and_then(|candidates| candidates.first()) else {
        return Err(Unusable::Again("the response has no candidate".into()));
    };
    match candidate["finishReason"].as_str().unwrap_or_default() {
        reason @ ("SAFETY"
        | "PROHIBITED_CONTENT"
        | "BLOCKLIST"
        | "SPII"
        | "IMAGE_SAFETY"
        | "IMAGE_PROHIBITED_CONTENT") => {
            let told = candidate["finishMessage"].as_str().map(quoted);
            Err(Unusable::Refused(told.unwrap_or_else(|| format!("the provider stopped the answer ({reason})"))))
        }
        _ => Ok(candidate),
    }
}

fn parts(content: &Value) -> &[Value] {
    content["parts"].as_array().map(Vec::as_slice).unwrap_or_default()
}

fn function_call(call: &Call<'_>, heard: &mut Heard) -> Result<(), Unusable> {
    heard.asked(&call.id, call.name);
    let Some(mut fields) = lenient::fields(call.arguments) else {
        heard.problem("the arguments of a function call are no JSON object; nothing of the answer was run");
        return Ok(());
    };
    safety(&mut fields, &call.id, heard)?;
    // Said for the reader with every call of the newer set.
    if let Some(intent) = fields.shift_remove("intent").as_ref().and_then(Value::as_str) {
        heard.thought(intent);
    }
    let arguments = Value::Object(fields);
    // The provider's names come first: none of them is a tool of ours.
    if !actions::read(call.name, &arguments, &call.id, heard)
        && !own_tools::read(call.name, &arguments, &call.id, heard)
    {
        heard.problem(unknown("function", call.name, actions::NAMES));
    }
    Ok(())
}

/// Takes the provider's decision out of the arguments. One that we do not know is asked about, never waved through.
fn safety(fields: &mut Map<String, Value>, id: &str, heard: &mut Heard) -> Result<(), Unusable> {
    let given = ["safety_decision", "safetyDecision"].iter().find_map(|name| fields.shift_remove(*name));
    let Some(given) = given.filter(|given| !given.is_null()) else { return Ok(()) };
    let decision = given["decision"].as_str().or(given.as_str()).unwrap_or("unknown").trim().to_lowercase();
    let explained = given["explanation"].as_str().unwrap_or_default().to_string();
    match decision.as_str() {
        "regular" | "allow" | "allowed" | "approve" | "approved" | "normal" | "safe" => Ok(()),
        "block" | "blocked" | "deny" | "denied" | "terminate" | "reject" | "refuse" => {
            let words = quoted(&explained);
            Err(Unusable::Refused(if words.is_empty() { "the provider blocked the action".into() } else { words }))
        }
        _ => {
            heard.safety(SafetyCheck { id: id.to_string(), code: decision, message: explained });
            Ok(())
        }
    }
}

/// The turn as it has to be sent back: unchanged, since signatures go with its parts. One without parts is refused.
fn replay(content: &Value) -> Value {
    let Some(content) = content.as_object().filter(|_| !parts(content).is_empty()) else { return Value::Null };
    let mut turn = content.clone();
    turn.insert("role".into(), "model".into());
    Value::Object(turn)
}

/// The provider counts what it had cached as a part of the prompt, and thinking apart from the answer.
fn tokens(body: &Value) -> Tokens {
    let usage = &body["usageMetadata"];
    let cached = count(usage, "/cachedContentTokenCount");
    let prompt = count(usage, "/promptTokenCount").saturating_add(count(usage, "/toolUsePromptTokenCount"));
    Tokens {
        input: prompt.saturating_sub(cached),
        output: count(usage, "/candidatesTokenCount").saturating_add(count(usage, "/thoughtsTokenCount")),
        cache_read: cached,
        cache_write: 0,
    }
}
