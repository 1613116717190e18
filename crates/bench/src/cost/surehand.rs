//! Our side: the program that users run, with each of its model adapters, against a scripted model.

use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use serde_json::Value;
use tokio::process::Command;

use super::task::TASK;
use super::wire::Wire;
use crate::controller::Setup;

const RUN_DEADLINE: Duration = Duration::from_secs(600);

/// One adapter, with a model of its kind.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Adapter {
    pub(crate) name: &'static str,
    kind: &'static str,
    model: &'static str,
    /// What follows the server's address in a base address.
    path: &'static str,
    pub(crate) wire: Wire,
}

pub(crate) const ADAPTERS: [Adapter; 10] = [
    Adapter { name: "anthropic", kind: "anthropic", model: "claude-sonnet-4-6", path: "", wire: Wire::Anthropic },
    Adapter { name: "openai", kind: "openai", model: "gpt-5.4", path: "/v1", wire: Wire::OpenAi },
    Adapter { name: "gemini", kind: "gemini", model: "gemini-3.5-flash", path: "", wire: Wire::Gemini },
    Adapter::chat("native", "scripted", Wire::Native),
    Adapter::chat("qwen3-vl", "qwen3-vl-8b", Wire::Qwen3Vl),
    Adapter::chat("qwen2.5-vl", "qwen2.5-vl-7b", Wire::Qwen25Vl),
    Adapter::chat("ui-tars", "ui-tars-1.5-7b", Wire::UiTars),
    Adapter::chat("opencua", "opencua-7b", Wire::OpenCua),
    Adapter::chat("holo3", "holo3-35b", Wire::Holo3),
    Adapter::chat("fara", "fara-7b", Wire::Fara),
];

/// Variables that would lead a run elsewhere than to the scripted model.
const KEYS: [&str; 5] = ["ANTHROPIC_API_KEY", "OPENAI_API_KEY", "GEMINI_API_KEY", "GOOGLE_API_KEY", "CHAT_API_KEY"];
const ADDRESSES: [&str; 3] = ["ANTHROPIC_BASE_URL", "OPENAI_BASE_URL", "GEMINI_BASE_URL"];

impl Adapter {
    const fn chat(name: &'static str, model: &'static str, wire: Wire) -> Adapter {
        Adapter { name, kind: "chat", model, path: "/v1", wire }
    }

    /// The brain that asks the model API at this address.
    pub(crate) fn brain(&self, address: &str) -> String {
        format!("{}:{}@{address}{}", self.kind, self.model, self.path)
    }
}

/// Runs the program to its end and gives the result it prints. Whether the run succeeded is not judged here.
pub(crate) async fn run(program: &Path, setup: &Setup, url: &str, brain: &str, max_steps: usize) -> Result<Value> {
    let folder = tempfile::Builder::new().prefix("cost-").tempdir_in(&setup.scratch)?;
    let mut command = Command::new(program);
    for (name, _) in std::env::vars_os().filter(|(name, _)| name.to_string_lossy().starts_with("SUREHAND_")) {
        command.env_remove(name);
    }
    command.envs(KEYS.map(|name| (name, "scripted"))).env("SUREHAND_CHROMIUM", &setup.browser);
    ADDRESSES.iter().for_each(|name| {
        command.env_remove(name);
    });
    command.arg("--data").arg(folder.path()).args(["run", TASK, "--json", "--confirm", "none"]);
    command.args(["--url", url, "--brain", brain, "--max-steps", &max_steps.to_string()]);
    command.current_dir(folder.path()).env("TMPDIR", folder.path());
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).kill_on_drop(true);
    let ended = tokio::time::timeout(RUN_DEADLINE, command.output()).await.context("the run took too long")??;
    let output = String::from_utf8_lossy(&ended.stdout);
    let last: Value = output.lines().last().and_then(|line| serde_json::from_str(line).ok()).unwrap_or_default();
    let complaint = String::from_utf8_lossy(&ended.stderr);
    ensure!(last["type"] == "result", "no result: {}", complaint.lines().next().unwrap_or_default());
    Ok(last["result"].clone())
}
