//! The example plans and the documentation say what the code does.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Map, Value, json};
use surehand_plan::machine::{Answer, Machine, Note, Outcome, Status, Used, Wanted, Work};
use surehand_plan::{Evidence, FrameName, Inputs, Plan, csv, inputs, limits, plan_schema};
use surehand_types::ThreeValued;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn examples() -> Vec<(PathBuf, String)> {
    let files = fs::read_dir(root().join("examples/plans")).unwrap().map(|entry| entry.unwrap().path());
    let plans = files.filter(|path| path.extension().is_some_and(|ending| ending == "yaml" || ending == "json"));
    let mut found: Vec<_> = plans.map(|path| (path.clone(), fs::read_to_string(path).unwrap())).collect();
    found.sort();
    assert!(found.len() >= 3, "{found:?}");
    found
}

fn page() -> String {
    fs::read_to_string(root().join("docs/plans.md")).unwrap()
}

fn parsed(text: &str) -> Plan {
    Plan::parse(text).unwrap_or_else(|problems| panic!("{problems}\n{text}"))
}

/// The blocks of the documentation that are whole plans.
fn plans_in_the_page() -> Vec<String> {
    let page = page();
    let blocks = page.split("```").skip(1).step_by(2);
    let plans: Vec<String> = blocks
        .filter_map(|block| block.strip_prefix("yaml\n").or_else(|| block.strip_prefix("json\n")))
        .filter(|block| block.contains("steps"))
        .map(str::to_owned)
        .collect();
    assert!(!plans.is_empty());
    plans
}

fn inputs_of(folder: &Path, plan: &Plan) -> Inputs {
    let mut given = Map::new();
    for (name, file) in plan.files() {
        let text = fs::read_to_string(folder.join(file)).unwrap();
        given.insert(name.to_owned(), inputs::table(file, &text).unwrap());
    }
    Inputs::resolve(plan, &given).unwrap_or_else(|problems| panic!("{problems}"))
}

/// Everything goes well, with data of the right form.
fn outcome(work: &Work, number: usize) -> Outcome {
    let answers = vec![ThreeValued::yes("seen"); work.predicates().len()];
    match work {
        Work::Extract { schema, done_when, .. } => {
            assert!(done_when.is_empty());
            let value = sample(&Value::Object(schema.clone()), number);
            let mut evidence = Vec::new();
            fields(&value, String::new(), &mut evidence);
            Outcome::Extracted { value, evidence, done_when: answers }
        }
        Work::Verify { .. } | Work::Evaluate { .. } => Outcome::Evaluated { results: answers },
        Work::Ask { answer: Wanted::Choice(choices), .. } => Outcome::Answered(Answer::Text(choices[0].clone())),
        Work::Ask { .. } => Outcome::Answered(Answer::Approved),
        _ => Outcome::Done { done_when: answers },
    }
}

fn sample(schema: &Value, number: usize) -> Value {
    match schema["type"].as_str() {
        Some("object") => {
            let properties = schema["properties"].as_object().unwrap();
            Value::Object(properties.iter().map(|(name, schema)| (name.clone(), sample(schema, number))).collect())
        }
        Some("array") => json!([sample(&schema["items"], number), sample(&schema["items"], number + 1)]),
        Some("boolean") => json!(number < 8),
        Some("number" | "integer") => json!(number),
        _ => json!(format!("a{number}@x.example")),
    }
}

fn fields(value: &Value, path: String, found: &mut Vec<Evidence>) {
    match value {
        Value::Object(map) => map.iter().for_each(|(name, value)| fields(value, format!("{path}.{name}"), found)),
        Value::Array(list) => {
            list.iter().enumerate().for_each(|(at, value)| fields(value, format!("{path}[{at}]"), found));
        }
        _ => found.push(Evidence {
            field: path,
            frame: FrameName::Number(1),
            r#box: None,
            selector: Some("td".into()),
            text: None,
        }),
    }
}

