//! From the words of a prediction to predicates. Words that are no predicate are dropped, so a brain may
//! mix prose with them.

use super::{PREDICATES_KEPT, Predicate, PredicateKind, PredicateRules, PredictionForms};
use super::{extract, json_scan, source_forms};

/// Where a token stood: a dot at the end of a line ends a sentence, a dot in a JSON string may be meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    Json,
    Line,
}

/// The predicates of a prediction as it was recorded, in order.
pub fn parse(raw: &str, rules: &PredicateRules) -> Vec<Predicate> {
    if rules.prediction_forms == PredictionForms::Source {
        let listed = source_forms::first_flat_object(raw).and_then(source_forms::items);
        return match listed {
            Some(items) => parse_list(&items, rules),
            None => parse_tokens(line_tokens(source_forms::first_line(raw).unwrap_or_default()), Form::Line, rules),
        };
    }
    match json_scan::last_expected(raw) {
        Some(found) => parse_list(&found.items, rules),
        // The record of a line has lost its first word.
        None => parse_tokens(line_tokens(extract::last_line(raw).unwrap_or(raw)), Form::Line, rules),
    }
}

/// The predicates of a list, as native replies bring it.
pub fn parse_list<S: AsRef<str>>(expected: &[S], rules: &PredicateRules) -> Vec<Predicate> {
    parse_tokens(expected.iter().map(AsRef::as_ref), Form::Json, rules)
}

pub(super) fn parse_tokens<'a>(
    tokens: impl Iterator<Item = &'a str>,
    form: Form,
    rules: &PredicateRules,
) -> Vec<Predicate> {
    tokens.filter_map(|token| predicate(token, form, rules)).take(PREDICATES_KEPT).collect()
}

pub(super) fn line_tokens(line: &str) -> impl Iterator<Item = &str> {
    line.split([',', ';', '\n'])
}

fn predicate(token: &str, form: Form, rules: &PredicateRules) -> Option<Predicate> {
    let from_source = rules.prediction_forms == PredictionForms::Source;
    let mut token = if from_source { source_forms::without_quotes(token) } else { unwrapped(token) };
    if rules.strip_prediction_dots || (form == Form::Line && !from_source) {
        token = token.trim_end_matches('.');
    }
    let (kind, arg) = token.split_once(':').map_or((token, ""), |(kind, arg)| (kind, arg.trim()));
    let (kind, arg) = match from_source {
        true => (kind, arg),
        false => (unwrapped(kind).trim_end_matches('.'), unwrapped(arg)),
    };
    let kind = PredicateKind::named(&kind.trim().to_lowercase())?;
    Some(Predicate { kind, arg: (!arg.is_empty()).then(|| arg.to_string()) })
}

/// Without quotes, backticks and stars that enclose all of it, nor a full stop behind them.
pub(super) fn unwrapped(text: &str) -> &str {
    let mut text = text.trim();
    loop {
        let wrapped = text.trim_end_matches('.');
        let inner = ['"', '\'', '`', '*'].into_iter().find_map(|mark| {
            let inner = wrapped.strip_prefix(mark)?.strip_suffix(mark)?;
            // Two quoted words are not one word in quotes; two stars enclose what two stars enclose.
            let one = mark == '*' || !inner.contains(mark);
            one.then_some(inner.trim())
        });
        match inner {
            Some(inner) => text = inner,
            None => return text,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(raw: &str, rules: &PredicateRules) -> Vec<String> {
        parse(raw, rules).iter().map(ToString::to_string).collect()
    }

    fn product(raw: &str) -> Vec<String> {
        texts(raw, &PredicateRules::default())
    }

    #[test]
    fn dev_06_a_quoted_token_may_be_followed_by_a_full_stop() {
        assert_eq!(product(r#"{"expected": ["\"title_changed\"."]}"#), ["title_changed"]);
        assert!(texts(r#"{"expected": ["\"title_changed\"."]}"#, &PredicateRules::VECTORS).is_empty());
    }

    #[test]
    fn dev_10_a_full_stop_of_an_argument_stays() {
        assert_eq!(product(r#"{"expected": ["title_contains:Hello, World."]}"#), ["title_contains:Hello, World."]);
        let stripped = PredicateRules { strip_prediction_dots: true, ..PredicateRules::default() };
        let cut = texts(r#"{"expected": ["title_contains:Hello, World."]}"#, &stripped);
        assert_eq!(cut, ["title_contains:Hello, World"]);
    }

    #[test]
    fn kinds_never_end_in_a_dot_and_sentences_do() {
        assert_eq!(product(r#"{"expected": ["URL_Changed.", " frame_stable "]}"#), ["url_changed", "frame_stable"]);
        assert_eq!(product("Predicted: url_contains:/cart."), ["url_contains:/cart"]);
        assert_eq!(product("url_contains:/a, title_changed."), ["url_contains:/a", "title_changed"]);
    }

    #[test]
    fn quotes_go_where_they_pair() {
        assert_eq!(product("Predicted: `url_changed`, \"title_changed\""), ["url_changed", "title_changed"]);
        assert_eq!(product(r#"{"expected": ["url_contains:'/x'"]}"#), ["url_contains:/x"]);
        assert_eq!(product(r#"{"expected": ["title_contains:Bob's"]}"#), ["title_contains:Bob's"]);
        assert_eq!(texts("Predicted: url_contains:'/x'", &PredicateRules::VECTORS), ["url_contains:'/x"]);
    }

    #[test]
    fn a_native_list_keeps_order_duplicates_and_colons() {
        let list = ["url_contains:a:b", "prose", "url_changed", "url_changed", "field_focused:", ""];
        let found: Vec<String> =
            parse_list(&list, &PredicateRules::default()).iter().map(ToString::to_string).collect();
        assert_eq!(found, ["url_contains:a:b", "url_changed", "url_changed", "field_focused"]);
        assert!(parse_list::<String>(&[], &PredicateRules::default()).is_empty());
    }

    #[test]
    fn there_is_a_bound() {
        let many = vec!["url_changed"; 1000];
        assert_eq!(parse_list(&many, &PredicateRules::default()).len(), PREDICATES_KEPT);
    }
}
