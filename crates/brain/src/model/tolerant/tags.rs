//! Calls between tags: `<tool_call>` around JSON, functions and parameters as XML, keys and values as XML. A tag
//! that was not closed reaches to the next one, or to the end.

use serde_json::{Map, Value};

use super::{MOST_CALLS, Repairs};

/// Tags that stand around one call or several.
const AROUND: &[(&str, &str)] = &[
    ("<tool_call>", "</tool_call>"),
    ("<seed:tool_call>", "</seed:tool_call>"),
    ("<function_call>", "</function_call>"),
    ("<action>", "</action>"),
    ("<|begin_of_box|>", "<|end_of_box|>"),
];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Tagged<'a> {
    pub(super) inside: &'a str,
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) closed: bool,
}

/// Everything between tags of calls, in order.
pub(super) fn blocks<'a>(text: &'a str, repairs: &mut Repairs) -> Vec<Tagged<'a>> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some((start, (open, close))) = first_of(&text[at..]).map(|(offset, tags)| (at + offset, tags)) {
        let body = start + open.len();
        let (length, closed) = match text[body..].find(close) {
            Some(length) => (length, true),
            None => (text[body..].find(open).unwrap_or(text.len() - body), false),
        };
        // Two in a row with only one end: the second begins inside the first.
        let (length, closed) = match text[body..body + length].find(open) {
            Some(next) => (next, false),
            None => (length, closed),
        };
        let end = if closed { body + length + close.len() } else { body + length };
        if !closed {
            repairs.note("closed a tag");
        }
        found.push(Tagged { inside: text[body..body + length].trim(), start, end, closed });
        at = end;
        if found.len() > MOST_CALLS {
            break;
        }
    }
    if found.is_empty()
        && let Some(start) = text.find("<function")
        && let Some(end) = text.rfind("</function>").map(|end| end + "</function>".len()).filter(|end| *end > start)
    {
        repairs.note("read a call without its outer tag");
        found.push(Tagged { inside: &text[start..end], start, end, closed: true });
    }
    found
}

fn first_of(text: &str) -> Option<(usize, (&'static str, &'static str))> {
    // Each tag begins with `<`; looking only there keeps this in proportion to the text.
    let mut at = 0;
    while let Some(offset) = text[at..].find('<') {
        at += offset;
        if let Some(tags) = AROUND.iter().find(|(open, _)| text[at..].starts_with(open)) {
            return Some((at, *tags));
        }
        at += 1;
    }
    None
}

/// A call as XML. Values stay text: what kind they are is known where they are used.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct XmlCall {
    pub(super) name: String,
    pub(super) fields: Map<String, Value>,
    /// Its end was there.
    pub(super) closed: bool,
}

/// All calls in the inside of a block; empty where it holds no XML.
pub(super) fn xml_calls(inside: &str) -> Vec<XmlCall> {
    if inside.contains("<arg_key>") {
        return keys_and_values(inside).into_iter().collect();
    }
    let mut calls = Vec::new();
    let mut rest = inside;
    while let Some((name, body)) = named_tag(rest, "<function") {
        let (body, after, closed) = match body.find("</function>") {
            Some(end) => (&body[..end], &body[end + "</function>".len()..], true),
            None => (body, "", false),
        };
        let mut fields = Map::new();
        let mut parameters = body;
        while let Some((name, value)) = named_tag(parameters, "<parameter") {
            let end = value.find("</parameter>").or_else(|| value.find("<parameter")).unwrap_or(value.len());
            fields.insert(name, Value::String(value[..end].trim_matches(['\n', '\r']).to_string()));
            parameters = &value[end..];
            if fields.len() >= MOST_CALLS {
                break;
            }
        }
        calls.push(XmlCall { name, fields, closed });
        rest = after;
        if calls.len() > MOST_CALLS {
            break;
        }
    }
    calls
}

/// `<function=NAME>` or `<function name="NAME" ...>`: the name, and what follows the tag.
fn named_tag<'a>(text: &'a str, tag: &str) -> Option<(String, &'a str)> {
    let behind = &text[text.find(tag)? + tag.len()..];
    let head_end = behind.char_indices().take(200).find(|(_, next)| *next == '>')?.0;
    let head = behind[..head_end].trim();
    let name = match head.strip_prefix('=') {
        Some(name) => name,
        None => head
            .strip_prefix("name")?
            .trim_start()
            .strip_prefix('=')?
            .trim_start()
            .get(1..)?
            .split(['"', '\''])
            .next()?,
    };
    Some((name.trim_matches(['"', '\'', ' ']).to_string(), &behind[head_end + 1..]))
}

/// `NAME<arg_key>k</arg_key><arg_value>v</arg_value>…`.
fn keys_and_values(inside: &str) -> Option<XmlCall> {
    let (name, mut rest) = inside.split_once("<arg_key>")?;
    let mut fields = Map::new();
    let mut closed = true;
    while let Some((key, behind)) = rest.split_once("</arg_key>") {
        let value = behind.split_once("<arg_value>")?.1;
        let end = value.find("</arg_value>");
        closed = end.is_some();
        let end = end.or_else(|| value.find("<arg_key>")).unwrap_or(value.len());
        fields.insert(key.trim().to_string(), Value::String(value[..end].trim().to_string()));
        match value[end..].split_once("<arg_key>") {
            Some((_, next)) if fields.len() < MOST_CALLS => rest = next,
            _ => break,
        }
    }
    Some(XmlCall { name: name.trim().to_string(), fields, closed })
}

/// Without the marks of chat templates that leak into texts.
pub(crate) fn without_special_tokens(text: &str) -> String {
    let mut kept = text.to_string();
    for token in [
        "<|im_end|>",
        "<|im_start|>",
        "<|endoftext|>",
        "<|eot_id|>",
        "<|begin_of_box|>",
        "<|end_of_box|>",
        "<|python_tag|>",
        "[TOOL_CALLS]",
        "</s>",
    ] {
        if kept.contains(token) {
            kept = kept.replace(token, "");
        }
    }
    kept.trim().to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn blocks_whole_and_unclosed() {
        let text = "a <tool_call>{1}</tool_call> b <tool_call>{2}<tool_call>{3}";
        let found: Vec<(&str, bool)> =
            blocks(text, &mut Repairs::default()).iter().map(|block| (block.inside, block.closed)).collect();
        assert_eq!(found, [("{1}", true), ("{2}", false), ("{3}", false)]);
    }

    #[test]
    fn functions_as_xml() {
        for text in [
            "<function=click>\n<parameter=point>\n<point>1 2</point>\n</parameter>\n<parameter=n>5</parameter></function>",
            "<function name=\"click\"><parameter name=\"point\" string=\"true\"><point>1 2</point></parameter>\
             <parameter name='n'>5</parameter></function>",
            "click\n<arg_key>point</arg_key>\n<arg_value><point>1 2</point></arg_value>\
             <arg_key>n</arg_key><arg_value>5</arg_value>",
        ] {
            let call = xml_calls(text).remove(0);
            assert_eq!((call.name.as_str(), call.closed), ("click", true), "{text}");
            assert_eq!(Value::Object(call.fields), json!({"point": "<point>1 2</point>", "n": "5"}), "{text}");
        }
        assert!(xml_calls("{\"a\":1}").is_empty());
        assert_eq!(without_special_tokens("a<|im_end|>\n"), "a");
    }
}
