//! From a brain's reply to its prediction: the JSON form wherever it stands, else a `Predicted:` line.

use super::json_scan::{ExpectedList, last_expected};
use super::parse::{self, Form};
use super::{PredicateRules, Prediction, PredictionForms, RAW_KEPT, cut, source_forms};

/// The prediction in a reply, read before its words are cut for the record.
pub fn predicted(reply: &str, rules: &PredicateRules) -> Prediction {
    if rules.prediction_forms == PredictionForms::Source {
        let raw = source_raw(reply);
        return Prediction { predicates: parse::parse(&raw, rules), raw };
    }
    if let Some(found) = last_expected(reply) {
        let predicates = parse::parse_tokens(found.items.iter().map(String::as_str), Form::Json, rules);
        return Prediction { raw: recorded(&found), predicates };
    }
    let Some(line) = last_line(reply) else { return Prediction::default() };
    let predicates = parse::parse_tokens(parse::line_tokens(line), Form::Line, rules);
    Prediction { raw: cut(line, RAW_KEPT).to_string(), predicates }
}

/// The words of the prediction in a reply; empty when there is none.
pub fn extract(reply: &str, rules: &PredicateRules) -> String {
    predicted(reply, rules).raw
}

fn source_raw(reply: &str) -> String {
    let raw = source_forms::first_flat_object(reply)
        .unwrap_or_else(|| source_forms::without_quotes(source_forms::first_line(reply).unwrap_or_default()));
    cut(raw, RAW_KEPT).to_string()
}

/// The object as written, unless so much stands before the list that nothing of it would be kept.
fn recorded(found: &ExpectedList<'_>) -> String {
    let before = found.object.get(..found.list_at).unwrap_or_default();
    if before.chars().count() < RAW_KEPT {
        return cut(found.object, RAW_KEPT).to_string();
    }
    cut(&format!("{{\"expected\": {}}}", cut(found.list, RAW_KEPT)), RAW_KEPT).to_string()
}

/// What the last `Predicted:` line says that says anything.
pub(super) fn last_line(text: &str) -> Option<&str> {
    text.rsplit(['\n', '\r']).filter_map(predicted_line).find(|said| !said.is_empty())
}

/// What stands behind `Predicted:`, with the decoration of Markdown taken off.
fn predicted_line(line: &str) -> Option<&str> {
    let line = without_block_marks(line.trim());
    let word = line.trim_start_matches(is_emphasis);
    let emphasis = line.get(..line.len() - word.len())?;
    let (first, rest) = word.split_at_checked("predicted".len())?;
    if !first.eq_ignore_ascii_case("predicted") {
        return None;
    }
    let before_colon = rest.trim_start();
    let closed_before = before_colon.strip_prefix(emphasis);
    let said = closed_before.unwrap_or(before_colon).trim_start().strip_prefix([':', '：'])?;
    let said = match said.strip_prefix(emphasis) {
        Some(closed) => closed,
        None if closed_before.is_some() => said,
        // The whole line is emphasised.
        None => said.strip_suffix(emphasis).unwrap_or(said),
    };
    Some(parse::unwrapped(said))
}

fn is_emphasis(letter: char) -> bool {
    matches!(letter, '*' | '_' | '`')
}

