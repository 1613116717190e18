//! Feedback from what an environment says beside its frame, compared with the step before. It cannot see
//! changes inside a page, so it is only for the `vectors` profile.

use serde_json::Value;
use surehand_types::Observation;
use surehand_types::observation::Focus;

use super::{TYPE_NOW, high_risk_warning};
use crate::action::Action;
use crate::after::perceptual::PerceptualCheck;

/// What the environment said after a step. An empty text is not known.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct StepFacts {
    pub url: String,
    pub title: String,
    pub focused: Option<FocusedField>,
    /// The environment went back because the page was left; the words say from what.
    pub off_site: Option<String>,
    /// What reading the field back after typing showed.
    pub typing: Option<TypingCheck>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FocusedField {
    pub name: String,
    pub empty: bool,
    pub value: String,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TypingCheck {
    Landed { field: String },
    Failed { reason: String },
}

/// Names of a field, the one a person would recognise first.
const FIELD_NAMES: [&str; 4] = ["placeholder", "name", "id", "type"];
const UNNAMED_FIELD: &str = "input";

impl StepFacts {
    /// Reads the free-form object that environments of the source profile give. What is odd counts as absent.
    pub fn from_info(info: &Value) -> StepFacts {
        let said = |name: &str| info.get(name).filter(|value| is_said(value));
        let focused = said("focused_input").map(|field| FocusedField {
            name: FIELD_NAMES
                .iter()
                .find_map(|name| field.get(name).filter(|value| is_said(value)))
                .map_or_else(|| UNNAMED_FIELD.into(), words),
            empty: field.get("empty").is_some_and(is_said),
            value: field.get("value").map(words).unwrap_or_default(),
        });
        let off_site = said("backtracked")
            .map(|_| info.get("warning").map_or_else(|| "Off-site navigation detected".into(), words));
        let typing = said("type_verified").map(|check| match check.get("success").is_some_and(is_said) {
            true => TypingCheck::Landed { field: check.get("field").map_or_else(|| "field".into(), words) },
            false => TypingCheck::Failed { reason: check.get("reason").map_or_else(|| "unknown".into(), words) },
        });
        StepFacts {
            url: said("url").map(words).unwrap_or_default(),
            title: said("title").map(words).unwrap_or_default(),
            focused,
            off_site,
            typing,
        }
    }

    /// The same facts from an observation of our own.
    pub fn of(observation: &Observation, typing: Option<TypingCheck>) -> StepFacts {
        let focused = match &observation.focus {
            Focus::Element(field) if field.editable => {
                let names = [&field.placeholder, &field.name, &field.id, &field.r#type];
                let name = names.into_iter().flatten().find(|name| !name.is_empty());
                Some(FocusedField {
                    name: name.cloned().unwrap_or_else(|| UNNAMED_FIELD.into()),
                    empty: field.empty.unwrap_or(false),
                    value: field.value.clone().unwrap_or_default(),
                })
            }
            _ => None,
        };
        StepFacts {
            url: observation.url.clone().unwrap_or_default(),
            title: observation.title.clone().unwrap_or_default(),
            focused,
            off_site: None,
            typing,
        }
    }
}

pub fn delta_feedback(action: &Action, facts: &StepFacts, last_url: &str, last_title: &str) -> String {
    let mut parts = Vec::new();
    if let Some(warning) = &facts.off_site {
        parts.push(format!("WARNING: {warning}. Do NOT click social media icons or external links."));
    }
    if !facts.url.is_empty() && facts.url != last_url {
        parts.push(format!("page navigated to {}", facts.url));
    }
    if !facts.title.is_empty() && facts.title != last_title {
        parts.push(format!("page title: \"{}\"", facts.title));
    }
    match &facts.focused {
        Some(field) if field.empty => parts.push(format!("'{}' field is now focused (empty)", field.name)),
        Some(field) => parts.push(format!("'{}' field focused, contains: \"{}\"", field.name, field.value)),
        None => {}
    }
    let given = |name: &str| action.params.get(name).map(words).unwrap_or_default();
    match action.r#type.as_str() {
        "type_text" => {
            let text = given("text");
            parts.push(match &facts.typing {
                Some(TypingCheck::Landed { field }) => format!("typed \"{text}\" into {field} (verified)"),
                Some(TypingCheck::Failed { reason }) => format!("TYPING FAILED: tried to type \"{text}\" but {reason}"),
                None => format!(
                    "typed \"{text}\" (could NOT confirm it landed — verify the field shows the text before continuing)"
                ),
            });
        }
        "key_press" => parts.push(format!("pressed {}", given("keys"))),
        "click" if parts.is_empty() => parts.push("clicked (no visible change)".into()),
        _ => {}
    }
    if parts.is_empty() { "no visible change".into() } else { parts.join("; ") }
}

/// The sentence with what a perceptual check has to say: nothing, unless it saw no effect.
pub fn with_check(sentence: String, action: &Action, facts: &StepFacts, check: &PerceptualCheck) -> String {
    if check.effect_observed != Some(false) {
        return sentence;
    }
    if action.r#type == "click" && facts.focused.is_some() {
        return format!("{sentence}; {TYPE_NOW}");
    }
    format!("{sentence}; {}", high_risk_warning(check.reason.as_str()))
}

