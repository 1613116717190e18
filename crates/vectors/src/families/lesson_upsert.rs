//! Family `lesson_upsert`: merging and linking on a shelf.

use serde::Deserialize;
use serde_json::{Value, json};
use surehand_memory::upsert::{Relink, upsert};
use surehand_memory::{Lesson, MemoryShelf};

use super::input;
use super::lessons::{self, Record, near};
use crate::{Case, Place, same};

#[derive(Deserialize)]
struct Input {
    #[serde(default)]
    existing: Vec<Record>,
    incoming: Vec<Record>,
}

pub(super) fn run(case: &Case, _place: Place<'_>) -> Result<(), String> {
    let given: Input = input(&case.input)?;
    let mut shelf = MemoryShelf::of(given.existing.into_iter().map(Record::lesson));
    let incoming = given.incoming.into_iter().map(Record::lesson).collect();
    let report = upsert(&mut shelf, incoming, lessons::now()?, &lessons::rules()?, Relink::Everything)
        .map_err(|error| error.to_string())?;
    let mut records: Vec<&Lesson> = shelf.lessons().collect();
    records.sort_by(|left, right| left.id.cmp(&right.id));
    let answer = json!({
        "counts": {
            "inserted": report.inserted, "merged": report.merged, "conflict_links": report.conflict_links,
            "total": records.len(),
        },
        "records": records.into_iter().map(lessons::written).collect::<Vec<_>>(),
    });
    // The order of the records is nobody's promise.
    let mut expected = case.expect.clone();
    if let Some(list) = expected.get_mut("records").and_then(Value::as_array_mut) {
        list.sort_by_key(|record| record["lesson_id"].as_str().map(str::to_string));
    }
    same(&expected, &near(&expected, &answer))
}
