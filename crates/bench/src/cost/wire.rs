//! A scripted model's answers, in the words of each API and of each dialect: the shapes that the adapters read.

use serde_json::{Value, json};

use super::task::Deed;

/// The size of the page, which is also the size of the pictures: every model takes it as it is.
const VIEW: [f64; 2] = [1280.0, 720.0];
const GRID: [f64; 2] = [1000.0, 1000.0];
/// What a processor with patches of 28 pixels makes of the view.
const RESIZED: [f64; 2] = [1288.0, 728.0];

/// How an API, or a model behind a chat API, talks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Wire {
    Anthropic,
    OpenAi,
    Gemini,
    Native,
    Qwen3Vl,
    Qwen25Vl,
    UiTars,
    OpenCua,
    Holo3,
    Fara,
}

impl Wire {
    /// The response body that asks for this deed. The number makes the ids of one run differ.
    pub(crate) fn answer(self, number: usize, deed: &Deed) -> Value {
        match self {
            Wire::Anthropic => anthropic(number, deed),
            Wire::OpenAi => openai(number, deed),
            Wire::Gemini => gemini(deed),
            Wire::Native => native(number, deed),
            _ => chat(json!({"role": "assistant", "content": self.words(deed)})),
        }
    }

    /// The response body that says only this.
    pub(crate) fn say(self, text: &str) -> Value {
        match self {
            Wire::Anthropic => message(json!([{"type": "text", "text": text}]), "end_turn"),
            Wire::OpenAi => {
                let content = json!([{"type": "output_text", "text": text, "annotations": []}]);
                response(json!({"type": "message", "id": "msg_0", "role": "assistant", "status": "completed",
                                "content": content}))
            }
            Wire::Gemini => candidate(json!({ "text": text })),
            _ => chat(json!({"role": "assistant", "content": text})),
        }
    }

    fn words(self, deed: &Deed) -> String {
        match (self, deed) {
            (Wire::UiTars, Deed::Click { label, at }) => {
                let [x, y] = scaled(*at, RESIZED);
                format!("Thought: I look for {label}.\nAction: click(start_box='({x},{y})')")
            }
            (Wire::UiTars, Deed::Done) => "Thought: All is done.\nAction: finished(content='done')".into(),
            (Wire::OpenCua, Deed::Click { label, at }) => {
                let [x, y] = scaled(*at, RESIZED);
                format!(
                    "## Thought\nI look for {label}.\n\n## Action\nClick {label}.\n\n## Code\n\
                     ```python\npyautogui.click(x={x}, y={y})\n```"
                )
            }
            (Wire::OpenCua, Deed::Done) => "## Thought\nAll is done.\n\n## Action\nEnd.\n\n## Code\n\
                 ```code\ncomputer.terminate(status='success')\n```"
                .into(),
            (Wire::Holo3, Deed::Click { label, at }) => {
                let [x, y] = scaled(*at, GRID);
                let call = json!({"tool_name": "click", "element": label, "x": x, "y": y});
                json!({"note": null, "thought": format!("I look for {label}."), "tool_call": call}).to_string()
            }
            (Wire::Holo3, Deed::Done) => {
                let call = json!({"tool_name": "answer", "content": "done"});
                json!({"note": null, "thought": "All is done.", "tool_call": call}).to_string()
            }
            (_, Deed::Click { label, at }) => {
                let at = scaled(*at, if self == Wire::Qwen3Vl { GRID } else { RESIZED });
                let arguments = json!({"action": "left_click", "coordinate": at});
                computer_use(&format!("I look for {label}."), &arguments)
            }
            (_, Deed::Done) => computer_use("All is done.", &json!({"action": "terminate", "status": "success"})),
        }
    }
}

/// The body of a chat completion with this message.
pub(crate) fn chat(message: Value) -> Value {
    let finish = if message.get("tool_calls").is_some() { "tool_calls" } else { "stop" };
    json!({"id": "chatcmpl-0", "object": "chat.completion", "created": 0, "model": "scripted",
           "choices": [{"index": 0, "message": message, "finish_reason": finish}],
           "usage": {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}})
}

fn anthropic(number: usize, deed: &Deed) -> Value {
    let (name, input) = match deed {
        Deed::Click { at, .. } => ("computer", json!({"action": "left_click", "coordinate": scaled(*at, VIEW)})),
        Deed::Done => ("done", done()),
    };
    let text = json!({"type": "text", "text": thought(deed)});
    let call = json!({"type": "tool_use", "id": format!("toolu_{number}"), "name": name, "input": input});
    message(json!([text, call]), "tool_use")
}

