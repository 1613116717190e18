//! Every JSON object in every text is a whole call or a whole reply, and no brace is anything else.

use serde_json::{Deserializer, Value};
use surehand_brain::prompt::{PromptContext, Surface, Variant, system_prompt, tool_description};
use surehand_types::call::TOOLS;
use surehand_types::{Call, Reply};

/// The JSON objects of a text, and the text without them.
fn objects(text: &str) -> (Vec<Value>, String) {
    let (mut found, mut prose, mut rest) = (Vec::new(), String::new(), text);
    while let Some(start) = rest.find('{') {
        prose.push_str(&rest[..start]);
        let mut stream = Deserializer::from_str(&rest[start..]).into_iter::<Value>();
        let value = stream.next().unwrap().unwrap_or_else(|error| panic!("{error}: {}", &rest[start..]));
        found.push(value);
        rest = &rest[start + stream.byte_offset()..];
    }
    prose.push_str(rest);
    (found, prose)
}

fn tools_of(value: &Value) -> Vec<&str> {
    let calls = value["calls"].as_array().map_or(std::slice::from_ref(value), Vec::as_slice);
    calls.iter().map(|call| call["tool"].as_str().unwrap()).collect()
}

#[test]
fn every_example_parses() {
    for (name, text) in super::texts() {
        let (values, prose) = objects(&text);
        assert!(values.len() >= 12, "{name} has only {} examples", values.len());
        assert!(!prose.contains('}'), "{name} has a brace outside of an example");
        for value in &values {
            if value.get("calls").is_some() {
                Reply::parse(value).unwrap_or_else(|problem| panic!("{name}: {value}: {problem:?}"));
            } else {
                Call::parse(value).unwrap_or_else(|problem| panic!("{name}: {value}: {problem:?}"));
            }
        }
        let replies = values.iter().filter(|value| value.get("calls").is_some());
        let predicted = replies.filter(|value| !value["expected"].as_array().unwrap().is_empty()).count();
        assert_eq!(predicted > 0, name.starts_with("system"), "{name} shows a whole reply");
    }
}

#[test]
fn a_prompt_speaks_of_its_own_tools_only() {
    let few = PromptContext::with_tools(Surface::Browser, &["mouse", "done"]);
    for context in [PromptContext::new(Surface::Browser), PromptContext::new(Surface::Desktop), few] {
        for variant in [Variant::Large, Variant::Small] {
            let text = system_prompt(variant, &context);
            let (values, _) = objects(&text);
            for tool in values.iter().flat_map(tools_of) {
                assert!(context.has(tool), "{variant:?}: {tool}");
            }
            for tool in TOOLS {
                let listed = text.contains(&format!("### {}\n{}", tool.name, tool_description(tool, variant)));
                assert_eq!(listed, context.has(tool.name), "{variant:?}: {}", tool.name);
            }
        }
    }
}

#[test]
fn a_description_carries_all_that_is_declared() {
    for tool in TOOLS {
        let large = tool_description(tool, Variant::Large);
        for field in tool.fields {
            for part in [field.name, &field.kind.describe(), field.default.unwrap_or(""), field.doc] {
                assert!(large.contains(part), "{}.{}: {part}", tool.name, field.name);
            }
            let small = tool_description(tool, Variant::Small);
            assert!(small.contains(&format!("`{}`", field.name)), "{}.{}", tool.name, field.name);
        }
        assert!(large.starts_with(tool.doc));
    }
}
