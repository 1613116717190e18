//! Chat completions, and what models write in them: tool calls of the API, or text in the form of their training.

use serde_json::{Value, json};

use super::{Act, CACHED, INPUT, Kind, OUTPUT};

pub(super) fn reply(kind: Kind, number: usize, thought: &str, acts: &[Act]) -> Value {
    match kind {
        Kind::Native => tools(number, thought, acts),
        Kind::UiTars => words(&format!("Thought: {thought}\nAction: {}", joined(acts, "\n\n", ui_tars))),
        Kind::UiTars2 => words(&format!("{thought}\n{}", joined(acts, "\n", ui_tars_2))),
        Kind::OpenCua => {
            let code = joined(acts, "\n", opencua);
            words(&format!("## Thought:\n{thought}\n\n## Action:\nGo on.\n\n## Code:\n```python\n{code}\n```"))
        }
        Kind::Holo3 => words(&holo3(thought, &acts[0])),
        Kind::Fara => words(&format!("{thought}\n{}", joined(acts, "\n", fara))),
        _ => words(&format!("{thought}\n{}", joined(acts, "\n", qwen))),
    }
}

pub(super) fn words(words: &str) -> Value {
    completion(json!({"role": "assistant", "content": words}), "stop")
}

pub(super) fn refusal(words: &str) -> Value {
    completion(json!({"role": "assistant", "content": null, "refusal": words}), "stop")
}

pub(super) fn nonsense(number: usize) -> Value {
    let function = json!({"name": "levitate", "arguments": "{\"x\": 1}"});
    let call = json!({"id": format!("call_{number}"), "type": "function", "function": function});
    completion(json!({"role": "assistant", "content": null, "tool_calls": [call]}), "tool_calls")
}

/// The same completion in pieces, as a stream brings them.
pub(crate) fn pieces(completion: &Value) -> Vec<String> {
    let message = &completion["choices"][0]["message"];
    let chunk = |delta: Value, finish: Value| {
        json!({"id": "c", "object": "chat.completion.chunk", "model": "m",
               "choices": [{"index": 0, "delta": delta, "finish_reason": finish}]})
        .to_string()
    };
    let mut all = vec![chunk(json!({"role": "assistant", "content": null}), Value::Null)];
    let text: Vec<char> = message["content"].as_str().unwrap_or_default().chars().collect();
    all.extend(text.chunks(7).map(|part| chunk(json!({"content": part.iter().collect::<String>()}), Value::Null)));
    for (index, call) in message["tool_calls"].as_array().into_iter().flatten().enumerate() {
        let function = &call["function"];
        let head = json!({"index": index, "id": call["id"], "type": "function",
                          "function": {"name": function["name"], "arguments": ""}});
        all.push(chunk(json!({"tool_calls": [head]}), Value::Null));
        let arguments: Vec<char> = function["arguments"].as_str().unwrap().chars().collect();
        for part in arguments.chunks(5) {
            let part = json!({"index": index, "function": {"arguments": part.iter().collect::<String>()}});
            all.push(chunk(json!({"tool_calls": [part]}), Value::Null));
        }
    }
    all.push(chunk(json!({}), completion["choices"][0]["finish_reason"].clone()));
    all.push(
        json!({"id": "c", "object": "chat.completion.chunk", "choices": [], "usage": completion["usage"]}).to_string(),
    );
    all.push("[DONE]".into());
    all
}

pub(super) fn expect_answered(request: &Value) {
    let messages = request["messages"].as_array().unwrap();
    assert_eq!(messages[0]["role"], "system");
    assert_eq!(messages[1]["role"], "user");
    let mut waiting: Vec<Value> = Vec::new();
    for message in messages {
        if message["role"] == "tool" {
            assert_eq!(waiting.first(), Some(&message["tool_call_id"]), "an answer without its question");
            waiting.remove(0);
            continue;
        }
        assert_eq!(waiting, Vec::<Value>::new(), "a call without its answer");
        let calls = message["tool_calls"].as_array().into_iter().flatten();
        waiting = calls.map(|call| call["id"].clone()).collect();
    }
    assert_eq!(waiting, Vec::<Value>::new(), "a call without its answer");
}

