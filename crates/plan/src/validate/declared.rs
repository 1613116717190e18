//! Declared values, tables and the fields of the output.

use crate::inputs;
use crate::plan::{PASS_NUMBER, Plan, ValueSpec, ValueType};
use crate::problem::{Problems, quoted};

pub(super) fn check(plan: &Plan, problems: &mut Problems) {
    for (name, spec) in plan.values.iter() {
        let place = format!("values.{}", quoted(name));
        if name == PASS_NUMBER {
            problems.add(&place, format!("`{PASS_NUMBER}` is the number of a loop's pass"), "use another name");
        }
        value(&place, spec, problems);
    }
    for (name, table) in plan.output.tables.iter() {
        let place = format!("output.tables.{}", quoted(name));
        if plan.output.values.get(name).is_some() {
            problems.add(&place, "a value of the output has the same name", "use another name");
        }
        for (at, key) in table.key.iter().enumerate() {
            if !table.columns.is_empty() && !table.columns.contains(key) {
                let said = format!("the key `{}` is none of the columns", quoted(key));
                problems.add(format!("{place}.key[{at}]"), said, "add it to `columns`");
            }
        }
    }
}

fn value(place: &str, spec: &ValueSpec, problems: &mut Problems) {
    let many = matches!(spec.r#type, ValueType::Rows | ValueType::List);
    if spec.r#type == ValueType::Secret && (spec.default.is_some() || spec.file.is_some()) {
        problems.add(
            place,
            "a secret never stands in a plan",
            "leave out `default` and `file`, and give it by its name",
        );
    } else if let Some(default) = &spec.default
        && let Err(why) = inputs::fitting(spec, default)
    {
        problems.add(format!("{place}.default"), format!("the default does not fit: {why}"), "");
    }
    if let Some(file) = &spec.file {
        let place = format!("{place}.file");
        if !many && spec.r#type != ValueType::Secret {
            problems.add(&place, "only rows and lists come from files", "say `type: rows`");
        }
        if spec.default.is_some() {
            problems.add(&place, "there is a default as well", "give one of them");
        }
        let lowered = file.to_lowercase();
        if ![".csv", ".tsv", ".json"].iter().any(|ending| lowered.ends_with(ending)) {
            problems.add(
                &place,
                format!("`{}` is no file of rows", quoted(file)),
                "its name ends in .csv, .tsv or .json",
            );
        }
        let leads_away = file.starts_with(['/', '\\', '~'])
            || file.contains(':')
            || file.contains('\\')
            || file.split('/').any(|part| part == "..");
        if leads_away {
            problems.add(
                &place,
                format!("`{}` leads away from the plan", quoted(file)),
                "name a file beside it or below",
            );
        }
    }
    if !spec.columns.is_empty() && spec.r#type != ValueType::Rows {
        problems.add(format!("{place}.columns"), "only rows have columns", "say `type: rows`");
    }
}
