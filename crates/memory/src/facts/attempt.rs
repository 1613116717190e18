//! One call of a run and what verifiably came of it.

use std::collections::BTreeSet;

use serde_json::Value;
use surehand_types::observation::{Focus, Hit};
use surehand_types::result::StepRecord;
use surehand_types::{EffectStatus, ErrorCode, Evidence};

use super::{ActionClass, Spot};
use crate::fingerprint::{FailureText, target_fingerprint, thing_key};
use crate::lesson::task_key;
use crate::score::{Context, Moment};
use crate::tags::{UNCATEGORIZED, tags_of};
use crate::words::word_set;

/// Facts about one effect that are kept.
const EVIDENCE: usize = 20;

#[derive(Debug, Clone, PartialEq)]
pub struct Attempt {
    pub step: u32,
    pub class: ActionClass,
    pub target: Option<Target>,
    /// The chord of a key press.
    pub key: Option<String>,
    /// What was typed, chosen or opened, for telling whether it was tried again. Never shown.
    pub payload: Option<String>,
    /// Words of the thought, and what was predicted: the intent.
    pub thought: BTreeSet<String>,
    pub expected: Option<Value>,
    /// Where it was done.
    pub origin: String,
    pub came: Came,
    /// It was carried out, whatever is known of what came of it.
    pub made: bool,
    /// What proves that it worked, and what it met. For telling what made the difference; never shown.
    pub evidence: Vec<Evidence>,
    pub spot: Option<Spot>,
}

/// What an action was aimed at, in the page's words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Target {
    pub role: String,
    pub name: String,
    /// Something lay over it.
    pub covered: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Came {
    /// Verified.
    Worked,
    /// Verified that nothing came.
    NoEffect,
    /// It could not be carried out: our code, and the words about it.
    Failed { code: String, message: String },
    /// Not known, or nobody's fault.
    Open,
}

impl Attempt {
    /// `None` for steps without a call.
    pub fn of(record: &StepRecord, origin: &str) -> Option<Attempt> {
        let call = record.call.as_ref()?;
        let class = ActionClass::of(call);
        let text = |name: &str| call.get(name).and_then(Value::as_str).map(str::to_string);
        let payload = match class {
            ActionClass::Type => text("text"),
            ActionClass::Open => text("url"),
            ActionClass::Select => call.get("values").map(Value::to_string),
            ActionClass::Upload => call.get("paths").map(Value::to_string),
            _ => None,
        };
        Some(Attempt {
            step: record.step,
            class,
            target: target_of(class, record),
            key: (class == ActionClass::Press).then(|| text("key")).flatten(),
            payload: payload.filter(|payload| !payload.is_empty()),
            thought: intent_words(record.thought.as_deref().unwrap_or_default()),
            expected: record.predicted_outcome.clone().filter(|expected| !expected.is_null()),
            origin: origin.to_string(),
            came: came_of(record),
            made: record.ok && !is_preview(record),
            evidence: record.effect.iter().flat_map(|effect| effect.evidence.iter().take(EVIDENCE)).cloned().collect(),
            spot: Spot::of(record),
        })
    }

    pub fn has_failed(&self) -> bool {
        self.class.is_deed() && matches!(self.came, Came::NoEffect | Came::Failed { .. })
    }

    pub fn has_worked(&self) -> bool {
        self.came == Came::Worked
    }

    /// The call could not be carried out at all.
    pub fn is_hard_failure(&self) -> bool {
        matches!(self.came, Came::Failed { .. })
    }

    /// What lay over the thing that was meant.
    pub fn cover(&self) -> Option<&Spot> {
        self.spot.as_ref().filter(|spot| spot.covers)
    }

    /// All that is known to have come of it is of these kinds.
    pub fn only_shows(&self, kinds: &[&str]) -> bool {
        !self.evidence.is_empty() && self.evidence.iter().all(|fact| kinds.contains(&fact.kind.as_str()))
    }

    /// What failed, in words of ours and of the environment.
    pub fn failure_words(&self) -> String {
        match &self.came {
            Came::NoEffect => format!("{} had no effect", self.class.as_str()),
            Came::Failed { code, message } => format!("{code} {message}"),
            Came::Worked | Came::Open => String::new(),
        }
    }

    /// Of the failure itself, and of the thing it happened at where that has a name.
    pub fn fingerprints(&self) -> Vec<String> {
        let (error, state, action) = self.failure_texts();
        let own = FailureText { error: &error, state: &state, action: &action }.fingerprint();
        let named = self.target.as_ref().filter(|target| !target.name.is_empty());
        let target = named.map(|target| target_fingerprint(&self.origin, self.class.as_str(), &target.words()));
        std::iter::once(own).chain(target).collect()
    }

    /// Here the words about the failure count too: what kind of trouble it was often stands only there.
    pub fn tags(&self) -> Vec<String> {
        let (_, state, action) = self.failure_texts();
        let error = self.failure_words();
        let mut tags = tags_of(&FailureText { error: &error, state: &state, action: &action });
        tags.retain(|tag| tag != UNCATEGORIZED);
        tags.push(format!("on_{}", self.class.as_str()));
        tags.sort();
        tags
    }