#[test]
fn examples_are_plans_and_go_through() {
    for (path, text) in examples() {
        let plan = parsed(&text);
        let inputs = inputs_of(path.parent().unwrap(), &plan);
        let mut machine = Machine::new(plan.clone(), inputs);
        let mut number = 0;
        let ending = loop {
            while matches!(machine.next(), Work::Undecided) {
                machine.count_unreported(Used::default());
            }
            if let Work::Finished(ending) = machine.next() {
                break ending.clone();
            }
            let answer = outcome(machine.next(), number);
            for note in machine.report(answer, Used { steps: 1, ..Used::default() }).unwrap() {
                // Made-up data is not what a file says, and only a step that compares the two may notice.
                if let Note::StepRetried { step, why } | Note::StepFailed { step, why } = note {
                    let kind =
                        plan.all_steps().into_iter().find(|(_, known)| known.id == step.id).unwrap().1.type_name();
                    assert_eq!(kind, "verify", "{path:?} {}: {why}", step.id);
                }
            }
            number += 1;
            assert!(number < 300, "{path:?}");
        };
        assert_eq!(ending.status, Status::Done, "{path:?}: {ending:?}");
        let (table, spec) = plan.output.tables.iter().next().unwrap();
        let rows = ending.output[table].as_array().unwrap();
        assert!(rows.len() >= 2, "{path:?}: {rows:?}");
        let text = csv::write(rows, &spec.columns, csv::Formulas::Defuse);
        assert_eq!(text.lines().count(), rows.len() + 1, "{text}");
        assert_eq!(text.lines().next().unwrap(), spec.columns.join(","));
        assert_eq!(plan.secrets(), ["password"], "{path:?}");
    }
}

#[test]
fn a_plan_that_is_written_is_the_plan_that_was_read() {
    for text in examples().into_iter().map(|(_, text)| text).chain(plans_in_the_page()) {
        let plan = parsed(&text);
        let written = serde_json::to_string_pretty(&plan).unwrap();
        assert_eq!(parsed(&written), plan);
    }
}

#[test]
fn the_schema_accepts_plans_and_knows_their_fields() {
    let validator = jsonschema::validator_for(&plan_schema()).unwrap();
    for text in examples().into_iter().map(|(_, text)| text).chain(plans_in_the_page()) {
        let as_it_stands: Value = serde_saphyr::from_str(&text).unwrap();
        let wrong: Vec<String> =
            validator.iter_errors(&as_it_stands).map(|error| format!("{} {error}", error.instance_path())).collect();
        assert!(wrong.is_empty(), "{wrong:?}");
        let plan = serde_json::to_value(parsed(&text)).unwrap();
        let wrong: Vec<String> =
            validator.iter_errors(&plan).map(|error| format!("{} {error}", error.instance_path())).collect();
        assert!(wrong.is_empty(), "{wrong:?}");
        let mut odd = plan.clone();
        odd["stepps"] = json!([]);
        assert!(!validator.is_valid(&odd));
        let mut odd = plan;
        odd["steps"][0]["done_wen"] = json!([]);
        assert!(!validator.is_valid(&odd));
    }
}

#[test]
fn the_page_has_the_limits_as_they_are() {
    let page = page();
    let spaced = |number: usize| format!("{} 000", number / 1000);
    let expected = [
        format!("A file of {} MiB", limits::FILE_BYTES >> 20),
        format!("{} steps", limits::STEPS),
        format!("{} passes of a loop", spaced(limits::LOOP_PASSES as usize)),
        format!("{} rows of a table", spaced(limits::TABLE_ROWS)),
        format!("{} retries", limits::RETRIES),
    ];
    for part in expected {
        assert!(page.contains(&part), "{part}");
    }
    assert_eq!(limits::NESTING, 8, "the page says eight");
}

#[test]
fn the_page_names_every_field() {
    let page = page();
    let schema = plan_schema().to_string();
    let schema: Value = serde_json::from_str(&schema).unwrap();
    let mut names = Vec::new();
    properties(&schema, &mut names);
    names.retain(|name| name != "$schema");
    assert!(names.len() > 40, "{names:?}");
    for name in names {
        assert!(page.contains(&format!("`{name}`")), "docs/plans.md says nothing of `{name}`");
    }
}

fn properties(schema: &Value, found: &mut Vec<String>) {
    if let Some(own) = schema.get("properties").and_then(Value::as_object) {
        found.extend(own.keys().cloned());
    }
    match schema {
        Value::Object(map) => map.values().for_each(|value| properties(value, found)),
        Value::Array(list) => list.iter().for_each(|value| properties(value, found)),
        _ => {}
    }
}
