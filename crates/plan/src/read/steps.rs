//! Steps, and steps inside of steps.

use serde_json::Value;

use super::conditions;
use super::fields::{Fields, name, text};
use super::parts::{budget, label, on_failure, optional_schema};
use crate::limits;
use crate::plan::{Collect, Condition, EvidencePer, LoopRule, Named, Step, StepKind};
use crate::problem::{Problems, near, nearest, quoted};

pub(crate) const COMMON: &[&str] = &["id", "type", "intent", "required", "gates", "done_when", "budget", "on_failure"];

/// The fields of each type beside the common ones.
pub(crate) const TYPES: &[(&str, &[&str])] = &[
    ("navigate", &["url"]),
    ("act", &["values", "submits"]),
    ("fill", &["fields", "form"]),
    ("extract", &["what", "output_schema", "evidence", "save_as", "collect"]),
    ("verify", &["condition"]),
    ("loop", &["over", "as", "while", "until", "max_times", "steps", "between"]),
    ("if", &["condition", "then", "else"]),
    ("ask", &["question", "choices", "save_as"]),
];

pub(super) fn steps(around: &Fields<'_>, name: &str, depth: usize, problems: &mut Problems) -> Vec<Step> {
    let list = around.list(name, problems);
    if depth == 0 && !list.is_empty() {
        let said = format!("steps stand more than {} deep inside of each other", limits::NESTING);
        problems.add(around.place_of(name), said, "make two plans of it");
        return Vec::new();
    }
    let mut read = Vec::new();
    for (place, value) in list {
        match step(&place, value, depth, problems) {
            Some(step) => read.push(step),
            None => problems.leave_out(),
        }
    }
    read
}

fn step(place: &str, value: &Value, depth: usize, problems: &mut Problems) -> Option<Step> {
    let types: Vec<&str> = TYPES.iter().map(|(name, _)| *name).collect();
    let given = value.get("type").and_then(Value::as_str);
    let Some((kind, own)) = TYPES.iter().find(|(name, _)| Some(*name) == given) else {
        let known: Vec<&str> = COMMON.iter().chain(TYPES.iter().flat_map(|(_, own)| own.iter())).copied().collect();
        let fields = Fields::of(place, value, &known, "a step", problems)?;
        match value.get("type") {
            None => {
                problems.add(format!("{place}.type"), "`type` is missing", format!("it is one of {}", types.join(", ")))
            }
            Some(other) => {
                let said =
                    format!("there is no type of step `{}`", quoted(other.as_str().unwrap_or(&other.to_string())));
                problems.add(format!("{place}.type"), said, nearest(given.unwrap_or_default(), &types));
            }
        }
        return Some(guessed(&fields, near(given.unwrap_or_default(), &types), depth, problems));
    };
    let known: Vec<&str> = COMMON.iter().chain(own.iter()).copied().collect();
    let fields = Fields::of(place, value, &known, &format!("a step of type {kind}"), problems)?;
    Some(of_type(kind, &fields, depth, problems))
}

/// A step whose type nobody knows, as what it most likely is: its id, its names and the steps inside of it are wanted for
/// what can be wrong elsewhere. What its own type would want of it is not told, since that is a guess.
fn guessed(fields: &Fields<'_>, meant: Option<&str>, depth: usize, problems: &mut Problems) -> Step {
    let fits = |own: &[&str]| own.iter().filter(|field| fields.get(field).is_some()).count();
    let most = TYPES.iter().map(|(_, own)| fits(own)).max().unwrap_or_default();
    let of_fields = TYPES.iter().find(|(_, own)| most > 0 && fits(own) == most).map(|(name, _)| *name);
    let kind = meant.or(of_fields).unwrap_or("act");
    let mut all = Problems::default();
    let step = of_type(kind, fields, depth, &mut all);
    let is_kept = |place: &str| {
        let name = place.strip_prefix(&fields.place).unwrap_or_default().trim_start_matches('.');
        let is_inside = ["steps", "between", "then", "else"].iter().any(|block| name.starts_with(&format!("{block}[")));
        let field = name.split(['.', '[']).next().unwrap_or_default();
        is_inside || (COMMON.contains(&field) && field != "intent")
    };
    problems.take_from(all, is_kept);
    step
}

fn of_type(kind: &str, fields: &Fields<'_>, depth: usize, problems: &mut Problems) -> Step {
    let id = fields.wanted_text("id", "give every step a short name of its own", problems);
    if !id.is_empty() {
        name(&fields.place_of("id"), &id, problems);
    }
    let intent = fields.text("intent", problems).unwrap_or_default();
    if kind == "act"
        && fields.get("intent").is_none_or(|given| given.as_str().is_some_and(|text| text.trim().is_empty()))
    {
        problems.add(fields.place_of("intent"), "an act says nothing about what to do", "give it an `intent`");
    }
    let required = fields.texts("required", problems);
    let gates = conditions::gates(fields, problems);
    let done_when = fields.texts("done_when", problems);
    let budget = budget(fields, "budget", problems);
    let on_failure = on_failure(fields, problems);
    let kind = match kind {
        "navigate" => StepKind::Navigate { url: fields.wanted_text("url", "where should it go?", problems) },
        "act" => StepKind::Act {
            values: texts_by_label(fields, "values", problems),
            submits: fields.text("submits", problems),
        },
        "fill" => fill(fields, problems),
        "extract" => extract(fields, problems),
        "verify" => StepKind::Verify { condition: conditions::optional(fields, "condition", problems) },
        "loop" => repeated(fields, depth, problems),
        "if" => choice(fields, depth, problems),
        _ => StepKind::Ask {
            question: fields.wanted_text("question", "what should the person be asked?", problems),
            choices: fields.texts("choices", problems),
            save_as: saved_name(fields, problems),
        },
    };
    Step { id, intent, kind, required, gates, done_when, budget, on_failure }
}