    /// The key of what it was done to; empty where that has no name.
    pub fn at(&self) -> String {
        let named = self.target.as_ref().filter(|target| !target.name.is_empty());
        named.map(|target| thing_key(&target.words())).unwrap_or_default()
    }

    /// The situation after this failure, for retrieval. The set phrases of failures are left out of its text: every rule
    /// has them.
    pub fn context(&self, task: &str) -> Context {
        let target = self.target.as_ref().map(Target::words).unwrap_or_default();
        let said = match &self.came {
            Came::Failed { message, .. } => message.as_str(),
            Came::NoEffect | Came::Worked | Came::Open => self.class.as_str(),
        };
        Context {
            moment: Moment::Error,
            task: task_key(task),
            origin: self.origin.clone(),
            fingerprints: self.fingerprints(),
            tags: self.tags(),
            text: format!("{said} {target}"),
        }
    }

    /// The same thing done in the same way.
    pub fn repeats(&self, other: &Attempt) -> bool {
        self.class == other.class
            && self.key == other.key
            && self.target.as_ref().map(Target::words) == other.target.as_ref().map(Target::words)
            && self.payload == other.payload
    }

    fn failure_texts(&self) -> (String, String, String) {
        let role = self.target.as_ref().map(|target| target.role.as_str()).unwrap_or_default();
        let covered = self.target.as_ref().is_some_and(|target| target.covered);
        let error = match &self.came {
            // Messages hold names and numbers of the page; the code is what repeats.
            Came::Failed { code, .. } => code.replace('_', " "),
            _ => self.failure_words(),
        };
        let state = if covered { "covered" } else { "" };
        (error, state.to_string(), format!("{} {role}", self.class.as_str()))
    }
}

impl Target {
    pub fn words(&self) -> String {
        format!("{} {}", self.role, self.name).trim().to_string()
    }
}

fn is_preview(record: &StepRecord) -> bool {
    record.guard.as_ref().is_some_and(|guard| guard.decision == "preview")
}

fn came_of(record: &StepRecord) -> Came {
    if is_preview(record) {
        return Came::Open;
    }
    match record.effect.as_ref().map(|effect| effect.status) {
        Some(EffectStatus::Confirmed) if record.ok => Came::Worked,
        Some(EffectStatus::NoEffect) if record.ok => Came::NoEffect,
        _ => match &record.error {
            Some(problem) if is_lesson_material(problem.code) => Came::Failed {
                code: serde_json::to_value(problem.code)
                    .ok()
                    .and_then(|code| code.as_str().map(str::to_string))
                    .unwrap_or_default(),
                message: problem.message.chars().take(300).collect(),
            },
            _ => Came::Open,
        },
    }
}

/// Refusals of our own, broken replies and a lost browser say nothing about how a task is gone about.
fn is_lesson_material(code: ErrorCode) -> bool {
    match code {
        ErrorCode::InvalidCall
        | ErrorCode::NotAvailable
        | ErrorCode::UnknownTool
        | ErrorCode::Denied
        | ErrorCode::EnvLost
        | ErrorCode::PathNotAllowed
        | ErrorCode::PathNotFound => false,
        ErrorCode::DialogOpen
        | ErrorCode::NoDialog
        | ErrorCode::NothingPending
        | ErrorCode::TargetChanged
        | ErrorCode::NothingEditable
        | ErrorCode::NotCleared
        | ErrorCode::UnknownKey
        | ErrorCode::UnknownTab
        | ErrorCode::NavigationFailed
        | ErrorCode::Timeout
        | ErrorCode::NoPendingSelect
        | ErrorCode::OptionNotFound
        | ErrorCode::OptionDisabled
        | ErrorCode::OptionAmbiguous
        | ErrorCode::NotMultiple
        | ErrorCode::NoPendingFileInput
        | ErrorCode::TargetNotFound => true,
    }
}

fn target_of(class: ActionClass, record: &StepRecord) -> Option<Target> {
    if let Some(hit) = &record.hit {
        return Some(of_hit(hit));
    }
    if !matches!(class, ActionClass::Type | ActionClass::Clear | ActionClass::Press | ActionClass::Select) {
        return None;
    }
    let Focus::Element(focused) = &record.observed.focus else { return None };
    let role = focused.role.clone().unwrap_or_else(|| focused.tag.clone());
    let name = focused.label.clone().or_else(|| focused.name.clone()).unwrap_or_default();
    Some(Target { role, name, covered: false })
}

fn of_hit(hit: &Hit) -> Target {
    let role = |hit: &Hit| hit.role.clone().unwrap_or_else(|| hit.tag.clone());
    match &hit.covers {
        // What was meant is what lies underneath.
        Some(under) => Target { role: role(under), name: under.name.clone().unwrap_or_default(), covered: true },
        None => Target { role: role(hit), name: hit.name.clone().unwrap_or_default(), covered: false },
    }
}

/// Short words say nothing about an intent.
fn intent_words(thought: &str) -> BTreeSet<String> {
    let capped: String = thought.chars().take(600).collect();
    word_set(&capped).into_iter().filter(|word| word.chars().count() > 3).collect()
}