fn tools(number: usize, thought: &str, acts: &[Act]) -> Value {
    let calls = acts.iter().enumerate().map(|(index, act)| {
        let (name, arguments) = match act {
            Act::Look => ("tab", json!({"action": "view"})),
            Act::Click(x, y) => ("mouse", json!({"action": "click", "coordinate": [x, y]})),
            Act::Type(text) => ("keyboard", json!({"action": "type", "text": text})),
            Act::Done { success, summary } => ("done", json!({"success": success, "summary": summary})),
        };
        let function = json!({"name": name, "arguments": arguments.to_string()});
        json!({"id": format!("call_{number}_{index}"), "type": "function", "function": function})
    });
    let message = json!({"role": "assistant", "content": thought, "tool_calls": calls.collect::<Vec<_>>()});
    completion(message, "tool_calls")
}

fn joined(acts: &[Act], between: &str, written: impl Fn(&Act) -> String) -> String {
    acts.iter().map(written).collect::<Vec<_>>().join(between)
}

fn tagged(arguments: Value) -> String {
    let call = json!({"name": "computer_use", "arguments": arguments});
    format!("<tool_call>\n{call}\n</tool_call>")
}

fn qwen(act: &Act) -> String {
    tagged(match act {
        Act::Look => json!({"action": "wait", "time": 0}),
        Act::Click(x, y) => json!({"action": "left_click", "coordinate": [x, y]}),
        Act::Type(text) => json!({"action": "type", "text": text}),
        Act::Done { success: true, summary } => json!({"action": "answer", "text": summary}),
        Act::Done { .. } => json!({"action": "terminate", "status": "failure"}),
    })
}

fn fara(act: &Act) -> String {
    tagged(match act {
        Act::Look => json!({"action": "wait", "time": 0}),
        Act::Click(x, y) => json!({"action": "left_click", "coordinate": [x, y]}),
        Act::Type(text) => json!({"action": "type", "text": text, "press_enter": false}),
        Act::Done { success, summary } => {
            json!({"action": "terminate", "status": if *success { "success" } else { "failure" }, "answer": summary})
        }
    })
}

fn ui_tars(act: &Act) -> String {
    match act {
        // Its wait takes five seconds; it looks by a scroll that leads nowhere, far from every square.
        Act::Look => "scroll(start_box='(700,150)', direction='down')".into(),
        Act::Click(x, y) => format!("click(start_box='({x},{y})')"),
        Act::Type(text) => format!("type(content='{text}')"),
        Act::Done { success: true, summary } => format!("finished(content='{summary}')"),
        Act::Done { summary, .. } => format!("done(success=False, summary='{summary}')"),
    }
}

fn ui_tars_2(act: &Act) -> String {
    let (name, fields): (&str, Vec<(&str, String)>) = match act {
        Act::Look => ("take_screenshot", vec![]),
        Act::Click(x, y) => ("click", vec![("point", format!("<point>{x} {y}</point>"))]),
        Act::Type(text) => ("type", vec![("content", text.clone())]),
        Act::Done { success: true, summary } => ("finished", vec![("content", summary.clone())]),
        Act::Done { summary, .. } => ("done", vec![("success", "false".into()), ("summary", summary.clone())]),
    };
    let fields: String = fields.iter().map(|(name, value)| format!("<parameter={name}>{value}</parameter>")).collect();
    format!("<seed:tool_call><function={name}>{fields}</function></seed:tool_call>")
}

fn opencua(act: &Act) -> String {
    match act {
        Act::Look => "computer.wait(seconds=0)".into(),
        Act::Click(x, y) => format!("pyautogui.click(x={x}, y={y})"),
        Act::Type(text) => format!("pyautogui.write(message='{text}')"),
        Act::Done { success, summary } => {
            let status = if *success { "success" } else { "failure" };
            format!("computer.terminate(status='{status}', answer='{summary}')")
        }
    }
}

fn holo3(thought: &str, act: &Act) -> String {
    let call = match act {
        Act::Look => json!({"tool_name": "wait", "seconds": 0}),
        Act::Click(x, y) => json!({"tool_name": "click", "element": "the square", "x": x, "y": y}),
        Act::Type(text) => json!({"tool_name": "write", "content": text, "press_enter": false}),
        Act::Done { success: true, summary } => json!({"tool_name": "answer", "content": summary}),
        Act::Done { summary, .. } => json!({"tool_name": "done", "success": false, "summary": summary}),
    };
    json!({"note": null, "thought": thought, "tool_call": call}).to_string()
}

fn completion(message: Value, finish: &str) -> Value {
    json!({
        "id": "chatcmpl-1", "object": "chat.completion", "model": "m",
        "choices": [{"index": 0, "message": message, "finish_reason": finish}],
        "usage": {"prompt_tokens": INPUT, "completion_tokens": OUTPUT, "total_tokens": INPUT + OUTPUT,
                  "prompt_tokens_details": {"cached_tokens": CACHED}},
    })
}
