//! Somebody who works the web pages: a scripted run of our own in a real Chromium, held to what the page has to show.

use serde_json::{Value, json};

use crate::bench::{Bench, Running};
use crate::service::done;

pub(crate) fn click(role: &str, text: &str) -> Value {
    json!({"tool": "mouse", "action": "click", "target": {"role": role, "text": text}})
}

pub(crate) fn one(calls: &[Value]) -> Value {
    json!({ "calls": calls })
}

pub(crate) fn write(text: &str) -> Value {
    json!({"tool": "keyboard", "action": "type", "text": text})
}

/// Somebody who works the pages: a run of our own with a data folder of its own, held to what the page has to show.
pub(crate) struct Operator<'a> {
    pub(crate) bench: &'a Bench,
    pub(crate) name: &'a str,
    pub(crate) replies: Vec<Value>,
    pub(crate) checks: Vec<Value>,
}

impl Operator<'_> {
    pub(crate) fn start(&self, url: &str) -> Running {
        let lines: Vec<String> = self.replies.iter().chain([&done()]).map(Value::to_string).collect();
        let script = self.bench.write(&format!("{}.jsonl", self.name), &lines.join("\n"));
        let contract = json!({"id": self.name, "checks": self.checks}).to_string();
        let contract = self.bench.write(&format!("{}.contract.json", self.name), &contract);
        let (script, contract) = (format!("script:{}", script.display()), contract.display().to_string());
        let arguments = [
            "run",
            "work the pages",
            "--json",
            "--url",
            url,
            "--brain",
            &script,
            "--contract",
            &contract,
            "--confirm",
            "none",
            "--max-steps",
            "80",
            "--viewport",
            "1280x1000",
            "--set",
            "settle_cap=1",
            "--set",
            "target_wait=30",
            // What the operator does is written down; whether the pages are quick to answer is no matter here.
            "--set",
            "loop_recovery=off",
            "--set",
            "done_gate=off",
        ];
        self.bench.start_command(self.bench.command_in(&self.bench.path(&format!("{}-data", self.name)), &arguments))
    }
}
