//! A run as examples to learn from: one per reply that was used, with what the brain was shown, what it answered,
//! what came of it step by step, and how the whole was judged. Texts and pictures are those of the trace, redacted
//! as they were when they were written.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value, json};
use surehand_types::event::{Envelope, Event};
use surehand_types::reply::Hint;
use surehand_types::result::{CheckVerdict, FinalVerdict, JudgeVerdict, PredicateResult};
use surehand_types::{EffectStatus, RunResult, StepRecord};

/// One line of the file.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Example {
    pub run_id: String,
    pub turn: u32,
    /// In the order of a conversation. An `image` part stands for the next entry of `images`.
    pub messages: Vec<Message>,
    /// What the brain looked at: a path beside the file, or a data URI. Empty where the frame is not stored.
    pub images: Vec<String>,
    pub labels: Labels,
    pub reward: Reward,
    /// `null` for a run without an end.
    pub verdict: Option<VerdictLabel>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Message {
    pub role: Role,
    pub content: Vec<Part>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    System,
    User,
    Assistant,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Part {
    Text { text: String },
    Image,
}

/// What was measured. Unknown stays `null`.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Labels {
    /// Of the last call of the reply.
    pub effect: Option<EffectStatus>,
    pub predicates: Vec<PredicateResult>,
    pub steps: Vec<StepLabel>,
}

#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct StepLabel {
    pub step: u32,
    pub ok: bool,
    pub call: Option<Map<String, Value>>,
    pub effect: Option<EffectStatus>,
    pub done_rejected_reason: Option<String>,
    pub loop_recovery_reason: Option<String>,
    /// The runtime made this call, so it is no part of the answer.
    pub substituted: bool,
}

#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Reward {
    /// Summed over the steps of the reply.
    pub components: BTreeMap<String, f64>,
    /// Of the whole run: 1 for pass, 0 for fail, `null` where nobody can say.
    pub outcome: Option<f64>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
pub struct VerdictLabel {
    pub r#final: FinalVerdict,
    pub contract: Option<CheckVerdict>,
    pub judge: Option<JudgeVerdict>,
    pub disagreement: bool,
}

/// The examples of a run. `system` opens every conversation; `image` turns a content hash into what goes into
/// `images`, or `None` where there is no such frame.
pub fn examples(
    events: &[Envelope],
    system: Option<&str>,
    mut image: impl FnMut(&str) -> Option<String>,
) -> Vec<Example> {
    let task = events.iter().find_map(|envelope| match &envelope.event {
        Event::RunStarted(started) => Some(started.task.as_str()),
        _ => None,
    });
    let verdict = events.iter().rev().find_map(|envelope| match &envelope.event {
        Event::RunEnded { result } => Some(label(result)),
        _ => None,
    });
    let turns = turns(events);
    let mut examples = Vec::new();
    let mut before: &[&StepRecord] = &[];
    for turn in &turns {
        let picture = turn.frame.and_then(&mut image);
        let mut messages = Vec::new();
        messages.extend(system.map(|text| Message::text(Role::System, text)));
        let mut asked = Message::text(Role::User, user_text(task.unwrap_or_default(), turn, before));
        if picture.is_some() {
            asked.content.push(Part::Image);
        }
        messages.push(asked);
        messages.push(Message::text(Role::Assistant, turn.answer.clone()));
        examples.push(Example {
            run_id: turn.run_id.to_string(),
            turn: turn.number,
            messages,
            images: picture.into_iter().collect(),
            labels: labels(&turn.steps),
            reward: Reward { components: components(&turn.steps), outcome: verdict.and_then(outcome) },
            verdict,
        });
        before = &turn.steps;
    }
    examples
}

/// One reply that was used, and what is known around it.
struct Turn<'a> {
    run_id: &'a str,
    number: u32,
    problem: Option<&'a str>,
    hints: &'a [Hint],
    answer: String,
    frame: Option<&'a str>,
    steps: Vec<&'a StepRecord>,
}

