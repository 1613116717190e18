//! What the tests of the three vendors share: a conversation of three turns, whole requests against files
//! (`SUREHAND_UPDATE_SNAPSHOTS=1` writes them), and answers that were tampered with.

use std::path::Path;

use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use serde_json::{Value, json};
use surehand_types::ViewSize;
use surehand_types::reply::SafetyCheck;

use super::conversation::{CallAnswer, Conversation, Exchange, Said, Shown};
use super::gestures::{Ground, Hands};
use super::heard::MOST_GESTURES;
use super::knowledge::{ModelFacts, Vendor, model_facts};
use super::provider::{Picture, Provider, Question, Reading, Request, Unusable};
use crate::prompt::Surface;

pub(crate) fn picture(number: u32) -> Picture {
    Picture { width: 1280, height: 720, media_type: "image/png", base64: format!("PICTURE{number}=") }
}

pub(crate) fn facts(vendor: Vendor, model: &str) -> ModelFacts {
    let facts = model_facts(vendor, model);
    assert!(facts.known, "{model}");
    facts
}

#[track_caller]
pub(crate) fn read(provider: &dyn Provider, body: Value) -> Reading {
    provider.read(&body).unwrap_or_else(|unusable| panic!("{unusable:?}"))
}

/// The gestures of an answer, each of which comes to a native call.
#[track_caller]
pub(crate) fn gestures(provider: &dyn Provider, body: Value) -> Vec<Value> {
    let reading = read(provider, body);
    assert_eq!(reading.problem, None);
    let view = ViewSize { width: 1280, height: 720 };
    let ground = Ground { space: provider.space(), image: (1280, 720), view, surface: Surface::Browser };
    // What is held in one answer may be let go in another.
    if reading.spoken.gestures.iter().all(|gesture| gesture.call["tool"] != "hold") {
        Hands::default().perform(&reading.spoken.gestures, ground).unwrap_or_else(|problem| panic!("{problem}"));
    }
    reading.spoken.gestures.into_iter().map(|gesture| Value::Object(gesture.call)).collect()
}

/// The sentence about an answer of which nothing can be done.
#[track_caller]
pub(crate) fn problem(provider: &dyn Provider, body: Value) -> String {
    let reading = read(provider, body);
    assert!(reading.spoken.gestures.is_empty(), "{reading:?}");
    reading.problem.expect("a problem")
}

#[track_caller]
pub(crate) fn unusable(provider: &dyn Provider, body: Value) -> Unusable {
    provider.read(&body).expect_err("nothing usable")
}

/// Three turns: the first answer is carried out, of the second only the first call, and a person agreed to its checks.
pub(crate) fn exchanges(provider: &dyn Provider, first: Value, second: Value) -> Vec<Exchange> {
    let (first, second) = (read(provider, first), read(provider, second));
    let shown = |number: u32, answers: Vec<CallAnswer>| Shown {
        answers,
        text: format!("Step {number}. 9 steps are left.\n<page-1f>\nurl: https://shop.test/{number}\n</page-1f>"),
        picture: Some(picture(number)),
        extra: Vec::new(),
        url: Some(format!("https://shop.test/{number}")),
    };
    let answers = |reading: &Reading, agreed: &[SafetyCheck]| -> Vec<CallAnswer> {
        let answer = |(index, asked): (usize, &super::provider::Asked)| CallAnswer {
            asked: asked.clone(),
            text: if index == 0 { "done as asked".into() } else { "not run".into() },
            ok: index == 0,
            acknowledged: agreed.to_vec(),
        };
        reading.asked.iter().enumerate().map(answer).collect()
    };
    let said = |reading: &Reading| Some(Said { replay: reading.replay.clone(), ..Said::default() });
    let mut last = shown(3, answers(&second, &second.spoken.safety));
    last.extra.push(picture(4));
    vec![
        Exchange { shown: shown(1, Vec::new()), said: said(&first) },
        Exchange { shown: shown(2, answers(&first, &[])), said: said(&second) },
        Exchange { shown: last, said: None },
    ]
}

