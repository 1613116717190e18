//! A brain that is a file: replies in order, all of them checked before the run starts. It goes on
//! whatever the calls came to, except when the loop says that a call could not be run at all.

use std::collections::VecDeque;
use std::path::Path;

use async_trait::async_trait;
use serde_json::{Value, json};
use surehand_types::reply::{CallResult, NOTHING_NEW};
use surehand_types::result::StepRecord;
use surehand_types::{Reply, RunResult, Turn};

use crate::brain::{Brain, Thought};
use crate::error::BrainError;
use steps::{ForSteps, Scripted, read_scripted};

mod steps;

mod going_on;

/// A script is written by hand or by a recorder; more than this is a mistake.
const MAX_BYTES: u64 = 64 * 1024 * 1024;

#[derive(Debug)]
pub struct ScriptBrain {
    name: String,
    replies: VecDeque<Reply>,
    /// Replies for steps of a plan, and where we are in those of the present one.
    for_steps: ForSteps,
    /// What was offered last, in case it could not be run to its end.
    last: Option<Reply>,
}

impl ScriptBrain {
    pub fn open(path: &Path) -> Result<Self, BrainError> {
        Ok(ScriptBrain::with(format!("script:{}", path.display()), read_file(path, read_scripted)?))
    }

    /// A script that is already in memory. The error is one sentence about the first reply that is wrong.
    pub fn from_values(name: impl Into<String>, replies: &[Value]) -> Result<Self, String> {
        Ok(ScriptBrain::with(name.into(), read_values(replies, read_scripted)?))
    }

    fn with(name: String, scripted: Vec<Scripted>) -> Self {
        let (for_steps, plain): (Vec<Scripted>, Vec<Scripted>) =
            scripted.into_iter().partition(|scripted| scripted.step.is_some());
        let replies = plain.into_iter().map(|scripted| scripted.reply).collect();
        ScriptBrain { name, replies, for_steps: ForSteps::new(for_steps), last: None }
    }

    /// A problem means that the loop got stuck inside the last reply: what was left of it is offered
    /// again. Without a problem a list simply goes on, even after calls that failed or were not run.
    fn next(&mut self, turn: &Turn) -> Reply {
        if self.for_steps.begins(turn.plan_step.as_ref()) {
            self.last = None;
        }
        if let Some(left) = left_after_problem(&mut self.last, turn) {
            return left;
        }
        match turn.plan_step.as_ref().filter(|step| self.for_steps.know(step)) {
            Some(step) => self.for_steps.next(step).unwrap_or_else(script_ended),
            None => self.replies.pop_front().unwrap_or_else(script_ended),
        }
    }
}

#[async_trait]
impl Brain for ScriptBrain {
    fn name(&self) -> String {
        self.name.clone()
    }

    async fn think(&mut self, turn: &Turn) -> Result<Thought, BrainError> {
        let reply = self.next(turn);
        self.last = Some(reply.clone());
        Ok(Thought::reply(reply))
    }

    async fn end(&mut self, _: &RunResult) {}

    fn goes_on(&mut self, done: &[StepRecord]) {
        going_on::leave_out_done(&mut self.replies, done);
    }
}

/// How many calls of the reply ran, counted from its first one. The indices are those of the reply
/// that was offered last; a call without a result did not run.
fn ran_from_start(results: &[CallResult], calls: usize) -> usize {
    (0..calls).take_while(|index| results.iter().any(|result| result.index == *index && result.ran)).count()
}

/// Whether this call was a look that is not made, however often it is asked for.
fn is_refused_look(results: &[CallResult], index: usize) -> bool {
    let why = |result: &CallResult| result.effect.as_ref().and_then(|effect| effect.reason.clone());
    results.iter().any(|result| result.index == index && why(result).as_deref() == Some(NOTHING_NEW))
}

/// What the loop did not get to in the last reply, where it says that it got stuck. Looks that were refused are left out.
pub(crate) fn left_after_problem(last: &mut Option<Reply>, turn: &Turn) -> Option<Reply> {
    turn.problem.as_ref()?;
    let mut left = last.take()?;
    let ran = ran_from_start(&turn.results, left.calls.len());
    let past = ran + usize::from(is_refused_look(&turn.results, ran));
    left.calls.drain(..past);
    Some(left).filter(|left| !left.calls.is_empty())
}

pub(crate) fn script_ended() -> Reply {
    let call = json!({"tool": "done", "success": false, "summary": "script ended"});
    Reply::parse(&json!({ "calls": [call] })).unwrap_or_default()
}

