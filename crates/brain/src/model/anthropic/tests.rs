//! Answers and requests in the shapes of the Messages API.

use serde_json::{Value, json};

use super::*;
use crate::model::conversation::Exchange;
use crate::model::knowledge::Vendor;
use crate::model::vendor_tests::*;
use crate::prompt::Surface;

fn provider_of(model: &str, variant: Variant) -> AnthropicProvider {
    AnthropicProvider::new(model, facts(Vendor::Anthropic, model), PromptContext::new(Surface::Browser), variant)
}

fn provider() -> AnthropicProvider {
    provider_of("claude-opus-4-7", Variant::Small)
}

/// A message with these blocks.
fn message(content: Value, stop_reason: &str) -> Value {
    json!({
        "id": "msg_01A", "type": "message", "role": "assistant", "model": "claude-opus-4-7", "content": content,
        "stop_reason": stop_reason, "stop_sequence": null,
        "usage": {"input_tokens": 12, "output_tokens": 90, "cache_creation_input_tokens": 1500, "cache_read_input_tokens": 6000},
    })
}

fn computer(input: Value) -> Value {
    message(json!([{"type": "tool_use", "id": "toolu_1", "name": "computer", "input": input}]), "tool_use")
}

fn one(input: Value) -> Value {
    let mut all = gestures(&provider(), computer(input));
    assert_eq!(all.len(), 1, "{all:?}");
    all.remove(0)
}

fn thinking_click() -> Value {
    message(
        json!([
            {"type": "thinking", "thinking": "The cart is top right.", "signature": "EqoBCkgIARABGAIiQ=="},
            {"type": "text", "text": "I open the cart.\nPredicted: url_contains:/cart"},
            {"type": "tool_use", "id": "toolu_1", "name": "computer", "input": {"action": "left_click", "coordinate": [1168, 35]}},
        ]),
        "tool_use",
    )
}

fn two_calls() -> Value {
    message(
        json!([
            {"type": "redacted_thinking", "data": "EmwKAhgB"},
            {"type": "tool_use", "id": "toolu_2", "name": "computer", "input": {"action": "type", "text": "lamp"}},
            {"type": "tool_use", "id": "toolu_3", "name": "tab", "input": {"action": "back"}},
        ]),
        "tool_use",
    )
}

fn toolset_batch() -> Value {
    message(
        json!([
            {"type": "text", "text": "Search."},
            {"type": "tool_use", "id": "toolu_a", "name": "left_click", "toolset_name": "computer", "input": {"coordinate": [200, 40]}},
            {"type": "tool_use", "id": "toolu_b", "name": "type", "toolset_name": "computer", "input": {"text": "lamp"}},
            {"type": "tool_use", "id": "toolu_c", "name": "key", "toolset_name": "computer", "input": {"text": "Down", "repeat": 2}},
            {"type": "tool_use", "id": "toolu_d", "name": "screenshot", "toolset_name": "computer", "input": {}},
        ]),
        "tool_use",
    )
}

