//! The schema rules as data: one accepted or one rejected call per line.

use serde_json::{Value, json};

use super::*;
use crate::coords::GridPoint;

fn accepted(value: Value) -> Call {
    Call::parse(&value).unwrap_or_else(|problem| panic!("{value}: {}", problem.message)).call
}

fn rejected(value: Value, code: ErrorCode, expected: &str) {
    let problem = Call::parse(&value).expect_err(&value.to_string());
    assert_eq!(problem.code, code, "{value}");
    assert!(problem.message.contains(expected), "{value}: {}", problem.message);
    assert!(!problem.message.contains('\n'), "one line: {}", problem.message);
}

#[test]
fn coordinates_are_exactly_two_integers_on_the_grid() {
    for bad in [
        json!([1]),
        json!([1, 2, 3]),
        json!([-5, 100]),
        json!([1, 1500]),
        json!([true, 1]),
        json!([1.5, 2]),
        json!("512,300"),
        json!({"x": 1, "y": 2}),
        json!([null, 1]),
        json!(["NaN", 1]),
        json!([[1, 2]]),
        json!([]),
        json!(["", 1]),
        json!(["inf", 1]),
        json!([1e300, 1]),
    ] {
        rejected(
            json!({"tool": "mouse", "action": "click", "coordinate": bad}),
            ErrorCode::InvalidCall,
            "mouse.coordinate must be",
        );
    }
    for good in [json!([512, 300]), json!([512.0, 300]), json!(["512", " 300 "])] {
        let call = accepted(json!({"tool": "mouse", "action": "click", "coordinate": good}));
        let Call::Mouse(MouseCall::Click { at, .. }) = call else { panic!() };
        assert_eq!(at, Some(GridPoint::new(512, 300)));
    }
}

#[test]
fn a_bare_coordinate_is_a_move() {
    let call = accepted(json!({"tool": "mouse", "coordinate": [0, 1000]}));
    assert_eq!(call, Call::Mouse(MouseCall::Move { to: GridPoint::new(0, 1000), modifiers: vec![] }));
    rejected(json!({"tool": "mouse"}), ErrorCode::InvalidCall, "mouse.coordinate is needed for move");
}

#[test]
fn defaults_bounds_and_names() {
    let call = accepted(json!({"tool": "mouse", "action": "scroll", "modifiers": ["Control", "SHIFT"]}));
    assert_eq!(
        call,
        Call::Mouse(MouseCall::Scroll {
            at: None,
            direction: Direction::Down,
            amount: 300,
            modifiers: vec![Modifier::Ctrl, Modifier::Shift],
        })
    );
    let invalid = ErrorCode::InvalidCall;
    rejected(
        json!({"tool": "mouse", "action": "click", "count": 4}),
        invalid,
        "mouse.count must be an integer from 1 to 3",
    );
    rejected(json!({"tool": "mouse", "action": "click", "count": true}), invalid, "mouse.count");
    rejected(json!({"tool": "mouse", "action": "scroll", "amount": 0}), invalid, "mouse.amount");
    rejected(
        json!({"tool": "mouse", "action": "scroll", "direction": "sideways"}),
        invalid,
        "mouse.direction must be one of up",
    );
    rejected(
        json!({"tool": "mouse", "action": "drag", "start_coordinate": [1, 1]}),
        invalid,
        "mouse.end_coordinate is needed for drag",
    );
    rejected(
        json!({"tool": "mouse", "action": "drag", "start_coordinate": [1, 1], "end_coordinate": [2, 2], "steps": 41}),
        invalid,
        "mouse.steps",
    );
    rejected(json!({"tool": "mouse", "action": "click", "x": 5}), invalid, "mouse.x is not a field");
    rejected(json!({"tool": "mouse", "action": "left_click"}), invalid, "mouse.action must be one of move");
    rejected(json!({"tool": "mouse", "action": "click", "modifiers": ["hyper"]}), invalid, "mouse.modifiers");
    rejected(json!({"tool": "click"}), ErrorCode::UnknownTool, "\"click\" is not a tool");
    rejected(json!({"action": "click"}), invalid, "tool is missing");
    rejected(json!({"tool": 5}), invalid, "tool must be a string");
    rejected(json!([1, 2]), invalid, "a call must be a JSON object");
    rejected(
        json!({"tool": "keyboard", "action": "press", "key": "entre"}),
        ErrorCode::UnknownKey,
        "near names: enter",
    );
    rejected(json!({"tool": "keyboard", "action": "type"}), invalid, "keyboard.text is needed for type");
    rejected(
        json!({"tool": "keyboard", "action": "type", "text": "x".repeat(10_001)}),
        invalid,
        "at most 10000 characters; got a string of 10001 characters",
    );
    rejected(json!({"tool": "keyboard", "text": "hi"}), invalid, "keyboard.action is needed");
    rejected(json!({"tool": "tab", "action": "open"}), invalid, "tab.url is needed for open");
    rejected(json!({"tool": "tab", "action": "switch"}), invalid, "tab.tab_id is needed for switch");
    rejected(json!({"tool": "wait", "seconds": 61}), invalid, "wait.seconds must be a number from 0 to 60");
    rejected(json!({"tool": "zoom", "region": [10, 10, 10, 20]}), invalid, "zoom.region");
    rejected(json!({"tool": "dialog"}), invalid, "dialog.dialog_action is needed");
    rejected(json!({"tool": "done", "success": "yes", "summary": "x"}), invalid, "done.success must be true or false");
    rejected(json!({"tool": "select_option", "values": []}), invalid, "select_option.values");
}

#[test]
fn null_counts_as_not_given_and_given_fields_are_kept_as_they_were() {
    let parsed = Call::parse(&json!({"tool": "mouse", "action": "click", "coordinate": null})).unwrap();
    let Call::Mouse(MouseCall::Click { at: None, count: 1, .. }) = parsed.call else { panic!() };
    let value = json!({"tool": "wait", "seconds": "2.5"});
    let parsed = Call::parse(&value).unwrap();
    assert_eq!(parsed.call, Call::Wait { seconds: 2.5 });
    assert_eq!(Value::Object(parsed.given), value);
}

#[test]
fn every_tool_has_a_schema_whose_defaults_parse() {
    for tool in TOOLS {
        let schema = tool.json_schema();
        assert_eq!(schema["properties"]["tool"]["const"], tool.name);
        for field in tool.fields {
            if let Some(default) = field.default {
                assert!(serde_json::from_str::<Value>(default).is_ok(), "{}.{}", tool.name, field.name);
            }
        }
    }
}
