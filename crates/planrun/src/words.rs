//! Everything that a plan says to a brain or about itself, each piece with a cap on its size.

use std::collections::BTreeMap;

use surehand_checks::after::predicates::Predicate;
use surehand_plan::Work;
use surehand_plan::machine::{Ending, FieldValue, StepRef, Wanted};
use surehand_plan::plan::EvidencePer;
use surehand_types::plan::PlanStatus;
use surehand_types::{StepRecord, Termination, ThreeValued};

/// Characters of one line for people, and of one text for a brain.
const LINE: usize = 200;
const TEXT: usize = 4000;

/// What a piece of work is for, in one line.
pub(crate) fn about(work: &Work) -> String {
    let words = match work {
        Work::Navigate { url, .. } => url.clone(),
        Work::Act { intent, .. } => intent.clone(),
        Work::Fill { fields, .. } => labels(fields),
        Work::Extract { what, .. } => what.clone(),
        Work::Verify { predicates, .. } | Work::Evaluate { predicates, .. } => in_a_row(predicates),
        Work::Ask { question, answer: Wanted::Approval, .. } => format!("a person has to agree: {question}"),
        Work::Ask { question, .. } => question.clone(),
        Work::Undecided | Work::Finished(_) => String::new(),
    };
    line(&words)
}

/// The task of an act. That it is one step among others is said, so that the brain does not go on by itself.
pub(crate) fn act(work: &Work) -> String {
    let Work::Act { step, intent, values, later_fills, done_when, .. } = work else { return String::new() };
    let mut task = cut(intent);
    task.push_str("\n\nThis is one step of a plan. Do this and nothing beyond it, then say that it is done.");
    if !values.is_empty() {
        task.push_str(&format!("\nWhat to enter, by field:\n{}", listed(values)));
    }
    if !later_fills.is_empty() {
        task.push_str(&format!(
            "\nThese fields are not part of it, a later step fills them in: {}.",
            later_fills.join(", ")
        ));
    }
    if !done_when.is_empty() {
        task.push_str(&format!("\nIt counts as done when all of this holds: {}.", in_a_row(done_when)));
    }
    with_history(task, step)
}

pub(crate) fn fill(fields: &[FieldValue]) -> String {
    format!("Fill in these fields, and do not send the form:\n{}", listed(fields))
}

/// What an earlier attempt failed by.
pub(crate) fn with_history(mut task: String, step: &StepRef) -> String {
    if let Some(failure) = &step.last_failure {
        task.push_str(&format!("\nAn earlier attempt failed: {}", line(failure)));
    }
    task
}

/// The task of an extract: what to read, in which shape, and how to say where it was seen.
pub(crate) fn extract(work: &Work) -> String {
    let Work::Extract { step, intent, what, schema, evidence, .. } = work else { return String::new() };
    let mut task = format!("Read this off the page: {}", cut(what));
    if !intent.trim().is_empty() {
        task.push_str(&format!("\n{}", cut(intent)));
    }
    let schema = serde_json::Value::Object(schema.clone()).to_string();
    let per = match evidence {
        EvidencePer::Field => "one entry for every field of the value that is not null",
        EvidencePer::Record => {
            "one entry for every object of a list (its field is like `rows[0]`), and for every other field"
        }
    };
    task.push_str(&format!(
        "\n\nThis is one step of a plan: change nothing, only read. Then call done with `output` as an object of two fields.\n\
         `value`: JSON of this schema: {schema}\n\
         `evidence`: where it was seen, {per}. An entry is {{\"field\": \"rows[0].name\", \"box\": [left, top, right, bottom]}} in units of the \
         grid from 0 to 1000 of what you see now, or with \"selector\" (of an element that shows it now) in place of \"box\". An empty list needs an entry as well. \
         Leave out what you do not see; never guess."
    ));
    with_history(task, step)
}

/// A claimed done that the facts speak against, said to the brain.
pub(crate) fn not_done(predicates: &[Predicate], results: &[ThreeValued]) -> String {
    let open = predicates.iter().zip(results).filter(|(_, answer)| !matches!(answer, ThreeValued::Yes { .. }));
    let words: Vec<String> =
        open.map(|(predicate, answer)| format!("{predicate} does not hold ({})", line(answer.reason()))).collect();
    format!("It is not done yet: {}. Go on, or say done with success=false if it cannot be done.", words.join("; "))
}

pub(crate) fn not_usable(wrong: &str) -> String {
    format!("The output cannot be used: {}. Call done again with what is on the page.", cut(wrong))
}