#[test]
fn every_action_has_its_gesture() {
    let click = |extra: Value| {
        let mut call = json!({"tool": "mouse", "action": "click", "coordinate": [10, 20]});
        call.as_object_mut().unwrap().extend(extra.as_object().unwrap().clone());
        call
    };
    for (input, expected) in [
        (json!({"action": "screenshot"}), json!({"tool": "look"})),
        (json!({"action": "cursor_position"}), json!({"tool": "look"})),
        (json!({"action": "left_click", "coordinate": [10, 20]}), click(json!({}))),
        (json!({"action": "left_click"}), json!({"tool": "mouse", "action": "click"})),
        (
            json!({"action": "left_click", "coordinate": "[10, 20]", "text": "ctrl+shift"}),
            click(json!({"modifiers": ["ctrl", "shift"]})),
        ),
        (
            json!({"action": "left_click", "coordinate": {"x": 10.0, "y": "20"}, "key": "super"}),
            click(json!({"modifiers": ["meta"]})),
        ),
        (json!({"action": "right_click", "x": 10, "y": 20}), click(json!({"button": "right"}))),
        (json!({"action": "middle_click", "coordinate": ["10", 20.0]}), click(json!({"button": "middle"}))),
        (json!({"action": "double_click", "coordinate": [10, 20]}), click(json!({"count": 2}))),
        (json!({"action": "triple_click", "coordinate": [10, 20]}), click(json!({"count": 3}))),
        (
            json!({"action": "mouse_move", "coordinate": [10, 20]}),
            json!({"tool": "mouse", "action": "move", "coordinate": [10, 20]}),
        ),
        (
            json!({"action": "left_click_drag", "start_coordinate": [1, 2], "coordinate": [10, 20]}),
            json!({"tool": "mouse", "action": "drag", "start_coordinate": [1, 2], "end_coordinate": [10, 20]}),
        ),
        (
            json!({"action": "left_click_drag", "coordinate": [10, 20]}),
            json!({"tool": "mouse", "action": "drag", "end_coordinate": [10, 20]}),
        ),
        (json!({"action": "left_mouse_down"}), json!({"tool": "hold", "action": "mouse_down"})),
        (
            json!({"action": "left_mouse_up", "coordinate": [3, 4]}),
            json!({"tool": "hold", "action": "mouse_up", "coordinate": [3, 4]}),
        ),
        (
            json!({"action": "scroll", "coordinate": [10, 20], "scroll_direction": "down", "scroll_amount": 5, "text": "shift"}),
            json!({"tool": "mouse", "action": "scroll", "coordinate": [10, 20], "direction": "down", "notches": 5, "modifiers": ["shift"]}),
        ),
        (
            json!({"action": "type", "text": "a\n\"b\""}),
            json!({"tool": "keyboard", "action": "type", "text": "a\n\"b\""}),
        ),
        (
            json!({"action": "key", "text": "ctrl+shift+T"}),
            json!({"tool": "keyboard", "action": "press", "key": "ctrl+shift+t"}),
        ),
        (
            json!({"action": "key", "text": "Page_Down"}),
            json!({"tool": "keyboard", "action": "press", "key": "pagedown"}),
        ),
        (
            json!({"action": "hold_key", "text": "Return", "duration": 2}),
            json!({"tool": "keyboard", "action": "press", "key": "enter"}),
        ),
        (json!({"action": "wait", "duration": 2.5}), json!({"tool": "wait", "seconds": 2.5})),
        (json!({"action": "wait", "duration": 300}), json!({"tool": "wait", "seconds": 60})),
        (json!({"action": "zoom", "region": [1, 2, 30, 40]}), json!({"tool": "zoom", "region": [1, 2, 30, 40]})),
    ] {
        assert_eq!(one(input.clone()), expected, "{input}");
    }
}

#[test]
fn a_whole_answer_is_read() {
    let reading = read(&provider(), thinking_click());
    assert_eq!(reading.spoken.thought.as_deref(), Some("I open the cart.\nPredicted: url_contains:/cart"));
    assert_eq!(reading.spoken.reasoning.as_deref(), Some("The cart is top right."));
    assert_eq!(reading.spoken.gestures[0].id.as_deref(), Some("toolu_1"));
    assert_eq!(reading.replay, thinking_click()["content"]);
    assert_eq!(reading.tokens, Tokens { input: 12, output: 90, cache_read: 6000, cache_write: 1500 });
    let several = read(&provider(), two_calls());
    let named: Vec<(&str, &str)> = several.asked.iter().map(|asked| (asked.id.as_str(), asked.name.as_str())).collect();
    assert_eq!(named, [("toolu_2", "computer"), ("toolu_3", "tab")]);
    assert_eq!(several.spoken.gestures.len(), 2);
}

#[test]
fn a_toolset_names_its_actions_as_tools() {
    let all = gestures(&provider(), toolset_batch());
    assert_eq!(all[0], json!({"tool": "mouse", "action": "click", "coordinate": [200, 40]}));
    assert_eq!(all[2], json!({"tool": "keyboard", "action": "press", "key": "arrowdown"}));
    assert_eq!(all[3], all[2]);
    assert_eq!(all.last(), Some(&json!({"tool": "look"})));
    assert_eq!(read(&provider(), toolset_batch()).asked[0].name, "left_click");
}