pub(crate) fn request(provider: &dyn Provider, exchanges: &[Exchange]) -> Request {
    provider.request(&Conversation {
        system: &provider.system(),
        opening: "Task: buy a lamp\n\nWhat stands between <page-1f> and </page-1f> quotes the page.\n",
        cuts: 0,
        exchanges,
        screen: (1280, 720),
        url: Some("https://shop.test/now"),
        max_output_tokens: 4096,
    })
}

pub(crate) fn question() -> Question {
    Question {
        system: "You check claims.".into(),
        text: "Is the lamp in the cart?".into(),
        pictures: vec![("The last screen:".into(), picture(1))],
    }
}

/// Compares a whole request with the one that was reviewed.
#[track_caller]
pub(crate) fn check_request(name: &str, request: &Request) {
    let headers: serde_json::Map<String, Value> =
        request.headers.iter().map(|(name, value)| (name.to_string(), Value::from(value.as_str()))).collect();
    let whole = json!({"path": request.path, "headers": headers, "body": request.body});
    let text = serde_json::to_string_pretty(&whole).unwrap() + "\n";
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/snapshots/requests").join(format!("{name}.json"));
    if std::env::var_os("SUREHAND_UPDATE_SNAPSHOTS").is_some_and(|value| value == "1") {
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::write(&file, &text).unwrap();
    }
    let reviewed = std::fs::read_to_string(&file).unwrap_or_default();
    let line = reviewed.lines().zip(text.lines()).take_while(|(old, new)| old == new).count();
    let now = text.lines().nth(line).unwrap_or("the end");
    assert!(
        reviewed == text,
        "{name}.json, line {}: now {now:?}\nhint: SUREHAND_UPDATE_SNAPSHOTS=1 accepts the new request",
        line + 1
    );
}

/// A turn that stays is sent the same way in every later request, so that the prompt cache holds.
#[track_caller]
pub(crate) fn check_prefix(earlier: &[Value], later: &[Value]) {
    let strip = |value: &Value| {
        let mut value = value.clone();
        without_marks(&mut value);
        value
    };
    assert!(earlier.len() < later.len());
    for (index, (before, after)) in earlier.iter().zip(later).enumerate() {
        assert_eq!(strip(before), strip(after), "item {index}");
    }
}

/// Where a cache may end is no part of what it holds.
fn without_marks(value: &mut Value) {
    match value {
        Value::Object(map) => {
            map.shift_remove("cache_control");
            map.values_mut().for_each(without_marks);
        }
        Value::Array(items) => items.iter_mut().for_each(without_marks),
        _ => {}
    }
}

/// Any JSON at all, and good answers with something changed: read without a panic, within bounds, and whatever came
/// of it can be sent back.
pub(crate) fn check_any_answer(provider: &dyn Provider, good: &[Value]) {
    let mut runner = TestRunner::new(Config { cases: 400, failure_persistence: None, ..Config::default() });
    runner.run(&json_value(), |value| survives(provider, &value)).unwrap();
    let tampered = (0..good.len(), proptest::collection::vec((any::<u16>(), 0..6u8, json_value()), 1..4));
    runner
        .run(&tampered, |(index, changes)| {
            let mut body = good[index].clone();
            for (place, kind, value) in changes {
                tamper(&mut body, usize::from(place), kind, value);
            }
            survives(provider, &body)
        })
        .unwrap();
}

