//! Answers and requests in the shapes of the Responses API.

use serde_json::{Value, json};

use super::*;
use crate::model::knowledge::Vendor;
use crate::model::vendor_tests::*;

fn provider_of(model: &str, variant: Variant) -> OpenAiProvider {
    OpenAiProvider::new(model, facts(Vendor::OpenAi, model), PromptContext::new(Surface::Browser), variant)
}

fn provider() -> OpenAiProvider {
    provider_of("gpt-5.4", Variant::Small)
}

/// A response with these output items.
fn response(output: Value) -> Value {
    json!({
        "id": "resp_1", "object": "response", "status": "completed", "error": null, "incomplete_details": null,
        "model": "gpt-5.4", "output": output,
        "usage": {
            "input_tokens": 5000, "input_tokens_details": {"cached_tokens": 4000},
            "output_tokens": 120, "output_tokens_details": {"reasoning_tokens": 64}, "total_tokens": 5120,
        },
    })
}

fn actions(actions: Value) -> Value {
    response(json!([{
        "type": "computer_call", "id": "cu_1", "call_id": "call_1", "status": "completed", "pending_safety_checks": [],
        "actions": actions,
    }]))
}

fn one(action: Value) -> Value {
    let mut all = gestures(&provider(), actions(json!([action])));
    assert_eq!(all.len(), 1, "{all:?}");
    all.remove(0)
}

fn batch() -> Value {
    response(json!([
        {"type": "reasoning", "id": "rs_1", "summary": [{"type": "summary_text", "text": "The search field is on top."}],
         "encrypted_content": "gAAAAABo", "status": null},
        {"type": "message", "id": "msg_1", "role": "assistant", "status": "completed",
         "content": [{"type": "output_text", "text": "I search for a lamp.\nPredicted: url_changed", "annotations": []}]},
        {"type": "computer_call", "id": "cu_1", "call_id": "call_1", "status": "completed", "pending_safety_checks": [],
         "actions": [
             {"type": "click", "button": "left", "x": 405, "y": 157},
             {"type": "type", "text": "lamp"},
             {"type": "keypress", "keys": ["ENTER"]},
         ]},
    ]))
}

/// The preview's single action, with a check, and a function beside it.
fn checked() -> Value {
    response(json!([
        {"type": "computer_call", "id": "cu_2", "call_id": "call_2", "status": "completed",
         "pending_safety_checks": [
             {"id": "cu_sc_1", "code": "irrelevant_domain", "message": "The address has nothing to do with the task."},
             {"id": "cu_sc_2"},
         ],
         "action": {"type": "click", "button": "right", "x": 10, "y": 20}},
        {"type": "function_call", "id": "fc_1", "call_id": "call_3", "name": "tab", "arguments": "{\"action\":\"list\"}", "status": "completed"},
    ]))
}

#[test]
fn every_action_has_its_gesture() {
    for (action, expected) in [
        (
            json!({"type": "click", "button": "left", "x": 1, "y": 2}),
            json!({"tool": "mouse", "action": "click", "coordinate": [1, 2]}),
        ),
        (
            json!({"type": "click", "button": "wheel", "x": "1", "y": 2.0, "keys": ["SHIFT", "CTRL"]}),
            json!({"tool": "mouse", "action": "click", "button": "middle", "coordinate": [1, 2], "modifiers": ["shift", "ctrl"]}),
        ),
        (json!({"type": "click", "button": "back", "x": 1, "y": 2}), json!({"tool": "tab", "action": "back"})),
        (json!({"type": "click", "button": "forward", "x": 1, "y": 2}), json!({"tool": "tab", "action": "forward"})),
        (
            json!({"type": "double_click", "x": 1, "y": 2, "keys": null}),
            json!({"tool": "mouse", "action": "click", "coordinate": [1, 2], "count": 2}),
        ),
        (json!({"type": "move", "x": 1, "y": 2}), json!({"tool": "mouse", "action": "move", "coordinate": [1, 2]})),
        (
            json!({"type": "drag", "path": [{"x": 1, "y": 2}, {"x": 50, "y": 2}, {"x": 100, "y": 3}]}),
            json!({"tool": "mouse", "action": "drag", "start_coordinate": [1, 2], "end_coordinate": [100, 3]}),
        ),
        (
            json!({"type": "drag", "path": [[1, 2], [3, 4]]}),
            json!({"tool": "mouse", "action": "drag", "start_coordinate": [1, 2], "end_coordinate": [3, 4]}),
        ),
        (
            json!({"type": "keypress", "keys": ["CTRL", "A"]}),
            json!({"tool": "keyboard", "action": "press", "key": "ctrl+a"}),
        ),
        (json!({"type": "keypress", "keys": [" "]}), json!({"tool": "keyboard", "action": "press", "key": "space"})),
        (
            json!({"type": "keypress", "keys": ["ARROWDOWN"]}),
            json!({"tool": "keyboard", "action": "press", "key": "arrowdown"}),
        ),
        (
            json!({"type": "scroll", "x": 1, "y": 2, "scroll_x": 0, "scroll_y": -300}),
            json!({"tool": "mouse", "action": "scroll", "coordinate": [1, 2], "direction": "up", "pixels": 300}),
        ),
        (
            json!({"type": "scroll", "x": 1, "y": 2, "scrollX": 40, "scrollY": 0}),
            json!({"tool": "mouse", "action": "scroll", "coordinate": [1, 2], "direction": "right", "pixels": 40}),
        ),
        (json!({"type": "scroll", "x": 1, "y": 2, "scroll_x": 0, "scroll_y": 0}), json!({"tool": "look"})),
        (json!({"type": "screenshot"}), json!({"tool": "look"})),
        (json!({"type": "type", "text": "a\nb"}), json!({"tool": "keyboard", "action": "type", "text": "a\nb"})),
        (json!({"type": "wait"}), json!({"tool": "wait", "seconds": 2})),
    ] {
        assert_eq!(one(action.clone()), expected, "{action}");
    }
    let both =
        gestures(&provider(), actions(json!([{"type": "scroll", "x": 1, "y": 2, "scroll_x": 5, "scroll_y": 6}])));
    assert_eq!(both.len(), 2);
    let keys = gestures(&provider(), actions(json!([{"type": "keypress", "keys": ["TAB", "ENTER"]}])));
    assert_eq!(keys.len(), 2);
    let curve = json!([{"type": "drag", "path": [[0, 0], [50, 80], [100, 0]]}]);
    assert_eq!(read(&provider(), actions(curve)).spoken.repairs, ["a curved drag was made straight"]);
}