fn message(content: Value, stop_reason: &str) -> Value {
    json!({"id": "msg_0", "type": "message", "role": "assistant", "model": "scripted", "content": content,
           "stop_reason": stop_reason, "stop_sequence": null, "usage": {"input_tokens": 1, "output_tokens": 1}})
}

fn openai(number: usize, deed: &Deed) -> Value {
    let (id, call_id) = (format!("item_{number}"), format!("call_{number}"));
    response(match deed {
        Deed::Click { at, .. } => {
            let [x, y] = scaled(*at, VIEW);
            json!({"type": "computer_call", "id": id, "call_id": call_id, "status": "completed",
                   "pending_safety_checks": [], "actions": [{"type": "click", "button": "left", "x": x, "y": y}]})
        }
        Deed::Done => json!({"type": "function_call", "id": id, "call_id": call_id, "status": "completed",
                             "name": "done", "arguments": done().to_string()}),
    })
}

fn response(item: Value) -> Value {
    json!({"id": "resp_0", "object": "response", "status": "completed", "model": "scripted", "output": [item],
           "usage": {"input_tokens": 1, "output_tokens": 1, "total_tokens": 2}})
}

fn gemini(deed: &Deed) -> Value {
    let call = match deed {
        Deed::Click { at, .. } => {
            let [x, y] = scaled(*at, GRID);
            json!({"name": "click", "args": {"x": x, "y": y, "intent": thought(deed)}})
        }
        Deed::Done => json!({"name": "done", "args": done()}),
    };
    candidate(json!({ "functionCall": call }))
}

fn candidate(part: Value) -> Value {
    json!({"candidates": [{"content": {"role": "model", "parts": [part]}, "finishReason": "STOP", "index": 0}],
           "usageMetadata": {"promptTokenCount": 1, "candidatesTokenCount": 1, "totalTokenCount": 2},
           "modelVersion": "scripted"})
}

fn native(number: usize, deed: &Deed) -> Value {
    let (name, arguments) = match deed {
        Deed::Click { at, .. } => ("mouse", json!({"action": "click", "coordinate": scaled(*at, GRID)})),
        Deed::Done => ("done", done()),
    };
    let function = json!({"name": name, "arguments": arguments.to_string()});
    let call = json!({"id": format!("call_{number}"), "type": "function", "function": function});
    chat(json!({"role": "assistant", "content": thought(deed), "tool_calls": [call]}))
}

fn computer_use(thought: &str, arguments: &Value) -> String {
    let call = json!({"name": "computer_use", "arguments": arguments});
    format!("{thought}\n<tool_call>\n{call}\n</tool_call>")
}

fn thought(deed: &Deed) -> String {
    match deed {
        Deed::Click { label, .. } => format!("I look for {label}."),
        Deed::Done => "All is done.".into(),
    }
}

fn done() -> Value {
    json!({"success": true, "summary": "The mails were read and the folders looked through."})
}

fn scaled(at: [f64; 2], extent: [f64; 2]) -> [i64; 2] {
    [0, 1].map(|axis| (at[axis] * extent[axis] / VIEW[axis]).round() as i64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_dialect_points_in_its_own_space() {
        let click = Deed::Click { label: "Sent".into(), at: [640.0, 360.0] };
        for (wire, part) in [
            (Wire::Anthropic, r#""coordinate":[640,360]"#),
            (Wire::OpenAi, r#""x":640,"y":360"#),
            (Wire::Gemini, r#""x":500,"y":500"#),
            (Wire::Native, r#"\"coordinate\":[500,500]"#),
            (Wire::Qwen3Vl, r#"\"coordinate\":[500,500]"#),
            (Wire::Qwen25Vl, r#"\"coordinate\":[644,364]"#),
            (Wire::UiTars, "(644,364)"),
            (Wire::OpenCua, "x=644, y=364"),
            (Wire::Holo3, r#"\"x\":500,\"y\":500"#),
            (Wire::Fara, r#"\"coordinate\":[644,364]"#),
        ] {
            let answer = wire.answer(1, &click).to_string();
            assert!(answer.contains(part), "{wire:?}: {answer}");
        }
    }
}
