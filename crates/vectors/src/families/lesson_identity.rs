//! Family `lesson_identity`.

use serde::Deserialize;
use serde_json::json;
use surehand_memory::identity::normalised_rule;
use surehand_memory::lesson::{Delta, Draft, Lesson, SourceRun};
use surehand_types::result::FinalVerdict;

use super::{input, lessons};
use crate::{Case, Place, same};

#[derive(Deserialize)]
struct Input {
    rule_text: String,
    #[serde(default)]
    trigger_fingerprints: Vec<String>,
}

pub(super) fn run(case: &Case, _place: Place<'_>) -> Result<(), String> {
    let given: Input = input(&case.input)?;
    let lesson = Lesson::new(
        Draft {
            rule: given.rule_text.clone(),
            triggers: given.trigger_fingerprints,
            tags: Vec::new(),
            origin: String::new(),
            task: String::new(),
            learned_in: String::new(),
            delta: Delta::default(),
            source: SourceRun { run: "1".into(), verdict: FinalVerdict::Pass, strong: false },
        },
        lessons::now()?,
    );
    let mut answer = lessons::written(&lesson);
    answer["normalized_rule"] = json!(normalised_rule(&given.rule_text));
    same(&case.expect, &answer)
}
