//! Which actions must not fail silently: those that submit, buy, send, delete or sign in. Narrow on
//! purpose; an action that is missed is only not compared.

use serde_json::Value;

use crate::action::Action;

/// What differs between the profiles.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct HighRiskRules {
    /// Words are also looked for in the task, which makes every click of such a run high-risk.
    pub submit_words_from_task: bool,
    /// Submit keys only in their plain spelling: no keypad, no spaces around the names.
    pub submit_keys_as_written: bool,
}

impl HighRiskRules {
    pub const VECTORS: HighRiskRules = HighRiskRules { submit_words_from_task: true, submit_keys_as_written: true };
}

const SUBMIT_WORDS: &[&str] = &[
    "submit",
    "confirm",
    "buy",
    "purchase",
    "send",
    "delete",
    "save",
    "sign in",
    "sign-in",
    "signin",
    "log in",
    "log-in",
    "login",
    "register",
    "checkout",
    "place order",
];

const SUBMIT_KEYS: &[&str] = &["return", "enter"];
const KEYPAD_SUBMIT_KEYS: &[&str] = &["kp_enter", "kpenter", "kp_return", "numpadenter", "numpad_enter"];

/// `thought` is what the brain said beside the action's own reasoning.
pub fn is_high_risk(action: &Action, thought: &str, task: &str, rules: HighRiskRules) -> bool {
    match action.r#type.as_str() {
        "key_press" => action.params.get("keys").and_then(Value::as_str).is_some_and(|keys| submits(keys, rules)),
        "click" => {
            let task = if rules.submit_words_from_task { task } else { "" };
            [action.reasoning.as_str(), thought, task].into_iter().any(has_submit_word)
        }
        _ => false,
    }
}

/// The last key of the chord decides; the others are held.
fn submits(keys: &str, rules: HighRiskRules) -> bool {
    let keys = keys.to_lowercase();
    let last = keys.rsplit('+').next().unwrap_or_default();
    if rules.submit_keys_as_written {
        return SUBMIT_KEYS.contains(&last);
    }
    let last = last.trim();
    SUBMIT_KEYS.contains(&last) || KEYPAD_SUBMIT_KEYS.contains(&last)
}

fn has_submit_word(text: &str) -> bool {
    let text = text.to_lowercase();
    SUBMIT_WORDS.iter().any(|word| text.contains(word))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    const PRODUCT: HighRiskRules = HighRiskRules { submit_words_from_task: false, submit_keys_as_written: false };

    fn press(keys: Value) -> Action {
        Action::new("key_press", json!({ "keys": keys }))
    }

    fn click(reasoning: &str) -> Action {
        Action { reasoning: reasoning.into(), ..Action::new("click", json!({ "x": 1, "y": 1 })) }
    }

    fn is_submit_key(keys: Value, rules: HighRiskRules) -> bool {
        is_high_risk(&press(keys), "", "", rules)
    }

    #[test]
    fn the_default_is_the_product() {
        assert_eq!(HighRiskRules::default(), PRODUCT);
    }

    #[test]
    fn enter_submits_alone_and_at_the_end_of_a_chord() {
        for rules in [PRODUCT, HighRiskRules::VECTORS] {
            for keys in ["Return", "enter", "ctrl+Return", "cmd+RETURN", "Numpad+Enter", "a+b+enter"] {
                assert!(is_submit_key(json!(keys), rules), "{keys}");
            }
            for keys in ["", "+", "enterx", "returns", "ctrl+enter+a", "ctrl+s", "Tab", "enter+"] {
                assert!(!is_submit_key(json!(keys), rules), "{keys}");
            }
        }
    }

    /// dev-11: keypad and spaces.
    #[test]
    fn submit_keys_in_other_spellings_submit_in_the_product_only() {
        for keys in ["KP_Enter", "Return ", " Return", "ctrl + Enter", "NumpadEnter", "shift+KP_Enter"] {
            assert!(is_submit_key(json!(keys), PRODUCT), "{keys:?}");
            assert!(!is_submit_key(json!(keys), HighRiskRules::VECTORS), "{keys:?}");
        }
    }

    /// dev-12: the task is about signing in, this click is not.
    #[test]
    fn the_task_makes_no_click_high_risk_in_the_product() {
        let menu = click("open the menu");
        assert!(!is_high_risk(&menu, "", "log in and browse", PRODUCT));
        assert!(is_high_risk(&menu, "", "log in and browse", HighRiskRules::VECTORS));
        assert!(is_high_risk(&menu, "now I log in", "", PRODUCT));
    }

    /// dev-13: either answer is right for parts of words; ours is the plain one.
    #[test]
    fn words_are_found_inside_others() {
        for reasoning in ["sender list", "unsaved draft", "buyer profile", "SignIn"] {
            assert!(is_high_risk(&click(reasoning), "", "", PRODUCT), "{reasoning}");
        }
        for reasoning in ["", "log\nin", "place the order", "submission", "registry", "checking out", "pay now"] {
            assert!(!is_high_risk(&click(reasoning), "", "", PRODUCT), "{reasoning}");
        }
    }

    #[test]
    fn only_clicks_and_keys_can_be_high_risk() {
        for kind in ["wait", "done", "scroll", "type_text", "double_click", "drag", "launch_app", "", "CLICK"] {
            let action =
                Action { reasoning: "submit".into(), ..Action::new(kind, json!({ "x": 1, "y": 1, "keys": "Return" })) };
            assert!(!is_high_risk(&action, "submit", "submit", HighRiskRules::VECTORS), "{kind}");
        }
    }

    #[test]
    fn garbage_is_not_high_risk_and_never_a_panic() {
        for keys in [json!(null), json!(7), json!(["Return"]), json!({"Return": 1}), json!("İ+\u{0}"), json!("ß+")] {
            assert!(!is_submit_key(keys, PRODUCT));
        }
        assert!(!is_high_risk(&Action::default(), "\u{fffd}", "", PRODUCT));
    }
}
