//! Values that readers stumble over.

use proptest::prelude::*;
use proptest::strategy::BoxedStrategy;
use serde_json::{Map, Number, Value};

const ODD_TEXTS: &[&str] = &[
    "",
    " ",
    "\0",
    "\n",
    "\r\n",
    "\u{feff}",
    "\u{202e}",
    "\u{200b}",
    "\u{2028}",
    "\u{fffd}",
    "\u{10ffff}",
    "e\u{301}",
    "\u{1f468}\u{200d}\u{1f469}\u{200d}\u{1f467}",
    "İ",
    "ß",
    "\u{fb01}",
    "\\ud800",
    "\\u0000",
    "\\",
    "\"",
    "'",
    "`",
    "{",
    "[",
    "]]]]",
    "}}",
    "<secret:password>",
    "<script>",
    "</",
    "&amp;",
    "%00",
    "%",
    "%ff%fe",
    "+",
    "../../../../etc/passwd",
    "file:///etc/passwd",
    "javascript:1",
    "http://a@b/",
    "http://[::1]/",
    "http://0x7f.1/",
    "http://xn--e1afmkfd.xn--p1ai/",
    "*",
    "*.",
    "*.*",
    "a..b",
    ".",
    "-1",
    "1e999",
    "0x10",
    "NaN",
    "Infinity",
    "null",
    "true",
    "9223372036854775808",
    "1s",
    "-5m",
    "1e400s",
    "99999999999999999999x1",
    "ctrl+",
    "ctrl+alt+shift+meta+ctrl+a",
    "++",
    "F999",
    "url_contains:",
    "EXPECTED: url_changed",
    "{\"expected\":[\"url_changed\"]}",
    "${HOME}",
    "\u{1b}[31m",
    "[rule",
    "= = =",
];

pub fn odd_text() -> BoxedStrategy<String> {
    prop_oneof![
        6 => proptest::sample::select(ODD_TEXTS).prop_map(str::to_string),
        2 => proptest::collection::vec(any::<char>(), 0..20).prop_map(|chars| chars.into_iter().collect()),
        1 => (proptest::sample::select(ODD_TEXTS), 1..2000_usize).prop_map(|(text, times)| text.repeat(times)),
        1 => (any::<char>(), 1..5000_usize).prop_map(|(c, times)| String::from(c).repeat(times)),
    ]
    .boxed()
}

pub fn odd_number() -> BoxedStrategy<f64> {
    prop_oneof![
        any::<f64>(),
        proptest::sample::select(
            &[
                0.0,
                -0.0,
                0.5,
                -1.0,
                1.0,
                999.0,
                1000.0,
                1000.5,
                1001.0,
                65_535.0,
                65_536.0,
                4_294_967_295.0,
                4_294_967_296.0,
                9_007_199_254_740_993.0,
                1e18,
                1e19,
                1e300,
                -1e300,
                5e-324
            ][..]
        ),
    ]
    .boxed()
}

pub fn odd_value() -> BoxedStrategy<Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::Bool),
        any::<i64>().prop_map(Value::from),
        any::<u64>().prop_map(Value::from),
        Just(Value::from(u64::MAX)),
        Just(Value::from(i64::MIN)),
        odd_number().prop_map(|number| Number::from_f64(number).map_or(Value::Null, Value::Number)),
        odd_text().prop_map(Value::String),
    ];
    leaf.prop_recursive(3, 12, 4, |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..4).prop_map(Value::Array),
            proptest::collection::vec((odd_text(), inner), 0..4)
                .prop_map(|pairs| Value::Object(pairs.into_iter().collect::<Map<_, _>>())),
        ]
    })
    .boxed()
}
