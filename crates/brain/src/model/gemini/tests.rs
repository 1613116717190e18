//! Answers and requests in the shapes of `generateContent`.

use serde_json::{Value, json};

use super::*;
use crate::model::knowledge::Vendor;
use crate::model::vendor_tests::*;

fn provider_of(model: &str, variant: Variant) -> GeminiProvider {
    GeminiProvider::new(model, facts(Vendor::Gemini, model), PromptContext::new(Surface::Browser), variant)
}

fn provider() -> GeminiProvider {
    provider_of("gemini-3.5-flash", Variant::Small)
}

fn response(parts: Value) -> Value {
    json!({
        "candidates": [{"content": {"role": "model", "parts": parts}, "finishReason": "STOP", "index": 0}],
        "usageMetadata": {
            "promptTokenCount": 3000, "candidatesTokenCount": 40, "thoughtsTokenCount": 60,
            "cachedContentTokenCount": 1000, "totalTokenCount": 3100,
        },
        "modelVersion": "gemini-3.5-flash", "responseId": "r1",
    })
}

fn call(name: &str, args: Value) -> Value {
    response(json!([{"functionCall": {"name": name, "args": args}}]))
}

fn thinking_click() -> Value {
    response(json!([
        {"text": "The cart is top right.", "thought": true},
        {"text": "I open the cart.\nPredicted: url_contains:/cart"},
        {"functionCall": {"id": "fc1", "name": "click", "args": {"x": 912, "y": 48, "intent": "open the cart"}},
         "thoughtSignature": "CiQBjz1r"},
    ]))
}

/// Without ids, the first with a check, the second a tool of ours.
fn checked() -> Value {
    response(json!([
        {"functionCall": {"name": "click_at", "args": {"x": 60, "y": 100,
            "safety_decision": {"decision": "require_confirmation", "explanation": "This accepts cookies."}}}},
        {"functionCall": {"name": "tab", "args": {"action": "list"}}},
    ]))
}

