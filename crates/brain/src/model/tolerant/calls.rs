//! The calls that stand in a text as JSON or XML, whatever object they are wrapped in, together with the words
//! around them. What a call means is decided elsewhere.

use serde_json::{Map, Value};

use super::fences::code_blocks;
use super::find::{Found, objects};
use super::json::{Whole, value_at};
use super::tags::{blocks, xml_calls};
use super::{MOST_CALLS, Repairs};

/// One call as it was written. `name` is empty where only its fields say what it is.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct WrittenCall {
    pub(crate) name: String,
    pub(crate) fields: Map<String, Value>,
    pub(crate) id: Option<String>,
}

#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Written {
    pub(crate) calls: Vec<WrittenCall>,
    /// The text without the calls.
    pub(crate) prose: String,
    pub(crate) thought: Option<String>,
    pub(crate) note: Option<String>,
    pub(crate) expected: Vec<String>,
    /// Something was begun and not finished.
    pub(crate) cut: bool,
}

const LISTS: &[&str] = &["calls", "actions", "tool_calls", "tool_call", "function_call", "action", "call"];
const NAMES: &[&str] = &["name", "tool_name", "tool", "function", "function_name", "action_type", "recipient_name"];
const ARGUMENTS: &[&str] =
    &["arguments", "parameters", "args", "input", "params", "action_input", "action_inputs", "action_args", "kwargs"];
const THOUGHTS: &[&str] = &["thought", "thoughts", "reasoning", "rationale", "analysis"];
/// Fields that make an action of an object with a `type`.
const DETAILS: &[&str] = &["x", "coordinate", "text", "keys", "key", "direction", "scroll_y"];
const WORDS: &[&str] = &["note", "expected"];
/// Most predictions of one answer.
const MOST_EXPECTED: usize = 100;

/// Finds the calls of a text. `limited`: the text ended because no more was allowed, so nothing that lacks its
/// end is whole.
pub(crate) fn written_calls(text: &str, limited: bool, repairs: &mut Repairs) -> Written {
    let mut written = Written::default();
    let mut spans: Vec<(usize, usize)> = Vec::new();
    for block in blocks(text, repairs) {
        let before = written.calls.len();
        let xml = xml_calls(block.inside);
        if xml.is_empty() {
            let found = objects(block.inside, repairs);
            written.absorb_all(block.inside, found, limited);
        }
        for call in xml {
            if call.closed || (block.closed && !limited) {
                written.push(WrittenCall { name: call.name, fields: call.fields, id: None });
            } else {
                written.cut = true;
            }
        }
        if written.calls.len() > before || written.cut || block.inside.is_empty() {
            spans.push((block.start, block.end));
        }
    }
    if written.calls.is_empty() && !written.cut {
        // A block of code is the answer; what stands before it is talk about the answer.
        for block in code_blocks(text) {
            let inside = objects(block.inside, repairs);
            let before = written.calls.len();
            written.absorb_all(block.inside, inside, limited);
            if written.calls.len() > before {
                spans.push((block.start, block.end));
            }
        }
        if !written.calls.is_empty() {
            repairs.note("took the call out of a code block");
        }
    }
    if written.calls.is_empty() && !written.cut {
        let found = objects(text, repairs);
        spans.extend(found.iter().map(|found| (found.start, found.end)));
        written.absorb_all(text, found, limited);
        if !written.calls.is_empty() && !outside(text, &spans).is_empty() {
            repairs.note("took the call out of prose");
        }
    } else {
        // Predictions may stand beside the calls.
        let mut around = Repairs::default();
        let rest = outside(text, &spans);
        for found in objects(&rest, &mut around) {
            written.words(&found.fields);
        }
    }
    written.prose = outside(text, &spans);
    written
}

