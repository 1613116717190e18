//! What brains write: lines of programs, scripts, and the words that name a brain.

use proptest::strategy::{BoxedStrategy, Strategy as _};
use serde_json::json;
use surehand_brain::{BrainSpec, LineSplitter, ScriptBrain, StubbornBrain, fuzzing};

use super::with_file;
use crate::generate::{any_bytes, mutated_json, mutated_json_lines, mutated_text};
use crate::{Target, holds, is_sentence};

pub(super) const LINES: Target = Target { name: "lines", cases: 300, input: any_bytes, check: check_lines };
pub(super) const EXEC_LINES: Target =
    Target { name: "exec_lines", cases: 300, input: exec_lines, check: check_exec_line };
pub(super) const SCRIPTS: Target = Target { name: "scripts", cases: 200, input: scripts, check: check_script };
pub(super) const SPECS: Target = Target { name: "brain_specs", cases: 200, input: specs, check: check_spec };

/// However the stream is cut into pieces, the same lines come out, and none is longer than the limit.
fn check_lines(input: &[u8]) -> Result<(), String> {
    const LIMIT: usize = 64;
    let lines_of = |step: usize| {
        let (mut splitter, mut lines) = (LineSplitter::new(LIMIT), Vec::new());
        for piece in input.chunks(step) {
            splitter.push(piece, |line| lines.push(line));
        }
        lines.extend(splitter.finish());
        lines
    };
    let whole = lines_of(input.len().max(1));
    let longest = whole.iter().map(|line| line.bytes.len()).max().unwrap_or(0);
    holds(longest <= LIMIT, || format!("a line of {longest} bytes"))?;
    for step in [1, 2, 3, 7, LIMIT, LIMIT + 1] {
        holds(lines_of(step) == whole, || format!("other lines when it comes in pieces of {step}"))?;
    }
    Ok(())
}

fn exec_lines() -> BoxedStrategy<Vec<u8>> {
    mutated_json(vec![
        json!({"type": "hello", "protocol": 1, "verify_done": true}),
        json!({"thought": "t", "expected": ["title_contains:x"], "calls": [{"tool": "tab", "action": "view"}]}),
        json!({"calls": [{"tool": "done", "success": true, "summary": "s"}]}),
        json!({"valid": true, "reason": "it is there"}),
    ])
}

fn check_exec_line(input: &[u8]) -> Result<(), String> {
    let text = String::from_utf8_lossy(input);
    fuzzing::exec_line(&text).iter().try_for_each(|sentence| is_sentence(sentence))
}

fn scripts() -> BoxedStrategy<Vec<u8>> {
    let click = json!({"calls": [{"tool": "mouse", "action": "click", "target": {"text": "Save"}}]});
    let done = json!({"calls": [{"tool": "done", "success": true, "summary": "s"}]});
    let ways = json!({"calls": [{"tool": "wait", "seconds": 1}], "times": 3, "instead": [click, done]});
    let array = mutated_json(vec![json!([click, done]), json!([ways, done]), json!([])]);
    let lines = mutated_json_lines(vec![click, ways, done]);
    proptest::prop_oneof![array, lines].boxed()
}

fn check_script(input: &[u8]) -> Result<(), String> {
    with_file(input, |path| {
        for sentence in [ScriptBrain::open(path).err(), StubbornBrain::open(path).err()].into_iter().flatten() {
            is_sentence(&sentence.to_string())?;
        }
        Ok(())
    })?
}

fn specs() -> BoxedStrategy<Vec<u8>> {
    mutated_text(&[
        "script:file.json",
        "exec:python3 'my brain.py' --x",
        "stubborn:a b",
        "exec:",
        "script:",
        "anthropic",
        "openai:m@http://127.0.0.1:1/v1",
        "gemini@http://h",
        "chat:org/m:7b@h:1/v1",
        "routine:a.json,who=Ada\\, B,then=script:b.json",
    ])
}

fn check_spec(input: &[u8]) -> Result<(), String> {
    let text = String::from_utf8_lossy(input);
    match BrainSpec::parse(&text) {
        Ok(_) => Ok(()),
        // It names what was given, which the person has typed.
        Err(error) => holds(!error.to_string().is_empty(), || "no words".into()),
    }
}