#[test]
fn what_cannot_be_done_is_one_sentence_and_nothing_is_run() {
    for (input, part) in [
        (json!({"action": "fly"}), "\"fly\" is no action of the computer tool; known are screenshot, left_click"),
        (json!({}), "names no action"),
        (json!({"action": "left_click", "coordinate": "there"}), "two numbers"),
        (json!({"action": "mouse_move"}), "needs a coordinate"),
        (json!({"action": "scroll", "coordinate": [1, 2]}), "scroll_direction"),
        (json!({"action": "key", "text": ""}), "names a key"),
        (json!({"action": "type"}), "needs a text"),
        (json!({"action": "zoom", "region": [1, 2]}), "region"),
        (json!([1]), "is no JSON object"),
    ] {
        let sentence = problem(&provider(), computer(input));
        assert!(sentence.contains(part), "{sentence}");
    }
    let foreign =
        message(json!([{"type": "tool_use", "id": "t", "name": "bash", "input": {"command": "ls"}}]), "tool_use");
    assert!(problem(&provider(), foreign).contains("\"bash\" is no tool"));
    let talk = message(json!([{"type": "text", "text": "All done!"}]), "end_turn");
    assert_eq!(read(&provider(), talk.clone()).spoken.thought.as_deref(), Some("All done!"));
    assert!(problem(&provider(), talk).contains("call the tool done"));
    let mut cut = two_calls();
    cut["stop_reason"] = "max_tokens".into();
    assert_eq!(read(&provider(), cut.clone()).asked.len(), 2);
    assert!(problem(&provider(), cut).contains("cut off"));
}

