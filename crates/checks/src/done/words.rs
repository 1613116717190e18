//! Words of names and sentences, so that `orderId`, `order_id` and "Order ID" are the same name and `id` is
//! not found in "identity".

/// The words of a sentence, in lower case.
pub fn words_of(text: &str) -> Vec<String> {
    text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).map(str::to_lowercase).collect()
}

/// The words of a name: as `words_of`, and a capital after a small letter or a digit starts a word as well.
pub fn words_of_name(name: &str) -> Vec<String> {
    let mut spaced = String::with_capacity(name.len() + 8);
    let mut before: Option<char> = None;
    for c in name.chars() {
        if c.is_uppercase() && before.is_some_and(|b| b.is_lowercase() || b.is_numeric()) {
            spaced.push(' ');
        }
        spaced.push(c);
        before = Some(c);
    }
    words_of(&spaced)
}

/// Whether a text mentions a name as words, whatever joins them.
pub fn mentions(text: &str, name: &str) -> bool {
    let wanted = words_of_name(name);
    if wanted.is_empty() || name.chars().any(is_written_without_spaces) {
        return text.to_lowercase().contains(name.to_lowercase().trim());
    }
    let found = words_of(text);
    let joined = wanted.concat();
    found.windows(wanted.len()).any(|run| run == wanted) || found.contains(&joined)
}

/// Scripts whose sentences have no spaces (or glue endings to words), where only a part can be looked for.
fn is_written_without_spaces(c: char) -> bool {
    matches!(c, '\u{0e00}'..='\u{0eff}' | '\u{1000}'..='\u{109f}' | '\u{1780}'..='\u{17ff}' | '\u{2e80}'..)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_found_as_words_only() {
        let check = |text: &str, name: &str, found: bool| assert_eq!(mentions(text, name), found, "{name} in {text}");
        check("identity confirmed", "id", false);
        check("the ID is 7", "id", true);
        check("orderId=5", "order_id", true);
        check("Order-ID: 5", "orderId", true);
        check("order of the id", "order_id", false);
        check("phone\nnumber 5", "phone number", true);
        check("price: 49", "Price", true);
        check("prices", "price", false);
        check("価格は49円", "価格", true);
        check("anything", "", true);
        check("what?!", "?!", true);
        check("", "price", false);
    }

    #[test]
    fn garbage_is_only_text() {
        for text in ["\u{0}\u{feff}", "🙂🙂", "İİİ", "A\u{301}b", "__--__", &"Aa".repeat(3000)] {
            let _ = (words_of_name(text), mentions(text, text), mentions("x", text));
        }
    }
}
