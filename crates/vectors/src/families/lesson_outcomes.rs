//! Family `lesson_outcomes`: one lesson, outcome by outcome.

use serde::Deserialize;
use serde_json::{Value, json};
use surehand_memory::lesson::SourceRun;
use surehand_memory::outcome::{Outcome, Weight, apply};
use surehand_types::result::FinalVerdict;

use super::input;
use super::lessons::{self, Record, near, rounded};
use crate::{Case, Place, same};

#[derive(Deserialize)]
struct Input {
    record: Record,
    outcomes: Vec<Outcome>,
}

pub(super) fn run(case: &Case, _place: Place<'_>) -> Result<(), String> {
    let given: Input = input(&case.input)?;
    let now = lessons::now()?;
    let mut lesson = given.record.lesson();
    // The source has no doubtful runs.
    lesson.sources.push(SourceRun { run: "case".into(), verdict: FinalVerdict::Pass, strong: false });
    let mut after_each = Vec::new();
    for outcome in &given.outcomes {
        apply(&mut lesson, outcome, Weight::Full, now);
        let mut state: Value = lessons::written(&lesson);
        state["utility_last"] = json!(lesson.utility_history.last().map(|utility| rounded(*utility)));
        state["history_len"] = json!(lesson.utility_history.len());
        after_each.push(state);
    }
    let answer = json!({ "after_each": after_each });
    same(&case.expect, &near(&case.expect, &answer))
}
