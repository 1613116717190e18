//! What is done while the bytes are counted: clicks on the mail site, the same ones for every contestant. Where the
//! controls are is learnt in a first run, so that a model that points at pixels can be scripted without guessing.

use anyhow::{Context, Result, ensure};
use serde_json::{Value, json};

pub(crate) const TASK: &str = "Read the mails about the train to Mosswick, about swapping shifts and about the keys \
     for the allotment, and look through the folders Starred, Archive, Spam, Sent and Drafts.";

/// One click on a control with this label.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Control {
    pub(crate) role: &'static str,
    pub(crate) label: &'static str,
}

/// A click that a scripted model asks for, or the end.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Deed {
    Click {
        label: String,
        /// In view pixels.
        at: [f64; 2],
    },
    Done,
}

/// The mails that are unread at first, and read when the task is done.
const MAILS: [&str; 3] = ["Train to Mosswick on Wednesday", "Swap shifts on Wednesday?", "Keys for the allotment"];
const FOLDERS: [&str; 12] = [
    "Starred", "Snoozed", "Sent", "Drafts", "Archive", "Spam", "Trash", "Work", "Family", "Travel", "Receipts", "Inbox",
];

/// The task of ten steps: nine clicks and the end.
pub(crate) fn short() -> Vec<Control> {
    let [train, shifts, keys] = MAILS.map(|label| Control { role: "button", label });
    let [starred, archive, spam, sent, inbox, drafts] =
        ["Starred", "Archive", "Spam", "Sent", "Inbox", "Drafts"].map(|label| Control { role: "link", label });
    vec![train, starred, archive, spam, sent, inbox, shifts, keys, drafts]
}

/// One round through everything in the rail; a long run repeats it, so that its rounds can be compared.
pub(crate) fn round() -> Vec<Control> {
    FOLDERS.iter().map(|label| Control { role: "link", label }).collect()
}

/// The replies of a script that clicks these controls by their labels.
pub(crate) fn script(controls: &[Control]) -> String {
    let click = |control: &Control| {
        let target = json!({"role": control.role, "text": control.label});
        json!({"calls": [{"tool": "mouse", "action": "click", "target": target}]}).to_string()
    };
    let end = json!({"calls": [{"tool": "done", "success": true, "summary": "done"}]}).to_string();
    controls.iter().map(click).chain([end]).collect::<Vec<_>>().join("\n")
}

/// Where the clicks of a scripted run went.
pub(crate) fn learnt(controls: &[Control], result: &Value) -> Result<Vec<Deed>> {
    let steps = result["trajectory"].as_array().context("the first run has no steps")?;
    ensure!(steps.len() > controls.len(), "the first run ended after {} steps", steps.len());
    let deed = |(control, step): (&Control, &Value)| {
        let at = &step["dispatched"];
        ensure!(step["ok"] == true, "{} could not be clicked: {}", control.label, step["message"]);
        let place = || Some([at["x"].as_f64()?, at["y"].as_f64()?]);
        let at = place().with_context(|| format!("the click on {} has no place", control.label))?;
        Ok(Deed::Click { label: control.label.to_string(), at })
    };
    controls.iter().zip(steps).map(deed).collect()
}

/// Whether the site's own state says that the mails were read.
pub(crate) fn is_done(state: &Value) -> bool {
    let mails = state["mails"].as_array().map(Vec::as_slice).unwrap_or_default();
    MAILS.iter().all(|subject| mails.iter().any(|mail| mail["subject"] == *subject && mail["read"] == true))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_short_task_has_ten_steps_and_is_judged_by_the_site() {
        assert_eq!(script(&short()).lines().count(), 10);
        let state = |read: bool| {
            let mails: Vec<Value> = MAILS.iter().map(|subject| json!({"subject": subject, "read": read})).collect();
            json!({ "mails": mails })
        };
        assert!(is_done(&state(true)) && !is_done(&state(false)) && !is_done(&Value::Null));
    }

    #[test]
    fn places_are_taken_from_what_was_dispatched() {
        let controls = &short()[..1];
        let step = json!({"ok": true, "dispatched": {"x": 92, "y": 148}});
        let result = json!({"trajectory": [step, {"ok": true}]});
        let expected = Deed::Click { label: MAILS[0].into(), at: [92.0, 148.0] };
        assert_eq!(learnt(controls, &result).unwrap(), [expected]);
        assert!(learnt(controls, &json!({"trajectory": [{"ok": false}, {}]})).is_err());
    }
}