#[test]
fn a_batch_is_read_in_order() {
    let reading = read(&provider(), batch());
    let ids: Vec<Option<&str>> = reading.spoken.gestures.iter().map(|gesture| gesture.id.as_deref()).collect();
    assert_eq!(ids, [Some("call_1"); 3]);
    assert_eq!((reading.asked.len(), reading.asked[0].name.as_str()), (1, "computer"));
    assert_eq!(reading.spoken.thought.as_deref(), Some("I search for a lamp.\nPredicted: url_changed"));
    assert_eq!(reading.spoken.reasoning.as_deref(), Some("The search field is on top."));
    assert_eq!(reading.tokens, Tokens { input: 1000, output: 120, cache_read: 4000, cache_write: 0 });
    assert!(reading.replay[0].get("status").is_none());
    assert_eq!(reading.replay[0]["encrypted_content"], "gAAAAABo");
}

#[test]
fn checks_are_handed_over() {
    let reading = read(&provider(), checked());
    let codes: Vec<&str> = reading.spoken.safety.iter().map(|check| check.code.as_str()).collect();
    assert_eq!(codes, ["irrelevant_domain", ""]);
    assert_eq!(reading.spoken.gestures[1].call["tool"], "tab");
    assert_eq!(reading.asked[1].id, "call_3");
}

#[test]
fn what_cannot_be_done_is_one_sentence_and_nothing_is_run() {
    for (output, part) in [
        (actions(json!([{"type": "teleport"}])), "\"teleport\" is no action of the computer tool; known are click"),
        (
            actions(json!([{"type": "click", "x": 1, "y": 2}, {"type": "click", "button": "fifth", "x": 1, "y": 2}])),
            "no button",
        ),
        (actions(json!([{"type": "click", "x": 1}])), "two numbers"),
        (actions(json!([{"type": "drag", "path": []}])), "path of points"),
        (actions(json!([{"type": "keypress", "keys": []}])), "needs keys"),
        (actions(json!([])), "has no actions"),
        (actions(json!(["click"])), "JSON object"),
        (
            response(json!([{"type": "function_call", "call_id": "c", "name": "shell", "arguments": "{}"}])),
            "\"shell\" is no function",
        ),
        (
            response(
                json!([{"type": "function_call", "call_id": "c", "name": "done", "arguments": "{\"success\":tr"}]),
            ),
            "arguments of done",
        ),
        (
            response(json!([{"type": "message", "content": [{"type": "output_text", "text": "Shall I go on?"}]}])),
            "ask_user",
        ),
    ] {
        let sentence = problem(&provider(), output);
        assert!(sentence.contains(part), "{sentence}");
    }
    let mut cut = batch();
    cut["status"] = "incomplete".into();
    cut["incomplete_details"] = json!({"reason": "max_output_tokens"});
    assert!(problem(&provider(), cut.clone()).contains("cut off"));
    cut["output"].as_array_mut().unwrap().truncate(1);
    assert_eq!(read(&provider(), cut).replay, json!([]), "reasoning alone is refused as input");
}

