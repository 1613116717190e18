//! Properties of the tolerant parts: good JSON is read exactly, and everything comes to an end (a reader that took
//! time by the square of the text would meet the time limit of the test).

use proptest::prelude::*;
use serde_json::Value;

use super::json::{Whole, value_at};
use super::*;

fn json_values() -> impl Strategy<Value = Value> {
    let text = prop::collection::vec(
        prop::sample::select(vec![
            "a", "\"", "'", "\\", "\n", "ä", "😀", "{", "}", ":", ",", " ", "\u{1}", "“", "：", "//", "#",
        ]),
        0..6,
    )
    .prop_map(|parts| parts.concat());
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        (-1e9..1e9f64).prop_map(Value::from),
        text.clone().prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 32, 5, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..5).prop_map(Value::from),
            prop::collection::vec((text.clone(), inner), 0..5)
                .prop_map(|fields| Value::Object(fields.into_iter().collect())),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 600, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn good_json_is_read_exactly(value in json_values(), pretty in any::<bool>()) {
        let text = if pretty { serde_json::to_string_pretty(&value).unwrap() } else { value.to_string() };
        let text = format!("[{text}]");
        let mut repairs = Repairs::default();
        let loose = value_at(&text, 0, &mut repairs, &mut 10_000_000).unwrap();
        prop_assert_eq!(loose.whole, Whole::Yes);
        prop_assert_eq!(loose.end, text.len());
        prop_assert_eq!(&loose.value[0], &value);
        prop_assert_eq!(repairs, Repairs::default());
    }
}

#[test]
fn long_garbage_comes_to_an_end() {
    for piece in [
        "<tool_call>",
        "<function=a>",
        "<parameter=a>",
        "<arg_key>a</arg_key>",
        "<think>",
        "</think>",
        "```",
        "```json\n{",
        "{\"name\":\"a\",",
        "Action: ",
        "<",
        "\"",
        "{\"calls\":[",
        "name({",
    ] {
        let text = piece.repeat(200_000 / piece.len());
        let parted = part(&text, &mut Repairs::default());
        written_calls(&parted.answer, false, &mut Repairs::default());
        code_blocks(&text);
    }
}
