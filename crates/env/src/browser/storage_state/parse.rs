//! Reads a storage state that somebody else may have written. All of it is understood, or it is
//! refused with one sentence that names the place; what is well-formed but not ours to keep is noted.

use std::time::{SystemTime, UNIX_EPOCH};

use serde_json::{Map, Value};

use super::{Cookie, LARGEST_STATE, OriginState, SameSite, StorageItem, StorageState};
use crate::browser::session_notes::web_origin;

/// Chromium itself holds about 3,300 cookies.
const MOST_COOKIES: usize = 10_000;
const MOST_ORIGINS: usize = 2_000;

/// A state, and what was left out of it, one sentence each.
#[derive(Debug, Clone, PartialEq)]
pub struct ParsedState {
    pub state: StorageState,
    pub notes: Vec<String>,
}

impl StorageState {
    pub fn parse(bytes: &[u8]) -> Result<ParsedState, String> {
        if bytes.len() as u64 > LARGEST_STATE {
            return Err(format!("it is larger than {} MB", LARGEST_STATE / 1_000_000));
        }
        // Some editors of other systems put a mark in front.
        let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
        let value: Value = serde_json::from_slice(bytes).map_err(|error| format!("it is no JSON: {error}"))?;
        let Value::Object(top) = value else {
            return Err("it is not an object with cookies and origins".into());
        };
        if !top.contains_key("cookies") && !top.contains_key("origins") {
            return Err("it has neither cookies nor origins".into());
        }
        let mut notes = Vec::new();
        let cookies = cookies(list(&top, "cookies", "cookies", MOST_COOKIES)?, &mut notes)?;
        let origins = origins(list(&top, "origins", "origins", MOST_ORIGINS)?, &mut notes)?;
        Ok(ParsedState { state: StorageState { cookies, origins }, notes })
    }
}

fn cookies(given: &[Value], notes: &mut Vec<String>) -> Result<Vec<Cookie>, String> {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).map(|since| since.as_secs_f64()).unwrap_or_default();
    let mut found: Vec<Cookie> = Vec::new();
    let mut expired = 0;
    for (index, given) in given.iter().enumerate() {
        let cookie = cookie(object(given, &format!("cookies[{index}]"))?, &format!("cookies[{index}]"))?;
        if cookie.expires.is_some_and(|expires| expires <= now) {
            expired += 1;
            continue;
        }
        found.push(cookie);
    }
    // The last one of a kind wins, as it would in a browser that got them one after the other.
    let mut seen = std::collections::HashSet::new();
    found.reverse();
    found.retain(|cookie| {
        let key = (cookie.domain.to_ascii_lowercase(), cookie.path.clone(), cookie.name.clone());
        seen.insert((key, cookie.partition_key.clone()))
    });
    found.reverse();
    if expired > 0 {
        notes.push(format!("{expired} cookies had expired and were left out"));
    }
    Ok(found)
}

fn cookie(given: &Map<String, Value>, place: &str) -> Result<Cookie, String> {
    let required = |name: &str| match text(given, name, place)? {
        Some(text) => Ok(text),
        None => Err(format!("{place}.{name} is missing")),
    };
    let domain = required("domain")?;
    let host = domain.strip_prefix('.').unwrap_or(&domain);
    if host.is_empty() || host.chars().any(|c| c.is_control() || c.is_whitespace() || "/\\@?#:;,".contains(c)) {
        // Numeric IPv6 hosts are the only ones with a colon.
        if !(host.starts_with('[') && host.ends_with(']')) {
            return Err(format!("{place}.domain {:?} is not a host name", shortened(&domain)));
        }
    }
    let path = text(given, "path", place)?.filter(|path| !path.is_empty()).unwrap_or_else(|| "/".into());
    if !path.starts_with('/') {
        return Err(format!("{place}.path {:?} does not begin with a slash", shortened(&path)));
    }
    let same_site = match text(given, "sameSite", place)? {
        None => SameSite::Lax,
        Some(name) => SameSite::named(&name).ok_or_else(|| {
            format!("{place}.sameSite is {:?}; only Strict, Lax and None are known", shortened(&name))
        })?,
    };
    Ok(Cookie {
        name: required("name")?,
        value: required("value")?,
        domain,
        path,
        expires: expires(given, place)?,
        http_only: flag(given, "httpOnly", place)?.unwrap_or(false),
        secure: flag(given, "secure", place)?.unwrap_or(false),
        same_site,
        partition_key: text(given, "partitionKey", place)?,
        cross_site_ancestor: flag(given, "_crHasCrossSiteAncestor", place)?,
    })
}