impl Written {
    fn absorb_all(&mut self, text: &str, found: Vec<Found>, limited: bool) {
        // Of several whole replies the last one counts: those before it were drafts.
        let last = found.iter().rposition(|found| found.fields.get("calls").is_some_and(Value::is_array));
        for (index, mut found) in found.into_iter().enumerate() {
            if last.is_some_and(|last| index < last) {
                continue;
            }
            // With a limit reached, an end that is missing is an end that was cut off.
            if limited && found.whole == Whole::Unclosed {
                found.whole = Whole::Cut;
                for list in LISTS {
                    if let Some(Value::Array(items)) = found.fields.get_mut(*list) {
                        items.pop();
                    }
                }
            }
            let name = name_before(&text[..found.start]);
            self.absorb(found.fields, name, found.whole, 0);
        }
    }

    fn absorb(&mut self, mut fields: Map<String, Value>, name: Option<String>, whole: Whole, depth: usize) {
        self.words(&fields);
        if whole == Whole::Cut {
            self.cut = true;
        }
        for list in LISTS {
            let nested = match fields.get(*list) {
                Some(Value::Array(items)) if items.iter().any(Value::is_object) => items.clone(),
                Some(Value::Object(one)) if whole != Whole::Cut => vec![Value::Object(one.clone())],
                Some(Value::String(text)) if text.trim_start().starts_with('{') && whole != Whole::Cut => {
                    match arguments(&Value::String(text.clone()), &mut Repairs::default()) {
                        Ok(fields) => vec![Value::Object(fields)],
                        Err(_) => continue,
                    }
                }
                _ => continue,
            };
            for item in nested {
                if let Value::Object(item) = item
                    && depth < 4
                {
                    self.absorb(item, None, Whole::Yes, depth + 1);
                }
            }
            return;
        }
        if whole == Whole::Cut {
            return;
        }
        if let Some(Value::Object(function)) = fields.get("function") {
            let id = fields.get("id").and_then(Value::as_str).map(str::to_string);
            let function = function.clone();
            let before = self.calls.len();
            if depth < 4 {
                self.absorb(function, None, whole, depth + 1);
            }
            if let Some(call) = self.calls.get_mut(before) {
                call.id = id;
            }
            return;
        }
        let own = NAMES.iter().find_map(|key| match fields.get(*key) {
            Some(Value::String(name)) => Some((*key, name.clone())),
            _ => None,
        });
        let nested =
            ARGUMENTS.iter().find(|key| fields.get(**key).is_some_and(|value| value.is_object() || value.is_string()));
        let arguments = nested.and_then(|key| {
            let value = fields.get(*key)?;
            let read = arguments(value, &mut Repairs::default()).ok()?;
            Some((*key, read))
        });
        if let Some((key, arguments)) = arguments
            && (own.is_some() || name.is_some() || fields.contains_key("action"))
        {
            fields.remove(key);
            fields.extend(arguments);
        }
        let call = match (own, name) {
            (Some((key, name)), _) => {
                fields.remove(key);
                WrittenCall { name, fields, id: None }
            }
            (None, Some(name)) => WrittenCall { name, fields, id: None },
            (None, None) if fields.get("action").is_some_and(Value::is_string) => {
                WrittenCall { name: String::new(), fields, id: None }
            }
            (None, None)
                if fields.get("type").is_some_and(Value::is_string)
                    && DETAILS.iter().any(|field| fields.contains_key(*field)) =>
            {
                let name =
                    fields.shift_remove("type").and_then(|name| name.as_str().map(str::to_string)).unwrap_or_default();
                WrittenCall { name, fields, id: None }
            }
            (None, None) => match only_field(&fields) {
                Some((name, inner)) => WrittenCall { name, fields: inner, id: None },
                None => return,
            },
        };
        self.push(call);
    }

    fn push(&mut self, mut call: WrittenCall) {
        for key in THOUGHTS.iter().chain(WORDS) {
            call.fields.remove(*key);
        }
        if self.calls.len() < MOST_CALLS {
            self.calls.push(call);
        }
    }

