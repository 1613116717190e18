//! The rival: browser-use, the best known agent for browsers in Python, with its own defaults, our Chromium and a
//! scripted model. It lives in an environment of its own below the build folder; where Python or the packages cannot
//! be had, it is skipped with the reason.

use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};
use serde_json::{Value, json};
use tokio::process::Command;

use super::server::Scripted;
use super::task::{Deed, TASK};
use super::wire::chat;

const SCRIPT: &str = include_str!("../../browser_use/run.py");
const REQUIREMENTS: &str = include_str!("../../browser_use/requirements.txt");
const INSTALL_DEADLINE: Duration = Duration::from_secs(600);
const RUN_DEADLINE: Duration = Duration::from_secs(300);

/// A Python that has browser-use.
#[derive(Debug)]
pub(crate) struct BrowserUse {
    python: PathBuf,
}

impl BrowserUse {
    /// Installs the pinned packages unless they are there. The error is the reason to skip.
    pub(crate) async fn prepare(build_folder: &Path) -> Result<BrowserUse> {
        let folder = build_folder.join("bench-browser-use");
        let python = folder.join("bin/python");
        let installed = folder.join("installed-requirements.txt");
        if std::fs::read_to_string(&installed).is_ok_and(|text| text == REQUIREMENTS) {
            return Ok(BrowserUse { python });
        }
        eprintln!("bench: installing browser-use into {}", folder.display());
        let mut venv = Command::new("python3");
        venv.args(["-m", "venv", "--clear"]).arg(&folder);
        install("python3 -m venv", venv).await?;
        let requirements = folder.join("requirements.txt");
        std::fs::write(&requirements, REQUIREMENTS)?;
        let mut pip = Command::new(&python);
        pip.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--only-binary=:all:", "-r"]);
        pip.arg(&requirements);
        install("pip", pip).await?;
        std::fs::write(&installed, REQUIREMENTS)?;
        Ok(BrowserUse { python })
    }

    /// The version that was asked for, for the record.
    pub(crate) fn version() -> String {
        REQUIREMENTS.lines().next().unwrap_or_default().replace("==", " ")
    }

    /// Does the task to its end; everything it writes goes into the folder.
    pub(crate) async fn run(
        &self,
        url: &str,
        api: &str,
        browser: &Path,
        folder: &Path,
        max_steps: usize,
    ) -> Result<()> {
        std::fs::create_dir_all(folder)?;
        let script = folder.join("run.py");
        std::fs::write(&script, SCRIPT)?;
        let mut command = Command::new(&self.python);
        command.arg(&script).args([TASK, url, &format!("{api}/v1")]).arg(browser).arg(folder);
        command.arg(max_steps.to_string()).current_dir(folder).env("TMPDIR", folder).env("HOME", folder);
        command.stdin(Stdio::null()).stderr(Stdio::piped()).stdout(Stdio::piped()).kill_on_drop(true);
        let ended = tokio::time::timeout(RUN_DEADLINE, command.output()).await.context("browser-use took too long")?;
        let ended = ended.context("cannot start Python")?;
        let last = |bytes: &[u8]| String::from_utf8_lossy(bytes).trim().lines().last().unwrap_or_default().to_string();
        ensure!(ended.status.success(), "browser-use failed: {}", last(&ended.stderr));
        let said: Value = serde_json::from_str(&last(&ended.stdout)).context("browser-use said something odd")?;
        ensure!(said["done"] == true, "browser-use did not come to its end: {}", said["errors"]);
        Ok(())
    }
}

/// The scripted model's answer: browser-use is told the number of a control, which it named in its request. Where it
/// did not, because it looked too early, it is told to wait, which is not counted as a step.
pub(crate) fn answer(deed: &Deed, request: &Value) -> Scripted {
    match deed {
        Deed::Click { label, .. } => match index_of(&words_in(request), label) {
            Some(index) => Scripted::Step(says(&json!({"click": {"index": index}}))),
            None => Scripted::Aside(says(&json!({"wait": {"seconds": 1}}))),
        },
        Deed::Done => Scripted::Step(says(&json!({"done": {"text": "done", "success": true, "files_to_display": []}}))),
    }
}

fn says(action: &Value) -> Value {
    let said = json!({"thinking": "I look for it.", "evaluation_previous_goal": "It went well.", "memory": "",
                      "next_goal": "Go on.", "current_plan_item": null, "plan_update": null, "action": [action]});
    chat(json!({"role": "assistant", "content": said.to_string()}))
}

/// All words of the request: the state of the page is not always in the last message.
fn words_in(request: &Value) -> String {
    let messages = request["messages"].as_array().map(Vec::as_slice).unwrap_or_default();
    let mut words = Vec::new();
    for message in messages {
        let parts = message["content"].as_array().map(Vec::as_slice).unwrap_or_default();
        words.extend(message["content"].as_str());
        words.extend(parts.iter().filter_map(|part| part["text"].as_str()));
    }
    words.join("\n")
}

/// Controls are listed as `[12]<a />` with their words in the lines below, further to the right.
fn index_of(words: &str, label: &str) -> Option<u64> {
    let lines: Vec<&str> = words.lines().collect();
    let named = lines.iter().position(|line| line.trim() == label)?;
    let depth = |line: &str| line.chars().take_while(|letter| letter.is_whitespace()).count();
    let owner = lines[..named].iter().rev().find(|line| depth(line) < depth(lines[named]) && line.contains("]<"))?;
    owner.split_once('[')?.1.split_once(']')?.0.parse().ok()
}

async fn install(name: &str, mut command: Command) -> Result<()> {
    command.stdin(Stdio::null()).stdout(Stdio::null()).kill_on_drop(true);
    let ended = tokio::time::timeout(INSTALL_DEADLINE, command.status()).await;
    let status = ended.with_context(|| format!("{name} took too long"))?.with_context(|| format!("no {name}"))?;
    if !status.success() {
        bail!("{name} failed");
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    const STATE: &str = "[162]<span />\n\t[163]<svg />\n[184]<a />\n\tInbox\n\t39\n*[192]<a />\n\tStarred\nlist\n\t[42]<button title=Star />\n\tFerry Line\n\t[356]<button />\n\t\tPhotos\n\t\t[358]<span />\n\t\t\tHello";

    #[test]
    fn controls_are_found_by_the_words_below_them() {
        for (label, index) in [("Inbox", 184), ("Starred", 192), ("Photos", 356), ("Hello", 358)] {
            assert_eq!(index_of(STATE, label), Some(index), "{label}");
        }
        assert_eq!(index_of(STATE, "Sent"), None);
        let request = json!({"messages": [{"role": "user", "content": [{"type": "text", "text": STATE}]},
                                          {"role": "user", "content": "Make a plan."}]});
        assert_eq!(index_of(&words_in(&request), "Starred"), Some(192));
    }
}
