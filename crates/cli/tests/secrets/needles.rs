//! The spellings in which a secret could be found again, made here on their own: whoever looks must not
//! ask the redactor what to look for.

/// What must be found nowhere, with a name for the spelling.
pub(crate) fn needles(secret: &str) -> Vec<(String, Vec<u8>)> {
    let mut all: Vec<(String, String)> = Vec::new();
    let squeezed = secret.split_whitespace().collect::<Vec<_>>().join(" ");
    for (how, text) in [("as it is", secret.to_string()), ("squeezed", squeezed)] {
        let mut add = |kind: &str, spelled: String| all.push((format!("{how}, {kind}"), spelled));
        add("plain", text.clone());
        add("upper case", text.to_uppercase());
        add("lower case", text.to_lowercase());
        let json = serde_json::Value::from(text.as_str()).to_string();
        add("JSON", json[1..json.len() - 1].to_string());
        add("JSON in JSON", escaped_again(&json));
        add("JSON in ASCII", ascii_json(&text));
        add("debug", {
            let debug = format!("{text:?}");
            debug[1..debug.len() - 1].to_string()
        });
        for (kind, keep) in [
            ("component", "-_.!~*'()"),
            ("whole url", "-_.!~*'();/?:@&=+$,#"),
            ("strict", "-_.~"),
            ("of forms", "*-._"),
        ] {
            let percent = percent(&text, keep);
            add(&format!("percent, {kind}"), percent.clone());
            add(&format!("percent in lower case, {kind}"), lower_hex(&percent));
            add(&format!("form, {kind}"), percent.replace("%20", "+"));
        }
        for quote in ["&#39;", "&apos;", "'"] {
            let html = text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
            add("HTML text", html.clone());
            add("HTML", html.replace('"', "&quot;").replace('\'', quote));
        }
        for before in ["", "u", "us"] {
            let encoded = base64(format!("{before}{text}").as_bytes());
            let from = if before.is_empty() { 0 } else { before.len() * 8 / 6 + 1 };
            let inner: String = encoded.trim_end_matches('=').chars().skip(from).collect();
            let inner = inner[..inner.len().saturating_sub(1)].to_string();
            add("Base64 for urls", inner.replace('+', "-").replace('/', "_"));
            add("Base64", inner);
        }
    }
    // A copy that was cut off still shows so much of it.
    let characters: Vec<char> = secret.chars().collect();
    for window in characters.chunks_exact(40) {
        all.push(("a part".into(), window.iter().collect()));
    }
    let mut bytes: Vec<(String, Vec<u8>)> = all.into_iter().map(|(how, text)| (how, text.into_bytes())).collect();
    bytes.sort_by(|a, b| a.1.cmp(&b.1));
    bytes.dedup_by(|a, b| a.1 == b.1);
    bytes.retain(|(_, text)| text.len() >= 4);
    bytes
}

/// Says where in the bytes a secret shows, in which spelling.
pub(crate) fn shown(bytes: &[u8], needles: &[(String, Vec<u8>)]) -> Option<String> {
    let (how, at) = needles.iter().find_map(|(how, needle)| {
        let first = *needle.first()?;
        let mut from = 0;
        while let Some(found) = bytes[from..].iter().position(|byte| *byte == first) {
            if bytes[from + found..].starts_with(needle) {
                return Some((how, from + found));
            }
            from += found + 1;
        }
        None
    })?;
    let around = &bytes[at.saturating_sub(80)..(at + 80).min(bytes.len())];
    Some(format!("{how}, near {}", String::from_utf8_lossy(around)))
}

fn percent(text: &str, keep: &str) -> String {
    let kept = |byte: u8| byte.is_ascii_alphanumeric() || keep.as_bytes().contains(&byte);
    text.bytes().map(|byte| if kept(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") }).collect()
}

fn lower_hex(percent: &str) -> String {
    let mut parts = percent.split('%');
    let mut out = parts.next().unwrap_or_default().to_string();
    for part in parts {
        let (digits, rest) = part.split_at(2.min(part.len()));
        out.push_str(&format!("%{}{rest}", digits.to_lowercase()));
    }
    out
}

fn escaped_again(json: &str) -> String {
    let twice = serde_json::Value::from(&json[1..json.len() - 1]).to_string();
    twice[1..twice.len() - 1].to_string()
}

fn ascii_json(text: &str) -> String {
    text.encode_utf16()
        .map(|unit| match char::from_u32(unit.into()) {
            Some('"') => "\\\"".into(),
            Some('\\') => "\\\\".into(),
            Some('\n') => "\\n".into(),
            Some(plain) if plain.is_ascii() => plain.to_string(),
            _ => format!("\\u{unit:04x}"),
        })
        .collect()
}

fn base64(bytes: &[u8]) -> String {
    const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut out = String::new();
    for chunk in bytes.chunks(3) {
        let number = (0..3).fold(0u32, |sum, at| sum << 8 | u32::from(*chunk.get(at).unwrap_or(&0)));
        for at in 0..4 {
            let digit = ALPHABET[(number >> (18 - 6 * at) & 63) as usize];
            out.push(if at <= chunk.len() { char::from(digit) } else { '=' });
        }
    }
    out
}

#[test]
fn the_search_finds_what_it_looks_for() {
    let needles = needles("a b\"ç&é🔑");
    for text in [
        "x a b\"ç&é🔑 y",
        "A B\"Ç&É🔑",
        r#"{"v":"a b\"ç&é🔑"}"#,
        r#"a b\"\u00e7&\u00e9\ud83d\udd11"#,
        "?q=a%20b%22%C3%A7%26%C3%A9%F0%9F%94%91",
        "?q=a+b%22%C3%A7%26%C3%A9%F0%9F%94%91",
        "?q=a%20b%22%c3%a7%26%c3%a9%f0%9f%94%91",
        "a b&quot;ç&amp;é🔑",
        "dTphIGIiw6cmw6nwn5SR",
    ] {
        assert!(shown(text.as_bytes(), &needles).is_some(), "{text}");
    }
    assert_eq!(shown(b"a b and nothing else", &needles), None);
}