    /// Thought, note and predictions, wherever they stand.
    fn words(&mut self, fields: &Map<String, Value>) {
        for key in THOUGHTS {
            if let Some(text) = fields.get(*key).and_then(Value::as_str).filter(|text| !text.trim().is_empty()) {
                self.thought.get_or_insert_with(|| text.to_string());
            }
        }
        if let Some(note) = fields.get("note").and_then(Value::as_str).filter(|note| !note.trim().is_empty()) {
            self.note.get_or_insert_with(|| note.to_string());
        }
        let expected: Vec<String> = match fields.get("expected") {
            Some(Value::Array(items)) => items.iter().filter_map(|item| item.as_str().map(str::to_string)).collect(),
            Some(Value::String(text)) => text.split(',').map(|part| part.trim().to_string()).collect(),
            _ => return,
        };
        if !expected.is_empty() {
            self.expected = expected.into_iter().filter(|part| !part.is_empty()).take(MOST_EXPECTED).collect();
        }
    }
}

/// Arguments of a call: an object, or a text that holds one. `Err` where the text ends too early.
pub(crate) fn arguments(value: &Value, repairs: &mut Repairs) -> Result<Map<String, Value>, ()> {
    match value {
        Value::Object(fields) => Ok(fields.clone()),
        Value::Null => Ok(Map::new()),
        Value::String(text) if text.trim().is_empty() => Ok(Map::new()),
        Value::String(text) => {
            let start = text.find(['{', '｛', '"']).ok_or(())?;
            let mut steps = text.len() * 2 + 64;
            let loose =
                value_at(text, start, repairs, &mut steps).filter(|loose| loose.whole != Whole::Cut).ok_or(())?;
            match loose.value {
                Value::Object(fields) => Ok(fields),
                // Written as a text twice over.
                inner @ Value::String(_) if start == 0 => {
                    let inner = inner.as_str().unwrap_or_default().trim();
                    if !inner.starts_with('{') {
                        return Err(());
                    }
                    repairs.note("read a text as an object");
                    arguments(&Value::String(inner.to_string()), repairs)
                }
                _ => Err(()),
            }
        }
        _ => Err(()),
    }
}

/// `{"left_click": {"coordinate": [1, 2]}}`.
fn only_field(fields: &Map<String, Value>) -> Option<(String, Map<String, Value>)> {
    let (name, value) = fields.iter().next().filter(|_| fields.len() == 1)?;
    let reserved = THOUGHTS.iter().chain(WORDS).chain(ARGUMENTS).chain(LISTS).any(|word| word == name);
    Some((name.clone(), value.as_object()?.clone())).filter(|_| !reserved)
}

/// The name in `name({...})`, or in `Action: name` with its input on the next line.
fn name_before(text: &str) -> Option<String> {
    let text = text.trim_end();
    let is_part = |next: &char| next.is_ascii_alphanumeric() || *next == '_' || *next == '.';
    let last_word = |text: &str| -> Option<String> {
        let reversed: String =
            text.trim_end_matches([' ', '`', '"']).chars().rev().take_while(is_part).take(80).collect();
        let word: String = reversed.chars().rev().collect();
        (!word.is_empty() && !word.starts_with(|next: char| next.is_ascii_digit())).then_some(word)
    };
    if let Some(before) = text.strip_suffix('(').or_else(|| text.strip_suffix('（')) {
        return last_word(before);
    }
    let label = text.strip_suffix(':').or_else(|| text.strip_suffix('：'))?;
    let label_line = label.lines().next_back()?.trim();
    if !label_line.to_ascii_lowercase().ends_with("input") && !label_line.to_ascii_lowercase().ends_with("arguments") {
        return None;
    }
    let line = label.lines().rev().nth(1)?.trim();
    let (head, name) = line.split_once([':', '：'])?;
    head.trim().eq_ignore_ascii_case("action").then(|| last_word(name)).flatten()
}

/// The text without some of its parts.
fn outside(text: &str, spans: &[(usize, usize)]) -> String {
    let mut kept = String::new();
    let mut at = 0;
    for (start, end) in spans {
        if *start >= at {
            kept.push_str(&text[at..*start]);
            at = *end;
        }
    }
    kept.push_str(&text[at..]);
    kept.trim().to_string()
}

#[cfg(test)]
mod tests;
