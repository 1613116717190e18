//! Secret values, and the one redaction layer that every writer of text passes through.

use std::fmt;

/// A value that exists in clear only at the moment of typing. It cannot be serialised, and its
/// debug form shows the name alone.
#[derive(Clone)]
pub struct Secret {
    name: String,
    value: String,
}

impl Secret {
    pub fn new(name: impl Into<String>, value: impl Into<String>) -> Self {
        Secret { name: name.into(), value: value.into() }
    }

    pub fn name(&self) -> &str {
        &self.name
    }

    /// The clear value. Callers are the typing code and the redactor, nobody else.
    pub fn expose(&self) -> &str {
        &self.value
    }

    /// What everybody but the keyboard sees.
    pub fn placeholder(&self) -> String {
        format!("<secret:{}>", self.name)
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Secret({})", self.name)
    }
}

/// Replaces every secret by its placeholder. Built once per run and handed to the trace, log and
/// frame writers; with no secrets it costs nothing.
#[derive(Clone, Debug, Default)]
pub struct Redactor {
    /// Longest first, so that a secret that contains another is replaced whole.
    patterns: Vec<(String, String)>,
}

impl Redactor {
    pub fn new<'a>(secrets: impl IntoIterator<Item = &'a Secret>) -> Self {
        let mut patterns = Vec::new();
        for secret in secrets {
            if secret.value.is_empty() {
                continue;
            }
            for spelling in spellings(&secret.value) {
                patterns.push((spelling, secret.placeholder()));
            }
        }
        patterns.sort_by(|a, b| b.0.len().cmp(&a.0.len()).then_with(|| a.0.cmp(&b.0)));
        patterns.dedup();
        Redactor { patterns }
    }

    pub fn is_empty(&self) -> bool {
        self.patterns.is_empty()
    }

    pub fn text(&self, text: &str) -> String {
        let mut out = text.to_string();
        for (pattern, placeholder) in &self.patterns {
            if out.contains(pattern.as_str()) {
                out = out.replace(pattern.as_str(), placeholder);
            }
        }
        out
    }

    /// Redacts every string of a JSON value, object keys included.
    pub fn json(&self, value: &mut serde_json::Value) {
        use serde_json::Value;
        if self.is_empty() {
            return;
        }
        match value {
            Value::String(text) => *text = self.text(text),
            Value::Array(items) => items.iter_mut().for_each(|item| self.json(item)),
            Value::Object(map) => {
                let old = std::mem::take(map);
                for (key, mut item) in old {
                    self.json(&mut item);
                    map.insert(self.text(&key), item);
                }
            }
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
    }
}

/// The ways a value commonly reappears: as it is, JSON-escaped, percent-encoded in a url, and
/// with `+` for spaces as forms encode it.
fn spellings(value: &str) -> Vec<String> {
    let mut all = vec![value.to_string()];
    let json = serde_json::Value::from(value).to_string();
    all.push(json[1..json.len() - 1].to_string());
    let percent = percent_encoded(value);
    all.push(percent.replace("%20", "+"));
    all.push(percent);
    all.sort();
    all.dedup();
    all
}

fn percent_encoded(value: &str) -> String {
    let mut out = String::new();
    for byte in value.bytes() {
        if byte.is_ascii_alphanumeric() || b"-_.~".contains(&byte) {
            out.push(char::from(byte));
        } else {
            out.push_str(&format!("%{byte:02X}"));
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn redactor() -> Redactor {
        Redactor::new(&[Secret::new("pin", "a b\"ç"), Secret::new("long", "a b\"ç-and-more")])
    }

    #[test]
    fn every_spelling_is_replaced_and_the_longest_secret_wins() {
        let redactor = redactor();
        assert_eq!(redactor.text("x a b\"ç y"), "x <secret:pin> y");
        assert_eq!(redactor.text("x a b\"ç-and-more y"), "x <secret:long> y");
        assert_eq!(redactor.text("/?q=a%20b%22%C3%A7"), "/?q=<secret:pin>");
        assert_eq!(redactor.text("/?q=a+b%22%C3%A7"), "/?q=<secret:pin>");
        assert_eq!(redactor.text(r#"{"v":"a b\"ç"}"#), r#"{"v":"<secret:pin>"}"#);
    }

    #[test]
    fn json_is_redacted_through_keys_and_nesting() {
        let mut value = serde_json::json!({"a b\"ç": ["a b\"ç", 3, {"k": "no"}]});
        redactor().json(&mut value);
        assert_eq!(value, serde_json::json!({"<secret:pin>": ["<secret:pin>", 3, {"k": "no"}]}));
    }

    #[test]
    fn debug_never_shows_the_value() {
        assert_eq!(format!("{:?}", Secret::new("pin", "1234")), "Secret(pin)");
    }
}
