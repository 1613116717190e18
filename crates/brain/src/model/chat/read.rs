//! Takes a chat completion apart: words, hidden reasoning, tool calls, usage. Then the dialect says what it means.

use serde_json::{Map, Value, json};

use super::super::heard::{Heard, count, quoted, shown};
use super::super::knowledge::{Dialect, Tokens};
use super::super::provider::{Reading, Unusable};
use super::super::tolerant::{Parted, Repairs, WrittenCall, arguments, part, shortened};
use super::actions::{self, fill_endings};
use super::dialects::{Step, Understood, example, habits, understand};

/// Longest text that is read, in characters; nothing a model means to do stands behind that.
const LONGEST_READ: usize = 400_000;
/// Longest turn of the model's own that is sent back.
const LONGEST_REPLAY: usize = 8_000;
/// Most tool calls that are looked at.
const MOST_CALLS: usize = 64;

pub(super) fn reading(dialect: Dialect, body: &Value) -> Result<Reading, Unusable> {
    let message = Message::of(body)?;
    let tokens = usage(body);
    let mut heard = Heard::default();
    let mut repairs = Repairs::default();
    let Parted { reasoning, answer } = part(&message.text, &mut repairs);
    heard.reasoning(&message.reasoning);
    heard.reasoning(reasoning.as_deref().unwrap_or_default());

    let calls = message.calls(&mut repairs);
    let has_ids = matches!(dialect, Dialect::Native | Dialect::Holo3);
    let replay = if has_ids { replay_with_ids(&answer, &calls) } else { replay_as_text(&answer, &calls) };
    let understood = if !calls.is_empty() {
        from_tool_calls(calls, &answer, has_ids, &mut heard, &mut repairs)
    } else {
        let misplaced = if answer.is_empty() && !message.limited {
            misplaced(dialect, &message.reasoning, &mut repairs)
        } else {
            None
        };
        misplaced.unwrap_or_else(|| understand(dialect, &answer, message.limited, &mut repairs))
    };

    let Understood { steps, thought, mut note, expected, problem } = understood;
    heard.thought(thought.as_deref().unwrap_or_default());
    if let Some(problem) = problem {
        heard.problem(problem);
    }
    for step in steps {
        match step {
            Step::Call(call) => note = actions::read(&call, habits(dialect), &mut heard).or(note),
            Step::Gestures(gestures) => gestures.into_iter().for_each(|gesture| heard.gesture("", gesture)),
        }
    }
    repairs.into_phrases().iter().for_each(|phrase| heard.repair(phrase));
    let mut reading = heard.into_reading(replay, tokens);
    fill_endings(&mut reading.spoken.gestures, reading.spoken.thought.as_deref());
    reading.spoken.note = note.map(|note| shortened(&note, 2000));
    reading.spoken.expected = expected.into_iter().map(|entry| shortened(&entry, 1000)).collect();
    Ok(reading)
}

pub(super) fn answer(body: &Value) -> Result<(String, Tokens), Unusable> {
    let message = Message::of(body)?;
    let parted = part(&message.text, &mut Repairs::default());
    if parted.answer.is_empty() {
        return Err(Unusable::Again("the server's answer was empty".into()));
    }
    Ok((parted.answer, usage(body)))
}

/// Some servers take a whole answer for reasoning when the model did not mark any. What ends in a whole call, with
/// nothing said outside, is such an answer.
fn misplaced(dialect: Dialect, reasoning: &str, repairs: &mut Repairs) -> Option<Understood> {
    if !reasoning.trim_end().ends_with(['}', '>', ')', '`']) {
        return None;
    }
    let mut own = Repairs::default();
    let reasoning = shortened(reasoning, LONGEST_READ);
    let found = understand(dialect, &reasoning, false, &mut own);
    if found.steps.is_empty() {
        return None;
    }
    repairs.take_over(own);
    repairs.note("took the call out of the reasoning");
    // The words stay hidden.
    Some(Understood { thought: None, ..found })
}

struct Message {
    text: String,
    reasoning: String,
    tool_calls: Vec<Value>,
    /// The answer ended at the most tokens that were allowed.
    limited: bool,
}

/// A tool call as the server gave it.
struct ToolCall {
    id: String,
    name: String,
    /// `None`: cut off, or no object.
    arguments: Option<Map<String, Value>>,
}