#[test]
fn every_function_of_both_sets_has_its_gestures() {
    let at = json!([500, 250]);
    let click = json!({"tool": "mouse", "action": "click", "coordinate": at});
    let with = |name: &str, value: Value| {
        let mut call = click.clone();
        call[name] = value;
        call
    };
    let press = |key: &str| json!({"tool": "keyboard", "action": "press", "key": key});
    let point = json!({"x": 500, "y": 250});
    let typed = json!({"tool": "keyboard", "action": "type", "text": "lamp"});
    let cleared = json!({"tool": "keyboard", "action": "clear"});
    for (name, args, expected) in [
        ("click", json!({"x": 500, "y": 250, "intent": "go"}), vec![click.clone()]),
        ("click_at", json!({"x": "500", "y": 250.0}), vec![click.clone()]),
        ("double_click", point.clone(), vec![with("count", json!(2))]),
        ("triple_click", point.clone(), vec![with("count", json!(3))]),
        ("middle_click", point.clone(), vec![with("button", json!("middle"))]),
        ("right_click", point.clone(), vec![with("button", json!("right"))]),
        ("mouse_down", point.clone(), vec![json!({"tool": "hold", "action": "mouse_down", "coordinate": at})]),
        ("mouse_up", json!({}), vec![json!({"tool": "hold", "action": "mouse_up"})]),
        ("move", point.clone(), vec![with("action", json!("move"))]),
        ("hover_at", point.clone(), vec![with("action", json!("move"))]),
        ("type", json!({"text": "lamp", "press_enter": true}), vec![typed.clone(), press("enter")]),
        ("type", json!({"text": "lamp"}), vec![typed.clone()]),
        (
            "type_text_at",
            json!({"x": 500, "y": 250, "text": "lamp"}),
            vec![click.clone(), cleared.clone(), typed.clone(), press("enter")],
        ),
        (
            "type_text_at",
            json!({"x": 500, "y": 250, "text": "lamp", "press_enter": false, "clear_before_typing": "false"}),
            vec![click.clone(), typed],
        ),
        ("type_text_at", json!({"x": 500, "y": 250, "text": "", "press_enter": false}), vec![click, cleared]),
        (
            "drag_and_drop",
            json!({"x": 1, "y": 2, "destination_x": 3, "destination_y": 4}),
            vec![json!({"tool": "mouse", "action": "drag", "start_coordinate": [1, 2], "end_coordinate": [3, 4]})],
        ),
        (
            "drag_and_drop",
            json!({"start_x": 1, "start_y": 2, "end_x": 3, "end_y": 4}),
            vec![json!({"tool": "mouse", "action": "drag", "start_coordinate": [1, 2], "end_coordinate": [3, 4]})],
        ),
        ("wait", json!({"seconds": 3}), vec![json!({"tool": "wait", "seconds": 3})]),
        ("wait", json!({}), vec![json!({"tool": "wait", "seconds": 1})]),
        ("wait_5_seconds", json!({}), vec![json!({"tool": "wait", "seconds": 5})]),
        ("press_key", json!({"key": "Enter"}), vec![press("enter")]),
        ("key_down", json!({"key": "Control"}), vec![json!({"tool": "hold", "action": "key_down", "key": "ctrl"})]),
        ("key_up", json!({"key": "SHIFT"}), vec![json!({"tool": "hold", "action": "key_up", "key": "shift"})]),
        ("hotkey", json!({"keys": ["control", "shift", "t"]}), vec![press("ctrl+shift+t")]),
        ("key_combination", json!({"keys": "Control+A"}), vec![press("ctrl+a")]),
        ("take_screenshot", json!({"intent": "look"}), vec![json!({"tool": "look"})]),
        ("open_web_browser", json!({}), vec![json!({"tool": "look"})]),
        (
            "scroll",
            json!({"x": 500, "y": 250, "direction": "down", "magnitude_in_pixels": 600}),
            vec![json!({"tool": "mouse", "action": "scroll", "coordinate": at, "direction": "down", "pixels": 600})],
        ),
        (
            "scroll",
            json!({"x": 500, "y": 250, "direction": "up"}),
            vec![json!({"tool": "mouse", "action": "scroll", "coordinate": at, "direction": "up", "pixels": 300})],
        ),
        (
            "scroll",
            json!({"x": 500, "y": 250, "direction": "up", "magnitude": 400}),
            vec![json!({"tool": "mouse", "action": "scroll", "coordinate": at, "direction": "up", "grid": 400})],
        ),
        (
            "scroll_at",
            json!({"x": 500, "y": 250, "direction": "left"}),
            vec![json!({"tool": "mouse", "action": "scroll", "coordinate": at, "direction": "left", "grid": 800})],
        ),
        (
            "scroll_document",
            json!({"direction": "down"}),
            vec![
                json!({"tool": "mouse", "action": "scroll", "coordinate": [500, 500], "direction": "down", "grid": 800}),
            ],
        ),
        ("go_back", json!({}), vec![json!({"tool": "tab", "action": "back"})]),
        ("go_forward", json!({}), vec![json!({"tool": "tab", "action": "forward"})]),
        (
            "navigate",
            json!({"url": "https://a.test"}),
            vec![json!({"tool": "tab", "action": "open", "url": "https://a.test"})],
        ),
        ("search", json!({}), vec![json!({"tool": "tab", "action": "open", "url": "https://www.google.com"})]),
    ] {
        assert_eq!(gestures(&provider(), call(name, args.clone())), expected, "{name} {args}");
    }
    let named: Vec<&str> = actions::NAMES.to_vec();
    assert_eq!(named.len(), 29, "every name is in the table above");
}

