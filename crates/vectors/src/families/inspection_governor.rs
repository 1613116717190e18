//! Family `inspection_governor`: whole runs of named actions through the governor. A step of these cases is
//! a turn of the brain, which is how the source counts.

use serde::Deserialize;
use serde_json::{Value, json};
use surehand_checks::before::governor::{
    CallClass, Classes, Governor, GovernorRules, Ground, Outcome, Permission, Picture, StepFate,
};
use surehand_types::settings::Source;
use surehand_types::{Call, Settings};

use super::input;
use crate::{Case, Place, same};

#[derive(Deserialize)]
struct Input {
    max_steps: u32,
    #[serde(default = "yes")]
    enabled: bool,
    turns: Vec<Vec<String>>,
}

fn yes() -> bool {
    true
}

pub(super) fn run(case: &Case, _place: Place<'_>) -> Result<(), String> {
    let given: Input = input(&case.input)?;
    let mut settings = Settings::default();
    settings.set("profile", "vectors", Source::Flag)?;
    let rules = GovernorRules { enabled: given.enabled, ..GovernorRules::of(&settings) };
    let mut governor = Governor::new(rules);
    let (mut trace, mut step, mut errors) = (Vec::new(), 1, 0);
    let mut turns = given.turns.into_iter();
    // A brain whose turns are used up answers without an action, and that ends the run.
    while let Some(actions) = turns.next().filter(|actions| !actions.is_empty()) {
        for action in actions {
            let name = action.trim_end_matches('!');
            let class = class_of(name);
            let blocked = governor.ask(class, Ground::Unknown) == Permission::Refuse;
            let ok = !blocked && !action.ends_with('!');
            if !blocked {
                governor.took(class, Ground::Unknown, Outcome { ok, effect: None, picture: Picture::Unknown });
            }
            errors += u32::from(!ok);
            trace.push(json!([step, name, ok, blocked]));
        }
        if governor.turn_over() != StepFate::Again {
            if step >= given.max_steps {
                break;
            }
            step += 1;
        }
    }
    let answer = json!({ "trace": trace, "steps": step, "blocks": governor.counts().blocks, "errors": errors });
    same(&case.expect, &answer)
}

fn class_of(name: &str) -> CallClass {
    let call = match name {
        "zoom" => json!({"tool": "zoom", "region": [0, 0, 10, 10]}),
        "mouse_move" => json!({"tool": "mouse", "action": "move", "coordinate": [1, 1]}),
        "left_click" => json!({"tool": "mouse", "action": "click", "coordinate": [1, 1]}),
        "right_click" => json!({"tool": "mouse", "action": "click", "coordinate": [1, 1], "button": "right"}),
        "double_click" => json!({"tool": "mouse", "action": "click", "coordinate": [1, 1], "count": 2}),
        "key" => json!({"tool": "keyboard", "action": "press", "key": "enter"}),
        "type" => json!({"tool": "keyboard", "action": "type", "text": "a"}),
        "scroll" => json!({"tool": "mouse", "action": "scroll", "coordinate": [1, 1], "direction": "down"}),
        "screenshot" => json!({"tool": "tab", "action": "view"}),
        _ => Value::Null,
    };
    Call::parse(&call).map_or(CallClass::Neutral, |parsed| CallClass::of(&parsed.call, Classes::Narrow))
}
