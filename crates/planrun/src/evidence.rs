//! Where data was seen: read from what a brain said, and held against the run's own frames and the page. A frame that this
//! run never took, or a selector that matches nothing, shows nothing.

use serde_json::{Value, json};
use surehand_plan::extraction::read_evidence;
use surehand_plan::{Evidence, FrameName};
use surehand_run::{Course, Halt};
use surehand_types::plan::PlanEvidence;

/// Entries of one value; a page of data has hundreds, not more.
const MOST: usize = 20_000;
/// Selectors that are looked up; each is a question to the page.
const MOST_LOOKUPS: usize = 2_000;
/// Characters kept of what stood at a place.
const TEXT: usize = 200;

/// The value and its evidence, or one sentence for the brain about what is wrong with its output.
pub(crate) async fn read(
    course: &mut Course<'_>,
    output: Option<&Value>,
) -> Result<Result<(Value, Vec<Evidence>), String>, Halt> {
    let Some(output) = output.and_then(Value::as_object) else {
        return Ok(Err("done has no output; it has to be an object with `value` and `evidence`".into()));
    };
    let (Some(value), Some(given)) = (output.get("value"), output.get("evidence")) else {
        return Ok(Err("the output of done has to have `value` and `evidence`".into()));
    };
    let Some(entries) = given.as_array().filter(|entries| entries.len() <= MOST) else {
        return Ok(Err(format!("`evidence` has to be a list of at most {MOST} entries")));
    };
    let look = course.look(&[]).await?;
    let now = course.keep_frame(&look)?;
    let mut entries = entries.clone();
    for entry in entries.iter_mut().filter_map(Value::as_object_mut) {
        // Who names no frame means what it sees now. What stood there is ours to say.
        if entry.get("frame").is_none_or(Value::is_null) {
            entry.insert("frame".into(), json!(now));
        }
        entry.shift_remove("text");
    }
    let mut evidence = match read_evidence(&Value::Array(entries)) {
        Ok(evidence) => evidence,
        Err(problems) => return Ok(Err(problems.all().first().map(ToString::to_string).unwrap_or_default())),
    };
    let mut lookups = 0;
    for entry in &mut evidence {
        let known = match &entry.frame {
            FrameName::Number(number) => course.frame_by_number(*number),
            FrameName::Sha256(sha256) => course.frame_by_hash(sha256),
        };
        let Some(frame) = known else {
            return Ok(Err(format!(
                "`{}`: there is no such frame in this run; leave `frame` out for what you see now",
                entry.field
            )));
        };
        let is_now = frame == now;
        entry.frame = FrameName::Sha256(frame);
        let Some(selector) = entry.selector.as_deref().filter(|_| is_now && lookups < MOST_LOOKUPS) else { continue };
        lookups += 1;
        let Some(found) = course.matching(selector).await else { continue };
        if found.invalid || (found.count == 0 && found.complete) {
            return Ok(Err(format!("`{}`: the selector {selector:?} matches nothing on this page", entry.field)));
        }
        entry.text = found.found.first().map(|found| {
            let text =
                if found.text.trim().is_empty() { found.value.as_deref().unwrap_or_default() } else { &found.text };
            text.trim().chars().take(TEXT).collect()
        });
    }
    Ok(Ok((value.clone(), evidence)))
}

/// As results tell of it.
pub(crate) fn evidence_of(all: &[Evidence]) -> Vec<PlanEvidence> {
    let named = |frame: &FrameName| match frame {
        FrameName::Sha256(sha256) => sha256.clone(),
        FrameName::Number(number) => number.to_string(),
    };
    all.iter()
        .map(|entry| PlanEvidence {
            field: entry.field.clone(),
            frame: named(&entry.frame),
            bounds: entry.r#box,
            selector: entry.selector.clone(),
            text: entry.text.clone(),
        })
        .collect()
}