#[test]
fn a_whole_answer_is_read() {
    let reading = read(&provider(), thinking_click());
    assert_eq!(
        reading.spoken.thought.as_deref(),
        Some("I open the cart.\nPredicted: url_contains:/cart\nopen the cart")
    );
    assert_eq!(reading.spoken.reasoning.as_deref(), Some("The cart is top right."));
    assert_eq!((reading.asked[0].id.as_str(), reading.asked[0].name.as_str()), ("fc1", "click"));
    assert_eq!(reading.replay, thinking_click()["candidates"][0]["content"]);
    assert_eq!(reading.tokens, Tokens { input: 2000, output: 100, cache_read: 1000, cache_write: 0 });
}

#[test]
fn decisions_about_safety() {
    let reading = read(&provider(), checked());
    let check = &reading.spoken.safety[0];
    assert_eq!((check.id.as_str(), check.code.as_str()), ("call-0", "require_confirmation"));
    assert_eq!(check.message, "This accepts cookies.");
    assert!(!Value::Object(reading.spoken.gestures[0].call.clone()).to_string().contains("safety"));
    let decided = |decision: Value| {
        call("click", json!({"x": 1, "y": 2, "safety_decision": {"decision": decision, "explanation": "why"}}))
    };
    assert!(read(&provider(), decided(json!("regular"))).spoken.safety.is_empty());
    assert_eq!(read(&provider(), decided(json!("something_new"))).spoken.safety.len(), 1);
    assert_eq!(read(&provider(), decided(json!(7))).spoken.safety.len(), 1);
    assert_eq!(unusable(&provider(), decided(json!("BLOCKED"))), Unusable::Refused("why".into()));
}

#[test]
fn what_cannot_be_done_is_one_sentence_and_nothing_is_run() {
    for (body, part) in [
        (call("fly", json!({})), "\"fly\" is no function; known are click"),
        (call("click", json!({})), "click needs x and y"),
        (call("click", json!({"x": 3})), "from 0 to 1000"),
        (call("scroll", json!({"x": 1, "y": 2})), "direction"),
        (call("navigate", json!({})), "needs a url"),
        (call("drag_and_drop", json!({"x": 1, "y": 2})), "two points"),
        (call("press_key", json!({})), "needs a key"),
        (call("type", json!({})), "needs a text"),
        (call("click", json!([1])), "no JSON object"),
        (response(json!([{"text": "I am done."}])), "call the tool done"),
    ] {
        let sentence = problem(&provider(), body);
        assert!(sentence.contains(part), "{sentence}");
    }
    let mut cut = checked();
    cut["candidates"][0]["finishReason"] = "MAX_TOKENS".into();
    assert_eq!(read(&provider(), cut.clone()).asked.len(), 2);
    assert!(problem(&provider(), cut).contains("cut off"));
    let nothing = json!({"candidates": [{"finishReason": "MAX_TOKENS", "content": {"role": "model"}}]});
    assert_eq!(read(&provider(), nothing).replay, Value::Null);
}

#[test]
fn refusals_and_errors() {
    let ended = |reason: &str| json!({"candidates": [{"finishReason": reason, "content": {}}], "usageMetadata": {}});
    for reason in ["SAFETY", "PROHIBITED_CONTENT", "BLOCKLIST", "SPII"] {
        assert!(matches!(unusable(&provider(), ended(reason)), Unusable::Refused(_)), "{reason}");
    }
    for reason in ["MALFORMED_FUNCTION_CALL", "UNEXPECTED_TOOL_CALL", "OTHER", "STOP", "RECITATION"] {
        assert!(matches!(unusable(&provider(), ended(reason)), Unusable::Again(_)), "{reason}");
    }
    let blocked = json!({"promptFeedback": {"blockReason": "PROHIBITED_CONTENT"}, "usageMetadata": {}});
    assert!(matches!(unusable(&provider(), blocked), Unusable::Refused(_)));
    assert!(matches!(unusable(&provider(), json!({"candidates": []})), Unusable::Again(_)));
    let busy = json!({"error": {"code": 503, "message": "overloaded", "status": "UNAVAILABLE"}});
    assert_eq!(unusable(&provider(), busy), Unusable::Again("overloaded".into()));
    assert!(matches!(unusable(&provider(), json!({"content": []})), Unusable::Foreign(_)));
}

