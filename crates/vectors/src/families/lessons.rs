//! Lessons as the conformance cases write them, and the rules that they pin. Shared by the `lesson_*` families.

use jiff::Timestamp;
use serde::Deserialize;
use serde_json::{Value, json};
use surehand_memory::identity::LessonId;
use surehand_memory::lesson::{Counts, Delta, Lesson, SourceRun, Status};
use surehand_memory::rules::LessonRules;
use surehand_types::Settings;
use surehand_types::result::FinalVerdict;
use surehand_types::settings::Source;

/// The moment at which all cases play.
pub(super) const NOW: &str = "2026-02-16T00:00:00+00:00";

#[derive(Deserialize)]
pub(super) struct Record {
    lesson_id: String,
    status: Status,
    rule_text: String,
    #[serde(default)]
    trigger_fingerprints: Vec<String>,
    #[serde(default)]
    tags: Vec<String>,
    #[serde(default)]
    task_id: String,
    #[serde(default)]
    domain: String,
    #[serde(default)]
    source_session_ids: Vec<u64>,
    reliability: f64,
    #[serde(default)]
    utility_history: Vec<f64>,
    #[serde(default)]
    retrieval_count: u32,
    #[serde(default)]
    helpful_count: u32,
    #[serde(default)]
    harmful_count: u32,
    #[serde(default)]
    major_regressions: u32,
    #[serde(default)]
    contradiction_losses: u32,
    #[serde(default)]
    conflict_lesson_ids: Vec<String>,
    created_at: Timestamp,
    updated_at: Timestamp,
}

impl Record {
    /// The source has no verdicts: all of its runs count as decided.
    pub(super) fn lesson(self) -> Lesson {
        let source =
            |session: &u64| SourceRun { run: format!("{session:020}"), verdict: FinalVerdict::Pass, strong: false };
        Lesson {
            id: LessonId(self.lesson_id),
            status: self.status,
            suppressed_by: None,
            suppressed_at: None,
            rule: self.rule_text,
            triggers: self.trigger_fingerprints,
            tags: self.tags,
            origin: self.domain,
            task: self.task_id,
            learned_in: String::new(),
            delta: Delta::default(),
            sources: self.source_session_ids.iter().map(source).collect(),
            reliability: self.reliability,
            counts: Counts {
                retrievals: self.retrieval_count,
                helpful: self.helpful_count,
                harmful: self.harmful_count,
                major_regressions: self.major_regressions,
                contradiction_losses: self.contradiction_losses,
                shown: 0,
            },
            utility_history: self.utility_history,
            conflicts: self.conflict_lesson_ids.into_iter().map(LessonId).collect(),
            created_at: self.created_at,
            updated_at: self.updated_at,
        }
    }
}

/// The lesson in the words of the cases.
pub(super) fn written(lesson: &Lesson) -> Value {
    let sessions: Vec<u64> = lesson.sources.iter().filter_map(|source| source.run.parse().ok()).collect();
    json!({
        "lesson_id": lesson.id,
        "status": lesson.status,
        "rule_text": lesson.rule,
        "trigger_fingerprints": lesson.triggers,
        "tags": lesson.tags,
        "task_id": lesson.task,
        "domain": lesson.origin,
        "source_session_ids": sessions,
        "reliability": rounded(lesson.reliability),
        "utility_history": lesson.utility_history,
        "retrieval_count": lesson.counts.retrievals,
        "helpful_count": lesson.counts.helpful,
        "harmful_count": lesson.counts.harmful,
        "major_regressions": lesson.counts.major_regressions,
        "contradiction_losses": lesson.counts.contradiction_losses,
        "conflict_lesson_ids": lesson.conflicts,
        "created_at": moment(lesson.created_at),
        "updated_at": moment(lesson.updated_at),
    })
}

/// Times in the spelling of the cases.
fn moment(time: Timestamp) -> String {
    time.to_string().replace('Z', "+00:00")
}

pub(super) fn now() -> Result<Timestamp, String> {
    NOW.parse().map_err(|error: jiff::Error| error.to_string())
}

pub(super) fn rules() -> Result<LessonRules, String> {
    let mut settings = Settings::default();
    settings.set("profile", "vectors", Source::Flag)?;
    Ok(LessonRules::of(&settings))
}

/// To the six decimals of the cases.
pub(super) fn rounded(number: f64) -> f64 {
    (number * 1e6).round() / 1e6
}

/// Numbers of the cases are given to six decimals, and the last one may be rounded either way.
pub(super) fn near(expected: &Value, got: &Value) -> Value {
    match (expected, got) {
        (Value::Number(wanted), Value::Number(given)) => match (wanted.as_f64(), given.as_f64()) {
            (Some(wanted_number), Some(number)) if (wanted_number - number).abs() <= 1.1e-6 => {
                Value::Number(wanted.clone())
            }
            _ => got.clone(),
        },
        (Value::Array(wanted), Value::Array(given)) => {
            let missing = Value::Null;
            let pairs = given.iter().enumerate();
            Value::Array(pairs.map(|(index, item)| near(wanted.get(index).unwrap_or(&missing), item)).collect())
        }
        (Value::Object(wanted), Value::Object(given)) => {
            let pairs = given.iter();
            Value::Object(
                pairs
                    .map(|(name, item)| (name.clone(), near(wanted.get(name).unwrap_or(&Value::Null), item)))
                    .collect(),
            )
        }
        _ => got.clone(),
    }
}
