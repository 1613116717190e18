//! What a page, a url or a format can make of a secret, and what is left of it after the redactor.

use serde::{Deserialize, Serialize};
use serde_json::json;

use super::*;

fn redactor(value: &str) -> Redactor {
    Redactor::new(&[Secret::new("s", value)])
}

#[track_caller]
fn check(secret: &str, text: &str, expected: &str) {
    assert_eq!(redactor(secret).text(text), expected, "{secret:?} in {text:?}");
}

#[test]
fn a_placeholder_is_told_from_what_looks_like_one() {
    use Piece::{Secret as S, Text as T};
    assert_eq!(pieces("a<secret:pw>b<secret:x.y-z_1>"), [T("a"), S("pw"), T("b"), S("x.y-z_1")]);
    for plain in ["<secret:>", "<secret:a b>", "<secret:pw", "<SECRET:pw>", "< secret:pw>", "<secret:ä>", "x"] {
        assert_eq!(pieces(plain), [T(plain)]);
    }
    assert_eq!(pieces("<secret:<secret:pw>"), [T("<secret:"), S("pw")]);
    assert_eq!(pieces(""), []);
    assert!(is_name(&"a".repeat(64)) && !is_name(&"a".repeat(65)) && !is_name("") && !is_name("a b"));
    assert_eq!(names_in("x<secret:a>\t<secret:b>"), ["a", "b"]);
}