#[test]
fn whole_requests() {
    for (variant, size) in [(Variant::Large, "large"), (Variant::Small, "small")] {
        let provider = provider_of("gemini-3.5-flash", variant);
        check_request(
            &format!("gemini-{size}"),
            &request(&provider, &exchanges(&provider, thinking_click(), checked())),
        );
    }
    let legacy = provider_of("gemini-2.5-computer-use-preview-10-2025", Variant::Small);
    let own_last = response(json!([{"functionCall": {"name": "confirm_preview", "args": {}}}]));
    check_request("gemini-legacy-small", &request(&legacy, &exchanges(&legacy, checked(), own_last)));
    check_request("gemini-question", &legacy.question(&question()));
}

#[test]
fn only_what_was_agreed_to_is_acknowledged() {
    let provider = provider();
    let mut turns = exchanges(&provider, thinking_click(), checked());
    let responses = |turns: &[_]| -> Vec<Value> {
        let sent = request(&provider, turns);
        let parts = sent.body["contents"][4]["parts"].as_array().unwrap().clone();
        parts.into_iter().map(|part| part["functionResponse"]["response"].clone()).collect()
    };
    let agreed = responses(&turns);
    assert_eq!(agreed[0]["safety_acknowledgement"], "true");
    assert!(agreed[1].get("safety_acknowledgement").is_none());
    turns[2].shown.answers.iter_mut().for_each(|answer| answer.acknowledged.clear());
    assert!(responses(&turns)[0].get("safety_acknowledgement").is_none());
    turns[2].shown.answers.clear();
    let unanswered = responses(&turns);
    assert_eq!((unanswered.len(), &unanswered[0]["error"]), (2, &json!("This call was not run.")));
}

#[test]
fn forgotten_questions_are_told_as_text_and_turns_stay_as_they_were() {
    let provider = provider();
    let turns = exchanges(&provider, thinking_click(), checked());
    let later = request(&provider, &turns[1..]);
    let first = later.body["contents"][0]["parts"].as_array().unwrap();
    assert!(first.iter().all(|part| part.get("functionResponse").is_none()));
    assert!(first[1]["text"].as_str().unwrap().starts_with("click: done as asked\nStep 2"));
    let (before, after) = (request(&provider, &turns[..2]), request(&provider, &turns));
    check_prefix(before.body["contents"].as_array().unwrap(), after.body["contents"].as_array().unwrap());
}

#[test]
fn a_models_name_cannot_leave_its_place_in_the_address() {
    let named = |model: &str| {
        let facts = facts(Vendor::Gemini, "gemini-3.5-flash");
        GeminiProvider::new(model, facts, PromptContext::default(), Variant::Small).question(&question()).path
    };
    assert_eq!(named("gemini-3.5-flash"), "/v1beta/models/gemini-3.5-flash:generateContent");
    assert_eq!(named("tunedModels/mine"), "/v1beta/tunedModels/mine:generateContent");
    assert_eq!(named("a?b#c d"), "/v1beta/models/a%3Fb%23c%20d:generateContent");
}

#[test]
fn answers_to_questions() {
    let said = response(json!([{"text": "hm", "thought": true}, {"text": "yes"}]));
    assert_eq!(provider().read_answer(&said).unwrap().0, "yes");
    assert!(matches!(provider().read_answer(&response(json!([]))), Err(Unusable::Again(_))));
}

#[test]
fn no_answer_can_break_the_reader() {
    let typed = call("type_text_at", json!({"x": 1, "y": 2, "text": "a"}));
    let keys = call("hotkey", json!({"keys": ["control", "c"]}));
    check_any_answer(&provider(), &[thinking_click(), checked(), typed, keys]);
}