/// The items of a file, each made by `read`, which says in one sentence what is wrong with one.
pub(crate) fn read_file<T>(path: &Path, read: impl Fn(&Value) -> Result<T, String>) -> Result<Vec<T>, BrainError> {
    let shown = path.display();
    let unreadable = |error: &dyn std::fmt::Display| {
        BrainError::usage(
            format!("the script {shown} cannot be read: {error}"),
            "name a file with a JSON array or JSON lines of replies",
        )
    };
    let length = std::fs::metadata(path).map_err(|error| unreadable(&error))?.len();
    if length > MAX_BYTES {
        return Err(unreadable(&format!("it has {length} bytes")));
    }
    let text = std::fs::read_to_string(path).map_err(|error| unreadable(&error))?;
    parse(&text, read).map_err(|(line, problem)| {
        BrainError::usage(
            format!("the script {shown} is wrong in line {line}: {problem}"),
            "a reply looks like {\"calls\":[{\"tool\":\"mouse\",\"action\":\"click\",\"target\":{\"text\":\"Save\"}}]}",
        )
    })
}

/// The same for items that are in memory.
pub(crate) fn read_values<T>(items: &[Value], read: impl Fn(&Value) -> Result<T, String>) -> Result<Vec<T>, String> {
    let numbered = items.iter().enumerate();
    numbered.map(|(index, item)| read(item).map_err(|problem| format!("reply {}: {problem}", index + 1))).collect()
}

/// The replies, or the line (from 1) and what is wrong there.
fn parse<T>(text: &str, read: impl Fn(&Value) -> Result<T, String>) -> Result<Vec<T>, (usize, String)> {
    // Some editors start a file with a byte order mark.
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    if text.trim_start().starts_with('[') {
        parse_array(text, read)
    } else {
        text.lines()
            .enumerate()
            .filter(|(_, line)| !line.trim().is_empty())
            .map(|(index, line)| {
                let value = serde_json::from_str(line).map_err(|error| (index + 1, not_json(&error)))?;
                read(&value).map_err(|problem| (index + 1, problem))
            })
            .collect()
    }
}

/// Element by element instead of in one go, to know in which line each one starts.
fn parse_array<T>(text: &str, read: impl Fn(&Value) -> Result<T, String>) -> Result<Vec<T>, (usize, String)> {
    let line_at = |offset: usize| text[..offset].matches('\n').count() + 1;
    let skip_space = |offset: usize| {
        let rest = &text[offset..];
        offset + rest.len() - rest.trim_start().len()
    };
    let mut replies = Vec::new();
    let mut offset = skip_space(skip_space(0) + 1);
    if text[offset..].starts_with(']') {
        offset += 1;
    } else {
        loop {
            let rest = &text[offset..];
            if !rest.starts_with('{') {
                return Err((line_at(offset), "a reply must be a JSON object".into()));
            }
            let mut values = serde_json::Deserializer::from_str(rest).into_iter::<Value>();
            let value = match values.next() {
                Some(Ok(value)) => value,
                Some(Err(error)) => {
                    let line = line_at(offset) + error.line().saturating_sub(1);
                    return Err((line, not_json(&error)));
                }
                None => return Err((line_at(offset), "a reply is missing".into())),
            };
            replies.push(read(&value).map_err(|problem| (line_at(offset), problem))?);
            offset = skip_space(offset + values.byte_offset());
            match text[offset..].chars().next() {
                Some(',') => offset = skip_space(offset + 1),
                Some(']') => {
                    offset += 1;
                    break;
                }
                _ => {
                    return Err((line_at(offset), "a comma or the end of the array is missing".into()));
                }
            }
        }
    }
    let offset = skip_space(offset);
    if offset < text.len() {
        return Err((line_at(offset), "there is text after the array".into()));
    }
    Ok(replies)
}

pub(crate) fn read_reply(value: &Value) -> Result<Reply, String> {
    Reply::parse(value).map_err(|problem| {
        let sentence = problem.0;
        match sentence.strip_suffix("; none of the reply was run") {
            Some(short) => short.to_string(),
            None => sentence,
        }
    })
}

/// Without "at line 3 column 4": that counts from the start of the reply, not of the file.
fn not_json(error: &serde_json::Error) -> String {
    let text = error.to_string();
    let end = text.rfind(" at line ").unwrap_or(text.len());
    format!("it is not JSON: {}", &text[..end])
}

#[cfg(test)]
pub(crate) mod tests;