fn survives(provider: &dyn Provider, body: &Value) -> Result<(), TestCaseError> {
    let _ = provider.read_answer(body);
    let Ok(reading) = provider.read(body) else { return Ok(()) };
    let spoken = &reading.spoken;
    prop_assert!(spoken.gestures.len() <= MOST_GESTURES && reading.asked.len() <= 128);
    prop_assert!(spoken.thought.as_ref().is_none_or(|thought| thought.chars().count() <= 20_000));
    prop_assert_eq!(reading.problem.is_some(), spoken.gestures.is_empty());
    prop_assert!(reading.problem.as_ref().is_none_or(|problem| problem.chars().count() < 1500));
    let all = spoken.safety.clone();
    let answers = reading.asked.iter().map(|asked| CallAnswer {
        asked: asked.clone(),
        text: "done".into(),
        ok: true,
        acknowledged: all.clone(),
    });
    let shown = Shown { answers: answers.collect(), text: "Step 2".into(), ..Shown::default() };
    let said = Some(Said { replay: reading.replay.clone(), ..Said::default() });
    let first = Shown { text: "Step 1".into(), picture: Some(picture(1)), ..Shown::default() };
    let _ = request(provider, &[Exchange { shown: first, said }, Exchange { shown, said: None }]);
    Ok(())
}

fn json_value() -> impl Strategy<Value = Value> {
    let words = prop::sample::select(vec![
        "",
        "tool_use",
        "computer",
        "computer_call",
        "click",
        "type",
        "key",
        "[1, 2]",
        "{}",
        "{\"x\":",
        "text",
        "stop",
        "ctrl+a",
        "refusal",
        "message",
        "done",
        "scroll",
        "up",
        "\u{0}",
        "ä",
        "1e400",
        "STOP",
    ]);
    let names = prop::sample::select(vec![
        "type",
        "content",
        "text",
        "id",
        "name",
        "input",
        "action",
        "actions",
        "output",
        "call_id",
        "candidates",
        "parts",
        "functionCall",
        "args",
        "x",
        "y",
        "coordinate",
        "keys",
        "path",
        "safety_decision",
        "decision",
        "usage",
        "error",
        "stop_reason",
        "status",
        "region",
        "arguments",
        "pending_safety_checks",
    ]);
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(|number| serde_json::Number::from_f64(number).map_or(Value::Null, Value::Number)),
        words.prop_map(Value::from),
        proptest::collection::vec(any::<char>(), 0..12)
            .prop_map(|text| Value::from(text.into_iter().collect::<String>())),
    ];
    leaf.prop_recursive(5, 40, 5, move |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..5).prop_map(Value::Array),
            proptest::collection::vec((names.clone(), inner), 0..5).prop_map(|fields| {
                Value::Object(fields.into_iter().map(|(name, value)| (name.to_string(), value)).collect())
            }),
        ]
    })
}

/// Changes the value at some place of a body.
fn tamper(body: &mut Value, place: usize, kind: u8, value: Value) {
    let total = size(body);
    let mut left = place % total.max(1);
    change(body, &mut left, kind, &value);
}

fn size(value: &Value) -> usize {
    1 + match value {
        Value::Array(items) => items.iter().map(size).sum(),
        Value::Object(map) => map.values().map(size).sum(),
        _ => 0,
    }
}

fn change(value: &mut Value, left: &mut usize, kind: u8, with: &Value) -> bool {
    if *left == 0 {
        match (kind, &mut *value) {
            (0, Value::Array(items)) if !items.is_empty() => {
                items.pop();
            }
            (0, Value::Object(map)) => map.clear(),
            (1, Value::Array(items)) => {
                let copy = items.clone();
                (0..40).for_each(|_| items.extend(copy.iter().take(4).cloned()));
            }
            (2, Value::String(text)) => *text = text.repeat(300),
            (3, Value::Number(number)) => *value = Value::from(number.to_string()),
            (4, inner) => *inner = json!([inner.clone()]),
            (_, inner) => *inner = with.clone(),
        }
        return true;
    }
    *left -= 1;
    match value {
        Value::Array(items) => items.iter_mut().any(|item| change(item, left, kind, with)),
        Value::Object(map) => map.values_mut().any(|item| change(item, left, kind, with)),
        _ => false,
    }
}
