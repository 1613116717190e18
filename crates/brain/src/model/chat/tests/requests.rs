//! Whole requests of three turns, one file per dialect.

use super::super::super::conversation::{Conversation, Exchange, Shown};
use super::*;

/// Two answers of the dialect.
fn answers(dialect: Dialect) -> (Value, Value) {
    match dialect {
        Dialect::Native => (
            called(json!("I open the cart."), &[("mouse", json!("{\"action\":\"click\",\"coordinate\":[912,48]}"))]),
            called(
                json!(""),
                &[("mouse", json!("{\"action\":\"click\",\"coordinate\":[5,6]}")), ("wait", json!("{\"seconds\":1}"))],
            ),
        ),
        Dialect::Qwen3Vl | Dialect::Qwen25Vl | Dialect::Fara => (
            said(
                "I open the cart.\n<tool_call>\n{\"name\": \"computer_use\", \"arguments\": {\"action\": \"left_click\", \"coordinate\": [912, 48]}}\n</tool_call>",
            ),
            said(
                "<think>hm</think>Typing.\n<tool_call>\n{\"name\": \"computer_use\", \"arguments\": {\"action\": \"type\", \"text\": \"lamp\"}}\n</tool_call>",
            ),
        ),
        Dialect::UiTars => (
            said("Thought: I open the cart.\nAction: click(start_box='(912,48)')"),
            said("Thought: Typing.\nAction: type(content='lamp\\n')"),
        ),
        Dialect::UiTars2 => (
            said(
                "I open the cart.\n<seed:tool_call><function=click><parameter=point><point>912 48</point></parameter></function></seed:tool_call>",
            ),
            said(
                "Typing.\n<seed:tool_call><function=type><parameter=content>lamp</parameter></function></seed:tool_call>",
            ),
        ),
        Dialect::OpenCua => (
            said(
                "## Thought:\nThe cart is at the top.\n\n## Action:\nOpen the cart.\n\n## Code:\n```python\npyautogui.click(x=912, y=48)\n```",
            ),
            said("## Action:\nType.\n\n## Code:\n```python\npyautogui.write('lamp')\n```"),
        ),
        Dialect::Holo3 => (
            said(
                "{\"note\":\"lamps are 3.90\",\"thought\":\"t\",\"tool_call\":{\"tool_name\":\"click\",\"element\":\"cart\",\"x\":912,\"y\":48}}",
            ),
            said("{\"note\":null,\"thought\":\"t\",\"tool_call\":{\"tool_name\":\"write\",\"content\":\"lamp\"}}"),
        ),
    }
}

fn turns(dialect: Dialect, provider: &ChatProvider) -> Vec<Exchange> {
    let (first, second) = answers(dialect);
    vendor_tests::exchanges(provider, first, second)
}

#[test]
fn whole_requests_are_what_was_reviewed() {
    for dialect in Dialect::ALL {
        let provider = provider(dialect);
        let request = vendor_tests::request(&provider, &turns(dialect, &provider));
        vendor_tests::check_request(&format!("chat-{}", dialect.name()), &request);
    }
    let large = provider_with(Dialect::Qwen3Vl, Variant::Large, ChatOptions { stream: true, ..ChatOptions::default() });
    let request = vendor_tests::request(&large, &turns(Dialect::Qwen3Vl, &large));
    vendor_tests::check_request("chat-qwen3-vl-large-stream", &request);
    vendor_tests::check_request("chat-question", &provider(Dialect::Native).question(&vendor_tests::question()));
}

#[test]
fn the_beginning_of_a_request_stays() {
    for dialect in Dialect::ALL {
        let provider = provider(dialect);
        let turns = turns(dialect, &provider);
        let mut earlier = turns[..2].to_vec();
        earlier[1].said = None;
        let messages =
            |turns: &[Exchange]| vendor_tests::request(&provider, turns).body["messages"].as_array().unwrap().clone();
        vendor_tests::check_prefix(&messages(&earlier), &messages(&turns));
    }
}

#[test]
fn only_fields_that_servers_take() {
    let known = [
        "model",
        "messages",
        "max_tokens",
        "stream",
        "stream_options",
        "tools",
        "structured_outputs",
        "response_format",
    ];
    for dialect in Dialect::ALL {
        let provider = provider(dialect);
        let request = vendor_tests::request(&provider, &turns(dialect, &provider));
        assert_eq!((request.path.as_str(), request.headers.len()), ("/chat/completions", 0));
        for field in request.body.as_object().unwrap().keys() {
            assert!(known.contains(&field.as_str()), "{}: {field}", dialect.name());
        }
        assert_eq!(request.body.get("tools").is_some(), dialect == Dialect::Native);
        assert_eq!(request.body.get("response_format").is_some(), dialect == Dialect::Holo3);
        let text = request.body.to_string();
        assert!(!text.contains("maxLength"), "{}", dialect.name());
        // Every id is answered right behind its question, and no other id is.
        let messages = request.body["messages"].as_array().unwrap();
        let tools = messages.iter().filter(|message| message["role"] == "tool").count();
        assert_eq!(tools, if dialect == Dialect::Native { 3 } else { 0 });
    }
    let options =
        ChatOptions { temperature: Some(0.1), tools: false, newer_limit_name: true, ..ChatOptions::default() };
    let other = provider_with(Dialect::Native, Variant::Small, options);
    let body = vendor_tests::request(
        &other,
        &[Exchange { shown: Shown { text: "x".into(), ..Shown::default() }, said: None }],
    )
    .body;
    assert_eq!(
        (body["temperature"].as_f64(), body["max_completion_tokens"].as_u64(), body.get("tools")),
        (Some(0.1), Some(4096), None)
    );
    assert!(body["messages"][1]["content"].is_string());
}

#[test]
fn a_blind_model_gets_no_pictures() {
    let facts = chat_facts("smollm2", Dialect::Native);
    assert!(!facts.vision);
    let blind = ChatProvider::new(
        "smollm2",
        Dialect::Native,
        facts,
        PromptContext::default(),
        Variant::Small,
        ChatOptions::default(),
    );
    let turns = turns(Dialect::Native, &blind);
    assert!(!vendor_tests::request(&blind, &turns).body.to_string().contains("image_url"));
    assert!(!blind.question(&vendor_tests::question()).body.to_string().contains("image_url"));
}

#[test]
fn pixels_come_with_their_number_and_old_questions_as_text() {
    let provider = provider(Dialect::Qwen25Vl);
    let turns = turns(Dialect::Qwen25Vl, &provider);
    let body = vendor_tests::request(&provider, &turns).body.to_string();
    assert!(body.contains("The picture is 1288 pixels wide and 728 high."), "{body}");
    // The first turn that is left answers questions that are gone.
    let native = super::provider(Dialect::Native);
    let left = super::requests::turns(Dialect::Native, &native).split_off(1);
    let request = native.request(&Conversation {
        system: "s",
        opening: "Task: x",
        cuts: 1,
        exchanges: &left,
        screen: (1280, 720),
        url: None,
        max_output_tokens: 100,
    });
    let first = request.body["messages"][1].clone();
    assert_eq!(first["role"], json!("user"));
    assert!(first.to_string().contains("mouse: done as asked"));
}
