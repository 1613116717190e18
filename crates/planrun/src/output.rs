//! What a plan gives at its end: one file in the run's folder, always whole, and the texts that people want it as.

use std::path::Path;

use serde_json::{Value, json};
use surehand_plan::machine::Ending;
use surehand_plan::{Plan, csv};
use surehand_run::Course;
use surehand_types::plan::PlanStatus;

use crate::checkpoint::write_whole;
use crate::evidence::evidence_of;

const FILE: &str = "output.json";

/// What an output file is to hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OutputFile {
    /// The whole output, and where it was seen.
    Json,
    /// One table.
    Csv,
}

/// Which table a CSV file has.
#[derive(Debug, Clone, Copy)]
pub enum TableChoice<'a> {
    Named(&'a str),
    /// The only one that there is.
    Only,
}

impl OutputFile {
    /// By the ending of its name.
    pub fn of(path: &Path) -> Result<OutputFile, String> {
        match path.extension().and_then(|ending| ending.to_str()).map(str::to_lowercase).as_deref() {
            Some("csv") => Ok(OutputFile::Csv),
            Some("json") => Ok(OutputFile::Json),
            _ => Err(format!(
                "{} is neither a .csv nor a .json file\nhint: -o rows.csv or -o output.json",
                path.display()
            )),
        }
    }
}

/// The text of an output file. The error is one sentence.
pub fn output_text(
    plan: &Plan,
    output: &Value,
    evidence: &Value,
    kind: OutputFile,
    table: TableChoice<'_>,
) -> Result<String, String> {
    match kind {
        OutputFile::Json => {
            let whole = json!({"plan": plan.name, "output": output, "evidence": evidence});
            serde_json::to_string_pretty(&whole).map(|text| text + "\n").map_err(|error| error.to_string())
        }
        OutputFile::Csv => {
            let name = table_name(plan, table)?;
            let columns = plan.output.tables.get(&name).map(|table| table.columns.clone()).unwrap_or_default();
            let rows = output.get(&name).and_then(Value::as_array).cloned().unwrap_or_default();
            Ok(csv::write(&rows, &columns, csv::Formulas::Defuse))
        }
    }
}

fn table_name(plan: &Plan, table: TableChoice<'_>) -> Result<String, String> {
    let names: Vec<&str> = plan.output.tables.iter().map(|(name, _)| name).collect();
    match (table, names.as_slice()) {
        (TableChoice::Named(name), names) if names.contains(&name) => Ok(name.to_string()),
        (TableChoice::Only, [only]) => Ok((*only).to_string()),
        (_, []) => Err("the plan collects no table\nhint: -o output.json has its values".into()),
        (TableChoice::Named(name), names) => {
            Err(format!("the plan has no table {name:?}\nhint: --table {}", names.join(" or --table ")))
        }
        (TableChoice::Only, names) => Err(format!(
            "the plan has {} tables, and a CSV file has one\nhint: --table {}",
            names.len(),
            names.join(" or --table ")
        )),
    }
}

/// The output and its evidence, as a run's folder has them.
pub fn read_output(folder: &Path) -> Result<(Value, Value), String> {
    let path = folder.join(FILE);
    let read = std::fs::read_to_string(&path).map_err(|error| error.to_string());
    let value: Value = read
        .and_then(|text| serde_json::from_str(&text).map_err(|error| error.to_string()))
        .map_err(|why| format!("the plan's output cannot be read from {}: {why}", path.display()))?;
    Ok((value.get("output").cloned().unwrap_or_default(), value.get("evidence").cloned().unwrap_or_default()))
}

/// In the run's folder, also where the plan did not come to its end.
pub(crate) fn keep(
    folder: &Path,
    course: &Course<'_>,
    plan: &Plan,
    status: PlanStatus,
    ending: &Ending,
) -> std::io::Result<()> {
    let mut whole = json!({
        "plan": plan.name, "status": status, "sentence": ending.sentence, "output": ending.output,
        "evidence": evidence_of(&ending.evidence),
    });
    course.redact(&mut whole);
    write_whole(&folder.join(FILE), serde_json::to_string(&whole).map_err(std::io::Error::other)?.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plan(tables: Value) -> Plan {
        let steps = json!([{"id": "a", "type": "act", "intent": "look"}]);
        Plan::from_value(&json!({"name": "p", "output": {"tables": tables}, "steps": steps}))
            .unwrap_or_else(|problems| panic!("{problems}"))
    }

    #[test]
    fn a_csv_file_needs_one_table() {
        let one = plan(json!({"people": {"columns": ["b", "a"]}}));
        let output = json!({"people": [{"a": 1, "b": "x"}]});
        let text = |plan: &Plan, table| output_text(plan, &output, &json!([]), OutputFile::Csv, table);
        assert_eq!(text(&one, TableChoice::Only).unwrap(), "b,a\r\nx,1\r\n");
        assert!(text(&one, TableChoice::Named("other")).unwrap_err().contains("--table people"));
        assert!(text(&plan(json!({})), TableChoice::Only).unwrap_err().contains("no table"));
        let two = plan(json!({"people": {}, "places": {}}));
        assert!(text(&two, TableChoice::Only).unwrap_err().contains("2 tables"));
        assert_eq!(text(&two, TableChoice::Named("people")).unwrap(), "a,b\r\n1,x\r\n");
    }
}
