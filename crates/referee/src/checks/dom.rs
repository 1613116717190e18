//! Elements of the page.

use serde_json::{Value, json};

use crate::contract::{Dom, Several, ValueText, shortened_text};
use crate::finding::Finding;
use crate::probes::{DomAnswer, DomElement};

pub(crate) fn expected(rule: &Dom) -> Value {
    rule.expected.clone()
}

pub(crate) fn judge(rule: &Dom, answer: &DomAnswer) -> Finding {
    let shown = |element: &&DomElement| rule.hidden_too || element.visible;
    let candidates: Vec<&DomElement> = answer.elements.iter().filter(shown).collect();
    let fitting = candidates.iter().filter(|element| fits(rule, element)).count();
    let hidden = answer.elements.len() - candidates.len();
    let observed = json!({"elements": candidates.len(), "fitting": fitting, "hidden": hidden,
                          "first": candidates.iter().take(3).map(|element| seen(rule, element)).collect::<Vec<_>>()});
    let unsure = |finding: Finding| match &answer.incomplete {
        // What was not seen could change the answer, in whichever direction.
        Some(why) => Finding::unknown(format!("not_all_seen: {}", shortened_text(why)), finding.observed),
        None => finding,
    };
    if let Some(texts) = &rule.texts {
        let mut found: Vec<String> = candidates.iter().map(|element| single_spaced(&element.text)).collect();
        let mut wanted = texts.clone();
        let observed = json!({"texts": found.iter().take(20).map(|text| shortened_text(text)).collect::<Vec<_>>(), "hidden": hidden});
        if rule.any_order {
            found.sort_unstable();
            wanted.sort_unstable();
        }
        let holds = found == wanted;
        return unsure(if holds { Finding::pass(observed) } else { Finding::fail("other_texts", observed) });
    }
    match rule.several {
        Several::Any => {
            let holds = rule.count.holds(fitting);
            // More elements can turn a fail into a pass and back, except that one is enough for "at least one".
            let settled = rule.count == crate::contract::Count::AT_LEAST_ONE && holds;
            let finding = match (holds, candidates.is_empty()) {
                (true, _) => Finding::pass(observed),
                (false, true) => Finding::fail("element_not_found", observed),
                (false, false) => Finding::fail("another_count", observed),
            };
            if settled { finding } else { unsure(finding) }
        }
        Several::One if candidates.len() > 1 => Finding::unknown("ambiguous_target", observed),
        Several::One | Several::All => unsure(if candidates.is_empty() {
            Finding::fail("element_not_found", observed)
        } else if fitting == candidates.len() {
            Finding::pass(observed)
        } else {
            Finding::fail("other_content", observed)
        }),
    }
}

fn fits(rule: &Dom, element: &DomElement) -> bool {
    let text = rule.text.as_ref().is_none_or(|regex| regex.is_match(&element.text))
        && rule.not_text.as_ref().is_none_or(|regex| !regex.is_match(&element.text))
        && rule.exact_text.as_ref().is_none_or(|wanted| single_spaced(&element.text) == *wanted);
    let checked = rule.checked.is_none_or(|wanted| element.checked == Some(wanted));
    let told = match &rule.attribute {
        Some(_) => element.attribute.as_deref(),
        None => element.value.as_deref(),
    };
    let value = match (&rule.value, &rule.attribute) {
        (Some(ValueText::Matches(regex)), _) => told.is_some_and(|told| regex.is_match(told)),
        (Some(ValueText::Is(wanted)), _) => told == Some(wanted.as_str()),
        (None, Some(_)) => told.is_some(),
        (None, None) => true,
    };
    text && checked && value
}

fn single_spaced(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Of what an element is and holds, that which the rule looks at.
fn seen(rule: &Dom, element: &DomElement) -> Value {
    let mut seen = json!({"text": shortened_text(&element.text)});
    if rule.attribute.is_some() {
        seen["attribute"] = json!(element.attribute.as_deref().map(shortened_text));
    } else if rule.value.is_some() {
        seen["value"] = json!(element.value.as_deref().map(shortened_text));
    }
    if rule.checked.is_some() {
        seen["checked"] = json!(element.checked);
    }
    seen
}