impl Message {
    fn of(body: &Value) -> Result<Message, Unusable> {
        if let Some(error) = body.get("error").filter(|error| !error.is_null()) {
            return Err(told_error(error));
        }
        let Some(choices) = body.get("choices").and_then(Value::as_array) else {
            return Err(Unusable::Foreign(format!(
                "the answer has no choices, so this is no chat completion: {}",
                quoted(&body.to_string())
            )));
        };
        let Some(choice) = choices.first() else {
            return Err(Unusable::Again("the server answered without a choice".into()));
        };
        let finish = choice.get("finish_reason").and_then(Value::as_str).unwrap_or_default();
        let empty = Value::Null;
        let message = choice.get("message").or_else(|| choice.get("delta")).unwrap_or(&empty);
        let refusal = text_of(message.get("refusal"));
        if finish == "content_filter" || !refusal.is_empty() {
            let words = if refusal.is_empty() { text_of(message.get("content")) } else { refusal };
            return Err(Unusable::Refused(format!("the model's provider declined: {}", quoted(&words))));
        }
        let text = match message.get("content") {
            Some(content) => text_of(Some(content)),
            None => text_of(choice.get("text")),
        };
        let mut tool_calls: Vec<Value> =
            message.get("tool_calls").and_then(Value::as_array).cloned().unwrap_or_default();
        if let Some(function) = message.get("function_call").filter(|function| function.is_object()) {
            tool_calls.push(json!({"function": function}));
        }
        let reasoning = ["reasoning_content", "reasoning", "thinking"];
        Ok(Message {
            text: shortened(&text, LONGEST_READ),
            reasoning: reasoning
                .iter()
                .map(|name| text_of(message.get(*name)))
                .find(|text| !text.is_empty())
                .unwrap_or_default(),
            tool_calls,
            limited: finish == "length",
        })
    }

    fn calls(&self, repairs: &mut Repairs) -> Vec<ToolCall> {
        let mut calls: Vec<ToolCall> = Vec::new();
        for (index, call) in self.tool_calls.iter().take(MOST_CALLS).enumerate() {
            let function = call.get("function").unwrap_or(call);
            let given = function.get("arguments").or_else(|| function.get("parameters")).unwrap_or(&Value::Null);
            let id = call.get("id").and_then(Value::as_str).map(|id| shortened(id, 200)).unwrap_or_default();
            // An id that is missing or there twice could not be answered.
            let unique = !id.is_empty() && calls.iter().all(|earlier| earlier.id != id);
            calls.push(ToolCall {
                id: if unique { id } else { format!("call_{index}") },
                name: shown(function.get("name").and_then(Value::as_str).unwrap_or_default()),
                arguments: arguments(given, repairs).ok(),
            });
        }
        calls
    }
}

fn from_tool_calls(
    calls: Vec<ToolCall>,
    answer: &str,
    has_ids: bool,
    heard: &mut Heard,
    repairs: &mut Repairs,
) -> Understood {
    // Predictions, notes and the thought may stand in the words beside the calls.
    let beside = super::super::tolerant::written_calls(answer, false, &mut Repairs::default());
    let mut understood = Understood {
        thought: (!answer.trim().is_empty()).then(|| answer.trim().to_string()),
        note: beside.note,
        expected: beside.expected,
        ..Understood::default()
    };
    if !beside.calls.is_empty() {
        repairs.note("left out a call in the words beside the calls");
    }
    for call in calls {
        if has_ids {
            heard.asked(&call.id, &call.name);
        }
        let Some(mut fields) = call.arguments else {
            understood.problem.get_or_insert_with(|| {
                format!(
                    "the arguments of {} are cut off or no JSON object; send the call again as a whole, like {}",
                    call.name,
                    example(Dialect::Native)
                )
            });
            continue;
        };
        for (field, words) in [("note", &mut understood.note), ("thought", &mut understood.thought)] {
            if let Some(Value::String(text)) = fields.shift_remove(field).filter(|_| call.name != "done") {
                words.get_or_insert(text);
            }
        }
        if let Some(Value::Array(items)) = fields.shift_remove("expected") {
            let items = items.iter().filter_map(|item| item.as_str().map(str::to_string)).take(100);
            understood.expected.extend(items);
        }
        let id = has_ids.then_some(call.id);
        match unwrapped(&call.name, &mut fields) {
            Some(inner) => understood
                .steps
                .extend(inner.into_iter().map(|inner| Step::Call(WrittenCall { id: id.clone(), ..inner }))),
            None => understood.steps.push(Step::Call(WrittenCall { name: call.name, fields, id })),
        }
    }
    if understood.problem.is_some() {
        understood.steps.clear();
    }
    understood
}