pub(crate) fn gave_up(summary: &str) -> String {
    format!("the brain gave up: {}", line(summary))
}

pub(crate) fn not_believed(error: Option<&str>) -> String {
    format!("it was said to be done, and that could not be verified: {}", line(error.unwrap_or("no reason given")))
}

pub(crate) fn ended_early(reason: Termination, error: Option<&str>) -> String {
    let what = match reason {
        Termination::MaxSteps => "it was not done within the steps that it may take",
        Termination::Timeout => "it was not done within its time",
        Termination::Loop => "the brain went round in circles",
        Termination::BrainError => "the brain's replies could not be used",
        _ => "it ended before it was done",
    };
    match error {
        Some(error) => format!("{what}: {}", line(error)),
        None => what.to_string(),
    }
}

/// A call of the step that was made before the process ended, for whoever goes on with it.
pub(crate) fn earlier_call(step: &StepRecord) -> Option<String> {
    let call = step.call.as_ref()?;
    let word = |name: &str| call.get(name).and_then(serde_json::Value::as_str).unwrap_or_default();
    let hit = step.hit.as_ref().map(|hit| format!(" on {}", line(&hit.descriptor))).unwrap_or_default();
    let state = if step.ok { "done" } else { "failed" };
    Some(format!("Before an interruption: {} {}{hit}: {state}", word("tool"), word("action")))
}

/// The result's summary.
pub(crate) fn ended(status: PlanStatus, ending: &Ending, rows: &BTreeMap<String, usize>) -> String {
    let rows: Vec<String> = rows
        .iter()
        .map(|(table, rows)| match rows {
            1 => format!("1 row in {table}"),
            rows => format!("{rows} rows in {table}"),
        })
        .collect();
    let mut words = format!("The {}", status.of_plan(ending.skipped));
    if let Some(step) = ending.step.as_ref().filter(|_| status != PlanStatus::Done) {
        words.push_str(&format!("; it ended at step {step}"));
    }
    if !rows.is_empty() {
        words.push_str(&format!("; {}", rows.join(", ")));
    }
    words
}

fn labels(fields: &[FieldValue]) -> String {
    fields.iter().map(|field| field.label.as_str()).collect::<Vec<_>>().join(", ")
}

fn listed(fields: &[FieldValue]) -> String {
    let lines: Vec<String> =
        fields.iter().map(|field| format!("- {}: {}", line(&field.label), cut(&field.value))).collect();
    lines.join("\n")
}

fn in_a_row(predicates: &[Predicate]) -> String {
    predicates.iter().map(|predicate| line(&predicate.to_string())).collect::<Vec<_>>().join(", ")
}

fn line(text: &str) -> String {
    let one: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).take(LINE).collect();
    if text.chars().count() > LINE { format!("{one}…") } else { one }
}

fn cut(text: &str) -> String {
    let kept: String = text.chars().take(TEXT).collect();
    if text.chars().count() > TEXT { format!("{kept}…") } else { kept }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;
    use surehand_plan::{Inputs, Machine, Plan};

    fn first(step: serde_json::Value) -> Work {
        let plan = Plan::from_value(&json!({"name": "p", "steps": [step]})).unwrap();
        Machine::new(plan, Inputs::default()).next().clone()
    }

    #[test]
    fn the_task_of_an_act_has_everything_that_it_may_go_by() {
        let work = first(json!({"id": "a", "type": "act", "intent": "Press \"Save\".", "values": {"Title": "x"},
            "done_when": ["url_changed", "element_appears:Saved"]}));
        let expected = "Press \"Save\".\n\nThis is one step of a plan. Do this and nothing beyond it, then say that it is done.\n\
            What to enter, by field:\n- Title: x\nIt counts as done when all of this holds: url_changed, element_appears:Saved.";
        assert_eq!(act(&work), expected);
        assert_eq!(about(&work), "Press \"Save\".");
    }

    #[test]
    fn the_task_of_an_extract_says_how_to_show_where() {
        let work =
            first(json!({"id": "a", "type": "extract", "what": "The price.", "evidence": "record", "save_as": "p",
            "output_schema": {"type": "object"}}));
        let task = extract(&work);
        for part in ["Read this off the page: The price.", "schema: {\"type\":\"object\"}", "`rows[0]`", "never guess"]
        {
            assert!(task.contains(part), "{part}: {task}");
        }
    }

    #[test]
    fn what_comes_from_outside_is_one_line_of_bounded_length() {
        assert_eq!(gave_up("a\nb"), "the brain gave up: a b");
        assert!(gave_up(&"x".repeat(5000)).chars().count() < 300);
    }
}