/// Whether a value says anything: null, false, zero and what is empty do not.
fn is_said(value: &Value) -> bool {
    match value {
        Value::Null => false,
        Value::Bool(value) => *value,
        Value::Number(number) => number.as_f64() != Some(0.0),
        Value::String(text) => !text.is_empty(),
        Value::Array(values) => !values.is_empty(),
        Value::Object(fields) => !fields.is_empty(),
    }
}

fn words(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Null => "None".into(),
        Value::Bool(true) => "True".into(),
        Value::Bool(false) => "False".into(),
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use surehand_types::observation::FocusedElement;

    use super::*;
    use crate::after::perceptual::PerceptualReason;

    fn click() -> Action {
        Action::new("click", json!({ "x": 1, "y": 1 }))
    }

    fn said(action: &Action, info: Value) -> String {
        delta_feedback(action, &StepFacts::from_info(&info), "https://a/", "A")
    }

    #[test]
    fn what_changed_is_said_in_a_fixed_order() {
        let info = json!({
            "backtracked": true, "warning": "Left site", "url": "https://b/", "title": "B",
            "focused_input": { "placeholder": "", "name": "q", "value": "abc" },
        });
        assert_eq!(
            said(&Action::new("key_press", json!({ "keys": "Tab" })), info),
            "WARNING: Left site. Do NOT click social media icons or external links.; page navigated to https://b/; \
             page title: \"B\"; 'q' field focused, contains: \"abc\"; pressed Tab"
        );
    }

    #[test]
    fn typing_says_whether_it_landed() {
        let typed = Action::new("type_text", json!({ "text": "hello" }));
        let check = |check: Value| said(&typed, json!({ "type_verified": check }));
        assert_eq!(check(json!({ "success": true, "field": "q" })), "typed \"hello\" into q (verified)");
        assert_eq!(
            check(json!({ "success": false, "reason": "field not focused" })),
            "TYPING FAILED: tried to type \"hello\" but field not focused"
        );
        assert!(check(json!({})).contains("could NOT confirm it landed"));
        assert!(check(json!(null)).contains("could NOT confirm it landed"));
        assert!(said(&Action::new("type_text", json!({})), json!({})).starts_with("typed \"\" (could NOT"));
    }

    #[test]
    fn a_check_that_saw_nothing_warns_unless_the_click_went_into_a_field() {
        let check = PerceptualCheck {
            effect_observed: Some(false),
            ..PerceptualCheck::skipped(PerceptualReason::GlobalAndRegionStable)
        };
        let nothing = StepFacts::default();
        let warned = with_check("clicked (no visible change)".into(), &click(), &nothing, &check);
        assert_eq!(
            warned,
            "clicked (no visible change); WARNING: high-risk action had no observed effect (global_and_region_stable)"
        );
        let focused = StepFacts::from_info(&json!({ "focused_input": { "name": "q" } }));
        let told = with_check("x".into(), &click(), &focused, &check);
        assert_eq!(told, "x; input field focused — type your text now (do not click it again)");
        let pressed = with_check("x".into(), &Action::new("key_press", json!({})), &focused, &check);
        assert!(pressed.contains("WARNING"));
        let seen = PerceptualCheck { effect_observed: Some(true), ..check };
        assert_eq!(with_check("x".into(), &click(), &nothing, &seen), "x");
        let skipped = PerceptualCheck::skipped(PerceptualReason::NotHighRisk);
        assert_eq!(with_check("x".into(), &click(), &nothing, &skipped), "x");
    }

    #[test]
    fn any_info_gives_a_sentence() {
        let odd = [json!(null), json!(true), json!(0), json!(7.5), json!("x"), json!([1]), json!({ "a": 1 })];
        for value in &odd {
            StepFacts::from_info(value);
            for name in ["url", "title", "focused_input", "backtracked", "warning", "type_verified"] {
                for kind in ["click", "type_text", "key_press", "scroll", ""] {
                    let action = Action::new(kind, json!({ "text": value, "keys": value }));
                    assert!(!said(&action, json!({ name: value, "backtracked": true })).is_empty());
                    assert!(!said(&action, json!({ name: value })).is_empty());
                }
            }
        }
    }

    #[test]
    fn fields_of_our_own_observations_are_named_alike() {
        let field = FocusedElement {
            name: Some("q".into()),
            placeholder: Some(String::new()),
            empty: Some(true),
            editable: true,
            ..FocusedElement::default()
        };
        let info = json!({ "focused_input": { "name": "q", "placeholder": "", "empty": true } });
        let observation = observation(Focus::Element(Box::new(field)));
        assert_eq!(StepFacts::of(&observation, None).focused, StepFacts::from_info(&info).focused);
    }

    fn observation(focus: Focus) -> Observation {
        use surehand_types::frame::{Encoding, Fence, Frame, FrameSource};
        use surehand_types::{Pixels, ViewPoint, ViewSize};
        let view = ViewSize { width: 1, height: 1 };
        let frame = Frame {
            id: 0,
            captured_at_ms: 0,
            source: FrameSource::Replay,
            encoding: Encoding::Raw,
            fence: Fence::None,
            stale: false,
            view,
            pixels: std::sync::Arc::new(Pixels { width: 1, height: 1, rgb: vec![0; 3] }),
        };
        Observation {
            frame,
            view,
            url: None,
            title: None,
            focus,
            tabs: Vec::new(),
            dialog: None,
            cursor: ViewPoint { x: 0, y: 0 },
            interactables: Vec::new(),
            masks: Vec::new(),
            restless: Vec::new(),
            complaint: None,
        }
    }
}