/// A function that holds a whole reply: `{"calls":[…]}`.
fn unwrapped(name: &str, fields: &mut Map<String, Value>) -> Option<Vec<WrittenCall>> {
    if surehand_types::call::spec::find(name).is_some() || !fields.get("calls").is_some_and(Value::is_array) {
        return None;
    }
    let text = Value::Object(std::mem::take(fields)).to_string();
    Some(super::super::tolerant::written_calls(&text, false, &mut Repairs::default()).calls)
}

/// The model's turn as it is sent back: without its reasoning, and with arguments that are good JSON whatever it
/// wrote, since servers read them again.
fn replay_with_ids(answer: &str, calls: &[ToolCall]) -> Value {
    if calls.is_empty() {
        return spoken_turn(answer);
    }
    let calls: Vec<Value> = calls
        .iter()
        .map(|call| {
            let arguments = Value::Object(call.arguments.clone().unwrap_or_default()).to_string();
            let name = if call.name.is_empty() { "unnamed" } else { &call.name };
            json!({"id": call.id, "type": "function", "function": {"name": name, "arguments": arguments}})
        })
        .collect();
    json!({"role": "assistant", "content": shortened(answer, LONGEST_REPLAY), "tool_calls": calls})
}

/// Dialects without functions of the API's own get their calls back as the text they were trained on.
fn replay_as_text(answer: &str, calls: &[ToolCall]) -> Value {
    let mut text = answer.to_string();
    for call in calls {
        let call = json!({"name": call.name, "arguments": call.arguments.clone().unwrap_or_default()});
        text.push_str(&format!("\n<tool_call>\n{call}\n</tool_call>"));
    }
    spoken_turn(&text)
}

fn spoken_turn(text: &str) -> Value {
    // Many templates refuse an empty turn.
    let text = if text.trim().is_empty() { "(empty answer)" } else { text.trim() };
    json!({"role": "assistant", "content": shortened(text, LONGEST_REPLAY)})
}

/// A text, or the texts of a list of parts.
fn text_of(value: Option<&Value>) -> String {
    match value {
        Some(Value::String(text)) => text.clone(),
        Some(Value::Array(parts)) => {
            let texts = parts.iter().filter_map(|part| match part {
                Value::String(text) => Some(text.as_str()),
                part => part.get("text").and_then(Value::as_str),
            });
            texts.collect::<Vec<_>>().join("\n")
        }
        _ => String::new(),
    }
}

/// An error in the place of an answer, though the status was good.
fn told_error(error: &Value) -> Unusable {
    let message = match error {
        Value::String(text) => text.clone(),
        other => text_of(other.get("message").or_else(|| other.get("detail"))),
    };
    let words = if message.is_empty() { quoted(&error.to_string()) } else { quoted(&message) };
    let code = error.get("code").or_else(|| error.get("status"));
    let code = code.and_then(|code| code.as_u64().or_else(|| code.as_str()?.parse().ok())).unwrap_or_default();
    let kind = text_of(error.get("type")).to_lowercase();
    let passing = matches!(code, 408 | 425 | 429 | 502..=504 | 529)
        || ["overload", "rate_limit", "timeout", "unavailable"].iter().any(|word| kind.contains(word))
        || ["loading model", "overloaded", "try again", "timed out"]
            .iter()
            .any(|word| message.to_lowercase().contains(word));
    if passing {
        Unusable::Again(words)
    } else {
        Unusable::Foreign(format!("the server answered with an error: {words}"))
    }
}

fn usage(body: &Value) -> Tokens {
    let Some(usage) = body.get("usage") else { return Tokens::default() };
    let cached = count(usage, "/prompt_tokens_details/cached_tokens");
    Tokens {
        input: count(usage, "/prompt_tokens").saturating_sub(cached),
        output: count(usage, "/completion_tokens"),
        cache_read: cached,
        cache_write: 0,
    }
}
