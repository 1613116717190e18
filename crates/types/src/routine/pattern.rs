//! Addresses and titles without the data in them: `/orders/1234` becomes `/orders/{id}`. A pattern is compared with
//! the pattern of what is seen, so nothing has to be searched and no pattern can be slow.

use super::values::plain_pieces;

const ID: &str = "{id}";
/// Written by people: whatever stands there.
const ANY: &str = "{any}";

/// The address without host (where it is the host that the routine starts on), query, and numbers. The part after `#`
/// is kept where it is a path of its own.
pub fn pattern_of_url(url: &str, start_origin: Option<&str>) -> String {
    let origin = origin_of(url);
    let rest = origin.as_deref().and_then(|origin| url.strip_prefix(origin)).unwrap_or(url);
    let (before, fragment) = rest.split_once('#').unwrap_or((rest, ""));
    let path = before.split('?').next().unwrap_or_default();
    let path = decoded(if path.is_empty() { "/" } else { path });
    let host = origin.filter(|origin| start_origin != Some(origin.as_str())).unwrap_or_default();
    let route = fragment.split('?').next().unwrap_or_default();
    let route =
        if route.starts_with(['/', '!']) { format!("#{}", without_ids(&decoded(route))) } else { String::new() };
    format!("{host}{}{route}", without_ids(&path))
}

/// A title without numbers.
pub fn pattern_of_title(title: &str) -> String {
    without_ids(&title.split_whitespace().collect::<Vec<_>>().join(" "))
}

pub fn url_matches(pattern: &str, url: &str, start_origin: Option<&str>) -> bool {
    // Values that were filled in may have numbers of their own, and addresses have their own way to write a name.
    let (pattern, seen) = (without_ids(pattern), pattern_of_url(url, start_origin));
    fits(&pattern, &seen) || fits(&as_in_addresses(&pattern), &as_in_addresses(&seen))
}

pub fn title_matches(pattern: &str, title: &str) -> bool {
    fits(&without_ids(pattern).to_lowercase(), &pattern_of_title(title).to_lowercase())
}

/// `scheme://host:port`, in lower case as browsers write it.
pub fn origin_of(url: &str) -> Option<String> {
    let (scheme, rest) = url.split_once("://")?;
    let host = rest.split(['/', '?', '#']).next().filter(|host| !host.is_empty())?;
    Some(format!("{scheme}://{host}"))
}

/// Without case and without what stands between words: `Bob Stone` is `bob-stone`, `bob_stone` and `BobStone`.
pub(super) fn as_in_addresses(text: &str) -> String {
    let between =
        |character: &char| matches!(character, '-' | '_' | '+' | '.' | '\'' | '’') || character.is_whitespace();
    text.to_lowercase().chars().filter(|character| !between(character)).collect()
}

/// Names as people write them: `Bob%20Stone` is "Bob Stone". What would change the parts of the address stays encoded.
fn decoded(path: &str) -> String {
    let hex = |byte: u8| char::from(byte).to_digit(16).and_then(|digit| u8::try_from(digit).ok());
    let bytes = path.as_bytes();
    let mut plain = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        let digits = (bytes.get(at + 1).copied().and_then(hex), bytes.get(at + 2).copied().and_then(hex));
        match (byte, digits) {
            (b'%', (Some(high), Some(low))) if !b"/?#%<>{}".contains(&(high * 16 + low)) && high * 16 + low >= 0x20 => {
                plain.push(high * 16 + low);
                at += 3;
            }
            _ => {
                plain.push(byte);
                at += 1;
            }
        }
    }
    // What is no text stays as it was.
    String::from_utf8(plain).unwrap_or_else(|_| path.to_string())
}

/// Every word with a digit in it is an id: numbers, hashes, codes like `a1b2`. Placeholders of values stay.
fn without_ids(text: &str) -> String {
    let mut result = String::new();
    for piece in plain_pieces(text) {
        match piece {
            Ok(plain) => push_without_ids(plain, &mut result),
            Err(placeholder) => result.push_str(placeholder),
        }
    }
    result
}