#[test]
fn every_spelling_is_replaced() {
    let odd = "a b\"ç&<%\\é🔑";
    check(odd, &format!("x {odd} y"), "x <secret:s> y");
    check(odd, "/?q=a%20b%22%C3%A7%26%3C%25%5C%C3%A9%F0%9F%94%91&r=1", "/?q=<secret:s>&r=1");
    check(odd, "/?q=a+b%22%c3%a7%26%3c%25%5c%c3%a9%f0%9f%94%91", "/?q=<secret:s>");
    check(odd, "a b&quot;ç&amp;&lt;%\\é&#128273;!", "<secret:s>!");
    check(odd, "a b&#34;&#xe7;&#38;&#x3C;%\\&#233;🔑", "<secret:s>");
    check(odd, r#"{"v":"a b\"\u00e7&<%\\\u00e9\ud83d\udd11"}"#, r#"{"v":"<secret:s>"}"#);
    check(odd, &format!("{:?}", format!("{odd}{:?}", 1)), "\"<secret:s>1\"");
    check(odd, "A B\"Ç&<%\\É🔑", "<secret:s>");
    check(odd, "a\n  b\"ç&<%\\é🔑", "<secret:s>");
    // Twice: a url inside JSON, JSON inside a url, percent-encoded twice.
    check("a b\"c", r#"{\"u\":\"\/?q=a%20b%22c\"}"#, r#"{\"u\":\"\/?q=<secret:s>\"}"#);
    check("a b\"c", "?j=%7B%22v%22%3A%22a%20b%5C%22c%22%7D", "?j=%7B%22v%22%3A%22<secret:s>%22%7D");
    check("a b\"c", "?q=a%2520b%2522c", "?q=<secret:s>");
    check("a b+c", "?q=a+b%2Bc", "?q=<secret:s>");
    check("a+b\"", "?q=a+b%22", "?q=<secret:s>");
}

#[test]
fn values_that_look_like_syntax_are_plain_text() {
    check("a.*[b](c)+$", "a.*[b](c)+$ but not axxb", "<secret:s> but not axxb");
    check("100%25off", "100%25off 100%2525off 100%off", "<secret:s> <secret:s> 100%off");
    check("C:\\new\\table", "C:\\new\\table \"C:\\\\new\\\\table\"", "<secret:s> \"<secret:s>\"");
    check("&amp;&lt;", "&amp;&lt; &amp;amp;&amp;lt;", "<secret:s> <secret:s>");
    check("<secret:x>", "typed <secret:x>", "typed <secret:s>");
    check("  padded  ", "(padded) (  padded  )", "(<secret:s>) (  <secret:s>  )");
    check("soft\u{200b}ly", "so\u{ad}ftly", "<secret:s>");
    check("   ", "a   b", "a   b");
    check("", "a", "a");
}

#[test]
fn base64_is_found_at_every_place() {
    let redactor = redactor("hunter22?>~");
    let encode = |text: &str| -> String {
        let bytes: Vec<u8> = text.bytes().collect();
        let alphabet = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
        let encoded = bytes.chunks(3).map(|chunk| {
            let number = (0..3).fold(0u32, |sum, at| sum << 8 | u32::from(*chunk.get(at).unwrap_or(&0)));
            let character = |at: usize| match at <= chunk.len() {
                true => char::from(alphabet[(number >> (18 - 6 * at) & 63) as usize]),
                false => '=',
            };
            (0..4).map(character).collect::<String>()
        });
        encoded.collect()
    };
    assert_eq!(encode("user:pass"), "dXNlcjpwYXNz");
    for before in ["", "a", "ab", "abc", "user:", "ünï:"] {
        for after in ["", "x", "xy", "xyz"] {
            let encoded = encode(&format!("{before}hunter22?>~{after}"));
            let url_safe = encoded.replace('+', "-").replace('/', "_").replace('=', "");
            for text in [format!("Basic {encoded}"), url_safe, encoded.replace('+', "%2B").replace('/', "%2f")] {
                let cleaned = redactor.text(&text);
                assert!(cleaned.contains("<secret:s>"), "{text} -> {cleaned}");
                // At the most the neighbours' own characters are left.
                let left = cleaned.replace("<secret:s>", "").replace("Basic ", "").len();
                assert!(left <= encode(before).len() + encode(after).len() + 4, "{text} -> {cleaned}");
            }
        }
    }
}

#[test]
fn case_counts_only_for_values_without_words() {
    check("Hunter2x", "HUNTER2X hunter2x hUnTeR2x", "<secret:s> <secret:s> <secret:s>");
    check("aB-1c9", "aB-1c9 ab-1c9", "<secret:s> ab-1c9");
}

#[test]
fn short_values_are_replaced_where_they_stand_alone() {
    check("7", "7 and 17, x7y, (7) 7", "<secret:s> and 17, x7y, (<secret:s>) <secret:s>");
    check("ab", "ab AB cab ab.", "<secret:s> AB cab <secret:s>.");
    check("🔑", "key 🔑!", "key <secret:s>!");
    check("1234", "x1234y", "x<secret:s>y");
}

#[test]
fn cut_copies_are_replaced_as_well() {
    let long: String = (0..2000).map(|number| format!("{:x}-", number * 7919)).collect();
    let redactor = redactor(&long);
    for (from, to) in [(0, 200), (500, 560), (1000, 1012), (0, long.len())] {
        assert_eq!(redactor.text(&format!("it holds \"{}…\"", &long[from..to])), "it holds \"<secret:s>…\"");
    }
    assert_eq!(redactor.text(&long[3..14]), &long[3..14]);
    check("correct horse", "the value is correc", "the value is correc");
    check("correct horse", "the value is correct", "the value is <secret:s>");
    check("correct horse", "\"correct h…\" and more", "\"<secret:s>…\" and more");
    check("correct horse", "correct h... and correct h, then", "<secret:s>... and correct h, then");
    check("hunter22", "holds hunt", "holds <secret:s>");
    check("hunter22", "holds hun", "holds hun");
    check("hunter22", "go hunting", "go hunting");
    check("first line\nsecond line", "second line, first line", "<secret:s>, <secret:s>");
}

#[test]
fn several_secrets_leave_nothing_of_each_other() {
    let several = Redactor::new(&[
        Secret::new("pin", "a b\"ç"),
        Secret::new("long", "a b\"ç-and-more"),
        Secret::new("left", "abcdef"),
        Secret::new("right", "defghi"),
        Secret::new("word", "secret"),
        Secret::new("one", "a"),
    ]);
    assert_eq!(several.text("x a b\"ç y"), "x <secret:pin> y");
    assert_eq!(several.text("x a b\"ç-and-more y"), "x <secret:long> y");
    assert_eq!(several.text("abcdefghi"), "<secret:left><secret:right>");
    assert_eq!(several.text("abcdefabcdef"), "<secret:left><secret:left>");
    assert_eq!(several.text("my secret"), "my <secret:word>");
    // Once is enough: nothing inside a placeholder is touched.
    for text in ["a b\"ç abcdefghi secret a", "<secret:one> <secret:a> <secret:word>"] {
        let once = several.text(text);
        assert_eq!(several.text(&once), once);
    }
    assert_eq!(several.text("<secret:one>"), "<secret:one>");
}

#[test]
fn json_is_redacted_through_keys_and_nesting() {
    let mut value = json!({"a b\"ç": ["a b\"ç", 3, {"k": "no"}], "title": "a b\"ç"});
    redactor("a b\"ç").json(&mut value);
    assert_eq!(value, json!({"<secret:s>": ["<secret:s>", 3, {"k": "no"}], "title": "<secret:s>"}));
}

#[test]
fn what_our_own_code_made_survives_a_short_secret() {
    let event = json!({
        "v": 1, "seq": 3, "at": "2026-01-01T12:34:12.341234Z", "run_id": "01k1234", "type": "step",
        "message": "typed 1234", "frames": {"before": "ab1234", "after": null}, "frame_hash": "1234",
        "frame": {"path": "/tmp/1234/frame-1.png", "sha256": "991234"}, "before": "1234",
        "tabs": [{"id": "t1", "target": "AB1234", "active": true, "title": "1234"}],
    });
    let mut redacted = event.clone();
    redactor("1234").json(&mut redacted);
    let mut expected = event.clone();
    expected["message"] = json!("typed <secret:s>");
    expected["before"] = json!("<secret:s>");
    expected["tabs"][0]["title"] = json!("<secret:s>");
    assert_eq!(redacted, expected);
    // A whole long secret goes from there as well.
    let mut hashed = json!({"sha256": "0123456789abcdef0123456789abcdef"});
    redactor("0123456789abcdef0123456789abcdef").json(&mut hashed);
    assert_eq!(hashed, json!({"sha256": "<secret:s>"}));
}

#[test]
fn a_secret_that_is_a_word_of_our_formats_breaks_nothing() {
    #[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
    struct Told {
        status: crate::EffectStatus,
        message: String,
    }
    let told = Told { status: crate::EffectStatus::Confirmed, message: "it says confirmed here".into() };
    let copy = redactor("confirmed").copy_of(&told).unwrap();
    assert_eq!(copy, Told { message: "it says <secret:s> here".into(), ..told });
    let mut keyed = json!({"message": "message", "messages": 1});
    redactor("message").json(&mut keyed);
    assert_eq!(keyed, json!({"message": "<secret:s>", "<secret:s>s": 1}));
}

#[test]
fn a_call_stays_a_call_whatever_the_secret_is() {
    let call =
        json!({"tool": "mouse", "action": "click", "coordinate": [1, 2], "button": "left", "modifiers": ["shift"]});
    let typed = json!({"tool": "keyboard", "action": "type", "text": "X"});
    let done = json!({"tool": "done", "success": true, "summary": "X", "output": {"answer": ["X", true, null]}});
    for word in ["click", "mouse", "true", "tool", "action", "coordinate", "left", "shift", "type", "keyboard", "done"]
    {
        let mut kept = call.clone();
        redactor(word).json(&mut kept);
        assert_eq!(kept, call, "{word}");
        // What the brain gives as a value goes, alone and within a text.
        for (given, key) in [(&typed, "text"), (&done, "summary")] {
            for text in [word.to_string(), format!("say {word} twice")] {
                let mut value = given.clone();
                value[key] = json!(text);
                let mut expected = given.clone();
                expected[key] = json!(text.replace(word, "<secret:s>"));
                redactor(word).json(&mut value);
                assert_eq!(value, expected, "{word} in {text:?}");
            }
        }
        let mut output = done.clone();
        output["output"]["answer"][0] = json!(word);
        redactor(word).json(&mut output);
        assert_eq!(output["output"], json!({"answer": ["<secret:s>", true, null]}), "{word}");
    }
    // A word of a closed set stays only in the fields that take it.
    let mut told = json!({"decision": "allow", "message": "allow", "status": "confirmed", "title": "confirmed"});
    redactor("allow").json(&mut told);
    redactor("confirmed").json(&mut told);
    let expected = json!({"decision": "allow", "message": "<secret:s>", "status": "confirmed", "title": "<secret:s>"});
    assert_eq!(told, expected);
}

#[test]
fn a_secret_that_nobody_can_see_is_replaced_as_it_is() {
    let unseen = "\u{200b}\u{200c}\u{200d}\u{2060}\u{200b}";
    check(unseen, &format!("a{unseen}b {unseen}"), "a<secret:s>b <secret:s>");
    check(unseen, "q=%E2%80%8B%E2%80%8C%E2%80%8D%E2%81%A0%E2%80%8B&r", "q=<secret:s>&r");
    check(unseen, "{\"v\":\"\\u200b\\u200c\\u200d\\u2060\\u200b\"}", "{\"v\":\"<secret:s>\"}");
    check(unseen, "a\u{200b}b, plain words", "a\u{200b}b, plain words");
    check(&format!(" {unseen}\n"), &format!("[{unseen}]"), "[<secret:s>]");
    // As short as a joiner: between letters it belongs to the word.
    check("\u{200d}", "می\u{200d}خواهم \u{200d}!", "می\u{200d}خواهم <secret:s>!");
}

#[test]
fn nothing_shows_a_value_by_accident() {
    assert_eq!(format!("{:?}", Secret::new("pin", "1234")), "Secret(pin)");
    assert_eq!(format!("{:?}", redactor("1234")), "Redactor([\"<secret:s>\"])");
}

#[test]
fn long_and_periodic_values_are_found_in_one_pass() {
    let mixed: String = (0..2500).map(|number| format!("{:04x}", number * 7919 % 65536)).collect();
    for value in ["abc".repeat(3334), "k".repeat(10_000), "Zx9!".repeat(2500), mixed] {
        let redactor = redactor(&value);
        let text = format!("title {value} and {} and {}", &value[..5000], &value[5000..5400]);
        assert_eq!(redactor.text(&text), "title <secret:s> and <secret:s> and <secret:s>");
        // A square of this length would take minutes.
        assert_eq!(redactor.text(&value.repeat(100)).replace("<secret:s>", ""), "");
    }
}

#[test]
fn what_fields_and_files_make_of_a_value_is_found() {
    let redactor = Redactor::new(&[Secret::new("pw", "line1\nline2"), Secret::new("odd", "a\"b'c<d>&e\\f")]);
    assert_eq!(redactor.text("/?q=line1line2&x=1"), "/?q=<secret:pw>&x=1");
    assert_eq!(redactor.text("saved as a_b'c_d_&e_f.txt"), "saved as <secret:odd>.txt");
}
