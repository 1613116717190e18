//! Family `lesson_retrieve_on_error`.

use serde::Deserialize;
use serde_json::json;
use surehand_memory::rules::Transfer;
use surehand_memory::{Context, MemoryShelf, Moment, retrieve};

use super::input;
use super::lessons::{self, Record, near, rounded};
use crate::{Case, Place, same};

#[derive(Deserialize)]
struct Input {
    lessons: Vec<Record>,
    query: Asked,
}

#[derive(Deserialize)]
struct Asked {
    #[serde(default)]
    text: String,
    #[serde(default)]
    fingerprint: String,
    #[serde(default)]
    domain: String,
    #[serde(default)]
    task_id: String,
    #[serde(default)]
    tags: Vec<String>,
    max_results: Option<usize>,
    transfer_policy: Option<String>,
}

pub(super) fn run(case: &Case, _place: Place<'_>) -> Result<(), String> {
    let given: Input = input(&case.input)?;
    let asked = given.query;
    let mut rules = lessons::rules()?;
    rules.max_results = asked.max_results.unwrap_or(rules.max_results);
    rules.transfer = match asked.transfer_policy.as_deref() {
        None | Some("auto") => Transfer::Auto,
        Some("always") => Transfer::Always,
        Some("off") => Transfer::Off,
        Some(other) => return Err(format!("the transfer policy {other:?} is not known")),
    };
    let context = Context {
        moment: Moment::Error,
        task: asked.task_id,
        origin: asked.domain,
        fingerprints: vec![asked.fingerprint],
        tags: asked.tags,
        text: asked.text,
    };
    let shelf = MemoryShelf::of(given.lessons.into_iter().map(Record::lesson));
    let found = retrieve(&shelf, &context, lessons::now()?, &rules).map_err(|error| error.to_string())?;
    let selected = found.selected.iter().map(|found| {
        json!({
            "lesson_id": found.lesson.id,
            "lane": found.lane.as_str(),
            "score": rounded(found.score),
            "fingerprint": rounded(found.parts.fingerprint),
            "tags": rounded(found.parts.tags),
            "text": rounded(found.parts.text),
            "reliability": rounded(found.parts.reliability),
            "recency": rounded(found.parts.recency),
        })
    });
    let answer = json!({ "selected": selected.collect::<Vec<_>>(), "conflict_losers": found.conflict_losers });
    same(&case.expect, &near(&case.expect, &answer))
}
