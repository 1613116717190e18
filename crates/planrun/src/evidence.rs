//! Where data was seen: read from what a brain said, and held against the run's own frames and the page. A frame that this
//! run never took, or a selector that matches nothing, shows nothing; nor does a place where something else stands.

use std::collections::HashMap;

use serde_json::{Map, Value, json};
use surehand_env::{Found, Matching};
use surehand_plan::agreement::contradiction;
use surehand_plan::extraction::read_evidence;
use surehand_plan::{Evidence, FrameName};
use surehand_run::{Course, Halt};
use surehand_types::plan::PlanEvidence;

/// Entries of one value; a page of data has hundreds, not more.
const MOST: usize = 20_000;
/// Selectors that are looked up; each is a question to the page.
const MOST_LOOKUPS: usize = 5_000;
/// Characters kept of what stood at a place.
const TEXT: usize = 200;
/// Attributes in which pages put what a reader is told, or the plain form of it.
const TELLING: [&str; 8] = ["alt", "title", "aria-label", "href", "src", "datetime", "content", "value"];

/// What a brain read, and where.
pub(crate) struct Read {
    pub(crate) value: Value,
    pub(crate) evidence: Vec<Evidence>,
    /// Something else stands at one of the places, in one sentence.
    pub(crate) contradiction: Option<String>,
}

/// The value and its evidence, or one sentence for the brain about what is wrong with its output.
pub(crate) async fn read(
    course: &mut Course<'_>,
    schema: &Map<String, Value>,
    output: Option<&Value>,
) -> Result<Result<Read, String>, Halt> {
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
    let (mut matchings, mut contradicted) = (HashMap::new(), None);
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
        let Some(selector) = entry.selector.clone() else { continue };
        if !is_now {
            if entry.r#box.is_none() {
                return Ok(Err(format!(
                    "`{}`: a selector can be looked up only on the page as it is now; leave `frame` out, or give a box in that frame",
                    entry.field
                )));
            }
            // The box is what shows it; nobody can say any more what the selector matched.
            entry.selector = None;
            continue;
        }
        if !matchings.contains_key(&selector) {
            if matchings.len() >= MOST_LOOKUPS {
                return Ok(Err(format!("there are more than {MOST_LOOKUPS} selectors; give boxes, or read less")));
            }
            let matching = course.matching(&selector).await;
            matchings.insert(selector.clone(), matching);
        }
        let matching = matchings.get(&selector).and_then(Option::as_ref);
        match at_place(schema, value, &entry.field, &selector, matching) {
            Ok((text, odd)) => {
                entry.text = text;
                contradicted = contradicted.or(odd);
            }
            Err(sentence) => return Ok(Err(sentence)),
        }
    }
    Ok(Ok(Read { value: value.clone(), evidence, contradiction: contradicted }))
}

/// What stands where a selector points, and what speaks against the field there. Of several elements the one that agrees
/// is meant.
fn at_place(
    schema: &Map<String, Value>,
    value: &Value,
    field: &str,
    selector: &str,
    matching: Option<&Matching>,
) -> Result<(Option<String>, Option<String>), String> {
    let Some(matching) = matching else {
        return Err(format!("`{field}`: what the selector {selector:?} matches cannot be told; give a box"));
    };
    if matching.invalid || matching.count == 0 {
        return Err(format!("`{field}`: the selector {selector:?} matches nothing on this page"));
    }
    let against = |found: &Found| contradiction(schema, value, field, &texts(found));
    let meant = matching.found.iter().find(|found| against(found).is_none());
    let shown = meant.or(matching.found.first());
    let text = shown.map(|found| stands(found).trim().chars().take(TEXT).collect());
    // Only the first ones of very many were read.
    let all_read = usize::try_from(matching.count).is_ok_and(|count| count <= matching.found.len());
    let odd = if meant.is_none() && all_read { shown.and_then(against) } else { None };
    Ok((text, odd))
}

fn stands(found: &Found) -> &str {
    if found.text.trim().is_empty() { found.value.as_deref().unwrap_or_default() } else { &found.text }
}

/// Everything that an element says. One that shows nothing, as an icon, says nothing either way.
fn texts(found: &Found) -> Vec<String> {
    if stands(found).trim().is_empty() {
        return Vec::new();
    }
    let told = TELLING.iter().filter_map(|name| found.attributes.get(*name));
    [Some(&found.text), found.value.as_ref()].into_iter().flatten().chain(told).cloned().collect()
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

#[cfg(test)]
mod tests {
    use super::*;

    fn element(text: &str, value: Option<&str>, attributes: &[(&str, &str)]) -> Found {
        let attributes = attributes.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
        Found { text: text.into(), value: value.map(str::to_owned), attributes, ..Found::default() }
    }

    #[test]
    fn what_stands_at_a_place_is_held_against_the_value() {
        let look = |found: Vec<Found>, count: u32| {
            let matching = Matching { complete: true, count, found, ..Matching::default() };
            at_place(&Map::new(), &json!({"who": "Ada"}), "who", "td", Some(&matching))
        };
        let odd = |found: Vec<Found>, count: u32| look(found, count).unwrap().1;
        let (ada, bob) = (|| element("Ada L.", None, &[]), || element("Bob", None, &[("class", "Ada")]));
        assert_eq!(look(vec![ada()], 1), Ok((Some("Ada L.".into()), None)));
        assert!(odd(vec![bob()], 1).unwrap().contains("`who`: what stands there is `Bob`, and not \"Ada\""));
        assert_eq!(look(vec![bob(), ada()], 2), Ok((Some("Ada L.".into()), None)));
        assert_eq!(odd(vec![bob()], 500), None, "not all were read");
        assert_eq!(odd(vec![element("", Some("Ada"), &[])], 1), None);
        assert!(odd(vec![element("", Some("Bob"), &[])], 1).is_some());
        assert_eq!(odd(vec![element("Mail", None, &[("href", "mailto:ada@x.example")])], 1), None);
        assert_eq!(odd(vec![element("", None, &[("title", "Bob")])], 1), None, "it shows nothing");
        assert!(look(Vec::new(), 0).unwrap_err().contains("matches nothing"));
        assert!(at_place(&Map::new(), &json!({}), "who", "td", None).unwrap_err().contains("cannot be told"));
    }
}