fn push_without_ids(text: &str, result: &mut String) {
    let mut rest = text;
    while !rest.is_empty() {
        let is_word = |character: char| character.is_alphanumeric();
        let starts_word = rest.starts_with(is_word);
        let end = rest.find(|character| is_word(character) != starts_word).unwrap_or(rest.len());
        let (piece, after) = rest.split_at(end);
        let has_digit = starts_word && piece.chars().any(|character| character.is_ascii_digit());
        result.push_str(if has_digit { ID } else { piece });
        rest = after;
    }
    // A code with dashes is one id: what is between two ids without a letter belongs to them.
    for joint in ["{id}-{id}", "{id}.{id}", "{id},{id}"] {
        while result.contains(joint) {
            *result = result.replace(joint, ID);
        }
    }
}

/// `{any}` stands for any words, everything else for itself.
fn fits(pattern: &str, seen: &str) -> bool {
    let mut parts = pattern.split(ANY);
    let Some(mut rest) = parts.next().and_then(|first| seen.strip_prefix(first)) else { return false };
    let parts: Vec<&str> = parts.collect();
    let Some((last, between)) = parts.split_last() else { return rest.is_empty() };
    for part in between {
        match rest.find(part) {
            Some(at) => rest = rest.get(at + part.len()..).unwrap_or_default(),
            None => return false,
        }
    }
    rest.ends_with(last)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_lose_their_host_their_query_and_their_numbers() {
        let start = Some("http://127.0.0.1:4310");
        for (url, pattern) in [
            ("http://127.0.0.1:4310/orders/1234?page=2", "/orders/{id}"),
            ("http://127.0.0.1:4310", "/"),
            ("http://127.0.0.1:4310/a#top", "/a"),
            ("http://127.0.0.1:4310/a#/items/7?x=1", "/a#/items/{id}"),
            ("https://pay.example/x1", "https://pay.example/{id}"),
            ("http://127.0.0.1:4310/u/6f1c9b-1a2b-99/edit", "/u/{id}/edit"),
            ("http://127.0.0.1:4310/d/Bob%20Stone", "/d/Bob Stone"),
            ("http://127.0.0.1:4310/d/J%C3%B6rg%2Fx%zz", "/d/Jörg%{id}%zz"),
            ("http://127.0.0.1:4310/a#/d/Bob%20Stone", "/a#/d/Bob Stone"),
            ("about:blank", "about:blank"),
            ("", "/"),
        ] {
            assert_eq!(pattern_of_url(url, start), pattern);
        }
        assert!(url_matches("/orders/{id}", "https://staging.example/orders/9", Some("https://staging.example")));
        assert!(url_matches("/d/Bob Stone/a", "http://x/d/bob-stone/a", Some("http://x")));
        assert!(!url_matches("/d/Bob Stone/a", "http://x/d/bob/stone/a", Some("http://x")));
        assert!(!url_matches("/orders/{id}", "https://staging.example/login", Some("https://staging.example")));
    }

    #[test]
    fn titles_lose_numbers_and_may_have_gaps() {
        assert_eq!(pattern_of_title("Order 17  - Shop"), "Order {id} - Shop");
        assert!(title_matches("{any} · CRM", "Ada Lovelace · CRM"));
        assert!(title_matches("Order {id} - Shop", "Order 99 - Shop"));
        assert!(title_matches("Lot 7 · {id}", "Lot 7 · 99"));
        assert!(!title_matches("{any} · CRM", "Error"));
        assert!(!title_matches("Contacts", "Contacts gone"));
        assert_eq!(pattern_of_title("<value:customer2> · 7"), "<value:customer2> · {id}");
    }

    #[test]
    fn several_gaps_are_filled_in_order() {
        assert!(fits("{any}a{any}b", "xxaxxb"));
        assert!(!fits("{any}a{any}b", "xxbxxa"));
        assert!(fits("{any}", ""));
        assert!(!fits("a{any}a", "a"));
    }
}