fn fill(fields: &Fields<'_>, problems: &mut Problems) -> StepKind {
    let entries = texts_by_label(fields, "fields", problems);
    if fields.get("fields").is_none_or(|given| given.as_object().is_some_and(serde_json::Map::is_empty)) {
        problems.add(fields.place_of("fields"), "there is nothing to fill in", "as in {Email: \"{{row.email}}\"}");
    }
    StepKind::Fill { fields: entries, form: fields.text("form", problems) }
}

fn extract(fields: &Fields<'_>, problems: &mut Problems) -> StepKind {
    let per = [("field", EvidencePer::Field), ("record", EvidencePer::Record)];
    let save_as = saved_name(fields, problems);
    let collect = collect(fields, problems);
    if fields.get("save_as").is_none() && fields.get("collect").is_none() {
        problems.add(&fields.place, "what is extracted goes nowhere", "give `save_as`, `collect` or both");
    }
    if fields.get("output_schema").is_none() {
        let place = fields.place_of("output_schema");
        problems.add(place, "`output_schema` is missing", "a JSON Schema of what to extract");
    }
    StepKind::Extract {
        what: fields.wanted_text("what", "say what should be read off the page", problems),
        output_schema: optional_schema(fields, "output_schema", problems).unwrap_or_default(),
        evidence: fields.word("evidence", &per, problems).unwrap_or_default(),
        save_as,
        collect,
    }
}

fn collect(fields: &Fields<'_>, problems: &mut Problems) -> Option<Collect> {
    let given = fields.get("collect")?;
    if let Some(table) = given.as_str() {
        return Some(Collect { into: table.to_owned(), from: None });
    }
    let fields = Fields::of(&fields.place_of("collect"), given, &["into", "from"], "`collect`", problems)?;
    let into = fields.wanted_text("into", "name a table of `output.tables`", problems);
    Some(Collect { into, from: fields.text("from", problems) })
}

fn repeated(fields: &Fields<'_>, depth: usize, problems: &mut Problems) -> StepKind {
    let given: Vec<&str> = ["over", "while", "until"].into_iter().filter(|name| fields.get(name).is_some()).collect();
    if given.len() != 1 {
        let said = match given.as_slice() {
            [] => "the loop does not say when it ends".to_owned(),
            several => format!("the loop has {} at once", several.join(" and ")),
        };
        problems.add(&fields.place, said, "give one of `over`, `while` and `until`");
    }
    let rule = LoopRule {
        over: fields.text("over", problems),
        item: fields.text("as", problems),
        as_long_as: conditions::optional(fields, "while", problems),
        until: conditions::optional(fields, "until", problems),
        max_times: fields.count("max_times", limits::LOOP_PASSES, problems),
    };
    if let Some(item) = &rule.item {
        name(&fields.place_of("as"), item, problems);
        if fields.get("over").is_none() {
            problems.add(fields.place_of("as"), "only a loop with `over` has an item to name", "leave it out");
        }
    }
    if fields.get("over").is_none() && fields.get("max_times").is_none() {
        let hint = "give the most passes that could be right, as in 50";
        problems.add(fields.place_of("max_times"), "a loop with `while` or `until` needs a bound", hint);
    }
    let steps = self::steps(fields, "steps", depth - 1, problems);
    if fields.get("steps").is_none_or(|given| given.as_array().is_some_and(Vec::is_empty)) {
        problems.add(fields.place_of("steps"), "the loop has no steps", "");
    }
    StepKind::Loop { rule, steps, between: self::steps(fields, "between", depth - 1, problems) }
}

fn choice(fields: &Fields<'_>, depth: usize, problems: &mut Problems) -> StepKind {
    if fields.get("condition").is_none() {
        let hint = "a predicate such as \"url_contains:/login\", or a comparison";
        problems.add(fields.place_of("condition"), "`condition` is missing", hint);
    }
    if fields.get("then").is_none_or(|given| given.as_array().is_some_and(Vec::is_empty)) {
        problems.add(
            fields.place_of("then"),
            "there are no steps for when the condition holds",
            "turn it with {not: …}",
        );
    }
    // Without one there is a problem already, and the steps are still to be looked at.
    let condition = conditions::optional(fields, "condition", problems).unwrap_or(Condition::All { all: Vec::new() });
    let then = steps(fields, "then", depth - 1, problems);
    let otherwise = steps(fields, "else", depth - 1, problems);
    StepKind::If { condition, then, otherwise }
}

fn saved_name(fields: &Fields<'_>, problems: &mut Problems) -> Option<String> {
    let given = fields.text("save_as", problems)?;
    name(&fields.place_of("save_as"), &given, problems);
    Some(given)
}

fn texts_by_label(fields: &Fields<'_>, name: &str, problems: &mut Problems) -> Named<String> {
    let mut found = Vec::new();
    for (place, field, value) in fields.entries(name, problems) {
        label(&place, &field, problems);
        found.extend(text(&place, value, problems).map(|text| (field, text)));
    }
    Named(found)
}