/// Without quotation marks, bullets, numbers and hashes that begin a block.
fn without_block_marks(line: &str) -> &str {
    let mut rest = line;
    loop {
        let shorter = rest.trim_start_matches(['>', '#', '•']);
        let shorter = ["- ", "* ", "+ "].iter().find_map(|bullet| shorter.strip_prefix(bullet)).unwrap_or(shorter);
        let number = shorter.trim_start_matches(|letter: char| letter.is_ascii_digit());
        let numbered = number.len() < shorter.len();
        let shorter = number.strip_prefix(['.', ')']).filter(|_| numbered).unwrap_or(shorter).trim_start();
        if shorter.len() == rest.len() {
            return rest;
        }
        rest = shorter;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(reply: &str) -> Vec<String> {
        predicted(reply, &PredicateRules::default()).predicates.iter().map(ToString::to_string).collect()
    }

    fn raw(reply: &str) -> String {
        extract(reply, &PredicateRules::default())
    }

    #[test]
    fn dev_01_a_line_is_scored() {
        assert_eq!(texts("Predicted: url_changed, title_changed"), ["url_changed", "title_changed"]);
        assert!(predicted("Predicted: url_changed", &PredicateRules::VECTORS).predicates.is_empty());
    }

    #[test]
    fn dev_02_a_long_prediction_is_read_before_it_is_cut() {
        let long = format!("{{\"expected\": [\"title_contains:{}\", \"url_changed\"]}}", "ä".repeat(520));
        let prediction = predicted(&long, &PredicateRules::default());
        assert_eq!(prediction.raw, cut(&long, 500));
        assert_eq!(prediction.predicates.len(), 2);
        assert_eq!(prediction.predicates[1].to_string(), "url_changed");
        assert!(predicted(&long, &PredicateRules::VECTORS).predicates.is_empty());
        let line = format!("Predicted: title_contains:{}, url_changed", "ä".repeat(520));
        assert_eq!(predicted(&line, &PredicateRules::default()).predicates.len(), 2);
        assert_eq!(raw(&line).chars().count(), 500);
    }

    #[test]
    fn a_list_behind_much_else_is_what_is_recorded() {
        let reply = format!("{{\"thought\": \"{}\", \"expected\": [\"url_changed\"]}}", "t".repeat(600));
        assert_eq!(raw(&reply), r#"{"expected": ["url_changed"]}"#);
    }

    #[test]
    fn dev_03_nested_objects_and_braces_in_arguments_do_not_hide_the_list() {
        assert_eq!(texts(r#"{"action": {"x": 1}, "expected": ["url_changed"]}"#), ["url_changed"]);
        assert_eq!(texts(r#"{"expected": ["url_contains:/{id}"]}"#), ["url_contains:/{id}"]);
    }

    #[test]
    fn dev_07_an_empty_line_swallows_nothing() {
        assert_eq!(raw("Predicted:\n\nAction: click(1,1)"), "");
        assert_eq!(raw("Predicted: url_changed\nPredicted:   "), "url_changed");
    }

    #[test]
    fn dev_08_decorated_lines_are_seen() {
        for reply in [
            "**Predicted:** url_changed",
            "- Predicted: url_changed",
            "> Predicted: url_changed",
            "**Predicted**: url_changed",
            "**Predicted: url_changed**",
            "> * **Predicted:** `url_changed`",
            "### Predicted: url_changed",
            "2. _Predicted_ : url_changed",
            "`Predicted: url_changed`",
            "Predicted: **url_changed**.\r\nAction: wait()",
            "\"thinking\nPredicted: 'url_changed'",
        ] {
            assert_eq!(texts(reply), ["url_changed"], "{reply}");
        }
        assert_eq!(texts("Predicted: url_contains:a_, title_contains:b*"), ["url_contains:a_", "title_contains:b*"]);
        for reply in ["I Predicted: url_changed", "Unpredicted: url_changed", "Predicted url_changed", "2 Predicted: a"]
        {
            assert_eq!(raw(reply), "", "{reply}");
        }
    }

    #[test]
    fn dev_09_the_last_of_a_form_wins_and_json_beats_the_line() {
        assert_eq!(raw("Predicted: url_unchanged\n...\nPredicted: url_changed"), "url_changed");
        let both =
            "{\"expected\": [\"url_changed\"]}\nno: {\"expected\": [\"title_changed\"]}\nPredicted: frame_stable";
        assert_eq!(texts(both), ["title_changed"]);
        assert_eq!(raw(both), r#"{"expected": ["title_changed"]}"#);
    }

    /// Pieces that begin, end or confuse each form, in an order that a small counter makes up.
    fn garbage(seed: u32, length: usize) -> String {
        const PIECES: [&str; 24] = [
            "{",
            "}",
            "[",
            "]",
            "\"",
            "\\",
            ":",
            ",",
            ";",
            "\n",
            "expected",
            "\"expected\": [",
            "Predicted:",
            "**",
            "> ",
            "- ",
            "1. ",
            "url_changed",
            "url_contains:",
            "ß",
            "\u{2028}",
            "\0",
            "'",
            ".",
        ];
        let mut state = seed;
        let mut text = String::new();
        while text.len() < length {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            text.push_str(PIECES[(state >> 16) as usize % PIECES.len()]);
        }
        text
    }

    #[test]
    fn garbage_is_survived_in_both_profiles() {
        for seed in 0..3000 {
            let text = garbage(seed, 5 + (seed % 90) as usize);
            for rules in [PredicateRules::default(), PredicateRules::VECTORS] {
                let prediction = predicted(&text, &rules);
                assert!(prediction.raw.chars().count() <= RAW_KEPT);
                let _ = parse::parse(&text, &rules);
            }
        }
    }

    /// Each of these takes hours where every brace, quote or line is followed to the end of the text.
    #[test]
    fn a_megabyte_of_garbage_is_read_in_one_go() {
        let unit = [
            "{",
            "{\"",
            "{\"a\":",
            "{\"expected\":[",
            "{\"a\":\"{",
            "{\"\":\"",
            "\n",
            "Predicted\n",
            "Predicted:\n",
            "> ",
            "\"expected\":[",
            "{\"expected\":[{\"expected\":[\"a\"],",
            "}",
            "{\"a\":[[",
            "{ ",
            "\\\"{",
            "1.",
            "**",
            "{}",
            "\"expected\"",
        ];
        let mut texts: Vec<String> = unit.iter().map(|unit| unit.repeat(1_000_000 / unit.len())).collect();
        texts.push(garbage(7, 1_000_000));
        texts.push(format!("{{{}]}}", "\"expected\"".repeat(100_000)));
        for text in &texts {
            for rules in [PredicateRules::default(), PredicateRules::VECTORS] {
                let _ = predicted(text, &rules);
            }
        }
    }
}
