//! The examples that prompts show: complete JSON envelopes, kept as the text a model should write.
//! Models copy the shape they see, so a half-written snippet becomes a wrong call. What tool an
//! example is about is read from the example itself.

use serde_json::Value;

use super::Variant;

#[derive(Debug)]
pub(super) struct Example {
    /// How templates refer to it.
    pub(super) name: &'static str,
    /// What it does, for the list of a tool's examples.
    pub(super) does: &'static str,
    pub(super) json: &'static str,
    pub(super) shown: Shown,
}

/// Where an example is listed with its tool.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shown {
    Always,
    InLarge,
    /// Only where a template names it.
    OnlyInText,
}

const fn always(name: &'static str, does: &'static str, json: &'static str) -> Example {
    Example { name, does, json, shown: Shown::Always }
}

const fn in_large(name: &'static str, does: &'static str, json: &'static str) -> Example {
    Example { name, does, json, shown: Shown::InLarge }
}

const fn in_text(name: &'static str, json: &'static str) -> Example {
    Example { name, does: "", json, shown: Shown::OnlyInText }
}

pub(super) const EXAMPLES: &[Example] = &[
    always(
        "tab_open",
        "open an address in a new tab",
        r#"{"tool":"tab","action":"open","url":"https://example.com/"}"#,
    ),
    always("tab_switch", "bring another tab to the front", r#"{"tool":"tab","action":"switch","tab_id":"t2"}"#),
    in_large("tab_back", "go back one page", r#"{"tool":"tab","action":"back"}"#),
    in_large("tab_view", "take a fresh look", r#"{"tool":"tab","action":"view"}"#),
    in_large("tab_close", "close a tab", r#"{"tool":"tab","action":"close","tab_id":"t2"}"#),
    always("click", "click a control", r#"{"tool":"mouse","action":"click","coordinate":[512,300]}"#),
    in_large("click_here", "click where the cursor is", r#"{"tool":"mouse","action":"click"}"#),
    always(
        "right",
        "open a context menu",
        r#"{"tool":"mouse","action":"click","coordinate":[512,300],"button":"right"}"#,
    ),
    always("double", "double click", r#"{"tool":"mouse","action":"click","coordinate":[512,300],"count":2}"#),
    in_large(
        "ctrl_click",
        "add to a selection",
        r#"{"tool":"mouse","action":"click","coordinate":[512,300],"modifiers":["ctrl"]}"#,
    ),
    always("move", "hover", r#"{"tool":"mouse","action":"move","coordinate":[512,300]}"#),
    always(
        "drag",
        "drag",
        r#"{"tool":"mouse","action":"drag","start_coordinate":[200,400],"end_coordinate":[700,400]}"#,
    ),
    always(
        "scroll",
        "scroll the panel at that point",
        r#"{"tool":"mouse","action":"scroll","coordinate":[500,600],"direction":"down","amount":600}"#,
    ),
    in_large(
        "scroll_here",
        "scroll what is under the cursor",
        r#"{"tool":"mouse","action":"scroll","direction":"up"}"#,
    ),
    always("confirm", "commit a previewed action", r#"{"tool":"mouse","action":"confirm"}"#),
    in_large("reset", "return the cursor to the centre", r#"{"tool":"mouse","action":"reset"}"#),
    always("type", "type into the focused field", r#"{"tool":"keyboard","action":"type","text":"ada@example.com"}"#),
    always("enter", "press a key", r#"{"tool":"keyboard","action":"press","key":"enter"}"#),
    in_large("chord", "press a chord", r#"{"tool":"keyboard","action":"press","key":"ctrl+a"}"#),
    in_large(
        "shift_tab",
        "hold keys by name",
        r#"{"tool":"keyboard","action":"press","key":"tab","modifiers":["shift"]}"#,
    ),
    always("clear", "empty the focused field", r#"{"tool":"keyboard","action":"clear"}"#),
    in_text("type_date", r#"{"tool":"keyboard","action":"type","text":"2025-03-14"}"#),
    in_text("escape", r#"{"tool":"keyboard","action":"press","key":"escape"}"#),
    always("accept", "agree", r#"{"tool":"dialog","dialog_action":"accept"}"#),
    in_large("dismiss", "decline", r#"{"tool":"dialog","dialog_action":"dismiss"}"#),
    in_large("prompt", "answer a prompt", r#"{"tool":"dialog","dialog_action":"accept","prompt_text":"Ada"}"#),
    always("select", "choose an option", r#"{"tool":"select_option","values":["Canada"]}"#),
    in_large("select_two", "choose several", r#"{"tool":"select_option","values":["Red","Blue"]}"#),
    always("upload", "give a file", r#"{"tool":"upload_file","paths":["/uploads/photo.png"]}"#),
    always("wait", "let a page load", r#"{"tool":"wait","seconds":2}"#),
    always("zoom", "read small print", r#"{"tool":"zoom","region":[100,100,400,300]}"#),
    always("inspect", "list what is on the screen", r#"{"tool":"inspect"}"#),
    always("ask", "ask the person", r#"{"tool":"ask_user","question":"Which of the two accounts shall I use?"}"#),
    always("done", "end with success", r#"{"tool":"done","success":true,"summary":"The phone number is saved."}"#),
    in_large(
        "done_output",
        "end with an answer",
        r#"{"tool":"done","success":true,"summary":"The price is shown on the product page.","output":{"price":"19.90"}}"#,
    ),
    in_large(
        "done_failed",
        "end honestly when the task is out of reach",
        r#"{"tool":"done","success":false,"summary":"The login page rejects the given password."}"#,
    ),
    always("window_list", "list the windows", r#"{"tool":"window","action":"list"}"#),
    always("window_focus", "bring a window to the front", r#"{"tool":"window","action":"focus","window_id":"w2"}"#),
    in_large(
        "window_resize",
        "give a window another size",
        r#"{"tool":"window","action":"resize","window_id":"w2","width":1280,"height":800}"#,
    ),
    in_text(
        "reply_browser",
        r#"{"thought":"The cart button is at the top right; it should open the cart.","expected":["url_contains:/cart"],"calls":[{"tool":"mouse","action":"click","coordinate":[912,48]}]}"#,
    ),
    in_text(
        "reply_desktop",
        r#"{"thought":"The Open entry should bring up the file chooser.","expected":["modal_opens"],"calls":[{"tool":"mouse","action":"click","coordinate":[62,110]}]}"#,
    ),
    in_text(
        "reply_batch",
        r#"{"thought":"Fill in the e-mail field and send the form.","expected":["title_changed"],"calls":[{"tool":"mouse","action":"click","coordinate":[480,352]},{"tool":"keyboard","action":"type","text":"ada@example.com"},{"tool":"keyboard","action":"press","key":"enter"}]}"#,
    ),
];

pub(super) fn find(name: &str) -> Option<&'static Example> {
    EXAMPLES.iter().find(|example| example.name == name)
}

/// The examples to list with a tool.
pub(super) fn of_tool(tool: &str, variant: Variant) -> impl Iterator<Item = &'static Example> {
    EXAMPLES.iter().filter(move |example| example.is_shown(variant) && example.tools() == [tool])
}

impl Example {
    fn is_shown(&self, variant: Variant) -> bool {
        match self.shown {
            Shown::Always => true,
            Shown::InLarge => variant == Variant::Large,
            Shown::OnlyInText => false,
        }
    }

    /// The tools it calls: one for a call, one per call for a whole reply.
    pub(super) fn tools(&self) -> Vec<String> {
        let value: Value = serde_json::from_str(self.json).unwrap_or_default();
        let calls = match value.get("calls").and_then(Value::as_array) {
            Some(calls) => calls.clone(),
            None => vec![value],
        };
        calls.iter().filter_map(|call| call.get("tool")?.as_str().map(str::to_string)).collect()
    }
}

#[cfg(test)]
mod tests {
    use surehand_types::call::TOOLS;
    use surehand_types::{Call, Reply};

    use super::*;

    #[test]
    fn every_example_is_a_call_or_a_reply_that_parses() {
        for example in EXAMPLES {
            let value: Value = serde_json::from_str(example.json).expect(example.name);
            if value.get("calls").is_some() {
                Reply::parse(&value).expect(example.name);
            } else {
                Call::parse(&value).expect(example.name);
            }
        }
    }

    #[test]
    fn names_are_unique_and_every_tool_has_an_example_in_both_variants() {
        for (index, example) in EXAMPLES.iter().enumerate() {
            assert!(EXAMPLES[..index].iter().all(|earlier| earlier.name != example.name), "{}", example.name);
        }
        for tool in TOOLS {
            for variant in [Variant::Large, Variant::Small] {
                assert!(of_tool(tool.name, variant).next().is_some(), "{} {variant:?}", tool.name);
            }
        }
    }
}