fn expires(given: &Map<String, Value>, place: &str) -> Result<Option<f64>, String> {
    match given.get("expires") {
        None | Some(Value::Null) => Ok(None),
        Some(Value::Number(number)) => match number.as_f64() {
            Some(-1.0) => Ok(None),
            Some(seconds) if seconds.is_finite() => Ok(Some(seconds)),
            _ => Err(format!("{place}.expires is not a number of seconds")),
        },
        Some(_) => Err(format!("{place}.expires is not a number of seconds")),
    }
}

fn origins(given: &[Value], notes: &mut Vec<String>) -> Result<Vec<OriginState>, String> {
    let mut found: Vec<OriginState> = Vec::new();
    let mut databases = 0;
    for (index, given) in given.iter().enumerate() {
        let place = format!("origins[{index}]");
        let given = object(given, &place)?;
        let named = text(given, "origin", &place)?.ok_or_else(|| format!("{place}.origin is missing"))?;
        let origin =
            web_origin(&named).filter(|origin| named.trim_end_matches('/').eq_ignore_ascii_case(origin)).ok_or_else(
                || format!("{place}.origin {:?} is not an origin like https://example.com", shortened(&named)),
            )?;
        let mut items = Vec::new();
        for (number, item) in
            list(given, "localStorage", &format!("{place}.localStorage"), usize::MAX)?.iter().enumerate()
        {
            let place = format!("{place}.localStorage[{number}]");
            let item = object(item, &place)?;
            let part = |name: &str| text(item, name, &place)?.ok_or_else(|| format!("{place}.{name} is missing"));
            items.push(StorageItem { name: part("name")?, value: part("value")? });
        }
        databases += usize::from(given.get("indexedDB").and_then(Value::as_array).is_some_and(|list| !list.is_empty()));
        match found.iter_mut().find(|known| known.origin == origin) {
            Some(known) => known.local_storage.extend(items),
            None => found.push(OriginState { origin, local_storage: items }),
        }
    }
    if databases > 0 {
        notes.push(format!("IndexedDB of {databases} origins was left out; only cookies and local storage are kept"));
    }
    Ok(found)
}

fn list<'a>(given: &'a Map<String, Value>, name: &str, place: &str, most: usize) -> Result<&'a [Value], String> {
    match given.get(name) {
        None => Ok(&[]),
        Some(Value::Array(items)) if items.len() <= most => Ok(items),
        Some(Value::Array(items)) => Err(format!("{place} has {} entries; {most} are the most", items.len())),
        Some(_) => Err(format!("{place} is not a list")),
    }
}

fn object<'a>(given: &'a Value, place: &str) -> Result<&'a Map<String, Value>, String> {
    given.as_object().ok_or_else(|| format!("{place} is not an object"))
}

fn text(given: &Map<String, Value>, name: &str, place: &str) -> Result<Option<String>, String> {
    match given.get(name) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(text)) => Ok(Some(text.clone())),
        Some(_) => Err(format!("{place}.{name} is not a text")),
    }
}

fn flag(given: &Map<String, Value>, name: &str, place: &str) -> Result<Option<bool>, String> {
    match given.get(name) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::Bool(flag)) => Ok(Some(*flag)),
        Some(_) => Err(format!("{place}.{name} is not true or false")),
    }
}