#[test]
fn refusals_pauses_and_errors() {
    let refused = message(json!([{"type": "text", "text": "I can't help with that."}]), "refusal");
    assert_eq!(unusable(&provider(), refused), Unusable::Refused("I can't help with that.".into()));
    assert!(matches!(unusable(&provider(), message(json!([]), "refusal")), Unusable::Refused(_)));
    assert!(matches!(unusable(&provider(), message(json!([]), "pause_turn")), Unusable::Again(_)));
    assert!(matches!(unusable(&provider(), message(json!([]), "end_turn")), Unusable::Again(_)));
    let overloaded = json!({"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}});
    assert_eq!(unusable(&provider(), overloaded), Unusable::Again("Overloaded".into()));
    assert!(matches!(unusable(&provider(), json!({"choices": []})), Unusable::Foreign(_)));
    assert!(matches!(unusable(&provider(), json!("<html>")), Unusable::Foreign(_)));
}

#[test]
fn whole_requests() {
    for (variant, size) in [(Variant::Large, "large"), (Variant::Small, "small")] {
        let provider = provider_of("claude-opus-4-7", variant);
        let turns = exchanges(&provider, thinking_click(), two_calls());
        check_request(&format!("anthropic-{size}"), &request(&provider, &turns));
    }
    let toolset = provider_of("claude-opus-5-5", Variant::Small);
    let turns = exchanges(&toolset, toolset_batch(), toolset_batch());
    check_request("anthropic-toolset-small", &request(&toolset, &turns));
    let older = provider_of("claude-haiku-4-5", Variant::Small);
    check_request(
        "anthropic-older-small",
        &request(&older, &[exchanges(&older, thinking_click(), two_calls()).remove(0)]),
    );
    check_request("anthropic-question", &toolset.question(&question()));
}

#[test]
fn header_and_tool_go_together() {
    for (model, tool, beta) in [
        ("claude-opus-4-7", "computer_20251124", Some("computer-use-2025-11-24")),
        ("claude-haiku-4-5", "computer_20250124", Some("computer-use-2025-01-24")),
        ("claude-opus-5-5", "computer_toolset_20260801", None),
    ] {
        let provider = provider_of(model, Variant::Small);
        let request = request(&provider, &exchanges(&provider, thinking_click(), two_calls())[..1]);
        let sent = request.headers.iter().find(|(name, _)| *name == "anthropic-beta").map(|(_, value)| value.as_str());
        assert_eq!(sent, beta);
        assert_eq!(request.body["tools"][0]["type"], tool);
        assert_eq!(request.body["tools"][0].get("display_width_px").is_some(), beta.is_some());
        let own_zoom = request.body["tools"].as_array().unwrap().iter().any(|tool| tool["name"] == "zoom");
        assert_eq!(own_zoom, model == "claude-haiku-4-5");
    }
}

#[test]
fn errors_hold_only_text_and_every_call_is_answered() {
    let provider = provider();
    let mut turns = exchanges(&provider, thinking_click(), two_calls());
    turns[2].shown.answers.remove(0);
    let sent = request(&provider, &turns);
    let content = sent.body["messages"][4]["content"].as_array().unwrap();
    let kinds: Vec<&str> = content.iter().map(|block| block["type"].as_str().unwrap()).collect();
    assert_eq!(kinds, ["tool_result", "tool_result", "text", "image", "image"]);
    for result in &content[..2] {
        assert_eq!(result["is_error"], true);
        assert_eq!(result["content"].as_array().unwrap().len(), 1);
    }
    assert_eq!(content[0]["tool_use_id"], "toolu_2");
}

#[test]
fn forgotten_questions_are_told_as_text_and_turns_stay_as_they_were() {
    let provider = provider();
    let turns = exchanges(&provider, thinking_click(), two_calls());
    let later = request(&provider, &turns[1..]);
    let first = later.body["messages"][0]["content"].as_array().unwrap();
    assert!(first.iter().all(|block| block["type"] != "tool_result"));
    assert_eq!(first[1]["text"], "computer: done as asked");
    let (before, after) = (request(&provider, &turns[..2]), request(&provider, &turns));
    check_prefix(before.body["messages"].as_array().unwrap(), after.body["messages"].as_array().unwrap());
    let marks = after.body.to_string().matches("cache_control").count();
    assert_eq!(marks, 3);
}

#[test]
fn thinking_that_is_bound_goes_when_what_it_was_bound_to_is_gone() {
    for (model, kept) in [("claude-opus-5-5", false), ("claude-opus-4-7", true)] {
        let provider = provider_of(model, Variant::Small);
        let turns: Vec<Exchange> = exchanges(&provider, thinking_click(), two_calls());
        let request = provider.request(&Conversation {
            system: "s",
            opening: "Task: x",
            cuts: 1,
            exchanges: &turns,
            screen: (1280, 720),
            url: None,
            max_output_tokens: 4096,
        });
        let blocks = request.body["messages"][1]["content"].as_array().unwrap();
        assert_eq!(blocks.iter().any(|block| block["type"] == "thinking"), kept, "{model}");
        assert!(blocks.iter().any(|block| block["type"] == "tool_use"));
    }
}

#[test]
fn a_turn_that_is_all_thought_is_not_sent_back() {
    let thought = json!([{"type": "thinking", "thinking": "hm", "signature": "s"}, {"type": "text", "text": " "}]);
    assert!(matches!(unusable(&provider(), message(thought.clone(), "end_turn")), Unusable::Again(_)));
    let cut = read(&provider(), message(thought, "max_tokens"));
    assert_eq!((cut.replay, cut.spoken.reasoning.as_deref()), (json!([]), Some("hm")));
    assert!(cut.problem.unwrap().contains("cut off"));
}

#[test]
fn answers_to_questions() {
    let provider = provider();
    let said = provider.read_answer(&message(json!([{"type": "text", "text": " yes "}]), "end_turn")).unwrap();
    assert_eq!((said.0.as_str(), said.1.output), ("yes", 90));
    assert!(matches!(provider.read_answer(&message(json!([]), "end_turn")), Err(Unusable::Again(_))));
}

#[test]
fn no_answer_can_break_the_reader() {
    check_any_answer(
        &provider(),
        &[
            thinking_click(),
            two_calls(),
            toolset_batch(),
            computer(json!({"action": "scroll", "coordinate": [1, 2], "scroll_direction": "up"})),
        ],
    );
}

#[test]
fn what_stands_behind_a_failure_is_told_in_the_toolsets_words() {
    let provider = provider_of("claude-opus-5-5", Variant::Small);
    let turns = exchanges(&provider, toolset_batch(), toolset_batch());
    let sent = request(&provider, &turns);
    let results = sent.body["messages"][4]["content"].as_array().unwrap();
    let told: Vec<&str> = results[..4].iter().map(|result| result["content"][0]["text"].as_str().unwrap()).collect();
    let never = "Not executed: an earlier computer action in this turn failed.";
    assert_eq!(told, ["done as asked", "not run", never, never]);
    assert!(results[..4].iter().all(|result| result["toolset_name"] == "computer"));
}