#[test]
fn refusals_and_errors() {
    let refusal =
        response(json!([{"type": "message", "content": [{"type": "refusal", "refusal": "I can't do that."}]}]));
    assert_eq!(unusable(&provider(), refusal), Unusable::Refused("I can't do that.".into()));
    let mut filtered = response(json!([]));
    filtered["status"] = "incomplete".into();
    filtered["incomplete_details"] = json!({"reason": "content_filter"});
    assert!(matches!(unusable(&provider(), filtered), Unusable::Refused(_)));
    let mut failed = response(json!([]));
    failed["status"] = "failed".into();
    failed["error"] = json!({"code": "server_error", "message": "try again"});
    assert_eq!(unusable(&provider(), failed), Unusable::Again("try again".into()));
    assert!(matches!(unusable(&provider(), response(json!([]))), Unusable::Again(_)));
    assert!(matches!(unusable(&provider(), json!({"choices": [{}]})), Unusable::Foreign(_)));
}

#[test]
fn whole_requests() {
    for (variant, size) in [(Variant::Large, "large"), (Variant::Small, "small")] {
        let provider = provider_of("gpt-5.4", variant);
        check_request(&format!("openai-{size}"), &request(&provider, &exchanges(&provider, batch(), checked())));
    }
    let preview = provider_of("computer-use-preview", Variant::Small);
    check_request("openai-preview-small", &request(&preview, &exchanges(&preview, checked(), checked())));
    check_request("openai-question", &provider().question(&question()));
}

#[test]
fn exactly_the_agreed_checks_are_acknowledged() {
    let provider = provider();
    let mut turns = exchanges(&provider, batch(), checked());
    let output = |turns: &[_]| {
        let sent = request(&provider, turns);
        let input = sent.body["input"].as_array().unwrap().clone();
        input.into_iter().rfind(|item| item["type"] == "computer_call_output").unwrap()
    };
    assert_eq!(
        output(&turns)["acknowledged_safety_checks"],
        json!([
            {"id": "cu_sc_1", "code": "irrelevant_domain", "message": "The address has nothing to do with the task."},
            {"id": "cu_sc_2"},
        ])
    );
    turns[2].shown.answers[0].acknowledged.remove(0);
    assert_eq!(output(&turns)["acknowledged_safety_checks"], json!([{"id": "cu_sc_2"}]));
    turns[2].shown.answers[0].acknowledged[0].id = "of another call".into();
    assert!(output(&turns).get("acknowledged_safety_checks").is_none());
}

#[test]
fn a_computer_call_is_always_answered_with_a_picture() {
    let provider = provider();
    let mut turns = exchanges(&provider, batch(), checked());
    turns[2].shown.picture = None;
    let of = |turns: &[_]| {
        let sent = request(&provider, turns);
        let input = sent.body["input"].as_array().unwrap().clone();
        let last = input.into_iter().rfind(|item| item["type"] == "computer_call_output").unwrap();
        last["output"]["image_url"].as_str().unwrap().to_string()
    };
    assert_eq!(of(&turns), "data:image/png;base64,PICTURE2=");
    turns.iter_mut().for_each(|turn| turn.shown.picture = None);
    assert!(of(&turns).starts_with("data:image/png;base64,iVBOR"));
    turns[2].shown.answers.clear();
    let sent = request(&provider, &turns);
    let last = sent.body["input"].as_array().unwrap().iter().rfind(|item| item["type"] == "function_call_output");
    assert_eq!(last.unwrap()["output"], "This call was not run.");
}

#[test]
fn forgotten_questions_are_told_as_text_and_turns_stay_as_they_were() {
    let provider = provider();
    let turns = exchanges(&provider, batch(), checked());
    let later = request(&provider, &turns[1..]);
    let first = &later.body["input"][0];
    assert_eq!(first["role"], "user");
    assert!(first["content"][1]["text"].as_str().unwrap().starts_with("computer: done as asked\nStep 2"));
    let (before, after) = (request(&provider, &turns[..2]), request(&provider, &turns));
    check_prefix(before.body["input"].as_array().unwrap(), after.body["input"].as_array().unwrap());
}

#[test]
fn answers_to_questions() {
    let said = json!([{"type": "reasoning", "summary": []}, {"type": "message", "content": [{"type": "output_text", "text": "yes"}]}]);
    assert_eq!(provider().read_answer(&response(said)).unwrap().0, "yes");
    assert!(matches!(provider().read_answer(&response(json!([]))), Err(Unusable::Again(_))));
}

#[test]
fn no_answer_can_break_the_reader() {
    let drag = actions(
        json!([{"type": "drag", "path": [{"x": 1, "y": 2}, {"x": 3, "y": 4}], "keys": ["SHIFT"]}, {"type": "scroll", "x": 1, "y": 2, "scroll_y": 3}]),
    );
    check_any_answer(&provider(), &[batch(), checked(), drag]);
}
