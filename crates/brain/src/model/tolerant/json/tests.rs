//! What is forgiven, what is kept of half a value, and what is none.

use super::*;
use serde_json::json;

fn read(text: &str) -> Option<(Value, Whole)> {
    let mut steps = 1_000_000;
    value_at(text, 0, &mut Repairs::default(), &mut steps).map(|loose| (loose.value, loose.whole))
}

#[test]
fn slips_are_forgiven() {
    for (text, expected) in [
        (r#"{"a":1,"b":[1,2,],}"#, json!({"a":1,"b":[1,2]})),
        ("{'a': 'it\\'s', 'b': True, 'c': None}", json!({"a":"it's","b":true,"c":null})),
        ("{\"a\":\"one\ntwo\"}", json!({"a":"one\ntwo"})),
        ("{a: left_click, b: (1, 2)}", json!({"a":"left_click","b":[1,2]})),
        (r#"{"a":"say "hi" now"}"#, json!({"a":"say \"hi\" now"})),
        ("{'a':'it's me'}", json!({"a":"it's me"})),
        ("｛“a”：“中文”，“b”：［1，2］｝", json!({"a":"中文","b":[1,2]})),
        (r#"{"a":[1,2}"#, json!({"a":[1,2]})),
        (r#"{"a":1 "b":2}"#, json!({"a":1,"b":2})),
        (r#"{"a":"x" "b":"y"}"#, json!({"a":"x","b":"y"})),
        (r#"{"a":"C:\dir","b":+1.}"#, json!({"a":"C:\\dir","b":1.0})),
        ("{\"a\":1, // why\n\"b\":2}", json!({"a":1,"b":2})),
        (r#"{"a":"\ud83d\ude00\u00e9"}"#, json!({"a":"😀é"})),
    ] {
        assert_eq!(read(text), Some((expected, Whole::Yes)), "{text}");
    }
}

#[test]
fn half_of_it_is_kept_as_far_as_it_is_certain() {
    for (text, expected, whole) in [
        (r#"{"a":{"b":[1,2]"#, json!({"a":{"b":[1,2]}}), Whole::Unclosed),
        (r#"{"a":"x""#, json!({"a":"x"}), Whole::Unclosed),
        (r#"{"a":[100,20"#, json!({"a":[100]}), Whole::Cut),
        (r#"{"calls":[{"t":1},{"t":2"#, json!({"calls":[{"t":1}]}), Whole::Cut),
        (r#"{"calls":[{"t":1},{"t":"wa"#, json!({"calls":[{"t":1}]}), Whole::Cut),
        (r#"{"a":1,"#, json!({"a":1}), Whole::Cut),
        (r#"{"a":"half of a te"#, json!({}), Whole::Cut),
    ] {
        assert_eq!(read(text), Some((expected, whole)), "{text}");
    }
}

#[test]
fn prose_is_no_json_and_depth_is_bounded() {
    for text in ["{x}", "{x, y}", "{ }{", "{\"a\" 1}", "{\"a\":1px}", &"[".repeat(500), &"{\"a\":".repeat(500)] {
        assert!(read(text).is_none_or(|(value, _)| value == json!({})), "{text}");
    }
    assert_eq!(value_at("{\"a\":1}", 0, &mut Repairs::default(), &mut 3), None);
}
