//! Predictions in prose and JSON, claims and opinions.

use proptest::strategy::BoxedStrategy;
use surehand_checks::after::predicates::{PredicateRules, Seen, evaluate, parse, predicted};
use surehand_checks::done::{asked, verifier, words};

use crate::generate::mutated_text;
use crate::{Target, holds};

pub(super) const PREDICATES: Target =
    Target { name: "predicates", cases: 400, input: predictions, check: check_prediction };
pub(super) const CLAIMS: Target = Target { name: "claims", cases: 200, input: claims, check: check_claim };

fn predictions() -> BoxedStrategy<Vec<u8>> {
    mutated_text(&[
        "I click it.\nEXPECTED: url_changed, title_contains:Cart.",
        "{\"expected\": [\"url_contains:/cart\", \"text_appears:Thank you.\"]}",
        "Well ```json\n{\"a\": {\"expected\": [\"focus_changed\", \"element_count:.item:3\"]}}\n```",
        "- **Expected:** frame_changed; modal_opens",
        "{\"expected\": \"url_changed\"} and {\"expected\": []}",
        "expected url_matches:^https?://(a|b)+$",
    ])
}

fn check_prediction(input: &[u8]) -> Result<(), String> {
    let text = String::from_utf8_lossy(input);
    for rules in [PredicateRules::default(), PredicateRules::VECTORS] {
        let prediction = predicted(&text, &rules);
        let raw = prediction.raw.chars().count();
        holds(raw <= 500, || format!("{raw} characters of a prediction are kept"))?;
        holds(prediction.predicates.len() <= 100, || format!("{} predicates", prediction.predicates.len()))?;
        let mut all = parse(&text, &rules);
        all.extend(prediction.predicates);
        for predicate in all.iter().take(20) {
            let seen = Seen { url: Some(&text), title: Some("Cart"), ..Seen::default() };
            let _ = (predicate.to_string(), evaluate(predicate, &seen, &rules));
        }
    }
    Ok(())
}

fn claims() -> BoxedStrategy<Vec<u8>> {
    mutated_text(&[
        "Change the phone number of Ada Lovelace to \"+44 20 7946 0958\" and save.",
        "Find the price of the red shoes (size 42) and tell me",
        "{\"valid\": false, \"reason\": \"nothing was saved\"}",
        "Lösche die Datei Bericht.pdf und bestätige mit OK",
    ])
}

fn check_claim(input: &[u8]) -> Result<(), String> {
    let text = String::from_utf8_lossy(input);
    let _ = (asked::Asked::of(&text), verifier::VerifierVerdict::read(&text));
    let words = words::words_of(&text);
    let letters: usize = words.iter().map(String::len).sum();
    // Lower case may take more bytes, but not without measure.
    holds(letters <= 4 * text.len() + 16, || format!("{letters} bytes of words from {}", text.len()))?;
    let _ = (words::words_of_name(&text), words::mentions(&text, "phone number"), words::mentions("a b", &text));
    Ok(())
}