fn shortened(text: &str) -> String {
    text.chars().take(80).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn check(given: Value, expected: Result<Value, &str>) {
        let parsed = StorageState::parse(given.to_string().as_bytes());
        match (parsed, expected) {
            (Ok(parsed), Ok(expected)) => {
                let written: Value = serde_json::from_str(&parsed.state.to_json()).unwrap();
                assert_eq!(written, expected);
            }
            (Err(sentence), Err(part)) => {
                assert!(sentence.contains(part) && !sentence.contains('\n'), "{part:?} in {sentence:?}");
            }
            (parsed, expected) => panic!("{parsed:?} instead of {expected:?}"),
        }
    }

    #[test]
    fn a_state_is_read_as_it_was_written() {
        let state = json!({
            "cookies": [
                {"name": "a", "value": "1", "domain": ".x.test", "path": "/", "expires": 4_000_000_000.5, "httpOnly": true,
                 "secure": true, "sameSite": "None", "partitionKey": "https://y.test", "_crHasCrossSiteAncestor": true},
                {"name": "b", "value": "", "domain": "x.test", "path": "/p", "expires": -1, "httpOnly": false,
                 "secure": false, "sameSite": "Lax"},
            ],
            "origins": [{"origin": "http://x.test:8080", "localStorage": [{"name": "k", "value": "v\u{1f600}"}]}],
        });
        check(state.clone(), Ok(state));
    }

    #[test]
    fn what_is_missing_gets_its_default_and_what_is_over_is_left_out() {
        let given = json!({"cookies": [
            {"name": "a", "value": "1", "domain": "x.test"},
            {"name": "a", "value": "2", "domain": "X.test"},
            {"name": "old", "value": "1", "domain": "x.test", "expires": 5},
        ], "origins": [{"origin": "https://X.test/", "indexedDB": [1], "localStorage": []}], "more": 1});
        let parsed = StorageState::parse(given.to_string().as_bytes()).unwrap();
        assert_eq!(parsed.state.cookies.len(), 1);
        assert_eq!((parsed.state.cookies[0].value.as_str(), parsed.state.cookies[0].path.as_str()), ("2", "/"));
        assert_eq!(parsed.state.origins[0].origin, "https://x.test");
        assert_eq!(parsed.notes.len(), 2);
    }

    #[test]
    fn every_mistake_is_one_sentence_with_its_place() {
        let cookie = |changes: Value| {
            let mut cookie = json!({"name": "a", "value": "1", "domain": "x.test", "path": "/"});
            for (name, value) in changes.as_object().unwrap() {
                cookie[name] = value.clone();
            }
            json!({"cookies": [cookie]})
        };
        let origin = |origin: Value| json!({"origins": [origin]});
        for (given, part) in [
            (json!([]), "not an object"),
            (json!({}), "neither"),
            (json!({"cookies": {}}), "cookies is not a list"),
            (json!({"cookies": [1]}), "cookies[0] is not an object"),
            (cookie(json!({"name": 1})), "cookies[0].name is not a text"),
            (cookie(json!({"name": null})), "cookies[0].name is missing"),
            (cookie(json!({"value": {}})), "cookies[0].value"),
            (cookie(json!({"domain": "a/b"})), "not a host name"),
            (cookie(json!({"domain": ""})), "not a host name"),
            (cookie(json!({"path": "p"})), "slash"),
            (cookie(json!({"expires": "tomorrow"})), "cookies[0].expires"),
            (cookie(json!({"secure": "yes"})), "cookies[0].secure"),
            (cookie(json!({"sameSite": "no_restriction"})), "only Strict, Lax and None"),
            (origin(json!({"localStorage": []})), "origins[0].origin is missing"),
            (origin(json!({"origin": "file:///etc"})), "not an origin"),
            (origin(json!({"origin": "https://x.test/path"})), "not an origin"),
            (origin(json!({"origin": "https://user@x.test"})), "not an origin"),
            (origin(json!({"origin": "https://x.test", "localStorage": {}})), "localStorage is not a list"),
            (origin(json!({"origin": "https://x.test", "localStorage": [{"name": "a"}]})), "[0].value is missing"),
        ] {
            check(given, Err(part));
        }
        for garbage in [&b""[..], b"\xff\xfe", b"{", b"nonsense", b"{\"cookies\": [}"] {
            assert!(StorageState::parse(garbage).unwrap_err().contains("no JSON"));
        }
        assert!(StorageState::parse("[".repeat(100_000).as_bytes()).is_err(), "depth is bounded");
    }
}