fn turns(events: &[Envelope]) -> Vec<Turn<'_>> {
    let mut turns: Vec<Turn<'_>> = Vec::new();
    let mut asked: (Option<&str>, &[Hint]) = (None, &[]);
    let mut frame = None;
    for envelope in events {
        match &envelope.event {
            Event::Frame(stored) => frame = Some(stored.sha256.as_str()),
            Event::TurnStarted { problem, hints, .. } => asked = (problem.as_deref(), hints),
            // What could not be used was not kept as it was, and is no example to follow.
            Event::Replied { turn, thought, expected, calls, problem: None, .. } => turns.push(Turn {
                run_id: &envelope.run_id,
                number: *turn,
                problem: asked.0,
                hints: asked.1,
                answer: answer(thought.as_deref(), expected, calls),
                frame,
                steps: Vec::new(),
            }),
            Event::Step(record) => {
                if let Some(turn) = turns.last_mut().filter(|turn| turn.number == record.turn) {
                    if turn.steps.is_empty() {
                        turn.frame = record.frames.before.as_deref().or(turn.frame);
                    }
                    turn.steps.push(record);
                }
            }
            _ => {}
        }
    }
    turns
}

/// As a brain would write it.
fn answer(thought: Option<&str>, expected: &[String], calls: &[Map<String, Value>]) -> String {
    let mut reply = Map::new();
    if let Some(thought) = thought {
        reply.insert("thought".into(), json!(thought));
    }
    if !expected.is_empty() {
        reply.insert("expected".into(), json!(expected));
    }
    reply.insert("calls".into(), json!(calls));
    Value::Object(reply).to_string()
}

fn user_text(task: &str, turn: &Turn<'_>, before: &[&StepRecord]) -> String {
    let mut parts = vec![format!("Task: {task}")];
    if let Some(seen) = before.last().map(|record| &record.observed) {
        let known = [("Address", &seen.url), ("Title", &seen.title)];
        parts.extend(known.iter().filter_map(|(name, value)| Some(format!("{name}: {}", (*value).as_ref()?))));
    }
    let told: Vec<&str> =
        before.iter().map(|record| record.feedback.trim()).filter(|feedback| !feedback.is_empty()).collect();
    if !told.is_empty() {
        parts.push(format!("What came of the last calls:\n{}", told.join("\n")));
    }
    if let Some(problem) = turn.problem {
        parts.push(format!("The last reply could not be used: {problem}"));
    }
    if !turn.hints.is_empty() {
        let hints: Vec<String> = turn.hints.iter().map(|hint| format!("- {}", hint.text)).collect();
        parts.push(format!("Hints from earlier runs:\n{}", hints.join("\n")));
    }
    parts.join("\n")
}

fn labels(steps: &[&StepRecord]) -> Labels {
    let status = |record: &StepRecord| record.effect.as_ref().map(|effect| effect.status);
    let mut own = steps.iter().filter(|record| !record.substituted && record.by.is_none());
    Labels {
        effect: own.next_back().and_then(|record| status(record)),
        predicates: steps.iter().flat_map(|record| record.predicate_results.clone()).collect(),
        steps: steps
            .iter()
            .map(|record| StepLabel {
                step: record.step,
                ok: record.ok,
                call: record.call.clone(),
                effect: status(record),
                done_rejected_reason: record.done_rejected_reason.clone(),
                loop_recovery_reason: record.loop_recovery_reason.clone(),
                substituted: record.substituted,
            })
            .collect(),
    }
}

fn components(steps: &[&StepRecord]) -> BTreeMap<String, f64> {
    let mut sums = BTreeMap::new();
    for (name, value) in steps.iter().flat_map(|record| &record.reward_components) {
        *sums.entry(name.clone()).or_insert(0.0) += value;
    }
    sums
}

fn label(result: &RunResult) -> VerdictLabel {
    let verdict = &result.verdict;
    VerdictLabel {
        r#final: verdict.r#final,
        contract: verdict.contract,
        judge: verdict.judge,
        disagreement: verdict.disagreement,
    }
}

fn outcome(verdict: VerdictLabel) -> Option<f64> {
    match verdict.r#final {
        FinalVerdict::Pass => Some(1.0),
        FinalVerdict::Fail => Some(0.0),
        FinalVerdict::Uncertain | FinalVerdict::Unjudged => None,
    }
}

impl Message {
    fn text(role: Role, text: impl Into<String>) -> Message {
        Message { role, content: vec![Part::Text { text: text.into() }] }
    }
}
